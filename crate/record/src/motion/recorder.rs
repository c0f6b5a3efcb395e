//! Frames of a motion, one a tick, into a delta history as long as there is room.

use super::{Motion, most_ticks};
use crate::agreed::Agreed;
use crate::delta_history::{DeltaHistory, MOTION_BYTES_MAX};
use snapshot_base::time::{TickRate, WORLD};
use snapshot_codec::{Bounds, CubeState};

/// No position is farther out along an axis, m: what the codec reaches.
pub(super) const REACH_M: f32 = 1024.0;
/// Greatest velocity along an axis that rungs 2 and 3 send, m/s.
const VELOCITY_REACH_M_S: f32 = 32.0;

/// Frames, one a tick, into a delta history as long as there is room.
pub(super) struct Recorder {
    tick_rate: TickRate,
    told: StatedFacts,
    jumps_over: JumpSpeed,
    /// The motion was read before, and is taken whole.
    again: bool,
    truth: Option<DeltaHistory<CubeState>>,
    /// The last frame, as given and as recorded.
    before: Vec<CubeState>,
    recorded: Vec<CubeState>,
    still_ticks: Vec<u32>,
    left_out_ticks: u64,
    counts: MotionCounts,
    /// Least and greatest of each axis.
    reach: Option<[[f32; 3]; 2]>,
}

/// The facts that a file states itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StatedFacts {
    /// Linear velocities; else they are those from frame to frame.
    pub(super) velocities: bool,
    /// True if events tell jumps; else jumps are found by speed.
    pub(super) events: bool,
    /// The flag `interacting`; else the cubes that have just moved interact.
    pub(super) interacting: bool,
}

/// Counts over all ticks of a motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MotionCounts {
    /// States that are faster along an axis than rungs 2 and 3 can send: 32 m/s.
    pub clipped_velocities: u64,
    /// Lives that begin after the first tick.
    pub spawns: u64,
    /// Lives that end.
    pub ends: u64,
    /// Jumps, told or found.
    pub jumps: u64,
    /// By [`JumpSpeed::place`], steps that are faster.
    pub faster: [u64; JumpSpeed::PLACES],
}

impl Recorder {
    pub(super) fn of_capture() -> Recorder {
        let told = StatedFacts {
            velocities: false,
            events: true,
            interacting: true,
        };
        Recorder::new(WORLD, told, JumpSpeed::NEVER)
    }

    /// The frames of a motion once more, with other jumps.
    pub(super) fn again(motion: &Motion, jumps_over: JumpSpeed) -> Recorder {
        Recorder {
            again: true,
            ..Recorder::new(motion.tick_rate(), motion.told, jumps_over)
        }
    }

    /// For frames of which a file tells so much. Without events, steps faster than `jumps_over` are jumps.
    pub(super) fn new(tick_rate: TickRate, told: StatedFacts, jumps_over: JumpSpeed) -> Recorder {
        Recorder {
            tick_rate,
            told,
            jumps_over,
            again: false,
            truth: None,
            before: Vec::new(),
            recorded: Vec::new(),
            still_ticks: Vec::new(),
            left_out_ticks: 0,
            counts: MotionCounts::default(),
            reach: None,
        }
    }

    /// Ticks for which an object that has moved counts as moving: half a second. It is shown red, its errors are measured,
    /// and it does not rest.
    fn moving_ticks(&self) -> u32 {
        self.tick_rate.hz() / 2
    }

    /// Adds a number of ticks without rows.
    pub(super) fn still(&mut self, frame: &[CubeState], ticks: u64) {
        let room = most_ticks(self.tick_rate)
            .saturating_sub(self.truth.as_ref().map_or(0, |truth| *truth.ticks().end()));
        let taken = ticks.min(room);
        (0..taken).for_each(|_| self.frame(frame));
        self.left_out_ticks += ticks - taken;
    }

