//! The drawn state: poses and colours as plain floats, one entry a cube, index 0 the player. Errors are measured against
//! the truth, which is read from the tape.

use snapshot_base::hash::Fnv;
use snapshot_codec::{CubeState, Life};
use snapshot_record::delta_history::{DeltaHistory, Words};
use snapshot_record::session_config::SessionConfig;
use snapshot_record::tape::Tape;
use snapshot_view::Pose;

/// Linear red, green, blue of a cube that does not interact, as in the original demo.
pub const NEUTRAL: [f32; 3] = [0.75, 0.75, 0.8];
/// Linear red, green, blue of a cube that interacts.
pub const INTERACTING: [f32; 3] = [0.9, 0.0, 0.0];
/// Linear red, green, blue of the rival, which always interacts.
pub const RIVAL: [f32; 3] = [0.04, 0.2, 0.9];
/// Share of the remaining way to red by which a cube's colour changes each tick. `EASE_TO_NEUTRAL` is the share on the way
/// back to the neutral colour.
const EASE_TO_INTERACTING: f32 = 0.25;
const EASE_TO_NEUTRAL: f32 = 0.1;
/// Number of ticks after which no more than 0.01 % of a colour's change is left.
const EASING_TICKS: u64 = 90;

/// Returns the distance between two places, m. The machine's square root gives `libm`'s bits, and is faster in wasm.
pub fn distance_m([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> f32 {
    let (x, y, z) = (ax - bx, ay - by, az - bz);
    (x * x + y * y + z * z).sqrt()
}

/// Poses, colours and errors of all cubes in one of the page's two views.
#[derive(Clone, Debug)]
pub struct View {
    /// Centre x, y, z and half the longest side of each cube, m. Half the side of an empty slot is 0, so that nothing is drawn.
    pub position_half_m: Vec<[f32; 4]>,
    /// The three sides of each cube as parts of the longest side; the fourth number is 1.
    pub proportions: Vec<[f32; 4]>,
    /// Unit quaternion x, y, z, w of each cube.
    pub orientation: Vec<[f32; 4]>,
    /// Linear red, green and blue of each cube; the fourth number is 1.
    pub colour: Vec<[f32; 4]>,
    /// Distance of each cube from the truth of the shown instant, mm; always 0 in the view of the truth.
    pub error_mm: Vec<f32>,
    /// Life of each cube; an empty life for a missing one.
    pub life: Vec<Life>,
    /// Flag of each cube: true if it interacts, so that it is drawn red or soon will be.
    interacting: Vec<bool>,
    /// Half the longest edge of each object, m, for empty slots too.
    half_m: Vec<f32>,
    /// Index of the rival's cube; `None` without a rival.
    rival: Option<usize>,
}

impl View {
    /// Creates a view of a tape's cubes at the newest tick.
    pub fn of_tape(tape: &Tape) -> View {
        View::from_cubes(&tape.session_config(), tape.newest())
    }

    /// Creates a view of cubes with the facts in `session_config`, and with the final colours.
    pub fn from_cubes(session_config: &SessionConfig, cubes: &[CubeState]) -> View {
        let mut view = View::new(cubes.iter().zip(session_config.half_m.iter().copied()));
        view.rival = session_config.rival();
        (0..cubes.len()).for_each(|index| view.settle_colour(index));
        view
    }

    /// Creates a view of cubes, each with half its sides in m, with the final colours.
    pub fn new<'a>(cubes: impl IntoIterator<Item = (&'a CubeState, [f32; 3])>) -> View {
        let mut view = View {
            position_half_m: Vec::new(),
            proportions: Vec::new(),
            orientation: Vec::new(),
            colour: Vec::new(),
            error_mm: Vec::new(),
            life: Vec::new(),
            interacting: Vec::new(),
            half_m: Vec::new(),
            rival: None,
        };
        for (cube, half_m) in cubes {
            let longest_m = half_m.into_iter().fold(f32::MIN_POSITIVE, f32::max);
            let [along, across, up] = half_m.map(|half_m| half_m / longest_m);
            let [x, y, z] = cube.position;
            let shown_m = if cube.life.is_empty() { 0.0 } else { longest_m };
            view.position_half_m.push([x, y, z, shown_m]);
            view.proportions.push([along, across, up, 1.0]);
            view.orientation.push(cube.orientation);
            view.colour.push([1.0; 4]);
            view.error_mm.push(0.0);
            view.life.push(cube.life);
            view.interacting.push(cube.interacting);
            view.half_m.push(longest_m);
            view.settle_colour(view.half_m.len() - 1);
        }
        view
    }

    /// The shown pose of each cube.
    pub fn poses(&self) -> impl Iterator<Item = Pose> {
        (0..self.life.len()).map(|index| self.pose(index))
    }

    /// The shown pose of a cube.
    pub fn pose(&self, index: usize) -> Pose {
        let [x, y, z, _] = self.position_half_m[index];
        Pose {
            position: [x, y, z],
            orientation: self.orientation[index],
            interacting: self.interacting[index],
            life: self.life[index],
        }
    }

    /// Half the longest side of a cube, m, even in an empty slot.
    pub fn half_m(&self, index: usize) -> f32 {
        self.half_m[index]
    }

    /// Shows a tick of a delta history, with the colours that the ticks before it lead to. Returns false, and changes
    /// nothing, if the tick is not stored or has another number of cubes.
    pub fn replay<T: Words>(
        &mut self,
        deltas: &DeltaHistory<T>,
        tick: u64,
        pose: impl Fn(&T) -> Pose,
    ) -> bool {
        let held = deltas.ticks();
        if !held.contains(&tick) || deltas.newest().len() != self.colour.len() {
            return false;
        }
        let mut frame = Vec::new();
        let from = tick.saturating_sub(EASING_TICKS).max(*held.start());
        for at in from..=tick {
            let first = at == from;
            if !(if first {
                deltas.read(at, &mut frame)
            } else {
                deltas.wind(at - 1, at, &mut frame)
            }) {
                return false;
            }
            for (index, value) in frame.iter().enumerate() {
                let pose = pose(value);
                self.show(index, &pose);
                if first {
                    self.settle_colour(index);
                }
            }
        }
        true
    }

    /// Shows every cube in its pose, and moves the colours by one tick.
    pub fn show_all(&mut self, poses: &[Pose]) {
        for (index, pose) in poses.iter().enumerate() {
            self.show(index, pose);
        }
    }

    /// Shows a cube in a pose, and moves its colour by one tick.
    pub fn show(&mut self, index: usize, pose: &Pose) {
        let [x, y, z] = pose.position;
        let is_there = !pose.life.is_empty();
        let half_m = if is_there { self.half_m[index] } else { 0.0 };
        self.position_half_m[index] = [x, y, z, half_m];
        self.orientation[index] = pose.orientation;
        self.life[index] = pose.life;
        self.interacting[index] = pose.interacting;
        let (goal, ease) = self.goal(index);
        for (channel, goal) in self.colour[index].iter_mut().zip(goal) {
            *channel += (goal - *channel) * ease;
        }
    }

    /// Sets a cube's colour at once to its final value.
    fn settle_colour(&mut self, index: usize) {
        let [r, g, b] = self.goal(index).0;
        self.colour[index] = [r, g, b, 1.0];
    }

    /// Returns the final colour of a cube, and the share of the way to it that one tick covers.
    fn goal(&self, index: usize) -> ([f32; 3], f32) {
        match self.interacting[index] {
            _ if self.rival == Some(index) => (RIVAL, EASE_TO_INTERACTING),
            true => (INTERACTING, EASE_TO_INTERACTING),
            false => (NEUTRAL, EASE_TO_NEUTRAL),
        }
    }

    /// Returns a hash over every bit of every pose.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv::new();
        for (position, orientation) in self.position_half_m.iter().zip(&self.orientation) {
            position
                .iter()
                .chain(orientation)
                .for_each(|value| hash.add_u32(value.to_bits()));
        }
        hash.finish()
    }
}

