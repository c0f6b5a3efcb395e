//! Columns of a table that are not known for certain: what a person is asked, on the page and on the command line.
//!
//! A guess is never taken by itself. It is shown with its reason, and a person writes it, or something else, as a line
//! `columns=` above the table: a word for each column, such as `columns=time_ms,object,x,y,z,-`.

use super::{Fields, Table, is_value};
use snapshot_base::clock::ClockTime;
use snapshot_base::text::shorten;
use std::fmt::Write;

/// The word for a column that is left out.
pub const LEFT_OUT: &str = "-";
/// Words for the columns of a motion.
pub const MOTION_WORDS: [&str; 28] = [
    "tick", "time_s", "time_ms", "time_us", "time_ns", "object", "x", "y", "z", "qx", "qy", "qz",
    "qw", "q0", "q1", "q2", "q3", "vx", "vy", "vz", "wx", "wy", "wz", "hx", "hy", "hz", "event",
    "time",
];
/// Words for the columns of a recorded link, beside those of the time.
pub const LINK_WORDS: [&str; 10] = [
    "delay_s", "delay_ms", "delay_us", "rtt_s", "rtt_ms", "rtt_us", "lost", "bytes", "path", "seq",
];

/// Upper limits of the columns of a message, and of the rows that are shown.
const COLUMNS_SHOWN: usize = 24;
const ROWS_SHOWN: usize = 5;

/// A column of a table with a guess of what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedColumn {
    /// The column's name in the file; its number where the file has none.
    pub name: String,
    /// The guessed word of [`MOTION_WORDS`] or [`LINK_WORDS`], or [`LEFT_OUT`].
    pub guess: &'static str,
    /// The reason of the guess; empty without one.
    pub reason: &'static str,
}

/// A question about the columns of a table, with guesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The columns in the order of the file.
    pub columns: Vec<AskedColumn>,
    /// The first rows.
    pub rows: Vec<Vec<String>>,
    /// The guessed order of a quaternion's numbered parts, `wxyz` or `xyzw`, with its reason; `None` without such columns.
    pub order: Option<(&'static str, &'static str)>,
}

impl Asked {
    /// Returns what is asked about a table; `None` for a text that is no table of values.
    pub fn new(table: &Table<'_>) -> Option<Asked> {
        let columns = table.names.len();
        if !table.has_rows || !(2..=super::COLUMNS_MAX).contains(&columns) {
            return None;
        }
        let (mut rows, mut fields) = (table.rows(), Fields::default());
        let mut all = Vec::new();
        while all.len() < 200 && rows.next(&mut fields).is_some() {
            let texts = (0..columns).map(|at| shorten(fields.get(at)));
            all.push(texts.collect::<Vec<String>>());
        }
        let guesses = guess_all(&table.names, &all);
        let columns = guesses.into_iter().zip(&table.names).enumerate();
        let column = |(at, ((guess, reason), name)): (usize, (Guess, &String))| AskedColumn {
            name: match name.is_empty() {
                true => format!("column {}", at + 1),
                false => shorten(name),
            },
            guess,
            reason,
        };
        let columns: Vec<AskedColumn> = columns.map(column).collect();
        let order = order(&columns, &all);
        all.truncate(ROWS_SHOWN);
        Some(Asked {
            columns,
            rows: all,
            order,
        })
    }

    /// Returns the lines of facts that state the guesses.
    pub fn lines(&self) -> String {
        let words = self.columns.iter().map(|column| column.guess);
        let words: Vec<&str> = words.take(COLUMNS_SHOWN).collect();
        let is_cut = self.columns.len() > COLUMNS_SHOWN;
        let more = if is_cut { ",…" } else { "" };
        let order = self.order.map(|(order, _)| format!(" and order={order}"));
        format!(
            "columns={}{more}{}",
            words.join(","),
            order.unwrap_or_default()
        )
    }

