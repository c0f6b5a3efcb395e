use super::*;
use crate::ladder::{climb, rungs};
use crate::testing::{driving, report, settings, tape_of};
use snapshot_codec::Class;

fn tape(objects: u32, moving: u32) -> Tape {
    Tape::of_motion(&driving(objects, moving, 6.0), 240)
}

fn verdict(tape: &Tape, link: &str, window: [u64; 2]) -> Verdict {
    let (settings, inputs) = (settings(link), LinkInputs::default());
    Verdict::new(tape, &settings, &inputs, Limits::default(), window)
}

fn answer(tape: &Tape, link: &str) -> Answer {
    let window = [0, tape.last_tick()];
    run(&mut verdict(tape, link, window), tape)
}

fn run(verdict: &mut Verdict, tape: &Tape) -> Answer {
    let mut share = 0.0;
    while verdict.step(tape) {
        assert!(verdict.share() >= share);
        share = verdict.share();
    }
    assert!((verdict.share() - 1.0).abs() < 1e-9, "{}", verdict.share());
    verdict.answer(tape).unwrap()
}

/// Plays the settings of a verdict's link again.
fn played(tape: &Tape, settings: &Settings) -> InterpolationResult {
    let span = TickSpan::stored(tape);
    playing::play(tape, settings, &LinkInputs::default(), span).played
}

/// Six objects, judged with several requests: each measurement is made once for all of them.
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn the_verdict_on_six_objects_is_what_its_lanes_and_ladders_say() {
    let mut tape = tape(6, 6);
    let link = "#jitter=0&loss=0";
    let mut verdict = verdict(&tape, link, [0, 240]);
    let answer = run(&mut verdict, &tape);
    assert_eq!(verdict.parts(), 2);
    it_is_at_the_recommended_rate(&mut tape, link, &answer);
    bits_balance_by_their_surface_error(&tape, &mut verdict, &answer);
    the_recommended_rate_is_the_cheapest_within_the_limits(&tape, &mut verdict);
}

fn limited(tape: &Tape, verdict: &mut Verdict, limits: Limits) -> Answer {
    verdict.set_limits(limits);
    while verdict.step(tape) {}
    verdict.answer(tape).unwrap()
}

fn it_is_at_the_recommended_rate(tape: &mut Tape, link: &str, answer: &Answer) {
    let rates = answer.rates.as_ref().unwrap();
    let hz = answer.window.send_rate_hz;
    assert_eq!(rates.recommended.point.rate_hz, hz);
    assert_eq!(rates.recommended.point.played, answer.taken.played);
    assert!(answer.engines.iter().all(|row| row.equal.rate_hz == hz));
    let bits = answer.widths.surface.taken;
    let bits = format!("pos={}&rot={}", bits.position_bits, bits.orientation_bits);
    let at_rate = settings(&format!("{link}&hz={hz}&{bits}"));
    let (span, all) = (TickSpan::stored(tape), rungs(tape, &[Class::Chained]));
    let rows = climb(
        tape,
        &at_rate,
        &LinkInputs::default(),
        span,
        &all,
        &mut |_, _| (),
    )
    .rows;
    assert_eq!(answer.rungs, rows);
    // No object jumps, so the errors are those of a lane with the settings to take, which the link gives.
    let taken = settings(&answer.link);
    assert_eq!(u32::from(answer.rung.number), taken.rung() as u32);
    assert_eq!(answer.motion.jumps, 0);
    assert_eq!(answer.taken.kbps, report(tape, &taken).kbps_mean);
    assert_eq!(answer.taken.played, played(tape, &taken));
    // The bits are the cheapest at that rate, too.
    assert_eq!(answer.widths.rate_hz, hz);
    // Three delays, of which nothing freezes with the last, and two of them with the other ways.
    assert_eq!(answer.tried.len(), 7);
    let mut all: Vec<u32> = rates.points.iter().map(|point| point.rate_hz).collect();
    all.dedup();
    assert_eq!(all, [10, 20, 30, 60]);
    let on_front = rates.points.iter().filter(|point| point.on_front);
    assert!(on_front.clone().all(|point| point.calm) && on_front.count() > 0);
}

