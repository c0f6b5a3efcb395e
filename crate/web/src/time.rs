//! Time for the page's script: the shown instant, navigation to other instants, and work on rebuilds.

use crate::clock::now_ms;
use crate::page::Page;
use snapshot_app::lab::Event;
use snapshot_app::session::Session;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Page {
    /// Works on pending rebuilds for at most `budget_ms`, or until the shown instant is rebuilt with the present settings.
    /// Returns true if there is more to do.
    pub fn work(&mut self, budget_ms: f64) -> bool {
        let start_ms = now_ms();
        if self.session().going_to().is_some() {
            while self.session_mut().is_on_its_way() {
                if now_ms() - start_ms >= budget_ms {
                    return true;
                }
                self.tick(0);
            }
            self.keep();
        }
        let is_late = || now_ms() - start_ms >= budget_ms;
        let more = self.lab_mut().work_until(is_late);
        if !more {
            self.keep();
        }
        more
    }

    /// Sets a later tick, up to which [`Page::work`] plays as fast as possible. If no script drives, no key is pressed
    /// meanwhile.
    pub fn go_to(&mut self, tick: f64) {
        self.session_mut().go_to(tick.max(0.0) as u64);
    }

    /// Stops at the present tick, before the link's instant is reached.
    pub fn stop_going(&mut self) {
        self.change(Session::stop_going);
    }

    /// Moves the playhead (the shown tick) to a tick, or to the nearest stored one.
    pub fn seek(&mut self, tick: f64) {
        self.change(|session| session.lab_mut().seek(tick.max(0.0) as u64));
    }

    /// Returns the nearest tick before or after the shown one at which a packet was lost ("loss"), the buffer was empty
    /// ("hitch"), the view stood still ("freeze") or a cube jumped ("pop"); undefined if there is none.
    pub fn find(
        &self,
        #[wasm_bindgen(unchecked_param_type = "'loss' | 'hitch' | 'freeze' | 'pop'")] event: &str,
        forward: bool,
    ) -> Option<f64> {
        let event = match event {
            "loss" => Event::Loss,
            "hitch" => Event::Hitch,
            "freeze" => Event::Freeze,
            "pop" => Event::Pop,
            _ => return None,
        };
        self.lab().find(event, forward).map(|tick| tick as f64)
    }

    /// Returns the shown tick.
    pub fn at(&self) -> f64 {
        self.lab().tick_count() as f64
    }

    pub fn is_at_end(&self) -> bool {
        self.lab().is_at_end()
    }

    /// Restores the ticks that were discarded when a person began to drive at an earlier tick. Returns false if no ticks can
    /// be restored.
    pub fn undo(&mut self) -> bool {
        self.change(|session| session.lab_mut().undo())
    }

    /// Cuts or restores the network in both directions.
    pub fn set_cut(&mut self, cut: bool) {
        self.session_mut().set_cut(cut);
    }

    pub fn cut_for(&mut self, ticks: u32) {
        self.session_mut().cut_for(ticks);
    }
}
