//! Comparison of two lanes over the same ticks, over several whole runs. It has each lane's figures, and the number of runs
//! in which each has the lower value.
//!
//! Both lanes run once with the link's seed, and then with other seeds. Over a recorded link the runs begin at other places
//! of the recording. In a run over a modelled link, packets of the same number draw the same faults in both lanes.

use crate::progress::Tell;
use crate::span::TickSpan;
use serde::Serialize;
use snapshot_lane::history::LaneHistory;
use snapshot_lane::measure::table::Figure;
use snapshot_lane::measure::table::Report;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, Settings};
use std::sync::Arc;

/// Number of runs of each lane. If the lanes did not differ, one lane would be lower in all eight runs in one of 128
/// comparisons.
pub const RUNS: u32 = 8;

/// Relative difference below which the values of both lanes are a tie.
const TIE: f64 = 0.001;

static FIGURES: [&Figure; 23] = [
    Figure::by_id("kbps_mean"),
    Figure::by_id("bytes_per_packet_mean"),
    Figure::by_id("bytes_per_packet_p95"),
    Figure::by_id("ack_kbps_mean"),
    Figure::by_id("surface_error_mm.mean"),
    Figure::by_id("surface_error_mm.p95"),
    Figure::by_id("surface_error_mm.worst"),
    Figure::by_id("position_error_mm.rms"),
    Figure::by_id("position_error_mm.p50"),
    Figure::by_id("position_error_mm.p95"),
    Figure::by_id("position_error_mm.max"),
    Figure::by_id("orientation_error_deg.rms"),
    Figure::by_id("orientation_error_deg.p50"),
    Figure::by_id("orientation_error_deg.p95"),
    Figure::by_id("orientation_error_deg.max"),
    Figure::by_id("behind_ms_mean"),
    Figure::by_id("freezes"),
    Figure::by_id("still_ms"),
    Figure::by_id("late_ms_mean"),
    Figure::by_id("skipped"),
    Figure::by_id("longest_freeze_ms"),
    Figure::by_id("packets_lost"),
    Figure::by_id("pops"),
];

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ComparedFigure {
    pub id: &'static str,
    /// Value of lane A in the run with the link's seed.
    pub a: f64,
    /// Value of lane B in the run with the link's seed.
    pub b: f64,
    /// Least and greatest value of lane A over the runs so far.
    pub range_a: [f64; 2],
    /// Least and greatest value of lane B over the runs so far.
    pub range_b: [f64; 2],
    /// Number of runs in which lane B has a lower value than lane A.
    pub less: u32,
    /// Number of runs in which lane B has a higher value than lane A.
    pub more: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Compared {
    /// The tick before the first tick of the runs.
    pub after_tick: u64,
    pub last_tick: u64,
    /// Number of finished runs of both lanes.
    pub runs: u32,
    /// Number of planned runs of both lanes.
    pub of: u32,
    /// True if the runs differ by their start in a recorded link, not by their seed.
    pub by_offset: bool,
    /// Figures that both lanes have, each with the values of A and of B.
    pub rows: Vec<ComparedFigure>,
}

/// Settings of a lane, with the inputs of its link.
#[derive(Clone, Debug)]
pub struct LaneSetup {
    pub settings: Settings,
    pub link_inputs: LinkInputs,
}

/// Compares lanes A and B over a span of ticks, which both tapes must store. The tapes of A and B are the same unless their
/// worlds differ. `tell` hears of each pair of runs.
pub fn compare(
    tapes: [&Tape; 2],
    sides: &[LaneSetup; 2],
    span: TickSpan,
    tell: Tell<Compared>,
) -> Compared {
    let mut reports = [Vec::new(), Vec::new()];
    for run in 0..RUNS {
        for ((tape, side), reports) in tapes.into_iter().zip(sides).zip(&mut reports) {
            let LaneSetup {
                settings,
                link_inputs,
            } = side.in_run(run, sides[0].spread_ms());
            let mut history = LaneHistory::new(tape, &settings.lane(), &link_inputs, span.after);
            while history.last_tick() < span.last && history.advance(tape) {}
            reports.push(history.report(0));
        }
        let share = f64::from(run + 1) / f64::from(RUNS);
        tell(share, &|| compared(sides, span, &reports));
    }
    compared(sides, span, &reports)
}

/// Returns the compared figures of the finished runs.
fn compared(sides: &[LaneSetup; 2], span: TickSpan, [a, b]: &[Vec<Report>; 2]) -> Compared {
    let pairs = |figure: &'static Figure| -> Option<Vec<[f64; 2]>> {
        let pair = |(a, b)| Some([figure.of_run(a)?, figure.of_run(b)?]);
        a.iter().zip(b).map(pair).collect()
    };
    let rows = FIGURES.iter();
    let rows = rows.filter_map(|figure| Some(row(figure.id, &pairs(figure)?)));
    Compared {
        after_tick: span.after,
        last_tick: span.last,
        runs: a.len() as u32,
        of: RUNS,
        by_offset: sides[0].link_inputs.trace.is_some(),
        rows: rows.collect(),
    }
}

