//! A person's recorded input, to be replayed: keys and cuts of the network.

use std::ops::RangeInclusive;

/// Input of a person since tick 0. What a script pressed is no part of it: the scene's script presses it again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedInput {
    /// The recorded drive; none where a script drove all the time.
    pub drive: Option<Drive>,
    /// Ticks in which the network was cut, by rising tick, apart from each other.
    pub cuts: Vec<RangeInclusive<u64>>,
}

/// A person at the keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drive {
    /// The tick before the first of theirs.
    pub after: u64,
    /// Six bits of [`snapshot_physics::Input`] a tick.
    pub keys: Vec<u8>,
}

impl RecordedInput {
    /// Says whether nobody did anything.
    pub fn is_empty(&self) -> bool {
        *self == RecordedInput::default()
    }

    /// The keys of a tick at which a person drove.
    pub fn keys(&self, tick: u64) -> Option<u8> {
        let drive = self.drive.as_ref()?;
        let place = tick.checked_sub(drive.after + 1)?;
        drive.keys.get(usize::try_from(place).ok()?).copied()
    }

    /// Says whether the network was cut in a tick.
    pub fn is_cut(&self, tick: u64) -> bool {
        let after = self.cuts.partition_point(|cut| *cut.start() <= tick);
        after > 0 && self.cuts[after - 1].contains(&tick)
    }

    /// The last tick with recorded input; 0 without any.
    pub fn last_tick(&self) -> u64 {
        let keys = self.drive.as_ref();
        let keys = keys.map_or(0, |drive| drive.after + drive.keys.len() as u64);
        self.cuts.last().map_or(0, |cut| *cut.end()).max(keys)
    }
}

/// Rising numbers as ranges of those that follow on each other.
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
