//! Objects that come, go and jump, from the file to both views.

use super::*;
use crate::run::history::LaneHistory;
use crate::settings::permalink;
use snapshot_codec::Life;
use snapshot_netsim::channel::Given;

const HZ: u64 = 240;
const EVENTS: &str = "rate=240\ntick,object,event,x,y,z,qx,qy,qz,qw\n";

fn life(generation: u8) -> Life {
    Life::from_code(generation).unwrap()
}

fn lives(motion: &Motion, tick: u64) -> Vec<Life> {
    at(motion, tick).iter().map(|cube| cube.life).collect()
}

/// Three seconds at 240 Hz. Object 1 runs along x at 10 m/s, and jumps every half second: from 5 m to 100 m, from 105 m to 0.
/// Object 2 ends after a second and is there again half a second later. Shots appear every tenth of a second and live for a
/// fifth. After two seconds and a half nothing comes or goes any more.
pub(super) fn game() -> String {
    let mut text = EVENTS.to_string();
    let mut row = |tick: u64, object: u64, event: &str, [x, y, z]: [f64; 3]| {
        // The bounds then hold no zero: an empty slot is nowhere.
        let z = z + 3.0;
        text += &format!("{tick},{object},{event},{x:.4},{y:.4},{z:.4},0,0,0,1\n");
    };
    for tick in 0..=3 * HZ {
        let seconds = tick as f64 / HZ as f64;
        let lap = (tick / 120).min(5);
        let along = (tick - 120 * lap) as f64 / HZ as f64 * 10.0;
        let x = if lap % 2 == 0 { along } else { 100.0 + along };
        let jumps = lap > 0 && tick == 120 * lap;
        row(tick, 1, if jumps { "jump" } else { "" }, [x, 0.0, 0.5]);
        match tick {
            240 => row(tick, 2, "end", [0.0; 3]),
            360 => row(tick, 2, "spawn", [5.0, 5.0 + seconds, 0.5]),
            241..360 => {}
            _ => row(tick, 2, "", [5.0, 5.0 + seconds, 0.5]),
        }
        for shot in 1..=22 {
            let age = tick as i64 - 24 * shot as i64;
            match age {
                0..48 => row(tick, 100 + shot, "", [shot as f64, 0.1 * age as f64, 1.0]),
                48 => row(tick, 100 + shot, "end", [0.0; 3]),
                _ => {}
            }
        }
    }
    text
}

fn history(motion: &Motion, link: &str) -> (Tape, LaneHistory) {
    let (settings, notices) = permalink::parse(link);
    assert_eq!(notices, []);
    let tape = Tape::of_motion(motion, motion.ticks());
    let mut history = LaneHistory::new(&tape, &settings.lane(), &Given::default(), 0);
    while history.advance(&tape) {}
    (tape, history)
}

#[test]
fn events_become_lives_and_what_is_not_there_is_an_empty_slot() {
    let motion = read(&game());
    assert_eq!((motion.objects(), motion.ticks()), (24, 720));
    let counts = motion.counts();
    assert_eq!((counts.spawns, counts.ends, counts.jumps), (23, 23, 5));
    let empty = Life::EMPTY;
    assert_eq!(lives(&motion, 0)[..3], [life(0), life(0), empty]);
    assert_eq!(lives(&motion, 120)[..2], [life(1), life(0)]);
    assert_eq!(lives(&motion, 300)[..2], [life(2), empty]);
    // Three generations, then the first again.
    assert_eq!(lives(&motion, 400)[..2], [life(0), life(1)]);
    assert_eq!(lives(&motion, 24)[2], life(0));
    assert_eq!(lives(&motion, 71)[2], life(0));
    assert!(at(&motion, 72)[2].same_bits(&CubeState::EMPTY));
    // No velocity leads across a jump, and the bounds hold only what is there.
    assert_eq!(at(&motion, 120)[0].linear_velocity, [0.0; 3]);
    assert!((at(&motion, 121)[0].linear_velocity[0] - 10.0).abs() < 0.1);
    assert_eq!(motion.clipped_velocities(), 0);
    assert_eq!(motion.bounds(), fitted_by_hand());
    assert!(motion.tells_of_jumps() && motion.agreed.has_slots());
    // A tape that ends before most of them come has their slots all the same.
    let tape = Tape::of_motion(&motion, 10);
    assert_eq!((tape.last_tick(), tape.newest().len()), (10, 24));
    assert_eq!(tape.newest(), at(&motion, 10));
}

/// x from 0 to 105, y from 0 to 8, z from 3.5 to 4.
fn fitted_by_hand() -> Bounds {
    Bounds::new([-11, -3, 3], [117, 13, 5]).unwrap()
}

#[test]
fn a_motion_in_which_nothing_comes_or_goes_has_no_slots() {
    for text in [
        slide(60),
        format!("{EVENTS}0,0,,1,0,0,0,0,0,1\n1,0,0,2,0,0,0,0,0,1\n"),
    ] {
        let motion = read(&text);
        assert!(!motion.agreed.has_slots() && !motion.counts().has_lives());
        assert!(lives(&motion, 1).iter().all(|it| *it == Life::FIRST));
    }
}