    /// Returns one message that asks: the columns, the line to write, and the reasons of the guesses. `needs` names what else
    /// the file has to tell, such as `unit=m`.
    pub fn message(&self, needs: &str) -> String {
        const REASONS_SHOWN: usize = 4;
        let names = self.columns.iter().take(COLUMNS_SHOWN);
        let names: Vec<String> = names.map(|column| format!("\"{}\"", column.name)).collect();
        let first = self.rows.first().map_or(&[][..], Vec::as_slice);
        let mut text = format!(
            "which column is which? It has {}, first {}. Write a first line with a word for each, - for one to leave out; a guess is {}",
            names.join(", "),
            first[..first.len().min(COLUMNS_SHOWN)].join(", "),
            self.lines()
        );
        let columns = self.columns.iter();
        let reasons = columns.map(|column| (&column.name[..], column.reason));
        let reasons = reasons
            .chain(self.order)
            .filter(|(_, reason)| !reason.is_empty());
        let reasons = reasons.map(|(name, reason)| format!("{name}: {reason}"));
        let reasons: Vec<String> = reasons.take(REASONS_SHOWN).collect();
        if !reasons.is_empty() {
            let _ = write!(text, " ({})", reasons.join("; "));
        }
        text + needs
    }
}

/// Reads the words of a line `columns=`; an error names a word that is none.
///
/// # Errors
/// When a word is unknown.
pub fn words(value: &str) -> Result<Vec<&str>, String> {
    let sign = if value.contains(',') { ',' } else { ' ' };
    let words = value.split(sign).map(|word| word.trim().trim_matches('"'));
    let words: Vec<&str> = words
        .map(|word| if word.is_empty() { LEFT_OUT } else { word })
        .collect();
    let is_known = |word: &str| {
        let all = MOTION_WORDS.iter().chain(&LINK_WORDS);
        word == LEFT_OUT || all.into_iter().any(|known| *known == word) || instant(word).is_some()
    };
    match words.iter().find(|word| !is_known(word)) {
        Some(word) => Err(format!(
            "columns has \"{}\": a word is {}, {} or -",
            shorten(word),
            MOTION_WORDS.join(", "),
            LINK_WORDS.join(", ")
        )),
        None => Ok(words),
    }
}

/// Seconds in a unit of time; `None` for any other word.
pub fn seconds_in(unit: &str) -> Option<f64> {
    Some(match unit {
        "s" | "sec" | "secs" | "seconds" => 1.0,
        "ms" | "msec" | "millis" | "milliseconds" => 1e-3,
        "us" | "usec" | "µs" | "μs" | "microseconds" => 1e-6,
        "ns" | "nsec" | "nanos" | "nanoseconds" => 1e-9,
        _ => return None,
    })
}

/// Splits a word such as `time_ms` or `sent_s` of an instant, in small letters, into seconds in its unit: `Some(None)` without a
/// unit. `None` for any other word.
pub fn instant(word: &str) -> Option<Option<f64>> {
    let unit = word
        .strip_prefix("time")
        .or_else(|| word.strip_prefix("sent"))?;
    match unit.strip_prefix('_') {
        Some(unit) => seconds_in(unit).map(Some),
        None => unit.is_empty().then_some(None),
    }
}

/// Returns true if the name of a column has a word for a time, such as `Time.time` or `timestamp`.
pub fn names_a_time(name: &str) -> bool {
    let words = name_words(name);
    words
        .iter()
        .any(|word| TIMES.split(',').any(|time| time == word))
}

type Guess = (&'static str, &'static str);
const NONE: Guess = (LEFT_OUT, "");
const ANGLES: Guess = (
    LEFT_OUT,
    "angles are no orientation, as each engine turns by them in another order",
);
const TIMES: &str = "time,timestamp,datetimestamp,datetime,t,clock,stamp,sent,tx,ts";
/// Words within names, and what a column with such a name may hold; the first one counts.
const NAMED: [(&str, &str); 9] = [
    ("lat,lon,lng,latitude,longitude", "degrees"),
    ("loss,lost,drop,dropped", "lost"),
    ("rtt,ping,roundtrip,trip", "rtt"),
    ("delay,latency,owd,lag", "delay"),
    ("tick,frame,step,ticks", "tick"),
    (TIMES, "time"),
    (
        "object,id,entity,name,guid,uuid,steamid,actor,node,body,player,netid",
        "object",
    ),
    ("bytes", "bytes"),
    ("seq,sequence", "seq"),
];

