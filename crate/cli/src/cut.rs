//! `--cut 20+2`: for a while no packet passes.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use snapshot_base::time::TICKS_PER_S;
use std::ops::Range;

/// The longest run, s: nothing begins or ends later.
pub(crate) const SECONDS_MAX: u32 = 36_000;

/// A time in which the network is cut, both ways.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cut {
    ticks: Range<u64>,
}

impl Serialize for Cut {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let seconds = |ticks: u64| ticks as f64 / f64::from(TICKS_PER_S);
        let mut cut = serializer.serialize_struct("Cut", 2)?;
        cut.serialize_field("start_s", &seconds(self.ticks.start))?;
        cut.serialize_field("length_s", &seconds(self.ticks.end - self.ticks.start))?;
        cut.end()
    }
}

impl Cut {
    /// Reads `START+LENGTH`, in seconds; both are rounded to ticks.
    pub(crate) fn parse(text: &str) -> Result<Cut, String> {
        let malformed = || "it is START+LENGTH in seconds, such as 20+2".to_string();
        let ticks = |text: &str| {
            let seconds: f64 = text.parse().ok()?;
            (0.0..=f64::from(SECONDS_MAX))
                .contains(&seconds)
                .then(|| (seconds * f64::from(TICKS_PER_S)).round() as u64)
        };
        let (start, length) = text.split_once('+').ok_or_else(malformed)?;
        let start = ticks(start).ok_or_else(malformed)?;
        let length = ticks(length).ok_or_else(malformed)?;
        if length == 0 {
            return Err("it lasts a tick, 1/60 s, at least".to_string());
        }
        Ok(Cut {
            ticks: start..start + length,
        })
    }

    /// Returns true if the cut begins within a run of so many ticks.
    pub(crate) fn begins_before(&self, ticks: u64) -> bool {
        self.ticks.start < ticks
    }

    /// Returns true if the network is cut in the tick after so many.
    pub(crate) fn holds_after(&self, ticks: u64) -> bool {
        self.ticks.contains(&ticks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_cut_is_refused_in_words() {
        let cut = Cut::parse("1.5+0.25").unwrap();
        assert_eq!(cut.ticks, 90..105);
        for text in [
            "", "2", "+", "1+", "+1", "1+1+1", "-1+2", "nan+1", "1+inf", "1+36001",
        ] {
            assert!(
                Cut::parse(text).unwrap_err().contains("START+LENGTH"),
                "{text}"
            );
        }
        assert!(Cut::parse("1+0.001").unwrap_err().contains("1/60 s"));
    }

    #[test]
    fn a_cut_holds_from_its_first_tick_to_its_last() {
        let cut = Cut::parse("1+2").unwrap();
        assert_eq!(
            [59, 60, 179, 180].map(|ticks| cut.holds_after(ticks)),
            [false, true, true, false]
        );
        assert!(cut.begins_before(61) && !cut.begins_before(60));
    }
}
