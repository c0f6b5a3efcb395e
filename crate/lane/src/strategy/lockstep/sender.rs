//! The sender of lockstep: inputs in, packets out. Each packet has all unacknowledged inputs.

use super::{MOST_INPUTS, MOST_QUEUED, SenderFigures, encode_inputs};
use crate::strategy::interface::Ticks;
use crate::strategy::{AckedPackets, PacketInfo, SenderError};
use snapshot_base::time::{WORLD, sequence_of_tick, tick_of_sequence};
use snapshot_codec::{CubeState, DecodeError, Ledger, decode_ack};
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockstepSenderConfig {
    /// Packets a second, 1 to 60.
    pub send_rate_hz: u32,
    /// True if the transport is a stream, which delivers everything in order and acknowledges by itself.
    pub is_stream: bool,
}

#[derive(Clone)]
pub struct LockstepSender {
    config: LockstepSenderConfig,
    ticks: Ticks,
    /// Unacknowledged inputs up to the input of `newest_frame`, oldest first. Over a stream, unsent inputs only.
    pub(super) queue: VecDeque<u8>,
    newest_frame: u64,
    /// Frames since the stream's last acknowledgement.
    unacked_frames: usize,
    figures: SenderFigures,
}

impl LockstepSender {
    pub fn new(config: LockstepSenderConfig) -> LockstepSender {
        LockstepSender {
            config,
            ticks: Ticks::default(),
            queue: VecDeque::new(),
            newest_frame: 0,
            unacked_frames: 0,
            figures: SenderFigures::default(),
        }
    }

    pub fn figures(&self) -> &SenderFigures {
        &self.figures
    }

    pub(super) fn queue(&mut self, tick: u64, input: u8) {
        let most_queued = self.queue.len().max(self.unacked_frames);
        self.figures.given_up |= most_queued == MOST_QUEUED;
        if self.figures.given_up {
            return;
        }
        self.queue.push_back(input);
        self.unacked_frames += usize::from(self.config.is_stream);
        self.newest_frame = tick;
        self.figures.window_full_ticks += u64::from(self.queue.len() > MOST_INPUTS);
    }

    /// Returns the content of a packet: its inputs, oldest first, and the sequence of its newest input.
    pub(super) fn window(&mut self) -> (u16, &[u8]) {
        let beyond = self.queue.len().saturating_sub(MOST_INPUTS);
        let newest = sequence_of_tick(self.newest_frame - beyond as u64);
        let inputs = &self.queue.make_contiguous()[..];
        (newest, &inputs[..inputs.len() - beyond])
    }

    /// Drops the inputs up to the acknowledged sequence. Returns the acknowledged frame, if it was still in the queue.
    pub(super) fn acked(&mut self, sequence: u16) -> Option<u64> {
        let newest = self.newest_frame as i64;
        let acked = tick_of_sequence(sequence, newest);
        let first = newest + 1 - self.queue.len() as i64;
        if !(first..=newest).contains(&acked) {
            return None;
        }
        self.queue.drain(..=(acked - first) as usize);
        Some(acked as u64)
    }
}

impl crate::strategy::Sender for LockstepSender {
    fn tick(
        &mut self,
        tick: u64,
        input: u8,
        _: &[CubeState],
        packet: &mut Vec<u8>,
        mut ledger: Option<&mut Ledger>,
    ) -> Result<Option<PacketInfo>, SenderError> {
        self.ticks.advance(tick, input, 0, 0)?;
        self.queue(tick, input);
        if !WORLD.sends_at(tick, self.config.send_rate_hz) || self.figures.given_up {
            return Ok(None);
        }
        if let Some(ledger) = &mut ledger {
            ledger.clear();
        }
        let (newest, inputs) = self.window();
        let sent = inputs.len();
        encode_inputs(newest, inputs, packet, ledger)?;
        self.figures.inputs_sent += sent as u64;
        self.figures.newest_packet_inputs = sent as u64;
        if self.config.is_stream {
            self.queue.drain(..sent);
        }
        Ok(Some(PacketInfo {
            sequence: newest,
            baseline_tick: None,
            changed_cubes: 0,
            items: sent,
        }))
    }

    fn ack(&mut self, ack: &[u8]) -> Result<AckedPackets, DecodeError> {
        if self.config.is_stream {
            self.unacked_frames = 0;
            return Ok(AckedPackets::none());
        }
        let sequence = decode_ack(ack)?;
        let acked = self.acked(sequence);
        Ok(acked.map_or(AckedPackets::none(), AckedPackets::up_to))
    }

    fn held_bytes(&self) -> usize {
        self.queue.capacity()
    }
}
