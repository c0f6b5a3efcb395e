//! Changes of a tape's course: rewinding to an earlier tick, undoing that, and replaying the keys in another world.

use super::{ScriptedKeys, Tape};
use crate::delta_history::DeltaHistory;
use crate::recorded::RecordedInput;
use snapshot_codec::CubeState;
use snapshot_physics::scene::Script;
use snapshot_physics::world::{World, WorldSettings};
use std::collections::VecDeque;
use std::rc::Rc;

/// The ticks that a rewind removed, for undoing it.
pub struct UndoneTicks {
    world: Option<World>,
    script: Option<Script>,
    replay: Option<RecordedInput>,
    scripted: ScriptedKeys,
    tick: u64,
    keys: Vec<u16>,
    truth: DeltaHistory<CubeState>,
    checksums: VecDeque<u64>,
    forks: VecDeque<Rc<World>>,
}

impl UndoneTicks {
    /// The tick to which the tape was rewound; a person drove from there on.
    pub fn tick(&self) -> u64 {
        self.tick
    }
}

impl Tape {
    /// Rewinds to a stored tick, from which a person then drives; returns the removed ticks.
    pub fn rewind(&mut self, tick: u64) -> UndoneTicks {
        let world = self.world_at(tick);
        let kept = self.forks.partition_point(|fork| fork.tick() <= tick);
        let held = (tick - self.first_tick()) as usize + 1;
        let place = self.place_after(tick);
        self.edits += 1;
        self.acted = true;
        let scripted = self.scripted;
        self.scripted.ticks = scripted.ticks.min(place as u64);
        self.scripted.rival_ticks = scripted.rival_ticks.min(place as u64);
        UndoneTicks {
            world: self.world.replace(world),
            script: self.script.take(),
            replay: self.replay.take(),
            scripted,
            tick,
            keys: self.keys.split_off(place),
            truth: self.truth.split_off(tick),
            checksums: self.checksums.split_off(held),
            forks: self.forks.split_off(kept),
        }
    }

    /// Restores removed ticks, in place of the ticks in which a person drove after the rewind. Returns false if the tick is
    /// no longer stored.
    pub fn undo(&mut self, undone: UndoneTicks) -> bool {
        let UndoneTicks { tick, .. } = undone;
        if tick < self.first_tick() || !self.truth.join(undone.truth) {
            return false;
        }
        self.keys.truncate(self.place_after(tick));
        self.keys.extend(undone.keys);
        self.checksums
            .truncate((tick - self.truth.ticks().start()) as usize + 1);
        self.checksums.extend(undone.checksums);
        self.forks.retain(|fork| fork.tick() <= tick);
        self.forks.extend(undone.forks);
        self.world = undone.world;
        self.script = undone.script;
        self.replay = undone.replay;
        self.scripted = undone.scripted;
        self.edits += 1;
        true
    }

    /// Makes a tape of another world, to replay this tape's keys from the start, one tick in each call of [`Tape::follow`].
    pub fn begin_again(&self, made_from: WorldSettings) -> Tape {
        let mut tape = Tape::of_world(made_from, self.began, self.scripted);
        tape.acted = self.acted;
        tape.replace(self);
        tape
    }

    /// Marks this tape as the replacement of `other`, so that results from `other` count as outdated. Nothing is copied.
    pub fn replace(&mut self, other: &Tape) {
        self.edits = other.edits + 1;
    }

    /// Replays one tick with the keys of that tick on the tape `other`. Returns false if `other` has no more keys.
    pub fn follow(&mut self, other: &Tape) -> bool {
        let keys = other.keys.get(self.keys.len());
        keys.map(|keys| self.step_with(*keys)).is_some()
    }

    /// Moves the script, or the recorded input to be replayed, from `other` to this tape. Then nothing drives `other`.
    pub fn move_script_from(&mut self, other: &mut Tape) {
        self.script = other.script.take();
        self.replay = other.replay.take();
        self.scripted = other.scripted;
        self.acted |= other.acted;
    }
}
