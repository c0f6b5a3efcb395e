//! Datagrams that nobody in the game sent.

use super::{Address, Seat, Table, link, settings, steady};
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
use std::time::Instant;

/// A datagram of an attacker: any bytes, or a genuine datagram that was damaged, cut, mixed with another or heard before.
fn forged(luck: KeyedDraw, genuine: &[Vec<u8>]) -> Vec<u8> {
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
    let mut table = Table::new(settings(30), 30);
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
    let mut table = Table::new(settings, 0);
    table.sit(b"ticket", steady(10.0));
    let objects: Vec<_> = (0..count).map(|id| Object::at(id, [0.0; 3])).collect();
    (0..60).for_each(|_| table.step_game(|_| objects.clone(), |_, _, _| true));
    let now_ms = table.now_ms();
    let client = table.seats.remove(0).client;
    let (tick, _) = client.newest().expect("it has joined");
    (client, now_ms, tick)
}

/// Gives a client a packet of a server that breaks the protocol: nothing changes, and there are so many jumps and ends, and as many
/// velocities.
fn give_extras(client: &mut Client, now_ms: f64, tick: u64, [count, details]: [u16; 2]) {
    let changes = |tick: u64| (0..count).map(move |slot| (slot, tick)).collect();
    let velocities = Velocities {
        linear: Some([1.0; 3]),
        angular: None,
    };
    let extras = Extras {
        jumps: changes(1),
        ends: changes(1),
        details: (0..details).map(|slot| (slot, velocities)).collect(),
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
    assert_eq!(client.on_parts(PassedMs(now_ms), &[part]), Ok(()));
}

#[test]
fn jumps_and_velocities_of_all_objects_cost_a_frame_little_time() {
    let mut least_ms = [f64::MAX; 2];
    for (least_ms, count) in least_ms.iter_mut().zip([1, 4096]) {
        let (mut client, mut now_ms, tick) = still_client(Settings::new(4096));
        for tick in tick + 1..tick + 120 {
            now_ms += 1000.0 / 60.0;
            give_extras(&mut client, now_ms, tick, [count; 2]);
            let began = Instant::now();
            let _shown = client.show(now_ms);
            if tick % 10 == 0 {
                *least_ms = least_ms.min(began.elapsed().as_secs_f64() * 1000.0);
            }
        }
    }
    let [few_ms, many_ms] = least_ms;
    assert!(many_ms < 6.0 * few_ms, "{few_ms} ms, then {many_ms} ms");
}

#[test]
fn a_picture_of_packets_that_were_not_sent_is_none() {
    let mut table = Table::new(
        Settings {
            budget_kbps: Some(200.0),
            ..settings(20)
        },
        20,
    );
    table.sit(b"ticket", steady(10.0));
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
