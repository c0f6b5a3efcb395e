//! The scenes of the golden sync packets: a format, and what is sent in each packet.

use snapshot_codec::{Bounds, CubeState, Life, QuantisationBits};
use snapshot_strategies::sync::{Compression, SyncBody, SyncFormat};
use snapshot_view::parts::Quat;

/// The content of one packet.
pub(crate) struct Step {
    pub(crate) sequence: u32,
    /// True where it arrives, and is acknowledged before the next is sent.
    pub(crate) arrives: bool,
    /// Newest first.
    pub(crate) inputs: Vec<u8>,
    /// In the order in which the sender takes them.
    pub(crate) cubes: Vec<(usize, SyncBody)>,
}

/// Packets in one format.
pub(crate) struct Scene {
    pub(crate) format: SyncFormat,
    pub(crate) steps: Vec<Step>,
}

/// Every scene, in the order of the file.
pub(crate) fn scenes() -> Vec<Scene> {
    still_formats()
        .map(still)
        .chain(turning_formats().into_iter().map(turning))
        .chain([ages()])
        .collect()
}

/// All compressions with 12, 15 and 12 bits and 16 cubes; the fewest bits; a cube alone.
fn still_formats() -> impl Iterator<Item = SyncFormat> {
    let at_default = (0..8).map(|switches| (switches, [12, 15, 12], 16));
    let all = at_default.chain([(3, [4, 2, 0], 16), (3, [9, 9, 5], 1)]);
    all.map(|(switches, [position, orientation, velocity], cubes)| {
        let bits = QuantisationBits::new(position, orientation, velocity).expect("in range");
        let compression = Compression {
            relative: switches & 1 != 0,
            delta: switches & 2 != 0,
        };
        SyncFormat::new(bits, cubes, compression, switches & 4 == 0).expect("in range")
    })
}

/// Every cube at a step: around the player and far from it, moving and at rest.
fn cubes(format: &SyncFormat, step: usize) -> Vec<(usize, SyncBody)> {
    let body = |index: usize| {
        let far = [0.0, 1000.0, -1000.0, (index * step) as f32 / 8.0][index % 4];
        let turned = [0.0, 0.5, -0.5, 0.1 * step as f32][index / 4 % 4];
        format.quantise(&CubeState {
            position: [far, -far, far + 0.2],
            orientation: [turned, 0.5, -turned, 0.9],
            linear_velocity: [far, 0.0, -far],
            angular_velocity: [0.0; 3],
            interacting: index % 3 == step,
            at_rest: index.is_multiple_of(2),
            life: Life::default(),
        })
    };
    (0..format.cube_count())
        .map(|index| (index, body(index)))
        .collect()
}

/// A player and cubes at rest. One cube stays where it lies, so that "same" occurs. The sequences cross the wrap.
fn still(format: SyncFormat) -> Scene {
    let sequences = [u32::MAX - 2, u32::MAX - 1, u32::MAX, 0, 9];
    let inputs = [&[1][..], &[1, 1], &[5, 1, 1], &[16, 5, 5, 63], &[0; 32]];
    let steps = sequences
        .into_iter()
        .zip(inputs)
        .enumerate()
        .map(|(step, (sequence, inputs))| Step {
            sequence,
            arrives: step != 1,
            inputs: inputs.to_vec(),
            cubes: cubes(&format, if step == 4 { 3 } else { step }),
        });
    Scene {
        steps: steps.collect(),
        format,
    }
}

fn turning_formats() -> Vec<SyncFormat> {
    let both = Compression {
        relative: true,
        delta: true,
    };
    let relative = Compression {
        relative: true,
        delta: false,
    };
    let format = |[position, orientation, velocity]: [u32; 3], compression, velocities| {
        let bits = QuantisationBits::new(position, orientation, velocity).expect("in range");
        SyncFormat::new(bits, 20, compression, velocities).expect("20 cubes")
    };
    let bounds = Bounds::new([-5, -9, 0], [5, 9, 7]).expect("in range");
    vec![
        format([12, 15, 12], both, true),
        format([9, 9, 5], both, true),
        format([4, 2, 0], both, true),
        format([12, 15, 12], relative, true),
        format([12, 15, 12], both, false),
        format([12, 16, 12], both, true)
            .with_player(Some(7))
            .expect("of 20 cubes"),
        format([12, 15, 12], both, true)
            .with_player(None)
            .expect("nobody"),
        format([10, 12, 6], both, true)
            .with_bounds(bounds)
            .expect("in range"),
    ]
}

/// A player that moves and turns about all three axes. A ball of cubes around it turns with it, but slips a little. Other
/// cubes fly, and some rest. Not every cube is in every packet, so that baselines are of several ages.
fn turning(format: SyncFormat) -> Scene {
    let sequences = [100, 101, 103, 104, 110, 118, 119, 140, 141, 500, 503];
    let steps = sequences.into_iter().enumerate().map(|(step, sequence)| {
        // In one packet the player is missing.
        let is_sent = |index: usize| match format.player() {
            Some(player) if index == player => step != 5,
            _ => !(index + step).is_multiple_of(4),
        };
        let player = format.player().unwrap_or(0);
        // The sender takes the player as the first or not at all.
        let others = (0..format.cube_count())
            .rev()
            .filter(|&index| index != player);
        let order = std::iter::once(player).chain(others);
        let state = |index: usize| {
            if index == player {
                player_at(sequence)
            } else {
                other_at(index, sequence)
            }
        };
        Step {
            sequence,
            arrives: !matches!(step, 1 | 6 | 8),
            inputs: vec![step as u8, step as u8, 0b10_0000],
            cubes: order
                .filter(|&index| is_sent(index))
                .map(|index| (index, format.quantise(&state(index))))
                .collect(),
        }
    });
    Scene {
        steps: steps.collect(),
        format,
    }
}

