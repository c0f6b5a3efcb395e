//! Messages: small, reliable and in order, or sent once.
//!
//! An end takes up to [`MESSAGE_QUEUE_BYTES`] of messages that wait, and refuses more. With a budget it takes only as many
//! messages to be sent once as leave soon: a later one is of no use. Where both kinds wait, each has half of the messages'
//! share.
//!
//! A reliable message is cut into pieces that fit the smallest datagram that settings allow. So no message waits for a path
//! whose datagrams have become smaller.

use crate::connection::SEAL_BYTES;
use crate::figures::Arrivals;
use crate::payload::{MESSAGE_BYTES_MAX, NUMBER_BYTES, Part};
use crate::payload_error::PayloadError;
use crate::settings::MTU_MIN;
use snapshot_base::queue::TakeFront;
use std::collections::VecDeque;

/// Upper limit of a queue of messages of an end, bytes: of those to be sent, and of those that the game has not read. A message
/// takes its own bytes and [`MESSAGE_COST_BYTES`]. 64 messages of 1,000 bytes fit.
pub const MESSAGE_QUEUE_BYTES: usize = 64 * (1000 + MESSAGE_COST_BYTES);
/// Bytes that each message takes in a queue besides its own, so that empty ones fill a queue, too.
pub const MESSAGE_COST_BYTES: usize = 24;
/// Upper limit of the number of pieces in flight: sent, and not acknowledged yet.
const WINDOW: u16 = 32;
/// Number of bytes that a datagram needs for a message besides its content.
const HEAD_BYTES: usize = 5;
/// Length of an acknowledgement, bytes.
const ACK_BYTES: usize = 7;
/// Upper limit of the length of a piece, bytes: the smallest datagram has room for it, and for an acknowledgement.
const PIECE_BYTES_MAX: usize = MTU_MIN - SEAL_BYTES - NUMBER_BYTES - HEAD_BYTES - ACK_BYTES;
/// Upper limit of how many times the time to the next repetition doubles.
const DOUBLINGS: u32 = 4;

/// A piece of a message on its way to the other end.
#[derive(Clone, Debug)]
struct OutgoingPiece {
    bytes: Box<[u8]>,
    is_first: bool,
    is_last: bool,
    sends: u32,
    sent_ms: f64,
    /// Size of the datagram with which the piece was sent last, bytes; 0 until the datagram is complete.
    datagram_bytes: usize,
    has_arrived: bool,
}

impl OutgoingPiece {
    fn is_due(&self, now_ms: f64, rto_ms: f64) -> bool {
        let wait_ms = rto_ms * f64::from(1 << self.sends.saturating_sub(1).min(DOUBLINGS));
        !self.has_arrived && (self.sends == 0 || now_ms - self.sent_ms >= wait_ms)
    }

    /// Bytes that the piece takes in the queue.
    fn queued_bytes(&self) -> usize {
        self.bytes.len() + if self.is_last { MESSAGE_COST_BYTES } else { 0 }
    }
}

/// A piece that arrived before one that precedes it.
#[derive(Clone, Debug)]
struct EarlyPiece {
    bytes: Box<[u8]>,
    is_last: bool,
}

/// The messages of a connection at one end, outgoing and received.
#[derive(Clone, Debug, Default)]
pub(crate) struct Messages {
    /// Pieces of reliable messages that may not have arrived, oldest first. `first` is the number of the first of them.
    outgoing: VecDeque<OutgoingPiece>,
    outgoing_bytes: usize,
    first: u16,
    /// Messages to be sent once only.
    unreliable: VecDeque<Box<[u8]>>,
    unreliable_bytes: usize,
    /// Bytes by which the sent-once messages have had more of the budget than the others, while both were due.
    unreliable_ahead: isize,
    /// Numbers of messages, and of messages to be sent once, that were refused because the queue was full.
    refused: [u64; 2],
    /// Number of the first message in `unreliable`.
    unreliable_first: u16,
    /// Record of the other end's sent-once messages that arrived, to ignore a second copy.
    unreliable_arrivals: Arrivals,
    /// Received messages that the game has not read yet.
    received: VecDeque<Vec<u8>>,
    received_bytes: usize,
    /// The received pieces of a message whose last piece has not arrived.
    begun: Vec<u8>,
    /// Number of the next expected piece. `early` has pieces that arrived too early, from the number after `next` on.
    next: u16,
    early: VecDeque<Option<EarlyPiece>>,
    is_ack_due: bool,
}

