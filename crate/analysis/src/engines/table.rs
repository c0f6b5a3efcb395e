//! The table of engines: facts and packets of each.

use super::EngineFacts;
use super::entities::Entities;
use super::objects::{BYTE, Objects, Packets, Values};
use super::values::*;

/// All engines. Only exact models have a row.
pub static ENGINES: [EngineFacts; 7] = [
    EngineFacts {
        id: "unity-ngo",
        name: "Unity Netcode for GameObjects",
        version: "1.11",
        source: "NetworkTransform.cs, NetworkTransformMessage.cs, BytePacker.cs",
        rate_hz: 30,
        delivery: "reliable; the last sent values are the baseline",
        leaves_out: "spawning, acknowledgements, the transport's headers; ticks begin at 0",
        make: |initial| Objects::boxed(&NETCODE_OBJECTS, initial),
    },
    EngineFacts {
        id: "unity-entities",
        name: "Unity Netcode for Entities",
        version: "1.13",
        source: "GhostTransformVariants.cs, GhostDeltaPredictor.cs, GhostChunkSerializer.cs, StreamCompressionModel.cs",
        rate_hz: 60,
        delivery: "unreliable; up to three acknowledged baselines, and a snapshot of 1,400 bytes at most",
        leaves_out: "spawning, commands, importance, sizes of ghosts; chunks have 64 ghosts",
        make: |initial| Box::new(Entities::new(initial)),
    },
    EngineFacts {
        id: "mirror-reliable",
        name: "Mirror, Network Transform (Reliable)",
        version: "V3, 2024",
        source: "NetworkTransformReliable.cs, DeltaCompression.cs, Batcher.cs",
        rate_hz: 60,
        delivery: "reliable; deltas to what was sent last",
        leaves_out: "spawning, acknowledgements and sending again, the transport's headers",
        make: |initial| Objects::boxed(&MIRROR_RELIABLE, initial),
    },
    EngineFacts {
        id: "mirror-unreliable",
        name: "Mirror, Network Transform (Unreliable)",
        version: "V2, 2024",
        source: "NetworkTransformUnreliable.cs, TransformSyncData.cs, Batcher.cs",
        rate_hz: 60,
        delivery: "unreliable; no baseline",
        leaves_out: "spawning, the transport's headers",
        make: |initial| Objects::boxed(&MIRROR_UNRELIABLE, initial),
    },
    EngineFacts {
        id: "godot-4",
        name: "Godot 4 MultiplayerSynchronizer, position and quaternion",
        version: "4",
        source: "scene_replication_interface.cpp, marshalls.cpp",
        rate_hz: 60,
        delivery: "unreliable; every object in every frame, of which 60 a second are taken",
        leaves_out: "spawning, the transport's headers",
        make: |initial| Objects::boxed(&GODOT, initial),
    },
    EngineFacts {
        id: "bevy-replicon",
        name: "bevy_replicon, and lightyear 0.29 on it",
        version: "0.42",
        source: "mutations.rs",
        rate_hz: 64,
        delivery: "unreliable; whole components until they are acknowledged",
        leaves_out: "spawning, acknowledgements, the transport's headers; the messages of a tick share their fate",
        make: |initial| Objects::boxed(&REPLICON, initial),
    },
    EngineFacts {
        id: "quake-3",
        name: "Quake 3",
        version: "1.32",
        source: "msg.c, sv_snapshot.c",
        rate_hz: 20,
        delivery: "unreliable; deltas to the acknowledged frame",
        leaves_out: "Huffman, which follows; players' states, areas, fragments, and the limit of 256 entities a frame",
        make: |initial| Objects::boxed(&QUAKE_3, initial),
    },
];

/// The axes that moved beyond `PositionThresholdDefault` and `RotAngleThresholdDefault`, as floats. The header is
/// `NetworkBatchHeader`, the limit `NonFragmentedMessageMaxSize`.
static NETCODE_OBJECTS: Packets = Packets {
    header: |_, _| BYTE * 16,
    limit: Some(BYTE * 1296),
    values: with_euler_angles,
    message: |it| {
        let moved = it.take(0..3, |now, last| (now - last).abs() >= 0.001);
        let turned = it.take(3..6, |now, last| angle_apart(now, last) >= 0.01);
        // Object, behaviour, flags, whose 20th bit is always set, and a signed tick by zigzag. Before them type and size.
        let tick = packed_bytes(2 * it.send, 3);
        let size = packed_bytes(it.index + 1, 4) + 1 + 3 + tick + 4 * (moved + turned);
        (moved + turned > 0).then_some(BYTE * (1 + packed_bytes(size, 3) + size))
    },
};

