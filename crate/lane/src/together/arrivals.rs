//! Arrivals of snapshots at a guest since its last report.
use crate::bytes::next;

/// Upper limit of the number of arrivals in a report. More than 60 snapshots a second do not come for long.
const ARRIVALS_MAX: usize = 64;
/// Length of the unit of time in a report, ms.
const UNIT_MS: f64 = 0.1;

/// Upper limit of a clock's time, ms: some 30 years.
pub(super) const CLOCK_MAX_MS: f64 = 1e12;

/// Arrivals of snapshots by rising tick: each snapshot's tick, and its time of arrival on the guest's clock, ms.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Arrivals(Vec<(u64, f64)>);

impl Arrivals {
    /// Adds the arrival of a snapshot that is newer than all snapshots before. A full list keeps its first arrivals.
    pub(super) fn add(&mut self, tick: u64, now_ms: f64) {
        let offsets = self.0.first().map(|first| offsets(*first, (tick, now_ms)));
        let fits = offsets.is_none_or(|offsets| offsets.is_some());
        if fits && self.0.len() < ARRIVALS_MAX {
            self.0.push((tick, now_ms));
        }
    }

    /// Iterates over the tick and the time of each arrival, ms.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, f64)> {
        self.0.iter().copied()
    }

    /// Appends the arrivals to `bytes`: a byte for their number, then tick and time of the first arrival. Each later
    /// arrival is two u16: its distance from the first in ticks, and in 0.1 ms. All numbers are little-endian.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(self.0.len() as u8);
        let Some((first, later)) = self.0.split_first() else {
            return;
        };
        bytes.extend(first.0.to_le_bytes());
        bytes.extend(first.1.to_le_bytes());
        for arrival in later {
            // `add` takes no other ones.
            let (ticks, units) = offsets(*first, *arrival).unwrap_or_default();
            bytes.extend(ticks.to_le_bytes());
            bytes.extend(units.to_le_bytes());
        }
    }

    /// Reads arrivals from bytes; `None` if the bytes are not exactly a list of arrivals.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Arrivals> {
        let (&count, mut rest) = bytes.split_first()?;
        if count == 0 {
            return rest.is_empty().then(Arrivals::default);
        }
        let tick = u64::from_le_bytes(next(&mut rest)?);
        let first = (tick, f64::from_le_bytes(next(&mut rest)?));
        let (later, []) = rest.as_chunks::<4>() else {
            return None;
        };
        let later = later.iter().map(|&[a, b, c, d]| {
            let ticks = u64::from(u16::from_le_bytes([a, b]));
            let ms = f64::from(u16::from_le_bytes([c, d])) * UNIT_MS;
            Some((first.0.checked_add(ticks)?, first.1 + ms))
        });
        let all: Option<Vec<_>> = std::iter::once(Some(first)).chain(later).collect();
        let is_sound = |all: &Vec<(u64, f64)>| {
            let is_counted = all.len() == usize::from(count) && all.len() <= ARRIVALS_MAX;
            is_counted && first.1.abs() <= CLOCK_MAX_MS && all.is_sorted_by(|a, b| a.0 < b.0)
        };
        all.filter(is_sound).map(Arrivals)
    }
}

/// Returns an arrival's distance from the first one, in ticks and in units; `None` if one of the two is no u16.
fn offsets(first: (u64, f64), arrival: (u64, f64)) -> Option<(u16, u16)> {
    let ticks = u16::try_from(arrival.0.checked_sub(first.0)?).ok()?;
    let units = libm::round((arrival.1 - first.1) / UNIT_MS);
    let is_unit = (0.0..=f64::from(u16::MAX)).contains(&units);
    is_unit.then_some((ticks, units as u16))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn arrivals_survive_the_wire_and_other_bytes_are_refused(
            steps in prop::collection::vec((1_u64..9, 0.0_f64..70.0), 0..80),
            cut in 1_usize..10,
            noise in prop::collection::vec(any::<u8>(), 0..60),
        ) {
            let mut arrivals = Arrivals::default();
            let (mut tick, mut now_ms) = (7, 1e6);
            for (ticks, ms) in steps {
                (tick, now_ms) = (tick + ticks, now_ms + ms);
                arrivals.add(tick, now_ms);
            }
            let mut bytes = Vec::new();
            arrivals.write(&mut bytes);
            let read = Arrivals::of_bytes(&bytes).unwrap();
            prop_assert_eq!(read.0.len(), arrivals.0.len());
            for (is, was) in read.iter().zip(arrivals.iter()) {
                prop_assert_eq!(is.0, was.0);
                prop_assert!((is.1 - was.1).abs() <= UNIT_MS * 0.51);
            }
            prop_assert_eq!(Arrivals::of_bytes(&bytes[..bytes.len().saturating_sub(cut)]), None);
            prop_assert_eq!(Arrivals::of_bytes(&[&bytes[..], &[0]].concat()), None);
            if let Some(read) = Arrivals::of_bytes(&noise) {
                prop_assert!(read.iter().all(|(_, ms)| ms.abs() <= 2.0 * CLOCK_MAX_MS));
            }
        }
    }

    #[test]
    fn an_arrival_too_late_for_a_report_is_left_out() {
        let mut arrivals = Arrivals::default();
        for (tick, now_ms) in [(1, 0.0), (2, 20.0), (3, 7_000.0), (9_000_000, 30.0)] {
            arrivals.add(tick, now_ms);
        }
        assert_eq!(arrivals.iter().collect::<Vec<_>>(), [(1, 0.0), (2, 20.0)]);
    }
}
