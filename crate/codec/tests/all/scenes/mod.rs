//! The scenes of the golden packets: a format, and the snapshots that are sent in it.

mod foreseen;
mod rows;
mod slots;
mod wide;

use snapshot_codec::{
    Bounds, Class, Cube, CubeState, Format, Life, QuantisationBits, Rung, Widths,
};

pub(crate) use foreseen::Touching;
pub(crate) use rows::rows_at;

/// Sequences of the packets; each is acked before the next, and the second crosses the wrap.
const SEQUENCES: [u16; 3] = [65_530, 4, 200];

/// Snapshots in one format, the first against an initial snapshot of zeros, each other against the one before.
pub(crate) struct Scene {
    pub(crate) format: Format,
    pub(crate) snapshots: Vec<(u16, Vec<Cube>)>,
    /// The input of each tick, where keys are foreseen to touch cubes.
    pub(crate) keys: Option<fn(u16) -> u8>,
}

/// Every scene, in the order of the file.
pub(crate) fn scenes() -> Vec<Scene> {
    let ladder = formats().into_iter().map(|format| {
        let snapshots = ladder_snapshots(&format);
        Scene {
            format,
            snapshots: SEQUENCES.into_iter().zip(snapshots).collect(),
            keys: None,
        }
    });
    ladder
        .chain(counts())
        .chain(ties())
        .chain(reaches())
        .chain(other_bounds())
        .chain(clamped_probabilities())
        .chain(heaps())
        .chain(rests())
        .chain(foreseen::last_bits())
        .chain(foreseen::touches())
        .chain(slots::slots())
        .chain(rows::rows())
        .chain(wide::wide())
        .collect()
}

/// Index, position, orientation.
type Change = (usize, [f32; 3], [f32; 4]);

fn bits(position: u32, orientation: u32, velocity: u32) -> QuantisationBits {
    QuantisationBits::new(position, orientation, velocity).expect("in range")
}

fn at_default_bits(rung: Rung, cubes: usize) -> Format {
    Format::new(rung, QuantisationBits::DEFAULT, cubes).expect("in range")
}

fn formats() -> Vec<Format> {
    let default = QuantisationBits::DEFAULT;
    let rungs = Rung::ALL
        .into_iter()
        .map(|rung| (rung, default, if rung.is_delta() { 60 } else { 2 }));
    let others = [
        (Rung::AtRest, bits(4, 2, 0), 2),
        (Rung::AtRest, bits(12, 16, 12), 2),
        (Rung::ChangedFlags, bits(4, 2, 0), 60),
        (Rung::ChangedFlags, bits(12, 16, 12), 60),
        (Rung::ChangedFlags, default, 1),
        (Rung::ChangedFlags, default, 129),
        (Rung::Arithmetic, bits(4, 2, 0), 60),
        (Rung::Predicted, bits(12, 16, 12), 60),
    ];
    rungs
        .chain(others)
        .map(|(rung, bits, cubes)| Format::new(rung, bits, cubes).expect("in range"))
        .flat_map(of_classes)
        .chain(other_widths())
        .collect()
}

/// The format in each class, where it has classes.
fn of_classes(format: Format) -> impl Iterator<Item = Format> {
    let classes = if format.rung().is_arithmetic() {
        &Class::ALL[..]
    } else {
        &[Class::Strict]
    };
    classes.iter().map(move |&class| format.with_class(class))
}

/// Widths that are not the articles'.
fn other_widths() -> impl Iterator<Item = Format> {
    let widths = |small, large| Widths::new(small, large).expect("in range");
    [
        (Rung::RelativeOrientation, widths(6, 10), widths(4, 7)),
        (Rung::ChangedFlags, widths(6, 10), widths(4, 7)),
        (Rung::ChangedFlags, widths(2, 2), widths(24, 24)),
    ]
    .map(|(rung, position, orientation)| {
        at_default_bits(rung, 60).with_widths(position, orientation)
    })
    .into_iter()
}

