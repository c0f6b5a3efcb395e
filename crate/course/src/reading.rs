//! Special readings of a motion or of a lane's history, for figures that no report has.

use snapshot_codec::{
    BIT_65536THS, Baseline, CubeState, Format, Kind, Ledger, QuantisationBits, SnapshotCoder,
};
use snapshot_lane::history::LaneHistory;
use snapshot_lane::measure::table::Figure;
use snapshot_record::tape::Tape;

/// Returns the least number of changed cubes for which the codec writes a row of flags, by moving one more cube each time.
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

/// Returns the percentage of moving cubes that keep their largest component, over the tape's ticks; a cube counts if it moves
/// at both ends.
pub(super) fn keeps_largest_percent(tape: &Tape) -> f64 {
    const TICKS: u64 = 6;
    let (mut before, mut now) = (Vec::new(), Vec::new());
    let (mut kept, mut all) = (0_u32, 0_u32);
    for tick in TICKS..=tape.last_tick() {
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
    let mut view = history.lane().view().clone();
    let mut truth = Vec::new();
    if !(history.show(tick, tape, &mut view) && tape.read_truth(tick, &mut truth)) {
        return f64::NAN;
    }
    let distances = view
        .position_half_m
        .iter()
        .zip(&truth)
        .map(|(shown, cube)| {
            let apart = (0..3).map(|axis| f64::from(shown[axis] - cube.position[axis]));
            let squares = apart.map(|apart| apart * apart);
            1000.0 * squares.sum::<f64>().sqrt()
        });
    distances.fold(0.0, f64::max)
}

/// Returns the root mean square of a measured value over cubes and ticks, combined from each tick's value.
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
