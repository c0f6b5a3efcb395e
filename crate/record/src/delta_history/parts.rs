//! A delta history in parts of a second each, as bytes, so that one thread can hand it to another piece by piece.

use super::packed::PackedChanges;
use super::{DeltaHistory, SEGMENT_TICKS, Segment, Words};
use std::sync::Arc;

/// Upper limit of a part's first tick.
const TICKS_END: u64 = 1 << 53;

impl<T: Words> DeltaHistory<T> {
    /// Returns one second of the history as a part, by its number from 0; `None` after the last.
    /// [`DeltaHistory::of_first_part`] and [`DeltaHistory::add_part`] read parts in this order.
    pub fn part(&self, number: usize) -> Option<Vec<u8>> {
        self.segments.get(number).map(|segment| segment.to_bytes())
    }

    /// Makes a delta history of its first part; `None` if the bytes are invalid.
    pub fn of_first_part(bytes: &[u8]) -> Option<DeltaHistory<T>> {
        let mut deltas = DeltaHistory {
            segments: Default::default(),
            newest: Vec::new(),
            settled_bytes: 0,
        };
        deltas.add_part(bytes).then_some(deltas)
    }

    /// Adds the next part. Returns false, and changes nothing, if the bytes are not a part that follows.
    pub fn add_part(&mut self, bytes: &[u8]) -> bool {
        let Some(segment) = Segment::of_bytes(bytes) else {
            return false;
        };
        if let Some(last) = self.segments.back() {
            let follows = segment.first_tick == last.last_tick() + 1
                && segment.whole.len() >= last.whole.len();
            if !follows {
                return false;
            }
            self.settled_bytes += last.bytes();
        }
        let tick = segment.last_tick();
        self.segments.push_back(Arc::new(segment));
        let mut newest = std::mem::take(&mut self.newest);
        self.read(tick, &mut newest);
        self.newest = newest;
        true
    }
}

impl<T: Words> Segment<T> {
    /// Returns a segment as bytes, little-endian: u64 first tick, u32 ticks, u32 values, u32 for the end of each tick's
    /// changes, the words of all values, the changes.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.first_tick.to_le_bytes().to_vec();
        let counts = [self.ends.len() as u32, self.whole.len() as u32];
        let mut add = |word: u32| bytes.extend_from_slice(&word.to_le_bytes());
        counts.iter().chain(&self.ends).for_each(|word| add(*word));
        for value in &self.whole {
            value.words().as_ref().iter().for_each(|word| add(*word));
        }
        self.changes.write(&mut bytes);
        bytes
    }

    fn of_bytes(bytes: &[u8]) -> Option<Segment<T>> {
        let (first_tick, mut rest) = bytes.split_first_chunk()?;
        let first_tick = u64::from_le_bytes(*first_tick);
        let mut word = || {
            let (word, after) = rest.split_first_chunk()?;
            rest = after;
            Some(u32::from_le_bytes(*word))
        };
        let ticks = word().filter(|ticks| (1..=SEGMENT_TICKS).contains(ticks))?;
        let values = word().filter(|values| *values <= 1 << 16)?;
        let ends: Vec<u32> = (0..ticks).map(|_| word()).collect::<Option<_>>()?;
        let mut value = || {
            let mut words = T::NO_WORDS;
            for place in words.as_mut() {
                *place = word()?;
            }
            Some(T::of_words(words))
        };
        let whole: Vec<T> = (0..values).map(|_| value()).collect::<Option<_>>()?;
        let changes = PackedChanges::read(rest);
        // Parts may come over a network.
        let are_there = changes.fits::<T>(whole.len(), &ends);
        // Ticks near the end of the numbers would have none after them.
        let are_there = are_there && first_tick < TICKS_END;
        are_there.then_some(Segment {
            first_tick,
            whole,
            changes,
            ends,
        })
    }
}
