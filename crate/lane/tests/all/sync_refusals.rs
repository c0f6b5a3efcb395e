//! Sync packets of a wrong length, and content that a sender refuses. `refused.txt` has the other refusals.

use snapshot_codec::{
    CubeField, DecodeError as CodecError, GridState, Ledger, QuantisationBits, SnapshotError,
};
use snapshot_lane::strategy::sync::{
    Compression, SyncDecoder, SyncEncoder, SyncFormat, SyncPacket,
};
use snapshot_lane::strategy::{DecodeError, SyncEncodeError};

const CUBES: usize = 901;

fn format(relative: bool, delta: bool) -> SyncFormat {
    let bits = QuantisationBits::new(12, 15, 12).expect("in range");
    SyncFormat::new(bits, CUBES, Compression { relative, delta }, true).expect("901 cubes")
}

/// A cube at rest.
const HELD: GridState = GridState {
    position: [0, 0, 819],
    orientation: [3, 16384, 16384, 16384],
    linear_velocity: [0; 3],
    angular_velocity: [0; 3],
    at_rest: true,
};
/// The newest sequence that a packet can have.
const HORIZON: u32 = 10;

#[test]
fn every_shorter_packet_is_truncated_and_every_longer_one_trails() {
    for (relative, delta) in [(false, false), (true, false), (false, true), (true, true)] {
        let format = format(relative, delta);
        let mut sender = SyncEncoder::new(format);
        let moving = GridState {
            linear_velocity: [1, 2, 3],
            at_rest: false,
            ..HELD
        };
        let (mut bytes, mut packet) = (Vec::new(), SyncPacket::default());
        let cubes = [(0, moving), (5, moving), (6, HELD)];
        sender
            .encode(9, &[1, 2, 2], cubes, 10_000, &mut bytes, None)
            .unwrap();
        let receiver = SyncDecoder::new(format);
        assert_eq!(receiver.decode(&bytes, HORIZON, &mut packet), Ok(()));
        for length in 0..bytes.len() {
            let refused = receiver.decode(&bytes[..length], HORIZON, &mut packet);
            let Err(DecodeError::Codec(CodecError::Truncated { .. })) = refused else {
                panic!("{length} {refused:?}");
            };
        }
        let used_bytes = bytes.len();
        bytes.push(0);
        let refused = CodecError::TrailingBytes {
            used_bytes,
            packet_bytes: used_bytes + 1,
        };
        let decoded = receiver.decode(&bytes, HORIZON, &mut packet);
        assert_eq!(decoded, Err(refused.into()));
    }
}

#[test]
fn a_sender_refuses_what_is_not_of_the_format() {
    let format = format(false, false);
    let mut sender = SyncEncoder::new(format);
    let mut encode = |sequence: u32, inputs: &[u8], cubes: &[(usize, GridState)]| {
        let cubes = cubes.iter().copied();
        let (mut bytes, mut ledger) = (Vec::new(), Ledger::new());
        let ledger = Some(&mut ledger);
        let packet = sender.encode(sequence, inputs, cubes, 10_000, &mut bytes, ledger);
        packet.map(|packet| packet.updates.len())
    };
    assert_eq!(encode(1, &[63; 32], &[(900, HELD)]), Ok(1));
    let (sequence, newest) = (1, 1);
    let error = SyncEncodeError::SequenceNotNewer { sequence, newest };
    assert_eq!(encode(1, &[0], &[]), Err(error));
    for inputs in [&[][..], &[0; 33], &[64]] {
        assert_eq!(encode(2, inputs, &[]), Err(SyncEncodeError::Inputs));
    }
    let (index, cube_count) = (901, CUBES);
    let error = SyncEncodeError::Index { index, cube_count };
    assert_eq!(encode(2, &[0], &[(index, HELD)]), Err(error));
    let twice = encode(2, &[0], &[(3, HELD), (3, HELD)]);
    assert_eq!(twice, Err(SyncEncodeError::Twice { cube: 3 }));
    let moving_at_rest = GridState {
        linear_velocity: [1, 0, 0],
        ..HELD
    };
    let too_fast = GridState {
        angular_velocity: [0, 0, 16 << 12],
        at_rest: false,
        ..HELD
    };
    for (body, field) in [
        (moving_at_rest, CubeField::AtRest),
        (too_fast, CubeField::AngularVelocity),
    ] {
        let error = SyncEncodeError::Cube(SnapshotError::OutOfRange { cube: 3, field });
        assert_eq!(encode(2, &[0], &[(3, body)]), Err(error));
    }
    assert_eq!(encode(2, &[0], &[(3, HELD)]), Ok(1));
}
