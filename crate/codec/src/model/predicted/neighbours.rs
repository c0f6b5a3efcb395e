//! Cubes of this packet that are coded already and near: what they did says what the next one does.

use alloc::vec;
use alloc::vec::Vec;

use crate::model::rotation::{Quaternion, Vector, add, dot, scale, subtract, turn};

/// Cubes nearer than this, 0.75 m in 1/512 m, are neighbours: those that touch are 0.4 to 0.69 m apart.
const REACH: f32 = 384.0;
/// Grid cells are as wide as the reach, so that neighbours are in the nine around.
const CELLS: usize = SIDE * SIDE;
/// A side of the grid, after which cells come again.
const SIDE: usize = 32;
/// Of the cubes in a cell so many are looked at, the newest first: no heap is so dense that there are more, and thousands of
/// cubes in one place should not take the square of their number.
const CELL_DEEDS_MAX: usize = 64;
const NONE: u32 = u32::MAX;

/// What a cube did between baseline and packet. Lengths in 1/512 m, turns as [`difference`](crate::model::rotation::difference)
/// has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deed {
    /// Centre in the baseline.
    pub(crate) place: Vector,
    pub(crate) moved: Vector,
    pub(crate) turned: Vector,
    pub(crate) rotation: Quaternion,
    /// What moving on as before would not have told.
    pub(crate) surprise: Vector,
    pub(crate) turn_surprise: Vector,
    /// From where the cube is said to be to where it probably is.
    pub(crate) offset: Vector,
    pub(crate) turn_offset: Vector,
    /// log2 of the prediction's error, of position and orientation.
    pub(crate) errors: [f32; 2],
}

/// Means over the neighbours of a place; the nearest weigh most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(crate) count: usize,
    /// Displacement of the place if it were one body with its neighbours.
    pub(crate) rigid: Vector,
    pub(crate) moved: Vector,
    pub(crate) turned: Vector,
    pub(crate) surprise: Vector,
    pub(crate) turn_surprise: Vector,
    pub(crate) errors: [f32; 2],
}

/// The cubes coded so far, in a grid over the floor.
#[derive(Clone, Debug)]
pub(crate) struct Neighbours {
    /// Newest deed of each cell.
    heads: Vec<u32>,
    /// A bit for each cell around which there are deeds, by y and x.
    reached: [u32; SIDE],
    deeds: Vec<Done>,
}

/// A deed, whose it is, and the one before it in its cell.
#[derive(Clone, Copy, Debug)]
struct Done {
    deed: Deed,
    cube: u32,
    before: u32,
}

impl Neighbours {
    pub(crate) fn new(cube_count: usize) -> Self {
        Self {
            heads: vec![NONE; CELLS],
            reached: [0; SIDE],
            deeds: Vec::with_capacity(cube_count),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.heads.fill(NONE);
        self.reached.fill(0);
        self.deeds.clear();
    }

    pub(crate) fn insert(&mut self, cube: usize, deed: Deed) {
        let [x, y] = cell(deed.place);
        let bits = 0b111_u32.rotate_left((x & 31) as u32).rotate_right(1);
        for dy in -1..=1 {
            self.reached[((y + dy) & 31) as usize] |= bits;
        }
        let head = &mut self.heads[hash([x, y])];
        let before = core::mem::replace(head, self.deeds.len() as u32);
        self.deeds.push(Done {
            deed,
            cube: cube as u32,
            before,
        });
    }

    /// Whether there may be any near places of that cell.
    pub(crate) fn reach(&self, cell: Cell) -> bool {
        self.reached[usize::from(cell.y)] >> cell.x & 1 != 0
    }

    pub(crate) fn near(&self, place: Vector) -> Near {
        let mut near = Near::NONE;
        let mut weights = 0.0;
        self.each_near(place, |done, arm, square| {
            let weight = 1.0 / (square + 1000.0);
            near.add(&done.deed, arm, weight * weight);
            weights += weight * weight;
        });
        near.divide(weights)
    }

    /// The cubes whose deeds [`Neighbours::near`] is made of.
    pub(crate) fn tell_near(&self, place: Vector, mut tell: impl FnMut(usize)) {
        self.each_near(place, |done, _, _| tell(done.cube as usize));
    }

    /// Each near a place, how the place lies from it, and the square of how far that is.
    #[inline(always)]
    fn each_near(&self, place: Vector, mut visit: impl FnMut(&Done, Vector, f32)) {
        let [x, y] = cell(place);
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            let mut at = self.heads[hash([x + dx, y + dy])];
            for _ in 0..CELL_DEEDS_MAX {
                let Some(done) = self.deeds.get(at as usize) else {
                    break;
                };
                at = done.before;
                let arm = subtract(place, done.deed.place);
                let square = dot(arm, arm);
                if square <= REACH * REACH {
                    visit(done, arm, square);
                }
            }
        }
    }
}

