//! What must hold of any bytes. The bodies of the fuzz targets `packet`, `inputs` and `sync`; tests replay their corpora.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use crate::ack::{decode_ack, encode_ack};
use crate::cube::{Cube, CubeState};
use crate::endpoint::{Decoder, Encoder};
use crate::format::{Class, Format, Rung};
use crate::history::RECEIVED_HISTORY_TICKS;
use crate::ledger::Ledger;
use crate::lockstep::{MOST_INPUTS_BYTES, decode_inputs, encode_inputs};
use crate::model::simulated::{Ahead, Coasting};
use crate::sequence::is_newer;
use crate::snapshot::PacketCoder;
use crate::space::QuantisationBits;
use crate::sync;

/// Bytes before the packet: rung (and as many more as there are for class strict), position, orientation and velocity bits, number of cubes (1 to 256), each modulo what it
/// may be.
pub const CHOICE_BYTES: usize = 5;
/// The decoder holds these as baselines; the second crosses the wrap.
pub const HELD_SEQUENCES: [u16; 2] = [65_535, 3];
/// No packet can be newer; one of just this sequence leaves both baselines held.
pub const HORIZON: u16 = HELD_SEQUENCES[0].wrapping_add((RECEIVED_HISTORY_TICKS - 1) as u16);

/// What choices stand for, made once: making it takes longer than what is fuzzed.
#[derive(Debug)]
pub struct Made<const N: usize, T> {
    by_choices: BTreeMap<[u8; N], T>,
}

/// For [`packet_with`]: decoders and their snapshots.
pub type Decoders = Made<CHOICE_BYTES, (Decoder, [Vec<Cube>; 3])>;
/// For [`sync_with`].
pub type SyncEnds = Made<SYNC_CHOICE_BYTES, (sync::Sender, sync::Receiver)>;

impl<const N: usize, T> Default for Made<N, T> {
    fn default() -> Self {
        Self {
            by_choices: BTreeMap::new(),
        }
    }
}

impl<const N: usize, T> Made<N, T> {
    /// One is up to half a megabyte.
    const MOST: usize = 128;

    fn of(&mut self, choices: &[u8; N], make: impl FnOnce() -> T) -> &T {
        if self.by_choices.len() == Self::MOST && !self.by_choices.contains_key(choices) {
            self.by_choices.clear();
        }
        self.by_choices.entry(*choices).or_insert_with(make)
    }
}

/// Panics if the packet after the choices is decoded into a snapshot that would be sent as other bytes, or is refused
/// and yet changes something.
pub fn packet(data: &[u8]) {
    packet_with(&mut Made::default(), data);
}

