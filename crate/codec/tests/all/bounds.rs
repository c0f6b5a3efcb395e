//! Bounds of what is given to the codec. A value at the bound is accepted. One step past it is refused by its own name.

use snapshot_codec::quantise::{FixedPoint, SmallestThree};
use snapshot_codec::{
    Bounds, ConfigError, Cube, CubeField, Decoder, EncodeError, Encoder, Format, QuantisationBits,
    Rung, SnapshotError, Widths,
};

const CUBES: usize = 901;

fn cube() -> Cube {
    Cube {
        position: [0, 0, 102],
        orientation: [3, 256, 256, 256],
        ..Cube::default()
    }
}

#[test]
fn a_format_refuses_bits_and_counts_out_of_range() {
    let bits = QuantisationBits::new;
    assert!(bits(1, 2, 0).is_ok() && bits(12, 16, 12).is_ok());
    assert_eq!(bits(0, 9, 5), Err(ConfigError::PositionBits(0)));
    assert_eq!(bits(13, 9, 5), Err(ConfigError::PositionBits(13)));
    assert_eq!(bits(9, 1, 5), Err(ConfigError::OrientationBits(1)));
    assert_eq!(bits(9, 17, 5), Err(ConfigError::OrientationBits(17)));
    assert_eq!(bits(9, 9, 13), Err(ConfigError::VelocityBits(13)));
    let cubes = |count| Format::new(Rung::Position, QuantisationBits::DEFAULT, count);
    assert!(cubes(1).is_ok() && cubes(4096).is_ok());
    assert_eq!(cubes(0), Err(ConfigError::CubeCount(0)));
    assert_eq!(cubes(4097), Err(ConfigError::CubeCount(4097)));
}

#[test]
fn widths_out_of_range_are_refused() {
    for (small_bits, large_bits) in [(2, 2), (5, 9), (24, 24), (2, 24)] {
        let widths = Widths::new(small_bits, large_bits).unwrap();
        assert_eq!(
            (widths.small_bits(), widths.large_bits()),
            (small_bits, large_bits)
        );
    }
    for (small_bits, large_bits) in [(1, 9), (10, 9), (5, 25), (0, 0), (25, 25)] {
        let refused = ConfigError::Widths {
            small_bits,
            large_bits,
        };
        assert_eq!(Widths::new(small_bits, large_bits), Err(refused));
    }
    // The articles' follow the bits, down to 2.
    let of = |widths: Widths| (widths.small_bits(), widths.large_bits());
    assert_eq!(
        [1, 4, 9, 12].map(|bits| of(Widths::of_position(bits))),
        [(2, 2), (2, 4), (5, 9), (8, 12)]
    );
    assert_eq!(
        [2, 9, 16].map(|bits| of(Widths::of_orientation(bits))),
        [(2, 2), (5, 8), (12, 15)]
    );
    let format = Format::new(Rung::ChangedFlags, QuantisationBits::DEFAULT, 1).unwrap();
    assert_eq!(format.position_widths(), Widths::of_position(9));
    assert_eq!(format.orientation_widths(), Widths::of_orientation(9));
}

#[test]
fn bounds_of_a_world_are_limited() {
    let (lower, upper) = (Bounds::DEFAULT.lower(), Bounds::DEFAULT.upper());
    assert_eq!((lower, upper), ([-256, -256, 0], [256, 256, 32]));
    assert_eq!(Bounds::new(lower, upper), Ok(Bounds::DEFAULT));
    assert!(Bounds::new([-(1 << 18); 3], [1 << 18; 3]).is_ok());
    assert!(Bounds::new([1023, 0, -5], [1024, 1, -4]).is_ok());
    for (axis, lower, upper) in [
        (0, 0, 0),
        (1, 5, 4),
        (2, -(1 << 18) - 1, 0),
        (0, 0, (1 << 18) + 1),
        (2, i32::MAX, i32::MIN),
    ] {
        let (mut lowers, mut uppers) = ([-1; 3], [1; 3]);
        (lowers[axis], uppers[axis]) = (lower, upper);
        let refused = ConfigError::Bounds { axis, lower, upper };
        assert_eq!(Bounds::new(lowers, uppers), Err(refused));
    }
    for (bits, reach) in [(4, 1 << 18), (9, 8192), (12, 1024)] {
        let bits = QuantisationBits::new(bits, 9, 5).unwrap();
        let format = Format::new(Rung::Predicted, bits, 1).unwrap();
        let all = Bounds::new([-reach; 3], [reach; 3]).unwrap();
        assert_eq!(format.with_bounds(all).unwrap().bounds(), all);
        if let Ok(beyond) = Bounds::new([-reach; 3], [reach, reach + 1, reach]) {
            let refused = ConfigError::Bounds {
                axis: 1,
                lower: -reach,
                upper: reach + 1,
            };
            assert_eq!(format.with_bounds(beyond), Err(refused));
        }
    }
    let format = Format::new(Rung::Predicted, QuantisationBits::DEFAULT, 5).unwrap();
    assert_eq!(format.player(), Some(0));
    for player in [None, Some(0), Some(4)] {
        assert_eq!(format.with_player(player).unwrap().player(), player);
    }
    let refused = ConfigError::Player {
        index: 5,
        cube_count: 5,
    };
    assert_eq!(format.with_player(Some(5)), Err(refused));
}

