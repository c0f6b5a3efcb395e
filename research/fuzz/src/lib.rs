//! Properties of any bytes: the bodies of the fuzz targets whose properties are not functions of a crate. Tests replay all corpora.

pub mod files;
pub mod snapshots;
pub mod strategies;
pub mod timed;

use snapshot_codec::{CubeState, Life, QuantisationBits};

/// Bytes before the packet, each modulo the number of its choices. The first is the rung, and beyond all rungs that rung in
/// class strict. The second is an index in [`BITS`], and beyond it that index with slots. The third is an index in [`COUNTS`].
pub const CHOICE_BYTES: usize = 3;
/// Bits of position, orientation and velocity: the articles', a fine grid's, the fewest, both ends mixed. They are few, so that a
/// fuzzer meets the same ends again; tests of round trips draw all others.
pub const BITS: [[u32; 3]; 4] = [[9, 9, 5], [12, 15, 12], [4, 2, 0], [4, 16, 12]];
/// Numbers of cubes, most of them small: a packet of many takes longer and reaches little more.
pub const COUNTS: [usize; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 40, 100];

/// The choices, each modulo the number of its own.
fn chosen(choices: &[u8; CHOICE_BYTES], numbers: [usize; CHOICE_BYTES]) -> [usize; CHOICE_BYTES] {
    std::array::from_fn(|i| usize::from(choices[i]) % numbers[i])
}

/// The bits of that place in [`BITS`].
fn quantisation(bits: usize) -> QuantisationBits {
    let [position, orientation, velocity] = BITS[bits];
    QuantisationBits::new(position, orientation, velocity).expect("1 to 12, 2 to 16, 0 to 12")
}

/// The state of a cube at a step.
fn state(index: usize, step: usize) -> CubeState {
    let far = [0.0, 1000.0, -1000.0, (index * step) as f32 / 8.0][index % 4];
    let turned = [0.0, 0.5, -0.5, 0.1 * step as f32][index / 4 % 4];
    CubeState {
        position: [far, -far, far + 0.2],
        orientation: [turned, 0.5, -turned, 0.9],
        linear_velocity: [far, 0.0, -far],
        interacting: index % 3 == step,
        angular_velocity: [0.0; 3],
        at_rest: index.is_multiple_of(2),
        life: Life::FIRST,
    }
}
