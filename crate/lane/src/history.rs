//! The history of a lane: its rebuilt view and its figures at each tick that the tape still holds.

pub mod causes;
mod corrections;
mod first_difference;
mod freeze;
mod glitch;
mod overlays;
mod packets;
mod worst;

use crate::Lane;
use crate::client::ClientRecording;
use crate::measure::table::Live;
use crate::measure::table::Report;
use crate::pose_error::position_error_mm;
use crate::view::View;
use crate::wire::starts_with_tape;
use overlays::Overlays;
use packets::PacketHistory;
use snapshot_codec::CubeState;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::delta_history::DeltaHistory;
use snapshot_record::tape::Tape;
use snapshot_settings::LaneSettings;
use snapshot_view::Pose;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

pub use corrections::HandCorrection;
pub use first_difference::FirstDifference;
pub use freeze::{Cure, CureWay, DepartedPacket, Freeze, Wait};
pub use glitch::Glitch;
pub use overlays::Moment;
pub use packets::{Ack, Packet, PacketFate};
pub use worst::WorstObjects;

/// A lane with the history of its ticks. It is a function of tape, settings and start tick.
pub struct LaneHistory {
    lane: Lane,
    /// The tick before the lane's first tick.
    start_tick: u64,
    exact: bool,
    /// True states of all cubes at the lane's last tick.
    truth: Vec<CubeState>,
    /// Poses of the receiver's view at every tick, from `start_tick` on.
    poses: DeltaHistory<Pose>,
    /// Records of the lane's ticks; the records of the replaced history come first.
    shown: VecDeque<ShownTick>,
    pub(crate) packets: PacketHistory,
    /// Tick of the receiver's newest state of each cube, at every tick; only if cubes are updated at different times.
    updated: Option<DeltaHistory<u64>>,
    /// Priority of each cube for a game's next packet, at every tick; only with a budget.
    priorities: Option<DeltaHistory<u64>>,
    overlays: Overlays,
    /// True once the motion changed after the last tick: the history stays frozen until another one replaces it.
    is_frozen: bool,
}

#[derive(Clone, Debug)]
struct ShownTick {
    live: Live,
    play_tick: Option<f64>,
}

impl LaneHistory {
    /// Creates a lane that starts after the tick `start_tick`, which the tape must store. A lane that does not start with
    /// the tape differs from a full run at first. `link_inputs` has the overrides and the trace of the lane's link.
    pub fn new(
        tape: &Tape,
        settings: &LaneSettings,
        link_inputs: &LinkInputs,
        start_tick: u64,
    ) -> LaneHistory {
        let settings = &settings.at(tape.tick_rate());
        let mut truth = Vec::new();
        tape.truth().read(start_tick, &mut truth);
        let lane = if simulates(tape, settings) {
            Lane::with(settings, &tape.world_at(start_tick), link_inputs)
        } else {
            Lane::without_world(settings, &tape.session_config(), &truth, link_inputs)
        };
        LaneHistory::of_lane(lane, tape, start_tick, truth)
    }

    /// Runs a lane from a tick of a tape to the tape's end: a pure function of its arguments. [`LaneHistory::new`] begins the same
    /// run, for a caller that goes on tick by tick.
    pub fn run(
        tape: &Tape,
        settings: &LaneSettings,
        link_inputs: &LinkInputs,
        start_tick: u64,
    ) -> LaneHistory {
        let mut history = LaneHistory::new(tape, settings, link_inputs, start_tick);
        while history.advance(tape) {}
        history
    }

    /// Creates the history of a client's recording over its server's motion, from the motion's first tick on.
    pub fn of_client(
        tape: &Tape,
        settings: &LaneSettings,
        recording: &Arc<ClientRecording>,
    ) -> LaneHistory {
        let start_tick = tape.first_tick();
        let mut truth = Vec::new();
        tape.truth().read(start_tick, &mut truth);
        let lane = Lane::of_client(settings, &tape.session_config(), &truth, recording.clone());
        LaneHistory::of_lane(lane, tape, start_tick, truth)
    }

