//! The time of the last minute in which a picture stood still.

use crate::queue::drop_front;
use std::collections::VecDeque;

/// Length of the window over which still time is counted, ms.
const WINDOW_MS: f64 = 60_000.0;
/// Length of a bin of the window, ms.
const BIN_MS: f64 = 1_000.0;
/// Share of the passed time by which the shown instant must advance; below it the picture counts as still.
const STILL_BELOW: f64 = 0.25;

/// A meter of still frames, in bins of a second.
#[derive(Clone, Debug, Default)]
pub(super) struct StillMeter {
    /// Start and still time of each second, ms, oldest first.
    bins: VecDeque<(f64, f64)>,
    /// Time of the last frame, and the instant that it showed, ms.
    last: Option<(f64, f64)>,
}

impl StillMeter {
    /// Adds a frame: its time, and the server's instant that it shows, both in ms.
    pub(super) fn on_frame(&mut self, now_ms: f64, shown_ms: f64) {
        let Some((before_ms, before_shown_ms)) = self.last.replace((now_ms, shown_ms)) else {
            return;
        };
        let passed_ms = now_ms - before_ms;
        if passed_ms <= 0.0 {
            return;
        }
        let is_new = self.bins.back().is_none_or(|bin| now_ms >= bin.0 + BIN_MS);
        if is_new {
            self.bins.push_back((now_ms, 0.0));
        }
        drop_front(&mut self.bins, |bin| bin.0 < now_ms - WINDOW_MS);
        if shown_ms - before_shown_ms < STILL_BELOW * passed_ms
            && let Some(bin) = self.bins.back_mut()
        {
            bin.1 += passed_ms;
        }
    }

    /// Time within the last minute in which the picture stood still, ms.
    pub(super) fn ms(&self) -> f64 {
        self.bins.iter().map(|bin| bin.1).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_freeze_counts_for_a_minute() {
        let mut meter = StillMeter::default();
        let mut shown_ms = 0.0;
        for frame in 0..120 * 60 {
            let now_ms = f64::from(frame) * 1000.0 / 60.0;
            let is_frozen = (60..90).contains(&frame);
            shown_ms += if is_frozen { 0.0 } else { 1000.0 / 60.0 };
            meter.on_frame(now_ms, shown_ms);
            match frame {
                59 => assert_eq!(meter.ms(), 0.0),
                1000 => assert!((meter.ms() - 500.0).abs() < 20.0, "{}", meter.ms()),
                _ => {}
            }
        }
        assert_eq!(meter.ms(), 0.0);
    }
}
