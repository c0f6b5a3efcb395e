//! What a lane cost and how well it did: since it began, and lately.

use crate::hash::Fnv;
use crate::lane::seconds;
use crate::settings::Settings;
use crate::time::TICKS_PER_S;
use hdrhistogram::Histogram;
use snapshot_codec::{BIT_65536THS, Kind, Ledger};
use std::collections::VecDeque;

/// Of each kind of bit, how many, in the order of [`Kind::ALL`].
pub type BitsByKind = [f64; Kind::ALL.len()];

/// What a lane measured since it began.
#[derive(Clone, Debug)]
pub struct Metrics {
    /// Ticks since the lane began.
    pub ticks: u64,
    /// All packets.
    pub costs: Costs,
    /// The packets of the last half second, or the last one.
    pub recent: RecentCosts,
    /// What left for the right side lately, counted headers and retransmissions included.
    pub forward: LastSecond,
    /// The same of acknowledgements.
    pub acks: LastSecond,
    /// Size of a packet, without IP and UDP.
    pub packet_bytes: Distribution,
    /// Over cubes interacting at the instant shown.
    pub position_error_mm: Distribution,
    /// Over cubes interacting at the instant shown.
    pub orientation_error_deg: Distribution,
    /// In this tick alone.
    pub now: ErrorNow,
    /// Frames with nothing to interpolate towards.
    pub hitches: Hitches,
    /// Packets decoded too late to be shown.
    pub late: u64,
    /// Packets refused by the decoder.
    pub refused: u64,
    /// Snapshots that came out other than they went in.
    pub mismatches: u64,
    /// Bytes of acknowledgements sent, counted headers included.
    pub ack_bytes: u64,
    /// Hash over every packet sent.
    pub packets_hash: Fnv,
    /// What only state synchronisation has.
    pub sync: SyncMetrics,
}

/// What state synchronisation measured since the lane began.
#[derive(Clone, Debug)]
pub struct SyncMetrics {
    /// The budget in force, kbit/s.
    pub budget_kbps: f64,
    /// Of the right world from the truth, before smoothing, over cubes interacting at that instant.
    pub divergence_mm: Distribution,
    /// In this tick alone.
    pub divergence_now: DivergenceNow,
    /// By cube, for how many ticks it has slept in truth and was not exactly there on the right, with the network up.
    pub apart_ticks: Vec<u64>,
    /// The longest of these.
    pub apart_ticks_max: u64,
    /// Cubes that jumped by over 10 cm as they were shown, in ticks in which they were updated.
    pub pops: u64,
    /// The greatest part of a shown error of over 1 cm that was let go in one frame.
    pub glide_max: f64,
    /// By cube, ticks since its last update.
    pub since_update_ticks: Vec<u64>,
}

impl SyncMetrics {
    fn new() -> SyncMetrics {
        SyncMetrics {
            budget_kbps: 0.0,
            divergence_mm: Distribution::new(1000.0),
            divergence_now: DivergenceNow::default(),
            apart_ticks: Vec::new(),
            apart_ticks_max: 0,
            pops: 0,
            glide_max: 0.0,
            since_update_ticks: Vec::new(),
        }
    }

    pub(crate) fn set_updated(&mut self, now_frame: u64, updated_frames: &[u64]) {
        self.since_update_ticks.clear();
        self.since_update_ticks.extend(
            updated_frames
                .iter()
                .map(|frame| now_frame.saturating_sub(*frame)),
        );
    }

    /// Median and maximum over the cubes of the ticks since their last update.
    pub fn since_update_median_max(&self) -> (u64, u64) {
        let mut ticks = self.since_update_ticks.clone();
        ticks.sort_unstable();
        let median = ticks.get(ticks.len() / 2).copied();
        (median.unwrap_or(0), ticks.last().copied().unwrap_or(0))
    }
}

