//! Costs of a motion at one send rate: of every rung, of each pair of widths, and of other engines.

use super::advice::{self, RungAdvice, VerdictRung};
use super::engines::{EngineRate, Engines};
use crate::ladder::Ladder;
use crate::widths::{WidthCounts, WidthStatistics};
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, Settings};

pub(super) struct RateCosts {
    rate_hz: u32,
    settings: Settings,
    ladder: Ladder,
    widths: WidthStatistics,
    engines: Engines,
    /// Results; `None` before all work is done.
    found: Option<Found>,
}

struct Found {
    rungs: Vec<VerdictRung>,
    /// The recommended rung; `None` if no packet is sent.
    rung: Option<RungAdvice>,
    widths: WidthCounts,
}

impl RateCosts {
    /// Begins after the tick `from`, with the settings changed to a send rate.
    pub(super) fn new(
        tape: &Tape,
        settings: &Settings,
        given: &LinkInputs,
        from: u64,
        rate_hz: u32,
    ) -> RateCosts {
        let mut settings = *settings;
        let _ = settings.set(Key::SendRate, rate_hz);
        RateCosts {
            rate_hz,
            ladder: Ladder::of_class(tape, &settings, given, from),
            widths: WidthStatistics::after(tape, &settings, given, from),
            engines: Engines::new(tape, &settings, given, from, EngineRate::Equal(rate_hz)),
            settings,
            found: None,
        }
    }

    pub(super) fn rate_hz(&self) -> u32 {
        self.rate_hz
    }

    /// Runs one tick of all measurements at this rate. Returns false once the tick `until` is measured.
    pub(super) fn work(&mut self, tape: &Tape, until: u64) -> bool {
        let ladder = self.ladder.work(tape, until);
        let widths = self.widths.work(tape, until);
        let engines = self.engines.work(tape, until);
        if ladder || widths || engines {
            return true;
        }
        let rungs = self.rungs_so_far(tape);
        let has_packets = rungs.iter().any(|row| row.packets > 0);
        let rung = advice::choose_rung(&rungs).filter(|_| has_packets);
        self.found = Some(Found {
            rung,
            rungs,
            widths: self.widths.counts(&self.settings),
        });
        false
    }

    pub(super) fn is_done(&self) -> bool {
        self.found.is_some()
    }

    /// Finished share of the work, 0 to 1.
    pub(super) fn share(&self, from: u64, ticks: u64) -> f64 {
        (self.ladder.last_tick() - from) as f64 / ticks as f64
    }

    fn rungs_so_far(&self, tape: &Tape) -> Vec<VerdictRung> {
        let rows = self.ladder.rows();
        let ticks = rows.last_tick - rows.after_tick;
        let seconds = tape.tick_rate().seconds_of_ticks(ticks);
        let rows = rows.rows.iter();
        rows.map(|row| VerdictRung::new(row, seconds)).collect()
    }

    /// Costs of all rungs; empty before all work is done.
    pub(super) fn rungs(&self) -> &[VerdictRung] {
        self.found.as_ref().map_or(&[], |found| &found.rungs)
    }

    pub(super) fn widths(&self) -> Option<&WidthCounts> {
        self.found.as_ref().map(|found| &found.widths)
    }

    pub(super) fn engines(&self) -> &Engines {
        &self.engines
    }

    /// The recommended rung at this rate; `None` if no packet is sent.
    pub(super) fn rung(&self) -> Option<&RungAdvice> {
        self.found.as_ref()?.rung.as_ref()
    }
}
