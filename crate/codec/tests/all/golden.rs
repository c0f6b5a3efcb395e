//! Packets that were written once and stay as they are: `golden.txt` is decoded and encoded again.
//!
//! A change of the format is made on purpose: `GOLDEN=write cargo test -p snapshot-codec --test all golden` writes the file
//! anew, and FORMAT.md follows.

use std::fmt::Write;

use crate::declared::declared;
use crate::scenes::{Scene, Touching, rows_at, scenes};
use snapshot_codec::{
    Bounds, Class, Cube, Decoder, Encoder, Format, Life, Lookahead, QuantisationBits, Rung,
    Snapshot, Widths,
};

const FILE: &str = include_str!("../golden.txt");

/// The layout of the file, for those who read it without this program.
const LAYOUT: &str = "\
# Snapshot packets of FORMAT.md, each with what it decodes to. Lines that begin with # are comments.
# The words of a line are separated by one blank. All numbers are decimal, but for the bytes of a packet.
#
# format RUNG POS ROT VEL CUBES [CLASS] [SMALL-LARGE SMALL-LARGE]
#   begins a stream: its rung by name, the bits of positions, orientations and velocities, and the number of cubes.
#   CLASS is the class of an arithmetic rung; the last two are the widths of positions and of orientations, where they
#   are not those of section 6. Every integer of every cube of the initial snapshot is 0, and so is every flag.
# bounds LOWER-X UPPER-X LOWER-Y UPPER-Y LOWER-Z UPPER-Z
#   the bounds of the stream before, m, where they are not those of section 1.
# exact-identity
#   the codes of orientations in the stream before are those of an exact identity, section 7.
# player INDEX
#   the player of the stream before, where it is not cube 0; - where nobody is the player.
# simulation NAME
#   the simulation of the stream before on rung simulated, where it is not dead reckoning: touching, of section 16.
# slots
#   the stream before has slots: cubes come, go and jump. Those of its initial snapshot are alive in generation 0.
# fields KIND-BITS BITS[c]...
#   the stream before has fields, section 20; c marks a counter. All numbers of its initial rows are 0.
# packet SEQUENCE HEX
#   a packet of the stream: its sequence, its bytes. Each is acknowledged before the next is sent.
# inputs INPUT...
#   the inputs in the packet before, oldest first, of a stream whose simulation heeds them.
# cube INDEX X Y Z LARGEST A B C VX VY VZ INTERACTING AT-REST [LIFE]
# cubes FIRST LAST X Y Z LARGEST A B C VX VY VZ INTERACTING AT-REST [LIFE]
#   a cube, or each cube from FIRST to LAST, of the packet before; all others are as in the packet before that one, or
#   in the initial snapshot. Integers are in the steps of the format. A float is its bit pattern as a signed number of
#   32 bits; on rung uncompressed LARGEST A B C are the floats x y z w. A field that the rung does not send is 0.
#   LIFE is there in a stream with slots: the generation, 0 to 2, or 3 of an empty slot.
# row INDEX ID KIND FIELD...
#   a row of the packet before; all others are as in the packet before that one, or in the initial snapshot.
";

/// From so many cubes on that are the same, they are written as one line.
const RUN: usize = 8;

fn write(scene: &Scene) -> String {
    let format = &scene.format;
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
    let (lower, upper) = (format.bounds().lower(), format.bounds().upper());
    if format.bounds() != Bounds::DEFAULT {
        let pairs: Vec<String> = (0..3)
            .map(|i| format!("{} {}", lower[i], upper[i]))
            .collect();
        text += &format!("bounds {}\n", pairs.join(" "));
    }
    if format.has_exact_identity() {
        text += "exact-identity\n";
    }
    if format.player() != Some(0) {
        let player = format.player().map(|player| player.to_string());
        text += &format!("player {}\n", player.as_deref().unwrap_or("-"));
    }
    if scene.keys.is_some() {
        text += "simulation touching\n";
    }
    if format.has_slots() {
        text += "slots\n";
    }
    if let Some(fields) = format.fields() {
        write!(text, "fields {}", fields.kind_bits()).expect("a string");
        for field in 0..fields.count() {
            let mark = if fields.is_counter(field) { "c" } else { "" };
            write!(text, " {}{mark}", fields.bits(field)).expect("a string");
        }
        text.push('\n');
    }
    let mut previous = vec![Cube::default(); format.cube_count()];
    let mut previous_rows = blank_rows(format);
    let initial = Snapshot {
        cubes: &previous,
        rows: &previous_rows,
    };
    let mut encoder = Encoder::new(*format, initial).expect("zeros are in range");
    for (place, (sequence, snapshot)) in scene.snapshots.iter().enumerate() {
        let inputs = scene.inputs_at(place);
        let rows = rows_at(format, place, snapshot);
        let both = Snapshot {
            cubes: snapshot,
            rows: &rows,
        };
        let packet = encode(&mut encoder, *sequence, both, inputs.as_deref());
        let hex: String = packet.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(text, "packet {sequence} {hex}").expect("a string");
        if let Some(inputs) = inputs {
            let words: Vec<String> = inputs.iter().map(u8::to_string).collect();
            writeln!(text, "inputs {}", words.join(" ")).expect("a string");
        }
        write_cubes(&mut text, format, &previous, snapshot);
        let row_len = format.fields().map_or(1, |fields| fields.row_len());
        let pairs = rows.chunks(row_len).zip(previous_rows.chunks(row_len));
        for (index, (row, _)) in pairs.enumerate().filter(|(_, (row, before))| row != before) {
            let numbers: Vec<String> = row.iter().map(u32::to_string).collect();
            writeln!(text, "row {index} {}", numbers.join(" ")).expect("a string");
        }
        previous.clone_from(snapshot);
        previous_rows = rows;
    }
    text
}

