//! Ticks of any length: nothing is resampled.

use super::written::slide_at;
use super::*;

#[test]
fn the_rate_is_said_before_the_columns_or_by_times() {
    for hz in [10, 24, 50, 60, 144, 240] {
        for times in [false, true] {
            let motion = read(&slide_at(hz, 3, times));
            assert_eq!(motion.tick_rate().hz(), hz, "{times}");
            assert_eq!((motion.ticks(), motion.seconds()), (3 * u64::from(hz), 3.0));
            let cube = at(&motion, u64::from(hz))[0];
            let off_m_s = cube.linear_velocity[0] - 3.0;
            assert!(off_m_s.abs() < 0.02, "{hz} {cube:?}");
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
    let said = slide_at(60, 2, false);
    let unsaid = said.replace("rate=60\n", "");
    assert_eq!(binary::write(&read(&said)), binary::write(&read(&unsaid)));
}

#[test]
fn rates_and_times_that_cannot_be_are_refused_in_words() {
    for value in ["0.5", "241", "", "x"] {
        let text = slide_at(60, 1, false).replace("rate=60", &format!("rate={value}"));
        let cause = format!("the rate is \"{value}\"; a rate is a number of ticks a ");
        assert!(refused(&text).starts_with(&cause), "{cause}");
    }
    for (line, hz, note) in [
        ("rate=59.94", 60, "59.94 Hz is played as 60 Hz"),
        ("rate=9", 10, "9.00 Hz: resampled to 10 Hz"),
        ("rate=14.3", 20, "14.30 Hz: resampled to 20 Hz"),
    ] {
        let motion = read(&slide_at(60, 1, false).replace("rate=60", line));
        assert_eq!(motion.tick_rate().hz(), hz);
        assert_eq!(motion.facts.notes.last().map(String::as_str), Some(note));
    }
    let rows = |times: &[&str]| {
        let rows = times.iter().map(|time| format!("{time},0,0,0,0,0,0,0,1\n"));
        "time,object,x,y,z,qx,qy,qz,qw\n".to_string() + &rows.collect::<String>()
    };
    for (times, cause) in [
        (&["0", "0", "0"][..], "the rate is not told, "),
        (&["0", "x", "0.1"], "row 3: time is \"x\", "),
        (&["0", "1e999", "0.1"], "row 3: time is \"1e999\", "),
    ] {
        let refused = super::refused(&rows(times));
        assert!(refused.starts_with(cause), "{times:?}: {refused}");
    }
    // The frames of a renderer, in any order. A pose between two frames is interpolated.
    let text = format!("{HEADER}\n").replace("tick", "time");
    let frames = [0.0, 0.013, 0.030, 0.0512, 0.0621, 0.1];
    let row = |at: &f64| format!("{at},0,{},0,0,0,0,0,1\n", 3.0 * at);
    let motion = read(&(text + &frames.iter().rev().map(row).collect::<String>()));
    assert_eq!((motion.tick_rate().hz(), motion.ticks()), (60, 6));
    for tick in 0..=6 {
        let x = at(&motion, tick)[0].position[0];
        assert!((x - tick as f32 * 0.05).abs() < 1e-4, "{tick}: {x}");
    }
    let notes = &motion.facts.notes;
    let last = notes.last().expect("a note");
    assert!(last.contains("resampled to 60 Hz"), "{notes:?}");
    // A number that is no time in seconds is asked about, unless its name tells the unit.
    let long = super::refused(&rows(&["0", "5", "10"]));
    assert!(
        long.starts_with("the header: time goes on by 5 from row to row"),
        "{long}"
    );
    let ms = rows(&["0", "5", "10"]).replace("time", "time_ms");
    assert_eq!(read(&ms).tick_rate().hz(), 200);
    let both = rows(&["0", "1"]).replace("time,object", "time,tick");
    assert!(super::refused(&both).starts_with("the header: which column is which? "));
    // Ticks without rows are no longer ticks.
    let gaps = read(&rows(&["0", "0.02", "0.04", "0.5", "0.52"]));
    assert_eq!((gaps.tick_rate().hz(), gaps.ticks()), (50, 26));
    let mut bytes = binary::write(&gaps);
    bytes[16] = 9;
    let refused = Motion::read(&bytes[..]).unwrap_err().to_string();
    assert!(refused.starts_with("the rate is 9; "), "{refused}");
}

#[test]
fn uneven_rows_after_one_that_is_refused_begin_at_the_first_that_is_taken() {
    let time = |row: u32| f64::from(row) / 50.0 + f64::from(row * 7 % 5) * 3e-3;
    let rows = (0..300).map(|row| {
        let w = if row < 2 { 0 } else { 1 };
        format!("{},0,{},0,0,0,0,0,{w}\n", time(row), 3.0 * time(row))
    });
    let names = HEADER.replace("tick", "time");
    let motion = read(&format!("{names}\n{}", rows.collect::<String>()));
    let notes = motion.facts.notes.join("; ");
    assert!(notes.contains("resampled to 60 Hz; 2 rows are"), "{notes}");
    for tick in 0..=motion.ticks() {
        let x = f64::from(at(&motion, tick)[0].position[0]);
        let expected = 3.0 * (time(2) + tick as f64 / 60.0);
        assert!((x - expected).abs() < 1e-3, "{tick}: {x}");
    }
}
