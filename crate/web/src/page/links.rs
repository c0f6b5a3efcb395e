//! Links and steps: from one to another, and the present state as a link.

use super::{Page, refused};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Page {
    /// Goes over to another link, making no more anew than what differs needs.
    pub fn open(&mut self, link: &str) {
        self.change(|visit| visit.open(link));
    }

    /// The fragment of the present state, without `#`. It names the shown tick if it is to be opened paused there and a
    /// link leads there. Only `share` records a person's new input; an opened recording stays in the link.
    pub fn permalink(&self, paused: bool) -> String {
        self.visit.permalink(paused)
    }

    /// The fragment that opens all this anywhere, to the bit, with what a person did since tick 0, at the tick that is shown.
    ///
    /// # Errors
    /// In words, when that is too late for a link.
    pub fn share(&mut self) -> Result<String, JsError> {
        self.visit.share().map_err(refused)
    }

    /// Returns true if nobody has done anything beyond the link's recorded input.
    pub fn follows_its_link(&self) -> bool {
        self.visit.looking().has_acts()
    }

    /// Returns true if the next tick's keys are replayed from the link.
    pub fn is_replaying(&self) -> bool {
        self.lab().tape().is_replaying()
    }

    /// Begins anew at tick 0; what the link says that a person did is done again.
    pub fn restart(&mut self) {
        self.change(|visit| visit.restart());
    }

    /// Opens a step of the tour with the step's link. An unknown step changes nothing. The motion begins anew unless the
    /// present motion is the step's.
    pub fn open_step(&mut self, id: &str) {
        self.change(|visit| visit.open_step(id));
    }

    /// Leaves the tour with all as it is.
    pub fn close_step(&mut self) {
        self.visit.close_step();
    }
}
