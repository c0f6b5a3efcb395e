//! Tables of text, the one form of rows that people have: packets of a link, poses of a motion, answers of a test.
//!
//! Records end by `\n`, `\r\n` or `\r`. The separator is decided once, from the first rows: a tab, semicolon, comma, bar or
//! spaces. Lines of facts such as `rate=60` may stand above the names of the columns. A decimal comma is one only where the
//! separator is no comma. Meanings of columns that are not known for certain are [`asked`].

pub mod asked;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder, Terminator};
use snapshot_base::clock::ClockTime;
use snapshot_base::text::{beginning, lines, shorten};
use std::cell::Cell;

/// Upper limits of the beginning from which separator and names are read: rows and bytes.
const HEAD_ROWS: usize = 24;
const HEAD_BYTES: usize = 1 << 16;
/// Separators, the surest first: a comma or a space may also stand within a number or a name.
const SEPARATORS: [u8; 5] = [b'\t', b';', b',', b'|', b' '];
/// Upper limit of the columns of a table.
pub const COLUMNS_MAX: usize = 4096;

/// End of the error about a number with a comma where commas part the fields.
const COMMA: &str = ": a first line comma=thousands or comma=decimal says what its comma is";
/// Upper limit of the number of ignored columns that a note names.
const LEFT_OUT_NAMED: usize = 8;

/// A line of facts above a table: its name in small letters, its value, and the line's number from 1.
#[derive(Clone, Copy, Debug)]
pub struct Fact<'a> {
    /// The text before the sign `=`.
    pub name: &'a str,
    /// The text after the sign `=`.
    pub value: &'a str,
}

/// The signs of fractions and of thousands in the numbers of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberForm {
    /// The first number with a sign decides.
    Undecided,
    Point,
    DecimalComma,
    /// Points for fractions, commas between thousands.
    Thousands,
}

/// A table of a text. Rows are read one by one with [`Table::rows`].
#[derive(Clone, Debug)]
pub struct Table<'a> {
    text: &'a str,
    separator: u8,
    form: Cell<NumberForm>,
    /// Lines of facts, in the order of the file.
    pub facts: Vec<Fact<'a>>,
    /// Names of the columns, as many as the rows have fields; empty names where the file has none.
    pub names: Vec<String>,
    /// Number of fields in the line of names; 0 without one.
    pub named: usize,
    /// Offset of the first line below the facts.
    pub head_at: usize,
    /// Offset of the first row.
    pub rows_at: usize,
    /// True if values were found below the names.
    pub has_rows: bool,
}

