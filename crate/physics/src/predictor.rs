//! The predictor of the encoding `simulated`. It makes a world of a decoded snapshot, and runs it with a packet's inputs to
//! predict the next snapshot.
//!
//! The reasons are in `docs/decisions/0016-simulated-builds-its-world-anew.md`.

use crate::input::Input;
use crate::world::{World, WorldSettings, state_hash};
use snapshot_base::time::TICKS_PER_S;
use snapshot_codec::{CubeState, DeadReckoning, Foresight};

/// Distance from a moving cube, in addition to the distance that it may move, within which resting cubes are simulated too, m.
const REACH_M: f32 = 1.5;
/// Distance around a player within which resting cubes are simulated too, m; larger than `REACH_M` because players push and
/// pull.
const PLAYER_REACH_M: f32 = 2.5;

/// A predictor that makes a new world for each packet, of decoded cubes alone: moving cubes, and cubes near them. A packet
/// has no keys of a rival, so a rival moves on without keys. Without physics, cubes are dead reckoned.
///
/// A clone does not copy a partial prediction; that changes no result.
#[derive(Default)]
pub struct Predictor {
    made_from: Option<WorldSettings>,
    begun: Option<PartialPrediction>,
}

/// A prediction whose last inputs are not known yet.
struct PartialPrediction {
    run: Prediction,
    /// Length of the whole prediction, ticks.
    ticks: usize,
    /// The world after the inputs that are known so far.
    world: World,
}

/// A prediction of cubes some ticks ahead: the request, and its result once computed.
pub struct Prediction {
    sequence: u16,
    inputs: Vec<u8>,
    /// Indices of the cubes that are simulated, the player first and a rival last.
    indices: Vec<usize>,
    before: Vec<CubeState>,
    /// Hash over every bit of `before`.
    hash: u64,
    after: Vec<CubeState>,
}

impl Prediction {
    fn new(
        sequence: u16,
        ticks: usize,
        cubes: &[CubeState],
        made_from: &WorldSettings,
    ) -> Prediction {
        let is_player = |index| made_from.is_player(index, cubes.len());
        let indices = gather(cubes, ticks, is_player);
        let before: Vec<_> = indices.iter().map(|&index| cubes[index]).collect();
        Prediction {
            sequence,
            inputs: Vec::with_capacity(ticks),
            indices,
            hash: state_hash(&before),
            before,
            after: Vec::new(),
        }
    }

    /// Returns true if this finished prediction answers a request: initial states, to the last bit, and inputs are the same.
    pub fn answers(&self, asked: &Prediction, inputs: &[u8]) -> bool {
        self.begins_as(asked) && self.inputs == inputs
    }

    pub fn write(&self, cubes: &mut [CubeState]) {
        for (&index, cube) in self.indices.iter().zip(&self.after) {
            cubes[index] = *cube;
        }
    }

    fn begins_as(&self, other: &Prediction) -> bool {
        // Zeros of either sign are equal, and not the same.
        (self.sequence, self.hash) == (other.sequence, other.hash)
            && self.indices == other.indices
            && self.before == other.before
    }

    fn world(&self, made_from: &WorldSettings) -> World {
        World::from_cubes(self.before.clone(), made_from, self.sequence.into())
    }

    fn step(&mut self, world: &mut World, inputs: &[u8]) {
        for &input in inputs {
            world.step(Input::from_bits(input));
        }
        self.inputs.extend_from_slice(inputs);
    }
}

impl Predictor {
    /// Creates a predictor for worlds with these settings. Without settings there is no physics: a recorded motion has
    /// none. A crowd is dead reckoned too. A packet has no keys of a crowd, and a world of a few cubes does not know which
    /// cubes are players.
    pub fn new(made_from: Option<WorldSettings>) -> Predictor {
        Predictor {
            made_from: made_from.filter(|it| it.crowd_seed.is_none()),
            begun: None,
        }
    }

    pub fn simulates(&self) -> bool {
        self.made_from.is_some()
    }

