//! Packets that were written once and stay as they are: the cubes of `golden.txt` are encoded again, and decoded.
//!
//! A change of the format is made on purpose: `GOLDEN=write cargo test -p snapshot-codec --test all golden` writes the file's
//! packets anew, and FORMAT.md follows. A new rung begins with the lines of another one's stream, under its own name.

use std::fmt::Write;

use crate::files::{blank_rows, changed, format, numbers};
use snapshot_codec::{
    Cube, CubeState, DeadReckoning, Decoder, Encoder, Foresight, Format, Life, Lookahead, Snapshot,
};

const FILE: &str = include_str!("../golden.txt");

/// The simulation `touching` of the file. Without keys it is dead reckoning.
struct Touching;

impl Foresight for Touching {
    fn foresee(&mut self, sequence: u16, inputs: &[u8], cubes: &mut [CubeState]) {
        DeadReckoning.foresee(sequence, inputs, cubes);
        let holds = |key: u8| inputs.iter().any(|input| input & key != 0);
        for cube in cubes.iter_mut().filter(|cube| !cube.at_rest) {
            cube.interacting = (cube.interacting || holds(1 << 4)) && !holds(1 << 5);
        }
    }
}

/// A stream of the file, as far as it has been read.
struct Replay {
    format: Format,
    /// Made with the first packet, when the format is complete.
    ends: Option<(Encoder, Decoder)>,
    cubes: Vec<Cube>,
    rows: Vec<u32>,
    sequence: u16,
    /// The inputs of the packet, and the lines of its cubes.
    inputs: Option<Vec<u8>>,
    after: String,
}

impl Replay {
    fn new(format: Format) -> Self {
        Self {
            format,
            ends: None,
            cubes: vec![Cube::default(); format.cube_count()],
            rows: Vec::new(),
            sequence: 0,
            inputs: None,
            after: String::new(),
        }
    }

    /// Begins a packet: all lines before it are of the format, or of packets that are written.
    fn begin(&mut self, sequence: u16) {
        self.sequence = sequence;
        self.ends.get_or_insert_with(|| {
            self.rows = blank_rows(&self.format);
            let (cubes, rows) = (&self.cubes[..], &self.rows[..]);
            let initial = Snapshot { cubes, rows };
            let encoder = Encoder::new(self.format, initial).expect("zeros are in range");
            let decoder = Decoder::new(self.format, initial).expect("zeros are in range");
            (encoder, decoder)
        });
    }

    /// Appends the packet whose cubes have been read, and the lines after it.
    fn write(&mut self, text: &mut String) {
        let (Some((encoder, decoder)), sequence) = (&mut self.ends, self.sequence) else {
            return;
        };
        let (mut packet, mut received) = (Vec::new(), Vec::new());
        let (cubes, rows) = (&self.cubes[..], &self.rows[..]);
        let inputs = self.inputs.take();
        let ahead = Lookahead {
            sequence,
            inputs: inputs.as_deref().unwrap_or_default(),
            foresight: &mut Touching,
        };
        let encoded = encoder.encode_ahead(Snapshot { cubes, rows }, ahead, &mut packet, None);
        encoded.expect("quantised");
        encoder.ack(sequence);
        let header = decoder.decode_ahead(&packet, sequence, &mut Touching, &mut received);
        assert_eq!(header.map(|header| header.sequence), Ok(sequence));
        assert_eq!((&received[..], decoder.rows()), (cubes, rows));
        assert!(inputs.is_none_or(|inputs| decoder.inputs() == inputs));
        let hex: String = packet.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(text, "packet {sequence} {hex}").expect("a string");
        *text += &std::mem::take(&mut self.after);
    }

    /// Reads a line of the stream.
    fn read(&mut self, words: &[&str]) {
        match *words {
            ["packet", sequence, _] => self.begin(sequence.parse().unwrap()),
            ["simulation", "touching"] => {}
            ["inputs", ref inputs @ ..] => self.inputs = Some(numbers(inputs)),
            ["row", index, ref row @ ..] => {
                let index: usize = index.parse().unwrap();
                let row = numbers(row);
                self.rows[index * row.len()..][..row.len()].copy_from_slice(&row);
            }
            ["cube", index, ref fields @ ..] => self.fill([index, index], fields),
            ["cubes", first, last, ref fields @ ..] => self.fill([first, last], fields),
            _ => self.format = changed(self.format, words).expect("a known line"),
        }
    }

    fn fill(&mut self, places: [&str; 2], fields: &[&str]) {
        let [first, last] = places.map(|place| place.parse::<usize>().unwrap());
        let n: Vec<i32> = numbers(fields);
        let life = n.get(12).map_or(Life::FIRST, |&code| {
            Life::from_code(code as u8).expect("0 to 3")
        });
        self.cubes[first..=last].fill(Cube {
            position: n[0..3].try_into().unwrap(),
            orientation: n[3..7].try_into().unwrap(),
            linear_velocity: n[7..10].try_into().unwrap(),
            interacting: n[10] == 1,
            at_rest: n[11] == 1,
            life,
        });
    }
}

/// The file with its packets encoded anew.
fn replayed() -> String {
    let mut text = String::new();
    let mut stream: Option<Replay> = None;
    for line in FILE.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if matches!(words[0], "#" | "format" | "packet")
            && let Some(stream) = &mut stream
        {
            stream.write(&mut text);
        }
        match words[..] {
            ["#", ..] => stream = None,
            ["format", ref of @ ..] => stream = Some(Replay::new(format(of))),
            _ => stream.as_mut().expect("a stream before").read(&words),
        }
        match &mut stream {
            Some(stream) if stream.ends.is_some() => {
                if words[0] != "packet" {
                    stream.after += line;
                    stream.after += "\n";
                }
            }
            _ => writeln!(text, "{line}").expect("a string"),
        }
    }
    if let Some(stream) = &mut stream {
        stream.write(&mut text);
    }
    text
}

#[test]
fn golden_packets_decode_and_encode_as_ever() {
    let text = replayed();
    if std::env::var("GOLDEN").as_deref() == Ok("write") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");
        return std::fs::write(path, text).unwrap();
    }
    for (again, line) in text.lines().zip(FILE.lines()) {
        assert_eq!(again, line);
    }
    assert_eq!(text.len(), FILE.len());
}