impl<'a> Table<'a> {
    /// Reads facts, separator and names. `is_fact` knows the names of facts, in small letters.
    pub fn read(text: &'a str, is_fact: &dyn Fn(&str) -> bool) -> Table<'a> {
        let mut table = Table {
            text,
            separator: b' ',
            form: Cell::new(NumberForm::Undecided),
            facts: Vec::new(),
            names: Vec::new(),
            named: 0,
            head_at: 0,
            rows_at: 0,
            has_rows: false,
        };
        let mut stated = None;
        for line in lines(text) {
            if !line.trim().is_empty() {
                let Some(fact) = fact(line, is_fact) else {
                    break;
                };
                let is_fact = |name: &str| fact.name.eq_ignore_ascii_case(name);
                match fact.value {
                    "decimal" if is_fact("comma") => table.form.set(NumberForm::DecimalComma),
                    "thousands" if is_fact("comma") => table.form.set(NumberForm::Thousands),
                    _ => {}
                }
                if is_fact("sep") {
                    // The value may be the separator itself, which is trimmed elsewhere.
                    let sign = line
                        .split_once('=')
                        .and_then(|(_, rest)| rest.bytes().next());
                    stated = sign.filter(|sign| SEPARATORS.contains(sign));
                } else {
                    table.facts.push(fact);
                }
            }
            table.head_at = line.as_ptr().addr() - text.as_ptr().addr() + line.len();
        }
        let separators = SEPARATORS.iter().copied();
        let scored = separators
            .rev()
            .map(|separator| (table.likeness(separator), separator));
        table.separator = stated.unwrap_or_else(|| scored.max().map_or(b',', |(_, sign)| sign));
        if table.separator == b',' && table.form.get() == NumberForm::Undecided {
            table.form.set(NumberForm::Point);
        }
        table.read_head();
        table
    }

    /// Returns how many of the first rows have the same number of fields, with a separator; the rank of the separator decides
    /// between equals.
    fn likeness(&self, separator: u8) -> (usize, usize) {
        let table = Table {
            separator,
            ..self.clone()
        };
        let mut counts = Vec::new();
        let (mut rows, mut fields) = (table.rows_from(self.head_at), Fields::default());
        while counts.len() < HEAD_ROWS
            && rows
                .next(&mut fields)
                .is_some_and(|at| at < self.head_at + HEAD_BYTES)
        {
            counts.push(fields.len());
        }
        let rank = SEPARATORS
            .iter()
            .position(|it| *it == separator)
            .unwrap_or(0);
        (
            alike(&counts).map_or(0, |(rows, _)| rows),
            SEPARATORS.len() - rank,
        )
    }

    /// Finds the names: the last line above the first row of values. Names of two lines are joined.
    fn read_head(&mut self) {
        let (mut rows, mut fields) = (self.rows_from(self.head_at), Fields::default());
        let mut head: Vec<(usize, Vec<String>, bool)> = Vec::new();
        while head.len() < HEAD_ROWS {
            let Some(at) = rows
                .next(&mut fields)
                .filter(|at| *at < self.head_at + HEAD_BYTES)
            else {
                break;
            };
            let texts = (0..fields.len().min(COLUMNS_MAX + 1)).map(|at| fields.get(at).to_string());
            head.push((at, texts.collect(), fields.are_values()));
        }
        let values = head.iter().filter(|(.., is_values)| *is_values);
        let counts: Vec<usize> = values.map(|(_, texts, _)| texts.len()).collect();
        let Some((_, columns)) = alike(&counts) else {
            // A line of names alone.
            self.rows_at = head.get(1).map_or(self.text.len(), |(at, ..)| *at);
            self.names = head
                .into_iter()
                .next()
                .map_or(Vec::new(), |(_, texts, _)| texts);
            self.named = self.names.len();
            return;
        };
        let first_values = head
            .iter()
            .position(|(.., is_values)| *is_values)
            .unwrap_or(0);
        let above = first_values.checked_sub(1).map(|at| head[at].1.len());
        let first = match above.is_none_or(|above| above >= columns) {
            true => first_values,
            // Values above the names are something else.
            false => {
                let mut rows = head.iter();
                rows.position(|(_, texts, is_values)| *is_values && texts.len() == columns)
                    .unwrap_or(0)
            }
        };
        self.rows_at = head[first].0;
        self.has_rows = true;
        // The last columns of a row may be empty, and so left out.
        let named = head[..first].last().map_or(0, |(_, texts, _)| texts.len());
        self.names = vec![String::new(); columns.max(named)];
        self.named = named;
        let whole = |texts: &Vec<String>| texts.len() == columns.max(named);
        for (_, texts, _) in head[..first]
            .iter()
            .filter(|(_, texts, _)| first == 1 || whole(texts))
        {
            for (name, text) in self.names.iter_mut().zip(texts) {
                let space = if name.is_empty() || text.is_empty() {
                    ""
                } else {
                    " "
                };
                *name += space;
                *name += text;
            }
        }
    }

    /// Returns the words of the newest fact `columns=`, at most one for each column; `None` without the fact.
    ///
    /// # Errors
    /// When a word is unknown, or there are more words than columns.
    pub fn words(&self) -> Result<Option<Vec<&'a str>>, String> {
        let is_columns = |fact: &&Fact<'_>| fact.name.eq_ignore_ascii_case("columns");
        let Some(fact) = self.facts.iter().rfind(is_columns) else {
            return Ok(None);
        };
        let words = asked::words(fact.value)?;
        let (count, columns) = (words.len(), self.names.len());
        match count <= columns.max(1) {
            true => Ok(Some(words)),
            false => Err(format!(
                "columns= has {count} words, where there are {columns} columns"
            )),
        }
    }

    /// Returns a note that names the columns at these places, which are left out; `None` if no column there has a name.
    pub fn left_out_note(&self, places: impl Iterator<Item = usize>) -> Option<String> {
        let names = places.filter_map(|at| self.names.get(at));
        let names = names.filter(|name| !name.is_empty());
        let mut names: Vec<String> = names.map(|name| format!("\"{}\"", shorten(name))).collect();
        if names.len() > LEFT_OUT_NAMED {
            names.truncate(LEFT_OUT_NAMED);
            names.push("…".to_string());
        }
        (!names.is_empty()).then(|| format!("columns left out: {}", names.join(", ")))
    }

