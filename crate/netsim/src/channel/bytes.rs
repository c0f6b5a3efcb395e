//! A buffer for the bytes of packets on their way, one after the other. Each packet takes its own length, not that of the
//! largest. Steady traffic allocates nothing.

/// A packet's place in the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ByteRange {
    /// Offset in bytes, counted from the first byte ever stored.
    start: usize,
    length: usize,
}

/// A buffer of packets' bytes, from which mostly the oldest packet is removed.
#[derive(Clone, Debug, Default)]
pub(super) struct Bytes {
    buffer: Vec<u8>,
    /// Number of bytes that were dropped from the front of the buffer so far.
    dropped: usize,
    /// Number of bytes at the buffer's front that belong to removed packets.
    taken: usize,
}

impl Bytes {
    pub(super) fn put(&mut self, packet: &[u8]) -> ByteRange {
        if self.taken > self.buffer.len() / 2 {
            self.buffer.drain(..self.taken);
            self.dropped += self.taken;
            self.taken = 0;
        }
        let place = ByteRange {
            start: self.dropped + self.buffer.len(),
            length: packet.len(),
        };
        self.buffer.extend_from_slice(packet);
        place
    }

    pub(super) fn get(&self, ByteRange { start, length }: ByteRange) -> &[u8] {
        &self.buffer[start - self.dropped..][..length]
    }

    /// Removes a packet. Earlier packets move to close the gap, so their places in `others` are changed; `others` has the
    /// places of all remaining packets.
    pub(super) fn remove<'a>(
        &mut self,
        gone: ByteRange,
        others: impl Iterator<Item = &'a mut ByteRange>,
    ) {
        let first = self.taken;
        let at = gone.start - self.dropped;
        self.buffer.copy_within(first..at, first + gone.length);
        self.taken += gone.length;
        // One of no bytes may begin where the one that is gone does.
        let before = others.filter(|place| place.start <= gone.start);
        before.for_each(|place| place.start += gone.length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_there_until_it_is_taken_in_whatever_order() {
        let (mut bytes, mut held) = (Bytes::default(), Vec::new());
        let mut most_held = 0;
        for n in 0..5000_usize {
            let packet = vec![n as u8; n * 7 % 50];
            held.push((bytes.put(&packet), packet));
            most_held = most_held.max(held.iter().map(|(_, packet)| packet.len()).sum());
            // Mostly the oldest, sometimes another; sometimes a backlog grows.
            while held.len() > 1 + n / 40 % 20 {
                let (gone, packet) = held.remove(if n % 5 == 0 { held.len() / 2 } else { 0 });
                assert_eq!(bytes.get(gone), packet);
                bytes.remove(gone, held.iter_mut().map(|(place, _)| place));
                for (place, packet) in &held {
                    assert_eq!(bytes.get(*place), packet);
                }
            }
        }
        assert!(bytes.buffer.capacity() <= 4 * most_held);
    }
}
