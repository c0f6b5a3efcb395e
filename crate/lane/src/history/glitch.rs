//! Visible glitches: ticks in which the right view did not move smoothly, and their causes.

use super::LaneHistory;
use serde::Serialize;

/// Reason why the receiver's view did not move smoothly from the tick before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Glitch {
    /// A jump after a freeze.
    Jump {
        /// Length of the freeze before the jump, ms.
        stood_still_ms: f64,
    },
    /// A correction by state synchronisation that moves cubes visibly far at once.
    Correction {
        cubes: u64,
        /// Index of the updated cube that had waited the longest.
        cube: u32,
        /// Time in ms between this update of `cube` and the one before.
        waited_ms: f64,
        /// The tick in which the packet with the update was sent.
        sent_tick: u64,
    },
}

impl LaneHistory {
    /// Returns the glitch of a tick; `None` for a smooth tick.
    pub fn glitch(&self, tick: u64) -> Option<Glitch> {
        let place = self.shown.partition_point(|shown| shown.live.tick < tick);
        let now = &self.shown.get(place)?.live;
        let before = &self.shown.get(place.checked_sub(1)?)?.live;
        if before.still && before.waits && !now.still {
            let earlier = self.shown.range(..place).rev();
            let still = earlier.take_while(|shown| shown.live.still).count();
            return Some(Glitch::Jump {
                stood_still_ms: self.ms_of_ticks(still as f64),
            });
        }
        let cubes = now.pops().saturating_sub(before.pops());
        let (cube, waited, sent_tick) = self.oldest_update(tick).filter(|_| cubes > 0)?;
        Some(Glitch::Correction {
            cubes,
            cube,
            waited_ms: self.ms_of_ticks(waited as f64),
            sent_tick,
        })
    }

    pub(super) fn ms_of_ticks(&self, ticks: f64) -> f64 {
        self.lane.settings().tick_rate().ms_of_tick(ticks)
    }

    /// Returns the cube that had waited longest among those updated in a tick: its index, the ticks of waiting, and the tick
    /// of the update. `None` without updates.
    fn oldest_update(&self, tick: u64) -> Option<(u32, u64, u64)> {
        let before = self.updated_by(tick.checked_sub(1)?)?;
        let now = self.updated_by(tick)?;
        let pairs = (0..).zip(before.iter().zip(&now));
        let waited = pairs.map(|(cube, (before, now))| (cube, now.saturating_sub(*before), *now));
        let oldest_update = waited.filter(|(_, ticks, _)| *ticks > 0);
        oldest_update.max_by_key(|&(cube, ticks, _)| (ticks, std::cmp::Reverse(cube)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::played::history_with_cut;

    #[test]
    fn a_view_that_stood_still_jumps_where_it_goes_on() {
        let (_, history) = history_with_cut("#scene=katamari&grid=6&hz=30&loss=0", 400, 200..260);
        let jumps = (150..=400).filter_map(|tick| Some((tick, history.glitch(tick)?)));
        let jumps: Vec<_> = jumps.collect();
        let [(tick, Glitch::Jump { stood_still_ms })] = jumps[..] else {
            panic!("{jumps:?}");
        };
        assert!((260..280).contains(&tick), "{tick}");
        assert!((900.0..1200.0).contains(&stood_still_ms));
        assert!(history.live(tick - 1).still && !history.live(tick).still);
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn a_correction_names_who_had_waited_the_longest() {
        let link = "#scene=katamari&grid=8&strategy=sync&both=0&smooth=off&loss=0&budget=64";
        let (_, history) = history_with_cut(link, 500, 300..360);
        let corrections = (100..=500).filter_map(|tick| Some((tick, history.glitch(tick)?)));
        let mut longest_ms = 0.0_f64;
        let mut all = 0;
        for (tick, glitch) in corrections {
            let Glitch::Correction {
                cubes,
                waited_ms,
                sent_tick,
                ..
            } = glitch
            else {
                continue;
            };
            let [before, now] = [tick - 1, tick].map(|tick| history.live(tick).pops());
            assert_eq!(now - before, cubes);
            let mut sent = history.packets(sent_tick..sent_tick + 1, tick);
            assert!(sent.next().is_some());
            longest_ms = longest_ms.max(waited_ms);
            all += cubes;
        }
        assert!(all > 0);
        assert!(longest_ms > 900.0, "{longest_ms}");
    }
}
