//! Bytes that arrive in pieces: the snapshot with which a client joins, and packets that were split.

use crate::payload::Part;
use std::cmp::Ordering;

/// The bytes of a tick, as far as they have arrived.
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

    /// Takes a piece, and gives all bytes once every piece is there. One of another count, or with other bytes than before, is
    /// left.
    pub(crate) fn take(&mut self, index: u16, count: u16, bytes: &[u8]) -> Option<Vec<u8>> {
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

    /// Takes a part of a packet that was split, and gives the packet once it is whole. A newer packet takes the place of one that
    /// is not.
    pub(crate) fn take_part(
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
        let whole = self.take(part.into(), count, bytes)?;
        self.pieces.clear();
        Some(whole)
    }

    /// The acknowledgement of the pieces that are there.
    pub(crate) fn ack(&self) -> Part<'static> {
        let missing = self.pieces.iter().position(Option::is_none);
        let missing = missing.unwrap_or(self.pieces.len());
        let after = self.pieces.iter().skip(missing + 1).take(32).enumerate();
        Part::HasChunks {
            tick: self.tick as u32,
            missing: missing as u16,
            after: after.fold(0, |bits, (bit, piece)| {
                bits | u32::from(piece.is_some()) << bit
            }),
        }
    }
}