    /// Takes the next frame. Slots may be added behind those of the last one; they were empty before.
    pub(super) fn frame(&mut self, frame: &[CubeState]) {
        if self.left_out_ticks > 0 || self.is_full() {
            self.left_out_ticks += 1;
            return;
        }
        if self.truth.is_none() {
            self.before = frame.to_vec();
            self.recorded = frame.to_vec();
        }
        let slots = frame.len();
        self.before.resize(slots, CubeState::EMPTY);
        self.recorded.resize(slots, CubeState::EMPTY);
        self.still_ticks.resize(slots, self.moving_ticks());
        for (place, cube) in frame.iter().enumerate() {
            self.recorded[place] = self.told_of(place, cube);
        }
        self.before.copy_from_slice(frame);
        match &mut self.truth {
            None => self.truth = Some(DeltaHistory::new(0, self.recorded.clone())),
            Some(truth) => truth.push(self.recorded.iter().copied()),
        }
    }

    /// The state of a slot in the next tick, with what the file leaves out.
    fn told_of(&mut self, place: usize, cube: &CubeState) -> CubeState {
        let (before, recorded) = (&self.before[place], &self.recorded[place]);
        let moving_ticks = self.moving_ticks();
        let still_ticks = &mut self.still_ticks[place];
        let counts = &mut self.counts;
        if cube.life.is_empty() {
            counts.ends += u64::from(!before.life.is_empty());
            *still_ticks = moving_ticks;
            return CubeState::EMPTY;
        }
        let spawned = before.life.is_empty();
        counts.spawns += u64::from(spawned);
        let hz = self.tick_rate.hz() as f32;
        let step: [f32; 3] = std::array::from_fn(|i| (cube.position[i] - before.position[i]) * hz);
        let mut life = cube.life;
        if !spawned && !self.told.events {
            // The machine's square root is exact, in wasm too.
            let speed = step.iter().map(|part| part * part).sum::<f32>().sqrt();
            let slower = JumpSpeed::all().take_while(|over| is_over(speed, *over));
            slower.for_each(|over| counts.faster[over.place()] += 1);
            let jumps = is_over(speed, self.jumps_over);
            life = if jumps {
                recorded.life.next()
            } else {
                recorded.life
            };
        }
        let goes_on = !spawned && life == recorded.life;
        counts.jumps += u64::from(!spawned && !goes_on);
        let moved = (cube.position, cube.orientation) != (before.position, before.orientation);
        *still_ticks = match moved && !spawned {
            true => 0,
            false => *still_ticks + 1,
        };
        let moves = *still_ticks < moving_ticks;
        let linear_velocity = match (self.told.velocities, goes_on) {
            (true, _) => cube.linear_velocity,
            (false, true) => step,
            // Nothing leads here.
            (false, false) => [0.0; 3],
        };
        let reach = -VELOCITY_REACH_M_S..VELOCITY_REACH_M_S;
        let is_clipped = !linear_velocity.iter().all(|v| reach.contains(v));
        counts.clipped_velocities += u64::from(is_clipped);
        let [least, greatest] = self.reach.get_or_insert([cube.position; 2]);
        for axis in 0..3 {
            least[axis] = least[axis].min(cube.position[axis]);
            greatest[axis] = greatest[axis].max(cube.position[axis]);
        }
        CubeState {
            linear_velocity,
            interacting: if self.told.interacting {
                cube.interacting
            } else {
                moves
            },
            at_rest: !moves,
            life,
            ..*cube
        }
    }

    fn is_full(&self) -> bool {
        !self.again
            && self.truth.as_ref().is_some_and(|truth| {
                *truth.ticks().end() >= most_ticks(self.tick_rate)
                    || truth.bytes() > MOTION_BYTES_MAX
            })
    }

    /// The motion, by the half sizes of its slots; none where there are not two frames. Slots of objects that did not fit are
    /// dropped.
    pub(super) fn finish(self, mut half_m: Vec<[f32; 3]>) -> Option<Motion> {
        let truth = self.truth.filter(|truth| *truth.ticks().end() > 0)?;
        half_m.truncate(truth.newest().len());
        let mut initial = Vec::new();
        truth.read(0, &mut initial);
        let is_capture = self.told.interacting;
        let bounds = if is_capture {
            Bounds::DEFAULT
        } else {
            fitted(self.reach?)
        };
        let agreed = Agreed::of_motion(self.tick_rate, &initial, bounds, half_m)
            .with_player(is_capture.then_some(0))
            .with_slots(self.counts.has_lives());
        Some(Motion {
            agreed,
            truth,
            left_out_ticks: self.left_out_ticks,
            counts: self.counts,
            told: self.told,
            jumps_over: self.jumps_over,
            fingerprint: 0,
        })
    }
}

