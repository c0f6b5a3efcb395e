//! What both ends of rung `simulated` foresee: a world of our own, made of a decoded snapshot and run with a packet's inputs.

use snapshot_codec::{Coasting, CubeState, Foresight};
use snapshot_physics::input::Input;
use snapshot_physics::world::{World, WorldSettings, state_hash};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The scenes that the tables of rung `simulated` are trained on, so many ticks of each. Those that figures are of have
/// other seeds.
pub const TRAINED_ON: [&str; 5] = [
    "#scene=mixed&seed=11",
    "#scene=katamari&seed=11",
    "#scene=blow&seed=11",
    "#scene=roll&seed=11",
    "#scene=mixed&seed=12",
];
/// See [`TRAINED_ON`].
pub const TRAINED_TICKS: u64 = 2000;
/// Cubes at rest are part of the world as far as this from what moves, m, and as far more as that moves meanwhile.
const REACH_M: f32 = 1.5;
/// Around the player, which pushes and pulls, m.
const PLAYER_REACH_M: f32 = 2.5;

/// Runs that are remembered: of the packets under way at 20 a second, a second of them, and of class strict both runs.
const RUNS_MAX: usize = 40;

/// A world that is made anew for each packet, so that nothing is in it but what was decoded: what moves, and what lies near.
/// Where there is no physics, cubes go on as they go.
///
/// Its clones remember the last runs together; alone it remembers none. In the lab sender and receiver are in one process, and
/// where the receiver asks what the sender asked, to the last bit, it has the answer without simulating again: a run is a
/// function of what it is given.
#[derive(Clone, Default)]
pub struct Simulation {
    made_from: Option<WorldSettings>,
    known: Arc<Mutex<Known>>,
}

#[derive(Default)]
struct Known {
    /// Oldest first.
    runs: VecDeque<Run>,
    begun: Option<Begun>,
}

/// A run whose last inputs are not pressed yet.
struct Begun {
    run: Run,
    /// Of the whole run.
    ticks: usize,
    /// After the inputs that the run has so far.
    world: World,
}

/// What was asked, and what came of it.
struct Run {
    sequence: u16,
    inputs: Vec<u8>,
    /// The cubes that are in the world, the player first.
    indices: Vec<usize>,
    before: Vec<CubeState>,
    /// Of `before`, bit by bit.
    hash: u64,
    after: Vec<CubeState>,
}

impl Run {
    /// Of so many ticks, from all cubes.
    fn new(sequence: u16, ticks: usize, cubes: &[CubeState]) -> Run {
        let indices = gather(cubes, ticks);
        let before: Vec<_> = indices.iter().map(|&index| cubes[index]).collect();
        Run {
            sequence,
            inputs: Vec::with_capacity(ticks),
            indices,
            hash: state_hash(&before),
            before,
            after: Vec::new(),
        }
    }

    fn begins_as(&self, other: &Run) -> bool {
        // Zeros of either sign are equal, and not the same.
        (self.sequence, self.hash) == (other.sequence, other.hash)
            && self.indices == other.indices
            && self.before == other.before
    }

    fn held_bytes(&self) -> usize {
        let cubes = self.before.capacity() + self.after.capacity();
        cubes * size_of::<CubeState>() + self.indices.capacity() * size_of::<usize>()
    }

    fn world(&self, made_from: &WorldSettings) -> World {
        World::of(self.before.clone(), made_from, self.sequence.into())
    }

    fn write(&self, cubes: &mut [CubeState]) {
        for (&index, cube) in self.indices.iter().zip(&self.after) {
            cubes[index] = *cube;
        }
    }

    fn step(&mut self, world: &mut World, inputs: &[u8]) {
        for &input in inputs {
            world.step(Input::from_bits(input));
        }
        self.inputs.extend_from_slice(inputs);
    }
}

impl Simulation {
    /// Of a world that those settings make; `None` for a motion from elsewhere, which has no physics.
    pub fn new(made_from: Option<WorldSettings>) -> Simulation {
        Simulation {
            made_from,
            known: Arc::default(),
        }
    }

