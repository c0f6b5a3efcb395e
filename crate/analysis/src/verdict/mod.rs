//! The verdict on a motion: recommended settings with reasons, and the traffic of other engines.
//!
//! A verdict combines other analyses, in steps: a pass over the motion, then measurements that a `sweep` makes once each, a step
//! for each. These are ladders, widths, and simulated lanes with several interpolation modes, delays, send rates and networks.
//! What follows from them are functions of the sweep. The reasons are in `docs/decisions/0051-the-verdict.md`.

mod advice;
mod agreement;
mod answer;
mod balance;
mod card;
mod engines;
mod home;
mod interpolation;
mod linked;
mod measured_network;
mod motion;
mod networks;
mod playing;
mod quantisation_errors;
mod rates;
mod runs;
mod sweep;
mod warnings;

pub use advice::{RungAdvice, VerdictRung};
pub use answer::{Answer, InterpolationAdvice, SurfaceAdvice, VerdictWindow, WidthAdvice};
pub use balance::BitsPair;
pub use card::{CARD_BYTES_MAX, Card, CardNetwork, CardPoint};
pub use engines::{EngineRow, EqualRate};
pub use linked::LinkedLimits;
pub use measured_network::MeasuredNetwork;
pub use motion::MotionFigures;
pub use networks::{ChosenNetworks, NetworkConditions, NetworkRow, Networks, network_ids};
pub use playing::{Freezes, InterpolationResult, Taken};
pub use quantisation_errors::BitsOption;
pub use rates::{Limits, RateAdvice, RatePoint, Rates};
pub use warnings::Warning;

use crate::ladder::MTU_BYTES;
use crate::span::TickSpan;
use crate::widths::WidthCounts;
use agreement::Agreement;
use balance::Bits;
use engines::Engines;
use home::{Home, package_settings};
use interpolation::spread_ms;
use motion::{MotionSurvey, absolute_bits};
use snapshot_codec::{Bounds, Format};
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::schema::{Group, SCHEMA};
use snapshot_settings::{Key, Settings, Strategy};
use sweep::{Missing, Sweep};

/// Share of the work, for showing progress, that the first pass over the motion takes.
const SURVEY_SHARE: f64 = 0.04;
/// Shares of the work for each part of the answer, after the pass; the sum is 1. Only for showing progress.
const PART_SHARES: [f64; 3] = [0.25, 0.35, 0.4];
/// Share of the limit of the surface error that quantisation may cause; interpolation causes the rest. Both errors are
/// independent, so half the limit for quantisation leaves 87 % for interpolation.
const QUANTISATION_SHARE: f64 = 0.5;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    pub limits: Limits,
    pub networks: ChosenNetworks,
}

/// Returns the number of seconds of a motion that a verdict covers where nobody asks for others: at most a minute, and less of
/// a motion with many objects, so that the answer comes in time.
pub fn judged_seconds(objects: usize) -> u64 {
    /// States of objects at ticks of 60 Hz.
    const STATES_MAX: usize = 80_000;
    const SECONDS: std::ops::RangeInclusive<u64> = 20..=60;
    let seconds = STATES_MAX / objects.max(1) / 60;
    (seconds as u64).clamp(*SECONDS.start(), *SECONDS.end())
}

pub struct Verdict {
    /// The network and the world of the link, with default ends.
    settings: Settings,
    request: Request,
    survey: MotionSurvey,
    engines: Engines,
    /// The measurements so far, and the ticks that they cover.
    sweep: Sweep,
    /// The answer by the measurements so far; `None` before the first part.
    found: Option<Found>,
    /// Finished share of the work; it never falls.
    share: f64,
}

/// The verdict so far.
struct Found {
    /// Settings with the recommended bits.
    bits: Settings,
    /// The send rate at which bits were compared.
    bits_hz: u32,
    agreed: Agreement,
    networks: Option<Networks>,
}

impl Found {
    fn parts(&self) -> usize {
        let rates = &self.agreed.rates;
        let parts = [rates.is_some(), self.networks.is_some()];
        1 + parts.into_iter().take_while(|is| *is).count()
    }
}

