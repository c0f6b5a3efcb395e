//! Datagrams that nobody in the game sent.

use super::{Address, Seat, Table, budget, link, settings, steady};
use crate::clocks::PassedMs;
use crate::connection::{Listener, ServerEvent};
use crate::extras::{Extras, Velocities};
use crate::fuzz;
use crate::payload::Part;
use crate::shown::ShownPackets;
use crate::{Client, DatagramOutcome, Object, RefusalReason, Settings, Status};
use proptest::prelude::*;
use snapshot_base::random::KeyedDraw;
use std::collections::VecDeque;

/// A datagram of an attacker: any bytes, or a genuine datagram that was damaged, cut, mixed with another or heard before.
pub(super) fn forged(luck: KeyedDraw, genuine: &[Vec<u8>]) -> Vec<u8> {
    let below = |what: u64, end: usize| (luck.with(what).unit() * end as f64) as usize;
    let any = |word: u64| below(word, 256) as u8;
    let mut bytes = match genuine.len() {
        0 => Vec::new(),
        len => genuine[below(1, len)].clone(),
    };
    match below(2, 5) {
        _ if bytes.is_empty() => bytes = (0..below(3, 80) as u64).map(|at| any(10 + at)).collect(),
        0 => bytes = (0..below(3, 80) as u64).map(|at| any(10 + at)).collect(),
        1 => {
            let at = below(4, bytes.len());
            bytes[at] ^= 1 << below(5, 8);
        }
        2 => bytes.truncate(below(6, bytes.len())),
        3 => {
            let other = &genuine[below(7, genuine.len())];
            let at = below(8, bytes.len().min(other.len()));
            bytes[at..].fill(any(9));
            bytes.extend_from_slice(&other[at..]);
        }
        // An exact copy.
        _ => {}
    }
    bytes
}

#[test]
fn a_hundred_thousand_hostile_datagrams_between_the_real_ones_change_no_object() {
    let mut table = Table::new(settings(30));
    (0..2).for_each(|_| table.sit(b"ticket", link(0.02)));
    table.run(60);
    let mut genuine: [Vec<Vec<u8>>; 2] = Default::default();
    // A copy that overtakes its original is no forgery: copies come when the originals have arrived.
    let mut under_way: VecDeque<[Vec<Vec<u8>>; 2]> = VecDeque::new();
    let mut hostile = 0_u64;
    while hostile < 100_000 {
        table.run(1);
        let now_ms = table.now_ms();
        let joined = table.server.peers().count();
        for _ in 0..100 {
            hostile += 1;
            let luck = KeyedDraw::new(3, 1).with(hostile);
            let address: Address = (luck.with(90).unit() * 3.0) as usize;
            // From the addresses of both clients, and from one of the attacker's own.
            match table
                .server
                .receive(now_ms, &address, &forged(luck, &genuine[0]))
            {
                DatagramOutcome::Joins(peer, _) => {
                    assert!(address < 2, "an address that is not proved");
                    table.server.admit(peer);
                }
                DatagramOutcome::Answer(_)
                | DatagramOutcome::Taken
                | DatagramOutcome::Refused(_) => {}
            }
            let Seat { client, .. } = &mut table.seats[address % 2];
            let before = client.snapshot().map(|(tick, _)| tick);
            let _refused = client.receive(now_ms, &forged(luck, &genuine[1]));
            assert_eq!(client.snapshot().map(|(tick, _)| tick), before);
        }
        assert_eq!(table.server.peers().count(), joined);
        under_way.push_back(std::mem::take(&mut table.seats[0].last));
        let has_arrived = under_way.len() > 30;
        let arrived = has_arrived.then(|| under_way.pop_front()).flatten();
        for (genuine, arrived) in genuine.iter_mut().zip(arrived.unwrap_or_default()) {
            genuine.extend(arrived);
            let old = genuine.len().saturating_sub(200);
            genuine.drain(..old);
        }
    }
    for seat in &table.seats {
        assert_eq!(*seat.client.status(), Status::Connected);
        assert!(
            seat.is_whole(&table.truth) && seat.compared > 250,
            "{}",
            seat.compared
        );
    }
    assert!(table.left.is_empty(), "{:?}", table.left);
    let refused = table.server.refused();
    assert!(refused.total() > 50_000, "{refused:?}");
}

