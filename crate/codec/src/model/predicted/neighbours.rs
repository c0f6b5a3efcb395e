//! Neighbours of a cube: nearby cubes already coded in this packet, whose motion helps to predict it.

use super::simd::each;
use crate::buffers::room;
use crate::model::rotation::{Quaternion, Vector3, add, dot, scale, subtract, turn};

/// Greatest distance between neighbours, 0.75 m in 1/512 m: cubes that touch are 0.4 to 0.69 m apart.
const REACH: f32 = 384.0;
/// Number of grid cells. Each is as wide as the reach, so that all neighbours are in the nine cells around a place.
const CELLS: usize = SIDE * SIDE;
/// Number of cells along a side of the grid; positions beyond it wrap around to the other side.
const SIDE: usize = 32;
/// Upper limit of the number of cubes examined in a cell, newest first. No real heap is denser; the limit keeps thousands of
/// cubes in one place from taking quadratic time.
const CELL_CHANGES_MAX: usize = 64;
const NONE: u32 = u32::MAX;

/// A cube's change from baseline to packet. Lengths in 1/512 m, turns as rotation vectors.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CubeChange {
    /// Position of the cube's centre in the baseline, 1/512 m.
    pub(crate) place: Vector3,
    pub(crate) moved: Vector3,
    pub(crate) turned: Vector3,
    pub(crate) rotation: Quaternion,
    /// Displacement minus the displacement by dead reckoning, 1/512 m.
    pub(crate) surprise: Vector3,
    pub(crate) turn_surprise: Vector3,
    /// Offset from the quantised position to the probable exact one, 1/512 m.
    pub(crate) offset: Vector3,
    pub(crate) turn_offset: Vector3,
    /// log2 of the size of the prediction error, of position and of orientation.
    pub(crate) errors: [f32; 2],
}

/// Mean changes of the neighbours of a position; nearer neighbours have greater weights.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NeighbourMeans {
    pub(crate) count: usize,
    /// Displacement that the position would have if it were fixed to its moving neighbours, as one rigid body.
    pub(crate) rigid: Vector3,
    pub(crate) moved: Vector3,
    pub(crate) turned: Vector3,
    pub(crate) surprise: Vector3,
    pub(crate) turn_surprise: Vector3,
    pub(crate) errors: [f32; 2],
}

/// Mean motion of a cube's neighbours, as far as it is needed to code whether the cube changed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NearMotion {
    pub(crate) count: usize,
    /// Mean displacement of the neighbours.
    pub(crate) moved: Vector3,
}

/// The change of a neighbour, as an array of 16 numbers, so that changes can be summed as vectors.
#[derive(Clone, Copy, Debug)]
struct NeighbourChange {
    place: Vector3,
    /// Index of the previous change in the same cell.
    before: u32,
    /// Displacement, rotation, their differences from dead reckoning, two errors, and two unused columns.
    columns: [f32; 16],
    rotation: Quaternion,
}

/// The cubes coded so far, in a grid over the floor, for finding neighbours.
#[derive(Clone, Debug)]
pub(crate) struct Neighbours {
    /// Index of the newest change in each cell.
    heads: Vec<u32>,
    /// Bit sets over the grid, one for each row of cells: cells that hold changes. `reached` has all cells around them, too.
    occupied: [u32; SIDE],
    reached: [u32; SIDE],
    changes: Vec<NeighbourChange>,
    /// Index of the cube that each change belongs to.
    cubes: Vec<u32>,
    /// Changes found by the last search with their weights, and the sum of the weights.
    found: Vec<(u32, f32)>,
    found_weights: f32,
}

impl Neighbours {
    pub(crate) fn new(cube_count: usize) -> Self {
        Self {
            heads: vec![NONE; CELLS],
            occupied: [0; SIDE],
            reached: [0; SIDE],
            changes: Vec::with_capacity(cube_count),
            cubes: Vec::with_capacity(cube_count),
            found: Vec::with_capacity(cube_count.min(9 * CELL_CHANGES_MAX)),
            found_weights: 0.0,
        }
    }

    pub(super) fn held_bytes(&self) -> usize {
        let changes = room(&self.changes) + room(&self.cubes);
        room(&self.heads) + changes + room(&self.found)
    }

    pub(crate) fn clear(&mut self) {
        self.heads.fill(NONE);
        self.occupied.fill(0);
        self.reached.fill(0);
        self.changes.clear();
        self.cubes.clear();
    }

