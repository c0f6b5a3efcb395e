//! A recorded motion on its way between page and Worker.

use snapshot_record::motion::Incoming;
use wasm_bindgen::prelude::*;

/// A motion that is received in parts, so that no frame has to wait for all of it.
#[wasm_bindgen]
pub struct IncomingMotion(pub(crate) Incoming);

#[wasm_bindgen]
impl IncomingMotion {
    /// Starts to receive a motion with its first part; throws if the bytes are no first part.
    #[wasm_bindgen(constructor)]
    pub fn new(head: &[u8]) -> Result<IncomingMotion, JsError> {
        Incoming::new(head).map(IncomingMotion).ok_or_else(no_part)
    }

    /// Adds the next part; throws if the bytes are not the part that follows.
    pub fn add(&mut self, part: &[u8]) -> Result<(), JsError> {
        self.0.add(part).then_some(()).ok_or_else(no_part)
    }
}

pub(crate) fn no_part() -> JsError {
    JsError::new("its parts do not follow each other")
}
