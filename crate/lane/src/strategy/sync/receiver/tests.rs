//! Packets that a receiver refuses or takes.

use super::super::codec::Compression;
use super::*;
use snapshot_codec::QuantisationBits;
use snapshot_settings::Smoothing;

const CUBES: usize = 26;

fn format() -> SyncFormat {
    let bits = QuantisationBits::DEFAULT;
    SyncFormat::new(bits, CUBES, Compression::default(), true).unwrap()
}

fn receiver() -> SyncReceiver {
    let still = CubeState {
        position: [0.0, 0.0, 0.2],
        at_rest: true,
        ..CubeState::default()
    };
    let config = SyncReceiverConfig {
        playout: Playout::Fixed { delay_ms: 100.0 },
        send_interval_ms: 1000.0 / 60.0,
        smoothing: Smoothing::Adaptive,
    };
    SyncReceiver::new(format(), config, 0, &[still; CUBES])
}

#[test]
fn inputs_are_held_for_512_frames_and_no_longer() {
    let mut receiver = receiver();
    receiver.store_inputs(10, &[3]);
    receiver.store_inputs(521, &[1]);
    assert_eq!(
        [10, 521].map(|at| receiver.input_of(at)),
        [Some(3), Some(1)]
    );
    receiver.store_inputs(522, &[2]);
    assert_eq!([10, 522].map(|at| receiver.input_of(at)), [None, Some(2)]);
}

#[test]
fn an_arrival_counts_for_the_next_tick() {
    for tick in [0_u64, 1, 7, 59, 60, 3601, 1_000_003] {
        let ms = WORLD.ms_of_tick(tick as f64);
        assert_eq!((tick_at(ms), tick_at_or_after(ms)), (tick, tick));
        assert_eq!(tick_at_or_after(ms + 0.01), tick + 1);
    }
}
