//! Measurements of a verdict. Where a function of the verdict needs one that is not made yet, it ends with [`Missing`]. It is
//! called again once the measurement is made. So each measurement is made once, and a person's wishes are heard in between.

use super::advice::{self, RungAdvice, VerdictRung};
use super::engines::Engines;
use super::playing::{ErrorProbe, Taken};
use crate::ladder::{self, RungCost};
use crate::span::TickSpan;
use crate::widths::{self, WidthCounts};
use snapshot_codec::{Class, Rung};
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

    /// Makes a measurement.
    pub(super) fn make(&mut self, tape: &Tape, asked: Asked) {
        let (link_inputs, window) = (&self.link_inputs, self.window);
        match asked {
            Asked::View((settings, over)) => {
                let link_inputs = match over {
                    Over::Link => link_inputs,
                    Over::Preset => &LinkInputs::default(),
                };
                let probe = ErrorProbe::run(tape, &settings, link_inputs, window);
                self.views.push(((settings, over), probe.taken()));
            }
            Asked::Rung(settings) => {
                let rung = [(RUNG, settings.lane().class())];
                let row = self.climb(tape, &settings, &rung).into_iter().next();
                self.rungs.push((settings, row));
            }
            Asked::Costs(settings) => {
                let mut rungs = ladder::rungs(tape, &[settings.lane().class()]);
                rungs.retain(|(rung, _)| !rung.needs_simulation());
                let seconds = tape.tick_rate().seconds_of_ticks(window.ticks());
                let rows = self.climb(tape, &settings, &rungs);
                let rungs = rows.iter().map(|row| VerdictRung::new(row, seconds));
                let rungs: Vec<VerdictRung> = rungs.collect();
                let has_packets = rungs.iter().any(|row| row.packets > 0);
                let rate_hz = Some(settings.chosen_rate_hz());
                let costs = RateCosts {
                    rung: advice::choose_rung(&rungs).filter(|_| has_packets),
                    rungs,
                    widths: widths::count(tape, &settings, link_inputs, window, &mut |_, _| ()),
                    engines: Engines::run(tape, &settings, link_inputs, window, rate_hz),
                };
                self.costs.push((settings, costs));
            }
        }
    }

    fn climb(&self, tape: &Tape, settings: &Settings, rungs: &[(Rung, Class)]) -> Vec<RungCost> {
        let (link_inputs, window) = (&self.link_inputs, self.window);
        ladder::climb(tape, settings, link_inputs, window, rungs, &mut |_, _| ()).rows
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
                Err(Missing::Asked(asked, _)) => self.make(tape, *asked),
                Err(Missing::Packets) => panic!("no packets"),
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
