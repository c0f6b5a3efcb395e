//! Values of all cubes at each of the newest ticks, stored as differences: a whole frame every 60 ticks, then each tick's
//! changes.
//!
//! Most cubes are still, so a minute of 901 cubes of which 150 move takes some 25 MB instead of 180. Nothing is rounded:
//! every value is read back bit for bit.
//!
//! A difference can be applied forwards and backwards. So a lane whose packets come out of order reads a few ticks, and no
//! whole frame.

mod packed;
mod parts;
mod poses;
mod words;

pub use self::words::Words;

use self::packed::PackedChanges;
use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Number of ticks in a segment, which begins with a whole frame: a second of the simulated worlds.
const SEGMENT_TICKS: u32 = 60;
/// Memory limit of a stored motion, bytes: if many objects move, the motion has fewer ticks.
pub(crate) const MOTION_BYTES_MAX: usize = 64 << 20;

#[derive(Clone, Debug)]
pub struct DeltaHistory<T> {
    /// Segments by time, shared between clones, so that a played motion is stored once.
    segments: VecDeque<Arc<Segment<T>>>,
    newest: Vec<T>,
    /// Memory of all segments but the last, bytes. Earlier segments no longer grow, so their memory is counted once.
    settled_bytes: usize,
}

/// Up to [`SEGMENT_TICKS`] ticks: a whole frame, then changes.
#[derive(Clone, Debug)]
struct Segment<T> {
    first_tick: u64,
    whole: Vec<T>,
    changes: PackedChanges,
    /// For each tick from the first on, the end of its changes, as an offset in bytes.
    ends: Vec<u32>,
}

impl<T: Words> DeltaHistory<T> {
    /// Makes a delta history of one frame, of at most 65,536 values.
    pub fn new(tick: u64, frame: Vec<T>) -> DeltaHistory<T> {
        let mut deltas = DeltaHistory {
            segments: VecDeque::new(),
            newest: frame,
            settled_bytes: 0,
        };
        deltas.begin_segment(tick);
        deltas
    }

    pub fn ticks(&self) -> RangeInclusive<u64> {
        let first = self.segments.front().map_or(0, |first| first.first_tick);
        first..=self.segments.back().map_or(0, |last| last.last_tick())
    }

    /// Adds the frame of the next tick. A shorter frame leaves the values beyond its end unchanged. A longer frame adds
    /// values, which get filler values in the earlier frames in memory.
    pub fn push(&mut self, frame: impl IntoIterator<Item = T>) {
        let tick = self.ticks().end() + 1;
        let newest = &mut self.newest;
        let Some(segment) = self.segments.back_mut().map(Arc::make_mut) else {
            return;
        };
        // Segments begin at whole seconds, wherever the first one does: so do the forks of a tape.
        let whole_is_due = tick.is_multiple_of(SEGMENT_TICKS.into());
        for (index, value) in frame.into_iter().enumerate() {
            if index == newest.len() {
                newest.push(T::before_it_was_added());
                if !whole_is_due {
                    segment.whole.resize(index + 1, T::before_it_was_added());
                }
            }
            let old = &mut newest[index];
            if !value.is_same(old) {
                if !whole_is_due {
                    segment.changes.push(index, old, &value);
                }
                *old = value;
            }
        }
        if whole_is_due {
            self.begin_segment(tick);
        } else {
            segment.ends.push(segment.changes.end());
        }
    }

    /// Drops whole segments before `tick`; the newest segment stays.
    pub fn forget_before(&mut self, tick: u64) {
        while self.segments.len() > 1 && self.segments[1].first_tick <= tick {
            let oldest = self.segments.pop_front();
            self.settled_bytes -= oldest.map_or(0, |oldest| oldest.bytes());
        }
    }

