//! The network of a lane in both directions, as its settings describe it, and the record of all sent packets.

use crate::measure::metrics::{Metrics, PacketCost};
use crate::strategy::{AckedPackets, PacketInfo};
use snapshot_base::time::TickRate;
use snapshot_codec::{Kind, Ledger};
use snapshot_netsim::channel::{Channel, Delivery, LinkInputs, TransitOutcome};
pub use snapshot_settings::Direction;
use snapshot_settings::LaneSettings;
use snapshot_view::SnapshotArrival;
use std::sync::Arc;

/// Returns the cost of a packet that is sent in a number of fragments. Adds the counted headers to the sender's bits in
/// `ledger`.
pub fn cost_of_packet(
    info: &PacketInfo,
    packet: &[u8],
    fragments: u32,
    ledger: &mut Ledger,
    settings: &LaneSettings,
) -> PacketCost {
    ledger.add_bits(Kind::IpUdp, fragments * settings.header_bytes() * 8);
    let changed_cubes = info.changed_cubes;
    PacketCost::new(packet.len(), fragments, changed_cubes, info.items, ledger)
}

/// An acknowledgement that has reached the sender.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AckReceived {
    bytes: [u8; ACK_BYTES_MAX],
    length: usize,
    pub(crate) acked: AckedPackets,
}

impl AckReceived {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// An acknowledgement that the receiver sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AckRecord {
    /// The tick in which the acknowledgement was sent.
    pub(crate) tick: u64,
    /// Size in bytes, without IP and UDP headers.
    pub(crate) bytes: u32,
    /// Fate of the acknowledgement on the network.
    pub(crate) sent: TransitOutcome,
}

/// A packet that was sent to the receiver, with its fate unless a cut stops it on the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PacketRecord {
    /// The packet's number ([`snapshot_base::time::TickRate::packet_number`]).
    pub number: u64,
    /// The tick in which the packet was sent.
    pub tick: u64,
    /// Sequence number in the packet.
    pub sequence: u16,
    /// Tick of the packet's baseline; `None` for the initial snapshot, or for a packet without a baseline.
    pub baseline_tick: Option<u64>,
    /// Cost of the packet: bytes, fragments, and bits by kind.
    pub cost: PacketCost,
    /// Departure time, ms.
    pub sent_ms: f64,
    /// Fate of the packet on the network. Over a stream it always arrives, after all earlier segments.
    pub sent: TransitOutcome,
}

/// A packet that reached the receiver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReceivedPacket {
    /// Number and arrival time of the packet, and whether it is a duplicate.
    pub(crate) delivery: Delivery,
    /// The receiver's treatment of the packet; `None` if the decoder refused it.
    pub(crate) outcome: Option<SnapshotArrival>,
}

/// The fate of a packet that was not known at departure, such as a loss in a queue or a stream's delivery.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LateOutcome {
    pub(crate) direction: Direction,
    /// Number of the packet in its direction. The number of an acknowledgement is its tick.
    pub(crate) number: u64,
    pub(crate) sent: TransitOutcome,
}

/// The departure of a packet in either direction: its number, which decides its fate, and its time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Departure {
    /// The lane's tick.
    pub(crate) tick: u64,
    /// Number of the packet in its direction.
    pub(crate) number: u64,
    /// Time of the departure on the network, ms.
    pub(crate) now_ms: f64,
    /// Time to add to the network's time to get the time of the lane's tick, ms. A game's ticks are steered, so its network has a
    /// time of its own.
    pub(crate) shift_ms: f64,
    /// False before the lane's first tick, while a game's client joins.
    pub(crate) is_counted: bool,
}

/// The network between a lane's two ends, with the records of each tick's packets.
pub(crate) struct Wire {
    pub(crate) network: Network,
    /// Packets sent to the receiver in this tick.
    sent: Vec<PacketRecord>,
    /// Bytes of the sent packets, of a strategy whose packets cannot be encoded again.
    bytes: Option<Vec<Arc<[u8]>>>,
    sent_acks: Vec<AckRecord>,
    /// Outcomes of earlier packets of a stream that became known in this tick.
    completed: Vec<LateOutcome>,
    received: Vec<ReceivedPacket>,
    /// Acknowledgements received in this tick.
    acks: Vec<AckReceived>,
}

