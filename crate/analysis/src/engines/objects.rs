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
            let fits = |packet: &u64| row.limit.is_none_or(|limit| packet + message <= limit);
            match packets.last_mut().filter(|packet| fits(packet)) {
                Some(packet) => *packet += message,
                None => packets.push(header + message),
            }
        }
        self.packets += packets.len() as u64;
        sent.packets += packets.len() as u64;
        sent.bytes += packets.iter().map(|bits| bits.div_ceil(BYTE)).sum::<u64>();
    }
}
