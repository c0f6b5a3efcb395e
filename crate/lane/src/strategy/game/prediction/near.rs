//! The predicted world of the cubes near the client's own. A correction makes a new world, of these cubes alone, and is
//! spread over two frames.
//!
//! The reasons are in `docs/decisions/0072-game-lane.md`.

use super::SteeredCubes;
use crate::strategy::game::{Keys, Simulator};
use crate::tape_world::TapeWorld;
use snapshot_base::math::Vec3;
use snapshot_codec::CubeState;
use std::collections::VecDeque;

/// Distance from the client's cube within which cubes are simulated, m. It is greater than the distance within which cubes
/// are predicted, so that a cube is in the world before it is touched.
const REACH_M: f32 = 3.2;

/// States of the simulated cubes after a tick.
struct PastStates {
    tick: u64,
    states: Vec<CubeState>,
}

/// A world of some cubes.
struct PartWorld {
    world: TapeWorld,
    tick: u64,
    /// Indices of the simulated cubes: the client's first, a rival last.
    members: Vec<usize>,
    /// States of all cubes; states of cubes that are not simulated are old.
    states: Vec<CubeState>,
}

/// The world that is shown while the newest one is behind the client's tick.
struct StandIn {
    world: PartWorld,
    /// Number of further frames for which the stand-in is shown.
    frames: u32,
    /// True if a further correction came in the meantime.
    is_prolonged: bool,
}

/// The world of the cubes near the client's own, with its states at the ticks before. It begins with all cubes.
pub(super) struct NearWorld {
    newest: PartWorld,
    /// Place of each cube among the members of the newest world.
    places: Vec<Option<usize>>,
    /// Past states of the newest world's cubes, oldest first. The last entry has the states at the world's own tick.
    past: VecDeque<PastStates>,
    stand_in: Option<StandIn>,
}

impl PartWorld {
    fn step(&mut self, sim: &mut dyn Simulator, keys: Keys) {
        sim.step(&mut self.world, keys);
        self.tick += 1;
        for (index, state) in self.members.iter().zip(sim.states(&self.world)) {
            self.states[*index] = *state;
        }
    }
}

impl NearWorld {
    pub(super) fn new(sim: &dyn Simulator, world: TapeWorld, tick: u64) -> NearWorld {
        let states = sim.states(&world).to_vec();
        let members: Vec<_> = (0..states.len()).collect();
        let past = PastStates {
            tick,
            states: states.clone(),
        };
        NearWorld {
            places: members.iter().copied().map(Some).collect(),
            past: VecDeque::from([past]),
            newest: PartWorld {
                world,
                tick,
                members,
                states,
            },
            stand_in: None,
        }
    }

    /// Returns the states of all cubes as they are shown.
    pub(super) fn states(&self) -> &[CubeState] {
        &self.shown().states
    }

    /// Returns the number of the simulated cubes.
    pub(super) fn members(&self) -> usize {
        self.shown().members.len()
    }

    /// Tick of the newest world.
    pub(super) fn tick(&self) -> u64 {
        self.newest.tick
    }

    pub(super) fn oldest_tick(&self) -> u64 {
        self.past.front().map_or(0, |past| past.tick)
    }

    pub(super) fn past_bytes(&self) -> usize {
        let states = self.past.iter().map(|past| past.states.capacity());
        states.sum::<usize>() * size_of::<CubeState>()
    }

    /// Simulates the next tick of the newest world.
    pub(super) fn step(&mut self, sim: &mut dyn Simulator, keys: Keys) {
        self.newest.step(sim, keys);
        let (tick, states) = (self.newest.tick, sim.states(&self.newest.world).to_vec());
        self.past.push_back(PastStates { tick, states });
    }

    /// Simulates the next tick of the stand-in, the world that is shown during a correction. Returns false once the newest
    /// world is to be shown.
    pub(super) fn step_stand_in(&mut self, sim: &mut dyn Simulator, keys: Keys) -> bool {
        let Some(stand_in) = self.stand_in.as_mut().filter(|it| it.frames > 0) else {
            return false;
        };
        stand_in.frames -= 1;
        stand_in.world.step(sim, keys);
        true
    }