/// Differences in centimetres (`positionPrecision`), and the smallest three of ten bits. The header is a timestamp. The limit is
/// the largest unreliable message of the bundled transport (kcp2k), 1,200 bytes without its header.
const MIRROR_RELIABLE: Packets = Packets {
    header: |_, _| BYTE * 8,
    limit: Some(BYTE * 1194),
    values: with_quaternion,
    message: |it| {
        // Rounded as by `Convert.ToInt64`.
        let centimetres =
            |values: Values| [0, 1, 2].map(|axis| (values[axis] / 0.01).round_ties_even() as i64);
        let [now, last] = [it.now, it.baseline].map(centimetres);
        if now == last && !it.has_turned() {
            return None;
        }
        it.baseline = it.now;
        let deltas = now.iter().zip(last).map(|(now, last)| now - last);
        let bytes = deltas.map(|delta| mirror_varint_bytes(((delta << 1) ^ (delta >> 63)) as u64));
        // Kind of message and object; the mask of components and a safety byte.
        Some(in_mirrors_batch(2 + 4, 1 + 1 + bytes.sum::<u64>() + 4))
    },
};

/// Floats of the axes that moved farther than `positionSensitivity`, and one more message when an object has come to rest.
const MIRROR_UNRELIABLE: Packets = Packets {
    message: |it| {
        let moved = it.take(0..3, |now, last| (now - last).abs() > 0.01);
        let turned = it.has_turned();
        if turned {
            it.take(3..7, |now, last| now != last);
        }
        if moved > 0 || turned {
            it.changed = it.send;
        }
        // Kind of message, object, component, hash of the function; the mask of what has changed.
        let message = in_mirrors_batch(2 + 4 + 1 + 2, 1 + 4 * (moved + u64::from(turned)));
        (it.changed > 0 && it.changed + 1 >= it.send).then_some(message)
    },
    ..MIRROR_RELIABLE
};

/// The header is the kind of command and the time, the limit `sync_mtu`.
static GODOT: Packets = Packets {
    header: |_, _| BYTE * 3,
    limit: Some(BYTE * 1350),
    values: with_quaternion,
    // Object and size of its state; a `Vector3` and a `Quaternion`, each with its type.
    message: |_| Some(BYTE * (4 + 4 + (4 + 12) + (4 + 16))),
};

/// The header is the tick of the last update of entities, which was the first one, this tick, and the message's number.
static REPLICON: Packets = Packets {
    header: |send, packets| BYTE * (1 + postcard_bytes(send) + postcard_bytes(packets & 0xffff)),
    limit: Some(BYTE * 1200),
    values: with_quaternion,
    message: |it| {
        if it.take(0..7, |now, last| now != last) > 0 {
            it.changed = it.send;
        }
        // The entity's index and a flag, the size, the kind of component; translation, rotation and scale as floats.
        let message = postcard_bytes(2 * it.index) + 1 + 1 + 12 + 16 + 12;
        (it.changed > it.acked).then_some(BYTE * message)
    },
};

/// The header is sequence and acknowledged command; kind of message, time, frame, flags and length of the areas; kind of message
/// at the end. The highest number of an entity ends the list.
static QUAKE_3: Packets = Packets {
    header: |_, _| BYTE * (4 + 4 + (1 + 4 + 1 + 1 + 1) + 1) + 10,
    limit: None,
    values: with_euler_angles,
    message: |it| {
        // Indices of the values in `entityStateFields`.
        const FIELDS: [u64; 6] = [1, 2, 5, 8, 6, 41];
        it.take_acked();
        let changed = (0..6).filter(|value| it.now[*value] != it.baseline[*value]);
        let last = changed.clone().map(|value| FIELDS[value]).max()?;
        let unchanged = last + 1 - changed.clone().count() as u64;
        // Number of the entity; it is not removed, it has changes, and the number of fields up to the last changed one. An
        // unchanged field takes one bit.
        let fields: u64 = changed.map(|value| quake_field_bits(it.now[value])).sum();
        Some(10 + 1 + 1 + 8 + unchanged + fields)
    },
};

/// Returns the bytes of a number that Unity packs by bits, with its own length in `length_bits` bits.
fn packed_bytes(value: u64, length_bits: u32) -> u64 {
    let bits = u64::BITS - value.leading_zeros() + length_bits;
    u64::from(bits.max(1).div_ceil(8))
}

