//! The measured quantity of a claim. A claim says that a value of a step's run is within bounds.

use crate::reading::{
    Arithmetic, errors_mm, farthest_from_now_mm, flags_from, jumps, keeps_largest_percent, max,
    mean, packet_bytes, resting_errors_mm, rms, rounds_otherwise_percent, unacked_percent,
};
use snapshot_analysis::ladder::RungCosts;
use snapshot_base::time::WORLD;
use snapshot_codec::Kind;
use snapshot_lane::history::LaneHistory;
use snapshot_lane::measure::report::Report;
use snapshot_lane::measure::table::{Figure, Unit};
use snapshot_record::tape::Tape;

/// The quantity that a claim measures: a row of the table of figures, or a special value. Ticks count from tick 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    Run(&'static Figure),
    At(&'static Figure, u64),
    /// An error in the table of figures, over the run without its opening, in which the player falls from the sky.
    Error(&'static Figure),
    /// Mean number of bits of a kind for each cube. Only for packets that send all cubes.
    BitsPerCube(Kind),
    /// Mean number of bits of a kind for each cube that differs from the baseline.
    BitsPerChangedCube(Kind),
    PercentOfBits(Kind),
    /// Mean age of the baseline when a packet is sent, ms.
    BaselineAge,
    /// Greatest distance at a tick of any shown cube from its true position at the shown instant, mm.
    FarthestAt(u64),
    /// Greatest distance at a tick of a shown cube from its true position at this tick, mm. The delay of the view so counts
    /// as error.
    FarthestFromNowAt(u64),
    /// Number of cubes whose position error at a tick exceeds a distance.
    CubesOffAt {
        tick: u64,
        /// The distance to exceed, mm.
        over_mm: f32,
    },
    /// Number of cubes at rest, both truly and at the receiver, whose position error at a tick exceeds a distance.
    RestingOffAt {
        tick: u64,
        over_mm: f32,
    },
    /// Greatest position error at a tick of a cube that is truly at rest, mm.
    RestingFarthestAt(u64),
    /// Number of cubes that truly move at a tick.
    MovingAt(u64),
    /// Number of truly interacting (red) cubes at a tick.
    InteractingAt(u64),
    /// Number of frames in which a shown cube leaps. It then is farther than a distance from the position that its earlier
    /// motion on the screen leads to.
    Jumps {
        /// The distance to exceed, mm.
        over_mm: f32,
    },
    /// Size of a packet of rung 11 with the snapshot of a tick, encoded against the snapshot of an earlier tick, bytes.
    PacketBytes {
        tick: u64,
        baseline_tick: u64,
    },
    /// Percentage of the arrived packets whose arrival the sender never learns.
    UnackedPercent,
    /// Percentage of moving cubes whose next position or orientation has other bits if it is computed by another allowed
    /// arithmetic.
    RoundsOtherwisePercent(Arithmetic),
    /// Percentage of moving cubes whose orientation has the same largest component as 100 ms before.
    KeepsLargestPercent,
    /// Least number of changed cubes for which the rung `index` writes a flag for each cube instead of the indices of changed
    /// cubes.
    FlagsFrom,
    /// Bandwidth of a rung (an encoding) of the ladder, by name; for arithmetic rungs in the class `chained`.
    Rung(&'static str),
    FirstRungBelowGoal,
}

pub(crate) const fn run(id: &str) -> Quantity {
    Quantity::Run(Figure::by_id(id))
}

pub(crate) const fn at(id: &str, tick: u64) -> Quantity {
    Quantity::At(Figure::by_id(id), tick)
}

/// Makes the quantity of an error in the table of figures, by id, over a run without its opening.
pub(crate) const fn error(id: &str) -> Quantity {
    Quantity::Error(Figure::by_id(id))
}

/// Makes the quantity of the bits that cubes' indices take in the packet of a tick.
pub(crate) const fn index_bits_at(tick: u64) -> Quantity {
    at("ledger_bits_per_packet.index", tick)
}

pub(crate) const KBPS: Quantity = run("kbps_mean");
pub(crate) const BEHIND_MS: Quantity = run("behind_ms_mean");
pub(crate) const STILL_MS: Quantity = run("still_ms");
pub(crate) const POSITION_RMS: Quantity = error("position_error_mm.rms");
pub(crate) const POSITION_MAX: Quantity = error("position_error_mm.max");
pub(crate) const ORIENTATION_RMS: Quantity = error("orientation_error_deg.rms");

/// Ids of measured values that depend on random loss and jitter: a single run says little about them.
const OF_CHANCE: [&str; 12] = [
    "hitches",
    "still_ms",
    "lost_by_queue",
    "delay_ms.p50",
    "delay_ms.p95",
    "stalls_per_minute",
    "stalled_ms_per_minute",
    "pops",
    "loss_percent_happened",
    "since_update_max_ms",
    "since_update_median_ms",
    "keys_missing",
];

/// Ids of measured values that depend on the motion: another seed plays another motion.
const OF_THE_MOTION: [&str; 13] = [
    "kbps",
    "kbps_mean",
    "bytes_per_packet_mean",
    "updates_per_packet_mean",
    "position_error_mm.rms",
    "orientation_error_deg.rms",
    "corrections",
    "corrections_by_cause.rival",
    "corrections_by_cause.values",
    "correction_mm.max",
    "correction_mm.mean",
    "resimulated_ticks",
    "predicted_cubes",
];

/// The source of a measurement: motion, ladder or lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    Motion,
    Lane,
    Ladder,
}

impl Quantity {
    pub fn unit(&self) -> Unit {
        use Quantity::*;
        match self {
            Run(figure) | At(figure, _) | Error(figure) => figure.unit,
            Rung(_) => Unit::Kbps,
            BitsPerCube(_) | BitsPerChangedCube(_) => Unit::Bits,
            PacketBytes { .. } => Unit::Bytes,
            PercentOfBits(_) | KeepsLargestPercent | UnackedPercent | RoundsOtherwisePercent(_) => {
                Unit::Percent
            }
            FarthestAt(_) | FarthestFromNowAt(_) | RestingFarthestAt(_) => Unit::Mm,
            BaselineAge => Unit::Ms,
            CubesOffAt { .. }
            | RestingOffAt { .. }
            | MovingAt(_)
            | InteractingAt(_)
            | Jumps { .. }
            | FlagsFrom
            | FirstRungBelowGoal => Unit::Count,
        }
    }

    /// Returns true if the quantity counts events that loss and jitter cause, so that a single run says little.
    pub(super) fn counts_events(&self) -> bool {
        matches!(self, Quantity::Run(figure) if OF_CHANCE.contains(&figure.id))
    }

    /// Returns true for means that differ between motions, and so between seeds.
    pub(super) fn goes_with_the_motion(&self) -> bool {
        use Quantity::*;
        match self {
            Rung(_) | BitsPerChangedCube(_) => true,
            Run(figure) | Error(figure) => OF_THE_MOTION.contains(&figure.id),
            At(figure, _) => figure.id == "kbps",
            _ => false,
        }
    }

    pub(super) fn at(&self) -> Option<u64> {
        use Quantity::*;
        match *self {
            At(_, tick)
            | FarthestAt(tick)
            | FarthestFromNowAt(tick)
            | RestingFarthestAt(tick)
            | MovingAt(tick)
            | InteractingAt(tick)
            | PacketBytes { tick, .. }
            | CubesOffAt { tick, .. }
            | RestingOffAt { tick, .. } => Some(tick),
            _ => None,
        }
    }

    pub(super) fn ground(&self) -> Ground {
        use Quantity::*;
        match self {
            MovingAt(_)
            | InteractingAt(_)
            | FlagsFrom
            | KeepsLargestPercent
            | PacketBytes { .. }
            | RoundsOtherwisePercent(_) => Ground::Motion,
            Rung(_) | FirstRungBelowGoal => Ground::Ladder,
            _ => Ground::Lane,
        }
    }

    /// Returns the quantity of a motion up to a tick; NaN for other quantities. The motion may be longer, for another claim.
    pub(super) fn of_motion(&self, tape: &Tape, last_tick: u64) -> f64 {
        let tick = match *self {
            Quantity::MovingAt(tick) | Quantity::InteractingAt(tick) => tick,
            Quantity::FlagsFrom => 0,
            Quantity::KeepsLargestPercent => return keeps_largest_percent(tape, last_tick),
            Quantity::PacketBytes {
                tick,
                baseline_tick,
            } => return packet_bytes(tape, tick, baseline_tick).unwrap_or(f64::NAN),
            Quantity::RoundsOtherwisePercent(arithmetic) => {
                return rounds_otherwise_percent(tape, last_tick, arithmetic);
            }
            _ => return f64::NAN,
        };
        let mut truth = Vec::new();
        if !tape.read_truth(tick, &mut truth) {
            return f64::NAN;
        }
        match self {
            Quantity::FlagsFrom => flags_from(&truth).map_or(f64::NAN, |count| count as f64),
            Quantity::InteractingAt(_) => {
                truth.iter().filter(|cube| cube.interacting).count() as f64
            }
            _ => truth.iter().filter(|cube| !cube.at_rest).count() as f64,
        }
    }

    /// Returns the quantity of a ladder; NaN for other quantities.
    pub(super) fn of_ladder(&self, rows: &RungCosts) -> f64 {
        let mut chosen = rows
            .rows
            .iter()
            .filter(|row| row.class.is_none_or(|class| class == "chained"));
        let row = match self {
            Quantity::Rung(name) => chosen.find(|row| row.name == *name).map(|row| row.kbps),
            Quantity::FirstRungBelowGoal => chosen
                .find(|row| row.kbps < rows.goal_kbps)
                .map(|row| f64::from(row.rung)),
            _ => None,
        };
        row.unwrap_or(f64::NAN)
    }

    /// Returns the quantity of a lane's history; NaN for other quantities. Errors over the run begin at a tick.
    pub(super) fn of_lane(
        &self,
        history: &LaneHistory,
        report: &Report,
        tape: &Tape,
        from_tick: u64,
    ) -> f64 {
        use Quantity::*;
        let bits = |kind: Kind| report.ledger_bits_per_packet[kind as usize];
        let count = |errors: &mut dyn Iterator<Item = f64>, over_mm: f32| {
            errors.filter(|error| *error > f64::from(over_mm)).count() as f64
        };
        match *self {
            Run(figure) => figure.of_run(report).unwrap_or(f64::NAN),
            At(figure, tick) => figure.of_tick(history.live(tick)).unwrap_or(f64::NAN),
            Error(figure) if figure.id.ends_with(".max") => max(history, from_tick, figure),
            Error(figure) => rms(history, from_tick, figure),
            // A ladder's rung, where a lane alone is measured.
            Rung(_) => report.kbps_mean,
            BitsPerCube(kind) => bits(kind) / history.lane().view().colour.len() as f64,
            BitsPerChangedCube(kind) => bits(kind) / report.changed_cubes_mean,
            PercentOfBits(kind) => {
                100.0 * bits(kind) / report.ledger_bits_per_packet.iter().sum::<f64>()
            }
            BaselineAge => {
                let last = history.last_tick();
                let packets = history.packets(0..last + 1, last);
                mean(packets.filter_map(|packet| {
                    let ticks = packet.tick.checked_sub(packet.baseline_tick?)?;
                    Some(WORLD.ms_of_tick(ticks as f64))
                }))
            }
            FarthestAt(tick) => errors_mm(history, tape, tick).fold(0.0, f64::max),
            FarthestFromNowAt(tick) => farthest_from_now_mm(history, tape, tick),
            CubesOffAt { tick, over_mm } => count(&mut errors_mm(history, tape, tick), over_mm),
            RestingOffAt { tick, over_mm } => {
                count(&mut resting_errors_mm(history, tape, tick), over_mm)
            }
            RestingFarthestAt(tick) => resting_errors_mm(history, tape, tick).fold(0.0, f64::max),
            Jumps { over_mm } => jumps(history, tape, from_tick, over_mm),
            UnackedPercent => unacked_percent(history),
            MovingAt(_)
            | InteractingAt(_)
            | FlagsFrom
            | KeepsLargestPercent
            | PacketBytes { .. }
            | RoundsOtherwisePercent(_)
            | FirstRungBelowGoal => f64::NAN,
        }
    }
}
