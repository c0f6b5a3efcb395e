//! Inputs and messages on their way, over links that lose and delay them.

use super::{Table, press, settings, steady};
use crate::inputs::{InputArrivals, InputBuffer, InputList, InputQueue, STEERING_MAX};
use crate::messages::Messages;
use crate::payload::Part;
use crate::unread::Unread;
use crate::{PayloadError, Settings, ShownInstant};
use proptest::prelude::*;
use snapshot_base::random::KeyedDraw;
use snapshot_base::time::WORLD;
use snapshot_netsim::channel::Conditions;
use std::collections::VecDeque;

fn link(latency_ms: f64, loss: f64) -> Conditions {
    Conditions {
        jitter_ms: 10.0,
        loss,
        ..steady(latency_ms)
    }
}

/// The input of a tick: held keys mostly, and where the player looks now and then.
fn input(tick: u64) -> Vec<u8> {
    let mut bytes = vec![(tick / 20) as u8];
    if tick.is_multiple_of(7) {
        bytes.extend(tick.to_be_bytes());
    }
    bytes
}

/// The fate of a client's inputs after the first five seconds.
struct Played {
    missing: u64,
    /// Ticks by which the inputs came early at the end.
    margin: f64,
    /// Mean ticks that the client's clock is ahead of the server's.
    ahead: f64,
    /// The greatest change of the client's rate over a second.
    rate: f64,
}

fn played(latency_ms: f64, loss: f64, ticks: u64) -> Played {
    let mut table = Table::of_one(settings(4), link(latency_ms, loss));
    let (mut missing, mut rate, mut ahead, mut last) = (0, 0.0_f64, Vec::new(), None);
    for _ in 0..ticks {
        table.run(1);
        let (tick, now_ms) = (table.tick + 1, table.now_ms());
        let Some(peer) = table.server.peers().next() else {
            continue;
        };
        // The server's input for its next tick.
        match table.server.input(peer, tick) {
            Some(bytes) => assert_eq!(bytes, input(tick)),
            None if table.tick > 300 => missing += 1,
            None => {}
        }
        let client = &mut table.seats[0].client;
        press(client, now_ms, input);
        if table.tick.is_multiple_of(60) && table.tick > 300 {
            let at = client.input_at();
            rate = rate.max(last.map_or(0.0, |last: f64| ((at - last) / 60.0 - 1.0).abs()));
            ahead.push(at - table.tick as f64);
            last = Some(at);
        }
    }
    let margin = table.seats[0].client.figures().input_margin_ticks;
    Played {
        missing,
        margin: margin.unwrap_or(f64::NAN),
        ahead: ahead.iter().sum::<f64>() / ahead.len() as f64,
        rate,
    }
}

/// The table of `docs/measured.md`: `cargo test -p snapshot-replication fewer_than -- --nocapture`.
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn fewer_than_one_input_in_10_000_is_missing_at_a_fifth_of_loss() {
    println!("| loss | one way ms | missing | of | margin | ahead | rate |");
    let mut of_fifth = [0, 0];
    for loss in [0.0, 0.05, 0.2] {
        for latency_ms in [0.0, 50.0, 125.0, 250.0] {
            let ticks = if loss > 0.1 { 40_000 } else { 10_000 };
            let Played {
                missing,
                margin,
                ahead,
                rate,
            } = played(latency_ms, loss, ticks);
            let of = ticks - 300;
            if loss > 0.1 {
                of_fifth = [of_fifth[0] + missing, of_fifth[1] + of];
            }
            println!(
                "| {} % | {latency_ms} | {missing} | {of} | {margin:.1} | {ahead:.1} | {:.1} % |",
                100.0 * loss,
                100.0 * rate
            );
            let case = format!("{loss} at {latency_ms} ms");
            assert!(missing * 10_000 <= ticks, "{case}: {missing}");
            assert!((0.0..14.0).contains(&margin), "{case}: {margin}");
            // The way there, and the margin.
            let way = latency_ms * 60.0 / 1000.0;
            assert!((ahead - way - margin).abs() < 6.0, "{case}: {ahead}");
            assert!(rate <= STEERING_MAX + 0.01, "{case}: {rate}");
        }
    }
    // README has this figure.
    assert_eq!(of_fifth, [2, 158_800]);
}

