//! The first lines of a motion's text: facts such as `rate=60` and `up=y`, then the names of the columns.

use super::super::MotionError;
use super::super::rows::{Columns, EVENT, NAMES, SIZE_MAX_M, TIME};
use crate::agreed::Shape;
use snapshot_base::text::{Delimiter, shorten};

/// Names of the facts. Each standard column name is a fact, too; its value is the column's name in the file.
pub(super) const FACTS: [&str; 8] = [
    "rate", "up", "hand", "unit", "angle", "silent", "size", "shape",
];

/// Upper limit of the number of columns. Each row is compared with all of them.
const COLUMNS_MAX: usize = 4096;

/// Facts in lines above the names of the columns: the rate, and the axes and units of the file.
#[derive(Debug, Default)]
pub(in crate::motion) struct Facts {
    pub(super) hz: Option<f64>,
    y_up: bool,
    left_handed: bool,
    metres: Option<f64>,
    degrees: bool,
    silent_end: bool,
    /// Side of every object without columns of sizes, in the file's unit.
    size: Option<f64>,
    shape: Shape,
    /// Columns by their names in the file, each with the index of its standard name; the time has index 0.
    columns: Vec<(usize, bool, String)>,
}

impl Facts {
    /// Reads a line such as `rate=60`, or `x=Pos X` for the column of that name. Returns false for a line of names.
    ///
    /// # Errors
    /// When the fact cannot have the value.
    pub(in crate::motion) fn read_line(&mut self, line: &str) -> Result<bool, MotionError> {
        let is_sign = |sign: char| sign.is_whitespace() || matches!(sign, '=' | ',' | ';' | '"');
        let line = line.trim_start_matches(is_sign).trim_end();
        let end = line.find(is_sign).unwrap_or(line.len());
        let (name, value) = (
            line[..end].to_ascii_lowercase(),
            line[end..].trim_matches(is_sign),
        );
        let word = value.to_ascii_lowercase();
        let refused = |choices| {
            let told = format!("{name} is \"{}\": it is {choices}", shorten(value));
            Err(MotionError::header(told))
        };
        // A line of names goes on with another sign.
        let is_fact = line[end..].trim_start().starts_with('=');
        match (&name[..], &word[..]) {
            ("rate", _) => {
                let hz: Option<f64> = value.replacen(',', ".", 1).parse().ok();
                let hz = hz.filter(|hz| (1.0..=240.0).contains(hz));
                let told = || MotionError::rate(format!("\"{}\"", shorten(value)));
                self.hz = Some(hz.ok_or_else(told)?);
            }
            ("up", "y" | "z") => self.y_up = word == "y",
            ("up", _) => return refused("y or z"),
            ("hand", "left" | "right") => self.left_handed = word == "left",
            ("hand", _) => return refused("left or right"),
            ("unit", _) => {
                let metres = metres_of(&word).or_else(|| word.replacen(',', ".", 1).parse().ok());
                let metres = metres.filter(|metres| METRES.contains(metres));
                match metres {
                    Some(metres) => self.metres = Some(metres),
                    None => return refused("m, cm, mm, in, ft or a number of metres"),
                }
            }
            // A line of Excel, which names the sign between fields.
            ("sep", _) if line[end..].trim_start().starts_with('=') => {}
            ("angle", "deg" | "rad") => self.degrees = word == "deg",
            ("angle", _) => return refused("deg or rad"),
            ("silent", "end" | "stand") => self.silent_end = word == "end",
            ("silent", _) => return refused("end or stand"),
            // A line of names may begin with such a column.
            ("size", _) if is_fact => {
                let size: Option<f64> = word.replacen(',', ".", 1).parse().ok();
                let size = size.filter(|size| *size > 0.0 && size.is_finite());
                self.size = Some(match size {
                    Some(size) => size,
                    None => return refused("the side of each object, a number above 0"),
                });
            }
            ("shape", _) if is_fact => {
                let mut shapes = Shape::ALL.into_iter();
                self.shape = match shapes.find(|shape| shape.name() == word) {
                    Some(shape) => shape,
                    None => return refused("box or sphere"),
                };
            }
            _ => {
                let is_time = name == TIME;
                let place = NAMES.iter().position(|known| *known == name);
                let place = place.or(is_time.then_some(0));
                let Some(place) = place.filter(|_| is_fact) else {
                    return Ok(false);
                };
                self.columns.retain(|(other, ..)| *other != place);
                self.columns.push((place, is_time, value.to_string()));
            }
        }
        Ok(true)
    }

