//! The encoder and the decoder of state synchronisation's packets.

use super::ack::SyncAck;
use super::body::Update;
use super::format::SyncFormat;
use super::packet::{
    Context, LeastBits, SyncPacket, bits_before_updates, read_packet, update_bits, write_packet,
};
use super::window::{ACKED_AGE_MAX, OFFSET_MAX, UpdateWindow, WINDOW_FRAMES};
use super::{INPUTS_MAX, UPDATES_MAX};
use crate::strategy::error::{DecodeError, SyncEncodeError};
use crate::strategy::lockstep::INPUT_BITS;
use snapshot_base::order;
use snapshot_codec::{DecodeError as CodecError, GridState, Ledger, SnapshotError};

/// The sender's end: fills packets up to a budget, and tracks which of them have arrived.
#[derive(Clone, Debug)]
pub struct SyncEncoder {
    format: SyncFormat,
    sent: UpdateWindow,
    /// For each slot of the window, the sequence of the slot's packet if that packet is acknowledged.
    acked: Vec<Option<u32>>,
    newest_sent: Option<u32>,
    newest_acked: Option<u32>,
    /// For each cube, the sequence of the newest acknowledged packet that held the cube.
    baselines: Vec<Option<u32>>,
    least_bits: LeastBits,
    packet: SyncPacket,
}

impl SyncEncoder {
    pub fn new(format: SyncFormat) -> Self {
        Self {
            format,
            sent: UpdateWindow::new(),
            acked: vec![None; WINDOW_FRAMES],
            newest_sent: None,
            newest_acked: None,
            baselines: vec![None; format.grid.cube_count()],
            least_bits: LeastBits::new(&format),
            packet: SyncPacket::default(),
        }
    }

    /// Replaces `bytes` by the packet of a frame, of at most `bits_max` bits if header and inputs fit. The packet's bits are
    /// added to `ledger`. `inputs` are the frame's input and earlier ones, newest first. Candidates are tried in their order;
    /// a cube that does not fit is skipped. The player is taken first or not at all.
    ///
    /// # Errors
    /// When a cube does not fit the format, the sequence is not newer than the last, or the number of inputs is not
    /// allowed. No packet is written then.
    pub fn encode(
        &mut self,
        sequence: u32,
        inputs: &[u8],
        candidates: impl IntoIterator<Item = (usize, GridState)>,
        bits_max: u64,
        bytes: &mut Vec<u8>,
        ledger: Option<&mut Ledger>,
    ) -> Result<&SyncPacket, SyncEncodeError> {
        bytes.clear();
        self.check_frame(sequence, inputs)?;
        self.forget_old_ack(sequence);
        self.begin_packet(sequence, inputs);
        self.add_updates(candidates, bits_max)?;
        let packet = &mut self.packet;
        let rank = |update: &Update| self.format.rank(update.index);
        order::sort_by_key(&mut packet.updates, rank);
        if let Some(pair) = packet.updates.windows(2).find(|p| p[0].index == p[1].index) {
            return Err(SyncEncodeError::Twice {
                cube: pair[0].index,
            });
        }
        write_packet(&self.format, &self.sent, packet, bytes, ledger);
        self.sent.insert(sequence, &packet.updates);
        self.newest_sent = Some(sequence);
        Ok(packet)
    }

    /// Refuses a sequence that is not newer than the last, and inputs that no packet can have.
    fn check_frame(&self, sequence: u32, inputs: &[u8]) -> Result<(), SyncEncodeError> {
        let newest = self.newest_sent;
        if let Some(newest) = newest.filter(|&newest| !is_newer(sequence, newest)) {
            return Err(SyncEncodeError::SequenceNotNewer { sequence, newest });
        }
        if inputs.is_empty()
            || inputs.len() > INPUTS_MAX
            || inputs.iter().any(|input| input >> INPUT_BITS != 0)
        {
            return Err(SyncEncodeError::Inputs);
        }
        Ok(())
    }

    /// Begins the packet of a frame, without updates.
    fn begin_packet(&mut self, sequence: u32, inputs: &[u8]) {
        let packet = &mut self.packet;
        packet.sequence = sequence;
        packet.acked = self.newest_acked.filter(|_| self.format.compression.delta);
        packet.inputs.clear();
        packet.inputs.extend_from_slice(inputs);
        packet.updates.clear();
    }

    /// Adds the candidates that fit to the begun packet, in their order.
    fn add_updates(
        &mut self,
        candidates: impl IntoIterator<Item = (usize, GridState)>,
        bits_max: u64,
    ) -> Result<(), SyncEncodeError> {
        let packet = &mut self.packet;
        let acked = packet.acked.is_some();
        let least_bits = self.least_bits.any(acked);
        let mut left_bits = bits_max.saturating_sub(bits_before_updates(&self.format, packet));
        let mut context = Context {
            window: &self.sent,
            sequence: packet.sequence,
            acked: packet.acked,
            player: None,
        };
        for (index, body) in candidates {
            if packet.updates.len() == UPDATES_MAX || left_bits < least_bits {
                break;
            }
            let is_player = self.format.grid.player() == Some(index);
            if is_player && !packet.updates.is_empty() {
                continue;
            }
            check(&self.format, index, &body)?;
            let baseline = packet
                .acked
                .zip(self.baselines[index])
                .filter(|(acked, baseline)| acked.wrapping_sub(*baseline) <= OFFSET_MAX)
                .map(|(_, baseline)| baseline);
            // Once the packet is nearly full this saves working out what nearly every other cube would take.
            let least_bits = self
                .least_bits
                .for_cube(body.at_rest, acked, baseline.is_some());
            if least_bits > left_bits {
                continue;
            }
            let held = |&sequence: &u32| self.sent.update(&self.format, sequence, index).is_some();
            let mut update = Update {
                index,
                body,
                baseline: baseline.filter(held),
            };
            let bits = update_bits(&self.format, &context, &mut update);
            debug_assert!(bits >= least_bits);
            if bits <= left_bits {
                left_bits -= bits;
                packet.updates.push(update);
                if is_player {
                    context.player = Some(body);
                }
            }
        }
        Ok(())
    }