/// Rows in which all numbers are 0.
fn blank_rows(format: &Format) -> Vec<u32> {
    let row_len = format.fields().map_or(0, |fields| fields.row_len());
    vec![0; format.cube_count() * row_len]
}

/// The packet of a snapshot, which is acknowledged at once.
fn encode(
    encoder: &mut Encoder,
    sequence: u16,
    snapshot: Snapshot,
    inputs: Option<&[u8]>,
) -> Vec<u8> {
    let mut packet = Vec::new();
    let ahead = Lookahead {
        sequence,
        inputs: inputs.unwrap_or(&[]),
        foresight: &mut Touching,
    };
    encoder
        .encode_ahead(snapshot, ahead, &mut packet, None)
        .expect("quantised");
    encoder.ack(sequence);
    packet
}

/// The cubes that differ from the snapshot before.
fn write_cubes(text: &mut String, format: &Format, previous: &[Cube], snapshot: &[Cube]) {
    let mut index = 0;
    while index < snapshot.len() {
        let cube = snapshot[index];
        let same = (index..snapshot.len())
            .take_while(|&i| snapshot[i] == cube && snapshot[i] != previous[i]);
        let run = same.count();
        let length = if run < RUN { 1 } else { run };
        if run > 0 {
            let place = if length > 1 {
                format!("cubes {index} {}", index + length - 1)
            } else {
                format!("cube {index}")
            };
            let integers = [&cube.position[..], &cube.orientation, &cube.linear_velocity].concat();
            let integers: Vec<String> = integers.iter().map(i32::to_string).collect();
            let flags = (u8::from(cube.interacting), u8::from(cube.at_rest));
            let integers = integers.join(" ");
            write!(text, "{place} {integers} {} {}", flags.0, flags.1).expect("a string");
            if format.has_slots() {
                write!(text, " {}", cube.life.code()).expect("a string");
            }
            text.push('\n');
        }
        index += length;
    }
}

/// Reads `5-9`.
fn widths(text: &str) -> Widths {
    let (small, large) = text.split_once('-').expect("small-large");
    let bits = |text: &str| text.parse().expect("bits");
    Widths::new(bits(small), bits(large)).expect("in range")
}

/// A stream of the file, as far as it has been read.
struct Replay {
    format: Format,
    /// Made with the first packet, when the format is complete.
    ends: Option<(Encoder, Decoder)>,
    snapshot: Vec<Cube>,
    rows: Vec<u32>,
    packet: Option<(u16, Vec<u8>)>,
    /// None where the simulation heeds none, and for a packet for which nothing is foreseen.
    inputs: Option<Vec<u8>>,
}

impl Replay {
    fn new(format: Format) -> Self {
        Self {
            format,
            ends: None,
            snapshot: vec![Cube::default(); format.cube_count()],
            rows: Vec::new(),
            packet: None,
            inputs: None,
        }
    }

