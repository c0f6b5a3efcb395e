//! Connections of guests over plain UDP. Each address has a number, the guest's *way*.

use crate::webrtc::Departure;
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// Upper limit of the number of addresses. The replication package verifies an address before it counts as a guest's.
const ADDRESSES_MAX: usize = 256;
/// Time without a datagram after which an address is forgotten, ms. By then the host counts its guest as gone.
const SILENT_MS: f64 = 10_000.0;

struct UdpWay {
    way: u32,
    received_ms: f64,
}

#[derive(Default)]
pub(crate) struct UdpWays {
    ways: BTreeMap<SocketAddr, UdpWay>,
    addresses: BTreeMap<u32, SocketAddr>,
    sent: Vec<Departure>,
}

impl UdpWays {
    /// Returns the way of an address that has sent a datagram; `None` for a new address if there are too many. A new address
    /// gets the next number.
    pub(crate) fn way_of(
        &mut self,
        now_ms: f64,
        from: SocketAddr,
        next_way: &mut u32,
    ) -> Option<u32> {
        if let Some(way) = self.ways.get_mut(&from) {
            way.received_ms = now_ms;
            return Some(way.way);
        }
        if self.ways.len() >= ADDRESSES_MAX {
            return None;
        }
        let (way, received_ms) = (*next_way, now_ms);
        *next_way += 1;
        self.ways.insert(from, UdpWay { way, received_ms });
        self.addresses.insert(way, from);
        Some(way)
    }

    /// Queues a datagram for the address of a way. A datagram to a forgotten address is dropped.
    pub(crate) fn send(&mut self, way: u32, bytes: Vec<u8>) {
        if let Some(to) = self.addresses.get(&way) {
            self.sent.push(Departure { to: *to, bytes });
        }
    }

    /// Forgets addresses that have been silent for too long.
    pub(crate) fn forget(&mut self, now_ms: f64) {
        let addresses = &mut self.addresses;
        self.ways.retain(|_, way| {
            let is_active = now_ms < way.received_ms + SILENT_MS;
            if !is_active {
                addresses.remove(&way.way);
            }
            is_active
        });
    }

    pub(crate) fn drain_sent(&mut self) -> impl Iterator<Item = Departure> {
        self.sent.drain(..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_ways_of_their_own_and_are_bounded() {
        let address = |port: u16| SocketAddr::from(([127, 0, 0, 1], port));
        let (mut ways, mut next) = (UdpWays::default(), 5);
        assert_eq!(ways.way_of(0.0, address(1), &mut next), Some(5));
        assert_eq!(ways.way_of(0.0, address(2), &mut next), Some(6));
        assert_eq!(ways.way_of(9_000.0, address(1), &mut next), Some(5));
        ways.forget(SILENT_MS);
        ways.send(5, vec![1]);
        ways.send(6, vec![2]);
        let sent: Vec<SocketAddr> = ways.drain_sent().map(|sent| sent.to).collect();
        assert_eq!(sent, [address(1)]);
        // An address that comes back is another guest: a number is never used twice.
        assert_eq!(ways.way_of(SILENT_MS, address(2), &mut next), Some(7));
        let taken = (10..1_000).filter_map(|port| ways.way_of(0.0, address(port), &mut next));
        assert_eq!(taken.count(), ADDRESSES_MAX - 2);
    }
}
