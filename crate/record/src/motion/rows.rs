//! Rows of any motion file, checked and turned into frames of a delta history; missing values are derived.

use super::recorder::{REACH_M, Recorder, StatedFacts};
use super::{JumpSpeed, Motion, MotionError, OBJECTS_MAX};
use snapshot_base::time::TickRate;
use snapshot_codec::quantise::normalise;
use snapshot_codec::{CubeState, Life};
use std::fmt;

/// Greatest half side of an object, m: a larger one would fill every view.
const HALF_SIZE_MAX_M: f32 = 512.0;
/// Half side of an object whose file states none, m.
const HALF_SIZE_M: f32 = 0.25;
/// Tolerance of a quaternion's length, which is 1 but for rounding to six digits. The quaternion is then normalised.
const LENGTH_TOLERANCE: f32 = 0.01;

/// The optional columns that a file has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Linear velocity, m/s.
    pub linear_velocity: bool,
    /// Angular velocity, rad/s.
    pub angular_velocity: bool,
    /// Half side lengths, m.
    pub half_size: bool,
    /// The object's event: it jumps, ends or begins again.
    pub event: bool,
}

impl Columns {
    /// The bits of all optional columns.
    pub(super) const BITS_MAX: u32 = 15;

    /// Reads the column bits of a binary file: 1, 2, 4 and 8.
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

    /// Count of a row's numbers after tick and object, without the event.
    pub(super) fn numbers(self) -> usize {
        let threes = [self.linear_velocity, self.angular_velocity, self.half_size];
        7 + 3 * threes.into_iter().filter(|has| *has).count()
    }
}

/// A row: one object's state at one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionRow {
    /// The row's tick. The first row's tick becomes tick 0.
    pub tick: u64,
    /// The object's number: any number, the same in all its rows.
    pub object: u32,
    /// Position, m, z up.
    pub position: [f32; 3],
    /// Orientation, a quaternion x, y, z, w.
    pub orientation: [f32; 4],
    /// Linear velocity, m/s.
    pub linear_velocity: Option<[f32; 3]>,
    /// Angular velocity, rad/s.
    pub angular_velocity: Option<[f32; 3]>,
    /// Half side lengths, m; those of an object's first row count.
    pub half_size: Option<[f32; 3]>,
    /// The object's event in this tick. In a row that ends the object, all other values are ignored.
    pub event: MotionEvent,
}

/// Name of the column that may stand in place of `tick`.
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

    /// Checks the row on its own; returns the object's state.
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
            life: Life::default(),
        })
    }
}

/// A builder of a motion from rows, in order.
pub(super) struct MotionRows {
    /// The slot of each object; slots are in the order of first rows.
    places: Vec<(u32, usize)>,
    half_m: Vec<[f32; 3]>,
    tick: u64,
    frame: Vec<CubeState>,
    /// The newest life of each slot; for an empty slot its last one.
    lives: Vec<Life>,
    /// The tick of each slot's last row.
    told: Vec<u64>,
    recorder: Recorder,
    rows: u64,
}

impl MotionRows {
    /// Makes a builder. Jumps are the events of the file; without a column of events, steps faster than `jumps_over` count as
    /// jumps.
    pub(super) fn new(tick_rate: TickRate, columns: Columns, jumps_over: JumpSpeed) -> MotionRows {
        let told = StatedFacts {
            velocities: columns.linear_velocity,
            events: columns.event,
            interacting: false,
        };
        MotionRows {
            places: Vec::new(),
            half_m: Vec::new(),
            tick: 0,
            frame: Vec::new(),
            lives: Vec::new(),
            told: Vec::new(),
            recorder: Recorder::new(tick_rate, told, jumps_over),
            rows: 0,
        }
    }

    /// Adds a row; `number` is used in errors.
    pub(super) fn add(&mut self, number: u64, row: &MotionRow) -> Result<(), MotionError> {
        self.rows += 1;
        let refused = |cause| MotionError::Row { row: number, cause };
        self.take(row).map_err(refused)
    }

