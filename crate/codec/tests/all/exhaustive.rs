//! Short byte strings in every decoder: none panics, each is refused by name, or encodes to the same bytes again.
//!
//! `EXHAUSTIVE=1 cargo test -p snapshot-codec --test all exhaustive -- --include-ignored --nocapture` tries every string, for two
//! minutes, and prints what was accepted and refused. Without the variable one of 17 strings of the greatest length is tried.

use std::collections::{BTreeMap, BTreeSet};

use crate::files::{blank_rows, changed, format};
use crate::refused::{name, names_of_format_md};
use snapshot_codec::bits::BitReader;
use snapshot_codec::{
    Class, Cube, CubeState, DeadReckoning, DecodeError, Decoder, Encoder, Format, Header,
    Lookahead, Rung, Snapshot, decode_ack,
};

/// Sequence of the held baseline.
const HELD: u16 = 5;
/// Sequence of the tried packets behind a header.
const TRIED: u16 = 8;
/// Sequence of the newest packet that there can be. Of the others few are read to their end, which takes most of the time.
const HORIZON: u16 = 0x0fff;

/// Returns the step between the tried strings of the greatest length: 1 if all are to be tried.
fn step() -> usize {
    match std::env::var_os("EXHAUSTIVE") {
        Some(_) => 1,
        None => 17,
    }
}

/// Passes every string of fewer than `bytes_max` bytes behind a prefix, and each `step`th of as many.
fn every_string(prefix: &[u8], bytes_max: usize, step: usize, mut each: impl FnMut(&[u8])) {
    let mut packet = prefix.to_vec();
    for len in 0..=bytes_max {
        let step = if len < bytes_max { 1 } else { step };
        for number in (0..1_u32 << (8 * len)).step_by(step) {
            packet.truncate(prefix.len());
            packet.extend_from_slice(&number.to_be_bytes()[4 - len..]);
            each(&packet);
        }
    }
}

/// Counts of packets: those accepted, and those refused by each number.
#[derive(Default)]
struct Counts {
    accepted: u64,
    refused: BTreeMap<u32, (u64, String)>,
}

impl Counts {
    fn refuse(&mut self, error: &DecodeError) {
        let refused = self.refused.entry(error.number());
        refused.or_insert_with(|| (0, name(error))).0 += 1;
    }
}

/// A decoder with one baseline beside the initial snapshot, and encoders that encode its packets again.
struct Receiver {
    before: Decoder,
    decoder: Decoder,
    /// Encoders against the initial snapshot, and against the held one.
    encoders: [Encoder; 2],
    received: Vec<Cube>,
}

impl Receiver {
    fn new(format: Format) -> Self {
        let rows = blank_rows(&format);
        let cubes = |step: f32| -> Vec<Cube> {
            let state = |index: usize| CubeState {
                position: [index as f32 % 2.0, step * (index % 2) as f32, 0.5],
                ..CubeState::default()
            };
            let all = 0..format.cube_count();
            all.map(|index| format.quantise(&state(index))).collect()
        };
        let (initial, held) = (cubes(0.0), cubes(0.5));
        let snapshots = [&initial, &held].map(|cubes| Snapshot { cubes, rows: &rows });
        let mut encoder = Encoder::new(format, snapshots[0]).expect("a snapshot");
        let mut before = Decoder::new(format, snapshots[0]).expect("a snapshot");
        let (fresh, mut packet, mut received) = (encoder.clone(), Vec::new(), Vec::new());
        encoder
            .encode(HELD, snapshots[1], &mut packet)
            .expect("quantised");
        before
            .decode(&packet, HORIZON, &mut received)
            .expect("encoded");
        encoder.ack(HELD);
        Self {
            decoder: before.clone(),
            before,
            encoders: [fresh, encoder],
            received,
        }
    }

