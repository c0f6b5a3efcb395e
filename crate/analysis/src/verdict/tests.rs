use super::*;
use crate::ladder::climb;
use snapshot_lane::history::LaneHistory;
use snapshot_settings::permalink;
use synthetic::Synthetic;

fn tape(objects: u32, moving: u32) -> Tape {
    let motion = Synthetic::new(objects, moving, 6.0).motion().unwrap();
    Tape::of_motion(&motion, 240)
}

fn settings(link: &str) -> Settings {
    let (settings, notices) = permalink::parse(link);
    assert_eq!(notices, []);
    settings
}

fn answer(tape: &Tape, link: &str, wanted: Wanted) -> Answer {
    let window = [0, tape.last_tick()];
    let mut verdict = Verdict::new(tape, &settings(link), &Given::default(), wanted, window);
    let mut share = 0.0;
    while verdict.work(tape) {
        assert!(verdict.share() >= share);
        share = verdict.share();
    }
    assert!((verdict.share() - 1.0).abs() < 1e-9, "{}", verdict.share());
    verdict.answer(tape).unwrap()
}

#[test]
fn its_rungs_are_the_ladders_and_its_errors_the_lanes() {
    let mut tape = tape(12, 8);
    let link = "#hz=20&jitter=0&loss=0&class=strict";
    let told = answer(&tape, link, Wanted::default());
    let rows = climb(
        &mut tape,
        &settings(link),
        &Given::default(),
        0,
        240,
        |_| (),
    );
    let ladder = rows
        .rows
        .iter()
        .filter(|row| row.class.is_none_or(|class| class == "strict"));
    let ladder: Vec<_> = ladder.map(|row| (row.rung, row.kbps)).collect();
    assert_eq!(
        told.rungs
            .iter()
            .map(|row| (row.rung, row.kbps))
            .collect::<Vec<_>>(),
        ladder
    );
    // No object jumps, so the errors are those of a lane with the settings to take, which the link gives.
    let taken = settings(&told.link);
    assert_eq!(u32::from(told.rung.number), taken.get(Key::Codec));
    let mut history = LaneHistory::new(&tape, &taken.lane(), &Given::default(), 0);
    while history.advance(&tape) {}
    let report = history.report(0);
    assert_eq!(told.motion.jumps, 0);
    assert_eq!(told.taken.kbps, report.kbps_mean);
    assert_eq!(
        told.taken.played.position_error_mm_p95,
        report.position_error_mm.p95
    );
    assert_eq!(
        told.taken.played.orientation_error_deg_p95,
        report.orientation_error_deg.p95
    );
    assert_eq!(told.interpolation.tried.len(), 9);
}

#[test]
fn a_wanted_error_gives_the_bits_and_the_same_bits_give_nothing_to_do() {
    let tape = tape(6, 6);
    let wanted = |position_mm| Wanted {
        position_mm: Some(position_mm),
        orientation_deg: Some(0.1),
    };
    let link = "#hz=20&jitter=0&loss=0";
    let coarse = answer(&tape, link, wanted(20.0));
    let fine = answer(&tape, link, wanted(0.5));
    assert!(coarse.widths.position_bits.bits < fine.widths.position_bits.bits);
    assert!(coarse.widths.position_bits.error_max <= 20.0 && coarse.widths.kept);
    assert!(coarse.rung.kbps < fine.rung.kbps);
    assert_eq!(
        settings(&fine.link).get(Key::PositionBits),
        fine.widths.position_bits.bits
    );
    let mut verdict = Verdict::new(
        &tape,
        &settings(link),
        &Given::default(),
        wanted(0.5),
        [0, 240],
    );
    while verdict.work(&tape) {}
    verdict.want(wanted(0.55));
    assert!(!verdict.work(&tape) && verdict.answer(&tape).is_some());
    verdict.want(wanted(20.0));
    assert!(verdict.answer(&tape).is_none());
    while verdict.work(&tape) {}
    assert_eq!(verdict.answer(&tape), Some(coarse));
    verdict.want(wanted(0.0001));
    while verdict.work(&tape) {}
    assert!(!verdict.answer(&tape).unwrap().widths.kept);
}