/// Cubes whose moved-on position lies between two steps to the last bit, at ages and velocities that were searched. A step further comes out
/// where the age is divided by 60, or where the velocity is multiplied first.
fn ages() -> Scene {
    const SPEEDS: [i32; 8] = [-3, -5, -7, -9, -11, 3, 5, 7];
    let bits = QuantisationBits::new(6, 9, 5).expect("in range");
    let delta = Compression {
        relative: false,
        delta: true,
    };
    let format = SyncFormat::new(bits, SPEEDS.len(), delta, true).expect("8 cubes");
    let ages = [3, 5, 9, 15, 21, 25, 33, 35, 39, 45, 75, 105, 165, 195];
    let sequences = std::iter::once(100).chain(ages.into_iter().scan(100, |at, age| {
        *at += age;
        Some(*at)
    }));
    let steps = sequences.map(|sequence| Step {
        sequence,
        arrives: true,
        inputs: vec![1],
        cubes: SPEEDS
            .into_iter()
            .enumerate()
            .map(|(index, speed)| {
                let body = SyncBody {
                    position: [0, 0, 64],
                    orientation: [3, 256, 256, 256],
                    linear_velocity: [speed, -speed, 0],
                    angular_velocity: [0; 3],
                    at_rest: false,
                };
                (index, body)
            })
            .collect(),
    });
    Scene {
        steps: steps.collect(),
        format,
    }
}

fn player_at(frame: u32) -> CubeState {
    let t = (frame - 100) as f32 / 60.0;
    CubeState {
        position: [-1.5 + 0.75 * t, 2.0 - 0.5 * t, 1.5 + 0.125 * t],
        // Half of the angle in each axis, to the first order.
        orientation: unit([0.1 + 0.5 * t, -0.3 * t, 0.2 + 0.7 * t, 1.0]),
        linear_velocity: [0.75, -0.5, 0.125],
        angular_velocity: [1.0, -0.6, 1.4],
        interacting: true,
        at_rest: false,
        life: Life::default(),
    }
}

fn other_at(index: usize, frame: u32) -> CubeState {
    let [x, y, z] = [
        (index * 7 % 5) as f32 - 2.0,
        (index * 3 % 7) as f32 - 3.0,
        (index % 3) as f32 - 1.0,
    ];
    let slip = (index * 13 % 11) as f32 * (frame % 7) as f32 / 4000.0;
    let wobble = [40.0 * slip, -40.0 * slip, 30.0 * slip];
    let t = (frame - 100) as f32 / 60.0;
    match index % 5 {
        // In the ball.
        0..=2 => {
            let player = player_at(frame);
            let offset = rotate(player.orientation, [0.4 * x + slip, 0.3 * y, 0.5 * z]);
            let turning = cross(player.angular_velocity, offset);
            CubeState {
                position: add(player.position, offset),
                orientation: multiply(player.orientation, unit([0.1 * x, 0.2 * y, slip, 1.0])),
                linear_velocity: add(add(player.linear_velocity, turning), wobble),
                angular_velocity: add(player.angular_velocity, wobble),
                ..player
            }
        }
        // Flying, out of the world of one format at last.
        3 => CubeState {
            position: [3.0 * x + x * t, 2.0 * y - 0.5 * t, 3.0 + z * t],
            orientation: unit([0.3, 0.2 * t, -0.4, 0.5]),
            linear_velocity: [x, -0.5, z + slip],
            angular_velocity: add([0.1 * y, 0.4, -15.99], wobble.map(|c| 8.0 * c)),
            interacting: false,
            at_rest: false,
            life: Life::default(),
        },
        // At rest, on edge of two components that are equal; sometimes pushed a little.
        _ => CubeState {
            position: [6.0 + x + if frame > 110 { 0.01 } else { 0.0 }, y, 0.2],
            orientation: unit([1.0, 1.0 + slip / 100.0, 0.0, -0.5]),
            linear_velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            interacting: false,
            at_rest: frame != 119,
            life: Life::default(),
        },
    }
}

fn add(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|i| a[i] + b[i])
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|i| {
        let [j, k] = [(i + 1) % 3, (i + 2) % 3];
        a[j] * b[k] - a[k] * b[j]
    })
}

fn unit(q: [f32; 4]) -> [f32; 4] {
    let length = q.map(|c| c * c).iter().sum::<f32>().sqrt();
    q.map(|c| c / length)
}

fn multiply(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    (Quat(a) * Quat(b)).0
}

fn rotate(q: [f32; 4], [x, y, z]: [f32; 3]) -> [f32; 3] {
    let Quat([x, y, z, _]) = Quat(q) * Quat([x, y, z, 0.0]) * Quat(q).conjugate();
    [x, y, z]
}
