//! Engines that send a message for each object: a row says when an object is sent, and how many bytes its message has.

use super::engine::{Batch, Engine, Send, SendCounts};
use super::turns::{angle_apart, euler_degrees, has_turned, unity_orientation};
use snapshot_codec::CubeState;
use std::collections::VecDeque;

/// Rule of an engine that sends its objects one by one, in batches.
pub(super) struct Rule {
    /// Returns the bytes at a batch's start, for the number of the send and of the batches so far.
    header_bytes: fn(send: u64, batches: u64) -> u64,
    /// Upper limit of a batch, bytes.
    bytes_max: u64,
    /// Returns the bytes of an object's message, and notes what was sent; `None` if the object is not sent.
    message: fn(&mut LastSent, &Now<'_>) -> Option<u64>,
}

/// An object at a send.
struct Now<'a> {
    object: &'a CubeState,
    index: usize,
    send: u64,
}

/// Values of an object as they were sent last.
struct LastSent {
    state: CubeState,
    /// Euler angles, degrees.
    angles: [f32; 3],
    /// True once the object has been sent at rest.
    rests: bool,
    /// Numbers of the send in which the value last changed, and of the newest acknowledged one that has it.
    changed: u64,
    acked: u64,
}

/// Unity Netcode for GameObjects: the axes that moved, as floats, beyond `PositionThresholdDefault` and
/// `RotAngleThresholdDefault`. `NetworkBatchHeader` has 16 bytes; a batch has `NonFragmentedMessageMaxSize`.
pub(super) static NETCODE_OBJECTS: Rule = Rule {
    header_bytes: |_, _| 16,
    bytes_max: 1296,
    message: |last, now| {
        const POSITION_THRESHOLD_M: f32 = 0.001;
        const ANGLE_THRESHOLD_DEGREES: f32 = 0.01;
        let mut changed = 0;
        let places = last.state.position.iter_mut().zip(now.object.position);
        for (last, now) in
            places.filter(|(last, now)| (*now - **last).abs() >= POSITION_THRESHOLD_M)
        {
            *last = now;
            changed += 1;
        }
        let angles = euler_degrees(unity_orientation(now.object));
        for (last, now) in last.angles.iter_mut().zip(angles) {
            if angle_apart(now, *last) >= ANGLE_THRESHOLD_DEGREES {
                *last = now;
                changed += 1;
            }
        }
        // A signed tick by zigzag; flags, whose 20th bit is always set; the behaviour; a float an axis.
        let tick_bytes = packed_bytes(2 * now.send, 3);
        let message = packed_bytes(now.index as u64 + 1, 4) + 1 + 3 + tick_bytes + 4 * changed;
        // Its type and its size.
        (changed > 0).then(|| 1 + packed_bytes(message, 3) + message)
    },
};

/// Header of Mirror's batch, a timestamp, bytes.
const MIRROR_HEADER_BYTES: u64 = 8;
/// Upper limit of Mirror's batch, bytes: the largest unreliable message of the bundled transport (kcp2k), 1,200 bytes without
/// its header.
const MIRROR_BYTES_MAX: u64 = 1194;
/// `positionPrecision` of Mirror's reliable transform, and `positionSensitivity` of the unreliable one, m.
const CENTIMETRE_M: f32 = 0.01;
/// Bytes of an orientation of Mirror: smallest three of ten bits.
const MIRROR_ROTATION_BYTES: u64 = 4;

/// Mirror's `NetworkTransformReliable`: differences in centimetres to what was sent last.
pub(super) static MIRROR_RELIABLE: Rule = Rule {
    header_bytes: |_, _| MIRROR_HEADER_BYTES,
    bytes_max: MIRROR_BYTES_MAX,
    message: |last, now| {
        // Rounded as by `Convert.ToInt64`.
        let centimetres = |state: &CubeState| {
            state
                .position
                .map(|m| (m / CENTIMETRE_M).round_ties_even() as i64)
        };
        let [to, from] = [now.object, &last.state].map(centimetres);
        if to == from && !has_turned(now.object.orientation, last.state.orientation) {
            return None;
        }
        last.state = *now.object;
        let zigzag = |delta: i64| ((delta << 1) ^ (delta >> 63)) as u64;
        let deltas = to.iter().zip(from).map(|(to, from)| zigzag(to - from));
        // The mask of components, a safety byte, and the values.
        let payload = 2 + deltas.map(mirror_varint_bytes).sum::<u64>() + MIRROR_ROTATION_BYTES;
        // Kind of message, object, and the payload with its size.
        Some(in_mirrors_batch(2 + 4, payload))
    },
};

