//! A *lane*: one sender, link, receiver and observer, which turn the motion on a tape into the *right view*, the receiver's
//! picture. A lane uses one strategy (a way to synchronise), and keeps figures and a history.
//!
//! A lane reads the truth (exact states), the inputs and the time from the tape. Lanes are independent of each other, so
//! several can use one tape.
//!
//! # Which types do I need
//!
//! | to | take |
//! | --- | --- |
//! | run a lane over a tape, and keep each tick | [`history::LaneHistory`] |
//! | run a lane alone | [`Lane`] |
//! | read its measurements | [`measure::table::Report`] of a run, [`measure::table::Live`] of a tick, [`measure::table`] for names and units |
//! | look into one packet | [`inspect`] |
//! | know when packets leave and arrive, without their bytes | [`schedule::Schedule`] |
//! | add a strategy | [`strategy`] |
//! | share a world over a real wire | [`together`] |
//!
//! # Example
//!
//! ```
//! use snapshot_lane::history::LaneHistory;
//! use snapshot_netsim::channel::LinkInputs;
//! use snapshot_record::tape::Tape;
//! use snapshot_settings::permalink;
//!
//! // Three seconds of a scripted scene, sent 20 times a second over a link that loses a tenth of the packets.
//! let (settings, _) = permalink::parse("#scene=mixed&grid=5&hz=20&latency=50&loss=10");
//! let tape = Tape::record(&settings, 180);
//! let run = LaneHistory::run(&tape, &settings.lane(), &LinkInputs::default(), 0);
//!
//! let report = run.report(tape.world().state_hash());
//! assert_eq!(report.packets_sent, 60);
//! assert!(report.packets_lost > 0);
//! // The observer has compared each decoded snapshot with the sender's.
//! assert_eq!(report.decode_mismatches, 0);
//! assert!(report.position_error_mm.rms > 0.0);
//! ```
//!
//! # What is not in it
//!
//! No settings of the page, no browser and no clock. A lane does not know the other lane. The recommendation of settings, and
//! other sums over several lanes, are in `snapshot-analysis`.
//!
//! # Invariants
//!
//! - A receiver gets bytes, arrival times and its lent world, never the truth.
//! - A decoded snapshot equals the sender's, bit for bit; the observer compares every snapshot.
//! - The same tape and settings give the same bytes, poses and figures.
//!
//! The reasons are in `docs/decisions/0007-two-lanes-one-type.md`.

mod bytes;
pub mod client;
pub mod history;
pub mod inspect;
mod linked_client;
pub mod measure;
pub mod overlay;
#[cfg(test)]
mod played;
mod pose_error;
pub mod predictor;
mod queue;
pub mod schedule;
pub mod series;
#[cfg(test)]
mod still;
pub mod strategy;
pub mod surface;
mod tape_world;
pub mod together;
pub mod view;
mod wire;

use crate::client::{ClientEnds, ClientRecording};
use crate::measure::metrics::{
    BitsByKind, ErrorNow, LockstepFigures, Metrics, PacketCost, PoseError, SyncMetrics,
};
use crate::surface::Surfaces;
use crate::view::View;
use snapshot_codec::{BIT_65536THS, Class, Cube, CubeState, Encoder, Kind, Ledger, Rung};
use snapshot_netsim::channel::{Counters, LinkInputs};
use snapshot_physics::world::World;
use snapshot_record::delta_history::DeltaHistory;
use snapshot_record::session_config::SessionConfig;
use snapshot_record::tape::Frame;
use snapshot_settings::LaneSettings;
use snapshot_view::Pose;
use std::sync::Arc;
use strategy::ends::{Buffers, Exchange, LaneSender};
use strategy::game::ends::GameEnds;
use strategy::strategy_ends::StrategyEnds;
use wire::Wire;

pub use pose_error::{orientation_error_deg, position_error_mm};
pub use snapshot_view::Playback;
pub use strategy::ends::TAPE_TICKS;
pub use view::{Truth, TruthReader};
pub use wire::{Direction, PacketRecord, PacketSize, cost_of_packet, starts_with_tape};

/// A lane: sender, link, receiver and observer. It turns the simulated world into the receiver's view.
pub struct Lane {
    settings: LaneSettings,
    ends: StrategyEnds,
    wire: Wire,
    truth: TruthReader,
    surfaces: Surfaces,
    view: View,
    poses: Vec<Pose>,
    playback: Option<Playback>,
    /// True if the newest frame shows nothing newer than the one before.
    is_still: bool,
    /// Number of bits of a packet on rung 0 by kind. All packets on rung 0 are equal in size.
    uncompressed: Arc<BitsByKind>,
    metrics: Metrics,
    buffers: Buffers,
}

