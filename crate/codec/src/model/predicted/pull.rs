//! Pull: an acceleration that many bodies have in common, such as gravity. Both ends learn it from the residuals of flights.

use super::flight::greatest;
use crate::model::rotation::{Vector3, add, scale, subtract};

/// Least residual by which a cube without the pull teaches it, steps: smaller ones come from rounding.
const LEAST: f32 = 0.9;
/// Number of residuals over which the pull is a mean, at first and at most.
const FIRST: f32 = 8.0;
const MOST: f32 = 4096.0;
/// Mean deviation of accelerations from the pull, before any is known and at least; steps a tick^2.
const DEVIATION: f32 = 1.0;
const DEVIATION_MIN: f32 = 1.0 / 1024.0;
/// Least pull in multiples of the deviation.
const KNOWN: f32 = 0.5;
/// Weight of a residual in the mean deviation.
const DEVIATION_RATE: f32 = 1.0 / 64.0;

/// A robust mean of accelerations, stored beside a snapshot. Bounces and pushes are far from it and count little.
#[derive(Clone, Debug)]
pub(super) struct Pull {
    /// Steps a tick^2.
    pub(super) acceleration: Vector3,
    /// Mean deviation from it, steps a tick^2.
    deviation: f32,
    /// Number of residuals so far, at most `MOST`.
    count: f32,
}

impl Pull {
    pub(super) const NONE: Self = Self {
        acceleration: [0.0; 3],
        deviation: DEVIATION,
        count: FIRST,
    };

    /// Returns true if the accelerations differ little from the pull.
    pub(super) fn is_known(&self) -> bool {
        greatest(self.acceleration) > self.deviation * KNOWN
    }

    /// Learns from a cube's displacement over `ticks` ticks beyond a constant velocity, in steps. The pull causes `part` of
    /// its product with the square of `ticks`: half from the velocity at the baseline, all from an older one.
    pub(super) fn learn(&mut self, missed: Vector3, part: f32, ticks: f32) {
        if part > 0.5 && greatest(missed) < LEAST {
            return;
        }
        let seen = scale(missed, 1.0 / (ticks * ticks * part));
        let beyond = subtract(seen, self.acceleration);
        let (size, twice) = (greatest(beyond), self.deviation * 2.0);
        let far = size / twice;
        self.count = (self.count + 1.0).min(MOST);
        let rate = 1.0 / (self.count * (1.0 + far * far));
        self.acceleration = add(self.acceleration, scale(beyond, rate));
        let deviation = self.deviation + (size.min(twice) - self.deviation) * DEVIATION_RATE;
        self.deviation = deviation.max(DEVIATION_MIN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_is_found_among_bounces() {
        for ticks in [1.0, 2.0, 6.0] {
            let mut pull = Pull::NONE;
            for n in 0..3000 {
                let bounce = if n % 7 == 0 { 40.0 } else { 0.0 };
                let noise = (n % 5) as f32 * 0.2 - 0.4;
                let fall = -1.395 * ticks * ticks * 0.5;
                pull.learn([noise, -noise, fall + noise + bounce], 0.5, ticks);
            }
            let off = subtract(pull.acceleration, [0.0, 0.0, -1.395]);
            assert!(greatest(off) < 0.15 && pull.is_known(), "{ticks} {pull:?}");
        }
    }

    #[test]
    fn contacts_in_all_directions_have_no_pull() {
        let mut pull = Pull::NONE;
        for n in 0..3000 {
            let size = if n % 2 == 0 { 9.0 } else { -9.0 };
            pull.learn([size, -size, size], 1.0, 2.0);
        }
        assert!(!pull.is_known(), "{pull:?}");
    }
}