    /// Checks that a row has `least` fields, and no value beyond the columns that have a name or one of `words` words.
    ///
    /// # Errors
    /// When it has other fields, or a quote has no end. The last columns may be empty, and a sign may end the line.
    pub fn check_row(&self, fields: &Fields, least: usize, words: usize) -> Result<(), String> {
        let columns = match self.named {
            0 => self.names.len(),
            named => named.max(words),
        };
        if fields.spans_lines {
            return Err("a quote without an end".to_string());
        }
        match fields.len() >= least && fields.filled() <= columns {
            true => Ok(()),
            false => Err(format!(
                "{} fields, where there are {columns} columns",
                fields.len()
            )),
        }
    }

    /// Returns a reader of the rows below the names.
    pub fn rows(&self) -> Rows<'_> {
        self.rows_from(self.rows_at)
    }

    /// Returns a reader of the rows from an offset on, at which a row begins.
    pub fn rows_from(&self, at: usize) -> Rows<'_> {
        let reader = ReaderBuilder::new()
            .delimiter(self.separator)
            .terminator(Terminator::CRLF)
            .build();
        Rows {
            text: self.text.as_bytes(),
            is_spaced: self.separator == b' ',
            reader: Box::new(reader),
            at,
        }
    }

    /// Number of the line at an offset, from 1.
    pub fn line(&self, at: usize) -> u64 {
        lines(&self.text[..at]).count() as u64
            + u64::from(at == 0 || self.text[..at].ends_with(['\n', '\r']))
    }

    /// Number of line ends, at least as many as rows.
    pub fn lines_max(&self) -> usize {
        self.text
            .bytes()
            .filter(|byte| matches!(byte, b'\n' | b'\r'))
            .count()
            + 1
    }

    /// The first line below the facts.
    pub fn first_line(&self) -> &'a str {
        let mut lines = lines(&self.text[self.head_at..]);
        lines
            .find(|line| !line.trim().is_empty())
            .unwrap_or_default()
            .trim()
    }

    /// Parses a number as [`Table::number`] does.
    ///
    /// # Errors
    /// When the field of this column is no number. The error says so in words.
    pub fn number_of(&self, field: &str, column: &str) -> Result<f64, String> {
        let comma = if is_unclear(field) { COMMA } else { "" };
        let text = shorten(field);
        let refused = || format!("{column} is \"{text}\", which is no number that fits{comma}");
        self.number(field).ok_or_else(refused)
    }

    /// Parses a number, perhaps an infinite one; `None` if it is none. The first number with a point or a comma decides what
    /// the others have. Where commas part the fields, a comma within a number is refused unless a fact `comma=` explains it.
    pub fn number(&self, field: &str) -> Option<f64> {
        let signs = (field.contains('.'), field.contains(','));
        let number = match (self.form.get(), signs) {
            (NumberForm::Undecided | NumberForm::DecimalComma, (false, true)) => {
                field.replacen(',', ".", 1).parse().ok()
            }
            (NumberForm::Thousands, (_, true)) => without_thousands(field)?.parse().ok(),
            (NumberForm::DecimalComma, (true, _))
            | (NumberForm::Point | NumberForm::Undecided, (_, true)) => None,
            _ => field.parse().ok(),
        };
        let number = number.filter(|number: &f64| !number.is_nan())?;
        match (self.form.get(), signs) {
            (NumberForm::Undecided, (false, true)) => self.form.set(NumberForm::DecimalComma),
            (NumberForm::Undecided, (true, false)) => self.form.set(NumberForm::Point),
            _ => {}
        }
        Some(number)
    }
}

/// Returns a number without the commas between its thousands; `None` if they are elsewhere.
fn without_thousands(field: &str) -> Option<String> {
    let whole = field.split('.').next().unwrap_or_default();
    let mut groups = whole.trim_start_matches(['-', '+']).split(',');
    let is_number = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let first = groups.next()?;
    let fits = (1..4).contains(&first.len()) && is_number(first);
    (fits && groups.all(|group| group.len() == 3 && is_number(group)))
        .then(|| field.replace(',', ""))
}

/// Returns the most frequent number of fields above 1, and the rows that have it: as rows and fields.
fn alike(counts: &[usize]) -> Option<(usize, usize)> {
    let wide = counts.iter().filter(|count| **count > 1);
    let rows = |count: usize| counts.iter().filter(|it| **it == count).count();
    wide.map(|count| (rows(*count), *count)).max()
}