#[test]
fn an_input_is_due_once_and_refused_by_name() {
    let mut queue = InputQueue::new(WORLD, 16);
    assert_eq!(queue.due(0.0), None);
    queue.follow(0.0, 50.0, 0.0);
    assert_eq!(queue.due(0.0), Some(52));
    assert_eq!(queue.due(0.0), None);
    assert_eq!(queue.push(53, b""), Err(PayloadError::InputTick(53)));
    assert_eq!(
        queue.push(52, &[0; 65]),
        Err(PayloadError::InputTooLong(65))
    );
    assert_eq!(queue.push(52, &[0; 64]), Ok(()));
    assert_eq!(queue.push(52, b""), Err(PayloadError::InputTick(52)));
    // After a pause of an hour the last half of a second is due, once the server is heard.
    assert_eq!(queue.due(3.6e6), None);
    queue.follow(3.6e6, 216_050.0, 0.0);
    let due = std::iter::from_fn(|| queue.due(3.6e6)).count();
    assert!((30..32).contains(&due), "{due}");
}

/// Ticks that a game may reach, and those of one that counts them from 1970.
#[test]
fn inputs_states_and_shots_go_on_at_any_tick() {
    const UNIX: u64 = 1_764_000_000 * 60;
    for first in [
        0,
        1 << 16,
        1 << 31,
        1 << 32,
        1 << 47,
        UNIX,
        (1 << 48) - 1300,
    ] {
        let mut table = Table::new(settings(4));
        table.first = first - first.min(600);
        table.first_ms = if first == UNIX { 1.764e12 } else { 0.0 };
        table.sit(b"ticket", link(40.0, 0.05));
        let (mut missing, mut seen, mut compared) = (0, 0, 0);
        for step in 0..1200 {
            table.run(1);
            let (now_ms, next) = (table.now_ms(), table.first + table.tick + 1);
            let Some(peer) = table.server.peers().next() else {
                continue;
            };
            match table.server.input(peer, next) {
                Some(bytes) => assert_eq!(bytes, input(next)),
                None => missing += u32::from(step > 200),
            }
            let client = &mut table.seats[0].client;
            while let Some(tick) = client.next_input(now_ms) {
                let due_ms = client.input_ms(tick + 1).unwrap();
                // After a leap several inputs are due at once.
                let due_in_ms = due_ms - now_ms;
                assert!(
                    (-300.0..40.0).contains(&due_in_ms) && (step < 200 || due_in_ms > -40.0),
                    "{first}: {due_ms}, {now_ms}"
                );
                client.input(tick, &input(tick)).unwrap();
            }
            let Some(shown) = client.shown_instant() else {
                continue;
            };
            let shown = ShownInstant::from_bytes(&shown.to_bytes()).unwrap();
            let positions = client.show(now_ms).iter().map(|object| object.position);
            if let Some(objects) = table.server.seen(peer, &shown) {
                assert!(positions.eq(objects.iter().map(|object| object.position)));
                seen += 1;
            }
            let behind = next as f64 - client.shown_tick().unwrap();
            compared += u32::from(step > 200 && (1.0..30.0).contains(&behind));
        }
        assert!(missing < 3, "{first}: {missing} missing");
        assert!(seen > 900 && compared > 980, "{first}: {seen}, {compared}");
        let margin = table.seats[0].client.figures().input_margin_ticks;
        assert!(margin.is_some_and(|it| (0.0..9.0).contains(&it)), "{first}");
    }
}

#[test]
fn an_input_is_due_by_the_game_s_clock_after_it_has_leapt() {
    for leap_ms in [3_600_000.0, -3_600_000.0, f64::MAX] {
        let mut table = Table::of_one(settings(4), link(40.0, 0.05));
        table.run(300);
        let now_ms = table.now_ms();
        table.seats[0].client.show(now_ms + leap_ms);
        table.run(300);
        let now_ms = table.now_ms();
        let client = &mut table.seats[0].client;
        let next = std::iter::from_fn(|| client.next_input(now_ms)).last();
        let due_in_ms = client.input_ms(next.unwrap() + 1).unwrap() - now_ms;
        assert!((0.0..40.0).contains(&due_in_ms), "{leap_ms}: {due_in_ms}");
    }
}

