//! Bodies of the targets `packet` and `fields`.

use crate::{BITS, CHOICE_BYTES, COUNTS, chosen, quantisation, state};
use snapshot_codec::sequence::is_newer;
use snapshot_codec::{
    Class, Cube, CubeState, DeadReckoning, Decoder, Encoder, Fields, Format, Header, Life,
    Lookahead, RECEIVED_HISTORY_TICKS, Rung, Snapshot,
};
use std::collections::BTreeMap;

/// Numbers of choices for snapshots.
const SNAPSHOT_CHOICES: [usize; CHOICE_BYTES] = [2 * Rung::ALL.len(), 2 * BITS.len(), COUNTS.len()];
/// The decoder holds these as baselines; the second crosses the wrap.
pub const HELD_SEQUENCES: [u16; 2] = [65_535, 3];
/// No packet can be newer; one of just this sequence leaves both baselines held.
pub const HORIZON: u16 = HELD_SEQUENCES[0].wrapping_add((RECEIVED_HISTORY_TICKS - 1) as u16);

/// For [`packet_with`]: decoders, their snapshots and what encodes again, by choices. Making them takes longer than what is fuzzed.
#[derive(Debug, Default)]
pub struct Decoders {
    by_choices: BTreeMap<[usize; CHOICE_BYTES], Made>,
}

#[derive(Debug)]
struct Made {
    decoder: Decoder,
    /// Those of [`HELD_SEQUENCES`].
    held: [Vec<Cube>; 2],
    /// To encode again: against the initial snapshot, and against each of those.
    encoders: [Encoder; 3],
}

impl Made {
    fn new(format: Format) -> Self {
        let (cubes, rows) = steps(&format);
        let snapshots = snapshots(&cubes, &rows);
        let mut encoder = Encoder::new(format, snapshots[0]).expect("quantised");
        let mut decoder = Decoder::new(format, snapshots[0]).expect("quantised");
        let mut encoders = [(); 3].map(|()| encoder.clone());
        let (mut packet, mut received) = (Vec::new(), Vec::new());
        let held = HELD_SEQUENCES.into_iter().zip(&snapshots[1..]);
        for ((sequence, snapshot), with_ack) in held.zip(&mut encoders[1..]) {
            let encoded = encoder.encode(sequence, *snapshot, &mut packet);
            encoded.expect("quantised");
            let decoded = decoder.decode(&packet, sequence, &mut received);
            decoded.expect("just encoded");
            *with_ack = encoder.clone();
            with_ack.ack(sequence);
        }
        let [_, first, second] = cubes;
        Self {
            decoder,
            held: [first, second],
            encoders,
        }
    }

    /// Writes the decoded packet of that sequence again.
    fn encode_again(&self, decoder: &Decoder, header: Header, cubes: &[Cube]) -> Vec<u8> {
        let place = header.baseline.map_or(Some(0), |baseline| {
            let place = HELD_SEQUENCES.iter().position(|&held| held == baseline);
            place.map(|place| 1 + place)
        });
        let mut encoder = self.encoders[place.expect("it was decoded against it")].clone();
        let snapshot = Snapshot {
            cubes,
            rows: decoder.rows(),
        };
        let ahead = Lookahead {
            sequence: header.sequence,
            inputs: decoder.inputs(),
            foresight: &mut DeadReckoning,
        };
        let mut again = Vec::new();
        let encoded = encoder.encode_ahead(snapshot, ahead, &mut again, None);
        encoded.expect("what is decoded is in range");
        again
    }
}

/// Panics if the packet after the choices is decoded into a snapshot that would be sent as other bytes, or is refused
/// and yet changes something.
pub fn packet(data: &[u8]) {
    packet_with(&mut Decoders::default(), data);
}

/// The same with decoders that were made before.
pub fn packet_with(made: &mut Decoders, data: &[u8]) {
    let Some((choices, packet)) = data.split_first_chunk() else {
        return;
    };
    check_packet(made, format(choices), choices, packet);
}

/// The same of a format with fields of a game's own.
pub fn fields(data: &[u8]) {
    fields_with(&mut Decoders::default(), data);
}

/// The same with decoders that were made before, for this target alone.
pub fn fields_with(made: &mut Decoders, data: &[u8]) {
    if let Some((choices, packet)) = data.split_first_chunk() {
        check_packet(made, fields_format(choices), choices, packet);
    }
}

/// The format that the choices stand for, with fields of each kind.
pub fn fields_format(choices: &[u8; CHOICE_BYTES]) -> Format {
    let declare = || {
        let fields = Fields::new(5)?.with(1)?.with_counter(16)?.with(7)?;
        fields.with_counter(3)?.with_counter(24)
    };
    format(choices).with_fields(declare().expect("in range"))
}

