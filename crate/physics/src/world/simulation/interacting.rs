//! `interacting`: the flag of cubes that a player has set in motion, directly or through other cubes. They are drawn red.

use snapshot_codec::CubeState;

use super::super::constants::INTERACTING_FADE_TICKS;
use super::physics::Physics;

/// Finds the interacting cubes: the flag spreads through contacts, and ends some time after a cube falls asleep.
#[derive(Clone)]
pub(super) struct ContactFlood {
    /// For each cube, ticks since it was last awake, or last reached through contacts.
    asleep_ticks: Vec<u8>,
    /// Indices of cubes that the push or the pull has touched since the last spreading.
    touched: Vec<usize>,
    /// Indices of cubes whose contacts are still to be looked at; a field to reuse its memory.
    frontier: Vec<usize>,
}

impl ContactFlood {
    pub(super) fn new(cube_count: usize) -> ContactFlood {
        ContactFlood {
            asleep_ticks: vec![0; cube_count],
            touched: Vec::new(),
            frontier: Vec::new(),
        }
    }

    /// Makes a cube interacting without a contact, by the push or the pull.
    pub(super) fn touch(&mut self, index: usize) {
        self.touched.push(index);
    }

    pub(super) fn clocks(&self) -> &[u8] {
        &self.asleep_ticks
    }

    /// Spreads the flag through the contacts of the step, from all awake interacting cubes and from the players, who always
    /// are. A sleeping cube that is reached becomes interacting, but passes nothing on.
    pub(super) fn flood(
        &mut self,
        physics: &Physics,
        truth: &mut [CubeState],
        is_player: impl Fn(usize) -> bool,
    ) {
        for index in self.touched.drain(..) {
            truth[index].interacting = true;
            self.asleep_ticks[index] = 0;
        }
        let sources = truth
            .iter()
            .enumerate()
            .filter(|(index, cube)| is_player(*index) || cube.interacting && !cube.at_rest);
        self.frontier.extend(sources.map(|(index, _)| index));
        while let Some(index) = self.frontier.pop() {
            for other in physics.touching(index) {
                if !truth[other].interacting && !truth[other].at_rest {
                    self.frontier.push(other);
                }
                truth[other].interacting = true;
                self.asleep_ticks[other] = 0;
            }
        }
        self.fade(truth, is_player);
    }

    fn fade(&mut self, truth: &mut [CubeState], is_player: impl Fn(usize) -> bool) {
        let cubes = truth.iter_mut().zip(&mut self.asleep_ticks).enumerate();
        for (_, (cube, asleep_ticks)) in cubes.filter(|(index, _)| !is_player(*index)) {
            if !cube.at_rest {
                *asleep_ticks = 0;
            } else if cube.interacting {
                *asleep_ticks += 1;
                cube.interacting = *asleep_ticks <= INTERACTING_FADE_TICKS;
            }
        }
    }
}