/// The same with decoders that were made before.
pub fn packet_with(made: &mut Decoders, data: &[u8]) {
    let Some((choices, packet)) = data.split_first_chunk() else {
        return;
    };
    let format = format(choices);
    let (before, [_, held @ ..]) = made.of(choices, || decoder(format));
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
            let (mut again, mut ledger) = (Vec::new(), Ledger::new());
            PacketCoder::new(&format)
                .write(
                    Some(header),
                    baseline,
                    &snapshot,
                    Ahead {
                        sequence: header.sequence,
                        inputs: decoder.inputs(),
                        foresight: &mut Coasting,
                    },
                    &mut again,
                    &mut ledger,
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
            check_held(&decoder, held, |_| true);
            if let Ok((header, _)) = PacketCoder::new(&format).open(packet)
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

/// Panics if the packet is decoded into inputs that would be sent as other bytes, or is refused and yet leaves inputs.
pub fn inputs(packet: &[u8]) {
    let mut inputs = vec![1];
    match decode_inputs(packet, u16::MAX, &mut inputs) {
        Ok(newest) => {
            assert!(!is_newer(newest, u16::MAX));
            let (mut again, mut ledger) = (Vec::new(), Ledger::new());
            encode_inputs(newest, &inputs, &mut again, &mut ledger)
                .expect("what is decoded is in range");
            assert_eq!(
                again, packet,
                "decoded from other bytes than it is encoded as"
            );
            assert!(packet.len() <= MOST_INPUTS_BYTES);
        }
        Err(_) => assert_eq!(inputs, []),
    }
    if let Ok(sequence) = decode_ack(packet) {
        let mut again = Vec::new();
        encode_ack(sequence, &mut again, &mut Ledger::new());
        assert_eq!(again, packet);
    }
}

/// The format that the choices stand for.
pub fn format(choices: &[u8; CHOICE_BYTES]) -> Format {
    let [rung, position, orientation, velocity, count] = *choices;
    let bits = QuantisationBits::new(
        4 + u32::from(position) % 9,
        2 + u32::from(orientation) % 15,
        u32::from(velocity) % 13,
    );
    let (class, rung) = (
        usize::from(rung) / Rung::ALL.len() % 2,
        usize::from(rung) % Rung::ALL.len(),
    );
    let (class, rung) = ([Class::Chained, Class::Strict][class], Rung::ALL[rung]);
    Format::new(
        rung,
        bits.expect("4 to 12, 2 to 16, 0 to 12"),
        1 + usize::from(count),
    )
    .expect("1 to 256 cubes")
    .with_class(class)
}

/// A decoder that holds two baselines, and its snapshots: initial, then those of [`HELD_SEQUENCES`].
pub fn decoder(format: Format) -> (Decoder, [Vec<Cube>; 3]) {
    let snapshots = [0, 1, 2].map(|step| {
        (0..format.cube_count())
            .map(|i| cube(&format, i, step))
            .collect::<Vec<_>>()
    });
    let mut encoder = Encoder::new(format, &snapshots[0]).expect("quantised");
    let mut decoder = Decoder::new(format, &snapshots[0]).expect("quantised");
    let (mut packet, mut ledger, mut received) = (Vec::new(), Ledger::new(), Vec::new());
    for (sequence, snapshot) in HELD_SEQUENCES.into_iter().zip(&snapshots[1..]) {
        debug_assert!(is_newer(HELD_SEQUENCES[1], HELD_SEQUENCES[0]));
        encoder
            .encode(sequence, snapshot, &mut packet, &mut ledger)
            .expect("quantised");
        decoder
            .decode(&packet, sequence, &mut received)
            .expect("just encoded");
    }
    (decoder, snapshots)
}

/// Bytes before a sync packet: position, orientation and velocity bits, number of cubes (1 to 256), switches.
pub const SYNC_CHOICE_BYTES: usize = 5;
/// The receiver holds these packets as baselines; they cross the wrap.
pub const SYNC_HELD: [u32; 3] = [u32::MAX - 1, u32::MAX, 4];
/// No sync packet can be newer.
pub const SYNC_HORIZON: u32 = SYNC_HELD[2] + 0xff;

/// Panics if the sync packet after the choices is decoded into one that would be sent as other bytes, or is refused and
/// yet changes something; and the same of the bytes as an acknowledgement.
pub fn sync(data: &[u8]) {
    sync_with(&mut Made::default(), data);
}

/// The same with ends that were made before.
pub fn sync_with(made: &mut SyncEnds, data: &[u8]) {
    if let Ok(ack) = sync::Ack::from_bytes(data) {
        assert_eq!(ack.to_bytes(), data);
    }
    let Some((choices, bytes)) = data.split_first_chunk() else {
        return;
    };
    let (_, receiver) = made.of(choices, || sync_ends(sync_format(choices)));
    let mut packet = sync::Packet::default();
    if receiver.decode(bytes, SYNC_HORIZON, &mut packet).is_ok() {
        assert!(
            packet.updates.len() <= sync::UPDATES_MAX && packet.inputs.len() <= sync::INPUTS_MAX
        );
        let again = receiver.encode_again(&mut packet);
        assert_eq!(
            again, bytes,
            "decoded from other bytes than it is encoded as"
        );
    }
}

/// The format that the choices stand for.
pub fn sync_format(choices: &[u8; SYNC_CHOICE_BYTES]) -> sync::Format {
    let [position, orientation, velocity, count, switches] = *choices;
    let bits = QuantisationBits::new(
        4 + u32::from(position) % 9,
        2 + u32::from(orientation) % 15,
        u32::from(velocity) % 13,
    );
    let compression = sync::Compression {
        relative: switches & 1 != 0,
        delta: switches & 2 != 0,
    };
    let bits = bits.expect("4 to 12, 2 to 16, 0 to 12");
    sync::Format::new(bits, 1 + usize::from(count), compression, switches & 4 == 0)
        .expect("1 to 256 cubes")
}

/// Ends of which the receiver holds the packets of [`SYNC_HELD`], and the sender knows it.
pub fn sync_ends(format: sync::Format) -> (sync::Sender, sync::Receiver) {
    let (mut sender, mut receiver) = (sync::Sender::new(format), sync::Receiver::new(format));
    let (mut bytes, mut packet) = (Vec::new(), sync::Packet::default());
    for (step, sequence) in SYNC_HELD.into_iter().enumerate() {
        sender
            .encode(
                sequence,
                &[step as u8, 0, 0],
                sync_cubes(&format, step),
                4000,
                &mut bytes,
                &mut Ledger::new(),
            )
            .expect("quantised");
        receiver
            .decode(&bytes, sequence, &mut packet)
            .expect("just encoded");
        receiver.accept(&packet);
    }
    sender.ack(receiver.ack().expect("packets were accepted"), |_, _| ());
    (sender, receiver)
}

/// Every cube at a step: around the player and far from it, moving and at rest.
pub fn sync_cubes(format: &sync::Format, step: usize) -> Vec<(usize, sync::Body)> {
    (0..format.cube_count())
        .map(|index| (index, format.quantise(&state(index, step))))
        .collect()
}

/// Some cubes in the middle of every range, some at its ends, some that move from step to step.
fn cube(format: &Format, index: usize, step: usize) -> Cube {
    format.quantise(&state(index, step))
}

fn state(index: usize, step: usize) -> CubeState {
    let far = [0.0, 1000.0, -1000.0, (index * step) as f32 / 8.0][index % 4];
    let turned = [0.0, 0.5, -0.5, 0.1 * step as f32][index / 4 % 4];
    CubeState {
        position: [far, -far, far + 0.2],
        orientation: [turned, 0.5, -turned, 0.9],
        linear_velocity: [far, 0.0, -far],
        angular_velocity: [0.0; 3],
        interacting: index % 3 == step,
        at_rest: index.is_multiple_of(2),
    }
}
