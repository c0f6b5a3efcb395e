//! Measurements of a verdict. Where a function of the verdict needs one that is not made yet, it ends with [`Missing`]. It is
//! called again once the measurement is made. So each measurement is made once, and a person's limits are heard in between.

use super::advice;
use super::engines::Engines;
use super::playing::{self, Taken};
use crate::ladder::{self, RungCost};
use crate::span::TickSpan;
use crate::widths::{self, WidthCounts};
use snapshot_codec::{Class, Rung};
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::Settings;

/// The rung on which pairs of bits are compared. All rungs with an arithmetic coder order the pairs nearly alike.
pub(super) const RUNG: Rung = Rung::Arithmetic;

/// All measurements of a verdict, by the settings of each.
pub(super) struct Sweep {
    pub(super) link_inputs: LinkInputs,
    /// Ticks that every measurement covers.
    pub(super) window: TickSpan,
    /// Time beyond the link's latency within which 99 % of the packets arrive, ms, at the link's own send rate.
    pub(super) spread_ms: f64,
    views: Vec<(Settings, Taken)>,
    rungs: Vec<(Settings, Option<RungCost>)>,
    costs: Vec<(Settings, RateCosts)>,
}

/// A measurement that has not been made.
#[derive(Clone, Copy)]
pub(super) enum Asked {
    View,
    Rung,
    Costs,
}

/// The reason why a function of the verdict has no result.
pub(super) enum Missing {
    /// It asks for a measurement under some settings. The number is the finished share of its work, 0 to 1.
    Asked(Asked, Box<Settings>, f64),
    /// No packet is sent, so that nothing can be recommended.
    Packets,
}

impl Missing {
    /// Returns what is missing in part number `part` of so many.
    pub(super) fn in_part(self, part: usize, of: usize) -> Missing {
        match self {
            Missing::Asked(asked, settings, share) => {
                Missing::Asked(asked, settings, (part as f64 + share) / of.max(1) as f64)
            }
            Missing::Packets => Missing::Packets,
        }
    }
}

/// Costs of a motion at one send rate: of every rung, of each pair of widths, and of other engines.
pub(super) struct RateCosts {
    pub(super) rungs: Vec<RungCost>,
    pub(super) widths: WidthCounts,
    pub(super) engines: Engines,
}

impl RateCosts {
    /// Returns settings with the recommended rung and widths.
    pub(super) fn advise(&self, settings: &Settings) -> Result<Settings, Missing> {
        let rung = advice::simplest(&self.rungs).filter(|row| row.packets > 0);
        let rung = rung.ok_or(Missing::Packets)?;
        Ok(advice::advised(settings, rung.rung, &self.widths))
    }
}

impl Sweep {
    pub(super) fn new(link_inputs: LinkInputs, window: TickSpan, spread_ms: f64) -> Sweep {
        Sweep {
            link_inputs,
            window,
            spread_ms,
            views: Vec::new(),
            rungs: Vec::new(),
            costs: Vec::new(),
        }
    }

    /// Returns the view of a lane, measured.
    pub(super) fn view(&self, settings: &Settings) -> Result<&Taken, Missing> {
        found(&self.views, settings, Asked::View)
    }

    /// Returns the cost of the rung on which bits are compared; `None` if it sends nothing.
    pub(super) fn rung(&self, settings: &Settings) -> Result<Option<&RungCost>, Missing> {
        found(&self.rungs, settings, Asked::Rung).map(Option::as_ref)
    }

    pub(super) fn costs(&self, settings: &Settings) -> Result<&RateCosts, Missing> {
        found(&self.costs, settings, Asked::Costs)
    }

    /// Makes a measurement.
    pub(super) fn make(&mut self, tape: &Tape, asked: Asked, settings: Settings) {
        let (link_inputs, window) = (&self.link_inputs, self.window);
        match asked {
            Asked::View => {
                let taken = playing::play(tape, &settings, link_inputs, window);
                self.views.push((settings, taken));
            }
            Asked::Rung => {
                let rung = [(RUNG, settings.lane().class())];
                let row = self.climb(tape, &settings, &rung).into_iter().next();
                self.rungs.push((settings, row));
            }
            Asked::Costs => {
                let mut rungs = ladder::rungs(tape, &[settings.lane().class()]);
                rungs.retain(|(rung, _)| !rung.needs_simulation());
                let rate_hz = Some(settings.chosen_rate_hz());
                let costs = RateCosts {
                    rungs: self.climb(tape, &settings, &rungs),
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
}

fn found<'a, V>(
    all: &'a [(Settings, V)],
    settings: &Settings,
    asked: Asked,
) -> Result<&'a V, Missing> {
    let found = all.iter().find(|(other, _)| other == settings);
    let found = found.map(|(_, value)| value);
    found.ok_or_else(|| Missing::Asked(asked, Box::new(*settings), 0.0))
}
