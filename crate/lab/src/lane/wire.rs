//! Both directions of the network, and what is sent over them counted.

use crate::channel::{Channel, Conditions, Delivery, Fate, Sent, timeouts_ms};
use crate::metrics::{LastSecond, Metrics, PacketCost};
use crate::settings::{Key, Settings};
use crate::time::{ms_of_tick, packet_number};
use snapshot_codec::{Kind, Ledger};

/// What leaves in a packet.
pub(crate) struct Outgoing<'a> {
    pub(crate) tick: u64,
    pub(crate) packet: &'a [u8],
    pub(crate) sequence: u16,
    /// The snapshot that it is encoded against; none where that is the initial one, or there is none.
    pub(crate) baseline_tick: Option<u64>,
    pub(crate) changed_cubes: usize,
    /// What its bits are shared among.
    pub(crate) cargo: usize,
}

/// A packet that left for the right side, and what becomes of it unless a cut catches it on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PacketRecord {
    /// Its number, by which [`super::Lane::set_fate`] knows it.
    pub number: u64,
    /// The tick in which it left.
    pub tick: u64,
    /// What it has on the wire.
    pub sequence: u16,
    /// The snapshot that it is encoded against; none where that is the initial one, or there is none.
    pub baseline_tick: Option<u64>,
    /// Its bytes, fragments, and bits by kind.
    pub cost: PacketCost,
    /// The instant at which it left.
    pub sent_ms: f64,
    /// What becomes of it. Over a stream it always arrives, after all that was sent before it.
    pub sent: Sent,
}

/// A packet that reached the right side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Received {
    /// Its number, the instant, and whether it is the second copy.
    pub delivery: Delivery,
    /// What the receiver did with it.
    pub outcome: Outcome,
}

/// What the right side did with a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is used.
    Accepted,
    /// Its time to be shown is over.
    Late,
    /// It can't be decoded.
    Refused,
    /// With lockstep: inputs before it are missing, or there is no more room.
    PassedOver,
    /// It was there before.
    Duplicate,
}

/// The network as the two ends of a lane see it: bytes go in, and come out at some time or never.
pub(crate) struct Wire {
    forward: Channel,
    backward: Channel,
    /// Retransmissions that a stream still has to send.
    forward_again: Again,
    backward_again: Again,
    newest: Option<PacketRecord>,
    /// Of this tick.
    received: Vec<Received>,
}

impl Wire {
    /// A network in which nothing is on its way.
    pub(crate) fn new(settings: &Settings) -> Wire {
        let conditions = conditions(settings);
        let seed = settings.get(Key::Seed);
        Wire {
            forward: Channel::new(conditions, seed, 0),
            backward: Channel::new(conditions, seed, 1),
            forward_again: Again::new(conditions.retransmission_timeout_ms),
            backward_again: Again::new(conditions.retransmission_timeout_ms),
            newest: None,
            received: Vec::new(),
        }
    }

    /// Begins a tick: what was told of the one before is over, and a stream sends again what is due.
    pub(crate) fn begin_tick(&mut self, tick: u64, metrics: &mut Metrics) {
        self.newest = None;
        self.received.clear();
        let now_ms = ms_of_tick(tick as f64);
        self.forward_again.leave(now_ms, &mut metrics.forward);
        self.backward_again.leave(now_ms, &mut metrics.acks);
    }

    /// Sends a packet to the right side, its cost by kind in `ledger`, to which the counted headers are added.
    pub(crate) fn send(
        &mut self,
        outgoing: &Outgoing<'_>,
        ledger: &mut Ledger,
        settings: &Settings,
        metrics: &mut Metrics,
    ) {
        let &Outgoing { tick, packet, .. } = outgoing;
        let fragments = fragments(packet.len(), settings);
        ledger.add_bits(Kind::IpUdp, fragments * settings.header_bytes() * 8);
        let cost = PacketCost::new(
            packet.len(),
            fragments,
            outgoing.changed_cubes,
            outgoing.cargo,
            ledger,
        );
        metrics.add_packet(packet, cost);
        let number = packet_number(tick, settings.send_rate_hz());
        let sent_ms = ms_of_tick(tick as f64);
        let sent = self.forward.send(sent_ms, number, packet, fragments);
        self.forward_again.add(sent_ms, &sent, cost.wire_bits());
        self.newest = Some(PacketRecord {
            number,
            tick,
            sequence: outgoing.sequence,
            baseline_tick: outgoing.baseline_tick,
            cost,
            sent_ms,
            sent,
        });
    }

