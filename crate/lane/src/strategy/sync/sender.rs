//! The sender of state synchronisation: it chooses the order and the number of cubes in a packet, and the inputs.

use super::budget::PacketBudget;
use super::codec::{INPUTS_MAX, SyncAck, SyncEncoder, SyncFormat, UPDATES_MAX, Update};
use crate::strategy::interface::Ticks;
use crate::strategy::{AckedPackets, PacketInfo, SenderError, fragments};
use snapshot_base::time::{TICKS_PER_S, WORLD, sequence_of_tick};
use snapshot_codec::{CubeState, DecodeError, GridState, Ledger};
use snapshot_settings::Adaptation;
use std::collections::VecDeque;

/// Increase of the player's priority each tick, as in the article "State Synchronization". The player always goes first.
/// The next two constants are the increases of an interacting cube and of any other cube.
const PLAYER_PRIORITY: u64 = 1_000_000;
const INTERACTING_PRIORITY: u64 = 100;
const REST_PRIORITY: u64 = 1;

/// Number of ticks, in addition to two send intervals, without an acknowledgement after which the receiver counts as diverged;
/// it is at least `SILENCE_SENDS` send intervals. So many losses in a row mean an outage. Then no cube at rest counts as known
/// to the receiver.
const SILENCE_TICKS: u64 = 15;
const SILENCE_SENDS: u64 = 8;
/// Ticks after a silence at which all cubes at rest are sent again: an uncorrected cube may have pushed a corrected one. For
/// twice as long, cubes at rest have higher priority, even if `rest_counts` is off.
const HEALING_TICKS: u64 = 90;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SyncSenderConfig {
    /// Packets a second, 1 to 60.
    pub send_rate_hz: u32,
    /// Upper limit of the bandwidth of packets with their headers, kbit/s.
    pub budget_kbps: f64,
    /// The measurement that the budget adapts to; it never exceeds `budget_kbps`.
    pub adaptation: Adaptation,
    /// True if a cube's priority grows until the cube is sent.
    pub accumulates: bool,
    /// True if a cube at rest has the priority of an interacting one until the receiver knows of its rest.
    pub rest_counts: bool,
    /// Size of the header that is counted for each packet or fragment, bytes.
    pub header_bytes: u32,
    /// Upper limit of the size of a packet or fragment, headers included, bytes; `None` sends packets whole.
    pub mtu_bytes: Option<u32>,
}

/// A cube in the order of the last packet's priorities.
#[derive(Clone, Copy, Debug)]
pub struct QueuedCube {
    pub index: usize,
    pub priority: u64,
    /// True if the packet has an update of the cube.
    pub is_sent: bool,
}

#[derive(Clone)]
pub struct SyncSender {
    encoder: SyncEncoder,
    format: SyncFormat,
    config: SyncSenderConfig,
    priority: Vec<u64>,
    /// For each cube, true if it rests and the receiver certainly has its resting state.
    rest_known: Vec<bool>,
    /// Cubes sorted by falling priority.
    order: Vec<usize>,
    /// For each cube, the state that was quantised last and its integers: most cubes have not moved since.
    quantised: Vec<Option<(CubeState, GridState)>>,
    /// Cubes in the last packet, by index, with the priority that each had when it was sent.
    sent_by: Vec<(usize, u64)>,
    /// Inputs of the last ticks, the newest first.
    inputs: VecDeque<u8>,
    newest_inputs: Vec<u8>,
    first_tick: Option<u64>,
    acked_tick: Option<u64>,
    /// The last tick in which the receiver had been silent for too long.
    silent_tick: Option<u64>,
    ticks: Ticks,
    budget: PacketBudget,
}

impl SyncSender {
    pub fn new(format: SyncFormat, config: SyncSenderConfig) -> SyncSender {
        let cubes = format.grid.cube_count();
        SyncSender {
            encoder: SyncEncoder::new(format),
            format,
            config,
            priority: vec![0; cubes],
            rest_known: vec![false; cubes],
            order: (0..cubes).collect(),
            quantised: vec![None; cubes],
            sent_by: Vec::with_capacity(UPDATES_MAX),
            inputs: VecDeque::with_capacity(INPUTS_MAX + 1),
            newest_inputs: Vec::with_capacity(INPUTS_MAX),
            first_tick: None,
            acked_tick: None,
            silent_tick: None,
            ticks: Ticks::default(),
            budget: PacketBudget::new(config.adaptation, config.budget_kbps, config.send_rate_hz),
        }
    }

    /// Returns the updates of a sent packet; `None` if it is forgotten.
    pub fn sent(&self, sequence: u32) -> Option<&[Update]> {
        self.encoder.sent(sequence)
    }

    pub fn priorities(&self) -> &[u64] {
        &self.priority
    }

    /// Iterates over the cubes in the last packet's order of priority.
    pub fn queue(&self) -> impl Iterator<Item = QueuedCube> {
        self.order.iter().map(|&index| {
            let sent = self.sent_by.iter().find(|(sent, _)| *sent == index);
            let priority = sent.map_or(self.priority[index], |(_, priority)| *priority);
            QueuedCube {
                index,
                priority,
                is_sent: sent.is_some(),
            }
        })
    }

    /// The current budget, kbit/s.
    pub fn budget_kbps(&self) -> f64 {
        self.budget.kbps()
    }