    /// Begins, or goes on with, what a packet will ask that is due in so many ticks, with the inputs so far, so that not all of
    /// it falls into one tick. `cubes` gives the states that it begins with, if there is anything to foresee.
    pub(crate) fn begin(
        &self,
        sequence: u16,
        inputs: &[u8],
        due_ticks: usize,
        cubes: impl FnOnce() -> Option<Vec<CubeState>>,
    ) {
        let Some(made_from) = self.made_from else {
            return;
        };
        let ticks = inputs.len() + due_ticks;
        let mut known = self.known();
        let begun = known.begun.take().filter(
            |Begun {
                 run, ticks: whole, ..
             }| {
                (run.sequence, *whole) == (sequence, ticks) && inputs.starts_with(&run.inputs)
            },
        );
        let begun = begun.or_else(|| {
            let run = Run::new(sequence, ticks, &cubes()?);
            let world = run.world(&made_from);
            Some(Begun { run, ticks, world })
        });
        let Some(mut begun) = begun else {
            return;
        };
        let done = begun.run.inputs.len();
        let share = (ticks - done).div_ceil(due_ticks + 1);
        let share = &inputs[done..inputs.len().min(done + share)];
        begun.run.step(&mut begun.world, share);
        known.begun = Some(begun);
    }

    /// Memory that what it remembers takes, but for the world of a run that was begun.
    pub(crate) fn held_bytes(&self) -> usize {
        let known = self.known();
        let runs = known
            .runs
            .iter()
            .chain(known.begun.as_ref().map(|begun| &begun.run));
        runs.map(Run::held_bytes).sum()
    }

