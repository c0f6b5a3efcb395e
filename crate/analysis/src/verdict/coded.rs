//! The part of a verdict that depends on the bits: the ladder, the widths, the rates and the networks.

use super::Request;
use super::advice::{self, VerdictRung};
use super::at_rate::AtRate;
use super::interpolation::spread_ms;
use super::networks::{NetworkWork, Networks};
use super::rates::{Limits, RatePoint, RateWork, Rates, points, recommend};
use crate::ladder::Ladder;
use crate::widths::WidthStatistics;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::Settings;

/// Shares of the work, for showing progress: ladder and widths, then the rates, then the networks; the sum is 1.
const SHARES: [f64; 3] = [0.12, 0.4, 0.48];

/// The part of a verdict that depends on the bits: ladder, widths, rates and networks.
pub(super) struct BitsVerdict {
    /// Settings with the bits that keep the wanted errors.
    pub(super) settings: Settings,
    ladder: Ladder,
    pub(super) widths: WidthStatistics,
    rates: Option<RateWork>,
    networks: Option<NetworkWork>,
    /// Points of all rates; empty until all rates are measured.
    points: Vec<(RatePoint, Settings)>,
}

impl BitsVerdict {
    pub(super) fn new(
        tape: &Tape,
        settings: &Settings,
        given: &LinkInputs,
        from: u64,
    ) -> BitsVerdict {
        BitsVerdict {
            ladder: Ladder::of_class(tape, settings, given, from),
            widths: WidthStatistics::after(tape, settings, given, from),
            settings: *settings,
            rates: None,
            networks: None,
            points: Vec::new(),
        }
    }

    /// Does a piece of work. Returns false once all is done.
    pub(super) fn work(
        &mut self,
        tape: &Tape,
        given: &LinkInputs,
        request: &Request,
        window: [u64; 2],
    ) -> bool {
        let [_, until] = window;
        if self.ladder.work(tape, until) || self.widths.work(tape, until) {
            return true;
        }
        if self.rates.is_none() {
            let counts = self.widths.counts(&self.settings);
            let rungs = self.rungs(tape);
            let rung = advice::choose_rung(&rungs);
            let Some(rung) = rung.filter(|_| rungs.iter().any(|row| row.packets > 0)) else {
                return false;
            };
            let advised = advice::advised(&self.settings, &rung, &counts);
            let spread_ms = spread_ms(&self.settings, given, tape.tick_rate());
            self.rates = Some(RateWork::new(tape, &advised, spread_ms));
        }
        let Some(rates) = &mut self.rates else {
            return false;
        };
        if rates.work(tape, given, window) {
            return true;
        }
        if self.points.is_empty() {
            self.points = points(rates.done());
        }
        let Some(advice) = recommend(&self.points, request.limits) else {
            return false;
        };
        let settings = advice.settings;
        (self.networks).take_if(|networks| !networks.is_of(&settings));
        let networks = (self.networks).get_or_insert_with(|| NetworkWork::new(tape, &settings));
        networks.choose(tape, given, &request.networks);
        networks.work(tape, window)
    }

    /// Finished share of the work, 0 to 1.
    pub(super) fn share(&self, from: u64, ticks: u64) -> f64 {
        let ladder = (self.ladder.last_tick() - from) as f64 / ticks as f64;
        let parts = [
            ladder,
            self.rates.as_ref().map_or(0.0, |rates| rates.share(ticks)),
            (self.networks.as_ref()).map_or(0.0, |networks| networks.share(ticks)),
        ];
        let parts = parts.iter().zip(SHARES);
        parts.map(|(part, share)| part * share).sum()
    }

    /// Number of finished parts of the answer.
    pub(super) fn parts(&self, request: &Request) -> usize {
        let own = self.own_rate();
        let rates = own.and_then(|_| self.rates(request.limits));
        let networks = rates.as_ref().and_then(|_| self.networks(request));
        [own.is_some(), rates.is_some(), networks.is_some()]
            .into_iter()
            .filter(|is| *is)
            .count()
    }

    /// The finished work at the link's send rate, without other rates; `None` before it is done.
    pub(super) fn own_rate(&self) -> Option<&AtRate> {
        self.rates.as_ref()?.done().first()
    }

    pub(super) fn rungs(&self, tape: &Tape) -> Vec<VerdictRung> {
        let rows = self.ladder.rows();
        let ticks = rows.last_tick - rows.after_tick;
        let seconds = tape.tick_rate().seconds_of_ticks(ticks);
        let rows = rows.rows.iter();
        rows.map(|row| VerdictRung::new(row, seconds)).collect()
    }

    /// Returns the results of all send rates; `None` before they are measured.
    pub(super) fn rates(&self, limits: Limits) -> Option<Rates> {
        let recommended = recommend(&self.points, limits)?.advice;
        Some(Rates {
            limits,
            points: self.points.iter().map(|(point, _)| point.clone()).collect(),
            recommended,
        })
    }

    /// Returns the recommended settings at the recommended rate; `None` before all rates are measured.
    pub(super) fn recommended(&self, limits: Limits) -> Option<Settings> {
        Some(recommend(&self.points, limits)?.settings)
    }

    /// Returns the results on the networks under the recommended settings; `None` before they are measured.
    pub(super) fn networks(&self, request: &Request) -> Option<Networks> {
        let settings = self.recommended(request.limits)?;
        let networks = self.networks.as_ref()?;
        let is_done = networks.is_of(&settings) && networks.is_done(&request.networks);
        is_done.then(|| networks.networks())?
    }
}
