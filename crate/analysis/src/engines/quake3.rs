//! Model of Quake 3, which sends the fields that differ from the acknowledged frame. Bits are counted before Huffman coding.

use super::engine::{Engine, Send, SendCounts};
use super::turns::{euler_degrees, unity_orientation};
use snapshot_codec::CubeState;
use std::collections::VecDeque;

/// Indices of the position's three axes and of the three angles in `entityStateFields`.
const FIELDS: [usize; 6] = [1, 2, 5, 8, 6, 41];
/// Number of newest frames that a client can acknowledge: `PACKET_BACKUP`.
const FRAMES_MAX: usize = 32;
/// Number of bits of a packet besides its entities. Sequence and acknowledged command of the packet: 4 bytes each. Kind of
/// message, time, frame, flags and length of the areas: 1 + 4 + 1 + 1 + 1 bytes. Kind of message at the end: 1.
const HEADER_BITS: u64 = 8 * (4 + 4 + 8 + 1);
/// Number of bits of an entity's number; the highest number ends the list.
const NUMBER_BITS: u64 = 10;

type EntityFields = [f32; 6];

pub(super) struct Quake3 {
    /// Sent frames that a client may still acknowledge, oldest first; at the start only the initial frame.
    frames: VecDeque<(u64, Vec<EntityFields>)>,
    /// Number of the frame against which the next one is encoded.
    acked: u64,
}

impl Quake3 {
    pub(super) fn new(initial: &[CubeState]) -> Quake3 {
        Quake3 {
            frames: VecDeque::from([(0, initial.iter().map(fields).collect())]),
            acked: 0,
        }
    }
}

fn fields(object: &CubeState) -> EntityFields {
    let [x, y, z] = object.position;
    let [pitch, yaw, roll] = euler_degrees(unity_orientation(object));
    [x, y, z, pitch, yaw, roll]
}

/// Returns the number of bits of a changed field: a flag, then 0, a whole number of 13 bits or a float.
fn changed_bits(value: f32) -> u64 {
    let whole = value == value.trunc() && (-4096.0..4096.0).contains(&value);
    match (value == 0.0, whole) {
        (true, _) => 2,
        (_, true) => 16,
        _ => 35,
    }
}

/// Returns the number of bits of an entity; `None` if no field changed.
fn entity_bits(now: &EntityFields, before: &EntityFields) -> Option<u64> {
    let changed = |i: &usize| now[*i] != before[*i];
    let last = (0..6).filter(changed).map(|i| FIELDS[i]).max()?;
    let changed_bits: u64 = (0..6).filter(changed).map(|i| changed_bits(now[i])).sum();
    let unchanged = last + 1 - (0..6).filter(changed).count();
    // It is not removed, it has changes, and the number of fields up to the last changed one.
    Some(NUMBER_BITS + 1 + 1 + 8 + unchanged as u64 + changed_bits)
}

impl Engine for Quake3 {
    fn send(&mut self, send: &Send<'_>, sent: &mut SendCounts) {
        self.acked = send.acked.iter().copied().fold(self.acked, u64::max);
        while self.frames.len() > 1 && self.frames[0].0 < self.acked {
            self.frames.pop_front();
        }
        let now: Vec<EntityFields> = send.objects.iter().map(fields).collect();
        let before = &self.frames[0].1;
        let there = send.objects.iter().map(|object| !object.life.is_empty());
        let entities = now.iter().zip(before).zip(there);
        let entities = entities.filter_map(|(pair, there)| there.then_some(pair));
        let mut bits = HEADER_BITS + NUMBER_BITS;
        for entity in entities.filter_map(|(now, before)| entity_bits(now, before)) {
            bits += entity;
            sent.updates += 1;
        }
        sent.packet(bits.div_ceil(8));
        self.frames.push_back((send.number, now));
        if self.frames.len() > FRAMES_MAX {
            // The acknowledged frame stays. The game would begin anew after so long without an acknowledgement.
            let _ = self.frames.remove(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::tests::{STILL, at, sent};
    use super::*;

    #[test]
    fn a_step_along_x_takes_56_bits_and_along_z_60() {
        // 10 + 1 + 1 + 8, the unchanged field before it, and a float of 35.
        assert_eq!(
            entity_bits(&fields(&at([0.5, 0.0, 0.0])), &fields(&STILL)),
            Some(20 + 1 + 35)
        );
        // Five unchanged fields before the third axis.
        assert_eq!(
            entity_bits(&fields(&at([0.0, 0.0, 0.5])), &fields(&STILL)),
            Some(20 + 5 + 35)
        );
        // Whole metres are integers.
        assert_eq!(
            entity_bits(&fields(&at([3.0, 0.0, 0.0])), &fields(&STILL)),
            Some(20 + 1 + 16)
        );
        assert_eq!(
            entity_bits(&fields(&STILL), &fields(&at([3.0, 0.0, 0.0]))),
            Some(20 + 1 + 2)
        );
        // A roll is field 41.
        let mut rolled = fields(&STILL);
        rolled[5] = 0.5;
        assert_eq!(entity_bits(&rolled, &fields(&STILL)), Some(20 + 41 + 35));
    }

    #[test]
    fn changes_are_sent_until_their_frame_is_acknowledged() {
        let mut engine = Quake3::new(&[STILL]);
        let moved = [at([0.5, 0.0, 0.0])];
        // 17 bytes of headers, 10 bits of the end, and 56 bits; then the first two alone.
        assert_eq!(sent(&mut engine, 1, &moved, &[]).bytes, 26);
        assert_eq!(sent(&mut engine, 2, &moved, &[]).bytes, 26);
        assert_eq!(sent(&mut engine, 3, &moved, &[1]).bytes, 19);
    }
}
