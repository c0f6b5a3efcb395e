use super::*;
use crate::channel::{Channel, Conditions};
use crate::trace::{Trace, csv};

/// A trace of 36,000 packets: ten minutes of 60 a second.
fn generated(conditions: Conditions, seed: u32) -> Trace {
    let mut channel = Channel::new(conditions, seed, 0);
    let mut buffer = Vec::new();
    let rows = (0..36_000).map(|number| {
        let sent_ms = number as f64 * 1000.0 / 60.0;
        let sent = channel.send(sent_ms, number, &[0; 100], 1);
        while channel.receive(sent_ms, &mut buffer).is_some() {}
        let delay_ms = sent.arrival_ms.map(|arrival_ms| arrival_ms - sent_ms);
        (sent_ms, delay_ms, None)
    });
    Trace::read(csv::write(rows).as_bytes()).unwrap()
}

/// Error of a found value, as a share of the true one.
fn error(found: f64, truth: f64) -> f64 {
    (found / truth - 1.0).abs()
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn base_scale_loss_and_burst_of_a_generated_trace_are_found_again() {
    let losses = [
        (0.01, 1.0),
        (0.02, 2.0),
        (0.05, 1.0),
        (0.1, 3.0),
        (0.2, 5.0),
    ];
    for seed in 0..30 {
        let shape = DelayShape::ALL[seed % 10];
        // Each shape meets three of the five.
        let (loss, burst) = losses[(seed + seed / 10) % 5];
        let conditions = Conditions {
            latency_ms: 40.0,
            jitter_ms: 8.0,
            shape,
            loss,
            burst_packets: burst,
            ..Conditions::PERFECT
        };
        let trace = generated(conditions, seed as u32);
        let delays = trace.delays();
        let found = fit(delays, &DelayShape::ALL);
        let case = format!("{shape:?} {loss} {burst} {seed}: {found:?}");
        assert_eq!(found.shape, shape, "{case}");
        let errors = [error(found.latency_ms, 40.0), error(found.jitter_ms, 8.0)];
        assert!(errors.iter().all(|error| *error < 0.1), "{case}");
        // Of few losses the trace itself has more or fewer than were asked for: its errors are the sample's.
        let errors_of_chance = [error(found.loss, loss), error(found.burst_packets, burst)];
        let sampling = (2.0 * burst / (36_000.0 * loss)).sqrt();
        let most = f64::max(0.1, 3.0 * sampling);
        assert!(errors_of_chance.iter().all(|error| *error < most), "{case}");
        assert!(found.distance_ms < 0.5, "{case}");
    }
}

#[test]
fn correlation_is_found_and_rounded_delays_are_none() {
    for correlation in [0.0, 0.3, 0.9] {
        let conditions = Conditions {
            latency_ms: 50.0,
            jitter_ms: 5.0,
            shape: DelayShape::Normal,
            correlation,
            ..Conditions::PERFECT
        };
        let trace = generated(conditions, 5);
        let found = fit(trace.delays(), &DelayShape::ALL);
        assert!((found.correlation - correlation).abs() < 0.02, "{found:?}");
        assert_eq!((found.loss, found.burst_packets), (0.0, 1.0));
    }
    let rounded = Conditions {
        latency_ms: 50.0,
        jitter_ms: 3.0,
        ..Conditions::PERFECT
    };
    let trace = generated(rounded, 6);
    let rows = trace.delays().rows().iter();
    let rows = rows.map(|row| (row.sent_ms, Some(row.delay_ms.round()), None));
    let rounded = Trace::read(csv::write(rows).as_bytes()).unwrap();
    let found = fit(rounded.delays(), &DelayShape::ALL);
    assert!(found.correlation < 0.02, "{found:?}");
    assert_eq!(found.shape, DelayShape::Uniform);
}

#[test]
fn short_and_steady_traces_have_a_model() {
    for text in ["0,20", "0,20\n10,20\n20,lost", "0,0\n10,0", "0,5\n1,9"] {
        let text = format!("sent_ms,delay_ms\n{text}");
        let trace = Trace::read(text.as_bytes()).unwrap();
        let found = fit(trace.delays(), &DelayShape::ALL);
        assert!(found.distance_ms < 1.0, "{text}: {found:?}");
        assert!(found.latency_ms.is_finite() && found.jitter_ms >= 0.0);
    }
    let steady = Trace::read(b"sent_ms,delay_ms\n0,20\n10,20").unwrap();
    let found = fit(steady.delays(), &DelayShape::ALL);
    assert_eq!((found.latency_ms, found.jitter_ms), (20.0, 0.0));
    assert_eq!((found.shape, found.distance_ms), (DelayShape::Uniform, 0.0));
}

#[test]
fn the_distance_shows_a_shape_that_is_none_of_ours() {
    // Two delays, 20 and 100 ms: no line of any shape is nearer than some ms.
    let rows = (0..2000).map(|n| {
        (
            f64::from(n),
            Some(if n % 3 == 0 { 100.0 } else { 20.0 }),
            None,
        )
    });
    let trace = Trace::read(csv::write(rows).as_bytes()).unwrap();
    let found = fit(trace.delays(), &DelayShape::ALL);
    assert!((3.0..40.0).contains(&found.distance_ms), "{found:?}");
}
