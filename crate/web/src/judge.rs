//! The judge of two files for the page's script.

use crate::js::to_js;
use crate::motion::no_part;
use crate::page::Page;
use snapshot_analysis::judge::{JudgementWords, judge};
use snapshot_base::hash::fingerprint;
use snapshot_lane::client::ClientRecording;
use snapshot_record::motion::track::Track;
use snapshot_record::motion::{JumpSpeed, Motion};
use wasm_bindgen::prelude::*;

/// Least length of a freeze that is listed, ms.
const FREEZE_MS: f64 = 50.0;

/// A client's judgement, and its recording for lane B.
#[wasm_bindgen]
pub struct JudgedClient {
    words: JudgementWords,
    recording: ClientRecording,
}

#[wasm_bindgen]
impl JudgedClient {
    /// Judges a client's drawn motion by its server's. `jumps_over` is the index of the jump speed, as in [`Page::jumps_over`].
    ///
    /// # Errors
    /// When one file has no rows, or both have nothing in common.
    #[wasm_bindgen(constructor)]
    pub fn new(server: &[u8], client: &[u8], jumps_over: usize) -> Result<JudgedClient, JsError> {
        let refused =
            |of: &str, error: &dyn std::fmt::Display| JsError::new(&format!("{of}{error}"));
        let of_server = |error| refused("The server’s file: ", &error);
        let track = Track::read(server, None).map_err(of_server)?;
        let drawn = Track::read(client, Some(&track))
            .map_err(|error| refused("The client’s file: ", &error))?;
        let judged = judge(&track, &drawn, FREEZE_MS).map_err(|error| refused("", &error))?;
        let motion = Motion::of_file(server, JumpSpeed::at(jumps_over)).map_err(of_server)?;
        Ok(JudgedClient {
            words: JudgementWords::new(&judged.judgement),
            recording: judged.recording(&motion, fingerprint(client)),
        })
    }

    #[wasm_bindgen(unchecked_return_type = "JudgementWords")]
    pub fn words(&self) -> Result<JsValue, JsError> {
        to_js(&self.words)
    }

    /// Returns the recording as bytes, for [`Page::show_client`].
    pub fn recording(&self) -> Vec<u8> {
        self.recording.to_bytes()
    }
}

#[wasm_bindgen]
impl Page {
    /// Makes lane B show a client's recording: now if its server's motion is played, else once that is played. Returns true
    /// if it is shown now.
    ///
    /// # Errors
    /// When the bytes are not a recording; nothing changes then.
    pub fn show_client(&mut self, recording: &[u8]) -> Result<bool, JsError> {
        let recording = ClientRecording::of_bytes(recording).ok_or_else(no_part)?;
        self.change(|visit| visit.show_client(recording));
        Ok(self.shows_client())
    }
}

impl Page {
    pub(crate) fn shows_client(&self) -> bool {
        self.lab().b().is_some_and(|b| b.client().is_some())
    }
}