#[test]
fn an_object_may_come_later_and_end_in_a_row_that_has_no_pose() {
    let motion = read(&format!(
        "{HEADER},event\n0,0,1,0,0,0,0,0,1,\n3,7,2,0,0,0,0,0,1,0\n5,7,,,,,,,,END\n5,0,1,1,0,0,0,0,1,\n"
    ));
    let there = |tick| {
        lives(&motion, tick)
            .iter()
            .map(|it| !it.is_empty())
            .collect::<Vec<_>>()
    };
    assert_eq!(there(2), [true, false]);
    assert_eq!((there(3), there(4)), (vec![true, true], vec![true, true]));
    assert_eq!(there(5), [true, false]);
    // Ended twice is ended.
    let twice = "0,0,1,0,0,0,0,0,1,\n1,1,1,0,0,0,0,0,1,\n2,1,,,,,,,,2\n3,1,,,,,,,,end\n";
    let motion = read(&format!("{HEADER},event\n{twice}"));
    assert_eq!((motion.counts().ends, motion.ticks()), (1, 3));
}

#[test]
fn wrong_events_are_refused_with_their_row() {
    let refused_after = |rows: &str| {
        let text = format!("{HEADER},event\n0,0,1,0,0,0,0,0,1,\n{rows}\n");
        refused(&text)
    };
    let ended = "1,1,1,0,0,0,0,0,1,\n2,1,,,,,,,,end\n";
    for (rows, told) in [
        (
            "1,0,1,0,0,0,0,0,1,gone",
            "row 3: event is \"gone\": it is empty, jump, end, spawn",
        ),
        (
            "1,0,1,0,0,0,0,0,1,4",
            "row 3: event is \"4\": it is empty, jump, end, spawn",
        ),
        (
            "1,9,,,,,,,,end",
            "row 3: object 9 ends, and has had no row before",
        ),
        (
            "1,0,,,,,,,,jump",
            "row 3: x is \"\", which is no number that fits",
        ),
        (
            &format!("{ended}3,1,1,0,0,0,0,0,1,"),
            "row 5: object 1 ended in tick 2: another row of it needs the event spawn",
        ),
        (
            &format!("{ended}3,1,1,0,0,0,0,0,1,jump"),
            "row 5: object 1 ended in tick 2: another row of it needs the event spawn",
        ),
        (
            &format!("{ended}2,1,1,0,0,0,0,0,1,spawn"),
            "row 5: object 1 has two rows of tick 2",
        ),
    ] {
        assert_eq!(refused_after(rows), told);
    }
    let mut bytes = binary::write(&read(&game()));
    let first_event = 8 + 3 * 4 + 12 * 4;
    bytes[first_event] = 9;
    let told = Motion::read(&bytes[..]).unwrap_err().to_string();
    assert_eq!(told, "row 1: event is \"9\": it is empty, jump, end, spawn");
}

#[test]
fn bytes_and_parts_carry_every_life() {
    let motion = read(&game());
    let again = Motion::read(&binary::write(&motion)[..]).unwrap();
    let mut incoming = Incoming::new(&motion.part(0).unwrap()).unwrap();
    for part in (1..).map_while(|number| motion.part(number)) {
        assert!(incoming.add(&part));
    }
    let arrived = incoming.finish().unwrap();
    assert_eq!(arrived.agreed, motion.agreed);
    assert_eq!(
        (arrived.counts(), arrived.told),
        (motion.counts(), motion.told)
    );
    for tick in 0..=720 {
        assert_eq!(at(&arrived, tick), at(&motion, tick), "{tick}");
        assert_eq!(at(&again, tick), at(&motion, tick), "{tick}");
    }
    fuzz(game().as_bytes());
}

/// A slide at 3 m/s that is put back by 8 m in tick 50, and by 2 m in tick 80, at 60 Hz.
fn respawns() -> String {
    let rows = (0..=120).map(|tick| {
        let back = if tick >= 50 { 8.0 } else { 0.0 } + if tick >= 80 { 2.0 } else { 0.0 };
        format!("{tick},0,{},0,0,0,0,0,1\n", tick as f32 * 0.05 - back)
    });
    format!("{HEADER}\n{}", rows.collect::<String>())
}