/// The steps of a world number other than powers of two, and a packet may name one beyond them.
#[test]
fn positions_in_a_world_of_its_own_size() {
    let bounds = Bounds::new([-3, 0, -1], [2, 7, 2]).unwrap();
    let bits = QuantisationBits::new(4, 9, 5).unwrap();
    let format = Format::new(Rung::RelativePosition, bits, 1)
        .unwrap()
        .with_bounds(bounds)
        .unwrap();
    assert_eq!(
        format.position_axes().map(|axis| axis.code_bits()),
        [7, 7, 6]
    );
    let at = |position| Cube { position, ..cube() };
    let initial = [at([0; 3])];
    let mut encoder = Encoder::new(format, &initial).unwrap();
    let mut decoder = Decoder::new(format, &initial).unwrap();
    let (mut packet, mut received) = (Vec::new(), Vec::new());
    for (sequence, position) in [(1, [-48, 0, -16]), (2, [31, 111, 31])] {
        let sent = [at(position)];
        encoder.encode(sequence, &sent, &mut packet).unwrap();
        decoder.decode(&packet, sequence, &mut received).unwrap();
        assert_eq!(received, sent);
    }
    for position in [[-49, 0, 0], [32, 0, 0], [0, 112, 0], [0, 0, 32]] {
        assert!(format.check(&[at(position)]).is_err());
    }
}

#[test]
fn quantisers_refuse_bits_out_of_range() {
    for component_bits in 2..=16 {
        let quantiser = SmallestThree::new(component_bits).expect("2 to 16");
        let code_max = (1 << component_bits) - 1;
        assert_eq!(quantiser.code_max(), code_max);
        assert!(quantiser.contains([3, 0, code_max, 0]));
    }
    for component_bits in [0, 1, 17, 32, u32::MAX] {
        let refused = ConfigError::OrientationBits(component_bits);
        assert_eq!(SmallestThree::new(component_bits), Err(refused));
    }

    // One bit; the widest; as wide, of the most fractional bits.
    let far = 1 << 24;
    for (lower, upper, fractional_bits, code_bits) in [
        (0, 2, 0, 1),
        (0, 1, 1, 1),
        (-far, far, 0, 25),
        (-256, 256, 16, 25),
    ] {
        let axis = FixedPoint::new(lower, upper, fractional_bits).expect("a range");
        assert_eq!(axis.code_bits(), code_bits);
        assert_eq!(
            axis.step(axis.code(axis.quantise(1e30))),
            axis.quantise(1e30)
        );
        assert_eq!(axis.dequantise(axis.quantise(-1e30)), lower as f32);
    }
    for (lower, upper, fractional_bits) in [
        (0, 1, 0),
        (1, 1, 4),
        (2, 1, 4),
        (i32::MAX, i32::MIN, 0),
        (-far - 1, far, 0),
        (-far, far + 1, 0),
        (-257, 256, 16),
        (0, 1, 17),
        (0, 1, u32::MAX),
    ] {
        let refused = ConfigError::FixedPoint {
            lower,
            upper,
            fractional_bits,
        };
        assert_eq!(FixedPoint::new(lower, upper, fractional_bits), Err(refused));
    }
}