    pub(crate) fn insert(&mut self, cube: usize, change: &CubeChange) {
        let cell = Cell::at(change.place);
        self.occupied[cell.row(0)] |= 1 << cell.x;
        let bits = 0b111_u32.rotate_left(cell.x.into()).rotate_right(1);
        for dy in -1..=1 {
            self.reached[cell.row(dy)] |= bits;
        }
        let head = &mut self.heads[cell.row(0) * SIDE + usize::from(cell.x)];
        let before = core::mem::replace(head, self.changes.len() as u32);
        let mut columns = [0.0; 16];
        let vectors = [
            change.moved,
            change.turned,
            change.surprise,
            change.turn_surprise,
        ];
        columns[..12].copy_from_slice(vectors.as_flattened());
        columns[12..14].copy_from_slice(&change.errors);
        self.changes.push(NeighbourChange {
            place: change.place,
            before,
            columns,
            rotation: change.rotation,
        });
        self.cubes.push(cube as u32);
    }

    /// Returns true if a cube in that cell may have neighbours.
    pub(crate) fn reach(&self, cell: Cell) -> bool {
        self.reached[usize::from(cell.y)] >> cell.x & 1 != 0
    }

    /// Finds the cubes near the position `place`, which lies in `cell`. Returns their mean motion, in which nearer ones weigh more.
    pub(crate) fn find(&mut self, cell: Cell, place: Vector3) -> NearMotion {
        self.found.clear();
        if !self.reach(cell) {
            return NearMotion::default();
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
                let Some(change) = self.changes.get(at as usize) else {
                    break;
                };
                let arm = subtract(place, change.place);
                let square = dot(arm, arm);
                if square <= REACH * REACH {
                    let weight = 1.0 / (square + 1000.0);
                    let weight = weight * weight;
                    weights += weight;
                    moved = each(|i| moved[i] + change.columns[i] * weight);
                    self.found.push((at, weight));
                }
                at = change.before;
            }
        }
        self.found_weights = weights;
        if self.found.is_empty() {
            return NearMotion::default();
        }
        NearMotion {
            count: self.found.len(),
            moved: scale([moved[0], moved[1], moved[2]], 1.0 / weights),
        }
    }

    /// Returns the indices of the cubes found by the last [`Neighbours::find`].
    pub(crate) fn found(&self) -> impl Iterator<Item = usize> {
        let found = self.found.iter();
        found.map(|&(at, _)| self.cubes[at as usize] as usize)
    }

    /// Returns the mean changes at a position, over the cubes found by the last [`Neighbours::find`].
    pub(crate) fn near(&self, place: Vector3) -> NeighbourMeans {
        let mut rigid = [0.0; 3];
        let mut sums = [0.0; 16];
        for &(at, weight) in &self.found {
            let change = &self.changes[at as usize];
            let (columns, rotation) = (&change.columns, &change.rotation);
            let arm = subtract(place, change.place);
            let [x, y, z, ..] = *columns;
            let as_one = add([x, y, z], subtract(turn(*rotation, arm), arm));
            rigid = add(rigid, scale(as_one, weight));
            for (sum, column) in sums.iter_mut().zip(columns) {
                *sum += column * weight;
            }
        }
        if self.found.is_empty() {
            return NeighbourMeans::default();
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

/// A cell of the grid over the floor.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cell {
    x: u8,
    y: u8,
}

impl Cell {
    pub(crate) fn at(place: Vector3) -> Self {
        // Whole parts of positive numbers within 512 m of the middle. The one cell about zero is twice as wide, which costs but time.
        let [x, y, _] = place.map(|c| (((c + 262_144.0) * (1.0 / REACH)) as i32 & 31) as u8);
        Self { x, y }
    }

    /// Returns the index of the grid row that is `dy` rows away from this cell's.
    fn row(self, dy: i32) -> usize {
        (i32::from(self.y) + dy) as usize % SIDE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_in_one_place_is_not_looked_at_whole() {
        let mut neighbours = Neighbours::new(4096);
        for n in 0..4096 {
            let place = [n as f32 / 64.0, 0.0, 100.0];
            let change = CubeChange {
                place,
                moved: [1.0, 2.0, 3.0],
                ..CubeChange::default()
            };
            neighbours.insert(n, &change);
            neighbours.find(Cell::at(place), place);
            assert!(neighbours.found().any(|cube| cube == n));
            let near = neighbours.near(place);
            assert!((1..=9 * CELL_CHANGES_MAX).contains(&near.count));
            assert!((near.moved[1] - 2.0).abs() < 1e-3);
        }
    }
}
