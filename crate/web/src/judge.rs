//! A judged client on the page: lane B shows its recording.

use crate::incoming::no_part;
use crate::page::Page;
use snapshot_lane::client::ClientRecording;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Page {
    /// Makes lane B show a client's recording: now if its server's motion is played, else once that motion is played. Returns
    /// true if it is shown now.
    ///
    /// # Errors
    /// When the bytes are not a recording; nothing changes then.
    pub fn show_client(&mut self, recording: &[u8]) -> Result<bool, JsError> {
        let recording = ClientRecording::of_bytes(recording).ok_or_else(no_part)?;
        self.change(|session| session.show_client(recording));
        Ok(self.shows_client())
    }
}

impl Page {
    pub(crate) fn shows_client(&self) -> bool {
        self.lab().b().is_some_and(|b| b.client().is_some())
    }
}