    pub fn ask(&self, sequence: u16, ticks: usize, cubes: &[CubeState]) -> Prediction {
        let made_from = self.made_from.unwrap_or_default();
        Prediction::new(sequence, ticks, cubes, &made_from)
    }

    /// Simulates a requested prediction. A partial prediction of the same request is continued, not repeated.
    pub fn run(&mut self, asked: Prediction, inputs: &[u8]) -> Prediction {
        let made_from = self.made_from.unwrap_or_default();
        let begun = self.begun.take_if(|PartialPrediction { run, .. }| {
            run.begins_as(&asked) && inputs.starts_with(&run.inputs)
        });
        let (mut run, mut world) = match begun {
            Some(PartialPrediction { run, world, .. }) => (run, world),
            None => {
                let world = asked.world(&made_from);
                (asked, world)
            }
        };
        let done = run.inputs.len();
        run.step(&mut world, &inputs[done..]);
        run.after = world.truth().to_vec();
        run
    }
}

impl Clone for Predictor {
    fn clone(&self) -> Predictor {
        Predictor::new(self.made_from)
    }
}

impl Foresight for Predictor {
    fn foresee(&mut self, sequence: u16, inputs: &[u8], cubes: &mut [CubeState]) {
        if !self.simulates() {
            return DeadReckoning.foresee(sequence, inputs, cubes);
        }
        let asked = self.ask(sequence, inputs.len(), cubes);
        self.run(asked, inputs).write(cubes);
    }

    fn begin(
        &mut self,
        sequence: u16,
        inputs: &[u8],
        due_ticks: usize,
        cubes: &mut dyn FnMut() -> Option<Vec<CubeState>>,
    ) {
        let Some(made_from) = self.made_from else {
            return;
        };
        let ticks = inputs.len() + due_ticks;
        let begun = self.begun.take().filter(
            |PartialPrediction {
                 run, ticks: whole, ..
             }| {
                (run.sequence, *whole) == (sequence, ticks) && inputs.starts_with(&run.inputs)
            },
        );
        let begun = begun.or_else(|| {
            let run = Prediction::new(sequence, ticks, &cubes()?, &made_from);
            let world = run.world(&made_from);
            Some(PartialPrediction { run, ticks, world })
        });
        let Some(mut begun) = begun else {
            return;
        };
        let done = begun.run.inputs.len();
        let share = (ticks - done).div_ceil(due_ticks + 1);
        let share = &inputs[done..inputs.len().min(done + share)];
        begun.run.step(&mut begun.world, share);
        self.begun = Some(begun);
    }
}