impl Near {
    /// Where there are none.
    pub(crate) const NONE: Self = Self {
        count: 0,
        rigid: [0.0; 3],
        moved: [0.0; 3],
        turned: [0.0; 3],
        surprise: [0.0; 3],
        turn_surprise: [0.0; 3],
        errors: [0.0; 2],
    };

    fn add(&mut self, deed: &Deed, arm: Vector, weight: f32) {
        let weighted = |sum: Vector, value: Vector| add(sum, scale(value, weight));
        let rigid = add(deed.moved, subtract(turn(deed.rotation, arm), arm));
        self.count += 1;
        self.rigid = weighted(self.rigid, rigid);
        self.moved = weighted(self.moved, deed.moved);
        self.turned = weighted(self.turned, deed.turned);
        self.surprise = weighted(self.surprise, deed.surprise);
        self.turn_surprise = weighted(self.turn_surprise, deed.turn_surprise);
        self.errors = core::array::from_fn(|i| self.errors[i] + weight * deed.errors[i]);
    }

    fn divide(self, weights: f32) -> Self {
        if self.count == 0 {
            return self;
        }
        let by = 1.0 / weights;
        Self {
            count: self.count,
            rigid: scale(self.rigid, by),
            moved: scale(self.moved, by),
            turned: scale(self.turned, by),
            surprise: scale(self.surprise, by),
            turn_surprise: scale(self.turn_surprise, by),
            errors: self.errors.map(|error| error * by),
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
    pub(crate) fn of(place: Vector) -> Self {
        let [x, y] = cell(place).map(|c| (c & 31) as u8);
        Self { x, y }
    }
}

fn cell(place: Vector) -> [i32; 2] {
    // Whole parts of positive numbers within 512 m of the middle. The one cell about zero is twice as wide, which costs but time.
    [place[0], place[1]].map(|c| ((c + 262_144.0) * (1.0 / REACH)) as i32)
}

fn hash([x, y]: [i32; 2]) -> usize {
    (x & 31 | (y & 31) << 5) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_in_one_place_is_not_looked_at_whole() {
        let mut neighbours = Neighbours::new(4096);
        for n in 0..4096 {
            let place = [n as f32 / 64.0, 0.0, 100.0];
            neighbours.insert(
                n,
                Deed {
                    place,
                    moved: [1.0, 2.0, 3.0],
                    turned: [0.0; 3],
                    rotation: [0.0, 0.0, 0.0, 1.0],
                    surprise: [0.0; 3],
                    turn_surprise: [0.0; 3],
                    offset: [0.0; 3],
                    turn_offset: [0.0; 3],
                    errors: [0.0; 2],
                },
            );
            let near = neighbours.near(place);
            assert!((1..=9 * CELL_DEEDS_MAX).contains(&near.count));
            assert!((near.moved[1] - 2.0).abs() < 1e-3);
            let mut told = 0;
            neighbours.tell_near(place, |cube| told += usize::from(cube <= n));
            assert_eq!(told, near.count);
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
            let count = |neighbours: &Neighbours, by: f32| neighbours.near([x + by, -x, 0.0]).count;
            assert_eq!(count(&neighbours, 0.0), 0);
            neighbours.insert(
                7,
                Deed {
                    place,
                    moved: [0.0; 3],
                    turned: [0.0; 3],
                    rotation: [0.0, 0.0, 0.0, 1.0],
                    surprise: [0.0; 3],
                    turn_surprise: [0.0; 3],
                    offset: [0.0; 3],
                    turn_offset: [0.0; 3],
                    errors: [0.0; 2],
                },
            );
            let reached = |by: f32| neighbours.reach(Cell::of([x + by, -x, 0.0]));
            assert!([-380.0, 0.0, 380.0].into_iter().all(reached));
            let counts = [-400.0, -380.0, 0.0, 380.0, 400.0].map(|by| count(&neighbours, by));
            assert_eq!(counts, [0, 1, 1, 1, 0], "{x}");
        }
    }
}
