//! The figure of a claim.

use crate::reading::{
    errors_mm, farthest_from_now_mm, flags_from, keeps_largest_percent, max, mean,
    resting_errors_mm, rms,
};
use serde::Serialize;
use snapshot_analysis::ladder::Rows;
use snapshot_base::time::WORLD;
use snapshot_codec::Kind;
use snapshot_lane::history::LaneHistory;
use snapshot_lane::measure::report::Report;
use snapshot_record::tape::Tape;

/// A figure of a run. Ticks count from the motion's beginning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// Mean, counted header included.
    Kbps,
    /// Mean, without IP and UDP.
    BytesPerPacket,
    /// Mean bits of a kind in a packet.
    BitsPerPacket(Kind),
    /// The same for each cube, where all are sent.
    BitsPerCube(Kind),
    /// The same for each cube that differs from the baseline.
    BitsPerChangedCube(Kind),
    /// Share of a kind in all bits.
    PercentOfBits(Kind),
    /// Mean.
    FragmentsPerPacket,
    /// Packets lost, of those whose fate is known.
    LossPercent,
    /// Packets lost.
    Lost,
    /// Packets that arrived and could not be decoded.
    Refused,
    /// Mean age of the baseline when a packet leaves.
    BaselineAge,
    /// Root mean square over the cubes that interact.
    PositionError,
    /// The greatest.
    PositionErrorMax,
    /// Root mean square over the cubes that interact.
    OrientationError,
    /// The greatest.
    OrientationErrorMax,
    /// Frames with nothing new to show.
    Hitches,
    /// The longest that the view stood still.
    LongestFreeze,
    /// All the time that it stood still.
    Frozen,
    /// The longest wait in the queue of the bottleneck.
    QueueMax,
    /// Packets that found that queue full.
    LostByQueue,
    /// Time on the way that half of the packets exceed.
    DelayP50,
    /// The same of one in twenty.
    DelayP95,
    /// Mean age of the shown state.
    Behind,
    /// Times a minute that lockstep stood still for want of a key.
    StallsPerMinute,
    /// Time of each minute that it stood still.
    StalledPerMinute,
    /// The first frame after which both physics states differ.
    FirstDesync,
    /// Cubes in a packet of state synchronisation, on average.
    UpdatesPerPacket,
    /// Cubes that jumped as they were corrected.
    Pops,
    /// The longest that the copy of a cube went without news, at the last tick.
    LongestWithoutNews,
    /// The same of half the cubes.
    MedianWithoutNews,
    /// Root mean square over the cubes that interact, at a tick.
    PositionErrorAt(u64),
    /// The greatest over the cubes that interact, at a tick.
    PositionErrorMaxAt(u64),
    /// The greatest over all cubes, at a tick.
    FarthestAt(u64),
    /// The greatest distance of a shown cube from where it truly is at that very tick, whatever instant the view means to show.
    FarthestFromNowAt(u64),
    /// Cubes that are more than so many millimetres off at a tick.
    CubesOffAt {
        /// The tick.
        tick: u64,
        /// The distance that they exceed.
        over_mm: f32,
    },
    /// Cubes that lie still in truth and in the copy are farther off than that, at a tick.
    RestingOffAt {
        /// The tick.
        tick: u64,
        /// The distance that they exceed.
        over_mm: f32,
    },
    /// The farthest of those that lie still in truth, at a tick.
    RestingFarthestAt(u64),
    /// Over the second up to a tick, counted header included.
    KbpsAt(u64),
    /// Cubes that differ from the baseline, over the second up to a tick.
    ChangedAt(u64),
    /// Bits of a kind in a packet, over the second up to a tick.
    BitsAt(Kind, u64),
    /// Size of a packet over the second up to a tick, without IP and UDP.
    BytesAt(u64),
    /// Cubes that are not at rest in truth at a tick.
    MovingAt(u64),
    /// Cubes that differ from the baseline, on average over all packets.
    ChangedMean,
    /// Share of moving cubes whose orientation has the largest component of 100 ms before.
    KeepsLargestPercent,
    /// The least number of changed cubes that rung `index` writes as a row of flags.
    FlagsFrom,
    /// Cost of a rung of the ladder, by its name; of an arithmetic one in the class `chained`.
    Rung(&'static str),
    /// The number of the first rung below the articles' goal.
    FirstRungBelowGoal,
}

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Unit {
    Kbps,
    Bytes,
    Bits,
    Percent,
    Mm,
    Degrees,
    Ms,
    /// A frame of the simulation.
    Frame,
    /// A number of things.
    Count,
}

/// The thing that a figure is measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    Motion,
    Lane,
    Ladder,
}

