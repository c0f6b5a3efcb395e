mod checks;
mod lives;
mod other_texts;
mod rates;
mod written;

use super::*;
use crate::session_config::Shape;
use crate::tape::Tape;
use proptest::prelude::*;
use snapshot_codec::Cube;
use written::{HEADER, game, slide, slide_at};

fn read(text: &str) -> Motion {
    Motion::read(text.as_bytes()).unwrap()
}

fn arrived(motion: &Motion) -> Motion {
    let head = motion.part(0).unwrap();
    assert!(Incoming::new(&head[..head.len() - 1]).is_none());
    let mut incoming = Incoming::new(&head).unwrap();
    for part in (1..).map_while(|number| motion.part(number)) {
        assert!(!incoming.add(&part[1..]) && incoming.add(&part));
        assert!(!incoming.add(&part), "taken twice");
    }
    incoming.finish().unwrap()
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn motions_in_parts_and_as_bytes_are_the_ones_that_were_read() {
    let mut frame = vec![Cube::default(); challenge::CUBES];
    let mut capture = Vec::new();
    for x in 0..130 {
        frame.fill(Cube {
            orientation: [3, 256, 256, 256],
            position: [3 * x, 0, 102],
            ..Cube::default()
        });
        challenge::write_frame(&frame, &mut capture);
    }
    let sized = format!(
        "{HEADER},hx,hy,hz\n0,0,0,0,0,0,0,0,1,0.3,0.1,0.7\n1,0,0,0,0,0,0,0,1,0.3,0.1,0.7\n"
    );
    let texts = [slide(200), game(), slide_at(144, 3, true), sized];
    let files = texts.map(String::into_bytes).into_iter().chain([capture]);
    for file in files {
        let motion = Motion::read(&file[..]).unwrap();
        let arrived = arrived(&motion);
        assert_eq!(arrived.session_config, motion.session_config);
        assert_eq!(arrived.facts, motion.facts);
        let bytes = binary::write(&motion);
        assert_eq!(binary::write(&arrived), bytes);
        let again = Motion::read(&bytes[..]).unwrap();
        assert_eq!(again.tick_rate(), motion.tick_rate());
        for tick in 0..=motion.ticks() {
            assert_eq!(at(&arrived, tick), at(&motion, tick), "{tick}");
            if !motion.is_capture() {
                assert_eq!(at(&again, tick), at(&motion, tick), "{tick}");
            }
        }
        fuzz(&file);
    }
    assert!(Incoming::new(&[]).is_none());
}

fn refused(text: &str) -> String {
    Motion::read(text.as_bytes()).unwrap_err().to_string()
}

fn at(motion: &Motion, tick: u64) -> Vec<CubeState> {
    let mut truth = Vec::new();
    assert!(motion.truth.read(tick, &mut truth));
    truth
}

#[test]
fn rows_become_a_motion_and_what_they_do_not_say_is_worked_out() {
    let motion = read(&slide(120));
    assert_eq!((motion.objects(), motion.ticks()), (2, 120));
    assert_eq!(motion.facts.left_out_ticks, 0);
    let [moving, still] = at(&motion, 60)[..] else {
        panic!("two")
    };
    assert_eq!(moving.position, [0.5, -3.0, 0.5]);
    assert!((moving.linear_velocity[0] - 3.0).abs() < 1e-4);
    assert!(moving.interacting && !moving.at_rest);
    assert_eq!(still.position, [10.0, 20.0, 30.0]);
    assert!(!still.interacting && still.at_rest);
    // Around -2.5 to 10, -3 to 20 and 0.5 to 30: 14, 24 and 31 m in whole ones, the room to spare on both sides.
    let bounds = Bounds::new([-4, -7, 0], [12, 25, 32]);
    assert_eq!(motion.bounds(), bounds.unwrap());
    let shorter = read(&slide(119));
    assert_ne!(motion.facts.fingerprint, shorter.facts.fingerprint);
    // What has no row stays as it was, and half a second later it rests.
    let motion = read(&format!(
        "{HEADER}\n5,1,0,0,0,0,0,0,1\n6,1,1,0,0,0,0,0,1\n66,1,2,0,0,0,0,0,1\n"
    ));
    assert_eq!(motion.ticks(), 61);
    assert!(!at(&motion, 30)[0].at_rest && at(&motion, 31)[0].at_rest);
    assert_eq!(at(&motion, 60)[0].position, [1.0, 0.0, 0.0]);
}

#[test]
fn columns_come_in_any_order_and_some_are_optional() {
    let text = "\u{feff}HX,hy,hz,wx,wy,wz,object,tick,qw,qx,qy,qz,x,y,z,vx,vy,vz\r\n\
                1,2,3, 4,5,6,0,0, 1,0,0,0, 1,2,3, 7,8,9\r\n\
                1,2,3, 4,5,6,0,1, 0.999,0,0,0, 1,2,3, 7,8,9\r\n\r\n";
    let motion = read(text);
    let [cube] = at(&motion, 1)[..] else {
        panic!("one")
    };
    assert_eq!(cube.position, [1.0, 2.0, 3.0]);
    assert_eq!(cube.orientation, [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(cube.linear_velocity, [7.0, 8.0, 9.0]);
    assert_eq!(cube.angular_velocity, [4.0, 5.0, 6.0]);
    assert_eq!(motion.session_config().half_m[..], [[1.0, 2.0, 3.0]]);
}

#[test]
fn a_size_and_a_shape_for_all_objects_are_lines_above_the_names() {
    let rows = "0,0,0,0,0,0,0,0,1\n1,0,1,0,0,0,0,0,1\n";
    let session_config = |facts: &str| {
        read(&format!("{facts}{HEADER}\n{rows}"))
            .session_config()
            .clone()
    };
    let plain = session_config("");
    assert_eq!((plain.shape, plain.half_m[0]), (Shape::Box, [0.5; 3]));
    let ball = session_config("unit=cm\nsize=22\nshape=sphere\n");
    assert_eq!((ball.shape, ball.half_m[0]), (Shape::Sphere, [0.11; 3]));
    for (facts, begin) in [
        ("size=0", "the header: size is \"0\": "),
        ("size=wide", "the header: size is \"wide\": "),
        ("size=1025", "the header: size is 1025 m: "),
        ("shape=cone", "the header: shape is \"cone\": "),
    ] {
        let refused = refused(&format!("{facts}\n{HEADER}\n{rows}"));
        assert!(refused.starts_with(begin), "{refused}");
    }
    // A column of such a name is left out like any other, wherever it stands.
    let named = "size,tick,object,x,y,z\n3,0,0,0,0,0\n3,1,0,1,0,0\n";
    assert_eq!(read(named).session_config().half_m[0], [0.5; 3]);
    // The shape comes along when a motion is sent in parts, and when its jumps are found again.
    let motion = read(&format!("shape=sphere\n{HEADER}\n{rows}"));
    let mut incoming = Incoming::new(&motion.part(0).unwrap()).unwrap();
    let mut parts = (1..).map_while(|number| motion.part(number));
    assert!(parts.all(|part| incoming.add(&part)));
    assert_eq!(
        incoming.finish().unwrap().session_config().shape,
        Shape::Sphere
    );
    let again = motion.with_jumps_over(JumpSpeed::NEVER);
    assert_eq!(again.session_config().shape, Shape::Sphere);
}

#[test]
fn every_bad_row_is_refused_by_its_number_and_every_bad_header_by_name() {
    let lines = include_str!("tests/refused.txt").lines().skip(1);
    for line in lines {
        let (row, refusal) = line.split_once(" => ").expect(line);
        let text = format!("{HEADER}\n0,0,0,0,0,0,0,0,1\n{row}\n");
        assert_eq!(refused(&text), refusal);
    }
    // The same quarrel in bytes, which are not sorted.
    let mut back = binary::write(&read(&slide(3)));
    let row_bytes = (2 + 10) * 4;
    back[20 + 2 * row_bytes] = 9;
    let refused = |bytes: &[u8]| Motion::read(bytes).unwrap_err().to_string();
    assert!(refused(&back).starts_with("row 4: tick 2 comes after tick 9: "));
    let objects = (0..=OBJECTS_MAX).map(|object| format!("0,{object},0,0,0,0,0,0,1\n"));
    let many = format!("@\n{}", objects.collect::<String>());
    let wide = format!("@{}", ",".repeat(5000));
    // `@` stands for the usual header.
    let small = "@,hx,hy,hz\n0,0,0,0,0,0,0,0,1,1,0,1";
    let no_x = "it is text, and no motion: its first line is \"tick,object,team\"";
    let cut = "SLMOTION\u{1}\0\0\0\0\0\0\0cut";
    for (text, begin) in [
        (&many[..], "row 4098: more than 4096 objects at once: "),
        (small, "row 2: half a side is 0 m: "),
        (
            "tick,object,x,y,z,qx,qy,qz\n0,0,0,0,0,0,0,1",
            "the header: which column ",
        ),
        ("@,x\n0,0,0,0,0,0,0,0,1,0", "the header: which column "),
        (
            "@,vx,vy\n0,0,0,0,0,0,0,0,1,0,0",
            "the header: which column ",
        ),
        (&wide, "the header: more than 4096 columns"),
        ("tick,object,team\n", no_x),
        ("@", "0 rows of a single tick: "),
        ("@\n0,0,0,0,0,0,0,0,1", "1 rows of a single tick: "),
        (
            "SLMOTION\u{1}\0\0\0\u{10}\0\0\0",
            "version 1 with columns 16",
        ),
        ("SLMOTION\u{3}\0\0\0\0\0\0\0", "version 3 with columns 0"),
        (cut, "row 1: cut off after 3 of 36 bytes"),
    ] {
        let refused = refused(text.replace('@', HEADER).as_bytes());
        assert!(refused.starts_with(begin), "{refused}");
    }
}

#[test]
fn a_file_without_rows_and_one_that_is_too_long_are_refused() {
    let refusal = |bytes: &[u8]| Motion::read(bytes).unwrap_err().to_string();
    assert_eq!(refusal(b""), "the file is empty");
    let rate = "the rate is \"\"; a rate is a number of ticks a second, 1 to 240";
    assert_eq!(refusal(b"rate=\ntick,object"), rate);
    let long = HEADER.as_bytes().chain(std::io::repeat(b'\n'));
    let refused = Motion::read(long).unwrap_err().to_string();
    assert_eq!(refused, format!("more than {BYTES_MAX} bytes"));
}

#[test]
fn an_object_that_comes_after_the_last_tick_has_no_slot() {
    let rows = "rate=3\ntick,object,event,x,y,z\n0,1,,0,0,1\n1,2,spawn,5,0,1\n";
    let motion = read(rows);
    assert_eq!((motion.objects(), motion.ticks()), (1, 3));
    fuzz(rows.as_bytes());
}

#[test]
fn the_example_is_read() {
    let motion = Motion::read(&include_bytes!("../../../../docs/motion-example.csv")[..]).unwrap();
    assert_eq!((motion.objects(), motion.ticks()), (3, 120));
    // The wall is told of once.
    assert_eq!(at(&motion, 0)[2].position, at(&motion, 120)[2].position);
}

#[test]
fn a_packed_capture_is_a_motion_of_its_cubes() {
    let cube = |x| Cube {
        position: [x, 0, 102],
        orientation: [3, 256, 256, 256],
        ..Cube::default()
    };
    let frames = (0..20).map(|x| vec![cube(3 * x); challenge::CUBES]);
    let frames: Vec<Vec<Cube>> = frames.collect();
    let packed = crate::capture::write_packed(frames.iter().map(Vec::as_slice)).unwrap();
    let capture = Motion::read(&packed[..]).unwrap();
    assert_eq!((capture.objects(), capture.ticks()), (901, 19));
    assert!(capture.is_capture());
    assert_eq!(capture.bounds(), Bounds::DEFAULT);
    let format = challenge::format(Rung::ChangedFlags, Class::Strict).unwrap();
    for (tick, frame) in (0..).zip(&frames) {
        let there = at(&capture, tick);
        assert!(
            there
                .iter()
                .map(|cube| format.quantise(cube))
                .eq(frame.iter().copied())
        );
    }
}

#[test]
fn a_motion_that_is_too_long_is_taken_from_its_beginning() {
    let text = format!("{HEADER}\n0,0,0,0,0,0,0,0,1\n4000000000,0,1,0,0,0,0,0,1\n");
    let motion = read(&text);
    assert_eq!(motion.ticks(), 36_000);
    assert_eq!(motion.facts.left_out_ticks, 4_000_000_000 - 36_000);
    let motion = read(&format!("rate=240\n{text}"));
    assert_eq!(motion.ticks(), TICKS_MAX);
}

#[test]
#[ignore = "run by `cargo xtask test apart`: two million rows take ten seconds"]
fn a_motion_that_is_too_large_is_taken_from_its_beginning() {
    let mut text = format!("{HEADER}\n");
    for tick in 0..700 {
        for object in 0..3000 {
            // Nothing moves evenly.
            let (x, turned) = ((tick * tick + object) % 512, (tick + object) % 2);
            text += &format!("{tick},{object},{x},0,0,{turned},0,0,{}\n", 1 - turned);
        }
    }
    // Jumps have no velocities, which take room.
    let motion = Motion::read_with(text.as_bytes(), JumpSpeed::NEVER).unwrap();
    let room_bytes = MOTION_BYTES_MAX + 1..MOTION_BYTES_MAX + (8 << 20);
    assert!(room_bytes.contains(&motion.truth.bytes()));
    assert!(motion.facts.left_out_ticks > 100);
    assert_eq!(motion.ticks() + motion.facts.left_out_ticks, 699);
}

#[test]
fn velocities_that_are_clipped_are_counted() {
    // Half a metre a tick is 30 m/s, and 0.6 m are 36.
    let rows = |step: f32| {
        let rows = (0..=10).map(|tick| format!("{tick},0,0,{},0,0,0,0,1\n", tick as f32 * step));
        read(&format!("{HEADER}\n{}", rows.collect::<String>()))
    };
    assert_eq!(rows(0.5).facts.counts.clipped_velocities, 0);
    // The first tick has no step before it.
    assert_eq!(rows(0.6).facts.counts.clipped_velocities, 10);
    let given =
        format!("{HEADER},vx,vy,vz\n0,0,0,0,0,0,0,0,1,-32,31.9,0\n1,0,0,0,0,0,0,0,1,0,0,32\n");
    assert_eq!(read(&given).facts.counts.clipped_velocities, 1);
}

fn field() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (-20..20_i32).prop_map(|n| n.to_string()),
        2 => (-2000.0..2000.0_f32).prop_map(|n| n.to_string()),
        1 => Just("1".to_string()),
        1 => "[ -~]{0,6}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_rows_are_read_or_refused(
        rows in prop::collection::vec((0..9_u64, 0..3_u32, prop::collection::vec(field(), 3), any::<bool>()), 0..30),
        sorted: bool,
    ) {
        let mut rows = rows;
        if sorted {
            rows.sort_by_key(|row| row.0);
        }
        let mut text = format!("{HEADER}\n");
        for (tick, object, position, turned) in rows {
            let turn = if turned { "0,0,1,0" } else { "0,0,0,1" };
            text += &format!("{tick},{object},{},{turn}\n", position.join(","));
        }
        fuzz(text.as_bytes());
    }

    #[test]
    fn any_bytes_are_read_or_refused(
        columns in 0..17_u32,
        words in prop::collection::vec(prop_oneof![0..4_u32, (-9.0_f32..9.0).prop_map(f32::to_bits), Just(1.0_f32.to_bits()), Just(0), any::<u32>()], 0..60),
    ) {
        let mut bytes = binary::MAGIC.to_vec();
        for word in [binary::VERSION, columns].into_iter().chain(words.iter().copied()) {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        fuzz(&bytes);
        fuzz(&bytes[8..]);
    }
}
