//! Both ways of the network that a lane's settings describe.

use snapshot_base::time::TickRate;
use snapshot_netsim::channel::{Channel, Delivery, LinkInputs, Override, PacketFate};
use snapshot_settings::{Direction, Key, LaneSettings};

/// No acknowledgement is longer.
pub(crate) const ACK_BYTES_MAX: usize = 8;

/// The link in both directions: packets to the right side, acknowledgements back.
pub(crate) struct Network {
    forward: Channel,
    backward: Channel,
    tick_rate: TickRate,
    send_rate_hz: u32,
    header_bytes: u32,
}

impl Network {
    /// A network in which nothing is on its way. The trace holds both ways, the overrides the way to the right side.
    pub(crate) fn new(settings: &LaneSettings, given: &LinkInputs) -> Network {
        let seed = settings.get(Key::Seed);
        let channel = |way: Direction| {
            let trace = given.trace.as_ref();
            Channel::recorded(settings.conditions(way), seed, way as u32, trace)
        };
        let mut forward = channel(Direction::Forward);
        for (number, forced) in given.overrides.iter() {
            forward.set_override(number, Some(forced));
        }
        Network {
            forward,
            backward: channel(Direction::Back),
            tick_rate: settings.tick_rate(),
            send_rate_hz: settings.send_rate_hz(),
            header_bytes: settings.header_bytes(),
        }
    }

    /// The instant of a tick.
    pub(crate) fn ms_of_tick(&self, tick: u64) -> f64 {
        self.tick_rate.ms_of_tick(tick as f64)
    }

    /// Sends a tick's packet to the right side; returns number and fate. Of a `size` that is not the packet's own only
    /// the given bytes are handed on.
    pub(crate) fn send(&mut self, tick: u64, packet: &[u8], size: PacketSize) -> (u64, PacketFate) {
        let number = self.tick_rate.packet_number(tick, self.send_rate_hz);
        let sent_ms = self.tick_rate.ms_of_tick(tick as f64);
        let PacketSize {
            fragments,
            wire_bytes,
        } = size;
        let forward = &mut self.forward;
        let sent = forward.send_sized(sent_ms, number, packet, fragments, wire_bytes);
        (number, sent)
    }

    /// Takes the next packet that has reached the right side into `packet`, and says which it is.
    pub(crate) fn receive(&mut self, now_ms: f64, packet: &mut Vec<u8>) -> Option<Delivery> {
        self.forward.receive(now_ms, packet)
    }

    /// Sends a tick's acknowledgement back to the left side.
    pub(crate) fn send_ack(&mut self, tick: u64, ack: &[u8]) -> PacketFate {
        // At most one leaves in a tick: its number is the tick.
        let sent_ms = self.tick_rate.ms_of_tick(tick as f64);
        let wire_bytes = ack.len() as u32 + self.header_bytes;
        (self.backward).send_sized(sent_ms, tick, ack, 1, wire_bytes)
    }

    /// Tells the retransmissions of streams that have left by now, with their bytes, headers included.
    pub(crate) fn retransmit(&mut self, now_ms: f64, mut tell: impl FnMut(Direction, u32)) {
        while let Some(bytes) = self.forward.take_retransmission(now_ms) {
            tell(Direction::Forward, bytes);
        }
        while let Some(bytes) = self.backward.take_retransmission(now_ms) {
            tell(Direction::Back, bytes);
        }
    }

    /// Tells the outcomes that have become known since the last call, with the packets' numbers.
    pub(crate) fn take_completed(&mut self, mut tell: impl FnMut(Direction, u64, PacketFate)) {
        for (number, sent) in self.forward.take_completed() {
            tell(Direction::Forward, number, sent);
        }
        for (number, sent) in self.backward.take_completed() {
            tell(Direction::Back, number, sent);
        }
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

    /// Sets or removes the override of a packet to the right side that has not left yet, by number.
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

/// Returns true if a lane that starts late is another one for long. The queue of a bottleneck remembers all packets before, and
/// a trace may lose all packets for any time.
pub fn starts_with_tape(settings: &LaneSettings, given: &LinkInputs) -> bool {
    settings.longest_queue_ms().is_some() || given.trace.is_some()
}

/// Returns true if a packet's fate depends on its size.
pub fn fate_depends_on_size(settings: &LaneSettings, given: &LinkInputs) -> bool {
    settings.fate_depends_on_size() || has_recorded_capacity(given)
}

fn has_recorded_capacity(given: &LinkInputs) -> bool {
    let trace = given.trace.as_ref();
    trace.is_some_and(|trace| trace.capacity().is_some())
}

/// The size of a packet, as far as the network minds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketSize {
    /// Pieces in which it is sent, at least 1.
    pub fragments: u32,
    /// Its bytes with the counted headers of all pieces.
    pub wire_bytes: u32,
}

impl PacketSize {
    /// A packet whose size does not matter.
    pub const ANY: PacketSize = PacketSize {
        fragments: 1,
        wire_bytes: 0,
    };

    /// The size of a packet of so many bytes under these settings.
    pub fn of(packet_bytes: usize, settings: &LaneSettings) -> PacketSize {
        let fragments = fragments(packet_bytes, settings);
        PacketSize {
            fragments,
            wire_bytes: packet_bytes as u32 + fragments * settings.header_bytes(),
        }
    }
}

/// Pieces in which a packet is sent under these settings.
fn fragments(packet_bytes: usize, settings: &LaneSettings) -> u32 {
    snapshot_strategies::fragments(packet_bytes, settings.mtu_bytes(), settings.header_bytes())
}