    /// Checks the last packet, all cubes of which have been read from the file. Returns how many packets that are.
    fn check(&mut self) -> usize {
        let Some((sequence, packet)) = self.packet.take() else {
            return 0;
        };
        let cubes = vec![Cube::default(); self.format.cube_count()];
        let initial = Snapshot {
            cubes: &cubes,
            rows: &blank_rows(&self.format),
        };
        let (encoder, decoder) = self.ends.get_or_insert_with(|| {
            let encoder = Encoder::new(self.format, initial).expect("zeros are in range");
            let decoder = Decoder::new(self.format, initial).expect("zeros are in range");
            (encoder, decoder)
        });
        let mut received = Vec::new();
        let inputs = self.inputs.take();
        let header = if let Some(inputs) = &inputs {
            let header = decoder.decode_ahead(&packet, sequence, &mut Touching, &mut received);
            assert_eq!(decoder.inputs(), inputs);
            header
        } else {
            decoder.decode(&packet, sequence, &mut received)
        };
        assert_eq!(header.map(|header| header.sequence), Ok(sequence));
        assert_eq!(received, self.snapshot);
        assert_eq!(decoder.rows(), self.rows);
        let snapshot = Snapshot {
            cubes: &self.snapshot,
            rows: &self.rows,
        };
        let again = encode(encoder, sequence, snapshot, inputs.as_deref());
        assert_eq!(again, packet);
        1
    }
}

#[test]
fn golden_packets_decode_and_encode_as_ever() {
    if std::env::var("GOLDEN").as_deref() == Ok("write") {
        let text: String = scenes().iter().map(write).collect();
        std::fs::write(
            concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt"),
            LAYOUT.to_owned() + &text,
        )
        .unwrap();
        return;
    }
    assert!(
        FILE.starts_with(LAYOUT),
        "the layout is not that of the program"
    );
    let mut replay: Option<Replay> = None;
    let mut packets = 0;
    for line in FILE.lines().filter(|line| !line.starts_with('#')) {
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
            ["bounds", ref ends @ ..] => {
                let n = numbers(ends);
                let bounds = Bounds::new([n[0], n[2], n[4]], [n[1], n[3], n[5]]).unwrap();
                let replay = replay.as_mut().unwrap();
                replay.format = replay.format.with_bounds(bounds).unwrap();
            }
            ["player", player] => {
                let replay = replay.as_mut().unwrap();
                replay.format = replay.format.with_player(player.parse().ok()).unwrap();
            }
            ["exact-identity"] => {
                let replay = replay.as_mut().unwrap();
                replay.format = replay.format.with_exact_identity(true);
            }
            ["slots"] => {
                let replay = replay.as_mut().unwrap();
                replay.format = replay.format.with_slots(true).unwrap();
            }
            ["fields", ref words @ ..] => {
                let replay = replay.as_mut().unwrap();
                replay.format = replay.format.with_fields(declared(words));
                replay.rows = blank_rows(&replay.format);
            }
            ["row", index, ref row @ ..] => {
                let index: usize = index.parse().unwrap();
                let rows = &mut replay.as_mut().unwrap().rows;
                let row = row.iter().map(|word| word.parse().unwrap());
                let row: Vec<u32> = row.collect();
                rows[index * row.len()..][..row.len()].copy_from_slice(&row);
            }
            ["packet", sequence, hex] => {
                let replay = replay.as_mut().unwrap();
                packets += replay.check();
                let bytes = (0..hex.len()).step_by(2);
                let bytes = bytes.map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap());
                replay.packet = Some((sequence.parse().unwrap(), bytes.collect()));
            }
            ["simulation", "touching"] => {}
            ["inputs", ref inputs @ ..] => {
                let inputs = numbers(inputs).into_iter().map(|input| input as u8);
                replay.as_mut().unwrap().inputs = Some(inputs.collect());
            }
            [kind @ ("cube" | "cubes"), ref fields @ ..] => {
                let places = if kind == "cube" { 1 } else { 2 };
                let (places, fields) = fields.split_at(places);
                let (places, n) = (numbers(places), numbers(fields));
                let cube = Cube {
                    position: n[0..3].try_into().unwrap(),
                    orientation: n[3..7].try_into().unwrap(),
                    linear_velocity: n[7..10].try_into().unwrap(),
                    interacting: n[10] == 1,
                    at_rest: n[11] == 1,
                    life: n.get(12).map_or(Life::FIRST, |&code| {
                        Life::from_code(code as u8).expect("0 to 3")
                    }),
                };
                let (first, last) = (places[0] as usize, places[places.len() - 1] as usize);
                replay.as_mut().unwrap().snapshot[first..=last].fill(cube);
            }
            _ => panic!("{line}"),
        }
    }
    packets += replay.as_mut().map_or(0, Replay::check);
    let expected: usize = scenes().iter().map(|scene| scene.snapshots.len()).sum();
    assert_eq!(packets, expected);
}