/// Guesses what each column holds, by its name and the first rows. No meaning is given twice.
fn guess_all(names: &[String], rows: &[Vec<String>]) -> Vec<Guess> {
    let values = |at: usize| rows.iter().map(move |row| &row[at][..]);
    let mut guesses: Vec<Guess> = (0..names.len())
        .map(|at| guess(&names[at], &mut values(at)))
        .collect();
    // A quaternion has four parts; fewer are something else.
    for parts in [["q0", "q1", "q2", "q3"], ["qx", "qy", "qz", "qw"]] {
        let is_there = |part: &&str| guesses.iter().any(|(guess, _)| guess == part);
        if !parts.iter().all(is_there) {
            let angles = guesses.iter_mut().filter(|guess| parts.contains(&guess.0));
            angles.for_each(|guess| *guess = ANGLES);
        }
    }
    // An id is unique, a name may be none.
    let is_name = |name: &String| name.to_lowercase().ends_with("name");
    let has_id = (0..names.len()).any(|at| guesses[at].0 == "object" && !is_name(&names[at]));
    for at in 0..names.len() {
        let is_instant = |guess: &str| guess == "tick" || instant(guess).is_some();
        let (own, before) = (guesses[at].0, &guesses[..at]);
        let is_again = before
            .iter()
            .any(|(guess, _)| *guess == own || is_instant(own) && is_instant(guess));
        let is_second_name = own == "object" && has_id && is_name(&names[at]);
        if own != LEFT_OUT && (is_again || is_second_name) {
            guesses[at] = (LEFT_OUT, "the guess for another column is the same");
        }
    }
    let is_link = guesses
        .iter()
        .any(|(guess, _)| guess.starts_with("delay") || guess.starts_with("rtt"));
    let is_motion = ["x", "y", "z"]
        .iter()
        .all(|axis| guesses.iter().any(|(guess, _)| guess == axis));
    let is_fitting = |word: &str| match LINK_WORDS.contains(&word) {
        true => is_link && !is_motion,
        false => !is_link || instant(word).is_some(),
    };
    guesses
        .iter_mut()
        .filter(|guess| !is_fitting(guess.0))
        .for_each(|guess| *guess = NONE);
    guesses
}

/// Guesses what a column holds.
fn guess(name: &str, values: &mut dyn Iterator<Item = &str>) -> Guess {
    let words = name_words(name);
    let unit_s = words.last().and_then(|last| seconds_in(last));
    let has = |all: &str| words.iter().any(|word| all.split(',').any(|it| it == word));
    // The last word says what it is: a frame_id is an id.
    let is_id = words.len() > 1 && words.last().is_some_and(|last| last == "id");
    let mut named = NAMED
        .iter()
        .filter(|(all, what)| has(all) && (!is_id || *what == "object"));
    // The time of an arrival is none of sending.
    let named = named.find(|(_, what)| *what != "time" || !has("rx"));
    let mut in_unit = |words: [&'static str; 3]| match unit_s {
        Some(1.0) => (words[0], "its unit"),
        Some(1e-6) => (words[2], "its unit"),
        Some(_) => (words[1], "its unit"),
        None => match values.filter_map(number).reduce(f64::max) {
            Some(most) if most < 1.0 => (words[0], "its values, all below 1, as of seconds"),
            _ => (words[1], "its name; the unit is not told"),
        },
    };
    match named.map(|(_, what)| *what) {
        Some("degrees") => (LEFT_OUT, "degrees of latitude are no metres"),
        Some("rtt") => in_unit(["rtt_s", "rtt_ms", "rtt_us"]),
        Some("delay") => in_unit(["delay_s", "delay_ms", "delay_us"]),
        Some("time") => time(unit_s, values),
        Some("seq") => ("seq", "numbers that are missing are lost packets"),
        Some(word) => (word, ""),
        None if unit_s.is_some() && words.len() == 1 => time(unit_s, values),
        None => part_of_pose(&words).unwrap_or(NONE),
    }
}

