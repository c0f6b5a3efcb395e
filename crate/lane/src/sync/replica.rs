//! The right world, simulated only where a difference from the left world is possible.
//!
//! Two worlds of equal state that are given the same inputs stay equal, bit for bit. So the right world equals the left
//! world of some ticks ago, until a difference in start or input, or an update that moves a cube. Until then it is read
//! from the tape. From the first difference on it is simulated.
//!
//! The reasons are in `docs/decisions/0023-right-world-read-from-the-tape.md`.

use crate::step_to;
use snapshot_codec::CubeState;
use snapshot_physics::input::Input;
use snapshot_physics::world::World;
use snapshot_record::tape::Tape;
use std::rc::Rc;

/// The receiver's world after a tick: its own, or the same as the left one.
pub(crate) struct Replica {
    state: State,
    tick: u64,
}

enum State {
    /// A world equal to the left one, read from the tape.
    AsOnTheLeft {
        truth: Vec<CubeState>,
        /// The left world at that tick or before, from which a simulation of its own can begin.
        since: Rc<World>,
    },
    /// A separate world, which is simulated.
    Own(Box<World>),
}

impl Replica {
    /// Creates a replica that equals the left world as it is now.
    pub(super) fn of(world: &World) -> Replica {
        Replica {
            state: State::AsOnTheLeft {
                truth: world.truth().to_vec(),
                since: Rc::new(world.fork()),
            },
            tick: world.tick(),
        }
    }

    /// True states of all cubes, as in [`World::truth`].
    pub(crate) fn truth(&self) -> &[CubeState] {
        match &self.state {
            State::AsOnTheLeft { truth, .. } => truth,
            State::Own(world) => world.truth(),
        }
    }

    /// The newest tick of the right world.
    #[cfg(test)]
    pub(crate) fn tick(&self) -> u64 {
        self.tick
    }

    /// Lends the world to the receiver for a tick.
    pub(crate) fn lend<'a>(&'a mut self, tape: &'a Tape) -> LentReplica<'a> {
        LentReplica {
            replica: self,
            tape,
        }
    }

    fn stays_as_on_the_left(&mut self, tick: u64, input: Input, tape: &Tape) -> bool {
        let State::AsOnTheLeft { truth, since } = &mut self.state else {
            return false;
        };
        let is_so = tick == self.tick + 1
            && tape.input(tick) == Some(input)
            && tape.truth().wind(self.tick, tick, truth);
        if let Some(fork) = tape.fork_of(tick).filter(|_| is_so) {
            *since = Rc::clone(fork);
        }
        is_so
    }

    /// Switches to a simulated world of its own, from here on.
    pub(super) fn own(&mut self, tape: &Tape) -> &mut World {
        if let State::AsOnTheLeft { since, .. } = &self.state {
            self.state = State::Own(Box::new(tape.go_on_from(since, self.tick)));
        }
        match &mut self.state {
            State::Own(world) => world,
            State::AsOnTheLeft { .. } => unreachable!("it was just made its own"),
        }
    }

    /// Memory of a world of its own, bytes; the left world belongs to the tape.
    pub(crate) fn held_bytes(&self) -> usize {
        match &self.state {
            State::AsOnTheLeft { truth, .. } => truth.capacity() * size_of::<CubeState>(),
            State::Own(world) => world.held_bytes(),
        }
    }
}

/// The right world, lent to the receiver for a tick, with the tape that it may be read from.
pub(crate) struct LentReplica<'a> {
    replica: &'a mut Replica,
    tape: &'a Tape,
}

impl snapshot_strategies::World for LentReplica<'_> {
    fn tick(&self) -> u64 {
        self.replica.tick
    }

    fn states(&self) -> &[CubeState] {
        self.replica.truth()
    }

    fn step_to(&mut self, tick: u64, input: u8) {
        let (replica, tape) = (&mut *self.replica, self.tape);
        let input = Input::from_bits(input);
        if !replica.stays_as_on_the_left(tick, input, tape) {
            step_to(replica.own(tape), tick, input);
        }
        replica.tick = tick;
    }

    /// Sets states of cubes. Nothing is written if every cube is in its state already.
    fn set_states(&mut self, states: &[(usize, CubeState)]) {
        let before = self.states();
        let is_so = |(index, state): &(usize, CubeState)| {
            let interacting = before[*index].interacting;
            let state = CubeState {
                interacting,
                ..*state
            };
            before[*index] == state
        };
        if !states.iter().all(is_so) {
            let world = self.replica.own(self.tape);
            world.set_states(states.iter().copied());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::ends;
    use super::*;
    use crate::Lane;
    use snapshot_settings::permalink;

    /// Plays a link over a tape with cut ticks. The right world is simulated from the start, or only where necessary. Returns
    /// for each tick the shown and known states, and whether the right world was simulated.
    fn play(link: &str, from: u64, simulates: bool) -> Vec<(u64, u64, String, bool)> {
        let (settings, notices) = permalink::parse(link);
        assert_eq!(notices, []);
        let tape = Tape::record(&settings, 500);
        let mut lane = Lane::new(&settings.lane(), &tape.world_at(from));
        let mut frames = tape.frames_after(from);
        let mut told = Vec::new();
        while let Some(frame) = frames.next() {
            lane.set_cut((310..340).contains(&frame.tick));
            if simulates {
                let _ = ends(&mut lane).world.own(&tape);
            }
            lane.tick(&frame);
            let playback = lane.playback();
            let sync = ends(&mut lane);
            let replica = &sync.world;
            let hash = snapshot_physics::world::state_hash(replica.truth());
            let known = format!("{playback:?} {:?}", sync.metrics);
            let own = matches!(replica.state, State::Own(_));
            told.push((hash, lane.view().hash(), known, own));
        }
        told
    }

    #[test]
    fn a_replica_read_from_the_tape_equals_a_simulated_one() {
        for (link, from, owns) in [
            ("#strategy=sync&scene=katamari&grid=12&loss=5", 0, 310..),
            ("#strategy=sync&scene=mixed&grid=12&loss=0", 77, 310..),
            ("#strategy=sync&scene=blow&grid=12&both=0", 0, 0..),
            (
                "#strategy=sync&scene=roll&grid=12&jitter=33&buffer=0&loss=20",
                0,
                0..,
            ),
            (
                "#strategy=sync&scene=katamari&grid=12&jitter=33&buffer=adaptive&loss=0",
                0,
                310..,
            ),
        ] {
            let [mut simulated, mut read] = [true, false].map(|always| play(link, from, always));
            let first_own = read.iter().position(|(.., own)| *own);
            let first_own = from + first_own.expect("after the cut at the latest") as u64;
            assert!(
                owns.contains(&first_own) && first_own < 350,
                "{link}: {first_own}"
            );
            for (tick, (simulated, read)) in simulated.iter_mut().zip(&mut read).enumerate() {
                simulated.3 = read.3;
                assert_eq!(simulated, read, "{link} at {tick}");
            }
        }
    }
}