/// Mirror's `NetworkTransformUnreliable`: floats of the axes that moved, and one more message when an object has come to rest.
pub(super) static MIRROR_UNRELIABLE: Rule = Rule {
    header_bytes: |_, _| MIRROR_HEADER_BYTES,
    bytes_max: MIRROR_BYTES_MAX,
    message: |last, now| {
        let (before, object) = (&mut last.state, now.object);
        let apart = |axis: usize| object.position[axis] - before.position[axis];
        let distance_squared = (0..3).map(|axis| apart(axis) * apart(axis)).sum::<f32>();
        // A way of over a centimetre in all may have no axis that went as far.
        let moved = distance_squared > CENTIMETRE_M * CENTIMETRE_M;
        let beyond = |axis: &usize| moved && apart(*axis).abs() > CENTIMETRE_M;
        let axes: Vec<usize> = (0..3).filter(beyond).collect();
        let turned = has_turned(object.orientation, before.orientation);
        let rests = axes.is_empty() && !turned;
        if rests && last.rests {
            return None;
        }
        last.rests = rests;
        for &axis in &axes {
            before.position[axis] = object.position[axis];
        }
        if turned {
            before.orientation = object.orientation;
        }
        // The mask of what has changed, and the values.
        let rotation = if turned { MIRROR_ROTATION_BYTES } else { 0 };
        let payload = 1 + 4 * axes.len() as u64 + rotation;
        // Kind of message, object, component, hash of the function, and the payload with its size.
        Some(in_mirrors_batch(2 + 4 + 1 + 2, payload))
    },
};

/// Godot 4's `MultiplayerSynchronizer`: every object in every frame. A packet begins with the kind of command and the time;
/// `sync_mtu` is its limit. An object's id and the size of its state have 4 bytes each, a `Vector3` 4 + 12, a `Quaternion`
/// 4 + 16.
pub(super) static GODOT: Rule = Rule {
    header_bytes: |_, _| 3,
    bytes_max: 1350,
    message: |_, _| Some(4 + 4 + 16 + 20),
};

/// bevy_replicon: the whole `Transform` of a changed object, again until it is acknowledged.
pub(super) static REPLICON: Rule = Rule {
    // The tick of the last update of entities, which was the first one; this tick; and the message's number.
    header_bytes: |send, batches| 1 + postcard_bytes(send) + postcard_bytes(batches & 0xffff),
    bytes_max: 1200,
    message: |last, now| {
        if !now.object.same_pose(&last.state) {
            (last.state, last.changed) = (*now.object, now.send);
        }
        // The entity's index and a flag, the size, the kind of component; translation, rotation and scale as floats.
        (last.changed > last.acked)
            .then(|| postcard_bytes(2 * now.index as u64) + 1 + 1 + 12 + 16 + 12)
    },
};

/// Number of sends after which an unacknowledged send counts as lost.
const WAITING_MAX: usize = 256;

/// Model of an engine that has a rule.
pub(super) struct Objects {
    rule: &'static Rule,
    last: Vec<LastSent>,
    /// Sends that may still be acknowledged: number, and the indices of the objects in it.
    waiting: VecDeque<(u64, Vec<u32>)>,
    batches: u64,
}

impl Objects {
    pub(super) fn new(rule: &'static Rule, initial: &[CubeState]) -> Objects {
        let last = |state: &CubeState| LastSent {
            state: *state,
            angles: euler_degrees(unity_orientation(state)),
            rests: true,
            changed: 0,
            acked: 0,
        };
        Objects {
            rule,
            last: initial.iter().map(last).collect(),
            waiting: VecDeque::new(),
            batches: 0,
        }
    }
}

impl Engine for Objects {
    fn send(&mut self, send: &Send<'_>, sent: &mut SendCounts) {
        for acked in send.acked {
            let place = self.waiting.iter().position(|(number, _)| number == acked);
            let Some((number, indices)) = place.and_then(|place| self.waiting.remove(place)) else {
                continue;
            };
            for index in indices {
                let last = &mut self.last[index as usize];
                last.acked = last.acked.max(number);
            }
        }
        let before = sent.packets;
        let header_bytes = (self.rule.header_bytes)(send.number, self.batches);
        let mut batch = Batch::new(sent, header_bytes, self.rule.bytes_max);
        let mut indices = Vec::new();
        for ((index, object), last) in send.objects.iter().enumerate().zip(&mut self.last) {
            if object.life.is_empty() {
                continue;
            }
            let now = Now {
                object,
                index,
                send: send.number,
            };
            if let Some(bytes) = (self.rule.message)(last, &now) {
                batch.add(bytes);
                indices.push(index as u32);
            }
        }
        batch.close();
        self.batches += sent.packets - before;
        if !indices.is_empty() {
            self.waiting.push_back((send.number, indices));
            if self.waiting.len() > WAITING_MAX {
                self.waiting.pop_front();
            }
        }
    }
}

/// Returns the bytes of a number that Unity packs by bits, with its own length in `length_bits` bits.
fn packed_bytes(value: u64, length_bits: u32) -> u64 {
    let bits = u64::BITS - value.leading_zeros() + length_bits;
    u64::from(bits.max(1).div_ceil(8))
}