    /// Headers of a packet against the initial snapshot and against the held one; the second lacks its last bit.
    fn headers(&self) -> [Vec<u8>; 2] {
        let [sequence, held] = [TRIED, HELD].map(u16::to_be_bytes);
        let held = u32::from_be_bytes([sequence[0], sequence[1], held[0], held[1]]);
        // The flag "initial" stands between them.
        let low = (held & 0xffff) >> 1;
        [
            sequence.to_vec(),
            (held & 0xffff_0000 | low).to_be_bytes().to_vec(),
        ]
    }

    fn try_packet(&mut self, packet: &[u8], counts: &mut Counts) {
        match self.decoder.decode(packet, HORIZON, &mut self.received) {
            Ok(header) => {
                counts.accepted += 1;
                assert_eq!(self.again(header), packet, "another encoding");
                self.decoder.clone_from(&self.before);
            }
            Err(error) => counts.refuse(&error),
        }
        assert!(self.received.capacity() <= 2 * self.received.len() + 4);
    }

    /// Encodes the snapshot of the last accepted packet again.
    fn again(&self, header: Header) -> Vec<u8> {
        let mut encoder = self.encoders[usize::from(header.baseline.is_some())].clone();
        let (cubes, rows) = (&self.received[..], self.decoder.rows());
        let ahead = Lookahead {
            sequence: header.sequence,
            inputs: self.decoder.inputs(),
            foresight: &mut DeadReckoning,
        };
        let mut packet = Vec::new();
        let encoded = encoder.encode_ahead(Snapshot { cubes, rows }, ahead, &mut packet, None);
        encoded.expect("what is decoded is in range");
        packet
    }
}

/// A small format, so that short packets reach each rule.
struct Small {
    name: String,
    format: Format,
    /// Lengths of the tried strings: whole ones, and tails behind a header, bytes less than the most.
    less: [Option<usize>; 2],
}

/// Small formats of all rungs, both classes, slots and fields. A packet of an arithmetic coder takes microseconds, so its tails are
/// a byte shorter; so are those of formats whose rules others have, too. Without baselines a header has no rules of its own.
fn formats() -> Vec<Small> {
    let mut formats = Vec::new();
    let variants = [
        ("", "2", &[][..]),
        (" fields", "2", &["slots", "fields 1 1 3c"]),
        (" slots", "2", &["slots"]),
        (" of 40", "40", &[]),
    ];
    for rung in Rung::ALL {
        let has_slots = rung.is_delta() && !rung.needs_simulation();
        let variants = &variants[..if has_slots { variants.len() } else { 1 }];
        for (at, (suffix, cubes, lines)) in variants.iter().enumerate() {
            let has_classes = rung.is_arithmetic() && at == 0;
            for class in &Class::ALL[..1 + usize::from(has_classes)] {
                let words = [rung.name(), "1", "2", "0", cubes, class.name()];
                let lines = ["bounds -1 1 -1 1 0 1"].iter().chain(*lines);
                let format = lines.fold(format(&words), |format, line| {
                    let words: Vec<&str> = line.split(' ').collect();
                    changed(format, &words).expect("a line of a format")
                });
                let is_shorter = rung.is_arithmetic() || at > 1;
                let tail = rung.is_delta().then_some(usize::from(is_shorter));
                let name = format!("{} {}{suffix}", rung.name(), class.name());
                let less = [(at == 0).then_some(0), tail];
                formats.push(Small { name, format, less });
            }
        }
    }
    formats
}

/// Tries strings of up to `bytes_max` bytes, and such tails behind either header. Returns the names of the refusals, and the
/// number of accepted packets.
fn sweep(bytes_max: usize, step: usize) -> (BTreeSet<String>, u64) {
    let (mut names, mut accepted) = (BTreeSet::new(), 0);
    for Small { name, format, less } in formats() {
        let (mut counts, mut receiver) = (Counts::default(), Receiver::new(format));
        let headers = receiver.headers().map(|header| (header, less[1]));
        for (prefix, less) in [(Vec::new(), less[0])].into_iter().chain(headers) {
            let Some(less) = less else { continue };
            let try_packet = |packet: &[u8]| receiver.try_packet(packet, &mut counts);
            every_string(&prefix, bytes_max - less, step, try_packet);
        }
        let refused = counts.refused.values();
        let refused: Vec<_> = refused.map(|(n, name)| format!("{name} {n}")).collect();
        println!(
            "{name}: {} accepted; {}",
            counts.accepted,
            refused.join(", ")
        );
        accepted += counts.accepted;
        names.extend(counts.refused.into_values().map(|(_, name)| name));
    }
    (names, accepted)
}