/// Three snapshots in which every rule occurs: indices 1, 2, 9 and 47 apart, small, large and absolute differences, cubes that
/// only move, only turn, only are touched; in the last, all cubes change.
fn ladder_snapshots(format: &Format) -> [Vec<Cube>; 3] {
    let moved = |position: [f32; 3], orientation: [f32; 4], index: usize| CubeState {
        position,
        orientation,
        linear_velocity: [1.5, -32.0, 0.25],
        angular_velocity: [0.0; 3],
        interacting: index.is_multiple_of(3),
        at_rest: index == 1,
        life: Life::default(),
    };
    let upright = [0.0, 0.0, 0.0, 1.0];
    let changes: [&[Change]; 2] = [
        &[
            (0, [-14.5, 200.0, 31.0], upright),
            (1, [-13.5, -14.5, 0.2], upright),
            (3, [0.25, 0.25, 0.25], [0.5, -0.5, 0.5, 0.5]),
            (12, [0.0, 0.0, 0.0], [0.0, 0.6, 0.0, 0.8]),
            (59, [1.0, 2.0, 3.0], [0.7, 0.1, 0.1, 0.7]),
        ],
        &[
            (0, [-14.25, 200.0, 30.5], [0.0, 0.0, 0.02, 1.0]),
            (3, [0.25, 0.25, 0.25], [0.5, -0.4, 0.5, 0.5]),
            (12, [0.5, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8]),
            (59, [9.0, 2.0, 3.0], [0.1, 0.7, 0.1, 0.7]),
        ],
    ];
    let mut snapshot = vec![Cube::default(); format.cube_count()];
    let [first, second] = changes.map(|changes| {
        for &(index, position, orientation) in changes {
            if let Some(cube) = snapshot.get_mut(index) {
                *cube = format.quantise(&moved(position, orientation, index));
            }
        }
        snapshot.clone()
    });
    snapshot
        .iter_mut()
        .for_each(|cube| cube.interacting ^= true);
    [first, second, snapshot]
}

/// Snapshots 60 ticks apart, in each of which the named cubes are touched or let go.
fn touched(format: Format, indices: impl IntoIterator<Item = Vec<usize>>) -> Scene {
    let mut snapshot = vec![Cube::default(); format.cube_count()];
    let snapshots = indices.into_iter().enumerate().map(|(step, indices)| {
        for index in indices {
            snapshot[index].interacting ^= true;
        }
        (60 * step as u16, snapshot.clone())
    });
    Scene {
        snapshots: snapshots.collect(),
        format,
        keys: None,
    }
}

/// Counts on both sides of each length of their code, and gaps on both sides of each of theirs; the last cube is always one.
fn counts() -> impl Iterator<Item = Scene> {
    [
        (Rung::Index, 901, &[16, 48][..]),
        (Rung::RelativeIndex, 901, &[16, 48]),
        (
            Rung::ChangedFlags,
            4096,
            &[15, 16, 47, 48, 111, 112, 239, 240],
        ),
    ]
    .into_iter()
    .map(|(rung, cubes, counts)| {
        let indices = counts.iter().map(|&count| {
            let steps = (0..count - 2).map(|i| {
                if i < 20 {
                    [1, 8, 9, 40, 41][i % 5]
                } else {
                    1 + i % 3
                }
            });
            let mut index = 0;
            let rising = steps.map(|step| {
                index += step;
                index
            });
            let indices = std::iter::once(0).chain(rising).chain([cubes - 1]);
            indices.collect()
        });
        touched(at_default_bits(rung, cubes), indices)
    })
}

/// One changed cube takes 5 bits and an index: of 8 and of 9 cubes just as many as changed bits, which then are sent, and of
/// 10 one fewer.
fn ties() -> impl Iterator<Item = Scene> {
    let rungs = [Rung::Index, Rung::RelativeIndex, Rung::ChangedFlags];
    rungs.into_iter().flat_map(|rung| {
        [8, 9, 10].map(|cubes| {
            let format = at_default_bits(rung, cubes);
            touched(format, [vec![cubes - 1], vec![], vec![2, 3]])
        })
    })
}

