//! The judge of two files for the page's script.

use crate::js::to_js;
use snapshot_analysis::judge::{JudgementWords, judge};
use snapshot_record::motion::track::Track;
use wasm_bindgen::prelude::*;

/// Freezes of this length and more are listed, ms.
const FREEZE_MS: f64 = 50.0;

/// Judges what a client drew by what its server had.
///
/// # Errors
/// Fails if one is no file of rows, or both have nothing in common.
#[wasm_bindgen(unchecked_return_type = "JudgementWords")]
pub fn judge_client(server: &[u8], client: &[u8]) -> Result<JsValue, JsError> {
    let refused = |of: &str, error: &dyn std::fmt::Display| JsError::new(&format!("{of}{error}"));
    let server =
        Track::read(server, None).map_err(|error| refused("The server’s file: ", &error))?;
    let client = Track::read(client, Some(&server))
        .map_err(|error| refused("The client’s file: ", &error))?;
    let judged = judge(&server, &client, FREEZE_MS).map_err(|error| refused("", &error))?;
    to_js(&JudgementWords::of(&judged))
}