/// How far the right world is from the truth of the instant that it is at, before smoothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DivergenceNow {
    /// Cubes that the next two are over.
    pub interacting_cubes: u32,
    /// Over cubes that interact.
    pub rms_mm: f64,
    /// Over cubes that interact.
    pub max_mm: f64,
    /// Over cubes that sleep in truth.
    pub at_rest_max_mm: f64,
    /// Cubes that sleep in truth and are not exactly there on the right.
    pub at_rest_apart: u32,
}

/// How far the right view is from the truth of the instant that it shows, over cubes interacting at that instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ErrorNow {
    pub interacting_cubes: u32,
    pub position_rms_mm: f64,
    pub position_max_mm: f64,
    pub orientation_rms_deg: f64,
    pub orientation_max_deg: f64,
}

impl Metrics {
    pub(crate) fn new(settings: &Settings) -> Metrics {
        Metrics {
            ticks: 0,
            costs: Costs::default(),
            recent: RecentCosts::new(settings.send_rate_hz().div_ceil(2) as usize),
            forward: LastSecond::new(settings.send_rate_hz()),
            acks: LastSecond::new(settings.send_rate_hz()),
            packet_bytes: Distribution::new(1.0),
            position_error_mm: Distribution::new(1000.0),
            orientation_error_deg: Distribution::new(1000.0),
            now: ErrorNow::default(),
            hitches: Hitches::default(),
            late: 0,
            refused: 0,
            mismatches: 0,
            ack_bytes: 0,
            packets_hash: Fnv::new(),
            sync: SyncMetrics::new(),
        }
    }

    /// Begins a tick.
    pub(crate) fn begin_tick(&mut self) {
        self.ticks += 1;
        self.forward.begin_tick();
        self.acks.begin_tick();
    }

    /// Adds a packet that was sent.
    pub(crate) fn add_packet(&mut self, packet: &[u8], cost: PacketCost) {
        self.forward.add_packet(cost.wire_bits());
        self.costs.add(&cost);
        self.recent.add(cost);
        self.packet_bytes.add(packet.len() as f64);
        self.packets_hash.add_bytes(packet);
    }
}

/// What one packet cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketCost {
    /// The packet, without IP and UDP.
    pub bytes: u32,
    /// Pieces that it was sent in.
    pub fragments: u32,
    /// Cubes that differ from the baseline.
    pub changed_cubes: u32,
    /// What its bits are shared among: all cubes or those that changed, updates or inputs.
    pub cargo: u32,
    /// Its bits, in 1/65,536 bits, IP and UDP headers of all fragments included.
    pub spent_65536ths: [i64; Kind::ALL.len()],
}

impl PacketCost {
    /// What the ledger of one packet says.
    pub fn new(
        bytes: usize,
        fragments: u32,
        changed_cubes: usize,
        cargo: usize,
        ledger: &Ledger,
    ) -> PacketCost {
        PacketCost {
            bytes: bytes as u32,
            fragments,
            changed_cubes: changed_cubes as u32,
            cargo: cargo as u32,
            spent_65536ths: Kind::ALL.map(|kind| ledger.get_65536ths(kind)),
        }
    }

    /// All its bits, headers included.
    pub fn wire_bits(&self) -> u64 {
        self.spent_65536ths.iter().sum::<i64>() as u64 / BIT_65536THS as u64
    }
}

/// Sums over packets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Costs {
    packets: u64,
    bytes: u64,
    fragments: u64,
    changed_cubes: u64,
    cargo: u64,
    spent_65536ths: [i64; Kind::ALL.len()],
}

impl Costs {
    /// Adds a packet.
    pub fn add(&mut self, cost: &PacketCost) {
        self.packets += 1;
        self.bytes += u64::from(cost.bytes);
        self.fragments += u64::from(cost.fragments);
        self.changed_cubes += u64::from(cost.changed_cubes);
        self.cargo += u64::from(cost.cargo);
        for (sum, spent) in self.spent_65536ths.iter_mut().zip(cost.spent_65536ths) {
            *sum += spent;
        }
    }