fn number(value: &str) -> Option<f64> {
    value.replace(',', ".").parse().ok()
}

/// Guesses the unit of a column of times by its name, or by the usual step of its values.
fn time(unit_s: Option<f64>, values: &mut dyn Iterator<Item = &str>) -> Guess {
    match unit_s {
        Some(1.0) => return ("time_s", "its unit"),
        Some(1e-6) => return ("time_us", "its unit"),
        Some(1e-9) => return ("time_ns", "its unit"),
        Some(_) => return ("time_ms", "its unit"),
        None => {}
    }
    let mut numbers = Vec::new();
    for value in values.filter(|value| is_value(value)) {
        match value.replace(',', ".").parse::<f64>() {
            Ok(number) => numbers.push(number),
            Err(_) if ClockTime::parse(value).is_some() => return ("time", "times of day"),
            Err(_) => {}
        }
    }
    let steps = numbers.windows(2).map(|pair| pair[1] - pair[0]);
    let steps = snapshot_base::order::sorted(steps.filter(|step| *step > 0.0));
    match steps.get(steps.len() / 2) {
        Some(step) if *step >= 1e6 => ("time_ns", "its steps, as of nanoseconds"),
        Some(step) if *step >= 2e3 => ("time_us", "its steps, as of microseconds"),
        Some(step) if *step >= 2.0 => ("time_ms", "its steps, as of milliseconds"),
        _ => ("time_s", "its steps, as of seconds"),
    }
}

/// Guesses a part of a pose from the axis at the end of a name.
fn part_of_pose(words: &[String]) -> Option<Guess> {
    let whole = words.concat();
    let axis = whole.chars().next_back()?;
    let stem = whole[..whole.len() - axis.len_utf8()].trim_end_matches("component");
    let ends = |all: &[&str]| all.iter().any(|end| stem.ends_with(end));
    let parts: [&'static str; 4] = match stem {
        "" | "p" | "r" => ["x", "y", "z", ""],
        "q" => ["qx", "qy", "qz", "qw"],
        "v" => ["vx", "vy", "vz", ""],
        _ if ends(&["pos", "position", "loc", "location", "translation", "xpos"]) => {
            ["x", "y", "z", ""]
        }
        _ if ends(&["quat", "quaternion", "rot", "rotation", "orientation"]) => {
            ["qx", "qy", "qz", "qw"]
        }
        _ if ends(&["angvel", "angularvelocity", "omega"]) => ["wx", "wy", "wz", ""],
        _ if ends(&["vel", "velocity", "linvel"]) => ["vx", "vy", "vz", ""],
        _ => return None,
    };
    let numbered = ["q0", "q1", "q2", "q3"];
    let is_quaternion = parts[3] == "qw";
    let word = match axis {
        '0'..='3' if is_quaternion => numbered[axis.to_digit(4)? as usize],
        '0'..='2' if stem.len() > 2 => parts[axis.to_digit(3)? as usize],
        'x' => parts[0],
        'y' => parts[1],
        'z' => parts[2],
        'w' if is_quaternion => parts[3],
        _ => return None,
    };
    Some((word, ""))
}

