//! Values computed from a motion or from a lane's history, for claims about quantities that no report has.

use snapshot_base::math::Vec3;
use snapshot_base::time::TICKS_PER_S;
use snapshot_codec::{
    BIT_65536THS, Baseline, CubeState, Format, Kind, Ledger, QuantisationBits, SnapshotCoder,
};
use snapshot_lane::history::LaneHistory;
use snapshot_lane::measure::table::Figure;
use snapshot_record::tape::Tape;

/// Returns the least number of changed cubes for which the codec writes a flag for each cube. It finds the number by moving
/// one more cube at a time.
pub(super) fn flags_from(truth: &[CubeState]) -> Option<usize> {
    let format = Format::new(
        snapshot_codec::Rung::Index,
        QuantisationBits::DEFAULT,
        truth.len(),
    )
    .ok()?;
    let initial: Vec<_> = truth.iter().map(|cube| format.quantise(cube)).collect();
    let mut coder = SnapshotCoder::new(&format);
    let (mut packet, mut ledger) = (Vec::new(), Ledger::new());
    let mut snapshot = initial.clone();
    for count in 0..=truth.len() {
        let mut baseline = Baseline::new(&format, &initial).ok()?;
        ledger.clear();
        let sent = coder.encode_ahead(
            &mut baseline,
            1,
            &snapshot,
            0,
            &mut packet,
            Some(&mut ledger),
        );
        sent.ok()?;
        // A flag for each cube, and one that announces the row.
        let row_bits = truth.len() as i64 + 1;
        if ledger.get_65536ths(Kind::Index) == row_bits * BIT_65536THS {
            return Some(count);
        }
        snapshot.get_mut(count)?.position[0] += 1;
    }
    None
}

/// Returns the size of a packet of rung 11, bytes: a tick's snapshot, encoded against the snapshot of an earlier tick. `None`
/// if one of both ticks is not stored.
pub(super) fn packet_bytes(tape: &Tape, tick: u64, baseline_tick: u64) -> Option<f64> {
    /// Greatest age of a baseline in a packet, ticks. An older baseline is taken for the initial snapshot, which has no age.
    const OLDEST: u64 = 256;
    let (mut before, mut now) = (Vec::new(), Vec::new());
    if !(tape.read_truth(baseline_tick, &mut before) && tape.read_truth(tick, &mut now)) {
        return None;
    }
    let rung = snapshot_codec::Rung::ChangedFlags;
    let format = Format::new(rung, QuantisationBits::DEFAULT, now.len()).ok()?;
    let [before, now] = [before, now].map(|cubes| {
        let cubes = cubes.iter().map(|cube| format.quantise(cube));
        cubes.collect::<Vec<_>>()
    });
    let mut baseline = Baseline::new(&format, &before).ok()?;
    let ticks = (tick - baseline_tick).min(OLDEST) as u16;
    let mut packet = Vec::new();
    let mut coder = SnapshotCoder::new(&format);
    coder.encode(&mut baseline, ticks, &now, &mut packet).ok()?;
    Some(packet.len() as f64)
}

/// Returns the percentage of moving cubes whose orientation keeps its largest component, over the tape's ticks up to
/// `last_tick`. A cube counts if it moves at both ends of 100 ms.
pub(super) fn keeps_largest_percent(tape: &Tape, last_tick: u64) -> f64 {
    const TICKS: u64 = 6;
    let (mut before, mut now) = (Vec::new(), Vec::new());
    let (mut kept, mut all) = (0_u32, 0_u32);
    for tick in TICKS..=last_tick {
        if !(tape.read_truth(tick - TICKS, &mut before) && tape.read_truth(tick, &mut now)) {
            continue;
        }
        let moving = before.iter().zip(&now);
        for (before, now) in moving.filter(|(before, now)| !before.at_rest && !now.at_rest) {
            all += 1;
            kept += u32::from(largest(before.orientation) == largest(now.orientation));
        }
    }
    100.0 * f64::from(kept) / f64::from(all)
}

fn largest(orientation: [f32; 4]) -> Option<usize> {
    (0..4).max_by(|a, b| orientation[*a].abs().total_cmp(&orientation[*b].abs()))
}

/// Returns the greatest distance between a cube in the receiver's view and the same cube in the truth at that tick, mm.
pub(super) fn farthest_from_now_mm(history: &LaneHistory, tape: &Tape, tick: u64) -> f64 {
    let lengths = offsets(history, tape, tick);
    let lengths = lengths
        .iter()
        .map(|offset| 1000.0 * f64::from(offset.length()));
    lengths.reduce(f64::max).unwrap_or(f64::NAN)
}

/// Returns for each cube the vector from its true position at a tick to its position in the receiver's view, m. Empty if the
/// tick is not stored.
fn offsets(history: &LaneHistory, tape: &Tape, tick: u64) -> Vec<Vec3> {
    let mut view = history.lane().view().clone();
    let mut truth = Vec::new();
    if !(history.show(tick, tape, &mut view) && tape.read_truth(tick, &mut truth)) {
        return Vec::new();
    }
    let pairs = view.position_half_m.iter().zip(&truth);
    pairs
        .map(|(shown, cube)| Vec3([shown[0], shown[1], shown[2]]) - Vec3(cube.position))
        .collect()
}

/// An allowed way to compute a float whose last bit may differ from the plain computation's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// A product and a sum with a single rounding, as in a fused multiply-add.
    Fused,
    /// The terms of a sum in another order, as a compiler may choose with fast floating point.
    Regrouped,
    /// A product with the reciprocal in place of a quotient, as a compiler may choose with fast floating point.
    Reciprocal,
}