impl Figure {
    /// Its unit.
    pub fn unit(&self) -> Unit {
        use Figure::*;
        match self {
            Kbps | KbpsAt(_) | Rung(_) => Unit::Kbps,
            BytesPerPacket | BytesAt(_) => Unit::Bytes,
            BitsPerPacket(_) | BitsPerCube(_) | BitsPerChangedCube(_) | BitsAt(..) => Unit::Bits,
            PercentOfBits(_) | LossPercent | KeepsLargestPercent => Unit::Percent,
            PositionError
            | PositionErrorMax
            | PositionErrorAt(_)
            | PositionErrorMaxAt(_)
            | FarthestAt(_)
            | FarthestFromNowAt(_)
            | RestingFarthestAt(_) => Unit::Mm,
            OrientationError | OrientationErrorMax => Unit::Degrees,
            LongestFreeze | Frozen | QueueMax | DelayP50 | DelayP95 | BaselineAge | Behind
            | StalledPerMinute | LongestWithoutNews | MedianWithoutNews => Unit::Ms,
            FirstDesync => Unit::Frame,
            FragmentsPerPacket
            | Lost
            | LostByQueue
            | Refused
            | Hitches
            | StallsPerMinute
            | UpdatesPerPacket
            | Pops
            | CubesOffAt { .. }
            | RestingOffAt { .. }
            | ChangedAt(_)
            | ChangedMean
            | MovingAt(_)
            | FlagsFrom
            | FirstRungBelowGoal => Unit::Count,
        }
    }

    /// True where the figure counts events that loss and jitter cause: one run says little of them.
    pub(super) fn counts_events(&self) -> bool {
        use Figure::*;
        matches!(
            self,
            Hitches
                | Frozen
                | LostByQueue
                | DelayP50
                | DelayP95
                | StallsPerMinute
                | StalledPerMinute
                | Pops
                | LossPercent
                | LongestWithoutNews
                | MedianWithoutNews
        )
    }

    /// True for means that go with the motion: another seed plays another one.
    pub(super) fn goes_with_the_motion(&self) -> bool {
        use Figure::*;
        matches!(
            self,
            Kbps | KbpsAt(_)
                | Rung(_)
                | BytesPerPacket
                | BitsPerChangedCube(_)
                | UpdatesPerPacket
                | PositionError
                | OrientationError
        )
    }

    /// True for errors over the run: the opening, in which the player falls, is left out of them.
    pub(super) fn is_error_of_run(&self) -> bool {
        use Figure::*;
        matches!(
            self,
            PositionError | PositionErrorMax | OrientationError | OrientationErrorMax
        )
    }

    /// The instant that it is of, for figures of one.
    pub(super) fn at(&self) -> Option<u64> {
        use Figure::*;
        match *self {
            PositionErrorAt(tick)
            | PositionErrorMaxAt(tick)
            | FarthestAt(tick)
            | FarthestFromNowAt(tick)
            | RestingFarthestAt(tick)
            | KbpsAt(tick)
            | ChangedAt(tick)
            | BitsAt(_, tick)
            | BytesAt(tick)
            | MovingAt(tick)
            | CubesOffAt { tick, .. }
            | RestingOffAt { tick, .. } => Some(tick),
            _ => None,
        }
    }

    pub(super) fn ground(&self) -> Ground {
        match self {
            Figure::MovingAt(_) | Figure::FlagsFrom | Figure::KeepsLargestPercent => Ground::Motion,
            Figure::Rung(_) | Figure::FirstRungBelowGoal => Ground::Ladder,
            _ => Ground::Lane,
        }
    }

    /// Measures a motion. Not a number if the figure is not one of a motion.
    pub(super) fn of_motion(&self, tape: &Tape) -> f64 {
        let tick = match *self {
            Figure::MovingAt(tick) => tick,
            Figure::FlagsFrom => 0,
            Figure::KeepsLargestPercent => return keeps_largest_percent(tape),
            _ => return f64::NAN,
        };
        let mut truth = Vec::new();
        if !tape.read_truth(tick, &mut truth) {
            return f64::NAN;
        }
        match self {
            Figure::FlagsFrom => flags_from(&truth).map_or(f64::NAN, |count| count as f64),
            _ => truth.iter().filter(|cube| !cube.at_rest).count() as f64,
        }
    }

    /// Reads a ladder. Not a number if the figure is not one of a ladder.
    pub(super) fn of_ladder(&self, rows: &Rows) -> f64 {
        let mut chosen = rows
            .rows
            .iter()
            .filter(|row| row.class.is_none_or(|class| class == "chained"));
        let row = match self {
            Figure::Rung(name) => chosen.find(|row| row.name == *name).map(|row| row.kbps),
            Figure::FirstRungBelowGoal => chosen
                .find(|row| row.kbps < rows.goal_kbps)
                .map(|row| f64::from(row.rung)),
            _ => None,
        };
        row.unwrap_or(f64::NAN)
    }