/// Returns the settings of network and world, with a sender and a receiver of snapshots by their defaults: no slider of a page
/// shapes a verdict.
fn with_default_ends(settings: &Settings) -> Settings {
    let mut verdict = *settings;
    let _ = verdict.set(Key::Strategy, Strategy::Snapshot as u32);
    for setting in &SCHEMA {
        let is_of_ends = matches!(setting.group, Group::Sender | Group::Receiver);
        if is_of_ends && setting.key != Key::Strategy && !setting.is_shared_by_lanes() {
            let _ = verdict.set(setting.key, setting.default_in(Strategy::Snapshot));
        }
    }
    verdict
}

impl Verdict {
    /// Begins a verdict on the ticks after `after` up to `last`, of which the tape must store the first. Of `settings` only the
    /// network and the world count: ends begin with the defaults of snapshots, whatever is set. Overrides (forced fates of
    /// single packets) are left out, because no network repeats them.
    pub fn new(
        tape: &Tape,
        settings: &Settings,
        link_inputs: &LinkInputs,
        request: Request,
        [after, last]: [u64; 2],
    ) -> Verdict {
        let settings = with_default_ends(settings);
        let link_inputs = LinkInputs {
            trace: link_inputs.trace.clone(),
            ..LinkInputs::default()
        };
        let window = TickSpan {
            after,
            last: last.min(tape.last_tick()),
        };
        Verdict {
            survey: MotionSurvey::of(tape, &settings, window),
            engines: Engines::run(tape, &settings, &link_inputs, window, None),
            settings,
            sweep: Sweep::new(link_inputs, window),
            request,
            found: None,
            share: SURVEY_SHARE,
        }
    }

    /// Changes the request. Measurements are not made again.
    pub fn change(&mut self, change: impl FnOnce(&mut Request)) {
        change(&mut self.request);
        (self.found, self.share) = (None, SURVEY_SHARE);
    }

    /// Makes the next measurement. Returns false once all is done.
    pub fn step(&mut self, tape: &Tape) -> bool {
        let mut found = None;
        let all = self.find(tape, &mut found);
        let parts = found.as_ref().map_or(0, Found::parts);
        self.found = found;
        let Err(Missing::Asked(asked, share)) = all else {
            self.share = 1.0;
            return false;
        };
        let done: f64 = PART_SHARES[..parts].iter().sum();
        let share = done + share * PART_SHARES[parts.min(PART_SHARES.len() - 1)];
        let share = SURVEY_SHARE + (1.0 - SURVEY_SHARE) * share;
        self.share = self.share.max(share.min(1.0));
        self.sweep.make(tape, *asked);
        true
    }

    /// Finds all parts of the verdict in turn, until a measurement is missing.
    fn find(&self, tape: &Tape, found: &mut Option<Found>) -> Result<(), Missing> {
        let (sweep, tick_rate) = (&self.sweep, tape.tick_rate());
        let limits = self.request.limits;
        let own = self.settings.lane().at(tick_rate);
        let (mut bits_hz, mut rates_hz) = (own.send_rate_hz(), Vec::new());
        // The bits must be the cheapest at the recommended rate, too.
        while !rates_hz.contains(&bits_hz) {
            rates_hz.push(bits_hz);
            let mut bits = self.settings;
            self.balanced(bits_hz)?.taken.bits().set(&mut bits);
            let spread_ms = spread_ms(&bits, &sweep.link_inputs, tick_rate);
            let of = move |agreed: Agreement| Found {
                bits,
                bits_hz,
                agreed,
                networks: None,
            };
            if found.is_none() {
                let own = Agreement::at_own_rate(sweep, &bits, tick_rate, spread_ms)?;
                *found = Some(of(own));
            }
            let agreed = Agreement::find(sweep, &bits, tick_rate, spread_ms, limits)?;
            bits_hz = agreed.at.rate_hz;
            *found = Some(of(agreed));
        }
        let Some(found) = found else {
            return Ok(());
        };
        let Some(rates) = &found.agreed.rates else {
            return Ok(());
        };
        let point = &rates.recommended.point;
        let spread_ms = spread_ms(&found.bits, &sweep.link_inputs, tick_rate);
        found.networks = networks::networks(
            sweep,
            &point.settings,
            &point.played,
            tick_rate,
            spread_ms,
            &self.request.networks,
            limits,
        )?;
        Ok(())
    }

