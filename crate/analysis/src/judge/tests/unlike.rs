//! Files in another unit or other axes, with gaps, and with clocks that are set anew.

use super::*;

/// Places of an object on its way, m.
fn way(object: u32, at_s: f64) -> [f64; 3] {
    let own = f64::from(object);
    let wave = |speed: f64, phase: f64| libm::sin(speed * at_s + phase * own);
    [
        4.0 * wave(0.9, 0.7) + 1.5 * wave(2.3, 0.2),
        3.0 * wave(1.1, 1.1) + wave(1.9, 2.0),
        1.0 + 0.6 * wave(1.7, 0.4),
    ]
}

/// A file of these frames, each a time in the file and the instant that it shows.
fn file(
    objects: u32,
    frames: impl Iterator<Item = (f64, f64)>,
    change: impl Fn([f64; 3]) -> [f64; 3],
) -> Track {
    let mut text = "time,id,x,y,z\n".to_owned();
    for (at_s, shown_s) in frames {
        for object in 1..=objects {
            let [x, y, z] = change(way(object, shown_s));
            text += &format!("{at_s:.5},{object},{x:.4},{y:.4},{z:.4}\n");
        }
    }
    Track::read(text.as_bytes(), None).unwrap()
}

fn frames(seconds: f64) -> impl Iterator<Item = (f64, f64)> {
    (0..(seconds * 60.0) as u32).map(|tick| (f64::from(tick) / 60.0, f64::from(tick) / 60.0))
}

/// Frames of a client whose picture is 120 ms old.
fn drawn(seconds: f64) -> impl Iterator<Item = (f64, f64)> {
    frames(seconds)
        .skip(60)
        .map(|(at_s, shown_s)| (at_s, shown_s - 0.12))
}

fn own(position: [f64; 3]) -> [f64; 3] {
    position
}

