//! Bytes that arrive in pieces: the snapshot with which a client joins, and packets that were split.

use crate::payload::{PARTS_MAX, Part};

/// The snapshot with which a client joins, as far as it has arrived.
#[derive(Clone, Debug)]
pub(crate) struct IncomingJoin {
    pub(crate) tick: u64,
    chunks: Vec<Option<Box<[u8]>>>,
}

impl IncomingJoin {
    pub(crate) fn new(tick: u64, count: u16) -> Self {
        Self {
            tick,
            chunks: vec![None; count.into()],
        }
    }

    /// Takes a chunk. One of another count, or with other bytes than before, is left.
    pub(crate) fn take(&mut self, index: u16, count: u16, bytes: &[u8]) {
        if usize::from(count) == self.chunks.len() {
            self.chunks[usize::from(index)].get_or_insert_with(|| bytes.into());
        }
    }

    /// All bytes, once every chunk is there.
    pub(crate) fn whole(&self) -> Option<Vec<u8>> {
        let mut whole = Vec::new();
        for chunk in &self.chunks {
            whole.extend_from_slice(chunk.as_ref()?);
        }
        Some(whole)
    }

    /// The acknowledgement of the chunks that are there.
    pub(crate) fn ack(&self) -> Part<'static> {
        let missing = self.chunks.iter().position(Option::is_none);
        let missing = missing.unwrap_or(self.chunks.len());
        let after = self.chunks.iter().skip(missing + 1).take(32).enumerate();
        Part::HasChunks {
            tick: self.tick as u32,
            missing: missing as u16,
            after: after.fold(0, |bits, (bit, chunk)| {
                bits | u32::from(chunk.is_some()) << bit
            }),
        }
    }
}

/// The newest packet that was split, as far as it has arrived.
#[derive(Clone, Debug, Default)]
pub(crate) struct SplitPacket {
    tick: u64,
    parts: Vec<Option<Box<[u8]>>>,
    /// Packets of which some parts arrived, but not all.
    pub(crate) lost: u64,
}

impl SplitPacket {
    /// Forgets the parts of the unfinished packet. The count of lost packets stays.
    pub(crate) fn clear(&mut self) {
        (self.tick, self.parts) = (0, Vec::new());
    }

    /// Takes a part of a packet, and gives the packet once it is whole. A packet is lost when a newer one begins before.
    pub(crate) fn take(
        &mut self,
        tick: u64,
        part: u8,
        last_part: u8,
        bytes: &[u8],
    ) -> Option<Vec<u8>> {
        let count = usize::from(last_part) + 1;
        debug_assert!(count <= PARTS_MAX);
        if tick < self.tick {
            return None;
        }
        if tick > self.tick {
            self.lost += u64::from(!self.parts.is_empty());
            (self.tick, self.parts) = (tick, vec![None; count]);
        }
        if self.parts.len() != count {
            return None;
        }
        self.parts[usize::from(part)] = Some(bytes.into());
        if self.parts.iter().any(Option::is_none) {
            return None;
        }
        let whole = self.parts.drain(..).flatten();
        Some(whole.flat_map(Vec::from).collect())
    }
}
