//! A lane (one sender, its link and its receiver) over the tape, which has the motion. [`LaneRun`] holds its settings,
//! overrides of packets, trace, history, and the rebuild of the history.
//!
//! Lanes A and B of the laboratory are two values of [`LaneRun`]. Both are lent the shared tape in every call. A lane whose
//! settings need another world has its own tape, with the same keys.
//!
//! The reasons are in `docs/decisions/0007-two-lanes-one-type.md`.

mod rebuild;

use rebuild::{Rebuild, RebuildResult};
use serde::{Deserialize, Serialize};
use snapshot_analysis::comparison::LaneSetup;
use snapshot_lane::client::ClientRecording;
use snapshot_lane::history::LaneHistory;
use snapshot_lane::measure::table::Live;
use snapshot_lane::overlay::Overlay;
use snapshot_lane::view::View;
use snapshot_netsim::channel::{LinkInputs, Overrides};
use snapshot_netsim::trace::Trace;
use snapshot_physics::scene::SceneKind;
use snapshot_record::tape::Tape;
use snapshot_settings::schema::Effect;
use snapshot_settings::{Key, Settings};
use std::sync::Arc;

pub use rebuild::Progress;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "LaneName"))]
#[serde(rename_all = "lowercase")]
pub enum LaneId {
    /// The lane whose world is that of the shared tape.
    A,
    B,
}

impl LaneId {
    pub const ALL: [LaneId; 2] = [LaneId::A, LaneId::B];
}

pub struct LaneRun {
    settings: Settings,
    link_inputs: LinkInputs,
    /// A client's recording that the lane shows in place of a simulated link; only over the motion of its server.
    client: Option<Arc<ClientRecording>>,
    /// The tick after which the lane starts, from the page's link. `None` once it has started.
    start_tick: Option<u64>,
    /// Tape of a separate world for this lane, if its settings need another world than the shared one.
    tape: Option<Tape>,
    /// The history of the lane's ticks; `None` until the first rebuild is done.
    history: Option<LaneHistory>,
    rebuild: Option<Rebuild>,
    view: View,
}

impl LaneRun {
    /// Creates a lane whose history starts after a tick that the tape stores.
    pub(crate) fn starting_at(tick: u64, settings: Settings, tape: &Tape) -> LaneRun {
        let history = LaneHistory::new(tape, &settings.lane(), &LinkInputs::default(), tick);
        LaneRun {
            view: history.lane().view().clone(),
            history: Some(history),
            ..LaneRun::empty(settings, LinkInputs::default(), tape)
        }
    }

    /// Creates a lane without a history, whose first rebuild is pending.
    pub(crate) fn to_be_built(settings: Settings, link_inputs: LinkInputs, tape: &Tape) -> LaneRun {
        LaneRun {
            rebuild: Some(Rebuild::new(&settings, &link_inputs, tape)),
            ..LaneRun::empty(settings, link_inputs, tape)
        }
    }

    pub(crate) fn of_client(
        settings: Settings,
        client: Arc<ClientRecording>,
        tape: &Tape,
    ) -> LaneRun {
        LaneRun {
            client: Some(client),
            ..LaneRun::to_be_built(settings, LinkInputs::default(), tape)
        }
    }

    /// Creates a lane without a history, which starts after a later tick of the tape.
    pub(crate) fn starting_later(
        tick: u64,
        settings: Settings,
        link_inputs: LinkInputs,
        tape: &Tape,
    ) -> LaneRun {
        let is_other = settings.world() != *tape.made_from();
        LaneRun {
            tape: is_other.then(|| tape.begin_again(settings.world())),
            start_tick: Some(tick),
            ..LaneRun::empty(settings, link_inputs, tape)
        }
    }

