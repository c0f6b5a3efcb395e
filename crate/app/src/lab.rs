//! The laboratory: a tape (the recorded motion) and its lanes (each a sender, its link and its receiver). The caller plays it
//! tick by tick, and in between has it do pieces of pending rebuilds.
//!
//! A change of settings keeps the motion. A change of sender, network or receiver rebuilds a lane's history from the same
//! tape. A change of the world replays the same keys in another world. The old history is shown until the new history is
//! ready.

mod lanes;
mod motion;
mod queries;
mod sharing;

#[cfg(test)]
mod tests;

pub use crate::lane_run::Progress;
pub use sharing::InstantTooLate;

use crate::lane_run::LaneRun;
use lanes::Lanes;
use serde::Deserialize;
use snapshot_codec::CubeState;
use snapshot_lane::history::LaneHistory;
use snapshot_lane::measure::table::Live;
use snapshot_lane::measure::table::Report;
use snapshot_lane::view::View;
use snapshot_physics::input::Inputs;
use snapshot_physics::scene::SceneKind;
use snapshot_physics::world::state_hash;
use snapshot_record::delta_history::DeltaHistory;
use snapshot_record::tape::{Tape, UndoneTicks};
use snapshot_settings::schema::Effect;
use snapshot_settings::{ServerView, SettingError, Settings, Strategy};
use snapshot_view::Pose;

/// The whole laboratory: tape, lanes and playhead. It is a function of the settings and a person's input.
pub struct Lab {
    /// The shared motion, in the world of lane A.
    tape: Tape,
    lanes: Lanes,
    /// Ticks that were discarded when a person began to drive at an earlier tick.
    undone: Option<UndoneTicks>,
    /// Number of the shown tick.
    playhead: u64,
    left: View,
    /// True while a person holds the network cut.
    cut_held: bool,
    /// Number of remaining ticks of a cut with a set length.
    cut_ticks: u32,
    /// True if the held cut has changed ticks that the tape already stored.
    cut_in_the_past: bool,
}

/// An event that a person can jump to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Event {
    Loss,
    /// The first of consecutive ticks without a snapshot to interpolate towards.
    Hitch,
    /// The first of consecutive ticks whose view shows nothing newer than the tick before.
    Freeze,
    /// A cube jumped visibly because its state was corrected.
    Pop,
}

impl Lab {
    /// Creates a laboratory at tick 0.
    pub fn new(settings: Settings) -> Lab {
        Lab::over(Tape::new(&settings), settings)
    }

    /// Creates a laboratory at the last tick of a tape; lane A begins there.
    pub fn over(tape: Tape, settings: Settings) -> Lab {
        let start_tick = tape.last_tick();
        Lab::starting_at(start_tick, tape, settings)
    }

    /// Creates a laboratory at a tick of a tape; lane A begins there.
    fn starting_at(tick: u64, tape: Tape, settings: Settings) -> Lab {
        Lab {
            left: View::of_tape(&tape),
            playhead: tick,
            lanes: Lanes::new(LaneRun::starting_at(tick, settings, &tape)),
            tape,
            undone: None,
            cut_held: false,
            cut_ticks: 0,
            cut_in_the_past: false,
        }
    }

    /// Plays the next tick: a stored tick of the tape, or a new one. A scripted scene ignores the person's keys. At a stored
    /// tick any key discards the later ticks, and the person drives on.
    pub fn tick(&mut self, person: impl Into<Inputs>) {
        self.play_tick(person.into());
    }

    fn play_tick(&mut self, person: Inputs) {
        if self.tape.motion().is_some() {
            self.play_the_motion();
            return;
        }
        if !self.is_at_end() {
            if person == Inputs::default() {
                self.play_the_past();
                return;
            }
            self.drive_on();
        }
        let was_scripted = self.tape.is_scripted();
        self.tape.step(person, self.is_cut());
        self.cut_ticks = self.cut_ticks.saturating_sub(1);
        self.playhead = self.tape.last_tick();
        if was_scripted && !self.tape.is_scripted() {
            self.name_drive();
        }
        self.lanes
            .iter_mut()
            .for_each(|lane| lane.follow(&self.tape));
        self.start_lanes(false);
        let truth = self.tape.newest().iter().enumerate();
        truth.for_each(|(index, cube)| self.left.show(index, &Pose::from(cube)));
        for lane in self.lanes.iter_mut() {
            lane.advance(&self.tape);
            lane.show(&self.tape, self.playhead);
        }
    }

