//! Refusals of the parts that say which cubes have changed, and which of their fields.

use super::*;

#[test]
fn counts_and_indices_of_changed_cubes_are_checked() {
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
fn cubes_and_fields_that_have_not_changed_are_refused() {
    let rung = Rung::ChangedFlags;
    assert!(decode(rung, &one_cube(&[TOUCHED])).is_ok());
    assert_eq!(
        decode(rung, &one_cube(&[(0, 3)])),
        Err(DecodeError::CubeNotChanged { cube: 0 })
    );
    let unmoved = [RELATIVE, SMALL_0, SMALL_0, SMALL_0];
    let not_changed = |field| Err(DecodeError::FieldNotChanged { cube: 0, field });
    let position = one_cube(&[&[(0b110, 3)], &unmoved[..]].concat());
    assert_eq!(decode(rung, &position), not_changed(CubeField::Position));
    let orientation = one_cube(&[&[(0b101, 3)], &unmoved[..]].concat());
    assert_eq!(
        decode(rung, &orientation),
        not_changed(CubeField::Orientation)
    );
    let neither = one_cube(&[&[(0, 1)], &unmoved[..], &unmoved].concat());
    assert_eq!(
        decode(Rung::RelativeOrientation, &neither),
        Err(DecodeError::CubeNotChanged { cube: 0 })
    );
}
