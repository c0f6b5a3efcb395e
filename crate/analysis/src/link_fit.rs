//! The settings of a link that come nearest to a trace.

use snapshot_netsim::channel::Shape;
use snapshot_netsim::fit::{Fit, fit};
use snapshot_netsim::trace::Delays;
use snapshot_settings::{Key, Settings};

/// Finds the nearest model of a trace, and the nearest settings that steps and ranges allow. All others are at their
/// defaults.
pub fn fitted(delays: &Delays) -> (Settings, Fit) {
    let fit = fit(delays, &Shape::ALL);
    let shape = Shape::ALL.iter().position(|shape| *shape == fit.shape);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link_probe::probe;
    use snapshot_base::time::WORLD;
    use snapshot_netsim::channel::{Channel, Given};
    use snapshot_netsim::trace::{Trace, csv};
    use snapshot_settings::{Direction, permalink};
    use std::sync::Arc;

    /// A trace of what the packets of a link's way ahead meet, 60 a second for ten minutes.
    fn recorded(link: &str) -> Trace {
        let (settings, notices) = permalink::parse(link);
        assert_eq!(notices, []);
        let conditions = settings.lane().conditions(Direction::Forward);
        let mut channel = Channel::new(conditions, 3, 0);
        let rows = (0..36_000).map(|number| {
            let sent_ms = WORLD.ms_of_tick(number as f64);
            let sent = channel.send(sent_ms, number, &[0; 100], 1);
            (
                sent_ms,
                sent.arrival_ms.map(|arrival_ms| arrival_ms - sent_ms),
                None,
            )
        });
        Trace::read(csv::write(rows).as_bytes()).unwrap()
    }

    #[test]
    fn a_links_own_trace_gives_the_link_again() {
        let link = "#v=1&latency=42.5&jitter=7&loss=5&burst=3&shape=lognormal&corr=0.3";
        let trace = recorded(link);
        let (settings, fit) = fitted(trace.delays().unwrap());
        for (key, expected) in [
            (Key::Latency, 42.5),
            (Key::Jitter, 7.0),
            (Key::Loss, 5.0),
            (Key::Burst, 3.0),
            (Key::Correlation, 0.3),
        ] {
            let found = key.setting().domain.number(settings.get(key));
            assert!((found / expected - 1.0).abs() < 0.1, "{key:?}: {found}");
        }
        assert_eq!(settings.text(Key::Shape), "lognormal");
        assert!(fit.distance_ms < 0.3, "{fit:?}");
        // Sent over the trace itself, probes meet the delays that it has.
        let given = Given {
            trace: Some(Arc::new(trace)),
            ..Given::default()
        };
        let over_trace = probe(&Settings::default(), &given, 600);
        let over_model = probe(&settings, &Given::default(), 600);
        let [trace_ms, model_ms] = [over_trace, over_model].map(|probe| probe.delay_ms.unwrap());
        assert!((trace_ms.p50 / model_ms.p50 - 1.0).abs() < 0.02);
        assert!((trace_ms.p95 / model_ms.p95 - 1.0).abs() < 0.05);
    }

    #[test]
    fn a_model_beyond_the_settings_is_the_nearest_of_them() {
        let rows = (0..3000).map(|n| {
            let is_lost = (100..900).contains(&n);
            (f64::from(n) * 16.0, (!is_lost).then_some(20_000.0), None)
        });
        let trace = Trace::read(csv::write(rows).as_bytes()).unwrap();
        let (settings, fit) = fitted(trace.delays().unwrap());
        assert_eq!((fit.latency_ms, fit.burst_packets), (20_000.0, 800.0));
        let burst = Key::Burst.setting().domain;
        assert_eq!(settings.get(Key::Burst), burst.greatest());
    }
}
