//! Cubes of this packet that are coded already and near: what they did says what the next one does.

use alloc::vec;
use alloc::vec::Vec;

use super::lanes::each;
use crate::history::room;
use crate::model::rotation::{Quaternion, Vector3, add, dot, scale, subtract, turn};

/// Cubes nearer than this, 0.75 m in 1/512 m, are neighbours: those that touch are 0.4 to 0.69 m apart.
const REACH: f32 = 384.0;
/// Grid cells are as wide as the reach, so that neighbours are in the nine around.
const CELLS: usize = SIDE * SIDE;
/// A side of the grid, after which cells come again.
const SIDE: usize = 32;
/// Most cubes of a cell that are looked at, the newest first. No heap is so dense that there are more, and thousands of
/// cubes in one place should not take the square of their number.
const CELL_CHANGES_MAX: usize = 64;
const NONE: u32 = u32::MAX;

/// A cube's change from baseline to packet. Lengths in 1/512 m, turns as [`difference`](crate::model::rotation::difference)
/// has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CubeChange {
    /// Centre in the baseline.
    pub(crate) place: Vector3,
    pub(crate) moved: Vector3,
    pub(crate) turned: Vector3,
    pub(crate) rotation: Quaternion,
    /// Difference of the displacement to moving on as before.
    pub(crate) surprise: Vector3,
    pub(crate) turn_surprise: Vector3,
    /// From where the cube is said to be to where it probably is.
    pub(crate) offset: Vector3,
    pub(crate) turn_offset: Vector3,
    /// log2 of the prediction's error, of position and orientation.
    pub(crate) errors: [f32; 2],
}

/// Means over the neighbours of a place; the nearest weigh most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NeighbourMeans {
    pub(crate) count: usize,
    /// Displacement of the place if it were one body with its neighbours.
    pub(crate) rigid: Vector3,
    pub(crate) moved: Vector3,
    pub(crate) turned: Vector3,
    pub(crate) surprise: Vector3,
    pub(crate) turn_surprise: Vector3,
    pub(crate) errors: [f32; 2],
}

impl NeighbourMeans {
    /// The value where there are no neighbours.
    const NONE: Self = Self {
        count: 0,
        rigid: [0.0; 3],
        moved: [0.0; 3],
        turned: [0.0; 3],
        surprise: [0.0; 3],
        turn_surprise: [0.0; 3],
        errors: [0.0; 2],
    };
}

/// The part of the neighbours' means that the flag "changed" needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearMotion {
    pub(crate) count: usize,
    /// Mean displacement.
    pub(crate) moved: Vector3,
}

impl NearMotion {
    /// The value where there are no neighbours.
    pub(crate) const NONE: Self = Self {
        count: 0,
        moved: [0.0; 3],
    };
}

/// A cube's change, in lanes that are added up together.
#[derive(Clone, Copy, Debug)]
struct NeighbourChange {
    place: Vector3,
    /// The change before it in its cell.
    before: u32,
    /// Displacement, turn, surprise, turn's surprise, two errors, and two lanes of nothing.
    lanes: [f32; 16],
    rotation: Quaternion,
}

/// The cubes coded so far, in a grid over the floor.
#[derive(Clone, Debug)]
pub(crate) struct Neighbours {
    /// Newest change of each cell.
    heads: Vec<u32>,
    /// A bit for each cell in which there are changes, and for each around which there are, by y and x.
    occupied: [u32; SIDE],
    reached: [u32; SIDE],
    told: Vec<NeighbourChange>,
    /// Index of each change's cube.
    cubes: Vec<u32>,
    /// The changes found last with their weights, and the sum of these.
    found: Vec<(u32, f32)>,
    found_weights: f32,
}

impl Neighbours {
    pub(crate) fn new(cube_count: usize) -> Self {
        Self {
            heads: vec![NONE; CELLS],
            occupied: [0; SIDE],
            reached: [0; SIDE],
            told: Vec::with_capacity(cube_count),
            cubes: Vec::with_capacity(cube_count),
            found: Vec::with_capacity(cube_count.min(9 * CELL_CHANGES_MAX)),
            found_weights: 0.0,
        }
    }

    /// Bytes of allocated memory.
    pub(super) fn held_bytes(&self) -> usize {
        let changes = room(&self.told) + room(&self.cubes);
        room(&self.heads) + changes + room(&self.found)
    }

    pub(crate) fn clear(&mut self) {
        self.heads.fill(NONE);
        self.occupied.fill(0);
        self.reached.fill(0);
        self.told.clear();
        self.cubes.clear();
    }

    pub(crate) fn insert(&mut self, cube: usize, change: &CubeChange) {
        let cell = Cell::of(change.place);
        self.occupied[cell.row(0)] |= 1 << cell.x;
        let bits = 0b111_u32.rotate_left(cell.x.into()).rotate_right(1);
        for dy in -1..=1 {
            self.reached[cell.row(dy)] |= bits;
        }
        let head = &mut self.heads[cell.row(0) * SIDE + usize::from(cell.x)];
        let before = core::mem::replace(head, self.told.len() as u32);
        let mut lanes = [0.0; 16];
        let vectors = [
            change.moved,
            change.turned,
            change.surprise,
            change.turn_surprise,
        ];
        lanes[..12].copy_from_slice(vectors.as_flattened());
        lanes[12..14].copy_from_slice(&change.errors);
        self.told.push(NeighbourChange {
            place: change.place,
            before,
            lanes,
            rotation: change.rotation,
        });
        self.cubes.push(cube as u32);
    }

    /// Says whether there may be any near places of that cell.
    pub(crate) fn reach(&self, cell: Cell) -> bool {
        self.reached[usize::from(cell.y)] >> cell.x & 1 != 0
    }