fn the_recommended_rate_is_the_cheapest_within_the_limits(tape: &Tape, verdict: &mut Verdict) {
    let mut recommended = |limits: Limits| {
        let answer = limited(tape, verdict, limits);
        let (rates, taken) = (answer.rates.unwrap(), settings(&answer.link));
        let point = &rates.recommended.point;
        assert_eq!(point.kbps, report(tape, &taken).kbps_mean);
        assert_eq!(point.played, played(tape, &taken));
        rates
    };
    let fine = |most_mm| Limits {
        view_mm: Some(most_mm),
        ..Limits::default()
    };
    let by_position = recommended(fine(1000.0));
    let coarse = by_position.recommended;
    assert_eq!((coarse.point.rate_hz, coarse.broken.len()), (10, 0));
    let least_mm = by_position
        .points
        .iter()
        .map(|point| point.played.position_error_mm_p95);
    let least_mm = least_mm.fold(f64::MAX, f64::min);
    let finest = recommended(fine(least_mm)).recommended;
    assert!(finest.point.kbps > coarse.point.kbps && finest.broken.is_empty());
    let short = recommended(Limits {
        delay_ms: Some(70.0),
        ..fine(1000.0)
    });
    assert_eq!(short.recommended.point.rate_hz, 30);
    let cheap = recommended(Limits {
        kbps: Some(coarse.point.kbps / 2.0),
        ..fine(1000.0)
    });
    assert_eq!(cheap.recommended.broken, ["kbit/s"]);
    let both = recommended(Limits {
        kbps: Some(coarse.point.kbps),
        ..fine(least_mm)
    });
    let why = &both.recommended.why;
    assert_eq!(why.matches(" of delay break ").count(), 2, "{why}");
    assert!(
        why.starts_with("Nothing keeps all limits.") && why.contains("kbit/s ("),
        "{why}"
    );
    let young = recommended(Limits {
        age_ms: Some(coarse.point.played.behind_ms - 1.0),
        ..fine(1000.0)
    });
    assert!(young.recommended.broken.is_empty() && young.recommended.point.rate_hz > 10);
    assert_eq!(cheap.recommended.point, coarse.point);
}