/// Returns the indices of the cubes that the prediction may change.
fn gather(cubes: &[CubeState], ticks: usize, is_player: impl Fn(usize) -> bool) -> Vec<usize> {
    let seconds = ticks as f32 / TICKS_PER_S as f32;
    let all = || cubes.iter().enumerate();
    let moving: Vec<([f32; 3], f32)> = all()
        .filter(|(index, cube)| is_player(*index) || !cube.at_rest)
        .map(|(index, cube)| {
            let [x, y, z] = cube.linear_velocity;
            let speed = libm::sqrtf(x * x + y * y + z * z);
            let reach = if is_player(index) {
                PLAYER_REACH_M
            } else {
                REACH_M
            };
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
        .filter(|(index, cube)| is_player(*index) || !cube.at_rest || is_near(cube))
        .map(|(index, _)| index)
        .collect()
}

#[cfg(all(test, feature = "rapier"))]
mod tests {
    use super::*;
    use crate::scene::SceneKind;
    use crate::scene::tests::play;
    use crate::world::Rival;

    /// The states of each tick, from 0, and the input that led there.
    fn motion(
        scene: SceneKind,
        grid_side: u32,
        ticks: u32,
    ) -> (WorldSettings, Vec<Vec<CubeState>>, Vec<u8>) {
        let made_from = WorldSettings {
            grid_side,
            ..WorldSettings::default()
        };
        let (mut truth, mut inputs) = (vec![World::initial(&made_from)], vec![0]);
        play((scene, 1), &made_from, ticks, |input, world| {
            truth.push(world.truth().to_vec());
            inputs.push(input.bits());
        });
        (made_from, truth, inputs)
    }

    #[test]
    fn a_world_of_a_part_goes_on_as_the_whole_one_does() {
        let (made_from, truth, inputs) = motion(SceneKind::Blow, 12, 400);
        let mut predictor = Predictor::new(Some(made_from));
        let (mut missed_m, mut moved_m) = (0.0, 0.0);
        for tick in (100..390).step_by(10) {
            let mut cubes = truth[tick].clone();
            predictor.foresee(tick as u16, &inputs[tick + 1..=tick + 6], &mut cubes);
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
    fn a_prediction_depends_on_its_arguments_alone() {
        let (made_from, truth, inputs) = motion(SceneKind::Katamari, 8, 300);
        let mut warm = Predictor::new(Some(made_from));
        for tick in [40_usize, 120, 250] {
            let see = |predictor: &mut Predictor, nudge_m: f32| {
                let mut cubes = truth[tick].clone();
                cubes[0].position[0] += nudge_m;
                predictor.foresee(tick as u16, &inputs[tick + 1..=tick + 9], &mut cubes);
                state_hash(&cubes)
            };
            let fresh = || Predictor::new(Some(made_from));
            let [alone, nudged] = [0.0, 1e-4].map(|nudge_m| see(&mut fresh(), nudge_m));
            assert_ne!(alone, nudged);
            // The request is asked again after another one.
            for nudge_m in [0.0, 1e-4, 0.0] {
                let seen = see(&mut warm, nudge_m);
                assert_eq!(seen, if nudge_m == 0.0 { alone } else { nudged });
            }
        }
    }

    #[test]
    fn a_prediction_keeps_a_resting_rival_a_large_cube() {
        let made_from = WorldSettings {
            grid_side: 5,
            rival: Rival::Hand,
            ..WorldSettings::default()
        };
        let mut world = World::new(&made_from);
        (0..300).for_each(|_| world.step(Input::NONE));
        let mut cubes = world.truth().to_vec();
        assert!(cubes[26].at_rest && cubes[26].position[2] > 0.7);
        Predictor::new(Some(made_from)).foresee(300, &[Input::LEFT.bits(); 30], &mut cubes);
        (0..30).for_each(|_| world.step(Input::LEFT));
        assert_eq!(cubes[26], world.truth()[26]);
        assert!(cubes[0].position[0] < -1.0);
    }

    #[test]
    fn a_run_that_was_begun_comes_to_what_a_whole_one_does() {
        let (made_from, truth, inputs) = motion(SceneKind::Katamari, 8, 200);
        let cubes = &truth[120];
        let pressed = |ticks: usize| &inputs[121..121 + ticks];
        let ask = |predictor: &mut Predictor, ticks| {
            let mut cubes = cubes.clone();
            predictor.foresee(120, pressed(ticks), &mut cubes);
            (state_hash(&cubes), predictor.begun.is_some())
        };
        let begun = || {
            let mut predictor = Predictor::new(Some(made_from));
            for ticks in 7..12 {
                predictor.begin(120, pressed(ticks), 12 - ticks, &mut || Some(cubes.clone()));
            }
            predictor
        };
        let done =
            |predictor: &Predictor| predictor.begun.as_ref().map(|begun| begun.run.inputs.len());
        assert_eq!(done(&begun()), Some(10));
        let whole = ask(&mut Predictor::new(Some(made_from)), 12);
        assert_eq!(ask(&mut begun(), 12), whole);
        // A run that was begun for another packet does no harm.
        let other = ask(&mut Predictor::new(Some(made_from)), 3);
        assert_eq!(ask(&mut begun(), 3).0, other.0);
        let mut again = begun();
        again.begin(120, &[63; 8], 4, &mut || Some(cubes.clone()));
        assert_eq!(done(&again), Some(3));
    }
}
