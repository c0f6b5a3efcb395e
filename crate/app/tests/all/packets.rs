//! A lane's records of its packets, also of silent times.
use crate::settings;
use snapshot_app::Lab;
use snapshot_lane::Lane;
use snapshot_lane::{PacketRecord, ReceiveOutcome, ReceivedPacket};
use snapshot_physics::Input;
use snapshot_record::tape::Tape;

fn told(link: &str, tape: &Tape) -> (Lane, Vec<PacketRecord>, Vec<ReceivedPacket>) {
    let mut lane = Lane::new(&settings(link).lane(), &tape.world_at(0));
    let (mut sent, mut received) = (Vec::new(), Vec::new());
    let mut frames = tape.frames_after(0);
    while let Some(frame) = frames.next() {
        lane.tick(&frame);
        sent.extend(lane.newest_packet().copied());
        received.extend_from_slice(lane.received());
    }
    (lane, sent, received)
}

const NETWORK: &str = "scene=roll&grid=5&hz=20&loss=10&dup=20&jitter=30&reorder=20";

#[test]
fn every_packet_is_told_of_when_it_leaves_and_when_it_arrives() {
    let tape = Tape::record(&settings(&format!("#{NETWORK}")), 600);
    for strategy in ["snapshot", "sync", "lockstep"] {
        let link = format!("#{NETWORK}&strategy={strategy}");
        let (lane, sent, received) = told(&link, &tape);
        let numbers: Vec<u64> = sent.iter().map(|packet| packet.number).collect();
        assert!(numbers.iter().copied().eq(1..=200), "{numbers:?}");
        assert!(sent.iter().all(|packet| packet.tick == packet.number * 3));
        let counters = lane.counters();
        let lost = sent
            .iter()
            .filter(|packet| packet.sent.arrival_ms.is_none());
        assert_eq!(lost.count() as u64, counters.lost);
        assert_eq!(
            received.len() as u64,
            counters.delivered + counters.duplicated
        );
        for ReceivedPacket { delivery, .. } in &received {
            let sent = sent[delivery.number as usize - 1].sent;
            let at_ms = if delivery.copy {
                sent.copy_arrival_ms
            } else {
                sent.arrival_ms
            };
            assert_eq!(at_ms, Some(delivery.arrival_ms));
        }
        let count = |outcome| received.iter().filter(|r| r.outcome == outcome).count() as u64;
        assert!(count(ReceiveOutcome::Duplicate) > 10);
        assert_eq!(count(ReceiveOutcome::Late), lane.metrics().late);
        assert_eq!(count(ReceiveOutcome::Refused), 0);
        // A baseline has arrived before it is used, and only snapshots of these have one.
        let has_baseline = sent.iter().filter(|packet| packet.baseline_tick.is_some());
        assert_eq!(has_baseline.clone().count() > 150, strategy == "snapshot");
        for packet in has_baseline {
            let baseline_tick = packet.baseline_tick.unwrap();
            let baseline = sent.iter().find(|p| p.tick == baseline_tick).unwrap();
            let arrived_ms = baseline.sent.arrival_ms.unwrap();
            assert!(arrived_ms < packet.sent_ms && baseline_tick < packet.tick);
            assert_eq!(u64::from(baseline.sequence), baseline_tick);
        }
    }
}

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
