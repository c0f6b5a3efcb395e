//! What was true, for as long as the right side may still show it.

use crate::view::Pose;
use snapshot_codec::CubeState;

/// The poses of the last ticks.
#[derive(Clone, Debug)]
pub(crate) struct TruthHistory {
    /// A slot a tick, by tick modulo their number.
    slots: Vec<(u64, Vec<Pose>)>,
}

impl TruthHistory {
    /// Holds the last `ticks` ticks.
    pub(crate) fn new(ticks: usize) -> TruthHistory {
        TruthHistory {
            slots: vec![(u64::MAX, Vec::new()); ticks.max(1)],
        }
    }

    /// Keeps the truth of a tick and forgets the oldest.
    pub(crate) fn insert(&mut self, tick: u64, cubes: &[CubeState]) {
        let slot = self.slot(tick);
        let (slot_tick, poses) = &mut self.slots[slot];
        *slot_tick = tick;
        poses.clear();
        poses.extend(cubes.iter().map(Pose::from));
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

    fn get(&self, tick: u64) -> Option<&[Pose]> {
        let (slot_tick, poses) = &self.slots[self.slot(tick)];
        (*slot_tick == tick).then_some(poses)
    }

    fn slot(&self, tick: u64) -> usize {
        (tick % self.slots.len() as u64) as usize
    }
}

/// The truth of an instant: a tick, or evenly between two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Truth<'a> {
    from: &'a [Pose],
    to: &'a [Pose],
    share: f32,
}

impl Truth<'_> {
    /// A cube at that instant. It interacts if it did at the tick before.
    pub(crate) fn pose(&self, index: usize) -> Pose {
        let (from, to) = (&self.from[index], &self.to[index]);
        if from == to {
            return *from;
        }
        Pose {
            position: from.position.lerp(to.position, self.share),
            orientation: from.orientation.lerp(to.orientation, self.share),
            interacting: from.interacting,
        }
    }
}
