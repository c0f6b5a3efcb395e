//! States that were quantised once and stay as they are: `quantised.txt` pins section 7 of FORMAT.md.
//!
//! `tests/decoder` reads the file too. How orientations settle is tested where they are sent settled.

use crate::files::{lines, numbers};
use snapshot_codec::QuantisationBits;
use snapshot_codec::quantise::{ANGULAR_SPEED_MAX, FixedPoint, LINEAR_SPEED_MAX, SmallestThree};
use snapshot_codec::{Format, Rung};

const FILE: &str = include_str!("../quantised.txt");

/// The quantiser of orientations, and those of positions, linear and angular velocities along each axis.
fn quantisers(words: &[&str]) -> (SmallestThree, [FixedPoint; 9]) {
    let n: Vec<u32> = numbers(words);
    let bits = QuantisationBits::new(n[0], n[1], n[2]).expect("in range");
    let format = Format::new(Rung::ChangedFlags, bits, 1).expect("one cube");
    let speeds = |reach: i32| [FixedPoint::new(-reach, reach, n[2]); 3];
    let [linear, angular] = [LINEAR_SPEED_MAX, ANGULAR_SPEED_MAX].map(speeds);
    let axes = [format.position_axes(), linear, angular].concat();
    (
        SmallestThree::new(n[1], false),
        axes.try_into().expect("nine axes"),
    )
}

#[test]
fn states_are_quantised_as_ever() {
    let mut of_bits = None;
    for words in lines(FILE) {
        if words[0] == "bits" {
            of_bits = Some(quantisers(&words[1..]));
            continue;
        }
        let (smallest_three, axes) = of_bits.expect("bits before");
        let hex = |word: &&str| f32::from_bits(u32::from_str_radix(word, 16).expect("a float"));
        let [floats, back] =
            [1..14, 31..44].map(|at| words[at].iter().map(hex).collect::<Vec<_>>());
        let integers: Vec<i32> = numbers(&words[14..27]);
        // The orientation stands between the position and the velocities.
        let turn: [i32; 4] = integers[3..7].try_into().expect("four");
        assert_eq!(
            smallest_three.quantise(floats[3..7].try_into().expect("four")),
            turn
        );
        assert_eq!(smallest_three.dequantise(turn)[..], back[3..7]);
        for (axis, at) in axes.into_iter().zip((0..3).chain(7..13)) {
            assert_eq!(axis.quantise(floats[at]), integers[at], "{words:?}");
            assert_eq!(axis.dequantise(integers[at]).to_bits(), back[at].to_bits());
        }
    }
}
