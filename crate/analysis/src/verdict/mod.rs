//! The verdict on a motion: recommended settings with reasons, and the traffic of other engines.
//!
//! A verdict combines other analyses, in steps: a pass over the motion, then measurements that a `sweep` makes once each, a step
//! for each. These are ladders, widths, and simulated lanes with several interpolation modes, delays, and send rates.
//! What follows from them are functions of the sweep. The reasons are in `docs/decisions/0051-the-verdict.md`.

mod advice;
mod answer;
mod balance;
mod card;
mod engines;
mod home;
mod interpolation;
mod linked;
mod measured_network;
mod motion;
mod playing;
mod rates;
mod runs;
mod sweep;
mod warnings;

pub use advice::RungAdvice;
pub use answer::{Answer, SurfaceAdvice, VerdictWindow, WidthAdvice};
pub use balance::BitsPair;
pub use card::{CARD_BYTES_MAX, Card, CardPoint};
pub use engines::{EngineRow, EqualRate};
pub use measured_network::MeasuredNetwork;
pub use motion::MotionFigures;
pub use playing::{Freezes, InterpolationResult, Taken};
pub use rates::{Limits, RateAdvice, RatePoint, Rates};
pub use warnings::Warning;

use crate::ladder::MTU_BYTES;
use crate::span::TickSpan;
use crate::widths::WidthCounts;
use balance::Bits;
use engines::Engines;
use home::Home;
use interpolation::spread_ms;
use motion::{MotionSurvey, absolute_bits};
use rates::{AtRate, at_rates, with_rate};
use snapshot_base::time::TickRate;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::schema::{Group, SCHEMA};
use snapshot_settings::{Key, Settings, Strategy};
use sweep::{Missing, Sweep};

/// Share of the work, for showing progress, that the first pass over the motion takes.
const SURVEY_SHARE: f64 = 0.04;
/// Shares of the work for each part of the answer, after the pass; the sum is 1. Only for showing progress.
const PART_SHARES: [f64; 2] = [0.4, 0.6];
/// Share of the limit of the surface error that quantisation may cause; interpolation causes the rest. Both errors are
/// independent, so half the limit for quantisation leaves 87 % for interpolation.
const QUANTISATION_SHARE: f64 = 0.5;

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
    limits: Limits,
    survey: MotionSurvey,
    engines: Engines,
    /// The measurements so far, and the ticks that they cover.
    sweep: Sweep,
    /// The answer by the measurements so far; `None` before the first part.
    found: Option<Found>,
    /// Finished share of the work; it never falls.
    share: f64,
}