    /// Receives an acknowledgement. Calls `arrived` for each newly acknowledged packet that the sender still remembers.
    pub fn ack(&mut self, ack: SyncAck, mut arrived: impl FnMut(u32, &[Update])) {
        for sequence in ack.sequences() {
            let slot = &mut self.acked[sequence as usize % WINDOW_FRAMES];
            let Some(updates) = self.sent.get(sequence).filter(|_| *slot != Some(sequence)) else {
                continue;
            };
            *slot = Some(sequence);
            for update in updates {
                let baseline = &mut self.baselines[update.index];
                if baseline.is_none_or(|baseline| is_newer(sequence, baseline)) {
                    *baseline = Some(sequence);
                }
            }
            if self
                .newest_acked
                .is_none_or(|newest| is_newer(sequence, newest))
            {
                self.newest_acked = Some(sequence);
            }
            arrived(sequence, updates);
        }
    }

    /// Returns true if the packet with this sequence is acknowledged and still remembered.
    pub fn has_arrived(&self, sequence: u32) -> bool {
        self.acked[sequence as usize % WINDOW_FRAMES] == Some(sequence)
    }

    /// Sequence of the newest acknowledged packet; `None` before the first.
    pub fn newest_acked(&self) -> Option<u32> {
        self.newest_acked
    }

    pub fn held_bytes(&self) -> usize {
        self.sent.held_bytes()
    }

    /// Returns the updates of a sent packet; `None` if it is forgotten.
    pub fn sent(&self, sequence: u32) -> Option<&[Update]> {
        self.sent.get(sequence)
    }

    /// Forgets the newest acknowledged packet if it is too old. Half a sequence range later its sequence would pass for a
    /// newer one.
    fn forget_old_ack(&mut self, sequence: u32) {
        let is_recent = |acked: &u32| sequence.wrapping_sub(*acked) <= ACKED_AGE_MAX;
        if self.newest_acked.is_some_and(|acked| !is_recent(&acked)) {
            self.newest_acked = None;
            self.baselines.fill(None);
        }
    }
}

/// The receiver's end: stores accepted packets as baselines of later packets.
#[derive(Clone, Debug)]
pub struct SyncDecoder {
    format: SyncFormat,
    received: UpdateWindow,
    ack: Option<SyncAck>,
}

impl SyncDecoder {
    pub fn new(format: SyncFormat) -> Self {
        Self {
            format,
            received: UpdateWindow::new(),
            ack: None,
        }
    }

    /// Reads a packet into `packet`. The decoder itself changes only in [`Self::accept`].
    ///
    /// # Errors
    /// When the bytes are not a packet of the format, or newer than `horizon`, the newest possible sequence by the
    /// receiver's clock. The content of `packet` is undefined then.
    pub fn decode(
        &self,
        bytes: &[u8],
        horizon: u32,
        packet: &mut SyncPacket,
    ) -> Result<(), DecodeError> {
        read_packet(&self.format, &self.received, bytes, packet)?;
        let sequence = packet.sequence;
        if is_newer(sequence, horizon) {
            return Err(CodecError::TooFarAhead { sequence, horizon }.into());
        }
        Ok(())
    }

    /// Encodes the content of a packet again, for the fuzz target and golden packets; returns the bytes.
    #[doc(hidden)]
    pub fn encode_again(&self, packet: &mut SyncPacket) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_packet(&self.format, &self.received, packet, &mut bytes, None);
        bytes
    }

    /// Accepts a packet: stores it as a baseline, and adds it to the acknowledgement.
    pub fn accept(&mut self, packet: &SyncPacket) {
        let sequence = packet.sequence;
        let behind = self
            .ack
            .map_or(0, |ack| ack.newest.wrapping_sub(sequence) as i32);
        if behind < WINDOW_FRAMES as i32 {
            self.received.insert(sequence, &packet.updates);
            self.ack = Some(self.ack.map_or(
                SyncAck {
                    newest: sequence,
                    earlier: 0,
                },
                |ack| ack.with(sequence),
            ));
        }
    }

    /// Returns true if the packet with this sequence has been accepted and is still remembered.
    pub fn holds(&self, sequence: u32) -> bool {
        self.received.get(sequence).is_some()
    }

    /// Returns the acknowledgement to send back; `None` before the first packet.
    pub fn ack(&self) -> Option<SyncAck> {
        self.ack
    }
}

fn check(format: &SyncFormat, cube: usize, body: &GridState) -> Result<(), SyncEncodeError> {
    if cube >= format.grid.cube_count() {
        return Err(SyncEncodeError::Index {
            index: cube,
            cube_count: format.grid.cube_count(),
        });
    }
    match format.grid.misfit(body) {
        Some(field) => Err(SnapshotError::OutOfRange { cube, field }.into()),
        None => Ok(()),
    }
}

/// Returns true if `a` comes after `b`, by the shorter way round.
fn is_newer(a: u32, b: u32) -> bool {
    (a.wrapping_sub(b) as i32) > 0
}
