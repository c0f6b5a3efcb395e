//! A send rate over one network: its ways and delays, and the settings to take, played.

use super::interpolation::{InterpolationTrials, delays_ms};
use super::playing::{ErrorProbe, InterpolationResult};
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, Settings};

/// Share of the work that is the comparison.
const COMPARISON_SHARE: f64 = 0.8;

/// The work at a send rate.
pub(super) struct AtRate {
    /// With the rung and the widths to take.
    settings: Settings,
    comparison: InterpolationTrials,
    taken: Option<(Settings, ErrorProbe)>,
    done: bool,
}

impl AtRate {
    /// Begins with settings that have the rung and the widths to take. Delays grow by the spread of the link's.
    pub(super) fn new(tape: &Tape, settings: &Settings, spread_ms: f64) -> AtRate {
        let lane = settings.lane().at(tape.tick_rate());
        let delays = delays_ms(lane.send_interval_ms(), spread_ms);
        let mut compared = *settings;
        // The quickest rung without velocities shows the same poses, unless the link minds sizes.
        if !settings.fate_depends_on_size() {
            let _ = compared.set_text("codec", "changed-flags");
        }
        AtRate {
            settings: *settings,
            comparison: InterpolationTrials::new(&compared, tape.tick_rate(), &delays),
            taken: None,
            done: false,
        }
    }

    /// Does a tick. False where all is done.
    pub(super) fn work(&mut self, tape: &Tape, given: &LinkInputs, window: [u64; 2]) -> bool {
        if self.done {
            return false;
        }
        if self.comparison.work(tape, given, window) {
            return true;
        }
        if self.taken.is_none() {
            let best = self.comparison.best();
            let settings = best.map_or(self.settings, |best| self.with(&best));
            let playing = ErrorProbe::new(tape, &settings, given, window[0]);
            self.taken = Some((settings, playing));
        }
        let taken = self.taken.as_mut();
        self.done = !taken.is_some_and(|(_, playing)| playing.work(tape, window[1]));
        !self.done
    }

    /// The settings with a way and a delay.
    pub(super) fn with(&self, played: &InterpolationResult) -> Settings {
        let mut settings = self.settings;
        let _ = settings.set_text("interp", played.mode);
        let _ = settings.set_number(Key::Delay, played.delay_ms);
        settings
    }

    /// The share of the work that is done.
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

    /// The settings to take, and their run; none before all is done.
    pub(super) fn taken(&self) -> Option<&(Settings, ErrorProbe)> {
        self.taken.as_ref().filter(|_| self.done)
    }
}
