//! Models of Mirror's two network transforms. One sends reliable deltas in centimetres, the other unreliable floats of the
//! axes that moved.

use super::engine::{Batch, Engine, Send, SendCounts};
use super::turns::{has_turned, unity_orientation, unity_position};
use snapshot_codec::CubeState;

/// Number of bytes at a batch's start, which are its timestamp.
const BATCH_HEADER_BYTES: u64 = 8;
/// Upper limit of a batch, bytes: the largest unreliable message of the bundled transport (kcp2k), 1,200 bytes without its
/// header.
const BATCH_BYTES_MAX: u64 = 1194;
/// Precision of positions, m: `positionPrecision` of the reliable transform, and `positionSensitivity` of the unreliable one.
const CENTIMETRE: f32 = 0.01;
/// Number of bytes of an orientation: smallest three of ten bits.
const ROTATION_BYTES: u64 = 4;

/// Returns the bytes of a message in a batch, with its size in front.
fn in_batch(message: u64) -> u64 {
    varint_bytes(message) + message
}

/// Returns the bytes of an unsigned number, as `Compression.CompressVarUInt` writes it.
fn varint_bytes(value: u64) -> u64 {
    match value {
        0..=240 => 1,
        241..=2287 => 2,
        2288..=67_823 => 3,
        _ => 1 + u64::from(64 - value.leading_zeros()).div_ceil(8),
    }
}

struct LastSent {
    position: [f32; 3],
    orientation: [f32; 4],
}

fn lasts(initial: &[CubeState]) -> Vec<LastSent> {
    let last = |object: &CubeState| LastSent {
        position: unity_position(object),
        orientation: unity_orientation(object),
    };
    initial.iter().map(last).collect()
}

/// Model of `NetworkTransformReliable`, which sends differences to the last sent values.
pub(super) struct Reliable(Vec<LastSent>);

impl Reliable {
    pub(super) fn new(initial: &[CubeState]) -> Reliable {
        Reliable(lasts(initial))
    }
}

/// Converts metres to centimetres, rounded as by `Convert.ToInt64`.
fn centimetres(metres: [f32; 3]) -> [i64; 3] {
    metres.map(|metres| (metres / CENTIMETRE).round_ties_even() as i64)
}

impl Engine for Reliable {
    fn send(&mut self, send: &Send<'_>, sent: &mut SendCounts) {
        let mut batch = Batch::new(sent, BATCH_HEADER_BYTES, BATCH_BYTES_MAX);
        for (object, last) in send.objects.iter().zip(&mut self.0) {
            if object.life.is_empty() {
                continue;
            }
            let (position, orientation) = (unity_position(object), unity_orientation(object));
            let (now, before) = (centimetres(position), centimetres(last.position));
            if now == before && !has_turned(orientation, last.orientation) {
                continue;
            }
            *last = LastSent {
                position,
                orientation,
            };
            let zigzag = |delta: i64| ((delta << 1) ^ (delta >> 63)) as u64;
            let deltas = now.iter().zip(before).map(|(now, before)| now - before);
            let position_bytes: u64 = deltas.map(|delta| varint_bytes(zigzag(delta))).sum();
            // The mask of components, a safety byte, and the values.
            let payload = 2 + position_bytes + ROTATION_BYTES;
            // Kind of message, object, and the payload with its size.
            batch.add(in_batch(2 + 4 + varint_bytes(payload + 1) + payload));
        }
        batch.close();
    }
}

/// Model of `NetworkTransformUnreliable`, which has no baseline. It sends one more message when an object has come to rest.
pub(super) struct Unreliable(Vec<(LastSent, bool)>);

impl Unreliable {
    pub(super) fn new(initial: &[CubeState]) -> Unreliable {
        let still = lasts(initial).into_iter().map(|last| (last, true));
        Unreliable(still.collect())
    }
}

impl Engine for Unreliable {
    fn send(&mut self, send: &Send<'_>, sent: &mut SendCounts) {
        let mut batch = Batch::new(sent, BATCH_HEADER_BYTES, BATCH_BYTES_MAX);
        for (object, (last, rest_sent)) in send.objects.iter().zip(&mut self.0) {
            if object.life.is_empty() {
                continue;
            }
            let (position, orientation) = (unity_position(object), unity_orientation(object));
            let apart = |axis: usize| position[axis] - last.position[axis];
            let distance_squared = (0..3).map(|axis| apart(axis) * apart(axis)).sum::<f32>();
            let beyond = |axis: &usize| apart(*axis).abs() > CENTIMETRE;
            // A way of over a centimetre in all may have no axis that went as far.
            let moved = distance_squared > CENTIMETRE * CENTIMETRE;
            let axes: Vec<usize> = (0..3).filter(|axis| moved && beyond(axis)).collect();
            let turned = has_turned(orientation, last.orientation);
            let rests = axes.is_empty() && !turned;
            if rests && *rest_sent {
                continue;
            }
            *rest_sent = rests;
            for &axis in &axes {
                last.position[axis] = position[axis];
            }
            if turned {
                last.orientation = orientation;
            }
            // The mask of what has changed, and the values.
            let payload = 1 + 4 * axes.len() as u64 + if turned { ROTATION_BYTES } else { 0 };
            // Kind of message, object, component, hash of the function, and the payload with its size.
            batch.add(in_batch(
                2 + 4 + 1 + 2 + varint_bytes(payload + 1) + payload,
            ));
        }
        batch.close();
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::tests::{STILL, at, sent, turned};
    use super::*;

    #[test]
    fn a_reliable_update_takes_17_bytes_and_its_batch_8() {
        let mut engine = Reliable::new(&[STILL; 2]);
        let counts = sent(&mut engine, 1, &[at([0.5, 0.0, 0.0]), STILL], &[]);
        // In the batch 1, kind 2, object 4, size 1, mask 1, safety 1, three deltas 3, rotation 4.
        assert_eq!(
            (counts.packets, counts.updates, counts.bytes),
            (1, 1, 8 + 17)
        );
        // 121 cm are 242 by zigzag, and take two bytes.
        let counts = sent(&mut engine, 2, &[at([1.71, 0.0, 0.0]), STILL], &[]);
        assert_eq!(counts.bytes, 8 + 18);
        // Less than half a centimetre is nothing.
        let counts = sent(&mut engine, 3, &[at([1.713, 0.0, 0.0]), STILL], &[]);
        assert_eq!(counts, SendCounts::default());
    }

    #[test]
    fn an_unreliable_update_takes_up_to_28_bytes_and_rest_is_told_once() {
        let mut engine = Unreliable::new(&[STILL]);
        let moved = CubeState {
            position: [1.0, 2.0, 3.0],
            ..turned(1.0)
        };
        // In the batch 1, kind 2, object 4, component 1, function 2, size 1, mask 1, floats 12, rotation 4.
        assert_eq!(sent(&mut engine, 1, &[moved], &[]).bytes, 8 + 28);
        let counts = [2, 3].map(|number| sent(&mut engine, number, &[moved], &[]).bytes);
        assert_eq!(counts, [8 + 12, 0]);
        // One axis and no turn.
        let aside = CubeState {
            position: [1.5, 2.0, 3.0],
            ..moved
        };
        assert_eq!(sent(&mut engine, 4, &[aside], &[]).bytes, 8 + 16);
    }

    #[test]
    fn numbers_take_as_many_bytes_as_mirror_gives_them() {
        let counts = [0, 240, 241, 2287, 2288, 67_823, 67_824, 1 << 24, 1 << 32];
        assert_eq!(counts.map(varint_bytes), [1, 1, 2, 2, 3, 3, 4, 5, 6]);
    }
}