impl StatedFacts {
    pub(super) fn bits(self) -> u32 {
        u32::from(self.velocities) | u32::from(self.events) << 1 | u32::from(self.interacting) << 2
    }

    pub(super) fn from_bits(bits: u32) -> StatedFacts {
        StatedFacts {
            velocities: bits & 1 != 0,
            events: bits & 2 != 0,
            interacting: bits & 4 != 0,
        }
    }
}

impl MotionCounts {
    /// Number of counts.
    pub(super) const COUNT: usize = 4 + JumpSpeed::PLACES;

    pub(super) fn to_array(self) -> [u64; MotionCounts::COUNT] {
        let single = [self.clipped_velocities, self.spawns, self.ends, self.jumps];
        let mut all = single.into_iter().chain(self.faster);
        std::array::from_fn(|_| all.next().unwrap_or_default())
    }

    pub(super) fn from_array(all: [u64; MotionCounts::COUNT]) -> MotionCounts {
        let [clipped_velocities, spawns, ends, jumps, ..] = all;
        MotionCounts {
            clipped_velocities,
            spawns,
            ends,
            jumps,
            faster: std::array::from_fn(|place| all[4 + place]),
        }
    }

    /// Says whether anything comes, goes or jumps.
    pub fn has_lives(&self) -> bool {
        self.spawns + self.ends + self.jumps > 0
    }
}

fn is_over(speed_m_s: f32, jumps_over: JumpSpeed) -> bool {
    jumps_over.m_s().is_some_and(|over| speed_m_s > over as f32)
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

/// Speeds to choose from, m/s.
const SPEEDS_M_S: [u32; 16] = [
    5, 10, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 2000, 5000, 10_000,
];

/// A speed of a fixed row, or none: then there are no jumps. A motion's step in a tick is a jump if it is faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct JumpSpeed(u8);

impl JumpSpeed {
    /// Number of places: the speeds, then none.
    pub const PLACES: usize = SPEEDS_M_S.len() + 1;
    /// No step is a jump.
    pub const NEVER: JumpSpeed = JumpSpeed(SPEEDS_M_S.len() as u8);
    /// The name of [`JumpSpeed::NEVER`] in a link.
    const OFF: &str = "off";

    /// All of them, slowest first.
    pub fn all() -> impl Iterator<Item = JumpSpeed> {
        (0..Self::PLACES as u8).map(JumpSpeed)
    }

    /// The speed at a place, from 0; the last speed for any later place.
    pub fn at(place: usize) -> JumpSpeed {
        Self::all().nth(place).unwrap_or(Self::NEVER)
    }

    /// Its place, from 0.
    pub fn place(self) -> usize {
        self.0.into()
    }

    /// The speed, m/s; none where no step is a jump.
    pub fn m_s(self) -> Option<u32> {
        SPEEDS_M_S.get(self.place()).copied()
    }

    /// The text of a link.
    pub fn text(self) -> String {
        self.m_s()
            .map_or(Self::OFF.to_string(), |m_s| m_s.to_string())
    }

    /// Reads the text of a link.
    pub fn parse(text: &str) -> Option<JumpSpeed> {
        Self::all().find(|speed| speed.text() == text)
    }
}

/// 100 m/s, which is 360 km/h: few cars, characters and thrown things of games are faster.
impl Default for JumpSpeed {
    fn default() -> JumpSpeed {
        JumpSpeed(6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_has_a_text_of_its_own_and_100_m_s_is_the_default() {
        assert_eq!(JumpSpeed::default().m_s(), Some(100));
        let texts: Vec<_> = JumpSpeed::all().map(JumpSpeed::text).collect();
        assert_eq!((texts.len(), texts[16].as_str()), (17, "off"));
        for (place, text) in texts.iter().enumerate() {
            assert_eq!(JumpSpeed::parse(text), Some(JumpSpeed::at(place)));
        }
        assert_eq!(JumpSpeed::at(99), JumpSpeed::NEVER);
        assert!(
            ["", "7", "0100", "never", "-5"]
                .iter()
                .all(|text| JumpSpeed::parse(text).is_none())
        );
        assert!(JumpSpeed::all().is_sorted());
    }
}
