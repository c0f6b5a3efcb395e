//! A tape as bytes, so that one thread can hand it to another.

use super::{ScriptedKeys, Tape};
use crate::delta_history::DeltaHistory;
use crate::session_config::{PackedConfig, SessionConfig};
use serde::{Deserialize, Serialize};
use snapshot_codec::CubeState;
use snapshot_physics::scene::SceneKind;
use snapshot_physics::world::{World, WorldSettings};
use std::collections::VecDeque;
use std::rc::Rc;

/// The stored ticks of a tape, and the keys since its beginning. Forks of the world are left out: keys make them again.
#[derive(Serialize, Deserialize)]
struct PackedTape {
    began: u64,
    keys: Vec<u16>,
    /// Number of the parts of the truth's delta history, which follow.
    parts: usize,
    checksums: VecDeque<u64>,
    /// Facts about a motion that was recorded elsewhere; `None` for a simulated world.
    motion: Option<PackedConfig>,
}

impl Tape {
    /// Writes the tape for [`Tape::read`]: facts and keys, then the truth's parts, each after its length as a little-endian u32.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let packed = PackedTape {
            began: self.began,
            keys: self.keys.clone(),
            parts: (0..).map_while(|number| self.truth.part(number)).count(),
            checksums: self.checksums.clone(),
            motion: self.motion.as_ref().map(SessionConfig::packed),
        };
        let head = postcard::to_allocvec(&packed).expect("a tape has only numbers");
        // Whole values take more than their changes, which the history counts: room for both spares a copy.
        bytes.reserve(head.len() + 2 * self.truth.bytes());
        bytes.extend_from_slice(&head);
        for part in (0..).map_while(|number| self.truth.part(number)) {
            let length = u32::try_from(part.len()).expect("a second takes some MB");
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(&part);
        }
    }

    /// Reads what [`Tape::write`] wrote, to be read alone: the tape does not go on. A simulated world was made from `made_from`.
    /// Also returns the bytes that follow. Returns `None` if the bytes are invalid.
    pub fn read(bytes: &[u8], made_from: WorldSettings) -> Option<(Tape, &[u8])> {
        let (packed, mut rest): (PackedTape, _) = postcard::take_from_bytes(bytes).ok()?;
        let mut truth: Option<DeltaHistory<CubeState>> = None;
        for _ in 0..packed.parts {
            let (length, after) = rest.split_first_chunk()?;
            let (part, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            rest = after;
            match &mut truth {
                Some(truth) => truth.add_part(part).then_some(())?,
                None => truth = Some(DeltaHistory::of_first_part(part)?),
            }
        }
        let truth = truth?;
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
        (fits && tape.newest().len() == objects).then_some((tape, rest))
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
        let mut bytes = Vec::new();
        tape.write(&mut bytes);
        let (mut arrived, rest) = Tape::read(&bytes, *tape.made_from()).unwrap();
        assert!(rest.is_empty());
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
        let mut bytes = Vec::new();
        tape.write(&mut bytes);
        let lengths = (0..bytes.len()).step_by(97);
        let mut refused = lengths.map(|length| Tape::read(&bytes[..length], *tape.made_from()));
        assert!(refused.all(|tape| tape.is_none()));
    }
}
