//! Replication and codec for JavaScript. Objects cross the border as flat numbers; `package/wrap.js` makes them objects.

mod codec;
mod flat;
mod replication;
mod settings;

use snapshot_replication::error_name;
use std::fmt::Display;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// Makes an error of JavaScript: a number, a colon and words.
fn error(number: u32, words: &impl Display) -> JsError {
    JsError::new(&format!("{number}: {words}"))
}

/// The name of an error, by its number.
#[wasm_bindgen]
pub fn name_of_error(number: u32) -> Option<String> {
    error_name(number).map(|name| name.to_string_lossy().into_owned())
}
