//! The laboratory in a browser: a thin surface for JavaScript, and the renderer of both views.
//!
//! [`page::Page`] is the laboratory as a class: each method calls one of `snapshot-app` or `snapshot-analysis`. [`views`]
//! draws with WebGL. [`files`] is the other wasm, of the Worker that reads and judges files.
//!
//! Nothing is decided here: settings and inputs go in, plain data and drawn frames come out. No state of the simulation is in
//! JavaScript, and the TypeScript types of returned values are written from Rust's.

/// TypeScript types of the values that methods return. A test writes them from Rust's types.
#[wasm_bindgen::prelude::wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("../types.d.ts");

pub mod blind_test;
mod clock;
mod comparison;
pub mod files;
pub mod incoming;
mod js;
pub mod judge;
pub mod ladder;
mod lane_name;
mod lanes;
pub mod motion;
pub mod packets;
pub mod page;
pub mod panic;
pub mod rest;
pub mod schema;
mod state;
pub mod tables;
pub mod time;
pub mod together;
pub mod trace;
pub mod trade;
#[cfg(test)]
mod types;
pub mod verdict;
pub mod view_queries;
pub mod views;
pub mod widths;
