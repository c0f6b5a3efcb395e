//! The recommended send rate: each rate is tried with several delays, and the cheapest point within the limits wins.

use super::advice::link;
use super::at_rate::AtRate;
use super::playing::InterpolationResult;
use crate::trade::is_beaten;
use serde::Serialize;
use snapshot_base::order;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, Settings};

/// Send rates to try in addition to the link's set rate, packets a second.
const RATES_HZ: [u32; 4] = [10, 20, 30, 60];
/// Allowed error as a multiple of the least measured error, if no error limit is set.
const NEAR_ENOUGH: f64 = 2.0;

/// Longest playout delay that is recommended where no limit is set, ms, unless few freezes need more. A constant delay of up to
/// 300 ms did not change what players experienced: Normoyle, Guerrero and Jörg, "Player perception of delays and jitter in
/// character responsiveness", SAP 2014, doi 10.1145/2628257.2628263.
pub(super) const DELAY_MOST_MS: f64 = 300.0;

/// Limits of a recommendation. `None` sets no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
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
    /// True if no other point is as good in bandwidth, error and delay, and better in one of them by 1 % or more. Only points
    /// with `calm` (few enough freezes) are compared.
    pub on_front: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RateAdvice {
    pub point: RatePoint,
    /// The limit of the surface error that was applied, mm: the requested one, or twice the least measured error. `None` if
    /// another error was limited instead.
    pub surface_mm: Option<f64>,
    /// The limit of the playout delay that was applied, ms: the requested one, or 300 ms. Where few freezes need more it is the
    /// shortest delay that has few. `None` if no point keeps the other limits.
    pub delay_ms: Option<f64>,
    /// Names of the limits that the recommended point exceeds, `freezes` for the setting of that name; empty if it keeps all.
    pub broken: Vec<&'static str>,
    pub why: String,
    /// Link of the recommended settings.
    pub link: String,
}

pub(super) struct Recommendation {
    pub(super) advice: RateAdvice,
    pub(super) settings: Settings,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Rates {
    pub limits: Limits,
    /// Points: every send rate with every tried mode and delay.
    pub points: Vec<RatePoint>,
    pub recommended: RateAdvice,
}

/// Work at all send rates, one after the other. The link's set rate comes first.
pub(super) struct RateWork {
    /// Work that is still to do, in reverse order: the next one is the last.
    waiting: Vec<AtRate>,
    done: Vec<AtRate>,
}

impl RateWork {
    pub(super) fn new(tape: &Tape, settings: &Settings, spread_ms: f64) -> RateWork {
        let own_hz = settings.lane().at(tape.tick_rate()).send_rate_hz();
        let others = RATES_HZ.into_iter().rev();
        let others = others.filter(|hz| *hz != own_hz && *hz <= tape.tick_rate().hz());
        let at = |hz: u32| {
            let mut settings = *settings;
            let _ = settings.set(Key::SendRate, hz);
            AtRate::new(tape, &settings, spread_ms)
        };
        RateWork {
            waiting: others.chain([own_hz]).map(at).collect(),
            done: Vec::new(),
        }
    }

    /// Runs one tick of the work. Returns false once all rates are measured.
    pub(super) fn work(&mut self, tape: &Tape, given: &LinkInputs, window: [u64; 2]) -> bool {
        let Some(now) = self.waiting.last_mut() else {
            return false;
        };
        if !now.work(tape, given, window) {
            self.done.extend(self.waiting.pop());
        }
        !self.waiting.is_empty()
    }

    /// Finished share of the work, 0 to 1.
    pub(super) fn share(&self, ticks: u64) -> f64 {
        let of = (self.waiting.len() + self.done.len()).max(1) as f64;
        let now = self.waiting.last().map_or(0.0, |now| now.share(ticks));
        (self.done.len() as f64 + now) / of
    }

