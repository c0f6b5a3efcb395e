//! Ticks of any length: nothing is resampled.

use super::written::slide_at;
use super::{history, read};
use snapshot_record::motion::Motion;

fn report(motion: &Motion, link: &str) -> serde_json::Value {
    let (_, history) = history(motion, link);
    assert_eq!(history.last_tick(), motion.ticks());
    serde_json::to_value(history.report(0)).expect("a report is plain data")
}

#[test]
fn a_lane_takes_the_time_of_its_tape() {
    let number = |report: &serde_json::Value, key: &str| report[key].as_f64().unwrap();
    let link =
        |hz| format!("#hz={hz}&loss=0&jitter=0&latency=50&delay=100&codec=position&interp=linear");
    let [slow, fast] = [60, 240].map(|hz| read(&slide_at(hz, 10, false)));
    // The same motion at the same rate of packets costs the same, and is shown as late.
    let [on_slow, on_fast] = [&slow, &fast].map(|motion| report(motion, &link(60)));
    for key in [
        "packets_sent",
        "packets_delivered",
        "kbps_mean",
        "playout_ms",
    ] {
        assert_eq!(on_slow[key], on_fast[key], "{key}");
    }
    let behind_ms = [&on_slow, &on_fast].map(|report| number(report, "behind_ms_mean"));
    assert!((behind_ms[0] - behind_ms[1]).abs() < 20.0, "{behind_ms:?}");
    assert!(number(&on_fast, "packets_sent") == 600.0);
    // Up to a packet each tick, and no more.
    assert_eq!(number(&report(&fast, &link(240)), "packets_sent"), 2400.0);
    assert_eq!(number(&report(&slow, &link(240)), "packets_sent"), 600.0);
    let odd = read(&slide_at(50, 10, false));
    assert_eq!(number(&report(&odd, &link(20)), "packets_sent"), 200.0);
    assert_eq!(number(&report(&odd, &link(60)), "packets_sent"), 500.0);
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn every_rung_and_playout_goes_on_at_240_ticks_a_second() {
    let motion = read(&slide_at(240, 12, false));
    for codec in [
        "uncompressed",
        "at-rest",
        "changed-flags",
        "arithmetic",
        "predicted",
        "simulated",
    ] {
        for delay in ["100", "adaptive", "500"] {
            let link =
                format!("#hz=240&loss=5&jitter=20&codec={codec}&delay={delay}&interp=hermite");
            let report = report(&motion, &link);
            assert_eq!(report["decode_mismatches"], 0, "{link}");
            assert_eq!(report["decode_not_compared"], 0, "{link}");
            assert_eq!(report["packets_refused"], 0, "{link}");
            assert!(
                report["position_error_mm"]["p95"].as_f64().unwrap() < 20.0,
                "{link} {report}"
            );
        }
    }
    // Round trips of more than 256 ticks have no baseline but the initial one.
    let far = report(
        &motion,
        "#hz=20&loss=0&jitter=100&latency=500&codec=changed-flags",
    );
    assert_eq!(
        (&far["packets_refused"], &far["decode_mismatches"]),
        (&0.into(), &0.into())
    );
}
