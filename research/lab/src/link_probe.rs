//! Probes of a link alone: delays and losses of small packets sent at an even rate in the forward direction.

use snapshot_base::order::sorted;
use snapshot_base::time::{TICKS_PER_S, WORLD};
use snapshot_lane::PacketSize;
use snapshot_netsim::channel::{Channel, Conditions, LossCause, TransitOutcome};
use snapshot_settings::{Direction, Settings};

/// Size of a probe without headers, in bytes.
pub const PROBE_BYTES: usize = 100;

#[derive(Clone, Debug, PartialEq)]
pub struct LinkProbe {
    pub packets: u64,
    /// Delays of the probes that arrived; none if no probe arrived.
    pub delay_ms: Option<ProbeDelays>,
    /// Number of probes that never arrived, including those dropped at a full queue.
    pub lost: u64,
    /// Number of probes dropped because the bottleneck's queue was full.
    pub lost_by_queue: u64,
    /// Mean length of a loss burst in packets; none without a loss.
    pub mean_burst: Option<f64>,
}

/// Statistics of delays in ms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbeDelays {
    pub min: f64,
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
}

/// Sends 60 probes a second for the given seconds. No probe waits for the next tick when it arrives.
pub fn probe(settings: &Settings, seconds: u64) -> LinkProbe {
    let ticks = 0..seconds * u64::from(TICKS_PER_S);
    let sent = outcomes(settings, settings.seed(), ticks);
    LinkProbe::from_sent(&sent.collect::<Vec<_>>())
}

/// Sends a probe at each of the ticks in the settings' forward direction. Each is a datagram, whatever the strategy is.
pub(crate) fn outcomes(
    settings: &Settings,
    seed: u32,
    ticks: impl Iterator<Item = u64>,
) -> impl Iterator<Item = TransitOutcome> {
    let lane = settings.lane();
    let conditions = Conditions {
        retransmission_timeout_ms: None,
        ..lane.conditions(Direction::Forward)
    };
    let way = Direction::Forward as u32;
    let mut channel = Channel::new(conditions, seed, way);
    let size = PacketSize::new(PROBE_BYTES, &lane);
    let mut arrived = Vec::new();
    (0..).zip(ticks).map(move |(number, tick)| {
        let now_ms = WORLD.ms_of_tick(tick as f64);
        while channel.receive(now_ms, &mut arrived).is_some() {}
        channel.send_sized(now_ms, number, &[], size.fragments, size.wire_bytes)
    })
}

impl LinkProbe {
    fn from_sent(sent: &[TransitOutcome]) -> LinkProbe {
        let arrived = sent.iter().filter(|sent| sent.arrival_ms.is_some());
        let delays = sorted(arrived.map(|sent| sent.delay.sum_ms()));
        let lost = (sent.len() - delays.len()) as u64;
        let is_lost = |sent: &TransitOutcome| sent.lost_by.is_some();
        let first = sent.first().is_some_and(is_lost);
        let begins = sent
            .windows(2)
            .filter(|two| !is_lost(&two[0]) && is_lost(&two[1]));
        let bursts = begins.count() as u64 + u64::from(first);
        let by_queue = |sent: &&TransitOutcome| sent.lost_by == Some(LossCause::Queue);
        LinkProbe {
            packets: sent.len() as u64,
            delay_ms: delays.first().map(|min| ProbeDelays {
                min: *min,
                p50: quantile(&delays, 0.5),
                p95: quantile(&delays, 0.95),
                p99: quantile(&delays, 0.99),
                max: quantile(&delays, 1.0),
            }),
            lost,
            lost_by_queue: sent.iter().filter(by_queue).count() as u64,
            mean_burst: (bursts > 0).then(|| lost as f64 / bursts as f64),
        }
    }
}

/// Returns the quantile of sorted values: the value that a share of them does not exceed; 0 without values.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(place.saturating_sub(1)).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_settings::permalink;

    fn probed(link: &str, seconds: u64) -> LinkProbe {
        probe(&permalink::parse(link).0, seconds)
    }

    /// Compares delay percentiles of ten-minute probes with those that a preset's sources publish. Published percentiles ignore
    /// packet order, which holds back the packets behind a late one.
    #[test]
    fn presets_have_the_percentiles_of_their_sources() {
        let expected = [
            ("4g-moving", Some(42.0), Some(53.0), Some(165.0)),
            ("5g", Some(34.5), Some(44.5), Some(110.0)),
            ("starlink", Some(22.5), None, None),
            ("satellite", Some(342.0), None, None),
            ("asia", Some(93.0), Some(105.0), Some(110.0)),
            ("wifi-busy", Some(34.0), None, Some(250.0)),
        ];
        for (preset, p50, p95, p99) in expected {
            let found = probed(&format!("link={preset}&order=0&stall=0"), 6000);
            let found = found.delay_ms.unwrap();
            let pairs = [(p50, found.p50), (p95, found.p95), (p99, found.p99)];
            for (expected, found) in pairs {
                let off = expected.map_or(0.0, |expected| (found / expected - 1.0).abs());
                assert!(off < 0.02, "{preset}: {found} for {expected:?}");
            }
        }
    }

    #[test]
    fn losses_and_bursts_are_those_of_the_preset() {
        let busy = probed("link=wifi-busy", 10_000);
        let share = busy.lost as f64 / busy.packets as f64;
        assert!((share / 0.03 - 1.0).abs() < 0.05, "{share}");
        assert!((busy.mean_burst.unwrap() / 5.67 - 1.0).abs() < 0.05);
        assert_eq!(busy.lost_by_queue, 0);
        let full = probed("link=bufferbloat", 60);
        assert!(full.lost_by_queue > 0 && full.lost == full.lost_by_queue);
        assert!(full.delay_ms.unwrap().p95 > 1500.0, "{full:?}");
    }

    #[test]
    fn a_link_below_the_probes_rate_fills_its_queue_and_drops_the_rest() {
        // 60 x 128 x 8 are 61.44 kbit/s.
        let probe = probed("rate=32&queue=500&loss=0&jitter=0&latency=20", 120);
        let share = probe.lost_by_queue as f64 / probe.packets as f64;
        let full_s = 0.5 / (61.44 / 32.0 - 1.0);
        let expected = (1.0 - 32.0 / 61.44) * (1.0 - full_s / 120.0);
        assert!(
            (share / expected - 1.0).abs() < 0.01,
            "{share} for {expected}"
        );
        let max_ms = probe.delay_ms.unwrap().max;
        assert!((550.0..=585.0).contains(&max_ms), "{max_ms}");
        assert_eq!(probe.lost, probe.lost_by_queue);
    }
}