    fn of_lane(lane: Lane, tape: &Tape, start_tick: u64, truth: Vec<CubeState>) -> LaneHistory {
        let deltas = |of_cubes: &[u64]| DeltaHistory::new(start_tick, of_cubes.to_vec());
        LaneHistory {
            packets: PacketHistory::new(&lane, start_tick),
            start_tick,
            exact: start_tick == tape.first_tick(),
            truth,
            poses: DeltaHistory::new(start_tick, lane.view().poses().collect()),
            shown: VecDeque::from([ShownTick {
                live: Live::new(&lane, start_tick),
                play_tick: None,
            }]),
            updated: lane.updated().map(deltas),
            priorities: lane.priorities().map(deltas),
            overlays: Overlays::default(),
            is_frozen: false,
            lane,
        }
    }

    /// Returns the tick after which a lane must begin so that its view is settled at tick `to`. A lane that simulates begins
    /// at a fork of the world. A queue depends on all packets before, so over a bottleneck a lane begins where the tape does.
    pub fn start_for(
        tape: &Tape,
        settings: &LaneSettings,
        link_inputs: &LinkInputs,
        to: u64,
    ) -> u64 {
        if starts_with_tape(settings, link_inputs) {
            return tape.first_tick();
        }
        let begins = to.saturating_sub(settings.at(tape.tick_rate()).warm_up_ticks());
        if simulates(tape, settings) {
            tape.fork_tick(begins)
        } else {
            begins.max(tape.first_tick())
        }
    }

    /// Creates a lane that starts after the tape's newest tick, for a link that states this start. The lane has the same
    /// hashes as any run of that link.
    pub fn starting_here(
        tape: &Tape,
        settings: &LaneSettings,
        link_inputs: &LinkInputs,
    ) -> LaneHistory {
        LaneHistory {
            exact: true,
            ..LaneHistory::new(tape, settings, link_inputs, tape.last_tick())
        }
    }

    /// Runs the lane by the next tick of the tape. Returns false if the tape has no further tick.
    pub fn advance(&mut self, tape: &Tape) -> bool {
        let tick = self.last_tick() + 1;
        if self.is_frozen {
            return tick <= tape.last_tick() && self.stand_still(tick);
        }
        let Some(frame) = tape.frame(tick, &mut self.truth) else {
            return false;
        };
        self.lane.set_cut(tape.is_cut(tick));
        self.lane.tick(&frame);
        self.poses.push(self.lane.view().poses());
        self.packets.add(&self.lane, tick);
        if let (Some(deltas), Some(updated)) = (&mut self.updated, self.lane.updated()) {
            deltas.push(updated.iter().copied());
        }
        if let (Some(deltas), Some(now)) = (&mut self.priorities, self.lane.priorities()) {
            deltas.push(now.iter().copied());
        }
        self.shown.push_back(ShownTick {
            live: Live::new(&self.lane, tick),
            play_tick: self.lane.playback().map(|playback| playback.play_tick),
        });
        true
    }

    fn stand_still(&mut self, tick: u64) -> bool {
        let Some(mut shown) = self.shown.back().cloned() else {
            return false;
        };
        (shown.live.tick, shown.live.time_s) = (
            tick,
            self.lane.settings().tick_rate().seconds_of_ticks(tick),
        );
        self.shown.push_back(shown);
        let newest = self.poses.newest().to_vec();
        self.poses.push(newest);
        true
    }

    /// Discards the ticks after `tick` and freezes the history there: the lane itself cannot go back.
    pub fn stop_at(&mut self, tick: u64) {
        if tick < self.last_tick() && self.poses.ticks().contains(&tick) {
            let _ = self.poses.split_off(tick);
            self.shown.retain(|shown| shown.live.tick <= tick);
            self.packets.stop_at(tick);
            self.overlays = Overlays::default();
            for deltas in self.updated.iter_mut().chain(&mut self.priorities) {
                let _ = deltas.split_off(tick);
            }
        }
        self.is_frozen = true;
    }

