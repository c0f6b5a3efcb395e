//! Ticks of any length: nothing is resampled.

use super::*;
use crate::analysis::ladder::climb;
use crate::run::history::LaneHistory;
use crate::settings::permalink;
use snapshot_netsim::channel::Given;

/// One object slides along x at 3 m/s for so many seconds. Where ticks are given as times, they are in whole ms.
fn slide_at(hz: u32, seconds: u32, times: bool) -> String {
    let names = if times {
        HEADER.replace("tick", "time")
    } else {
        HEADER.to_string()
    };
    let mut text = if times {
        String::new()
    } else {
        format!("rate={hz}\n")
    };
    text += &format!("{names}\n");
    for tick in 0..=hz * seconds {
        let at = f64::from(tick) / f64::from(hz);
        let when = if times {
            format!("{:.3}", 7.0 + at)
        } else {
            tick.to_string()
        };
        text += &format!("{when},0,{},0,0,0,0,0,1\n", 3.0 * at);
    }
    text
}

fn refusal(text: &str) -> String {
    Motion::read(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn the_rate_is_said_before_the_columns_or_by_times() {
    for hz in [10, 24, 50, 60, 144, 240] {
        for times in [false, true] {
            let motion = read(&slide_at(hz, 3, times));
            assert_eq!(motion.tick_rate().hz(), hz, "{times}");
            assert_eq!((motion.ticks(), motion.seconds()), (3 * u64::from(hz), 3.0));
            let [cube] = at(&motion, u64::from(hz))[..] else {
                panic!("one")
            };
            assert!(
                (cube.linear_velocity[0] - 3.0).abs() < 0.02,
                "{hz} {cube:?}"
            );
            let again = Motion::read(&binary::write(&motion)[..]).unwrap();
            assert_eq!(again.tick_rate(), motion.tick_rate());
            let mut incoming = Incoming::new(&motion.part(0).unwrap()).unwrap();
            assert!(
                (1..)
                    .map_while(|number| motion.part(number))
                    .all(|part| incoming.add(&part))
            );
            assert_eq!(incoming.finish().unwrap().agreed, motion.agreed);
        }
    }
    // It rests half a second after it stops.
    let still = "rate=240\ntick,object,x,y,z,qx,qy,qz,qw\n0,0,0,0,0,0,0,0,1\n1,0,1,0,0,0,0,0,1\n200,0,1,0,0,0,0,0,1\n";
    let motion = read(still);
    assert!(!at(&motion, 120)[0].at_rest && at(&motion, 121)[0].at_rest);
    for line in ["rate,240", "Rate = 240", "\"rate\";\"240\""] {
        assert_eq!(read(&still.replace("rate=240", line)).tick_rate().hz(), 240);
    }
    // 60 said is 60 not said.
    let (said, unsaid) = (
        slide_at(60, 2, false),
        slide_at(60, 2, false).replace("rate=60\n", ""),
    );
    assert_eq!(binary::write(&read(&said)), binary::write(&read(&unsaid)));
}

#[test]
fn rates_and_times_that_cannot_be_are_refused_in_words() {
    for (line, told) in [
        (
            "rate=9",
            "the rate is 9: it is a whole number of ticks a second, 10 to 240",
        ),
        (
            "rate=241",
            "the rate is 241: it is a whole number of ticks a second, 10 to 240",
        ),
        (
            "rate=59.94",
            "the rate is 59.94: it is a whole number of ticks a second, 10 to 240",
        ),
        (
            "rate=",
            "the rate is : it is a whole number of ticks a second, 10 to 240",
        ),
    ] {
        let text = slide_at(60, 1, false).replace("rate=60", line);
        assert_eq!(refusal(&text), told);
    }
    let rows = |times: &[&str]| {
        let rows = times.iter().map(|time| format!("{time},0,0,0,0,0,0,0,1\n"));
        format!(
            "time,object,x,y,z,qx,qy,qz,qw\n{}",
            rows.collect::<String>()
        )
    };
    for (times, told) in [
        // The frames of a renderer.
        (
            &["0", "0.02", "0.04", "0.0512"][..],
            "row 4: time 0.0400 s is 4.9 ms off a tick of 89 Hz",
        ),
        (&["0", "0.02", "0.04", "0.02"], "row 5: tick "),
        (&["0", "5", "10"], "the rate is 0.2 by the times"),
        (
            &["0", "0", "0"],
            "the rate is not told: all times are the same",
        ),
        (&["0", "0.001"], "the rate is 1000.0 by the times"),
        (
            &["0", "x", "0.1"],
            "row 3: time is \"x\", which is no number that fits",
        ),
        (
            &["0", "1e999", "0.1"],
            "row 3: time is \"1e999\", which is no number that fits",
        ),
    ] {
        let refused = refusal(&rows(times));
        assert!(refused.starts_with(told), "{times:?}: {refused}");
    }
    let both = rows(&["0", "1"]).replace("time,object", "time,tick");
    assert_eq!(refusal(&both), "the header: tick or time comes twice");
    // Ticks without rows are no longer ticks.
    let gaps = read(&rows(&["0", "0.02", "0.04", "0.5", "0.52"]));
    assert_eq!((gaps.tick_rate().hz(), gaps.ticks()), (50, 26));
    let mut bytes = binary::write(&gaps);
    bytes[16] = 9;
    let refused = Motion::read(&bytes[..]).unwrap_err().to_string();
    assert!(refused.starts_with("the rate is 9: "), "{refused}");
}

fn report(motion: &Motion, link: &str) -> serde_json::Value {
    let tape = Tape::of_motion(motion, motion.ticks());
    let (settings, notices) = permalink::parse(link);
    assert_eq!(notices, []);
    let mut history = LaneHistory::new(&tape, &settings.lane(), &Given::default(), 0);
    while history.advance(&tape) {}
    assert_eq!(history.last_tick(), motion.ticks());
    serde_json::to_value(history.report(0)).unwrap()
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

#[test]
fn analyses_count_seconds_of_the_tape() {
    let [slow, fast] = [60, 240].map(|hz| {
        let motion = read(&slide_at(hz, 8, false));
        let settings = permalink::parse("#hz=20&loss=0&jitter=0").0;
        let mut tape = Tape::of_motion(&motion, motion.ticks());
        let rows = climb(
            &mut tape,
            &settings,
            &Given::default(),
            0,
            motion.ticks(),
            |_| (),
        );
        assert_eq!(rows.last_tick, motion.ticks());
        rows.rows
    });
    for (slow, fast) in slow.iter().zip(&fast) {
        assert_eq!((slow.packets, fast.packets), (160, 160));
        // Baselines are nearly as old, at other ticks.
        assert!(
            (slow.kbps / fast.kbps - 1.0).abs() < 0.1,
            "{slow:?} {fast:?}"
        );
    }
}