    /// Takes back a packet that was added.
    pub(crate) fn remove(&mut self, cost: &PacketCost) {
        self.packets -= 1;
        self.bytes -= u64::from(cost.bytes);
        self.fragments -= u64::from(cost.fragments);
        self.changed_cubes -= u64::from(cost.changed_cubes);
        self.cargo -= u64::from(cost.cargo);
        for (sum, spent) in self.spent_65536ths.iter_mut().zip(cost.spent_65536ths) {
            *sum -= spent;
        }
    }

    /// Packets summed.
    pub fn packets(&self) -> u64 {
        self.packets
    }

    /// Mean size of a packet, without IP and UDP.
    pub fn bytes_per_packet(&self) -> f64 {
        self.per_packet(self.bytes as f64)
    }

    /// Mean number of pieces of a packet.
    pub fn fragments_per_packet(&self) -> f64 {
        self.per_packet(self.fragments as f64)
    }

    /// Mean number of cubes that differ from the baseline.
    pub fn changed_cubes_per_packet(&self) -> f64 {
        self.per_packet(self.changed_cubes as f64)
    }

    /// Mean number of what a packet's bits are shared among.
    pub fn cargo_per_packet(&self) -> f64 {
        self.per_packet(self.cargo as f64)
    }

    /// Mean kbit/s over the ticks in which the packets left, their IP and UDP headers included.
    pub fn kbps(&self, ticks: u64) -> f64 {
        let elapsed_s = seconds(ticks).max(f64::MIN_POSITIVE);
        self.bits_per_packet() * self.packets as f64 / elapsed_s / 1000.0
    }

    /// The packets' payload for each changed cube; none where nothing changed.
    pub fn bits_per_changed_cube(&self) -> Option<f64> {
        (self.changed_cubes > 0).then(|| self.bytes as f64 * 8.0 / self.changed_cubes as f64)
    }

    /// Mean bits of each kind in a packet, its IP and UDP headers included.
    pub fn bits_by_kind_per_packet(&self) -> BitsByKind {
        self.spent_65536ths
            .map(|spent| self.per_packet(spent as f64 / BIT_65536THS as f64))
    }

    /// Mean bits of a packet, its IP and UDP headers included.
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

/// Sums over the newest packets only.
#[derive(Clone, Debug)]
pub struct RecentCosts {
    packets: VecDeque<PacketCost>,
    most: usize,
    sums: Costs,
}

impl RecentCosts {
    /// Over the newest `most` packets (at least one).
    pub fn new(most: usize) -> RecentCosts {
        let most = most.max(1);
        RecentCosts {
            packets: VecDeque::with_capacity(most + 1),
            most,
            sums: Costs::default(),
        }
    }

    /// Adds a packet, and drops the oldest when there are too many.
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

    /// The sums.
    pub fn sums(&self) -> &Costs {
        &self.sums
    }
}

/// Bits that left in each tick of the last second.
#[derive(Clone, Debug)]
pub struct LastSecond {
    /// By tick modulo their number.
    bits: [u64; TICKS_PER_S as usize],
    sum_bits: u64,
    ticks: usize,
    packets: u32,
    interval_ticks: f64,
}

impl LastSecond {
    /// Before the first tick, of packets that leave that often.
    pub fn new(send_rate_hz: u32) -> LastSecond {
        LastSecond {
            bits: [0; TICKS_PER_S as usize],
            sum_bits: 0,
            ticks: 0,
            packets: 0,
            interval_ticks: f64::from(TICKS_PER_S) / f64::from(send_rate_hz),
        }
    }

    /// Begins a tick and forgets the one a second ago.
    pub fn begin_tick(&mut self) {
        self.ticks += 1;
        let slot = self.slot();
        self.sum_bits -= std::mem::take(&mut self.bits[slot]);
    }

    /// Adds a packet that leaves in this tick.
    pub fn add_packet(&mut self, bits: u64) {
        self.packets = self.packets.saturating_add(1);
        self.add_again(bits);
    }

    /// Adds a retransmission that leaves in this tick.
    pub fn add_again(&mut self, bits: u64) {
        let slot = self.slot();
        self.bits[slot] += bits;
        self.sum_bits += bits;
    }

