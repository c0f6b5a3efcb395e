//! Rows of any format, one after the other, as frames of a delta history: each checked, and what they do not say worked out.

mod error;

pub use error::RowError;

use super::{Motion, MotionError, OBJECTS_MAX, TICKS_MAX};
use crate::record::agreed::Agreed;
use crate::record::delta_history::{DeltaHistory, MOTION_BYTES_MAX};
use crate::settings::shorten;
use snapshot_base::time::TICKS_PER_S;
use snapshot_codec::quantise::normalise;
use snapshot_codec::{Bounds, CubeState};

/// No position is farther out along an axis, m: what the codec reaches.
const REACH_M: f32 = 1024.0;
/// Longer sides than this would fill every view, m.
const HALF_SIZE_MAX_M: f32 = 512.0;
/// Half the side of an object of which nothing is said, m.
const HALF_SIZE_M: f32 = 0.25;
/// A quaternion may be off by this much from length 1, as those of six digits are; it is made exact.
const LENGTH_TOLERANCE: f32 = 0.01;
/// Ticks for which an object that has moved counts as moving: it is shown red, its errors are measured, and it does not
/// rest.
const MOVING_TICKS: u32 = TICKS_PER_S / 2;

/// The optional columns of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Linear velocity, m/s.
    pub linear_velocity: bool,
    /// Angular velocity, rad/s.
    pub angular_velocity: bool,
    /// Half the sides, m.
    pub half_size: bool,
}

impl Columns {
    /// All of them.
    pub(super) const BITS_MAX: u32 = 7;

    /// Reads the bits of a file of bytes: 1, 2 and 4.
    pub(super) fn from_bits(bits: u32) -> Option<Columns> {
        (bits <= Self::BITS_MAX).then_some(Columns {
            linear_velocity: bits & 1 != 0,
            angular_velocity: bits & 2 != 0,
            half_size: bits & 4 != 0,
        })
    }

    pub(super) fn bits(self) -> u32 {
        u32::from(self.linear_velocity)
            | u32::from(self.angular_velocity) << 1
            | u32::from(self.half_size) << 2
    }

    /// Numbers of a row after tick and object.
    pub(super) fn numbers(self) -> usize {
        7 + 3 * self.bits().count_ones() as usize
    }
}

/// An object at a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// In 1/60 s; the first of a file is its beginning.
    pub tick: u64,
    /// Any number, the same for an object throughout.
    pub object: u32,
    /// m, z up.
    pub position: [f32; 3],
    /// x, y, z, w.
    pub orientation: [f32; 4],
    /// m/s.
    pub linear_velocity: Option<[f32; 3]>,
    /// rad/s.
    pub angular_velocity: Option<[f32; 3]>,
    /// m; of the first tick's rows it counts.
    pub half_size: Option<[f32; 3]>,
}

/// Names of the columns, in the order of a file of bytes.
pub(super) const NAMES: [&str; 18] = [
    "tick", "object", "x", "y", "z", "qx", "qy", "qz", "qw", "vx", "vy", "vz", "wx", "wy", "wz",
    "hx", "hy", "hz",
];

impl Row {
    /// Makes a row from the numbers after tick and object, as many as the columns say.
    pub(super) fn new(tick: u64, object: u32, numbers: &[f32], columns: Columns) -> Row {
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
        Row {
            tick,
            object,
            position: std::array::from_fn(part),
            orientation: std::array::from_fn(|i| part(3 + i)),
            linear_velocity,
            angular_velocity,
            half_size,
        }
    }

    /// Checks all that can be told of a row by itself.
    fn state(&self) -> Result<CubeState, RowError> {
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
                return Err(RowError::NotFinite { column });
            }
        }
        for (&value, column) in self.position.iter().zip(&NAMES[2..]) {
            if !(-REACH_M..REACH_M).contains(&value) {
                return Err(RowError::OutOfReach { column, value });
            }
        }
        let [x, y, z, w] = self.orientation;
        let length = (x * x + y * y + z * z + w * w).sqrt();
        if (length - 1.0).abs() > LENGTH_TOLERANCE {
            return Err(RowError::NotUnit { length });
        }
        for &value in self.half_size.iter().flatten() {
            if !(value > 0.0 && value <= HALF_SIZE_MAX_M) {
                return Err(RowError::HalfSize { value });
            }
        }
        Ok(CubeState {
            position: self.position,
            orientation: normalise(self.orientation),
            linear_velocity: self.linear_velocity.unwrap_or_default(),
            angular_velocity: self.angular_velocity.unwrap_or_default(),
            interacting: false,
            at_rest: true,
        })
    }
}