/// Differences that are the last of their range, and the first beyond it, along each axis and of each component; the ends of
/// the world; another component that is the largest.
fn reaches() -> impl Iterator<Item = Scene> {
    let rungs = [
        Rung::RelativePosition,
        Rung::RelativeOrientation,
        Rung::ChangedFlags,
        Rung::Arithmetic,
    ];
    let formats = rungs
        .into_iter()
        .flat_map(|rung| of_classes(at_default_bits(rung, 28)));
    formats.map(|format| {
        let middle = Cube {
            position: [1000, -2000, 3000],
            orientation: [2, 250, 260, 270],
            ..Cube::default()
        };
        let first = vec![middle; 28];
        let mut second = first.clone();
        for part in 0..3 {
            let position = [-273, -272, -17, -16, 15, 16, 271, 272];
            let orientation = [-145, -144, -17, -16, 15, 16, 143, 144];
            for (i, (moved, turned)) in position.into_iter().zip(orientation).enumerate() {
                let cube = &mut second[8 * part + i];
                cube.position[part] += moved;
                cube.orientation[1 + part] += turned;
            }
        }
        second[24].orientation[0] = 1;
        second[25].position = [-256 * 512, -256 * 512, 0];
        second[26].position = [256 * 512 - 1, 256 * 512 - 1, 32 * 512 - 1];
        second[27].orientation = [0, 0, 511, 0];
        let mut third = second.clone();
        third[25].position = [-256 * 512 + 271, -256 * 512 + 15, 16];
        third[26].position = [256 * 512 - 273, 256 * 512 - 17, 32 * 512 - 18];
        third[27].orientation = [0, 143, 511 - 144, 16];
        let snapshots = SEQUENCES.into_iter().zip([first, second, third]).collect();
        Scene {
            format,
            snapshots,
            keys: None,
        }
    })
}

/// A world whose sides are no powers of two.
fn other_bounds() -> impl Iterator<Item = Scene> {
    let bounds = Bounds::new([-3, -1024, -8], [4, 1024, 3]).expect("in range");
    [Rung::Position, Rung::ChangedFlags, Rung::Arithmetic]
        .into_iter()
        .map(move |rung| {
            let bits = bits(12, 9, 5);
            let format = Format::new(rung, bits, 3).expect("in range");
            let format = format
                .with_bounds(bounds)
                .expect("in range")
                .with_class(Class::Strict);
            let cubes = |position: [i32; 3], moved: i32| {
                (0..3).map(move |i| Cube {
                    position: position.map(|step| if i == 1 { step + moved } else { step }),
                    ..Cube::default()
                })
            };
            let [lower, upper] = [
                [-3 << 12, -1024 << 12, -8 << 12],
                [(4 << 12) - 1, (1024 << 12) - 1, (3 << 12) - 1],
            ];
            let snapshots =
                [cubes(lower, 1), cubes(upper, -1), cubes(lower, 200)].map(Iterator::collect);
            let snapshots = SEQUENCES.into_iter().zip(snapshots).collect();
            Scene {
                format,
                snapshots,
                keys: None,
            }
        })
}

/// Hundreds of the same decisions in a row, until their probability is the least that there is, and then the other one. First
/// a change comes after many cubes without, then a number that is zero after many that are not.
fn clamped_probabilities() -> impl Iterator<Item = Scene> {
    let format = |cubes| at_default_bits(Rung::Arithmetic, cubes);
    let idle = of_classes(format(2000))
        .map(|format| touched(format, [vec![1999], vec![], vec![1000, 1999]]));
    let moving = of_classes(format(1000)).map(|format| {
        let all = (0..1000).map(|index| Cube {
            position: [if index == 999 { 0 } else { 1000 }, 1, 0],
            ..Cube::default()
        });
        Scene {
            format,
            snapshots: vec![(9, all.collect())],
            keys: None,
        }
    });
    idle.chain(moving)
}

/// A heap of cubes on rungs 13 and 14, more than 64 of them in one cell of 3/4 m: the player pushes through, cubes follow it, roll, fall and
/// come to rest. Packets are 1 to 60 ticks apart, and another cube is the player, or none.
fn heaps() -> impl Iterator<Item = Scene> {
    let default = QuantisationBits::DEFAULT;
    [
        (Rung::Predicted, default, Class::Chained, Some(0)),
        (Rung::Predicted, default, Class::Strict, Some(0)),
        (Rung::Predicted, bits(12, 15, 5), Class::Chained, Some(7)),
        (Rung::Predicted, default, Class::Chained, None),
        (Rung::Simulated, default, Class::Chained, Some(0)),
        (Rung::Simulated, bits(12, 15, 5), Class::Strict, Some(0)),
    ]
    .into_iter()
    .map(|(rung, bits, class, player)| {
        let format = Format::new(rung, bits, 84).expect("84 cubes");
        let format = format
            .with_class(class)
            .with_player(player)
            .expect("of 84 cubes");
        let ticks = [60, 61, 64, 70, 72, 88, 89, 95, 155, 158];
        let snapshots = ticks.map(|tick| {
            let states = (0..84).map(|index| heap_at(index, tick as f32 / 60.0, player));
            (tick, states.map(|state| format.quantise(&state)).collect())
        });
        Scene {
            format,
            snapshots: snapshots.into(),
            keys: None,
        }
    })
}

