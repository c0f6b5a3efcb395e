//! Lockstep over the networks of the article: determinism, cost, and the view over a stream.
use crate::settings;
use snapshot_app::Lab;
use snapshot_codec::Kind;
use snapshot_lane::measure::report::{LockstepReport, Report};
use snapshot_physics::Input;

fn lab(link: &str) -> Lab {
    let settings = settings(&format!("#strategy=lockstep&{link}"));
    Lab::new(settings)
}

fn report(link: &str, seconds: u32) -> (Report, LockstepReport) {
    let mut lab = lab(link);
    (0..seconds * 60).for_each(|_| lab.tick(Input::NONE));
    let report = lab.report();
    let lockstep = report.lockstep.clone().unwrap();
    println!("{link}: {lockstep:?}, {:.1} kbit/s", report.kbps_mean);
    (report, lockstep)
}

fn bits(report: &Report, kind: Kind) -> f64 {
    report.ledger_bits_per_packet[kind as usize]
}

/// A minute of `mixed` over datagrams of which a quarter is lost: the same world on every frame, for little.
fn stays_in_sync(latency_ms: u32, delay_ms: u32) -> (Report, LockstepReport) {
    let link = format!("latency={latency_ms}&loss=25&jitter=17&delay={delay_ms}");
    let (report, lockstep) = report(&link, 60);
    assert_eq!(lockstep.first_desync_frame, None);
    // All but those that are on their way or wait to be played.
    let behind_ticks = (latency_ms + delay_ms + 200) * 60 / 1000;
    assert!(
        lockstep.frames_checked >= 3600 - u64::from(behind_ticks),
        "{lockstep:?}"
    );
    assert_eq!((report.decode_mismatches, report.packets.refused), (0, 0));
    assert_eq!(report.position_error_mm.max, 0.0);
    assert_eq!((lockstep.window_full_ticks, lockstep.given_up), (0, false));
    assert!(
        (15.0..50.0).contains(&report.kbps_mean),
        "{} kbit/s",
        report.kbps_mean
    );
    (report, lockstep)
}

#[test]
fn a_quarter_of_the_packets_lost_at_125_ms_changes_nothing() {
    let (report, lockstep) = stays_in_sync(125, 100);
    let headers = bits(&report, Kind::IpUdp) + bits(&report, Kind::Header);
    let all: f64 = report.ledger_bits_per_packet.iter().sum();
    assert!(headers > 0.8 * all, "{headers} of {all} bits");
    assert_eq!(bits(&report, Kind::IpUdp), 28.0 * 8.0);
    assert_eq!(bits(&report, Kind::Header), 25.0);
    // A round trip of 15 ticks, and what a lost acknowledgement adds.
    assert!(
        (15.0..20.0).contains(&lockstep.inputs_per_packet_mean),
        "{lockstep:?}"
    );
    assert!(lockstep.stalled_ms_per_minute < 500.0, "{lockstep:?}");
}

#[test]
fn two_seconds_one_way_only_make_the_window_longer() {
    let (report, lockstep) = stays_in_sync(2000, 100);
    assert!(
        (230.0..260.0).contains(&lockstep.inputs_per_packet_mean),
        "{lockstep:?}"
    );
    let input = bits(&report, Kind::Input);
    assert!((300.0..600.0).contains(&input), "{input} bits");
}

#[test]
fn a_stream_stalls_as_the_article_shows_and_datagrams_do_not() {
    // What stalls does not depend on what is simulated: a small world will do.
    let minutes = 3;
    let play = |link: &str| report(&format!("grid=5&scene=roll&jitter=17&{link}"), minutes * 60).1;
    let tcp = [
        "latency=50&loss=1",
        "latency=100&loss=2",
        "latency=125&loss=5",
    ]
    .map(|link| play(&format!("{link}&transport=tcp")));
    for lockstep in &tcp {
        assert_eq!(lockstep.first_desync_frame, None);
        assert!(lockstep.retransmissions > 0 && lockstep.catch_up_steps > 0);
    }
    // 36 losses a minute, each 200 ms late against 100 ms of playout delay: a hitch every few seconds.
    assert!(
        (15.0..60.0).contains(&tcp[0].stalls_per_minute),
        "{:?}",
        tcp[0]
    );
    assert!(
        (1000.0..8000.0).contains(&tcp[0].stalled_ms_per_minute),
        "{:?}",
        tcp[0]
    );
    let stalled = tcp
        .each_ref()
        .map(|lockstep| lockstep.stalled_ms_per_minute);
    assert!(
        stalled[1] > 3.0 * stalled[0] && stalled[2] > 1.5 * stalled[1],
        "{stalled:?}"
    );
    let udp = play("latency=125&loss=5");
    assert!(
        udp.stalled_ms_per_minute < 0.02 * stalled[2],
        "{udp:?} against {stalled:?}"
    );
}

#[test]
fn a_disturbed_world_is_told_at_once_and_drifts_away() {
    for (desync, from) in [("bit", 61), ("order", 1)] {
        let (report, lockstep) = report(&format!("scene=katamari&grid=12&desync={desync}"), 30);
        let first = lockstep.first_desync_frame.unwrap();
        assert!((from..from + 120).contains(&first), "{desync}: {first}");
        assert!(
            report.position_error_mm.max > 100.0,
            "{desync}: {:?}",
            report.position_error_mm
        );
        assert_eq!((report.decode_mismatches, report.packets.refused), (0, 0));
    }
}

#[test]
fn a_changed_network_is_told_of_the_whole_tape() {
    let mut lab = lab("scene=katamari&grid=8");
    (0..600).for_each(|_| lab.tick(Input::NONE));
    lab.set_text("latency", "200").unwrap();
    (0..300).for_each(|_| lab.tick(Input::NONE));
    let lockstep = lab.report().lockstep.unwrap();
    assert_eq!(lockstep.first_desync_frame, None);
    // The receiver is behind by the latency (12 ticks), the delay of playout and what waits.
    assert!(
        (870..900).contains(&lockstep.frames_checked),
        "{lockstep:?}"
    );
}

#[test]
fn a_full_window_sends_its_oldest_and_the_world_comes_through() {
    // A round trip of 4 s at one packet a second, in bursts: the window of 511 inputs fills.
    let link = "scene=roll&grid=5&latency=2000&hz=1&loss=50&burst=6&delay=500";
    let (report, lockstep) = report(link, 120);
    assert!(lockstep.window_full_ticks > 0, "{lockstep:?}");
    assert_eq!(
        (lockstep.first_desync_frame, lockstep.given_up),
        (None, false)
    );
    assert!(lockstep.frames_checked > 1000, "{lockstep:?}");
    assert_eq!((report.decode_mismatches, report.packets.refused), (0, 0));
}