#[test]
fn nothing_is_kept_of_an_address_before_it_is_proved() {
    let mut listener: Listener<u32> = Listener::new(1, [9; 16], 10);
    let mut dialer = crate::connection::Dialer::new(1, b"t", 77);
    let hello = dialer.send(0.0, None).unwrap();
    let mut answers = Vec::new();
    for address in 0..10_000 {
        let Ok(ServerEvent::Answer(answer)) = listener.receive(0.0, &address, None, &hello) else {
            panic!("a hello is answered");
        };
        assert!(answer.len() < hello.len());
        answers.push(answer);
    }
    // The proof of one address is none of another's.
    dialer.receive(0.0, &answers[5]).unwrap();
    let proof = dialer.send(0.0, None).unwrap();
    let is_challenge = |event| matches!(event, Ok(ServerEvent::Answer(bytes)) if bytes[0] == 2);
    assert!(is_challenge(listener.receive(0.0, &6, None, &proof)));
    // Nor is it one half a minute later.
    let mut late = listener.clone();
    for second in 0..30 {
        assert_eq!(late.advance(f64::from(second) * 1000.0, |_, _| {}), Ok(()));
    }
    assert!(is_challenge(late.receive(30_000.0, &5, None, &proof)));
    assert_eq!(late.refused().count(RefusalReason::Cookie), 2);
    let joins = listener.receive(0.0, &5, None, &proof);
    assert!(matches!(joins, Ok(ServerEvent::Joins(..))), "{joins:?}");
}

/// A client that shows resting objects.
fn still_client(settings: Settings) -> (Client, f64, u64) {
    let count = settings.objects as u32;
    let mut table = Table::of_one(settings, steady(10.0));
    let objects: Vec<_> = (0..count).map(|id| Object::at(id, [0.0; 3])).collect();
    (0..60).for_each(|_| table.step_game(|_| objects.clone(), |_, _, _| true));
    let now_ms = table.now_ms();
    let client = table.seats.remove(0).client;
    let (tick, _) = client.newest().expect("it has joined");
    (client, now_ms, tick)
}

/// Gives a client a packet of a hostile server. No object changes in it, yet it lists `count` jumps, `count` ends and `count`
/// velocities.
fn give_extras(
    client: &mut Client,
    now_ms: f64,
    tick: u64,
    count: u16,
) -> Result<(), RefusalReason> {
    let changes = |tick: u64| (0..count).map(move |slot| (slot, tick)).collect();
    let velocities = Velocities {
        linear: Some([1.0; 3]),
        angular: None,
    };
    let extras = Extras {
        jumps: changes(1),
        ends: changes(1),
        details: (0..count).map(|slot| (slot, velocities)).collect(),
    };
    let mut bytes = Vec::new();
    extras.write(tick, &mut bytes);
    let part = Part::Packet {
        sequence: tick as u16,
        age: 1,
        part: 0,
        last_part: 0,
        has_extras: true,
        bytes: &bytes,
    };
    client.on_parts(PassedMs(now_ms), &[part])
}

#[test]
fn extras_of_a_hostile_server_are_within_the_memory_for_snapshots() {
    for count in [1, 512] {
        let (mut client, mut now_ms, tick) = still_client(Settings {
            tick_rate: 240,
            send_rate: 240,
            ..Settings::new(count)
        });
        let count = count as u16;
        for tick in tick + 1..tick + 1200 {
            now_ms += 1000.0 / 240.0;
            assert_eq!(give_extras(&mut client, now_ms, tick, count), Ok(()));
        }
        let refused = give_extras(&mut client, now_ms, tick + 1200, count + 1);
        assert_eq!(refused, Err(RefusalReason::Payload));
        // The playout buffer holds the states of its own window beside the snapshots.
        let held = client.held_bytes() >> 20;
        assert!(held <= 96, "{held} MiB");
    }
}