    fn empty(settings: Settings, link_inputs: LinkInputs, tape: &Tape) -> LaneRun {
        LaneRun {
            settings,
            link_inputs,
            client: None,
            start_tick: None,
            tape: None,
            history: None,
            rebuild: None,
            view: View::of_tape(tape),
        }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn overrides(&self) -> &Overrides {
        &self.link_inputs.overrides
    }

    pub fn link_inputs(&self) -> &LinkInputs {
        &self.link_inputs
    }

    /// Returns the lane's settings, with the inputs of its link: overrides and trace.
    pub fn setup(&self) -> LaneSetup {
        LaneSetup {
            settings: self.settings,
            link_inputs: self.link_inputs.clone(),
        }
    }

    /// The client's recording that the lane shows; `None` for a simulated lane.
    pub fn client(&self) -> Option<&ClientRecording> {
        self.client.as_deref()
    }

    /// The lane's history; `None` before the first rebuild is done.
    pub fn history(&self) -> Option<&LaneHistory> {
        self.history.as_ref()
    }

    /// The receiver's view at the playhead.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Returns the measurements of a tick, or of the nearest stored one; `None` without a history.
    pub fn live(&self, tick: u64) -> Option<&Live> {
        self.history.as_ref().map(|history| history.live(tick))
    }

    /// Returns true if the lane has its own world. Its keys are those of the shared tape, but its motion is another one.
    pub fn is_on_another_motion(&self) -> bool {
        self.tape.is_some()
    }

    /// Returns the lane's separate tape if it has one, else the shared tape.
    pub fn tape<'a>(&'a self, shared: &'a Tape) -> &'a Tape {
        self.tape.as_ref().unwrap_or(shared)
    }

    /// Returns true if the shown history was made with earlier settings, or there is no history yet.
    pub(crate) fn is_stale(&self) -> bool {
        let rebuild = self.rebuild.as_ref();
        rebuild.is_some_and(|rebuild| !rebuild.is_exact())
    }

    pub(crate) fn progress(&self, shared: &Tape) -> Option<Progress> {
        let rebuild = self.rebuild.as_ref()?;
        Some(rebuild.progress(shared))
    }

    pub(crate) fn overlay(
        &mut self,
        overlay: Overlay,
        shared: &Tape,
        tick: u64,
    ) -> Option<Vec<f32>> {
        let tape = self.tape.as_ref().unwrap_or(shared);
        let history = self.history.as_mut()?;
        history.overlay(overlay, tick, &self.view, tape)
    }

    pub(crate) fn history_mut(&mut self) -> Option<&mut LaneHistory> {
        self.history.as_mut()
    }
}

/// Methods that keep a lane in step with the shared tape.
impl LaneRun {
    /// Passes the newest keys to the lane's own world, if it has one.
    pub(crate) fn follow(&mut self, shared: &Tape) {
        if let Some(own) = &mut self.tape {
            own.follow(shared);
        }
    }

    /// Makes the lane wait for `tick`, after which it starts.
    pub(crate) fn wait_for(&mut self, tick: u64, link_inputs: LinkInputs) {
        self.link_inputs = link_inputs;
        self.start_tick = Some(tick);
    }

    /// Returns true if the lane waits to start, and must start now: its start tick is reached, or `now` is set.
    pub(crate) fn is_due(&self, shared: &Tape, now: bool) -> bool {
        let start_tick = self.start_tick;
        start_tick.is_some_and(|tick| now || tick <= shared.last_tick())
    }

    /// Starts the lane after the newest tick, if it is due.
    pub(crate) fn start(&mut self, shared: &Tape, now: bool) {
        if !self.is_due(shared, now) {
            return;
        }
        self.start_tick = None;
        if let Some(own) = &mut self.tape {
            own.hold_from_here();
        }
        let tape = self.tape.as_ref().unwrap_or(shared);
        let settings = self.settings.lane();
        self.history = Some(LaneHistory::starting_here(
            tape,
            &settings,
            &self.link_inputs,
        ));
    }

    /// Advances the history to the tape's end, and drops ticks that the tape no longer stores.
    pub(crate) fn advance(&mut self, shared: &Tape) {
        if self.start_tick.is_some() {
            return;
        }
        let tape = self.tape.as_ref().unwrap_or(shared);
        if let Some(history) = &mut self.history {
            while history.advance(tape) {}
            history.forget_before(tape.first_tick());
        }
    }

    pub(crate) fn show(&mut self, shared: &Tape, tick: u64) {
        let tape = self.tape.as_ref().unwrap_or(shared);
        let Some(history) = &mut self.history else {
            return;
        };
        if self.start_tick.is_none() {
            while history.last_tick() < tick && history.advance(tape) {}
        }
        if tape.newest().len() != self.view.colour.len() {
            self.view = View::of_tape(tape);
        }
        if history.last_tick() == tick && !history.is_frozen() {
            self.view.clone_from(history.lane().view());
        } else {
            history.show(tick, tape, &mut self.view);
        }
    }
}

/// Methods that change a lane, and begin a rebuild of its history or its world.
impl LaneRun {
    /// Changes all settings. [`LaneRun::work`] does the rebuild.
    pub(crate) fn apply(&mut self, settings: &Settings, shared: &Tape) -> Effect {
        let effect = match self.settings.effect_of_change_to(settings) {
            Effect::Motion if shared.motion().is_some() => Effect::Lane,
            effect => effect,
        };
        self.settings = *settings;
        if self.client.is_some() {
            return Effect::AtOnce;
        }
        match effect {
            Effect::AtOnce => {}
            Effect::Lane => self.rebuild_history(shared),
            Effect::Motion | Effect::World => self.rebuild_all(shared),
        }
        effect
    }

