//! Search for interpolation mode and playout delay. The same motion and link are played with several modes and delays, until
//! a longer delay improves nothing.

use super::playing::{Freezes, InterpolationResult};
use super::sweep::{Missing, Sweep};
use snapshot_base::time::TickRate;
use snapshot_netsim::channel::LinkInputs;
use snapshot_settings::{Interpolation, Key, LaneSettings, Settings, interpolation_choice};

/// Returns the interpolation modes to try, simplest first.
fn modes() -> impl Iterator<Item = Interpolation> {
    let all = Interpolation::ALL.into_iter();
    all.filter(|mode| interpolation_choice(*mode).is_tried)
}

/// The simplest interpolation mode. The other modes are compared with it.
const SIMPLEST: Interpolation = Interpolation::Linear;

/// The shortest delays to try, send intervals.
const INTERVALS: [f64; 3] = [1.0, 2.0, 3.0];
/// Shortest recommended delay, send intervals: with a shorter one a single lost packet stops the view.
const INTERVALS_LEAST: f64 = 2.0;
/// Factor from a tried delay to the next longer one, above three send intervals.
const LONGER: f64 = 1.4;
/// Least ratio between two tried delays. A delay that is nearer to a tried one is left out.
const APART: f64 = 1.08;
/// Ratio of a mode's error to the least error of all modes, up to which the mode counts as equally good.
const AS_GOOD: f64 = 1.02;
/// Ratio of the error at a delay to the error at a longer one, up to which the shorter delay counts as long enough.
const ENOUGH: f64 = 1.05;
/// Ratio of a delay's frozen time to the least frozen time of all delays, up to which the delay counts as equally good. It
/// matters only if every delay has more freezes than allowed.
const AS_FROZEN: f64 = 1.1;
/// Difference up to which two surface errors count as equal, mm.
const LEAST_MM: f64 = 0.05;

/// Returns the longest playout delay that can be set, ms.
fn delay_most_ms() -> f64 {
    Key::Delay.setting().domain.most().into()
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DelayRules {
    /// The shortest recommended delay, ms.
    least_ms: f64,
    /// Upper limit of the number of freezes a minute, from the setting `freezes`.
    freezes_per_minute: f64,
}

impl DelayRules {
    pub(super) fn new(settings: &LaneSettings) -> DelayRules {
        DelayRules {
            least_ms: (INTERVALS_LEAST * settings.send_interval_ms())
                .ceil()
                .min(delay_most_ms()),
            freezes_per_minute: settings.playout_aim().freezes_per_minute,
        }
    }

    /// Returns true if a delay is long enough to be recommended.
    pub(super) fn is_advised(&self, delay_ms: f64) -> bool {
        delay_ms >= self.least_ms
    }

    /// Returns true if the freezes are as few as the setting `freezes` allows.
    pub(super) fn is_calm(&self, freezes: &Freezes) -> bool {
        freezes.per_minute <= self.freezes_per_minute
    }

    /// Returns the shortest delay with no more freezes than the setting `freezes` allows. If there is none, returns the
    /// shortest delay whose frozen time is nearly the least. The delays of `all` rise.
    fn shortest<'a>(
        &self,
        all: impl Iterator<Item = &'a InterpolationResult> + Clone,
    ) -> Option<f64> {
        let advised = all.filter(|it| self.is_advised(it.delay_ms));
        let calm = advised.clone().find(|it| self.is_calm(&it.freezes));
        let frozen_ms = advised.clone().map(|it| it.freezes.ms_per_minute);
        let most_ms = frozen_ms.fold(f64::MAX, f64::min) * AS_FROZEN;
        let nearly = || {
            advised
                .clone()
                .find(|it| it.freezes.ms_per_minute <= most_ms)
        };
        calm.or_else(nearly).map(|it| it.delay_ms)
    }
}

