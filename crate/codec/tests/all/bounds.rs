//! Bounds of what is given to the codec. A value at the bound is accepted. One step past it is refused by its own name.

use snapshot_codec::{
    Bounds, ConfigError, Cube, CubeField, Decoder, EncodeError, Encoder, Format, Life,
    QuantisationBits, Rung, SnapshotError, Widths,
};

const CUBES: usize = 901;

fn cube() -> Cube {
    Cube {
        position: [0, 0, 102],
        orientation: [3, 256, 256, 256],
        ..Cube::default()
    }
}

fn format(rung: Rung, cubes: usize) -> Result<Format, ConfigError> {
    Format::new(rung, QuantisationBits::DEFAULT, cubes)
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    let bits = |p, o, v| QuantisationBits::new(p, o, v).err();
    let cubes = |count| format(Rung::Position, count).err();
    let player = |index| format(Rung::Predicted, 5).and_then(|it| it.with_player(index));
    let slots = |rung| format(rung, 1).and_then(|it| it.with_slots(true)).err();
    let (index, cube_count) = (5, 5);
    for (refused, expected) in [
        (bits(1, 2, 0), None),
        (bits(12, 16, 12), None),
        (bits(0, 9, 5), Some(ConfigError::PositionBits(0))),
        (bits(13, 9, 5), Some(ConfigError::PositionBits(13))),
        (bits(9, 1, 5), Some(ConfigError::OrientationBits(1))),
        (bits(9, 17, 5), Some(ConfigError::OrientationBits(17))),
        (bits(9, 9, 13), Some(ConfigError::VelocityBits(13))),
        (cubes(1), None),
        (cubes(4096), None),
        (cubes(0), Some(ConfigError::CubeCount(0))),
        (cubes(4097), Some(ConfigError::CubeCount(4097))),
        (player(None).err(), None),
        (player(Some(4)).err(), None),
        (
            player(Some(5)).err(),
            Some(ConfigError::Player { index, cube_count }),
        ),
        (slots(Rung::Predicted), None),
        (slots(Rung::Simulated), Some(ConfigError::SimulatedSlots)),
    ] {
        assert_eq!(refused, expected);
    }
    for (small_bits, large_bits, is_right) in [
        (2, 2, true),
        (24, 24, true),
        (2, 24, true),
        (1, 9, false),
        (10, 9, false),
        (5, 25, false),
    ] {
        let refused = ConfigError::Widths {
            small_bits,
            large_bits,
        };
        let widths = Widths::new(small_bits, large_bits);
        assert_eq!(widths.err(), (!is_right).then_some(refused));
    }
}

#[test]
fn bounds_of_a_world_are_limited() {
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
            let (axis, lower, upper) = (1, -reach, reach + 1);
            let refused = ConfigError::Bounds { axis, lower, upper };
            assert_eq!(format.with_bounds(beyond), Err(refused));
        }
    }
}

/// Whatever a format quantises is accepted: `round_trip` tries it, up to the bounds.
#[test]
fn a_snapshot_to_send_is_of_the_format() {
    let at = |position| Cube { position, ..cube() };
    let turned = |orientation| Cube {
        orientation,
        ..cube()
    };
    let moving = |linear_velocity| Cube {
        linear_velocity,
        ..cube()
    };
    let resting = |speed| Cube {
        at_rest: true,
        ..moving([0, speed, 0])
    };
    let [infinite, none] = [f32::INFINITY, f32::NAN].map(|f| f.to_bits() as i32);
    let (side, height, speed) = (256 * 512, 32 * 512, 32 * 32);
    let jumped = Cube {
        life: Life::FIRST.next(),
        ..cube()
    };
    for (rung, field, all) in [
        (
            Rung::Position,
            CubeField::Position,
            &[
                [-side - 1, 0, 0],
                [side, 0, 0],
                [0, side, 0],
                [0, 0, -1],
                [0, 0, height],
            ]
            .map(at)[..],
        ),
        (
            Rung::NoVelocity,
            CubeField::Position,
            &[[infinite, 0, 0], [0, none, 0]].map(at),
        ),
        (
            Rung::SmallestThree,
            CubeField::Orientation,
            &[
                [4, 0, 0, 511],
                [-1, 0, 511, 0],
                [0, 512, 0, 0],
                [0, 0, 0, -1],
            ]
            .map(turned),
        ),
        (
            Rung::Uncompressed,
            CubeField::Orientation,
            &[turned([0, 0, 0, none])],
        ),
        (
            Rung::SmallestThree,
            CubeField::LinearVelocity,
            &[moving([0, infinite, 0])],
        ),
        (
            Rung::AtRest,
            CubeField::LinearVelocity,
            &[
                moving([speed, 0, 0]),
                moving([0, 0, -speed - 1]),
                resting(1),
            ],
        ),
        (
            Rung::NoVelocity,
            CubeField::LinearVelocity,
            &[moving([0, 1, 0])],
        ),
        (Rung::Velocity, CubeField::AtRest, &[resting(0)]),
        (Rung::Position, CubeField::AtRest, &[resting(0)]),
        (Rung::Position, CubeField::Life, &[jumped, Cube::EMPTY]),
    ] {
        for &cube in all {
            let refused = SnapshotError::OutOfRange { cube: 0, field };
            let checked = format(rung, 1).unwrap().check(&[cube]);
            assert_eq!(checked, Err(refused), "{rung:?} {cube:?}");
        }
    }
    let touched = Cube {
        interacting: true,
        ..Cube::EMPTY
    };
    let with_slots = format(Rung::Position, 1).and_then(|it| it.with_slots(true));
    let refused = SnapshotError::EmptyWithFields { cube: 0 };
    assert_eq!(with_slots.unwrap().check(&[touched]), Err(refused));
}

#[test]
fn encoders_refuse_other_counts_and_older_sequences() {
    let format = format(Rung::ChangedFlags, CUBES).unwrap();
    let expected = CUBES;
    let count = |actual| SnapshotError::CubeCount { expected, actual };
    assert_eq!(Encoder::new(format, &[cube(); 900]).err(), Some(count(900)));
    assert_eq!(Decoder::new(format, &[cube(); 902]).err(), Some(count(902)));
    let mut snapshot = vec![cube(); CUBES];
    let mut encoder = Encoder::new(format, &snapshot).expect("a snapshot");
    let mut packet = vec![1];
    let mut encode = |sequence, cubes: &[Cube]| encoder.encode(sequence, cubes, &mut packet);
    let short = encode(0, &snapshot[..900]);
    assert_eq!(short, Err(EncodeError::Snapshot(count(900))));
    assert_eq!(encode(0, &snapshot), Ok(()));
    let newest = 0;
    for sequence in [0, 0x8000] {
        let refused = EncodeError::SequenceNotNewer { sequence, newest };
        assert_eq!(encode(sequence, &snapshot), Err(refused));
    }
    snapshot[900].position[2] = -1;
    let (cube, field) = (900, CubeField::Position);
    let refused = SnapshotError::OutOfRange { cube, field };
    assert_eq!(encode(1, &snapshot), Err(EncodeError::Snapshot(refused)));
    snapshot[900].position[2] = 0;
    assert_eq!(encode(0x7fff, &snapshot), Ok(()));
}
