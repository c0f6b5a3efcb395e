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
fn base_scale_loss_and_burst_of_a_generated_trace_are_found_again() {
    let (mut worst, mut worst_of_chance): ([f64; 2], [f64; 2]) = ([0.0; 2], [0.0; 2]);
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
        let told = format!("{shape:?} {loss} {burst} {seed}: {found:?}");
        assert_eq!(found.shape, shape, "{told}");
        let errors = [error(found.latency_ms, 40.0), error(found.jitter_ms, 8.0)];
        assert!(errors.iter().all(|error| *error < 0.1), "{told}");
        // Of few losses the trace itself has more or fewer than were asked for: its errors are the sample's.
        let errors_of_chance = [error(found.loss, loss), error(found.burst_packets, burst)];
        let sampling = (2.0 * burst / (36_000.0 * loss)).sqrt();
        let most = f64::max(0.1, 3.0 * sampling);
        assert!(errors_of_chance.iter().all(|error| *error < most), "{told}");
        for (worst, error) in worst.iter_mut().zip(errors) {
            *worst = worst.max(error);
        }
        for (worst, error) in worst_of_chance.iter_mut().zip(errors_of_chance) {
            *worst = worst.max(error);
        }
        assert!(found.distance_ms < 0.5, "{told}");
    }
    println!("latency and jitter {worst:?}, loss and burst {worst_of_chance:?}");
}

/// Ten minutes hold few losses: at 1 % their number varies by 5 % itself. So a found value has three errors. Beside the trace's
/// own losses there is none. The mean over many traces is the model's. A single trace is as far from the model as chance is.
#[test]
fn losses_and_bursts_are_the_traces_own_and_the_models_on_average() {
    const SEEDS: u32 = 40;
    for (loss, burst) in [
        (0.01, 1.0),
        (0.01, 3.0),
        (0.02, 2.0),
        (0.05, 1.0),
        (0.2, 5.0),
    ] {
        let conditions = Conditions {
            loss,
            burst_packets: burst,
            ..Conditions::PERFECT
        };
        let (mut errors, mut burst_errors) = (Vec::new(), Vec::new());
        for seed in 0..SEEDS {
            let trace = generated(conditions, 1000 + seed);
            let rows = trace.delays().rows();
            let (found, found_burst) = losses(rows);
            // Counted in another way than the fit does.
            let lost: Vec<bool> = rows.iter().map(|row| row.lost).collect();
            let count = lost.iter().filter(|lost| **lost).count() as f64;
            let starts = lost.windows(2).filter(|two| !two[0] && two[1]).count();
            let starts = (starts + usize::from(lost[0])) as f64;
            assert_eq!(found, count / 36_000.0);
            assert!(found_burst == 1.0 || found_burst == count / starts);
            errors.push(found / loss - 1.0);
            burst_errors.push(found_burst / burst - 1.0);
        }
        let told = |errors: &[f64]| {
            let of = errors.len() as f64;
            let mean = errors.iter().sum::<f64>() / of;
            let squares = errors.iter().map(|error| (error - mean) * (error - mean));
            let within = errors.iter().filter(|error| error.abs() <= 0.1).count();
            (mean, (squares.sum::<f64>() / of).sqrt(), within)
        };
        let (mean, deviation, within) = told(&errors);
        let (burst_mean, burst_deviation, burst_within) = told(&burst_errors);
        println!(
            "loss {loss} burst {burst}: loss {mean:.3} +- {deviation:.3}, {within} of {SEEDS} within 10 %; \
             burst {burst_mean:.3} +- {burst_deviation:.3}, {burst_within}"
        );
        // Runs of losses are geometric, so their lengths vary as much as their mean.
        let chance = ((2.0 * burst - 1.0) * (1.0 - loss) / (36_000.0 * loss)).sqrt();
        let of_mean = 3.0 * chance / f64::from(SEEDS).sqrt();
        assert!(mean.abs() < of_mean && mean.abs() < 0.1, "{mean} {of_mean}");
        assert!(
            (0.6..1.5).contains(&(deviation / chance)),
            "{deviation} {chance}"
        );
        assert!(burst_mean.abs() < 0.1, "{burst_mean}");
        // 10 % are 1.9 standard deviations of 1 % single losses.
        if chance < 0.06 {
            assert!(
                within >= 34 && burst_within >= 34,
                "{within} {burst_within}"
            );
        }
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
        let trace = Trace::read(text.as_bytes()).unwrap();
        let found = fit(trace.delays(), &DelayShape::ALL);
        assert!(found.distance_ms < 1.0, "{text}: {found:?}");
        assert!(found.latency_ms.is_finite() && found.jitter_ms >= 0.0);
    }
    let steady = Trace::read(b"0,20\n10,20").unwrap();
    let found = fit(steady.delays(), &DelayShape::ALL);
    assert_eq!((found.latency_ms, found.jitter_ms), (20.0, 0.0));
    assert_eq!((found.shape, found.distance_ms), (DelayShape::Uniform, 0.0));
}

#[test]
fn a_shape_that_is_none_of_ours_is_told_by_its_distance() {
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
