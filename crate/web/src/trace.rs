//! Traces (recorded links) for the page's script.

use crate::page::Page;
use serde::Serialize;
use snapshot_app::file_kind::{self, FileKind};
use snapshot_netsim::trace::Trace;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// Returns the kind of a file, by its first bytes: `link`, `motion`, `capture`, `trace` or `archive`; undefined for other
/// files.
#[wasm_bindgen]
pub fn file_kind(first_bytes: &[u8]) -> Option<String> {
    FileKind::from_head(first_bytes).map(|kind| kind.name().to_string())
}

/// Returns a sentence about a file of an unknown kind, from its first bytes.
#[wasm_bindgen]
pub fn unknown_file_message(first_bytes: &[u8]) -> String {
    file_kind::unknown_file_message(first_bytes)
}

#[wasm_bindgen]
impl Page {
    /// Makes both lanes use a parsed trace, from the offset that the page's link names.
    ///
    /// # Errors
    /// When the bytes are not a result of `parse_trace`; nothing changes then.
    pub fn use_trace(&mut self, parsed: &[u8]) -> Result<(), JsError> {
        let trace =
            Trace::of_bytes(parsed).ok_or_else(|| JsError::new("it did not arrive whole"))?;
        self.session_mut().use_trace(Arc::new(trace));
        Ok(())
    }

    /// Makes both lanes use the present recorded link from another offset on, rounded to ms.
    pub fn begin_trace_at(&mut self, offset_ms: f64) {
        self.session_mut().begin_trace_at(offset_ms.round() as u64);
    }

    /// Makes both lanes use the modelled link of their settings again, in place of a recorded link.
    pub fn leave_trace(&mut self) {
        self.session_mut().leave_trace();
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct UsedTrace {
    description: String,
    seconds: f64,
    begins_ms: f64,
    assumed_interval: bool,
    fingerprint: String,
}

impl From<&Trace> for UsedTrace {
    fn from(trace: &Trace) -> Self {
        UsedTrace {
            description: trace.description().to_owned(),
            seconds: trace.length_ms() / 1000.0,
            begins_ms: trace.begins_ms(),
            assumed_interval: trace.has_assumed_interval(),
            fingerprint: format!("{:08x}", trace.fingerprint()),
        }
    }
}
