//! Work of a verdict at one send rate over one network: it tries interpolation modes and delays, then runs the recommended
//! settings.

use super::interpolation::{InterpolationTrials, delays_ms};
use super::playing::{ErrorProbe, InterpolationResult};
use crate::window::TickSpan;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, Settings};

/// Share of the work at one rate that comparing interpolation modes and delays takes; only for showing progress.
const COMPARISON_SHARE: f64 = 0.8;

pub(super) struct AtRate {
    /// Settings with the recommended rung and widths.
    settings: Settings,
    comparison: InterpolationTrials,
    taken: Option<(Settings, ErrorProbe)>,
    rate_hz: u32,
    done: bool,
}

impl AtRate {
    /// Begins with settings that have the recommended rung and widths. `spread_ms` is the spread of the link's delays: the
    /// greater it is, the longer are the tried playout delays.
    pub(super) fn new(tape: &Tape, settings: &Settings, spread_ms: f64) -> AtRate {
        let lane = settings.lane().at(tape.tick_rate());
        let delays = delays_ms(lane.send_interval_ms(), spread_ms);
        AtRate {
            settings: *settings,
            comparison: InterpolationTrials::new(settings, tape.tick_rate(), &delays),
            taken: None,
            rate_hz: lane.send_rate_hz(),
            done: false,
        }
    }

    pub(super) fn rate_hz(&self) -> u32 {
        self.rate_hz
    }

    /// Runs one tick of a lane that is measured. Returns false once all work at this rate is done.
    pub(super) fn work(&mut self, tape: &Tape, given: &LinkInputs, window: TickSpan) -> bool {
        if self.done {
            return false;
        }
        if self.comparison.work(tape, given, window) {
            return true;
        }
        if self.taken.is_none() {
            let best = self.comparison.best();
            let settings = best.map_or(self.settings, |best| self.with(&best));
            let playing = ErrorProbe::new(tape, &settings, given, window.after);
            self.taken = Some((settings, playing));
        }
        let taken = self.taken.as_mut();
        self.done = !taken.is_some_and(|(_, playing)| playing.work(tape, window.last));
        !self.done
    }

    /// Returns the settings with the interpolation mode and playout delay of a result.
    pub(super) fn with(&self, played: &InterpolationResult) -> Settings {
        let mut settings = self.settings;
        let _ = settings.set_text("interp", played.mode);
        let _ = settings.set_number(Key::Delay, played.delay_ms);
        settings
    }

    /// Finished share of the work, 0 to 1.
    pub(super) fn share(&self, ticks: u64) -> f64 {
        let played = |(_, playing): &(_, ErrorProbe)| playing.ticks() as f64 / ticks.max(1) as f64;
        let taken = self.taken.as_ref().map_or(0.0, played);
        let comparison = if self.taken.is_some() {
            1.0
        } else {
            self.comparison.share(ticks)
        };
        COMPARISON_SHARE * comparison + (1.0 - COMPARISON_SHARE) * taken
    }

    pub(super) fn comparison(&self) -> &InterpolationTrials {
        &self.comparison
    }

    /// The recommended settings, with the lane that ran under them; `None` before all work is done.
    pub(super) fn recommended(&self) -> Option<&(Settings, ErrorProbe)> {
        self.taken.as_ref().filter(|_| self.done)
    }
}
