//! The state of a session, in two values. One has the settings, motion and network, the other the shown instant, which
//! changes with each tick.

use super::cubes::{OverlayInfo, overlays};
use super::form::{Form, SettingTexts, form, texts};
use super::motion::PlayedMotion;
use super::tables::needs_the_rest;
use crate::comparisons::COMPARISONS;
use crate::lab::{Event, Progress};
use crate::lane_run::{LaneId, LaneRun};
use crate::session::Session;
use serde::Serialize;
use snapshot_lane::measure::table::Live;
use snapshot_netsim::trace::Trace;
use snapshot_physics::Rival;

/// State that a change of settings, motion or network may change.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct State {
    /// Settings of each lane as texts.
    a: SettingTexts,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<SettingTexts>,
    /// The lane of the form.
    setting: LaneId,
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

/// The shown instant, with the figures of both lanes.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct Now {
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
    progress: Stage,
    done: u64,
    of: u64,
    is_cut: bool,
    /// True if the next tick's keys are replayed from the link.
    is_replaying: bool,
    /// True if a script presses the next tick's keys.
    is_scripted: bool,
    /// True if the opened link has a person's input, and nobody has given other input since.
    follows_its_link: bool,
}

/// Progress of the rebuild: whether the figures belong to the present settings.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    Done,
    /// The figures belong to the present settings, but begin only a few seconds before the shown instant.
    Provisional,
    /// The figures belong to the earlier settings.
    Stale,
    /// The session plays towards an instant.
    Travelling,
}

/// The recorded link in use.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct UsedTrace {
    description: String,
    seconds: f64,
    begins_ms: f64,
    assumed_interval: bool,
    fingerprint: String,
}

impl From<&Trace> for UsedTrace {
    fn from(trace: &Trace) -> Self {
        UsedTrace {
            description: trace.description().to_owned(),
            seconds: trace.length_ms() / 1000.0,
            begins_ms: trace.begins_ms(),
            assumed_interval: trace.has_assumed_interval(),
            fingerprint: format!("{:08x}", trace.fingerprint()),
        }
    }
}

pub(crate) fn state(session: &mut Session) -> State {
    let lab = session.lab();
    let (a, b) = (lab.settings(), lab.b().map(LaneRun::settings));
    let differences = b.map_or_else(Vec::new, |b| b.differences(a));
    let is_chosen = |b| COMPARISONS.iter().position(|it| it.settings(a) == (*a, b));
    State {
        a: texts(a),
        b: b.map(texts),
        setting: session.form,
        form: form(session, session.form),
        differences: differences.iter().map(|key| key.setting().id).collect(),
        comparison: b.copied().and_then(is_chosen),
        has_two_motions: lab.b().is_some_and(LaneRun::is_on_another_motion),
        shows_client: lab.b().is_some_and(|b| b.client().is_some()),
        steers_rival: lab.tape().made_from().rival == Rival::Hand,
        overlays: overlays(session).collect(),
        motion: session.played_motion().map(PlayedMotion::from),
        trace: lab.trace().map(|trace| UsedTrace::from(&**trace)),
    }
}

pub(crate) fn now(session: &mut Session) -> Now {
    let (lab, tape) = (session.lab(), session.lab().tape());
    let (progress, done, of) = stage(session);
    Now {
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
        follows_its_link: session.view_state().has_acts(),
    }
}

/// A text that will be refused needs nothing.
pub(super) fn needs_rest(session: &mut Session, lane: LaneId, id: String, text: String) -> bool {
    let mut settings = *session.settings_of(lane);
    settings.set_text(&id, &text).is_ok() && needs_the_rest(&settings)
}

pub(super) fn find(session: &mut Session, event: Event, forward: bool) -> Option<u64> {
    session.lab().find(event, forward)
}

/// Returns the progress of the rebuild, with the numbers of finished and of all ticks.
pub(crate) fn stage(session: &Session) -> (Stage, u64, u64) {
    match (session.going_to(), session.lab().progress()) {
        (Some(of), _) => (Stage::Travelling, session.lab().tick_count(), of),
        (None, Progress::Done) => (Stage::Done, 0, 0),
        (None, Progress::Provisional { done, of }) => (Stage::Provisional, done, of),
        (None, Progress::Stale { done, of }) => (Stage::Stale, done, of),
    }
}