    /// Moves the playhead to a tick, or to the nearest stored one. Nothing is simulated.
    pub fn seek(&mut self, tick: u64) {
        self.playhead = tick.clamp(self.tape.first_tick(), self.tape.last_tick());
        self.show();
    }

    /// Returns the tick of the nearest event of a kind after or before the playhead; `None` if there is none.
    pub(crate) fn find(&self, event: Event, forward: bool) -> Option<u64> {
        let happens = |before: &Live, now: &Live| match event {
            Event::Loss => now.packets_lost > before.packets_lost,
            Event::Hitch => now.waits && !before.waits,
            Event::Freeze => now.still && !before.still,
            Event::Pop => now.pops() > before.pops(),
        };
        self.history().find(self.playhead, forward, happens)
    }

    /// Number of the shown tick, at which the playhead is.
    pub fn tick_count(&self) -> u64 {
        self.playhead
    }

    /// Returns true if the newest tick is shown.
    pub(crate) fn is_at_end(&self) -> bool {
        self.playhead == self.tape.last_tick()
    }

    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// The history of lane A.
    pub fn history(&self) -> &LaneHistory {
        let history = self.lanes.a.history();
        history.expect("lane A has one from its first tick on")
    }

    /// The settings of lane A.
    pub fn settings(&self) -> &Settings {
        self.lanes.a.settings()
    }

    /// Lets the person drive on from the playhead without a restart, and sets the scene `drive`. Does nothing on a recorded
    /// motion.
    pub fn take_over(&mut self) {
        if self.tape.motion().is_some() {
            return;
        }
        if !self.is_at_end() {
            self.drive_on();
        }
        self.tape.take_over();
        self.name_drive();
    }

    /// Restores the ticks that were discarded when a person began to drive at an earlier tick. Returns false if no ticks can
    /// be restored.
    pub(crate) fn undo(&mut self) -> bool {
        let Some(undone) = self.undone.take() else {
            return false;
        };
        let tick = undone.tick();
        if !self.tape.undo(undone) {
            return false;
        }
        self.leave_motion_after(tick);
        self.lanes
            .iter_mut()
            .for_each(|lane| lane.advance(&self.tape));
        self.seek(tick);
        true
    }

    pub fn can_undo(&self) -> bool {
        self.undone.is_some()
    }

    /// Cuts the network in both directions, or ends the cut. A cut is recorded like keys.
    pub fn set_cut(&mut self, cut: bool) {
        self.cut_held = cut;
        if !cut && std::mem::take(&mut self.cut_in_the_past) {
            self.change_cuts();
        }
    }

    /// Cuts the network for a number of ticks, beginning with the next tick. If stored ticks are cut, histories are rebuilt.
    pub(crate) fn cut_for(&mut self, ticks: u32) {
        let to_come = self.tape.last_tick() - self.playhead;
        self.cut_ticks = ticks.saturating_sub(u32::try_from(to_come).unwrap_or(u32::MAX));
        if to_come > 0 {
            let next = self.playhead + 1;
            self.tape.cut(next..next + u64::from(ticks));
            self.change_cuts();
        }
    }

    pub(crate) fn is_cut(&self) -> bool {
        if self.is_at_end() {
            self.cut_held || self.cut_ticks > 0
        } else {
            self.tape.is_cut(self.playhead)
        }
    }

    /// Restarts the scene or the recorded motion at its first tick.
    pub(crate) fn restart(&mut self) {
        if self.tape.motion().is_some() {
            self.seek(self.tape.first_tick());
        } else {
            self.begin_scene();
        }
    }

