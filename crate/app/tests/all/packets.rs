//! Figures of silent times, and of a stream that sends again.
use crate::settings;
use snapshot_app::Lab;
use snapshot_physics::Input;

#[test]
fn in_a_cut_what_is_shown_grows_older_with_every_strategy_and_is_called_frozen() {
    for strategy in ["snapshot", "sync", "lockstep"] {
        let link = format!("#strategy={strategy}&scene=roll&grid=5&hz=60&loss=0");
        let mut lab = Lab::new(settings(&link));
        (0..300).for_each(|_| lab.tick(Input::NONE));
        let before = lab.live();
        assert!(!before.waits, "{strategy}");
        let behind_ms = before.behind_ms.unwrap();
        lab.set_cut(true);
        (0..120).for_each(|_| lab.tick(Input::NONE));
        let cut = lab.live();
        assert!(cut.waits, "{strategy}");
        let travel_ms = lab.settings().lane().round_trip_ms() / 2.0;
        // What was sent before the cut and not on its way is still shown.
        let older_ms = cut.behind_ms.unwrap();
        assert!(
            (2000.0..2000.0 + behind_ms + travel_ms).contains(&older_ms),
            "{strategy}: {behind_ms} ms, then {older_ms} ms"
        );
        (0..60).for_each(|_| lab.tick(Input::NONE));
        let later_ms = lab.live().behind_ms.unwrap();
        assert!((later_ms - older_ms - 1000.0).abs() < 1e-6, "{strategy}");
    }
}

#[test]
fn bandwidth_is_of_the_last_second_and_a_stream_sends_again() {
    let link = "#strategy=lockstep&transport=tcp&scene=roll&grid=5&loss=20&latency=50";
    let mut lab = Lab::new(settings(link));
    let (mut bits, mut again) = (0.0, 0);
    let mut ack_bits = 0.0;
    for _ in 0..20 {
        (0..60).for_each(|_| lab.tick(Input::NONE));
        let live = lab.live();
        again = live.lockstep.as_ref().unwrap().retransmissions;
        bits += live.kbps * 1000.0;
        ack_bits += live.ack_kbps * 1000.0;
    }
    let report = lab.report();
    let first_bits = report.kbps_mean * 20_000.0;
    let per_packet_bits = first_bits / report.packets.sent as f64;
    // All but those that wait for their timeout at the end.
    let expected_bits = first_bits + f64::from(again as u32) * per_packet_bits;
    assert!(
        (0.97..=1.01).contains(&(bits / expected_bits)),
        "{bits} {expected_bits}"
    );
    assert!(bits > 1.15 * first_bits);
    assert!(ack_bits > 1.15 * report.ack_kbps_mean * 20_000.0);
}
