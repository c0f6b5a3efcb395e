//! Bandwidth over the last second.

use snapshot_settings::LaneSettings;

/// Number of bits sent in each tick of the last second.
#[derive(Clone, Debug)]
pub struct LastSecond {
    /// Number of bits by tick, at the index tick modulo the length.
    bits: Vec<u64>,
    sum_bits: u64,
    ticks: usize,
    packets: u32,
    interval_ticks: f64,
}

impl LastSecond {
    /// Creates empty counts of bits; the send interval comes from the settings.
    pub(crate) fn new(settings: &LaneSettings) -> LastSecond {
        let ticks = settings.tick_rate().hz();
        LastSecond {
            bits: vec![0; ticks as usize],
            sum_bits: 0,
            ticks: 0,
            packets: 0,
            interval_ticks: f64::from(ticks) / f64::from(settings.send_rate_hz()),
        }
    }

    /// Begins a tick, and drops the bits of the tick a second ago.
    pub fn begin_tick(&mut self) {
        self.ticks += 1;
        let slot = self.slot();
        self.sum_bits -= std::mem::take(&mut self.bits[slot]);
    }

    pub fn add_packet(&mut self, bits: u64) {
        self.packets = self.packets.saturating_add(1);
        self.add_again(bits);
    }

    pub fn add_again(&mut self, bits: u64) {
        let slot = self.slot();
        self.bits[slot] += bits;
        self.sum_bits += bits;
    }

    /// Bandwidth over the last second, kbit/s. In the first second it is over the passed time, at least a send interval for
    /// each packet: the first packet may be sent at once.
    pub fn kbps(&self) -> f64 {
        let whole = self.bits.len() as f64;
        let passed = (self.ticks as f64).max(f64::from(self.packets) * self.interval_ticks);
        let ticks = if self.ticks < self.bits.len() {
            passed.max(1.0).min(whole)
        } else {
            whole
        };
        self.sum_bits as f64 * whole / ticks / 1000.0
    }

    fn slot(&self) -> usize {
        self.ticks % self.bits.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_settings::permalink;

    #[test]
    fn a_second_is_what_left_within_60_ticks() {
        // 100 bits ten times a second, from the fifth tick on: the rate itself from the first packet on.
        let mut second = LastSecond::new(&permalink::parse("hz=10").0.lane());
        for tick in 1..=300_u64 {
            second.begin_tick();
            if tick % 6 == 5 {
                second.add_packet(100);
            }
            if tick >= 60 || tick % 6 == 5 {
                assert_eq!(second.kbps(), 1.0, "tick {tick}");
            }
            assert!(second.kbps() <= 1.0 && (tick < 5 || second.kbps() > 0.45));
        }
        second.add_again(500);
        assert_eq!(second.kbps(), 1.5);
        (0..59).for_each(|_| second.begin_tick());
        assert_eq!(second.kbps(), 0.5);
        second.begin_tick();
        assert_eq!(second.kbps(), 0.0);
    }
}
