//! Packets that were written once and stay as they are: `golden.txt` is decoded and encoded again.
//!
//! A change of the format is made on purpose: `GOLDEN=write cargo test -p snapshot-codec --test golden` writes the file
//! anew, and FORMAT.md follows.

use std::fmt::Write;

use snapshot_codec::{
    Class, Cube, CubeState, Decoder, Encoder, Format, Ledger, QuantisationBits, Rung, Widths,
};

const FILE: &str = include_str!("golden.txt");

/// Sequences of the packets; each is acked before the next, and the second crosses the wrap.
const SEQUENCES: [u16; 3] = [65_530, 4, 200];

/// Index, position, orientation.
type Change = (usize, [f32; 3], [f32; 4]);

fn formats() -> Vec<Format> {
    let bits = |position, orientation, velocity| {
        QuantisationBits::new(position, orientation, velocity).expect("in range")
    };
    let default = QuantisationBits::DEFAULT;
    let rungs = Rung::ALL
        .into_iter()
        .map(|rung| (rung, default, if rung.is_delta() { 60 } else { 2 }));
    let others = [
        (Rung::AtRest, bits(4, 2, 0), 2),
        (Rung::AtRest, bits(12, 16, 12), 2),
        (Rung::ChangedFlags, bits(4, 2, 0), 60),
        (Rung::ChangedFlags, bits(12, 16, 12), 60),
        (Rung::ChangedFlags, default, 1),
        (Rung::ChangedFlags, default, 129),
        (Rung::Arithmetic, bits(4, 2, 0), 60),
        (Rung::Predicted, bits(12, 16, 12), 60),
    ];
    rungs
        .chain(others)
        .map(|(rung, bits, cubes)| Format::new(rung, bits, cubes).expect("in range"))
        .flat_map(|format| {
            let classes = if format.rung().is_arithmetic() {
                &Class::ALL[..]
            } else {
                &[Class::Strict]
            };
            classes.iter().map(move |&class| format.with_class(class))
        })
        .chain(other_widths())
        .collect()
}

/// Widths that are not the articles'.
fn other_widths() -> impl Iterator<Item = Format> {
    let widths = |small, large| Widths::new(small, large).expect("in range");
    [
        (Rung::RelativeOrientation, widths(6, 10), widths(4, 7)),
        (Rung::ChangedFlags, widths(6, 10), widths(4, 7)),
        (Rung::ChangedFlags, widths(2, 2), widths(24, 24)),
    ]
    .map(|(rung, position, orientation)| {
        let format = Format::new(rung, QuantisationBits::DEFAULT, 60).expect("in range");
        format.with_widths(position, orientation)
    })
    .into_iter()
}

/// Three snapshots in which every rule occurs: indices 1, 2, 9 and 47 apart, small, large and absolute differences, cubes that
/// only move, only turn, only are touched; in the last, all cubes change.
fn snapshots(format: &Format) -> [Vec<Cube>; 3] {
    let moved = |position: [f32; 3], orientation: [f32; 4], index: usize| CubeState {
        position,
        orientation,
        linear_velocity: [1.5, -32.0, 0.25],
        angular_velocity: [0.0; 3],
        interacting: index.is_multiple_of(3),
        at_rest: index == 1,
    };
    let upright = [0.0, 0.0, 0.0, 1.0];
    let changes: [&[Change]; 2] = [
        &[
            (0, [-14.5, 200.0, 31.0], upright),
            (1, [-13.5, -14.5, 0.2], upright),
            (3, [0.25, 0.25, 0.25], [0.5, -0.5, 0.5, 0.5]),
            (12, [0.0, 0.0, 0.0], [0.0, 0.6, 0.0, 0.8]),
            (59, [1.0, 2.0, 3.0], [0.7, 0.1, 0.1, 0.7]),
        ],
        &[
            (0, [-14.25, 200.0, 30.5], [0.0, 0.0, 0.02, 1.0]),
            (3, [0.25, 0.25, 0.25], [0.5, -0.4, 0.5, 0.5]),
            (12, [0.5, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8]),
            (59, [9.0, 2.0, 3.0], [0.1, 0.7, 0.1, 0.7]),
        ],
    ];
    let mut snapshot = vec![Cube::default(); format.cube_count()];
    let [first, second] = changes.map(|changes| {
        for &(index, position, orientation) in changes {
            if let Some(cube) = snapshot.get_mut(index) {
                *cube = format.quantise(&moved(position, orientation, index));
            }
        }
        snapshot.clone()
    });
    snapshot
        .iter_mut()
        .for_each(|cube| cube.interacting ^= true);
    [first, second, snapshot]
}

