//! Every bound of a packet, from both sides. The last value within it is accepted. The first one past it is refused by its own
//! name.

mod changed;
mod values;

use crate::fields::packet_of;
use snapshot_codec::{
    Cube, CubeField, DecodeError, Decoder, Encoder, Format, QuantisationBits,
    RECEIVED_HISTORY_TICKS, Rung, SENT_HISTORY_TICKS, Widths,
};

const CUBES: usize = 901;

fn format(rung: Rung) -> Format {
    Format::new(rung, QuantisationBits::DEFAULT, CUBES).expect("901 cubes")
}

fn cube() -> Cube {
    Cube {
        position: [0, 0, 102],
        orientation: [3, 256, 256, 256],
        ..Cube::default()
    }
}

/// Decodes a packet of (value, bits) against the initial snapshot, in which every cube is `cube()`.
fn decode(rung: Rung, fields: &[(u32, u32)]) -> Result<Vec<Cube>, DecodeError> {
    decode_against(cube(), rung, fields)
}

fn decode_against(base: Cube, rung: Rung, fields: &[(u32, u32)]) -> Result<Vec<Cube>, DecodeError> {
    let packet = packet_of(fields);
    decode_bytes(base, rung, &packet)
}

fn decode_bytes(base: Cube, rung: Rung, packet: &[u8]) -> Result<Vec<Cube>, DecodeError> {
    let mut decoder = Decoder::new(format(rung), &[base; CUBES]).expect("a snapshot");
    let mut snapshot = Vec::new();
    decoder
        .decode(packet, HORIZON, &mut snapshot)
        .map(|_| snapshot)
}

/// The newest sequence that a packet can have.
const HORIZON: u16 = 7;
const SEQUENCE: (u32, u32) = (7, 16);
const INITIAL: (u32, u32) = (1, 1);
const BY_INDEX: (u32, u32) = (1, 1);
const BY_CHANGED_BITS: (u32, u32) = (0, 1);
const ONE_CUBE: (u32, u32) = (0b10001, 5);
const TWO_CUBES: (u32, u32) = (0b10010, 5);
const CUBE_0: (u32, u32) = (0, 10);
/// A cube of rung `changed-flags` that has only turned interacting.
const TOUCHED: (u32, u32) = (0b100, 3);
const POSITION_CHANGED: (u32, u32) = (0b010, 3);
const ORIENTATION_CHANGED: (u32, u32) = (0b001, 3);
const RELATIVE: (u32, u32) = (1, 1);
const ABSOLUTE: (u32, u32) = (0, 1);
const SMALL_0: (u32, u32) = (0b10_0000, 6);

/// A packet of rung `changed-flags` with cube 0, whose fields follow.
fn one_cube(fields: &[(u32, u32)]) -> Vec<(u32, u32)> {
    [&[SEQUENCE, INITIAL, BY_INDEX, ONE_CUBE, CUBE_0], fields].concat()
}

#[test]
fn every_shorter_packet_is_truncated_and_every_longer_one_trails() {
    for rung in Rung::ALL {
        let format = format(rung);
        let initial = vec![cube(); CUBES];
        let mut snapshot = initial.clone();
        snapshot[3] = Cube {
            position: [5, 5, 5],
            orientation: [1, 2, 3, 4],
            interacting: true,
            ..cube()
        };
        let mut encoder = Encoder::new(format, &initial).expect("a snapshot");
        let mut packet = Vec::new();
        encoder
            .encode(1, &snapshot, &mut packet)
            .expect("a snapshot");
        assert_eq!(decode_bytes(cube(), rung, &packet), Ok(snapshot.clone()));
        for length in (0..packet.len()).step_by(packet.len().div_ceil(500)) {
            let refused = decode_bytes(cube(), rung, &packet[..length]);
            if rung.is_arithmetic() {
                // A fraction cut short is a fraction.
                assert_ne!(refused, Ok(snapshot.clone()), "{rung:?} {length}");
            } else {
                assert!(
                    matches!(refused, Err(DecodeError::Truncated { .. })),
                    "{rung:?} {length} {refused:?}"
                );
            }
        }
        let used_bytes = packet.len();
        packet.push(0);
        let packet_bytes = used_bytes + 1;
        let refused = if rung.is_arithmetic() {
            DecodeError::NotShortest { packet_bytes }
        } else {
            DecodeError::TrailingBytes {
                used_bytes,
                packet_bytes,
            }
        };
        assert_eq!(decode_bytes(cube(), rung, &packet), Err(refused));
    }
}

