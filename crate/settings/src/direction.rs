//! Settings of each direction of a link, converted to the conditions of a simulated channel.

use super::kind::AUTO;
use super::schema::{Domain, SCHEMA};
use super::{Direction, Key, LaneSettings, StallTimes, Transport};
use snapshot_netsim::channel::{
    BottleneckConditions, Conditions, DataChannelConditions, StallConditions,
};
use snapshot_netsim::proxy::ProxyLink;
use snapshot_netsim::trace::Trace;
use std::sync::Arc;

impl LaneSettings {
    /// Returns the link in both directions for datagrams of any program, whatever the strategy is.
    pub fn proxy_link(&self, trace: Option<Arc<Trace>>) -> ProxyLink {
        ProxyLink {
            conditions: Direction::BOTH.map(|direction| Conditions {
                retransmission_timeout_ms: None,
                ..self.conditions(direction)
            }),
            seed: self.seed(),
            trace,
        }
    }

    pub fn conditions(&self, way: Direction) -> Conditions {
        let has_window = self.is_data_channel() && self.transport() == Transport::Udp;
        let back_ms = self.latency_ms(way.other());
        Conditions {
            data_channel: has_window.then(|| DataChannelConditions {
                back_ms,
                header_bytes: self.header_bytes(),
            }),
            bottleneck: self.rate_kbps(way).map(|rate_kbps| BottleneckConditions {
                rate_kbps,
                queue_ms: self.queue_ms(way),
                neighbour: self.neighbour(way),
                neighbour_round_trip_ms: self.latency_ms(way) + back_ms,
            }),
            stalls: self
                .stalls_per_minute(way)
                .map(|per_minute| StallConditions {
                    per_minute,
                    length_ms: self.stall_ms(way),
                    random: self.stall_times(way) == StallTimes::Random,
                }),
            latency_ms: self.latency_ms(way),
            jitter_ms: self.jitter_ms(way),
            shape: self.delay_shape(way),
            longest_ms: self.longest_ms(way),
            correlation: self.correlation(way),
            in_order: self.keeps_order(way),
            loss: self.loss(way),
            burst_packets: self.burst_packets(way),
            burst_loss: self.burst_loss(way),
            burst_delay_ms: self.burst_delay_ms(way),
            duplicated: self.duplicated(way),
            reordered: self.reordered(way),
            send_interval_ms: self.send_interval_ms(),
            retransmission_timeout_ms: self.retransmission_timeout_ms(),
        }
    }

    pub fn round_trip_ms(&self) -> f64 {
        Direction::BOTH
            .iter()
            .map(|way| self.latency_ms(*way))
            .sum()
    }

    /// Time that nearly all packets of a direction take, ms, without a bottleneck's queue and reordering.
    pub(super) fn usual_way_ms(&self, direction: Direction) -> f64 {
        let conditions = Conditions {
            bottleneck: None,
            reordered: 0.0,
            ..self.conditions(direction)
        };
        conditions.usual_ms()
    }

    /// The longer of both directions' queue limits, ms; `None` if there is no bottleneck.
    pub fn longest_queue_ms(&self) -> Option<f64> {
        let ways = Direction::BOTH.map(|direction| self.conditions(direction).bottleneck);
        let queues = ways.into_iter().flatten().map(|it| it.queue_ms);
        queues.reduce(f64::max)
    }

    /// Speed of the receiver's clock: its ticks for each tick of the sender's clock.
    pub fn receiver_clock(&self) -> f64 {
        1.0 + self.drift_ppm() / 1e6
    }