/// Reads true states at shown instants, with a cache of the last ticks.
#[derive(Clone, Debug, Default)]
pub struct TruthReader {
    /// The lane's first tick; earlier ticks are not compared.
    first_tick: Option<u64>,
    from: Page,
    to: Page,
}

/// A cached tick of true states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    tick: Option<u64>,
    cubes: Vec<CubeState>,
}

impl Page {
    /// Reads the true states of a tick; `None` if the tape no longer stores it.
    pub(crate) fn read(
        &mut self,
        tick: u64,
        deltas: &DeltaHistory<CubeState>,
    ) -> Option<&[CubeState]> {
        let is_there = match self.tick {
            Some(read) => deltas.wind(read, tick, &mut self.cubes),
            None => deltas.read(tick, &mut self.cubes),
        };
        self.tick = is_there.then_some(tick);
        is_there.then_some(&self.cubes)
    }
}

impl TruthReader {
    /// Begins a tick. The comparison starts at the first tick for which this is called.
    pub fn begin_tick(&mut self, tick: u64) {
        self.first_tick.get_or_insert(tick);
    }

    /// Returns the true states at an instant. `None` if it is before the lane's first tick, or the tape does not store it.
    pub fn at(&mut self, tick: f64, deltas: &DeltaHistory<CubeState>) -> Option<Truth<'_>> {
        let floor = tick as u64;
        if tick < 0.0 || floor < self.first_tick? {
            return None;
        }
        let share = (tick - floor as f64) as f32;
        // Mostly that is where the last instant was on its way to.
        if self.to.tick == Some(floor) && deltas.ticks().contains(&floor) {
            self.from.tick = self.to.tick;
            self.from.cubes.clone_from(&self.to.cubes);
        }
        let from = self.from.read(floor, deltas)?;
        // On a tick the next one is not needed, and may not have come yet.
        let to = if share == 0.0 {
            from
        } else {
            self.to.read(floor + 1, deltas)?
        };
        Some(Truth { from, to, share })
    }
}