    /// Over the last second; before one has passed over what has passed, though no packet for less than its send interval: the
    /// first may leave at once.
    pub fn kbps(&self) -> f64 {
        let whole = f64::from(TICKS_PER_S);
        let passed = (self.ticks as f64).max(f64::from(self.packets) * self.interval_ticks);
        let ticks = if self.ticks < self.bits.len() {
            passed.clamp(1.0, whole)
        } else {
            whole
        };
        self.sum_bits as f64 * whole / ticks / 1000.0
    }

    fn slot(&self) -> usize {
        self.ticks % self.bits.len()
    }
}

/// Of a quantity that is never negative: root mean square, 95th percentile (to 3 digits) and maximum.
#[derive(Clone, Debug)]
pub struct Distribution {
    values: u64,
    sum_of_squares: f64,
    max: f64,
    /// Steps of the histogram in a unit: the quantity's resolution.
    steps_per_unit: f64,
    steps: Histogram<u32>,
}

impl Distribution {
    /// Percentiles beyond so many steps are given as this.
    const GREATEST_STEP: u64 = 1_000_000_000;

    /// Of nothing yet; percentiles are told in steps of a unit's part.
    pub fn new(steps_per_unit: f64) -> Distribution {
        let steps = Histogram::new_with_bounds(1, Self::GREATEST_STEP, 3)
            .expect("1 to a billion at 3 digits is a valid range");
        Distribution {
            values: 0,
            sum_of_squares: 0.0,
            max: 0.0,
            steps_per_unit,
            steps,
        }
    }

    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.values += 1;
        self.sum_of_squares += value * value;
        self.max = self.max.max(value);
        self.steps
            .saturating_record((value * self.steps_per_unit) as u64);
    }

    /// Root of the mean of the squares; 0 of nothing.
    pub fn rms(&self) -> f64 {
        if self.values == 0 {
            0.0
        } else {
            (self.sum_of_squares / self.values as f64).sqrt()
        }
    }

    /// The value that 95 of 100 do not exceed.
    pub fn p95(&self) -> f64 {
        self.steps.value_at_quantile(0.95) as f64 / self.steps_per_unit
    }

    /// The greatest.
    pub fn max(&self) -> f64 {
        self.max
    }
}

/// Frames in which the right side had nothing to interpolate towards, and how long it stood still.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hitches {
    /// Frames with nothing to interpolate towards.
    pub frames: u64,
    /// The longest run of frames in which the view stood still.
    pub longest_freeze_ticks: u64,
    /// Frames of the present freeze.
    pub freeze_ticks: u64,
}

impl Hitches {
    /// Adds a frame.
    pub fn add(&mut self, hitch: bool, frozen: bool) {
        self.frames += u64::from(hitch);
        self.freeze_ticks = if frozen { self.freeze_ticks + 1 } else { 0 };
        self.longest_freeze_ticks = self.longest_freeze_ticks.max(self.freeze_ticks);
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
            cargo: changed_cubes,
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

    #[test]
    fn a_second_is_what_left_within_60_ticks() {
        // 100 bits ten times a second, from the fifth tick on: the rate itself from the first packet on.
        let mut second = LastSecond::new(10);
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

    #[test]
    fn distribution_of_one_to_a_thousand() {
        let mut distribution = Distribution::new(1.0);
        (1..=1000).for_each(|value| distribution.add(f64::from(value)));
        assert_eq!(distribution.p95(), 950.0);
        assert!(
            (distribution.rms() - 577.783).abs() < 1e-3,
            "{}",
            distribution.rms()
        );
        distribution.add(1e300);
        assert_eq!(distribution.max(), 1e300);
    }

    #[test]
    fn freezes_are_runs_of_frames() {
        let mut hitches = Hitches::default();
        for frozen in [true, true, false, true] {
            hitches.add(true, frozen);
        }
        assert_eq!(
            hitches,
            Hitches {
                frames: 4,
                longest_freeze_ticks: 2,
                freeze_ticks: 1
            }
        );
    }
}
