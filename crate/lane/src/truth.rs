//! The truth at the instant that the right side shows, read from the tape.

use snapshot_codec::CubeState;
use snapshot_record::delta_history::DeltaHistory;
use snapshot_view::Pose;

/// Reads the shown ticks, which mostly follow each other.
#[derive(Clone, Debug, Default)]
pub struct TruthReader {
    /// The lane's first tick: it is not measured by what was before.
    first_tick: Option<u64>,
    from: Page,
    to: Page,
}

/// A tick that was read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    tick: Option<u64>,
    cubes: Vec<CubeState>,
}

impl Page {
    /// The true state in a tick; none if the tape no longer holds it.
    pub(crate) fn read(
        &mut self,
        tick: u64,
        deltas: &DeltaHistory<CubeState>,
    ) -> Option<&[CubeState]> {
        let is_there = match self.tick {
            Some(read) => deltas.wind(read, tick, &mut self.cubes),
            None => deltas.read(tick, &mut self.cubes),
        };
        self.tick = is_there.then_some(tick);
        is_there.then_some(&self.cubes)
    }

    /// Memory that it takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.cubes.capacity() * size_of::<CubeState>()
    }
}

impl TruthReader {
    /// The lane's next tick is that one.
    pub fn begin_tick(&mut self, tick: u64) {
        self.first_tick.get_or_insert(tick);
    }

    /// The truth of an instant between two ticks since the lane began that the tape holds.
    pub fn at(&mut self, tick: f64, deltas: &DeltaHistory<CubeState>) -> Option<Truth<'_>> {
        let floor = tick as u64;
        if tick < 0.0 || floor < self.first_tick? {
            return None;
        }
        let share = (tick - floor as f64) as f32;
        // Mostly that is where the last instant was on its way to.
        if self.to.tick == Some(floor) && deltas.ticks().contains(&floor) {
            self.from.tick = self.to.tick;
            self.from.cubes.clone_from(&self.to.cubes);
        }
        let from = self.from.read(floor, deltas)?;
        // On a tick the next one is not needed, and may not have come yet.
        let to = if share == 0.0 {
            from
        } else {
            self.to.read(floor + 1, deltas)?
        };
        Some(Truth { from, to, share })
    }

    /// Memory that it takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.from.held_bytes() + self.to.held_bytes()
    }
}

/// The truth of an instant: a tick, or evenly between two.
#[derive(Clone, Copy, Debug)]
pub struct Truth<'a> {
    from: &'a [CubeState],
    to: &'a [CubeState],
    share: f32,
}

impl Truth<'_> {
    /// A cube at that instant. It interacts if it did at the tick before.
    pub fn pose(&self, index: usize) -> Pose {
        if self.share == 0.0 {
            return Pose::from(&self.from[index]);
        }
        let [from, to] = [self.from, self.to].map(|cubes| Pose::from(&cubes[index]));
        from.towards(&to, self.share)
    }

    /// Returns true if a cube slept at the tick before that instant.
    pub(crate) fn is_at_rest(&self, index: usize) -> bool {
        self.from[index].at_rest
    }
}
