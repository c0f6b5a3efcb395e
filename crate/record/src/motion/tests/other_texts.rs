//! Texts of other programs, and files that leave something open.

use super::*;
use snapshot_base::time::WORLD;

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
fn json_is_read_as_rows_are() {
    let array = |row: &dyn Fn(u64, f64) -> String| {
        let all: Vec<String> = (0..20).map(|tick| row(tick, tick as f64 * 0.05)).collect();
        format!("[\n{}\n]", all.join(",\n"))
    };
    let flat = |tick: u64, x: f64| {
        format!("{{\"tick\":{tick},\"id\":\"a}}\",\"x\":{x},\"y\":1,\"z\":2,\"hp\":null}}")
    };
    let nested = |tick: u64, x: f64| {
        format!(
            "{{\"t\":{},\"position\":{{\"x\":{x},\"y\":1,\"z\":2}},\"rotation\":[0,0,0,1]}}",
            tick as f64 / 60.0
        )
    };
    let frame = |tick: u64, x: f64| {
        format!(
            "{{\"tick\":{tick},\"objects\":[{{\"id\":1,\"x\":{x},\"y\":1,\"z\":2}},{{\"id\":2,\"x\":0,\"y\":0,\"z\":0}}]}}"
        )
    };
    for text in [
        array(&flat),
        rows_of(20, |tick, x| flat(tick, x) + "\n"),
        rows_of(20, |tick, x| flat(tick, x) + "\r\n\n"),
        format!("rate=60\n{}", array(&flat)),
        array(&nested),
        array(&frame),
        rows_of(20, |tick, x| frame(tick, x) + "\n"),
        format!("{{\"name\":\"x\",\"frames\":{}}}", array(&frame)),
    ] {
        let motion = read(&text);
        assert_eq!(motion.ticks(), 19, "{text}");
        let [x, y, z] = places(&motion, 10)[0];
        assert!((x - 0.5).abs() < 1e-5 && y == 1.0 && z == 2.0, "{text}");
        assert!(foreign::columns(text.as_bytes()).len() >= 4, "{text}");
        fuzz(text.as_bytes());
    }
    let motion = read(&array(&flat));
    assert_eq!(motion.name(0, Life::FIRST, 0), "a}");
    let notes = notes(&motion);
    assert!(notes.contains("columns left out: \"hp\""), "{notes}");
    let both = array(&flat).replace("\"hp\":null", "\"name\":\"bot\"");
    assert_eq!(read(&both).name(0, Life::FIRST, 0), "a}");
    let odd = array(&flat).replacen("\"x\":0.1,", "\"x\":\"?\",", 1);
    let refusal = "row 3: x is \"?\", which is no number that fits";
    assert_eq!(refused(&odd), refusal);
    for (text, refusal) in [
        ("{\"tick\":0}", "the header: it is JSON; column x "),
        ("[{\"tick\":0,\"x\":1", "it begins as JSON, and object 1 "),
        ("[{\"a\":[1,2,3,4,5,6]}]", "it is JSON without "),
    ] {
        assert!(refused(text).starts_with(refusal), "{}", refused(text));
    }
}

