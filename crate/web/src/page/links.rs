//! Navigation between links, and the present state as a link.

use super::Page;
use crate::js::refused;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Page {
    /// Opens another link; only parts that differ from the present state are rebuilt.
    pub fn open(&mut self, link: &str) {
        self.change(|session| session.open(link));
    }

    /// Returns the fragment of the present state, without `#`. The fragment names the shown tick only if it is to be opened
    /// paused there, and if it can reproduce this tick. The input of an opened link is included. A person's new input is not;
    /// only `share` includes it.
    pub fn permalink(&self, paused: bool) -> String {
        self.session.permalink(paused)
    }

    /// Returns a fragment that reproduces the shown tick anywhere, to the bit, with a person's input since tick 0.
    ///
    /// # Errors
    /// When the tick is too late for a link.
    pub fn share(&mut self) -> Result<String, JsError> {
        self.session.share().map_err(refused)
    }

    /// Returns true if the opened link has a person's input, and nobody has given other input since.
    pub fn follows_its_link(&self) -> bool {
        self.session.view_state().has_acts()
    }

    /// Returns true if the next tick's keys are replayed from the link.
    pub fn is_replaying(&self) -> bool {
        self.lab().tape().is_replaying()
    }

    /// Restarts at tick 0; the recorded input in the link is replayed.
    pub fn restart(&mut self) {
        self.change(|session| session.restart());
    }
}
