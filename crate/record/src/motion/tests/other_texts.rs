//! Texts of other programs, and files that leave something open: they are asked about.

use super::*;

fn notes(motion: &Motion) -> String {
    motion.facts.notes.join("; ")
}

/// Rows of one object at 3 m/s, each as `row` writes it from the tick.
fn rows_of(count: u64, row: impl Fn(u64, f64) -> String) -> String {
    (0..count)
        .map(|tick| row(tick, tick as f64 * 0.05))
        .collect()
}

fn places(motion: &Motion, tick: u64) -> Vec<[f32; 3]> {
    at(motion, tick).iter().map(|cube| cube.position).collect()
}

#[test]
fn flat_json_is_read_as_rows_are() {
    let flat = |tick: u64, x: f64| {
        format!("{{\"tick\":{tick},\"id\":\"a}}\",\"x\":{x},\"y\":1,\"z\":2,\"hp\":null}}")
    };
    let lines = rows_of(20, |tick, x| flat(tick, x) + "\r\n\n");
    let all: Vec<String> = (0..20).map(|tick| flat(tick, tick as f64 * 0.05)).collect();
    let array = format!("[\n{}\n]", all.join(",\n"));
    for text in [&array, &lines, &format!("rate=60\n{array}")] {
        let motion = read(text);
        assert_eq!(
            (motion.ticks(), motion.name(0, Life::FIRST, 0)),
            (19, "a}".to_string())
        );
        assert_eq!(places(&motion, 10), [[0.5, 1.0, 2.0]]);
        assert!(
            notes(&motion).contains("columns left out: \"hp\""),
            "{}",
            notes(&motion)
        );
        assert!(asked(text.as_bytes()).is_some_and(|asked| asked.columns.len() == 6));
        fuzz(text.as_bytes());
    }
    for (text, refusal) in [
        (
            "[{\"tick\":0,\"position\":{\"x\":1}}]",
            "it is JSON, and object 1 is cut off or has more than plain",
        ),
        ("[{\"tick\":0,\"x\":1", "it is JSON, and object 1 "),
        (
            "[{\"a\":1,\"b\":2}]",
            "the header: which column is which? It has \"a\", \"b\"",
        ),
    ] {
        assert!(refused(text).starts_with(refusal), "{}", refused(text));
    }
}

#[test]
fn what_is_no_table_shows_its_first_line_and_what_is_one_is_asked_about() {
    for (bytes, refusal) in [
        (
            &b"HIERARCHY\nROOT Hips\n{\n"[..],
            "it is text, and no motion: its first line is \"HIERARCHY\"",
        ),
        (
            b"Dear diary,\nx is y\n",
            "it is text, and no motion: its first line is \"Dear diary,\"",
        ),
        (b"PBDEMS2\0\x01\x02", NEITHER),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", NEITHER),
        (b"\0\0\0\0", NEITHER),
        (b"\x1f\x8b\x08\0", "it is packed by gzip"),
        (
            b"1790000000,5,map,9.0,0.5,0.3\n1790000001,5,map,9.1,0.5,0.3\n",
            "the header: which column is which? It has \"column 1\"",
        ),
        (
            b"a;b;c\n1;2;3\n",
            "the header: which column is which? It has \"a\", \"b\", \"c\", first 1, 2, 3.",
        ),
        (
            b"tick,seconds,object,x,y,z\n1,0.1,a,1,2,3\n",
            "the header: which column is which? It has \"tick\", \"seconds\"",
        ),
        (
            b"tick,a_x,a_y,a_z,b_x,b_y,b_z\n1,1,2,3,1,2,3\n",
            "the header: which",
        ),
    ] {
        let error = Motion::read(bytes).unwrap_err().to_string();
        assert!(error.starts_with(refusal), "{error}");
        assert!(!csv::is_known(bytes));
        fuzz(bytes);
    }
}

/// Rows of a quaternion whose first number is w, of an object that lies on its side.
fn w_first() -> String {
    let rows = rows_of(30, |tick, x| {
        format!("{:.4},crate,{x},1,2,1,0,0,0\n", tick as f64 / 60.0)
    });
    format!("time,body,pos[0],pos[1],pos[2],quat[0],quat[1],quat[2],quat[3]\n{rows}")
}

#[test]
fn a_line_of_words_answers_what_is_asked() {
    let text = w_first();
    let asked = refused(&text);
    let line = "columns=time_s,object,x,y,z,q0,q1,q2,q3 and order=wxyz";
    assert!(asked.contains(line), "{asked}");
    let [upright, lying] = ["wxyz", "xyzw"].map(|order| {
        let lines = line.replace(" and ", "\n").replace("wxyz", order);
        let motion = read(&format!("{lines}\nunit=cm\n{text}"));
        assert_eq!(motion.name(0, Life::FIRST, 0), "crate");
        assert!((places(&motion, 20)[0][0] - 0.01).abs() < 1e-6);
        at(&motion, 20)[0].orientation
    });
    assert_eq!(
        (upright, lying),
        ([0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0])
    );
    // Without the order nothing is guessed.
    let unordered = refused(&format!("columns=time_s,object,x,y,z,q0,q1,q2,q3\n{text}"));
    assert!(
        unordered.starts_with("the header: which column"),
        "{unordered}"
    );
    for (line, refusal) in [
        ("columns=time_s,wide", "the header: columns has \"wide\""),
        ("columns=x,x,y,z,tick", "the header: which column"),
        (
            "columns=tick,object,x,y,z,-,-,-,-,-",
            "the header: columns= has 10 words, where there are 9",
        ),
        (
            "order=wzyx",
            "the header: order is \"wzyx\": it is wxyz or xyzw",
        ),
        ("part=0", "the header: part is \"0\""),
    ] {
        let error = refused(&format!("{line}\n{text}"));
        assert!(error.starts_with(refusal), "{error}");
    }
    // Rows without names.
    let raw = rows_of(30, |tick, x| format!("{tick};a;{x};0;0\n"));
    assert_eq!(
        places(&read(&format!("columns=tick,object,x,y,z\n{raw}")), 20),
        [[1.0, 0.0, 0.0]]
    );
}