impl LaneSetup {
    /// Returns the setup of a run by its number: with another seed, or another start in the recorded link.
    pub(crate) fn in_run(&self, run: u32, spread_ms: f64) -> LaneSetup {
        let mut side = self.clone();
        let seed = &side.settings;
        let seed = seed.seed().wrapping_add(run);
        // The greatest seed is followed by the least.
        if side.settings.set(Key::Seed, seed).is_err() {
            let _ = side.settings.set(Key::Seed, run);
        }
        if let Some(trace) = &mut side.link_inputs.trace {
            *trace = Arc::new(trace.from_ms(f64::from(run) * spread_ms));
        }
        side
    }

    /// Time between the starts of consecutive runs in a recorded link, ms.
    pub(crate) fn spread_ms(&self) -> f64 {
        let trace = self.link_inputs.trace.as_ref();
        trace.map_or(0.0, |trace| trace.length_ms() / f64::from(RUNS))
    }
}

fn row(id: &'static str, pairs: &[[f64; 2]]) -> ComparedFigure {
    let range = |side: usize| {
        let values = || pairs.iter().map(|pair| pair[side]);
        [
            values().fold(f64::INFINITY, f64::min),
            values().fold(f64::NEG_INFINITY, f64::max),
        ]
    };
    let counted = |is: fn(f64, f64) -> bool| {
        let is_apart =
            |&&[a, b]: &&[f64; 2]| is(a, b) && (b - a).abs() > TIE * a.abs().max(b.abs());
        pairs.iter().filter(is_apart).count() as u32
    };
    ComparedFigure {
        id,
        a: pairs[0][0],
        b: pairs[0][1],
        range_a: range(0),
        range_b: range(1),
        less: counted(|a, b| b < a),
        more: counted(|a, b| b > a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{report, settings};

    fn compared(links: [&str; 2]) -> Compared {
        let sides = links.map(|link| LaneSetup {
            settings: settings(link),
            link_inputs: LinkInputs::default(),
        });
        of_setups(sides, 240)
    }

    fn of_setups(sides: [LaneSetup; 2], last: u64) -> Compared {
        let tape = Tape::record(&sides[0].settings, last);
        let span = TickSpan { after: 0, last };
        compare([&tape, &tape], &sides, span, &mut |_, _| ())
    }

    fn row_of<'a>(compared: &'a Compared, id: &str) -> &'a ComparedFigure {
        compared.rows.iter().find(|row| row.id == id).unwrap()
    }

    const LINK: &str = "#scene=katamari&grid=6&hz=20&loss=10&jitter=20";

    #[test]
    fn a_difference_of_the_encoding_shows_with_every_seed() {
        let compared = compared([LINK, &format!("{LINK}&codec=arithmetic")]);
        assert_eq!((compared.runs, compared.of), (8, 8));
        let kbps = row_of(&compared, "kbps_mean");
        assert_eq!((kbps.less, kbps.more), (8, 0));
        assert!(kbps.range_a[0] <= kbps.a && kbps.a <= kbps.range_a[1]);
        // The encoding does not change the losses.
        let lost = row_of(&compared, "packets_lost");
        assert_eq!((lost.a, lost.less, lost.more), (lost.b, 0, 0));
        assert!(lost.range_a[0] < lost.range_a[1], "the seeds differ");
    }

    #[test]
    fn a_difference_of_luck_alone_turns_round() {
        // Another rate draws other losses: the greatest error is a matter of luck.
        let compared = compared([LINK, &LINK.replace("jitter=20", "jitter=21")]);
        let row = row_of(&compared, "position_error_mm.max");
        assert!(row.less < 8 && row.more < 8, "{row:?}");
    }

    #[test]
    fn the_first_run_is_what_the_links_own_lane_tells() {
        let compared = compared([LINK, LINK]);
        let settings = settings(LINK);
        let report = report(&Tape::record(&settings, 240), &settings);
        for row in &compared.rows {
            let own = Figure::find(row.id).and_then(|figure| figure.of_run(&report));
            assert_eq!(own, Some(row.a), "{}", row.id);
            assert_eq!((row.a, row.less, row.more), (row.b, 0, 0));
        }
    }

    #[test]
    fn over_a_recorded_link_runs_begin_at_other_places() {
        let settings = settings("#scene=katamari&grid=6&hz=20");
        let rows = (0..200).map(|ms| format!("{},{}\n", ms * 40, if ms < 100 { 20 } else { 90 }));
        let rows = format!("sent_ms,delay_ms\n{}", rows.collect::<String>());
        let trace = snapshot_netsim::trace::Trace::read(rows.as_bytes());
        let link_inputs = LinkInputs {
            trace: Some(Arc::new(trace.unwrap())),
            ..LinkInputs::default()
        };
        let side = LaneSetup {
            settings,
            link_inputs,
        };
        let compared = of_setups([side.clone(), side], 120);
        assert!(compared.by_offset);
        let behind = row_of(&compared, "behind_ms_mean");
        assert!(behind.range_a[1] > behind.range_a[0] + 30.0, "{behind:?}");
    }
}
