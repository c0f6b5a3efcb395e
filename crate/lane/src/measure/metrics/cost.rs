//! Costs of packets: bytes, fragments, and bits by kind.

use snapshot_codec::{BIT_65536THS, Kind, Ledger};
use std::collections::VecDeque;

/// Bits of each kind, in the order of [`Kind::ALL`].
pub type BitsByKind = [f64; Kind::ALL.len()];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketCost {
    /// Size of the packet in bytes, without IP and UDP headers.
    pub bytes: u32,
    /// Number of fragments in which the packet was sent.
    pub fragments: u32,
    /// Number of cubes that differ from the baseline.
    pub changed_cubes: u32,
    /// Number of items among which the packet's bits are divided: all cubes, changed cubes, updates or inputs.
    pub items: u32,
    /// Bits of each kind in 1/65,536 bits, IP and UDP headers of all fragments included.
    pub spent_65536ths: [i64; Kind::ALL.len()],
}

impl PacketCost {
    pub fn new(
        bytes: usize,
        fragments: u32,
        changed_cubes: usize,
        items: usize,
        ledger: &Ledger,
    ) -> PacketCost {
        PacketCost {
            bytes: bytes as u32,
            fragments,
            changed_cubes: changed_cubes as u32,
            items: items as u32,
            spent_65536ths: Kind::ALL.map(|kind| ledger.get_65536ths(kind)),
        }
    }

    /// Size of the packet on the wire, bits, headers included.
    pub fn wire_bits(&self) -> u64 {
        self.spent_65536ths.iter().sum::<i64>() as u64 / BIT_65536THS as u64
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Costs {
    packets: u64,
    bytes: u64,
    fragments: u64,
    changed_cubes: u64,
    items: u64,
    spent_65536ths: [i64; Kind::ALL.len()],
}

impl Costs {
    pub fn add(&mut self, cost: &PacketCost) {
        self.packets += 1;
        self.bytes += u64::from(cost.bytes);
        self.fragments += u64::from(cost.fragments);
        self.changed_cubes += u64::from(cost.changed_cubes);
        self.items += u64::from(cost.items);
        for (sum, spent) in self.spent_65536ths.iter_mut().zip(cost.spent_65536ths) {
            *sum += spent;
        }
    }

    /// Subtracts the cost of a packet that was added.
    pub fn remove(&mut self, cost: &PacketCost) {
        self.packets -= 1;
        self.bytes -= u64::from(cost.bytes);
        self.fragments -= u64::from(cost.fragments);
        self.changed_cubes -= u64::from(cost.changed_cubes);
        self.items -= u64::from(cost.items);
        for (sum, spent) in self.spent_65536ths.iter_mut().zip(cost.spent_65536ths) {
            *sum -= spent;
        }
    }

    pub fn packets(&self) -> u64 {
        self.packets
    }

    /// Mean packet size in bytes, without IP and UDP headers.
    pub fn bytes_per_packet(&self) -> f64 {
        self.per_packet(self.bytes as f64)
    }

    pub fn fragments_per_packet(&self) -> f64 {
        self.per_packet(self.fragments as f64)
    }

    pub fn changed_cubes_per_packet(&self) -> f64 {
        self.per_packet(self.changed_cubes as f64)
    }

    /// Mean number of items among which a packet's bits are divided.
    pub fn items_per_packet(&self) -> f64 {
        self.per_packet(self.items as f64)
    }

    /// Mean kbit/s over `elapsed_s` seconds, IP and UDP headers included.
    pub fn kbps(&self, elapsed_s: f64) -> f64 {
        let elapsed_s = elapsed_s.max(f64::MIN_POSITIVE);
        self.bits_per_packet() * self.packets as f64 / elapsed_s / 1000.0
    }

    /// Number of payload bits for each changed cube; `None` if no cube changed.
    pub fn bits_per_changed_cube(&self) -> Option<f64> {
        (self.changed_cubes > 0).then(|| self.bytes as f64 * 8.0 / self.changed_cubes as f64)
    }

    /// Mean bits of each kind in a packet, IP and UDP headers included.
    pub fn bits_by_kind_per_packet(&self) -> BitsByKind {
        self.spent_65536ths
            .map(|spent| self.per_packet(spent as f64 / BIT_65536THS as f64))
    }

    /// Mean bits of a packet, IP and UDP headers included.
    pub fn bits_per_packet(&self) -> f64 {
        self.per_packet(self.spent_65536ths.iter().sum::<i64>() as f64 / BIT_65536THS as f64)
    }

    fn per_packet(&self, sum: f64) -> f64 {
        if self.packets == 0 {
            0.0
        } else {
            sum / self.packets as f64
        }
    }
}

/// Summed costs of the newest packets only.
#[derive(Clone, Debug)]
pub struct RecentCosts {
    packets: VecDeque<PacketCost>,
    most: usize,
    sums: Costs,
}

impl RecentCosts {
    /// Creates summed costs over the newest `most` packets (at least one).
    pub fn new(most: usize) -> RecentCosts {
        let most = most.max(1);
        RecentCosts {
            packets: VecDeque::with_capacity(most + 1),
            most,
            sums: Costs::default(),
        }
    }

    /// Adds a packet's cost, and subtracts the oldest packet's when there are too many.
    pub fn add(&mut self, cost: PacketCost) {
        self.sums.add(&cost);
        self.packets.push_back(cost);
        if self.packets.len() > self.most {
            self.packets
                .pop_front()
                .iter()
                .for_each(|oldest| self.sums.remove(oldest));
        }
    }

    pub fn sums(&self) -> &Costs {
        &self.sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(bytes: u32, changed_cubes: u32) -> PacketCost {
        let mut spent_65536ths = [0; Kind::ALL.len()];
        spent_65536ths[Kind::Position as usize] = i64::from(bytes) * 8 * BIT_65536THS;
        PacketCost {
            bytes,
            fragments: 1,
            changed_cubes,
            items: changed_cubes,
            spent_65536ths,
        }
    }

    #[test]
    fn recent_costs_forget() {
        let mut recent = RecentCosts::new(2);
        for bytes in [1000, 10, 20] {
            recent.add(cost(bytes, 2));
        }
        assert_eq!(recent.sums().bytes_per_packet(), 15.0);
        assert_eq!(recent.sums().bits_per_packet(), 120.0);
        assert_eq!(recent.sums().bits_per_changed_cube(), Some(60.0));
        assert_eq!(Costs::default().bits_per_changed_cube(), None);
    }
}