    /// The finished rates; the link's set rate comes first.
    pub(super) fn done(&self) -> &[AtRate] {
        &self.done
    }
}

/// Returns the points of bandwidth and error, one for each interpolation that was tried at a send rate, with its settings.
/// The lowest rate comes first.
pub(super) fn points(rates: &[AtRate]) -> Vec<(RatePoint, Settings)> {
    let of_rate = |at: &AtRate| {
        let (settings, playing) = at.recommended()?;
        let rate_hz = playing.settings().send_rate_hz();
        let (kbps, rules) = (playing.kbps(), at.comparison().rules());
        debug_assert_eq!(
            settings.get(Key::Codec),
            at.with(&playing.played()).get(Key::Codec)
        );
        let point = |played: &InterpolationResult| RatePoint {
            rate_hz,
            kbps,
            played: *played,
            calm: rules.is_calm(played.freezes.per_minute) && rules.is_advised(played.delay_ms),
            on_front: false,
        };
        let all = at.comparison().all().iter();
        let all = all.map(|played| (point(played), at.with(played)));
        Some(all.collect::<Vec<_>>())
    };
    let mut all: Vec<_> = rates.iter().filter_map(of_rate).flatten().collect();
    order::sort_by_key(&mut all, |(point, _)| point.rate_hz);
    let figures = |point: &RatePoint| {
        let played = &point.played;
        [point.kbps, played.surface_error_mm_p95, played.delay_ms]
    };
    let calm = all.iter().filter(|(point, _)| point.calm);
    let calm: Vec<[f64; 3]> = calm.map(|(point, _)| figures(point)).collect();
    for (point, _) in &mut all {
        let own = figures(point);
        point.on_front = point.calm && !calm.iter().any(|other| is_beaten(&own, other));
    }
    all
}

/// Returns the cheapest point that keeps the limits on error, delay, age, bandwidth and freezes; if there is none, the point
/// that exceeds them least. Only points with few enough freezes are considered, if there are any. Without a limit of the delay
/// [`DELAY_MOST_MS`] holds: nobody plays with a second of delay to save bandwidth.
pub(super) fn recommend(
    points: &[(RatePoint, Settings)],
    limits: Limits,
) -> Option<Recommendation> {
    let calm = |(point, _): &&(RatePoint, Settings)| point.calm;
    let error = |(point, _): &(RatePoint, Settings)| point.played.surface_error_mm_p95;
    let least_mm = |all: &mut dyn Iterator<Item = f64>| all.fold(f64::MAX, f64::min);
    let is_calm = points.iter().any(|point| calm(&point));
    let considered = || points.iter().filter(move |point| !is_calm || calm(point));
    let default_mm = || NEAR_ENOUGH * least_mm(&mut considered().map(error));
    let is_unlimited = limits.surface_mm.is_none() && limits.view_mm.is_none();
    let surface_mm = limits.surface_mm.or_else(|| is_unlimited.then(default_mm));
    let most = |limit: Option<f64>| limit.unwrap_or(f64::INFINITY);
    let asked_within = |(point, settings): &(RatePoint, Settings), delay_ms: Option<f64>| {
        let played = &point.played;
        let allowed = settings.lane().playout_aim().freezes_per_minute;
        [
            (
                "surface error",
                played.surface_error_mm_p95,
                most(surface_mm),
            ),
            ("error", played.position_error_mm_p95, most(limits.view_mm)),
            ("delay", played.delay_ms, most(delay_ms)),
            ("age", played.behind_ms, most(limits.age_ms)),
            ("kbit/s", point.kbps, most(limits.kbps)),
            ("freezes", played.freezes.per_minute, allowed),
        ]
    };
    let keeps_all = |point: &&(RatePoint, Settings)| {
        let mut asked = asked_within(point, limits.delay_ms).into_iter();
        asked.all(|(_, is, most)| is <= most)
    };
    let kept = considered().filter(keeps_all);
    let shortest_ms = least_mm(&mut kept.map(|(point, _)| point.played.delay_ms));
    let usual_ms = || (shortest_ms < f64::MAX).then(|| shortest_ms.max(DELAY_MOST_MS));
    let delay_ms = limits.delay_ms.or_else(usual_ms);
    let asked = |point: &(RatePoint, Settings)| asked_within(point, delay_ms);
    let broken = |point: &(RatePoint, Settings)| {
        let broken = asked(point).into_iter().filter(|(_, is, most)| is > most);
        broken.map(|(name, ..)| name).collect::<Vec<_>>()
    };
    // How far beyond the limits a point is, as a sum of ratios.
    let beyond = |point: &(RatePoint, Settings)| {
        let over = |(_, is, most): (_, f64, f64)| (is / most.max(f64::MIN_POSITIVE)).max(1.0) - 1.0;
        asked(point).into_iter().map(over).sum::<f64>()
    };
    let frozen = |(point, _): &(RatePoint, Settings)| match point.calm {
        true => 0.0,
        false => 1.0 + point.played.freezes.ms_per_minute,
    };
    let order = |a: &&(RatePoint, Settings), b: &&(RatePoint, Settings)| {
        let by = |of: &dyn Fn(&(RatePoint, Settings)) -> f64| of(a).total_cmp(&of(b));
        by(&beyond)
            .then(by(&frozen))
            .then(by(&|(point, _)| point.kbps))
            .then(by(&|(point, _)| point.played.delay_ms))
            .then(by(&error))
    };
    let best = points.iter().min_by(order)?;
    let (point, settings) = best;
    let breaks = |of: &(RatePoint, Settings)| {
        let figures = asked(of).into_iter().filter(|(_, is, most)| is > most);
        let figures = figures.map(|(name, is, most)| format!("{name} ({is:.1} for {most:.1})"));
        let (point, all) = (&of.0, figures.collect::<Vec<_>>().join(" and "));
        let (hz, delay_ms) = (point.rate_hz, point.played.delay_ms);
        format!("{hz} packets a second with {delay_ms:.0} ms of delay break {all}.")
    };
    let names = broken(best);
    // The nearest that keeps one of those limits.
    let keeps = |of: &&(RatePoint, Settings)| names.iter().any(|it| !broken(of).contains(it));
    let other = points.iter().filter(keeps).min_by(order);
    let cheapest = format!(
        "{} packets a second take {:.1} kbit/s.",
        point.rate_hz, point.kbps
    );
    let is_cheapest = |mm: f64, of: &str, twice: &str| {
        let of = format!("{of} of at most {mm:.1} mm at p95{twice}");
        match (limits.delay_ms, delay_ms) {
            // A rate that is cheaper with a longer delay is no answer: the delay comes first.
            (None, Some(ms)) if ms > DELAY_MOST_MS => format!(
                "{cheapest} With few enough freezes, and {of}, {ms:.0} ms is the shortest tried delay of all rates; {DELAY_MOST_MS:.0} ms or less do not reach that."
            ),
            (None, Some(ms)) => format!(
                "{cheapest} It is the cheapest rate with few enough freezes, {of}, and a playout delay of at most {ms:.0} ms."
            ),
            _ => format!("{cheapest} It is the cheapest rate with few enough freezes, and {of}."),
        }
    };
    let why = match (names.as_slice(), surface_mm, limits.view_mm) {
        ([_, ..], ..) => format!(
            "Nothing keeps all limits. {}{}",
            breaks(best),
            other.map_or(String::new(), |of| format!(" {}", breaks(of)))
        ),
        (_, Some(mm), _) => {
            let twice = if is_unlimited {
                " (twice the least with few enough freezes)"
            } else {
                ""
            };
            is_cheapest(mm, "a surface error", twice)
        }
        (_, None, Some(mm)) => is_cheapest(mm, "a position error", ""),
        (_, None, None) => cheapest,
    };
    Some(Recommendation {
        advice: RateAdvice {
            point: point.clone(),
            surface_mm,
            delay_ms,
            broken: names,
            why,
            link: link(settings),
        },
        settings: *settings,
    })
}
