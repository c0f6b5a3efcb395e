//! The schedule of packets without their bytes: departures, arrivals and baselines.
//!
//! Faults depend on a packet's number, not on its content. So every encoding meets the same network, and its sender gets
//! the same acks. With a set MTU or a bottleneck, the fate depends on a packet's size. Then each encoding has a schedule of
//! its own, which gets the size of each packet.
//!
//! Without a schedule the ladder would run a receiver for each encoding, only to learn the acks.

use crate::strategy::snapshot::{Acknowledger, SnapshotSender};
use crate::wire::{Direction, Network, PacketSize};
use snapshot_base::time::{TickRate, tick_of_sequence};
use snapshot_codec::{
    Cube, DeadReckoning, Format, Ledger, Life, QuantisationBits, Rung, decode_ack, encode_ack,
};
use snapshot_netsim::channel::{LinkInputs, TransitOutcome};
use snapshot_settings::LaneSettings;
use std::collections::VecDeque;

/// A scheduled packet of a snapshot, without its content.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScheduledPacket {
    /// Number of the packet ([`snapshot_base::time::TickRate::packet_number`]).
    pub number: u64,
    pub tick: u64,
    /// Tick of the packet's baseline, on a rung that has baselines; `None` is the initial snapshot.
    pub baseline_tick: Option<u64>,
    /// Fate of the packet on the network, if no cut stops the packet on the way.
    pub sent: TransitOutcome,
    /// The tick in which the acknowledgement reaches the sender; `None` if no acknowledgement names the packet, or none has
    /// arrived yet.
    pub acked_tick: Option<u64>,
}

/// The network between a sender and a receiver of snapshots, simulated tick by tick without content.
pub struct Schedule {
    tick_rate: TickRate,
    send_rate_hz: u32,
    header_bytes: u32,
    network: Network,
    acknowledger: Acknowledger,
    /// A sender of a single cube at rest. It chooses the same baselines as a sender of all cubes would.
    sender: SnapshotSender<DeadReckoning>,
    /// Sequences that were acknowledged to the sender in the newest tick, in order.
    acks: Vec<u16>,
    packets: VecDeque<ScheduledPacket>,
    buffer: Vec<u8>,
    ack: Vec<u8>,
    ledger: Ledger,
}

const STILL: [Cube; 1] = [Cube {
    life: Life::FIRST,
    ..Cube::EMPTY
}];

impl Schedule {
    /// Creates a schedule without packets. It uses the settings of the network, and the send rate.
    pub fn new(settings: &LaneSettings, link_inputs: &LinkInputs) -> Schedule {
        let format = Format::new(Rung::NotChanged, QuantisationBits::DEFAULT, STILL.len())
            .expect("one cube is a snapshot");
        let (tick_rate, send_rate_hz) = (settings.tick_rate(), settings.send_rate_hz());
        Schedule {
            tick_rate,
            send_rate_hz,
            header_bytes: settings.header_bytes(),
            network: Network::new(settings, link_inputs),
            acknowledger: Acknowledger::default(),
            sender: SnapshotSender::new(format, tick_rate, send_rate_hz, &STILL, DeadReckoning),
            acks: Vec::new(),
            packets: VecDeque::new(),
            buffer: Vec::new(),
            ack: Vec::new(),
            ledger: Ledger::new(),
        }
    }

    /// Runs the next tick, with packets that are sent whole. `cut` is true if the network is cut in that tick.
    pub fn advance(&mut self, tick: u64, cut: bool) {
        self.advance_with(tick, cut, |_| PacketSize::ANY);
    }

    /// Runs the next tick. `send` gets the sequences that were newly acknowledged, and returns the size of the packet to send,
    /// if one is due.
    pub fn advance_with(&mut self, tick: u64, cut: bool, send: impl FnOnce(&[u16]) -> PacketSize) {
        let now_ms = self.tick_rate.ms_of_tick(tick as f64);
        self.network.set_cut(cut);
        self.receive_acks(tick, now_ms);
        let size = send(&self.acks);
        if self.tick_rate.sends_at(tick, self.send_rate_hz) {
            self.send(tick, size);
        }
        while (self
            .network
            .receive(Direction::Forward, now_ms, &mut self.buffer))
        .is_some()
        {
            self.arrived();
        }
        if let Some(sequence) = self.acknowledger.due() {
            encode_ack(sequence, &mut self.ack, None);
            let at = self.network.departure(Direction::Back, tick);
            let size = PacketSize::whole(self.ack.len(), self.header_bytes);
            self.network.send(Direction::Back, at, &self.ack, size);
        }
    }

    /// Sequences of packets whose acknowledgements reached the sender in the newest tick, in order.
    pub fn acks(&self) -> &[u16] {
        &self.acks
    }

    /// Scheduled packets so far, oldest first.
    pub fn packets(&self) -> impl DoubleEndedIterator<Item = &ScheduledPacket> {
        self.packets.iter()
    }

    /// Drops the packets that were sent before `tick`.
    pub fn forget_before(&mut self, tick: u64) {
        let kept = self.packets.partition_point(|packet| packet.tick < tick);
        self.packets.drain(..kept);
    }

    fn receive_acks(&mut self, tick: u64, now_ms: f64) {
        self.acks.clear();
        while (self
            .network
            .receive(Direction::Back, now_ms, &mut self.buffer))
        .is_some()
        {
            let Ok(sequence) = decode_ack(&self.buffer) else {
                continue;
            };
            self.acks.push(sequence);
            self.sender.acked(sequence);
            let sent_tick = tick_of_sequence(sequence, tick as i64) as u64;
            let place = self
                .packets
                .binary_search_by_key(&sent_tick, |packet| packet.tick);
            if let Some(packet) = place.ok().and_then(|place| self.packets.get_mut(place)) {
                packet.acked_tick.get_or_insert(tick);
            }
        }
    }

    fn send(&mut self, tick: u64, size: PacketSize) {
        let (packet, ledger) = (&mut self.buffer, &mut self.ledger);
        let info = self
            .sender
            .send(tick, &STILL, packet, Some(ledger))
            .expect("ticks rise, and one cube that stays is a snapshot");
        // Of its bytes the network hands on only what the right side acknowledges.
        let sequence = info.sequence.to_le_bytes();
        let at = self.network.departure(Direction::Forward, tick);
        let sent = self.network.send(Direction::Forward, at, &sequence, size);
        self.packets.push_back(ScheduledPacket {
            number: at.number,
            tick,
            baseline_tick: info.baseline_tick,
            sent,
            acked_tick: None,
        });
    }

    fn arrived(&mut self) {
        if let Some(sequence) = self.buffer.first_chunk() {
            self.acknowledger.arrived(u16::from_le_bytes(*sequence));
        }
    }
}
