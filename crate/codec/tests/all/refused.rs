//! Packets that FORMAT.md refuses: `refused.txt` names each refusal, with twins that are taken.
//!
//! The file is written by hand. `tests/decoder` reads it too.

use std::collections::BTreeSet;

use crate::fields::packet_of_words as packet;
use crate::files::{blank_rows, changed, format, lines, numbers};
use snapshot_codec::{
    Cube, DecodeError, Decoder, Encoder, Format, QuantisationBits, Rung, Snapshot, decode_ack,
};

const FILE: &str = include_str!("../refused.txt");
const FORMAT_MD: &str = include_str!("../../FORMAT.md");

/// A receiver of the file, as far as it has been read.
struct Group {
    /// The format of its snapshots; `None` for acknowledgements.
    format: Option<Format>,
    initial: Cube,
    horizon: u16,
    held: Vec<Vec<u8>>,
}

impl Group {
    /// Tries a packet on a receiver that has taken the held ones.
    fn try_packet(&self, packet: &[u8]) -> Result<(), DecodeError> {
        let Some(format) = self.format else {
            return decode_ack(packet).map(drop);
        };
        let initial = Snapshot {
            cubes: &vec![self.initial; format.cube_count()],
            rows: &blank_rows(&format),
        };
        let mut decoder = Decoder::new(format, initial).expect("a snapshot");
        let mut received = Vec::new();
        for held in &self.held {
            let decoded = decoder.decode(held, self.horizon, &mut received);
            decoded.expect("it is held");
        }
        let decoded = decoder.decode(packet, self.horizon, &mut received);
        decoded.map(drop)
    }
}

/// The variant's name alone.
pub(crate) fn name(error: &DecodeError) -> String {
    let all = format!("{error:?}");
    all.split([' ', '(']).next().expect("a name").to_string()
}

/// Makes the receiver that a line begins; `None` if the line begins none.
fn group(words: &[&str]) -> Option<Group> {
    let format = match *words {
        ["snapshots", ref of @ ..] => Some(format(of)),
        ["ack"] => None,
        _ => return None,
    };
    Some(Group {
        format,
        initial: Cube::default(),
        horizon: 0,
        held: Vec::new(),
    })
}

#[test]
fn each_packet_is_refused_by_its_name_and_each_twin_is_taken() {
    let mut groups: Vec<Group> = Vec::new();
    let (mut taken, mut refused) = (0, 0);
    for words in lines(FILE) {
        if let Some(group) = group(&words) {
            groups.push(group);
            continue;
        }
        let group = groups.last_mut().expect("a receiver before");
        match words[..] {
            ["initial", ref fields @ ..] => {
                let n: Vec<i32> = numbers(fields);
                group.initial = Cube {
                    position: n[..3].try_into().expect("x, y, z"),
                    orientation: n[3..].try_into().expect("largest, a, b, c"),
                    ..Cube::default()
                };
            }
            ["horizon", horizon] => group.horizon = horizon.parse().expect("a sequence"),
            ["held", ref fields @ ..] => group.held.push(packet(fields)),
            ["taken", ref fields @ ..] => {
                assert_eq!(group.try_packet(&packet(fields)), Ok(()), "{words:?}");
                taken += 1;
            }
            ["refused", expected, ref fields @ ..] => {
                let error = group.try_packet(&packet(fields)).expect_err("refused");
                assert_eq!(name(&error), expected, "{words:?}");
                refused += 1;
            }
            _ => group.format = changed(group.format.expect("of snapshots"), &words),
        }
    }
    assert!(taken > 40 && refused > 80, "{taken} {refused}");
}

/// The names in the first column of the tables of FORMAT.md that say what is refused of snapshots.
pub(crate) fn names_of_format_md() -> BTreeSet<&'static str> {
    let mut names = BTreeSet::new();
    let (mut in_table, mut of_snapshots) = (false, true);
    for line in FORMAT_MD.lines() {
        if line.starts_with("## ") {
            of_snapshots = !line.starts_with("## 11.") && !line.starts_with("## S");
        }
        in_table = line.starts_with("| refused as |") || in_table && line.starts_with('|');
        if let Some(cell) = line.split('|').nth(1).filter(|_| in_table && of_snapshots) {
            let words = cell.split([',', ' ']);
            names.extend(words.filter(|word| word.starts_with(char::is_uppercase)));
        }
    }
    names
}

#[test]
fn every_name_of_the_text_has_a_packet() {
    let names = names_of_format_md();
    assert!(names.len() > 20, "{names:?}");
    let refused: BTreeSet<&str> = FILE
        .lines()
        .filter_map(|line| line.strip_prefix("refused ")?.split(' ').next())
        .collect();
    assert_eq!(names, refused);
}

#[test]
fn every_shorter_packet_is_truncated_and_every_longer_one_trails() {
    for rung in Rung::ALL {
        let format = Format::new(rung, QuantisationBits::DEFAULT, 901).expect("901 cubes");
        let initial = vec![Cube::default(); 901];
        let decode = |packet: &[u8]| {
            let mut decoder = Decoder::new(format, &initial).expect("a snapshot");
            let mut received = Vec::new();
            decoder.decode(packet, 1, &mut received).map(|_| received)
        };
        let mut snapshot = initial.clone();
        snapshot[3] = Cube {
            position: [5, 5, 5],
            orientation: [1, 2, 3, 4],
            interacting: true,
            ..Cube::default()
        };
        let mut encoder = Encoder::new(format, &initial).expect("a snapshot");
        let mut packet = Vec::new();
        let encoded = encoder.encode(1, &snapshot, &mut packet);
        encoded.expect("a snapshot");
        for length in (0..packet.len()).step_by(packet.len().div_ceil(500)) {
            let refused = decode(&packet[..length]);
            if rung.is_arithmetic() {
                // A fraction cut short is a fraction.
                assert_ne!(refused.as_ref(), Ok(&snapshot), "{rung:?} {length}");
            } else {
                let error = refused.expect_err("cut short");
                assert_eq!(name(&error), "Truncated", "{rung:?} {length}");
            }
        }
        packet.push(0);
        let longer = decode(&packet).expect_err("a byte more");
        let names = ["TrailingBytes", "NotShortest"];
        assert_eq!(name(&longer), names[usize::from(rung.is_arithmetic())]);
    }
}
