//! Replication for JavaScript. Objects cross the border as flat numbers; `package/wrap.js` makes them objects.

mod flat;
mod replication;
mod settings;

use snapshot_replication::{Rung, error_name};
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

/// Returns the default settings as numbers, in the order in which a server takes them.
#[wasm_bindgen]
pub fn usual_settings() -> Vec<f64> {
    settings::usual()
}

/// Returns the names of this build's rungs, one in each line, by rising number.
#[wasm_bindgen]
pub fn rung_names() -> String {
    let built = Rung::ALL.into_iter().filter(|rung| rung.is_built());
    built.map(Rung::name).collect::<Vec<_>>().join("\n")
}
