//! Packets that a receiver refuses or takes.

use super::*;
use crate::Receiver as _;
use snapshot_codec::QuantisationBits;
use snapshot_codec::{DecodeError as CodecError, Life};

const CUBES: usize = 26;

fn format() -> SyncFormat {
    let bits = QuantisationBits::DEFAULT;
    SyncFormat::new(
        bits,
        CUBES,
        super::super::codec::Compression::default(),
        true,
    )
    .unwrap()
}

fn receiver() -> SyncReceiver {
    let still = CubeState {
        position: [0.0, 0.0, 0.2],
        orientation: [0.0, 0.0, 0.0, 1.0],
        linear_velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        interacting: false,
        at_rest: true,
        life: Life::default(),
    };
    let config = SyncReceiverConfig {
        playout: Playout::Fixed { delay_ms: 100.0 },
        send_interval_ms: 1000.0 / 60.0,
        smoothing: Smoothing::Adaptive,
    };
    SyncReceiver::new(format(), config, 0, &[still; CUBES])
}

#[test]
fn forged_packets_of_future_frames_are_refused_and_the_genuine_go_on() {
    let mut receiver = receiver();
    let mut accept = |now_tick: u64, sequence: u32| {
        let mut bytes = Vec::new();
        super::super::codec::SyncEncoder::new(format())
            .encode(sequence, &[0], [], 1000, &mut bytes, None)
            .unwrap();
        let arrival = receiver.packet(WORLD.ms_of_tick(now_tick as f64), &bytes);
        (arrival, receiver.decoder.ack().map(|ack| ack.newest))
    };
    let refused =
        |sequence: u32, horizon: u32| Err(CodecError::TooFarAhead { sequence, horizon }.into());
    assert_eq!(accept(9, 0x7000), (refused(0x7000, 69), None));
    assert_eq!(accept(9, 5), (Ok(SnapshotArrival::Accepted), Some(5)));
    assert_eq!(accept(9, 0x7005), (refused(0x7005, 69), Some(5)));
    assert_eq!(accept(9, 5), (Ok(SnapshotArrival::Duplicate), Some(5)));
    // After a cut of 10 s.
    assert_eq!(accept(609, 605), (Ok(SnapshotArrival::Accepted), Some(605)));
}

#[test]
fn inputs_are_held_for_512_frames_and_no_longer() {
    let mut receiver = receiver();
    receiver.take_inputs(10, &[3]);
    receiver.take_inputs(521, &[1]);
    assert_eq!(
        (receiver.input_of(10), receiver.input_of(521)),
        (Some(3), Some(1))
    );
    receiver.take_inputs(522, &[2]);
    assert_eq!(
        (receiver.input_of(10), receiver.input_of(522)),
        (None, Some(2))
    );
}

#[test]
fn an_arrival_counts_for_the_next_tick() {
    for tick in [0_u64, 1, 7, 59, 60, 3601, 1_000_003] {
        let ms = WORLD.ms_of_tick(tick as f64);
        assert_eq!((tick_at(ms), tick_at_or_after(ms)), (tick, tick));
        assert_eq!(tick_at_or_after(ms + 0.01), tick + 1);
    }
}