/// Returns the delays to try, ms, rising: 1, 2 and 3 send intervals, 2 and 3 plus the link's delay spread, and longer ones.
fn delays_ms(interval_ms: f64, spread_ms: f64) -> Vec<u32> {
    let most_ms = delay_most_ms();
    let whole = |ms: f64| ms.min(most_ms).ceil() as u32;
    let mut all: Vec<u32> = INTERVALS.iter().map(|of| whole(of * interval_ms)).collect();
    let spread = INTERVALS[1..].iter().map(|of| of * interval_ms + spread_ms);
    let first_ms = INTERVALS[2] * interval_ms * LONGER;
    let longer = std::iter::successors(Some(first_ms), |ms| Some(ms * LONGER));
    let longer = longer.take_while(|ms| *ms < most_ms);
    for ms in [most_ms].into_iter().chain(spread).chain(longer).map(whole) {
        let apart = |other: &u32| {
            let [less, more] = [ms.min(*other), ms.max(*other)].map(f64::from);
            more >= less * APART
        };
        if all.iter().all(apart) {
            all.push(ms);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the time beyond the link's latency within which 99 % of the packets arrive, ms. It is the part of the automatic
/// delay that covers jitter.
pub(super) fn spread_ms(settings: &Settings, link_inputs: &LinkInputs, tick_rate: TickRate) -> f64 {
    let mut automatic = *settings;
    let _ = automatic.set_text("delay", "auto");
    let lane = automatic.lane().over(link_inputs).at(tick_rate);
    lane.delay_ms().unwrap_or_default() - INTERVALS[2] * lane.send_interval_ms()
}

/// Results of trials of interpolation modes and delays.
pub(super) struct Trials {
    pub(super) rules: DelayRules,
    /// Results of the simplest mode by rising delay, then of the other modes.
    pub(super) all: Vec<InterpolationResult>,
}

impl Trials {
    /// Tries the simplest mode with rising delays until nothing freezes, then the other modes at two delays. These are the
    /// shortest delay with no more freezes than allowed, and the next longer one that was tried.
    pub(super) fn of(
        sweep: &Sweep,
        settings: &Settings,
        tick_rate: TickRate,
    ) -> Result<Trials, Missing> {
        let lane = settings.lane().at(tick_rate);
        let delays_ms = delays_ms(lane.send_interval_ms(), sweep.spread_ms);
        let rules = DelayRules::new(&lane);
        // With a longer delay no interpolation mode comes closer to the truth.
        let neighbours_ms = INTERVALS[2] * lane.send_interval_ms();
        let mut compared = *settings;
        // The quickest rung without velocities shows the same poses, unless the link minds sizes.
        if !settings.fate_depends_on_size() {
            let _ = compared.set_text("codec", "changed-flags");
        }
        let others = || modes().filter(|mode| *mode != SIMPLEST);
        let played = |mode: Interpolation, delay_ms: u32, [part, of]: [usize; 2]| {
            let mut settings = compared;
            let _ = settings.set(Key::Interpolation, mode as u32);
            let _ = settings.set(Key::Delay, delay_ms);
            let taken = sweep.view(&settings);
            taken
                .map(|taken| taken.played)
                .map_err(|missing| missing.in_part(part, of + 2 * others().count()))
        };
        let mut all: Vec<InterpolationResult> = Vec::new();
        for delay_ms in &delays_ms {
            let played = played(SIMPLEST, *delay_ms, [all.len(), delays_ms.len()])?;
            all.push(played);
            if played.freezes.most == 0 && played.delay_ms >= neighbours_ms {
                break;
            }
        }
        let rising = all.len();
        if let Some(shortest_ms) = rules.shortest(all.iter()) {
            let delays = all.iter().map(|played| played.delay_ms);
            let delays: Vec<f64> = delays.filter(|ms| *ms >= shortest_ms).take(2).collect();
            for mode in others() {
                for delay_ms in &delays {
                    all.push(played(mode, *delay_ms as u32, [all.len(), rising])?);
                }
            }
        }
        Ok(Trials { rules, all })
    }

    pub(super) fn best(&self) -> Option<InterpolationResult> {
        best(&self.all, self.rules)
    }
}

/// Returns the least number of measured poses of a candidate: nine tenths of the greatest number. A delay that eats much of the
/// recording is measured over another part of it than the other delays.
pub(super) fn measured_min<'a>(all: impl Iterator<Item = &'a InterpolationResult>) -> u64 {
    const SHARE: (u64, u64) = (9, 10);
    let most = all.map(InterpolationResult::measured).max();
    (most.unwrap_or_default() * SHARE.0).div_ceil(SHARE.1)
}

/// Returns the result with the recommended mode and delay; `None` without results. Of each mode it considers the shortest
/// delay with few enough freezes and an error close to the least. The simplest mode that is about as good as the best wins.
pub(super) fn best(all: &[InterpolationResult], rules: DelayRules) -> Option<InterpolationResult> {
    let error_mm = |played: &InterpolationResult| played.surface_error_mm_p95;
    let measured_min = measured_min(all.iter());
    let all = || {
        all.iter()
            .filter(|played| played.measured() >= measured_min)
    };
    let simplest = SIMPLEST.row().name;
    let simplest = all().filter(|played| played.mode == simplest);
    let shortest_ms = rules.shortest(simplest)?;
    let enough = modes().filter_map(|mode| {
        let is_of = |played: &&InterpolationResult| {
            played.mode == mode.row().name && played.delay_ms >= shortest_ms
        };
        let of_mode = || all().filter(is_of);
        let least_mm = of_mode().map(error_mm).fold(f64::MAX, f64::min) * ENOUGH + LEAST_MM;
        of_mode().find(|played| error_mm(played) <= least_mm)
    });
    let enough: Vec<&InterpolationResult> = enough.collect();
    let least_mm = enough
        .iter()
        .copied()
        .map(error_mm)
        .fold(f64::MAX, f64::min);
    let good = |played: &&&InterpolationResult| error_mm(played) <= least_mm * AS_GOOD + LEAST_MM;
    enough.iter().find(good).map(|played| **played)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(
        mode: &'static str,
        delay_ms: f64,
        errors: [f64; 2],
        hitches: u64,
    ) -> InterpolationResult {
        let [position_mm, orientation_deg] = errors;
        InterpolationResult {
            mode,
            delay_ms,
            // The corner of a cube with sides of 1 m, at a right angle to the axis.
            surface_error_mm_p95: position_mm + 866.0 * orientation_deg.to_radians(),
            freezes: Freezes {
                per_minute: hitches as f64,
                ms_per_minute: 50.0 * hitches as f64,
                ..Freezes::default()
            },
            ..InterpolationResult::default()
        }
    }

    #[test]
    fn the_simplest_of_the_best_with_the_shortest_delay_that_is_enough() {
        let rules = DelayRules::new(&snapshot_settings::permalink::parse("#hz=20").0.lane());
        let best = |all: &[InterpolationResult]| best(all, rules).map(|it| (it.mode, it.delay_ms));
        let linear = |delay_ms, hitches| played("linear", delay_ms, [10.0, 1.0], hitches);
        let hermite = |delay_ms, mm| played("hermite", delay_ms, [mm, 1.0], 0);
        let alike = [
            linear(100.0, 0),
            linear(150.0, 0),
            hermite(100.0, 9.9),
            hermite(150.0, 9.8),
        ];
        assert_eq!(best(&alike), Some(("linear", 100.0)));
        // Where a longer delay gives hermite its neighbours, it is measured with them.
        let better = [
            linear(100.0, 0),
            linear(150.0, 0),
            hermite(100.0, 20.0),
            hermite(150.0, 5.0),
        ];
        assert_eq!(best(&better), Some(("hermite", 150.0)));
        // A delay of one interval is not advised, however good it is.
        assert_eq!(
            best(&[linear(50.0, 0), linear(100.0, 0)]),
            Some(("linear", 100.0))
        );
        // Standing still is not enough.
        assert_eq!(
            best(&[linear(100.0, 400), linear(150.0, 3)]),
            Some(("linear", 150.0))
        );
        // A turn that is followed better decides between equal positions.
        let slerp = played("slerp", 100.0, [10.0, 0.4], 0);
        assert_eq!(best(&[linear(100.0, 0), slerp]), Some(("slerp", 100.0)));
        assert_eq!(best(&[]), None);
        // Two freezes a minute are allowed; where no delay keeps to that, the shortest of the least frozen is taken.
        assert_eq!(
            best(&[linear(100.0, 2), linear(150.0, 0)]),
            Some(("linear", 100.0))
        );
        let frozen = [linear(100.0, 90), linear(150.0, 33), linear(2000.0, 30)];
        assert_eq!(best(&frozen), Some(("linear", 150.0)));
    }

    #[test]
    fn tried_delays_are_apart_and_reach_the_longest() {
        assert_eq!(
            delays_ms(50.0, 17.0),
            [
                50, 100, 117, 150, 167, 210, 294, 412, 577, 807, 1130, 1582, 2000
            ]
        );
        for (interval_ms, spread_ms) in
            [(1000.0, 800.0), (16.7, 819.0), (100.0, 5000.0), (4.2, 0.0)]
        {
            let all = delays_ms(interval_ms, spread_ms);
            assert!(all.windows(2).all(|two| two[0] < two[1]), "{all:?}");
            assert_eq!(all.last(), Some(&2000), "{all:?}");
        }
    }
}
