//! The settings of a modelled link that come nearest to a trace, a recorded link.

use serde::Serialize;
use snapshot_base::order::sorted;
use snapshot_netsim::channel::DelayShape;
use snapshot_netsim::fit::{Fit, fit};
use snapshot_netsim::trace::Delays;
use snapshot_settings::schema::{OfLink, SCHEMA};
use snapshot_settings::{Key, Settings, permalink};

/// Returns the link model nearest to a trace, as settings within their steps and ranges; others have their defaults.
pub fn fitted(delays: &Delays) -> (Settings, Fit) {
    let fit = fit(delays, &DelayShape::ALL);
    let shape = DelayShape::ALL.iter().position(|shape| *shape == fit.shape);
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

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FittedTrace {
    /// Settings of the model, as a link's fragment.
    pub link: String,
    /// Mean absolute difference between the trace's quantiles of delay and the model's, ms.
    pub distance_ms: f64,
    /// The distance in a sentence, and the properties of the trace that the model cannot reproduce.
    #[serde(rename = "told")]
    pub description: String,
}

/// Fits a link model to a trace, and describes the remaining difference and the limits of the model in sentences.
pub fn describe(delays: &Delays) -> FittedTrace {
    let (settings, fit) = fitted(delays);
    let rows = delays.rows();
    let delays_ms = sorted(rows.iter().map(|row| row.delay_ms));
    let median_ms = delays_ms.get(delays_ms.len() / 2).copied();
    let share = 100.0 * fit.distance_ms / median_ms.unwrap_or(0.0).max(f64::MIN_POSITIVE);
    let every_ms = delays.length_ms() / rows.len().max(1) as f64;
    let description = format!(
        "Its delays are {:.1} ms from the trace's on average, which is {share:.0} % of the median. The trace has a packet each {every_ms:.0} ms: the model knows nothing of times in between, of stalls, or of a bottleneck.",
        fit.distance_ms
    );
    FittedTrace {
        link: permalink::format(&settings),
        distance_ms: fit.distance_ms,
        description,
    }
}

/// Returns the settings to change, as keys and texts, so that a link behaves like the fitted model.
pub fn changes(settings: &Settings, delays: &Delays) -> Vec<(&'static str, String)> {
    let (fitted, _) = fitted(delays);
    let keys = SCHEMA
        .iter()
        .filter(|setting| setting.of_link != OfLink::No);
    let differs = keys.filter(|setting| settings.get(setting.key) != fitted.get(setting.key));
    let changed = differs.map(|setting| (setting.id, fitted.text(setting.key)));
    // A preset's name would bring its own numbers back.
    [("link", "own".to_owned())]
        .into_iter()
        .chain(changed)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::settings;
    use snapshot_base::time::WORLD;
    use snapshot_netsim::channel::Channel;
    use snapshot_netsim::trace::{Trace, csv};
    use snapshot_settings::Direction;

    /// Records a trace of a link's forward direction, 60 packets a second for ten minutes.
    fn recorded(link: &str) -> Trace {
        let conditions = settings(link).lane().conditions(Direction::Forward);
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
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn a_links_own_trace_gives_the_link_again() {
        let link = "#v=2&latency=42.5&jitter=7&loss=5&burst=3&shape=lognormal&corr=0.3";
        let trace = recorded(link);
        let (settings, fit) = fitted(trace.delays());
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
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn the_changes_of_a_fit_make_any_link_the_fitted_one() {
        let trace = recorded("#latency=42.5&jitter=7&loss=5&shape=lognormal");
        let delays = trace.delays();
        let fitted = describe(delays);
        let text = &fitted.description;
        assert!(text.contains("a packet each 17 ms"), "{text}");
        for link in [
            "#hz=20&link=4g-moving&seed=3",
            "#hz=20&loss=9&order=4&seed=3",
        ] {
            let mut settings = permalink::parse(link).0;
            // The link by itself comes first: with it a preset's numbers go.
            settings.set_text("link", "own").unwrap();
            for (id, text) in changes(&settings, delays) {
                settings.set_text(id, &text).unwrap();
            }
            let expected = format!("{}&hz=20&seed=3", fitted.link);
            assert_eq!(settings, permalink::parse(&expected).0, "{link}");
        }
    }

    #[test]
    fn a_model_beyond_the_settings_is_the_nearest_of_them() {
        let rows = (0..3000).map(|n| {
            let is_lost = (100..900).contains(&n);
            (f64::from(n) * 16.0, (!is_lost).then_some(20_000.0), None)
        });
        let trace = Trace::read(csv::write(rows).as_bytes()).unwrap();
        let (settings, fit) = fitted(trace.delays());
        assert_eq!((fit.latency_ms, fit.burst_packets), (20_000.0, 800.0));
        let burst = Key::Burst.setting().domain;
        assert_eq!(settings.get(Key::Burst), burst.most());
    }
}