    /// Replaces the history `other`, and keeps its records of the ticks before this lane's view is settled.
    pub fn replace(&mut self, other: LaneHistory) {
        if self.exact {
            return;
        }
        let warm_from = self.start_tick + self.lane.settings().warm_up_ticks();
        self.shown.retain(|shown| shown.live.tick >= warm_from);
        let before = other.shown.into_iter();
        let before = before.filter(|shown| shown.live.tick < warm_from);
        let mut shown: VecDeque<_> = before.collect();
        shown.append(&mut self.shown);
        self.shown = shown;
    }

    /// Discards the records before `tick`.
    pub fn forget_before(&mut self, tick: u64) {
        self.poses.forget_before(tick);
        self.packets.forget_before(tick);
        self.lane.forget_before(tick);
        for deltas in self.updated.iter_mut().chain(&mut self.priorities) {
            deltas.forget_before(tick);
        }
        while self.shown.len() > 1 && self.shown[0].live.tick < tick {
            self.shown.pop_front();
        }
    }

    /// Returns true if the history began at the tape's first tick, or at the tick that its link states. Only such a history
    /// has the same hashes as a run of that link.
    pub fn is_exact(&self) -> bool {
        self.exact && !self.is_frozen
    }

    /// Returns true if the history is frozen because its lane cannot continue.
    pub fn is_frozen(&self) -> bool {
        self.is_frozen
    }

    /// The tick before the lane's first tick.
    pub fn start_tick(&self) -> u64 {
        self.start_tick
    }

    pub fn last_tick(&self) -> u64 {
        *self.poses.ticks().end()
    }

    /// The lane in its state after the last tick.
    pub fn lane(&self) -> &Lane {
        &self.lane
    }

    /// Returns the lane's figures at a tick, or at the nearest stored tick.
    pub fn live(&self, tick: u64) -> &Live {
        let after = self.shown.partition_point(|shown| shown.live.tick <= tick);
        &self.shown[after.saturating_sub(1)].live
    }

    /// Iterates over the lane's figures at every stored tick, oldest first.
    pub fn lives(&self) -> impl DoubleEndedIterator<Item = &Live> {
        self.shown.iter().map(|shown| &shown.live)
    }

    /// Returns the nearest tick after or before `tick` with an event; `happens` compares the lane's figures at two
    /// neighbouring ticks. `None` if there is no such tick.
    pub fn find(
        &self,
        tick: u64,
        forward: bool,
        happens: impl Fn(&Live, &Live) -> bool,
    ) -> Option<u64> {
        let live = |place: usize| &self.shown[place].live;
        let happens = |place: &usize| happens(live(place - 1), live(*place));
        let place = |tick: u64| self.shown.partition_point(|shown| shown.live.tick < tick);
        let found = if forward {
            (place(tick + 1).max(1)..self.shown.len()).find(happens)
        } else {
            (1..place(tick)).rfind(happens)
        };
        found.map(|place| live(place).tick)
    }

    /// Iterates over the packets sent in these ticks, oldest first, with their fates as of the tick `as_of`. If this history
    /// has replaced another one, packets of the replaced lane are not included.
    pub fn packets(&self, ticks: Range<u64>, as_of: u64) -> impl Iterator<Item = Packet> {
        self.packets.range(ticks, as_of)
    }

    /// Iterates over the acknowledgements that the receiver sent in these ticks, oldest first.
    pub fn acks(&self, ticks: Range<u64>) -> impl Iterator<Item = Ack> {
        self.packets.acks(ticks)
    }

    /// Number of the newest packet sent by a tick; `None` before the first.
    pub fn newest_packet(&self, tick: u64) -> Option<u64> {
        self.packets.newest(tick)
    }