fn check_packet(made: &mut Decoders, format: Format, choices: &[u8; CHOICE_BYTES], packet: &[u8]) {
    let made = made
        .by_choices
        .entry(chosen(choices, SNAPSHOT_CHOICES))
        .or_insert_with(|| Made::new(format));
    let (before, held) = (&made.decoder, &made.held);
    let mut decoder = before.clone();
    let untouched = vec![Cube {
        position: [-1; 3],
        ..Cube::default()
    }];
    let mut snapshot = untouched.clone();
    let is_delta = format.rung().is_delta();
    match decoder.decode(packet, HORIZON, &mut snapshot) {
        Ok(header) => {
            let again = made.encode_again(&decoder, header, &snapshot);
            assert_eq!(
                again, packet,
                "decoded from other bytes than it is encoded as"
            );
            assert!(packet.len() <= format.packet_bytes_max());
            assert!(!is_newer(header.sequence, HORIZON));
            check_held(&decoder, is_delta, held, |sequence| {
                sequence != header.sequence
            });
        }
        Err(_) => {
            assert_eq!(snapshot, untouched);
            assert_eq!(decoder.rows(), before.rows());
            check_held(&decoder, is_delta, held, |_| true);
            if let Some(sequence) = packet.first_chunk().copied().map(u16::from_be_bytes)
                && !HELD_SEQUENCES.contains(&sequence)
            {
                assert_eq!(decoder.baseline(sequence), None);
            }
        }
    }
}

fn check_held(
    decoder: &Decoder,
    is_delta: bool,
    held: &[Vec<Cube>],
    is_held: impl Fn(u16) -> bool,
) {
    for (sequence, cubes) in HELD_SEQUENCES.into_iter().zip(held) {
        if is_held(sequence) {
            assert_eq!(decoder.baseline(sequence), is_delta.then_some(&cubes[..]));
        }
    }
}

/// The format that the choices stand for.
pub fn format(choices: &[u8; CHOICE_BYTES]) -> Format {
    let [coding, bits, count] = chosen(choices, SNAPSHOT_CHOICES);
    let rung = Rung::ALL[coding % Rung::ALL.len()];
    let class = [Class::Chained, Class::Strict][coding / Rung::ALL.len()];
    Format::new(rung, quantisation(bits % BITS.len()), COUNTS[count])
        .expect("1 to 100 cubes")
        .with_class(class)
        .with_slots(bits >= BITS.len() && !rung.needs_simulation())
        .expect("not simulated")
}

/// A packet that the target's decoder takes: of its last snapshot, against the initial one or the one between.
pub fn accepted_packet(format: Format, against_initial: bool) -> Vec<u8> {
    let (cubes, rows) = steps(&format);
    let [initial, between, last] = snapshots(&cubes, &rows);
    let mut encoder = Encoder::new(format, initial).expect("quantised");
    let mut packet = Vec::new();
    for (sequence, snapshot) in HELD_SEQUENCES.into_iter().zip([between, last]) {
        let encoded = encoder.encode(sequence, snapshot, &mut packet);
        encoded.expect("quantised");
    }
    if !against_initial {
        encoder.ack(HELD_SEQUENCES[0]);
    }
    let encoded = encoder.encode(HELD_SEQUENCES[1] + 3, last, &mut packet);
    encoded.expect("quantised");
    packet
}

/// Cubes and rows of the snapshots that the target's decoder holds: initial, then those of [`HELD_SEQUENCES`].
fn steps(format: &Format) -> ([Vec<Cube>; 3], [Vec<u32>; 3]) {
    let all = 0..format.cube_count();
    let cubes: [Vec<Cube>; 3] =
        [0, 1, 2].map(|step| all.clone().map(|i| cube(format, i, step)).collect());
    let rows = std::array::from_fn(|step| rows(format, &cubes[step], step as u32));
    (cubes, rows)
}

fn snapshots<'a>(cubes: &'a [Vec<Cube>; 3], rows: &'a [Vec<u32>; 3]) -> [Snapshot<'a>; 3] {
    std::array::from_fn(|step| Snapshot {
        cubes: &cubes[step],
        rows: &rows[step],
    })
}

/// Some cubes in the middle of every range, some at its ends, some that move from step to step. Slots are empty now and then.
fn cube(format: &Format, index: usize, step: usize) -> Cube {
    let life = match (index + step) % 5 {
        _ if !format.has_slots() => Life::FIRST,
        0 => Life::EMPTY,
        1 => Life::FIRST.next(),
        _ => Life::FIRST,
    };
    format.quantise(&CubeState {
        life,
        ..state(index, step)
    })
}

/// Rows of which some fields change from step to step; ids and kinds of those that live on stay.
fn rows(format: &Format, cubes: &[Cube], step: u32) -> Vec<u32> {
    let Some(fields) = format.fields() else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    for (index, cube) in (0..).zip(cubes) {
        let row = rows.len();
        rows.resize(row + fields.row_len(), 0);
        if cube.life.is_empty() {
            continue;
        }
        rows[row] = 1000 * index + u32::from(cube.life.code());
        rows[row + 1] = index % 32;
        for field in 0..fields.count() {
            let value = (index + 1) * field as u32 + step * (index % 3);
            rows[row + 2 + field] = value & ((1 << fields.bits(field)) - 1);
        }
    }
    rows
}