/// True states at an instant: at a tick, or interpolated linearly between two.
#[derive(Clone, Copy, Debug)]
pub struct Truth<'a> {
    from: &'a [CubeState],
    to: &'a [CubeState],
    share: f32,
}

impl Truth<'_> {
    /// True pose of a cube at the instant. Its flag `interacting` is that of the tick before.
    pub fn pose(&self, index: usize) -> Pose {
        if self.share == 0.0 {
            return Pose::from(&self.from[index]);
        }
        let [from, to] = [self.from, self.to].map(|cubes| Pose::from(&cubes[index]));
        from.towards(&to, self.share)
    }

    /// Returns true if a cube slept at the tick before the instant.
    pub(crate) fn is_at_rest(&self, index: usize) -> bool {
        self.from[index].at_rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_have_their_proportions_and_colours_ease_as_in_the_original() {
        let mut cube = CubeState {
            position: [1.0, 2.0, 3.0],
            ..CubeState::default()
        };
        let mut view = View::new([(&cube, [0.1, 0.2, 0.4])]);
        assert_eq!(view.position_half_m[0][3], 0.4);
        assert_eq!(view.proportions[0], [0.25, 0.5, 1.0, 1.0]);
        assert_eq!(view.colour[0], [0.75, 0.75, 0.8, 1.0]);
        cube.interacting = true;
        view.show(0, &Pose::from(&cube));
        assert_eq!(view.colour[0][1], 0.75 * 0.75);
        cube.interacting = false;
        let red = view.colour[0][1];
        view.show(0, &Pose::from(&cube));
        assert_eq!(view.colour[0][1], red + (0.75 - red) * 0.1);
    }
}
