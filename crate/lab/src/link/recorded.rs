//! What a person did, as a link carries it: keys, cuts of the network, and packets whose fate was set by hand.
//!
//! `cut=601-720` are ticks, the first and the last; `drop=57.60-62` and `deliver=12` packets of lane A by their numbers,
//! `b.drop` and `b.deliver` of lane B. `tape=420.` and the [`keys`] say that the scene's script drove for 420 ticks, and a
//! person from then on.

mod keys;

use super::LATEST_TICK;
use crate::settings::permalink::Notice;
use crate::settings::shorten;
use snapshot_netsim::channel::{Fate, Fates};
use std::fmt::Write;
use std::ops::RangeInclusive;

/// What a person did since tick 0. What a script pressed is no part of it: the link's scene presses it again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// None where a script drove all the time.
    pub drive: Option<Drive>,
    /// Ticks in which the network was cut, by rising tick, apart from each other.
    pub cuts: Vec<RangeInclusive<u64>>,
    /// Packets of lane A whose fate is set by hand.
    pub fates: Fates,
    /// And of lane B.
    pub b_fates: Fates,
}

/// A person at the keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drive {
    /// The tick before the first of theirs.
    pub after: u64,
    /// Six bits of [`snapshot_physics::Input`] a tick.
    pub keys: Vec<u8>,
}

impl Recorded {
    /// Whether nobody did anything.
    pub fn is_empty(&self) -> bool {
        *self == Recorded::default()
    }

    /// The keys of a tick at which a person drove.
    pub fn keys(&self, tick: u64) -> Option<u8> {
        let drive = self.drive.as_ref()?;
        let place = tick.checked_sub(drive.after + 1)?;
        drive.keys.get(usize::try_from(place).ok()?).copied()
    }

    /// Whether the network was cut in a tick.
    pub fn is_cut(&self, tick: u64) -> bool {
        let after = self.cuts.partition_point(|cut| *cut.start() <= tick);
        after > 0 && self.cuts[after - 1].contains(&tick)
    }

    /// The last tick of which it tells anything; 0 where it tells nothing.
    pub fn last_tick(&self) -> u64 {
        let keys = self.drive.as_ref();
        let keys = keys.map_or(0, |drive| drive.after + drive.keys.len() as u64);
        self.cuts.last().map_or(0, |cut| *cut.end()).max(keys)
    }

    /// Takes one part of a link. None where the key is none of these.
    pub(super) fn take(&mut self, key: &str, text: &str) -> Option<Result<(), Notice>> {
        let (read, takes) = match key {
            "tape" => (
                self.take_drive(text),
                "a tick up to 36000, a dot, and keys as Share writes them, to tick 36000 at most",
            ),
            "cut" => (
                ranges(text).map(|ranges| self.cuts = ranges),
                "rising ticks up to 36000, such as 601-720.900",
            ),
            _ => {
                let (fates, fate) = match key {
                    "drop" => (&mut self.fates, Fate::Lost),
                    "deliver" => (&mut self.fates, Fate::Delivered),
                    "b.drop" => (&mut self.b_fates, Fate::Lost),
                    "b.deliver" => (&mut self.b_fates, Fate::Delivered),
                    _ => return None,
                };
                let numbers = ranges(text).map(|ranges| ranges.into_iter().flatten());
                (
                    numbers.map(|numbers| numbers.for_each(|number| fates.set(number, Some(fate)))),
                    "rising packet numbers up to 36000, such as 57.60-62",
                )
            }
        };
        let id = KEYS.into_iter().find(|known| *known == key)?;
        Some(read.ok_or_else(|| Notice::Value {
            id,
            text: shorten(text),
            takes: takes.to_string(),
        }))
    }

    fn take_drive(&mut self, text: &str) -> Option<()> {
        let (after, keys) = text.split_once('.')?;
        let after = number(after)?;
        let keys = keys::read(keys, (LATEST_TICK - after) as usize)?;
        self.drive = Some(Drive { after, keys });
        Some(())
    }

    /// Adds its parts to a fragment.
    pub(super) fn write(&self, fragment: &mut String) {
        write_ranges(fragment, "cut", self.cuts.iter().cloned());
        for (prefix, fates) in [("", &self.fates), ("b.", &self.b_fates)] {
            for (id, wanted) in [("drop", Fate::Lost), ("deliver", Fate::Delivered)] {
                let numbers = fates.iter().filter(|(_, fate)| *fate == wanted);
                let numbers = in_ranges(numbers.map(|(number, _)| number));
                write_ranges(fragment, &format!("{prefix}{id}"), numbers.into_iter());
            }
        }
        if let Some(drive) = &self.drive {
            let _ = write!(fragment, "&tape={}.", drive.after);
            keys::write(&drive.keys, fragment);
        }
    }
}