    /// Finished share of the verdict's work, 0 to 1. It does not fall where more work comes up.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// Returns the number of finished parts of the answer. The parts are: the verdict at the link's rate; all rates, with the
    /// verdict at the recommended rate; the networks.
    pub fn parts(&self) -> usize {
        self.found.as_ref().map_or(0, Found::parts)
    }

    /// Returns the verdict so far; `None` before its first part is done, or if the window has no packet or no object.
    pub fn answer(&self, tape: &Tape) -> Option<Answer> {
        let window = self.sweep.window;
        if window.ticks() == 0 || self.survey.is_empty() {
            return None;
        }
        let found = self.found.as_ref()?;
        let Agreement { costs, at, rates } = &found.agreed;
        let costs = self.sweep.costs(costs).ok()?;
        let rungs = costs.rungs.clone();
        if rungs.iter().all(|row| row.packets == 0) {
            return None;
        }
        let best = rates.as_ref().map(|rates| &rates.recommended.point);
        let taken = best.map_or(at.taken, |point| Taken {
            kbps: point.kbps,
            played: point.played,
        });
        let settings = best.map_or(at.best, |point| point.settings);
        let rung = advice::rung_advice(&rungs, settings.rung().number())?;
        let tried = at.trials.all.clone();
        let motion = self.survey.figures();
        let [best_bounds, _] = self.survey.fitted_bounds();
        let tick_rate = tape.tick_rate();
        let bounded = bounded_format(tape, &settings, best_bounds);
        let measured_over = MeasuredNetwork::new(&self.settings, &self.sweep.link_inputs);
        let mut answer = Answer {
            card: None,
            warnings: self.warnings(tape, &found.bits, &rungs, rung.number),
            widths: self.width_advice(tape, &found.bits, &costs.widths, found.bits_hz)?,
            interpolation: InterpolationAdvice {
                best: best.map_or(at.trials.best()?, |point| point.played),
                tried,
                jumps: motion.jumps,
            },
            engines: self.engines.rows(&costs.engines),
            link: advice::link(&settings),
            home: Home::new(&package_settings(&settings, &bounded, tick_rate)),
            freezes: taken.played.freezes,
            taken,
            motion,
            window: VerdictWindow {
                after_tick: window.after,
                last_tick: window.last,
                seconds: tick_rate.seconds_of_ticks(window.ticks()),
                tick_rate_hz: tick_rate.hz(),
                send_rate_hz: at.rate_hz,
            },
            mtu_bytes: self.mtu_bytes(),
            rungs,
            rung,
            measured_over,
            network: measured_over.words(),
            networks: found.networks.clone(),
            rates: rates.clone(),
        };
        answer.card = Card::new(&answer).map(|card| card.text());
        Some(answer)
    }

    /// Returns the greatest surface error that quantisation may cause, mm: a share of the limit, or without a limit the error
    /// of the link's bits.
    fn wanted_surface_mm(&self) -> f64 {
        let limit = self.request.limits.surface_mm;
        let own_mm = || {
            self.survey
                .joint
                .worst_mm(Bits::from_settings(&self.settings))
        };
        limit.map_or_else(own_mm, |limit_mm| QUANTISATION_SHARE * limit_mm)
    }

    /// Returns the pairs of bits to measure: the candidates, of which the cheapest is recommended, then the link's own pair.
    /// Without a pair that is fine enough the candidate is the finest.
    fn pairs_to_measure(&self) -> Vec<Bits> {
        let own = Bits::from_settings(&self.settings);
        let wanted_mm = self.wanted_surface_mm();
        let turns = self.survey.figures().turns;
        let mut pairs = self.survey.joint.candidates(wanted_mm);
        // Where nothing turns, bits of an orientation cost nothing: there is nothing to balance.
        if let Some(bits) = (!turns)
            .then(|| self.survey.joint.coarsest(wanted_mm, own.orientation))
            .flatten()
        {
            pairs = vec![bits];
        }
        if pairs.is_empty() {
            pairs.push(Bits::FINEST);
        }
        if !pairs.contains(&own) {
            pairs.push(own);
        }
        pairs
    }

