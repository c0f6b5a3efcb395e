//! The model of an engine that sends a message for each object. A row of data and a function of a message tell its packets.

use super::{Engine, Send, SendCounts};
use snapshot_codec::CubeState;
use std::collections::VecDeque;
use std::ops::Range;

/// Bits of a byte.
pub(super) const BYTE: u64 = 8;
/// Number of sends of which a client can acknowledge one: Quake's `PACKET_BACKUP`.
const SENDS_MAX: usize = 32;

/// Position of an object in metres, then its quaternion or its Euler angles.
pub(super) type Values = [f32; 7];

/// Packets of an engine. Sizes are bits.
pub(super) struct Packets {
    /// Size of a packet without messages, for the number of the send and the number of packets before it.
    pub(super) header: fn(send: u64, packets: u64) -> u64,
    /// Upper limit of a packet; a message that does not fit begins the next packet. `None` for an engine with one packet at
    /// each send, with messages or without.
    pub(super) limit: Option<u64>,
    pub(super) values: fn(&CubeState) -> Values,
    /// Returns the size of an object's message, and takes the sent values as the baseline; `None` if the object is not sent.
    pub(super) message: fn(&mut Object) -> Option<u64>,
}

/// An object at a send, beside its baseline.
#[derive(Default)]
pub(super) struct Object {
    pub(super) index: u64,
    /// Numbers of the send, and of the newest acknowledged one.
    pub(super) send: u64,
    pub(super) acked: u64,
    pub(super) now: Values,
    pub(super) baseline: Values,
    /// Number of the send at which the object changed last; 0 before its first change.
    pub(super) changed: u64,
    /// Numbers and values of earlier sends, oldest first, of which one may become the baseline.
    unacked: VecDeque<(u64, Values)>,
}

impl Object {
    /// Takes the values that have changed into the baseline, and returns their number.
    pub(super) fn take(&mut self, values: Range<usize>, changed: fn(f32, f32) -> bool) -> u64 {
        let pairs = self.now[values.clone()]
            .iter()
            .zip(&mut self.baseline[values]);
        let changed = pairs.filter(|(now, baseline)| changed(**now, **baseline));
        changed.map(|(now, baseline)| *baseline = *now).count() as u64
    }

    /// Returns true if Unity's `Quaternion.Angle` to the baseline is more than 0.01 degrees. That function gives 0 if the dot
    /// product is above 0.999999, so only turns of 0.162 degrees and more count.
    pub(super) fn has_turned(&self) -> bool {
        let pairs = self.now[3..].iter().zip(&self.baseline[3..]);
        let dot: f32 = pairs.map(|(a, b)| a * b).sum();
        dot.abs().min(1.0) <= 1.0 - 0.000_001
    }

    /// Takes the values of the newest acknowledged send as the baseline, and notes the values of this send.
    pub(super) fn take_acked(&mut self) {
        while self.unacked.front().is_some_and(|it| it.0 <= self.acked) {
            self.baseline = self.unacked.pop_front().map_or(self.baseline, |it| it.1);
        }
        // The baseline stays when all are lost. The game would begin anew after so long without an acknowledgement.
        if self.unacked.len() + 1 == SENDS_MAX {
            self.unacked.pop_front();
        }
        self.unacked.push_back((self.send, self.now));
    }
}

pub(super) struct Objects {
    row: &'static Packets,
    objects: Vec<Object>,
    acked: u64,
    packets: u64,
}

impl Objects {
    pub(super) fn boxed(row: &'static Packets, initial: &[CubeState]) -> Box<dyn Engine> {
        let objects = initial.iter().zip(0..).map(|(state, index)| Object {
            index,
            baseline: (row.values)(state),
            ..Object::default()
        });
        Box::new(Objects {
            row,
            objects: objects.collect(),
            acked: 0,
            packets: 0,
        })
    }
}

impl Engine for Objects {
    fn send(&mut self, send: &Send<'_>, sent: &mut SendCounts) {
        let row = self.row;
        self.acked = send.acked.iter().copied().fold(self.acked, u64::max);
        let header = (row.header)(send.number, self.packets);
        let mut packets = Vec::from_iter(row.limit.is_none().then_some(header));
        for (state, object) in send.objects.iter().zip(&mut self.objects) {
            if state.life.is_empty() {
                continue;
            }
            (object.send, object.acked) = (send.number, self.acked);
            object.now = (row.values)(state);
            let Some(message) = (row.message)(object) else {
                continue;
            };
            sent.updates += 1;
            match packets.last_mut() {
                Some(it) if row.limit.is_none_or(|limit| *it + message <= limit) => *it += message,
                _ => packets.push(header + message),
            }
        }
        self.packets += packets.len() as u64;
        sent.packets += packets.len() as u64;
        sent.bytes += packets.iter().map(|bits| bits.div_ceil(BYTE)).sum::<u64>();
    }
}

/// Returns the position in metres and the quaternion.
pub(super) fn with_quaternion(object: &CubeState) -> Values {
    let ([x, y, z], [qx, qy, qz, qw]) = (object.position, object.orientation);
    [x, y, z, qx, qy, qz, qw]
}

/// Returns the position in metres and the Euler angles in degrees as Unity defines them: about z, then x, then y.
pub(super) fn with_euler_angles(object: &CubeState) -> Values {
    let ([px, py, pz], [qx, qy, qz, w]) = (object.position, object.orientation);
    // Unity's axes are left-handed, and y is up.
    let [x, y, z] = [-qx, -qz, -qy];
    let sine = (2.0 * (w * x - y * z)).clamp(-1.0, 1.0);
    let pitch = libm::asinf(sine);
    // At the poles one of the other two angles says all.
    let [yaw, roll] = if sine.abs() > 0.999_999 {
        [
            libm::atan2f(-2.0 * (x * z - w * y), 1.0 - 2.0 * (y * y + z * z)),
            0.0,
        ]
    } else {
        [
            libm::atan2f(2.0 * (w * y + x * z), 1.0 - 2.0 * (x * x + y * y)),
            libm::atan2f(2.0 * (w * z + x * y), 1.0 - 2.0 * (x * x + z * z)),
        ]
    };
    let [pitch, yaw, roll] = [pitch, yaw, roll].map(f32::to_degrees);
    [px, py, pz, pitch, yaw, roll, 0.0]
}

/// Returns the difference of two angles, degrees, at most 180.
pub(super) fn angle_apart(a: f32, b: f32) -> f32 {
    let apart = (a - b).abs() % 360.0;
    apart.min(360.0 - apart)
}