impl Wire {
    /// Creates a network with nothing in flight. `keeps_bytes` is true for a strategy whose packets cannot be encoded again.
    pub(crate) fn new(
        settings: &LaneSettings,
        link_inputs: &LinkInputs,
        keeps_bytes: bool,
    ) -> Wire {
        Wire {
            network: Network::new(settings, link_inputs),
            sent: Vec::new(),
            bytes: keeps_bytes.then(Vec::new),
            sent_acks: Vec::new(),
            completed: Vec::new(),
            received: Vec::new(),
            acks: Vec::new(),
        }
    }

    /// Begins a tick: drops the records of the tick before, and counts the retransmissions of a stream that are due.
    pub(crate) fn begin_tick(&mut self, tick: u64, metrics: &mut Metrics) {
        self.sent.clear();
        if let Some(bytes) = &mut self.bytes {
            bytes.clear();
        }
        self.sent_acks.clear();
        self.received.clear();
        self.acks.clear();
        let now_ms = self.network.ms_of_tick(tick);
        let (forward, acks) = (&mut metrics.forward, &mut metrics.acks);
        self.network
            .retransmit(now_ms, |direction, bytes| match direction {
                Direction::Forward => forward.add_again(8 * u64::from(bytes)),
                Direction::Back => acks.add_again(8 * u64::from(bytes)),
            });
        self.completed.clear();
        let completed = &mut self.completed;
        self.network.drain_completed(|direction, number, sent| {
            completed.push(LateOutcome {
                direction,
                number,
                sent,
            });
        });
        let ticks = metrics.ticks;
        let ahead = self.completed.iter();
        let ahead = ahead.filter(|it| it.direction == Direction::Forward);
        ahead.for_each(|it| metrics.link.add(ticks, &it.sent));
    }

    /// Outcomes of earlier packets that became known in this tick.
    pub(crate) fn completed(&self) -> &[LateOutcome] {
        &self.completed
    }

    /// Sends a packet to the receiver. `ledger` has its bits by kind; the counted headers are added.
    pub(crate) fn send(
        &mut self,
        at: Departure,
        packet: &[u8],
        info: &PacketInfo,
        ledger: &mut Ledger,
        settings: &LaneSettings,
        metrics: &mut Metrics,
    ) {
        let size = PacketSize::new(packet.len(), settings);
        let cost = cost_of_packet(info, packet, size.fragments, ledger, settings);
        let sent = self.network.send(Direction::Forward, at, packet, size);
        if at.is_counted {
            metrics.add_packet(packet, cost);
            metrics.link.add(metrics.ticks, &sent);
            if let Some(bytes) = &mut self.bytes {
                bytes.push(packet.into());
            }
            self.sent.push(PacketRecord {
                number: at.number,
                tick: at.tick,
                sequence: info.sequence,
                baseline_tick: info.baseline_tick,
                cost,
                sent_ms: at.now_ms + at.shift_ms,
                sent: sent.shifted(at.shift_ms),
            });
        }
    }

    /// Sends a packet back to the sender: an acknowledgement, or a datagram of a game's client.
    pub(crate) fn send_back(
        &mut self,
        at: Departure,
        packet: &[u8],
        settings: &LaneSettings,
        metrics: &mut Metrics,
    ) {
        let size = PacketSize::whole(packet.len(), settings.header_bytes());
        let sent = self.network.send(Direction::Back, at, packet, size);
        if at.is_counted {
            metrics.ack_bytes += u64::from(size.wire_bytes);
            metrics.acks.add_packet(u64::from(size.wire_bytes) * 8);
            self.sent_acks.push(AckRecord {
                tick: at.tick,
                bytes: packet.len() as u32,
                sent: sent.shifted(at.shift_ms),
            });
        }
    }

    /// Replaces `packet` by the next packet at the receiver; returns its number and arrival. `None` if there is none.
    pub(crate) fn receive(&mut self, now_ms: f64, packet: &mut Vec<u8>) -> Option<Delivery> {
        self.network.receive(Direction::Forward, now_ms, packet)
    }

