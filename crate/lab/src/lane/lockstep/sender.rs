//! The left side of lockstep: inputs in, packets out, each with all inputs that are not acknowledged.

use super::{MOST_QUEUED, SenderFigures};
use crate::lane::Frame;
use crate::lane::wire::{Contents, Heard};
use crate::settings::{LaneSettings, Transport};
use snapshot_base::time::{sends_at, sequence_of_tick, tick_of_sequence};
use snapshot_codec::lockstep::{MOST_INPUTS, encode_inputs};
use snapshot_codec::{DecodeError, Ledger, decode_ack};
use snapshot_physics::input::Input;
use std::collections::VecDeque;

/// The sender of inputs.
#[derive(Clone)]
pub(crate) struct Sender {
    is_stream: bool,
    /// Inputs that the right side may not have, oldest first; the last is `newest_frame`'s. Over a stream only those that have
    /// not been sent.
    queue: VecDeque<u8>,
    newest_frame: u64,
    /// Frames since the stream acknowledged anything.
    unheard_frames: usize,
    figures: SenderFigures,
}

impl Sender {
    /// A sender that has sent nothing yet.
    pub(super) fn new(settings: &LaneSettings) -> Sender {
        Sender {
            is_stream: settings.transport() == Transport::Tcp,
            queue: VecDeque::new(),
            newest_frame: 0,
            unheard_frames: 0,
            figures: SenderFigures::default(),
        }
    }

    /// What it did since it began.
    pub(crate) fn figures(&self) -> &SenderFigures {
        &self.figures
    }

    /// Memory that what it remembers takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.queue.capacity()
    }

    /// Takes an acknowledgement, and says of which packets it is. Those of a stream are bare: it sees to them itself.
    ///
    /// # Errors
    /// When it is none; nothing changes then.
    pub(crate) fn ack(&mut self, ack: &[u8]) -> Result<Heard, DecodeError> {
        if self.is_stream {
            self.unheard_frames = 0;
            return Ok(Heard::nothing());
        }
        let sequence = decode_ack(ack)?;
        let acked = self.acked(sequence);
        Ok(acked.map_or(Heard::nothing(), Heard::up_to))
    }

    /// One tick: replaces `packet` and `ledger` by what leaves, if a packet is due.
    pub(crate) fn tick(
        &mut self,
        frame: &Frame<'_>,
        settings: &LaneSettings,
        packet: &mut Vec<u8>,
        ledger: &mut Ledger,
    ) -> Option<Contents> {
        self.queue(frame.tick, frame.input);
        if !sends_at(frame.tick, settings.send_rate_hz()) || self.figures.given_up {
            return None;
        }
        ledger.clear();
        let (newest, inputs) = self.window();
        let sent = inputs.len();
        encode_inputs(newest, inputs, packet, ledger)
            .expect("this tick's input is unacknowledged, and a window bears what a packet does");
        self.figures.inputs_sent += sent as u64;
        self.figures.newest_packet_inputs = sent as u64;
        if self.is_stream {
            self.queue.drain(..sent);
        }
        Some(Contents {
            sequence: newest,
            baseline_tick: None,
            changed_cubes: 0,
            cargo: sent,
        })
    }

    pub(super) fn queue(&mut self, tick: u64, input: Input) {
        let most_queued = self.queue.len().max(self.unheard_frames);
        self.figures.given_up |= most_queued == MOST_QUEUED;
        if self.figures.given_up {
            return;
        }
        self.queue.push_back(input.bits());
        self.unheard_frames += usize::from(self.is_stream);
        self.newest_frame = tick;
        self.figures.window_full_ticks += u64::from(self.queue.len() > MOST_INPUTS);
    }

    /// What a packet sends: the sequence of its newest input, and its inputs, oldest first.
    pub(super) fn window(&mut self) -> (u16, &[u8]) {
        let beyond = self.queue.len().saturating_sub(MOST_INPUTS);
        let newest = sequence_of_tick(self.newest_frame - beyond as u64);
        let inputs = &self.queue.make_contiguous()[..];
        (newest, &inputs[..inputs.len() - beyond])
    }

    /// The right side has all inputs up to that one: gives its frame, if it is one that was waited for.
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

    #[cfg(test)]
    pub(super) fn queued(&self) -> usize {
        self.queue.len()
    }
}