/// A copy that an attacker sends again would make the client run ahead.
#[test]
fn a_late_copy_says_nothing_of_the_way() {
    let (mut queue, mut buffer) = (InputQueue::new(WORLD, 4), InputBuffer::new(WORLD));
    queue.follow(0.0, 50.0, 0.0);
    let mut datagrams = Vec::new();
    for frame in 0..20 {
        let now_ms = f64::from(frame) * 1000.0 / 60.0;
        let tick = queue.due(now_ms).unwrap();
        queue.push(tick, b"go").unwrap();
        let mut datagram = Vec::new();
        queue.write(frame as u16, 100, &mut datagram);
        buffer
            .on_datagram(50.0 + f64::from(frame), &datagram)
            .unwrap();
        datagrams.push(datagram);
    }
    let margin = buffer.margin_ticks();
    assert!(margin.is_some_and(|margin| margin > 1.0), "{margin:?}");
    buffer.on_datagram(69.5, &datagrams[2]).unwrap();
    assert_eq!(buffer.margin_ticks(), margin);
}

/// Datagrams of an input and a copy of the one before it: the server needs each input two ticks after it left.
#[test]
fn late_lost_and_repeated_inputs_are_told_apart() {
    const ON_TIME: u64 = 1;
    const LATE: u64 = 4;
    const LOST: u64 = u64::MAX;
    for (fates, missing, late, repeated) in [
        ([ON_TIME; 6], 0, 0, 0),
        ([ON_TIME, LOST, ON_TIME, ON_TIME, ON_TIME, ON_TIME], 0, 0, 1),
        ([ON_TIME, LOST, LOST, ON_TIME, ON_TIME, ON_TIME], 1, 0, 1),
        ([ON_TIME, LATE, LATE, ON_TIME, ON_TIME, ON_TIME], 1, 1, 1),
        ([ON_TIME, LATE, LATE, LATE, ON_TIME, ON_TIME], 2, 2, 1),
    ] {
        let (mut queue, mut buffer) = (InputQueue::new(WORLD, 2), InputBuffer::new(WORLD));
        queue.follow(0.0, 50.0, 0.0);
        let mut sent = Vec::new();
        for step in 0..12_u64 {
            if let Some(fate) = fates.get(step as usize) {
                let tick = queue.due(step as f64 * 1000.0 / 60.0).unwrap();
                queue.push(tick, b"go").unwrap();
                let mut datagram = Vec::new();
                queue.write(step as u16, 100, &mut datagram);
                sent.push((step.checked_add(*fate), tick, datagram));
            }
            let now = (50 + step) as f64;
            for (_, _, datagram) in sent.iter().filter(|it| it.0 == Some(step)) {
                buffer.on_datagram(now, datagram).unwrap();
            }
            if let Some((_, tick, _)) = step.checked_sub(2).and_then(|step| sent.get(step as usize))
            {
                let _ = buffer.next(now, *tick);
            }
        }
        let expected = InputArrivals {
            missing,
            late,
            repeated,
        };
        assert_eq!(buffer.arrivals(), expected, "{fates:?}");
    }
}