    /// Replaces `packet` by the next packet at the sender; returns its number and arrival. `None` if there is none.
    pub(crate) fn receive_back(
        &mut self,
        now_ms: f64,
        packet: &mut Vec<u8>,
        metrics: &mut Metrics,
    ) -> Option<Delivery> {
        let delivery = self.network.receive(Direction::Back, now_ms, packet)?;
        metrics.link.acked(metrics.ticks);
        Some(delivery)
    }

    /// Records an acknowledgement that reached the sender: the packets that it names, and its first bytes.
    pub(crate) fn note_acked(&mut self, acked: AckedPackets, ack: &[u8]) {
        let mut bytes = [0; ACK_BYTES_MAX];
        let length = ack.len().min(ACK_BYTES_MAX);
        bytes[..length].copy_from_slice(&ack[..length]);
        self.acks.push(AckReceived {
            bytes,
            length,
            acked,
        });
    }

    /// Records and counts the receiver's treatment of an arrived packet.
    pub(crate) fn note(
        &mut self,
        delivery: Delivery,
        outcome: Option<SnapshotArrival>,
        metrics: &mut Metrics,
    ) {
        metrics.late += u64::from(outcome == Some(SnapshotArrival::Late));
        metrics.overtaken += u64::from(outcome == Some(SnapshotArrival::Overtaken));
        metrics.refused += u64::from(outcome.is_none());
        self.received.push(ReceivedPacket { delivery, outcome });
    }

    /// Bytes of the packets sent in this tick; empty for a strategy whose packets are encoded again.
    pub(crate) fn bytes(&self) -> &[Arc<[u8]>] {
        self.bytes.as_deref().unwrap_or_default()
    }

    /// The packets sent in this tick, in order.
    pub(crate) fn sent(&self) -> &[PacketRecord] {
        &self.sent
    }

    /// The packets that reached the receiver in this tick, in order.
    pub(crate) fn received(&self) -> &[ReceivedPacket] {
        &self.received
    }

    /// The acknowledgements sent in this tick, in order.
    pub(crate) fn sent_acks(&self) -> &[AckRecord] {
        &self.sent_acks
    }

    /// The acknowledgements that reached the sender in this tick, in order.
    pub(crate) fn acks(&self) -> &[AckReceived] {
        &self.acks
    }
}

/// Upper limit of the size of an acknowledgement, bytes.
pub(crate) const ACK_BYTES_MAX: usize = 8;

/// The link in both directions: packets to the receiver, acknowledgements back.
pub(crate) struct Network {
    pub(crate) forward: Channel,
    backward: Channel,
    tick_rate: TickRate,
    send_rate_hz: u32,
}

impl Network {
    /// Creates a network with nothing in flight. The trace applies to both directions, the overrides only to packets to the
    /// receiver.
    pub(crate) fn new(settings: &LaneSettings, link_inputs: &LinkInputs) -> Network {
        let mut network = Network::of_client(settings, link_inputs, 0);
        for (number, forced) in link_inputs.overrides.iter() {
            network.forward.set_override(number, Some(forced));
        }
        network
    }

    /// Creates the network of a client of the same server. Each client's link has faults of its own; client 0 is the lane's
    /// own client.
    pub(crate) fn of_client(
        settings: &LaneSettings,
        link_inputs: &LinkInputs,
        client: u32,
    ) -> Network {
        let seed = settings.seed();
        let channel = |direction: Direction| {
            let trace = link_inputs.trace.as_ref();
            let stream = 2 * client + direction as u32;
            Channel::recorded(settings.conditions(direction), seed, stream, trace)
        };
        Network {
            forward: channel(Direction::Forward),
            backward: channel(Direction::Back),
            tick_rate: settings.tick_rate(),
            send_rate_hz: settings.send_rate_hz(),
        }
    }

    fn channel(&mut self, direction: Direction) -> &mut Channel {
        match direction {
            Direction::Forward => &mut self.forward,
            Direction::Back => &mut self.backward,
        }
    }

