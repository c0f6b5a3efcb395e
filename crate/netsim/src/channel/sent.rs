//! The outcome of a packet: arrival or loss, and the causes.

/// The outcome of a sent packet, unless a cut catches it on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TransitOutcome {
    /// Its arrival in ms. None if it is lost; of a stream, none before it is known.
    pub arrival_ms: Option<f64>,
    /// Arrival of the second copy in ms; none without a copy.
    pub copy_arrival_ms: Option<f64>,
    /// Retransmissions by a stream so far, each after the next of its timeouts.
    pub retransmissions: u32,
    /// The causes of the packet's delay, also if the packet is lost after it entered.
    pub delay: DelayByCause,
    /// The cause of a loss; none for a packet that arrives.
    pub lost_by: Option<LossCause>,
}

impl TransitOutcome {
    /// The same outcome in a time that is ahead by so much.
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

/// The causes of a packet's delay in ms. Their sum is the time from its departure to its arrival.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DelayByCause {
    /// Wait in the bottleneck's queue.
    pub queue_ms: f64,
    /// Its own transmission by the bottleneck.
    pub transmission_ms: f64,
    /// Wait for the end of a stall.
    pub stall_ms: f64,
    /// The latency.
    pub base_ms: f64,
    /// Jitter: the travel beside the latency, below 0 where it is shorter.
    pub tail_ms: f64,
    /// Hold of a reordered packet.
    pub reorder_ms: f64,
    /// Delay by the bad state of the bursts.
    pub bad_ms: f64,
    /// Timeouts of a stream until the transmission that arrived.
    pub resend_ms: f64,
    /// Wait for earlier packets, where packets keep their order or a stream delivers in order.
    pub order_ms: f64,
}

impl DelayByCause {
    /// The causes by name, in the order of a packet's way, with ms of each.
    pub fn named(&self) -> [(&'static str, f64); 9] {
        [
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

    /// The whole delay in ms.
    pub fn sum_ms(&self) -> f64 {
        self.named().iter().map(|(_, ms)| ms).sum()
    }
}

/// The cause of a packet's loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossCause {
    /// The network was cut when it was sent.
    Cut,
    /// The bottleneck's queue was full.
    Queue,
    /// The loss that the conditions set.
    Chance,
    /// A loss by hand.
    Override,
}

impl LossCause {
    /// All causes.
    pub const ALL: [LossCause; 4] = [
        LossCause::Cut,
        LossCause::Queue,
        LossCause::Chance,
        LossCause::Override,
    ];

    /// Its name in data.
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
    /// Its number.
    pub number: u64,
    /// Its arrival in ms.
    pub arrival_ms: f64,
    /// True for the second copy.
    pub copy: bool,
}

/// Counts of packets so far. `sent = delivered + lost + in flight`; second copies are counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Counters {
    pub sent: u64,
    pub delivered: u64,
    pub lost: u64,
    /// Lost packets that found the bottleneck's queue full. A stream's segments are sent again and not lost.
    pub lost_by_queue: u64,
    pub duplicated: u64,
    pub retransmitted: u64,
}

impl Counters {
    /// Packets on their way.
    pub fn in_flight(&self) -> u64 {
        self.sent - self.delivered - self.lost
    }
}