proptest! {
    #[test]
    fn inputs_arrive_as_they_were_given(
        inputs in prop::collection::vec(prop::collection::vec(0..3_u8, 0..9), 1..40),
        room in 6..300_usize,
        lost in prop::collection::vec(any::<bool>(), 40),
    ) {
        let (mut queue, mut buffer) = (InputQueue::new(WORLD, 64), InputBuffer::new(WORLD));
        queue.follow(0.0, 9.0, 0.0);
        let (mut datagrams, mut given) = (Vec::new(), Vec::new());
        for (at, bytes) in inputs.iter().enumerate() {
            let now_ms = at as f64 * 1000.0 / 60.0;
            if let Some(tick) = queue.due(now_ms) {
                queue.push(tick, bytes).unwrap();
                given.push((tick, bytes));
            }
            let mut datagram = Vec::new();
            if queue.write(at as u16, room, &mut datagram) {
                prop_assert!(datagram.len() <= room);
                let list = InputList::read(&mut Unread(&datagram)).unwrap();
                prop_assert_eq!(list.bytes, &datagram[..]);
                datagrams.push(datagram);
            }
        }
        for (datagram, lost) in datagrams.iter().zip(lost) {
            if !lost {
                buffer.on_datagram(5.0, datagram).unwrap();
            }
        }
        for (tick, given) in given {
            let taken = buffer.next(5.0, tick);
            prop_assert!(taken.is_none() || taken.as_ref() == Some(given));
        }
    }

    #[test]
    fn messages_arrive_once_and_in_order(lost in 0..6_u64, seed in any::<u32>(), count in 1..60_usize) {
        let mut ends = [Messages::default(), Messages::default()];
        let luck = KeyedDraw::new(seed, 5);
        let message = |at: usize| vec![at as u8; KeyedDraw::new(seed, 6).with(at as u64).between(0.0, 1001.0) as usize];
        let (mut pushed, mut came) = (0_usize, 0_usize);
        // Half of all may be lost, and a retransmission waits longer each time: two minutes are enough by far.
        for step in 0..12_000_u64 {
            let now_ms = step as f64 * 10.0;
            while pushed < count && ends[0].push(&message(pushed)).is_ok() {
                pushed += 1;
            }
            for from in 0..2 {
                let mut payload = Vec::new();
                ends[from].write(now_ms, 50.0, 300, &mut payload);
                prop_assert!(payload.len() <= 300);
                let draw = luck.with(step * 2 + from as u64);
                if payload.is_empty() || draw.unit() * 10.0 < lost as f64 {
                    continue;
                }
                let parts = Part::read_all(&payload, |_| true).unwrap();
                parts.into_iter().for_each(|part| {
                    let _datagram = ends[1 - from].on_part(part);
                });
            }
            if step % 5 == 0 {
                while let Some(bytes) = ends[1].next() {
                    prop_assert_eq!(bytes, message(came));
                    came += 1;
                }
            }
            if came == count {
                break;
            }
        }
        prop_assert_eq!(came, count);
    }
}

#[test]
fn chat_goes_both_ways_in_order_and_a_full_queue_says_so() {
    let mut table = Table::new(settings(4));
    (0..2).for_each(|_| table.sit(b"ticket", link(40.0, 0.2)));
    table.run(120);
    let peers: Vec<_> = table.server.peers().collect();
    let (mut came, mut back) = (0_u32, [0_u32; 2]);
    for step in 0..900 {
        table.run(1);
        if step % 5 == 0 && step < 500 {
            let sent: u32 = step / 5;
            table.seats[1].client.message(&sent.to_be_bytes()).unwrap();
        }
        while let Some((peer, bytes)) = table.server.next_message() {
            assert_eq!(Some(peer), table.seats[1].client.peer());
            assert_eq!(bytes, came.to_be_bytes());
            came += 1;
            // The server tells it to all.
            let mut tell = |&peer| table.server.message(peer, &bytes).unwrap();
            peers.iter().for_each(&mut tell);
        }
        for (seat, back) in table.seats.iter_mut().zip(&mut back) {
            while let Some(bytes) = seat.client.next_message() {
                assert_eq!(bytes, back.to_be_bytes());
                *back += 1;
            }
        }
    }
    assert_eq!((came, back), (100, [100; 2]));
    let too_long = table.server.message(peers[0], &[0; 1001]);
    assert_eq!(too_long, Err(PayloadError::MessageTooLong(1001)));
    let client = &mut table.seats[0].client;
    let message = [7; 1000];
    (0..64).for_each(|_| client.message(&message).unwrap());
    assert_eq!(client.message(b"hello"), Err(PayloadError::Full));
    let nobody = table.server.message(crate::Peer::from_number(99), b"");
    assert_eq!(nobody, Err(PayloadError::NotConnected));
}

#[test]
fn what_is_said_once_comes_once_at_most() {
    let duplicated = Conditions {
        duplicated: 0.3,
        ..link(40.0, 0.1)
    };
    let mut table = Table::of_one(settings(4), duplicated);
    table.run(120);
    let peer = table.server.peers().next().unwrap();
    let (mut came, mut back) = (Vec::new(), Vec::new());
    for step in 0..600_u32 {
        table.run(1);
        table.seats[0].client.say(&step.to_be_bytes()).unwrap();
        table.server.say(peer, &step.to_be_bytes()).unwrap();
        came.extend(std::iter::from_fn(|| table.server.next_message()).map(|(_, bytes)| bytes));
        back.extend(std::iter::from_fn(|| table.seats[0].client.next_message()));
    }
    for mut came in [came, back] {
        let count = came.len();
        came.sort();
        came.dedup();
        assert_eq!(came.len(), count);
        assert!((480..570).contains(&count), "{count}");
    }
}