#[test]
fn objects_side_by_side_are_read_where_their_names_have_a_pattern() {
    let row = |tick: u64, x: f64| format!("{tick},{x},1,2,9,-{x},3,4,8\n");
    for names in [
        "tick,ball_x,ball_y,ball_z,ball_boost,car_x,car_y,car_z,car_boost",
        "tick,ball.pos.x,ball.pos.y,ball.pos.z,boost,car.pos.x,car.pos.y,car.pos.z,boost",
        "Tick,BallPosX,BallPosY,BallPosZ,Boost,CarPosX,CarPosY,CarPosZ,Boost",
        "frame,x_ball,y_ball,z_ball,boost,x_car,y_car,z_car,boost",
        "tick,x1,y1,z1,boost1,x2,y2,z2,boost2",
        "game,ball,ball,ball,ball,car,car,car,car\ntick,pos_x,pos_y,pos_z,boost,pos_x,pos_y,pos_z,boost",
        ",ball,,,,car,,,\ntick,x,y,z,boost,x,y,z,boost",
    ] {
        let text = format!("rate=60\n{names}\n{}", rows_of(30, row));
        let motion = read(&text);
        assert_eq!((motion.objects(), motion.ticks()), (2, 29), "{names}");
        let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
        let [ball, car] = places(&motion, 20)[..] else {
            panic!("two")
        };
        assert!(
            near(ball, [1.0, 1.0, 2.0]) && near(car, [-1.0, 3.0, 4.0]),
            "{names}"
        );
        let note = "objects stand side by side: ";
        assert!(notes(&motion).contains(note), "{names}");
        fuzz(text.as_bytes());
        let odd = text.replacen("\n2,0.1,", "\n2,?,", 1);
        let line = 4 + names.lines().count();
        let refusal = format!("row {line}: x is \"?\", which is no number that fits");
        assert_eq!(refused(&odd), refusal, "{names}");
    }
    // The ball does not turn, and the car is not there at first.
    let names = "rate=60\ntime,ball_x,ball_y,ball_z,car_x,car_y,car_z,car_qx,car_qy,car_qz,car_qw,car_vx,car_vy,car_vz";
    let row = |tick: u64, x: f64| {
        let car = if tick < 5 {
            ",,,,,,,,,"
        } else {
            "0,0,0,0,0,1,0,1,1,1"
        };
        format!("{:.4},{x},0,0,{car}\n", tick as f64 / 60.0)
    };
    let motion = read(&format!("{names}\n{}", rows_of(30, row)));
    assert_eq!((motion.objects(), motion.facts.counts.spawns), (2, 1));
    assert_eq!(at(&motion, 20)[1].orientation, [0.0, 0.0, 1.0, 0.0]);
    assert!(notes(&motion).contains("\"car_vx\""), "{}", notes(&motion));
}

#[test]
fn files_of_known_programs_are_named_and_other_text_is_said_to_be_text() {
    for (bytes, refusal) in [
        (&b"HIERARCHY\nROOT Hips\n{\n"[..], "it is a BVH"),
        (
            b"Format Version,1.23,Take Name,walk\n\n,Type,Rigid Body\n",
            "it is an export of Motive",
        ),
        (b"PBDEMS2\0\x01\x02", "it is a replay"),
        (
            b"\x14\0\0\0\x0c\0\0\0TAGame.Replay_Soccar_TA\0",
            "it is a replay",
        ),
        (b"\x1f\x8b\x08\0", "it is packed"),
        (
            b"1790000000,5,map,9.0,0.5,0.3\n1790000001,5,map,9.1,0.5,0.3\n",
            "the header: the first row has no names",
        ),
        (
            b"Dear diary,\nx is y\n",
            "text; its first row is \"Dear diary,\"; no column of x, y, z",
        ),
        (b"a;b;c\n1;2;3\n", "text; its first row is \"a;b;c\""),
    ] {
        let error = Motion::read(bytes).unwrap_err().to_string();
        assert!(error.starts_with(refusal), "{error}");
        let is_text = refusal.starts_with("text");
        assert_eq!(foreign::begins(bytes), !is_text, "{refusal}");
        fuzz(bytes);
    }
    assert_eq!(foreign::unknown_text(b"\x89PNG\r\n\x1a\n\0\0"), None);
    assert!(!foreign::begins(b"sent_ms,delay_ms\n0,20\n"));
}

#[test]
fn a_line_of_excel_and_a_sign_at_the_end_are_passed_over() {
    let rows = rows_of(30, |tick, x| {
        format!("{tick};1;{};0,5;2;\n", x.to_string().replace('.', ","))
    });
    let motion = read(&format!("\u{feff}sep=;\r\ntick;id;x;y;z;\r\n{rows}"));
    assert_eq!(places(&motion, 20), [[1.0, 0.5, 2.0]]);
    assert!(!notes(&motion).contains("left out"), "{}", notes(&motion));
}

