//! The conditions of a link, one way.

use super::shapes::DelayShape;
use super::stalls::StallConditions;
use crate::trace::IN_TIME;

/// The WebRTC data channel that carries a link's packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataChannelConditions {
    /// Latency of the direction back, ms. The receiver's reports take it to reach the sender.
    pub back_ms: f64,
    /// Bytes of each datagram that the congestion window does not count: the headers.
    pub header_bytes: u32,
}

/// The conditions of a link in one direction: a bottleneck, then delay, then loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// The WebRTC data channel of the packets, unordered and without retransmissions; `None` for plain datagrams. Packets wait at
    /// the sender for the window of its congestion control.
    pub data_channel: Option<DataChannelConditions>,
    /// The narrowest place of the link, at the sender; `None` for endless capacity.
    pub bottleneck: Option<BottleneckConditions>,
    /// Times at which nothing passes and packets wait; `None` if there are none.
    pub stalls: Option<StallConditions>,
    /// Latency: time that a packet travels without jitter, ms.
    pub latency_ms: f64,
    /// Scale of the jitter, ms, by which the shape's values are multiplied. No packet travels for less than 0 ms.
    pub jitter_ms: f64,
    /// Distribution of the jitter.
    pub shape: DelayShape,
    /// Upper limit of the time that a packet travels, ms; `None` for no limit.
    pub longest_ms: Option<f64>,
    /// Probability, 0 to 0.99, with which a packet takes the jitter of the packet before it.
    pub correlation: f64,
    /// True if no packet arrives before one that was sent earlier. A lost packet delays later ones as if it arrived; so an
    /// override of a loss moves no other packet.
    pub in_order: bool,
    /// Share of packets that are lost, 0 to 0.5.
    pub loss: f64,
    /// Mean length of a burst of losses, packets; 1 means independent losses.
    pub burst_packets: f64,
    /// Share of packets that are lost during a burst, above 0, up to 1. Bursts take a share of `loss / burst_loss` of all
    /// packets.
    pub burst_loss: f64,
    /// Additional delay of packets during a burst, ms.
    pub burst_delay_ms: f64,
    /// Share of packets that arrive twice, 0 to 1.
    pub duplicated: f64,
    /// Share of packets that are held back by 1 to 3 send intervals, 0 to 1.
    pub reordered: f64,
    /// Length of a send interval, by which reordered packets are held back, ms.
    pub send_interval_ms: f64,
    /// Timeout of a stream like TCP, ms; `None` for datagrams. In a stream everything arrives, once and in order. A lost
    /// segment is sent again after the timeout, which doubles with each further loss (RFC 6298, 5.5); all later segments wait.
    /// Fast retransmission and congestion control are not in the model.
    pub retransmission_timeout_ms: Option<f64>,
}

impl Conditions {
    /// The conditions of a link that delivers every packet at once. Tests start from it, so that a new fault has to be added
    /// here alone.
    pub const PERFECT: Conditions = Conditions {
        data_channel: None,
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

    /// Longest time that nearly all packets take, ms. A long tail exceeds it, and so do a stream's retransmissions.
    pub fn usual_ms(&self) -> f64 {
        // All conditions are named, so that a new one that delays packets is not forgotten here and in `spread_ms`.
        let Conditions {
            data_channel: _,
            bottleneck,
            stalls,
            latency_ms,
            jitter_ms,
            shape,
            longest_ms,
            correlation: _,
            in_order: _,
            loss: _,
            burst_packets: _,
            burst_loss: _,
            burst_delay_ms,
            duplicated: _,
            reordered,
            send_interval_ms,
            retransmission_timeout_ms: _,
        } = *self;
        let held_intervals = if reordered > 0.0 { 3.0 } else { 0.0 };
        let jitter_ms = match shape {
            DelayShape::Uniform => jitter_ms,
            shape => jitter_ms * shape.quantile(0.999),
        };
        let travel_ms = latency_ms + jitter_ms;
        let queue_ms = bottleneck.map_or(0.0, |it| it.queue_ms);
        let stall_ms = stalls.map_or(0.0, |it| it.longest_ms());
        longest_ms.map_or(travel_ms, |longest_ms| travel_ms.min(longest_ms))
            + held_intervals * send_interval_ms
            + burst_delay_ms
            + queue_ms
            + stall_ms
    }

    /// Time beyond the latency within which a share of [`IN_TIME`] of the packets arrives, ms, by a formula. It leaves out
    /// the bottleneck's queue and reordering. The causes are added up, so the result is rather too long.
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

    /// Usual number of packets that are on their way at one time, copies included. A stream, and an extreme link, may have
    /// more.
    pub(super) fn usually_in_flight(&self) -> usize {
        let packets = (self.usual_ms() / self.send_interval_ms).min(1024.0) as usize + 2;
        packets * if self.duplicated > 0.0 { 2 } else { 1 }
    }
}

/// The conditions of a bottleneck: the narrowest place of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BottleneckConditions {
    /// Capacity in kbit/s, IP headers included.
    pub rate_kbps: f64,
    /// Longest wait in the queue, ms. A packet that would wait longer is dropped, whatever its size.
    pub queue_ms: f64,
    /// Share of time, 0 to 1, in which a neighbour's download shares the queue.
    pub neighbour: f64,
    /// Round trip of the neighbour's download without any queue, ms.
    pub neighbour_round_trip_ms: f64,
}