    /// Radians in a unit of the file's angular velocities.
    pub(super) fn radians(&self) -> f32 {
        if self.degrees {
            1.0_f32.to_radians()
        } else {
            1.0
        }
    }

    /// Returns true if an object without rows has ended; false if it stands still.
    pub(super) fn is_silence_an_end(&self) -> bool {
        self.silent_end
    }

    /// Returns the meaning of a column: as a fact states it, else by its name, unless a fact gives this meaning to another
    /// column. `None` if it is unknown.
    pub(in crate::motion) fn column(&self, field: &str) -> Option<ColumnName> {
        let field = field.trim();
        if let Some((place, is_time, _)) = self.columns.iter().find(|(.., name)| name == field) {
            return Some(match is_time {
                true => ColumnName::Time(None),
                false => ColumnName::At(*place, None),
            });
        }
        let known = ColumnName::parse(field)?;
        let place = known.place();
        (!self.columns.iter().any(|(taken, ..)| *taken == place)).then_some(known)
    }

    /// Returns half the side in metres of every object without columns of sizes; `None` if no fact states it.
    ///
    /// # Errors
    /// When it is larger than any object may be.
    pub(super) fn half_m(&self, metres: f64) -> Result<Option<f32>, MotionError> {
        let Some(size) = self.size else {
            return Ok(None);
        };
        let size_m = size * metres;
        if size_m > f64::from(SIZE_MAX_M) {
            let told = format!("size is {size_m} m: it is at most {SIZE_MAX_M} m");
            return Err(MotionError::header(told));
        }
        Ok(Some((size_m / 2.0) as f32).filter(|half_m| *half_m > 0.0))
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    pub(super) fn is_y_up(&self) -> bool {
        self.y_up
    }

    /// Converts a vector from the file's axes to z up, right-handed.
    pub(super) fn turn<T: Copy + std::ops::Neg<Output = T>>(&self, [x, y, z]: [T; 3]) -> [T; 3] {
        match (self.y_up, self.left_handed) {
            (false, false) => [x, y, z],
            // As Godot and three.js have it.
            (true, false) => [x, -z, y],
            // As Unity has it.
            (true, true) => [x, z, y],
            // As Unreal has it.
            (false, true) => [x, -y, z],
        }
    }

    /// Converts an axis of rotation from the file's axes: in a mirrored space, rotations go the other way.
    pub(super) fn turn_axis(&self, axis: [f32; 3]) -> [f32; 3] {
        let turned = self.turn(axis);
        match self.left_handed {
            true => turned.map(|part| -part),
            false => turned,
        }
    }
}

/// Range of the metres in a unit that a file may state.
const METRES: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

fn metres_of(unit: &str) -> Option<f64> {
    match unit {
        "m" | "meters" | "metres" => Some(1.0),
        "cm" | "centimeters" | "centimetres" => Some(0.01),
        "mm" | "millimeters" | "millimetres" => Some(0.001),
        "in" | "inch" | "inches" => Some(0.0254),
        "ft" | "feet" => Some(0.3048),
        _ => None,
    }
}

#[derive(Debug)]
pub(in crate::motion) struct Header {
    pub(super) delimiter: Delimiter,
    /// For each field of a line, the index of its column's name; `None` for a column that is left out.
    pub(super) places: Vec<Option<usize>>,
    /// Seconds in a unit of the times; `None` if rows have ticks, `Some(None)` if the file does not say the unit.
    pub(super) time: Option<Option<f64>>,
    pub(super) columns: Columns,
    pub(super) has_orientation: bool,
    /// Metres in a unit of the positions.
    pub(super) metres: f64,
    /// True if the file states the unit of its positions.
    pub(super) states_unit: bool,
    pub(super) notes: Vec<String>,
}

impl Header {
    /// Reads the line of names; an error if a required column is missing or comes twice.
    pub(in crate::motion) fn read(line: &str, facts: &Facts) -> Result<Header, MotionError> {
        let delimiter = Delimiter::detect(line);
        let mut places: Vec<Option<usize>> = Vec::new();
        let (mut time, mut metres, mut unknown) = (None, None, Vec::new());
        for field in delimiter.fields(line) {
            if places.len() == COLUMNS_MAX {
                let told = format!("more than {COLUMNS_MAX} columns");
                return Err(MotionError::header(told));
            }
            let known = facts.column(field);
            if let Some(ColumnName::Time(unit_s)) = known {
                time = Some(unit_s);
            }
            if let Some(ColumnName::At(_, unit)) = known {
                metres = unit.or(metres);
            }
            let mut place = known.map(ColumnName::place);
            // A file may have both the id and the name of an object, of which the id is unique.
            let earlier = places.iter().position(|it| *it == Some(1));
            if let Some(earlier) = earlier.filter(|_| place == Some(1)) {
                let is_name =
                    |field: Option<&str>| field.is_some_and(|it| it.eq_ignore_ascii_case("name"));
                let earlier_field = delimiter.fields(line).nth(earlier);
                if is_name(Some(field)) {
                    place = None;
                } else if is_name(earlier_field) {
                    places[earlier] = None;
                    unknown.push(format!(
                        "\"{}\"",
                        shorten(earlier_field.unwrap_or_default())
                    ));
                }
            }
            if let Some(place) = place.filter(|place| places.contains(&Some(*place))) {
                let twice = match place {
                    0 => "tick or time".to_string(),
                    _ => format!("column {}", NAMES[place]),
                };
                return Err(MotionError::header(format!("{twice} comes twice")));
            }
            // A name more than are told. A sign at the end of each line makes a column without a name.
            if place.is_none() && unknown.len() < 9 && !field.is_empty() {
                unknown.push(format!("\"{}\"", shorten(field)));
            }
            places.push(place);
        }
        let small = line.to_lowercase();
        let names_any = |words: &[&str]| words.iter().any(|word| small.contains(word));
        let is_angle = |place: &Option<usize>| matches!(place, Some(5..9));
        let angles = places.iter().filter(|place| is_angle(place)).count();
        let has_angles = names_any(&["yaw", "pitch", "roll", "euler", "angle", "heading"]);
        let is_left_out = angles > 0 && angles < 4;
        if is_left_out && names_any(&["rot", "orient", "rx"]) && !names_any(&["quat", "qx"]) {
            let fields = delimiter.fields(line).zip(&mut places);
            for (field, place) in fields.filter(|(_, place)| is_angle(place)) {
                *place = None;
                if unknown.len() < 9 {
                    unknown.push(format!("\"{}\"", shorten(field)));
                }
            }
        }
        let has = |place: usize| places.contains(&Some(place));
        let all = |first: usize, count: usize| (first..first + count).all(has);
        let any = |first: usize, count: usize| (first..first + count).any(has);
        let has_orientation = any(5, 4);
        let required = [0].into_iter().chain(2..5);
        let required = required.chain((5..9).filter(|_| has_orientation));
        if let Some(missing) = required.into_iter().find(|place| !has(*place)) {
            let left_out = match &unknown[..] {
                [] => String::new(),
                some => format!("; not known are {}", some[..some.len().min(4)].join(", ")),
            };
            let name = NAMES[missing];
            return Err(MotionError::header(format!(
                "column {name} is missing{left_out}. A line {name}=NAME above the names says which column it is"
            )));
        }
        for first in [9, 12, 15] {
            if any(first, 3) && !all(first, 3) {
                let names = NAMES[first..first + 3].join(",");
                let told = format!("of columns {names} some are missing");
                return Err(MotionError::header(told));
            }
        }
        let mut notes = Vec::new();
        if !unknown.is_empty() {
            let more = if unknown.len() > 8 { ", …" } else { "" };
            unknown.truncate(8);
            notes.push(format!("columns left out: {}{more}", unknown.join(", ")));
        }
        if !has_orientation {
            notes.push(match has_angles || is_left_out {
                true => ANGLES.to_string(),
                false => "there are no orientations: nothing turns".to_string(),
            });
        }
        Ok(Header {
            delimiter,
            time,
            columns: Columns {
                linear_velocity: all(9, 3),
                angular_velocity: all(12, 3),
                half_size: all(15, 3),
                event: has(EVENT),
            },
            has_orientation,
            metres: metres.or(facts.metres).unwrap_or(1.0),
            states_unit: metres.or(facts.metres).is_some(),
            places,
            notes,
        })
    }
}

/// Note on Euler angles: engines turn about their axes in different orders, so three angles may mean several orientations.
const ANGLES: &str = "angles are no orientation, as each engine turns by them in another order: nothing turns, unless qx, qy, qz, qw are written";

#[derive(Clone, Copy)]
pub(in crate::motion) enum ColumnName {
    /// The time column: the factor to seconds (0.001 for ms) if its name states a unit.
    Time(Option<f64>),
    /// A known column: its index in [`NAMES`], and the factor to metres (0.01 for cm) if its name states a unit.
    At(usize, Option<f64>),
}

/// Words before an axis' letter, each with the index of the first of its three or four columns.
const STEMS: [(&str, usize); 28] = [
    ("", 2),
    ("p", 2),
    ("pos", 2),
    ("position", 2),
    ("loc", 2),
    ("location", 2),
    ("translation", 2),
    ("worldposition", 2),
    ("q", 5),
    ("quat", 5),
    ("quaternion", 5),
    ("rot", 5),
    ("rotation", 5),
    ("orientation", 5),
    ("r", 5),
    ("v", 9),
    ("vel", 9),
    ("velocity", 9),
    ("linvel", 9),
    ("linearvelocity", 9),
    ("w", 12),
    ("angvel", 12),
    ("angularvelocity", 12),
    ("omega", 12),
    ("h", 15),
    ("half", 15),
    ("halfsize", 15),
    ("halfextents", 15),
];

impl ColumnName {
    pub(in crate::motion) fn name(self) -> &'static str {
        match self {
            ColumnName::Time(_) => TIME,
            ColumnName::At(place, _) => NAMES[place],
        }
    }

