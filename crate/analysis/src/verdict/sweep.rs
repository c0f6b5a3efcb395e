//! Measurements of a verdict. Where a function of the verdict needs one that is not made yet, it ends with [`Missing`]. It is
//! called again once the measurement is made. So each measurement is made once, and a piece at a time.

use super::advice::{self, RungAdvice, VerdictRung};
use super::engines::Engines;
use super::playing::{ErrorProbe, Taken};
use crate::ladder::{Ladder, RungCost};
use crate::widths::{WidthCounts, WidthStatistics};
use crate::window::TickSpan;
use snapshot_codec::Rung;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::Settings;

/// The rung on which pairs of bits are compared. All rungs with an arithmetic coder order the pairs nearly alike.
pub(super) const RUNG: Rung = Rung::Arithmetic;

/// All measurements of a verdict.
pub(super) struct Sweep {
    pub(super) link_inputs: LinkInputs,
    /// Ticks that every measurement covers.
    pub(super) window: TickSpan,
    views: Vec<(LaneKey, Taken)>,
    rungs: Vec<(Settings, Option<RungCost>)>,
    costs: Vec<(Settings, RateCosts)>,
    /// The measurement that is being made.
    open: Option<Open>,
}

/// The source of the network of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// The verdict's link, which may be recorded.
    Link,
    /// The settings alone.
    Preset,
}

type LaneKey = (Settings, Over);

/// A measurement that has not been made.
pub(super) enum Asked {
    View(LaneKey),
    Rung(Settings),
    Costs(Settings),
}

/// The reason why a function of the verdict has no result.
pub(super) enum Missing {
    /// It asks for a measurement. The number is the finished share of its work, 0 to 1.
    Asked(Box<Asked>, f64),
    /// No packet is sent, so that nothing can be recommended.
    Packets,
}

impl Missing {
    /// Returns what is missing in part number `part` of so many.
    pub(super) fn in_part(self, part: usize, of: usize) -> Missing {
        match self {
            Missing::Asked(asked, share) => {
                Missing::Asked(asked, (part as f64 + share) / of.max(1) as f64)
            }
            Missing::Packets => Missing::Packets,
        }
    }
}

/// A measurement in progress.
enum Open {
    View(LaneKey, Box<ErrorProbe>),
    Rung(Settings, Box<Ladder>),
    Costs(Settings, Box<(Ladder, WidthStatistics, Engines)>),
}

/// Costs of a motion at one send rate: of every rung, of each pair of widths, and of other engines.
pub(super) struct RateCosts {
    pub(super) rungs: Vec<VerdictRung>,
    /// The recommended rung; `None` if no packet is sent.
    pub(super) rung: Option<RungAdvice>,
    pub(super) widths: WidthCounts,
    pub(super) engines: Engines,
}

impl Sweep {
    pub(super) fn new(link_inputs: LinkInputs, window: TickSpan) -> Sweep {
        Sweep {
            link_inputs,
            window,
            views: Vec::new(),
            rungs: Vec::new(),
            costs: Vec::new(),
            open: None,
        }
    }

    /// Returns the view of a lane, measured.
    pub(super) fn view(&self, settings: &Settings, over: Over) -> Result<Taken, Missing> {
        let key = (*settings, over);
        let found = found(&self.views, &key).copied();
        found.ok_or_else(|| missing(Asked::View(key)))
    }

    /// Returns the cost of the rung on which bits are compared; `None` if it sends nothing.
    pub(super) fn rung(&self, settings: &Settings) -> Result<Option<&RungCost>, Missing> {
        let found = found(&self.rungs, settings).map(Option::as_ref);
        found.ok_or_else(|| missing(Asked::Rung(*settings)))
    }

    pub(super) fn costs(&self, settings: &Settings) -> Result<&RateCosts, Missing> {
        let found = found(&self.costs, settings);
        found.ok_or_else(|| missing(Asked::Costs(*settings)))
    }

    /// Begins a measurement.
    pub(super) fn begin(&mut self, tape: &Tape, asked: Asked) {
        let (link_inputs, from) = (&self.link_inputs, self.window.after);
        self.open = match asked {
            Asked::View((settings, over)) => {
                let link_inputs = match over {
                    Over::Link => link_inputs,
                    Over::Preset => &LinkInputs::default(),
                };
                let probe = ErrorProbe::new(tape, &settings, link_inputs, from);
                Some(Open::View((settings, over), Box::new(probe)))
            }
            Asked::Rung(settings) => {
                let ladder = Ladder::of_rung(tape, &settings, link_inputs, from, RUNG);
                Some(Open::Rung(settings, Box::new(ladder)))
            }
            Asked::Costs(settings) => {
                let rate = Some(settings.chosen_rate_hz());
                let costs = (
                    Ladder::of_class(tape, &settings, link_inputs, from),
                    WidthStatistics::after(tape, &settings, link_inputs, from),
                    Engines::new(tape, &settings, link_inputs, from, rate),
                );
                Some(Open::Costs(settings, Box::new(costs)))
            }
        };
    }

    /// Does a piece of the measurement that was begun. Returns false if none is being made.
    pub(super) fn work(&mut self, tape: &Tape) -> bool {
        let until = self.window.last;
        let goes_on = match &mut self.open {
            None => return false,
            Some(Open::View(_, probe)) => probe.work(tape, until),
            Some(Open::Rung(_, ladder)) => ladder.work(tape, until),
            Some(Open::Costs(_, costs)) => {
                let (ladder, widths, engines) = &mut **costs;
                let ladder = ladder.work(tape, until);
                let widths = widths.work(tape, until);
                engines.work(tape, until) || ladder || widths
            }
        };
        if !goes_on && let Some(open) = self.open.take() {
            self.keep(tape, open);
        }
        true
    }

    /// Makes the measurements that a function asks for, until it has its result.
    #[cfg(test)]
    pub(super) fn until_found<T>(
        &mut self,
        tape: &Tape,
        function: impl Fn(&Sweep) -> Result<T, Missing>,
    ) -> T {
        loop {
            match function(self) {
                Ok(found) => return found,
                Err(Missing::Asked(asked, _)) => self.begin(tape, *asked),
                Err(Missing::Packets) => panic!("no packets"),
            }
            while self.work(tape) {}
        }
    }

    fn keep(&mut self, tape: &Tape, open: Open) {
        match open {
            Open::View(key, probe) => self.views.push((key, probe.taken())),
            Open::Rung(settings, ladder) => {
                let row = ladder.rows().rows.into_iter().next();
                self.rungs.push((settings, row));
            }
            Open::Costs(settings, costs) => {
                let (ladder, widths, engines) = *costs;
                let rows = ladder.rows();
                let ticks = rows.last_tick - rows.after_tick;
                let seconds = tape.tick_rate().seconds_of_ticks(ticks);
                let rungs = rows.rows.iter().map(|row| VerdictRung::new(row, seconds));
                let rungs: Vec<VerdictRung> = rungs.collect();
                let has_packets = rungs.iter().any(|row| row.packets > 0);
                let costs = RateCosts {
                    rung: advice::choose_rung(&rungs).filter(|_| has_packets),
                    rungs,
                    widths: widths.counts(&settings),
                    engines,
                };
                self.costs.push((settings, costs));
            }
        }
    }
}

fn found<'a, K: PartialEq, V>(all: &'a [(K, V)], key: &K) -> Option<&'a V> {
    let found = all.iter().find(|(other, _)| other == key);
    found.map(|(_, value)| value)
}

fn missing(asked: Asked) -> Missing {
    Missing::Asked(Box::new(asked), 0.0)
}