    /// Starts the scene at tick 0, in place of a recorded motion.
    pub(crate) fn begin_scene(&mut self) {
        let b = self.take_own_b();
        let mut lab = Lab::new(*self.settings());
        lab.tape.replace(&self.tape);
        lab.set_trace(self.trace().cloned());
        *self = lab;
        self.set_b(b);
    }

    /// Removes lane B and returns its settings; `None` if it shows a client's recording, which belongs to one motion, or
    /// there is no lane B.
    fn take_own_b(&mut self) -> Option<Settings> {
        let b = self.lanes.b.take()?;
        b.client().is_none().then(|| *b.settings())
    }

    /// Changes a setting by its permalink key.
    ///
    /// # Errors
    /// When there is no such setting, the text is not one of its values, or the motion has no physics that it needs; nothing
    /// changes then.
    pub fn set_text(&mut self, id: &str, text: &str) -> Result<Effect, SettingError> {
        let mut settings = *self.settings();
        settings.set_text(id, text)?;
        self.try_apply(settings)
    }

    /// Changes all settings, as [`Lab::apply`] does.
    ///
    /// # Errors
    /// When the settings need a simulated world that the motion does not have; nothing changes then.
    pub fn try_apply(&mut self, settings: Settings) -> Result<Effect, SettingError> {
        self.check_physics(&settings)?;
        Ok(self.apply_in_reach(settings))
    }

    /// Changes all settings. Settings that need physics are replaced if the motion has no physics. [`Lab::work`] does the
    /// rebuilds.
    pub fn apply(&mut self, settings: Settings) -> Effect {
        let settings = self.in_reach(settings);
        self.apply_in_reach(settings)
    }

    fn apply_in_reach(&mut self, settings: Settings) -> Effect {
        let before = *self.settings();
        let effect = self.lanes.a.apply(&settings, &self.tape);
        if let Some(b) = &self.lanes.b {
            // What is changed for B stays changed; all else goes with A.
            let rebased = b.settings().rebased(&before, &settings);
            match &mut self.lanes.b {
                Some(b) if b.client().is_some() => _ = b.apply(&rebased, &self.tape),
                _ => self.set_b(Some(rebased)),
            }
        }
        if effect == Effect::World {
            self.begin_scene();
        }
        effect
    }

    /// True states of all cubes at the newest tick.
    pub fn truth(&self) -> &[CubeState] {
        self.tape.newest()
    }

    /// The view of the truth at the playhead.
    pub fn left(&self) -> &View {
        &self.left
    }

    /// The receiver's view of lane A.
    pub fn right(&self) -> &View {
        self.lanes.a.view()
    }

    /// Measurements of lane A at the playhead.
    pub fn live(&self) -> &Live {
        self.history().live(self.playhead)
    }

    /// Returns the report of lane A from its start to the newest tick. Pending rebuilds are finished first.
    pub fn report(&mut self) -> Report {
        self.finish();
        self.history().report(state_hash(self.truth()))
    }

    /// Does one piece of the pending rebuilds, about a tick. Both lanes are rebuilt up to the playhead before either is
    /// rebuilt further. Returns false if nothing is left to do.
    pub fn work(&mut self) -> bool {
        let Lanes { a, b } = &mut self.lanes;
        let b_is_first = !a.is_stale() && b.as_ref().is_some_and(|b| b.is_stale());
        if b_is_first || !a.work(&self.tape, self.playhead) {
            let b = b.as_mut();
            return b.is_some_and(|b| b.work(&self.tape, self.playhead));
        }
        if let Some(tape) = a.take_tape() {
            self.move_to(tape);
        }
        true
    }

    /// Works until both lanes show the playhead with the present settings, or `is_late` returns true. Returns false if no
    /// rebuild is pending.
    pub fn work_until(&mut self, is_late: impl Fn() -> bool) -> bool {
        let is_stale = |lab: &Lab| lab.lanes.iter().any(LaneRun::is_stale);
        let was_stale = is_stale(self);
        while !is_late() {
            if !self.work() {
                return false;
            }
            if was_stale && !is_stale(self) {
                break;
            }
        }
        true
    }

