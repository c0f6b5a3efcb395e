//! Recording of a motion's frames, one for each tick, into a delta history of limited length.

use super::{Motion, MotionFacts, most_ticks};
use crate::delta_history::{DeltaHistory, MOTION_BYTES_MAX};
use crate::session_config::{SessionConfig, Shape};
use serde::{Deserialize, Serialize};
use snapshot_base::time::{TickRate, WORLD};
use snapshot_codec::{Bounds, CubeState, Life};

/// Upper limit of a position along an axis, m, either way: as far as the codec reaches.
pub(super) const REACH_M: f32 = 1024.0;
/// Upper limit of a velocity along an axis that rungs 2 and 3 can send, m/s.
const VELOCITY_REACH_M_S: f32 = 32.0;

pub(super) struct Recorder {
    tick_rate: TickRate,
    stated: StatedFacts,
    jumps_over: JumpSpeed,
    /// True if the motion comes from an earlier recording; then the limit of its length does not apply.
    again: bool,
    truth: Option<DeltaHistory<CubeState>>,
    /// The last frame as the file has it. `recorded` is the same frame as stored, with derived values.
    before: Vec<CubeState>,
    recorded: Vec<CubeState>,
    still_ticks: Vec<u32>,
    /// For each slot, the pose from which its next movement is measured.
    moved_from: Vec<CubeState>,
    left_out_ticks: u64,
    counts: MotionCounts,
    pub(super) shape: Shape,
    /// Least and greatest position on each axis so far, m.
    reach: Option<[[f32; 3]; 2]>,
}

/// Kinds of data that a file states, so that the recorder need not derive them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StatedFacts {
    /// True if linear velocities are stated; else they are derived from frame to frame.
    pub(super) velocities: bool,
    /// True if events state the jumps; else jumps are found by their speed.
    pub(super) events: bool,
    /// True if the flag `interacting` is stated; else cubes that have just moved count as interacting.
    pub(super) interacting: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MotionCounts {
    /// Number of states with a velocity that rungs 2 and 3 cannot send: over 32 m/s along an axis.
    pub clipped_velocities: u64,
    /// Number of lives that begin after the first tick.
    pub spawns: u64,
    pub ends: u64,
    /// Number of jumps, stated by the file or found by speed.
    pub jumps: u64,
    /// Number of steps faster than each jump speed, by [`JumpSpeed::place`].
    pub faster: [u64; JumpSpeed::PLACES],
}

impl Recorder {
    pub(super) fn of_capture() -> Recorder {
        let stated = StatedFacts {
            velocities: false,
            events: true,
            interacting: true,
        };
        Recorder::new(WORLD, stated, JumpSpeed::NEVER)
    }

    pub(super) fn again(motion: &Motion, jumps_over: JumpSpeed) -> Recorder {
        Recorder {
            again: true,
            shape: motion.session_config.shape,
            ..Recorder::new(motion.tick_rate(), motion.facts.stated, jumps_over)
        }
    }

    /// Makes a recorder without frames. If the file states no events, steps faster than `jumps_over` count as jumps.
    pub(super) fn new(tick_rate: TickRate, stated: StatedFacts, jumps_over: JumpSpeed) -> Recorder {
        Recorder {
            tick_rate,
            stated,
            jumps_over,
            again: false,
            truth: None,
            before: Vec::new(),
            recorded: Vec::new(),
            still_ticks: Vec::new(),
            moved_from: Vec::new(),
            left_out_ticks: 0,
            counts: MotionCounts::default(),
            shape: Shape::default(),
            reach: None,
        }
    }

    /// Number of ticks for which an object counts as moving after it moved: half a second. During them it is drawn red, its
    /// errors are measured, and it is not at rest.
    fn moving_ticks(&self) -> u32 {
        self.tick_rate.hz() / 2
    }

    pub(super) fn tick_rate(&self) -> TickRate {
        self.tick_rate
    }

    /// Returns true if a step with this speed in m/s counts as a jump; always false if the file states its jumps.
    pub(super) fn is_jump(&self, speed_m_s: f32) -> bool {
        !self.stated.events && is_over(speed_m_s, self.jumps_over)
    }

    /// Records a frame again for ticks without rows.
    pub(super) fn still(&mut self, frame: &[CubeState], ticks: u64) {
        let room = most_ticks(self.tick_rate)
            .saturating_sub(self.truth.as_ref().map_or(0, |truth| *truth.ticks().end()));
        let taken = ticks.min(room);
        // By then nothing counts as moving, and each further tick is as the one before.
        let settling = taken.min(u64::from(self.moving_ticks()) + 1);
        (0..settling).for_each(|_| self.frame(frame));
        self.stand(taken - settling);
        self.left_out_ticks += ticks - taken;
    }