/// Returns the percentage of moving cubes whose next step has other bits with this arithmetic, over the tape's ticks up to
/// `last_tick`.
pub(super) fn rounds_otherwise_percent(tape: &Tape, last_tick: u64, arithmetic: Arithmetic) -> f64 {
    const TICK_S: f32 = 1.0 / TICKS_PER_S as f32;
    const FALL: f32 = -9.81 * TICK_S * TICK_S;
    let differs = |cube: &CubeState| {
        (0..3).any(|axis| {
            let (at, speed) = (cube.position[axis], cube.linear_velocity[axis]);
            let (plain, other) = match arithmetic {
                Arithmetic::Fused => (at + speed * TICK_S, speed.mul_add(TICK_S, at)),
                Arithmetic::Regrouped => {
                    let step = speed * TICK_S;
                    ((at + step) + FALL, at + (step + FALL))
                }
                Arithmetic::Reciprocal => (at + speed / TICKS_PER_S as f32, at + speed * TICK_S),
            };
            plain.to_bits() != other.to_bits()
        })
    };
    let mut truth = Vec::new();
    let (mut otherwise, mut all) = (0_u32, 0_u32);
    for tick in tape.first_tick()..=last_tick {
        tape.read_truth(tick, &mut truth);
        let moving = truth.iter().filter(|cube| !cube.at_rest);
        for cube in moving {
            all += 1;
            otherwise += u32::from(differs(cube));
        }
    }
    100.0 * f64::from(otherwise) / f64::from(all)
}

/// Returns the number of frames, from a tick on, in which a shown cube leaps. It leaps if it is farther than `over_mm` from
/// the position that its earlier motion on the screen leads to.
pub(super) fn jumps(history: &LaneHistory, tape: &Tape, from_tick: u64, over_mm: f32) -> f64 {
    let mut view = history.lane().view().clone();
    let (mut places, mut ways): (Vec<Vec3>, Vec<Vec3>) = (Vec::new(), Vec::new());
    let mut frames = 0_u32;
    for tick in from_tick..=history.last_tick() {
        if !history.show(tick, tape, &mut view) {
            continue;
        }
        let now = view.position_half_m.iter();
        let now: Vec<Vec3> = now.map(|at| Vec3([at[0], at[1], at[2]])).collect();
        let moved: Vec<Vec3> = now
            .iter()
            .zip(&places)
            .map(|(now, then)| *now - *then)
            .collect();
        let leaps = |way: Vec3, moved: Vec3| 1000.0 * (moved - way).length() > over_mm;
        let leapt: Vec<bool> = (ways.iter().zip(&moved))
            .map(|(way, moved)| leaps(*way, *moved))
            .collect();
        frames += u32::from(leapt.contains(&true));
        // A leap is no motion to go on from.
        let next = |(at, moved): (usize, Vec3)| match leapt.get(at) {
            Some(true) => Vec3([f32::NAN; 3]),
            _ => moved,
        };
        ways = moved.into_iter().enumerate().map(next).collect();
        places = now;
    }
    f64::from(frames)
}

/// Returns the percentage of arrived packets that no arrived acknowledgement names. The last second is left out, because its
/// acknowledgements may still be in flight.
pub(super) fn unacked_percent(history: &LaneHistory) -> f64 {
    let last = history.last_tick();
    let until = last.saturating_sub(TICKS_PER_S.into());
    let packets = history.packets(0..until, last);
    let arrived = packets.filter(|packet| packet.arrival_ms.is_some());
    100.0 * mean(arrived.map(|packet| f64::from(u8::from(packet.acked_tick.is_none()))))
}

/// Returns the root mean square of a measured value over cubes and ticks, combined from the root mean square of each tick.
pub(super) fn rms(history: &LaneHistory, from_tick: u64, figure: &Figure) -> f64 {
    let lives = history.lives().filter(|live| live.tick >= from_tick);
    let (squares, cubes) = lives.fold((0.0, 0.0), |(squares, cubes), live| {
        let here = f64::from(live.interacting_cubes);
        let error = figure.of_tick(live).unwrap_or(f64::NAN);
        (squares + error * error * here, cubes + here)
    });
    if cubes == 0.0 {
        return 0.0;
    }
    f64::sqrt(squares / cubes)
}

pub(super) fn max(history: &LaneHistory, from_tick: u64, figure: &Figure) -> f64 {
    let lives = history.lives().filter(|live| live.tick >= from_tick);
    lives
        .filter_map(|live| figure.of_tick(live))
        .fold(0.0, f64::max)
}

/// Returns the distance of each shown cube from its true position at the shown instant, mm; `None` if the tick is not stored.
pub(super) fn errors_mm(
    history: &LaneHistory,
    tape: &Tape,
    tick: u64,
) -> impl Iterator<Item = f64> {
    let mut view = history.lane().view().clone();
    let shown = history.show(tick, tape, &mut view);
    let errors = if shown { view.error_mm } else { Vec::new() };
    errors.into_iter().map(f64::from)
}

/// Returns the distance of each shown cube that is at rest in truth from its true position, mm.
pub(super) fn resting_errors_mm(
    history: &LaneHistory,
    tape: &Tape,
    tick: u64,
) -> impl Iterator<Item = f64> {
    let mut truth = Vec::new();
    tape.read_truth(tick, &mut truth);
    let errors = errors_mm(history, tape, tick).zip(truth);
    errors.filter_map(|(error, cube)| cube.at_rest.then_some(error))
}

pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}
