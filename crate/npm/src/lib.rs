//! Replication for JavaScript: [`snapshot_replication`] as wasm, with the same settings, errors and bytes.
//!
//! Objects pass to and from JavaScript as lists of numbers (`flat`); `package/wrap.js` makes objects of these, and
//! `package/index.d.ts` describes them. Rung `predicted` and recordings are in the build with the feature `full` alone.
//!
//! There are no rules of its own here: a setting is checked, and a datagram refused, by `snapshot-replication`.

mod flat;
#[cfg(feature = "full")]
mod recording;
mod replication;
mod settings;

use snapshot_replication::error_name;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// Makes a JavaScript error whose text is the error's number, a colon and its name.
fn error(number: u32) -> JsError {
    let name = name_of_error(number).unwrap_or_default();
    JsError::new(&format!("{number}: {name}"))
}

/// Returns the name of an error, by its number; undefined for an unknown number.
#[wasm_bindgen]
pub fn name_of_error(number: u32) -> Option<String> {
    error_name(number).map(|name| name.to_string_lossy().into_owned())
}

/// Returns the settings of a server, one in each line: path, kind of value, and the words of a choice.
#[wasm_bindgen]
pub fn setting_names() -> String {
    settings::names()
}

/// Returns three numbers for each setting: its least value, its greatest value and its default.
#[wasm_bindgen]
pub fn setting_limits() -> Vec<f64> {
    settings::limits()
}
