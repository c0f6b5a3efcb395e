//! An inspection shows a packet as it left, field by field.

use super::*;
use crate::history::PacketFate;
use crate::played::{history_with_cut, settings};
use snapshot_codec::BIT_65536THS;
use snapshot_netsim::channel::LinkInputs;
use std::collections::BTreeSet;

const NETWORK: &str = "#grid=6&loss=10&jitter=30&dup=10&reorder=10&latency=80";

fn with_history(link: &str, ticks: u64) -> (Tape, LaneHistory) {
    history_with_cut(&format!("{NETWORK}&{link}"), ticks, 150..180)
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn every_packet_is_written_again_to_the_byte_and_its_fields_add_up() {
    for link in [
        "scene=katamari&hz=60&codec=arithmetic",
        "scene=katamari&hz=60&codec=predicted&mtu=576",
        "scene=blow&hz=20&codec=predicted&class=strict",
        "scene=katamari&hz=20&codec=simulated",
        "scene=blow&hz=10&codec=simulated&class=strict",
        "scene=mixed&hz=30&codec=changed-flags",
        "scene=blow&hz=10&codec=at-rest",
        "scene=katamari&strategy=sync&delta=1&rel=1&adapt=1",
        "scene=katamari&strategy=lockstep&hz=30",
        "scene=blow&strategy=lockstep&transport=tcp",
    ] {
        // Beyond the first copy of the sender.
        let (tape, history) = with_history(link, 255);
        let packets: Vec<_> = history.packets(0..256, 255).collect();
        let newest = packets.last().map(|packet| packet.number);
        assert_eq!(newest, history.newest_packet(255));
        // Written again, the packets have the same hash as when they left.
        let mut hash = snapshot_base::hash::Fnv::new();
        let mut one = Vec::new();
        for packet in &packets {
            let again = history.inspect(&tape, packet.tick, Some(packet.number));
            let again = again.unwrap();
            let bytes: Vec<u8> = (0..again.hex.len() / 2)
                .map(|at| u8::from_str_radix(&again.hex[2 * at..2 * at + 2], 16).unwrap())
                .collect();
            hash.add_bytes(&bytes);
            assert_eq!(bytes.len(), packet.bytes as usize, "{link}");
            let mut end = 0;
            for span in &again.spans {
                assert_eq!(span.first_65536ths, end, "{link}");
                end += span.length_65536ths;
                let decided: i64 = span.decisions.iter().map(|one| one.cost_65536ths).sum();
                assert!(span.decisions.is_empty() || decided == span.length_65536ths);
            }
            assert_eq!(end, i64::from(packet.bytes) * 8 * BIT_65536THS, "{link}");
            if packet.number == 35 {
                one = again.spans;
            }
        }
        let as_sent = history.lane().metrics().packets_hash.finish();
        assert_eq!(hash.finish(), as_sent, "{link}");
        let is_sequence = |rule: &str| rule.contains("sequence") || rule.contains("newest frame");
        let sequence = one.iter().find(|span| is_sequence(span.rule));
        let packet = packets.iter().find(|packet| packet.number == 35).unwrap();
        assert_eq!(
            sequence.unwrap().value,
            i64::from(packet.sequence),
            "{link}"
        );
        let coded = ["arithmetic", "predicted", "simulated"];
        assert_eq!(
            one.iter().any(|span| !span.decisions.is_empty()),
            coded.iter().any(|coded| link.contains(coded))
        );
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_fate_is_told_as_of_a_tick_and_adds_up_to_what_is_counted() {
    for link in [
        "scene=katamari&hz=60&delay=50",
        "scene=katamari&strategy=sync",
        "scene=blow&strategy=lockstep&hz=20",
    ] {
        let (_, history) = with_history(link, 500);
        for as_of in [100, 149, 165, 181, 500] {
            let live = history.live(as_of);
            let packets: Vec<_> = history.packets(0..as_of + 1, as_of).collect();
            assert_eq!(packets.len() as u64, live.packets_sent);
            let count = |fate| packets.iter().filter(|packet| packet.fate == fate).count() as u64;
            let arrived = count(PacketFate::Delivered)
                + count(PacketFate::Late)
                + count(PacketFate::Overtaken)
                + count(PacketFate::PassedOver);
            assert_eq!(
                [
                    count(PacketFate::Lost),
                    count(PacketFate::InFlight),
                    arrived
                ],
                [
                    live.packets_lost,
                    live.packets_in_flight,
                    live.packets_delivered
                ],
                "{link} {as_of}"
            );
            for packet in &packets {
                assert_eq!(packet.arrival_ms.is_none(), packet.fate == PacketFate::Lost);
                // An acknowledgement is of what has arrived, and comes later.
                assert!(packet.acked_tick.is_none_or(|acked| {
                    acked <= as_of
                        && snapshot_base::time::WORLD.ms_of_tick(acked as f64)
                            > packet.arrival_ms.unwrap()
                }));
            }
            let acked = packets.iter().filter(|packet| packet.acked_tick.is_some());
            assert!(acked.count() * 4 > packets.len(), "{link}");
        }
        assert!(history.acks(0..501).count() > 100);
        assert!(history.packets(300..300, 500).next().is_none());
    }
}

#[test]
fn packets_that_are_not_held_are_refused_by_name() {
    let (tape, history) = with_history("scene=roll&hz=10", 100);
    let nothing = Err(InspectError::NothingSent { tick: 3 });
    assert_eq!(history.inspect(&tape, 3, None), nothing);
    let (number, tick) = (50, 100);
    let not_sent = Err(InspectError::NotSent { number, tick });
    assert_eq!(history.inspect(&tape, tick, Some(number)), not_sent);
    assert_eq!(history.inspect(&tape, 100, None).unwrap().packet.number, 16);
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn what_is_forgotten_is_told_of_no_more_and_the_rest_still() {
    let settings = settings("#scene=katamari&grid=6&hz=30&codec=arithmetic");
    let mut tape = Tape::record(&settings, 0);
    let mut history = LaneHistory::new(&tape, &settings.lane(), &LinkInputs::default(), 0);
    for _ in 0..4500 {
        tape.step(snapshot_physics::Input::NONE, false);
        history.advance(&tape);
        history.forget_before(tape.first_tick());
    }
    let first = history.packets(0..4501, 4500).next().unwrap();
    assert!(first.tick >= tape.first_tick() && tape.first_tick() > 0);
    let number = first.number - 1;
    let not_held = Err(InspectError::NotHeld { number });
    assert_eq!(history.inspect(&tape, 4500, Some(number)), not_held);
    for packet in history.packets(0..4501, 4500).step_by(97) {
        let again = history.inspect(&tape, 4500, Some(packet.number));
        assert!(again.is_ok(), "{packet:?}");
    }
}

#[test]
fn what_a_cube_was_told_from_was_coded_before_it_and_is_near() {
    let (tape, history) = with_history("scene=katamari&hz=30&codec=predicted", 255);
    let inspection = history.inspect(&tape, 255, None).unwrap();
    let mut coded: Vec<u32> = inspection
        .spans
        .iter()
        .filter_map(|span| span.cube)
        .collect();
    coded.dedup();
    let place = |cube: u32| coded.iter().position(|coded| *coded == cube).unwrap();
    let mut changed = inspection
        .spans
        .iter()
        .filter(|span| span.rule == "changed");
    let is_changed = |cube: u32| {
        let is_its = |span: &&Field| span.rule == "changed" && span.cube == Some(cube);
        inspection.spans.iter().find(is_its).unwrap().value == 1
    };
    assert!(changed.all(|span| span.cube.is_some()));
    assert!(inspection.neighbours.len() > 10);
    for one in &inspection.neighbours {
        assert!(!one.cubes.is_empty());
        for &other in &one.cubes {
            assert!(place(other) < place(one.cube) && is_changed(other));
        }
        let mut once = one.cubes.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), one.cubes.len());
    }
    // The player's cube is the first, and told from none.
    assert!(inspection.neighbours.iter().all(|one| one.cube != 0));
    // Other rungs tell none.
    let (tape, history) = with_history("scene=katamari&hz=30&codec=arithmetic", 255);
    assert_eq!(history.inspect(&tape, 255, None).unwrap().neighbours, []);
}

#[test]
fn a_cubes_change_is_what_its_fields_say() {
    let (tape, history) = with_history("scene=katamari&hz=30&codec=changed-flags", 255);
    for packet in history.packets(0..256, 255) {
        let inspection = history.inspect(&tape, 255, Some(packet.number)).unwrap();
        assert!(inspection.changes.len() <= packet.changed_cubes as usize);
        for change in &inspection.changes {
            let says = |rule: &str| {
                let is_it = |it: &&Field| it.cube == Some(change.cube) && it.rule.starts_with(rule);
                inspection.spans.iter().find(is_it).map(|span| span.value)
            };
            let relative = says("relative position").map(|value| value == 1);
            for (axis, name) in ["x ", "y ", "z "].into_iter().enumerate() {
                let (now, before) = (change.position[axis], change.position_before[axis]);
                let value = |relative| i64::from(if relative { now - before } else { now });
                assert_eq!(says(name), relative.map(value));
            }
            if let Some(largest) = says("largest") {
                assert_eq!(largest, i64::from(change.orientation[0]));
            }
        }
    }
    let (tape, history) = with_history("scene=katamari&strategy=sync", 255);
    assert_eq!(history.inspect(&tape, 255, None).unwrap().changes, []);
}

#[test]
fn who_stood_in_line_for_a_packet_is_told_with_those_that_did_not_fit() {
    let (tape, history) = with_history("scene=katamari&strategy=sync&budget=64", 255);
    for tick in [100, 200, 250] {
        let inspection = history.inspect(&tape, tick, None).unwrap();
        let (sent, left_out): (Vec<_>, Vec<_>) =
            inspection.queue.iter().partition(|queued| queued.sent);
        let in_the_packet = inspection.spans.iter().filter_map(|span| span.cube);
        let sent_cubes: BTreeSet<_> = sent.iter().map(|queued| queued.cube).collect();
        assert_eq!(sent_cubes, in_the_packet.collect());
        assert_eq!(left_out.len(), LEFT_OUT_MAX);
        for line in [&sent, &left_out] {
            assert!(line.is_sorted_by(|a, b| a.priority >= b.priority));
        }
        assert_eq!(sent[0].cube, 0);
        assert!(sent[0].priority > left_out[0].priority);
        let mut queue = inspection.queue.iter();
        assert!(queue.all(|queued| queued.waited_ms.is_some()));
    }
}