impl Messages {
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), PayloadError> {
        if bytes.len() > MESSAGE_BYTES_MAX {
            return Err(PayloadError::MessageTooLong(bytes.len()));
        }
        let bytes_after = self.outgoing_bytes + bytes.len() + MESSAGE_COST_BYTES;
        if bytes_after > MESSAGE_QUEUE_BYTES {
            self.refused[0] += 1;
            return Err(PayloadError::Full);
        }
        self.outgoing_bytes = bytes_after;
        let count = bytes.len().div_ceil(PIECE_BYTES_MAX).max(1);
        for piece in 0..count {
            let end = bytes.len().min((piece + 1) * PIECE_BYTES_MAX);
            self.outgoing.push_back(OutgoingPiece {
                bytes: bytes[piece * PIECE_BYTES_MAX..end].into(),
                is_first: piece == 0,
                is_last: piece + 1 == count,
                sends: 0,
                sent_ms: 0.0,
                datagram_bytes: 0,
                has_arrived: false,
            });
        }
        Ok(())
    }

    /// Queues a message of the game that is sent once only. `room` is the number of bytes that a datagram has for parts.
    /// `queue_bytes` bounds the messages that wait, so that none is sent late; one may always wait.
    pub(crate) fn say(
        &mut self,
        bytes: &[u8],
        room: usize,
        queue_bytes: usize,
    ) -> Result<(), PayloadError> {
        if bytes.len() > MESSAGE_BYTES_MAX || bytes.len() + HEAD_BYTES + ACK_BYTES > room {
            return Err(PayloadError::MessageTooLong(bytes.len()));
        }
        let bytes_after = self.unreliable_bytes + bytes.len() + MESSAGE_COST_BYTES;
        let is_full = bytes_after > queue_bytes.min(MESSAGE_QUEUE_BYTES);
        if is_full && !self.unreliable.is_empty() {
            self.refused[1] += 1;
            return Err(PayloadError::Full);
        }
        self.unreliable_bytes = bytes_after;
        self.unreliable.push_back(bytes.into());
        Ok(())
    }

    /// Numbers of messages, and of messages to be sent once, that were refused because the queue was full.
    pub(crate) fn refused(&self) -> [u64; 2] {
        self.refused
    }

    /// Length of the next part that is due, bytes; `None` if none is.
    pub(crate) fn due_bytes(&self, now_ms: f64, rto_ms: f64) -> Option<usize> {
        let piece = self.in_window().find(|piece| piece.is_due(now_ms, rto_ms));
        let piece = piece.map(|piece| piece.bytes.len());
        let unreliable = self.unreliable.front().map(|bytes| bytes.len());
        let is_unreliable_next = piece.is_none() || self.unreliable_ahead < 0;
        let next = unreliable.filter(|_| is_unreliable_next).or(piece);
        next.map(|bytes| bytes + HEAD_BYTES)
    }

    fn in_window(&self) -> impl Iterator<Item = &OutgoingPiece> {
        self.outgoing.iter().take(usize::from(WINDOW))
    }

    /// Drops the messages to be sent once that do not fit `room`, the bytes that a datagram has for parts; returns their
    /// number.
    pub(crate) fn drop_larger(&mut self, room: usize) -> u64 {
        let is_larger = |bytes: &[u8]| bytes.len() + HEAD_BYTES + ACK_BYTES > room;
        let mut dropped = 0;
        // `retain` would take 3 kB of the packages.
        while let Some(at) = self.unreliable.iter().position(|it| is_larger(it)) {
            if let Some(bytes) = self.unreliable.remove(at) {
                self.unreliable_bytes -= bytes.len() + MESSAGE_COST_BYTES;
            }
            dropped += 1;
        }
        dropped
    }

    /// Appends messages and acknowledgements that are due, in at most `room` bytes.
    pub(crate) fn write(&mut self, now_ms: f64, rto_ms: f64, room: usize, payload: &mut Vec<u8>) {
        let end = payload.len() + room;
        if self.is_ack_due && payload.len() + ACK_BYTES <= end {
            self.is_ack_due = false;
            let after = self.early.iter().take(32).enumerate();
            let after = after.fold(0, |bits, (at, it)| bits | u32::from(it.is_some()) << at);
            let next = self.next;
            Part::MessageAck { next, after }.write(payload);
        }
        // Where both kinds are due, they take turns by their bytes.
        let mut at = 0;
        loop {
            let due = self.in_window().skip(at);
            let next = due
                .enumerate()
                .find(|(_, piece)| piece.is_due(now_ms, rto_ms));
            let next = next.map(|(more, _)| at + more);
            let fits = |bytes: &[u8]| payload.len() + HEAD_BYTES + bytes.len() <= end;
            let unreliable = self.unreliable.front().filter(|bytes| fits(bytes));
            let is_turn = next.is_none() || self.unreliable_ahead < 0;
            if let Some(bytes) = unreliable.filter(|_| is_turn) {
                let number = self.unreliable_first;
                Part::Say { number, bytes }.write(payload);
                self.unreliable_ahead = match next {
                    Some(_) => self.unreliable_ahead + bytes.len() as isize,
                    None => 0,
                };
                self.unreliable_first = number.wrapping_add(1);
                self.unreliable_bytes -= bytes.len() + MESSAGE_COST_BYTES;
                self.unreliable.pop_front();
                continue;
            }
            // A longer one whose turn it is waits for room, and lets no other pass.
            if is_turn && !self.unreliable.is_empty() {
                return;
            }
            let Some(index) = next.filter(|&index| fits(&self.outgoing[index].bytes)) else {
                return;
            };
            let is_alone = self.unreliable.is_empty();
            let piece = &mut self.outgoing[index];
            piece.sends += 1;
            piece.sent_ms = now_ms;
            piece.datagram_bytes = 0;
            let part = Part::Message {
                number: self.first.wrapping_add(index as u16),
                is_last: piece.is_last,
                bytes: &piece.bytes,
            };
            part.write(payload);
            self.unreliable_ahead = match is_alone {
                true => 0,
                false => self.unreliable_ahead - piece.bytes.len() as isize,
            };
            at = index + 1;
        }
    }

    /// Notes the size of the datagram with the written messages, bytes. Returns true if it has pieces, which are acknowledged.
    pub(crate) fn on_sent(&mut self, bytes: usize) -> bool {
        let window = self.outgoing.iter_mut().take(usize::from(WINDOW));
        let written = window.filter(|piece| piece.sends > 0 && piece.datagram_bytes == 0);
        let written = written.map(|piece| piece.datagram_bytes = bytes);
        written.count() > 0
    }

    /// Processes a part from the other end: a message or an acknowledgement. Returns the size of the largest datagram that the
    /// acknowledgement proved to have arrived, bytes.
    pub(crate) fn on_part(&mut self, part: Part) -> Option<usize> {
        match part {
            Part::Message {
                number,
                is_last,
                bytes,
            } => self.on_message(number, is_last, bytes),
            Part::MessageAck { next, after } => return self.on_ack(next, after),
            Part::Say { number, bytes } => self.on_unreliable(number, bytes),
            Part::Packet { .. } | Part::Partial { .. } | Part::Chunk { .. } => {}
            Part::SnapshotAck { .. } | Part::ChunkAck { .. } | Part::DatagramAck { .. } => {}
            Part::Inputs(_) | Part::Probe { .. } | Part::ProbeAck { .. } => {}
        }
        None
    }

    /// Processes the other end's acknowledgement.
    fn on_ack(&mut self, next: u16, after: u32) -> Option<usize> {
        let arrived = next.wrapping_sub(self.first);
        if arrived > WINDOW || usize::from(arrived) > self.outgoing.len() {
            return None;
        }
        let mut proven = None;
        let mut prove = |piece: &OutgoingPiece| {
            // Of a piece that was sent again it is not known which datagram arrived.
            if piece.sends == 1 && !piece.has_arrived {
                proven = proven.max(Some(piece.datagram_bytes));
            }
        };
        for piece in self.outgoing.drain(..usize::from(arrived)) {
            self.outgoing_bytes -= piece.queued_bytes();
            prove(&piece);
        }
        self.first = next;
        for (at, piece) in self.outgoing.iter_mut().skip(1).take(32).enumerate() {
            if after >> at & 1 == 1 {
                prove(piece);
                piece.has_arrived = true;
            }
        }
        proven
    }

    /// Processes a piece of the other end. Without room for a message it is not acknowledged, so it is sent again.
    fn on_message(&mut self, number: u16, is_last: bool, bytes: &[u8]) {
        self.is_ack_due = true;
        let ahead = number.wrapping_sub(self.next);
        if ahead >= WINDOW || self.received_bytes >= MESSAGE_QUEUE_BYTES {
            return;
        }
        let Some(at) = usize::from(ahead).checked_sub(1) else {
            self.on_next_piece(is_last, bytes);
            while let Some(early) = self.early.pop_front() {
                let Some(piece) = early else {
                    break;
                };
                self.on_next_piece(piece.is_last, &piece.bytes);
            }
            return;
        };
        while self.early.len() <= at {
            self.early.push_back(None);
        }
        self.early[at].get_or_insert_with(|| EarlyPiece {
            bytes: bytes.into(),
            is_last,
        });
    }

    /// Adds the next expected piece to its message. Drops a message that becomes too long, as no end of this crate sends one.
    fn on_next_piece(&mut self, is_last: bool, bytes: &[u8]) {
        self.next = self.next.wrapping_add(1);
        self.begun.extend_from_slice(bytes);
        if self.begun.len() > MESSAGE_BYTES_MAX {
            self.begun.clear();
        } else if is_last {
            let message = std::mem::take(&mut self.begun);
            self.on_whole(message);
        }
    }

    fn on_whole(&mut self, message: Vec<u8>) {
        self.received_bytes += message.len() + MESSAGE_COST_BYTES;
        self.received.push_back(message);
    }

    /// Takes a message that the other end sent once only. Without room in the queue it is lost.
    fn on_unreliable(&mut self, number: u16, bytes: &[u8]) {
        let is_new = self
            .unreliable_arrivals
            .on_arrival(self.unreliable_arrivals.number_of(number));
        if is_new && self.received_bytes < MESSAGE_QUEUE_BYTES {
            self.on_whole(bytes.to_vec());
        }
    }

    /// Returns the next message for the game; `None` if there is none.
    pub(crate) fn next(&mut self) -> Option<Vec<u8>> {
        let message = self.received.pop_front()?;
        self.received_bytes -= message.len() + MESSAGE_COST_BYTES;
        Some(message)
    }

    /// Begins a new connection. Messages that were sent are not sent again, as they may have arrived. Messages that the game
    /// has not read stay.
    pub(crate) fn begin_anew(&mut self) {
        // Of a message that was begun no piece is sent.
        let is_begun = |piece: &mut OutgoingPiece| piece.sends > 0 || !piece.is_first;
        while let Some(piece) = self.outgoing.take_front_if(is_begun) {
            self.outgoing_bytes -= piece.queued_bytes();
        }
        self.begun.clear();
        (self.first, self.next, self.unreliable_first) = (0, 0, 0);
        self.unreliable_arrivals = Arrivals::default();
        self.early.clear();
        self.unreliable.clear();
        (self.unreliable_bytes, self.unreliable_ahead) = (0, 0);
        self.is_ack_due = false;
    }
}