#[test]
fn without_a_column_jumps_are_found_by_their_speed() {
    let over = |text: &str| JumpSpeed::parse(text).unwrap();
    let motion = read(&respawns());
    // 8 m in a tick are 477 m/s, and 2 m are 117.
    assert_eq!(
        (motion.counts().jumps, motion.jumps_over()),
        (2, over("100"))
    );
    let counts = |text: &str| motion.counts().faster[over(text).place()];
    assert_eq!(
        [5, 100, 200, 500].map(|m_s: u32| counts(&m_s.to_string())),
        [2, 2, 1, 0]
    );
    assert_eq!(
        [49, 50, 79, 80].map(|tick| lives(&motion, tick)[0]),
        [0, 1, 1, 2].map(life)
    );
    for text in ["200", "500", "off", "5", "100"] {
        let other = motion.with_jumps_over(over(text));
        let anew = Motion::read_with(respawns().as_bytes(), over(text)).unwrap();
        assert_eq!(
            (other.counts(), &other.agreed),
            (anew.counts(), &anew.agreed),
            "{text}"
        );
        for tick in 0..=120 {
            assert_eq!(at(&other, tick), at(&anew, tick), "{text}");
        }
        assert_eq!(other.fingerprint(), motion.fingerprint());
    }
    // A velocity over a step that is no jump is clipped.
    assert_eq!(motion.clipped_velocities(), 0);
    assert_eq!(
        motion
            .with_jumps_over(JumpSpeed::NEVER)
            .clipped_velocities(),
        2
    );
    // A file that tells of its jumps has no others.
    let told = read(&game());
    assert_eq!(
        told.with_jumps_over(JumpSpeed::at(0)).counts(),
        told.counts()
    );
}

#[test]
fn every_rung_sends_lives_and_both_views_have_the_same_objects() {
    let motion = read(&game());
    for rung in Rung::ALL
        .into_iter()
        .filter(|rung| !rung.needs_simulation())
    {
        for class in ["strict", "chained"] {
            if class == "chained" && !rung.is_arithmetic() {
                continue;
            }
            let link = format!(
                "#hz=30&loss=5&latency=30&codec={}&class={class}",
                rung.name()
            );
            let (tape, history) = history(&motion, &link);
            let report = serde_json::to_value(history.report(0)).unwrap();
            assert_eq!(report["decode_mismatches"], 0, "{link}");
            for figure in ["position_error_mm", "orientation_error_deg"] {
                let rms = report[figure]["rms"].as_f64().unwrap();
                assert!(rms.is_finite() && rms < 400.0, "{link}: {rms}");
            }
            let mut shown = history.lane().view().clone();
            assert!(history.show(720, &tape, &mut shown));
            assert_eq!(shown.life, lives(&motion, 720), "{link}");
            for (place, cube) in at(&motion, 720).iter().enumerate() {
                let half_m = shown.position_half_m[place][3];
                assert_eq!(half_m == 0.0, cube.life.is_empty());
            }
        }
    }
}

#[test]
fn no_mode_shows_anything_between_two_lives() {
    let motion = read(&game());
    for mode in ["none", "linear", "slerp", "hermite", "extrapolate"] {
        // With sent velocities and without; every tick and every twelfth one.
        for (codec, hz, loss) in [
            ("velocity", 20, 5),
            ("changed-flags", 20, 20),
            ("predicted", 240, 0),
        ] {
            let link = format!("#hz={hz}&loss={loss}&interp={mode}&codec={codec}");
            let (tape, history) = history(&motion, &link);
            let mut view = history.lane().view().clone();
            let (mut near, mut far, mut unseen) = (0, 0, 0);
            for tick in 0..=720 {
                assert!(history.show(tick, &tape, &mut view));
                let x = view.position_half_m[0][0];
                // It runs up to 5 m; what goes on past a lost packet goes 200 ms on.
                let (is_near, is_far) = ((-0.2..7.2).contains(&x), (99.8..107.2).contains(&x));
                assert!(is_near || is_far, "{link} at {tick}: {x}");
                (near, far) = (near + u32::from(is_near), far + u32::from(is_far));
                for (place, [x, y, ..]) in view.position_half_m.iter().enumerate().skip(2) {
                    if view.life[place].is_empty() {
                        assert_eq!((*x, view.position_half_m[place][3]), (0.0, 0.0));
                        unseen += 1;
                    } else {
                        assert!((*x - (place - 1) as f32).abs() < 0.1 && *y < 10.5, "{link}");
                    }
                }
            }
            assert!(
                near > 300 && far > 300 && unseen > 10_000,
                "{near} {far} {unseen}"
            );
        }
    }
}

#[test]
fn what_cannot_be_foreseen_gives_way_to_what_can() {
    let (settings, _) = permalink::parse("#codec=simulated&hz=20");
    let mut lab = Lab::new(settings);
    lab.play(&read(&game()));
    assert_eq!(lab.settings().lane().rung(), Rung::Predicted);
    let refused = lab.set_text("codec", "simulated").unwrap_err().to_string();
    assert!(
        refused.starts_with("Codec simulated cannot be used with this motion"),
        "{refused}"
    );
    // The jumps of another speed leave the shown tick.
    let motion = read(&respawns());
    lab.play(&motion);
    lab.seek(60);
    lab.play_again(&motion.with_jumps_over(JumpSpeed::NEVER));
    assert_eq!((lab.tick_count(), lab.left().life[0]), (60, Life::FIRST));
    assert!(lab.set_text("codec", "simulated").is_ok());
}