    /// Finishes all rebuilds.
    pub fn finish(&mut self) {
        while self.work() {}
    }

    /// Returns the progress of one lane's rebuild. Lanes that still show an earlier history come first, then A before B.
    pub fn progress(&self) -> Progress {
        let lanes = || self.lanes.iter();
        let stale = lanes().filter(|lane| lane.is_stale());
        let mut first = stale.chain(lanes());
        let progress = first.find_map(|lane| lane.progress(&self.tape));
        progress.unwrap_or(Progress::Done)
    }

    /// Replaces the shared tape by the tape of another world, which has replayed the same keys.
    fn move_to(&mut self, mut tape: Tape) {
        tape.move_script_from(&mut self.tape);
        self.tape = tape;
        self.undone = None;
        if let Some(b) = &mut self.lanes.b {
            b.leave_motion_after(self.tape.last_tick(), &self.tape);
        }
        self.show();
    }

    /// Sets the scene to `drive` in the settings, because a person drives. The scene `crowd` stays: its crowd moves on around
    /// the person.
    fn name_drive(&mut self) {
        if self.settings().scene() == SceneKind::Crowd {
            return;
        }
        let lanes = self.lanes.iter_mut();
        lanes.for_each(|lane| lane.name_scene(SceneKind::Drive));
    }

    fn leave_motion_after(&mut self, tick: u64) {
        let lanes = self.lanes.iter_mut();
        lanes.for_each(|lane| lane.leave_motion_after(tick, &self.tape));
    }

    fn change_cuts(&mut self) {
        let lanes = self.lanes.iter_mut();
        lanes.for_each(|lane| lane.change_cuts(&self.tape));
    }

    /// Starts the lanes whose start tick has come; all waiting lanes if `now`.
    fn start_lanes(&mut self, now: bool) {
        let Lanes { a, b } = &self.lanes;
        let nothing_began = b.as_ref().is_none_or(|b| b.history().is_none());
        if a.is_due(&self.tape, now) && nothing_began {
            self.tape.hold_from_here();
        }
        let lanes = self.lanes.iter_mut();
        lanes.for_each(|lane| lane.start(&self.tape, now));
    }

    fn play_the_past(&mut self) {
        if self.cut_held {
            let next = self.playhead + 1;
            self.tape.cut(next..next + 1);
            self.cut_in_the_past = true;
        }
        self.playhead += 1;
        self.show();
    }

    /// Discards the ticks after the playhead, so that a person can drive. [`Lab::undo`] restores them.
    fn drive_on(&mut self) {
        self.undone = Some(self.tape.rewind(self.playhead));
        self.name_drive();
        self.leave_motion_after(self.playhead);
    }

    fn show(&mut self) {
        let truth = self.tape.truth();
        if truth.newest().len() != self.left.colour.len() {
            self.left = View::of_tape(&self.tape);
        }
        let (truth, tick) = left_truth(&self.tape, &self.lanes.a, self.playhead);
        self.left.replay(truth, tick, |cube| cube.into());
        let lanes = self.lanes.iter_mut();
        lanes.for_each(|lane| lane.show(&self.tape, self.playhead));
    }
}

/// Returns the true states that the left view shows, and their tick. They come from the tape, or in a game from lane A's
/// server.
fn left_truth<'a>(
    tape: &'a Tape,
    a: &'a LaneRun,
    playhead: u64,
) -> (&'a DeltaHistory<CubeState>, u64) {
    let history = a
        .history()
        .filter(|_| a.settings().strategy() == Strategy::Game);
    let Some(history) = history.filter(|_| !a.is_on_another_motion()) else {
        return (tape.truth(), playhead);
    };
    let server_tick = history.live(playhead).server_tick();
    let is_now = a.settings().server_view() == ServerView::Now;
    let tick = server_tick
        .filter(|_| is_now)
        .unwrap_or(playhead)
        .min(playhead);
    let states = history.server_states(tick).unwrap_or(tape.truth());
    let held = states.ticks();
    (states, tick.clamp(*held.start(), *held.end()))
}
