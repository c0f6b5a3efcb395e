//! Replication and codec for JavaScript. Objects cross the border as flat numbers; `package/wrap.js` makes them objects.

mod codec;
mod flat;
mod replication;
mod settings;

use std::fmt::Display;
use wasm_bindgen::JsError;

/// An error that JavaScript sees, with its number before its words.
fn error(number: u32, words: &impl Display) -> JsError {
    JsError::new(&format!("{number}: {words}"))
}
