//! Statistics of the view's quality: error distributions and still frames.

use hdrhistogram::Histogram;
use serde::Serialize;

/// Declares types that have some statistics of a distribution, each named as its method of [`Distribution`].
macro_rules! statistics {
    ($($(#[$doc:meta])* $Type:ident { $($statistic:ident),* })*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        pub struct $Type {
            $(pub $statistic: f64,)*
        }

        impl From<&Distribution> for $Type {
            fn from(distribution: &Distribution) -> $Type {
                $Type { $($statistic: distribution.$statistic(),)* }
            }
        }
    )* };
}

statistics! {
    /// Errors over a run.
    Spread { rms, p50, p95, max }
    /// Queueing times in ms.
    Waits { mean, p50, p95, max }
    /// Delays in ms.
    Delays { p50, p95, p99 }
    /// Sizes of corrections: the greatest error of a corrected cube, mm.
    CorrectionSpread { mean, p95, max }
}

/// Statistics of a quantity that is never negative: mean, root mean square, percentiles (to 3 digits) and maximum.
#[derive(Clone, Debug)]
pub struct Distribution {
    values: u64,
    sum: f64,
    sum_of_squares: f64,
    max: f64,
    /// Number of histogram steps in a unit: the resolution of the percentiles.
    steps_per_unit: f64,
    steps: Histogram<u32>,
}

impl Distribution {
    /// Upper limit of a percentile, in histogram steps; larger values are reported as this one.
    const GREATEST_STEP: u64 = 1_000_000_000;

    /// Creates an empty distribution, whose percentiles have `steps_per_unit` steps in a unit.
    pub fn new(steps_per_unit: f64) -> Distribution {
        let steps = Histogram::new_with_bounds(1, Self::GREATEST_STEP, 3)
            .expect("1 to a billion at 3 digits is a valid range");
        Distribution {
            values: 0,
            sum: 0.0,
            sum_of_squares: 0.0,
            max: 0.0,
            steps_per_unit,
            steps,
        }
    }

    pub fn add(&mut self, value: f64) {
        self.values += 1;
        self.sum += value;
        self.sum_of_squares += value * value;
        self.max = self.max.max(value);
        self.steps
            .saturating_record((value * self.steps_per_unit) as u64);
    }

    /// Root mean square of the values; 0 without values.
    pub fn rms(&self) -> f64 {
        if self.values == 0 {
            0.0
        } else {
            (self.sum_of_squares / self.values as f64).sqrt()
        }
    }

    /// Mean of the values; 0 without values.
    pub fn mean(&self) -> f64 {
        self.sum / self.values.max(1) as f64
    }

    pub fn p50(&self) -> f64 {
        self.quantile(0.5)
    }

    pub fn p95(&self) -> f64 {
        self.quantile(0.95)
    }

    pub fn p99(&self) -> f64 {
        self.quantile(0.99)
    }

    /// Returns the quantile: the value that a share of all values does not exceed.
    pub fn quantile(&self, share: f64) -> f64 {
        self.steps.value_at_quantile(share) as f64 / self.steps_per_unit
    }

    pub fn max(&self) -> f64 {
        self.max
    }
}

/// Counts of hitches (frames without a snapshot to interpolate towards) and of freezes of the receiver's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hitches {
    /// Number of frames without a snapshot to interpolate towards.
    pub frames: u64,
    pub longest_freeze_ticks: u64,
    pub freeze_ticks: u64,
    /// Number of freezes: runs of still frames.
    pub freezes: u64,
    /// Number of still frames, which show nothing newer than the frame before.
    pub still: u64,
}

impl Hitches {
    pub fn add(&mut self, hitch: bool, is_still: bool) {
        self.frames += u64::from(hitch);
        self.still += u64::from(is_still);
        self.freeze_ticks = if is_still { self.freeze_ticks + 1 } else { 0 };
        self.freezes += u64::from(self.freeze_ticks == 1);
        self.longest_freeze_ticks = self.longest_freeze_ticks.max(self.freeze_ticks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distribution_of_one_to_a_thousand() {
        let mut distribution = Distribution::new(1.0);
        (1..=1000).for_each(|value| distribution.add(f64::from(value)));
        assert_eq!(distribution.p95(), 950.0);
        let rms = distribution.rms();
        assert!((rms - 577.783).abs() < 1e-3, "{rms}");
        distribution.add(1e300);
        assert_eq!(distribution.max(), 1e300);
    }
}