    /// Index of the column in [`NAMES`].
    fn place(self) -> usize {
        match self {
            ColumnName::Time(_) => 0,
            ColumnName::At(place, _) => place,
        }
    }

    fn parse(field: &str) -> Option<ColumnName> {
        let mut words: Vec<String> = (field.split(|letter: char| !letter.is_alphanumeric()))
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let unit = words.last().cloned().unwrap_or_default();
        let seconds = match &unit[..] {
            "s" | "sec" | "seconds" => Some(1.0),
            "ms" | "msec" | "milliseconds" => Some(1e-3),
            "us" | "µs" | "microseconds" => Some(1e-6),
            "ns" | "nanoseconds" => Some(1e-9),
            _ => None,
        };
        let metres = metres_of(&unit);
        if words.len() > 1 && (seconds.is_some() || metres.is_some()) {
            words.pop();
        }
        let name = words.concat();
        match &name[..] {
            "seconds" | "s" => return Some(ColumnName::Time(Some(1.0))),
            "ms" | "milliseconds" => return Some(ColumnName::Time(Some(1e-3))),
            TIME | "t" | "timestamp" | "simtime" | "gametime" => {
                return Some(ColumnName::Time(seconds));
            }
            "tick" | "frame" | "step" | "tickcount" | "framenumber" => {
                return Some(ColumnName::At(0, None));
            }
            "object" | "id" | "objectid" | "instanceid" | "entity" | "entityid" | "name"
            | "guid" | "netid" | "networkid" | "actor" | "node" | "body" | "uuid" => {
                return Some(ColumnName::At(1, None));
            }
            "datetime" | "timeofday" | "clock" => return Some(ColumnName::Time(None)),
            "event" => return Some(ColumnName::At(EVENT, None)),
            _ => {}
        }
        let axis = name.chars().next_back()?;
        let stem = &name[..name.len() - axis.len_utf8()];
        let (_, first) = STEMS.iter().find(|(known, _)| *known == stem)?;
        let axis = match axis {
            'x' | '0' => 0,
            'y' | '1' => 1,
            'z' | '2' => 2,
            'w' | '3' if *first == 5 => 3,
            _ => return None,
        };
        // A single letter with a digit is no axis.
        let is_digit = name.ends_with(|letter: char| letter.is_ascii_digit());
        let unit = metres.filter(|_| *first == 2);
        (!(is_digit && stem.len() < 3)).then_some(ColumnName::At(first + axis, unit))
    }
}