/// Reads a line `name=value` or `name,value` of a known fact.
fn fact<'a>(line: &'a str, is_fact: &dyn Fn(&str) -> bool) -> Option<Fact<'a>> {
    let is_sign = |sign: char| sign.is_whitespace() || matches!(sign, '=' | ',' | ';' | '"' | '\t');
    let line = line.trim_start_matches(is_sign);
    let (name, rest) = line.split_at(line.find(is_sign)?);
    let value = rest.trim_matches(is_sign);
    // A spreadsheet parts the line, and a line of names goes on.
    let is_stated = rest.trim_start().starts_with('=');
    let is_parted = !value.is_empty() && !value.contains([',', ';', '\t', ' ']);
    let is_parted = is_parted && name.eq_ignore_ascii_case("rate");
    ((is_stated || is_parted) && is_fact(&name.to_ascii_lowercase()))
        .then_some(Fact { name, value })
}

/// The fields of a row, used again for the next one.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// Ranges of the fields in `bytes`, without spaces and quotes around them.
    spans: Vec<(usize, usize)>,
    /// True if a field within quotes goes on in another line: mostly a quote without an end.
    pub spans_lines: bool,
}

impl Fields {
    /// Number of fields.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Returns true without fields.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Number of fields up to the last one that is not empty.
    pub fn filled(&self) -> usize {
        (0..self.len())
            .rfind(|at| !self.get(*at).is_empty())
            .map_or(0, |at| at + 1)
    }

    /// Returns a field by its place; empty beyond the last one.
    pub fn get(&self, at: usize) -> &str {
        let (start, end) = self.spans.get(at).copied().unwrap_or_default();
        std::str::from_utf8(&self.bytes[start..end]).unwrap_or_default()
    }

    /// Returns true if the row has values rather than names: half of its fields or more are numbers or times.
    fn are_values(&self) -> bool {
        let filled = (0..self.len()).filter(|at| !self.get(*at).is_empty());
        let values = filled.clone().filter(|at| is_value(self.get(*at))).count();
        values >= 1 && 2 * values >= filled.count()
    }
}

/// Returns true if a field that is refused as a number is one in another form of commas and points.
pub fn is_unclear(field: &str) -> bool {
    field.contains([',', '.']) && is_value(field)
}

/// Returns true if a field is a number, a time or the word for a lost packet.
fn is_value(field: &str) -> bool {
    let number = field.replace(',', ".");
    let is_number = number.parse::<f64>().is_ok() || without_thousands(field).is_some();
    is_number && !field.is_empty()
        || ClockTime::parse(field).is_some()
        || field.eq_ignore_ascii_case("lost")
}

/// Rows of a table, in the order of the file.
pub struct Rows<'a> {
    text: &'a [u8],
    is_spaced: bool,
    reader: Box<Reader>,
    at: usize,
}

impl Rows<'_> {
    /// Reads the row that begins at an offset.
    pub fn read_at(&mut self, at: usize, fields: &mut Fields) {
        self.at = at;
        self.next(fields);
    }

    /// Reads the next row that is not empty, and returns its offset; `None` after the last one.
    pub fn next(&mut self, fields: &mut Fields) -> Option<usize> {
        loop {
            let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
            self.at += self
                .text
                .get(self.at..)?
                .iter()
                .take_while(|byte| is_end(byte))
                .count();
            let start = self.at;
            let mut input = &self.text[start..];
            if input.is_empty() {
                return None;
            }
            self.reader.reset();
            let (mut bytes, mut ends) = (0, 0);
            loop {
                let (result, read, written, ended) = self.reader.read_record(
                    input,
                    &mut fields.bytes[bytes..],
                    &mut fields.ends[ends..],
                );
                input = &input[read..];
                self.at += read;
                (bytes, ends) = (bytes + written, ends + ended);
                match result {
                    // An empty input ends the last record.
                    ReadRecordResult::InputEmpty => {}
                    ReadRecordResult::OutputFull => {
                        let more = fields.bytes.len().max(256);
                        fields.bytes.resize(fields.bytes.len() + more, 0);
                    }
                    ReadRecordResult::OutputEndsFull => {
                        let more = fields.ends.len().max(16);
                        fields.ends.resize(fields.ends.len() + more, 0);
                    }
                    ReadRecordResult::Record | ReadRecordResult::End => break,
                }
            }
            fields.spans_lines = fields.bytes[..bytes].iter().any(is_end);
            fields.set_spans(ends, self.is_spaced);
            if fields.len() > 1 || !fields.get(0).is_empty() {
                return Some(start);
            }
        }
    }
}

impl Fields {
    fn set_spans(&mut self, ends: usize, is_spaced: bool) {
        self.spans.clear();
        let mut start = 0;
        for &end in &self.ends[..ends] {
            let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'"';
            let field = &self.bytes[start..end];
            let before = field.iter().take_while(|byte| is_blank(byte)).count();
            let after = field[before..]
                .iter()
                .rev()
                .take_while(|byte| is_blank(byte))
                .count();
            if !is_spaced || end > start {
                self.spans.push((start + before, end - after));
            }
            start = end;
        }
    }
}

