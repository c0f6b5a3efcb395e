//! The lists of LIMITS.md: each is pushed 200,000 entries, and both ends play for twenty minutes at any rate of packets.
//!
//! The text of a value with all its fields stands for its memory: a list that grows makes it longer. The work on a packet is on
//! these lists alone, so their lengths bound its time, too.

use super::bursts::{Event, Play};
use super::settings;
use crate::connection::{ClientEvent, Dialer, Listener, ServerEvent};
use crate::figures::RoundTrip;
use crate::inputs::{InputBuffer, InputQueue, TickRate};
use crate::messages::{MESSAGE_COST_BYTES, MESSAGE_QUEUE_BYTES, Messages};
use crate::path_mtu::PathMtu;
use crate::payload::Part;
use crate::{PayloadError, Settings};
use snapshot_base::time::WORLD;
use std::fmt::Debug;

fn text_bytes(value: &impl Debug) -> usize {
    format!("{value:?}").len()
}

/// Pushes entries into a value, and holds it to the size that it has after half of them, or after 20,000. Numbers may have more digits later.
fn push_all<T: Debug>(name: &str, count: u64, mut value: T, mut push: impl FnMut(&mut T, u64)) {
    let half = 20_000.min(count / 2);
    (0..half).for_each(|at| push(&mut value, at));
    let first = text_bytes(&value);
    (half..count).for_each(|at| push(&mut value, at));
    let last = text_bytes(&value);
    assert!(
        last < first + first / 4 + 200,
        "{name}: {first}, then {last}"
    );
}

/// A datagram of inputs up to a tick.
fn inputs_of(tick: u64) -> Vec<u8> {
    let mut bytes = (tick as u32).to_be_bytes().to_vec();
    bytes.extend([1, 0]);
    bytes
}