#[test]
fn angles_are_left_out_and_an_assumed_rate_is_said() {
    for names in [
        "yaw,pitch,roll",
        "rot_x,rot_y,rot_z",
        "rx,ry,rz",
        "Rotation X,Rotation Y,Rotation Z",
    ] {
        let motion = read(&format!(
            "tick,id,x,y,z,{names}\n{}",
            rows_of(9, |tick, x| format!("{tick},1,{x},0,0,1.5,0,0\n"))
        ));
        assert_eq!(at(&motion, 5)[0].orientation, [0.0, 0.0, 0.0, 1.0]);
        let [left_out, angles, rate] = &motion.facts.notes[..] else {
            panic!("{:?}", motion.facts.notes)
        };
        assert!(left_out.starts_with("columns left out: \""), "{left_out}");
        assert!(angles.starts_with("angles are no orientation"), "{angles}");
        assert!(rate.starts_with("no rate is given: 60 ticks a second are assumed"));
        assert_eq!(motion.tick_rate(), WORLD);
    }
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
    assert!(motion.facts.notes[1].contains(twice));
    let doubled = text(99) + &text(99);
    let refusal = "row 403: object 7 has two rows of tick 15340, as many ";
    assert!(refused(&format!("{names}{doubled}")).starts_with(refusal));
    let times = rows_of(200, |tick, x| {
        format!("{:.3},7,{x},0,0\n", 50.0 + tick as f64 / 50.0)
    });
    let refused = refused(&format!("time,object,x,y,z\n{times}{times}"));
    let cause = "row 202: object 7 has two rows of time 50, as many";
    assert!(refused.starts_with(cause), "{refused}");
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
        (recording(30) + &recording(50), 49, "that from row 34 on"),
        (recording(50) + &recording(30), 49, "the first"),
    ] {
        let motion = read(&text);
        assert_eq!(motion.ticks(), ticks);
        let notes = notes(&motion);
        assert!(notes.contains("2 recordings in one file"), "{notes}");
        assert!(notes.contains(which), "{notes}");
    }
}

#[test]
fn times_of_day_and_dates_are_times() {
    let text = |time: &dyn Fn(f64) -> String| {
        let rows = rows_of(60, |tick, x| {
            format!("{};7;{x};0;0\n", time(tick as f64 / 20.0))
        });
        format!("time;object;x;y;z\n{rows}")
    };
    for time in [
        &(|s: f64| format!("11:59:{:06.3}", 50.0 + s)) as &dyn Fn(f64) -> String,
        &|s| format!("2026-09-20T11:59:{:06.3}Z", 50.0 + s),
        &|s| {
            // Across midnight.
            let ms = (86_398_500 + (s * 1000.0).round() as u64) % 86_400_000;
            format!(
                "{:02}:{:02}:{:02}.{:03}",
                ms / 3_600_000,
                ms / 60_000 % 60,
                ms / 1000 % 60,
                ms % 1000
            )
        },
    ] {
        let motion = read(&text(time));
        assert_eq!((motion.ticks(), motion.tick_rate().hz()), (59, 20));
        let track = track::Track::read(text(time).as_bytes(), None).unwrap();
        assert!((track.seconds() - 2.95).abs() < 1e-3);
    }
}

#[test]
fn a_unit_that_is_not_stated_and_not_likely_is_asked_for() {
    let rows = |scale: f64, head: &str| {
        let rows = rows_of(60, |tick, x| format!("{tick},7,{},0,0\n", x * scale));
        read(&format!("{head}rate=60\ntick,object,x,y,z\n{rows}"))
    };
    let asked = |motion: &Motion| motion.facts.unit_question.is_some();
    assert!(!asked(&rows(1.0, "")));
    let far = rows_of(60, |tick, x| format!("{tick},7,{},0,0\n", 1000.0 * x));
    let far = refused(&format!("tick,object,x,y,z\n{far}"));
    assert!(
        far.ends_with("inches? A first line unit=cm tells it"),
        "{far}"
    );
    for (scale, unit) in [
        (100.0, "cm"),
        (39.37, "in"),
        (300.0, "0.00333333"),
        (1.0 / 0.019, "0.019"),
    ] {
        let motion = rows(scale, "");
        assert!(asked(&motion), "{unit}");
        assert!(arrived(&motion).facts == motion.facts);
        let stated = rows(scale, &format!("unit={unit}\n"));
        assert!(
            !asked(&stated) && (places(&stated, 20)[0][0] - 1.0).abs() < 1e-3,
            "{unit}"
        );
        assert!(!asked(&rows(scale, "unit=m\n")));
    }
    let example = include_str!("../../../../../docs/motion-example.csv");
    assert!(!asked(&read(example)));
    let bricks = |half: f64| {
        let rows = rows_of(60, |tick, x| {
            format!("{tick},7,{x},0,0,{half},{half},{half}\n")
        });
        asked(&read(&format!("tick,object,x,y,z,hx,hy,hz\n{rows}")))
    };
    assert!(!bricks(1.0) && bricks(9.9) && bricks(25.0));
    for unit in ["", "parsec", "0", "-1", "nan", "1e9"] {
        let refusal = refused(&format!("unit={unit}\ntick,object,x,y,z\n"));
        let units = "it is m, cm, mm, in, ft or a number of metres";
        assert!(refusal.contains(units), "{refusal}");
    }
}