    /// Records the last frame again for `ticks` ticks, after a time in which nothing has moved.
    fn stand(&mut self, ticks: u64) {
        let clipped = self.recorded.iter().filter(|cube| is_clipped(cube)).count() as u64;
        for left in (1..=ticks).rev() {
            let is_full = self.is_full();
            match &mut self.truth {
                Some(truth) if !is_full => truth.push([]),
                _ => return self.left_out_ticks += left,
            }
            self.counts.clipped_velocities += clipped;
        }
    }

    /// Records the next frame. It may have more slots than the last frame. New slots at the end are left out until an
    /// object is in them.
    pub(super) fn frame(&mut self, frame: &[CubeState]) {
        if self.is_full() {
            self.left_out_ticks += 1;
            return;
        }
        // An object that comes between the last two ticks is in none.
        let there = frame.iter().rposition(|cube| !cube.life.is_empty());
        let frame = &frame[..self.recorded.len().max(there.map_or(0, |last| last + 1))];
        if self.truth.is_none() {
            self.before = frame.to_vec();
            self.recorded = frame.to_vec();
        }
        let slots = frame.len();
        self.before.resize(slots, CubeState::EMPTY);
        self.recorded.resize(slots, CubeState::EMPTY);
        self.still_ticks.resize(slots, self.moving_ticks());
        self.moved_from.resize(slots, CubeState::EMPTY);
        for (place, cube) in frame.iter().enumerate() {
            self.recorded[place] = self.recorded_state(place, cube);
        }
        self.before.copy_from_slice(frame);
        match &mut self.truth {
            None => self.truth = Some(DeltaHistory::new(0, self.recorded.clone())),
            Some(truth) => truth.push(self.recorded.iter().copied()),
        }
    }

    /// Returns a slot's state for recording. Values that the file does not state are derived.
    fn recorded_state(&mut self, place: usize, cube: &CubeState) -> CubeState {
        let before = &self.before[place];
        if cube.life.is_empty() {
            self.counts.ends += u64::from(!before.life.is_empty());
            self.still_ticks[place] = self.moving_ticks();
            return CubeState::EMPTY;
        }
        let spawned = before.life.is_empty();
        self.counts.spawns += u64::from(spawned);
        let hz = self.tick_rate.hz() as f32;
        let step: [f32; 3] = std::array::from_fn(|i| (cube.position[i] - before.position[i]) * hz);
        let last_life = self.recorded[place].life;
        let life = match spawned {
            true => cube.life,
            false => self.life_after(step, cube.life, last_life),
        };
        let goes_on = !spawned && life == last_life;
        self.counts.jumps += u64::from(!spawned && !goes_on);
        let moves = self.moves(place, cube, spawned);
        let linear_velocity = match (self.stated.velocities, goes_on) {
            (true, _) => cube.linear_velocity,
            (false, true) => step,
            // No path leads here from the frame before.
            (false, false) => [0.0; 3],
        };
        self.extend_reach(cube.position);
        let recorded = CubeState {
            linear_velocity,
            interacting: if self.stated.interacting {
                cube.interacting
            } else {
                moves
            },
            at_rest: !moves,
            life,
            ..*cube
        };
        self.counts.clipped_velocities += u64::from(is_clipped(&recorded));
        recorded
    }

    /// Counts a step in m/s, and returns the life after it. It is the file's `stated` one or, without a column of events, the
    /// `last` one or the next, by the speed.
    fn life_after(&mut self, step: [f32; 3], stated: Life, last: Life) -> Life {
        // The machine's square root is exact, in wasm too.
        let speed = step.iter().map(|part| part * part).sum::<f32>().sqrt();
        if self.stated.events {
            return stated;
        }
        let slower = JumpSpeed::all().take_while(|over| is_over(speed, *over));
        slower.for_each(|over| self.counts.faster[over.place()] += 1);
        match self.is_jump(speed) {
            true => last.next(),
            false => last,
        }
    }

