//! Used and pending packets: those that the receiver had used by a given tick, and those that it had not.

use super::super::freeze::DepartedPacket;
use super::{PacketFate, PacketHistory, PacketRow};
use snapshot_view::SnapshotArrival;

/// A packet that was sent but not used by a given tick. If the receiver waits, one of these is the cause.
pub(in crate::history) struct Pending {
    pub(in crate::history) sent: DepartedPacket,
    pub(in crate::history) fate: PacketFate,
    pub(in crate::history) arrival_ms: Option<f64>,
    /// The later tick in which the packet was used; `None` if it was not.
    pub(in crate::history) used_tick: Option<u64>,
    pub(in crate::history) is_sent_again: bool,
    /// Time that the packet waits for earlier packets of a stream, ms.
    order_ms: f64,
}

impl Pending {
    /// Returns true if the packet has arrived, but the stream holds it back because an earlier packet is missing.
    pub(in crate::history) fn is_held_back_at(&self, now_ms: f64) -> bool {
        let comes_ms = self.arrival_ms.unwrap_or(f64::INFINITY);
        self.order_ms > 0.0 && comes_ms > now_ms && comes_ms - self.order_ms <= now_ms
    }
}

impl PacketHistory {
    /// Returns true if the transport is a stream, which delivers packets in order.
    pub(in crate::history) fn is_stream(&self) -> bool {
        self.is_stream
    }

    /// Returns the newest packet that the receiver had used by a tick; `None` before the first.
    pub(in crate::history) fn newest_used(&self, as_of: u64) -> Option<DepartedPacket> {
        let is_used = |kept: &&PacketRow| kept.used_tick().is_some_and(|tick| tick <= as_of);
        self.kept.iter().rfind(is_used).map(PacketRow::sent)
    }

    /// Iterates over packets from number `from` on that were sent but not used by a tick, oldest first.
    pub(in crate::history) fn pending(
        &self,
        from: u64,
        as_of: u64,
    ) -> impl Iterator<Item = Pending> {
        let after = self.kept.partition_point(|kept| kept.record.number < from);
        let left = self.kept.range(after..);
        let left = left.take_while(move |kept| kept.record.tick <= as_of);
        left.map(move |kept| Pending {
            sent: kept.sent(),
            fate: self.fate(kept, as_of),
            arrival_ms: kept.record.sent.arrival_ms,
            used_tick: kept.used_tick(),
            is_sent_again: kept.record.sent.delay.resend_ms > 0.0,
            order_ms: kept.record.sent.delay.order_ms,
        })
    }

    /// Iterates over the packets that arrive: departure tick and arrival time in ms.
    pub(in crate::history) fn arrivals(&self) -> impl Iterator<Item = (u64, f64)> {
        let kept = self.kept.iter();
        kept.filter_map(|kept| Some((kept.record.tick, kept.record.sent.arrival_ms?)))
    }
}

impl PacketRow {
    fn sent(&self) -> DepartedPacket {
        DepartedPacket {
            number: self.record.number,
            tick: self.record.tick,
        }
    }

    fn used_tick(&self) -> Option<u64> {
        let (tick, outcome) = self.received?;
        (outcome == Some(SnapshotArrival::Accepted)).then_some(tick)
    }
}
