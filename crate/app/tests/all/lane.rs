//! The snapshot lane on networks good and bad.

use crate::{played, settings};
use snapshot_lane::Lane;
use snapshot_lane::measure::table::Report;
use snapshot_record::tape::Tape;
use std::fmt::Write;

/// Losses against playout delays at 10 a second, +-33 ms: frames without anything to interpolate towards in 60 s, and
/// the longest freeze. *Snapshot Interpolation* puts the least delay at 100 ms, survives one lost packet with 250 and
/// two in a row with 350.
const HITCHES: &str = include_str!("hitches.txt");

fn run(link: &str, tape: &Tape) -> Report {
    let mut lane = Lane::new(&settings(link).lane(), &tape.world_at(0));
    let mut frames = tape.frames_after(0);
    while let Some(frame) = frames.next() {
        lane.tick(&frame);
    }
    lane.report(0)
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn hitches_by_loss_and_delay_are_as_known() {
    let tape = Tape::record(&settings("#scene=roll&grid=5"), 3600);
    let mut actual = String::from("loss_percent delay_ms hitches longest_freeze_ms\n");
    for loss in [0, 2, 5, 25] {
        for delay in ["100", "150", "250", "350", "auto"] {
            let link = format!("#scene=roll&grid=5&jitter=33&loss={loss}&delay={delay}");
            let report = run(&link, &tape);
            let freeze_ms = report.longest_freeze_ms;
            writeln!(actual, "{loss} {delay} {} {freeze_ms:.0}", report.hitches).unwrap();
        }
    }
    assert_eq!(
        actual, HITCHES,
        "if this was meant, hitches.txt becomes:\n{actual}"
    );
}

#[test]
fn without_latency_jitter_and_delay_the_newest_snapshot_is_shown_at_once() {
    let link = "#scene=roll&hz=60&latency=0&jitter=0&loss=0&delay=0&interp=none&codec=uncompressed";
    let mut lab = played(link, 300);
    assert_eq!(lab.left().position_half_m, lab.right().position_half_m);
    assert_eq!(lab.report().hitches, 0);
    assert_eq!(lab.live().behind_ms, Some(0.0));
}
