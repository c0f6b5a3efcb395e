//! What was true, for as long as the right side may still show it.

use crate::view::Pose;
use snapshot_codec::CubeState;

/// The poses of the last ticks.
#[derive(Clone, Debug)]
pub(crate) struct TruthHistory {
    /// A slot a tick, by tick modulo their number.
    slots: Vec<Slot>,
}

#[derive(Clone, Debug)]
struct Slot {
    tick: u64,
    poses: Vec<Pose>,
    at_rest: Vec<bool>,
}

impl TruthHistory {
    /// Holds the last `ticks` ticks.
    pub(crate) fn new(ticks: usize) -> TruthHistory {
        TruthHistory {
            slots: vec![
                Slot {
                    tick: u64::MAX,
                    poses: Vec::new(),
                    at_rest: Vec::new(),
                };
                ticks.max(1)
            ],
        }
    }

    /// Keeps the truth of a tick and forgets the oldest.
    pub(crate) fn insert(&mut self, tick: u64, cubes: &[CubeState]) {
        let slot = self.slot(tick);
        let slot = &mut self.slots[slot];
        slot.tick = tick;
        slot.poses.clear();
        slot.poses.extend(cubes.iter().map(Pose::from));
        slot.at_rest.clear();
        slot.at_rest.extend(cubes.iter().map(|cube| cube.at_rest));
    }

    /// The truth of an instant between two ticks that are held.
    pub(crate) fn at(&self, tick: f64) -> Option<Truth<'_>> {
        if tick < 0.0 {
            return None;
        }
        let floor = tick as u64;
        let share = (tick - floor as f64) as f32;
        let from = self.get(floor)?;
        // On a tick the next one is not needed, and may not have come yet.
        let to = if share == 0.0 {
            from
        } else {
            self.get(floor + 1)?
        };
        Some(Truth { from, to, share })
    }

    /// Memory that it takes.
    pub(crate) fn held_bytes(&self) -> usize {
        let slots = self.slots.iter();
        let bytes =
            slots.map(|slot| slot.poses.capacity() * size_of::<Pose>() + slot.at_rest.capacity());
        bytes.sum()
    }

    fn get(&self, tick: u64) -> Option<&Slot> {
        let slot = &self.slots[self.slot(tick)];
        (slot.tick == tick).then_some(slot)
    }

    fn slot(&self, tick: u64) -> usize {
        (tick % self.slots.len() as u64) as usize
    }
}

/// The truth of an instant: a tick, or evenly between two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Truth<'a> {
    from: &'a Slot,
    to: &'a Slot,
    share: f32,
}

impl Truth<'_> {
    /// A cube at that instant. It interacts if it did at the tick before.
    pub(crate) fn pose(&self, index: usize) -> Pose {
        self.from.poses[index].towards(&self.to.poses[index], self.share)
    }

    /// Whether a cube slept at the tick before that instant.
    pub(crate) fn is_at_rest(&self, index: usize) -> bool {
        self.from.at_rest[index]
    }
}
