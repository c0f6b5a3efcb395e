//! Cubes that come, go and jump.

use snapshot_codec::{Cube, CubeState, Format, Life, QuantisationBits, Rung};

use super::{Scene, of_classes};

const CUBES: usize = 12;

/// Sequences of the packets, and the lives of the slots: generations, and `.` for an empty one. Cube 0 is the player on
/// rung 13.
const LIVES: [(u16, &str); 8] = [
    // Two leave, and one jumps.
    (65_530, "0010..000000"),
    // One of them comes again, the other stays away; the one that jumped goes on, another jumps.
    (4, "00101.010000"),
    // Nothing comes or goes.
    (10, "00101.010000"),
    // The player jumps.
    (13, "10101.010000"),
    // The player leaves, and the others move on without it.
    (19, ".0101.010000"),
    (25, "............"),
    // All empty slots stay empty.
    (31, "............"),
    // All come at once.
    (37, "211111111111"),
];

/// Rungs without a baseline, rungs with each list of cubes, and the models.
pub(super) fn slots() -> impl Iterator<Item = Scene> {
    [
        Rung::Uncompressed,
        Rung::AtRest,
        Rung::Position,
        Rung::NotChanged,
        Rung::Index,
        Rung::RelativeIndex,
        Rung::ChangedFlags,
        Rung::Arithmetic,
        Rung::Predicted,
    ]
    .into_iter()
    .flat_map(|rung| {
        let format = Format::new(rung, QuantisationBits::DEFAULT, CUBES).expect("12 cubes");
        of_classes(format)
    })
    .map(|format| {
        let format = format.with_slots(true).expect("not simulated");
        let snapshots = LIVES.map(|(sequence, lives)| {
            let tick = sequence.wrapping_add(6);
            let slots = (0..).zip(lives.bytes());
            let cubes = slots.map(|(index, life)| format.quantise(&slot(index, tick, life)));
            (sequence, cubes.collect::<Vec<Cube>>())
        });
        Scene {
            format,
            snapshots: snapshots.into(),
            keys: None,
        }
    })
}

/// A slot at a tick. Its cube moves along with its neighbours, from another place in each life.
fn slot(index: usize, tick: u16, life: u8) -> CubeState {
    if life == b'.' {
        return CubeState::EMPTY;
    }
    let generation = life - b'0';
    let (time, number) = (f32::from(tick) / 60.0, index as f32);
    let moves = !index.is_multiple_of(4) || index == 0;
    let way = if moves { time } else { 0.0 };
    CubeState {
        position: [
            0.5 * number + 1.5 * way,
            6.0 * f32::from(generation) + 0.25 * way,
            0.2 + 0.1 * number,
        ],
        orientation: [0.0, 0.2 * way, 0.1 * number, 1.0],
        linear_velocity: if moves { [1.5, 0.25, 0.0] } else { [0.0; 3] },
        angular_velocity: [0.0; 3],
        interacting: index.is_multiple_of(3),
        at_rest: !moves,
        life: Life::from_code(generation).expect("0 to 2"),
    }
}