/// Cubes that stop and go on: after 5 to 14 ticks one by one, and after 180 and 181. Then packets are as far apart as two
/// distances of the tables have in between, on both sides, and 48 and 49 ticks, the last with and the first without a simulation.
fn rests() -> impl Iterator<Item = Scene> {
    let ticks: Vec<u16> = [60]
        .into_iter()
        .chain(66..=90)
        .chain([150, 210, 270, 276, 285, 295, 322, 350, 398, 447])
        .collect();
    [
        (Rung::Predicted, Class::Chained),
        (Rung::Simulated, Class::Chained),
        (Rung::Simulated, Class::Strict),
    ]
    .into_iter()
    .map(move |(rung, class)| {
        let format = at_default_bits(rung, 10).with_class(class);
        let snapshots = ticks.iter().map(|&tick| {
            let states = (0..10).map(|index| resting_at(index, tick));
            (tick, states.map(|state| format.quantise(&state)).collect())
        });
        Scene {
            format,
            snapshots: snapshots.collect(),
            keys: None,
        }
    })
}

/// One of the cubes that stop and go on, at a tick.
fn resting_at(index: usize, tick: u16) -> CubeState {
    // Ticks of motion so far: to 70, from a tick of its own to 89 or 90, and again from 270.
    let goes_on = 75 + index as u16;
    let stops = 89 + index as u16 % 2;
    let moved = tick.min(70) + tick.clamp(goes_on, stops) - goes_on + tick.max(270) - 270;
    let time = f32::from(moved) / 60.0;
    let x = 3.0 * index as f32;
    CubeState {
        position: [x + 2.0 * time, 0.3 * x * time, 20.0 - 0.1 * x * time],
        orientation: [0.0, 0.1 * time, 0.0, 1.0],
        linear_velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        interacting: index.is_multiple_of(2),
        at_rest: false,
        life: Life::default(),
    }
}

/// A cube of the heap at a time in seconds.
fn heap_at(index: usize, time: f32, player: Option<usize>) -> CubeState {
    let [x, y, z] = [
        (index % 5) as f32,
        (index / 5 % 5) as f32,
        (index / 25) as f32,
    ];
    let place = [0.1 + 0.11 * x, 0.1 + 0.12 * y, 0.2 + 0.3 * z];
    let t = (time - 1.0).min(1.2);
    let (position, turn, interacting) = match index % 7 {
        _ if player == Some(index) => (
            [-1.0 + 1.5 * t, 0.3, 0.75 + 0.1 * t],
            [0.1 * t, 0.6 * t, 0.3 * t],
            true,
        ),
        // At rest after a while, like most of a heap.
        0 => (place, [0.0; 3], t < 0.2),
        // Pushed along with the player, slower the farther away.
        1 | 2 => (
            [place[0] + t / (1.0 + y), place[1] + 0.1 * t * x, place[2]],
            [0.2 * t, 0.1 * x * t, 0.0],
            true,
        ),
        // Rolling.
        3 => (
            [place[0], place[1] + 0.5 * t, 0.2],
            [-1.2 * t, 0.0, 0.0],
            t > 0.1,
        ),
        // Falling, then lying.
        4 => (
            [place[0], place[1], (place[2] + 1.0 - 4.0 * t * t).max(0.2)],
            [0.4 * t, 0.0, t],
            false,
        ),
        // Turning where it is.
        5 => (place, [0.0, 0.3 * t, 0.9 * t], true),
        _ => (
            [place[0] - 0.3 * t * t, place[1], place[2]],
            [0.0, 0.05 * (y - 2.0), 0.0],
            t < 0.5,
        ),
    };
    let [a, b, c] = turn.map(|half| half / 2.0);
    let length = (a * a + b * b + c * c + 1.0).sqrt();
    CubeState {
        position,
        orientation: [a, b, c, 1.0].map(|part| part / length),
        linear_velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        interacting,
        at_rest: false,
        life: Life::default(),
    }
}
