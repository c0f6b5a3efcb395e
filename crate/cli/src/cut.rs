//! Option `--cut 20+2`: a period in which no packet passes, in either direction.

use serde::Serialize;
use snapshot_base::time::TickRate;
use std::ops::Range;

/// Upper limit of a run's length, s: no cut begins or ends later.
pub(crate) const SECONDS_MAX: u32 = 36_000;
/// Least length of a cut, s: a tick of the simulated worlds.
const LEAST_S: f64 = 1.0 / 60.0;

/// A period in which the network is cut in both directions, s.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Cut {
    start_s: f64,
    length_s: f64,
}

impl Cut {
    /// Parses `START+LENGTH` in seconds. The error for other text is a sentence.
    pub(crate) fn parse(text: &str) -> Result<Cut, String> {
        let malformed = || "it is START+LENGTH in seconds, such as 20+2".to_string();
        let seconds = |text: &str| {
            let seconds: f64 = text.parse().ok()?;
            (0.0..=f64::from(SECONDS_MAX))
                .contains(&seconds)
                .then_some(seconds)
        };
        let (start, length) = text.split_once('+').ok_or_else(malformed)?;
        let start_s = seconds(start).ok_or_else(malformed)?;
        let length_s = seconds(length).ok_or_else(malformed)?;
        if length_s < 0.5 * LEAST_S {
            return Err("it lasts a tick, 1/60 s, at least".to_string());
        }
        Ok(Cut { start_s, length_s })
    }

    /// Returns the ticks of the cut, rounded and counted from the run's start.
    pub(crate) fn at(&self, tick_rate: TickRate) -> Range<u64> {
        let tick = |seconds: f64| tick_rate.tick_of_ms(seconds * 1000.0).round() as u64;
        let start = tick(self.start_s);
        start..start + tick(self.length_s).max(1)
    }

    /// Returns the cut rounded to whole ticks.
    pub(crate) fn rounded(&self, tick_rate: TickRate) -> Cut {
        let ticks = self.at(tick_rate);
        Cut {
            start_s: tick_rate.seconds_of_ticks(ticks.start),
            length_s: tick_rate.seconds_of_ticks(ticks.end - ticks.start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_base::time::WORLD;

    #[test]
    fn what_is_no_cut_is_refused_in_words() {
        let cut = Cut::parse("1.5+0.25").unwrap();
        assert_eq!(cut.at(WORLD), 90..105);
        assert_eq!(cut.at(TickRate::new(240).unwrap()), 360..420);
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
}
