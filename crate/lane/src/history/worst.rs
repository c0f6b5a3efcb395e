//! Objects that a lane showed farthest from the truth over its run.

use super::LaneHistory;
use crate::measure::metrics::ObjectError;
use serde::Serialize;

/// Objects with the greatest mean errors, and the time that the means cover.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WorstObjects {
    /// Begin of the lane's run in seconds of the motion.
    pub from_s: f64,
    /// End of the lane's run so far, in seconds of the motion.
    pub to_s: f64,
    /// Objects by position error in mm, greatest mean first.
    pub position_mm: Vec<ObjectError>,
    /// Objects by orientation error in degrees, greatest mean first.
    pub orientation_deg: Vec<ObjectError>,
}

impl LaneHistory {
    /// Lists the objects that err most over the lane's run: at most `count` by position, and as many by orientation.
    pub fn worst_objects(&self, count: usize) -> WorstObjects {
        let metrics = self.lane.figures().metrics;
        let seconds = |tick| self.lane.settings().tick_rate().seconds_of_ticks(tick);
        WorstObjects {
            from_s: seconds(self.start_tick),
            to_s: seconds(self.start_tick + metrics.ticks),
            position_mm: metrics.objects.most_apart(count),
            orientation_deg: metrics.objects.most_turned(count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_netsim::channel::LinkInputs;
    use snapshot_record::tape::Tape;
    use snapshot_settings::permalink;

    #[test]
    fn errors_over_the_run_are_those_of_its_ticks() {
        let settings =
            permalink::parse("#scene=katamari&grid=6&hz=10&interp=linear&delay=100&loss=10").0;
        let tape = Tape::record(&settings, 300);
        let mut history = LaneHistory::new(&tape, &settings.lane(), &LinkInputs::default(), 0);
        while history.advance(&tape) {}
        let worst = history.worst_objects(3);
        assert_eq!((worst.from_s, worst.to_s), (0.0, 5.0));
        assert_eq!(
            (worst.position_mm.len(), worst.orientation_deg.len()),
            (3, 3)
        );
        let mut view = history.lane().view().clone();
        for error in worst.position_mm {
            let (mut ticks, mut sum, mut max) = (0.0, 0.0, 0.0_f64);
            for tick in 1..=300 {
                assert!(history.show(tick, &tape, &mut view));
                let truth = history.truth_shown(tick, &tape);
                if truth
                    .get(error.object as usize)
                    .is_some_and(|it| it.interacting)
                {
                    let error_mm = f64::from(view.error_mm[error.object as usize]);
                    (ticks, sum, max) = (ticks + 1.0, sum + error_mm, max.max(error_mm));
                }
            }
            assert!((error.max / max - 1.0).abs() < 1e-4, "{error:?} {max}");
            // The lane does not count the tick before its first one.
            assert!((error.mean / (sum / ticks) - 1.0).abs() < 0.02, "{error:?}");
        }
    }
}