/// Returns the bytes of a message in Mirror's batch: its size, its head, and the payload with its own size.
fn in_mirrors_batch(head: u64, payload: u64) -> u64 {
    let message = head + mirror_varint_bytes(payload + 1) + payload;
    mirror_varint_bytes(message) + message
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

#[cfg(test)]
mod tests {
    use super::super::engine::tests::{STILL, at, sent, turned};
    use super::*;

    /// Returns packets, updates and bytes of each send of a rule's engine, with the acknowledgements before it.
    fn play(rule: &'static Rule, sends: &[(&[CubeState], &[u64])]) -> Vec<[u64; 3]> {
        let mut engine = Objects::new(rule, &vec![STILL; sends[0].0.len()]);
        let numbered = sends.iter().zip(1..);
        let counts = numbered.map(|((objects, acked), number)| {
            let counts = sent(&mut engine, number, objects, acked);
            [counts.packets, counts.updates, counts.bytes]
        });
        counts.collect()
    }

    const NOTHING: [u64; 3] = [0, 0, 0];

    #[test]
    fn netcode_for_game_objects_sends_the_axes_that_moved() {
        let at_x = |x| [at([x, 0.0, 0.0]), STILL];
        let moves = [[STILL; 2], at_x(1.0), at_x(1.0005), at_x(1.0011)];
        let sends: Vec<(&[CubeState], &[u64])> =
            moves.iter().map(|it| (&it[..], &[][..])).collect();
        // Batch 16; type 1, size 1; object 1, behaviour 1, flags 3, tick 1, one float 4. Half a millimetre adds up.
        let one = [1, 1, 16 + 2 + 10];
        assert_eq!(play(&NETCODE_OBJECTS, &sends), [NOTHING, one, NOTHING, one]);
        assert_eq!(play(&NETCODE_OBJECTS, &[(&[turned(0.5)], &[])]), [one]);
        // All axes of object 20 at tick 5,000: size 2, object 2, tick 3, six floats 24.
        let mut objects = [STILL; 20];
        objects[19].position = [1.0, 2.0, 3.0];
        objects[19].orientation = [0.5, -0.1, 0.3, libm::sqrtf(1.0 - 0.25 - 0.01 - 0.09)];
        let mut engine = Objects::new(&NETCODE_OBJECTS, &[STILL; 20]);
        assert_eq!(sent(&mut engine, 5000, &objects, &[]).bytes, 16 + 3 + 33);
        let packed = |values: [u64; 4], length_bits| values.map(|it| packed_bytes(it, length_bits));
        assert_eq!(packed([0, 31, 32, 8191], 3), [1, 1, 2, 2]);
        assert_eq!(packed([15, 16, 4095, 4096], 4), [1, 2, 2, 3]);
    }

    #[test]
    fn mirrors_reliable_update_takes_17_bytes_and_its_batch_8() {
        let at_x = |x| [at([x, 0.0, 0.0]), STILL];
        let moves = [at_x(0.5), at_x(1.71), at_x(1.713)];
        let sends: Vec<(&[CubeState], &[u64])> =
            moves.iter().map(|it| (&it[..], &[][..])).collect();
        // In the batch 1, kind 2, object 4, size 1, mask 1, safety 1, three deltas 3, rotation 4. 121 cm are 242 by zigzag,
        // and take two bytes. Less than half a centimetre is nothing.
        assert_eq!(
            play(&MIRROR_RELIABLE, &sends),
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
        let sends: Vec<(&[CubeState], &[u64])> =
            moves.iter().map(|it| (&it[..], &[][..])).collect();
        // In the batch 1, kind 2, object 4, component 1, function 2, size 1, mask 1, floats 12, rotation 4. Then rest, once;
        // then one axis.
        assert_eq!(
            play(&MIRROR_UNRELIABLE, &sends),
            [[1, 1, 8 + 28], [1, 1, 8 + 12], NOTHING, [1, 1, 8 + 16]]
        );
    }

    #[test]
    fn godots_object_takes_44_bytes_at_rest_too_and_30_share_a_packet() {
        assert_eq!(play(&GODOT, &[(&[STILL], &[])]), [[1, 1, 3 + 44]]);
        let many = [[2, 31, 2 * 3 + 31 * 44]];
        assert_eq!(play(&GODOT, &[(&[STILL; 31], &[])]), many);
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
            play(&REPLICON, &sends),
            [sent, sent, NOTHING, sent, sent, NOTHING]
        );
        // Entities from 64 on take a byte more, and 27 share a message: 3 + 27 x 43 = 1,164.
        let mut objects = [STILL; 65];
        objects[64] = at([1.0, 0.0, 0.0]);
        assert_eq!(play(&REPLICON, &[(&objects, &[])]), [[1, 1, 3 + 44]]);
        let all = [at([1.0, 0.0, 0.0]); 28];
        assert_eq!(play(&REPLICON, &[(&all, &[])]), [[2, 28, 2 * 3 + 28 * 43]]);
    }
}