    /// Sets the scene in the settings without changing the motion.
    pub(crate) fn name_scene(&mut self, scene: SceneKind) {
        let _ = self.settings.set(Key::Scene, scene as u32);
    }

    pub(crate) fn set_overrides(&mut self, overrides: Overrides, shared: &Tape) {
        self.link_inputs.overrides = overrides;
        self.rebuild_history(shared);
    }

    /// Changes the recorded link of the lane; `None` makes it use the modelled link again. A lane that has just begun
    /// restarts.
    pub(crate) fn set_trace(&mut self, trace: Option<Arc<Trace>>, shared: &Tape) {
        if self.link_inputs.trace == trace {
            return;
        }
        self.link_inputs.trace = trace;
        if self.start_tick.is_some() {
            return;
        }
        let tape = self.tape.as_ref().unwrap_or(shared);
        let newest = self.history.as_ref().filter(|_| self.rebuild.is_none());
        match newest.map(|history| (history.start_tick(), history.last_tick())) {
            Some((start_tick, last_tick)) if start_tick == last_tick => {
                let settings = self.settings.lane();
                let history = LaneHistory::new(tape, &settings, &self.link_inputs, start_tick);
                self.history = Some(history);
            }
            _ => self.rebuild_history(shared),
        }
    }

    /// Begins a rebuild because cuts of stored ticks have changed: of the history, and of the lane's own world if it has one.
    pub(crate) fn change_cuts(&mut self, shared: &Tape) {
        let follows_keys = self.rebuild.as_ref().is_some_and(Rebuild::has_world);
        if self.tape.is_some() || follows_keys {
            self.rebuild_all(shared);
        } else {
            self.rebuild_history(shared);
        }
    }

    /// Freezes the history at `tick`, because the shared motion has changed after that tick, and begins a rebuild.
    pub(crate) fn leave_motion_after(&mut self, tick: u64, shared: &Tape) {
        if let Some(history) = &mut self.history {
            history.stop_at(tick);
        }
        self.rebuild_all(shared);
    }

    /// Begins a rebuild of the history over the same motion, unless a provisional rebuild is about to be shown and replaced.
    pub(crate) fn rebuild_history(&mut self, shared: &Tape) {
        match &self.rebuild {
            // No link and no setting changes what a client drew.
            _ if self.client.is_some() => {}
            Some(_) if self.history.is_none() => self.rebuild_all(shared),
            Some(rebuild) if !rebuild.is_exact() => {}
            _ => self.rebuild = Some(Rebuild::of_history(&self.settings, &self.link_inputs)),
        }
    }

    /// Begins a rebuild of the history, and of the world if the settings need another one.
    fn rebuild_all(&mut self, shared: &Tape) {
        self.rebuild = Some(Rebuild::new(&self.settings, &self.link_inputs, shared));
        if shared.moves_as(&self.settings.world()) && self.tape.take().is_some() {
            // The history is of the world that has just gone.
            if let Some(history) = &mut self.history {
                history.stop_at(shared.last_tick());
            }
        }
    }

    /// Does one piece of the rebuild. Returns false if no rebuild is in progress.
    pub(crate) fn work(&mut self, shared: &Tape, playhead: u64) -> bool {
        let Some(rebuild) = &mut self.rebuild else {
            return false;
        };
        let own = self.tape.as_ref().filter(|_| !rebuild.has_world());
        if rebuild.advance(own.unwrap_or(shared), self.client.as_ref(), playhead) {
            self.show_rebuilt(shared, playhead);
        }
        true
    }

    /// Takes the lane's separate tape, which becomes the shared tape.
    pub(crate) fn take_tape(&mut self) -> Option<Tape> {
        self.tape.take()
    }

    /// Replaces the history by the finished rebuild.
    fn show_rebuilt(&mut self, shared: &Tape, playhead: u64) {
        let Some(rebuild) = self.rebuild.take() else {
            return;
        };
        let RebuildResult {
            tape,
            history,
            next,
        } = rebuild.finish(&self.settings, &self.link_inputs);
        self.rebuild = next;
        self.tape = tape.or(self.tape.take());
        if let Some(mut history) = history {
            if let Some(old) = self.history.take() {
                history.replace(old);
            }
            self.history = Some(history);
        }
        self.show(shared, playhead);
    }
}
