//! Queueing, delay and loss of packets on the way to the right side.
//!
//! The first packets are larger than later ones, because they have no baseline yet. Over a bottleneck they build up a
//! queue. So packets sent before the first acknowledgement, and while that queue may last, are not counted.

use super::{Delays, Distribution, Waits};
use serde::Serialize;
use snapshot_base::time::TickRate;
use snapshot_netsim::channel::{LossCause, TransitOutcome};
use snapshot_settings::LaneSettings;

/// Queueing, loss and delay on a link, over the packets sent after [`LinkFigures::link_from_ms`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LinkFigures {
    /// Waiting times in the bottleneck's queue, over packets that were not dropped there.
    pub queue_ms: Waits,
    /// Number of packets dropped at the full queue.
    pub lost_by_queue: u64,
    /// Number of packets that these figures cover: the packets that passed the queue, and those dropped there.
    pub link_packets: u64,
    /// Time from departure to arrival, over packets that arrive.
    pub delay_ms: Delays,
    /// Time after the lane's start from which packets are counted, ms. It is 0 without a bottleneck, and the lane's run
    /// time while it is not known.
    pub link_from_ms: f64,
}

/// The first part of a link's run, whose packets are not counted.
#[derive(Clone, Copy, Debug)]
struct WarmUp {
    tick_rate: TickRate,
    /// Greatest queueing time, ticks; `None` without a bottleneck.
    queue_ticks: Option<u64>,
    /// End of the warm-up, ticks after the lane's start; `None` until it is known.
    from: Option<u64>,
    /// Departure of the newest packet, in ticks after the lane's start.
    newest: u64,
}

impl WarmUp {
    fn new(settings: &LaneSettings) -> WarmUp {
        let queue_ms = settings.longest_queue_ms();
        let queue_ticks = queue_ms.map(|ms| settings.tick_rate().tick_of_ms(ms).ceil() as u64);
        WarmUp {
            tick_rate: settings.tick_rate(),
            queue_ticks,
            from: queue_ticks.is_none().then_some(0),
            newest: 0,
        }
    }

    fn acked(&mut self, ticks: u64) {
        if let Some(queue_ticks) = self.queue_ticks {
            self.from.get_or_insert(ticks + queue_ticks);
        }
    }

    /// Returns true if a packet that is sent now, `ticks` after the lane's start, is counted.
    fn counts(&mut self, ticks: u64) -> bool {
        self.newest = ticks;
        self.from.is_some_and(|from| ticks >= from)
    }

    fn start_ms(&self) -> f64 {
        let tick_rate = self.tick_rate;
        tick_rate.ms_of_tick(self.from.unwrap_or(self.newest) as f64)
    }
}

/// Queueing, loss and delay on a lane's link since the lane's start.
#[derive(Clone, Debug)]
pub struct LinkMetrics {
    settling: WarmUp,
    pub queue_ms: Distribution,
    pub delay_ms: Distribution,
    pub lost_by_queue: u64,
    pub packets: u64,
}

impl LinkMetrics {
    pub fn new(settings: &LaneSettings) -> LinkMetrics {
        LinkMetrics {
            settling: WarmUp::new(settings),
            queue_ms: Distribution::new(100.0),
            delay_ms: Distribution::new(100.0),
            lost_by_queue: 0,
            packets: 0,
        }
    }

    /// Adds a packet whose outcome is known, and which was sent `ticks` after the lane's start.
    pub fn add(&mut self, ticks: u64, sent: &TransitOutcome) {
        if !self.settling.counts(ticks) {
            return;
        }
        let is_dropped = match sent.lost_by {
            // The packet never entered the link.
            Some(LossCause::Cut) => return,
            Some(LossCause::Queue) => true,
            Some(LossCause::Chance | LossCause::Override) => false,
            None if sent.arrival_ms.is_none() => return,
            None => {
                self.delay_ms.add(sent.delay.sum_ms());
                false
            }
        };
        self.packets += 1;
        match is_dropped {
            true => self.lost_by_queue += 1,
            false => self.queue_ms.add(sent.delay.queue_ms),
        }
    }

    /// Records that an acknowledgement arrived, `ticks` after the start.
    pub fn acked(&mut self, ticks: u64) {
        self.settling.acked(ticks);
    }

    pub fn figures(&self) -> LinkFigures {
        LinkFigures {
            queue_ms: Waits::from(&self.queue_ms),
            lost_by_queue: self.lost_by_queue,
            link_packets: self.packets,
            delay_ms: Delays::from(&self.delay_ms),
            link_from_ms: self.start_ms(),
        }
    }

    pub(crate) fn start_ms(&self) -> f64 {
        self.settling.start_ms()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_netsim::channel::DelayByCause;
    use snapshot_settings::permalink;

    fn sent(queue_ms: f64, base_ms: f64) -> TransitOutcome {
        TransitOutcome {
            arrival_ms: Some(1.0),
            delay: DelayByCause {
                queue_ms,
                base_ms,
                ..DelayByCause::default()
            },
            ..TransitOutcome::default()
        }
    }

    #[test]
    fn a_start_over_a_bottleneck_is_left_out_up_to_the_first_ack_and_its_queue() {
        let settings = permalink::parse("rate=256&queue=100").0.lane();
        let mut lane = LinkMetrics::new(&settings);
        assert_eq!(lane.figures().link_from_ms, 0.0);
        for tick in 0..1000 {
            if tick == 10 {
                lane.acked(tick);
            }
            // 100 ms are 6 ticks.
            let wait_ms = if tick < 16 {
                500.0
            } else {
                (tick % 100) as f64
            };
            lane.add(tick, &sent(wait_ms, 50.0));
        }
        let dropped = TransitOutcome {
            lost_by: Some(LossCause::Queue),
            ..TransitOutcome::default()
        };
        lane.add(1000, &dropped);
        let figures = lane.figures();
        assert!((figures.queue_ms.mean - 50.18).abs() < 0.01, "{figures:?}");
        assert!((figures.queue_ms.p95 - 95.0).abs() < 0.2, "{figures:?}");
        assert!((figures.queue_ms.p50 - 50.0).abs() < 1.0, "{figures:?}");
        assert_eq!((figures.queue_ms.max, figures.lost_by_queue), (99.0, 1));
        assert_eq!(figures.link_packets, 985);
        assert!((figures.delay_ms.p50 - 100.0).abs() < 1.0, "{figures:?}");
        assert!((figures.link_from_ms - 266.7).abs() < 0.1);
    }

    #[test]
    fn without_a_bottleneck_every_packet_counts() {
        let settings = permalink::parse("").0.lane();
        let mut lane = LinkMetrics::new(&settings);
        lane.add(0, &sent(0.0, 70.0));
        assert_eq!(lane.figures().link_from_ms, 0.0);
        assert!((lane.figures().delay_ms.p50 - 70.0).abs() < 0.1);
    }
}
