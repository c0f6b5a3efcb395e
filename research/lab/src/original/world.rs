//! The original's world of cubes, and a step of all cubes. A cube at rest costs nothing until something awake touches
//! it.

use super::body::{Body, DAMPING, STEP_S};
use super::contact::{self, Box3, Contact};
use super::player;
use super::solver::Solver;
use glam::{Mat3, Vec3};
use snapshot_codec::{CubeState, Life};

/// Half an edge of the player and of the other cubes, m.
const HALF_EDGES_M: [f32; 2] = [0.75, 0.2];
const GRAVITY: f32 = 20.0;
/// Small cubes are looked up by squares of the floor of this edge, m, hashed to so many places.
const CELL_M: f32 = 1.0;
const CELL_PLACES: usize = 2048;
const NONE: u32 = u32::MAX;
/// Once there are so many in a step no more pairs of cubes are looked at; the floor's, four a cube at most, still come. A ball of
/// the captures has 766, but a file may hold all cubes in one place.
const CONTACTS_MAX: usize = 4096;

/// A body's part in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Asleep,
    /// Asleep before the step, woken by a contact in it.
    Woken,
    Awake,
}

/// All cubes, the player first.
pub(super) struct World {
    bodies: Vec<Body>,
    /// The player's position a tick ago: the original pulls to there.
    pull_origin: Vec3,
    /// Awake bodies, which the step moves, in the order of their finding.
    awake: Vec<u32>,
    /// Part of each body in the step; `is_done` is set once the body's contacts are found.
    parts: Vec<Part>,
    is_done: Vec<bool>,
    contacts: Vec<Contact>,
    axes: Vec<[Vec3; 3]>,
    /// The first small cube of each place, and of each cube the next in its place.
    cells: Vec<u32>,
    next: Vec<u32>,
    solver: Solver,
}

impl World {
    /// Makes the world from at least one cube.
    pub(super) fn new(cubes: &[CubeState]) -> Self {
        let half_edge = |index: usize| HALF_EDGES_M[index.min(1)];
        let all = cubes.iter().enumerate();
        let bodies: Vec<_> = all.map(|(i, cube)| Body::new(cube, half_edge(i))).collect();
        let count = bodies.len();
        Self {
            // Its velocity has been damped since it came from there.
            pull_origin: bodies[0].position - bodies[0].velocity * (STEP_S / (1.0 - DAMPING)),
            bodies,
            awake: Vec::new(),
            parts: vec![Part::Asleep; count],
            is_done: vec![false; count],
            contacts: Vec::new(),
            axes: vec![[Vec3::ZERO; 3]; count],
            cells: vec![NONE; CELL_PLACES],
            next: vec![NONE; count],
            solver: Solver::default(),
        }
    }

    /// Writes the state back to the cubes that it was made from. A cube at rest stays at rest unless its position has
    /// changed.
    pub(super) fn write(&self, cubes: &mut [CubeState]) {
        for (cube, body) in cubes.iter_mut().zip(&self.bodies) {
            let position = body.position.to_array();
            *cube = CubeState {
                at_rest: cube.at_rest && cube.position == position,
                position,
                orientation: body.orientation.to_array(),
                linear_velocity: body.velocity.to_array(),
                angular_velocity: body.spin.to_array(),
                interacting: body.interacting,
                life: Life::default(),
            };
        }
    }

    /// A tick with those keys; the hover's wobble depends on the frame.
    pub(super) fn step(&mut self, input: u8, frame: i32) {
        for body in &mut self.bodies {
            (body.force, body.torque) = (Vec3::ZERO, Vec3::ZERO);
        }
        player::apply(&mut self.bodies, &mut self.pull_origin, input, frame);
        self.awake.clear();
        for (index, body) in self.bodies.iter_mut().enumerate() {
            body.begin();
            self.parts[index] = Part::Asleep;
            if body.is_awake() {
                self.parts[index] = Part::Awake;
                self.awake.push(index as u32);
            }
        }
        self.find_contacts();
        self.spread_interaction();
        for &index in &self.awake {
            let body = &mut self.bodies[index as usize];
            body.force.z -= body.mass * GRAVITY;
        }
        self.solver
            .solve(&mut self.bodies, &self.awake, &self.contacts);
        for &index in &self.awake {
            self.bodies[index as usize].go_on();
        }
    }

