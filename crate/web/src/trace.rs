//! Recorded links for the page's script.

use crate::js::to_js;
use crate::page::Page;
use serde::Serialize;
use snapshot_app::file_kind::{self, FileKind};
use snapshot_netsim::trace::{BYTES_MAX, Trace, csv};
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// Returns the kind of a file, by its first bytes: `link`, `motion`, `capture`, `trace` or `archive`; undefined for other
/// files.
#[wasm_bindgen]
pub fn file_kind(first_bytes: &[u8]) -> Option<String> {
    FileKind::from_head(first_bytes).map(|kind| kind.name().to_string())
}

/// Returns a sentence that says what each kind of file must contain.
#[wasm_bindgen]
pub fn file_needs() -> String {
    file_kind::NEEDS.to_string()
}

/// Returns the upper limit of a trace file's size, megabytes.
#[wasm_bindgen]
pub fn trace_megabytes() -> usize {
    BYTES_MAX >> 20
}

#[wasm_bindgen]
impl Page {
    /// Sends both lanes over a trace file's recorded link, from the offset that the page's link names.
    ///
    /// # Errors
    /// When the file is not a trace; nothing changes then.
    pub fn use_trace(&mut self, file: &[u8]) -> Result<(), JsError> {
        let trace = Trace::read(file).map_err(|error| JsError::new(&error.to_string()))?;
        self.visit_mut().use_trace(Arc::new(trace));
        Ok(())
    }

    /// Sends both lanes over the present recorded link from another offset on, rounded to ms.
    pub fn begin_trace_at(&mut self, offset_ms: f64) {
        self.visit_mut().begin_trace_at(offset_ms.round() as u64);
    }

    /// Returns the delays of the recorded link in use, as rows of a file; undefined without one.
    pub fn trace_rows(&self) -> Option<Vec<u8>> {
        let rows = self.lab().trace()?.delays().rows().iter();
        let rows = rows.map(|row| {
            let delay_ms = (!row.lost).then_some(row.delay_ms);
            (row.sent_ms, delay_ms, row.bytes)
        });
        Some(csv::write(rows).into_bytes())
    }

    /// Sends both lanes over the modelled link again.
    pub fn leave_trace(&mut self) {
        self.visit_mut().leave_trace();
    }

    /// Returns the recorded link in use; undefined for the modelled one.
    #[wasm_bindgen(unchecked_return_type = "UsedTrace | undefined")]
    pub fn trace(&self) -> Result<JsValue, JsError> {
        let Some(trace) = self.lab().trace() else {
            return Ok(JsValue::UNDEFINED);
        };
        to_js(&UsedTrace {
            told: trace.description().to_owned(),
            seconds: trace.length_ms() / 1000.0,
            begins_ms: trace.begins_ms(),
            assumed_interval: trace.has_assumed_interval(),
            fingerprint: format!("{:08x}", trace.fingerprint()),
        })
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct UsedTrace {
    told: String,
    seconds: f64,
    begins_ms: f64,
    assumed_interval: bool,
    fingerprint: String,
}