/// Rows, one after the other.
pub(super) struct Rows {
    columns: Columns,
    /// By object: which it is in the order of the first tick's rows.
    places: Vec<(u32, usize)>,
    half_m: Vec<[f32; 3]>,
    first_tick: Option<u64>,
    tick: u64,
    frame: Vec<CubeState>,
    /// Each object's tick of its last row.
    told: Vec<u64>,
    recorder: Recorder,
    rows: u64,
}

impl Rows {
    pub(super) fn new(columns: Columns) -> Rows {
        Rows {
            columns,
            places: Vec::new(),
            half_m: Vec::new(),
            first_tick: None,
            tick: 0,
            frame: Vec::new(),
            told: Vec::new(),
            recorder: Recorder {
                velocities: columns.linear_velocity,
                ..Recorder::default()
            },
            rows: 0,
        }
    }

    pub(super) fn columns(&self) -> Columns {
        self.columns
    }

    /// Takes the row of that number.
    pub(super) fn add(&mut self, number: u64, row: &Row) -> Result<(), MotionError> {
        self.rows += 1;
        let refused = |cause| MotionError::Row { row: number, cause };
        self.take(row).map_err(refused)
    }

    fn take(&mut self, row: &Row) -> Result<(), RowError> {
        let state = row.state()?;
        let first_tick = *self.first_tick.get_or_insert(row.tick);
        if self.rows == 1 {
            self.tick = first_tick;
        }
        if row.tick < self.tick {
            let before = self.tick;
            return Err(RowError::TickBefore {
                tick: row.tick,
                before,
            });
        }
        if row.tick > self.tick {
            self.recorder.frame(&self.frame);
            // What no row tells of stays as it was.
            self.recorder.still(&self.frame, row.tick - self.tick - 1);
            self.tick = row.tick;
        }
        let object = row.object;
        let found = self.places.binary_search_by_key(&object, |place| place.0);
        let found = found.map(|at| self.places[at].1);
        match found {
            Ok(place) if self.told[place] == row.tick => {
                return Err(RowError::Twice {
                    object,
                    tick: row.tick,
                });
            }
            Ok(place) => {
                self.frame[place] = state;
                self.told[place] = row.tick;
            }
            Err(_) if row.tick > first_tick => return Err(RowError::NotInFirstTick { object }),
            Err(_) if self.frame.len() == OBJECTS_MAX => return Err(RowError::TooManyObjects),
            Err(at) => {
                self.places.insert(at, (object, self.frame.len()));
                self.frame.push(state);
                self.told.push(row.tick);
                self.half_m.push(row.half_size.unwrap_or([HALF_SIZE_M; 3]));
            }
        }
        Ok(())
    }

    /// The motion, once all rows are taken.
    pub(super) fn finish(mut self) -> Result<Motion, MotionError> {
        let rows = self.rows;
        if rows > 0 {
            self.recorder.frame(&self.frame);
        }
        let told = self.recorder.finish();
        let told = told.ok_or(MotionError::TooShort { rows })?;
        Ok(Motion {
            agreed: Agreed::of_motion(&told.initial, fitted(told.reach), None, self.half_m),
            truth: told.truth,
            left_out_ticks: told.left_out_ticks,
            is_capture: false,
            fingerprint: 0,
        })
    }
}

/// Frames, one a tick, into a delta history as long as there is room.
#[derive(Default)]
pub(super) struct Recorder {
    /// Linear velocities are given; else they are those from frame to frame.
    velocities: bool,
    /// The file says which cubes interact; else those do that have just moved.
    interacting: bool,
    initial: Vec<CubeState>,
    truth: Option<DeltaHistory<CubeState>>,
    before: Vec<CubeState>,
    still_ticks: Vec<u32>,
    left_out_ticks: u64,
    /// Least and greatest of each axis.
    reach: Option<[[f32; 3]; 2]>,
}

/// The recorded frames.
pub(super) struct Recorded {
    pub(super) initial: Vec<CubeState>,
    pub(super) truth: DeltaHistory<CubeState>,
    pub(super) left_out_ticks: u64,
    pub(super) reach: [[f32; 3]; 2],
}

