//! A row of the table of figures.

use super::{FIGURES, Live, Report};
use serde::{Serialize, Serializer};
use std::fmt;

/// A measured quantity of a lane.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Figure {
    /// Path of the value in the JSON of a tick ([`Live`]) and of a run ([`Report`]).
    pub id: &'static str,
    /// Name of the measured value, for people.
    pub name: &'static str,
    pub unit: Unit,
    /// Unit as text after a value; empty for counts and frames.
    pub unit_text: &'static str,
    pub better: Better,
    /// Explanation of the measured value, for people.
    pub help: &'static str,
    /// The value at a tick; `None` if the value exists only for runs.
    #[serde(rename = "by_tick")]
    #[cfg_attr(feature = "ts", ts(as = "Option<TimeWindow>"))]
    pub(super) tick: Option<Reading<Live>>,
    /// The value of a run; `None` if the value exists only for ticks.
    #[serde(rename = "by_run")]
    #[cfg_attr(feature = "ts", ts(as = "Option<TimeWindow>"))]
    pub(super) run: Option<Reading<Report>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    Kbps,
    Bytes,
    Bits,
    Percent,
    Mm,
    Pixels,
    Degrees,
    Ms,
    Frame,
    Count,
}

impl Unit {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Unit::Kbps => "kbit/s",
            Unit::Bytes => "bytes",
            Unit::Bits => "bits",
            Unit::Percent => "%",
            Unit::Mm => "mm",
            Unit::Pixels => "pixels",
            Unit::Degrees => "degrees",
            Unit::Ms => "ms",
            Unit::Frame | Unit::Count => "",
        }
    }
}

/// Direction in which a figure gets better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Better {
    Less,
    More,
    /// Neither larger nor smaller values are better.
    Neither,
}

/// Time that a value covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum TimeWindow {
    /// The tick itself; of a run, its last tick.
    Now,
    /// The last second.
    Second,
    /// All ticks since the lane began.
    All,
}

/// Way to read a figure's number from the values `T` of a tick or of a run. Its JSON is the time that the number covers.
pub(super) struct Reading<T> {
    pub(super) over: TimeWindow,
    pub(super) read: fn(&T) -> Option<f64>,
}

impl<T> Serialize for Reading<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.over.serialize(serializer)
    }
}

impl Figure {
    /// Returns the row of the table with this id.
    ///
    /// # Panics
    ///
    /// When there is no such row; for a constant that is a compile error.
    pub const fn by_id(id: &str) -> &'static Figure {
        let mut place = 0;
        while place < FIGURES.len() {
            if is_same(FIGURES[place].id.as_bytes(), id.as_bytes()) {
                return &FIGURES[place];
            }
            place += 1;
        }
        panic!("the table of figures has no such id")
    }

    /// Returns the row of the table with an id that a person or a script gave; `None` if there is none.
    pub fn find(id: &str) -> Option<&'static Figure> {
        FIGURES.iter().find(|figure| figure.id == id)
    }

    /// Returns the value at a tick; `None` if it does not exist for ticks, or not for this strategy.
    pub fn of_tick(&self, live: &Live) -> Option<f64> {
        self.tick.as_ref().and_then(|tick| (tick.read)(live))
    }

    /// Returns the value of a run; `None` if it does not exist for runs, or not for this strategy.
    pub fn of_run(&self, report: &Report) -> Option<f64> {
        self.run.as_ref().and_then(|run| (run.read)(report))
    }

    /// Returns the time that the value of a run covers; `None` if the value exists only for ticks.
    pub fn run_window(&self) -> Option<TimeWindow> {
        self.run.as_ref().map(|run| run.over)
    }

    /// Returns the heading of a column: the row's id and unit.
    pub fn heading(&self) -> String {
        match self.unit_text {
            "" => self.id.to_owned(),
            unit => format!("{} ({unit})", self.id),
        }
    }
}

impl fmt::Debug for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl PartialEq for Figure {
    fn eq(&self, other: &Figure) -> bool {
        self.id == other.id
    }
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut place = 0;
    while place < a.len() {
        if a[place] != b[place] {
            return false;
        }
        place += 1;
    }
    true
}

/// Conversion of a field to a number, or to `None` where the field has no value.
pub(super) trait Number {
    fn number(&self) -> Option<f64>;
}

impl Number for f64 {
    fn number(&self) -> Option<f64> {
        Some(*self)
    }
}

impl Number for u64 {
    fn number(&self) -> Option<f64> {
        Some(*self as f64)
    }
}

impl Number for u32 {
    fn number(&self) -> Option<f64> {
        Some(f64::from(*self))
    }
}

impl Number for bool {
    fn number(&self) -> Option<f64> {
        Some(f64::from(u8::from(*self)))
    }
}

impl<T: Number> Number for Option<T> {
    fn number(&self) -> Option<f64> {
        self.as_ref().and_then(Number::number)
    }
}
