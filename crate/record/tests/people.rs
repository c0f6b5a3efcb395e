//! Motions as people have them: the sentences about each, in `people.txt`.

use snapshot_record::motion::{self, Motion, csv};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/people");

/// Reads a file's motion below more lines of facts.
fn with(facts: &str, name: &str) -> Result<Motion, String> {
    let mut bytes = facts.as_bytes().to_vec();
    bytes.extend(std::fs::read(format!("{FOLDER}/{name}")).expect("each named file is there"));
    Motion::read(&bytes[..]).map_err(|refused| refused.to_string())
}

/// Objects, rate, length and notes of a file, or its refusal.
fn describe(name: &str) -> String {
    match with("", name) {
        Ok(motion) => {
            let (objects, hz) = (motion.objects(), motion.tick_rate().hz());
            let head = format!("{objects} objects, {hz} Hz, {:.2} s", motion.seconds());
            let notes = motion.facts.notes.iter().cloned();
            Vec::from_iter([head].into_iter().chain(notes)).join("; ")
        }
        Err(refused) => format!("refused: {refused}"),
    }
}

#[test]
fn each_file_is_told_as_it_is() {
    let lines = include_str!("people.txt").lines();
    let files = std::fs::read_dir(FOLDER).expect("the files are there");
    assert_eq!(files.count(), lines.clone().count(), "a line for each file");
    for line in lines {
        let (name, expected) = line.split_once(": ").expect("a name and a sentence");
        assert_eq!(describe(name), expected, "{name}");
    }
}

#[test]
fn a_solvers_noise_and_a_negative_quaternion_are_rest() {
    let motion = with("", "solver-noise.csv").expect("it is read");
    let tape = snapshot_record::tape::Tape::of_motion(&motion, motion.ticks());
    let rests: Vec<bool> = tape.newest().iter().map(|cube| cube.at_rest).collect();
    assert_eq!(rests, [false, true]);
}

#[test]
fn a_person_says_what_ends_without_a_word() {
    let stands = with("silent=stand\n", "ends-without-a-word.csv").expect("it is read");
    let ends = with("silent=end\n", "ends-without-a-word.csv").expect("it is read");
    assert_eq!((stands.facts.counts.ends, ends.facts.counts.ends), (0, 1));
    let [_, rate] = &ends.facts.notes[..] else {
        panic!("{:?}", ends.facts.notes)
    };
    assert!(rate.starts_with("no rate is given"), "{rate}");
    let refused = with("silent=perhaps\n", "ends-without-a-word.csv").unwrap_err();
    assert!(refused.contains("it is end or stand"), "{refused}");
}

#[test]
fn a_flat_game_has_two_axes_where_a_person_says_so() {
    let rows = |tick: u32| format!("{tick};7;{};2\n", f64::from(tick) / 8.0);
    let rows: String = (0..60).map(rows).collect();
    let read = |head: &str| Motion::read(format!("{head}{rows}").as_bytes());
    let asked = read("rate=60\ntick;object;x;y\n").unwrap_err().to_string();
    assert!(asked.contains("two of them in a flat game"), "{asked}");
    let motion = read("rate=60\nup=y\ncolumns=tick,object,x,y\ntick;object;x;y\n");
    let motion = motion.expect("it is read");
    let tape = snapshot_record::tape::Tape::of_motion(&motion, motion.ticks());
    // y points up in the file.
    assert_eq!(tape.newest()[0].position, [7.375, 0.0, 2.0]);
    let notes = motion.facts.notes.join("; ");
    assert!(notes.contains("there is no z: it is 0"), "{notes}");
    assert!(read("rate=60\ncolumns=tick,object,x\na;b;c;d\n").is_err());
}

#[test]
fn a_person_says_which_column_is_which() {
    let rows = |names: &str| {
        let row = |tick: u32| format!("{tick};a;1,5;2;{};0;0;0;1;90;0;0\n", tick);
        let rows: String = (0..60).map(row).collect();
        format!("{names}\n{rows}")
    };
    let plain = rows("tick;object;x;y;z;qx;qy;qz;qw;wx;wy;wz");
    let odd = rows("Bild;Wer;Hoch;y;x;i;j;k;real;dreh x;dreh y;dreh z");
    let facts = "columns=tick,object,x,y,z,qx,qy,qz,qw,wx,wy,wz\nangle=deg\n";
    let mapped = Motion::read(format!("{facts}{odd}").as_bytes()).expect("it is read");
    let plain = Motion::read(format!("angle=deg\n{plain}").as_bytes()).expect("it is read");
    let first = |motion: &Motion| {
        let tape = snapshot_record::tape::Tape::of_motion(motion, motion.ticks());
        tape.newest()[0]
    };
    assert_eq!(first(&mapped), first(&plain));
    // As the page does it, over facts that were wrong.
    let below = csv::with_facts(format!("angle=rad\ncolumns=tick\n{odd}").as_bytes(), facts);
    let below = Motion::read(&below[..]).expect("it is read");
    assert_eq!(first(&below), first(&plain));
    let guesses = |text: &str| -> Vec<_> {
        let asked = motion::asked(text.as_bytes()).expect("it is a table");
        let columns = asked.columns.into_iter();
        columns.map(|column| column.guess).take(6).collect()
    };
    assert_eq!(guesses(&odd), ["-", "-", "-", "y", "x", "-"]);
    let by_fact = guesses(&format!("columns=tick,object,x\n{odd}"));
    assert_eq!(by_fact, ["tick", "object", "x", "-", "-", "-"]);
    let off = first(&mapped).angular_velocity[0] - std::f32::consts::FRAC_PI_2;
    assert!(off.abs() < 1e-3, "{off}");
    assert_eq!(mapped.facts.notes, plain.facts.notes);
    let refused = Motion::read(odd.as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("Hoch"), "{refused}");
}
