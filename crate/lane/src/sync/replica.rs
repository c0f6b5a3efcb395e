//! The right world of state synchronisation, lent to the receiver for a tick.

use crate::tape_world::TapeWorld;
use snapshot_codec::CubeState;
use snapshot_physics::Input;
use snapshot_record::tape::Tape;

/// The right world, with the tape that it may be read from.
pub(crate) struct LentReplica<'a> {
    pub(super) world: &'a mut TapeWorld,
    pub(super) tape: &'a Tape,
}

impl snapshot_strategies::World for LentReplica<'_> {
    fn tick(&self) -> u64 {
        self.world.tick()
    }

    fn states(&self) -> &[CubeState] {
        self.world.truth()
    }

    fn step_to(&mut self, tick: u64, input: u8) {
        self.world
            .step_to(self.tape, tick, Input::from_bits(input).into());
    }

    fn set_states(&mut self, states: &[(usize, CubeState)]) {
        self.world.set_states(self.tape, states);
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
            let own = replica.is_own();
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
