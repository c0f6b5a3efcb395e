//! Scenes of rungs 13 and 14 in which the last bit of an expectation counts, or a touch is foreseen.

use super::{Scene, bits};
use snapshot_codec::{Class, Cube, CubeState, DeadReckoning, Foresight, Format, Life, Rung};

const PUSH: u8 = 1 << 4;
const PULL: u8 = 1 << 5;

/// Dead reckoning, in which every cube that is not at rest interacts after a push, and no longer after a pull. Without keys it is dead
/// reckoning.
pub(crate) struct Touching;

impl Foresight for Touching {
    fn foresee(&mut self, sequence: u16, inputs: &[u8], cubes: &mut [CubeState]) {
        DeadReckoning.foresee(sequence, inputs, cubes);
        let holds = |key: u8| inputs.iter().any(|input| input & key != 0);
        for cube in cubes.iter_mut().filter(|cube| !cube.at_rest) {
            cube.interacting = (cube.interacting || holds(PUSH)) && !holds(PULL);
        }
    }
}

impl Scene {
    /// The inputs of the packet at a place of the stream, oldest first. None in a scene without keys, and where nothing is foreseen.
    pub(crate) fn inputs_at(&self, place: usize) -> Option<Vec<u8>> {
        let keys = self.keys?;
        let (before, _) = &self.snapshots[place.checked_sub(1)?];
        let (sequence, _) = &self.snapshots[place];
        Some((before + 1..=*sequence).map(keys).collect())
    }
}

/// Cubes beside the player that are moved by chance. The seeds were searched: with these, a packet changes where `10 x t x t` is
/// calculated in another order, or t as `ticks / 6`.
pub(super) fn last_bits() -> impl Iterator<Item = Scene> {
    [16, 355].into_iter().map(|seed| {
        let format = Format::new(Rung::Predicted, bits(12, 9, 5), 8).expect("8 cubes");
        let format = format.with_class(Class::Chained);
        let mut chance = Chance::new(seed);
        let mut snapshot: Vec<Cube> = (0..8).map(beside_the_player).collect();
        let snapshots = [60, 65, 72, 82, 89].map(|sequence| {
            if sequence > 60 {
                snapshot
                    .iter_mut()
                    .skip(1)
                    .for_each(|cube| chance.push(cube));
            }
            (sequence, snapshot.clone())
        });
        Scene {
            format,
            snapshots: snapshots.into(),
            keys: None,
        }
    })
}

/// A cube in rows of four, 0.3 m apart, 0.5 m above the floor; the player is at 1 m. At 12 bits.
fn beside_the_player(index: i32) -> Cube {
    const METRE: i32 = 1 << 12;
    Cube {
        position: [
            index % 4 * METRE * 3 / 10,
            index / 4 * METRE * 3 / 10,
            if index == 0 { METRE } else { METRE / 2 },
        ],
        orientation: [3, 256, 256, 256],
        ..Cube::default()
    }
}

/// A linear congruential generator.
struct Chance(u32);

impl Chance {
    fn new(seed: u32) -> Chance {
        Chance(seed.wrapping_mul(2_654_435_761).wrapping_add(12_345))
    }

    fn below(&mut self, bound: u32) -> i32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((u64::from(self.0) * u64::from(bound)) >> 32) as i32
    }

    /// Moves every second cube by up to 1/16 m along each axis.
    fn push(&mut self, cube: &mut Cube) {
        if self.below(2) == 0 {
            for step in &mut cube.position {
                *step += self.below(512) - 256;
            }
        }
    }
}

/// Cubes that drift while keys are held: half of them do as is foreseen, some are touched otherwise, and one rests.
pub(super) fn touches() -> impl Iterator<Item = Scene> {
    let keys = |sequence: u16| match sequence {
        70..=74 => PUSH,
        90..=91 => PULL | 1,
        100..=105 => PUSH | 0b10,
        111 => PULL,
        _ => 0b100,
    };
    let sequences = [60, 64, 68, 72, 80, 91, 92, 103, 112, 150];
    Class::ALL.into_iter().map(move |class| {
        let format = Format::new(Rung::Simulated, bits(9, 9, 5), 12).expect("12 cubes");
        let format = format.with_class(class);
        let snapshots = sequences.iter().map(|&sequence| {
            let states = (0..12).map(|index| drifting_at(index, sequence));
            (
                sequence,
                states.map(|state| format.quantise(&state)).collect(),
            )
        });
        Scene {
            format,
            snapshots: snapshots.collect(),
            keys: Some(keys),
        }
    })
}

fn drifting_at(index: usize, sequence: u16) -> CubeState {
    let time = f32::from(sequence) / 60.0;
    let is_pressed = matches!(sequence, 70..=90 | 100..=110);
    let speed = if index == 5 { 0.0 } else { 1.0 };
    CubeState {
        position: [3.0 * index as f32, speed * time, 1.0],
        interacting: match index % 4 {
            // Never; otherwise for a packet or two than is foreseen.
            1 => false,
            3 => sequence % 8 < 3,
            _ => is_pressed && speed > 0.0,
        },
        ..standing()
    }
}

fn standing() -> CubeState {
    CubeState {
        position: [0.0; 3],
        orientation: [0.0, 0.0, 0.0, 1.0],
        linear_velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        interacting: false,
        at_rest: false,
        life: Life::default(),
    }
}
