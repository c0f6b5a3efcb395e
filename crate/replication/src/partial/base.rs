//! The composed baseline of a partial packet. The packet names earlier packets; each slot has its newest state among these.

use crate::payload::{TICKS_END, read_age, write_age};
use crate::unread::{Unread, put};
use snapshot_codec::{Cube, Snapshot};

/// Number of the packets before the newest named one that a partial packet may name, too.
pub(crate) const NAMED_PACKETS: u64 = 64;

/// The packets that a partial packet names: its baseline has the newest state of each slot among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartialBase {
    /// No packet: all slots of the baseline are empty. The client drops its snapshots if `start` differs from the last one.
    Empty {
        /// The packet's tick.
        tick: u64,
        /// Number of times that the server began from empty slots, modulo 256.
        start: u8,
    },
    /// The packet `age` ticks earlier, and packets before it.
    Named {
        /// The packet's tick modulo 65,536.
        sequence: u16,
        /// Ticks from the newest named packet to this one, at least 1.
        age: u16,
        /// Bit i is 1 if the packet that left i + 1 packets before the newest named one is named, too.
        before: u64,
    },
}

impl PartialBase {
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        match *self {
            Self::Empty { tick, start } => {
                write_age(0, bytes);
                put(bytes, &[&tick.to_be_bytes(), &[start]]);
            }
            Self::Named {
                sequence,
                age,
                before,
            } => {
                write_age(age, bytes);
                let count = 8 - before.leading_zeros() as usize / 8;
                put(bytes, &[&sequence.to_be_bytes(), &[count as u8]]);
                put(bytes, &[&before.to_le_bytes()[..count]]);
            }
        }
    }

    /// Length of the header of an unsplit partial packet, bytes: its kind and these named packets.
    pub(crate) fn header_bytes(&self) -> usize {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        1 + bytes.len()
    }

    /// Parses the named packets from any bytes; `None` if they are malformed.
    pub(crate) fn read(rest: &mut Unread) -> Option<Self> {
        let age = read_age(rest)?;
        if age == 0 {
            let tick = Some(rest.u64()?).filter(|tick| *tick < TICKS_END)?;
            let start = rest.u8()?;
            return Some(Self::Empty { tick, start });
        }
        let (sequence, count) = (rest.u16()?, usize::from(rest.u8()?));
        let named = rest.bytes(count).filter(|_| count <= 8)?;
        // The last byte is not 0, so that a set has one way to be written.
        if named.last() == Some(&0) {
            return None;
        }
        let mut before = [0; 8];
        before[..count].copy_from_slice(named);
        Some(Self::Named {
            sequence,
            age,
            before: u64::from_le_bytes(before),
        })
    }
}

/// A snapshot composed of several packets: each slot has a state and that state's tick.
#[derive(Clone, Debug)]
pub(crate) struct ComposedBaseline {
    pub(crate) cubes: Vec<Cube>,
    pub(crate) rows: Vec<u32>,
    /// Ticks of the slots' states; 0 for a slot of which no packet had a state.
    pub(crate) ticks: Vec<u64>,
}

impl ComposedBaseline {
    pub(crate) fn empty(count: usize, row_len: usize) -> Self {
        Self {
            cubes: vec![Cube::EMPTY; count],
            rows: vec![0; count * row_len],
            ticks: vec![0; count],
        }
    }

    pub(crate) fn snapshot(&self) -> Snapshot<'_> {
        Snapshot {
            cubes: &self.cubes,
            rows: &self.rows,
        }
    }

    pub(crate) fn row(&self, slot: usize) -> &[u32] {
        let row_len = self.rows.len() / self.cubes.len();
        &self.rows[slot * row_len..][..row_len]
    }

    /// Sets the state of a slot, unless its present state is newer.
    pub(crate) fn set(&mut self, slot: usize, tick: u64, cube: &Cube, row: &[u32]) {
        if tick >= self.ticks[slot] {
            let row_len = row.len();
            self.ticks[slot] = tick;
            self.cubes[slot] = *cube;
            self.rows[slot * row_len..][..row_len].copy_from_slice(row);
        }
    }

    pub(crate) fn held_bytes(&self) -> usize {
        self.cubes.capacity() * size_of::<Cube>()
            + self.rows.capacity() * size_of::<u32>()
            + self.ticks.capacity() * size_of::<u64>()
    }
}

/// Returns the numbers of the named packets other than the newest, from the bits of `before`; `None` for a number below 0.
pub(crate) fn named_numbers(newest: u64, before: u64) -> impl Iterator<Item = Option<u64>> {
    let bits = (0..64).filter(move |bit| before >> bit & 1 == 1);
    bits.map(move |bit| newest.checked_sub(bit + 1))
}
