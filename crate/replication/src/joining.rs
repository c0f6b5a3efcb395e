//! Reassembly of bytes that arrive in pieces: a joining snapshot in chunks, and packets that were split over datagrams.

use crate::payload::Part;
use std::cmp::Ordering;

/// A snapshot's bytes that arrive in pieces, with the snapshot's tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces {
    pub(crate) tick: u64,
    pieces: Vec<Option<Box<[u8]>>>,
}

impl Pieces {
    pub(crate) fn new(tick: u64, count: u16) -> Self {
        Self {
            tick,
            pieces: vec![None; count.into()],
        }
    }

    /// Adds a piece; returns all bytes once every piece has arrived. A known piece, or one with another count, is ignored.
    pub(crate) fn insert(&mut self, index: u16, count: u16, bytes: &[u8]) -> Option<Vec<u8>> {
        if usize::from(count) != self.pieces.len() {
            return None;
        }
        self.pieces[usize::from(index)].get_or_insert_with(|| bytes.into());
        if self.pieces.iter().any(Option::is_none) {
            return None;
        }
        let pieces: Vec<&[u8]> = self
            .pieces
            .iter()
            .flatten()
            .map(|piece| &piece[..])
            .collect();
        Some(pieces.concat())
    }

    /// Adds a part of a split packet; returns the packet once it is complete. A newer packet replaces an incomplete one.
    pub(crate) fn insert_part(
        &mut self,
        tick: u64,
        part: u8,
        last_part: u8,
        bytes: &[u8],
    ) -> Option<Vec<u8>> {
        let count = u16::from(last_part) + 1;
        match tick.cmp(&self.tick) {
            Ordering::Less => return None,
            Ordering::Equal => {}
            Ordering::Greater => *self = Self::new(tick, count),
        }
        let whole = self.insert(part.into(), count, bytes)?;
        self.pieces.clear();
        Some(whole)
    }

    /// Returns the acknowledgement of the pieces that have arrived.
    pub(crate) fn ack(&self) -> Part<'static> {
        let missing = self.pieces.iter().position(Option::is_none);
        let missing = missing.unwrap_or(self.pieces.len());
        let after = self.pieces.iter().skip(missing + 1).take(32).enumerate();
        Part::ChunkAck {
            tick: self.tick as u32,
            missing: missing as u16,
            after: after.fold(0, |bits, (bit, piece)| {
                bits | u32::from(piece.is_some()) << bit
            }),
        }
    }
}
