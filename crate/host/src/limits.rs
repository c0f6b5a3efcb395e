//! Limits of requests and connections for each IP address, so that a flood from one page does not block other pages.

use std::collections::BTreeMap;
use std::net::IpAddr;

/// Upper limit of the number of addresses whose use is remembered.
const ADDRESSES_MAX: usize = 1_024;
/// Time after which an address without connections can be forgotten, ms. By then its budgets are full again.
const FORGET_MS: f64 = 60_000.0;

/// A budget of requests (a token bucket): each request takes one, and the budget fills with time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Allowed requests a second, over a long time.
    pub(crate) per_s: f64,
    /// Allowed requests at once, if the budget is full.
    pub(crate) at_once: f64,
}

/// Budget of requests to the room: its facts, guests' rows, keys, and the choice of the guest who drives.
pub(crate) const ASKS: Budget = Budget {
    per_s: 100.0,
    at_once: 200.0,
};
/// Budget of offers of WebRTC. The 32 receivers of a test come from one address.
pub(crate) const OFFERS: Budget = Budget {
    per_s: 4.0,
    at_once: 40.0,
};
/// Upper limits of the number of connections: in all, and from one address.
const CONNECTIONS_MAX: usize = 512;
const CONNECTIONS_OF_ONE_MAX: usize = 128;

#[derive(Debug)]
struct Address {
    connections: usize,
    seen_ms: f64,
    asks: f64,
    offers: f64,
}

/// Use of the host by each address: open connections, and what is left of its budgets.
#[derive(Debug, Default)]
pub(crate) struct Limits {
    addresses: BTreeMap<IpAddr, Address>,
    connections: usize,
}

impl Limits {
    /// Counts a new connection from an address. Returns false if there are too many.
    pub(crate) fn connect(&mut self, now_ms: f64, from: IpAddr) -> bool {
        if self.connections >= CONNECTIONS_MAX {
            return false;
        }
        let Some(address) = self.address(now_ms, from) else {
            return false;
        };
        if address.connections >= CONNECTIONS_OF_ONE_MAX {
            return false;
        }
        address.connections += 1;
        self.connections += 1;
        true
    }

    /// Counts the end of a connection from an address.
    pub(crate) fn disconnect(&mut self, from: IpAddr) {
        if let Some(address) = self.addresses.get_mut(&from) {
            address.connections = address.connections.saturating_sub(1);
            self.connections = self.connections.saturating_sub(1);
        }
    }

    /// Counts a request from an address. Returns false if its budget is used up, or there are too many addresses.
    pub(crate) fn ask(&mut self, now_ms: f64, from: IpAddr) -> bool {
        (self.address(now_ms, from)).is_some_and(|address| spend(&mut address.asks))
    }

    /// Counts an offer from an address. Returns false if its budget is used up, or there are too many addresses.
    pub(crate) fn offer(&mut self, now_ms: f64, from: IpAddr) -> bool {
        (self.address(now_ms, from)).is_some_and(|address| spend(&mut address.offers))
    }

    /// Returns the use by an address, with its budgets at a time; `None` for a new address if there are too many.
    fn address(&mut self, now_ms: f64, from: IpAddr) -> Option<&mut Address> {
        if self.addresses.len() >= ADDRESSES_MAX {
            self.addresses.retain(|_, address| {
                address.connections > 0 || now_ms < address.seen_ms + FORGET_MS
            });
        }
        if self.addresses.len() >= ADDRESSES_MAX && !self.addresses.contains_key(&from) {
            return None;
        }
        let address = self.addresses.entry(from).or_insert(Address {
            connections: 0,
            seen_ms: now_ms,
            asks: ASKS.at_once,
            offers: OFFERS.at_once,
        });
        let seconds = (now_ms - address.seen_ms).max(0.0) / 1000.0;
        address.asks = (address.asks + seconds * ASKS.per_s).min(ASKS.at_once);
        address.offers = (address.offers + seconds * OFFERS.per_s).min(OFFERS.at_once);
        address.seen_ms = now_ms.max(address.seen_ms);
        Some(address)
    }
}

fn spend(left: &mut f64) -> bool {
    let is_enough = *left >= 1.0;
    if is_enough {
        *left -= 1.0;
    }
    is_enough
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));
    const BEN: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 2));

    #[test]
    fn a_flood_of_one_address_leaves_the_others_their_turn() {
        let mut limits = Limits::default();
        let flood = (0..1_000).filter(|ms| limits.offer(f64::from(*ms), ANN));
        assert_eq!(flood.count(), 43);
        assert!(limits.offer(1_000.0, BEN));
        let connections = (0..1_000).filter(|ms| limits.connect(f64::from(*ms), ANN));
        assert_eq!(connections.count(), CONNECTIONS_OF_ONE_MAX);
        assert!(limits.connect(1_000.0, BEN));
        limits.disconnect(ANN);
        assert!(limits.connect(1_000.0, ANN) && !limits.connect(1_000.0, ANN));
        let asks = (0..1_000).filter(|_| limits.ask(1_000.0, ANN));
        assert_eq!(asks.count(), 200);
        assert!(limits.ask(1_020.0, ANN));
    }

    #[test]
    fn addresses_are_forgotten_and_bounded() {
        let mut limits = Limits::default();
        let mut ask =
            |number: u32, now_ms: f64| limits.ask(now_ms, IpAddr::from(number.to_be_bytes()));
        let known = (0..2_000).filter(|number| ask(*number, 0.0));
        assert_eq!(known.count(), ADDRESSES_MAX);
        assert!(ask(5_000, FORGET_MS + 1.0));
    }
}
