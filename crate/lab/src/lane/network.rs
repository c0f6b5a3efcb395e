//! Both ways of the network that a lane's settings describe.

use crate::settings::{Key, LaneSettings};
use snapshot_base::time::{ms_of_tick, packet_number};
use snapshot_netsim::channel::{Channel, Conditions, Delivery, Override, Sent};

/// No acknowledgement is longer.
pub(crate) const ACK_BYTES_MAX: usize = 8;

/// Packets on their way to the right side, acknowledgements on their way back.
pub(crate) struct Network {
    forward: Channel,
    backward: Channel,
    send_rate_hz: u32,
}

impl Network {
    /// A network in which nothing is on its way.
    pub(crate) fn new(settings: &LaneSettings) -> Network {
        let conditions = conditions(settings);
        let seed = settings.get(Key::Seed);
        Network {
            forward: Channel::new(conditions, seed, 0),
            backward: Channel::new(conditions, seed, 1),
            send_rate_hz: settings.send_rate_hz(),
        }
    }

    /// Sends a tick's packet to the right side in so many pieces; gives its number and what becomes of it.
    pub(crate) fn send(&mut self, tick: u64, packet: &[u8], fragments: u32) -> (u64, Sent) {
        let number = packet_number(tick, self.send_rate_hz);
        let sent_ms = ms_of_tick(tick as f64);
        let sent = self.forward.send(sent_ms, number, packet, fragments);
        (number, sent)
    }

    /// Takes the next packet that has reached the right side into `packet`, and says which it is.
    pub(crate) fn receive(&mut self, now_ms: f64, packet: &mut Vec<u8>) -> Option<Delivery> {
        self.forward.receive(now_ms, packet)
    }

    /// Sends a tick's acknowledgement back to the left side.
    pub(crate) fn send_ack(&mut self, tick: u64, ack: &[u8]) -> Sent {
        // At most one leaves in a tick: its number is the tick.
        self.backward.send(ms_of_tick(tick as f64), tick, ack, 1)
    }

    /// Takes the next acknowledgement that has reached the left side into `ack`.
    pub(crate) fn receive_ack(&mut self, now_ms: f64, ack: &mut Vec<u8>) -> Option<Delivery> {
        self.backward.receive(now_ms, ack)
    }

    /// While it is cut no packet passes either way.
    pub(crate) fn set_cut(&mut self, cut: bool) {
        self.forward.set_cut(cut);
        self.backward.set_cut(cut);
    }

    /// Sets the override of a packet to the right side that has not left yet, by its number, or leaves the packet to its faults again.
    pub(crate) fn set_override(&mut self, number: u64, forced: Option<Override>) {
        self.forward.set_override(number, forced);
    }

    /// Memory that what is on its way takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.forward.held_bytes() + self.backward.held_bytes()
    }

    /// The way to the right side.
    pub(crate) fn forward(&self) -> &Channel {
        &self.forward
    }
}

fn conditions(settings: &LaneSettings) -> Conditions {
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

/// Pieces in which a packet is sent under these settings.
pub(crate) fn fragments(packet_bytes: usize, settings: &LaneSettings) -> u32 {
    snapshot_session::fragments(packet_bytes, settings.mtu_bytes(), settings.header_bytes())
}