#[test]
fn a_message_is_cut_to_datagrams_and_what_is_sent_once_is_not() {
    let small = Settings {
        mtu: 256,
        ..settings(4)
    };
    let mut table = Table::of_one(small, link(20.0, 0.0));
    table.run(60);
    let client = &mut table.seats[0].client;
    let too_long = |bytes| Err(PayloadError::MessageTooLong(bytes));
    assert_eq!(client.say(&[0; 240]), too_long(240));
    assert_eq!(client.message(&[0; 1001]), too_long(1001));
    client.say(&[6; 230]).unwrap();
    client.message(&[7; 1000]).unwrap();
    client.message(b"").unwrap();
    table.run(30);
    let came = std::iter::from_fn(|| table.server.next_message());
    let came: Vec<_> = came
        .map(|(_, bytes)| (bytes.len(), bytes.first().copied()))
        .collect();
    // What is sent once waits for no order.
    assert_eq!(came.len(), 3);
    assert!(came.contains(&(230, Some(6))));
    assert!(came.ends_with(&[(1000, Some(7)), (0, None)]) || came.starts_with(&[(1000, Some(7))]));
}

#[test]
fn of_a_message_that_was_begun_nothing_is_sent_after_a_new_connection() {
    for sent in 0..3 {
        let mut messages = Messages::default();
        messages.push(&[1; 900]).unwrap();
        messages.push(&[2; 300]).unwrap();
        let mut payload = Vec::new();
        messages.write(0.0, 50.0, 250 * sent, &mut payload);
        assert_eq!(payload.is_empty(), sent == 0);
        // The first piece is known to have arrived.
        if sent > 0 {
            let (next, after) = (1, 0);
            let _datagram = messages.on_part(Part::MessageAck { next, after });
        }
        messages.begin_anew();
        payload.clear();
        messages.write(1.0, 50.0, 5000, &mut payload);
        let mut other = Messages::default();
        let parts = Part::read_all(&payload, |_| true).unwrap();
        parts.into_iter().for_each(|part| {
            let _datagram = other.on_part(part);
        });
        if sent == 0 {
            assert_eq!(other.next(), Some(vec![1; 900]));
        }
        assert_eq!(other.next(), Some(vec![2; 300]));
        assert_eq!(other.next(), None);
    }
}

/// The round trip of a join that lost a datagram is too long at first. It is known better with each packet, and the server's
/// ticks pass no slower for that.
#[test]
fn a_round_trip_that_was_thought_too_long_makes_no_input_late() {
    let mut queue = InputQueue::new(WORLD, 16);
    let (mut guess, mut number) = (36.0, 0);
    let mut under_way: VecDeque<(u64, u16, f64)> = VecDeque::new();
    let mut margins = Vec::new();
    for tick in 0..900_u64 {
        let now_ms = WORLD.ms_of_tick(tick as f64);
        if tick % 3 == 0 {
            guess += (6.0 - guess) * 0.125;
            queue.follow(now_ms, tick as f64 - 3.0, guess);
        }
        while under_way.front().is_some_and(|&(back, ..)| back <= tick) {
            let (_, number, margin) = under_way.pop_front().unwrap_or_default();
            queue.on_ack(now_ms, number, Some(margin), 0.0);
        }
        while let Some(due) = queue.due(now_ms) {
            queue.push(due, b"key").unwrap();
            number += 1;
            queue.write(number, 200, &mut Vec::new());
            let margin = due as f64 - (tick as f64 + 3.0);
            under_way.push_back((tick + 6, number, margin));
            margins.push(margin);
        }
    }
    let least = margins.iter().copied().fold(f64::INFINITY, f64::min);
    let last = &margins[margins.len() - 60..];
    assert!(least >= 0.0, "an input came {least} ticks early");
    assert!(
        last.iter().all(|margin| (0.0..=3.0).contains(margin)),
        "{last:?}"
    );
}
