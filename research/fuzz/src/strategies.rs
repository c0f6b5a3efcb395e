//! Bodies of the targets `inputs` and `sync`.

use crate::{BITS, CHOICE_BYTES, COUNTS, chosen, quantisation, state};
use snapshot_codec::sequence::is_newer;
use snapshot_codec::{decode_ack, encode_ack};
use snapshot_lane::strategy::lockstep::{MOST_INPUTS_BYTES, decode_inputs, encode_inputs};
use snapshot_lane::strategy::sync;
use std::collections::BTreeMap;

/// Numbers of choices for sync packets, of which the first are the switches of [`sync_format`].
const SYNC_CHOICES: [usize; CHOICE_BYTES] = [8, BITS.len(), COUNTS.len()];

/// For [`sync_with`]: ends of state synchronisation, by choices. Making them takes longer than what is fuzzed.
pub type SyncEnds = BTreeMap<[usize; CHOICE_BYTES], (sync::SyncEncoder, sync::SyncDecoder)>;

/// Panics if the packet is decoded into inputs that would be sent as other bytes, or is refused and yet leaves inputs.
pub fn inputs(packet: &[u8]) {
    let mut inputs = vec![1];
    match decode_inputs(packet, u16::MAX, &mut inputs) {
        Ok(newest) => {
            assert!(!is_newer(newest, u16::MAX));
            let mut again = Vec::new();
            encode_inputs(newest, &inputs, &mut again, None).expect("what is decoded is in range");
            assert_eq!(
                again, packet,
                "decoded from other bytes than it is encoded as"
            );
            assert!(packet.len() <= MOST_INPUTS_BYTES);
        }
        Err(_) => assert!(inputs.is_empty()),
    }
    if let Ok(sequence) = decode_ack(packet) {
        let mut again = Vec::new();
        encode_ack(sequence, &mut again, None);
        assert_eq!(again, packet);
    }
}

/// The receiver holds these packets as baselines; they cross the wrap.
pub const SYNC_HELD: [u32; 3] = [u32::MAX - 1, u32::MAX, 4];
/// No sync packet can be newer.
pub const SYNC_HORIZON: u32 = SYNC_HELD[2] + 0xff;

/// Panics if the sync packet after the choices is decoded into one that would be sent as other bytes, or is refused and
/// yet changes something. Does the same with the bytes as an acknowledgement.
pub fn sync(data: &[u8]) {
    sync_with(&mut SyncEnds::new(), data);
}

/// The same with ends that were made before.
pub fn sync_with(made: &mut SyncEnds, data: &[u8]) {
    if let Ok(ack) = sync::SyncAck::from_bytes(data) {
        assert_eq!(ack.to_bytes(), data);
    }
    let Some((choices, bytes)) = data.split_first_chunk() else {
        return;
    };
    let (_, decoder) = made
        .entry(chosen(choices, SYNC_CHOICES))
        .or_insert_with(|| sync_ends(sync_format(choices)));
    let mut packet = sync::SyncPacket::default();
    if decoder.decode(bytes, SYNC_HORIZON, &mut packet).is_ok() {
        assert!(
            packet.updates.len() <= sync::UPDATES_MAX && packet.inputs.len() <= sync::INPUTS_MAX
        );
        let again = decoder.encode_again(&mut packet);
        assert_eq!(
            again, bytes,
            "decoded from other bytes than it is encoded as"
        );
    }
}

/// The format that the choices stand for; the first are switches (relative to the player, deltas, no velocities) instead of rung and class.
pub fn sync_format(choices: &[u8; CHOICE_BYTES]) -> sync::SyncFormat {
    let [switches, bits, count] = chosen(choices, SYNC_CHOICES);
    let compression = sync::Compression {
        relative: switches & 1 != 0,
        delta: switches & 2 != 0,
    };
    sync::SyncFormat::new(
        quantisation(bits),
        COUNTS[count],
        compression,
        switches & 4 == 0,
    )
    .expect("1 to 100 cubes")
}

/// Ends of which the receiver holds the packets of [`SYNC_HELD`], and the sender knows it.
pub fn sync_ends(format: sync::SyncFormat) -> (sync::SyncEncoder, sync::SyncDecoder) {
    let (mut encoder, mut decoder) = (
        sync::SyncEncoder::new(format),
        sync::SyncDecoder::new(format),
    );
    let (mut bytes, mut packet) = (Vec::new(), sync::SyncPacket::default());
    for (step, sequence) in SYNC_HELD.into_iter().enumerate() {
        encoder
            .encode(
                sequence,
                &[step as u8, 0, 0],
                sync_cubes(&format, step),
                4000,
                &mut bytes,
                None,
            )
            .expect("quantised");
        decoder
            .decode(&bytes, sequence, &mut packet)
            .expect("just encoded");
        decoder.accept(&packet);
    }
    encoder.ack(decoder.ack().expect("packets were accepted"), |_, _| ());
    (encoder, decoder)
}

/// Every cube at a step: around the player and far from it, moving and at rest.
pub fn sync_cubes(
    format: &sync::SyncFormat,
    step: usize,
) -> Vec<(usize, snapshot_codec::GridState)> {
    (0..format.grid.cube_count())
        .map(|index| (index, format.grid.quantise(&state(index, step))))
        .collect()
}