#[test]
fn a_client_of_many_messages_lets_others_be_read() {
    let mut table = Table::new(settings(1));
    (0..2).for_each(|_| table.sit(b"ticket", steady(10.0)));
    table.run(60);
    let quiet = table.seats[1].client.peer().unwrap();
    assert_eq!(table.seats[1].client.message(b"help"), Ok(()));
    let mut is_read = false;
    for _ in 0..300 {
        for _ in 0..20 {
            let _full = table.seats[0].client.say(b"");
        }
        table.run(1);
        // A game that reads so many messages a tick.
        let mut read = (0..16).filter_map(|_| table.server.next_message());
        is_read |= read.any(|(peer, _)| peer == quiet);
    }
    assert!(is_read);
}

/// Plays without loss; returns the number of shown objects, and of those that had ended at the shown tick. Each object lives for
/// so many ticks, and another one comes in its place at once.
fn shown_after_their_end(settings: Settings, way_ms: f64, count: u64, life: u64) -> [usize; 2] {
    let game = |tick: u64| {
        let age = |at: u64| tick + at * 7;
        let id = |at: u64| (at * 100_000 + age(at) / life) as u32;
        (0..count)
            .map(|at| Object::at(id(at), [at as f32, 0.0, 1.0]))
            .collect::<Vec<_>>()
    };
    let mut table = Table::of_one(settings, steady(way_ms));
    let mut counts = [0; 2];
    for _ in 0..600 {
        table.step_game(game, |_, _, _| true);
        let shown: Vec<u32> = table.shown().iter().map(|object| object.id).collect();
        let Some(tick) = table.seats[0].client.shown_tick() else {
            continue;
        };
        let there: Vec<u32> = game(tick as u64).iter().map(|object| object.id).collect();
        let ended = shown.iter().filter(|id| !there.contains(id)).count();
        counts = [counts[0] + shown.len(), counts[1] + ended];
    }
    counts
}

#[test]
fn an_object_is_shown_up_to_its_end_where_another_takes_its_slot() {
    for budget_kbps in [None, Some(200.0)] {
        for objects in [60, 20] {
            let settings = Settings {
                budget_kbps,
                ..settings(objects)
            };
            let [shown, ended] = shown_after_their_end(settings, 30.0, 20, 50);
            assert!(
                shown > 9000 && ended == 0,
                "{budget_kbps:?}, {objects}: {ended} of {shown}"
            );
        }
    }
}

#[test]
fn an_object_that_lives_for_less_than_a_round_trip_is_shown_up_to_its_end() {
    for budget_kbps in [None, Some(200.0)] {
        let settings = Settings {
            budget_kbps,
            ..settings(60)
        };
        let [shown, ended] = shown_after_their_end(settings, 120.0, 10, 10);
        assert!(
            shown > 2000 && ended == 0,
            "{budget_kbps:?}: {ended} of {shown}"
        );
    }
}

#[test]
fn a_picture_of_packets_that_were_not_sent_is_none() {
    let mut table = Table::of_one(budget(20, 200.0), steady(10.0));
    table.run(60);
    assert!(!table.shown().is_empty());
    let client = &table.seats[0].client;
    let (peer, shown) = (client.peer().unwrap(), client.shown_instant().unwrap());
    assert!(table.server.seen(peer, &shown).is_some());
    let mut claimed = shown;
    if let ShownPackets::Received(received) = &mut claimed.packets {
        received.before = (1 << 48) - 1;
    }
    assert_ne!(
        claimed, shown,
        "a client that plays for a second lacks some of 48"
    );
    assert_eq!(table.server.seen(peer, &claimed), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_datagrams_are_taken_or_refused(data in proptest::collection::vec(any::<u8>(), 0..400)) {
        fuzz::hello(&data);
    }

    #[test]
    fn any_payloads_are_taken_or_refused(data in proptest::collection::vec(0..16_u8, 0..300)) {
        fuzz::payload(&data);
    }
}
