//! The margins of inputs that the server acknowledged, over the last seconds.

use std::collections::VecDeque;

/// Time over which a client takes the least of its measured margins, ms.
const WINDOW_MS: f64 = 5000.0;
/// Time for which the margin of a late input counts, ms. A path whose delay has grown and shrunk will do so again.
const LATE_WINDOW_MS: f64 = 15_000.0;
/// Length of a span of time, ms. Of its margins the least alone is remembered.
const SPAN_MS: f64 = 250.0;
/// Upper limit of the number of spans: those of `LATE_WINDOW_MS`, the current one included.
const SPANS_MOST: usize = 61;

/// A margin that the server acknowledged.
#[derive(Clone, Copy, Debug)]
pub(super) struct MarginSample {
    pub(super) at_ms: f64,
    /// The margin minus the ticks by which steering had moved the clock, so that margins from before a steering can be
    /// compared.
    pub(super) ticks: f64,
    pub(super) is_late: bool,
}

impl MarginSample {
    /// Returns the worse of two margins, with the time of the later one.
    pub(super) fn worse(self, later: MarginSample) -> MarginSample {
        MarginSample {
            at_ms: later.at_ms,
            ticks: self.ticks.min(later.ticks),
            is_late: self.is_late || later.is_late,
        }
    }
}

/// The least margins of the last seconds.
#[derive(Clone, Debug, Default)]
pub(super) struct Margins {
    /// The least margin of each span, oldest first.
    least: VecDeque<MarginSample>,
}

impl Margins {
    pub(super) fn add(&mut self, sample: MarginSample) {
        let now_ms = sample.at_ms;
        let span = |at_ms: f64| (at_ms / SPAN_MS) as i64;
        match self.least.back_mut() {
            Some(last) if span(last.at_ms) >= span(now_ms) => *last = last.worse(sample),
            _ => {
                if self.least.len() == SPANS_MOST {
                    self.least.pop_front();
                }
                self.least.push_back(sample);
            }
        }
        let is_old = |sample: &MarginSample| {
            let window_ms = match sample.is_late {
                true => LATE_WINDOW_MS,
                false => WINDOW_MS,
            };
            now_ms - sample.at_ms > window_ms
        };
        // Late samples lie among older and newer ones. `retain` would take 3 kB of the packages.
        while let Some(at) = self.least.iter().position(is_old) {
            self.least.remove(at);
        }
    }

    /// Returns the least margin since a time, minus the ticks of steering; `None` if there is none.
    pub(super) fn least(&self, since_ms: f64) -> Option<f64> {
        let samples = self.least.iter().filter(|it| it.at_ms >= since_ms);
        samples.map(|it| it.ticks).reduce(f64::min)
    }

    pub(super) fn clear(&mut self) {
        self.least.clear();
    }
}
