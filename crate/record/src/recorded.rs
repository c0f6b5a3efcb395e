//! A person's recorded input, for replay: keys, and cuts of the network.

use std::ops::RangeInclusive;

/// A person's recorded input since tick 0. A script's keys are not stored, because the scene's script produces them again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedInput {
    /// The recorded keys of the player; `None` if a script drove all the time.
    pub drive: Option<Drive>,
    /// The recorded keys of the rival; `None` if a script pressed all of its keys, or if there is no rival.
    pub rival: Option<Drive>,
    /// Ranges of ticks in which the network was cut, rising and without overlaps.
    pub cuts: Vec<RangeInclusive<u64>>,
}

/// The keys of a person who drives the player, or the rival.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drive {
    /// The tick before the first key.
    pub after: u64,
    /// One input a tick, six bits of [`snapshot_physics::Input`].
    pub keys: Vec<u8>,
}

impl Drive {
    fn at(&self, tick: u64) -> Option<u8> {
        let place = tick.checked_sub(self.after + 1)?;
        self.keys.get(usize::try_from(place).ok()?).copied()
    }
}

impl RecordedInput {
    /// Returns true if there are neither recorded keys nor cuts.
    pub fn is_empty(&self) -> bool {
        *self == RecordedInput::default()
    }

    /// Returns the player's keys at a tick; `None` if no person drove then.
    pub fn keys(&self, tick: u64) -> Option<u8> {
        self.drive.as_ref()?.at(tick)
    }

    pub fn rival_keys(&self, tick: u64) -> Option<u8> {
        self.rival.as_ref()?.at(tick)
    }

    pub fn is_cut(&self, tick: u64) -> bool {
        let after = self.cuts.partition_point(|cut| *cut.start() <= tick);
        after > 0 && self.cuts[after - 1].contains(&tick)
    }

    /// The last tick with recorded input; 0 without any.
    pub fn last_tick(&self) -> u64 {
        let drives = self.drive.iter().chain(&self.rival);
        let keys = drives.map(|drive| drive.after + drive.keys.len() as u64);
        let cuts = self.cuts.last().map(|cut| *cut.end());
        keys.chain(cuts).max().unwrap_or(0)
    }
}

/// Returns rising numbers as ranges of consecutive numbers.
pub fn in_ranges(numbers: impl Iterator<Item = u64>) -> Vec<RangeInclusive<u64>> {
    let mut ranges: Vec<RangeInclusive<u64>> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some(last) if last.end() + 1 == number => *last = *last.start()..=number,
            _ => ranges.push(number..=number),
        }
    }
    ranges
}
