//! Properties of any bytes: the bodies of the fuzz targets `packet` and `fields`. Tests replay their corpora.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use crate::cube::{Cube, CubeState, Life};
use crate::declared::{Fields, Snapshot};
use crate::endpoint::{Decoder, Encoder};
use crate::format::Format;
use crate::history::RECEIVED_HISTORY_TICKS;
use crate::model::simulated::{Ahead, DeadReckoning};
use crate::rungs::{Class, Rung};
use crate::sequence::is_newer;
use crate::snapshot::PacketCoder;
use crate::space::QuantisationBits;

/// Bytes before the packet, each modulo the number of its choices. The first is the rung, and beyond all rungs that rung in
/// class strict. The second is an index in [`BITS`], and beyond it that index with slots. The third is an index in [`COUNTS`].
pub const CHOICE_BYTES: usize = 3;
/// Bits of position, orientation and velocity: the articles', a fine grid's, the fewest, both ends mixed. They are few, so that a fuzzer meets the same ends again;
/// tests of round trips draw all others.
pub const BITS: [[u32; 3]; 4] = [[9, 9, 5], [12, 15, 12], [4, 2, 0], [4, 16, 12]];
/// Numbers of cubes, most of them small: a packet of many takes longer and reaches little more.
pub const COUNTS: [usize; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 40, 100];

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
    /// To encode again.
    coder: PacketCoder,
}

impl Made {
    fn of(format: Format) -> Self {
        let (decoder, [_, first, second]) = decoder(format);
        Self {
            decoder,
            held: [first, second],
            coder: PacketCoder::new(&format),
        }
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
        .or_insert_with(|| Made::of(format));
    let (before, held, coder) = (&made.decoder, &made.held, &mut made.coder);
    let mut decoder = before.clone();
    let untouched = vec![Cube {
        position: [-1; 3],
        ..Cube::default()
    }];
    let mut snapshot = untouched.clone();

    match decoder.decode(packet, HORIZON, &mut snapshot) {
        Ok(header) => {
            let baseline = before
                .baseline_of(header)
                .expect("it was decoded against it");
            let mut again = Vec::new();
            coder
                .write(
                    Some(header),
                    baseline,
                    Snapshot {
                        cubes: &snapshot,
                        rows: decoder.rows(),
                    },
                    Ahead {
                        sequence: header.sequence,
                        inputs: decoder.inputs(),
                        foresight: &mut DeadReckoning,
                    },
                    &mut again,
                    None,
                )
                .expect("what is decoded is in range");
            assert_eq!(
                again, packet,
                "decoded from other bytes than it is encoded as"
            );
            assert!(packet.len() <= format.packet_bytes_max());
            assert!(!is_newer(header.sequence, HORIZON));
            check_held(&decoder, held, |sequence| sequence != header.sequence);
        }
        Err(_) => {
            assert_eq!(snapshot, untouched);
            assert_eq!(decoder.rows(), before.rows());
            check_held(&decoder, held, |_| true);
            if let Ok((header, _)) = coder.open(packet)
                && !HELD_SEQUENCES.contains(&header.sequence)
            {
                assert_eq!(decoder.baseline(header.sequence), None);
            }
        }
    }
}

fn check_held(decoder: &Decoder, held: &[Vec<Cube>], is_held: impl Fn(u16) -> bool) {
    let is_delta = decoder.format().rung().is_delta();
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

/// The choices, each modulo the number of its own.
pub fn chosen(
    choices: &[u8; CHOICE_BYTES],
    numbers: [usize; CHOICE_BYTES],
) -> [usize; CHOICE_BYTES] {
    core::array::from_fn(|i| usize::from(choices[i]) % numbers[i])
}

/// The bits of that place in [`BITS`].
pub fn quantisation(bits: usize) -> QuantisationBits {
    let [position, orientation, velocity] = BITS[bits];
    QuantisationBits::new(position, orientation, velocity).expect("4 to 12, 2 to 16, 0 to 12")
}

/// A decoder that holds two baselines, and its snapshots: initial, then those of [`HELD_SEQUENCES`].
pub fn decoder(format: Format) -> (Decoder, [Vec<Cube>; 3]) {
    let (cubes, rows) = steps(&format);
    let snapshots = snapshots(&cubes, &rows);
    let mut encoder = Encoder::new(format, snapshots[0]).expect("quantised");
    let mut decoder = Decoder::new(format, snapshots[0]).expect("quantised");
    let (mut packet, mut received) = (Vec::new(), Vec::new());
    for (sequence, snapshot) in HELD_SEQUENCES.into_iter().zip(&snapshots[1..]) {
        debug_assert!(is_newer(HELD_SEQUENCES[1], HELD_SEQUENCES[0]));
        encoder
            .encode(sequence, *snapshot, &mut packet)
            .expect("quantised");
        decoder
            .decode(&packet, sequence, &mut received)
            .expect("just encoded");
    }
    (decoder, cubes)
}

/// A packet that the format's [`decoder`] takes: of its last snapshot, against the initial one or the one between.
pub fn taken(format: Format, against_initial: bool) -> Vec<u8> {
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

/// Cubes and rows of the snapshots of [`decoder`].
fn steps(format: &Format) -> ([Vec<Cube>; 3], [Vec<u32>; 3]) {
    let all = 0..format.cube_count();
    let cubes: [Vec<Cube>; 3] =
        [0, 1, 2].map(|step| all.clone().map(|i| cube(format, i, step)).collect());
    let rows = core::array::from_fn(|step| rows(format, &cubes[step], step as u32));
    (cubes, rows)
}

fn snapshots<'a>(cubes: &'a [Vec<Cube>; 3], rows: &'a [Vec<u32>; 3]) -> [Snapshot<'a>; 3] {
    core::array::from_fn(|step| Snapshot {
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

/// The state of a cube at a step.
pub fn state(index: usize, step: usize) -> CubeState {
    let far = [0.0, 1000.0, -1000.0, (index * step) as f32 / 8.0][index % 4];
    let turned = [0.0, 0.5, -0.5, 0.1 * step as f32][index / 4 % 4];
    CubeState {
        position: [far, -far, far + 0.2],
        orientation: [turned, 0.5, -turned, 0.9],
        linear_velocity: [far, 0.0, -far],
        angular_velocity: [0.0; 3],
        interacting: index % 3 == step,
        at_rest: index.is_multiple_of(2),
        life: Life::default(),
    }
}
