//! The laboratory in a browser: a thin surface for JavaScript, and the renderer of both views.
//!
//! Nothing is decided here: settings and inputs go in, plain data and drawn frames come out.

/// TypeScript types of the values that methods return. A test writes them from Rust's types.
#[wasm_bindgen::prelude::wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("../types.d.ts");

pub mod challenge;

mod clock;
mod comparison;
mod js;
pub mod judge;
pub mod ladder;
mod lane_name;
mod lanes;
pub mod motion;
pub mod packets;
pub mod page;
pub mod panic;
pub mod schema;
mod state;
pub mod tables;
pub mod tell;
pub mod time;
pub mod together;
pub mod tour;
pub mod trace;
pub mod trade;
#[cfg(test)]
mod types;
pub mod verdict;
pub mod view_queries;
pub mod views;
pub mod widths;