/// Pushes so many entries into each list that a peer, a path or a clock can fill.
fn push_into_each(count: u64) {
    // A client's inputs: frames and packets at any time, and no acknowledgement; then one for each datagram.
    for step_ms in [0.0, 2.0, 1000.0 / 60.0, 90.0] {
        for acks in [false, true] {
            let queue = InputQueue::new(WORLD, 16);
            push_all(
                &format!("inputs {step_ms} {acks}"),
                count,
                queue,
                |queue, at| {
                    let now_ms = at as f64 * step_ms;
                    queue.follow(now_ms, at as f64, 3.0);
                    let mut due = std::iter::from_fn(|| queue.due(now_ms)).last();
                    due.take()
                        .into_iter()
                        .for_each(|tick| queue.push(tick, b"key").unwrap());
                    queue.write(at as u16, 1000, &mut Vec::new());
                    if acks {
                        queue.on_ack(now_ms, at as u16, Some(at as f64 % 7.0 - 3.0), 0.1);
                    }
                },
            );
        }
    }
    // A server's buffer: inputs of any tick, asked for or not.
    let buffer = || InputBuffer::new(TickRate::new(60).unwrap());
    push_all("early inputs", count, buffer(), |buffer, at| {
        buffer.on_datagram(5.0, &inputs_of(at)).unwrap();
    });
    push_all("missed ticks", count, buffer(), |buffer, at| {
        buffer.on_datagram(at as f64, &inputs_of(2 * at)).unwrap();
        let _input = buffer.next(at as f64, at);
        let _again = buffer.next(at as f64, at);
    });
    push_all("one tick asked for again", count, buffer(), |buffer, _| {
        buffer.on_datagram(5.0, &inputs_of(6)).unwrap();
        let _input = buffer.next(5.0, 9);
    });
    // Messages of a peer that come in any order, and those of a game that the peer never acknowledges.
    push_all("messages", count, Messages::default(), |messages, at| {
        let (number, bytes) = (at as u16, &[7; 200][..]);
        messages.on_part(Part::Message {
            number: number.wrapping_mul(3),
            is_last: at % 3 == 0,
            bytes,
        });
        messages.on_part(Part::Say { number, bytes });
        let fit = (MESSAGE_QUEUE_BYTES / (bytes.len() + MESSAGE_COST_BYTES)) as u64;
        let pushed = messages.push(bytes);
        assert!(at < fit || pushed == Err(PayloadError::Full));
        let said = messages.say(bytes, 1000, usize::MAX);
        assert!(at < fit || said == Err(PayloadError::Full));
    });
    push_all("probes", count, PathMtu::new(1200), |path, at| {
        path.on_probe(at as u16, (at >> 4) as u16);
        path.on_sent(at as f64 * 20.0, 1000);
        path.on_datagram(at as f64 * 20.0);
        if at % 5 == 0 {
            let _probe = path.next_probe(at as f64 * 20.0, 100.0, usize::MAX, usize::MAX);
        }
    });
    push_all("round trips", count, RoundTrip::default(), |trip, at| {
        trip.on_sample(at as f64 * 100.0, 50.0 + (at % 90) as f64);
    });
    // Clients of a new address each, whom the game never judges.
    let listener = Listener::<u64>::new(1, [7; 16], 8);
    push_all(
        "waiting clients",
        count.min(100_000),
        listener,
        |listener, at| {
            let mut dialer = Dialer::new(1, b"", at);
            let hello = dialer.send(at as f64, None).unwrap();
            let Ok(ServerEvent::Answer(challenge)) =
                listener.receive(at as f64, &at, Some(at / 3), &hello)
            else {
                panic!("a challenge");
            };
            assert_eq!(
                dialer.receive(at as f64, &challenge),
                Ok(ClientEvent::Nothing)
            );
            let proof = dialer.send(at as f64, None).unwrap();
            let _joins = listener.receive(at as f64, &at, Some(at / 3), &proof);
        },
    );
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn many_thousand_entries_fill_no_list_beyond_its_limit() {
    push_into_each(200_000);
}

#[test]
fn many_entries_fill_no_list_beyond_its_limit() {
    push_into_each(16_000);
}

/// Plays at a rate of packets, and holds the memory of both ends to that of the first minute. At half a packet a
/// second the path loses half of the packets, since settings have whole numbers.
fn play_at(rate: f64, burst_ms: f64, minutes: u32, budget_kbps: Option<f64>) {
    let settings = Settings {
        send_rate: rate.ceil() as u32,
        budget_kbps,
        ..settings(3)
    };
    let bursts = [0.0, 41.0].map(|phase_ms| (burst_ms, phase_ms));
    let mut play = Play::new(settings, 30.0, bursts);
    play.loses_half = rate < 1.0;
    let name = format!("{rate} a second, bursts of {burst_ms} ms, {budget_kbps:?}");
    let (mut first, mut last) = ([0; 3], [0; 3]);
    for minute in 0..minutes {
        for _ in 0..6 {
            play.run(10, Event::Nothing, 0.0);
            let sizes = play.sizes();
            let most = if minute < 2 { &mut first } else { &mut last };
            *most = [0, 1, 2].map(|at| most[at].max(sizes[at]));
        }
    }
    assert!(play.table.seats[0].client.newest().is_some(), "{name}");
    for (first, last) in first.into_iter().zip(last) {
        assert!(
            last <= first + first / 5 + 300,
            "{name}: {first}, then {last}"
        );
    }
}

const RATES: [f64; 6] = [0.5, 1.0, 2.0, 4.0, 10.0, 60.0];

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn twenty_minutes_at_any_rate_take_no_more_memory_than_two() {
    // At 60 a second the numbers of datagrams begin anew after 18 minutes.
    for rate in RATES {
        for burst_ms in [0.0, 100.0, 250.0, 600.0, 2000.0] {
            play_at(rate, burst_ms, 20, None);
        }
        play_at(rate, 250.0, 20, Some(100.0));
    }
}

#[test]
fn minutes_at_any_rate_take_no_more_memory_than_two() {
    for rate in [0.5, 4.0, 60.0] {
        play_at(rate, 250.0, 3, None);
    }
}

/// The table and the code have the same limits.
#[test]
fn each_limit_is_in_the_table() {
    const TABLE: &str = include_str!("../../LIMITS.md");
    let rows = TABLE.lines().filter(|line| line.starts_with("| "));
    let rows: Vec<Vec<&str>> = rows
        .map(|row| row.split('|').map(str::trim).collect())
        .collect();
    for (list, limit) in [
        ("messages to be sent", "65,536".to_owned()),
        ("inputs to be sent", crate::inputs::INPUTS_MAX.to_string()),
        ("packets of the buffer", "256".to_owned()),
    ] {
        let row = rows.iter().find(|row| row[1] == list).expect(list);
        assert!(row[3].contains(&limit), "{row:?}");
    }
    assert!(rows.iter().all(|row| row.len() == 6 && !row[4].is_empty()));
}
