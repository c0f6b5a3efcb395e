//! Objects that ended before their client had a state of them.
//!
//! A packet with a new object may get lost, and the object may end before the server learns of the loss. Each object that was
//! sent is to be shown, also one that lived for two packets only. So once all packets that had such an object are lost, one more
//! packet has its last state, and the packet after that one ends it. The client shows it late, for an interval.

use super::ReceivedPacket;
use super::sender::SentPartial;
use crate::slot_set::{SlotSet, has_slot};
use crate::world::{WorldSnapshot, is_seen};
use snapshot_codec::{Cube, Life};
use std::collections::VecDeque;

/// Time after an object's end for which it is still to be shown, ms.
const LATE_MS: u64 = 1000;
/// Upper limit of the number of these objects of a client. The newest ones are left out.
const UNSEEN_MOST: usize = 256;

/// The last state of an object that ended, and that the client may never have seen.
#[derive(Clone, Debug)]
pub(crate) struct UnseenObject {
    pub(crate) slot: u16,
    pub(crate) cube: Cube,
    pub(crate) row: Box<[u32]>,
    /// Ticks of the first packet that may have a state of the object, and of the first one without it.
    born: u64,
    ended: u64,
}

/// The objects of one client that ended unseen.
#[derive(Debug, Default)]
pub(crate) struct UnseenObjects(Vec<UnseenObject>);

impl UnseenObjects {
    /// Adds the object of a slot, which was alive in the packets from the tick `born` on and is not in the present world.
    /// `before` is the world of the last packet.
    pub(crate) fn add(&mut self, slot: usize, born: u64, ended: u64, before: &WorldSnapshot) {
        if self.0.len() < UNSEEN_MOST && !before.cubes[slot].life.is_empty() {
            self.0.push(UnseenObject {
                slot: slot as u16,
                cube: before.cubes[slot],
                row: before.row(slot).into(),
                born,
                ended,
            });
        }
    }

    /// Returns the objects that the packet of a world is to show. `sent` has the packets that left, oldest first.
    pub(crate) fn due(
        &mut self,
        tick_rate: u32,
        world: &WorldSnapshot,
        sent: &VecDeque<SentPartial>,
    ) -> Vec<UnseenObject> {
        let late = LATE_MS * u64::from(tick_rate) / 1000;
        let mut due = Vec::new();
        self.0.retain(|own| {
            let slot = usize::from(own.slot);
            if world.tick - own.ended > late || !world.cubes[slot].life.is_empty() {
                return false;
            }
            let first = sent.partition_point(|sent| sent.tick() < own.born);
            let (mut is_received, mut is_in_flight, mut is_sent) = (false, false, false);
            for sent in sent.range(first..).filter(|sent| sent.shows(own)) {
                is_sent = true;
                is_received |= sent.is_received();
                is_in_flight |= sent.may_arrive();
            }
            if is_sent && !is_received && !is_in_flight {
                due.push(own.clone());
            }
            // An object for which no packet had room is not sent after its end.
            is_sent && !is_received
        });
        due
    }
}

/// Returns the object of a slot among those that a packet shows after their end.
pub(crate) fn unseen_in(unseen: &[UnseenObject], slot: usize) -> Option<&UnseenObject> {
    unseen.iter().find(|own| usize::from(own.slot) == slot)
}

/// Returns the life of the object that a client is to see in a slot of a world.
pub(crate) fn life_in(world: &WorldSnapshot, seen: &Option<SlotSet>, slot: usize) -> Life {
    match is_seen(seen, slot) {
        true => world.cubes[slot].life,
        false => Life::EMPTY,
    }
}

impl SentPartial {
    /// Returns true if the packet has a state of the object.
    fn shows(&self, own: &UnseenObject) -> bool {
        has_slot(self.slots(), own.slot.into()) && self.life(own.slot.into()) == own.cube.life
    }
}