impl Lane {
    /// Creates a lane over `world` that begins now, with a link without overrides or trace.
    pub fn new(settings: &LaneSettings, world: &World) -> Lane {
        Lane::with(settings, world, &LinkInputs::default())
    }

    /// Creates a lane over `world` that begins now. `link_inputs` has the overrides and the trace of the lane's link.
    pub fn with(settings: &LaneSettings, world: &World, link_inputs: &LinkInputs) -> Lane {
        let session_config = SessionConfig::of_world(world.made_from());
        let settings = &settings.over(link_inputs).at(session_config.tick_rate);
        let ends = StrategyEnds::new(settings, Some(world), &session_config, link_inputs);
        Lane::between(settings, ends, &session_config, world.truth(), link_inputs)
    }

    /// Creates a lane that begins now and has no world. A strategy that simulates sends snapshots then.
    pub fn without_world(
        settings: &LaneSettings,
        session_config: &SessionConfig,
        truth: &[CubeState],
        link_inputs: &LinkInputs,
    ) -> Lane {
        let settings = &settings.over(link_inputs).at(session_config.tick_rate);
        let ends = StrategyEnds::new(settings, None, session_config, link_inputs);
        Lane::between(settings, ends, session_config, truth, link_inputs)
    }

    /// Creates a lane that begins now and shows a client's recording. Nothing is sent.
    pub fn of_client(
        settings: &LaneSettings,
        session_config: &SessionConfig,
        truth: &[CubeState],
        recording: Arc<ClientRecording>,
    ) -> Lane {
        let settings = &settings.at(session_config.tick_rate);
        let ends = StrategyEnds::Client(Box::new(ClientEnds::new(recording)));
        Lane::between(
            settings,
            ends,
            session_config,
            truth,
            &LinkInputs::default(),
        )
    }

    fn between(
        settings: &LaneSettings,
        ends: StrategyEnds,
        session_config: &SessionConfig,
        truth: &[CubeState],
        link_inputs: &LinkInputs,
    ) -> Lane {
        Lane {
            settings: *settings,
            wire: Wire::new(settings, link_inputs, ends.ends().sender().is_none()),
            ends,
            truth: TruthReader::default(),
            surfaces: Surfaces::new(session_config),
            view: View::from_cubes(session_config, truth),
            poses: truth.iter().map(Pose::from).collect(),
            playback: None,
            is_still: false,
            uncompressed: uncompressed_bits(settings, session_config),
            metrics: Metrics::new(settings),
            buffers: Buffers::default(),
        }
    }

    /// Runs a tick: sends a packet if one is due; receives and shows arrived packets.
    pub fn tick(&mut self, frame: &Frame<'_>) {
        self.metrics.begin_tick();
        self.truth.begin_tick(frame.tick);
        self.wire.begin_tick(frame.tick, &mut self.metrics);
        let before = self.playback;
        self.playback = self.ends.ends_mut().exchange(
            frame,
            &mut Exchange {
                settings: &self.settings,
                wire: &mut self.wire,
                metrics: &mut self.metrics,
                buffers: &mut self.buffers,
                poses: &mut self.poses,
                waits: before.is_some_and(|it| it.hitch) && self.is_still,
            },
        );
        let frames = self.playback.zip(before);
        self.is_still = frames.is_some_and(|(now, before)| now.is_still(&before));
        self.view.show_all(&self.poses);
        self.measure(frame.tick, frame.tape.truth());
    }

    /// Cuts or restores the network. While it is cut no packet passes in either direction.
    pub fn set_cut(&mut self, cut: bool) {
        self.wire.network.set_cut(cut);
    }

    pub fn view(&self) -> &View {
        &self.view
    }

    /// Playback state of the receiver's view; `None` before the first packet is due.
    pub fn playback(&self) -> Option<Playback> {
        self.playback
    }

    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Counts of packets to the receiver, by fate.
    pub fn counters(&self) -> Counters {
        self.wire.network.forward.counters()
    }

    /// The last packet sent to the receiver in the newest tick, if any.
    pub fn newest_packet(&self) -> Option<&PacketRecord> {
        self.wire.sent().last()
    }

    pub(crate) fn surfaces(&self) -> &Surfaces {
        &self.surfaces
    }

    /// The network, with the records of the newest tick.
    pub(crate) fn wire(&self) -> &Wire {
        &self.wire
    }

    /// Statistics that only lockstep has; `None` for another strategy.
    pub fn lockstep(&self) -> Option<LockstepFigures> {
        if let StrategyEnds::Lockstep(ends) = &self.ends {
            Some(ends.figures())
        } else {
            None
        }
    }

