//! The predictor of rung `simulated`, shared by both ends of a lane. It simulates cubes ahead of a baseline, so that a
//! packet needs only the differences. A run of one end also serves the other end.
//!
//! The lock on shared runs is here and not in `physics`: each end of a game simulates in a process of its own.

use snapshot_codec::{CubeState, DeadReckoning, Foresight};
use snapshot_physics::predictor::{Prediction, Predictor};
use snapshot_physics::world::WorldSettings;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Upper limit of the number of stored predictions. They are those of the packets in flight for a second at 20 packets a
/// second, two for each in class `strict`.
const RUNS_MAX: usize = 40;

/// A [`Predictor`] whose clones share their last runs, so that both ends of a lane compute each run once.
///
/// A run depends on its inputs alone. So if the receiver requests the same run as the sender, to the last bit, it gets the
/// result without simulating. A game, whose ends are in two processes, uses the plain predictor and computes both.
#[derive(Clone, Default)]
pub struct SharedPredictor {
    predictor: Box<Predictor>,
    /// Predictions of the last runs, oldest first.
    runs: Arc<Mutex<VecDeque<Prediction>>>,
}

impl SharedPredictor {
    /// Creates a predictor of worlds with the settings `made_from`, or of a motion without physics.
    pub fn new(made_from: Option<WorldSettings>) -> SharedPredictor {
        SharedPredictor {
            predictor: Box::new(Predictor::new(made_from)),
            runs: Arc::default(),
        }
    }

    /// Locks the shared runs. A run is added only when it is complete, so a lock whose holder panicked protects no partial run.
    fn runs(&self) -> MutexGuard<'_, VecDeque<Prediction>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Foresight for SharedPredictor {
    fn foresee(&mut self, sequence: u16, inputs: &[u8], cubes: &mut [CubeState]) {
        if !self.predictor.simulates() {
            return DeadReckoning.foresee(sequence, inputs, cubes);
        }
        let asked = self.predictor.ask(sequence, inputs.len(), cubes);
        let runs = self.runs();
        if let Some(run) = runs.iter().rev().find(|run| run.answers(&asked, inputs)) {
            return run.write(cubes);
        }
        drop(runs);
        let run = self.predictor.run(asked, inputs);
        run.write(cubes);
        if Arc::strong_count(&self.runs) > 1 {
            let mut runs = self.runs();
            if runs.len() == RUNS_MAX {
                runs.pop_front();
            }
            runs.push_back(run);
        }
    }

    fn begin(
        &mut self,
        sequence: u16,
        inputs: &[u8],
        due_ticks: usize,
        cubes: &mut dyn FnMut() -> Option<Vec<CubeState>>,
    ) {
        self.predictor.begin(sequence, inputs, due_ticks, cubes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_physics::world::state_hash;
    use snapshot_record::tape::Tape;
    use snapshot_settings::permalink;

    #[test]
    fn a_clone_answers_from_shared_runs_as_the_plain_predictor_does() {
        let tape = Tape::record(&permalink::parse("#scene=katamari&grid=8").0, 300);
        let made_from = Some(*tape.made_from());
        let mut warm = SharedPredictor::new(made_from);
        let mut other = warm.clone();
        let mut truth = Vec::new();
        for tick in [40_u64, 120, 250] {
            assert!(tape.truth().read(tick, &mut truth));
            let inputs = (tick + 1..=tick + 9).map(|tick| tape.input(tick).unwrap().bits());
            let inputs: Vec<u8> = inputs.collect();
            let see = |predictor: &mut dyn Foresight, nudge_m: f32| {
                let mut cubes = truth.clone();
                cubes[0].position[0] += nudge_m;
                predictor.foresee(tick as u16, &inputs, &mut cubes);
                state_hash(&cubes)
            };
            for nudge_m in [0.0, 1e-4, 0.0] {
                let plain = see(&mut Predictor::new(made_from), nudge_m);
                let known = warm.runs().len();
                assert_eq!(see(&mut warm, nudge_m), plain);
                let asked = warm.runs().len();
                assert_eq!(see(&mut other, nudge_m), plain);
                assert_eq!(warm.runs().len(), asked, "the clone did not simulate");
                assert!(asked <= known + 1);
            }
        }
    }
}