/// Returns the beginning of a text that is enough to know its columns, cut at the end of a line.
pub fn head(text: &str) -> &str {
    let head = beginning(text, HEAD_BYTES);
    match head.len() < text.len() {
        true => &head[..head.rfind(['\n', '\r']).unwrap_or(head.len())],
        false => head,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
        let table = Table::read(text, &|name| ["rate", "sep", "comma"].contains(&name));
        let (mut rows, mut fields) = (table.rows(), Fields::default());
        let mut all = Vec::new();
        while rows.next(&mut fields).is_some() {
            all.push(
                (0..fields.len())
                    .map(|at| fields.get(at).to_string())
                    .collect(),
            );
        }
        (table.names.clone(), all)
    }

    #[test]
    fn any_separator_and_record_end_gives_the_same_rows() {
        let plain = "a,b c,d\n0,1.5,x y\n\n1,-2,\n2,3e4,z\n";
        let expected = rows(plain);
        assert_eq!(expected.0, ["a", "b c", "d"]);
        assert_eq!(expected.1[1], ["1", "-2", ""]);
        for end in ["\n", "\r\n", "\r"] {
            for separator in [",", ";", "\t", "|"] {
                let text = plain.replace(',', separator).replace('\n', end);
                assert_eq!(rows(&text), expected, "{text:?}");
                assert_eq!(rows(&format!("rate=60{end}{text}")), expected, "{text:?}");
                let quoted = text.replace("x y", "\"x y\"").replace("b c", " \"b c\" ");
                assert_eq!(rows(&quoted), expected, "{quoted:?}");
            }
        }
        assert_eq!(rows("sep=;\na;b\n1,5;2\n").1, [["1,5", "2"]]);
        assert_eq!(rows("  a   b\n 1   2 \n").1, [["1", "2"]]);
        assert_eq!(rows("0;1,5;2\n1;2,5;3\n").0, ["", "", ""]);
    }

    #[test]
    fn names_stand_in_the_last_lines_above_the_values() {
        let (names, all) = rows("made by,x\n,ball,ball\ntime,x,y\n0,1,2\n");
        assert_eq!(names, ["time", "ball x", "ball y"]);
        assert_eq!(all.len(), 1);
        let text = "rate=60\nname,x\na,1\nb,2\n";
        let table = Table::read(text, &|name| name == "rate");
        assert_eq!((table.facts[0].value, table.line(table.rows_at)), ("60", 3));
        assert_eq!(rows("tick,object\n").0, ["tick", "object"]);
    }

    #[test]
    fn a_comma_is_a_decimal_one_only_where_it_parts_no_fields() {
        let number = |text: &str, fields: &[&str]| {
            let table = Table::read(text, &|name| name == "comma");
            Vec::from_iter(fields.iter().map(|field| table.number(field)))
        };
        assert_eq!(number("a,b\n1,2\n", &["1,204", "1.5"]), [None, Some(1.5)]);
        let semicolons = "a;b\n1;2\n";
        assert_eq!(
            number(semicolons, &["-60,5", "1.5", "7"]),
            [Some(-60.5), None, Some(7.0)]
        );
        assert_eq!(number(semicolons, &["1.5", "-60,5"]), [Some(1.5), None]);
        let thousands = "comma=thousands\na,b\n1,2\n";
        assert_eq!(
            number(thousands, &["1,204.5", "12,04"]),
            [Some(1204.5), None]
        );
        assert_eq!(
            number("comma=decimal\na,b\n1,2\n", &["1,204"]),
            [Some(1.204)]
        );
    }

    #[test]
    fn a_quote_without_an_end_is_noticed() {
        let text = "a,b\n1,\"x\n2,y\n3,z\n";
        let table = Table::read(text, &|_| false);
        let (mut rows, mut fields) = (table.rows(), Fields::default());
        while rows.next(&mut fields).is_some() {
            assert!(fields.spans_lines);
        }
    }

    #[test]
    #[expect(clippy::disallowed_types, reason = "what is not linear takes minutes")]
    fn hostile_lines_take_linear_time() {
        let started = std::time::Instant::now();
        for line in [
            ",".repeat(4 << 20),
            "\"a\",".repeat(1 << 20),
            "\"".repeat(4 << 20),
            "\"\n".repeat(2 << 20),
        ] {
            let _ = rows(&line);
        }
        // Quadratic, any of them would take minutes.
        assert!(started.elapsed().as_secs() < 20);
    }
}
