//! The rest of the program, which the first screen does without: the page loads it after the first picture.
//!
//! Every call works without it, but a call that needs it makes the page stand still while it loads. So the page asks here, and
//! loads the rest before such a call. `crate/bindings` has the list of the rest.

use crate::lane_name::LaneName;
use crate::page::Page;
use snapshot_app::link;
use snapshot_codec::Rung;
use snapshot_settings::{Settings, Strategy};
use wasm_bindgen::prelude::*;

/// Returns true if a link, or its fragment, needs the rest of the program.
#[wasm_bindgen]
pub fn link_needs_rest(link: &str) -> bool {
    let (link, _) = link::parse(link);
    let files = [link.motion, link.client, link.trace];
    let mut lanes = [Some(&link.a), link.b.as_ref()].into_iter().flatten();
    files.iter().any(Option::is_some) || lanes.any(|lane| needs_rest(&lane.settings))
}

#[wasm_bindgen]
impl Page {
    /// Returns true if a lane needs the rest of the program once a setting has this text. A text that will be refused needs
    /// nothing.
    pub fn setting_needs_rest(&self, lane: LaneName, id: &str, text: &str) -> bool {
        let mut settings = *self.session().settings_of(lane.id());
        settings.set_text(id, text).is_ok() && needs_rest(&settings)
    }
}

fn needs_rest(settings: &Settings) -> bool {
    match settings.strategy() {
        Strategy::Snapshot => settings.lane().rung() > Rung::Arithmetic,
        Strategy::Sync | Strategy::Lockstep | Strategy::Game => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_the_first_screen_need_no_rest() {
        for link in [
            "",
            "#codec=arithmetic&interp=hermite&loss=5",
            "#b.hz=20&at=60",
        ] {
            assert!(!link_needs_rest(link), "{link}");
        }
        for link in ["#codec=predicted", "#b.strategy=sync", "#motion=01234567"] {
            assert!(link_needs_rest(link), "{link}");
        }
    }

    #[test]
    fn a_setting_of_another_strategy_needs_the_rest() {
        let page = Page::new("#grid=3");
        let needs = |id, text| page.setting_needs_rest(LaneName::A, id, text);
        assert!(needs("strategy", "game") && needs("codec", "simulated"));
        assert!(!needs("hz", "60") && !needs("codec", "index") && !needs("codec", "no such"));
    }
}
