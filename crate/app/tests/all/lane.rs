//! The snapshot lane on networks good and bad.

use crate::settings;
use snapshot_app::Lab;
use snapshot_lane::Lane;
use snapshot_lane::measure::report::Report;
use snapshot_physics::Input;
use snapshot_record::tape::Tape;
use snapshot_settings::permalink;
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
    Report::new(&lane.figures(), 0)
}

#[test]
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
fn a_still_world_costs_its_headers_only() {
    // Without a player's touch the grid sleeps; after its drop the player does too.
    let mut lab = Lab::new(settings("#scene=drive&hz=60&loss=0"));
    (0..600).for_each(|_| lab.tick(Input::NONE));
    let live = lab.live();
    // 16-bit sequence and baseline, flags and an empty count in 5 bytes, and 28 of IP and UDP.
    assert_eq!((live.bytes_per_packet, live.kbps), (5.0, 15.84));
    assert_eq!(live.changed_cubes, 0.0);
    assert_eq!(live.bits_per_changed_cube, None);
}

#[test]
fn what_is_counted_adds_up() {
    let tape = Tape::record(&settings("#scene=blow&grid=12"), 900);
    for header in ["ipv4", "ipv6", "none"] {
        let link = format!("#scene=blow&grid=12&hz=20&header={header}&mtu=576&loss=10&dup=20");
        let report = run(&link, &tape);
        let bits: f64 = report.ledger_bits_per_packet.iter().sum();
        let kbps = bits * 20.0 / 1000.0;
        assert!((report.kbps_mean / kbps - 1.0).abs() < 1e-9, "{header}");
        let payload = bits - report.ledger_bits_per_packet[0];
        assert!((payload / 8.0 - report.bytes_per_packet_mean).abs() < 1e-6);
        assert_eq!(report.packets.sent, 300);
        assert!(report.packets.duplicated > 0 && report.packets.lost > 0);
    }
}

#[test]
fn what_is_set_leaves_the_instant_and_what_is_refused_changes_nothing() {
    let mut lab = Lab::new(settings("#scene=mixed&hz=60"));
    (0..120).for_each(|_| lab.tick(Input::NONE));
    for (id, text) in [("interp", "hermite"), ("speed", "0.5"), ("loss", "7.5")] {
        lab.set_text(id, text).unwrap();
        assert_eq!(lab.live().packets.sent, 120, "{id}");
        lab.finish();
        assert_eq!((lab.live().packets.sent, lab.tick_count()), (120, 120));
    }
    lab.set_text("grid", "8").unwrap();
    lab.finish();
    assert_eq!((lab.tick_count(), lab.left().colour.len()), (120, 65));
    assert_eq!(lab.live().decode_mismatches, 0);
    assert!(lab.set_text("grid", "61").is_err());
    assert_eq!(lab.settings().get(snapshot_settings::Key::Grid), 8);
}

#[test]
fn taking_over_restarts_nothing() {
    let mut lab = Lab::new(settings("#scene=roll&hz=60"));
    (0..200).for_each(|_| lab.tick(Input::NONE));
    lab.take_over();
    assert_eq!(lab.tick_count(), 200);
    assert_eq!(permalink::format(lab.settings()), "v=2&hz=60&scene=drive");
    let x_m = |lab: &Lab| lab.left().position_half_m[0][0];
    let before_m = x_m(&lab);
    (0..60).for_each(|_| lab.tick(Input::RIGHT));
    assert!(x_m(&lab) > before_m + 1.0);
}

#[test]
fn without_latency_jitter_and_delay_the_newest_snapshot_is_shown_at_once() {
    let mut lab = Lab::new(settings(
        "#scene=roll&hz=60&latency=0&jitter=0&loss=0&delay=0&interp=none&codec=uncompressed",
    ));
    (0..300).for_each(|_| lab.tick(Input::NONE));
    assert_eq!(lab.left().position_half_m, lab.right().position_half_m);
    assert_eq!(lab.report().hitches, 0);
    assert_eq!(lab.live().behind_ms, Some(0.0));
}
