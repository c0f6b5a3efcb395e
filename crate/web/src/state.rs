//! The laboratory's state for the page's script, in two values. One has the settings, motion and network, the other the shown
//! instant, which changes with each tick.

use crate::js::to_js;
use crate::lane_name::LaneName;
use crate::lanes::{QuantisationOut, SettingTexts, quantisation, texts};
use crate::motion::PlayedMotion;
use crate::page::Page;
use crate::schema::{SettingOut, schema};
use crate::trace::UsedTrace;
use crate::view_queries::OverlayInfo;
use serde::Serialize;
use snapshot_app::comparisons::COMPARISONS;
use snapshot_app::lab::Progress;
use snapshot_app::lane_run::{LaneId, LaneRun};
use snapshot_base::order;
use snapshot_lane::measure::table::Live;
use snapshot_netsim::channel::LinkInputs;
use snapshot_physics::Rival;
use snapshot_settings::facts::facts;
use snapshot_settings::presets::{PRESETS, Preset};
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

/// State that a change of settings, motion or network may change.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
struct State {
    /// Settings of each lane as texts.
    a: SettingTexts,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<SettingTexts>,
    form: Form,
    /// Permalink keys of the settings in which B differs from A.
    differences: Vec<&'static str>,
    /// Index of the ready-made comparison that has exactly the settings of A and B.
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<usize>,
    /// True if both lanes have different worlds, and so different motions from the same keys.
    has_two_motions: bool,
    /// True if lane B shows a judged client's recording.
    shows_client: bool,
    steers_rival: bool,
    /// Overlays that can colour the views: the overlays that exist for the strategy of A or of B.
    overlays: Vec<OverlayInfo>,
    /// The played recorded motion; absent if a simulated world is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    motion: Option<PlayedMotion>,
    /// The recorded link in use; absent if the modelled link is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<UsedTrace>,
}

/// The lane that the form shows and sets.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
struct Form {
    schema: Vec<SettingOut>,
    /// Explanations in words of the settings' values, by permalink key.
    facts: BTreeMap<&'static str, String>,
    /// Index of the preset that has exactly the lane's settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    preset: Option<usize>,
    /// Level of quantisation; absent for a strategy that sends neither positions nor orientations.
    #[serde(skip_serializing_if = "Option::is_none")]
    quantisation: Option<QuantisationOut>,
}

/// The shown instant, with the figures of both lanes.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
struct Now {
    a: Live,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<Live>,
    /// The shown tick.
    at: u64,
    /// First and last tick of the tape.
    first: u64,
    last: u64,
    can_undo: bool,
    /// Progress of the rebuild: whether the figures belong to the present settings.
    #[cfg_attr(
        test,
        ts(type = "\"done\" | \"provisional\" | \"stale\" | \"travelling\"")
    )]
    progress: &'static str,
    done: u64,
    of: u64,
    is_cut: bool,
    /// True if the next tick's keys are replayed from the link.
    is_replaying: bool,
    /// True if a script presses the next tick's keys.
    is_scripted: bool,
}

#[wasm_bindgen]
impl Page {
    /// Returns the state that a change of settings, motion or network may have changed, with the form of a lane.
    #[wasm_bindgen(unchecked_return_type = "State")]
    pub fn state(&self, form: LaneName) -> Result<JsValue, JsError> {
        let lab = self.lab();
        let (a, b) = (lab.settings(), lab.b().map(LaneRun::settings));
        let differences = b.map_or_else(Vec::new, |b| b.differences(a));
        let is_chosen = |b| COMPARISONS.iter().position(|it| it.settings(a) == (*a, b));
        to_js(&State {
            a: texts(a),
            b: b.map(texts),
            form: self.form(form.id()),
            differences: differences.iter().map(|key| key.setting().id).collect(),
            comparison: b.copied().and_then(is_chosen),
            has_two_motions: lab.b().is_some_and(LaneRun::is_on_another_motion),
            shows_client: self.shows_client(),
            steers_rival: lab.tape().made_from().rival == Rival::Hand,
            overlays: lab.overlays().map(OverlayInfo::from).collect(),
            motion: self.session().played_motion().map(PlayedMotion::from),
            trace: lab.trace().map(|trace| UsedTrace::from(&**trace)),
        })
    }

    /// Returns the shown instant, with the figures of both lanes at it.
    #[wasm_bindgen(unchecked_return_type = "Now")]
    pub fn now(&self) -> Result<JsValue, JsError> {
        let (lab, tape) = (self.lab(), self.lab().tape());
        let (progress, done, of) = self.stage();
        to_js(&Now {
            a: lab.live().clone(),
            b: lab.b().and_then(|b| b.live(lab.tick_count())).cloned(),
            at: lab.tick_count(),
            first: tape.first_tick(),
            last: tape.last_tick(),
            can_undo: lab.can_undo(),
            progress,
            done,
            of,
            is_cut: lab.is_cut(),
            is_replaying: tape.is_replaying(),
            is_scripted: tape.is_scripted(),
        })
    }

    /// Returns the settings that a lane's strategy uses, in the form's order.
    #[wasm_bindgen(unchecked_return_type = "Setting[]")]
    pub fn schema(&self, lane: LaneName) -> Result<JsValue, JsError> {
        to_js(&self.rows(lane.id()))
    }

    /// Returns the progress of the rebuild alone, as in [`Page::now`].
    pub fn progress(&self) -> String {
        self.stage().0.to_owned()
    }
}

impl Page {
    fn stage(&self) -> (&'static str, u64, u64) {
        match (self.session().going_to(), self.lab().progress()) {
            (Some(of), _) => ("travelling", self.lab().tick_count(), of),
            (None, Progress::Done) => ("done", 0, 0),
            (None, Progress::Provisional { done, of }) => ("provisional", done, of),
            (None, Progress::Stale { done, of }) => ("stale", done, of),
        }
    }

    fn form(&self, lane: LaneId) -> Form {
        let (lab, settings) = (self.lab(), self.session().settings_of(lane));
        let link_inputs = LinkInputs {
            trace: lab.trace().cloned(),
            ..LinkInputs::default()
        };
        let is_chosen = |preset: &Preset| preset.settings(settings) == *settings;
        Form {
            schema: self.rows(lane),
            facts: order::map(facts(settings, &link_inputs, lab.tape().tick_rate()).into_iter()),
            preset: PRESETS.iter().position(is_chosen),
            quantisation: quantisation(settings, &lab.tape().session_config().half_m),
        }
    }

    fn rows(&self, lane: LaneId) -> Vec<SettingOut> {
        let trace = self.lab().trace().map(|trace| &**trace);
        let settings = self.session().settings_of(lane);
        schema(settings, self.lab().tape().tick_rate(), trace)
    }
}
