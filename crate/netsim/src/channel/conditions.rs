//! The conditions of a link, one way.

use super::shapes::DelayShape;
use super::stalls::StallConditions;
use crate::trace::IN_TIME;

/// The conditions of a link, one way: a bottleneck, then delay, then loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// The narrowest place, at the sender; none has endless capacity.
    pub bottleneck: Option<BottleneckConditions>,
    /// Times at which nothing passes and packets wait, if there are any.
    pub stalls: Option<StallConditions>,
    /// Time in ms that a packet travels.
    pub latency_ms: f64,
    /// Scale of the jitter in ms. No packet travels for less than 0 ms.
    pub jitter_ms: f64,
    /// Distribution of the jitter.
    pub shape: DelayShape,
    /// Longest time that a packet travels in ms, if there is a limit.
    pub longest_ms: Option<f64>,
    /// Probability, 0 to 0.99, with which a packet takes the jitter of the packet before it.
    pub correlation: f64,
    /// True if no packet arrives before one that was sent earlier. Lost packets hold back later ones too, so that an override of
    /// a loss moves no other packet.
    pub in_order: bool,
    /// Share of packets lost, 0 to 0.5.
    pub loss: f64,
    /// Mean length of a burst in packets; 1 is independent loss.
    pub burst_packets: f64,
    /// Share of packets lost during a burst, above 0, up to 1. Bursts take a share of `loss / burst_loss` of all packets.
    pub burst_loss: f64,
    /// Time in ms by which a packet is later that passes during a burst.
    pub burst_delay_ms: f64,
    /// Share of packets that arrive twice.
    pub duplicated: f64,
    /// Share of packets held back by 1 to 3 send intervals.
    pub reordered: f64,
    /// The unit in ms by which a reordered packet is held back.
    pub send_interval_ms: f64,
    /// A stream like TCP, if there is a timeout in ms: everything arrives, once and in order. A lost segment is sent again
    /// after the timeout, which doubles with each further loss (RFC 6298, 5.5); all later segments wait. Neither fast
    /// retransmission nor congestion control is in the model: the original's has none.
    pub retransmission_timeout_ms: Option<f64>,
}

impl Conditions {
    /// A link that delivers every packet at once. Tests start from it, so that a new fault is added here alone.
    pub const PERFECT: Conditions = Conditions {
        bottleneck: None,
        stalls: None,
        latency_ms: 0.0,
        jitter_ms: 0.0,
        shape: DelayShape::Uniform,
        longest_ms: None,
        correlation: 0.0,
        in_order: false,
        loss: 0.0,
        burst_packets: 1.0,
        burst_loss: 1.0,
        burst_delay_ms: 0.0,
        duplicated: 0.0,
        reordered: 0.0,
        send_interval_ms: 1.0,
        retransmission_timeout_ms: None,
    };

    /// Longest time in ms that nearly all packets take. A long tail goes beyond it, and so do a stream's.
    pub fn usual_ms(&self) -> f64 {
        let held_intervals = if self.reordered > 0.0 { 3.0 } else { 0.0 };
        let jitter_ms = match self.shape {
            DelayShape::Uniform => self.jitter_ms,
            shape => self.jitter_ms * shape.quantile(0.999),
        };
        let travel_ms = self.latency_ms + jitter_ms;
        let queue_ms = self.bottleneck.map_or(0.0, |it| it.queue_ms);
        let stall_ms = self.stalls.map_or(0.0, |it| it.longest_ms());
        self.longest_ms
            .map_or(travel_ms, |longest_ms| travel_ms.min(longest_ms))
            + held_intervals * self.send_interval_ms
            + self.burst_delay_ms
            + queue_ms
            + stall_ms
    }

    /// Time in ms beyond the latency within which a share [`IN_TIME`] of the packets arrives, in closed form. It leaves out the
    /// bottleneck's queue and reordering. The causes are added up, so the result is rather too long.
    pub fn spread_ms(&self) -> f64 {
        let late = 1.0 - IN_TIME;
        let tail_ms = |late: f64| {
            let tail_ms = self.jitter_ms * self.shape.quantile(1.0 - late);
            let most_ms = self.longest_ms.unwrap_or(f64::INFINITY) - self.latency_ms;
            tail_ms.min(most_ms).max(0.0)
        };
        // In order, a slow packet holds back those behind it: fewer slow ones make as many late ones.
        let held = tail_ms(late) / self.send_interval_ms * (1.0 - self.correlation);
        let held = if self.in_order { 1.0 + held } else { 1.0 };
        let bad = self.loss / self.burst_loss * (1.0 - self.burst_loss);
        let burst_ms = if bad > late { self.burst_delay_ms } else { 0.0 };
        let stall_ms = self.stalls.map_or(0.0, |it| it.wait_ms(late));
        tail_ms(late / held) + burst_ms + stall_ms
    }

    /// Packets usually on their way at one time, copies included. A stream, and an extreme link, may have more.
    pub(super) fn usually_in_flight(&self) -> usize {
        let packets = (self.usual_ms() / self.send_interval_ms).min(1024.0) as usize + 2;
        packets * if self.duplicated > 0.0 { 2 } else { 1 }
    }
}

/// The narrowest place of a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BottleneckConditions {
    /// Capacity in kbit/s, IP headers included.
    pub rate_kbps: f64,
    /// Longest wait in ms. A packet that finds more is dropped, whatever its own size.
    pub queue_ms: f64,
    /// Share of time, 0 to 1, in which a download shares the queue.
    pub neighbour: f64,
    /// Round trip of that download in ms without any queue.
    pub neighbour_round_trip_ms: f64,
}