    /// Returns the packet with a number, with its fate as of the tick `as_of`. `None` if it is not stored.
    pub fn packet(&self, number: u64, as_of: u64) -> Option<Packet> {
        self.packets.get(number, as_of)
    }

    /// Returns for each cube the tick of the receiver's newest state of it, as of `tick`. `None` if the strategy updates all
    /// cubes at once, or the tick is not stored.
    pub(crate) fn updated_by(&self, tick: u64) -> Option<Vec<u64>> {
        read(self.updated.as_ref()?, tick)
    }

    /// Priority of each cube for a game's next packet; `None` without a budget.
    fn priorities_at(&self, tick: u64) -> Option<Vec<u64>> {
        read(self.priorities.as_ref()?, tick)
    }

    pub fn report(&self, state_hash: u64) -> Report {
        self.lane.report(state_hash)
    }

    /// Writes the receiver's view of a tick into `view`, with each cube's distance from the truth. Returns false if the tick
    /// is not stored.
    pub fn show(&self, tick: u64, tape: &Tape, view: &mut View) -> bool {
        if !view.replay(&self.poses, tick, |pose| *pose) {
            return false;
        }
        view.error_mm.fill(0.0);
        for (index, truth) in self.truth_shown(tick, tape).iter().enumerate() {
            view.error_mm[index] = position_error_mm(view, index, truth).unwrap_or_default() as f32;
        }
        true
    }

    /// Returns the states of a game's server if they may differ from the tape's at a tick; else `None`.
    pub fn server_states(&self, tick: u64) -> Option<&DeltaHistory<CubeState>> {
        let states = self.lane.game()?.server_states()?;
        (tick >= *states.ticks().start()).then_some(states)
    }

    /// Returns the true poses of all cubes at the instant that the receiver's view shows in a tick. Empty before the first
    /// frame, and if the tape no longer stores them.
    pub fn truth_shown(&self, tick: u64, tape: &Tape) -> Vec<Pose> {
        let at = self.shown.partition_point(|shown| shown.live.tick < tick);
        let shown = self.shown.get(at).and_then(|shown| shown.play_tick);
        let Some(play_tick) = shown.filter(|play_tick| *play_tick >= 0.0) else {
            return Vec::new();
        };
        let floor = play_tick as u64;
        let share = (play_tick - floor as f64) as f32;
        let next = if share == 0.0 { floor } else { floor + 1 };
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let truth = self.server_states(tick).unwrap_or(tape.truth());
        if !(truth.read(floor, &mut before) && truth.read(next, &mut after)) {
            return Vec::new();
        }
        let pose = |(before, after)| Pose::from(before).towards(&Pose::from(after), share);
        before.iter().zip(&after).map(pose).collect()
    }
}

fn read(deltas: &DeltaHistory<u64>, tick: u64) -> Option<Vec<u64>> {
    let mut known = Vec::new();
    deltas.read(tick, &mut known).then_some(known)
}

