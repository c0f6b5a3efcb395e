//! The files of packets, which `tests/decoder` reads too: their lines, numbers and formats.

use snapshot_codec::{Bounds, Class, Fields, Format, QuantisationBits, Rung, Widths};

/// The lines of a file, each as its words; comments are left out.
pub(crate) fn lines(file: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = file.lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split(' ').collect())
}

pub(crate) fn numbers<T: std::str::FromStr>(words: &[&str]) -> Vec<T> {
    let number = |word: &&str| word.parse().ok().expect("a number");
    words.iter().map(number).collect()
}

/// Reads `RUNG POS ROT VEL CUBES [CLASS] [SMALL-LARGE SMALL-LARGE]`.
pub(crate) fn format(words: &[&str]) -> Format {
    let n: Vec<u32> = numbers(&words[1..5]);
    let bits = QuantisationBits::new(n[0], n[1], n[2]).expect("in range");
    let rung = Rung::from_name(words[0]).expect("a rung");
    let format = Format::new(rung, bits, n[3] as usize).expect("in range");
    match words[5..] {
        [class] => format.with_class(Class::from_name(class).expect("a class")),
        [position, orientation] => format.with_widths(widths(position), widths(orientation)),
        _ => format.with_class(Class::Strict),
    }
}

/// Reads `5-9`.
fn widths(text: &str) -> Widths {
    let words: Vec<&str> = text.split('-').collect();
    let bits = numbers(&words);
    Widths::new(bits[0], bits[1]).expect("in range")
}

/// The format as a line changes it; `None` where the line is another.
pub(crate) fn changed(format: Format, words: &[&str]) -> Option<Format> {
    let changed = match *words {
        ["bounds", ref ends @ ..] => {
            let n = numbers(ends);
            let bounds = Bounds::new([n[0], n[2], n[4]], [n[1], n[3], n[5]]);
            format.with_bounds(bounds.expect("in range"))
        }
        ["player", player] => format.with_player(player.parse().ok()),
        ["exact-identity"] => Ok(format.with_exact_identity(true)),
        ["slots"] => format.with_slots(true),
        ["fields", ref words @ ..] => Ok(format.with_fields(fields(words))),
        _ => return None,
    };
    Some(changed.expect("in range"))
}

/// Reads `KIND-BITS BITS[c]...`; c marks a counter.
fn fields(words: &[&str]) -> Fields {
    let bits = |word: &str| word.parse().expect("bits");
    let none = Fields::new(bits(words[0])).expect("0 to 16");
    words[1..].iter().fold(none, |fields, word| {
        let more = match word.strip_suffix('c') {
            Some(word) => fields.with_counter(bits(word)),
            None => fields.with(bits(word)),
        };
        more.expect("1 to 24")
    })
}

/// Rows of a format in which all numbers are 0.
pub(crate) fn blank_rows(format: &Format) -> Vec<u32> {
    let row_len = format.fields().map_or(0, |fields| fields.row_len());
    vec![0; format.cube_count() * row_len]
}
