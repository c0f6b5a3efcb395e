//! Bytes that stand before a partial packet: slots that it proves unchanged, and slots that changed only lately.

use crate::connection::RefusalReason;
use crate::extras::Extras;
use crate::unread::{Unread, put};

const CURRENT: u8 = 1;
const RESTED: u8 = 2;
const EXTRAS: u8 = 4;
const MISSING: u8 = 8;
/// Upper limit of the number of slots that a packet says rested: their states were unchanged until an earlier tick.
pub(crate) const RESTED_MAX: usize = 255;
/// Greatest index of a slot.
const SLOT: u16 = 0x0fff;

/// The notes of a partial packet: facts about slots besides their states.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PartialNotes {
    /// The first of 64 slots, a multiple of 64, and a bit for each. Bit i is 1 if the decoded packet has the state of slot
    /// `first` + i at this tick. Other slots that the packet does not change may have changed since the baseline.
    pub(crate) current: Option<(u16, u64)>,
    /// Slots, rising, each with an earlier tick at which its object still had the state of the baseline.
    pub(crate) rested: Vec<(u16, u64)>,
    /// Number of objects that the client sees, and of which it has acknowledged no state yet.
    pub(crate) missing: u16,
    pub(crate) extras: Extras,
}

impl PartialNotes {
    /// Returns the last tick at which a slot still had the state of the baseline; `None` if the notes do not say it.
    pub(crate) fn rested_until(&self, slot: usize) -> Option<u64> {
        let at = (self.rested).binary_search_by_key(&slot, |rested| usize::from(rested.0));
        at.ok().map(|at| self.rested[at].1)
    }

    /// Appends the notes, which precede the packet of a tick.
    pub(crate) fn write(&self, tick: u64, bytes: &mut Vec<u8>) {
        let flag = |is_set: bool, flag| if is_set { flag } else { 0 };
        let flags = flag(self.current.is_some(), CURRENT)
            | flag(!self.rested.is_empty(), RESTED)
            | flag(!self.extras.is_empty(), EXTRAS)
            | flag(self.missing > 0, MISSING);
        bytes.push(flags);
        if self.missing > 0 {
            put(bytes, &[&self.missing.to_be_bytes()]);
        }
        if let Some((first, slots)) = self.current {
            put(bytes, &[&first.to_be_bytes(), &slots.to_be_bytes()]);
        }
        if !self.rested.is_empty() {
            bytes.push(self.rested.len() as u8);
            for (slot, rested) in &self.rested {
                let age = (tick - rested) as u16;
                put(bytes, &[&slot.to_be_bytes(), &age.to_be_bytes()]);
            }
        }
        if !self.extras.is_empty() {
            self.extras.write(tick, bytes);
        }
    }

    /// Reads the notes that precede the packet of a tick; returns them with the bytes of the packet.
    pub(crate) fn read(tick: u64, bytes: &[u8]) -> Result<(Self, &[u8]), RefusalReason> {
        let mut rest = Unread(bytes);
        let (mut notes, has_extras) =
            Self::parsed(tick, &mut rest).ok_or(RefusalReason::Payload)?;
        if has_extras {
            (notes.extras, rest.0) = Extras::read(tick, rest.0)?;
        }
        Ok((notes, rest.0))
    }

    fn parsed(tick: u64, rest: &mut Unread) -> Option<(Self, bool)> {
        let flags = Some(rest.u8()?).filter(|flags| flags >> 4 == 0)?;
        let mut notes = Self::default();
        if flags & MISSING != 0 {
            notes.missing = Some(rest.u16()?).filter(|missing| *missing > 0)?;
        }
        if flags & CURRENT != 0 {
            let first = Some(rest.u16()?).filter(|first| first % 64 == 0 && *first <= SLOT)?;
            notes.current = Some((first, rest.u64()?));
        }
        if flags & RESTED != 0 {
            let count = Some(rest.u8()?).filter(|count| *count > 0)?;
            for _ in 0..count {
                let (slot, age) = (rest.u16()?, rest.u16()?);
                let rested = tick.checked_sub(age.into());
                let rested = rested.filter(|_| slot <= SLOT && age > 0)?;
                notes.rested.push((slot, rested));
            }
            // Slots rise, so that a list has one way to be written.
            if !notes.rested.is_sorted_by(|a, b| a.0 < b.0) {
                return None;
            }
        }
        Some((notes, flags & EXTRAS != 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn notes_come_back(
            current in prop::option::of((0..64_u16, any::<u64>())),
            missing in 0..3_u16,
            rested in prop::collection::btree_map(0..4096_u16, 1..9000_u64, 0..9),
            jumps in prop::collection::btree_map(0..4096_u16, 1..9000_u64, 0..3),
        ) {
            let notes = PartialNotes {
                missing,
                current: current.map(|(word, slots)| (word * 64, slots)),
                rested: rested.into_iter().map(|(slot, age)| (slot, 9000 - age)).collect(),
                extras: Extras { jumps: jumps.into_iter().collect(), ..Extras::default() },
            };
            let mut bytes = Vec::new();
            notes.write(9000, &mut bytes);
            bytes.extend(b"packet");
            prop_assert_eq!(PartialNotes::read(9000, &bytes), Ok((notes, &b"packet"[..])));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(prop::sample::select(vec![0, 1, 2, 3, 4, 7, 8, 0x40, 0xff]), 0..40)) {
            if let Ok((notes, rest)) = PartialNotes::read(70_000, &bytes) {
                let mut again = Vec::new();
                notes.write(70_000, &mut again);
                prop_assert_eq!(&again[..], &bytes[..bytes.len() - rest.len()]);
            }
        }
    }
}
