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
            Err(MotionError::header(format!(
                "{name} is \"{}\": it is {choices}",
                shorten(value)
            )))
        };
        // A line of names goes on with another sign.
        let is_fact = line[end..].trim_start().starts_with('=');
        match (&name[..], &word[..]) {
            ("rate", _) => {
                let hz: Option<f64> = value.replacen(',', ".", 1).parse().ok();
                let hz = hz.filter(|hz| (1.0..=240.0).contains(hz));
                let refused = || MotionError::rate(format!("\"{}\"", shorten(value)));
                self.hz = Some(hz.ok_or_else(refused)?);
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

    /// Returns the meaning of a column; `None` if it is unknown. A fact states the meaning, or else the column's name does,
    /// unless a fact gives this meaning to another column.
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
    /// When the size is larger than any object may be.
    pub(super) fn half_m(&self, metres: f64) -> Result<Option<f32>, MotionError> {
        let Some(size) = self.size else {
            return Ok(None);
        };
        let size_m = size * metres;
        if size_m > f64::from(SIZE_MAX_M) {
            let refusal = format!("size is {size_m} m: it is at most {SIZE_MAX_M} m");
            return Err(MotionError::header(refusal));
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
    /// Seconds in a unit of the times; `None` if rows have ticks, `Some(None)` if the file does not state the unit.
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
    /// Name of the column of ticks or times.
    pub(super) fn instant(&self) -> &'static str {
        match self.time {
            Some(_) => TIME,
            None => NAMES[0],
        }
    }

    /// Reads the line of names; an error if a required column is missing or comes twice.
    pub(in crate::motion) fn read(line: &str, facts: &Facts) -> Result<Header, MotionError> {
        let delimiter = Delimiter::detect(line);
        let mut named = NamedColumns::read(line, delimiter, facts)?;
        let has_angles = named.leave_out_angles(line, delimiter);
        named.check()?;
        let has_orientation = named.has(5);
        let mut notes = Vec::from_iter(named.left_out.note());
        if !has_orientation {
            notes.push(match has_angles {
                true => ANGLES.to_string(),
                false => "there are no orientations: nothing turns".to_string(),
            });
        }
        let metres = named.metres.or(facts.metres);
        Ok(Header {
            delimiter,
            time: named.time,
            columns: Columns {
                linear_velocity: named.has(9),
                angular_velocity: named.has(12),
                half_size: named.has(15),
                event: named.has(EVENT),
            },
            has_orientation,
            metres: metres.unwrap_or(1.0),
            states_unit: metres.is_some(),
            places: named.places,
            notes,
        })
    }
}

/// The columns of a line of names.
#[derive(Default)]
struct NamedColumns {
    places: Vec<Option<usize>>,
    time: Option<Option<f64>>,
    metres: Option<f64>,
    left_out: LeftOut,
}

impl NamedColumns {
    fn read(line: &str, delimiter: Delimiter, facts: &Facts) -> Result<NamedColumns, MotionError> {
        let mut named = NamedColumns::default();
        for field in delimiter.fields(line) {
            if named.places.len() == COLUMNS_MAX {
                let refusal = format!("more than {COLUMNS_MAX} columns");
                return Err(MotionError::header(refusal));
            }
            let known = facts.column(field);
            match known {
                Some(ColumnName::Time(unit_s)) => named.time = Some(unit_s),
                Some(ColumnName::At(_, metres)) => named.metres = metres.or(named.metres),
                None => {}
            }
            let mut place = known.map(ColumnName::place);
            // A file may have both the id and the name of an object, of which the id is unique.
            let earlier = named.places.iter().position(|it| *it == Some(1));
            if let Some(earlier) = earlier.filter(|_| place == Some(1)) {
                let is_name = |field: &str| field.eq_ignore_ascii_case("name");
                let earlier_field = delimiter.fields(line).nth(earlier).unwrap_or_default();
                if is_name(field) {
                    place = None;
                } else if is_name(earlier_field) {
                    named.places[earlier] = None;
                    named.left_out.add(earlier_field);
                }
            }
            if let Some(place) = place.filter(|place| named.has(*place)) {
                let twice = match place {
                    0 => "tick or time".to_string(),
                    _ => format!("column {}", NAMES[place]),
                };
                return Err(MotionError::header(format!("{twice} comes twice")));
            }
            if place.is_none() {
                named.left_out.add(field);
            }
            named.places.push(place);
        }
        Ok(named)
    }

    fn has(&self, place: usize) -> bool {
        self.places.contains(&Some(place))
    }

    /// Leaves out angles whose names could be those of a quaternion's parts. Returns true if there are angles.
    fn leave_out_angles(&mut self, line: &str, delimiter: Delimiter) -> bool {
        let small = line.to_lowercase();
        let names_any = |words: &[&str]| words.iter().any(|word| small.contains(word));
        let is_angle = |place: &Option<usize>| matches!(place, Some(5..9));
        let angles = self.places.iter().filter(|place| is_angle(place)).count();
        let is_no_quaternion = angles > 0 && angles < 4;
        if is_no_quaternion && names_any(&["rot", "orient", "rx"]) && !names_any(&["quat", "qx"]) {
            let fields = delimiter.fields(line).zip(&mut self.places);
            for (field, place) in fields.filter(|(_, place)| is_angle(place)) {
                *place = None;
                self.left_out.add(field);
            }
        }
        is_no_quaternion || names_any(&["yaw", "pitch", "roll", "euler", "angle", "heading"])
    }

    /// Returns an error if a column is missing: a required one, or one of a vector whose others are there.
    fn check(&self) -> Result<(), MotionError> {
        let any = |mut places: std::ops::Range<usize>| places.any(|place| self.has(place));
        let required = [0].into_iter().chain(2..5);
        let mut required = required.chain((5..9).filter(|_| any(5..9)));
        if let Some(missing) = required.find(|place| !self.has(*place)) {
            let unknown = match &self.left_out.0[..] {
                [] => String::new(),
                some => format!("; not known are {}", some[..some.len().min(4)].join(", ")),
            };
            let name = NAMES[missing];
            return Err(MotionError::header(format!(
                "column {name} is missing{unknown}. A line {name}=NAME above the names says which column it is"
            )));
        }
        for first in [9, 12, 15] {
            let mut all = first..first + 3;
            if any(all.clone()) && !all.all(|place| self.has(place)) {
                let names = NAMES[first..first + 3].join(",");
                let refusal = format!("of columns {names} some are missing");
                return Err(MotionError::header(refusal));
            }
        }
        Ok(())
    }
}

/// Names of columns that are left out, in quotes: one more than a note has.
#[derive(Debug, Default)]
pub(in crate::motion) struct LeftOut(Vec<String>);

impl LeftOut {
    /// Upper limit of the names in a note.
    const NOTED_MAX: usize = 8;

    pub(in crate::motion) fn add(&mut self, name: &str) {
        // A sign at the end of each line makes a column without a name.
        if self.0.len() <= Self::NOTED_MAX && !name.is_empty() {
            self.0.push(format!("\"{}\"", shorten(name)));
        }
    }

    pub(in crate::motion) fn add_once(&mut self, name: &str) {
        if !self.0.contains(&format!("\"{}\"", shorten(name))) {
            self.add(name);
        }
    }

    pub(in crate::motion) fn note(&self) -> Option<String> {
        let noted = self.0.len().min(Self::NOTED_MAX);
        let more = if self.0.len() > noted { ", …" } else { "" };
        (noted > 0).then(|| format!("columns left out: {}{more}", self.0[..noted].join(", ")))
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

/// Returns the index of the first of the three or four columns whose names have this word before the axis' letter.
fn first_column(stem: &str) -> Option<usize> {
    Some(match stem {
        "" | "p" | "pos" | "position" | "loc" | "location" | "translation" | "worldposition" => 2,
        "q" | "quat" | "quaternion" | "rot" | "rotation" | "orientation" | "r" => 5,
        "v" | "vel" | "velocity" | "linvel" | "linearvelocity" => 9,
        "w" | "angvel" | "angularvelocity" | "omega" => 12,
        "h" | "half" | "halfsize" | "halfextents" => 15,
        _ => return None,
    })
}

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
        let first = first_column(stem)?;
        let axis = match axis {
            'x' | '0' => 0,
            'y' | '1' => 1,
            'z' | '2' => 2,
            'w' | '3' if first == 5 => 3,
            _ => return None,
        };
        // A single letter with a digit is no axis.
        let is_digit = name.ends_with(|letter: char| letter.is_ascii_digit());
        let unit = metres.filter(|_| first == 2);
        (!(is_digit && stem.len() < 3)).then_some(ColumnName::At(first + axis, unit))
    }
}