#[test]
fn a_snapshot_to_send_is_of_the_format() {
    let check = |rung, cube| {
        Format::new(rung, QuantisationBits::DEFAULT, 1)
            .expect("one cube")
            .check(&[cube])
    };
    let out_of_range = |field| Err(SnapshotError::OutOfRange { cube: 0, field });
    let at = |position| Cube { position, ..cube() };
    let turned = |orientation| Cube {
        orientation,
        ..cube()
    };
    let moving = |v, at_rest| Cube {
        linear_velocity: [0, v, 0],
        at_rest,
        ..cube()
    };
    let (max, inf, nan) = [f32::MAX, f32::INFINITY, f32::NAN]
        .map(|f| f.to_bits() as i32)
        .into();
    let (side, height, speed) = (256 * 512, 32 * 512, 32 * 32);

    for (rung, accepted, refused, field) in [
        (
            Rung::Position,
            at([-side, side - 1, 0]),
            at([-side - 1, 0, 0]),
            CubeField::Position,
        ),
        (
            Rung::Position,
            at([side - 1, -side, 0]),
            at([side, 0, 0]),
            CubeField::Position,
        ),
        (
            Rung::Position,
            at([0, 0, height - 1]),
            at([0, side, 0]),
            CubeField::Position,
        ),
        (
            Rung::Position,
            at([0, 0, 0]),
            at([0, 0, -1]),
            CubeField::Position,
        ),
        (
            Rung::Position,
            at([0, 0, 0]),
            at([0, 0, height]),
            CubeField::Position,
        ),
        (
            Rung::NoVelocity,
            at([max, 0, 0]),
            at([inf, 0, 0]),
            CubeField::Position,
        ),
        (
            Rung::NoVelocity,
            at([0, max, 0]),
            at([0, nan, 0]),
            CubeField::Position,
        ),
        (
            Rung::SmallestThree,
            turned([3, 0, 0, 511]),
            turned([4, 0, 0, 511]),
            CubeField::Orientation,
        ),
        (
            Rung::SmallestThree,
            turned([0, 0, 511, 0]),
            turned([-1, 0, 511, 0]),
            CubeField::Orientation,
        ),
        (
            Rung::SmallestThree,
            turned([0, 511, 0, 0]),
            turned([0, 512, 0, 0]),
            CubeField::Orientation,
        ),
        (
            Rung::SmallestThree,
            turned([0, 0, 0, 0]),
            turned([0, 0, 0, -1]),
            CubeField::Orientation,
        ),
        (
            Rung::Uncompressed,
            turned([0, 0, 0, max]),
            turned([0, 0, 0, nan]),
            CubeField::Orientation,
        ),
        (
            Rung::SmallestThree,
            moving(max, false),
            moving(inf, false),
            CubeField::LinearVelocity,
        ),
        (
            Rung::Velocity,
            moving(speed - 1, false),
            moving(speed, false),
            CubeField::LinearVelocity,
        ),
        (
            Rung::AtRest,
            moving(-speed, false),
            moving(-speed - 1, false),
            CubeField::LinearVelocity,
        ),
        (
            Rung::AtRest,
            moving(0, true),
            moving(1, true),
            CubeField::LinearVelocity,
        ),
        (
            Rung::NoVelocity,
            moving(0, false),
            moving(1, false),
            CubeField::LinearVelocity,
        ),
        (
            Rung::Velocity,
            moving(0, false),
            moving(0, true),
            CubeField::AtRest,
        ),
        (
            Rung::Position,
            moving(0, false),
            moving(0, true),
            CubeField::AtRest,
        ),
    ] {
        assert_eq!(check(rung, accepted), Ok(()), "{rung:?} {accepted:?}");
        assert_eq!(
            check(rung, refused),
            out_of_range(field),
            "{rung:?} {refused:?}"
        );
    }
}

#[test]
fn encoders_refuse_other_counts_and_older_sequences() {
    let format = Format::new(Rung::ChangedFlags, QuantisationBits::DEFAULT, CUBES).unwrap();
    let count = |actual| SnapshotError::CubeCount {
        expected: CUBES,
        actual,
    };
    assert_eq!(Encoder::new(format, &[cube(); 900]).err(), Some(count(900)));
    assert_eq!(Decoder::new(format, &[cube(); 902]).err(), Some(count(902)));
    let mut encoder = Encoder::new(format, &[cube(); CUBES]).expect("a snapshot");
    let mut packet = vec![1];
    let mut encode = |sequence, cubes: &[Cube]| encoder.encode(sequence, cubes, &mut packet);
    assert_eq!(
        encode(0, &[cube(); 900]),
        Err(EncodeError::Snapshot(count(900)))
    );
    let mut snapshot = vec![cube(); CUBES];
    assert_eq!(encode(0, &snapshot), Ok(()));
    let newest = 0;
    assert_eq!(
        encode(0, &snapshot),
        Err(EncodeError::SequenceNotNewer {
            sequence: 0,
            newest
        })
    );
    assert_eq!(
        encode(0x8000, &snapshot),
        Err(EncodeError::SequenceNotNewer {
            sequence: 0x8000,
            newest
        })
    );
    snapshot[900].position[2] = -1;
    let refused = SnapshotError::OutOfRange {
        cube: 900,
        field: CubeField::Position,
    };
    assert_eq!(encode(1, &snapshot), Err(EncodeError::Snapshot(refused)));
    snapshot[900].position[2] = 0;
    assert_eq!(encode(0x7fff, &snapshot), Ok(()));
}
