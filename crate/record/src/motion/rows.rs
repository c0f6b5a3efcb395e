//! Rows of any motion file, checked and turned into frames of a delta history; missing values are derived.

use super::recorder::{REACH_M, Recorder, StatedFacts};
use super::{JumpSpeed, Motion, MotionError, OBJECTS_EVER_MAX, OBJECTS_MAX};
use crate::session_config::Shape;
use snapshot_base::text::shorten;
use snapshot_base::time::TickRate;
use snapshot_codec::quantise::normalise;
use snapshot_codec::{CubeState, Life};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;

/// Upper limit of half the side of an object, m. A larger object would fill every view.
const HALF_SIZE_MAX_M: f32 = 512.0;
/// Upper limit of the side of an object, m.
pub(super) const SIZE_MAX_M: f32 = 2.0 * HALF_SIZE_MAX_M;
/// Half the side of an object whose file does not state a size, m.
pub(super) const HALF_SIZE_M: f32 = 0.5;
/// Time without rows before which nothing is interpolated, ticks.
const GAP_TICKS: f64 = 16.0;
/// Tolerance of a quaternion's length, which may differ from 1 by rounding to six digits. Within the tolerance the quaternion
/// is normalised, else the row is refused.
const LENGTH_TOLERANCE: f32 = 0.01;

/// The optional columns of a file: true for each that it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// True if rows have a linear velocity, m/s.
    pub linear_velocity: bool,
    /// True if rows have an angular velocity, rad/s.
    pub angular_velocity: bool,
    /// True if rows have half the side lengths, m.
    pub half_size: bool,
    /// True if rows have an event: the object jumps, ends or begins again.
    pub event: bool,
}

impl Columns {
    pub(super) const BITS_MAX: u32 = 15;

    /// Reads the column bits of a binary file: 1, 2, 4 and 8; `None` if other bits are set.
    pub(super) fn from_bits(bits: u32) -> Option<Columns> {
        (bits <= Self::BITS_MAX).then_some(Columns {
            linear_velocity: bits & 1 != 0,
            angular_velocity: bits & 2 != 0,
            half_size: bits & 4 != 0,
            event: bits & 8 != 0,
        })
    }

    pub(super) fn bits(self) -> u32 {
        u32::from(self.linear_velocity)
            | u32::from(self.angular_velocity) << 1
            | u32::from(self.half_size) << 2
            | u32::from(self.event) << 3
    }

