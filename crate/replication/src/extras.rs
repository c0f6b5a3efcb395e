//! Bytes that may stand before a packet: velocities of objects that the client predicts, and jumps and ends of objects. A slot's
//! life changes with each jump, but has three values only: after three jumps it is as before. An object may end between two
//! packets.

use crate::connection::RefusalReason;
use crate::unread::Unread;

/// Velocities of an object: linear, m/s, and angular, rad/s; each absent where it was not sent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Velocities {
    pub(crate) linear: Option<[f32; 3]>,
    pub(crate) angular: Option<[f32; 3]>,
}

impl Velocities {
    /// Returns the velocities as the other end reads them.
    pub(crate) fn as_sent(self) -> Self {
        let sent = |velocity: [f32; 3]| velocity.map(|it| f32::from_bits(rounded(it) & !0xff));
        Self {
            linear: self.linear.map(sent),
            angular: self.angular.map(sent),
        }
    }
}

/// Returns the bits of a float, rounded to the upper three bytes.
fn rounded(number: f32) -> u32 {
    let bits = number.to_bits();
    Some(bits + 0x80)
        .filter(|it| f32::from_bits(*it).is_finite())
        .unwrap_or(bits)
}

/// Velocities, jumps and ends of objects, sent beside a snapshot, each with the object's slot. A jump is a change of place without
/// a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Extras {
    /// Slots whose objects jumped three times or more, each with the tick of the third last jump. A client whose earlier
    /// snapshot is older cannot see from the life whether the object jumped.
    pub(crate) jumps: Vec<(u16, u64)>,
    /// Slots, each with a tick before the snapshot's, from which on the last object that ended in it was no longer there.
    pub(crate) ends: Vec<(u16, u64)>,
    pub(crate) details: Vec<(u16, Velocities)>,
}

const SLOT: u16 = 0x0fff;
/// Bit that tells an end from a jump.
const ENDED: u16 = 0x1000;
const LINEAR: u16 = 0x4000;
const ANGULAR: u16 = 0x8000;

impl Extras {
    pub(crate) const NONE: Self = Self {
        jumps: Vec::new(),
        ends: Vec::new(),
        details: Vec::new(),
    };

    pub(crate) const fn is_empty(&self) -> bool {
        self.jumps.is_empty() && self.ends.is_empty() && self.details.is_empty()
    }

    /// Returns true if the object of a slot jumped three times or more after the tick `since`.
    pub(crate) fn has_jumped(&self, slot: usize, since: u64) -> bool {
        let at = (self.jumps).binary_search_by_key(&slot, |jump| usize::from(jump.0));
        at.is_ok_and(|at| self.jumps[at].1 > since)
    }

    /// Returns the tick from which on the last object that ended in a slot was no longer there; `None` if it is not told.
    pub(crate) fn ended(&self, slot: usize) -> Option<u64> {
        let at = (self.ends).binary_search_by_key(&slot, |ended| usize::from(ended.0));
        at.ok().map(|at| self.ends[at].1)
    }

    /// Returns the velocities that were sent for a slot's object.
    pub(crate) fn velocities(&self, slot: usize) -> Velocities {
        let at = (self.details).binary_search_by_key(&slot, |detail| usize::from(detail.0));
        at.map_or_else(|_| Velocities::default(), |at| self.details[at].1)
    }

    /// Returns true if every slot is one of so many objects.
    pub(crate) fn are_within(&self, objects: usize) -> bool {
        let last = [
            self.jumps.last().map(|it| it.0),
            self.ends.last().map(|it| it.0),
            self.details.last().map(|it| it.0),
        ];
        last.iter()
            .flatten()
            .all(|slot| usize::from(*slot) < objects)
    }

    /// Bytes of allocated memory.
    pub(crate) fn held_bytes(&self) -> usize {
        (self.jumps.capacity() + self.ends.capacity()) * size_of::<(u16, u64)>()
            + self.details.capacity() * size_of::<(u16, Velocities)>()
    }

    /// Number of bytes that the linear velocities take, and that the angular velocities take.
    pub(crate) fn velocity_bytes(&self) -> [usize; 2] {
        let count =
            |has: fn(&Velocities) -> bool| self.details.iter().filter(|it| has(&it.1)).count();
        [
            count(|it| it.linear.is_some()),
            count(|it| it.angular.is_some()),
        ]
        .map(|count| count * 9)
    }

    /// Appends velocities, jumps and ends, which precede the packet of a tick.
    pub(crate) fn write(&self, tick: u64, bytes: &mut Vec<u8>) {
        for count in [self.jumps.len() + self.ends.len(), self.details.len()] {
            bytes.extend((count as u16).to_be_bytes());
        }
        let ends = self.ends.iter().map(|(slot, ended)| (slot | ENDED, ended));
        let jumps = self.jumps.iter().map(|(slot, jumped)| (*slot, jumped));
        for (head, then) in jumps.chain(ends) {
            bytes.extend(head.to_be_bytes());
            bytes.extend(((tick - then) as u16).to_be_bytes());
        }
        for (slot, Velocities { linear, angular }) in &self.details {
            let known = |it: &Option<_>, flag| if it.is_some() { flag } else { 0 };
            let flags = known(linear, LINEAR) | known(angular, ANGULAR);
            bytes.extend((slot | flags).to_be_bytes());
            // The upper three bytes of a float have 16 bits of precision.
            for number in [linear, angular].into_iter().flatten().flatten() {
                bytes.extend(&rounded(*number).to_be_bytes()[..3]);
            }
        }
    }