    /// Finds the contacts of all awake bodies, and of bodies that a touch wakes.
    fn find_contacts(&mut self) {
        self.contacts.clear();
        self.is_done.fill(false);
        self.sort_into_cells();
        let mut done = 0;
        while let Some(&index) = self.awake.get(done) {
            done += 1;
            self.is_done[index as usize] = true;
            contact::with_floor(&self.box_of(index), &mut self.contacts);
            let body = &self.bodies[index as usize];
            let reach = (body.half_edge_m + HALF_EDGES_M[1]) * DIAGONAL;
            let ([x, y, _], [left, front]) = (
                body.position.to_array(),
                [body.position.x - reach, body.position.y - reach].map(cell_of),
            );
            for cell_y in front..=cell_of(y + reach) {
                for cell_x in left..=cell_of(x + reach) {
                    let mut other = self.cells[place_of(cell_x, cell_y)];
                    while other != NONE {
                        // Two squares may share a place.
                        let at = self.bodies[other as usize].position;
                        if (cell_of(at.x), cell_of(at.y)) == (cell_x, cell_y) {
                            self.touch(index, other);
                        }
                        other = self.next[other as usize];
                    }
                }
            }
            self.touch(index, 0);
        }
    }

    /// A cube that interacts, and was awake before contacts were looked for, makes what it touches interact; and so on.
    fn spread_interaction(&mut self) {
        let mut spreads = true;
        while spreads {
            spreads = false;
            for &Contact { first, second, .. } in &self.contacts {
                if second == contact::FLOOR {
                    continue;
                }
                for [from, to] in
                    [[first, second], [second, first]].map(|two| two.map(|i| i as usize))
                {
                    let passes_on =
                        self.bodies[from].interacting && self.parts[from] == Part::Awake;
                    if passes_on && !self.bodies[to].interacting {
                        self.bodies[to].interacting = true;
                        spreads = true;
                    }
                }
            }
        }
    }

    /// All but the player, which every cube looks at.
    fn sort_into_cells(&mut self) {
        self.cells.fill(NONE);
        for (index, body) in self.bodies.iter().enumerate().rev() {
            let axes = Mat3::from_quat(body.orientation);
            self.axes[index] = [axes.x_axis, axes.y_axis, axes.z_axis];
            if index > 0 {
                let place = place_of(cell_of(body.position.x), cell_of(body.position.y));
                self.next[index] = self.cells[place];
                self.cells[place] = index as u32;
            }
        }
    }

    fn touch(&mut self, index: u32, other: u32) {
        let is_full = self.contacts.len() >= CONTACTS_MAX;
        if index == other || is_full || self.is_done[other as usize] {
            return;
        }
        let [first, second] = [index.min(other), index.max(other)].map(|index| self.box_of(index));
        let reach = (first.half_edge_m + second.half_edge_m) * DIAGONAL;
        if first.centre.distance_squared(second.centre) > reach * reach {
            return;
        }
        let before = self.contacts.len();
        contact::of_two(&first, &second, &mut self.contacts);
        if self.contacts.len() > before && self.parts[other as usize] == Part::Asleep {
            self.parts[other as usize] = Part::Woken;
            self.awake.push(other);
        }
    }

    fn box_of(&self, index: u32) -> Box3 {
        let body = &self.bodies[index as usize];
        Box3 {
            index,
            centre: body.position,
            axes: self.axes[index as usize],
            half_edge_m: body.half_edge_m,
        }
    }
}

/// From a cube's centre to a corner, in half edges: the square root of 3, and a little more.
const DIAGONAL: f32 = 1.7321;

fn cell_of(coordinate_m: f32) -> i32 {
    libm::floorf(coordinate_m / CELL_M) as i32
}

fn place_of(x: i32, y: i32) -> usize {
    (x.wrapping_mul(73) ^ y.wrapping_mul(1031)) as usize % CELL_PLACES
}

#[cfg(test)]
mod tests {
    use super::super::Original;
    use super::*;
    use snapshot_codec::Foresight;

    fn cube(position: [f32; 3], at_rest: bool) -> CubeState {
        CubeState {
            position,
            at_rest,
            ..CubeState::default()
        }
    }

    /// The player far away, asleep, and these.
    fn scene(cubes: &[CubeState]) -> Vec<CubeState> {
        let mut all = vec![cube([50.0, 50.0, 0.75], true)];
        all.extend_from_slice(cubes);
        all
    }

