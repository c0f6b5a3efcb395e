//! Bytes that arrive in pieces: the snapshot with which a client joins, and packets that were split.

use crate::payload::Part;

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

/// The newest packet that was split, as far as it has arrived.
#[derive(Clone, Debug, Default)]
pub(crate) struct SplitPacket {
    newest: Pieces,
    /// Packets of which some parts arrived, but not all.
    pub(crate) lost: u64,
}

impl SplitPacket {
    /// Forgets the parts of the unfinished packet. The count of lost packets stays.
    pub(crate) fn clear(&mut self) {
        self.newest = Pieces::default();
    }

    /// Takes a part of a packet, and gives the packet once it is whole. A packet is lost when a newer one begins before.
    pub(crate) fn take(
        &mut self,
        tick: u64,
        part: u8,
        last_part: u8,
        bytes: &[u8],
    ) -> Option<Vec<u8>> {
        let count = u16::from(last_part) + 1;
        if tick < self.newest.tick {
            return None;
        }
        if tick > self.newest.tick {
            self.lost += u64::from(!self.newest.pieces.is_empty());
            self.newest = Pieces::new(tick, count);
        }
        let whole = self.newest.take(part.into(), count, bytes)?;
        self.newest.pieces.clear();
        Some(whole)
    }
}