    /// Reads the velocities, jumps and ends that precede the packet of a tick; returns them with the bytes of the packet.
    pub(crate) fn read(tick: u64, bytes: &[u8]) -> Result<(Self, &[u8]), RefusalReason> {
        let mut rest = Unread(bytes);
        let extras = Self::parsed(tick, &mut rest).ok_or(RefusalReason::Payload)?;
        Ok((extras, rest.0))
    }

    fn parsed(tick: u64, rest: &mut Unread) -> Option<Self> {
        let (changes, details) = (rest.u16()?, rest.u16()?);
        let mut extras = Self::default();
        // Slots rise, so that each list has one way to be written.
        let mut next_head = 0;
        for _ in 0..changes {
            let (head, age) = (rest.u16()?, rest.u16()?);
            let then = tick.checked_sub(age.into())?;
            if head < next_head || head > SLOT | ENDED {
                return None;
            }
            next_head = head + 1;
            match head & ENDED {
                0 => extras.jumps.push((head, then)),
                _ => extras.ends.push((head & SLOT, then)),
            }
        }
        for _ in 0..details {
            let head = rest.u16()?;
            let (linear, angular) = (head & LINEAR != 0, head & ANGULAR != 0);
            if head & 0x3000 != 0 || !(linear || angular) {
                return None;
            }
            let velocities = Velocities {
                linear: if linear { Some(vector(rest)?) } else { None },
                angular: if angular { Some(vector(rest)?) } else { None },
            };
            extras.details.push((head & SLOT, velocities));
        }
        extras.jumps.shrink_to_fit();
        extras.ends.shrink_to_fit();
        extras.details.shrink_to_fit();
        let rise = extras.details.is_sorted_by(|a, b| a.0 < b.0);
        Some(extras).filter(|extras| rise && !extras.is_empty())
    }
}

fn vector(rest: &mut Unread) -> Option<[f32; 3]> {
    let nine = rest.bytes(9)?;
    let number = |at| f32::from_be_bytes([nine[at], nine[at + 1], nine[at + 2], 0]);
    let vector = [0, 3, 6].map(number);
    Some(vector).filter(|it| it.iter().all(|number| number.is_finite()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = Option<[f32; 3]>> {
        prop::option::of([-300.0..300.0_f32, -1e30..1e30, -1e-30..1e-30])
    }

    proptest! {
        #[test]
        fn extras_come_back_with_sixteen_bits_of_precision(
            jumps in prop::collection::btree_map(0..4096_u16, 1..9000_u64, 0..9),
            ends in prop::collection::btree_map(0..4096_u16, 1..9000_u64, 0..9),
            details in prop::collection::btree_map(0..4096_u16, (vector(), vector()), 0..9),
        ) {
            let details = details.into_iter().map(|(slot, (linear, angular))| (slot, Velocities { linear, angular }));
            let details = details.filter(|(_, it)| *it != Velocities::default()).collect();
            let extras = Extras { jumps: jumps.into_iter().collect(), ends: ends.into_iter().collect(), details };
            let mut bytes = Vec::new();
            extras.write(9000, &mut bytes);
            bytes.extend(b"packet");
            let read = Extras::read(9000, &bytes);
            prop_assert_eq!(read.is_ok(), !extras.is_empty());
            let Ok((read, rest)) = read else { return Ok(()); };
            prop_assert_eq!((rest, &read.jumps, &read.ends), (&b"packet"[..], &extras.jumps, &extras.ends));
            for ((slot, before), (other, after)) in extras.details.iter().zip(&read.details) {
                prop_assert_eq!(slot, other);
                for (before, after) in [(before.linear, after.linear), (before.angular, after.angular)] {
                    prop_assert_eq!(before.is_some(), after.is_some());
                    for (before, after) in before.iter().flatten().zip(after.iter().flatten()) {
                        prop_assert!((before - after).abs() <= before.abs() / 65_536.0);
                    }
                }
            }
            let mut again = Vec::new();
            read.write(9000, &mut again);
            prop_assert_eq!(&again[..], &bytes[..bytes.len() - 6]);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(prop::sample::select(vec![0, 1, 2, 0x10, 0x40, 0xc0, 0x7f, 0xff]), 0..40)) {
            if let Ok((extras, rest)) = Extras::read(70_000, &bytes) {
                let mut again = Vec::new();
                extras.write(70_000, &mut again);
                prop_assert_eq!(&again[..], &bytes[..bytes.len() - rest.len()]);
            }
        }
    }
}
