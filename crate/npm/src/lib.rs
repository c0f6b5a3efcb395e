//! Replication for JavaScript. Objects cross the border as flat numbers; `package/wrap.js` makes them objects.

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

/// Returns the settings that a server takes, one in each line: path, kind of value, and the words of a choice.
#[wasm_bindgen]
pub fn setting_names() -> String {
    settings::names()
}

/// Returns three numbers for each setting: its least, its greatest and its usual value.
#[wasm_bindgen]
pub fn setting_limits() -> Vec<f64> {
    settings::limits()
}
