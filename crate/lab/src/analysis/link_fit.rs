//! The settings of a link that come nearest to a trace.

use crate::settings::{Key, SHAPES, Settings};
use snapshot_netsim::fit::{Fit, fit};
use snapshot_netsim::trace::Delays;

/// Finds the nearest model of a trace, and the settings that say it, as near as their steps and ranges allow. All others are at
/// their defaults.
pub fn fitted(delays: &Delays) -> (Settings, Fit) {
    let fit = fit(delays, &SHAPES);
    let shape = SHAPES.iter().position(|shape| *shape == fit.shape);
    let mut settings = Settings::default();
    for (key, number) in [
        (Key::Latency, fit.latency_ms),
        (Key::Jitter, fit.jitter_ms),
        (Key::Shape, shape.unwrap_or(0) as f64),
        (Key::Correlation, fit.correlation),
        (Key::Loss, 100.0 * fit.loss),
        (Key::Burst, fit.burst_packets),
    ] {
        let set = settings.set_number(key, number);
        debug_assert_eq!(set, Ok(()), "{key:?}");
    }
    (settings, fit)
}