    fn add_priorities(&mut self, states: &[CubeState]) {
        let interval_ticks = u64::from(TICKS_PER_S / self.config.send_rate_hz);
        let silence_ticks =
            (SILENCE_TICKS + 2 * interval_ticks).max(SILENCE_SENDS * interval_ticks);
        let silence = self
            .acked_tick
            .or(self.first_tick)
            .is_some_and(|last_tick| self.ticks.now() - last_tick > silence_ticks);
        if silence {
            self.silent_tick = Some(self.ticks.now());
        }
        let after_silence_ticks = self.silent_tick.map(|silent| self.ticks.now() - silent);
        let forgets = after_silence_ticks.is_some_and(|ticks| ticks == 0 || ticks == HEALING_TICKS);
        let heals = after_silence_ticks.is_some_and(|ticks| ticks < 2 * HEALING_TICKS);
        let rest_counts = self.config.rest_counts || heals;
        let accumulates = self.config.accumulates;
        for (index, cube) in states.iter().enumerate() {
            self.rest_known[index] &= cube.at_rest && !forgets;
            let rest_counts = rest_counts && cube.at_rest && !self.rest_known[index];
            let priority = match index {
                0 => PLAYER_PRIORITY,
                _ if cube.interacting || rest_counts => INTERACTING_PRIORITY,
                _ => REST_PRIORITY,
            };
            let before = if accumulates { self.priority[index] } else { 0 };
            self.priority[index] = before + priority;
        }
    }

    fn send(
        &mut self,
        states: &[CubeState],
        packet: &mut Vec<u8>,
        mut ledger: Option<&mut Ledger>,
    ) -> Result<usize, SenderError> {
        let priority = &self.priority;
        self.order
            .sort_unstable_by_key(|&index| (std::cmp::Reverse(priority[index]), index));
        self.choose_inputs();
        let bits_max = packet_bits_max(self.budget_kbps(), &self.config);
        let (format, quantised) = (&self.format, &mut self.quantised);
        let candidates = self.order.iter().map(|&index| {
            let state = &states[index];
            let known = quantised[index].filter(|(known, _)| known.same_bits(state));
            let (_, body) = known.unwrap_or_else(|| (*state, format.grid.quantise(state)));
            quantised[index] = Some((*state, body));
            (index, body)
        });
        if let Some(ledger) = &mut ledger {
            ledger.clear();
        }
        let sent = self.encoder.encode(
            self.ticks.now() as u32,
            &self.newest_inputs,
            candidates,
            bits_max,
            packet,
            ledger,
        )?;
        self.sent_by.clear();
        for update in &sent.updates {
            let priority = std::mem::take(&mut self.priority[update.index]);
            self.sent_by.push((update.index, priority));
        }
        self.budget
            .sent(self.ticks.now(), 8 * packet.len() as u64, bits_max);
        Ok(sent.updates.len())
    }

    /// Chooses the inputs that the receiver may lack: all since the newest packet that is known to have arrived.
    fn choose_inputs(&mut self) {
        let lacking = self.encoder.newest_acked().map_or(INPUTS_MAX, |acked| {
            (self.ticks.now() as u32).wrapping_sub(acked) as usize
        });
        self.newest_inputs.clear();
        self.newest_inputs
            .extend(self.inputs.iter().take(lacking.clamp(1, INPUTS_MAX)));
    }
}

impl crate::strategy::Sender for SyncSender {
    fn tick(
        &mut self,
        tick: u64,
        input: u8,
        states: &[CubeState],
        packet: &mut Vec<u8>,
        ledger: Option<&mut Ledger>,
    ) -> Result<Option<PacketInfo>, SenderError> {
        let expected = self.format.grid.cube_count();
        self.ticks.advance(tick, input, states.len(), expected)?;
        self.first_tick.get_or_insert(tick);
        self.inputs.push_front(input);
        self.inputs.truncate(INPUTS_MAX);
        self.add_priorities(states);
        let encoder = &self.encoder;
        self.budget
            .tick(tick, |packet| encoder.has_arrived(packet as u32));
        if !WORLD.sends_at(tick, self.config.send_rate_hz) {
            return Ok(None);
        }
        let updates = self.send(states, packet, ledger)?;
        Ok(Some(PacketInfo {
            sequence: sequence_of_tick(tick),
            // Each update has one of its own.
            baseline_tick: None,
            changed_cubes: updates,
            items: updates,
        }))
    }

    fn ack(&mut self, ack: &[u8]) -> Result<AckedPackets, DecodeError> {
        let ack = SyncAck::from_bytes(ack)?;
        self.acked_tick = Some(self.ticks.now());
        let rest_known = &mut self.rest_known;
        self.encoder.ack(ack, |_, updates| {
            for update in updates {
                rest_known[update.index] |= update.body.at_rest;
            }
        });
        let ahead = ack.newest.wrapping_sub(self.ticks.now() as u32) as i32;
        let newest = self.ticks.now().saturating_add_signed(i64::from(ahead));
        self.budget.acked(self.ticks.now(), newest);
        Ok(AckedPackets::each(newest, ack.earlier))
    }

    fn held_bytes(&self) -> usize {
        let quantised_bytes =
            self.quantised.capacity() * size_of::<Option<(CubeState, GridState)>>();
        self.encoder.held_bytes() + self.priority.capacity() * size_of::<u64>() + quantised_bytes
    }
}

/// Upper limit of a packet's payload, bits, that keeps a second of packets with headers within the budget.
fn packet_bits_max(budget_kbps: f64, config: &SyncSenderConfig) -> u64 {
    let bytes = (budget_kbps * 1000.0 / f64::from(config.send_rate_hz) / 8.0) as u32;
    let pieces = fragments(bytes as usize, config.mtu_bytes, config.header_bytes);
    let headers = pieces * config.header_bytes;
    u64::from(bytes.saturating_sub(headers)) * 8
}
