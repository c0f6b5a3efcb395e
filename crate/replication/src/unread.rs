//! Bytes of a datagram that have not been read.

/// The bytes that have not been read yet. Each read takes bytes off the front; it returns `None` if there are too few.
#[derive(Clone, Copy)]
pub(crate) struct Unread<'a>(pub(crate) &'a [u8]);

impl<'a> Unread<'a> {
    fn next<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (next, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*next)
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.next().map(u8::from_be_bytes)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.next().map(u16::from_be_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.next().map(u32::from_be_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.next().map(u64::from_be_bytes)
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (next, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(next)
    }

    /// Returns all bytes that are left, and removes them.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }
}

/// Appends byte strings to `bytes`, one after the other.
pub(crate) fn put(bytes: &mut Vec<u8>, parts: &[&[u8]]) {
    parts.iter().for_each(|part| bytes.extend_from_slice(part));
}
