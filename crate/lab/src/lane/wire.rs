//! Both directions of the network, and what is sent over them counted.

use crate::channel::{Channel, Conditions};
use crate::metrics::{Metrics, PacketCost};
use crate::settings::{Key, Settings};
use snapshot_codec::{Kind, Ledger};

/// The network as the two ends of a lane see it: bytes go in, and come out at some time or never.
pub(crate) struct Wire {
    forward: Channel,
    backward: Channel,
}

impl Wire {
    /// A network in which nothing is on its way. Acks are far below `packet_bytes_max` and grow their buffers themselves.
    pub(crate) fn new(settings: &Settings, packet_bytes_max: usize) -> Wire {
        let conditions = conditions(settings);
        let seed = settings.get(Key::Seed);
        Wire {
            forward: Channel::new(conditions, seed, 0, packet_bytes_max),
            backward: Channel::new(conditions, seed, 1, 0),
        }
    }

    /// Sends a packet to the right side, its cost by kind in `ledger`, to which the counted headers are added.
    pub(crate) fn send(
        &mut self,
        now_ms: f64,
        packet: &[u8],
        changed_cubes: usize,
        ledger: &mut Ledger,
        settings: &Settings,
        metrics: &mut Metrics,
    ) {
        let fragments = fragments(packet.len(), settings);
        ledger.add_bits(Kind::IpUdp, fragments * settings.header_bytes() * 8);
        let cost = PacketCost::new(packet.len(), fragments, changed_cubes, ledger);
        metrics.add_packet(packet, cost);
        self.forward.send(now_ms, packet, fragments);
    }

    /// Takes the next packet that has reached the right side into `packet`, and says when it did.
    pub(crate) fn receive(&mut self, now_ms: f64, packet: &mut Vec<u8>) -> Option<f64> {
        self.forward.receive(now_ms, packet)
    }

    /// Sends an acknowledgement back to the left side.
    pub(crate) fn send_ack(
        &mut self,
        now_ms: f64,
        ack: &[u8],
        settings: &Settings,
        metrics: &mut Metrics,
    ) {
        metrics.ack_bytes += ack.len() as u64 + u64::from(settings.header_bytes());
        self.backward.send(now_ms, ack, 1);
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

    /// The way to the right side.
    pub(crate) fn forward(&self) -> &Channel {
        &self.forward
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