    /// Removes the ticks after `tick`, which must be stored; returns them. [`DeltaHistory::join`] puts them back.
    pub fn split_off(&mut self, tick: u64) -> DeltaHistory<T> {
        let mut newest = Vec::with_capacity(self.newest.len());
        self.read(tick, &mut newest);
        let newest_after = std::mem::replace(&mut self.newest, newest);
        let kept = self
            .segments
            .partition_point(|segment| segment.first_tick <= tick);
        let mut after = self.segments.split_off(kept);
        if let Some(segment) = self.segments.back_mut() {
            // Both parts share the segment that is split.
            after.push_front(Arc::clone(segment));
            let segment = Arc::make_mut(segment);
            segment
                .ends
                .truncate((tick - segment.first_tick) as usize + 1);
            let last = segment.ends.last().copied().unwrap_or(0);
            segment.changes.truncate(last);
        }
        self.settle();
        let mut after = DeltaHistory {
            segments: after,
            newest: newest_after,
            settled_bytes: 0,
        };
        after.settle();
        after
    }

    /// Drops the ticks from the first tick of `after` on, and appends `after` in their place. Returns false, and changes
    /// nothing, if `after` does not follow a stored tick.
    pub(crate) fn join(&mut self, after: DeltaHistory<T>) -> bool {
        let from = *after.ticks().start();
        if !self.ticks().contains(&from) {
            return false;
        }
        self.segments.retain(|segment| segment.first_tick < from);
        self.segments.extend(after.segments);
        self.newest = after.newest;
        self.settle();
        true
    }

    /// Reads the frame of a tick into `frame`. Returns false, and reads nothing, if the tick is not stored.
    pub fn read(&self, tick: u64, frame: &mut Vec<T>) -> bool {
        let Some(segment) = self.segment(tick) else {
            return false;
        };
        frame.clone_from(&segment.whole);
        let values = self.newest.len().max(segment.whole.len());
        frame.resize(values, T::before_it_was_added());
        let end = segment.ends[(tick - segment.first_tick) as usize];
        segment.changes.apply(0, end, frame);
        true
    }

    /// Changes a frame of tick `from` into the frame of tick `to`. It applies the stored differences between both ticks or,
    /// if these are longer, reads the whole frame. Returns false, and changes nothing, if `to` is not stored.
    pub fn wind(&self, from: u64, to: u64, frame: &mut Vec<T>) -> bool {
        let Some(segment) = self.segment(to) else {
            return false;
        };
        let place = (to - segment.first_tick) as usize;
        let from = from.checked_sub(segment.first_tick);
        let from = from.filter(|&from| from < segment.ends.len() as u64);
        match from.map(|from| from as usize) {
            Some(from) if from.abs_diff(place) <= place => {
                // Applying a difference twice restores the value, so changes lead back too.
                let [first, last] = [from.min(place), from.max(place)];
                let changes = &segment.changes;
                changes.apply(segment.ends[first], segment.ends[last], frame);
                true
            }
            _ => self.read(to, frame),
        }
    }

    pub fn newest(&self) -> &[T] {
        &self.newest
    }

    /// Allocated memory, bytes.
    pub fn bytes(&self) -> usize {
        let last_bytes = self.segments.back().map_or(0, |last| last.bytes());
        self.newest.capacity() * size_of::<T>() + self.settled_bytes + last_bytes
    }

    /// Recomputes the memory of all segments, after any of them may have changed.
    fn settle(&mut self) {
        let bytes: usize = self.segments.iter().map(|segment| segment.bytes()).sum();
        self.settled_bytes = bytes - self.segments.back().map_or(0, |last| last.bytes());
    }

    fn begin_segment(&mut self, tick: u64) {
        self.settled_bytes += self.segments.back().map_or(0, |last| last.bytes());
        let mut ends = Vec::with_capacity(SEGMENT_TICKS as usize);
        ends.push(0);
        self.segments.push_back(Arc::new(Segment {
            first_tick: tick,
            whole: self.newest.clone(),
            changes: PackedChanges::new(),
            ends,
        }));
    }

    fn segment(&self, tick: u64) -> Option<&Segment<T>> {
        let after = self
            .segments
            .partition_point(|segment| segment.first_tick <= tick);
        let segment = self.segments.get(after.checked_sub(1)?)?;
        (tick <= segment.last_tick()).then_some(segment)
    }
}

impl<T> Segment<T> {
    fn bytes(&self) -> usize {
        self.whole.capacity() * size_of::<T>()
            + self.changes.bytes()
            + self.ends.capacity() * size_of::<u32>()
    }

