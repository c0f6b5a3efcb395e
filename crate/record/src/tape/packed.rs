//! A tape as bytes, so that one thread can hand it to another.

use super::{ScriptedKeys, Tape};
use crate::delta_history::DeltaHistory;
use crate::session_config::{PackedConfig, SessionConfig};
use serde::{Deserialize, Serialize};
use snapshot_physics::scene::SceneKind;
use snapshot_physics::world::{World, WorldSettings};
use std::collections::VecDeque;
use std::rc::Rc;

/// The stored ticks of a tape, and the keys since its beginning. Forks of the world are left out: keys make them again.
#[derive(Serialize, Deserialize)]
struct PackedTape {
    began: u64,
    keys: Vec<u16>,
    /// The truth, as the parts of a delta history.
    truth: Vec<Vec<u8>>,
    checksums: VecDeque<u64>,
    /// Facts about a motion that was recorded elsewhere; `None` for a simulated world.
    motion: Option<PackedConfig>,
}

impl Tape {
    /// Returns the tape as bytes, for [`Tape::of_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let packed = PackedTape {
            began: self.began,
            keys: self.keys.clone(),
            truth: (0..).map_while(|number| self.truth.part(number)).collect(),
            checksums: self.checksums.clone(),
            motion: self.motion.as_ref().map(SessionConfig::packed),
        };
        postcard::to_allocvec(&packed).expect("a tape has only numbers")
    }

    /// Makes a tape of the bytes of [`Tape::to_bytes`], to be read alone: it does not go on. A simulated world was made from
    /// `made_from`. Returns `None` if the bytes are invalid.
    pub fn of_bytes(bytes: &[u8], made_from: WorldSettings) -> Option<Tape> {
        let packed: PackedTape = postcard::from_bytes(bytes).ok()?;
        let (first, others) = packed.truth.split_first()?;
        let mut truth = DeltaHistory::of_first_part(first)?;
        others
            .iter()
            .all(|part| truth.add_part(part))
            .then_some(())?;
        let motion = match packed.motion {
            Some(motion) => Some(motion.unpacked()?),
            None => None,
        };
        let (first, last) = (*truth.ticks().start(), *truth.ticks().end());
        let keys_end = packed.began.checked_add(packed.keys.len() as u64)?;
        let has_checksums = packed.checksums.len() as u64 == last - first + 1;
        let fits = packed.began <= first && keys_end == last;
        let tape = Tape {
            began: packed.began,
            world: None,
            made_from,
            script: None,
            replay: None,
            scripted: ScriptedKeys {
                scene: SceneKind::Drive,
                seed: 0,
                made_from,
                ticks: 0,
                rival_ticks: 0,
            },
            keys: packed.keys,
            truth,
            checksums: packed.checksums,
            forks: VecDeque::new(),
            motion,
            acted: false,
            edits: 0,
        };
        let fits = fits && (tape.motion.is_some() || has_checksums);
        let objects = tape.session_config().initial.len();
        (fits && tape.newest().len() == objects).then_some(tape)
    }

    /// Simulates the world up to the first stored tick, from which lanes that simulate begin. Does nothing for a motion that was
    /// recorded elsewhere, and for a tape that has forks of its world.
    pub fn simulate_first_fork(&mut self) {
        if self.motion.is_some() || !self.forks.is_empty() {
            return;
        }
        let mut world = World::new(&self.made_from);
        world.set_tick(self.began);
        let first = self.go_on_from(&world, self.first_tick());
        self.forks.push_back(Rc::new(first));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_settings::permalink;

    /// A minute and a half of a world, of which the first half minute is forgotten, with a cut.
    fn long() -> Tape {
        let settings = permalink::parse("#scene=katamari&grid=5").0;
        let mut tape = Tape::record(&settings, 90 * 60);
        tape.cut(5000..5010);
        assert!(tape.first_tick() > 0);
        tape
    }

    #[test]
    fn a_tape_arrives_with_all_that_lanes_read() {
        let tape = long();
        let mut arrived = Tape::of_bytes(&tape.to_bytes(), *tape.made_from()).unwrap();
        arrived.simulate_first_fork();
        let first = tape.first_tick();
        assert_eq!(arrived.session_config(), tape.session_config());
        assert_eq!(
            arrived.world_at(first).checksum(),
            tape.world_at(first).checksum()
        );
        let (mut left, mut right) = (Vec::new(), Vec::new());
        tape.read_truth(first, &mut left);
        arrived.read_truth(first, &mut right);
        for tick in first + 1..=tape.last_tick() {
            let frames = [(&tape, &mut left), (&arrived, &mut right)];
            let [own, other] = frames.map(|(tape, truth)| {
                let frame = tape.frame(tick, truth).unwrap();
                let keys = (frame.input, frame.rival, tape.is_cut(tick));
                (keys, frame.checksum, frame.truth.to_vec())
            });
            assert_eq!(own, other, "{tick}");
        }
        assert_eq!(arrived.last_tick(), tape.last_tick());
    }

    #[test]
    fn bytes_that_are_cut_off_are_no_tape() {
        let settings = permalink::parse("#scene=katamari&grid=5").0;
        let tape = Tape::record(&settings, 70);
        let bytes = tape.to_bytes();
        let lengths = (0..bytes.len()).step_by(97);
        let mut refused = lengths.map(|length| Tape::of_bytes(&bytes[..length], *tape.made_from()));
        assert!(refused.all(|tape| tape.is_none()));
    }
}
