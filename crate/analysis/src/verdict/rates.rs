//! The recommended send rate. Each rate is tried with several modes and delays, a point each. The cheapest point within the
//! limits wins.

use super::interpolation::{Trials, measured_min};
use super::playing::{InterpolationResult, Taken};
use super::sweep::{Missing, Sweep};
use crate::trade::is_beaten;
use serde::{Deserialize, Serialize};
use snapshot_base::order;
use snapshot_base::time::TickRate;
use snapshot_settings::{Key, Settings};
use std::cmp::Ordering;

/// Send rates to try in addition to the link's set rate, packets a second.
const RATES_HZ: [u32; 4] = [10, 20, 30, 60];
/// Allowed error as a multiple of the least measured error, if no error limit is set.
const NEAR_ENOUGH: f64 = 2.0;

/// Longest recommended playout delay if no limit is set, ms, unless few freezes need a longer one. A constant delay of up to
/// 300 ms did not change what players experienced: Normoyle, Guerrero and Jörg, "Player perception of delays and jitter in
/// character responsiveness", SAP 2014, doi 10.1145/2628257.2628263.
const DELAY_MOST_MS: f64 = 300.0;

/// Limits of a recommendation. `None` sets no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Limits {
    /// Greatest allowed surface error of the view (95th percentile), mm.
    pub surface_mm: Option<f64>,
    /// Greatest allowed position error of the view (95th percentile), mm.
    pub view_mm: Option<f64>,
    /// Longest allowed playout delay, ms.
    pub delay_ms: Option<f64>,
    /// Greatest allowed mean age of the shown state, end to end, ms.
    pub age_ms: Option<f64>,
    /// Greatest allowed bandwidth for each player, kbit/s, headers included.
    pub kbps: Option<f64>,
}