    fn last_tick(&self) -> u64 {
        self.first_tick + self.ends.len() as u64 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    impl Words for i32 {
        type Array = [u32; 1];
        const NO_WORDS: [u32; 1] = [0];
        const GROUPS: &'static [usize] = &[1];

        fn words(&self) -> [u32; 1] {
            [*self as u32]
        }

        fn of_words([word]: [u32; 1]) -> i32 {
            word as i32
        }
    }

    /// Frames of three values, of which few change.
    fn frames(changes: &[(usize, i32)]) -> Vec<Vec<i32>> {
        let mut frame = vec![0; 3];
        let mut frames = vec![frame.clone()];
        for &(index, value) in changes {
            if let Some(at) = frame.get_mut(index) {
                *at = value;
            }
            frames.push(frame.clone());
        }
        frames
    }

    fn deltas(first_tick: u64, frames: &[Vec<i32>]) -> DeltaHistory<i32> {
        let mut deltas = DeltaHistory::new(first_tick, frames[0].clone());
        for frame in &frames[1..] {
            deltas.push(frame.iter().copied());
        }
        deltas
    }

    proptest! {
        #[test]
        fn ticks_are_read_as_they_were_pushed(
            // Differences of every length.
            changes in prop::collection::vec((0_usize..5, (0_u32..33, any::<i32>())), 0..300),
            first_tick in 0_u64..1000,
            cut: prop::sample::Index,
            join: bool,
            jumps in prop::collection::vec(0_u64..1000, 0..20),
        ) {
            let short = |bits: u32, value: i32| value.unbounded_shr(32 - bits);
            let changes: Vec<_> = changes
                .iter()
                .map(|&(index, (bits, value))| (index, short(bits, value)))
                .collect();
            let mut frames = frames(&changes);
            let mut deltas = deltas(first_tick, &frames);
            let last = first_tick + changes.len() as u64;
            prop_assert_eq!(deltas.ticks(), first_tick..=last);
            let kept = cut.index(frames.len());
            let again = frames.clone();
            let after = deltas.split_off(first_tick + kept as u64);
            frames.truncate(kept + 1);
            prop_assert_eq!(deltas.newest(), &frames[kept][..]);
            if join {
                deltas.push([9, 9, 9]);
                prop_assert!(deltas.join(after));
                frames.extend_from_slice(&again[kept + 1..]);
            } else {
                for frame in &again[kept + 1..] {
                    deltas.push(frame.iter().copied());
                    frames.push(frame.clone());
                }
            }
            let mut again = DeltaHistory::<i32>::of_first_part(&deltas.part(0).unwrap()).unwrap();
            for part in (1..).map_while(|number| deltas.part(number)) {
                prop_assert!(!again.add_part(&part[..part.len() - 1]));
                prop_assert!(again.add_part(&part));
            }
            prop_assert_eq!(again.newest(), deltas.newest());
            let deltas = again;
            let mut going = Vec::new();
            for (tick, frame) in (first_tick..).zip(&frames) {
                let mut read = Vec::new();
                prop_assert!(deltas.read(tick, &mut read) && deltas.wind(tick.wrapping_sub(1), tick, &mut going));
                prop_assert_eq!(&read, frame);
                prop_assert_eq!(&going, frame);
            }
            prop_assert!(!deltas.read(last + 1, &mut going) && !deltas.wind(last, last + 1, &mut going));
            let segments_bytes: usize = deltas.segments.iter().map(|segment| segment.bytes()).sum();
            prop_assert_eq!(deltas.bytes(), 4 * deltas.newest.capacity() + segments_bytes);
            let mut at = last;
            for jump in jumps {
                let to = first_tick + jump % (last - first_tick + 1);
                prop_assert!(deltas.wind(at, to, &mut going));
                prop_assert_eq!(&going, &frames[(to - first_tick) as usize]);
                at = to;
            }
        }
    }

    #[test]
    fn the_oldest_is_forgotten_in_whole_seconds() {
        let frames = frames(&[(0, 7); 200]);
        let mut deltas = deltas(10, &frames);
        deltas.forget_before(119);
        assert_eq!(deltas.ticks(), 60..=210);
        assert!(!deltas.read(59, &mut Vec::new()));
        let bytes = deltas.bytes();
        deltas.forget_before(1000);
        assert_eq!(deltas.ticks(), 180..=210);
        assert!(deltas.bytes() < bytes / 2);
    }
}