    /// Returns the raw value of a setting for a direction, given the key of the way to the receiver.
    pub(crate) fn raw_of_way(&self, key: Key, way: Direction) -> u32 {
        let there = self.get(key);
        let mut back = SCHEMA.iter().filter(|it| it.way_there == Some(key));
        let Some(back) = back.next().filter(|_| way == Direction::Back) else {
            return there;
        };
        match (back.domain, self.get(back.key)) {
            // The first choice of the way back is that of the way there.
            (Domain::Choice(_), choice) => choice.checked_sub(1).unwrap_or(there),
            (Domain::Number(_), AUTO) => there,
            (Domain::Number(_), raw) => raw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permalink;
    use snapshot_netsim::channel::DelayShape;

    fn lane(link: &str) -> LaneSettings {
        let (settings, notices) = permalink::parse(link);
        assert_eq!(notices, []);
        settings.lane()
    }

    #[test]
    fn defaults_are_the_link_that_they_always_were() {
        let expected = Conditions {
            latency_ms: 50.0,
            jitter_ms: 17.0,
            loss: 0.01,
            send_interval_ms: lane("").send_interval_ms(),
            ..Conditions::PERFECT
        };
        for direction in Direction::BOTH {
            assert_eq!(lane("").conditions(direction), expected);
        }
        assert_eq!(lane("").longest_queue_ms(), None);
        assert_eq!(lane("").receiver_clock(), 1.0);
    }

    #[test]
    fn the_way_back_is_as_the_way_ahead_unless_it_is_set() {
        let lane = lane(
            "rate=256&queue=100&loss=3&latency=20&back.latency=30.5&back.loss=0&back.rate=64&drift=-500",
        );
        let [ahead, back] = Direction::BOTH.map(|direction| lane.conditions(direction));
        assert_eq!((ahead.latency_ms, back.latency_ms), (20.0, 30.5));
        assert_eq!((ahead.loss, back.loss), (0.03, 0.0));
        let [ahead, back] = [ahead, back].map(|direction| direction.bottleneck.unwrap());
        assert_eq!((ahead.rate_kbps, back.rate_kbps), (256.0, 64.0));
        assert_eq!((ahead.queue_ms, back.queue_ms), (100.0, 100.0));
        assert_eq!(
            [ahead, back].map(|direction| direction.neighbour_round_trip_ms),
            [50.5; 2]
        );
        assert_eq!(lane.receiver_clock(), 0.9995);
        let stalling = self::lane(
            "most=250&corr=0.5&loss=2&badloss=50&badms=30&stall=40&back.most=0&back.corr=0&back.badloss=100&back.badms=0&back.stall=0",
        );
        let [ahead, back] = Direction::BOTH.map(|direction| stalling.conditions(direction));
        assert_eq!((ahead.longest_ms, back.longest_ms), (Some(250.0), None));
        assert_eq!((ahead.correlation, back.correlation), (0.5, 0.0));
        assert_eq!((ahead.burst_loss, back.burst_loss), (0.5, 1.0));
        assert_eq!((ahead.burst_delay_ms, back.burst_delay_ms), (30.0, 0.0));
        assert!(ahead.stalls.is_some() && back.stalls.is_none());
        let longer =
            self::lane("stall=40&stallms=100&back.stallms=400").conditions(Direction::Back);
        assert_eq!(longer.stalls.map(|it| it.length_ms), Some(400.0));
        let chosen = "shape=pareto&order=1&stall=40&stallat=random";
        let [ahead, back] =
            Direction::BOTH.map(|direction| self::lane(chosen).conditions(direction));
        assert_eq!(
            (ahead.shape, back.shape),
            (DelayShape::Pareto, DelayShape::Pareto)
        );
        assert!(ahead.in_order && back.in_order);
        assert!(ahead.stalls.is_some_and(|it| it.random) && back.stalls == ahead.stalls);
        let back = "&back.shape=uniform&back.order=0&back.stallat=periodic";
        let [still_ahead, back] = Direction::BOTH
            .map(|direction| self::lane(&format!("{chosen}{back}")).conditions(direction));
        assert_eq!(still_ahead, ahead);
        assert_eq!((back.shape, back.in_order), (DelayShape::Uniform, false));
        assert!(back.stalls.is_some_and(|it| !it.random));
        let endless = self::lane("rate=256&back.rate=0");
        assert_eq!(endless.conditions(Direction::Back).bottleneck, None);
        assert_eq!(endless.longest_queue_ms(), Some(300.0));
    }
}
