//! Reading of motion files.

use snapshot_record::motion::{JumpSpeed, Motion};
use wasm_bindgen::prelude::*;

/// A motion file that a Worker has parsed, for `IncomingMotion` on the page. The Worker's memory is freed with it.
#[wasm_bindgen]
pub struct ReadMotion(Motion);

#[wasm_bindgen]
impl ReadMotion {
    /// Parses a motion file of any format, packed or not. `jumps_over` is the index of the jump speed, as in
    /// `Page.jumps_over`.
    ///
    /// # Errors
    /// When the file is not a motion.
    #[wasm_bindgen(constructor)]
    pub fn new(file: Vec<u8>, jumps_over: usize) -> Result<ReadMotion, JsError> {
        let motion = Motion::of_file(&file, JumpSpeed::at(jumps_over))
            .map_err(|error| JsError::new(&error.to_string()))?;
        Ok(ReadMotion(motion))
    }

    /// Returns the part of the motion with a number, from 0; undefined after the last part.
    pub fn part(&self, number: usize) -> Option<Vec<u8>> {
        self.0.part(number)
    }
}