#[test]
fn ticks_that_come_twice_are_told_by_the_file_s_number_and_the_later_row_counts() {
    let text = |twice: u64| {
        rows_of(200, |tick, x| {
            let number = 15_340 + tick;
            let row = |x: f64| format!("{number},7,{x},0,0\n0{number},8,0,0,0\n");
            let again = if tick % 40 == twice {
                row(x + 1.0)
            } else {
                String::new()
            };
            row(x) + &again
        })
    };
    let names = "rate=60\ntick,object,x,y,z\n";
    let motion = read(&format!("{names}{}", text(22)));
    assert!((places(&motion, 22)[0][0] - 2.1).abs() < 1e-5);
    let twice = "in row 49 (object 7 has two rows of tick 15362)";
    assert!(notes(&motion).contains(twice), "{}", notes(&motion));
    assert!(
        notes(&motion).contains("5 rows repeat another one exactly"),
        "{}",
        notes(&motion)
    );
    let doubled = rows_of(200, |tick, x| {
        format!("{tick},7,{x},0,0\n{tick},7,{},0,0\n", x + 1.0)
    });
    let refusal = "row 4: object 7 has two rows of tick 0, as 200 of 400 rows are a second one";
    assert_eq!(refused(&format!("{names}{doubled}")), refusal);
}

#[test]
fn of_two_recordings_in_one_file_the_longer_is_taken() {
    let recording = |count| {
        format!(
            "rate=60\ntick,object,x,y,z\n{}",
            rows_of(count, |tick, x| format!("{tick},7,{x},0,0\n"))
        )
    };
    for (text, ticks, which) in [
        (
            recording(30) + &recording(50),
            49,
            "in row 35: of 2 parts part 2 is taken, rows 35 to 84, the longest",
        ),
        (
            recording(50) + &recording(30),
            49,
            "in row 55: of 2 parts part 1 is taken, rows 3 to 52, the longest",
        ),
        (
            "part=1\n".to_owned() + &recording(30) + &recording(50),
            29,
            "in row 36: of 2 parts part 1 is taken, rows 4 to 33;",
        ),
    ] {
        let motion = read(&text);
        assert_eq!(motion.ticks(), ticks);
        let notes = notes(&motion);
        assert!(notes.contains(which), "{notes}");
    }
}

#[test]
fn times_of_day_go_on_past_midnight() {
    let time = |s: f64| match s < 1.5 {
        true => format!("23:59:{:06.3}", 58.5 + s),
        false => format!("00:00:{:06.3}", s - 1.5),
    };
    let rows = rows_of(60, |tick, x| {
        format!("{};7;{x};0;0\n", time(tick as f64 / 20.0))
    });
    let text = format!("time;object;x;y;z\n{rows}");
    let motion = read(&text);
    assert_eq!((motion.ticks(), motion.tick_rate().hz()), (59, 20));
    let track = track::Track::read(text.as_bytes(), None).unwrap();
    assert!((track.seconds() - 2.95).abs() < 1e-3);
}

#[test]
fn unit_and_axes_are_assumed_only_where_they_are_not_given() {
    let rows = |scale: f64, head: &str| {
        let rows = rows_of(60, |tick, x| format!("{tick},7,{},0,0\n", x * scale));
        format!("{head}rate=60\ntick,object,x,y,z\n{rows}")
    };
    for (head, said) in [
        (
            "",
            "no unit and no axes are given: metres are assumed, and z as up",
        ),
        ("unit=m\n", "no axes are given: z is taken as up"),
        ("hand=left\n", "no unit is given: metres are assumed"),
    ] {
        assert!(notes(&read(&rows(1.0, head))).contains(said), "{head}");
    }
    assert!(!notes(&read(&rows(1.0, "unit=m\nup=z\n"))).contains("given"));
    let far = refused(&rows(1000.0, ""));
    assert!(
        far.ends_with("If these are no metres, a first line such as unit=cm says so"),
        "{far}"
    );
    let inches = read(&rows(39.37, "unit=in\n"));
    assert!(
        (places(&inches, 20)[0][0] - 1.0).abs() < 1e-3 && arrived(&inches).facts == inches.facts
    );
    for unit in ["", "parsec", "0", "-1", "nan", "1e9"] {
        let refusal = refused(&format!("unit={unit}\ntick,object,x,y,z\n"));
        let units = "it is m, cm, mm, in, ft or a number of metres";
        assert!(refusal.contains(units), "{refusal}");
    }
}
