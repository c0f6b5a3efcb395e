//! Bounds of a sync packet. A value at the bound is accepted. One step past it is refused by its own name.

use crate::fields::packet_of;
use snapshot_codec::{
    Bounds, ConfigError, CubeField, DecodeError as CodecError, Ledger, QuantisationBits,
    SnapshotError,
};
use snapshot_strategies::sync::{
    Compression, SyncBody, SyncDecoder, SyncEncoder, SyncFormat, SyncPacket,
};
use snapshot_strategies::{DecodeError, SyncEncodeError};

const CUBES: usize = 901;

fn format(relative: bool, delta: bool) -> SyncFormat {
    let bits = QuantisationBits::new(12, 15, 12).expect("in range");
    SyncFormat::new(bits, CUBES, Compression { relative, delta }, true).expect("901 cubes")
}

/// Every cube of the held packet: at rest.
const HELD: SyncBody = SyncBody {
    position: [0, 0, 819],
    orientation: [3, 16384, 16384, 16384],
    linear_velocity: [0; 3],
    angular_velocity: [0; 3],
    at_rest: true,
};
const HELD_SEQUENCE: u32 = 6;
/// The newest sequence that a packet can have.
const HORIZON: u32 = 10;

/// A receiver that has accepted packet 6 with cubes 1 and 2.
fn receiver(format: SyncFormat) -> SyncDecoder {
    let mut sender = SyncEncoder::new(format);
    let mut receiver = SyncDecoder::new(format);
    let (mut bytes, mut packet) = (Vec::new(), SyncPacket::default());
    let cubes = [(1, HELD), (2, HELD)];
    sender
        .encode(HELD_SEQUENCE, &[0], cubes, 10_000, &mut bytes, None)
        .expect("of the format");
    receiver
        .decode(&bytes, HORIZON, &mut packet)
        .expect("of the format");
    receiver.accept(&packet);
    receiver
}

fn decode(format: SyncFormat, fields: &[(u32, u32)]) -> Result<SyncPacket, DecodeError> {
    let bytes = packet_of(fields);
    let mut packet = SyncPacket::default();
    receiver(format)
        .decode(&bytes, HORIZON, &mut packet)
        .map(|()| packet)
}

const SEQUENCE: (u32, u32) = (7, 32);
const ONE_INPUT: [(u32, u32); 2] = [(0, 5), (0, 6)];
const AT_REST: (u32, u32) = (1, 1);
/// Fields of [`HELD`], absolute.
const POSITION: [(u32, u32); 3] = [(1 << 20, 21), (1 << 20, 21), (819, 17)];
const ORIENTATION: [(u32, u32); 4] = [(3, 2), (16384, 15), (16384, 15), (16384, 15)];

/// A packet without delta of these updates.
fn plain(count: u32, updates: &[&[(u32, u32)]]) -> Result<SyncPacket, DecodeError> {
    let fields = [
        &[SEQUENCE][..],
        &ONE_INPUT,
        &[(count, 7)],
        &updates.concat(),
    ]
    .concat();
    decode(format(false, false), &fields)
}

/// A packet under delta that acknowledges packet 6, of these fields of one update of cube `index`.
fn delta(index: u32, fields: &[(u32, u32)]) -> Result<SyncPacket, DecodeError> {
    let acked = [(1, 1), (0, 8)];
    let start = [&[SEQUENCE][..], &acked, &ONE_INPUT, &[(1, 7), (index, 10)]].concat();
    decode(format(false, true), &[&start[..], fields].concat())
}

fn resting(index: u32) -> Vec<(u32, u32)> {
    [&[(index, 10), AT_REST][..], &POSITION, &ORIENTATION].concat()
}

#[test]
fn every_shorter_packet_is_truncated_and_every_longer_one_trails() {
    for (relative, delta) in [(false, false), (true, false), (false, true), (true, true)] {
        let format = format(relative, delta);
        let mut sender = SyncEncoder::new(format);
        let moving = SyncBody {
            linear_velocity: [1, 2, 3],
            at_rest: false,
            ..HELD
        };
        let (mut bytes, mut packet) = (Vec::new(), SyncPacket::default());
        let cubes = [(0, moving), (5, moving), (6, HELD)];
        sender
            .encode(9, &[1, 2, 2], cubes, 10_000, &mut bytes, None)
            .unwrap();
        let receiver = receiver(format);
        assert_eq!(receiver.decode(&bytes, HORIZON, &mut packet), Ok(()));
        for length in 0..bytes.len() {
            let refused = receiver.decode(&bytes[..length], HORIZON, &mut packet);
            assert!(
                matches!(
                    refused,
                    Err(DecodeError::Codec(CodecError::Truncated { .. }))
                ),
                "{length} {refused:?}"
            );
        }
        let used_bytes = bytes.len();
        bytes.push(0);
        let refused = CodecError::TrailingBytes {
            used_bytes,
            packet_bytes: used_bytes + 1,
        };
        assert_eq!(
            receiver.decode(&bytes, HORIZON, &mut packet),
            Err(refused.into())
        );
    }
}

