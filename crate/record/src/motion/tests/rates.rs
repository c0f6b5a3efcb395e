//! Ticks of any length: nothing is resampled.

use super::written::slide_at;
use super::*;

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
            "the rate is \"9\"; a rate is a whole number of ticks a second, 10 to 240",
        ),
        (
            "rate=241",
            "the rate is \"241\"; a rate is a whole number of ticks a second, 10 to 240",
        ),
        (
            "rate=59.94",
            "the rate is \"59.94\"; a rate is a whole number of ticks a second, 10 to 240",
        ),
        (
            "rate=",
            "the rate is \"\"; a rate is a whole number of ticks a second, 10 to 240",
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
        (
            &["0", "0.02", "0.04", "0.02"],
            "row 5: time 0.02 s comes after time 0.04 s",
        ),
        (&["0", "5", "10"], "the rate is 0.2 by the times"),
        (
            &["0", "0", "0"],
            "the rate is not told, as all times are the same",
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
    assert!(refused.starts_with("the rate is 9; "), "{refused}");
}
