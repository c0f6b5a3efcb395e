//! Windows of an analysis: the ticks of a tape that it covers. A pass goes over them a piece at a time, and checks that its
//! result is still valid.

use snapshot_lane::starts_with_tape;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::LaneSettings;

const RECENT_S: u64 = 3;

/// Consecutive ticks of a tape: the ticks after `after`, up to and including `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickSpan {
    /// The tick before the span's first tick.
    pub after: u64,
    pub last: u64,
}

impl TickSpan {
    pub(crate) fn ticks(self) -> u64 {
        self.last - self.after
    }
}

/// The ticks of the tape that an analysis covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// The newest three seconds. Senders begin before them, because the first packets of a sender are larger.
    Recent,
    /// All ticks that the tape stores.
    Whole,
}

/// Progress of an analysis over the ticks of a tape.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    /// The lane settings that affect the analysis.
    pub(crate) settings: LaneSettings,
    pub(crate) link_inputs: LinkInputs,
    pub(crate) window: Window,
    edits: u64,
    /// The tick after which the senders began.
    pub(crate) from: u64,
    /// The newest tick whose packets are all counted.
    pub(crate) last_tick: u64,
}

impl Pass {
    /// Begins a pass after the tick `from`, which the tape must store.
    pub(crate) fn new(
        tape: &Tape,
        settings: LaneSettings,
        link_inputs: &LinkInputs,
        window: Window,
        from: u64,
    ) -> Pass {
        Pass {
            settings: settings.at(tape.tick_rate()),
            link_inputs: link_inputs.clone(),
            window,
            edits: tape.edits(),
            from,
            last_tick: from,
        }
    }

    /// Returns the tick after which senders must begin so that the results cover a window up to `until`.
    pub(crate) fn from(
        tape: &Tape,
        settings: &LaneSettings,
        link_inputs: &LinkInputs,
        window: Window,
        until: u64,
    ) -> u64 {
        let settings = &settings.at(tape.tick_rate());
        // A queue remembers all packets before.
        if starts_with_tape(settings, link_inputs) {
            return tape.first_tick();
        }
        let reach_ticks = recent_ticks(settings) + settings.warm_up_ticks();
        match window {
            Window::Recent => until.saturating_sub(reach_ticks).max(tape.first_tick()),
            Window::Whole => tape.first_tick(),
        }
    }

    /// Returns true if the analysis can continue to `until`. Otherwise a new one is needed: settings differ, past ticks were
    /// edited, or it is too far behind or ahead.
    pub(crate) fn fits(
        &self,
        tape: &Tape,
        settings: &LaneSettings,
        link_inputs: &LinkInputs,
        window: Window,
        until: u64,
    ) -> bool {
        let settings = &settings.at(tape.tick_rate());
        let in_reach = match window {
            Window::Recent => {
                let reach_ticks = recent_ticks(settings) + settings.warm_up_ticks();
                let is_near = || until - self.last_tick <= reach_ticks;
                self.last_tick <= until && (starts_with_tape(settings, link_inputs) || is_near())
            }
            Window::Whole => self.from == tape.first_tick(),
        };
        let held = self.last_tick >= tape.first_tick();
        let same =
            (self.window, self.edits, &self.link_inputs) == (window, tape.edits(), link_inputs);
        same && in_reach && held && self.settings == *settings
    }

    pub(crate) fn recent_ticks(&self) -> u64 {
        recent_ticks(&self.settings)
    }

    pub(crate) fn leaves(&self, tick: u64) -> bool {
        let settings = &self.settings;
        settings.tick_rate().sends_at(tick, settings.send_rate_hz())
    }

    /// The tick after which the window begins.
    pub(crate) fn after_tick(&self) -> u64 {
        match self.window {
            Window::Recent => self
                .from
                .max(self.last_tick.saturating_sub(self.recent_ticks())),
            Window::Whole => self.from,
        }
    }
}

fn recent_ticks(settings: &LaneSettings) -> u64 {
    settings.tick_rate().ticks_of_seconds(RECENT_S)
}