#[test]
fn a_forged_packet_ahead_of_the_horizon_leaves_the_receiver_as_it_was() {
    let format = format(false, true);
    let mut sender = SyncEncoder::new(format);
    let mut receiver = receiver(format);
    let mut encode = |sequence: u32| {
        let mut bytes = Vec::new();
        sender
            .encode(sequence, &[0], [(1, HELD)], 10_000, &mut bytes, None)
            .expect("of the format");
        bytes
    };
    let mut packet = SyncPacket::default();
    for sequence in [
        HORIZON,
        HORIZON + 1,
        HORIZON + 0x7000,
        HORIZON + 0x6fff_ffff,
    ] {
        let decoded = receiver.decode(&encode(sequence), HORIZON, &mut packet);
        let refused = CodecError::TooFarAhead {
            sequence,
            horizon: HORIZON,
        };
        let ahead = sequence > HORIZON;
        assert_eq!(decoded, if ahead { Err(refused.into()) } else { Ok(()) });
    }
    assert!(receiver.holds(HELD_SEQUENCE));
    // After a cut of minutes the horizon has moved on, and so may packets.
    let after = HORIZON + 0x6fff_ffff;
    let late = encode(after + 1);
    assert_eq!(receiver.decode(&late, after + 1, &mut packet), Ok(()));
    receiver.accept(&packet);
    assert!(receiver.holds(after + 1));
}

#[test]
fn padding_that_is_not_zero_is_refused() {
    assert!(plain(0, &[]).is_ok());
    let refused = plain(0, &[&[(1, 1)]]);
    assert_eq!(
        refused,
        Err(CodecError::NonZeroPadding { at_bit: 50 }.into())
    );
}

#[test]
fn updates_are_64_at_most() {
    let updates: Vec<Vec<(u32, u32)>> = (0..64).map(resting).collect();
    let updates: Vec<&[(u32, u32)]> = updates.iter().map(Vec::as_slice).collect();
    assert_eq!(
        plain(64, &updates).map(|packet| packet.updates.len()),
        Ok(64)
    );
    assert_eq!(
        plain(65, &updates),
        Err(DecodeError::UpdateCount { count: 65 })
    );
}

#[test]
fn indices_rise_and_are_there() {
    assert!(plain(2, &[&resting(4), &resting(900)]).is_ok());
    assert_eq!(
        plain(1, &[&resting(901)]),
        Err(CodecError::IndexOutOfRange {
            index: 901,
            cube_count: CUBES
        }
        .into())
    );
    for index in [3, 4] {
        assert_eq!(
            plain(2, &[&resting(4), &resting(index)]),
            Err(CodecError::IndexNotRising {
                index: index as usize,
                previous: 4
            }
            .into())
        );
    }
}

#[test]
fn an_input_that_is_the_same_is_not_sent_anew() {
    let two = |second: u32| {
        let inputs = [(1, 5), (5, 6), (0, 1), (second, 6), (0, 7)];
        decode(format(false, false), &[&[SEQUENCE][..], &inputs].concat())
    };
    assert_eq!(two(4).map(|packet| packet.inputs), Ok(vec![5, 4]));
    assert_eq!(two(5), Err(CodecError::InputRepeated { at: 1 }.into()));
}

#[test]
fn baselines_are_held() {
    let same = |offset: u32| [AT_REST, (1, 1), (offset, 5), (1, 1)];
    let packet = delta(1, &same(0)).unwrap();
    assert_eq!((packet.acked, packet.updates[0].body), (Some(6), HELD));
    assert_eq!(packet.updates[0].baseline, Some(6));
    let unknown = |cube, baseline| Err(DecodeError::UpdateBaselineUnknown { cube, baseline });
    assert_eq!(delta(3, &same(0)), unknown(3, 6));
    assert_eq!(delta(1, &same(1)), unknown(1, 5));
    assert_eq!(delta(1, &same(7)), unknown(1, u32::MAX));
}

#[test]
fn what_is_near_is_not_sent_absolute_and_what_is_the_same_says_so() {
    // At rest, delta, offset 0, not the same.
    let start = [AT_REST, (1, 1), (0, 5), (0, 1)];
    let relative = |code: u32| [(1, 1), ((1 << 8) | code, 9), (1 << 8, 9), (1 << 8, 9)];
    let still = [(1, 1), (1 << 10, 11), (1 << 10, 11), (1 << 10, 11)];
    let moved = delta(1, &[&start[..], &relative(3), &still].concat()).unwrap();
    assert_eq!(moved.updates[0].body.position, [3, 0, 819]);
    assert_eq!(
        delta(1, &[&start[..], &relative(0), &still].concat()),
        Err(CodecError::CubeNotChanged { cube: 1 }.into())
    );

    let needless = |field| Err(CodecError::NeedlessAbsolute { cube: 1, field }.into());
    // Small reaches -128 to 127, large 1,024 further: 1,151 is within, 1,152 is not.
    let far = |x: u32| [(0, 1), ((1 << 20) + x, 21), (1 << 20, 21), (819, 17)];
    assert!(delta(1, &[&start[..], &far(1152), &still].concat()).is_ok());
    assert_eq!(
        delta(1, &[&start[..], &far(1151), &still].concat()),
        needless(CubeField::Position)
    );
    let turned = |a: u32| [(0, 1), (3, 2), (16384 + a, 15), (16384, 15), (16384, 15)];
    assert!(delta(1, &[&start[..], &relative(3), &turned(4608)].concat()).is_ok());
    assert_eq!(
        delta(1, &[&start[..], &relative(3), &turned(4607)].concat()),
        needless(CubeField::Orientation)
    );
}