impl Recorder {
    pub(super) fn of_capture() -> Recorder {
        Recorder {
            interacting: true,
            ..Recorder::default()
        }
    }

    /// So many ticks in which no row tells of anything.
    fn still(&mut self, frame: &[CubeState], ticks: u64) {
        let room =
            TICKS_MAX.saturating_sub(self.truth.as_ref().map_or(0, |truth| *truth.ticks().end()));
        let taken = ticks.min(room);
        (0..taken).for_each(|_| self.frame(frame));
        self.left_out_ticks += ticks - taken;
    }

    pub(super) fn frame(&mut self, frame: &[CubeState]) {
        if self.left_out_ticks > 0 || self.is_full() {
            self.left_out_ticks += 1;
            return;
        }
        let first = self.before.len() != frame.len();
        if first {
            self.before = frame.to_vec();
            self.still_ticks = vec![MOVING_TICKS; frame.len()];
        }
        let cubes = frame.iter().zip(&self.before).zip(&mut self.still_ticks);
        let velocities = self.velocities;
        let interacting = self.interacting;
        let told = cubes.map(|((cube, before), still_ticks)| {
            let moved = (cube.position, cube.orientation) != (before.position, before.orientation);
            *still_ticks = if moved { 0 } else { *still_ticks + 1 };
            let moves = *still_ticks < MOVING_TICKS;
            let step = |i: usize| (cube.position[i] - before.position[i]) * TICKS_PER_S as f32;
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
            *truth.ticks().end() >= TICKS_MAX || truth.bytes() > MOTION_BYTES_MAX
        })
    }

    /// None where there are not two frames.
    pub(super) fn finish(self) -> Option<Recorded> {
        let truth = self.truth.filter(|truth| *truth.ticks().end() > 0)?;
        Some(Recorded {
            initial: self.initial,
            truth,
            left_out_ticks: self.left_out_ticks,
            reach: self.reach?,
        })
    }
}

/// Whole metres around these positions, along each axis a power of two.
fn fitted([least, greatest]: [[f32; 3]; 2]) -> Bounds {
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

/// A field as a whole number of its column.
pub(super) fn whole<T: TryFrom<u64>>(text: &str, column: &'static str) -> Result<T, RowError> {
    let number = text
        .trim()
        .parse()
        .ok()
        .and_then(|number: u64| T::try_from(number).ok());
    number.ok_or_else(|| not_a_number(text, column))
}

/// A field as a decimal number of its column.
pub(super) fn number(text: &str, column: &'static str) -> Result<f32, RowError> {
    decimal(text.trim().as_bytes()).ok_or_else(|| not_a_number(text, column))
}

fn not_a_number(text: &str, column: &'static str) -> RowError {
    RowError::NotANumber {
        column,
        text: shorten(text.trim()),
    }
}

/// `-12.5`, `3e-7`. The standard library's reader has a table of 10 kB that the page would carry for this alone. Of 15 digits
/// and up to 22 places it is as exact; of more the last bit of the f32 may be off.
fn decimal(text: &[u8]) -> Option<f32> {
    const PLACES_MAX: i32 = 400;
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let mut parts = text.splitn(2, |byte| byte.eq_ignore_ascii_case(&b'e'));
    let (digits, exponent) = (parts.next()?, parts.next());
    let exponent: i32 = match exponent {
        Some(text) => std::str::from_utf8(text).ok()?.parse().ok()?,
        None => 0,
    };
    let point = digits.iter().position(|&byte| byte == b'.');
    let (whole, fraction) = digits.split_at(point.unwrap_or(digits.len()));
    let fraction = fraction.get(1..).unwrap_or_default();
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (mut mantissa, mut dropped) = (0_u64, 0_i32);
    for digit in whole.iter().chain(fraction) {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
        if mantissa < u64::MAX / 100 {
            mantissa = mantissa * 10 + u64::from(digit);
        } else {
            dropped = dropped.saturating_add(1);
        }
    }
    let fraction = i32::try_from(fraction.len()).unwrap_or(i32::MAX);
    let places = exponent.saturating_add(dropped).saturating_sub(fraction);
    let mut value = mantissa as f64;
    let mut scale = 1.0_f64;
    (0..places.abs().min(PLACES_MAX)).for_each(|_| scale *= 10.0);
    if places < 0 {
        value /= scale;
    } else if mantissa > 0 {
        value *= scale;
    }
    Some(if negative { -value } else { value } as f32)
}

#[cfg(test)]
mod tests;