fn bits_balance_by_their_surface_error(tape: &Tape, verdict: &mut Verdict, answer: &Answer) {
    let surface = &answer.widths.surface;
    // Without a limit no corner is farther off than with the bits that are set, and nothing is dearer.
    assert_eq!(surface.wanted_mm, surface.set.surface_mm);
    assert_eq!(
        (surface.set.position_bits, surface.set.orientation_bits),
        (9, 9)
    );
    assert!(surface.kept && surface.taken.surface_mm <= surface.wanted_mm);
    assert!(surface.taken.kbps <= surface.set.kbps);
    let linked = settings(&answer.link);
    assert_eq!(
        Bits::from_settings(&linked),
        surface.taken.bits(),
        "{}",
        answer.link
    );
    // A limit gives quantisation half of it, and the view keeps all of it.
    let of = |surface_mm| Limits {
        surface_mm: Some(surface_mm),
        ..Limits::default()
    };
    let [coarse, fine] = [40.0, 4.0].map(|mm| limited(tape, verdict, of(mm)));
    for (answer, mm) in [(&coarse, 40.0), (&fine, 4.0)] {
        let surface = &answer.widths.surface;
        assert_eq!(surface.wanted_mm, mm / 2.0);
        assert!(surface.taken.surface_mm <= mm / 2.0, "{surface:?}");
    }
    assert!(coarse.taken.kbps < fine.taken.kbps);
    let advice = coarse.rates.unwrap().recommended;
    assert!(advice.broken.is_empty() && advice.point.played.surface_error_mm_p95 <= 40.0);
    // What no bits keep is named, with the finest.
    let never = limited(tape, verdict, of(0.001));
    assert!(!never.widths.surface.kept && never.widths.surface.taken.position_bits == 12);
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn delays_are_distinct_and_go_on_until_nothing_freezes() {
    let tape = tape(2, 2);
    let answer = answer(&tape, "#link=4g-moving");
    let tried = &answer.tried;
    let linear = tried.iter().filter(|played| played.mode == "linear");
    let linear: Vec<&InterpolationResult> = linear.collect();
    assert!(
        linear
            .windows(2)
            .all(|two| two[0].delay_ms < two[1].delay_ms)
    );
    assert!(
        linear
            .windows(2)
            .all(|two| two[0].behind_ms < two[1].behind_ms)
    );
    let last = linear.last().unwrap();
    assert!(
        last.freezes.most == 0 || last.delay_ms == 2000.0,
        "{last:?}"
    );
    let before = &linear[..linear.len() - 1];
    assert!(before.iter().skip(3).all(|played| played.freezes.most > 0));
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_motion_without_change_and_a_world_of_ours_have_a_verdict() {
    let still = answer(&tape(3, 0), "#hz=10");
    assert_eq!((still.motion.moving_share, still.rungs.len()), (0.0, 14));
    let settings = settings("#scene=katamari&grid=6&hz=30");
    let world = Tape::record(&settings, 180);
    let answer = answer(&world, "#scene=katamari&grid=6&hz=30&mtu=576");
    assert!(answer.link.contains("scene=katamari"));
    assert!(answer.rungs[0].packets_over_mtu > 0 && answer.mtu_bytes == 576);
}

#[test]
fn a_jump_is_no_error_of_any_way() {
    // Held for a send interval before each jump, a third of the time.
    let answer = jumping(20);
    assert_eq!(answer.motion.jumps, 6);
    for played in &answer.tried {
        assert!(played.surface_error_mm_p95 < 5.0, "{played:?}");
        assert!(played.apart > 0 && played.compared > 20, "{played:?}");
    }
    assert!(answer.motion.speed_max_m_s < 3.1);
}

/// The verdict on an object that goes along x at 3 m/s, and jumps 50 m aside every so many ticks.
fn jumping(every: u32) -> Answer {
    let row = |tick: u32| {
        let aside = 50 * (tick / every);
        let event = if tick > 0 && tick.is_multiple_of(every) {
            "jump"
        } else {
            ""
        };
        format!(
            "{tick},0,{},{aside},0,0,0,0,1,{event}\n",
            0.05 * f64::from(tick)
        )
    };
    let tape = tape_of(&(0..=120).map(row).collect::<String>());
    answer(&tape, "#hz=10&jitter=0&loss=0")
}

#[test]
fn no_time_and_a_time_without_packets_or_objects_have_no_verdict() {
    let long =
        "0,0,0,0,0,0,0,0,1,\n1,0,,,,,,,,end\n90,1,0,0,0,0,0,0,1,spawn\n99,1,1,0,0,0,0,0,1,\n";
    let short = "0,0,0,0,0,0,0,0,1,\n1,0,1,0,0,0,0,0,1,\n";
    for (rows, window) in [(short, [0, 1]), (long, [1, 80]), (long, [95, 95])] {
        let tape = tape_of(rows);
        let mut verdict = verdict(&tape, "#hz=10", window);
        while verdict.step(&tape) {}
        assert_eq!(verdict.answer(&tape), None, "{rows}");
    }
}

#[test]
fn nothing_that_turns_leaves_the_bits_of_orientations_alone() {
    let row = |tick: u32| {
        format!(
            "{tick},0,{},2,1,0,0,0.3826834,0.9238795,\n",
            0.05 * f64::from(tick)
        )
    };
    let tape = tape_of(&(0..=120).map(row).collect::<String>());
    let answer = answer(&tape, "");
    assert!(!answer.motion.turns);
    let surface = answer.widths.surface;
    assert_eq!(surface.taken.orientation_bits, surface.set.orientation_bits);
}

/// Ends of every kind, over the same network.
const ENDS: [&str; 5] = [
    "",
    "hz=1&pos=1&rot=2&interp=none",
    "hz=60&pos=12&rot=12&interp=hermite&codec=predicted&class=strict",
    "strategy=lockstep&delay=40",
    "codec=uncompressed&delay=none&pos=5",
];

#[test]
fn no_slider_of_an_end_shapes_a_verdict() {
    let ended = |ends: &str| {
        let link = format!("#loss=5&latency=80&jitter=20&{ends}");
        with_default_ends(&settings(&link))
    };
    for ends in ENDS {
        assert_eq!(ended(ends), ended(""), "{ends}");
    }
    assert_eq!(ended("").text(Key::Loss), "5");
}
