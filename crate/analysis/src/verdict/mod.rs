//! The verdict on a motion: recommended settings with reasons, and the traffic of other engines.
//!
//! A verdict combines other analyses, a piece at a time: a pass over the motion, the ladder, the widths, and simulated lanes.
//! Lanes run with several interpolation modes and delays, at several send rates and over several networks. The reasons are in
//! `docs/decisions/0051-the-verdict.md`.

mod advice;
mod answer;
mod at_rate;
mod balance;
mod bits_for_error;
mod budget;
mod card;
mod coded;
mod command;
mod engines;
mod home;
mod interpolation;
mod linked;
mod measured_network;
mod motion;
mod networks;
mod places;
mod playing;
mod rate_costs;
mod rates;
mod runs;
mod warnings;

pub use advice::{RungAdvice, VerdictRung};
pub use answer::{Answer, InterpolationAdvice, SurfaceAdvice, Taken, VerdictWindow, WidthAdvice};
pub use balance::BitsPair;
pub use bits_for_error::{BitsOption, ErrorLimits};
pub use budget::{BudgetAdvice, BudgetRow};
pub use card::{CARD_BYTES_MAX, Card, CardNetwork, CardPoint};
pub use command::{CommandNames, SECONDS, Source};
pub use engines::{EngineRow, EqualRate};
pub use linked::LinkedLimits;
pub use measured_network::MeasuredNetwork;
pub use motion::MotionFigures;
pub use networks::{ChosenNetworks, NetworkRow, NetworkWay, Networks, network_ids};
pub use playing::{Freezes, InterpolationResult};
pub use rates::{Limits, RateAdvice, RatePoint, Rates};
pub use warnings::Warning;

use crate::ladder::MTU_BYTES;
use crate::widths::WidthCounts;
use crate::window::TickSpan;
use balance::{Bits, PairCosts};
use bits_for_error::fewest;
use coded::BitsVerdict;
use engines::{EngineRate, Engines};
use home::{Home, package_settings};
use motion::{MotionSurvey, absolute_bits};
use snapshot_codec::{Bounds, CubeState, Format};
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::schema::{Group, SCHEMA};
use snapshot_settings::{Key, Settings, Strategy};

/// Share of the work, for showing progress, that the first pass over the motion takes.
const SURVEY_SHARE: f64 = 0.04;
/// Share of the limit of the surface error that quantisation may cause; interpolation causes the rest. Both errors are
/// independent, so half the limit for quantisation leaves 87 % for interpolation.
const QUANTISATION_SHARE: f64 = 0.5;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// Greatest allowed errors of quantised positions and orientations.
    pub wanted: ErrorLimits,
    pub limits: Limits,
    pub networks: ChosenNetworks,
    pub names: CommandNames,
}

impl Request {
    /// Returns true if bits are chosen by their surface error. So it is if the surface error is limited, or no error is
    /// limited.
    fn is_by_surface(&self) -> bool {
        let ErrorLimits {
            position_mm,
            orientation_deg,
        } = self.wanted;
        let has_two = position_mm.is_some() || orientation_deg.is_some();
        let is_unlimited = self.limits.view_mm.is_none();
        !has_two && (self.limits.surface_mm.is_some() || is_unlimited)
    }
}

/// Returns the number of seconds of a motion that a verdict covers where nobody asks for others: at most a minute, and less of
/// a motion with many objects, so that the answer comes in time.
pub fn judged_seconds(objects: usize) -> u64 {
    /// States of objects at ticks of 60 Hz.
    const STATES_MAX: usize = 80_000;
    const LEAST_S: u64 = 20;
    let seconds = STATES_MAX / objects.max(1) / 60;
    (seconds as u64).clamp(LEAST_S, SECONDS)
}

pub struct Verdict {
    /// The network and the world of the link, with default ends.
    settings: Settings,
    /// The send rate of the default ends, at which the search begins.
    own_hz: u32,
    given: LinkInputs,
    /// Ticks that the verdict covers.
    window: TickSpan,
    request: Request,
    truth: Vec<CubeState>,
    tick: u64,
    survey: MotionSurvey,
    engines: Engines,
    pairs: PairCosts,
    /// Work with each tried pair of bits.
    coded: Vec<BitsVerdict>,
    /// Choices of bits, one for each send rate. The last is the present one; its rate is the recommended rate, or a rate that
    /// came again.
    choices: Vec<Choice>,
    /// The rate at which the present bits are being held against other bits.
    next_hz: Option<u32>,
    /// True once the search for bits has ended.
    is_settled: bool,
    /// Finished share of the work; it never falls.
    share: f64,
}

