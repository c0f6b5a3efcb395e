//! Model of Godot 4's `MultiplayerSynchronizer`, which sends every object in every frame, whether it moves or not.

use super::engine::{Batch, Engine, Send, SendCounts};

/// Number of bytes of a packet before its objects: the kind of command, and the time.
const HEADER_BYTES: u64 = 3;
/// Upper limit of a packet's size, bytes: Godot's `sync_mtu`.
const PACKET_BYTES_MAX: u64 = 1350;
/// Number of bytes of an object. Its id and the size of its state have 4 each, a `Vector3` has 4 + 12, and a `Quaternion` 4 + 16.
const OBJECT_BYTES: u64 = 4 + 4 + 16 + 20;

pub(super) struct Godot;

impl Engine for Godot {
    fn send(&mut self, send: &Send<'_>, sent: &mut SendCounts) {
        let mut batch = Batch::new(sent, HEADER_BYTES, PACKET_BYTES_MAX);
        let there = send.objects.iter().filter(|object| !object.life.is_empty());
        there.for_each(|_| batch.add(OBJECT_BYTES));
        batch.close();
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::tests::{STILL, sent};
    use super::*;

    #[test]
    fn an_object_takes_44_bytes_at_rest_too_and_30_share_a_packet() {
        assert_eq!(sent(&mut Godot, 1, &[STILL], &[]).bytes, 3 + 44);
        let counts = sent(&mut Godot, 2, &[STILL; 31], &[]);
        assert_eq!((counts.packets, counts.updates), (2, 31));
        assert_eq!(counts.bytes, 2 * 3 + 31 * 44);
    }
}
