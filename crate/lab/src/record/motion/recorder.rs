//! Frames of a motion, one a tick, into a delta history as long as there is room.

use super::SECONDS_MAX;
use crate::record::delta_history::{DeltaHistory, MOTION_BYTES_MAX};
use snapshot_base::time::{TickRate, WORLD};
use snapshot_codec::{Bounds, CubeState};

/// No position is farther out along an axis, m: what the codec reaches.
pub(super) const REACH_M: f32 = 1024.0;
/// Greatest velocity along an axis that rungs 2 and 3 send, m/s.
const VELOCITY_REACH_M_S: f32 = 32.0;

/// Frames, one a tick, into a delta history as long as there is room.
pub(super) struct Recorder {
    tick_rate: TickRate,
    /// Linear velocities are given; else they are those from frame to frame.
    velocities: bool,
    /// The file says which cubes interact; else those do that have just moved.
    interacting: bool,
    initial: Vec<CubeState>,
    truth: Option<DeltaHistory<CubeState>>,
    before: Vec<CubeState>,
    still_ticks: Vec<u32>,
    left_out_ticks: u64,
    clipped_velocities: u64,
    /// Least and greatest of each axis.
    reach: Option<[[f32; 3]; 2]>,
}

/// The recorded frames.
pub(super) struct Recorded {
    pub(super) tick_rate: TickRate,
    pub(super) initial: Vec<CubeState>,
    pub(super) truth: DeltaHistory<CubeState>,
    pub(super) left_out_ticks: u64,
    pub(super) clipped_velocities: u64,
    pub(super) reach: [[f32; 3]; 2],
}

impl Recorder {
    pub(super) fn of_capture() -> Recorder {
        Recorder {
            interacting: true,
            ..Recorder::new(WORLD, false)
        }
    }

    /// `velocities` says whether linear velocities are given.
    pub(super) fn new(tick_rate: TickRate, velocities: bool) -> Recorder {
        Recorder {
            tick_rate,
            velocities,
            interacting: false,
            initial: Vec::new(),
            truth: None,
            before: Vec::new(),
            still_ticks: Vec::new(),
            left_out_ticks: 0,
            clipped_velocities: 0,
            reach: None,
        }
    }

    /// Ticks for which an object that has moved counts as moving: half a second. It is shown red, its errors are measured,
    /// and it does not rest.
    fn moving_ticks(&self) -> u32 {
        self.tick_rate.hz() / 2
    }

    fn most_ticks(&self) -> u64 {
        self.tick_rate.ticks_of_seconds(SECONDS_MAX)
    }

    /// So many ticks in which no row tells of anything.
    pub(super) fn still(&mut self, frame: &[CubeState], ticks: u64) {
        let room = self
            .most_ticks()
            .saturating_sub(self.truth.as_ref().map_or(0, |truth| *truth.ticks().end()));
        let taken = ticks.min(room);
        (0..taken).for_each(|_| self.frame(frame));
        self.left_out_ticks += ticks - taken;
    }

    pub(super) fn frame(&mut self, frame: &[CubeState]) {
        if self.left_out_ticks > 0 || self.is_full() {
            self.left_out_ticks += 1;
            return;
        }
        let moving_ticks = self.moving_ticks();
        let hz = self.tick_rate.hz() as f32;
        let first = self.before.len() != frame.len();
        if first {
            self.before = frame.to_vec();
            self.still_ticks = vec![moving_ticks; frame.len()];
        }
        let cubes = frame.iter().zip(&self.before).zip(&mut self.still_ticks);
        let velocities = self.velocities;
        let interacting = self.interacting;
        let told = cubes.map(|((cube, before), still_ticks)| {
            let moved = (cube.position, cube.orientation) != (before.position, before.orientation);
            *still_ticks = if moved { 0 } else { *still_ticks + 1 };
            let moves = *still_ticks < moving_ticks;
            let step = |i: usize| (cube.position[i] - before.position[i]) * hz;
            CubeState {
                linear_velocity: if velocities {
                    cube.linear_velocity
                } else {
                    std::array::from_fn(step)
                },
                interacting: if interacting { cube.interacting } else { moves },
                at_rest: !moves,
                ..*cube
            }
        });
        let told: Vec<CubeState> = told.collect();
        let reach = -VELOCITY_REACH_M_S..VELOCITY_REACH_M_S;
        let is_clipped =
            |cube: &&CubeState| !cube.linear_velocity.iter().all(|v| reach.contains(v));
        self.clipped_velocities += told.iter().filter(is_clipped).count() as u64;
        self.before.clear();
        self.before.extend_from_slice(frame);
        for cube in frame {
            let [least, greatest] = self.reach.get_or_insert([cube.position; 2]);
            for axis in 0..3 {
                least[axis] = least[axis].min(cube.position[axis]);
                greatest[axis] = greatest[axis].max(cube.position[axis]);
            }
        }
        match &mut self.truth {
            None => {
                self.initial = told.clone();
                self.truth = Some(DeltaHistory::new(0, told));
            }
            Some(truth) => truth.push(told),
        }
    }

    fn is_full(&self) -> bool {
        self.truth.as_ref().is_some_and(|truth| {
            *truth.ticks().end() >= self.most_ticks() || truth.bytes() > MOTION_BYTES_MAX
        })
    }

    /// None where there are not two frames.
    pub(super) fn finish(self) -> Option<Recorded> {
        let truth = self.truth.filter(|truth| *truth.ticks().end() > 0)?;
        Some(Recorded {
            tick_rate: self.tick_rate,
            initial: self.initial,
            truth,
            left_out_ticks: self.left_out_ticks,
            clipped_velocities: self.clipped_velocities,
            reach: self.reach?,
        })
    }
}

/// Whole metres around these positions, along each axis a power of two.
pub(super) fn fitted([least, greatest]: [[f32; 3]; 2]) -> Bounds {
    const REACH: i32 = REACH_M as i32;
    let mut lower = least.map(|metres| metres.floor() as i32);
    let mut upper = greatest.map(|metres| metres.floor() as i32 + 1);
    for (lower, upper) in lower.iter_mut().zip(&mut upper) {
        let size = (*upper - *lower).unsigned_abs().next_power_of_two() as i32;
        // Half of the room to spare on either side, as far as the codec reaches.
        *lower = (*lower - (size - (*upper - *lower)) / 2).clamp(-REACH, REACH - size);
        *upper = *lower + size;
    }
    Bounds::new(lower, upper).expect("positions have been checked to be within reach")
}
