//! The part of a verdict that depends on the bits of positions and orientations: costs of rungs, send rates, networks and
//! budgets.
//!
//! The best rung depends on the send rate, and the recommended rate depends on the rung. So both are chosen in turns,
//! beginning with the best rung at the link's rate. The turns end when rung and rate agree, or a rung comes again.

use super::Request;
use super::advice;
use super::at_rate::AtRate;
use super::balance::Bits;
use super::bounded_format;
use super::budget::{BudgetAdvice, BudgetWork};
use super::interpolation::spread_ms;
use super::networks::{NetworkWork, Networks};
use super::rate_costs::RateCosts;
use super::rates::{Limits, RateAdvice, RatePoint, RateWork, Rates, points, recommend};
use crate::window::TickSpan;
use snapshot_codec::Bounds;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::Settings;

/// Shares of the work, for showing progress; the sum is 1. In order: costs at the link's rate, all rates, costs at the
/// recommended rate, networks, and budgets (if the link's capacity is known). Further turns of choosing rung and rate are
/// rare, and are not in the sum.
const SHARES: [f64; 5] = [0.1, 0.35, 0.05, 0.35, 0.15];

/// The part of a verdict that depends on the bits of positions and orientations.
pub(super) struct BitsVerdict {
    /// Settings with the bits that keep the wanted errors.
    pub(super) settings: Settings,
    own_hz: u32,
    costs: Vec<RateCosts>,
    rates: Vec<RungRates>,
    networks: Option<NetworkWork>,
    /// The settings that a budget is measured for, with the measurement. The inner `None` means that there is no budget to
    /// try.
    budget: Option<(Settings, Option<BudgetWork>)>,
}

/// Measurement of all send rates, with one rung and its widths.
struct RungRates {
    settings: Settings,
    work: RateWork,
    /// Measured points of all send rates; empty until all rates are measured.
    points: Vec<RatePoint>,
}

/// The next step of the work, from the results so far.
enum NextWork {
    Costs(u32),
    Rates(Box<Settings>),
    /// No step: rung and rate agree. `rates` and `costs` are indices into the verdict's `rates` and `costs`.
    Agreed {
        rates: usize,
        costs: usize,
    },
    /// No step: no packet is sent, so that nothing can be recommended.
    Nothing,
}

impl BitsVerdict {
    pub(super) fn new(tape: &Tape, settings: &Settings) -> BitsVerdict {
        BitsVerdict {
            settings: *settings,
            own_hz: settings.lane().at(tape.tick_rate()).send_rate_hz(),
            costs: Vec::new(),
            rates: Vec::new(),
            networks: None,
            budget: None,
        }
    }

    /// Returns true if this work has these bits.
    pub(super) fn is_of(&self, bits: Bits) -> bool {
        Bits::from_settings(&self.settings) == bits
    }

    fn next_work(&self, limits: Limits) -> NextWork {
        let (mut hz, mut before) = (self.own_hz, Vec::new());
        loop {
            let is_of = |costs: &RateCosts| costs.rate_hz() == hz && costs.is_done();
            let Some(costs) = self.costs.iter().position(is_of) else {
                return NextWork::Costs(hz);
            };
            let found = &self.costs[costs];
            let (Some(rung), Some(widths)) = (found.rung(), found.widths()) else {
                return NextWork::Nothing;
            };
            let advised = advice::advised(&self.settings, rung, widths);
            let is_of = |rates: &RungRates| rates.settings == advised && !rates.points.is_empty();
            let found = self.rates.iter().position(is_of);
            match (before.last().copied(), found) {
                (Some(last), Some(rates)) if before.contains(&rates) => {
                    return NextWork::Agreed { rates: last, costs };
                }
                (_, Some(rates)) => {
                    let Some(advice) = recommend(&self.rates[rates].points, limits) else {
                        return NextWork::Nothing;
                    };
                    hz = advice.point.rate_hz;
                    before.push(rates);
                }
                (_, None) => return NextWork::Rates(Box::new(advised)),
            }
        }
    }

    /// Does a piece of the costs or rates that were begun; `None` if none are. Returns false if no rate gives a point.
    fn go_on(&mut self, tape: &Tape, given: &LinkInputs, window: TickSpan) -> Option<bool> {
        if let Some(costs) = self.costs.last_mut().filter(|costs| !costs.is_done()) {
            costs.work(tape, window.last);
            return Some(true);
        }
        let rates = self.rates.last_mut().filter(|it| it.points.is_empty())?;
        if rates.work.work(tape, given, window) {
            return Some(true);
        }
        rates.points = points(rates.work.done());
        Some(!rates.points.is_empty())
    }

    /// Does a piece of work. Returns false once all is done.
    pub(super) fn work(
        &mut self,
        tape: &Tape,
        given: &LinkInputs,
        request: &Request,
        window: TickSpan,
        bounds: Bounds,
    ) -> bool {
        // The next work is known once the begun work is done.
        if let Some(goes_on) = self.go_on(tape, given, window) {
            return goes_on;
        }
        match self.next_work(request.limits) {
            NextWork::Costs(hz) => {
                let costs = RateCosts::new(tape, &self.settings, given, window.after, hz);
                self.costs.push(costs);
                true
            }
            NextWork::Rates(settings) => {
                let spread_ms = spread_ms(&self.settings, given, tape.tick_rate());
                self.rates.push(RungRates {
                    work: RateWork::new(tape, &settings, spread_ms),
                    settings: *settings,
                    points: Vec::new(),
                });
                true
            }
            NextWork::Agreed { rates, .. } => {
                let Some(advice) = recommend(&self.rates[rates].points, request.limits) else {
                    return false;
                };
                let (settings, played) = (advice.point.settings, advice.point.played);
                (self.networks).take_if(|networks| !networks.is_of(&settings));
                let networks = (self.networks).get_or_insert_with(|| {
                    let spread_ms = spread_ms(&self.settings, given, tape.tick_rate());
                    NetworkWork::new(tape, &settings, played, spread_ms)
                });
                networks.choose(tape, given, &request.networks, request.limits);
                if networks.work(tape, window) {
                    return true;
                }
                (self.budget).take_if(|(of, _)| *of != settings);
                let points = &self.rates[rates].points;
                let (_, budget) = (self.budget).get_or_insert_with(|| {
                    let format = bounded_format(tape, &settings, bounds);
                    let budget = BudgetWork::new(tape, &settings, points, &format, window);
                    (settings, budget)
                });
                (budget.as_mut()).is_some_and(|budget| budget.work(tape, given, window))
            }
            NextWork::Nothing => false,
        }
    }