    /// Returns the choice of bits at a send rate: the pair with the least bandwidth within the surface error.
    fn balanced(&self, rate_hz: u32) -> Result<SurfaceAdvice, Missing> {
        let measured = self.pairs_to_measure();
        let (sweep, joint) = (&self.sweep, &self.survey.joint);
        let pairs = balance::pairs(sweep, &self.settings, &measured, rate_hz, joint)?;
        let wanted_mm = self.wanted_surface_mm();
        let own = Bits::from_settings(&self.settings);
        let fits = |pair: &&BitsPair| pair.surface_mm <= wanted_mm;
        let taken = pairs.iter().find(fits);
        let of = |bits: Bits| pairs.iter().find(|pair| pair.bits() == bits);
        let (Some(best), Some(set)) = (taken.or(of(Bits::FINEST)), of(own)) else {
            return Err(Missing::Packets);
        };
        Ok(SurfaceAdvice {
            wanted_mm,
            kept: taken.is_some(),
            taken: *best,
            set: *set,
            pairs,
        })
    }

    /// Returns the warnings on the link's settings, with the recommended `rung`.
    fn warnings(
        &self,
        tape: &Tape,
        bits: &Settings,
        rungs: &[VerdictRung],
        rung: u8,
    ) -> Vec<Warning> {
        warnings::warnings(&warnings::Facts {
            settings: &self
                .settings
                .lane()
                .over(&self.sweep.link_inputs)
                .at(tape.tick_rate()),
            motion: &self.survey.figures(),
            bounds: tape.session_config().bounds,
            fitted: self.survey.fitted_bounds(),
            position_bits: bits.position_bits(),
            rungs,
            rung,
            mtu_bytes: self.mtu_bytes(),
        })
    }

    fn mtu_bytes(&self) -> u32 {
        self.settings.lane().mtu_bytes().unwrap_or(MTU_BYTES)
    }

    fn width_advice(
        &self,
        tape: &Tape,
        settings: &Settings,
        counts: &WidthCounts,
        rate_hz: u32,
    ) -> Option<WidthAdvice> {
        let errors = &self.survey.errors;
        let chosen = |options: &[BitsOption], key: Key| {
            let set = |option: &&BitsOption| option.bits == settings.get(key);
            options.iter().find(set).copied().unwrap_or_default()
        };
        let position_bits = chosen(&errors.position_options(), Key::PositionBits);
        let orientation_bits = chosen(&errors.orientation_options(), Key::OrientationBits);
        let bounds = tape.session_config().bounds;
        let [best_bounds, _] = self.survey.fitted_bounds();
        Some(WidthAdvice {
            rate_hz,
            surface: self.balanced(rate_hz).ok()?,
            position_bits,
            orientation_bits,
            position: counts.position.best,
            orientation: counts.orientation.best,
            set_bits_per_changed_cube: counts.position.chosen.bits_per_changed_cube
                + counts.orientation.chosen.bits_per_changed_cube,
            bounds: [bounds.lower(), bounds.upper()],
            best_bounds: [best_bounds.lower(), best_bounds.upper()],
            absolute_bits: [bounds, best_bounds].map(|of| absolute_bits(of, position_bits.bits)),
        })
    }
}

/// Returns the packet format of a motion under some settings, with other world bounds.
fn bounded_format(tape: &Tape, settings: &Settings, bounds: Bounds) -> Format {
    let lane = settings.lane();
    let format = tape
        .session_config()
        .format(lane.rung(), lane.class(), &lane);
    format
        .with_bounds(bounds)
        .expect("a motion's bounds do at any bits")
}

#[cfg(test)]
mod tests;
