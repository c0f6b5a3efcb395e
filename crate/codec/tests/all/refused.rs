//! Packets that FORMAT.md refuses: `refused.txt` names each refusal, with twins that are taken.
//!
//! The file is written by hand. `tests/decoder` reads it too.

use std::collections::BTreeSet;

use crate::declared::declared;
use crate::fields::packet_of_words as packet;
use snapshot_codec::{
    Bounds, Class, Cube, DecodeError, Decoder, Format, QuantisationBits, Rung, Snapshot, decode_ack,
};

const FILE: &str = include_str!("../refused.txt");
const FORMAT_MD: &str = include_str!("../../FORMAT.md");

/// The receiver that tries the packets of a group.
enum Of {
    Snapshots(Format),
    Ack,
}

/// A receiver of the file, as far as it has been read.
struct Group {
    of: Of,
    initial: Cube,
    horizon: u32,
    held: Vec<Vec<u8>>,
}

impl Group {
    /// Tries a packet on a receiver that has taken the held ones.
    fn try_packet(&self, packet: &[u8]) -> Result<(), DecodeError> {
        let horizon = self.horizon;
        match &self.of {
            Of::Snapshots(format) => {
                let cubes = vec![self.initial; format.cube_count()];
                let row_len = format.fields().map_or(0, |fields| fields.row_len());
                let rows = vec![0; cubes.len() * row_len];
                let initial = Snapshot {
                    cubes: &cubes,
                    rows: &rows,
                };
                let mut decoder = Decoder::new(*format, initial).expect("a snapshot");
                let mut received = Vec::new();
                for held in &self.held {
                    decoder
                        .decode(held, horizon as u16, &mut received)
                        .expect("it is held");
                }
                let decoded = decoder.decode(packet, horizon as u16, &mut received);
                decoded.map(drop)
            }
            Of::Ack => decode_ack(packet).map(drop),
        }
    }
}

fn numbers(words: &[&str]) -> Vec<i64> {
    words
        .iter()
        .map(|word| word.parse().expect("a number"))
        .collect()
}

/// The group that a line begins, if it does.
fn group(words: &[&str]) -> Option<Group> {
    let of = match *words {
        ["snapshots", rung, ref rest @ ..] => {
            let n = numbers(&rest[..4]);
            let bits = QuantisationBits::new(n[0] as u32, n[1] as u32, n[2] as u32);
            let rung = Rung::from_name(rung).expect("a rung");
            let format = Format::new(rung, bits.expect("in range"), n[3] as usize);
            let class = rest.get(4).map_or(Class::Strict, |name| {
                Class::from_name(name).expect("a class")
            });
            Of::Snapshots(format.expect("in range").with_class(class))
        }
        ["ack"] => Of::Ack,
        _ => return None,
    };
    Some(Group {
        of,
        initial: Cube::default(),
        horizon: 0,
        held: Vec::new(),
    })
}

/// The variant's name alone.
fn name(error: &DecodeError) -> String {
    let all = format!("{error:?}");
    all.split([' ', '(']).next().expect("a name").to_string()
}

#[test]
fn each_packet_is_refused_by_its_name_and_each_twin_is_taken() {
    let mut groups: Vec<Group> = Vec::new();
    let (mut taken, mut refused) = (0, 0);
    for line in FILE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let words: Vec<&str> = line.split(' ').collect();
        if let Some(group) = group(&words) {
            groups.push(group);
            continue;
        }
        let group = groups.last_mut().expect("a receiver before");
        match words[..] {
            ["bounds", ref ends @ ..] => {
                let n: Vec<i32> = numbers(ends).into_iter().map(|n| n as i32).collect();
                let bounds = Bounds::new([n[0], n[2], n[4]], [n[1], n[3], n[5]]);
                let Of::Snapshots(format) = &mut group.of else {
                    panic!("{line}")
                };
                let bounded = format.with_bounds(bounds.expect("in range"));
                *format = bounded.expect("in range");
            }
            ["exact-identity"] => {
                let Of::Snapshots(format) = &mut group.of else {
                    panic!("{line}")
                };
                *format = format.with_exact_identity(true);
            }
            ["slots"] => {
                let Of::Snapshots(format) = &mut group.of else {
                    panic!("{line}")
                };
                *format = format.with_slots(true).expect("not simulated");
            }
            ["fields", ref words @ ..] => {
                let Of::Snapshots(format) = &mut group.of else {
                    panic!("{line}")
                };
                *format = format.with_fields(declared(words));
            }
            ["initial", ref fields @ ..] => {
                let n: Vec<i32> = numbers(fields).into_iter().map(|n| n as i32).collect();
                group.initial = Cube {
                    position: n[..3].try_into().expect("x, y, z"),
                    orientation: n[3..].try_into().expect("largest, a, b, c"),
                    ..Cube::default()
                };
            }
            ["horizon", horizon] => group.horizon = horizon.parse().expect("a sequence"),
            ["held", ref fields @ ..] => group.held.push(packet(fields)),
            ["taken", ref fields @ ..] => {
                assert_eq!(group.try_packet(&packet(fields)), Ok(()), "{line}");
                taken += 1;
            }
            ["refused", expected, ref fields @ ..] => {
                let error = group.try_packet(&packet(fields)).expect_err(line);
                assert_eq!(name(&error), expected, "{line}");
                refused += 1;
            }
            _ => panic!("{line}"),
        }
    }
    assert!(taken > 40 && refused > 80, "{taken} {refused}");
}

/// The names in the first column of the tables of FORMAT.md that say what is refused of snapshots.
fn names_of_format_md() -> BTreeSet<&'static str> {
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
