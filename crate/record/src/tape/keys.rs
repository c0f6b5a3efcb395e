//! The source of a tape's keys: a script, a person, or recorded input.

use super::Tape;
use crate::recorded::{Drive, RecordedInput, in_ranges};
use snapshot_physics::input::Inputs;
use snapshot_physics::scene::SceneKind;
use snapshot_physics::world::Rival;

impl Tape {
    pub fn take_over(&mut self) {
        self.acted = true;
        self.script = None;
        self.replay = None;
    }

    /// Returns true if a person gave input that neither the script nor the link's recorded input contains. Then only a link
    /// that records this input replays the tape's ticks.
    pub fn is_acted_on(&self) -> bool {
        self.acted
    }

    pub fn is_scripted(&self) -> bool {
        self.script.is_some()
    }

    /// Returns true if the next tick's keys are a link's recorded input.
    pub fn is_replaying(&self) -> bool {
        let next = self.last_tick() + 1;
        let replay = self.replay.as_ref();
        replay.is_some_and(|replay| replay.keys(next).is_some())
    }

    /// Returns a person's input in the tape's first `most_ticks` ticks, and the scene whose script with this seed gave the
    /// other keys. Keys that no script would press again count as a person's. So does a link's input that is still to be
    /// replayed.
    pub fn recorded(&self, seed: u32, most_ticks: u64) -> (SceneKind, RecordedInput) {
        let (length, last) = (self.keys.len(), self.last_tick());
        let scripted = self.scripted;
        let again = scripted.made_from == *self.made_from() && scripted.seed == seed;
        let after = if again { scripted.ticks } else { 0 };
        let plays_on = again && self.script.is_some() && after == length as u64;
        let own = |after: u64| {
            let keys = self.keys[after as usize..].iter();
            keys.map(|keys| Inputs::from_bits(*keys))
        };
        let mut keys: Vec<u8> = own(after).map(|inputs| inputs.hand.bits()).collect();
        let to_come = || self.replay.iter();
        keys.extend(to_come().flat_map(|replay| (last + 1..).map_while(|tick| replay.keys(tick))));
        keys.truncate(most_ticks.saturating_sub(after) as usize);
        let drive = if plays_on {
            to_come().find_map(|replay| replay.drive.clone())
        } else {
            (length > 0).then_some(Drive { after, keys })
        };
        let rival_after = if again { scripted.rival_ticks } else { 0 };
        let mut rival: Vec<u8> = own(rival_after).map(|inputs| inputs.rival.bits()).collect();
        rival.extend(
            to_come().flat_map(|replay| (last + 1..).map_while(|tick| replay.rival_keys(tick))),
        );
        rival.truncate(most_ticks.saturating_sub(rival_after) as usize);
        // A script would press where the recorded rival rested.
        let is_needed =
            self.made_from().rival == Rival::Script || rival.iter().any(|keys| *keys != 0);
        let rival = (is_needed && !rival.is_empty()).then_some(Drive {
            after: rival_after,
            keys: rival,
        });
        let been = (1..=last).filter(|tick| self.is_cut(*tick));
        let coming = to_come().flat_map(|replay| {
            let ticks = last + 1..=replay.last_tick();
            ticks.filter(|tick| replay.is_cut(*tick))
        });
        let cuts = been.chain(coming).filter(|tick| *tick <= most_ticks);
        let recorded = RecordedInput {
            drive: drive.filter(|drive| drive.after <= most_ticks),
            rival: rival.filter(|rival| rival.after <= most_ticks),
            cuts: in_ranges(cuts),
        };
        // A crowd is in the world, whoever drives.
        let has_crowd = self.made_from().crowd_seed.is_some();
        let scene = if after > 0 || plays_on || has_crowd {
            scripted.scene
        } else {
            SceneKind::Drive
        };
        (scene, recorded)
    }
}
