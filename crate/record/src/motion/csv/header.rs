//! The first lines of a motion's text: facts such as `rate=60` and `up=y`, then the names of the columns.

use super::super::MotionError;
use super::super::rows::{Columns, EVENT, NAMES, SIZE_MAX_M, TIME};
use crate::session_config::Shape;
use snapshot_base::text::shorten;
use snapshot_netsim::table::asked::{self, Asked, LEFT_OUT};
use snapshot_netsim::table::{COLUMNS_MAX, Fact, Table};

/// Names of the facts.
const FACTS: [&str; 13] = [
    "rate", "up", "hand", "unit", "angle", "silent", "size", "shape", "columns", "order", "comma",
    "part", "sep",
];

/// The end of a message that asks about the columns of a motion.
const NEEDS: &str = ". A motion has tick (with rate=60 for the ticks of a second) or time_s, time_ms or time; object; x, y, z (two of them in a flat game), with their unit, such as unit=m or unit=cm; perhaps qx, qy, qz, qw, or q0 to q3 with order=wxyz or order=xyzw";

/// Returns true for the name of a fact, in small letters.
pub(super) fn is_fact(name: &str) -> bool {
    FACTS.contains(&name)
}

/// Facts in lines above the names of the columns: the rate, and the axes and units of the file.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) hz: Option<f64>,
    pub(super) y_up: bool,
    left_handed: bool,
    /// True if a fact states an axis or the hand of the axes.
    states_axes: bool,
    metres: Option<f64>,
    degrees: bool,
    /// True if an object without rows has ended; false if it stands still.
    pub(super) silent_end: bool,
    /// Side of every object without columns of sizes, in the file's unit.
    size: Option<f64>,
    pub(super) shape: Shape,
    /// The part of a file whose time begins anew, from 1.
    pub(super) part: Option<usize>,
    /// Words for all columns, by their places.
    words: Option<Vec<String>>,
    /// True if w is the first number of a quaternion.
    w_first: Option<bool>,
}

impl Facts {
    /// Reads the facts of a table; later ones override earlier ones.
    ///
    /// # Errors
    /// When a fact cannot have its value.
    pub(super) fn read(table: &Table<'_>) -> Result<Facts, MotionError> {
        let words = table.words().map_err(MotionError::header)?;
        let words = words.map(|words| words.into_iter().map(str::to_string).collect());
        let mut facts = Facts {
            words,
            ..Facts::default()
        };
        for fact in &table.facts {
            facts.add(fact)?;
        }
        Ok(facts)
    }

    fn add(&mut self, fact: &Fact<'_>) -> Result<(), MotionError> {
        let (name, value) = (fact.name.to_ascii_lowercase(), fact.value);
        let word = value.to_ascii_lowercase();
        let refused = |choices| {
            Err(MotionError::header(format!(
                "{name} is \"{}\": it is {choices}",
                shorten(value)
            )))
        };
        let number: Option<f64> = word.replacen(',', ".", 1).parse().ok();
        self.states_axes |= ["up", "hand"].contains(&&name[..]);
        match (&name[..], &word[..]) {
            ("rate", _) => {
                let hz = number.filter(|hz| (1.0..=240.0).contains(hz));
                let refused = || MotionError::rate(format!("\"{}\"", shorten(value)));
                self.hz = Some(hz.ok_or_else(refused)?);
            }
            ("up", "y" | "z") => self.y_up = word == "y",
            ("up", _) => return refused("y or z"),
            ("hand", "left" | "right") => self.left_handed = word == "left",
            ("hand", _) => return refused("left or right"),
            ("unit", _) => match metres_of(&word)
                .or(number)
                .filter(|metres| METRES.contains(metres))
            {
                Some(metres) => self.metres = Some(metres),
                None => return refused("m, cm, mm, in, ft or a number of metres"),
            },
            ("angle", "deg" | "rad") => self.degrees = word == "deg",
            ("angle", _) => return refused("deg or rad"),
            ("silent", "end" | "stand") => self.silent_end = word == "end",
            ("silent", _) => return refused("end or stand"),
            ("size", _) => match number.filter(|size| *size > 0.0 && size.is_finite()) {
                Some(size) => self.size = Some(size),
                None => return refused("the side of each object, a number above 0"),
            },
            ("shape", _) => match Shape::ALL.into_iter().find(|shape| shape.name() == word) {
                Some(shape) => self.shape = shape,
                None => return refused("box or sphere"),
            },
            ("order", "wxyz" | "xyzw") => self.w_first = Some(word == "wxyz"),
            ("order", _) => return refused("wxyz or xyzw"),
            ("part", _) => match word.parse().ok().filter(|part| *part > 0) {
                Some(part) => self.part = Some(part),
                None => return refused("the number of a part, from 1"),
            },
            // The table has read the others.
            _ => {}
        }
        Ok(())
    }