/// The verdict so far, at one send rate.
struct Found {
    /// Packets a second at which bits were compared.
    bits_hz: u32,
    /// Settings with the recommended bits and the send rate, whose costs are shown.
    costs: Settings,
    at: AtRate,
    /// Results of all send rates; `None` before they are measured.
    rates: Option<Rates>,
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
        limits: Limits,
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
        let spread_ms = spread_ms(&settings, &link_inputs, tape.tick_rate());
        Verdict {
            survey: MotionSurvey::of(tape, &settings, window),
            engines: Engines::run(tape, &settings, &link_inputs, window, None),
            settings,
            sweep: Sweep::new(link_inputs, window, spread_ms),
            limits,
            found: None,
            share: SURVEY_SHARE,
        }
    }

    /// Changes the limits. Measurements are not made again.
    pub fn set_limits(&mut self, limits: Limits) {
        (self.limits, self.found, self.share) = (limits, None, SURVEY_SHARE);
    }

    /// Makes the next measurement. Returns false once all is done.
    pub fn step(&mut self, tape: &Tape) -> bool {
        let mut found = None;
        let all = self.find(tape, &mut found);
        self.found = found;
        let Err(Missing::Asked(asked, settings, share)) = all else {
            self.share = 1.0;
            return false;
        };
        // The last part goes on where the recommended rate asks for other bits.
        let part = self.parts().min(PART_SHARES.len() - 1);
        let done: f64 = PART_SHARES[..part].iter().sum();
        let share = done + share * PART_SHARES[part];
        let share = SURVEY_SHARE + (1.0 - SURVEY_SHARE) * share;
        self.share = self.share.max(share.min(1.0));
        self.sweep.make(tape, asked, *settings);
        true
    }

    /// Finds the verdict at the link's send rate, then at the recommended one, until a measurement is missing. The bits must be
    /// the cheapest at the recommended rate, too: they are chosen anew until a rate comes again.
    fn find(&self, tape: &Tape, found: &mut Option<Found>) -> Result<(), Missing> {
        let mut bits_hz = self.settings.lane().at(tape.tick_rate()).send_rate_hz();
        let mut tried_hz = Vec::new();
        while !tried_hz.contains(&bits_hz) {
            tried_hz.push(bits_hz);
            bits_hz = self.agree(tape.tick_rate(), bits_hz, found)?;
        }
        Ok(())
    }

    /// Finds rung and send rate under the bits that are the cheapest at `bits_hz`, and returns the rate. The best rung depends
    /// on the rate, and the recommended rate on the rung: they are chosen in turns, until a rung comes again.
    fn agree(
        &self,
        tick_rate: TickRate,
        bits_hz: u32,
        found: &mut Option<Found>,
    ) -> Result<u32, Missing> {
        let (sweep, mut bits) = (&self.sweep, self.settings);
        let mut hz = bits.lane().at(tick_rate).send_rate_hz();
        self.balanced(bits_hz)?.taken.bits().set(&mut bits);
        let (mut before, mut last) = (Vec::new(), None::<(Vec<AtRate>, Rates)>);
        loop {
            let costs = with_rate(&bits, hz);
            let advised = sweep.costs(&costs)?.advise(&bits)?;
            if before.contains(&advised)
                && let Some((all, rates)) = last
            {
                let at = all.into_iter().find(|at| at.rate_hz == hz);
                *found = Some(Found {
                    bits_hz,
                    costs,
                    at: at.ok_or(Missing::Packets)?,
                    rates: Some(rates),
                });
                return Ok(hz);
            }
            if found.is_none() {
                *found = Some(Found {
                    bits_hz,
                    costs,
                    at: AtRate::of(sweep, &with_rate(&advised, hz), tick_rate)?,
                    rates: None,
                });
            }
            let all = at_rates(sweep, &advised, tick_rate)?;
            let rates = Rates::new(&all, self.limits).ok_or(Missing::Packets)?;
            hz = rates.recommended.point.rate_hz;
            before.push(advised);
            last = Some((all, rates));
        }
    }

    /// Finished share of the verdict's work, 0 to 1. It does not fall where more work comes up.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// Returns the number of finished parts of the answer: the verdict at the link's rate, then the verdict at the recommended
    /// one of all rates.
    pub fn parts(&self) -> usize {
        let found = self.found.as_ref();
        found.map_or(0, |found| 1 + usize::from(found.rates.is_some()))
    }

    /// Returns the verdict so far; `None` before its first part is done, or if the window has no packet or no object.
    pub fn answer(&self, tape: &Tape) -> Option<Answer> {
        let window = self.sweep.window;
        if window.ticks() == 0 || self.survey.is_empty() {
            return None;
        }
        let found = self.found.as_ref()?;
        let Found {
            costs, at, rates, ..
        } = found;
        let measured = self.sweep.costs(costs).ok()?;
        let rungs = measured.rungs.clone();
        let best = rates.as_ref().map(|rates| &rates.recommended.point);
        let taken = best.map_or(at.taken, |point| Taken {
            kbps: point.kbps,
            played: point.played,
        });
        let settings = best.map_or(at.best, |point| point.settings);
        let rung = advice::rung_advice(&rungs, settings.rung().number())?;
        let cost = rungs.iter().find(|row| row.rung == rung.number)?;
        let (motion, bounds) = (self.survey.figures(), self.survey.fitted_bounds());
        let tick_rate = tape.tick_rate();
        let seconds = tick_rate.seconds_of_ticks(window.ticks());
        let bytes = cost.bytes_per_packet * cost.packets as f64;
        let mtu_bytes = self.settings.lane().mtu_bytes().unwrap_or(MTU_BYTES);
        let measured_over = MeasuredNetwork::new(&self.settings, &self.sweep.link_inputs);
        let mut answer = Answer {
            card: None,
            warnings: warnings::warnings(&motion, cost, mtu_bytes),
            widths: self.width_advice(tape, found.bits_hz, &measured.widths)?,
            payload_kbps: bytes * 8.0 / seconds.max(f64::MIN_POSITIVE) / 1000.0,
            tried: at.trials.all.clone(),
            engines: self.engines.rows(&measured.engines),
            link: advice::link(&settings),
            home: Home::new(&settings, motion.objects, bounds, tick_rate),
            taken,
            motion,
            window: VerdictWindow {
                after_tick: window.after,
                last_tick: window.last,
                seconds,
                tick_rate_hz: tick_rate.hz(),
                send_rate_hz: at.rate_hz,
            },
            mtu_bytes,
            rungs,
            rung,
            measured_over,
            network: measured_over.words(),
            rates: rates.clone(),
        };
        answer.card = Card::new(&answer).map(|card| card.text());
        Some(answer)
    }

    /// Returns the greatest surface error that quantisation may cause, mm: a share of the limit, or without a limit the error
    /// of the link's bits.
    fn wanted_surface_mm(&self) -> f64 {
        let limit = self.limits.surface_mm;
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

    fn width_advice(&self, tape: &Tape, rate_hz: u32, counts: &WidthCounts) -> Option<WidthAdvice> {
        let surface = self.balanced(rate_hz).ok()?;
        let bounds = [tape.session_config().bounds, self.survey.fitted_bounds()];
        Some(WidthAdvice {
            rate_hz,
            position: counts.position.best,
            orientation: counts.orientation.best,
            set_bits_per_changed_cube: counts.position.chosen.bits_per_changed_cube
                + counts.orientation.chosen.bits_per_changed_cube,
            best_bounds: [bounds[1].lower(), bounds[1].upper()],
            absolute_bits: bounds.map(|of| absolute_bits(of, surface.taken.position_bits)),
            surface,
        })
    }
}

#[cfg(test)]
mod tests;