impl Limits {
    /// Returns the limits with their names in a link.
    pub(super) fn named(&mut self) -> [(&'static str, &mut Option<f64>); 5] {
        [
            ("kbps", &mut self.kbps),
            ("age", &mut self.age_ms),
            ("surface", &mut self.surface_mm),
            ("view", &mut self.view_mm),
            ("delay", &mut self.delay_ms),
        ]
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RatePoint {
    pub rate_hz: u32,
    /// Mean bandwidth, kbit/s, headers included.
    pub kbps: f64,
    #[serde(flatten)]
    pub played: InterpolationResult,
    /// True if freezes are no more frequent than the setting `freezes` allows.
    pub calm: bool,
    /// True if the point is on the Pareto front. Then no other point is as good in bandwidth, error and delay, and better in
    /// one by 1 % or more. Only points with `calm` (few enough freezes) are compared.
    pub on_front: bool,
    /// Settings of the lane that gave these figures.
    #[serde(skip)]
    pub(super) settings: Settings,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RateAdvice {
    pub point: RatePoint,
    /// The limit of the surface error that was applied, mm: the requested one, or twice the least measured error. `None` if
    /// another error was limited instead.
    pub surface_mm: Option<f64>,
    /// The limit of the playout delay that was applied, ms: the requested one, or 300 ms. If few freezes need more, it is the
    /// shortest delay with few freezes. `None` if no point keeps the other limits.
    pub delay_ms: Option<f64>,
    /// Names of the limits that the recommended point exceeds, `freezes` for the setting of that name; empty if the point
    /// keeps all limits.
    pub broken: Vec<&'static str>,
    pub why: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Rates {
    /// Measured points: every send rate with every tried mode and delay.
    pub points: Vec<RatePoint>,
    pub recommended: RateAdvice,
}

/// Results at one send rate over the verdict's link: trials of interpolation modes and delays, then the lane with the best.
pub(super) struct AtRate {
    pub(super) rate_hz: u32,
    /// Settings with the recommended rung and widths.
    settings: Settings,
    pub(super) trials: Trials,
    /// The settings with the best interpolation mode and delay.
    pub(super) best: Settings,
    pub(super) taken: Taken,
}

impl AtRate {
    /// Measures settings that have the recommended rung and widths.
    pub(super) fn of(
        sweep: &Sweep,
        settings: &Settings,
        tick_rate: TickRate,
    ) -> Result<AtRate, Missing> {
        let trials = Trials::of(sweep, settings, tick_rate)?;
        let best = trials.best();
        let best = best.map_or(*settings, |best| played_as(settings, &best));
        Ok(AtRate {
            rate_hz: settings.lane().at(tick_rate).send_rate_hz(),
            settings: *settings,
            taken: *sweep.view(&best)?,
            trials,
            best,
        })
    }
}

/// Returns settings with the interpolation mode and playout delay of a result.
fn played_as(settings: &Settings, played: &InterpolationResult) -> Settings {
    let mut settings = *settings;
    let _ = settings.set_text("interp", played.mode);
    let _ = settings.set_number(Key::Delay, played.delay_ms);
    settings
}

pub(super) fn with_rate(settings: &Settings, rate_hz: u32) -> Settings {
    let mut settings = *settings;
    let _ = settings.set(Key::SendRate, rate_hz);
    settings
}

/// Measures all send rates, the link's rate first.
pub(super) fn at_rates(
    sweep: &Sweep,
    settings: &Settings,
    tick_rate: TickRate,
) -> Result<Vec<AtRate>, Missing> {
    let own_hz = settings.lane().at(tick_rate).send_rate_hz();
    let others = RATES_HZ.into_iter();
    let others = others.filter(|hz| *hz != own_hz && *hz <= tick_rate.hz());
    let all: Vec<u32> = [own_hz].into_iter().chain(others).collect();
    let at = |(part, hz): (usize, &u32)| {
        let at = AtRate::of(sweep, &with_rate(settings, *hz), tick_rate);
        at.map_err(|missing| missing.in_part(part, all.len()))
    };
    all.iter().enumerate().map(at).collect()
}

impl Rates {
    /// Recommends one of the measured send rates; `None` if there is none.
    pub(super) fn new(rates: &[AtRate], limits: Limits) -> Option<Rates> {
        let points = points(rates);
        Some(Rates {
            recommended: recommend(&points, limits)?,
            points,
        })
    }
}

/// Returns the points: bandwidth and error for each interpolation mode and delay that was tried at a send rate. The lowest
/// rate comes first.
fn points(rates: &[AtRate]) -> Vec<RatePoint> {
    let of_rate = |at: &AtRate| {
        let rules = at.trials.rules;
        let point = |played: &InterpolationResult| RatePoint {
            rate_hz: at.rate_hz,
            kbps: at.taken.kbps,
            played: *played,
            calm: rules.is_calm(&played.freezes) && rules.is_advised(played.delay_ms),
            on_front: false,
            settings: played_as(&at.settings, played),
        };
        at.trials.all.iter().map(point).collect::<Vec<_>>()
    };
    let all: Vec<_> = rates.iter().flat_map(of_rate).collect();
    let measured_min = measured_min(all.iter().map(|point| &point.played));
    let is_measured = |point: &RatePoint| point.played.measured() >= measured_min;
    let mut all: Vec<_> = all.into_iter().filter(is_measured).collect();
    order::sort_by_key(&mut all, |point| point.rate_hz);
    let figures = |point: &RatePoint| {
        let played = &point.played;
        [point.kbps, played.surface_error_mm_p95, played.delay_ms]
    };
    let calm = all.iter().filter(|point| point.calm);
    let calm: Vec<[f64; 3]> = calm.map(figures).collect();
    for point in &mut all {
        let own = figures(point);
        point.on_front = point.calm && !calm.iter().any(|other| is_beaten(&own, other));
    }
    all
}

/// Returns the cheapest point that keeps the limits on error, delay, age, bandwidth and freezes; if there is none, the point
/// that exceeds them least, as a sum of ratios. Without a limit of the delay [`DELAY_MOST_MS`] holds, because nobody plays
/// with a second of delay to save bandwidth.
fn recommend(points: &[RatePoint], limits: Limits) -> Option<RateAdvice> {
    let applied = limits.applied(points);
    let by = |a: &&RatePoint, b: &&RatePoint| applied.order(a, b);
    let best = points.iter().min_by(by)?;
    let broken = applied.broken(best);
    let names: Vec<&'static str> = broken.iter().map(|it| it.name).collect();
    let keeps_one = |point: &&RatePoint| {
        let broken = applied.broken(point);
        let is_kept = |name: &&str| broken.iter().all(|it| it.name != *name);
        names.iter().any(is_kept)
    };
    let nearest = points.iter().filter(keeps_one).min_by(by);
    Some(RateAdvice {
        point: best.clone(),
        surface_mm: applied.surface_mm,
        delay_ms: applied.delay_ms,
        why: match names.is_empty() {
            true => why(best, &limits, &applied),
            false => [Some(best), nearest]
                .into_iter()
                .flatten()
                .fold("Nothing keeps all limits.".to_owned(), |text, point| {
                    text + " " + &breaks(point, &applied)
                }),
        },
        broken: names,
    })
}

/// A value of a point, with its limit.
struct LimitedFigure {
    name: &'static str,
    is: f64,
    most: f64,
}

impl Limits {
    /// Returns true if no error of the view is limited.
    fn leave_errors_free(&self) -> bool {
        self.surface_mm.is_none() && self.view_mm.is_none()
    }

    /// Returns the limits with defaults for the limits that are not set. The surface error has a default if no error is
    /// limited, the delay if some point keeps the other limits.
    fn applied(mut self, points: &[RatePoint]) -> Limits {
        let is_calm = points.iter().any(|point| point.calm);
        let considered = || points.iter().filter(|point| !is_calm || point.calm);
        if self.leave_errors_free() {
            let errors_mm = considered().map(|point| point.played.surface_error_mm_p95);
            self.surface_mm = errors_mm.reduce(f64::min).map(|mm| NEAR_ENOUGH * mm);
        }
        if self.delay_ms.is_none() {
            let kept = considered().filter(|point| self.broken(point).is_empty());
            let shortest_ms = kept.map(|point| point.played.delay_ms).reduce(f64::min);
            self.delay_ms = shortest_ms.map(|ms| ms.max(DELAY_MOST_MS));
        }
        self
    }

    /// Returns the values of a point that can be limited, each with its limit; infinity if there is no limit.
    fn figures(&self, point: &RatePoint) -> [LimitedFigure; 6] {
        let played = &point.played;
        let allowed = point.settings.lane().playout_aim().freezes_per_minute;
        let figure = |name, is, most: Option<f64>| LimitedFigure {
            name,
            is,
            most: most.unwrap_or(f64::INFINITY),
        };
        let surface_mm = played.surface_error_mm_p95;
        [
            figure("surface error", surface_mm, self.surface_mm),
            figure("error", played.position_error_mm_p95, self.view_mm),
            figure("delay", played.delay_ms, self.delay_ms),
            figure("age", played.behind_ms, self.age_ms),
            figure("kbit/s", point.kbps, self.kbps),
            figure("freezes", played.freezes.per_minute, Some(allowed)),
        ]
    }

    /// Returns the values of a point that exceed their limits.
    fn broken(&self, point: &RatePoint) -> Vec<LimitedFigure> {
        let figures = self.figures(point).into_iter();
        figures.filter(|it| it.is > it.most).collect()
    }

    /// Compares two points: the better point is less. The excess over the limits counts first.
    fn order(&self, a: &RatePoint, b: &RatePoint) -> Ordering {
        let over = |it: LimitedFigure| (it.is / it.most.max(f64::MIN_POSITIVE)).max(1.0) - 1.0;
        let keys = |point: &RatePoint| {
            let frozen = match point.calm {
                true => 0.0,
                false => 1.0 + point.played.freezes.ms_per_minute,
            };
            [
                // How far beyond the limits the point is, as a sum of ratios.
                self.figures(point).map(over).iter().sum::<f64>(),
                frozen,
                point.kbps,
                point.played.delay_ms,
                point.played.surface_error_mm_p95,
            ]
        };
        let pairs = keys(a).into_iter().zip(keys(b));
        pairs.fold(Ordering::Equal, |so_far, (a, b)| {
            so_far.then(a.total_cmp(&b))
        })
    }
}

/// Says which limits a point exceeds.
fn breaks(point: &RatePoint, applied: &Limits) -> String {
    let broken = applied.broken(point).into_iter();
    let figures = broken.map(|it| format!("{} ({:.1} for {:.1})", it.name, it.is, it.most));
    let all = figures.collect::<Vec<_>>().join(" and ");
    let (hz, delay_ms) = (point.rate_hz, point.played.delay_ms);
    format!("{hz} packets a second with {delay_ms:.0} ms of delay break {all}.")
}

/// Says why a point that keeps all limits is recommended.
fn why(point: &RatePoint, limits: &Limits, applied: &Limits) -> String {
    let (hz, kbps) = (point.rate_hz, point.kbps);
    let cheapest = format!("{hz} packets a second take {kbps:.1} kbit/s.");
    let (mm, of) = match (applied.surface_mm, applied.view_mm) {
        (Some(mm), _) => (mm, "a surface error"),
        (None, Some(mm)) => (mm, "a position error"),
        (None, None) => return cheapest,
    };
    let twice = match limits.leave_errors_free() {
        true => " (twice the least with few enough freezes)",
        false => "",
    };
    let of = format!("{of} of at most {mm:.1} mm at p95{twice}");
    match (limits.delay_ms, applied.delay_ms) {
        // A rate that is cheaper with a longer delay is no answer: the delay comes first.
        (None, Some(ms)) if ms > DELAY_MOST_MS => format!(
            "{cheapest} With few enough freezes, and {of}, {ms:.0} ms is the shortest tried delay of all rates; {DELAY_MOST_MS:.0} ms or less do not reach that."
        ),
        (None, Some(ms)) => format!(
            "{cheapest} It is the cheapest rate with few enough freezes, {of}, and a playout delay of at most {ms:.0} ms."
        ),
        _ => format!("{cheapest} It is the cheapest rate with few enough freezes, and {of}."),
    }
}