    /// Returns true if a slot's object counts as moving at this tick.
    fn moves(&mut self, place: usize, cube: &CubeState, spawned: bool) -> bool {
        let moved_from = &mut self.moved_from[place];
        let moved = spawned || moves_a_code(moved_from, cube);
        if moved {
            *moved_from = *cube;
        }
        let still_ticks = match moved && !spawned && self.truth.is_some() {
            true => 0,
            false => self.still_ticks[place] + 1,
        };
        self.still_ticks[place] = still_ticks;
        still_ticks < self.moving_ticks()
    }

    fn extend_reach(&mut self, position: [f32; 3]) {
        let [least, greatest] = self.reach.get_or_insert([position; 2]);
        for axis in 0..3 {
            least[axis] = least[axis].min(position[axis]);
            greatest[axis] = greatest[axis].max(position[axis]);
        }
    }

    /// Returns true if no more frames are recorded.
    pub(super) fn is_full(&self) -> bool {
        let has_no_room = |truth: &DeltaHistory<CubeState>| {
            *truth.ticks().end() >= most_ticks(self.tick_rate) || truth.bytes() > MOTION_BYTES_MAX
        };
        self.left_out_ticks > 0 || !self.again && self.truth.as_ref().is_some_and(has_no_room)
    }

    /// Counts ticks after the last recorded one.
    pub(super) fn leave_out(&mut self, ticks: u64) {
        self.left_out_ticks += ticks;
    }

    /// Ends the recording; returns the motion, or `None` for fewer than two frames. `half_m` has half the sides of each
    /// slot's object, m. Slots whose objects come after the recorded part are dropped.
    pub(super) fn finish(self, mut half_m: Vec<[f32; 3]>) -> Option<Motion> {
        let truth = self.truth.filter(|truth| *truth.ticks().end() > 0)?;
        half_m.truncate(truth.newest().len());
        let mut initial = Vec::new();
        truth.read(0, &mut initial);
        let is_capture = self.stated.interacting;
        let bounds = if is_capture {
            Bounds::DEFAULT
        } else {
            let [least, greatest] = self.reach?;
            fitted_bounds(std::array::from_fn(|axis| {
                [
                    least[axis].floor() as i32,
                    greatest[axis].floor() as i32 + 1,
                ]
            }))
        };
        let session_config = SessionConfig {
            tick_rate: self.tick_rate,
            initial: initial.into(),
            bounds,
            player: is_capture.then_some(0),
            half_m: half_m.into(),
            shape: self.shape,
            has_slots: self.counts.has_lives(),
            made_from: None,
        };
        let facts = MotionFacts {
            left_out_ticks: self.left_out_ticks,
            counts: self.counts,
            ..MotionFacts::new(self.stated, self.jumps_over)
        };
        Some(Motion::new(session_config, truth, facts))
    }
}

impl MotionCounts {
    /// Returns true if objects appear, disappear or jump.
    pub fn has_lives(&self) -> bool {
        self.spawns + self.ends + self.jumps > 0
    }
}

/// Returns true if two poses differ by half a code or more: 1/512 m and 9 bits, the precision of the challenge. Less is a
/// solver's noise, and a quaternion is the same rotation as its negative.
fn moves_a_code(from: &CubeState, to: &CubeState) -> bool {
    const HALF_POSITION_M: f32 = 0.5 / 512.0;
    const HALF_ORIENTATION: f32 = 0.5 * std::f32::consts::SQRT_2 / 511.0;
    let dot: f32 = (from.orientation.iter().zip(to.orientation))
        .map(|(a, b)| a * b)
        .sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let far = |a: f32, b: f32, limit: f32| (a - b).abs() >= limit;
    let position = from.position.iter().zip(to.position);
    let orientation = from.orientation.iter().zip(to.orientation);
    position
        .into_iter()
        .any(|(a, b)| far(*a, b, HALF_POSITION_M))
        || orientation
            .into_iter()
            .any(|(a, b)| far(*a, sign * b, HALF_ORIENTATION))
}

fn is_clipped(cube: &CubeState) -> bool {
    let reach = -VELOCITY_REACH_M_S..VELOCITY_REACH_M_S;
    !cube.linear_velocity.iter().all(|v| reach.contains(v))
}

fn is_over(speed_m_s: f32, jumps_over: JumpSpeed) -> bool {
    jumps_over.m_s().is_some_and(|over| speed_m_s > over as f32)
}

