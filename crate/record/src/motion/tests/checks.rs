//! What a motion shows by itself, each in one sentence.

use super::*;

fn notes(motion: &Motion) -> String {
    motion.facts.notes.join("; ")
}

/// The true place of an object that is thrown: 3 m/s along x, and faster along y.
fn place(seconds: f64) -> [f64; 2] {
    [3.0 * seconds, 0.4 * seconds * seconds]
}

fn row(time: f64, object: &str, at_s: f64) -> String {
    let [x, y] = place(at_s);
    format!("{time:.5},{object},{x:.4},{y:.4},0.5\n")
}

/// The greatest distance of an object from its true place, m, over the ticks from the first second on. Times of the motion may be late
/// by up to `late_s`.
fn worst_m(motion: &Motion, slot: usize, late_s: f64) -> f64 {
    let hz = f64::from(motion.tick_rate().hz());
    let off = |tick: u64, late_s: f64| {
        let [x, y, _] = at(motion, tick)[slot].position.map(f64::from);
        let [true_x, true_y] = place(tick as f64 / hz - late_s);
        ((x - true_x) * (x - true_x) + (y - true_y) * (y - true_y)).sqrt()
    };
    let least = |tick: u64| {
        (0..=20)
            .map(|part| off(tick, late_s * f64::from(part) / 20.0))
            .fold(f64::INFINITY, f64::min)
    };
    (motion.tick_rate().hz().into()..motion.ticks() - 20)
        .map(least)
        .fold(0.0, f64::max)
}

#[test]
fn drawn_frames_of_a_slower_simulation_are_its_ticks() {
    // A simulation of 60 Hz, logged at 144 drawn frames a second.
    let frames = (0..144 * 6).map(|frame| {
        // No two frames are drawn after the same time.
        let time = f64::from(frame) / 144.0 + f64::from(frame * 7 % 5) * 2e-4;
        let at_s = (time * 60.0 + 1e-9).floor() / 60.0;
        row(time, "a", at_s) + &row(time, "b", at_s)
    });
    let motion = read(&format!(
        "time,object,x,y,z\n{}",
        frames.collect::<String>()
    ));
    assert_eq!(motion.tick_rate().hz(), 60, "{}", notes(&motion));
    assert!(
        notes(&motion).contains("poses change in each 2nd to 3rd frame only"),
        "{}",
        notes(&motion)
    );
    // 5.2 m/s; drawn frames are late by up to 7 ms.
    assert!(
        worst_m(&motion, 0, 0.014) < 0.01,
        "{}",
        worst_m(&motion, 0, 0.014)
    );
}

#[test]
fn objects_that_come_in_each_sixth_frame_are_interpolated_between() {
    for is_held in [false, true] {
        let frames = (0..60 * 6).map(|frame| {
            let time = f64::from(frame) / 60.0;
            let slow_s = f64::from(frame / 6 * 6) / 60.0;
            let slow = match is_held || frame % 6 == 0 {
                true => ["b", "c", "d"]
                    .map(|object| row(time, object, slow_s))
                    .concat(),
                false => String::new(),
            };
            row(time, "a", time) + &slow
        });
        let motion = read(&format!(
            "time,object,x,y,z\n{}",
            frames.collect::<String>()
        ));
        assert_eq!(
            (motion.tick_rate().hz(), motion.objects()),
            (60, 4),
            "{}",
            notes(&motion)
        );
        assert!(
            notes(&motion).contains("poses of 3 of 4 objects come in each 6th frame only"),
            "{}",
            notes(&motion)
        );
        for slot in 0..4 {
            assert!(
                worst_m(&motion, slot, 0.0) < 0.02,
                "{is_held} {slot}: {}",
                worst_m(&motion, slot, 0.0)
            );
        }
    }
}

#[test]
fn time_that_begins_anew_makes_parts_of_which_one_is_taken() {
    let round = |seconds: u32| -> String {
        let frames = (0..60 * seconds).map(|frame| f64::from(frame) / 60.0);
        frames
            .map(|time| row(time, "a", time) + &row(time, "b", time))
            .collect()
    };
    let text = format!("time,object,x,y,z\n{}{}{}", round(2), round(4), round(3));
    let motion = read(&text);
    assert_eq!((motion.ticks(), motion.tick_rate().hz()), (239, 60));
    let note =
        "time begins anew in row 242: of 3 parts part 2 is taken, rows 242 to 721, the longest";
    assert!(notes(&motion).contains(note), "{}", notes(&motion));
    assert_eq!(read(&format!("part=3\n{text}")).ticks(), 179);
    assert!(refused(&format!("part=4\n{text}")).starts_with("the header: part is 4: there are 3"));
    // A single row out of place is no part.
    let stray = round(4).replacen("3.00000,a", "0.50000,a", 1);
    assert!(!notes(&read(&format!("time,object,x,y,z\n{stray}"))).contains("begins anew"));
    // Object after object is one motion.
    let grouped = format!(
        "time,object,x,y,z\n{}{}",
        round(2).replace(",b,", ",a2,"),
        round(2).replace(",a,", ",c,").replace(",b,", ",d,")
    );
    assert!(!notes(&read(&grouped)).contains("begins anew"));
}