/// The bits that are the cheapest at a send rate.
#[derive(Clone, Copy)]
struct Choice {
    rate_hz: u32,
    /// Index of the work with these bits in `Verdict::coded`.
    place: usize,
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
    /// Makes a verdict on the ticks after `after` up to `last`, both of which the tape must store. Of `settings` only the
    /// network and the world count: ends begin with the defaults of snapshots, whatever is set. Overrides (forced fates of single packets) are left out, because no network repeats them.
    pub fn new(
        tape: &Tape,
        settings: &Settings,
        given: &LinkInputs,
        request: Request,
        [after, last]: [u64; 2],
    ) -> Verdict {
        let settings = with_default_ends(settings);
        let given = LinkInputs {
            trace: given.trace.clone(),
            ..LinkInputs::default()
        };
        let mut truth = Vec::new();
        tape.read_truth(after, &mut truth);
        let own_hz = settings.lane().at(tape.tick_rate()).send_rate_hz();
        Verdict {
            survey: MotionSurvey::new(&truth, &tape.agreed()),
            engines: Engines::new(tape, &settings, &given, after, EngineRate::Default),
            settings,
            given,
            window: TickSpan { after, last },
            request,
            truth,
            tick: after,
            pairs: PairCosts::default(),
            coded: Vec::new(),
            choices: Vec::new(),
            next_hz: Some(own_hz),
            is_settled: false,
            own_hz,
            share: 0.0,
        }
    }

    /// Changes the request. Results that do not depend on the change are not computed again.
    pub fn change(&mut self, change: impl FnOnce(&mut Request)) {
        change(&mut self.request);
        // The search begins anew, so that the way to a request does not shape its answer.
        self.choices.clear();
        (self.next_hz, self.is_settled, self.share) = (Some(self.own_hz), false, 0.0);
    }

    /// Does a piece of work. Returns false once all is done.
    pub fn work(&mut self, tape: &Tape) -> bool {
        let goes_on = self.work_on(tape);
        self.share = self.share.max(self.share_now());
        goes_on
    }

    fn work_on(&mut self, tape: &Tape) -> bool {
        if !self.is_surveyed() {
            self.survey(tape);
            return true;
        }
        let window = self.window;
        if let Some(rate_hz) = self.next_hz {
            let (pairs, settings) = (self.pairs_to_measure(), self.settings);
            if (self.pairs).work(&pairs, rate_hz, tape, &settings, &self.given, window) {
                return true;
            }
            let Some(bits) = self.bits(rate_hz) else {
                return false;
            };
            let place = self.place_of(tape, bits);
            self.choices.push(Choice { rate_hz, place });
            self.next_hz = None;
        }
        let Some(choice) = self.choices.last() else {
            return false;
        };
        let coded = &mut self.coded[choice.place];
        if !self.is_settled
            && let Some(settings) = coded.agreed_settings(self.request.limits)
        {
            // The bits must be the cheapest at the recommended rate, too.
            let hz = settings.get(Key::SendRate);
            self.is_settled = self.choices.iter().any(|choice| choice.rate_hz == hz);
            self.next_hz = (!self.is_settled).then_some(hz);
            return true;
        }
        let [bounds, _] = self.survey.fitted_bounds();
        coded.work(tape, &self.given, &self.request, window, bounds)
    }

    /// Returns the index of the work with these bits, which begins if they are new.
    fn place_of(&mut self, tape: &Tape, bits: Bits) -> usize {
        let place = self.coded.iter().position(|coded| coded.is_of(bits));
        place.unwrap_or_else(|| {
            let mut settings = self.settings;
            bits.set(&mut settings);
            self.coded.push(BitsVerdict::new(tape, &settings));
            self.coded.len() - 1
        })
    }

    /// The work that the answer shows, with the rate of its bits: that of the present bits, or of those before while the rates
    /// are tried anew. `None` before any work begins.
    fn shown(&self) -> Option<(&BitsVerdict, u32)> {
        let newest_first = self.choices.iter().rev();
        let mut all = newest_first.map(|it| (&self.coded[it.place], it.rate_hz));
        let has_rates = |(coded, _): &(&BitsVerdict, u32)| {
            let recommended = coded.recommended(self.request.limits);
            recommended.is_some()
        };
        let present = all.next()?;
        match has_rates(&present) {
            true => Some(present),
            false => all.find(has_rates).or(Some(present)),
        }
    }

    /// Finished share of the verdict's work, 0 to 1. It does not fall where more work comes up.
    pub fn share(&self) -> f64 {
        self.share
    }