fn judged(server: &Track, client: &Track) -> Judgement {
    judge(server, client, 50.0).unwrap().judgement
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn files_in_another_unit_or_other_axes_are_recognised_and_taken_so() {
    let server = file(3, frames(20.0), own);
    type Change = fn([f64; 3]) -> [f64; 3];
    let changes: [(Change, &str, &str); 7] = [
        (
            |at| at.map(|part| part * 100.0),
            "100 times the server's: centimetres?",
            "--scale 0.01",
        ),
        (
            |at| at.map(|part| part / 0.0254),
            "39.37 times the server's: inches?",
            "--scale 0.0254",
        ),
        (
            |at| at.map(|part| part / 100.0),
            "0.01 times the server's: is the server's file in centimetres?",
            "--scale 100",
        ),
        (
            |[x, y, z]| [x, z, -y],
            "turned: its x,-z,y are",
            "--axes=x,-z,y",
        ),
        (
            |[x, y, z]| [x, -y, z],
            "mirrored: its x,-y,z are",
            "--axes=x,-y,z",
        ),
        (
            |[x, y, z]| [100.0 * y, 100.0 * z, 100.0 * x],
            "100 times the server's: centimetres?; turned: its z,x,y",
            "--scale 0.01 --axes=z,x,y",
        ),
        (
            |[x, y, z]| [x + 7.0, y, z - 2.5],
            "moved by 7, 0, -2.5 m",
            "--move=-7,0,2.5",
        ),
    ];
    for (change, expected, options) in changes {
        let mut client = file(3, drawn(20.0), change);
        let error = judge(&server, &client, 50.0).err().expect(expected);
        let text = error.to_string();
        assert!(
            text.starts_with("the client's positions are ") && text.contains(expected),
            "{text}"
        );
        assert!(text.ends_with(options), "{text}");
        let similarity = error.similarity.unwrap();
        assert_eq!(similarity.axes.to_string().parse(), Ok(similarity.axes));
        assert_eq!(
            Similarity::of_options(&similarity.options()),
            Ok(similarity)
        );
        similarity.apply(&mut client);
        let judged = judged(&server, &client);
        assert!(
            (judged.delay_ms - 120.0).abs() < 1.0,
            "{expected}: {}",
            judged.delay_ms
        );
        assert!(
            judged.error_mm.p95 < 25.0,
            "{expected}: {:?}",
            judged.error_mm
        );
    }
    // One that fits, and one that never does.
    let fits = file(3, drawn(20.0), own);
    assert!(judged(&server, &fits).error_mm.p95 < 1.0);
    let other = file(
        3,
        drawn(20.0).map(|(at_s, shown_s)| (at_s, 3.3 * shown_s + 40.0)),
        own,
    );
    assert!(judge(&server, &other, 50.0).is_ok());
}

#[test]
fn a_picture_that_leaps_at_each_frame_is_judged() {
    let server = file(3, frames(20.0), own);
    let leaps = drawn(20.0).map(|(at_s, _)| (at_s, 1000.0 * libm::sin(777.0 * at_s)));
    let judged = judged(&server, &file(3, leaps, own));
    // The way is some 8 m wide, and the picture shows any place of it.
    let error_mm = judged.error_mm.mean;
    assert!((1_000.0..8_000.0).contains(&error_mm), "{error_mm}");
    assert!(judged.delay_ms.is_finite());
}

#[test]
fn orientations_are_turned_with_the_axes() {
    // A quarter turn about the client's y axis, which is the server's z.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let text =
        "time,id,x,y,z,qx,qy,qz,qw\n0,1,1,2,3,0,0.70710678,0,0.70710678\n1,1,1,2,3,0,0,0,1\n";
    for (axes, position, turned) in [
        ("x,-z,y", [1.0, -3.0, 2.0], [0.0, 0.0, half, half]),
        ("x,z,y", [1.0, 3.0, 2.0], [0.0, 0.0, -half, half]),
    ] {
        let mut track = Track::read(text.as_bytes(), None).unwrap();
        let axes = axes.parse().unwrap();
        Similarity {
            axes,
            ..Similarity::default()
        }
        .apply(&mut track);
        let sample = track.objects[0].samples[0];
        assert_eq!(sample.position, position);
        let off = sample
            .orientation
            .iter()
            .zip(turned)
            .map(|(a, b)| (a - b).abs());
        assert!(off.fold(0.0, f32::max) < 1e-6, "{sample:?}");
    }
    for text in ["", "x,y", "x,y,y", "x,y,w", "a"] {
        assert!(text.parse::<Axes>().is_err());
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_time_without_a_frame_is_a_freeze() {
    let server = file(3, frames(20.0), own);
    let without = |from_s: f64, to_s: f64| {
        let all = drawn(20.0).filter(move |(at_s, _)| !(from_s..to_s).contains(&(at_s + 0.001)));
        judged(&server, &file(3, all, own)).freezes
    };
    for (to_s, ms) in [(12.0, 4000.0), (8.3, 300.0), (8.1, 100.0)] {
        let [freeze] = without(8.0, to_s)[..] else {
            panic!("{ms}: {:?}", without(8.0, to_s))
        };
        assert!(
            (freeze.ms - ms).abs() < 1.0 && (freeze.at_s - 8.0).abs() < 0.01,
            "{freeze:?}"
        );
    }
    assert!(without(8.0, 8.03).is_empty());
    // Frames that stand, and then none: one freeze.
    let all = drawn(20.0).filter(|(at_s, _)| !(9.0..10.0).contains(&(at_s + 0.001)));
    let all = all.map(|(at_s, shown_s)| match at_s {
        8.0..9.0 => (at_s, 7.98 - 0.12),
        _ => (at_s, shown_s),
    });
    let freezes = judged(&server, &file(3, all, own)).freezes;
    let [freeze] = freezes[..] else {
        panic!("{freezes:?}")
    };
    assert!((freeze.ms - 2000.0).abs() < 40.0, "{freeze:?}");
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_clock_that_is_set_anew_is_told_and_parts_the_figures() {
    let server = file(3, frames(30.0), own);
    for by_s in [2.5, -0.4, 100.0] {
        let all = drawn(30.0).map(|(at_s, shown_s)| {
            let moved_s = if at_s < 14.999 { 0.0 } else { by_s };
            (at_s + moved_s, shown_s)
        });
        let client = file(3, all, own);
        let judged = judged(&server, &client);
        let [step] = judged.clock_steps[..] else {
            panic!("{by_s}: {:?}", judged.clock_steps)
        };
        assert!((step.ms - by_s * 1000.0).abs() < 25.0, "{by_s}: {step:?}");
        assert!(
            judged.freezes.is_empty() && judged.corrections == 0,
            "{by_s}: {:?}",
            judged.freezes
        );
        assert!(judged.error_mm.p95 < 15.0, "{by_s}: {:?}", judged.error_mm);
        if by_s > 0.0 {
            let delays: Vec<f64> = judged
                .parts
                .iter()
                .map(|part| part.delay_ms.round())
                .collect();
            assert_eq!(delays, [120.0, 120.0 + by_s * 1000.0]);
        }
        assert!(!JudgementWords::new(&judged).lists.is_empty());
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_rate_that_is_not_told_is_asked_for_where_60_does_not_fit() {
    let ticks = |hz: u32, head: &str| {
        let mut text = format!("{head}tick,id,x,y,z\n");
        for tick in 0..12 * hz {
            for object in 1..4 {
                let [x, y, z] = way(object, f64::from(tick) / f64::from(hz));
                text += &format!("{tick},{object},{x:.4},{y:.4},{z:.4}\n");
            }
        }
        Track::read(text.as_bytes(), None).unwrap()
    };
    let client = file(3, drawn(12.0), own);
    for hz in [30, 128] {
        let error = judge(&ticks(hz, ""), &client, 50.0)
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.starts_with("the server's file has ticks and tells no rate"),
            "{error}"
        );
        let judged = judged(&ticks(hz, &format!("rate={hz}\n")), &client);
        assert!((judged.delay_ms - 120.0).abs() < 1.0);
    }
    assert!(judge(&ticks(60, ""), &client, 50.0).is_ok());
}

#[test]
fn names_that_do_not_fit_are_asked_about() {
    let file = |shift: u32, late_s: f64| {
        let rows = (0..360).flat_map(|frame| {
            (0..6_u32).map(move |id| {
                let at_s = f64::from(frame) / 60.0;
                let [x, y, z] = way(id * id + 1, at_s - late_s);
                format!("{at_s:.4},{},{x:.4},{y:.4},{z:.4}\n", id + shift)
            })
        });
        let text = format!("time,id,x,y,z\n{}", rows.collect::<String>());
        Track::read(text.as_bytes(), None).unwrap()
    };
    let server = file(100, 0.0);
    let shifted = judge(&server, &file(102, 0.1), 50.0)
        .err()
        .expect("refused")
        .to_string();
    assert!(
        shifted.starts_with("the names do not fit: the client's 10"),
        "{shifted}"
    );
    assert!(
        shifted.contains("the client's 105 moves as the server's 103"),
        "{shifted}"
    );
    assert!(judge(&server, &file(100, 0.1), 50.0).is_ok());
}