    /// Reads a lane's history of a motion; errors over the run begin at a tick. Not a number if a lane has no such figure.
    pub(super) fn of_lane(
        &self,
        history: &LaneHistory,
        report: &Report,
        tape: &Tape,
        from_tick: u64,
    ) -> f64 {
        use Figure::*;
        let (lockstep, sync) = (report.lockstep.as_ref(), report.sync.as_ref());
        let bits = |kind: Kind| report.ledger_bits_per_packet[kind as usize];
        let cubes = history.lane().view().colour.len() as f64;
        let or_nan = |value: Option<f64>| value.unwrap_or(f64::NAN);
        match *self {
            // A ladder's rung, where a lane alone is measured.
            Kbps | Rung(_) => report.kbps_mean,
            BytesPerPacket => report.bytes_per_packet_mean,
            BitsPerPacket(kind) => bits(kind),
            BitsPerCube(kind) => bits(kind) / cubes,
            BitsPerChangedCube(kind) => bits(kind) / report.changed_cubes_mean,
            PercentOfBits(kind) => {
                100.0 * bits(kind) / report.ledger_bits_per_packet.iter().sum::<f64>()
            }
            FragmentsPerPacket => report.fragments_per_packet_mean,
            LossPercent => or_nan(report.packets.loss_percent_happened),
            Lost => report.packets.lost as f64,
            Refused => report.packets.refused as f64,
            BaselineAge => {
                let last = history.last_tick();
                let packets = history.packets(0..last + 1, last);
                mean(packets.filter_map(|packet| {
                    let ticks = packet.tick.checked_sub(packet.baseline_tick?)?;
                    Some(WORLD.ms_of_tick(ticks as f64))
                }))
            }
            PositionError => rms(history, from_tick, |live| live.position_error_mm.rms),
            PositionErrorMax => max(history, from_tick, |live| live.position_error_mm.max),
            OrientationError => rms(history, from_tick, |live| live.orientation_error_deg.rms),
            OrientationErrorMax => max(history, from_tick, |live| live.orientation_error_deg.max),
            Hitches => report.hitches as f64,
            LongestFreeze => report.longest_freeze_ms,
            Frozen => report.playout.frozen_ms,
            QueueMax => report.link.queue_ms.max,
            LostByQueue => report.link.lost_by_queue as f64,
            DelayP50 => report.link.delay_ms.p50,
            DelayP95 => report.link.delay_ms.p95,
            Behind => mean(history.lives().filter_map(|live| live.behind_ms)),
            StallsPerMinute => or_nan(lockstep.map(|lockstep| lockstep.stalls_per_minute)),
            StalledPerMinute => or_nan(lockstep.map(|lockstep| lockstep.stalled_ms_per_minute)),
            FirstDesync => or_nan(
                lockstep
                    .and_then(|lockstep| lockstep.first_desync_frame)
                    .map(|frame| frame as f64),
            ),
            UpdatesPerPacket => or_nan(sync.map(|sync| sync.updates_per_packet_mean)),
            Pops => or_nan(sync.map(|sync| sync.pops as f64)),
            LongestWithoutNews => or_nan(sync.map(|sync| sync.since_update_max_ms)),
            MedianWithoutNews => or_nan(sync.map(|sync| sync.since_update_median_ms)),
            PositionErrorAt(tick) => history.live(tick).position_error_mm.rms,
            PositionErrorMaxAt(tick) => history.live(tick).position_error_mm.max,
            FarthestAt(tick) => errors_mm(history, tape, tick).fold(0.0, f64::max),
            FarthestFromNowAt(tick) => farthest_from_now_mm(history, tape, tick),
            ChangedMean => report.changed_cubes_mean,
            CubesOffAt { tick, over_mm } => {
                let off = errors_mm(history, tape, tick);
                off.filter(|error| *error > f64::from(over_mm)).count() as f64
            }
            RestingOffAt { tick, over_mm } => {
                let off = resting_errors_mm(history, tape, tick);
                off.filter(|error| *error > f64::from(over_mm)).count() as f64
            }
            RestingFarthestAt(tick) => resting_errors_mm(history, tape, tick).fold(0.0, f64::max),
            KbpsAt(tick) => history.live(tick).kbps,
            ChangedAt(tick) => history.live(tick).changed_cubes,
            BitsAt(kind, tick) => history.live(tick).ledger_bits_per_packet[kind as usize],
            BytesAt(tick) => history.live(tick).bytes_per_packet,
            MovingAt(_) | FlagsFrom | KeepsLargestPercent | FirstRungBelowGoal => f64::NAN,
        }
    }
}