    /// Shows the newest world, which has reached the client's tick. Returns its states at the tick of the world that was shown.
    pub(super) fn show_newest(&mut self) -> Vec<CubeState> {
        let tick = self.shown().tick;
        self.stand_in = None;
        let mut states = self.newest.states.clone();
        if let Some(past) = self.past.iter().find(|past| past.tick == tick) {
            for (index, state) in self.newest.members.iter().zip(&past.states) {
                states[*index] = *state;
            }
        }
        states
    }

    pub(super) fn forget_before(&mut self, tick: u64) {
        while self.past.len() > 1 && self.past[0].tick < tick {
            self.past.pop_front();
        }
    }

    /// Drops the states before a tick. Returns true if the states of that tick are stored.
    pub(super) fn rewind(&mut self, tick: u64) -> bool {
        self.forget_before(tick);
        self.past.front().is_some_and(|past| past.tick == tick)
    }

    /// Returns the state of a cube at the tick of [`NearWorld::rewind`]; `None` if it was not simulated.
    pub(super) fn rewound(&self, index: usize) -> Option<&CubeState> {
        let place = self.places[index]?;
        self.past.front()?.states.get(place)
    }

    /// Makes a new world at the rewound tick, `seconds` ago, with the corrected states `writes`. It has the cubes near the
    /// client's own, and the rival. The world before the correction is shown for one more frame.
    pub(super) fn restart(
        &mut self,
        sim: &mut dyn Simulator,
        seconds: f32,
        writes: &[(usize, CubeState)],
        cubes: SteeredCubes,
    ) {
        let Some(past) = self.past.pop_front() else {
            return;
        };
        let mut states = self.newest.states.clone();
        let now = states[cubes.own].position;
        for (index, state) in self.newest.members.iter().zip(&past.states) {
            states[*index] = *state;
        }
        for (index, state) in writes {
            states[*index] = *state;
        }
        let members = self.find_members(&states, now, seconds, cubes);
        let own: Vec<_> = members.iter().map(|it| states[*it]).collect();
        // The newest world may be behind the client, in the middle of a correction.
        let ago = self.newest.tick - past.tick;
        let world = sim.part(&self.newest.world, ago, &own);
        self.past.clear();
        self.past.push_back(PastStates {
            tick: past.tick,
            states: own,
        });
        let newest = PartWorld {
            world,
            tick: past.tick,
            members,
            states,
        };
        let before = std::mem::replace(&mut self.newest, newest);
        self.show_longer(before);
    }

    /// Finds the cubes to simulate at the rewound tick, `seconds` ago: the client's own and those near it, and the rival.
    /// `now` is the position of the client's cube in the newest world.
    fn find_members(
        &mut self,
        states: &[CubeState],
        now: [f32; 3],
        seconds: f32,
        cubes: SteeredCubes,
    ) -> Vec<usize> {
        let then = states[cubes.own].position;
        let is_near = |state: &CubeState| {
            let apart = |own: [f32; 3]| (Vec3(state.position) - Vec3(own)).length();
            let reach = REACH_M + Vec3(state.linear_velocity).length() * seconds;
            apart(then).min(apart(now)) < reach
        };
        let mut members = Vec::new();
        for (index, state) in states.iter().enumerate() {
            let is_member = index == cubes.own || cubes.rival == Some(index) || is_near(state);
            self.places[index] = is_member.then_some(members.len());
            if is_member {
                members.push(index);
            }
        }
        members
    }

    /// Shows the world before a correction, or the stand-in that is already shown, for one more frame.
    fn show_longer(&mut self, before: PartWorld) {
        match &mut self.stand_in {
            Some(stand_in) => {
                stand_in.frames += u32::from(!stand_in.is_prolonged);
                stand_in.is_prolonged = true;
            }
            None => {
                self.stand_in = Some(StandIn {
                    world: before,
                    frames: 1,
                    is_prolonged: false,
                });
            }
        }
    }

    fn shown(&self) -> &PartWorld {
        let stand_in = self.stand_in.as_ref();
        stand_in.map_or(&self.newest, |stand_in| &stand_in.world)
    }
}