/// Guesses the order of numbered parts of a quaternion: an object that does not turn has w = 1.
fn order(columns: &[AskedColumn], rows: &[Vec<String>]) -> Option<(&'static str, &'static str)> {
    let at = |word: &str| columns.iter().position(|column| column.guess == word);
    let (first, last) = (at("q0")?, at("q3")?);
    let is_one = |text: &str| {
        text.replace(',', ".")
            .parse()
            .is_ok_and(|w: f64| w.abs() > 0.999)
    };
    let is_first = rows.iter().filter(|row| is_one(&row[first])).count();
    let is_last = rows.iter().filter(|row| is_one(&row[last])).count();
    Some(match is_first.cmp(&is_last) {
        std::cmp::Ordering::Greater => ("wxyz", "the first part is 1 where nothing turns"),
        std::cmp::Ordering::Less => ("xyzw", "the last part is 1 where nothing turns"),
        std::cmp::Ordering::Equal => ("wxyz", "as MuJoCo numbers its parts"),
    })
}

/// Returns the words of a name in small letters, which signs and capital letters begin.
fn name_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in name.chars() {
        let begins = !before.is_alphanumeric() || before.is_lowercase() && letter.is_uppercase();
        if letter.is_alphanumeric() {
            match words.last_mut() {
                Some(word) if !begins => word.extend(letter.to_lowercase()),
                _ => words.push(letter.to_lowercase().collect()),
            }
        }
        before = letter;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guesses(text: &str) -> String {
        let asked = Asked::new(&Table::read(text, &|_| false)).expect("a table");
        asked.lines()
    }

    #[test]
    fn each_guess_is_a_word_of_a_line_that_is_read() {
        for (text, line) in [
            (
                "time,body,pos[0],pos[1],pos[2],quat[0],quat[1],quat[2],quat[3]\n0,a,1,2,3,1,0,0,0\n0.02,a,1,2,3,1,0,0,0\n",
                "columns=time_s,object,x,y,z,q0,q1,q2,q3 and order=wxyz",
            ),
            (
                "tick,steamid,name,X,Y,Z\n1,765,p,1,2,3\n",
                "columns=tick,object,-,x,y,z",
            ),
            (
                "tick,seconds,name,x,y,z\n1,0.1,p,1,2,3\n",
                "columns=tick,-,object,x,y,z",
            ),
            (
                "posX;posY;posZ;rot_x;rot_y;rot_z\n1;2;3;4;5;6\n",
                "columns=x,y,z,-,-,-",
            ),
            (
                "packet, txTime(sec), rxTime(sec), latency(usec)\n0, 1.0, 1.1, 800\n",
                "columns=-,time_s,-,delay_us",
            ),
            (
                "datetimestamp_utc,counter,pop_ping_drop_rate,pop_ping_latency_ms\n2026-10-20T12:00:00+00:00,1,0.0,28\n",
                "columns=time,-,lost,rtt_ms",
            ),
            ("0.0\t29288\t5000\n0.1\t29288\t5000\n", "columns=-,-,-"),
            (
                "time,id,lat,lon,alt\n0,1,52.1,13.2,30\n",
                "columns=time_s,object,-,-,-",
            ),
        ] {
            assert_eq!(guesses(text), line, "{text}");
            let (columns, _) = line["columns=".len()..]
                .split_once(" and")
                .unwrap_or((&line["columns=".len()..], ""));
            assert!(words(columns).is_ok(), "{columns}");
        }
        assert!(
            words("tick,wide")
                .unwrap_err()
                .starts_with("columns has \"wide\": a word is ")
        );
        assert_eq!(
            (instant("time_ms"), instant("sent_s"), instant("timer")),
            (Some(Some(1e-3)), Some(Some(1.0)), None)
        );
    }

    #[test]
    fn one_message_has_columns_line_and_reasons() {
        let text = "time,where x,where y\n0,1,2\n20,1,2\n";
        let asked = Asked::new(&Table::read(text, &|_| false)).expect("a table");
        let message = asked.message(". It needs x, y, z");
        assert_eq!(
            message,
            "which column is which? It has \"time\", \"where x\", \"where y\", first 0, 1, 2. Write a first line with a word for each, - for one to leave out; a guess is columns=time_ms,-,- (time: its steps, as of milliseconds). It needs x, y, z"
        );
        assert!(Asked::new(&Table::read("Dear diary,\nx is y\n", &|_| false)).is_none());
    }
}