    /// Returns the departure of a tick's packet. At most one leaves in a tick in each direction. The number of an
    /// acknowledgement is its tick.
    pub(crate) fn departure(&self, direction: Direction, tick: u64) -> Departure {
        Departure {
            tick,
            number: match direction {
                Direction::Forward => self.tick_rate.packet_number(tick, self.send_rate_hz),
                Direction::Back => tick,
            },
            now_ms: self.ms_of_tick(tick),
            shift_ms: 0.0,
            is_counted: true,
        }
    }

    pub(crate) fn ms_of_tick(&self, tick: u64) -> f64 {
        self.tick_rate.ms_of_tick(tick as f64)
    }

    /// Sends a packet; returns its fate. If `size` differs from the packet's size, the network counts `size`, but only the
    /// bytes of `packet` arrive.
    pub(crate) fn send(
        &mut self,
        direction: Direction,
        at: Departure,
        packet: &[u8],
        size: PacketSize,
    ) -> TransitOutcome {
        let PacketSize {
            fragments,
            wire_bytes,
        } = size;
        self.channel(direction)
            .send_sized(at.now_ms, at.number, packet, fragments, wire_bytes)
    }

    /// Replaces `packet` by the next packet at the end of a direction; returns its number and arrival. `None` if there is none.
    pub(crate) fn receive(
        &mut self,
        direction: Direction,
        now_ms: f64,
        packet: &mut Vec<u8>,
    ) -> Option<Delivery> {
        self.channel(direction).receive(now_ms, packet)
    }

    /// Calls `tell` for the stream retransmissions that have been sent by now, with their bytes, headers included.
    pub(crate) fn retransmit(&mut self, now_ms: f64, mut tell: impl FnMut(Direction, u32)) {
        for direction in Direction::BOTH {
            while let Some(bytes) = self.channel(direction).pop_retransmission(now_ms) {
                tell(direction, bytes);
            }
        }
    }

    /// Calls `tell` for the outcomes that became known since the last call, with the packets' numbers.
    pub(crate) fn drain_completed(&mut self, mut tell: impl FnMut(Direction, u64, TransitOutcome)) {
        for direction in Direction::BOTH {
            for (number, sent) in self.channel(direction).drain_completed() {
                tell(direction, number, sent);
            }
        }
    }

    /// Cuts or restores the network. While it is cut no packet passes in either direction.
    pub(crate) fn set_cut(&mut self, cut: bool) {
        self.forward.set_cut(cut);
        self.backward.set_cut(cut);
    }

    /// Returns true while the network is cut.
    pub(crate) fn is_cut(&self) -> bool {
        self.forward.is_cut()
    }
}

/// Returns true if a lane that starts after the tape's start behaves differently for a long time. The queue of a bottleneck
/// and the window of a data channel depend on all earlier packets, and a trace may lose all packets for any time.
pub fn starts_with_tape(settings: &LaneSettings, link_inputs: &LinkInputs) -> bool {
    let has_window = settings.is_data_channel();
    settings.longest_queue_ms().is_some() || has_window || link_inputs.trace.is_some()
}

/// Size of a packet as the network counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketSize {
    /// Number of fragments in which the packet is sent, at least 1.
    pub fragments: u32,
    /// Number of bytes on the wire, headers of all fragments included.
    pub wire_bytes: u32,
}

impl PacketSize {
    /// Any size, for a packet whose size does not matter.
    pub const ANY: PacketSize = PacketSize {
        fragments: 1,
        wire_bytes: 0,
    };

    /// Returns the size on the wire of a packet that is sent whole.
    pub(crate) fn whole(packet_bytes: usize, header_bytes: u32) -> PacketSize {
        PacketSize {
            fragments: 1,
            wire_bytes: packet_bytes as u32 + header_bytes,
        }
    }

    /// Returns the size on the wire of a packet of `packet_bytes` bytes under these settings.
    pub fn new(packet_bytes: usize, settings: &LaneSettings) -> PacketSize {
        let (mtu_bytes, header_bytes) = (settings.mtu_bytes(), settings.header_bytes());
        let fragments = crate::strategy::fragments(packet_bytes, mtu_bytes, header_bytes);
        PacketSize {
            fragments,
            wire_bytes: packet_bytes as u32 + fragments * header_bytes,
        }
    }
}