    fn share_now(&self) -> f64 {
        let from = self.window.after;
        let ticks = self.window.ticks().max(1);
        let surveyed = (self.tick - from) as f64 / ticks as f64;
        let coded = (self.choices.last()).map_or(0.0, |choice| {
            let share = self.coded[choice.place].share(from, ticks);
            share.min(if self.next_hz.is_none() { 1.0 } else { 0.0 })
        });
        SURVEY_SHARE * surveyed + (1.0 - SURVEY_SHARE) * coded
    }

    /// Returns the number of finished parts of the answer. The parts are: the verdict at the link's rate; all rates, with the
    /// verdict at the recommended rate; the networks; a budget (if the link's capacity is known).
    pub fn parts(&self) -> usize {
        let request = &self.request;
        self.shown().map_or(0, |(coded, _)| coded.parts(request))
    }

    /// Returns the verdict so far; `None` before its first part is done, or if the window has no packet or no object.
    pub fn answer(&self, tape: &Tape) -> Option<Answer> {
        if self.window.ticks() == 0 || self.survey.is_empty() {
            return None;
        }
        let (coded, bits_hz) = self.shown()?;
        let limits = self.request.limits;
        let (at, costs) = (coded.at(limits)?, coded.costs(limits)?);
        let (settings, playing) = at.recommended()?;
        let rungs = costs.rungs().to_vec();
        if rungs.iter().all(|row| row.packets == 0) {
            return None;
        }
        let rates = coded.rates(limits);
        let recommended = coded.recommended(limits);
        let best = rates.as_ref().map(|rates| &rates.recommended.point);
        let taken = match best {
            Some(point) => Taken {
                kbps: point.kbps,
                played: point.played,
            },
            None => Taken {
                kbps: playing.kbps(),
                played: playing.played(),
            },
        };
        let settings = recommended.unwrap_or(*settings);
        let rung = advice::rung_advice(&rungs, settings.get(Key::Codec) as u8)?;
        let counts = costs.widths()?;
        let tried = at.comparison().all().to_vec();
        let motion = self.survey.figures();
        let [best_bounds, _] = self.survey.fitted_bounds();
        let tick_rate = tape.tick_rate();
        let bounded = bounded_format(tape, &settings, best_bounds);
        let measured_over = MeasuredNetwork::new(&self.settings, &self.given);
        let mut answer = Answer {
            card: None,
            warnings: self.warnings(tape, coded, &rungs, rung.number),
            widths: self.width_advice(tape, &coded.settings, counts, bits_hz),
            interpolation: InterpolationAdvice {
                best: best.map_or(at.comparison().best()?, |point| point.played),
                tried,
                jumps: motion.jumps,
            },
            engines: self.engines.rows(costs.engines()),
            link: advice::link(&settings),
            home: Home::new(&package_settings(&settings, &bounded, tick_rate)),
            freezes: taken.played.freezes,
            taken,
            motion,
            window: VerdictWindow {
                after_tick: self.window.after,
                last_tick: self.window.last,
                seconds: tick_rate.seconds_of_ticks(self.window.ticks()),
                tick_rate_hz: tick_rate.hz(),
                send_rate_hz: costs.rate_hz(),
            },
            mtu_bytes: self.mtu_bytes(),
            rungs,
            rung,
            command: command::command(
                &self.settings,
                &self.given,
                &self.request,
                tick_rate,
                self.window,
            ),
            measured_over,
            network: measured_over.words(),
            networks: coded.networks(&self.request),
            budget: coded.budget(limits),
            rates,
        };
        answer.card = Card::new(&answer).map(|card| card.text());
        Some(answer)
    }

    fn is_surveyed(&self) -> bool {
        self.tick >= self.window.last
    }

