//! Floats, positions and orientations.

use super::*;

#[test]
fn floats_are_finite() {
    for (rung, floats, field) in [
        (Rung::NoVelocity, 0..3, CubeField::Position),
        (Rung::SmallestThree, 0..3, CubeField::Position),
        (Rung::Uncompressed, 3..7, CubeField::Orientation),
        (Rung::Uncompressed, 7..10, CubeField::LinearVelocity),
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
fn positions_are_relative_within_reach_and_within_bounds() {
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
        field: CubeField::Position,
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
        field: CubeField::Position,
    });
    assert_eq!([absolute(272), absolute(-273)], [Ok(272), Ok(-273)]);
    assert_eq!([absolute(271), absolute(-272)], [needless; 2]);
}

/// With 6 and 10 bits a position reaches -544 to 543, with 4 and 7 a component -72 to 71. An absolute value is needless up to
/// there, and needed from one step further on.
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
        [needless(CubeField::Position), needless(CubeField::Position)]
    );
    let absolute = |a: i32| {
        let fields = [(3, 2), (a as u32, 9), (256, 9), (256, 9)];
        let fields = [&[ORIENTATION_CHANGED, ABSOLUTE], &fields[..]].concat();
        decode(&fields).map(|cube| cube.orientation[1])
    };
    assert_eq!([328, 183].map(absolute), [328, 183].map(Ok));
    assert_eq!(
        [327, 184].map(absolute),
        [
            needless(CubeField::Orientation),
            needless(CubeField::Orientation)
        ]
    );
}

#[test]
fn orientations_are_relative_within_reach_and_codes_in_range() {
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
        field: CubeField::Orientation,
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
        field: CubeField::Orientation,
    });
    assert_eq!(absolute(2, 256), Ok([2, 256, 256, 256]));
    assert_eq!(absolute(3, 256 + 144), Ok([3, 400, 256, 256]));
    assert_eq!(absolute(3, 256 - 145), Ok([3, 111, 256, 256]));
    assert_eq!(
        [absolute(3, 256), absolute(3, 399), absolute(3, 112)],
        [needless; 3]
    );
}