    /// Finds the neighbours of a place in that cell.
    pub(crate) fn find(&mut self, cell: Cell, place: Vector3) -> NearMotion {
        self.found.clear();
        if !self.reach(cell) {
            return NearMotion::NONE;
        }
        // Of each of the three columns the occupied rows, of all nine the first ones first.
        let mut cells = 0;
        for dx in 0..3 {
            for dy in 0..3 {
                let row = self.occupied[cell.row(dy - 1)].rotate_right(cell.x.into());
                let bit = row.rotate_left(1) >> dx & 1;
                cells |= bit << (3 * dx + dy);
            }
        }
        let mut weights = 0.0;
        let mut moved = [0.0; 4];
        while cells != 0 {
            let next = cells.trailing_zeros() as i32;
            cells &= cells - 1;
            let (dx, dy) = (next / 3 - 1, next % 3 - 1);
            let column = (i32::from(cell.x) + dx) as usize % SIDE;
            let mut at = self.heads[cell.row(dy) * SIDE + column];
            for _ in 0..CELL_CHANGES_MAX {
                let Some(told) = self.told.get(at as usize) else {
                    break;
                };
                let arm = subtract(place, told.place);
                let square = dot(arm, arm);
                if square <= REACH * REACH {
                    let weight = 1.0 / (square + 1000.0);
                    let weight = weight * weight;
                    weights += weight;
                    moved = each(|i| moved[i] + told.lanes[i] * weight);
                    self.found.push((at, weight));
                }
                at = told.before;
            }
        }
        self.found_weights = weights;
        if self.found.is_empty() {
            return NearMotion::NONE;
        }
        NearMotion {
            count: self.found.len(),
            moved: scale([moved[0], moved[1], moved[2]], 1.0 / weights),
        }
    }

    /// The cubes that [`Neighbours::find`] has found last.
    pub(crate) fn found(&self) -> impl Iterator<Item = usize> {
        let found = self.found.iter();
        found.map(|&(at, _)| self.cubes[at as usize] as usize)
    }

    /// Means of the changes that [`Neighbours::find`] has found last, for that place.
    pub(crate) fn near(&self, place: Vector3) -> NeighbourMeans {
        let mut rigid = [0.0; 3];
        let mut sums = [0.0; 16];
        for &(at, weight) in &self.found {
            let told = &self.told[at as usize];
            let (lanes, rotation) = (&told.lanes, &told.rotation);
            let arm = subtract(place, told.place);
            let [x, y, z, ..] = *lanes;
            let as_one = add([x, y, z], subtract(turn(*rotation, arm), arm));
            rigid = add(rigid, scale(as_one, weight));
            for (sum, lane) in sums.iter_mut().zip(lanes) {
                *sum += lane * weight;
            }
        }
        if self.found.is_empty() {
            return NeighbourMeans::NONE;
        }
        let by = 1.0 / self.found_weights;
        let means = sums.map(|sum| sum * by);
        let vector = |at: usize| core::array::from_fn(|i| means[at + i]);
        NeighbourMeans {
            count: self.found.len(),
            rigid: scale(rigid, by),
            moved: vector(0),
            turned: vector(3),
            surprise: vector(6),
            turn_surprise: vector(9),
            errors: [means[12], means[13]],
        }
    }
}

/// A cell of the grid.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cell {
    x: u8,
    y: u8,
}

impl Cell {
    pub(crate) fn of(place: Vector3) -> Self {
        // Whole parts of positive numbers within 512 m of the middle. The one cell about zero is twice as wide, which costs but time.
        let [x, y, _] = place.map(|c| (((c + 262_144.0) * (1.0 / REACH)) as i32 & 31) as u8);
        Self { x, y }
    }

    /// The row so many on.
    fn row(self, dy: i32) -> usize {
        (i32::from(self.y) + dy) as usize % SIDE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(place: Vector3, moved: Vector3) -> CubeChange {
        CubeChange {
            place,
            moved,
            turned: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            surprise: [0.0; 3],
            turn_surprise: [0.0; 3],
            offset: [0.0; 3],
            turn_offset: [0.0; 3],
            errors: [0.0; 2],
        }
    }

    #[test]
    fn a_crowd_in_one_place_is_not_looked_at_whole() {
        let mut neighbours = Neighbours::new(4096);
        for n in 0..4096 {
            let place = [n as f32 / 64.0, 0.0, 100.0];
            neighbours.insert(n, &change(place, [1.0, 2.0, 3.0]));
            neighbours.find(Cell::of(place), place);
            assert!(neighbours.found().any(|cube| cube == n));
            let near = neighbours.near(place);
            assert!((1..=9 * CELL_CHANGES_MAX).contains(&near.count));
            assert!((near.moved[1] - 2.0).abs() < 1e-3);
        }
        // Within reach on either side of a cell's border, and no farther; also where cells come again.
        for x in [
            -131_000.0_f32,
            -384.0,
            -1.0,
            0.0,
            300.0,
            12_200.0,
            130_000.0,
        ] {
            neighbours.clear();
            let place = [x, -x, 0.0];
            let count = |neighbours: &mut Neighbours, by: f32| {
                let place = [x + by, -x, 0.0];
                neighbours.find(Cell::of(place), place).count
            };
            assert_eq!(count(&mut neighbours, 0.0), 0);
            neighbours.insert(7, &change(place, [0.0; 3]));
            let reached = |by: f32| neighbours.reach(Cell::of([x + by, -x, 0.0]));
            assert!([-380.0, 0.0, 380.0].into_iter().all(reached));
            let counts = [-400.0, -380.0, 0.0, 380.0, 400.0].map(|by| count(&mut neighbours, by));
            assert_eq!(counts, [0, 1, 1, 1, 0], "{x}");
        }
    }
}