#[test]
fn what_is_relative_stays_within_the_world() {
    let start = [AT_REST, (1, 1), (0, 5), (0, 1)];
    let still = [(1, 1), (1 << 10, 11), (1 << 10, 11), (1 << 10, 11)];
    // z is 819 above the floor: a large difference of -819 is code -691, one less is below it.
    let down = |steps: i32| {
        let code = (steps + 128) as u32 & 0x7ff;
        [(1, 1), (1 << 8, 9), (1 << 8, 9), (code, 12)]
    };
    let fallen = delta(1, &[&start[..], &down(-819), &still].concat()).unwrap();
    assert_eq!(fallen.updates[0].body.position, [0, 0, 0]);
    assert_eq!(
        delta(1, &[&start[..], &down(-820), &still].concat()),
        Err(CodecError::OutOfRange {
            cube: 1,
            field: CubeField::Position
        }
        .into())
    );
}

#[test]
fn a_sender_refuses_what_is_not_of_the_format() {
    let format = format(false, false);
    let mut sender = SyncEncoder::new(format);
    let mut encode = |sequence: u32, inputs: &[u8], cubes: &[(usize, SyncBody)]| {
        let cubes = cubes.iter().copied();
        let (mut bytes, mut ledger) = (Vec::new(), Ledger::new());
        sender
            .encode(
                sequence,
                inputs,
                cubes,
                10_000,
                &mut bytes,
                Some(&mut ledger),
            )
            .map(|packet| packet.updates.len())
    };
    assert_eq!(encode(1, &[63; 32], &[(900, HELD)]), Ok(1));
    assert_eq!(
        encode(1, &[0], &[]),
        Err(SyncEncodeError::SequenceNotNewer {
            sequence: 1,
            newest: 1
        })
    );
    for inputs in [&[][..], &[0; 33], &[64]] {
        assert_eq!(encode(2, inputs, &[]), Err(SyncEncodeError::Inputs));
    }
    assert_eq!(
        encode(2, &[0], &[(901, HELD)]),
        Err(SyncEncodeError::Index {
            index: 901,
            cube_count: CUBES
        })
    );
    assert_eq!(
        encode(2, &[0], &[(3, HELD), (3, HELD)]),
        Err(SyncEncodeError::Twice { cube: 3 })
    );
    let moving_at_rest = SyncBody {
        linear_velocity: [1, 0, 0],
        ..HELD
    };
    let too_fast = SyncBody {
        angular_velocity: [0, 0, 16 << 12],
        at_rest: false,
        ..HELD
    };
    for (body, field) in [
        (moving_at_rest, CubeField::AtRest),
        (too_fast, CubeField::AngularVelocity),
    ] {
        let refused = SnapshotError::OutOfRange { cube: 3, field };
        assert_eq!(
            encode(2, &[0], &[(3, body)]),
            Err(SyncEncodeError::Cube(refused))
        );
    }
    assert_eq!(encode(2, &[0], &[(3, HELD)]), Ok(1));
}

/// The world of the format is bounded as that of snapshots is: the codec's own tests try each bound.
#[test]
fn bounds_and_player_are_those_of_the_codec() {
    let bits = QuantisationBits::new(12, 9, 5).expect("in range");
    let sync = SyncFormat::new(bits, 5, Compression::default(), true).expect("5 cubes");
    let all = Bounds::new([-1024; 3], [1024; 3]).expect("bounds");
    assert_eq!(sync.with_bounds(all).map(|sync| sync.bounds()), Ok(all));
    let beyond = Bounds::new([-1024; 3], [1024, 1025, 1024]).expect("bounds");
    let refused = ConfigError::Bounds {
        axis: 1,
        lower: -1024,
        upper: 1025,
    };
    assert_eq!(sync.with_bounds(beyond), Err(refused));
    assert_eq!(sync.player(), Some(0));
    for player in [None, Some(0), Some(4)] {
        let with_player = sync.with_player(player).expect("there");
        assert_eq!(with_player.player(), player);
    }
    let refused = ConfigError::Player {
        index: 5,
        cube_count: 5,
    };
    assert_eq!(sync.with_player(Some(5)), Err(refused));
}