/// Returns true if the lane simulates a world: strategies other than snapshots do.
fn simulates(tape: &Tape, settings: &LaneSettings) -> bool {
    tape.motion().is_none() && settings.strategy().row().simulates
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::played::settings;
    use snapshot_settings::Settings;

    fn history(tape: &Tape, settings: &Settings, from: u64) -> LaneHistory {
        LaneHistory::run(tape, &settings.lane(), &LinkInputs::default(), from)
    }

    #[test]
    fn what_was_shown_is_shown_again_to_the_bit() {
        for link in [
            "#scene=katamari&grid=10&hz=20&loss=5&interp=hermite",
            "#scene=blow&grid=10&strategy=sync&loss=5",
            "#scene=roll&grid=10&strategy=lockstep&loss=5",
        ] {
            let settings = settings(link);
            let tape = Tape::record(&settings, 400);
            let mut history = LaneHistory::new(&tape, &settings.lane(), &LinkInputs::default(), 0);
            let mut hashes = Vec::new();
            while history.advance(&tape) {
                let view = history.lane().view();
                hashes.push((view.hash(), view.error_mm.clone(), view.colour.clone()));
            }
            let mut view = history.lane().view().clone();
            for tick in [400, 7, 250, 251, 60, 61, 1] {
                assert!(history.show(tick, &tape, &mut view));
                let (hash, error_mm, colour) = &hashes[tick as usize - 1];
                assert_eq!(view.hash(), *hash, "{link} at {tick}");
                let mut errors = view.error_mm.iter().zip(error_mm);
                let mut colours = view.colour.iter().flatten().zip(colour.iter().flatten());
                let is_near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-3;
                assert!(errors.all(is_near), "{link} at {tick}");
                assert!(colours.all(is_near), "{link} at {tick}");
                assert_eq!(history.live(tick).tick, tick);
            }
        }
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn a_history_that_begins_later_is_not_exact_and_shows_the_other_one_until_it_is_warm() {
        let settings = settings("#scene=katamari&grid=10&hz=60");
        let tape = Tape::record(&settings, 900);
        let whole = history(&tape, &settings, 0);
        let mut late = history(&tape, &settings, 480);
        assert!(whole.is_exact() && !late.is_exact());
        let kbps =
            |history: &LaneHistory| history.lives().map(|live| live.kbps).collect::<Vec<_>>();
        let alone = kbps(&late);
        late.replace(history(&tape, &settings, 0));
        let spliced = kbps(&late);
        assert_eq!(spliced.len(), 901);
        let warm_up = settings.lane().warm_up_ticks() as usize;
        assert_eq!(spliced[..480 + warm_up], kbps(&whole)[..480 + warm_up]);
        assert_eq!(spliced[480 + warm_up..], alone[warm_up..]);
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn once_warm_it_tells_what_the_whole_one_tells() {
        let tick = 700;
        for link in [
            "#hz=60",
            "#hz=10&interp=hermite",
            "#hz=30&latency=500&delay=500",
            "#strategy=lockstep&latency=1500&delay=300",
            "#strategy=lockstep&latency=200&transport=tcp",
        ] {
            // Without jitter: how far behind it is hangs on the delay of a lane's first packet.
            let settings = settings(&format!("{link}&scene=katamari&grid=8&loss=0&jitter=0"));
            let tape = Tape::record(&settings, tick + 60);
            let lane = settings.lane();
            let from = LaneHistory::start_for(&tape, &lane, &LinkInputs::default(), tick);
            assert!(from > 240 || lane.strategy().row().simulates);
            let [whole, late] = [0, from].map(|from| history(&tape, &settings, from));
            for tick in tick..=tick + 60 {
                let [whole, late] = [&whole, &late].map(|history| history.live(tick));
                let rates = |live: &Live| (live.kbps, live.ack_kbps);
                assert_eq!(rates(late), rates(whole), "{link} at {tick} from {from}");
                // Which of equally fast packets the delay counts from is a matter of rounding.
                let [late_ms, whole_ms] = [late, whole].map(|live| live.behind_ms.unwrap());
                assert!((late_ms - whole_ms).abs() < 1e-6, "{late_ms} {whole_ms}");
            }
        }
    }

    #[test]
    fn where_the_motion_went_another_way_it_stays_still() {
        let settings = settings("#scene=roll&grid=6");
        let mut tape = Tape::record(&settings, 300);
        let mut history = history(&tape, &settings, 0);
        let _ = tape.rewind(200);
        history.stop_at(200);
        assert!(!history.is_exact() && !history.advance(&tape));
        tape.step(snapshot_physics::Input::LEFT, false);
        assert!(history.advance(&tape));
        let mut views = [history.lane().view().clone(), history.lane().view().clone()];
        assert!(history.show(200, &tape, &mut views[0]) && history.show(201, &tape, &mut views[1]));
        assert_eq!(views[0].hash(), views[1].hash());
        assert_eq!(history.live(201).tick, 201);
    }
}