#[test]
fn a_motion_without_change_and_a_world_of_ours_have_a_verdict() {
    let still = answer(&tape(3, 0), "#hz=10", Wanted::default());
    assert_eq!((still.motion.moving_share, still.rungs.len()), (0.0, 14));
    let settings = settings("#scene=katamari&grid=6&hz=30");
    let world = Tape::record(&settings, 180);
    let told = answer(
        &world,
        "#scene=katamari&grid=6&hz=30&mtu=576",
        Wanted::default(),
    );
    assert!(
        told.link.contains("scene=katamari")
            && told.warnings.iter().any(|it| it.name == "bounds-wasted")
    );
    assert!(told.rungs[0].packets_over_mtu > 0 && told.mtu_bytes == 576);
    assert!(
        told.rust
            .iter()
            .any(|line| line.contains("with_player(Some(0))"))
    );
}

#[test]
fn no_time_has_no_verdict() {
    let tape = tape(3, 1);
    let wanted = Wanted::default();
    let mut verdict = Verdict::new(
        &tape,
        &settings("#hz=10"),
        &Given::default(),
        wanted,
        [9, 9],
    );
    while verdict.work(&tape) {}
    assert!(verdict.answer(&tape).is_none() && verdict.taken().is_some());
}

#[test]
fn a_jump_is_no_error_of_any_way() {
    let told = jumping(63);
    assert_eq!((told.motion.jumps, told.interpolation.jumps), (1, 1));
    // Held for a send interval before each of five jumps, a third of the time.
    for told in [told, jumping(20)] {
        for played in &told.interpolation.tried {
            assert!(played.position_error_mm_p95 < 2.0, "{played:?}");
            assert!(played.apart > 0 && played.compared > 40, "{played:?}");
        }
        assert!(told.motion.speed_max_m_s < 3.1);
    }
}

/// The verdict on an object that goes along x at 3 m/s, and jumps 50 m aside every so many ticks.
fn jumping(every: u32) -> Answer {
    let row = |tick: u32| {
        let aside = 50 * (tick / every);
        format!("{tick},0,{},{aside},0,0,0,0,1\n", 0.05 * f64::from(tick))
    };
    let rows: String = (0..=120).map(row).collect();
    let file = format!("tick,object,x,y,z,qx,qy,qz,qw\n{rows}");
    let motion = snapshot_record::motion::Motion::read(file.as_bytes()).unwrap();
    let tape = Tape::of_motion(&motion, motion.ticks());
    answer(&tape, "#hz=10&jitter=0&loss=0", Wanted::default())
}

#[test]
fn a_time_without_packets_or_without_objects_has_no_verdict() {
    let long =
        "0,0,0,0,0,0,0,0,1,\n1,0,,,,,,,,end\n90,1,0,0,0,0,0,0,1,spawn\n99,1,1,0,0,0,0,0,1,\n";
    let short = "0,0,0,0,0,0,0,0,1,\n1,0,1,0,0,0,0,0,1,\n";
    for (rows, window) in [(short, [0, 1]), (long, [1, 80])] {
        let text = format!("tick,object,x,y,z,qx,qy,qz,qw,event\n{rows}");
        let motion = snapshot_record::motion::Motion::read(text.as_bytes()).unwrap();
        let tape = Tape::of_motion(&motion, motion.ticks());
        let (settings, given) = (settings("#hz=10"), Given::default());
        let mut verdict = Verdict::new(&tape, &settings, &given, Wanted::default(), window);
        while verdict.work(&tape) {}
        assert_eq!(verdict.answer(&tape), None, "{rows}");
    }
}
