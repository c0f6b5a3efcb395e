//! Datagrams that nobody in the game sent.

use super::{Address, Seat, Table, link, settings};
use crate::connection::{Listener, ServerEvent};
use crate::fuzz;
use crate::{DatagramOutcome, RefusalReason, Status};
use proptest::prelude::*;
use snapshot_base::random::KeyedDraw;
use std::collections::VecDeque;

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