#[test]
fn lost_markers_repeated_rows_and_coarse_times_are_said() {
    let frames = (0..240).map(|frame| {
        let time = f64::from(frame) / 60.0;
        match frame % 40 {
            20..25 => format!("{time:.5},a,0,0,0\n"),
            7 => row(time, "a", time).repeat(2),
            _ => row(time, "a", time),
        }
    });
    let motion = read(&format!(
        "time,object,x,y,z\n{}",
        frames.collect::<String>()
    ));
    let all = notes(&motion);
    assert!(
        all.contains("30 rows of 1 objects (the first is a) are exactly 0, 0, 0 among others"),
        "{all}"
    );
    assert!(all.contains("6 rows repeat another one exactly"), "{all}");
    assert!((0..motion.ticks()).all(|tick| at(&motion, tick)[0].position != [0.0; 3]));
    // 144 rows a second, with times in hundredths.
    let frames = (0..144 * 4).map(|frame| f64::from(frame) / 144.0);
    let rows: String = frames
        .map(|time| row((time * 100.0).floor() / 100.0, "a", time))
        .collect();
    let motion = read(&format!("time,object,x,y,z\n{rows}"));
    assert!(
        notes(&motion).contains("times are in hundredths of a second"),
        "{}",
        notes(&motion)
    );
    assert_eq!(motion.tick_rate().hz(), 144, "{}", notes(&motion));
    assert!(worst_m(&motion, 0, 0.0) < 0.05);
    let rows = |hz: f64, is_there: fn(u32) -> bool, clock: fn(f64) -> String| -> String {
        let frames = (0..300).filter(|frame| is_there(*frame));
        let row = |frame: u32| {
            let time = f64::from(frame) / hz;
            let [x, y] = place(time);
            format!("{},a,{x:.4},{y:.4},0.5\n", clock(time))
        };
        "time,object,x,y,z\n".to_owned() + &frames.map(row).collect::<String>()
    };
    // 100 rows a second, of which some are missing, are no 80.
    let many = |frame: u32| frame % 50 > 9 || frame == 0;
    for is_there in [many, |frame| frame != 150] {
        let gaps = read(&rows(100.0, is_there, |time| format!("{time:.2}")));
        assert_eq!((gaps.tick_rate().hz(), gaps.ticks()), (100, 299));
    }
    // 60 rows a second, by a clock of 32-bit floats that has run for 37 hours.
    let clock = |time: f64| (133_200.0 + time as f32).to_string();
    let motion = read(&rows(60.0, |_| true, clock));
    let all = notes(&motion);
    assert!(
        all.contains("hundredths of a second: rows are taken as even, 60.0"),
        "{all}"
    );
    assert_eq!(motion.tick_rate().hz(), 60);
    assert!(worst_m(&motion, 0, 0.0) < 0.05);
}

#[test]
fn what_names_and_numbers_leave_open_is_asked() {
    let rows = |row: fn(usize) -> String| (0..60).map(row).collect::<String>();
    for (text, question) in [
        (
            "time,drone,x,y,z\n".to_owned()
                + &rows(|at| format!("{},{},1,2,3\n", 0.1 * (at / 3) as f64, at % 3)),
            "40 rows share a time with the row before, and no column is named object",
        ),
        (
            "tick,timestamp,x,y,z\n".to_owned() + &rows(|at| format!("{at},{},1,2,3\n", 50 * at)),
            "how many ticks a second?",
        ),
        (
            "time,id,x,y,z\n".to_owned() + &rows(|at| format!("{at},0,1,2,3\n")),
            "time goes on by exactly 1",
        ),
    ] {
        let refusal = Motion::read(text.as_bytes()).unwrap_err().to_string();
        assert!(refusal.contains(question), "{refusal}");
    }
}

/// A log that was rotated goes on below its names.
#[test]
fn names_that_come_again_while_time_goes_on_begin_no_part() {
    let names = "time,id,x,y,z\n";
    let rows = |ticks: std::ops::Range<u32>| -> String {
        ticks
            .map(|tick| format!("{},0,{tick},2,3\n", f64::from(tick) / 20.0))
            .collect()
    };
    let text = names.to_owned() + &rows(0..40) + names + &rows(40..80);
    let motion = Motion::read(text.as_bytes()).unwrap();
    assert_eq!(motion.ticks(), 79);
}