    /// Measurements that only state synchronisation has; `None` for another strategy.
    pub(crate) fn sync(&self) -> Option<&SyncMetrics> {
        if let StrategyEnds::Sync(ends) = &self.ends {
            Some(ends.metrics())
        } else {
            None
        }
    }

    /// Time that the lane has run, s.
    pub(crate) fn seconds(&self) -> f64 {
        self.settings
            .tick_rate()
            .seconds_of_ticks(self.metrics.ticks)
    }

    pub(crate) fn ms_of_ticks(&self, ticks: f64) -> f64 {
        self.settings.tick_rate().ms_of_tick(ticks)
    }

    /// For each cube, the tick of the receiver's newest state of it; only with a strategy that updates cubes at different
    /// times.
    pub(crate) fn updated(&self) -> Option<&[u64]> {
        match &self.ends {
            StrategyEnds::Sync(ends) => Some(ends.updated()),
            StrategyEnds::Game(ends) => ends.updated(),
            StrategyEnds::Snapshot(_) | StrategyEnds::Lockstep(_) | StrategyEnds::Client(_) => None,
        }
    }

    /// Priority of each cube for a game's next packet, as the last packet left it; `None` with another strategy, or without
    /// a budget.
    pub(crate) fn priorities(&self) -> Option<&[u64]> {
        self.game()?.priorities()
    }

    /// Returns a copy of the sender in its present state; `None` if it cannot be copied.
    pub(crate) fn sender(&self) -> Option<Box<dyn LaneSender>> {
        self.ends.ends().sender().map(LaneSender::copy)
    }

    /// Discards records of the ticks before `tick`.
    pub(crate) fn forget_before(&mut self, tick: u64) {
        self.ends.ends_mut().forget_before(tick);
    }

    /// The ends of a game; `None` for another strategy.
    pub(crate) fn game(&self) -> Option<&GameEnds> {
        if let StrategyEnds::Game(ends) = &self.ends {
            Some(ends)
        } else {
            None
        }
    }

    pub fn settings(&self) -> &LaneSettings {
        &self.settings
    }

    /// Compares the receiver's view with the truth of the instant that it shows.
    fn measure(&mut self, tick: u64, past: &DeltaHistory<CubeState>) {
        let Some(playback) = self.playback else {
            return;
        };
        self.metrics.hitches.add(playback.hitch, self.is_still);
        self.metrics.playout.add(tick, &playback);
        // A game compares by itself, once its server has reached the tick.
        if let StrategyEnds::Game(game) = &self.ends {
            self.view.error_mm.copy_from_slice(game.error_mm());
            return;
        }
        let is_cut = self.wire.network.forward.is_cut();
        if let Some(truth) = self.truth.at(playback.stepped_tick, past) {
            self.ends.ends_mut().measure(&truth, is_cut);
        }
        let Some(truth) = self.truth.at(playback.play_tick, past) else {
            return;
        };
        let mut now = ErrorNow::default();
        self.metrics.objects.begin_tick(self.view.error_mm.len());
        for index in 0..self.view.error_mm.len() {
            let pose = truth.pose(index);
            let position_mm = position_error_mm(&self.view, index, &pose);
            self.view.error_mm[index] = position_mm.unwrap_or_default() as f32;
            if let Some(position_mm) = position_mm.filter(|_| pose.interacting) {
                let error = PoseError {
                    position_mm,
                    orientation_deg: orientation_error_deg(&self.view, index, &pose),
                    surface_mm: self.surfaces.error_mm(index, &self.poses[index], &pose),
                };
                self.metrics.add_error(&mut now, index, error);
            }
        }
        self.metrics.now = now.finished();
    }
}

/// Returns the bits of a packet on rung 0 by kind, by encoding one.
fn uncompressed_bits(settings: &LaneSettings, session_config: &SessionConfig) -> Arc<BitsByKind> {
    let initial = &session_config.initial;
    let format = session_config.format(Rung::Uncompressed, Class::Strict, settings);
    let snapshot: Vec<Cube> = initial.iter().map(|cube| format.quantise(cube)).collect();
    let (mut packet, mut ledger) = (Vec::new(), Ledger::new());
    Encoder::new(format, &snapshot)
        .map(|mut encoder| encoder.encode_ahead(&snapshot, 0, &mut packet, Some(&mut ledger)))
        .expect("a snapshot that the format itself quantised is one of that format")
        .expect("the first sequence is newer than none");
    let cost = PacketCost::new(packet.len(), 1, 0, initial.len(), &ledger);
    let mut bits = cost
        .spent_65536ths
        .map(|spent| spent as f64 / BIT_65536THS as f64);
    bits[Kind::IpUdp as usize] = f64::from(settings.header_bytes() * 8);
    Arc::new(bits)
}
