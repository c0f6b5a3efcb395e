//! The network, one way: latency, jitter, loss, duplication and reordering, in virtual time.
//!
//! What happens to a packet depends on its number, the seed and the fault alone (`faults`), unless an override says otherwise.

mod bytes;
mod faults;

use bytes::{Bytes, Place};
use faults::Faults;
use std::collections::BTreeMap;

/// No doubling goes beyond it (RFC 6298, 2.5: at least 60 s).
const LONGEST_TIMEOUT_MS: f64 = 60_000.0;

/// The conditions of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// Time that a packet travels.
    pub latency_ms: f64,
    /// The latency varies evenly by up to this much either way; it never goes below zero.
    pub jitter_ms: f64,
    /// Share of packets lost, 0 to 0.5.
    pub loss: f64,
    /// Mean length of a loss in packets; 1 is independent loss.
    pub burst_packets: f64,
    /// Share of packets that arrive twice.
    pub duplicated: f64,
    /// Share of packets held back by 1 to 3 send intervals.
    pub reordered: f64,
    /// The unit by which a reordered packet is held back.
    pub send_interval_ms: f64,
    /// A stream like TCP, if there is a timeout: everything arrives, once and in order. A lost segment is sent again after
    /// the timeout, which doubles with each further loss (RFC 6298, 5.5); all later segments wait. Neither fast
    /// retransmission nor congestion control is in the model: the original's has none.
    pub retransmission_timeout_ms: Option<f64>,
}

impl Conditions {
    /// A link that delivers every packet at once. Tests take it for what they are not about, so that a fault is added here alone.
    pub const PERFECT: Conditions = Conditions {
        latency_ms: 0.0,
        jitter_ms: 0.0,
        loss: 0.0,
        burst_packets: 1.0,
        duplicated: 0.0,
        reordered: 0.0,
        send_interval_ms: 1.0,
        retransmission_timeout_ms: None,
    };

    /// Packets on their way at a time, at most, copies included; a stream's may be more.
    fn most_in_flight(&self) -> usize {
        let held_intervals = if self.reordered > 0.0 { 3.0 } else { 0.0 };
        let longest_ms = self.latency_ms + self.jitter_ms + held_intervals * self.send_interval_ms;
        let packets = (longest_ms / self.send_interval_ms) as usize + 2;
        packets * if self.duplicated > 0.0 { 2 } else { 1 }
    }
}

/// Counts of packets so far. `sent = delivered + lost + in flight`; second copies are counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Counters {
    pub sent: u64,
    pub delivered: u64,
    pub lost: u64,
    pub duplicated: u64,
    pub retransmitted: u64,
}

impl Counters {
    /// Packets on their way.
    pub fn in_flight(&self) -> u64 {
        self.sent - self.delivered - self.lost
    }
}

/// The outcome of a packet, set by hand in place of its faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Override {
    /// It is lost; of a stream, it is sent again.
    Lost,
    /// It arrives when it would have if there were no loss. A cut loses it all the same.
    Delivered,
}

/// The overrides of packets, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides(BTreeMap<u64, Override>);

impl Overrides {
    /// Sets the override of a packet, or leaves the packet to its faults again.
    pub fn set(&mut self, number: u64, forced: Option<Override>) {
        match forced {
            Some(forced) => self.0.insert(number, forced),
            None => self.0.remove(&number),
        };
    }

    /// The override of a packet, if any.
    pub fn get(&self, number: u64) -> Option<Override> {
        self.0.get(&number).copied()
    }

    /// All that were set, by rising number.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Override)> {
        self.0.iter().map(|(&number, &forced)| (number, forced))
    }
}

/// The outcome of a packet that was just sent, unless a cut catches it on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sent {
    /// Its arrival; none if it is lost.
    pub arrival_ms: Option<f64>,
    /// Arrival of its second copy, if there is one.
    pub copy_arrival_ms: Option<f64>,
    /// Retransmissions by a stream, each after the next of [`timeouts_ms`].
    pub retransmissions: u32,
}

/// A packet that has arrived.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delivery {
    /// Its number.
    pub number: u64,
    /// Its arrival.
    pub arrival_ms: f64,
    /// It is the second copy.
    pub copy: bool,
}

/// Times at which a stream sends a lost segment again, counted from its first departure. Each wait is twice as long as the one
/// before (RFC 6298, 5.5).
pub fn timeouts_ms(first_ms: f64) -> impl Iterator<Item = f64> {
    let waits = |wait_ms: &f64| Some((2.0 * wait_ms).min(LONGEST_TIMEOUT_MS));
    std::iter::successors(Some(first_ms), waits).scan(0.0, |late_ms, wait_ms| {
        *late_ms += wait_ms;
        Some(*late_ms)
    })
}

/// Packets on their way from one side to the other.
#[derive(Clone, Debug)]
pub struct Channel {
    conditions: Conditions,
    faults: Faults,
    overrides: Overrides,
    /// Arrival of the last packet of a stream: none overtakes it.
    last_arrival_ms: f64,
    /// Sorted by arrival, the latest first.
    in_flight: Vec<Flight>,
    bytes: Bytes,
    cut: bool,
    counters: Counters,
}

#[derive(Clone, Debug)]
struct Flight {
    delivery: Delivery,
    packet: Place,
}

