//! Model of Unity Netcode for GameObjects, which sends a message for each object that moved, with only the changed axes.

use super::engine::{Batch, Engine, Send, SendCounts};
use super::turns::{angle_apart, euler_degrees, unity_orientation, unity_position};
use snapshot_codec::CubeState;

/// Position threshold, m: `NetworkTransform.PositionThresholdDefault`.
const POSITION_THRESHOLD: f32 = 0.001;
/// Angle threshold, degrees: `NetworkTransform.RotAngleThresholdDefault`.
const ANGLE_THRESHOLD: f32 = 0.01;
/// Length of `NetworkBatchHeader`, bytes: magic, count, size and hash.
const BATCH_HEADER_BYTES: u64 = 16;
/// Upper limit of a batch, bytes: `NonFragmentedMessageMaxSize`.
const BATCH_BYTES_MAX: u64 = 1296;
/// Number of bytes of the flags, which are bit-packed. The reliable bit, the 20th, is always set, so they take three bytes.
const FLAGS_BYTES: u64 = 3;
const BEHAVIOUR_BYTES: u64 = 1;

/// The last sent values of each object.
pub(super) struct NetcodeObjects(Vec<[f32; 6]>);

impl NetcodeObjects {
    pub(super) fn new(initial: &[CubeState]) -> NetcodeObjects {
        NetcodeObjects(initial.iter().map(axes).collect())
    }
}

/// Returns the three axes of the position and three Euler angles.
fn axes(object: &CubeState) -> [f32; 6] {
    let [x, y, z] = unity_position(object);
    let [pitch, yaw, roll] = euler_degrees(unity_orientation(object));
    [x, y, z, pitch, yaw, roll]
}

/// Returns the number of bytes of a bit-packed number, which also carries its own length in `length_bits` bits.
fn packed_bytes(value: u64, length_bits: u32) -> u64 {
    let bits = u64::BITS - value.leading_zeros() + length_bits;
    u64::from(bits.max(1).div_ceil(8))
}

impl Engine for NetcodeObjects {
    fn send(&mut self, send: &Send<'_>, sent: &mut SendCounts) {
        // A signed tick of the network, by zigzag.
        let tick_bytes = packed_bytes(2 * send.number, 3);
        let mut batch = Batch::new(sent, BATCH_HEADER_BYTES, BATCH_BYTES_MAX);
        for ((index, object), last) in send.objects.iter().enumerate().zip(&mut self.0) {
            if object.life.is_empty() {
                continue;
            }
            let now = axes(object);
            let mut changed = 0;
            for axis in 0..6 {
                let moved = match axis {
                    0..3 => (now[axis] - last[axis]).abs() >= POSITION_THRESHOLD,
                    _ => angle_apart(now[axis], last[axis]) >= ANGLE_THRESHOLD,
                };
                if moved {
                    last[axis] = now[axis];
                    changed += 1;
                }
            }
            if changed > 0 {
                let object_bytes = packed_bytes(index as u64 + 1, 4);
                let message =
                    object_bytes + BEHAVIOUR_BYTES + FLAGS_BYTES + tick_bytes + 4 * changed;
                // Its type and its size.
                batch.add(1 + packed_bytes(message, 3) + message);
            }
        }
        batch.close();
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::tests::{STILL, at, sent, turned};
    use super::*;

    #[test]
    fn an_object_that_moves_along_an_axis_takes_28_bytes_with_its_batch() {
        let mut engine = NetcodeObjects::new(&[STILL; 2]);
        assert_eq!(
            sent(&mut engine, 1, &[STILL; 2], &[]),
            SendCounts::default()
        );
        let counts = sent(&mut engine, 2, &[at([1.0, 0.0, 0.0]), STILL], &[]);
        // Batch 16; type 1, size 1; object 1, behaviour 1, flags 3, tick 1, one float 4.
        assert_eq!(
            (counts.packets, counts.updates, counts.bytes),
            (1, 1, 16 + 2 + 10)
        );
        // Half a millimetre more is below the threshold, and adds up.
        let near = |x| [at([x, 0.0, 0.0]), STILL];
        assert_eq!(sent(&mut engine, 3, &near(1.0005), &[]).updates, 0);
        assert_eq!(sent(&mut engine, 4, &near(1.0011), &[]).updates, 1);
    }

    #[test]
    fn all_axes_take_24_bytes_of_floats_and_later_ticks_and_ids_take_more() {
        let mut engine = NetcodeObjects::new(&[STILL; 20]);
        let mut objects = [STILL; 20];
        objects[19].position = [1.0, 2.0, 3.0];
        let half = 0.5;
        objects[19].orientation = [half, -0.1, 0.3, libm::sqrtf(1.0 - 0.25 - 0.01 - 0.09)];
        let counts = sent(&mut engine, 5000, &objects, &[]);
        // Batch 16; type 1, size 2; object 20 takes 2, behaviour 1, flags 3, tick 3, six floats 24.
        assert_eq!(counts.bytes, 16 + 3 + 33);
    }

    #[test]
    fn a_turn_about_the_vertical_is_one_float() {
        let mut engine = NetcodeObjects::new(&[STILL]);
        assert_eq!(sent(&mut engine, 1, &[turned(0.5)], &[]).bytes, 16 + 2 + 10);
    }

    #[test]
    fn numbers_are_bit_packed_as_the_engine_packs_them() {
        assert_eq!(
            [0, 31, 32, 8191, 8192].map(|it| packed_bytes(it, 3)),
            [1, 1, 2, 2, 3]
        );
        assert_eq!(
            [15, 16, 4095, 4096].map(|it| packed_bytes(it, 4)),
            [1, 2, 2, 3]
        );
        // Interpolation, reliable, and all six axes.
        assert_eq!(packed_bytes(0x80000 | 0x800 | 0x7e, 3), FLAGS_BYTES);
    }
}