/// Returns the bits of a message in Mirror's batch: its size, its head, and the payload with its own size.
fn in_mirrors_batch(head: u64, payload: u64) -> u64 {
    let message = head + mirror_varint_bytes(payload + 1) + payload;
    BYTE * (mirror_varint_bytes(message) + message)
}

/// Returns the bytes of an unsigned number, as Mirror's `Compression.CompressVarUInt` writes it.
fn mirror_varint_bytes(value: u64) -> u64 {
    match value {
        0..=240 => 1,
        241..=2287 => 2,
        2288..=67_823 => 3,
        _ => 1 + u64::from(64 - value.leading_zeros()).div_ceil(8),
    }
}

/// Returns the bytes of an unsigned number in postcard.
fn postcard_bytes(value: u64) -> u64 {
    u64::from((u64::BITS - value.leading_zeros()).max(1)).div_ceil(7)
}

/// Returns the bits of a changed field of Quake 3: a flag, then 0, a whole number of 13 bits or a float.
fn quake_field_bits(value: f32) -> u64 {
    let is_whole = value == value.trunc() && (-4096.0..4096.0).contains(&value);
    match (value == 0.0, is_whole) {
        (true, _) => 2,
        (_, true) => 16,
        _ => 35,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Engine;
    use super::super::testing::{STILL, at, sent, turned};
    use super::*;
    use snapshot_codec::CubeState;

    fn engine(id: &str, objects: usize) -> Box<dyn Engine> {
        let row = ENGINES.iter().find(|row| row.id == id).unwrap();
        (row.make)(&vec![STILL; objects])
    }

    /// Returns packets, updates and bytes of each send of an engine, with the acknowledgements before it.
    fn play<const N: usize>(id: &str, sends: [(&[CubeState], &[u64]); N]) -> [[u64; 3]; N] {
        let mut engine = engine(id, sends[0].0.len());
        let mut number = 0;
        sends.map(|(objects, acked)| {
            number += 1;
            sent(&mut *engine, number, objects, acked)
        })
    }

    const NOTHING: [u64; 3] = [0, 0, 0];

    #[test]
    fn netcode_for_game_objects_sends_the_axes_that_moved() {
        let moves = [0.0, 1.0, 1.0005, 1.0011].map(|x| [at([x, 0.0, 0.0]), STILL]);
        let sends = moves.each_ref().map(|it| (&it[..], &[][..]));
        // Batch 16; type 1, size 1; object 1, behaviour 1, flags 3, tick 1, one float 4. Half a millimetre adds up.
        let one = [1, 1, 16 + 2 + 10];
        assert_eq!(play("unity-ngo", sends), [NOTHING, one, NOTHING, one]);
        assert_eq!(play("unity-ngo", [(&[turned(0.5)], &[])]), [one]);
        // All axes of object 20 at tick 5,000: size 2, object 2, tick 3, six floats 24.
        let mut objects = [STILL; 20];
        objects[19].position = [1.0, 2.0, 3.0];
        objects[19].orientation = [0.5, -0.1, 0.3, libm::sqrtf(1.0 - 0.25 - 0.01 - 0.09)];
        let all = sent(&mut *engine("unity-ngo", 20), 5000, &objects, &[]);
        assert_eq!(all, [1, 1, 16 + 3 + 33]);
        let packed = |values: [u64; 4], length_bits| values.map(|it| packed_bytes(it, length_bits));
        assert_eq!(packed([0, 31, 32, 8191], 3), [1, 1, 2, 2]);
        assert_eq!(packed([15, 16, 4095, 4096], 4), [1, 2, 2, 3]);
    }

    #[test]
    fn mirrors_reliable_update_takes_17_bytes_and_its_batch_8() {
        let moves = [0.5, 1.71, 1.713].map(|x| [at([x, 0.0, 0.0]), STILL]);
        let sends = moves.each_ref().map(|it| (&it[..], &[][..]));
        // In the batch 1, kind 2, object 4, size 1, mask 1, safety 1, three deltas 3, rotation 4. 121 cm are 242 by zigzag,
        // and take two bytes. Less than half a centimetre is nothing.
        assert_eq!(
            play("mirror-reliable", sends),
            [[1, 1, 8 + 17], [1, 1, 8 + 18], NOTHING]
        );
        let counts = [0, 240, 241, 2287, 2288, 67_823, 67_824, 1 << 24, 1 << 32];
        let bytes = [1, 1, 2, 2, 3, 3, 4, 5, 6];
        assert_eq!(counts.map(mirror_varint_bytes), bytes);
    }

    #[test]
    fn mirrors_unreliable_update_takes_up_to_28_bytes_and_rest_is_told_once() {
        let moved = CubeState {
            position: [1.0, 2.0, 3.0],
            ..turned(1.0)
        };
        let aside = CubeState {
            position: [1.5, 2.0, 3.0],
            ..moved
        };
        let moves = [[moved], [moved], [moved], [aside]];
        let sends = moves.each_ref().map(|it| (&it[..], &[][..]));
        // In the batch 1, kind 2, object 4, component 1, function 2, size 1, mask 1, floats 12, rotation 4. Then rest, once;
        // then one axis.
        assert_eq!(
            play("mirror-unreliable", sends),
            [[1, 1, 8 + 28], [1, 1, 8 + 12], NOTHING, [1, 1, 8 + 16]]
        );
        // Small turns are none.
        let turn = |angle| play("mirror-unreliable", [(&[turned(angle)], &[])]);
        assert_eq!([turn(0.002), turn(0.003)], [[NOTHING], [[1, 1, 8 + 16]]]);
    }

    #[test]
    fn godots_object_takes_44_bytes_at_rest_too_and_30_share_a_packet() {
        assert_eq!(play("godot-4", [(&[STILL], &[])]), [[1, 1, 3 + 44]]);
        let many = [[2, 31, 2 * 3 + 31 * 44]];
        assert_eq!(play("godot-4", [(&[STILL; 31], &[])]), many);
    }

    #[test]
    fn replicon_sends_a_change_whole_until_it_is_acknowledged() {
        let [one, two] = [1.0, 2.0].map(|x| [STILL, at([x, 0.0, 0.0])]);
        let sends: [(&[CubeState], &[u64]); 6] = [
            (&one, &[]),
            (&one, &[]),
            (&one, &[1]),
            // An acknowledgement of a send before the change does not end it.
            (&two, &[2]),
            (&two, &[]),
            (&two, &[5]),
        ];
        // Header 1 + 1 + 1; entity 1, size 1, kind 1, transform 40.
        let sent = [1, 1, 3 + 43];
        assert_eq!(
            play("bevy-replicon", sends),
            [sent, sent, NOTHING, sent, sent, NOTHING]
        );
        // Entities from 64 on take a byte more, and 27 share a message: 3 + 27 x 43 = 1,164.
        let mut objects = [STILL; 65];
        objects[64] = at([1.0, 0.0, 0.0]);
        let all = [at([1.0, 0.0, 0.0]); 28];
        assert_eq!(play("bevy-replicon", [(&objects, &[])]), [[1, 1, 3 + 44]]);
        assert_eq!(
            play("bevy-replicon", [(&all, &[])]),
            [[2, 28, 2 * 3 + 28 * 43]]
        );
    }

    #[test]
    fn quake_sends_a_change_until_its_frame_is_acknowledged() {
        // Headers of 17 bytes, and 10 bits of the end. Of the object 10 + 1 + 1 + 8, the unchanged field before x, and a float
        // of 35. The first two alone once they are acknowledged.
        let moved = [at([0.5, 0.0, 0.0])];
        let sends: [(&[CubeState], &[u64]); 3] = [(&moved, &[]), (&moved, &[]), (&moved, &[1])];
        let (one, none) = ([1, 1, 17 + 9], [1, 0, 17 + 2]);
        assert_eq!(play("quake-3", sends), [one, one, none]);
        let bits = |object: CubeState| {
            let [[_, _, bytes]] = play("quake-3", [(&[object; 8], &[])]);
            bytes - 17 - 2
        };
        // Eight objects take as many bytes as one takes bits. Before z there are five unchanged fields; a roll is field 41.
        assert_eq!(bits(at([0.0, 0.0, 0.5])), 20 + 5 + 35);
        let rolled = CubeState {
            orientation: [0.0, 0.5, 0.0, 0.75_f32.sqrt()],
            ..STILL
        };
        assert_eq!(bits(rolled), 20 + 41 + 35);
        // Whole metres are integers, and zero takes two bits.
        assert_eq!(bits(at([3.0, 0.0, 0.0])), 20 + 1 + 16);
        assert_eq!(quake_field_bits(0.0), 2);
    }
}