/// The format, with a class where it makes a difference and widths where they are not the articles', then for each packet its sequence, its bytes, and the cubes that differ from the snapshot before.
fn write(format: &Format) -> String {
    let bits = format.bits();
    let mut text = format!(
        "format {} {} {} {} {}",
        format.rung().name(),
        bits.position(),
        bits.orientation(),
        bits.velocity(),
        format.cube_count()
    );
    if format.rung().is_arithmetic() {
        text += &format!(" {}", format.class().name());
    }
    let [position, orientation] = [format.position_widths(), format.orientation_widths()];
    if position != Widths::of_position(bits.position()) {
        for widths in [position, orientation] {
            text += &format!(" {}-{}", widths.small_bits(), widths.large_bits());
        }
    }
    text += "\n";
    let mut previous = vec![Cube::default(); format.cube_count()];
    let mut encoder = Encoder::new(*format, &previous).expect("zeros are in range");
    let mut packet = Vec::new();
    for (sequence, snapshot) in SEQUENCES.into_iter().zip(snapshots(format)) {
        encoder
            .encode(sequence, &snapshot, &mut packet, &mut Ledger::new())
            .expect("quantised");
        encoder.ack(sequence);
        let hex: String = packet.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(text, "packet {sequence} {hex}").expect("a string");
        for (index, cube) in snapshot
            .iter()
            .enumerate()
            .filter(|&(i, cube)| *cube != previous[i])
        {
            let integers = [&cube.position[..], &cube.orientation, &cube.linear_velocity].concat();
            let integers: Vec<String> = integers.iter().map(i32::to_string).collect();
            let flags = (u8::from(cube.interacting), u8::from(cube.at_rest));
            writeln!(
                text,
                "cube {index} {} {} {}",
                integers.join(" "),
                flags.0,
                flags.1
            )
            .expect("a string");
        }
        previous = snapshot;
    }
    text
}

/// Reads `5-9`.
fn widths(text: &str) -> Widths {
    let (small, large) = text.split_once('-').expect("small-large");
    let bits = |text: &str| text.parse().expect("bits");
    Widths::new(bits(small), bits(large)).expect("in range")
}

struct Replay {
    encoder: Encoder,
    decoder: Decoder,
    snapshot: Vec<Cube>,
    packet: Option<(u16, Vec<u8>)>,
}

impl Replay {
    fn new(format: Format) -> Self {
        let snapshot = vec![Cube::default(); format.cube_count()];
        Self {
            encoder: Encoder::new(format, &snapshot).expect("zeros are in range"),
            decoder: Decoder::new(format, &snapshot).expect("zeros are in range"),
            snapshot,
            packet: None,
        }
    }

    /// All cubes of the packet have been read from the file.
    fn check(&mut self) -> usize {
        let Some((sequence, packet)) = self.packet.take() else {
            return 0;
        };
        let mut received = Vec::new();
        let header = self.decoder.decode(&packet, sequence, &mut received);
        assert_eq!(header.map(|header| header.sequence), Ok(sequence));
        assert_eq!(received, self.snapshot);
        let mut again = Vec::new();
        self.encoder
            .encode(sequence, &self.snapshot, &mut again, &mut Ledger::new())
            .expect("in range");
        self.encoder.ack(sequence);
        assert_eq!(again, packet);
        1
    }
}

#[test]
fn golden_packets_decode_and_encode_as_ever() {
    if std::env::var("GOLDEN").as_deref() == Ok("write") {
        let text: String = formats().iter().map(write).collect();
        std::fs::write(
            concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt"),
            text,
        )
        .unwrap();
        return;
    }
    let mut replay: Option<Replay> = None;
    let mut packets = 0;
    for line in FILE.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let numbers = |words: &[&str]| -> Vec<i32> {
            words.iter().map(|word| word.parse().unwrap()).collect()
        };
        match words[..] {
            ["format", rung, ref of @ ..] => {
                packets += replay.as_mut().map_or(0, Replay::check);
                let [position, orientation, velocity, cubes] = numbers(&of[..4])[..] else {
                    panic!("{line}")
                };
                let bits =
                    QuantisationBits::new(position as u32, orientation as u32, velocity as u32);
                let rung = Rung::from_name(rung).unwrap();
                let mut format = Format::new(rung, bits.unwrap(), cubes as usize).unwrap();
                match of[4..] {
                    [class] => format = format.with_class(Class::from_name(class).unwrap()),
                    [position, orientation] => {
                        format = format.with_widths(widths(position), widths(orientation));
                    }
                    _ => format = format.with_class(Class::Strict),
                }
                replay = Some(Replay::new(format));
            }
            ["packet", sequence, hex] => {
                let replay = replay.as_mut().unwrap();
                packets += replay.check();
                let bytes = (0..hex.len()).step_by(2);
                let bytes = bytes.map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap());
                replay.packet = Some((sequence.parse().unwrap(), bytes.collect()));
            }
            ["cube", index, ref fields @ ..] => {
                let n = numbers(fields);
                let index: usize = index.parse().unwrap();
                replay.as_mut().unwrap().snapshot[index] = Cube {
                    position: n[0..3].try_into().unwrap(),
                    orientation: n[3..7].try_into().unwrap(),
                    linear_velocity: n[7..10].try_into().unwrap(),
                    interacting: n[10] == 1,
                    at_rest: n[11] == 1,
                };
            }
            _ => panic!("{line}"),
        }
    }
    packets += replay.as_mut().map_or(0, Replay::check);
    assert_eq!(packets, formats().len() * SEQUENCES.len());
}