#[test]
fn every_string_of_one_byte_is_decoded_or_refused() {
    let (reached, _) = sweep(1, 1);
    assert!(reached.len() > 10, "{reached:?}");
}

#[test]
#[ignore = "ten seconds of a core, or two minutes"]
fn strings_of_three_bytes_are_decoded_or_refused() {
    let (reached, accepted) = sweep(3, step());
    let named = names_of_format_md();
    let beyond: Vec<_> = named
        .iter()
        .filter(|name| !reached.contains(**name))
        .collect();
    println!("in all {accepted} accepted; beyond: {beyond:?}");
    // A float and a row take more bytes. `refused.txt` has packets of these names.
    assert_eq!(beyond, [&"IdNotChanged", &"NotFinite"]);
}

#[test]
#[ignore = "seconds of a core"]
fn every_length_is_read_at_every_place() {
    let mut reads = 0_u64;
    every_string(&[], 2, 1, |bytes| {
        let bit = |at: usize| u32::from(bytes[at / 8] >> (7 - at % 8) & 1);
        let packet_bits = 8 * bytes.len();
        for at_bit in 0..=packet_bits {
            for wanted_bits in 0..=32 {
                let mut reader = BitReader::new(bytes);
                reader.read(at_bit as u32).expect("so many are there");
                let end = at_bit + wanted_bits as usize;
                let value = match end <= packet_bits {
                    true => Ok((at_bit..end).fold(0, |value, at| value << 1 | bit(at))),
                    false => Err(DecodeError::Truncated {
                        at_bit,
                        wanted_bits,
                        packet_bits,
                    }),
                };
                assert_eq!(reader.read(wanted_bits), value);
                reads += 1;
                // A refused read takes nothing.
                let used = if value.is_ok() { end } else { at_bit };
                let is_whole = used.div_ceil(8) == bytes.len();
                let is_zero = (used..packet_bits).all(|at| bit(at) == 0);
                assert_eq!(reader.finish().is_ok(), is_whole && is_zero);
            }
        }
    });
    println!("{reads} reads");
}

#[test]
fn every_length_is_read_across_words() {
    let bytes: Vec<u8> = (1..=12_u8).map(|byte| byte.wrapping_mul(37)).collect();
    let bit = |at: usize| u32::from(bytes[at / 8] >> (7 - at % 8) & 1);
    for (first, second) in (0..=32).flat_map(|first| (0..=32).map(move |second| (first, second))) {
        for third in 0..=32 {
            let mut reader = BitReader::new(&bytes);
            let mut at = 0;
            for bits in [first, second, third] {
                let end = at + bits as usize;
                let value = (at..end).fold(0, |value, at| value << 1 | bit(at));
                assert_eq!(reader.read(bits), Ok(value), "{first} {second} {third}");
                at = end;
            }
        }
    }
}

#[test]
#[ignore = "seconds of a core"]
fn every_string_of_three_bytes_is_an_acknowledgement_or_refused() {
    let mut counts = Counts::default();
    every_string(&[], 3, 1, |packet| match decode_ack(packet) {
        Ok(sequence) => {
            assert_eq!(sequence.to_be_bytes(), packet);
            counts.accepted += 1;
        }
        Err(error) => counts.refuse(&error),
    });
    assert_eq!(counts.accepted, 1 << 16);
    println!(
        "{} acknowledgements accepted; {:?}",
        counts.accepted, counts.refused
    );
}
