//! States that were quantised once and stay as they are: `quantised.txt` pins section 7 of FORMAT.md, and how orientations settle.
//!
//! `GOLDEN=write cargo test -p snapshot-codec --test all quantised` writes the file anew. `tests/decoder` reads it too.

use std::fmt::Write;

use snapshot_codec::quantise::{ANGULAR_SPEED_MAX, FixedPoint, LINEAR_SPEED_MAX, SmallestThree};
use snapshot_codec::{CubeState, Format, Life, QuantisationBits, Rung};

const FILE: &str = include_str!("../quantised.txt");

/// The layout of the file, for those who read it without this program.
const LAYOUT: &str = "\
# States as floats, the integers that they are quantised to, and the floats that those stand for (FORMAT.md, section 7).
# Lines that begin with # are comments. The words of a line are separated by one blank.
#
# bits POS ROT VEL
#   the bits of the lines that follow; bounds are those of section 1.
# state FLOATS INTEGERS SETTLED BACK
#   FLOATS and BACK are 13 bit patterns in hexadecimal: position x y z, orientation x y z w, linear velocity x y z, angular
#   velocity x y z. INTEGERS are 13 decimal numbers: position, largest a b c, linear and angular velocity. SETTLED is the
#   orientation's integers once more, settled as in section S4. BACK is what INTEGERS stand for.
";

/// Draws numbers: the same ones everywhere.
struct Draw(u32);

impl Draw {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0 >> 8
    }

    /// A number within minus `reach` and `reach`.
    fn within(&mut self, reach: f32) -> f32 {
        (self.next() as f32 / 8_388_608.0 - 1.0) * reach
    }
}

fn states(bits: QuantisationBits) -> Vec<CubeState> {
    let mut draw = Draw(7);
    let unit = |q: [f32; 4]| {
        let length = q.map(|c| c * c).iter().sum::<f32>().sqrt();
        q.map(|c| c / length)
    };
    let any = (0..24).map(|i| {
        let mut q: [f32; 4] = std::array::from_fn(|_| draw.within(1.0));
        // Two components that are nearly equal, or the same but for their sign.
        let [a, b] = [i % 4, (i / 4) % 4];
        match i % 3 {
            0 => q[a] = q[b] * (1.0 + draw.within(0.01)) + q[b].signum(),
            1 => (q[a], q[b]) = (1.5, -1.5),
            _ => {}
        }
        CubeState {
            position: [draw.within(300.0), draw.within(300.0), draw.within(40.0)],
            orientation: unit(q),
            linear_velocity: std::array::from_fn(|_| draw.within(36.0)),
            angular_velocity: std::array::from_fn(|_| draw.within(18.0)),
            interacting: false,
            at_rest: false,
            life: Life::default(),
        }
    });
    // Half a step, the float just below it, both ends of the range, and floats that are no numbers.
    let half = 0.5 / (1 << bits.position()) as f32;
    let below = f32::from_bits(half.to_bits() - 1);
    let odd = [
        half,
        -half,
        below,
        -below,
        256.0,
        -256.0,
        -0.0,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        1e30,
        -3.0 * half,
    ];
    let quaternions = [
        [0.5, 0.5, 0.5, 0.5],
        [-0.5, 0.5, -0.5, 0.5],
        [0.0, 0.0, 0.0, 1.0],
        [1.0, 0.0, 0.0, 0.0],
        [
            std::f32::consts::FRAC_1_SQRT_2,
            0.0,
            0.0,
            -std::f32::consts::FRAC_1_SQRT_2,
        ],
        [0.0; 4],
    ];
    let ends = (0..12).map(|i| CubeState {
        position: [odd[i], odd[(i + 5) % 12], odd[(i + 2) % 12]],
        orientation: quaternions[i % 6],
        linear_velocity: [odd[i], odd[(i + 1) % 12], odd[(i + 7) % 12]],
        angular_velocity: [odd[(i + 3) % 12], odd[(i + 4) % 12], odd[i]],
        interacting: false,
        at_rest: false,
        life: Life::default(),
    });
    any.chain(ends).collect()
}

fn floats(state: &CubeState) -> Vec<f32> {
    let CubeState {
        position,
        orientation,
        linear_velocity,
        angular_velocity,
        ..
    } = state;
    [
        &position[..],
        orientation,
        linear_velocity,
        angular_velocity,
    ]
    .concat()
}

fn write(bits: QuantisationBits) -> String {
    let mut text = format!(
        "bits {} {} {}\n",
        bits.position(),
        bits.orientation(),
        bits.velocity()
    );
    let positions = Format::new(Rung::ChangedFlags, bits, 1)
        .expect("one cube")
        .position_axes();
    let speeds =
        |reach: i32| [FixedPoint::new(-reach, reach, bits.velocity()).expect("a range"); 3];
    let axes = [
        positions,
        speeds(LINEAR_SPEED_MAX),
        speeds(ANGULAR_SPEED_MAX),
    ];
    let smallest_three = SmallestThree::new(bits.orientation()).expect("in range");
    for state in states(bits) {
        let vectors = [
            state.position,
            state.linear_velocity,
            state.angular_velocity,
        ];
        let [position, linear, angular]: [[i32; 3]; 3] = std::array::from_fn(|of: usize| {
            std::array::from_fn(|i| axes[of][i].quantise(vectors[of][i]))
        });
        let orientation = smallest_three.quantise(state.orientation);
        let settled = settled(smallest_three, orientation);
        let floats_of = |of: usize, steps: [i32; 3]| -> [f32; 3] {
            std::array::from_fn(|i| axes[of][i].dequantise(steps[i]))
        };
        let back = CubeState {
            position: floats_of(0, position),
            orientation: smallest_three.dequantise(orientation),
            linear_velocity: floats_of(1, linear),
            angular_velocity: floats_of(2, angular),
            ..state
        };
        let integers = [&position[..], &orientation, &linear, &angular, &settled];
        let hex = |state: &CubeState| {
            floats(state)
                .iter()
                .map(|f| format!(" {:08x}", f.to_bits()))
                .collect::<String>()
        };
        let integers: String = integers.concat().iter().map(|n| format!(" {n}")).collect();
        writeln!(text, "state{}{integers}{}", hex(&state), hex(&back)).expect("a string");
    }
    text
}

/// The orientation's integers once they come out again when they are quantised anew, as section S4 says.
fn settled(smallest_three: SmallestThree, mut integers: [i32; 4]) -> [i32; 4] {
    let again = |integers| smallest_three.quantise(smallest_three.dequantise(integers));
    while again(integers) != integers {
        let next = again(integers);
        if again(next) == integers {
            return integers.min(next);
        }
        integers = next;
    }
    integers
}

#[test]
fn states_are_quantised_as_ever() {
    let bits = [[9, 9, 5], [12, 15, 12], [4, 2, 0]];
    let all = bits.map(|[position, orientation, velocity]| {
        write(QuantisationBits::new(position, orientation, velocity).expect("in range"))
    });
    let text = LAYOUT.to_owned() + &all.concat();
    if std::env::var("GOLDEN").as_deref() == Ok("write") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/quantised.txt");
        return std::fs::write(path, text).unwrap();
    }
    assert!(text == FILE, "states are no longer quantised as they were");
}