    /// Adds one tick to the measurements of the motion, and to the models of the engines.
    fn survey(&mut self, tape: &Tape) {
        let tick = self.tick + 1;
        let lane = self.settings.lane().at(tape.tick_rate());
        if tape.frame(tick, &mut self.truth).is_none() {
            // The tape no longer has it: the verdict ends here.
            self.window.last = self.tick;
            return;
        }
        let leaves = tape.tick_rate().sends_at(tick, lane.send_rate_hz());
        self.survey.tick(tick, &self.truth, leaves);
        self.engines.work(tape, tick);
        self.tick = tick;
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
    /// Without a pair that is fine enough the candidate is the finest. Empty if bits are not chosen by their surface error.
    fn pairs_to_measure(&self) -> Vec<Bits> {
        if !self.request.is_by_surface() {
            return Vec::new();
        }
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

    /// Returns the recommended bits at a send rate: the pair with the least bandwidth within the surface error, or the fewest
    /// bits within each separate limit. `None` while costs of pairs are still measured.
    fn bits(&self, rate_hz: u32) -> Option<Bits> {
        if self.request.is_by_surface() {
            return Some(self.balanced(rate_hz)?.taken.bits());
        }
        let mut bits = Bits::from_settings(&self.settings);
        let errors = &self.survey.errors;
        if let Some(wanted_mm) = self.request.wanted.position_mm {
            bits.position = fewest(&errors.position_options(), wanted_mm).bits;
        }
        if let Some(wanted_deg) = self.request.wanted.orientation_deg {
            bits.orientation = fewest(&errors.orientation_options(), wanted_deg).bits;
        }
        Some(bits)
    }

    /// Returns the choice of bits by their surface error; `None` if bits are chosen in another way, or costs of pairs are not
    /// measured yet.
    fn balanced(&self, rate_hz: u32) -> Option<SurfaceAdvice> {
        let measured = self.pairs_to_measure();
        let pairs = self.pairs.pairs(&measured, rate_hz, &self.survey.joint)?;
        let wanted_mm = self.wanted_surface_mm();
        let own = Bits::from_settings(&self.settings);
        let fits = |pair: &&BitsPair| pair.surface_mm <= wanted_mm;
        let taken = pairs.iter().find(fits);
        let finest = || pairs.iter().find(|pair| pair.bits() == Bits::FINEST);
        Some(SurfaceAdvice {
            wanted_mm,
            kept: taken.is_some(),
            taken: *taken.or_else(finest)?,
            set: *pairs.iter().find(|pair| pair.bits() == own)?,
            pairs,
        })
    }

    /// Returns the warnings on the link's settings, with the recommended `rung`.
    fn warnings(
        &self,
        tape: &Tape,
        coded: &BitsVerdict,
        rungs: &[VerdictRung],
        rung: u8,
    ) -> Vec<Warning> {
        warnings::warnings(&warnings::Facts {
            settings: &self.settings.lane().over(&self.given).at(tape.tick_rate()),
            motion: &self.survey.figures(),
            bounds: tape.agreed().bounds,
            fitted: self.survey.fitted_bounds(),
            position_bits: coded.settings.get(Key::PositionBits),
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
    ) -> WidthAdvice {
        let errors = &self.survey.errors;
        let chosen = |options: &[BitsOption], key: Key| {
            let set = |option: &&BitsOption| option.bits == settings.get(key);
            options.iter().find(set).copied().unwrap_or_default()
        };
        let position_options = errors.position_options();
        let position_bits = chosen(&position_options, Key::PositionBits);
        let orientation_options = errors.orientation_options();
        let orientation_bits = chosen(&orientation_options, Key::OrientationBits);
        let keeps = |wanted: Option<f64>, option: BitsOption| {
            wanted.is_none_or(|wanted| option.error_max <= wanted)
        };
        let ErrorLimits {
            position_mm,
            orientation_deg,
        } = self.request.wanted;
        let surface = self.balanced(rate_hz);
        let bounds = tape.agreed().bounds;
        let [best_bounds, _] = self.survey.fitted_bounds();
        WidthAdvice {
            rate_hz,
            wanted_mm: position_mm,
            wanted_deg: orientation_deg,
            kept: keeps(position_mm, position_bits)
                && keeps(orientation_deg, orientation_bits)
                && surface.as_ref().is_none_or(|surface| surface.kept),
            surface,
            position_bits,
            orientation_bits,
            position: counts.position.best,
            orientation: counts.orientation.best,
            set_bits_per_changed_cube: counts.position.chosen.bits_per_changed_cube
                + counts.orientation.chosen.bits_per_changed_cube,
            bounds: [bounds.lower(), bounds.upper()],
            best_bounds: [best_bounds.lower(), best_bounds.upper()],
            absolute_bits: [bounds, best_bounds].map(|of| absolute_bits(of, position_bits.bits)),
            position_options,
            orientation_options,
        }
    }
}

/// Returns the packet format of a motion under some settings, with other world bounds.
fn bounded_format(tape: &Tape, settings: &Settings, bounds: Bounds) -> Format {
    let lane = settings.lane();
    let format = tape.agreed().format(lane.rung(), lane.class(), &lane);
    format
        .with_bounds(bounds)
        .expect("a motion's bounds do at any bits")
}

#[cfg(test)]
mod tests;