    /// A run is added only when it is whole, so that a lock whose holder panicked holds nothing half done.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The cubes that something may become of.
fn gather(cubes: &[CubeState], ticks: usize) -> Vec<usize> {
    let seconds = ticks as f32 / snapshot_base::time::TICKS_PER_S as f32;
    let all = || cubes.iter().enumerate();
    let moving: Vec<([f32; 3], f32)> = all()
        .filter(|(index, cube)| *index == 0 || !cube.at_rest)
        .map(|(index, cube)| {
            let [x, y, z] = cube.linear_velocity;
            let speed = libm::sqrtf(x * x + y * y + z * z);
            let reach = if index == 0 { PLAYER_REACH_M } else { REACH_M };
            (cube.position, reach + speed * seconds)
        })
        .collect();
    let is_near = |cube: &CubeState| {
        moving.iter().any(|([x, y, z], reach)| {
            let [dx, dy, dz] = [
                cube.position[0] - x,
                cube.position[1] - y,
                cube.position[2] - z,
            ];
            dx * dx + dy * dy + dz * dz < reach * reach
        })
    };
    all()
        .filter(|(index, cube)| *index == 0 || !cube.at_rest || is_near(cube))
        .map(|(index, _)| index)
        .collect()
}

impl Foresight for Simulation {
    fn foresee(&mut self, sequence: u16, inputs: &[u8], cubes: &mut [CubeState]) {
        let Some(made_from) = self.made_from else {
            return Coasting.foresee(sequence, inputs, cubes);
        };
        let asked = Run::new(sequence, inputs.len(), cubes);
        let mut known = self.known();
        let answers = |run: &Run| run.begins_as(&asked) && run.inputs == inputs;
        if let Some(run) = known.runs.iter().rev().find(|run| answers(run)) {
            return run.write(cubes);
        }
        let begun = known
            .begun
            .take_if(|Begun { run, .. }| run.begins_as(&asked) && inputs.starts_with(&run.inputs));
        let (mut run, mut world) = match begun {
            Some(Begun { run, world, .. }) => (run, world),
            None => {
                let world = asked.world(&made_from);
                (asked, world)
            }
        };
        let done = run.inputs.len();
        run.step(&mut world, &inputs[done..]);
        run.after = world.truth().to_vec();
        run.write(cubes);
        if Arc::strong_count(&self.known) > 1 {
            if known.runs.len() == RUNS_MAX {
                known.runs.pop_front();
            }
            known.runs.push_back(run);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::permalink;
    use crate::tape::Tape;
    use crate::track::Track;
    use snapshot_netsim::channel::Fates;

    /// The truth of each tick, from 0, and the input that led there.
    fn motion(link: &str, ticks: u64) -> (WorldSettings, Vec<Vec<CubeState>>, Vec<u8>) {
        let tape = Tape::record(&permalink::parse(link).0, ticks);
        let (mut truth, mut inputs) = (vec![World::initial(tape.made_from())], vec![0]);
        let mut frames = tape.frames_after(0);
        while let Some(frame) = frames.next() {
            truth.push(frame.truth.to_vec());
            inputs.push(frame.input.bits());
        }
        (*tape.made_from(), truth, inputs)
    }

    #[test]
    fn a_world_of_a_part_goes_on_as_the_whole_one_does() {
        let (made_from, truth, inputs) = motion("#scene=blow&grid=12", 400);
        let mut simulation = Simulation::new(Some(made_from));
        let (mut missed_m, mut moved_m) = (0.0, 0.0);
        for tick in (100..390).step_by(10) {
            let mut cubes = truth[tick].clone();
            simulation.foresee(tick as u16, &inputs[tick + 1..=tick + 6], &mut cubes);
            let apart = |a: &CubeState, b: &CubeState| {
                (0..3)
                    .map(|i| (a.position[i] - b.position[i]).abs())
                    .sum::<f32>()
            };
            for (index, (cube, came)) in cubes.iter().zip(&truth[tick + 6]).enumerate() {
                missed_m += apart(cube, came);
                moved_m += apart(&truth[tick][index], came);
            }
        }
        assert!(
            moved_m > 20.0 && missed_m < 0.05 * moved_m,
            "{missed_m} of {moved_m}"
        );
    }

    #[test]
    fn it_depends_on_nothing_but_what_it_is_given() {
        let (made_from, truth, inputs) = motion("#scene=katamari&grid=8", 300);
        let mut warm = Simulation::new(Some(made_from));
        for tick in [40_usize, 120, 250] {
            let see = |simulation: &mut Simulation, nudge_m: f32| {
                let mut cubes = truth[tick].clone();
                cubes[0].position[0] += nudge_m;
                simulation.foresee(tick as u16, &inputs[tick + 1..=tick + 9], &mut cubes);
                state_hash(&cubes)
            };
            let fresh = || Simulation::new(Some(made_from));
            let [alone, nudged] = [0.0, 1e-4].map(|nudge_m| see(&mut fresh(), nudge_m));
            assert_ne!(alone, nudged);
            // Asked again, by a clone, after another.
            for nudge_m in [0.0, 1e-4, 0.0] {
                let known = warm.clone().known().runs.len();
                let seen = see(&mut warm.clone(), nudge_m);
                assert_eq!(seen, if nudge_m == 0.0 { alone } else { nudged });
                let again = see(&mut warm, nudge_m);
                assert_eq!(again, seen);
                assert!(warm.known().runs.len() <= known + 1);
            }
        }
    }

    #[test]
    fn a_run_that_was_begun_comes_to_what_a_whole_one_does() {
        let (made_from, truth, inputs) = motion("#scene=katamari&grid=8", 200);
        let cubes = &truth[120];
        let pressed = |ticks: usize| &inputs[121..121 + ticks];
        let ask = |simulation: &mut Simulation, ticks| {
            let mut cubes = cubes.clone();
            simulation.foresee(120, pressed(ticks), &mut cubes);
            (state_hash(&cubes), simulation.known().begun.is_some())
        };
        let begun = || {
            let simulation = Simulation::new(Some(made_from));
            for ticks in 7..12 {
                simulation.begin(120, pressed(ticks), 12 - ticks, || Some(cubes.clone()));
            }
            simulation
        };
        let done = |simulation: &Simulation| {
            simulation
                .known()
                .begun
                .as_ref()
                .map(|begun| begun.run.inputs.len())
        };
        assert_eq!(done(&begun()), Some(10));
        let whole = ask(&mut Simulation::new(Some(made_from)), 12);
        assert_eq!(ask(&mut begun(), 12), whole);
        // What was begun for another packet is no help, and no harm.
        let other = ask(&mut Simulation::new(Some(made_from)), 3);
        assert_eq!(ask(&mut begun(), 3).0, other.0);
        let again = begun();
        again.begin(120, &[63; 8], 4, || Some(cubes.clone()));
        assert_eq!(done(&again), Some(3));
    }

    #[test]
    fn a_lane_that_simulates_takes_less_and_loses_nothing() {
        let bytes = |codec: &str| {
            let link = format!("#scene=blow&grid=8&hz=20&loss=5&jitter=30&{codec}");
            let settings = permalink::parse(&link).0;
            let tape = Tape::record(&settings, 500);
            let mut track = Track::new(&tape, &settings.lane(), &Fates::default(), 0);
            while track.advance(&tape) {}
            let report = track.report(0);
            assert_eq!(
                (report.decode_mismatches, report.packets.refused),
                (0, 0),
                "{codec}"
            );
            report.bytes_per_packet_mean
        };
        for class in ["strict", "chained"] {
            let predicted = bytes(&format!("codec=predicted&class={class}"));
            let simulated = bytes(&format!("codec=simulated&class={class}"));
            assert!(
                simulated < 0.95 * predicted,
                "{class}: {simulated} of {predicted}"
            );
        }
    }
}
