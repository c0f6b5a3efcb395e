//! The outcome of a packet: arrival or loss, and the causes.

/// The outcome of a sent packet, unless a cut catches it on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TransitOutcome {
    /// Arrival, ms; `None` if the packet is lost, or if a stream does not know it yet.
    pub arrival_ms: Option<f64>,
    /// Arrival of the second copy, ms; `None` without a copy.
    pub copy_arrival_ms: Option<f64>,
    /// Number of the segment's retransmissions so far, in a stream.
    pub retransmissions: u32,
    /// The causes of the packet's delay; also of a packet that was lost after the bottleneck took it.
    pub delay: DelayByCause,
    /// The cause of the loss; `None` if the packet arrives.
    pub lost_by: Option<LossCause>,
}

impl TransitOutcome {
    /// Returns the same outcome on a clock that is ahead by `ms`.
    #[must_use]
    pub fn shifted(self, ms: f64) -> TransitOutcome {
        let [arrival_ms, copy_arrival_ms] =
            [self.arrival_ms, self.copy_arrival_ms].map(|at| at.map(|at_ms| at_ms + ms));
        TransitOutcome {
            arrival_ms,
            copy_arrival_ms,
            ..self
        }
    }
}

/// The causes of a packet's delay, each in ms. Their sum is the time from the packet's departure to its arrival.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DelayByCause {
    /// Wait at the sender for the congestion window of a data channel, ms.
    pub window_ms: f64,
    /// Wait in the bottleneck's queue, ms.
    pub queue_ms: f64,
    /// Transmission of the packet itself by the bottleneck, ms.
    pub transmission_ms: f64,
    /// Wait for the end of a stall, ms.
    pub stall_ms: f64,
    /// The link's latency, ms.
    pub base_ms: f64,
    /// Jitter, ms: travel time minus latency; negative if the travel is shorter.
    pub tail_ms: f64,
    /// Time for which a reordered packet is held back, ms.
    pub reorder_ms: f64,
    /// Additional delay during a burst, ms.
    pub bad_ms: f64,
    /// Sum of a stream's timeouts until the transmission that arrived, ms.
    pub resend_ms: f64,
    /// Wait for earlier packets, ms, if packets keep their order or a stream delivers in order.
    pub order_ms: f64,
}

impl DelayByCause {
    /// Returns the delays with the names of their causes, ms, in the order of a packet's way.
    pub fn named(&self) -> [(&'static str, f64); 10] {
        [
            ("window", self.window_ms),
            ("queue", self.queue_ms),
            ("transmission", self.transmission_ms),
            ("stall", self.stall_ms),
            ("base", self.base_ms),
            ("tail", self.tail_ms),
            ("reorder", self.reorder_ms),
            ("bad", self.bad_ms),
            ("resend", self.resend_ms),
            ("order", self.order_ms),
        ]
    }

    /// Sum of all delays, ms.
    pub fn sum_ms(&self) -> f64 {
        self.named().iter().map(|(_, ms)| ms).sum()
    }
}

/// The cause of a packet's loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossCause {
    /// The link was cut when the packet was sent.
    Cut,
    /// The bottleneck's queue was full.
    Queue,
    /// The packet was lost by the conditions' probability.
    Chance,
    /// The loss was set by hand.
    Override,
}

impl LossCause {
    /// All causes of loss.
    pub const ALL: [LossCause; 4] = {
        use LossCause::{Chance, Cut, Override, Queue};
        // A new cause does not compile until it stands here, and so in the list.
        match Cut {
            Cut | Queue | Chance | Override => [Cut, Queue, Chance, Override],
        }
    };

    /// Name of the cause in data files.
    pub fn name(self) -> &'static str {
        match self {
            LossCause::Cut => "cut",
            LossCause::Queue => "queue",
            LossCause::Chance => "chance",
            LossCause::Override => "override",
        }
    }
}

/// A packet that has arrived.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delivery {
    /// Number of the packet.
    pub number: u64,
    /// Time of arrival, ms.
    pub arrival_ms: f64,
    /// True for the second copy.
    pub copy: bool,
}

/// Counts of packets so far. `sent = delivered + lost + in flight`; second copies are counted separately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Counters {
    pub sent: u64,
    pub delivered: u64,
    pub lost: u64,
    /// Number of packets that were lost because the bottleneck's queue was full. A stream's segments are sent again, so they
    /// do not count.
    pub lost_by_queue: u64,
    pub duplicated: u64,
    pub retransmitted: u64,
}

impl Counters {
    /// Number of packets that are on their way.
    pub fn in_flight(&self) -> u64 {
        self.sent - self.delivered - self.lost
    }
}
