//! Reading of traces (recorded links).

use snapshot_netsim::trace::Trace;
use wasm_bindgen::prelude::*;

/// Parses a trace file, and returns bytes for `Page.use_trace`.
///
/// # Errors
/// When the file is not a trace.
#[wasm_bindgen]
pub fn parse_trace(file: &[u8]) -> Result<Vec<u8>, JsError> {
    let trace = Trace::read(file).map_err(|error| JsError::new(&error.to_string()))?;
    Ok(trace.to_bytes())
}