    /// Finished share of the work, 0 to 1.
    pub(super) fn share(&self, from: u64, ticks: u64) -> f64 {
        let costs = |at: usize| {
            let costs = self.costs.get(at);
            costs.map_or(0.0, |costs| costs.share(from, ticks))
        };
        let rates = self.rates.first();
        let networks = self.networks.as_ref();
        let second = if networks.is_some() { 1.0 } else { costs(1) };
        let budget = self.budget.as_ref().map_or(0.0, |(_, budget)| {
            let budget = budget.as_ref();
            budget.map_or(1.0, |budget| budget.share(ticks))
        });
        let parts = [
            costs(0),
            rates.map_or(0.0, |rates| rates.work.share(ticks)),
            second,
            networks.map_or(0.0, |networks| networks.share(ticks)),
            budget,
        ];
        let parts = parts.iter().zip(SHARES);
        parts.map(|(part, share)| part * share).sum()
    }

    /// Number of finished parts of the answer.
    pub(super) fn parts(&self, request: &Request) -> usize {
        let own = self.own_rate();
        let rates = own.and_then(|_| self.rates(request.limits));
        let networks = rates.as_ref().and_then(|_| self.networks(request));
        let budget = networks.as_ref().and_then(|_| self.budget(request.limits));
        let parts = [
            own.is_some(),
            rates.is_some(),
            networks.is_some(),
            budget.is_some(),
        ];
        parts.into_iter().filter(|is| *is).count()
    }

    /// The finished work at the link's send rate, without other rates; `None` before it is done.
    pub(super) fn own_rate(&self) -> Option<&AtRate> {
        self.rates.first()?.work.done().first()
    }

    /// Returns the indices into `rates` and `costs` at which rung and send rate agree; `None` before they agree.
    fn agreed(&self, limits: Limits) -> Option<(usize, usize)> {
        match self.next_work(limits) {
            NextWork::Agreed { rates, costs } => Some((rates, costs)),
            NextWork::Costs(_) | NextWork::Rates(_) | NextWork::Nothing => None,
        }
    }

    /// The finished work at the recommended rate, or at the link's rate before the recommended rate is known.
    pub(super) fn at(&self, limits: Limits) -> Option<&AtRate> {
        let Some((rates, costs)) = self.agreed(limits) else {
            return self.own_rate();
        };
        let hz = self.costs[costs].rate_hz();
        let mut done = self.rates[rates].work.done().iter();
        done.find(|at| at.rate_hz() == hz)
    }

    /// The costs at the rate of [`BitsVerdict::at`]; `None` before the first costs are measured.
    pub(super) fn costs(&self, limits: Limits) -> Option<&RateCosts> {
        let place = self.agreed(limits).map_or(0, |(_, costs)| costs);
        self.costs.get(place).filter(|costs| costs.is_done())
    }

    /// Returns the index into `rates` at which rung and send rate agree, with the recommended rate; `None` before they agree.
    fn recommendation(&self, limits: Limits) -> Option<(usize, RateAdvice)> {
        let (rates, _) = self.agreed(limits)?;
        Some((rates, recommend(&self.rates[rates].points, limits)?))
    }

    /// Returns the results of all send rates; `None` before they are measured.
    pub(super) fn rates(&self, limits: Limits) -> Option<Rates> {
        let (rates, recommended) = self.recommendation(limits)?;
        Some(Rates {
            limits,
            points: self.rates[rates].points.clone(),
            recommended,
        })
    }

    /// Returns the recommended settings at the recommended rate; `None` before all rates are measured.
    pub(super) fn recommended(&self, limits: Limits) -> Option<Settings> {
        Some(self.recommendation(limits)?.1.point.settings)
    }

    /// Returns the recommended settings once rung and rate agree; `None` before, also while more is being measured.
    pub(super) fn agreed_settings(&self, limits: Limits) -> Option<Settings> {
        let is_measuring = self.costs.last().is_some_and(|costs| !costs.is_done())
            || self.rates.last().is_some_and(|it| it.points.is_empty());
        match is_measuring {
            true => None,
            false => self.recommended(limits),
        }
    }

    /// Returns the results on the networks under the recommended settings; `None` before they are measured.
    pub(super) fn networks(&self, request: &Request) -> Option<Networks> {
        let settings = self.recommended(request.limits)?;
        let networks = self.networks.as_ref()?;
        let is_done =
            networks.is_of(&settings) && networks.is_done(&request.networks, request.limits);
        is_done.then(|| networks.networks())?
    }

    /// Returns the advice on a budget; `None` before it is measured, or where the link's capacity is not known.
    pub(super) fn budget(&self, limits: Limits) -> Option<BudgetAdvice> {
        let settings = self.recommended(limits)?;
        let (of, budget) = self.budget.as_ref()?;
        budget.as_ref().filter(|_| *of == settings)?.advice()
    }
}