    /// Takes the next packet that has reached the right side into `packet`, and says which it is.
    pub(crate) fn receive(&mut self, now_ms: f64, packet: &mut Vec<u8>) -> Option<Delivery> {
        self.forward.receive(now_ms, packet)
    }

    /// Counts and keeps what the right side did with a packet.
    pub(crate) fn note(&mut self, delivery: Delivery, outcome: Outcome, metrics: &mut Metrics) {
        metrics.late += u64::from(outcome == Outcome::Late);
        metrics.refused += u64::from(outcome == Outcome::Refused);
        self.received.push(Received { delivery, outcome });
    }

    /// The packet that left in this tick.
    pub(crate) fn newest_packet(&self) -> Option<&PacketRecord> {
        self.newest.as_ref()
    }

    /// The packets that reached the right side in this tick, in order.
    pub(crate) fn received(&self) -> &[Received] {
        &self.received
    }

    /// Sends an acknowledgement back to the left side.
    pub(crate) fn send_ack(
        &mut self,
        tick: u64,
        ack: &[u8],
        settings: &Settings,
        metrics: &mut Metrics,
    ) {
        let bytes = ack.len() as u64 + u64::from(settings.header_bytes());
        metrics.ack_bytes += bytes;
        metrics.acks.add_packet(bytes * 8);
        let sent_ms = ms_of_tick(tick as f64);
        // At most one leaves in a tick: its number is the tick.
        let sent = self.backward.send(sent_ms, tick, ack, 1);
        self.backward_again.add(sent_ms, &sent, bytes * 8);
    }

    /// Hands over the acknowledgements that have reached the left side, each through the buffer `ack`, and counts those that
    /// are refused.
    pub(crate) fn receive_acks<E>(
        &mut self,
        now_ms: f64,
        ack: &mut Vec<u8>,
        metrics: &mut Metrics,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) {
        while self.backward.receive(now_ms, ack).is_some() {
            metrics.refused += u64::from(take(ack).is_err());
        }
    }

    /// While it is cut no packet passes either way.
    pub(crate) fn set_cut(&mut self, cut: bool) {
        self.forward.set_cut(cut);
        self.backward.set_cut(cut);
    }

    /// Sets the fate of a packet to the right side, by its number.
    pub(crate) fn set_fate(&mut self, number: u64, fate: Option<Fate>) {
        self.forward.set_fate(number, fate);
    }

    /// The way to the right side.
    pub(crate) fn forward(&self) -> &Channel {
        &self.forward
    }
}

/// What a stream will send again: the instants, and the bits that leave then.
struct Again {
    timeout_ms: Option<f64>,
    due: Vec<(f64, u64)>,
}

impl Again {
    fn new(timeout_ms: Option<f64>) -> Again {
        Again {
            timeout_ms,
            due: Vec::new(),
        }
    }

    fn add(&mut self, sent_ms: f64, sent: &Sent, bits: u64) {
        if let Some(timeout_ms) = self.timeout_ms {
            let times = timeouts_ms(timeout_ms).take(sent.retransmissions as usize);
            self.due
                .extend(times.map(|late_ms| (sent_ms + late_ms, bits)));
        }
    }

    fn leave(&mut self, now_ms: f64, rate: &mut LastSecond) {
        self.due.retain(|&(at_ms, bits)| {
            let leaves = at_ms <= now_ms;
            if leaves {
                rate.add_again(bits);
            }
            !leaves
        });
    }
}

fn conditions(settings: &Settings) -> Conditions {
    let share = |key| f64::from(settings.get(key)) / 1000.0;
    Conditions {
        latency_ms: f64::from(settings.get(Key::Latency)),
        jitter_ms: f64::from(settings.get(Key::Jitter)),
        loss: share(Key::Loss),
        burst_packets: f64::from(settings.get(Key::Burst)),
        duplicated: share(Key::Duplicated),
        reordered: share(Key::Reordered),
        send_interval_ms: settings.send_interval_ms(),
        retransmission_timeout_ms: settings.retransmission_timeout_ms(),
    }
}

/// How many pieces a packet is sent in: each fits the MTU with a header of its own.
pub(crate) fn fragments(packet_bytes: usize, settings: &Settings) -> u32 {
    match settings.get(Key::Fragments) {
        0 => 1,
        mtu_bytes => (packet_bytes as u32)
            .div_ceil(mtu_bytes - settings.header_bytes())
            .max(1),
    }
}
