//! The window of inputs at both ends.

use super::*;
use crate::strategy::Receiver as _;
use snapshot_base::time::WORLD;
use snapshot_codec::DecodeError;
use snapshot_view::SnapshotArrival;
use snapshot_view::playout::Playout;

fn sender() -> LockstepSender {
    LockstepSender::new(LockstepSenderConfig {
        send_rate_hz: 60,
        is_stream: false,
    })
}

fn receiver() -> LockstepReceiver {
    LockstepReceiver::new(LockstepReceiverConfig {
        playout: Playout::Fixed { delay_ms: 100.0 },
        send_interval_ms: 1000.0 / 60.0,
        is_stream: false,
    })
}

fn queue(sender: &mut LockstepSender, ticks: std::ops::RangeInclusive<u64>) {
    for tick in ticks {
        sender.queue(tick, (tick % 64) as u8);
    }
}

#[test]
fn the_window_is_the_oldest_inputs_and_moves_on_with_acks() {
    let mut sender = sender();
    queue(&mut sender, 1..=511);
    let window = |sender: &mut LockstepSender| {
        let (newest, inputs) = sender.window();
        (newest, inputs.len(), inputs[0])
    };
    assert_eq!(window(&mut sender), (511, 511, 1));
    assert_eq!(sender.figures().window_full_ticks, 0);
    queue(&mut sender, 512..=600);
    assert_eq!(window(&mut sender), (511, 511, 1));
    assert_eq!(sender.figures().window_full_ticks, 89);
    sender.acked(511);
    assert_eq!(window(&mut sender), (600, 89, 0));
    // Old, repeated and made-up acknowledgements change nothing.
    for sequence in [511, 3, 601, 40_000] {
        sender.acked(sequence);
    }
    assert_eq!(window(&mut sender), (600, 89, 0));
}

#[test]
fn a_sender_that_nobody_hears_gives_up_where_sequences_would_no_longer_tell_frames_apart() {
    let mut sender = sender();
    let most = MOST_QUEUED as u64;
    queue(&mut sender, 1..=most);
    assert!(!sender.figures().given_up);
    queue(&mut sender, most + 1..=most + 100);
    assert!(sender.figures().given_up);
    assert_eq!(sender.queue.len(), MOST_QUEUED);
}

#[test]
fn a_receiver_takes_what_is_new_once_and_passes_over_gaps_and_floods() {
    let mut receiver = receiver();
    let mut accept = |newest: u16, inputs: &[u8]| {
        let mut packet = Vec::new();
        encode_inputs(newest, inputs, &mut packet, None).unwrap();
        let arrival_ms = WORLD.ms_of_tick(newest.into());
        let acked = match receiver.packet(arrival_ms, &packet).unwrap() {
            SnapshotArrival::Accepted => receiver.newest,
            _ => None,
        };
        (acked, receiver.waiting.len())
    };
    // Sequences wrap between the first and the second frame.
    assert_eq!(accept(0, &[1, 2]), (Some(0), 2));
    assert_eq!(accept(0, &[1, 2]), (Some(0), 2), "a second copy");
    assert_eq!(accept(1, &[1, 2, 3]), (Some(1), 3));
    assert_eq!(accept(0, &[2]), (Some(1), 3), "an old one");
    assert_eq!(accept(4, &[5, 6]), (None, 3), "frame 2 is missing");
    assert_eq!(accept(4, &[4, 5, 6]), (Some(4), 6));
    let mut newest = 4_u16;
    while accept(newest.wrapping_add(500), &[7; 500]).0.is_some() {
        newest = newest.wrapping_add(500);
    }
    assert!(receiver.waiting.len() <= MOST_QUEUED);
}

/// `tests.rs` of the crate forges packets of all strategies.
#[test]
fn inputs_that_cannot_have_been_pressed_yet_are_refused() {
    let mut receiver = receiver();
    let mut accept = |tick: u16, newest: u16, inputs: &[u8]| {
        let mut packet = Vec::new();
        encode_inputs(newest, inputs, &mut packet, None).unwrap();
        let arrival = receiver.packet(WORLD.ms_of_tick(tick.into()), &packet);
        (arrival.map(drop), receiver.waiting.len())
    };
    let refused =
        |sequence: u32, horizon: u32| Err(DecodeError::TooFarAhead { sequence, horizon }.into());
    assert_eq!(accept(5, 4, &[1; 4]), (Ok(()), 4));
    // It joins on, and goes beyond what can have been pressed by now.
    assert_eq!(accept(5, 204, &[9; 200]), (refused(204, 65), 4));
    // After a cut of 30 s only the window limits how far a packet goes.
    assert_eq!(accept(1805, 1805, &[9]), (refused(1805, 516), 4));
    assert_eq!(accept(1805, 515, &[2; 511]), (Ok(()), 515));
}