    /// Returns the word for a column: by a fact, or by a name that leaves no doubt. `None` for a column that is not known.
    fn word(&self, at: usize, name: &str) -> Option<String> {
        if let Some(words) = &self.words {
            return words.get(at).filter(|word| *word != LEFT_OUT).cloned();
        }
        match &name.trim().to_lowercase()[..] {
            "t" => Some(TIME.to_string()),
            "id" => Some(NAMES[1].to_string()),
            name => {
                let is_time = name.starts_with(TIME) && asked::instant(name).is_some();
                (is_time || NAMES.contains(&name)).then(|| name.to_string())
            }
        }
    }

    /// Puts the words of facts in place of the guesses of a table's columns.
    pub(super) fn answer(&self, table: &Table<'_>, asked: &mut Asked) {
        if let (Some(w_first), Some(order)) = (self.w_first, &mut asked.order) {
            *order = (
                if w_first { "wxyz" } else { "xyzw" },
                "the file's first lines say so",
            );
        }
        let is_stated = self.words.is_some();
        for ((at, name), column) in table.names.iter().enumerate().zip(&mut asked.columns) {
            let word = match self.word(at, name) {
                // A time without a unit may be in another one than seconds.
                Some(word) if is_stated || word != TIME => word,
                None if is_stated => LEFT_OUT.to_string(),
                Some(_) | None => continue,
            };
            let mut known = asked::MOTION_WORDS.iter().chain(&asked::LINK_WORDS);
            let known = known.find(|known| **known == word).copied();
            (column.guess, column.reason) = (known.unwrap_or(LEFT_OUT), "");
        }
    }

    /// Words for all columns, if a line `columns=` states them.
    pub(super) fn words(&self) -> Option<&[String]> {
        self.words.as_deref()
    }

    /// Index in [`NAMES`] of a word; an instant has index 0.
    fn place(&self, word: &str) -> Option<usize> {
        if asked::instant(word).is_some() {
            return Some(0);
        }
        match (word, self.w_first) {
            ("q0", Some(true)) => Some(8),
            ("q0", Some(false)) => Some(5),
            ("q1" | "q2" | "q3", Some(w_first)) => {
                let number = usize::from(word.as_bytes()[1] - b'0');
                Some(5 + number - usize::from(w_first))
            }
            _ => NAMES.iter().position(|name| *name == word),
        }
    }

    /// Radians in a unit of the file's angular velocities.
    pub(super) fn radians(&self) -> f32 {
        if self.degrees {
            1.0_f32.to_radians()
        } else {
            1.0
        }
    }

    /// Returns half the side in metres of every object without columns of sizes; `None` if no fact states it.
    ///
    /// # Errors
    /// When the size is larger than any object may be.
    pub(super) fn half_m(&self) -> Result<Option<f32>, MotionError> {
        match self.size.map(|size| size * self.metres()) {
            Some(size_m) if size_m > f64::from(SIZE_MAX_M) => Err(MotionError::header(format!(
                "size is {size_m} m: it is at most {SIZE_MAX_M} m"
            ))),
            size_m => Ok(size_m
                .map(|size_m| (size_m / 2.0) as f32)
                .filter(|half_m| *half_m > 0.0)),
        }
    }

    /// Metres in a unit of the positions.
    pub(super) fn metres(&self) -> f64 {
        self.metres.unwrap_or(1.0)
    }

    pub(super) fn states_unit(&self) -> bool {
        self.metres.is_some()
    }

