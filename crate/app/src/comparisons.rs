//! Ready-made comparisons: links that set lanes A and B to demonstrate one point.

use crate::link;
use serde::Serialize;
use snapshot_lane::measure::table::Report;
use snapshot_settings::Settings;

/// A ready-made comparison: settings of two lanes over the present world, and the point that it demonstrates.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Comparison"))]
pub struct ReadyComparison {
    /// Text of the comparison's button.
    pub name: &'static str,
    /// The point that the comparison demonstrates; it holds over a run of [`RUN_S`] seconds.
    pub point: &'static str,
    /// Settings of sender, network and receiver that differ from the defaults, for A and for B.
    #[serde(skip)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub link: &'static str,
    /// Returns true if the reports of A and of B confirm the comparison's point.
    #[serde(skip)]
    #[cfg_attr(feature = "ts", ts(skip))]
    holds: fn(&Report, &Report) -> bool,
}

/// Length of the run that demonstrates a comparison's point, in the scene that the page starts with, s.
pub const RUN_S: u32 = 6;

/// All ready-made comparisons, in the page's order.
pub static COMPARISONS: &[ReadyComparison] = &[
    ReadyComparison {
        name: "Linear against hermite, at 10 a second",
        point: "Hermite comes a third closer to the truth for the same bits: it bends through the velocities that are sent.",
        link: "hz=10&codec=uncompressed&interp=linear&delay=auto&latency=50&jitter=0&loss=0&b.interp=hermite",
        holds: |a, b| {
            1.4 * rms(b) < rms(a) && a.kbps_mean == b.kbps_mean && a.hitches + b.hitches == 0
        },
    },
    ReadyComparison {
        name: "60 packets a second against 10",
        point: "60 a second cost about six times the bits and are over 200 ms fresher; 10 a second err more.",
        link: "hz=60&codec=uncompressed&interp=linear&delay=auto&latency=50&jitter=0&loss=0&b.hz=10",
        holds: |a, b| {
            let times = a.kbps_mean / b.kbps_mean;
            (5.5..6.5).contains(&times)
                && b.playout_ms - a.playout_ms > 200.0
                && rms(b) > 2.0 * rms(a)
                && a.hitches + b.hitches == 0
        },
    },
    ReadyComparison {
        name: "Rung 11 against rung 13, predicted",
        point: "Rung 13 takes a sixth less, headers included, and the right view shows the very same.",
        link: "hz=10&codec=changed-flags&interp=linear&delay=auto&latency=50&jitter=0&loss=0&b.codec=predicted",
        holds: |a, b| b.kbps_mean < a.kbps_mean * 5.0 / 6.0 && a.view_hash == b.view_hash,
    },
    ReadyComparison {
        name: "Without loss against 10 %",
        point: "With three intervals of playout delay a lost packet or two in a row stop nothing; the view only guesses across a wider gap.",
        link: "hz=60&codec=changed-flags&interp=linear&delay=auto&latency=50&jitter=0&loss=0&b.loss=10",
        holds: |a, b| a.hitches == 0 && b.longest_freeze_ms < 100.0 && rms(b) > rms(a),
    },
    ReadyComparison {
        name: "Snapshots against state synchronisation",
        point: "State synchronisation is fresher by over 200 ms, and costs its budget of bits.",
        link: "hz=10&codec=changed-flags&interp=hermite&delay=auto&latency=50&jitter=0&loss=0&b.strategy=sync",
        holds: |a, b| a.playout_ms - b.playout_ms > 200.0 && b.kbps_mean > a.kbps_mean,
    },
    ReadyComparison {
        name: "Snapshots against lockstep",
        point: "Lockstep errs by nothing at all, and costs the same however many cubes move.",
        link: "hz=10&codec=changed-flags&interp=hermite&delay=auto&latency=50&jitter=0&loss=0&b.strategy=lockstep",
        holds: |a, b| rms(b) == 0.0 && rms(a) > 0.0,
    },
];

impl ReadyComparison {
    /// Returns true if the reports of A and of B, over a run of [`RUN_S`] seconds, confirm the comparison's point.
    pub fn holds(&self, a: &Report, b: &Report) -> bool {
        (self.holds)(a, b)
    }

    /// Returns the settings of A and of B in the world of `current`.
    pub fn settings(&self, current: &Settings) -> (Settings, Settings) {
        let (link, _) = link::parse(self.link);
        let a = link.a.settings;
        let b = link.b.map_or(a, |b| b.settings);
        (a.in_world_of(current), b.in_world_of(current))
    }
}

fn rms(report: &Report) -> f64 {
    report.position_error_mm.rms
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_base::time::TICKS_PER_S;
    use snapshot_lane::history::LaneHistory;
    use snapshot_netsim::channel::LinkInputs;
    use snapshot_record::tape::Tape;

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn every_comparison_makes_its_point() {
        let report = |settings: &Settings| {
            let tape = Tape::record(settings, u64::from(RUN_S * TICKS_PER_S));
            LaneHistory::run(&tape, &settings.lane(), &LinkInputs::default(), 0).report(0)
        };
        // Somebody who had changed all sorts of things is told the same.
        let before = link::parse("#codec=uncompressed&hz=33&delay=50&loss=20&interp=none");
        let figures = |report: &Report| {
            format!(
                "{:.1} kbit/s, {:.2} mm, {} ms, {} hitches, still {} ms at most",
                report.kbps_mean,
                rms(report),
                report.playout_ms,
                report.hitches,
                report.longest_freeze_ms
            )
        };
        let wrong = COMPARISONS.iter().filter_map(|comparison| {
            let (link, notices) = link::parse(comparison.link);
            assert!(link.b.is_some() && notices.is_empty(), "{notices:?}");
            let (a, b) = comparison.settings(&before.0.a.settings);
            let (a, b) = (report(&a), report(&b));
            let words = || format!("{}: A {} | B {}", comparison.name, figures(&a), figures(&b));
            (!comparison.holds(&a, &b)).then(words)
        });
        assert_eq!(wrong.collect::<Vec<_>>(), [""; 0]);
    }
}