    fn run(cubes: &mut [CubeState], input: u8, ticks: usize) {
        Original.foresee(600, &vec![input; ticks], cubes);
    }

    #[test]
    fn what_falls_comes_to_rest_on_the_floor() {
        let mut cubes = scene(&[cube([0.0, 0.0, 1.0], false)]);
        run(&mut cubes, 0, 12);
        // Half of g t2, with the damping of a hundredth a step.
        assert!((cubes[1].position[2] - 0.59).abs() < 0.03, "{:?}", cubes[1]);
        run(&mut cubes, 0, 48);
        assert!((cubes[1].position[2] - 0.2).abs() < 0.02, "{:?}", cubes[1]);
        assert_eq!(cubes[1].linear_velocity.map(|v| v.abs() < 0.25), [true; 3]);
        assert_eq!(
            cubes[0],
            cube([50.0, 50.0, 0.75], true),
            "nothing touched it"
        );
    }

    #[test]
    fn a_stack_stands_and_a_sleeper_wakes_only_when_it_is_touched() {
        let stack = [0.2, 0.6, 1.0].map(|z| cube([0.0, 0.0, z], false));
        let sleeper = cube([1.0, 0.0, 0.2], true);
        let mut cubes = scene(&stack);
        cubes.push(sleeper);
        run(&mut cubes, 0, 48);
        for (cube, z) in cubes[1..4].iter().zip([0.2, 0.6, 1.0]) {
            let [x, y, now] = cube.position;
            assert!(
                x.abs() + y.abs() < 0.02 && (now - z).abs() < 0.04,
                "{cube:?}"
            );
        }
        assert_eq!(cubes[4], sleeper);
        // Thrown at it: on the floor friction would hold it back.
        cubes[1].position = [0.3, 0.0, 0.35];
        cubes[1].linear_velocity = [8.0, 0.0, 0.0];
        cubes[1].interacting = true;
        run(&mut cubes, 0, 6);
        assert!(!cubes[4].at_rest && cubes[4].interacting && cubes[4].position[0] > 1.02);
    }

    #[test]
    fn keys_act_as_in_the_original() {
        let still = [cube([0.0, 0.0, 0.75], false), cube([1.5, 0.0, 0.2], true)];
        let after = |input| {
            let mut cubes = still.to_vec();
            run(&mut cubes, input, 30);
            cubes
        };
        let [right, up, push, pull] = [2, 4, 16, 32].map(after);
        assert!(right[0].position[0] > 0.2 && up[0].position[1] > 0.2);
        assert!(push[0].position[2] > 1.0 && push[1].position[0] > 1.6);
        assert!(pull[1].position[0] < 1.4 && pull[1].interacting);
        assert_eq!(after(0)[1], still[1]);
    }

    #[test]
    fn all_cubes_in_one_place_take_no_more_than_so_many_contacts() {
        let mut world = World::new(&vec![cube([0.0, 0.0, 0.1], false); 901]);
        world.step(0, 0);
        let contacts = world.contacts.len();
        assert!(
            (CONTACTS_MAX..CONTACTS_MAX + 8 + 4 * 901).contains(&contacts),
            "{contacts}"
        );
    }

    #[test]
    fn it_is_the_same_in_whatever_order_it_was_asked_before() {
        let mut pile: Vec<_> = (0..40)
            .map(|i| {
                let [x, y] = [i % 4, i / 4 % 4].map(|n| n as f32 * 0.39);
                cube([x, y, 0.2 + (i / 16) as f32 * 0.41], false)
            })
            .collect();
        pile[0] = cube([0.6, 0.6, 2.4], false);
        let mut again = pile.clone();
        run(&mut pile, 9, 6);
        run(&mut scene(&pile), 33, 6);
        run(&mut again, 9, 6);
        assert_eq!(pile, again);
        // Packets hang on its every bit: whoever changes it changes the wire.
        let all = again
            .iter()
            .flat_map(|cube| [cube.position, cube.angular_velocity]);
        let bits = all
            .flatten()
            .fold(0, |bits: u32, c| bits.rotate_left(5) ^ c.to_bits());
        assert_eq!(bits, 139_055_167);
        assert!(
            pile.iter()
                .flat_map(|cube| cube.position)
                .all(f32::is_finite)
        );
    }
}
