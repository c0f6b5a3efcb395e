//! The time that passes for one end of a connection, whatever its game's clock says.

use super::RefusalReason;
use crate::clocks::PassedMs;

/// Upper limit of the magnitude of the first time by the game's clock, ms. A time below it is used as it is, for example as ms
/// since 1970. Beyond it, this time begins at 0.
const START_MS: f64 = 1e13;

/// A time that only goes forwards. If the game's clock leaps ahead, this time advances by a bounded step. If the game's clock
/// goes back, this time continues from where it was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassingTime {
    /// Upper limit of the step of this time between two calls, ms.
    step_ms: f64,
    /// This time, ms; `None` before the first call.
    now_ms: Option<PassedMs>,
    /// The game's clock minus this time, ms.
    ahead_ms: f64,
}

impl PassingTime {
    pub(crate) const fn new(step_ms: f64) -> Self {
        Self {
            step_ms,
            now_ms: None,
            ahead_ms: 0.0,
        }
    }

    /// Advances this time to that of the game's clock; returns it. A number that is not finite is an error, and no time
    /// passes.
    pub(crate) fn pass(&mut self, said_ms: f64) -> Result<PassedMs, RefusalReason> {
        if !said_ms.is_finite() {
            return Err(RefusalReason::Time);
        }
        let now_ms = match self.now_ms {
            None if said_ms.abs() < START_MS => said_ms.max(0.0),
            None => 0.0,
            // `clamp` would bring the code that formats floats.
            Some(PassedMs(before)) => (said_ms - self.ahead_ms)
                .min(before + self.step_ms)
                .max(before),
        };
        if said_ms - self.ahead_ms != now_ms {
            self.ahead_ms = said_ms - now_ms;
        }
        let now_ms = PassedMs(now_ms);
        self.now_ms = Some(now_ms);
        Ok(now_ms)
    }

    /// Returns an instant by the game's clock, ms, as far as that clock goes on as it did.
    pub(crate) fn game_ms(&self, at: PassedMs) -> f64 {
        at.0 + self.ahead_ms
    }

    /// The passed time so far, ms.
    pub(crate) fn now_ms(&self) -> f64 {
        self.now_ms.map_or(0.0, |now_ms| now_ms.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_forwards_whatever_the_clock_says() {
        let mut time = PassingTime::new(1000.0);
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(time.pass(wrong), Err(RefusalReason::Time));
        }
        // What the clock says, and the time: an hour ahead is a second, and back is no time.
        for (said_ms, now_ms) in [
            (100.0, 100.0),
            (350.5, 350.5),
            (3_600_000.0, 1350.5),
            (360.0, 1350.5),
            (370.0, 1360.5),
            (f64::MAX, 2360.5),
            (0.0, 2360.5),
            (40.0, 2400.5),
        ] {
            assert_eq!(time.pass(said_ms), Ok(PassedMs(now_ms)), "{said_ms}");
            assert_eq!(time.game_ms(PassedMs(now_ms)), said_ms);
        }
        assert_eq!(PassingTime::new(1.0).pass(1e300), Ok(PassedMs(0.0)));
        assert_eq!(PassingTime::new(1.0).pass(-5.0), Ok(PassedMs(0.0)));
    }
}