impl Channel {
    /// An empty channel. `direction` keeps the faults of both ways apart under one seed.
    pub fn new(conditions: Conditions, seed: u32, direction: u32) -> Channel {
        Channel {
            conditions,
            faults: Faults::new(&conditions, seed, direction),
            overrides: Overrides::default(),
            last_arrival_ms: 0.0,
            in_flight: Vec::with_capacity(conditions.most_in_flight()),
            bytes: Bytes::default(),
            cut: false,
            counters: Counters::default(),
        }
    }

    /// While it is cut nothing enters and nothing leaves: what is sent then or would arrive then is lost. Of a stream, which
    /// loses nothing, it waits.
    pub fn set_cut(&mut self, cut: bool) {
        self.cut = cut;
    }

    /// Returns true if it is cut.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// The overrides of packets.
    pub fn overrides(&self) -> &Overrides {
        &self.overrides
    }

    /// Sets the override of a packet that has not been sent, or leaves the packet to its faults again. No other packet changes.
    pub fn set_override(&mut self, number: u64, forced: Option<Override>) {
        self.overrides.set(number, forced);
    }

    /// Sends a packet in `fragments` pieces (at least 1). Each has faults of its own, by the packet's `number`: the packet is lost
    /// with the first of them that is, and arrives with the last.
    pub fn send(&mut self, now_ms: f64, number: u64, packet: &[u8], fragments: u32) -> Sent {
        self.counters.sent += 1;
        let (faults, conditions) = (self.faults, self.conditions);
        let lost = self.cut
            || match self.overrides.get(number) {
                Some(forced) => forced == Override::Lost,
                None => faults.is_lost(number, fragments),
            };
        let arrival_ms = now_ms
            + faults.travel_ms(&conditions, number, false, fragments)
            + faults.held_ms(&conditions, number);
        let first = |arrival_ms| Delivery {
            number,
            arrival_ms,
            copy: false,
        };
        if let Some(timeout_ms) = conditions.retransmission_timeout_ms {
            let (retransmissions, late_ms) = if lost {
                self.retransmit(number, timeout_ms)
            } else {
                (0, 0.0)
            };
            self.last_arrival_ms = self.last_arrival_ms.max(arrival_ms + late_ms);
            self.put_in_flight(first(self.last_arrival_ms), packet);
            return Sent {
                arrival_ms: Some(self.last_arrival_ms),
                copy_arrival_ms: None,
                retransmissions,
            };
        }
        if lost {
            self.counters.lost += 1;
            return Sent::default();
        }
        self.put_in_flight(first(arrival_ms), packet);
        let copy_arrival_ms = faults.is_duplicated(&conditions, number).then(|| {
            let travel_ms = faults.travel_ms(&conditions, number, true, fragments);
            (now_ms + travel_ms).max(arrival_ms)
        });
        if let Some(copy_ms) = copy_arrival_ms {
            let copy = Delivery {
                copy: true,
                ..first(copy_ms)
            };
            self.put_in_flight(copy, packet);
        }
        Sent {
            arrival_ms: Some(arrival_ms),
            copy_arrival_ms,
            retransmissions: 0,
        }
    }

    /// Takes the next packet that has arrived by now into `packet`, and says which it is.
    pub fn receive(&mut self, now_ms: f64, packet: &mut Vec<u8>) -> Option<Delivery> {
        let is_stream = self.conditions.retransmission_timeout_ms.is_some();
        if self.cut && is_stream {
            return None;
        }
        while self.in_flight.last()?.delivery.arrival_ms <= now_ms {
            let flight = self.in_flight.pop()?;
            if !self.cut {
                packet.clear();
                packet.extend_from_slice(self.bytes.get(flight.packet));
            }
            let others = self.in_flight.iter_mut().map(|flight| &mut flight.packet);
            self.bytes.take(flight.packet, others);
            let copy = flight.delivery.copy;
            if self.cut {
                self.counters.lost += u64::from(!copy);
                continue;
            }
            self.counters.duplicated += u64::from(copy);
            self.counters.delivered += u64::from(!copy);
            return Some(flight.delivery);
        }
        None
    }

    /// Memory that packets on their way take, and the room for those to come.
    pub fn held_bytes(&self) -> usize {
        self.in_flight.capacity() * size_of::<Flight>() + self.bytes.held_bytes()
    }

    /// The counts of packets so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Sends until it arrives, and says how often and how much later that is than it would have been.
    fn retransmit(&mut self, number: u64, timeout_ms: f64) -> (u32, f64) {
        let (faults, conditions) = (self.faults, self.conditions);
        let (retransmissions, late_ms) = (1..)
            .zip(timeouts_ms(timeout_ms))
            .find(|&(nth, _)| !faults.is_lost_again(&conditions, number, nth))
            .expect("less than all is lost, and timeouts never end");
        self.counters.retransmitted += retransmissions;
        (retransmissions as u32, late_ms)
    }

    fn put_in_flight(&mut self, delivery: Delivery, packet: &[u8]) {
        // Among equals the one sent first arrives first: it has to stand behind the others.
        let at = self
            .in_flight
            .partition_point(|flight| flight.delivery.arrival_ms > delivery.arrival_ms);
        let packet = self.bytes.put(packet);
        self.in_flight.insert(at, Flight { delivery, packet });
    }
}

#[cfg(test)]
mod tests;