    /// Number of a row's values after tick and object, without the event.
    pub(super) fn numbers(self) -> usize {
        let threes = [self.linear_velocity, self.angular_velocity, self.half_size];
        7 + 3 * threes.into_iter().filter(|has| *has).count()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionRow {
    /// The row's tick; the first row's becomes tick 0.
    pub tick: u64,
    /// The object's number, the same in all of its rows.
    pub object: u32,
    /// Position, m, z up.
    pub position: [f32; 3],
    /// Quaternion x, y, z, w.
    pub orientation: [f32; 4],
    /// Linear velocity, m/s.
    pub linear_velocity: Option<[f32; 3]>,
    /// Angular velocity, rad/s.
    pub angular_velocity: Option<[f32; 3]>,
    /// Half the side lengths, m. Only the values in an object's first row are used.
    pub half_size: Option<[f32; 3]>,
    /// The event of the object. If it ends the object, all other values are ignored.
    pub event: MotionEvent,
}

/// Name of the column that may replace `tick`.
pub(super) const TIME: &str = "time";

/// Names of the columns, in the order of a binary file.
pub(super) const NAMES: [&str; 19] = [
    "tick", "object", "x", "y", "z", "qx", "qy", "qz", "qw", "vx", "vy", "vz", "wx", "wy", "wz",
    "hx", "hy", "hz", "event",
];

/// Index of the event in [`NAMES`].
pub(super) const EVENT: usize = 18;

impl MotionRow {
    /// Makes a row from its numbers after tick and object, as many as the columns need.
    pub(super) fn new(
        tick: u64,
        object: u32,
        numbers: &[f32],
        event: MotionEvent,
        columns: Columns,
    ) -> MotionRow {
        let mut rest = numbers.get(7..).unwrap_or_default();
        let mut three = |has: bool| {
            let (three, after) = rest.split_first_chunk::<3>().filter(|_| has)?;
            rest = after;
            Some(*three)
        };
        let [linear_velocity, angular_velocity, half_size] = [
            columns.linear_velocity,
            columns.angular_velocity,
            columns.half_size,
        ]
        .map(&mut three);
        let part = |at: usize| numbers.get(at).copied().unwrap_or_default();
        MotionRow {
            tick,
            object,
            position: std::array::from_fn(part),
            orientation: std::array::from_fn(|i| part(3 + i)),
            linear_velocity,
            angular_velocity,
            half_size,
            event,
        }
    }

    /// Checks the row by itself; returns the object's state. Positions go up to `reach_m` along each axis.
    pub(super) fn state(&self, reach_m: f32) -> Result<CubeState, RowError> {
        let named = [
            (2, Some(&self.position[..])),
            (5, Some(&self.orientation[..])),
            (9, self.linear_velocity.as_ref().map(|three| &three[..])),
            (12, self.angular_velocity.as_ref().map(|three| &three[..])),
            (15, self.half_size.as_ref().map(|three| &three[..])),
        ];
        for (first, numbers) in named {
            let mut names = NAMES[first..].iter().zip(numbers.into_iter().flatten());
            if let Some((column, _)) = names.find(|(_, number)| !number.is_finite()) {
                return Err(RowError::new(format!(
                    "{column} is infinite or not a number"
                )));
            }
        }
        for (&value, column) in self.position.iter().zip(&NAMES[2..]) {
            if !(-reach_m..reach_m).contains(&value) {
                return Err(RowError::new(format!(
                    "{column} is {value} m: it goes from -{reach_m} to below {reach_m} m"
                )));
            }
        }
        let [x, y, z, w] = self.orientation;
        let length = (x * x + y * y + z * z + w * w).sqrt();
        if (length - 1.0).abs() > LENGTH_TOLERANCE {
            return Err(RowError::new(format!(
                "the quaternion's length is {length}: that of a rotation is 1"
            )));
        }
        for &value in self.half_size.iter().flatten() {
            if !(value > 0.0 && value <= HALF_SIZE_MAX_M) {
                return Err(RowError::new(format!(
                    "half a side is {value} m: it is above 0 and at most {HALF_SIZE_MAX_M}"
                )));
            }
        }
        Ok(CubeState {
            position: self.position,
            orientation: normalise(self.orientation),
            linear_velocity: self.linear_velocity.unwrap_or_default(),
            angular_velocity: self.angular_velocity.unwrap_or_default(),
            interacting: false,
            at_rest: true,
            life: Life::default(),
        })
    }
}

/// Builds a motion from rows, in order.
pub(super) struct MotionRows {
    objects: BTreeMap<u32, ObjectPlace>,
    /// Slots of ended objects, to be used again, each with the tick of the end.
    free: BTreeMap<usize, u64>,
    half_m: Vec<[f32; 3]>,
    /// Half the side of an object whose rows have no size, m.
    unsized_half_m: f32,
    tick: u64,
    frame: Vec<CubeState>,
    slots: Vec<Slot>,
    recorder: Recorder,
    rows: u64,
    ticks: Ticks,
    /// Objects whose poses come in each n-th frame, with n: they are interpolated between.
    every: BTreeMap<u32, u64>,
    /// Newest frames that are not recorded yet, as many as may still be interpolated, each with its time in ticks.
    waiting: VecDeque<(f64, Vec<CubeState>)>,
    /// Number of closed frames.
    frames: u64,
    /// The time of the newest row, in ticks.
    at: f64,
    /// The tick and the time of the first row.
    first: (u64, f64),
}

/// Facts about a slot beside its state in the frame.
struct Slot {
    /// The newest life; of an empty slot the last one.
    life: Life,
    /// The tick of the last row, and whether that row has an event.
    row_tick: u64,
    has_event: bool,
    /// The frame and the time of the newest change, and the state since then.
    changed: (u64, f64, CubeState),
    /// The objects that were in it: the tick from which on, the life, and the object's number.
    numbers: Vec<(u64, Life, u32)>,
}

#[derive(Clone, Copy)]
enum ObjectPlace {
    Slot(usize),
    /// The object ended at this tick.
    Ended(u64),
}

impl MotionRows {
    /// Makes a builder. Jumps are the file's events; without a column of events, steps faster than `jumps_over` count as jumps.
    pub(super) fn new(tick_rate: TickRate, columns: Columns, jumps_over: JumpSpeed) -> MotionRows {
        let stated = StatedFacts {
            velocities: columns.linear_velocity,
            events: columns.event,
            interacting: false,
        };
        MotionRows {
            objects: BTreeMap::new(),
            free: BTreeMap::new(),
            half_m: Vec::new(),
            unsized_half_m: HALF_SIZE_M,
            tick: 0,
            frame: Vec::new(),
            slots: Vec::new(),
            recorder: Recorder::new(tick_rate, stated, jumps_over),
            rows: 0,
            ticks: Ticks {
                span_max: 1.0,
                before: None,
                next: 0,
            },
            every: BTreeMap::new(),
            waiting: VecDeque::new(),
            frames: 0,
            at: 0.0,
            first: (0, 0.0),
        }
    }

    /// Sets the shape of all objects. `half_m` is half the side of objects whose rows have no size, m, if the file states it.
    pub(super) fn shaped(&mut self, shape: Shape, half_m: Option<f32>) {
        self.recorder.shape = shape;
        self.unsized_half_m = half_m.unwrap_or(HALF_SIZE_M);
    }

    /// Makes the builder interpolate poses at whole ticks. [`MotionRows::add`] then gets the rows' times in ticks with
    /// fractions.
    pub(super) fn resample(&mut self) {
        self.ticks.span_max = self.recorder.tick_rate().hz().into();
    }

    /// Makes the builder interpolate poses of objects that come in each n-th frame, by their numbers with n.
    pub(super) fn interpolate(&mut self, every: BTreeMap<u32, u64>) {
        self.every = every;
    }

    /// Adds a row; `at` is its time in ticks. A refused row changes nothing. Returns true if the row stands in place of an
    /// earlier one of the same object and tick.
    pub(super) fn add(&mut self, row: &MotionRow, at: f64) -> Result<bool, RowError> {
        let state = match row.event {
            MotionEvent::End => CubeState::EMPTY,
            _ => row.state(REACH_M)?,
        };
        let (object, tick) = (row.object, row.tick);
        if self.rows == 0 {
            (self.tick, self.first) = (tick, (tick, at));
        }
        self.rows += 1;
        if tick < self.tick {
            return Err(RowError::tick_before(tick, self.tick));
        }
        if tick > self.tick {
            self.close();
            let at = match self.ticks.are_resampled() {
                true => at - self.first.1,
                false => (tick - self.first.0) as f64,
            };
            // Nothing is interpolated in frames before a long time without rows.
            if at - self.at > GAP_TICKS {
                self.record_waiting(self.waiting.len());
            }
            (self.tick, self.at) = (tick, at);
        }
        match self.objects.get(&object) {
            Some(ObjectPlace::Slot(place)) => return self.go_on(*place, row, state),
            Some(ObjectPlace::Ended(ended)) => {
                // A second end changes nothing.
                if row.event == MotionEvent::End && *ended < tick {
                    return Ok(false);
                }
                check_again(row, *ended)?;
            }
            None if row.event == MotionEvent::End => {
                let text = "ends, and has had no row before".to_string();
                return Err(RowError::of_object(object, text));
            }
            None if self.objects.len() == OBJECTS_EVER_MAX => {
                return Err(RowError::too_many_objects_ever());
            }
            None => {}
        }
        let half_m = row.half_size.unwrap_or([self.unsized_half_m; 3]);
        let place = self.take_slot(state, half_m)?;
        self.objects.insert(object, ObjectPlace::Slot(place));
        self.note_number(place, object);
        let slot = &mut self.slots[place];
        (slot.row_tick, slot.has_event) = (tick, row.event != MotionEvent::None);
        slot.changed = (self.frames, self.at, self.frame[place]);
        Ok(false)
    }

    /// Puts an object that begins at the current tick into a slot, and returns the slot's place.
    fn take_slot(&mut self, state: CubeState, half_m: [f32; 3]) -> Result<usize, RowError> {
        // A slot is used again from the tick after the end on, by an object of the same size.
        let is_free =
            |(place, ended): &(&usize, &u64)| **ended < self.tick && self.half_m[**place] == half_m;
        let free = self.free.iter().find(is_free).map(|(place, _)| *place);
        if let Some(place) = free {
            self.free.remove(&place);
            let life = self.slots[place].life.next();
            self.slots[place].life = life;
            self.frame[place] = CubeState { life, ..state };
            return Ok(place);
        }
        if self.frame.len() == OBJECTS_MAX {
            return Err(RowError::too_many_objects());
        }
        self.frame.push(state);
        self.half_m.push(half_m);
        self.slots.push(Slot {
            life: state.life,
            row_tick: self.tick,
            has_event: false,
            changed: (self.frames, self.at, state),
            numbers: Vec::new(),
        });
        Ok(self.frame.len() - 1)
    }

    /// Adds a row of an object that already has rows.
    fn go_on(&mut self, place: usize, row: &MotionRow, state: CubeState) -> Result<bool, RowError> {
        let (object, tick) = (row.object, row.tick);
        let slot = &mut self.slots[place];
        let is_again = slot.row_tick == tick;
        if is_again && (slot.has_event || row.event != MotionEvent::None) {
            return Err(RowError::twice(object, tick));
        }
        (slot.row_tick, slot.has_event) = (tick, row.event != MotionEvent::None);
        let before = slot.life;
        let life = match row.event {
            MotionEvent::Spawn | MotionEvent::Jump => before.next(),
            MotionEvent::End => Life::EMPTY,
            MotionEvent::None => before,
        };
        if life.is_empty() {
            self.free.insert(place, tick);
            self.objects.insert(object, ObjectPlace::Ended(tick));
        } else if life != before {
            slot.life = life;
            self.note_number(place, object);
        }
        self.frame[place] = CubeState { life, ..state };
        self.interpolate_slot(object, place);
        Ok(is_again)
    }

    fn note_number(&mut self, place: usize, object: u32) {
        let tick = self.at.floor() as u64;
        let slot = &mut self.slots[place];
        slot.numbers.push((tick, slot.life, object));
    }

    /// Records the frame of the current time, once nothing is interpolated in it any more.
    fn close(&mut self) {
        self.frames += 1;
        self.waiting.push_back((self.at, self.frame.clone()));
        let most = self.every.values().max().map_or(0, |most| most + 1);
        if self.waiting.len() as u64 > most {
            self.record_waiting(1);
        }
    }

    /// Records so many of the waiting frames, the oldest first.
    fn record_waiting(&mut self, frames: usize) {
        for (at, frame) in self.waiting.drain(..frames) {
            self.ticks.frame(at, frame, &mut self.recorder);
        }
    }

    /// Interpolates the waiting frames of a slot between its newest changes, if its object comes in each n-th frame.
    fn interpolate_slot(&mut self, object: u32, place: usize) {
        let Some(every) = self.every.get(&object) else {
            return;
        };
        let (now, state) = (self.frames, self.frame[place]);
        let (before, before_at, old) = self.slots[place].changed;
        let is_same = old.position == state.position && old.orientation == state.orientation;
        if old.life == state.life && is_same {
            return;
        }
        self.slots[place].changed = (now, self.at, state);
        // An object that stood for longer began to move a usual step ago.
        let has_stood = now - before > every + 1;
        let from = if has_stood { now - every } else { before };
        let first = now - self.waiting.len() as u64;
        let from_frame = from.checked_sub(first).filter(|_| has_stood);
        let from_at = from_frame.map_or(before_at, |at| self.waiting[at as usize].0);
        let seconds = ((self.at - from_at) / f64::from(self.recorder.tick_rate().hz())) as f32;
        for (_, frame) in (first..)
            .zip(&mut self.waiting)
            .skip_while(|(at, _)| *at <= from)
        {
            let share = ((frame.0 - from_at) / (self.at - from_at)) as f32;
            if let Some(slot) = frame.1.get_mut(place) {
                *slot = between(&old, &state, share, seconds, &self.recorder);
            }
        }
    }

    /// Returns the motion, once all rows are added. Adds a note if objects have no more rows while others continue.
    pub(super) fn finish(mut self, notes: &mut Vec<String>) -> Result<Motion, MotionError> {
        let rows = self.rows;
        if rows > 0 {
            self.close();
            self.record_waiting(self.waiting.len());
        }
        let half_s = u64::from(self.recorder.tick_rate().hz() / 2);
        let slots = self.slots.iter().zip(&self.frame);
        let there = slots.filter(|(_, cube)| !cube.life.is_empty());
        let is_silent = |(slot, _): &(&Slot, _)| slot.row_tick + half_s < self.tick;
        let silent = there.filter(is_silent).count();
        if silent > 0 && !self.ticks.are_resampled() {
            notes.push(match silent {
                1 => "1 object without rows at the end stands; a first line silent=end ends it".to_string(),
                _ => format!("{silent} objects without rows at the end stand; a first line silent=end ends them"),
            });
        }
        let motion = self.recorder.finish(self.half_m);
        let motion = motion.ok_or_else(|| MotionError::too_short(rows))?;
        Ok(Motion {
            numbers: self.slots.into_iter().map(|slot| slot.numbers).collect(),
            ..motion
        })
    }
}

/// Refuses a row of an object that has ended, unless a later tick spawns it again.
fn check_again(row: &MotionRow, ended: u64) -> Result<(), RowError> {
    if row.tick == ended {
        return Err(RowError::twice(row.object, row.tick));
    }
    if row.event == MotionEvent::Spawn {
        return Ok(());
    }
    let text = "has ended: another row of it needs the event spawn";
    Err(RowError::of_object(row.object, text.to_string()))
}

/// The ticks of a motion, of which some or all are between the frames of its rows.
struct Ticks {
    /// Longest time between two frames across which poses are interpolated, ticks; across a longer one the last pose stands.
    span_max: f64,
    /// The newest frame and its time, ticks.
    before: Option<(f64, Vec<CubeState>)>,
    next: u64,
}

impl Ticks {
    /// Returns true if frames are at any times, and poses of all ticks are interpolated.
    fn are_resampled(&self) -> bool {
        self.span_max > 1.0
    }

    /// Adds the frame at time `at`, and records all ticks up to that time.
    fn frame(&mut self, at: f64, frame: Vec<CubeState>, recorder: &mut Recorder) {
        const ROUNDING_TICKS: f64 = 1e-6;
        let hz = f64::from(recorder.tick_rate().hz());
        if recorder.is_full() {
            let next = (at + ROUNDING_TICKS).floor() as u64 + 1;
            recorder.leave_out(next.saturating_sub(self.next));
            self.next = self.next.max(next);
            return;
        }
        let Some((before_at, before)) = self.before.take() else {
            recorder.frame(&frame);
            (self.before, self.next) = (Some((at, frame)), 1);
            return;
        };
        let span = at - before_at;
        if span > self.span_max {
            let last = at.floor() as u64;
            recorder.still(&before, last.saturating_sub(self.next));
            self.next = self.next.max(last);
        }
        while self.next as f64 <= at + ROUNDING_TICKS {
            let share = ((self.next as f64 - before_at) / span).min(1.0) as f32;
            let seconds = (span / hz) as f32;
            let places = frame.iter().enumerate();
            let states = places.map(|(place, cube)| match before.get(place) {
                Some(old) if share < 1.0 => between(old, cube, share, seconds, recorder),
                None if share < 1.0 => CubeState::EMPTY,
                _ => *cube,
            });
            let states: Vec<CubeState> = states.collect();
            recorder.frame(&states);
            self.next += 1;
        }
        self.before = Some((at, frame));
    }
}

/// Returns a state between two others; nothing is interpolated from one life to the next, nor across a jump.
fn between(
    old: &CubeState,
    new: &CubeState,
    share: f32,
    seconds: f32,
    recorder: &Recorder,
) -> CubeState {
    let step: [f32; 3] = std::array::from_fn(|axis| new.position[axis] - old.position[axis]);
    let length = step.iter().map(|part| part * part).sum::<f32>().sqrt();
    if old.life != new.life || old.life.is_empty() || recorder.is_jump(length / seconds) {
        return *old;
    }
    let mix = |old: f32, new: f32| old + (new - old) * share;
    let dot: f32 = (old.orientation.iter().zip(new.orientation))
        .map(|(old, new)| old * new)
        .sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let three =
        |old: [f32; 3], new: [f32; 3]| std::array::from_fn(|axis| mix(old[axis], new[axis]));
    CubeState {
        position: three(old.position, new.position),
        orientation: normalise(std::array::from_fn(|part| {
            mix(old.orientation[part], sign * new.orientation[part])
        })),
        linear_velocity: three(old.linear_velocity, new.linear_velocity),
        angular_velocity: three(old.angular_velocity, new.angular_velocity),
        ..*old
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowError {
    /// Name or number of the object that the error is about.
    object: Option<String>,
    text: String,
    /// The row's tick, which follows the text.
    tick: Option<u64>,
    /// True if this row makes the file invalid.
    pub(super) is_final: bool,
}

impl RowError {
    pub(super) fn new(text: String) -> RowError {
        RowError {
            object: None,
            text,
            tick: None,
            is_final: false,
        }
    }

    /// Makes the error of an object, whose name or number is put before the text.
    pub(super) fn of_object(object: impl ToString, text: String) -> RowError {
        RowError {
            object: Some(object.to_string()),
            ..RowError::new(text)
        }
    }

    pub(super) fn not_a_number(text: &str, column: &str) -> RowError {
        let text = shorten(text);
        RowError::new(format!(
            "{column} is \"{text}\", which is no number that fits"
        ))
    }

    /// Makes the error of a row by one of its fields. It makes the file invalid if other rows have the same.
    pub(super) fn of_field(text: String, is_final: bool) -> RowError {
        RowError {
            is_final,
            ..RowError::new(text)
        }
    }

    pub(super) fn not_an_event(text: &str) -> RowError {
        let events = MotionEvent::ALL.map(MotionEvent::name);
        RowError::new(format!(
            "event is \"{}\": it is empty, {}",
            shorten(text),
            events[1..].join(", ")
        ))
    }

    pub(super) fn twice(object: impl ToString, tick: u64) -> RowError {
        RowError {
            tick: Some(tick),
            ..RowError::of_object(object, "has two rows of".to_string())
        }
    }

    /// Makes the error for a row out of order: binary files have rows in the order of ticks.
    pub(super) fn tick_before(tick: u64, before: u64) -> RowError {
        RowError::new(format!(
            "tick {tick} comes after tick {before}: rows are in the order of their ticks"
        ))
    }

    pub(super) fn too_many_rows(most: usize) -> RowError {
        RowError::of_file(format!("more than {most} rows, for which there is no room"))
    }

    pub(super) fn too_many_objects_ever() -> RowError {
        RowError::of_file(format!("more than {OBJECTS_EVER_MAX} objects"))
    }

    pub(super) fn too_many_objects() -> RowError {
        RowError::of_file(format!(
            "more than {OBJECTS_MAX} objects at once: those that ended leave room for others"
        ))
    }

    pub(super) fn of_file(text: String) -> RowError {
        RowError {
            is_final: true,
            ..RowError::new(text)
        }
    }

    /// Returns the same error with the object's name in place of its number, and the file's words for the row's tick.
    pub(super) fn named(mut self, names: &[String], tick: &str) -> RowError {
        if self.tick.take().is_some() {
            self.text = format!("{} {tick}", self.text);
        }
        let number = self.object.as_ref().and_then(|object| object.parse().ok());
        if let Some(name) = number.and_then(|number: usize| names.get(number)) {
            self.object = Some(shorten(name));
        }
        self
    }

    /// Returns the error of a file that is refused because of this row, with the row's number.
    pub(super) fn at(self, row: u64) -> MotionError {
        MotionError(format!("row {row}: {self}"))
    }
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(object) = &self.object {
            write!(f, "object {object} ")?;
        }
        f.write_str(&self.text)?;
        match self.tick {
            Some(tick) => write!(f, " tick {tick}"),
            None => Ok(()),
        }
    }
}

/// A change of an object, from its row's tick on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MotionEvent {
    /// No event: the object continues. Its first row begins it.
    #[default]
    None,
    /// The object jumps: it continues elsewhere, without a path between both places.
    Jump,
    End,
    /// The object begins a new life, after an end or in place of its current one.
    Spawn,
}

impl MotionEvent {
    /// All events, by their numbers in a binary file.
    pub const ALL: [MotionEvent; 4] = [
        MotionEvent::None,
        MotionEvent::Jump,
        MotionEvent::End,
        MotionEvent::Spawn,
    ];

    /// The event's name in a text file; empty for no event.
    pub fn name(self) -> &'static str {
        match self {
            MotionEvent::None => "",
            MotionEvent::Jump => "jump",
            MotionEvent::End => "end",
            MotionEvent::Spawn => "spawn",
        }
    }

    pub(super) fn from_number(number: u32) -> Option<MotionEvent> {
        MotionEvent::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// Parses an event from a field of a text file: a name or a number; `None` if it is unknown.
    pub(super) fn parse(text: &str) -> Option<MotionEvent> {
        let text = text.trim();
        let by_name = |event: &MotionEvent| event.name().eq_ignore_ascii_case(text);
        let named = MotionEvent::ALL.into_iter().find(by_name);
        named.or_else(|| MotionEvent::from_number(text.parse().ok()?))
    }
}