#[test]
fn padding_that_is_not_zero_is_refused() {
    let idle = [SEQUENCE, INITIAL, BY_INDEX, (0b10000, 5)];
    assert!(decode(Rung::ChangedFlags, &idle).is_ok());
    let padded = [&idle[..], &[(1, 1)]].concat();
    assert_eq!(
        decode(Rung::ChangedFlags, &padded),
        Err(DecodeError::NonZeroPadding { at_bit: 23 })
    );
}

#[test]
fn a_baseline_is_older_and_held() {
    let against = |sequence: u32, baseline: u32| {
        let fields = [
            (sequence, 16),
            (0, 1),
            (baseline, 16),
            BY_INDEX,
            (0b10000, 5),
        ];
        decode(Rung::ChangedFlags, &fields).expect_err("nothing is held")
    };
    let unknown = |baseline| DecodeError::BaselineUnknown { baseline };
    assert_eq!(against(7, 6), unknown(6));
    assert_eq!(
        against(7, 7),
        DecodeError::BaselineNotOlder {
            sequence: 7,
            baseline: 7
        }
    );
    assert_eq!(
        against(7, 8),
        DecodeError::BaselineNotOlder {
            sequence: 7,
            baseline: 8
        }
    );
    let oldest = 7_u16.wrapping_sub(SENT_HISTORY_TICKS as u16);
    assert_eq!(against(7, oldest.into()), unknown(oldest));
    let baseline = oldest - 1;
    assert_eq!(
        against(7, baseline.into()),
        DecodeError::BaselineTooOld {
            sequence: 7,
            baseline
        }
    );
}

#[test]
fn a_forged_packet_ahead_of_the_horizon_leaves_what_is_held() {
    let initial = vec![cube(); CUBES];
    let forged = |sequence: u16| {
        let mut encoder = Encoder::new(format(Rung::ChangedFlags), &initial).expect("a snapshot");
        let mut packet = Vec::new();
        encoder
            .encode(sequence, &initial, &mut packet)
            .expect("a snapshot");
        packet
    };
    let mut decoder = Decoder::new(format(Rung::ChangedFlags), &initial).expect("a snapshot");
    let mut received = Vec::new();
    let held = 65_530_u16;
    decoder
        .decode(&forged(held), held, &mut received)
        .expect("initial");
    for ahead in [1, 0x7000, 0x7fff] {
        let sequence = HORIZON.wrapping_add(ahead);
        assert_eq!(
            decoder.decode(&forged(sequence), HORIZON, &mut received),
            Err(DecodeError::TooFarAhead {
                sequence: sequence.into(),
                horizon: HORIZON.into()
            })
        );
        assert!(decoder.baseline(held).is_some());
    }
    // At the horizon it is taken, and after a cut of minutes too: the horizon has moved on.
    for horizon in [HORIZON, HORIZON + 0x7000] {
        let header = decoder.decode(&forged(horizon), horizon, &mut received);
        assert_eq!(header.map(|header| header.sequence), Ok(horizon));
        assert!(decoder.baseline(horizon).is_some());
    }
}

#[test]
fn baselines_are_held_for_512_ticks_and_used_for_256() {
    let format = format(Rung::ChangedFlags);
    for late in [SENT_HISTORY_TICKS - 1, SENT_HISTORY_TICKS] {
        let initial = vec![cube(); CUBES];
        let mut encoder = Encoder::new(format, &initial).expect("a snapshot");
        let mut decoder = Decoder::new(format, &initial).expect("a snapshot");
        let (mut packet, mut received) = (Vec::new(), Vec::new());
        let mut encode = |sequence, ack: Option<u16>| {
            ack.into_iter().for_each(|ack| encoder.ack(ack));
            let baseline = encoder.baseline(sequence);
            encoder
                .encode(sequence, &initial, &mut packet)
                .expect("a snapshot");
            (packet.clone(), baseline)
        };
        let (first, _) = encode(0, None);
        let (second, baseline) = encode(SENT_HISTORY_TICKS as u16, Some(0));
        assert_eq!(baseline, Some(0));
        let newest = (SENT_HISTORY_TICKS + late) as u16;
        let (third, baseline) = encode(newest, None);
        assert_eq!(baseline, None);

        decoder
            .decode(&first, newest, &mut received)
            .expect("initial");
        decoder
            .decode(&third, newest, &mut received)
            .expect("initial");
        let held = usize::from(newest) < RECEIVED_HISTORY_TICKS;
        let decoded = decoder
            .decode(&second, newest, &mut received)
            .map(|header| header.baseline);
        assert_eq!(
            decoded,
            if held {
                Ok(Some(0))
            } else {
                Err(DecodeError::BaselineUnknown { baseline: 0 })
            }
        );
    }
}