/// Returns bounds around these ranges of positions, `[lower, upper]` of each axis in whole metres. The length of each side
/// is a power of two, and lies within the codec's reach.
pub fn fitted_bounds(spans: [[i32; 2]; 3]) -> Bounds {
    const REACH: i32 = REACH_M as i32;
    let around = spans.map(|[lower, upper]| {
        let size = (upper - lower).max(1).unsigned_abs().next_power_of_two() as i32;
        // Half of the room to spare on either side, as far as the codec reaches.
        let lower = (lower - (size - (upper - lower)) / 2).clamp(-REACH, REACH - size);
        [lower, lower + size]
    });
    Bounds::new(
        around.map(|[lower, _]| lower),
        around.map(|[_, upper]| upper),
    )
    .expect("a power of two of metres within reach is no empty axis")
}

const SPEEDS_M_S: [u32; 16] = [
    5, 10, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 2000, 5000, 10_000,
];

/// The speed above which a motion's step in a tick counts as a jump: a choice from a fixed list, or no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JumpSpeed(u8);

impl JumpSpeed {
    /// Number of choices: all speeds, and one more for no limit.
    pub const PLACES: usize = SPEEDS_M_S.len() + 1;
    pub const NEVER: JumpSpeed = JumpSpeed(SPEEDS_M_S.len() as u8);
    /// Text of [`JumpSpeed::NEVER`] in a link.
    const OFF: &str = "off";

    /// All choices, slowest speed first.
    pub fn all() -> impl Iterator<Item = JumpSpeed> {
        (0..Self::PLACES as u8).map(JumpSpeed)
    }

    /// Returns the choice at an index, from 0; the last choice for any larger index.
    pub fn at(place: usize) -> JumpSpeed {
        Self::all().nth(place).unwrap_or(Self::NEVER)
    }

    pub fn place(self) -> usize {
        self.0.into()
    }

    /// The jump speed, m/s; `None` if no step counts as a jump.
    pub fn m_s(self) -> Option<u32> {
        SPEEDS_M_S.get(self.place()).copied()
    }

    /// Returns the choice as a link's text.
    pub fn text(self) -> String {
        self.m_s()
            .map_or(Self::OFF.to_string(), |m_s| m_s.to_string())
    }

    pub fn parse(text: &str) -> Option<JumpSpeed> {
        Self::all().find(|speed| speed.text() == text)
    }
}

/// The default is 100 m/s, which is 360 km/h: few cars, characters and thrown things of games are faster.
impl Default for JumpSpeed {
    fn default() -> JumpSpeed {
        JumpSpeed(6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_stands_is_recorded_as_each_of_its_ticks() {
        let fast = CubeState {
            position: [1.0, 2.0, 3.0],
            linear_velocity: [40.0, 0.0, 0.0],
            ..CubeState::default()
        };
        let moved = CubeState {
            position: [1.5, 2.0, 3.0],
            ..fast
        };
        for velocities in [false, true] {
            for hz in [10, 60] {
                let stated = StatedFacts {
                    velocities,
                    events: false,
                    interacting: false,
                };
                let rate = TickRate::new(hz).unwrap();
                let [mut once, mut each] =
                    [(); 2].map(|()| Recorder::new(rate, stated, JumpSpeed::default()));
                for recorder in [&mut once, &mut each] {
                    recorder.frame(&[fast, CubeState::EMPTY, fast]);
                    recorder.frame(&[moved, fast, CubeState::EMPTY]);
                }
                let frame = [moved, fast, CubeState::EMPTY];
                once.still(&frame, 50_000);
                (0..50_000).for_each(|_| each.frame(&frame));
                let [once, each] = [once, each].map(|it| it.finish(vec![[1.0; 3]; 3]).unwrap());
                assert_eq!(once.facts.counts, each.facts.counts);
                assert_eq!(once.facts.left_out_ticks, each.facts.left_out_ticks);
                for part in 0..each.ticks() as usize / 60 {
                    assert!(once.part(part) == each.part(part));
                }
            }
        }
    }

    #[test]
    fn every_place_has_a_text_of_its_own_and_100_m_s_is_the_default() {
        assert_eq!(JumpSpeed::default().m_s(), Some(100));
        let texts: Vec<_> = JumpSpeed::all().map(JumpSpeed::text).collect();
        assert_eq!((texts.len(), texts[16].as_str()), (17, "off"));
        for (place, text) in texts.iter().enumerate() {
            assert_eq!(JumpSpeed::parse(text), Some(JumpSpeed::at(place)));
        }
        assert_eq!(JumpSpeed::at(99), JumpSpeed::NEVER);
        for text in ["", "7", "0100", "never", "-5"] {
            assert_eq!(JumpSpeed::parse(text), None);
        }
        assert!(JumpSpeed::all().is_sorted());
    }
}
