//! The page's motion for a verdict, and what is taken of it.

use crate::js::{refused, some_to_js};
use crate::page::Page;
use snapshot_analysis::link_fit;
use snapshot_analysis::verdict::Card;
use snapshot_app::lane_run::LaneId;
use snapshot_app::link;
use snapshot_record::motion::Motion;
use snapshot_settings::{Key, permalink};
use wasm_bindgen::prelude::*;

/// Keys of the settings that a verdict recommends.
const DECIDED: [Key; 9] = [
    Key::SendRate,
    Key::Codec,
    Key::PositionBits,
    Key::OrientationBits,
    Key::PositionSmall,
    Key::PositionLarge,
    Key::OrientationSmall,
    Key::OrientationLarge,
    Key::Interpolation,
];

/// A page's motion, in parts that a Worker receives for a verdict.
#[wasm_bindgen]
pub struct JudgedMotion(Motion);

#[wasm_bindgen]
impl JudgedMotion {
    /// Returns the present motion: a file's, or the stored ticks of the simulated world. Undefined for fewer than two ticks.
    pub fn of_page(page: &Page) -> Option<JudgedMotion> {
        let played = page.session().played_motion().cloned();
        played
            .or_else(|| page.lab().tape().to_motion())
            .map(JudgedMotion)
    }

    /// Returns the part of the motion with a number, from 0; undefined after the last part.
    pub fn part(&self, number: usize) -> Option<Vec<u8>> {
        self.0.part(number)
    }
}

#[wasm_bindgen]
impl Page {
    /// Returns the settings of lane A alone, as a fragment.
    pub fn settings_link(&self) -> String {
        permalink::format(self.lab().settings())
    }

    /// Returns the settings recommended in a verdict's `link` that differ from lane A's, each as `key=value`.
    pub fn changes_to(&self, link: &str) -> Vec<String> {
        let (now, taken) = (self.lab().settings(), permalink::parse(link).0);
        let keys = DECIDED.into_iter().chain([Key::Delay]);
        let changed = keys.filter(|key| taken.get(*key) != now.get(*key));
        changed
            .map(|key| format!("{}={}", key.setting().id, taken.text(key)))
            .collect()
    }

    /// Returns the fragment that opens a verdict's settings with the present motion and network, and opens the given chart or
    /// panel. `card` is the verdict's decision as text, for readers without the motion's file.
    pub fn link_with(&self, link: &str, figure: &str, card: Option<String>) -> String {
        let (mut here, _) = link::parse(&self.session().permalink(false));
        here.a.settings = permalink::parse(link).0;
        (here.at, here.b) = (None, None);
        here.recorded = Default::default();
        here.show = Some(figure.to_owned());
        here.card = card.and_then(|card| Card::parse(&card));
        link::format(&here)
    }

    /// Returns the settings of the link model nearest to the recorded link in use, with the remaining error; undefined if no
    /// recorded link is used.
    #[wasm_bindgen(unchecked_return_type = "FittedTrace | undefined")]
    pub fn fit_trace(&self) -> Result<JsValue, JsError> {
        let trace = self.lab().trace();
        some_to_js(trace.map(|trace| link_fit::describe(trace.delays())))
    }

    /// Applies the settings of the link model nearest to the recorded link to all lanes. The recorded link itself stays in
    /// use.
    ///
    /// # Errors
    /// When the schema refuses a setting, which does not happen with these.
    pub fn use_fit(&mut self) -> Result<(), JsError> {
        let Some(trace) = self.lab().trace().cloned() else {
            return Ok(());
        };
        let delays = trace.delays();
        let b = self.lab().b().map(|_| LaneId::B);
        for lane in [LaneId::A].into_iter().chain(b) {
            let mut settings = *self.session().settings_of(lane);
            settings.set_text("link", "own").map_err(refused)?;
            for (id, text) in link_fit::changes(&settings, delays) {
                settings.set_text(id, &text).map_err(refused)?;
            }
            let applied = self.change(|session| session.apply(lane, settings));
            applied.map_err(refused)?;
        }
        Ok(())
    }
}
