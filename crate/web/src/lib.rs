//! The laboratory in a browser: a thin surface for JavaScript, and the renderer of both views.
//!
//! [`page::Page`] is a session as a class: it takes commands and answers questions, which `snapshot-app` declares. [`views`]
//! draws with WebGL. [`files`] is the work of the Worker that reads and judges files.
//!
//! Nothing is decided here: settings and inputs go in, plain data and drawn frames come out. No state of the simulation is in
//! JavaScript, and the TypeScript types of returned values are written from Rust's.

/// TypeScript types of commands, questions and answers. A test writes them from Rust's types.
#[wasm_bindgen::prelude::wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("../types.d.ts");

mod clock;
pub mod files;
mod js;
pub mod lookup;
pub mod page;
pub mod panic;
pub mod together;
#[cfg(test)]
mod types;
pub mod views;