    fn take(&mut self, row: &MotionRow) -> Result<(), RowError> {
        let state = match row.event {
            MotionEvent::End => CubeState::EMPTY,
            _ => row.state()?,
        };
        if self.rows == 1 {
            self.tick = row.tick;
        }
        let (object, tick) = (row.object, row.tick);
        if tick < self.tick {
            let before = self.tick;
            return Err(RowError::TickBefore { tick, before });
        }
        if tick > self.tick {
            self.recorder.frame(&self.frame);
            // What no row tells of stays as it was.
            self.recorder.still(&self.frame, tick - self.tick - 1);
            self.tick = tick;
        }
        let found = self.places.binary_search_by_key(&object, |place| place.0);
        match found.map(|at| self.places[at].1) {
            Ok(place) => self.go_on(place, row, state),
            Err(_) if row.event == MotionEvent::End => Err(RowError::NotThere { object }),
            Err(_) if self.frame.len() == OBJECTS_MAX => Err(RowError::TooManyObjects),
            Err(at) => {
                self.places.insert(at, (object, self.frame.len()));
                self.frame.push(state);
                self.lives.push(state.life);
                self.told.push(tick);
                self.half_m.push(row.half_size.unwrap_or([HALF_SIZE_M; 3]));
                Ok(())
            }
        }
    }

    /// Adds a row of an object that has had a row before.
    fn go_on(&mut self, place: usize, row: &MotionRow, state: CubeState) -> Result<(), RowError> {
        let (object, tick) = (row.object, row.tick);
        if self.told[place] == tick {
            return Err(RowError::Twice { object, tick });
        }
        let life = match row.event {
            MotionEvent::Spawn => self.lives[place].next(),
            // Ended twice is ended.
            MotionEvent::End => Life::EMPTY,
            _ if self.frame[place].life.is_empty() => {
                let ended = self.told[place];
                return Err(RowError::AfterEnd { object, ended });
            }
            MotionEvent::Jump => self.lives[place].next(),
            MotionEvent::None => self.lives[place],
        };
        if !life.is_empty() {
            self.lives[place] = life;
        }
        self.frame[place] = CubeState { life, ..state };
        self.told[place] = tick;
        Ok(())
    }

    /// Returns the motion, once all rows are added.
    pub(super) fn finish(mut self) -> Result<Motion, MotionError> {
        let rows = self.rows;
        if rows > 0 {
            self.recorder.frame(&self.frame);
        }
        let motion = self.recorder.finish(self.half_m);
        motion.ok_or(MotionError::TooShort { rows })
    }
}

