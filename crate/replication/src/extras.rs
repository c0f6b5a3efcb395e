//! Bytes that may stand before a packet: velocities of objects that the client sees in detail, and jumps that lives cannot tell.

use crate::connection::RefusalReason;
use crate::payload::split;

/// Velocities of an object, m/s and rad/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Velocities {
    pub(crate) linear: Option<[f32; 3]>,
    pub(crate) angular: Option<[f32; 3]>,
}

/// Bits of a float, rounded to the upper three bytes.
fn rounded(number: f32) -> u32 {
    let bits = number.to_bits();
    Some(bits + 0x80)
        .filter(|it| f32::from_bits(*it).is_finite())
        .unwrap_or(bits)
}

/// Velocities and jumps of a snapshot, each by slot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Extras {
    /// Ticks of the third last jump. A client whose snapshot before is older cannot tell by the life whether the object jumped.
    pub(crate) jumps: Vec<(u16, u64)>,
    pub(crate) details: Vec<(u16, Velocities)>,
}

const SLOT: u16 = 0x0fff;
const LINEAR: u16 = 0x4000;
const ANGULAR: u16 = 0x8000;

impl Extras {
    pub(crate) const NONE: Self = Self {
        jumps: Vec::new(),
        details: Vec::new(),
    };

    pub(crate) const fn is_empty(&self) -> bool {
        self.jumps.is_empty() && self.details.is_empty()
    }

    /// Says whether the object of a slot jumped three times or more since a tick.
    pub(crate) fn has_jumped(&self, slot: usize, since: u64) -> bool {
        let is_it = |jump: &(u16, u64)| usize::from(jump.0) == slot && jump.1 > since;
        self.jumps.iter().any(is_it)
    }

    /// The velocities of a slot's object, as far as they were sent.
    pub(crate) fn velocities(&self, slot: usize) -> Velocities {
        let of = self.details.iter().find(|it| usize::from(it.0) == slot);
        of.map(|it| it.1).unwrap_or_default()
    }

    /// Bytes of the linear and of the angular velocities.
    pub(crate) fn velocity_bytes(&self) -> [usize; 2] {
        let count =
            |has: fn(&Velocities) -> bool| self.details.iter().filter(|it| has(&it.1)).count();
        [
            count(|it| it.linear.is_some()),
            count(|it| it.angular.is_some()),
        ]
        .map(|count| count * 9)
    }

    /// Appends the bytes that stand before the packet of a tick.
    pub(crate) fn write(&self, tick: u64, bytes: &mut Vec<u8>) {
        for count in [self.jumps.len(), self.details.len()] {
            bytes.extend((count as u16).to_be_bytes());
        }
        for (slot, jumped) in &self.jumps {
            bytes.extend(slot.to_be_bytes());
            bytes.extend(((tick - jumped) as u16).to_be_bytes());
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

    /// Reads the bytes that stand before the packet of a tick, and gives the packet.
    pub(crate) fn read(tick: u64, bytes: &[u8]) -> Result<(Self, &[u8]), RefusalReason> {
        let (jumps, rest) = split(bytes)?;
        let (details, mut rest) = split(rest)?;
        let [jumps, details] = [jumps, details].map(u16::from_be_bytes);
        if jumps | details == 0 {
            return Err(RefusalReason::Payload);
        }
        let mut extras = Self::default();
        let mut next = 0;
        // Slots rise, so that each list has one way to be written.
        let mut is_next = |slot: u16| std::mem::replace(&mut next, slot + 1) <= slot;
        for _ in 0..jumps {
            let (slot, after) = split(rest)?;
            let (age, after) = split(after)?;
            let (slot, age) = (u16::from_be_bytes(slot), u16::from_be_bytes(age));
            let jumped = tick.checked_sub(age.into());
            let jumped = jumped.filter(|_| slot <= SLOT && is_next(slot));
            (extras.jumps).push((slot, jumped.ok_or(RefusalReason::Payload)?));
            rest = after;
        }
        let mut next = 0;
        let mut is_next = |slot: u16| std::mem::replace(&mut next, slot + 1) <= slot;
        for _ in 0..details {
            let (head, after) = split(rest)?;
            rest = after;
            let head = u16::from_be_bytes(head);
            let mut vector = |flag| {
                if head & flag == 0 {
                    return Ok(None);
                }
                let (nine, after) = split::<9>(rest)?;
                rest = after;
                let number = |at| f32::from_be_bytes([nine[at], nine[at + 1], nine[at + 2], 0]);
                let vector = [0, 3, 6].map(number);
                let is_finite = vector.iter().all(|number| number.is_finite());
                is_finite
                    .then_some(Some(vector))
                    .ok_or(RefusalReason::Payload)
            };
            let velocities = Velocities {
                linear: vector(LINEAR)?,
                angular: vector(ANGULAR)?,
            };
            let slot = head & SLOT;
            let is_known = head & (LINEAR | ANGULAR) != 0;
            if head & 0x3000 != 0 || !is_known || !is_next(slot) {
                return Err(RefusalReason::Payload);
            }
            extras.details.push((slot, velocities));
        }
        Ok((extras, rest))
    }
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
            details in prop::collection::btree_map(0..4096_u16, (vector(), vector()), 0..9),
        ) {
            let details = details.into_iter().map(|(slot, (linear, angular))| (slot, Velocities { linear, angular }));
            let details = details.filter(|(_, it)| *it != Velocities::default()).collect();
            let extras = Extras { jumps: jumps.into_iter().collect(), details };
            let mut bytes = Vec::new();
            extras.write(9000, &mut bytes);
            bytes.extend(b"packet");
            let read = Extras::read(9000, &bytes);
            prop_assert_eq!(read.is_ok(), !extras.is_empty());
            let Ok((read, rest)) = read else { return Ok(()); };
            prop_assert_eq!((rest, &read.jumps), (&b"packet"[..], &extras.jumps));
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
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(prop::sample::select(vec![0, 1, 2, 0x40, 0xc0, 0x7f, 0xff]), 0..40)) {
            if let Ok((extras, rest)) = Extras::read(70_000, &bytes) {
                let mut again = Vec::new();
                extras.write(70_000, &mut again);
                prop_assert_eq!(&again[..], &bytes[..bytes.len() - rest.len()]);
            }
        }
    }
}
