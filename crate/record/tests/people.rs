//! Motions as people have them: the sentences about each.

use snapshot_record::motion::{Motion, csv};

/// Objects, rate, length and notes of a file, or its refusal.
fn told(name: &str) -> String {
    let path = format!("{}/tests/people/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("each named file is there");
    match Motion::read(&bytes[..]) {
        Ok(motion) => {
            let (objects, hz) = (motion.objects(), motion.tick_rate().hz());
            let head = format!("{objects} objects, {hz} Hz, {:.2} s", motion.seconds());
            let notes = motion.facts.notes.iter().map(String::as_str);
            [&head[..]]
                .into_iter()
                .chain(notes)
                .collect::<Vec<_>>()
                .join("; ")
        }
        Err(refused) => format!("refused: {refused}"),
    }
}

#[test]
fn each_file_is_told_as_it_is() {
    for (name, told_of_it) in [
        (
            "59.94-hz.csv",
            "2 objects, 60 Hz, 0.98 s; 59.94 Hz is played as 60 Hz",
        ),
        ("bullets.csv", "7 objects, 60 Hz, 1.98 s"),
        (
            "ends-without-a-word.csv",
            "2 objects, 60 Hz, 1.98 s; 1 object without rows at the end stands; a first line silent=end ends it",
        ),
        (
            "euler.csv",
            "refused: the header: three angles for an orientation are Euler angles, whose order each engine has otherwise: write its quaternion as qx, qy, qz, qw, or leave the angles out",
        ),
        (
            "every-third-tick.csv",
            "2 objects, 20 Hz, 1.95 s; rows at every third tick: taken as 20 Hz",
        ),
        (
            "far-and-one-nan.csv",
            "1 objects, 60 Hz, 2.48 s; far from the origin: moved by -260007, 3000, 0 m; 1 row is left out, the first row 79: x is \"NaN\", which is no number that fits",
        ),
        (
            "frame-times.csv",
            "3 objects, 60 Hz, 1.20 s; uneven steps of 4.2 to 33 ms: resampled to 60 Hz",
        ),
        ("german-excel.csv", "2 objects, 60 Hz, 0.65 s"),
        (
            "grouped-by-object.csv",
            "3 objects, 60 Hz, 0.48 s; 2 rows come after rows of a later instant: all are sorted",
        ),
        (
            "nanoseconds-one-object.csv",
            "1 objects, 60 Hz, 0.98 s; times are taken as nanoseconds",
        ),
        ("quoted-decimals.csv", "1 objects, 60 Hz, 0.98 s"),
        (
            "quoted-every-second.csv",
            "1 objects, 25 Hz, 1.96 s; rows at every second tick: taken as 25 Hz",
        ),
        ("solver-noise.csv", "2 objects, 60 Hz, 0.98 s"),
        (
            "spaces-50-hz.txt",
            "1 objects, 50 Hz, 0.98 s; there are no orientations: nothing turns",
        ),
        ("unity-instance-ids.csv", "3 objects, 60 Hz, 0.48 s"),
        (
            "unity-names.tsv",
            "1 objects, 60 Hz, 0.65 s; columns left out: \"Health\"",
        ),
        (
            "unreal-5-hz.csv",
            "1 objects, 10 Hz, 3.80 s; there are no orientations: nothing turns; 5.00 Hz: resampled to 10 Hz",
        ),
    ] {
        assert_eq!(told(name), told_of_it, "{name}");
    }
}

#[test]
fn a_solvers_noise_and_a_negative_quaternion_are_rest() {
    let path = format!(
        "{}/tests/people/solver-noise.csv",
        env!("CARGO_MANIFEST_DIR")
    );
    let motion = Motion::read(&std::fs::read(path).expect("it is there")[..]).expect("it is read");
    let tape = snapshot_record::tape::Tape::of_motion(&motion, motion.ticks());
    let rests: Vec<bool> = tape.newest().iter().map(|cube| cube.at_rest).collect();
    assert_eq!(rests, [false, true]);
}

/// A motion of a file below more lines of facts.
fn with(facts: &str, name: &str) -> Result<Motion, String> {
    let path = format!("{}/tests/people/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut bytes = facts.as_bytes().to_vec();
    bytes.extend(std::fs::read(path).expect("each named file is there"));
    Motion::read(&bytes[..]).map_err(|refused| refused.to_string())
}

#[test]
fn a_person_says_what_ends_without_a_word() {
    let stands = with("silent=stand\n", "ends-without-a-word.csv").expect("it is read");
    let ends = with("silent=end\n", "ends-without-a-word.csv").expect("it is read");
    assert_eq!((stands.facts.counts.ends, ends.facts.counts.ends), (0, 1));
    assert!(ends.facts.notes.is_empty(), "{:?}", ends.facts.notes);
    let refused = with("silent=perhaps\n", "ends-without-a-word.csv").unwrap_err();
    assert!(refused.contains("it is end or stand"), "{refused}");
}

#[test]
fn a_person_says_which_column_is_which() {
    let rows = |names: &str| {
        let row = |tick: u32| format!("{tick};a;1,5;2;{};0;0;0;1;90;0;0\n", f64::from(tick) / 60.0);
        let rows: String = (0..60).map(row).collect();
        format!("{names}\n{rows}")
    };
    let plain = rows("tick;object;x;y;z;qx;qy;qz;qw;wx;wy;wz");
    let odd = rows("Bild;Wer;Hoch;y;x;i;j;k;real;dreh x;dreh y;dreh z");
    let facts = "tick=Bild\nobject=Wer\nx=Hoch\nz=x\nqx=i\nqy=j\nqz=k\nqw=real\nwx=dreh x\nwy=dreh y\nwz=dreh z\nvx=\nangle=deg\n";
    let mapped = Motion::read(format!("{facts}{odd}").as_bytes()).expect("it is read");
    let plain = Motion::read(format!("angle=deg\n{plain}").as_bytes()).expect("it is read");
    let first = |motion: &Motion| {
        let tape = snapshot_record::tape::Tape::of_motion(motion, motion.ticks());
        tape.newest()[0]
    };
    assert_eq!(first(&mapped), first(&plain));
    // As the page does it, over facts that were wrong.
    let below = csv::with_facts(format!("angle=rad\nx=y\n{odd}").as_bytes(), facts);
    let below = Motion::read(&below[..]).expect("it is read");
    assert_eq!(first(&below), first(&plain));
    let holds = |text: &str| {
        csv::columns(text.as_bytes())
            .into_iter()
            .map(|column| column.holds)
    };
    let by_name: Vec<Option<&str>> = holds(&odd).collect();
    assert_eq!(by_name[..6], [None, None, None, Some("y"), Some("x"), None]);
    let by_fact: Vec<Option<&str>> = holds(&format!("x=Hoch\n{odd}")).collect();
    assert_eq!(by_fact[..6], [None, None, Some("x"), Some("y"), None, None]);
    let turns = first(&mapped).angular_velocity[0];
    assert!(
        (turns - std::f32::consts::FRAC_PI_2).abs() < 1e-3,
        "{turns}"
    );
    assert_eq!(mapped.facts.notes, plain.facts.notes);
    let refused = Motion::read(odd.as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("Hoch"), "{refused}");
}