/// Why a row is refused.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RowError {
    /// A row with more or fewer fields than columns.
    Fields {
        /// Number of fields in the row.
        fields: usize,
        /// Number of columns.
        expected: usize,
    },
    /// A field is no number of its column's kind.
    NotANumber {
        /// The column.
        column: &'static str,
        /// The field, shortened.
        text: String,
    },
    /// A binary row is cut off.
    Truncated {
        /// Number of bytes present.
        bytes: usize,
        /// Size of a row, bytes.
        expected: usize,
    },
    /// A number is infinite, or NaN.
    NotFinite {
        /// The column.
        column: &'static str,
    },
    /// A position is beyond the codec's reach.
    OutOfReach {
        /// The column.
        column: &'static str,
        /// The refused position along that axis, m.
        value: f32,
    },
    /// A quaternion's length is not 1.
    NotUnit {
        /// The quaternion's length.
        length: f32,
    },
    /// Half a side is not above 0, or too long.
    HalfSize {
        /// The refused half side, m.
        value: f32,
    },
    /// A time is too far from any tick.
    OffTick {
        /// The row's time, s.
        time: f64,
        /// Ticks a second.
        hz: u32,
        /// Distance to the nearest tick, ms.
        off_ms: f64,
    },
    /// Rows are not in the order of their ticks.
    TickBefore {
        /// The row's tick.
        tick: u64,
        /// The tick of the row before.
        before: u64,
    },
    /// Rows are not in the order of their times.
    TimeBefore {
        /// The row's time, s.
        time: f64,
        /// The time of the row before, s.
        before: f64,
    },
    /// An object has two rows of one tick.
    Twice {
        /// The object's number.
        object: u32,
        /// The tick of both rows.
        tick: u64,
    },
    /// An event has an unknown name or number.
    NotAnEvent {
        /// The field, shortened.
        text: String,
    },
    /// An object ends that has not appeared yet.
    NotThere {
        /// The object's number.
        object: u32,
    },
    /// An ended object has a row that does not begin it again.
    AfterEnd {
        /// The object's number.
        object: u32,
        /// The tick of its end.
        ended: u64,
    },
    /// More objects than allowed.
    TooManyObjects,
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fields { fields, expected } => {
                write!(f, "{fields} fields, where there are {expected} columns")
            }
            Self::NotANumber { column, text } => {
                write!(f, "{column} is \"{text}\", which is no number that fits")
            }
            Self::Truncated { bytes, expected } => {
                write!(f, "cut off after {bytes} of {expected} bytes")
            }
            Self::NotFinite { column } => write!(f, "{column} is infinite or not a number"),
            Self::OutOfReach { column, value } => {
                write!(
                    f,
                    "{column} is {value} m: it goes from -{REACH_M} to below {REACH_M} m"
                )
            }
            Self::NotUnit { length } => {
                write!(
                    f,
                    "the quaternion's length is {length}: that of a rotation is 1"
                )
            }
            Self::HalfSize { value } => {
                write!(
                    f,
                    "half a side is {value} m: it is above 0 and at most {HALF_SIZE_MAX_M}"
                )
            }
            Self::OffTick { time, hz, off_ms } => {
                write!(
                    f,
                    "time {time:.4} s is {off_ms:.1} ms off a tick of {hz} Hz: nothing is resampled, so the times are those of a whole number of ticks a second"
                )
            }
            Self::TickBefore { tick, before } => {
                write!(
                    f,
                    "tick {tick} comes after tick {before}: rows are in the order of their ticks"
                )
            }
            Self::TimeBefore { time, before } => {
                write!(
                    f,
                    "time {time} s comes after time {before} s: rows are in the order of their times"
                )
            }
            Self::Twice { object, tick } => {
                write!(f, "object {object} has two rows of tick {tick}")
            }
            Self::NotAnEvent { text } => write!(
                f,
                "event is \"{text}\": it is empty, {}",
                MotionEvent::ALL.map(MotionEvent::name)[1..].join(", ")
            ),
            Self::NotThere { object } => {
                write!(f, "object {object} ends, and has had no row before")
            }
            Self::AfterEnd { object, ended } => write!(
                f,
                "object {object} ended in tick {ended}: another row of it needs the event spawn"
            ),
            Self::TooManyObjects => write!(
                f,
                "more than {OBJECTS_MAX} objects: the number of one that has ended can be used again, with the event spawn"
            ),
        }
    }
}

/// An event of an object, from its row's tick on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MotionEvent {
    /// No event: the object continues. Its first row begins it.
    #[default]
    None,
    /// The object jumps: it continues elsewhere, without a path between both places.
    Jump,
    /// The object disappears.
    End,
    /// The object begins a new life, after an end or in place of its present one.
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

    /// Returns the event of a number in a binary file.
    pub(super) fn from_number(number: u32) -> Option<MotionEvent> {
        MotionEvent::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// Reads an event from a field of a text file: a name or a number.
    pub(super) fn parse(text: &str) -> Option<MotionEvent> {
        let text = text.trim();
        let by_name = |event: &MotionEvent| event.name().eq_ignore_ascii_case(text);
        let named = MotionEvent::ALL.into_iter().find(by_name);
        named.or_else(|| MotionEvent::from_number(text.parse().ok()?))
    }
}
