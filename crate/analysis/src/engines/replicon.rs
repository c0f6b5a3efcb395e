//! Model of bevy_replicon, which sends the whole `Transform` of a changed object again until it is acknowledged.

use super::engine::{Batch, Engine, Send, SendCounts};
use snapshot_codec::CubeState;
use std::collections::VecDeque;

/// Upper limit of a message, bytes; a longer message is split.
const MESSAGE_BYTES_MAX: u64 = 1200;
/// Number of bytes of translation, rotation and scale as floats.
const TRANSFORM_BYTES: u64 = 12 + 16 + 12;

pub(super) struct Replicon {
    objects: Vec<RepliconObject>,
    /// Sends that may still be acknowledged: number, and the indices of the objects in it.
    waiting: VecDeque<(u64, Vec<u32>)>,
    /// Number of messages so far; a message carries it as its own number.
    messages: u64,
}

struct RepliconObject {
    state: CubeState,
    /// Number of the last send in which the value changed.
    changed: u64,
    /// Number of the newest acknowledged send that contained the value.
    acked: u64,
}

/// Number of sends after which an unacknowledged send counts as lost.
const WAITING_MAX: usize = 256;

impl Replicon {
    pub(super) fn new(initial: &[CubeState]) -> Replicon {
        let object = |state: &CubeState| RepliconObject {
            state: *state,
            changed: 0,
            acked: 0,
        };
        Replicon {
            objects: initial.iter().map(object).collect(),
            waiting: VecDeque::new(),
            messages: 0,
        }
    }
}

/// Returns the bytes of an unsigned number in postcard.
fn varint_bytes(value: u64) -> u64 {
    u64::from((u64::BITS - value.leading_zeros()).max(1)).div_ceil(7)
}

impl Engine for Replicon {
    fn send(&mut self, send: &Send<'_>, sent: &mut SendCounts) {
        for acked in send.acked {
            let place = self.waiting.iter().position(|(number, _)| number == acked);
            let Some((number, indices)) = place.and_then(|place| self.waiting.remove(place)) else {
                continue;
            };
            for index in indices {
                let object = &mut self.objects[index as usize];
                object.acked = object.acked.max(number);
            }
        }
        // The tick of the last update of entities, which was the first one; this tick; and the message's number.
        let header_bytes = 1 + varint_bytes(send.number) + varint_bytes(self.messages & 0xffff);
        let before = sent.packets;
        let mut batch = Batch::new(sent, header_bytes, MESSAGE_BYTES_MAX);
        let mut indices = Vec::new();
        for ((index, now), object) in send.objects.iter().enumerate().zip(&mut self.objects) {
            if now.life.is_empty() {
                continue;
            }
            if !now.same_pose(&object.state) {
                (object.state, object.changed) = (*now, send.number);
            }
            if object.changed > object.acked {
                indices.push(index as u32);
                // The entity's index and a flag, the size, the kind of component, and the component.
                let entity_bytes = varint_bytes(2 * index as u64);
                batch.add(entity_bytes + 1 + 1 + TRANSFORM_BYTES);
            }
        }
        batch.close();
        self.messages += sent.packets - before;
        if !indices.is_empty() {
            self.waiting.push_back((send.number, indices));
            if self.waiting.len() > WAITING_MAX {
                self.waiting.pop_front();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::tests::{STILL, at, sent};
    use super::*;

    #[test]
    fn a_change_is_sent_whole_until_it_is_acknowledged() {
        let mut engine = Replicon::new(&[STILL; 2]);
        let objects = [STILL, at([1.0, 0.0, 0.0])];
        // Header 1 + 1 + 1; entity 1, size 1, kind 1, transform 40.
        let counts = sent(&mut engine, 1, &objects, &[]);
        assert_eq!(
            (counts.packets, counts.updates, counts.bytes),
            (1, 1, 3 + 43)
        );
        assert_eq!(sent(&mut engine, 2, &objects, &[]).bytes, 3 + 43);
        assert_eq!(sent(&mut engine, 3, &objects, &[1]), SendCounts::default());
        // An acknowledgement of a send before the change does not end it.
        let moved = [STILL, at([2.0, 0.0, 0.0])];
        assert_eq!(sent(&mut engine, 4, &moved, &[2]).updates, 1);
        assert_eq!(sent(&mut engine, 5, &moved, &[]).updates, 1);
        assert_eq!(sent(&mut engine, 6, &moved, &[5]).updates, 0);
    }

    #[test]
    fn entities_from_64_on_take_a_byte_more_and_27_share_a_message() {
        let mut engine = Replicon::new(&[STILL; 65]);
        let mut objects = [STILL; 65];
        objects[64] = at([1.0, 0.0, 0.0]);
        assert_eq!(sent(&mut engine, 1, &objects, &[]).bytes, 3 + 44);
        let mut engine = Replicon::new(&[STILL; 28]);
        let counts = sent(&mut engine, 1, &[at([1.0, 0.0, 0.0]); 28], &[]);
        // 3 + 27 x 43 = 1,164.
        assert_eq!((counts.packets, counts.bytes), (2, 2 * 3 + 28 * 43));
    }
}
