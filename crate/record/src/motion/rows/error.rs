//! Reasons for which a row is refused.

use super::*;
use std::fmt;

/// The fault of a row.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RowError {
    /// A row with more or fewer fields than columns.
    Fields {
        /// Fields that it has.
        fields: usize,
        /// Columns.
        expected: usize,
    },
    /// A field is no number of its column's kind.
    NotANumber {
        /// The column.
        column: &'static str,
        /// The field, shortened.
        text: String,
    },
    /// A row that is cut off.
    Truncated {
        /// Bytes that there are.
        bytes: usize,
        /// Bytes of a row.
        expected: usize,
    },
    /// A number is infinite, or none.
    NotFinite {
        /// The column.
        column: &'static str,
    },
    /// A position is out of reach.
    OutOfReach {
        /// The column.
        column: &'static str,
        /// m.
        value: f32,
    },
    /// A quaternion is no rotation.
    NotUnit {
        /// Its length.
        length: f32,
    },
    /// Half a side is not above 0, or too long.
    HalfSize {
        /// m.
        value: f32,
    },
    /// A time is not that of a tick.
    OffTick {
        /// The time, s.
        time: f64,
        /// Ticks a second.
        hz: u32,
        /// Distance to the nearest tick, ms.
        off_ms: f64,
    },
    /// Rows are not in the order of their ticks.
    TickBefore {
        /// The row's.
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
        /// The object.
        object: u32,
        /// The tick.
        tick: u64,
    },
    /// An event has no such name or number.
    NotAnEvent {
        /// The field, shortened.
        text: String,
    },
    /// An object ends that has never been there.
    NotThere {
        /// The object.
        object: u32,
    },
    /// A row of an ended object that does not begin the object again.
    AfterEnd {
        /// The object.
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
                Event::ALL.map(Event::name)[1..].join(", ")
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
