//! Packed changes of values: for each word only the bytes that differ from before, in blocks of one size.
//!
//! A number that changes a little keeps its sign, its exponent and its first digits, so a fifth of its bytes need not be
//! stored. Buffers that doubled in size fragmented the memory of wasm, which never shrinks; blocks of one size do not.

use super::Words;

/// Size of a block, bytes. A second of a ball of 150 cubes takes some 40 blocks, the last one half empty.
const BLOCK_BYTES: usize = 1 << 13;
/// Number of stored bytes of a changed word, by its 2-bit code. Changes of a single byte are too rare to need a code.
const WORD_BYTES: [usize; 4] = [0, 2, 3, 4];
const INDEX_BYTES: usize = 2;
const CODES_BYTES: usize = 2;
const WORDS_MAX: usize = 16;
/// Upper limit of the size of a change, bytes, including bytes that are read or written beyond its last word.
const CHANGE_BYTES_MAX: usize = INDEX_BYTES + CODES_BYTES + 4 * WORDS_MAX + 4;

/// A list of changes to values with an index below 2^16, in the order in which they were added.
#[derive(Clone, Debug)]
pub(super) struct PackedChanges {
    blocks: Vec<Box<[u8]>>,
    /// Offset of the next change, in bytes over all blocks.
    end: usize,
}

impl PackedChanges {
    pub(super) fn new() -> PackedChanges {
        PackedChanges {
            blocks: Vec::new(),
            end: 0,
        }
    }

    pub(super) fn end(&self) -> u32 {
        self.end as u32
    }

    pub(super) fn push<T: Words>(&mut self, index: usize, old: &T, new: &T) {
        self.end = place(self.end);
        let (block, at) = (self.end / BLOCK_BYTES, self.end % BLOCK_BYTES);
        if block == self.blocks.len() {
            self.blocks.push(vec![0; BLOCK_BYTES].into_boxed_slice());
        }
        let change = &mut self.blocks[block][at..at + CHANGE_BYTES_MAX];
        let mut words = new.words();
        for (word, old) in words.as_mut().iter_mut().zip(old.words().as_ref()) {
            *word ^= old;
        }
        let (mut codes, mut length) = (0_u16, INDEX_BYTES + CODES_BYTES);
        let mut rest = words.as_ref();
        for (number, &size) in T::GROUPS.iter().enumerate() {
            let (group, others) = rest.split_at(size);
            rest = others;
            let code = match group.iter().fold(0, |all, word| all | word) {
                0 => 0,
                1..0x1_0000 => 1,
                0x1_0000..0x100_0000 => 2,
                _ => 3,
            };
            codes |= code << (2 * number);
            for word in group {
                change[length..length + 4].copy_from_slice(&word.to_le_bytes());
                length += WORD_BYTES[usize::from(code)];
            }
        }
        let head = [(index as u16).to_le_bytes(), codes.to_le_bytes()];
        change[..INDEX_BYTES + CODES_BYTES].copy_from_slice(head.as_flattened());
        self.end += length;
    }

    /// Applies the changes between two offsets, in order, to `frame`, which must be the frame at the first offset.
    pub(super) fn apply<T: Words>(&self, from: u32, to: u32, frame: &mut [T]) {
        let (mut from, to) = (from as usize, to as usize);
        while from < to {
            from = place(from);
            let (block, at) = (from / BLOCK_BYTES, from % BLOCK_BYTES);
            let Some(change) = self.blocks[block][at..].first_chunk() else {
                return;
            };
            from += apply_one(change, frame);
        }
    }

    pub(super) fn truncate(&mut self, end: u32) {
        self.end = end as usize;
        self.blocks.truncate(self.end.div_ceil(BLOCK_BYTES));
    }

    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        let mut left = self.end;
        for block in &self.blocks {
            let taken = left.min(BLOCK_BYTES);
            bytes.extend_from_slice(&block[..taken]);
            left -= taken;
        }
    }

    pub(super) fn read(bytes: &[u8]) -> PackedChanges {
        let block = |part: &[u8]| {
            let mut block = vec![0; BLOCK_BYTES].into_boxed_slice();
            block[..part.len()].copy_from_slice(part);
            block
        };
        PackedChanges {
            blocks: bytes.chunks(BLOCK_BYTES).map(block).collect(),
            end: bytes.len(),
        }
    }

    /// Returns true if each change has an index below `values`, and a change ends at each of the rising offsets `ends`.
    pub(super) fn fits<T: Words>(&self, values: usize, ends: &[u32]) -> bool {
        let mut ends = ends.iter().map(|end| *end as usize).peekable();
        while ends.next_if_eq(&0).is_some() {}
        let mut from = 0;
        while from < self.end {
            from = place(from);
            let (block, at) = (from / BLOCK_BYTES, from % BLOCK_BYTES);
            let block = self.blocks.get(block);
            let Some(change) = block.and_then(|block| block[at..].first_chunk()) else {
                return false;
            };
            let head: &[u8; CHANGE_BYTES_MAX] = change;
            if usize::from(u16::from_le_bytes([head[0], head[1]])) >= values {
                return false;
            }
            from += change_bytes::<T>(u16::from_le_bytes([head[2], head[3]]));
            while ends.next_if_eq(&from).is_some() {}
        }
        from == self.end && ends.next().is_none()
    }

    pub(super) fn bytes(&self) -> usize {
        self.blocks.len() * BLOCK_BYTES + self.blocks.capacity() * size_of::<Box<[u8]>>()
    }
}

/// Returns the size of a change with these codes, bytes.
fn change_bytes<T: Words>(codes: u16) -> usize {
    let sizes = T::GROUPS.iter().enumerate();
    let words = sizes.map(|(number, size)| {
        let code = codes >> (2 * number) & 3;
        size * WORD_BYTES[usize::from(code)]
    });
    INDEX_BYTES + CODES_BYTES + words.sum::<usize>()
}

/// Applies one change; returns its size in bytes.
fn apply_one<T: Words>(change: &[u8; CHANGE_BYTES_MAX], frame: &mut [T]) -> usize {
    let [low, high, codes_low, codes_high, ..] = *change;
    let value = &mut frame[usize::from(u16::from_le_bytes([low, high]))];
    let codes = u16::from_le_bytes([codes_low, codes_high]);
    let mut words = value.words();
    let mut rest = words.as_mut();
    let mut length = INDEX_BYTES + CODES_BYTES;
    for (number, &size) in T::GROUPS.iter().enumerate() {
        let (group, others) = rest.split_at_mut(size);
        rest = others;
        let word_bytes = WORD_BYTES[usize::from(codes >> (2 * number) & 3)];
        let kept = !(u64::MAX << (8 * word_bytes)) as u32;
        for (place, word) in group.iter_mut().enumerate() {
            // The offset never lies beyond; with the limit stated, bounds need no check.
            let at = (length + place * word_bytes).min(CHANGE_BYTES_MAX - 4);
            let four = change[at..at + 4].first_chunk();
            let difference = four.copied().map_or(0, u32::from_le_bytes);
            *word ^= difference & kept;
        }
        length += size * word_bytes;
    }
    *value = T::of_words(words);
    length
}

/// Returns the offset for a change that would begin at `end`. A change may not straddle two blocks: if it might not fit, it
/// goes into the next block.
fn place(end: usize) -> usize {
    if end % BLOCK_BYTES + CHANGE_BYTES_MAX > BLOCK_BYTES {
        end.next_multiple_of(BLOCK_BYTES)
    } else {
        end
    }
}