/// The keys of a link that it is read from.
pub(super) const KEYS: [&str; 6] = ["tape", "cut", "drop", "deliver", "b.drop", "b.deliver"];

/// Rising numbers as ranges of those that follow on each other.
pub(crate) fn in_ranges(numbers: impl Iterator<Item = u64>) -> Vec<RangeInclusive<u64>> {
    let mut ranges: Vec<RangeInclusive<u64>> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some(last) if last.end() + 1 == number => *last = *last.start()..=number,
            _ => ranges.push(number..=number),
        }
    }
    ranges
}

fn write_ranges(
    fragment: &mut String,
    id: &str,
    ranges: impl Iterator<Item = RangeInclusive<u64>>,
) {
    for (place, range) in ranges.enumerate() {
        let (first, last) = range.into_inner();
        let _ = match place {
            0 => write!(fragment, "&{id}={first}"),
            _ => write!(fragment, ".{first}"),
        };
        if last > first {
            let _ = write!(fragment, "-{last}");
        }
    }
}

/// Ranges with room between them: what comes out is bounded by the numbers that there are, whatever the text.
fn ranges(text: &str) -> Option<Vec<RangeInclusive<u64>>> {
    let mut ranges: Vec<RangeInclusive<u64>> = Vec::new();
    for part in text.split('.') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let range = number(first)?..=number(last)?;
        let before = ranges.last().map(|range| *range.end());
        if range.is_empty() || before.is_some_and(|before| before + 1 >= *range.start()) {
            return None;
        }
        ranges.push(range);
    }
    Some(ranges)
}

/// A tick or the number of a packet: there are as many ticks as packets at most.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number| *number <= LATEST_TICK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(key: &str, text: &str) -> Option<Recorded> {
        let mut recorded = Recorded::default();
        let taken = recorded.take(key, text).unwrap();
        taken.is_ok().then_some(recorded)
    }

    #[test]
    fn cuts_and_fates_are_rising_ranges() {
        let recorded = read("cut", "601-720.900").unwrap();
        assert_eq!(recorded.cuts, [601..=720, 900..=900]);
        for (tick, cut) in [
            (600, false),
            (601, true),
            (720, true),
            (721, false),
            (900, true),
        ] {
            assert_eq!(recorded.is_cut(tick), cut, "{tick}");
        }
        assert_eq!(recorded.last_tick(), 900);
        let recorded = read("b.deliver", "3.5-7").unwrap();
        assert_eq!(recorded.b_fates.iter().count(), 4);
        assert_eq!(recorded.b_fates.get(6), Some(Fate::Delivered));
        for text in [
            "",
            "x",
            "5-4",
            "4.4",
            "4-6.7",
            "9.3",
            "36001",
            "0-36000.1",
            "1-",
            "-1",
            "1..3",
        ] {
            assert_eq!(read("cut", text), None, "{text}");
        }
    }

    #[test]
    fn a_drive_begins_where_it_says_and_ends_by_the_last_tick() {
        let recorded = read("tape", "100.D").unwrap();
        assert_eq!(
            recorded.drive,
            Some(Drive {
                after: 100,
                keys: vec![1; 3]
            })
        );
        assert_eq!((recorded.keys(100), recorded.keys(101)), (None, Some(1)));
        assert_eq!((recorded.keys(103), recorded.keys(104)), (Some(1), None));
        assert!(read("tape", "35997.D").is_some());
        for text in ["", "100", "36001.", "35998.D", "1.!", "x.D"] {
            assert_eq!(read("tape", text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_was_done_survives_its_text(
            keys in prop::option::of((0..36_000_u64, prop::collection::vec((0..64_u8, 1..40_usize), 0..40))),
            cut in prop::collection::btree_set(0..=LATEST_TICK, 0..40),
            lost in prop::collection::btree_set(0..200_u64, 0..60),
            came in prop::collection::btree_set(0..200_u64, 0..60),
        ) {
            let drive = keys.map(|(after, runs)| {
                let keys = runs.into_iter().flat_map(|(keys, ticks)| std::iter::repeat_n(keys, ticks));
                Drive { after, keys: keys.take((LATEST_TICK - after) as usize).collect() }
            });
            let mut recorded = Recorded { drive, cuts: in_ranges(cut.into_iter()), ..Recorded::default() };
            lost.into_iter().for_each(|number| recorded.fates.set(number, Some(Fate::Lost)));
            came.iter().for_each(|&number| recorded.fates.set(number, Some(Fate::Delivered)));
            came.iter().for_each(|&number| recorded.b_fates.set(number, Some(Fate::Lost)));
            let mut fragment = String::new();
            recorded.write(&mut fragment);
            let mut again = Recorded::default();
            for part in fragment.split('&').skip(1) {
                let (key, text) = part.split_once('=').unwrap();
                prop_assert_eq!(again.take(key, text), Some(Ok(())), "{}", part);
            }
            prop_assert_eq!(again, recorded);
        }
    }
}
