//! Every bound of a packet: what is just within is accepted, what is one step past it is refused by its own name.

mod fields;

use fields::packet_of;
use snapshot_codec::{
    Cube, DecodeError, Decoder, Encoder, Field, Format, Ledger, QuantisationBits,
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
            .encode(1, &snapshot, &mut packet, &mut Ledger::new())
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
fn padding() {
    let idle = [SEQUENCE, INITIAL, BY_INDEX, (0b10000, 5)];
    assert!(decode(Rung::ChangedFlags, &idle).is_ok());
    let padded = [&idle[..], &[(1, 1)]].concat();
    assert_eq!(
        decode(Rung::ChangedFlags, &padded),
        Err(DecodeError::NonZeroPadding { at_bit: 23 })
    );
}

#[test]
fn baselines() {
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
            .encode(sequence, &initial, &mut packet, &mut Ledger::new())
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
                .encode(sequence, &initial, &mut packet, &mut Ledger::new())
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

#[test]
fn which_cubes_have_changed() {
    let rung = Rung::ChangedFlags;
    let header = [SEQUENCE, INITIAL];
    let by_index =
        |fields: &[(u32, u32)]| decode(rung, &[&header[..], &[BY_INDEX], fields].concat());
    // 901 + 16 = 0b11_1001_0101 in 10 bits after 5 zeros: every cube, by indices that then are missing.
    assert!(matches!(
        by_index(&[(917, 15)]),
        Err(DecodeError::Truncated { .. })
    ));
    let count = DecodeError::ChangedCount {
        at_bit: 18,
        cube_count: CUBES,
    };
    assert_eq!(by_index(&[(918, 15)]), Err(count));
    assert_eq!(by_index(&[(0, 6), (1 << 10, 11)]), Err(count));

    let index = |index| DecodeError::IndexOutOfRange {
        index,
        cube_count: CUBES,
    };
    assert!(by_index(&[ONE_CUBE, (900, 10), TOUCHED]).is_ok());
    assert_eq!(by_index(&[ONE_CUBE, (901, 10), TOUCHED]), Err(index(901)));
    let [touched, gaps] = [[TOUCHED, TOUCHED], [(0b1000, 4), (0, 0)]];
    assert!(by_index(&[&[TWO_CUBES, (899, 10)], &gaps[..], &touched].concat()).is_ok());
    assert_eq!(
        by_index(&[&[TWO_CUBES, (900, 10)], &gaps[..], &touched].concat()),
        Err(index(901))
    );
    let far = |gap: u32| by_index(&[TWO_CUBES, CUBE_0, (0, 2), (gap - 41, 10), TOUCHED, TOUCHED]);
    assert!(far(900).is_ok());
    assert_eq!(far(901), Err(index(901)));

    // Rung `index` has absolute indices, which could also fall.
    let whole = [
        (1, 1),
        (1 << 17, 18),
        (1 << 17, 18),
        (102, 14),
        (3, 2),
        (256, 9),
        (256, 9),
        (256, 9),
    ];
    let two = |first, second| {
        let changed = [
            SEQUENCE,
            INITIAL,
            BY_INDEX,
            TWO_CUBES,
            (first, 10),
            (second, 10),
        ];
        decode(Rung::Index, &[&changed[..], &whole, &whole].concat())
    };
    assert!(two(4, 5).is_ok());
    assert_eq!(
        two(5, 5),
        Err(DecodeError::IndexNotRising {
            index: 5,
            previous: 5
        })
    );
    assert_eq!(
        two(5, 4),
        Err(DecodeError::IndexNotRising {
            index: 4,
            previous: 5
        })
    );
}

#[test]
fn the_dearer_way_to_say_which() {
    // The first n cubes: 9 + 10 n bits by index on rung `index`, so 89 of them by index and 90 by changed bits.
    let whole = [
        (1, 1),
        (1 << 17, 18),
        (1 << 17, 18),
        (102, 14),
        (3, 2),
        (256, 9),
        (256, 9),
        (256, 9),
    ];
    let send = |by_index: bool, count: u32| {
        let mut fields = vec![SEQUENCE, INITIAL];
        if by_index {
            fields.extend([BY_INDEX, (count + 16, 9)]);
            fields.extend((0..count).map(|index| (index, 10)));
        } else {
            fields.push(BY_CHANGED_BITS);
            fields.extend((0..CUBES as u32).map(|index| (u32::from(index < count), 1)));
        }
        (0..count).for_each(|_| fields.extend(whole));
        decode(Rung::Index, &fields)
    };
    let refused = |indices_bits| {
        let changed_bits = CUBES as u64;
        Err(DecodeError::ChangedModeNotCheapest {
            indices_bits,
            changed_bits,
        })
    };
    assert!(send(true, 89).is_ok());
    assert_eq!(send(false, 89), refused(899));
    assert!(send(false, 90).is_ok());
    assert_eq!(send(true, 90), refused(909));
}

#[test]
fn floats() {
    for (rung, floats, field) in [
        (Rung::NoVelocity, 0..3, Field::Position),
        (Rung::SmallestThree, 0..3, Field::Position),
        (Rung::Uncompressed, 3..7, Field::Orientation),
        (Rung::Uncompressed, 7..10, Field::LinearVelocity),
    ] {
        for refused in floats {
            let send = |value: f32| {
                let mut fields = vec![SEQUENCE];
                for cube in 0..CUBES as u32 {
                    fields.push((0, 1));
                    let count = if rung == Rung::Uncompressed { 10 } else { 3 };
                    fields.extend((0..count).map(|i| {
                        (
                            if cube == 900 && i == refused {
                                value.to_bits()
                            } else {
                                0
                            },
                            32,
                        )
                    }));
                    if rung > Rung::Uncompressed {
                        fields.extend([(3, 2), (0, 9), (0, 9), (0, 9)]);
                    }
                    if rung == Rung::SmallestThree {
                        fields.extend([(0, 32); 3]);
                    }
                }
                decode(rung, &fields)
            };
            assert!(send(f32::MAX).is_ok());
            for value in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
                assert_eq!(
                    send(value),
                    Err(DecodeError::NotFinite { cube: 900, field })
                );
            }
        }
    }
}

/// A large component: the flag, and `beyond` in `bits` bits two's complement.
fn large(beyond: i32, bits: u32) -> (u32, u32) {
    (beyond as u32 & ((1 << bits) - 1), 1 + bits)
}

#[test]
fn relative_positions() {
    let relative = |base: [i32; 3], x| {
        let fields = one_cube(&[POSITION_CHANGED, RELATIVE, x, SMALL_0, SMALL_0]);
        decode_against(
            Cube {
                position: base,
                ..cube()
            },
            Rung::ChangedFlags,
            &fields,
        )
        .map(|cubes| cubes[0].position[0])
    };
    assert_eq!(relative([0; 3], large(255, 9)), Ok(271));
    assert_eq!(relative([0; 3], large(-256, 9)), Ok(-272));
    assert_eq!(relative([0; 3], large(0, 9)), Ok(16));
    assert_eq!(relative([0; 3], large(-1, 9)), Ok(-17));
    assert_eq!(relative([0; 3], (0b10_1111, 6)), Ok(15));
    assert_eq!(relative([0; 3], (0b11_0000, 6)), Ok(-16));
    let out = Err(DecodeError::OutOfRange {
        cube: 0,
        field: Field::Position,
    });
    let end = 256 * 512 - 1;
    assert_eq!(relative([end - 271, 0, 0], large(255, 9)), Ok(end));
    assert_eq!(relative([end - 270, 0, 0], large(255, 9)), out);
    assert_eq!(
        relative([-end - 1 + 272, 0, 0], large(-256, 9)),
        Ok(-end - 1)
    );
    assert_eq!(relative([-end - 1 + 271, 0, 0], large(-256, 9)), out);

    let absolute = |x: i32| {
        let position = [((x + end + 1) as u32, 18), (1 << 17, 18), (102, 14)];
        decode(
            Rung::ChangedFlags,
            &one_cube(&[&[POSITION_CHANGED, ABSOLUTE], &position[..]].concat()),
        )
        .map(|cubes| cubes[0].position[0])
    };
    let needless = Err(DecodeError::NeedlessAbsolute {
        cube: 0,
        field: Field::Position,
    });
    assert_eq!([absolute(272), absolute(-273)], [Ok(272), Ok(-273)]);
    assert_eq!([absolute(271), absolute(-272)], [needless; 2]);
}

/// With 6 and 10 bits a position reaches -544 to 543, with 4 and 7 a component -72 to 71: what is one step further in is
/// needlessly absolute, and what is one step further out is not.
#[test]
fn other_widths_reach_elsewhere() {
    let widths = |small, large| Widths::new(small, large).expect("in range");
    let format = format(Rung::ChangedFlags).with_widths(widths(6, 10), widths(4, 7));
    let decode = |fields: &[(u32, u32)]| {
        let mut decoder = Decoder::new(format, &[cube(); CUBES]).expect("a snapshot");
        let mut snapshot = Vec::new();
        let packet = packet_of(&one_cube(fields));
        let header = decoder.decode(&packet, HORIZON, &mut snapshot);
        header.map(|_| snapshot[0])
    };
    let small = |bits: u32| (1 << bits, bits + 1);
    let position = |x| {
        let fields = [POSITION_CHANGED, RELATIVE, large(x, 10), small(6), small(6)];
        decode(&fields).map(|cube| cube.position[0])
    };
    assert_eq!(
        [511, 0, -1, -512].map(position),
        [543, 32, -33, -544].map(Ok)
    );
    let component = |a| {
        let fields = [
            ORIENTATION_CHANGED,
            RELATIVE,
            large(a, 7),
            small(4),
            small(4),
        ];
        decode(&fields).map(|cube| cube.orientation[1])
    };
    assert_eq!(
        [63, 0, -1, -64].map(component),
        [256 + 71, 256 + 8, 256 - 9, 256 - 72].map(Ok)
    );
    let absolute = |x: i32| {
        let fields = [((x + (256 << 9)) as u32, 18), (1 << 17, 18), (102, 14)];
        let fields = [&[POSITION_CHANGED, ABSOLUTE], &fields[..]].concat();
        decode(&fields).map(|cube| cube.position[0])
    };
    let needless = |field| Err(DecodeError::NeedlessAbsolute { cube: 0, field });
    assert_eq!([544, -545].map(absolute), [544, -545].map(Ok));
    assert_eq!(
        [543, -544].map(absolute),
        [needless(Field::Position), needless(Field::Position)]
    );
    let absolute = |a: i32| {
        let fields = [(3, 2), (a as u32, 9), (256, 9), (256, 9)];
        let fields = [&[ORIENTATION_CHANGED, ABSOLUTE], &fields[..]].concat();
        decode(&fields).map(|cube| cube.orientation[1])
    };
    assert_eq!([328, 183].map(absolute), [328, 183].map(Ok));
    assert_eq!(
        [327, 184].map(absolute),
        [needless(Field::Orientation), needless(Field::Orientation)]
    );
}

#[test]
fn relative_orientations() {
    let relative = |a, component| {
        let base = Cube {
            orientation: [3, a, 256, 256],
            ..cube()
        };
        let fields = one_cube(&[ORIENTATION_CHANGED, RELATIVE, component, SMALL_0, SMALL_0]);
        decode_against(base, Rung::ChangedFlags, &fields).map(|cubes| cubes[0].orientation[1])
    };
    let out = Err(DecodeError::OutOfRange {
        cube: 0,
        field: Field::Orientation,
    });
    assert_eq!(relative(511 - 143, large(127, 8)), Ok(511));
    assert_eq!(relative(511 - 142, large(127, 8)), out);
    assert_eq!(relative(144, large(-128, 8)), Ok(0));
    assert_eq!(relative(143, large(-128, 8)), out);

    let absolute = |largest, a| {
        let orientation = [(largest, 2), (a, 9), (256, 9), (256, 9)];
        decode(
            Rung::ChangedFlags,
            &one_cube(&[&[ORIENTATION_CHANGED, ABSOLUTE], &orientation[..]].concat()),
        )
        .map(|cubes| cubes[0].orientation)
    };
    let needless = Err(DecodeError::NeedlessAbsolute {
        cube: 0,
        field: Field::Orientation,
    });
    assert_eq!(absolute(2, 256), Ok([2, 256, 256, 256]));
    assert_eq!(absolute(3, 256 + 144), Ok([3, 400, 256, 256]));
    assert_eq!(absolute(3, 256 - 145), Ok([3, 111, 256, 256]));
    assert_eq!(
        [absolute(3, 256), absolute(3, 399), absolute(3, 112)],
        [needless; 3]
    );
}

#[test]
fn what_has_not_changed() {
    let rung = Rung::ChangedFlags;
    assert!(decode(rung, &one_cube(&[TOUCHED])).is_ok());
    assert_eq!(
        decode(rung, &one_cube(&[(0, 3)])),
        Err(DecodeError::CubeNotChanged { cube: 0 })
    );
    let unmoved = [RELATIVE, SMALL_0, SMALL_0, SMALL_0];
    let not_changed = |field| Err(DecodeError::FieldNotChanged { cube: 0, field });
    let position = one_cube(&[&[(0b110, 3)], &unmoved[..]].concat());
    assert_eq!(decode(rung, &position), not_changed(Field::Position));
    let orientation = one_cube(&[&[(0b101, 3)], &unmoved[..]].concat());
    assert_eq!(decode(rung, &orientation), not_changed(Field::Orientation));
    let neither = one_cube(&[&[(0, 1)], &unmoved[..], &unmoved].concat());
    assert_eq!(
        decode(Rung::RelativeOrientation, &neither),
        Err(DecodeError::CubeNotChanged { cube: 0 })
    );
}