    /// Returns a note about the unit and the axes that no fact states; `None` if facts state both.
    pub(super) fn assumed(&self) -> Option<String> {
        Some(match (self.states_unit(), self.states_axes) {
            (true, true) => return None,
            (false, true) => "no unit is given: metres are assumed. A first line unit=cm changes that",
            (true, false) => "no axes are given: z is taken as up. A first line up=y changes that",
            (false, false) => "no unit and no axes are given: metres are assumed, and z as up. First lines unit=cm and up=y change that",
        }
        .to_string())
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

/// The columns of a table, each known for certain or left out.
#[derive(Debug)]
pub(super) struct Header {
    /// For each column, the index of its name in [`NAMES`]; `None` for a column that is left out.
    pub(super) places: Vec<Option<usize>>,
    /// Seconds in a unit of the times; `None` if rows have ticks.
    pub(super) unit_s: Option<f64>,
    /// True if the column of times tells no unit: it is in seconds, or has times of a clock.
    pub(super) assumes_seconds: bool,
    pub(super) columns: Columns,
    pub(super) has_orientation: bool,
    pub(super) notes: Vec<String>,
}

impl Header {
    /// Name of the column of ticks or times.
    pub(super) fn instant(&self) -> &'static str {
        match self.unit_s {
            Some(_) => TIME,
            None => NAMES[0],
        }
    }

    /// Returns true if a column is there, by its index in [`NAMES`].
    fn has(&self, place: usize) -> bool {
        self.places.contains(&Some(place))
    }

    /// Returns true if a column names the object of a row.
    pub(super) fn has_objects(&self) -> bool {
        self.has(1)
    }

    /// Returns the question for the columns, after words that say why.
    pub(super) fn ask(&self, table: &Table<'_>, why: &str) -> MotionError {
        match Asked::new(table) {
            Some(asked) => MotionError::header(format!("{why}{}", asked.message(NEEDS))),
            None => MotionError::of_first_line(table.first_line()),
        }
    }

    /// Asks for the rate of ticks if the file does not state it, and a column that is left out has the name of a time.
    fn check_rate(&self, table: &Table<'_>, facts: &Facts) -> Result<(), MotionError> {
        if self.unit_s.is_some() || facts.hz.is_some() {
            return Ok(());
        }
        let mut others = table.names.iter().zip(&self.places);
        let time = others.find(|(name, place)| place.is_none() && asked::names_a_time(name));
        match time {
            None => Ok(()),
            Some((name, _)) => Err(MotionError::header(format!(
                "how many ticks a second? The file has ticks and no rate, and \"{}\" may be its time. A first line such as rate=60 says so, or a line columns= with time_s or time_ms for that column",
                shorten(name)
            ))),
        }
    }

    /// Finds the columns.
    ///
    /// # Errors
    /// When a column is not known for certain: the error asks for it.
    pub(super) fn read(table: &Table<'_>, facts: &Facts) -> Result<Header, MotionError> {
        if table.names.len() > COLUMNS_MAX {
            return Err(MotionError::header(format!(
                "more than {COLUMNS_MAX} columns"
            )));
        }
        let mut header = Header {
            places: Vec::new(),
            unit_s: None,
            assumes_seconds: false,
            columns: Columns::default(),
            has_orientation: false,
            notes: Vec::new(),
        };
        let mut is_certain = true;
        for (at, name) in table.names.iter().enumerate() {
            let word = facts.word(at, name);
            let place = word.as_deref().and_then(|word| facts.place(word));
            if let Some(unit_s) = word.as_deref().and_then(asked::instant) {
                header.unit_s = Some(unit_s.unwrap_or(1.0));
                header.assumes_seconds = unit_s.is_none();
            }
            is_certain &= place.is_none_or(|place| !header.has(place));
            if place.is_none() {
                // A second column of times may be the right one, and so may a word that needs another fact.
                let mut parts = name.rsplit(|letter: char| !letter.is_alphanumeric());
                let unit = parts.next().unwrap_or_default().to_lowercase();
                let is_time = asked::seconds_in(&unit).is_some();
                is_certain &= facts.words.is_some() || !is_time || facts.hz.is_some();
                is_certain &= !word.is_some_and(|word| word.starts_with('q'));
            }
            header.places.push(place);
        }
        let all = |mut range: std::ops::Range<usize>| range.all(|place| header.has(place));
        let any = |mut range: std::ops::Range<usize>| range.any(|place| header.has(place));
        let groups = [5..9, 9..12, 12..15, 15..18];
        let mut groups = groups.into_iter();
        // A person's words may have two axes: the game is flat.
        let axes = (2..5).filter(|axis| header.has(*axis)).count();
        is_certain &= header.has(0) && (axes == 3 || axes == 2 && facts.words.is_some());
        is_certain &= groups.all(|group| all(group.clone()) || !any(group));
        let asked = Asked::new(table);
        // A column of another name may hold what is missing.
        let guesses = |begin: &str| {
            let mut columns = asked.iter().flat_map(|asked| &asked.columns);
            columns.any(|column| column.guess.starts_with(begin))
        };
        is_certain &= facts.words.is_some()
            || (any(5..9) || !guesses("q")) && (header.has(1) || !guesses(NAMES[1]));
        if !is_certain {
            return Err(header.ask(table, ""));
        }
        header.check_rate(table, facts)?;
        let columns = Columns {
            linear_velocity: all(9..12),
            angular_velocity: all(12..15),
            half_size: all(15..18),
            event: header.has(EVENT),
        };
        (header.has_orientation, header.columns) = (all(5..9), columns);
        header.note_left_out(table);
        Ok(header)
    }

    fn note_left_out(&mut self, table: &Table<'_>) {
        const ANGLE_WORDS: &str = "yaw,pitch,roll,euler,angle,heading,rot,rx";
        let left_out = || (0..self.places.len()).filter(|at| self.places[*at].is_none());
        let is_angle = |at: usize| {
            let name = table.names[at].to_lowercase();
            ANGLE_WORDS.split(',').any(|word| name.contains(word))
        };
        let mut notes = Vec::from_iter(table.left_out_note(left_out()));
        let flat = (2..5).find(|axis| !self.has(*axis));
        notes.extend(flat.map(|axis| format!("there is no {}: it is 0", NAMES[axis])));
        if !self.has_orientation {
            notes.push(match left_out().any(is_angle) {
                true => ANGLES.to_string(),
                false => "there are no orientations: nothing turns".to_string(),
            });
        }
        self.notes = notes;
    }
}

/// Note on Euler angles: engines turn about their axes in different orders, so three angles may mean several orientations.
const ANGLES: &str = "angles are no orientation, as each engine turns by them in another order: nothing turns, unless qx, qy, qz, qw are written";
