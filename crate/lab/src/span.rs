//! The analysis window: ticks of a tape that are worked through a piece at a time, and a check that the result still holds.

use crate::settings::LaneSettings;
use crate::tape::Tape;
use snapshot_base::time::TICKS_PER_S;
use snapshot_netsim::channel::Overrides;

/// Length of [`Span::Recent`].
pub(crate) const RECENT_TICKS: u64 = 3 * TICKS_PER_S as u64;

/// The ticks of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// The newest three seconds. Senders begin earlier, so that what costs more at the beginning is over.
    Recent,
    /// All that the tape holds.
    Whole,
}

/// Progress of an analysis over a tape.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    /// Those that count for it.
    pub(crate) settings: LaneSettings,
    pub(crate) overrides: Overrides,
    pub(crate) span: Span,
    edits: u64,
    /// Senders began after this tick.
    pub(crate) from: u64,
    /// The newest tick whose packets are all counted.
    pub(crate) last_tick: u64,
}

impl Course {
    /// Begins after the tick `from`, which the tape holds.
    pub(crate) fn new(
        tape: &Tape,
        settings: LaneSettings,
        overrides: &Overrides,
        span: Span,
        from: u64,
    ) -> Course {
        Course {
            settings,
            overrides: overrides.clone(),
            span,
            edits: tape.edits(),
            from,
            last_tick: from,
        }
    }

    /// After which tick senders begin for what is to be told of a span up to `until`.
    pub(crate) fn from(tape: &Tape, settings: &LaneSettings, span: Span, until: u64) -> u64 {
        let reach_ticks = RECENT_TICKS + settings.warm_up_ticks();
        match span {
            Span::Recent => until.saturating_sub(reach_ticks).max(tape.first_tick()),
            Span::Whole => tape.first_tick(),
        }
    }

    /// Returns true if the analysis can be driven on to `until`. Otherwise another one has to be begun: settings differ,
    /// past ticks were edited, or it is too far behind or ahead.
    pub(crate) fn fits(
        &self,
        tape: &Tape,
        settings: &LaneSettings,
        overrides: &Overrides,
        span: Span,
        until: u64,
    ) -> bool {
        let in_reach = match span {
            Span::Recent => {
                let reach_ticks = RECENT_TICKS + settings.warm_up_ticks();
                self.last_tick <= until && until - self.last_tick <= reach_ticks
            }
            Span::Whole => self.from == tape.first_tick(),
        };
        let held = self.last_tick >= tape.first_tick();
        let same = (self.span, self.edits, &self.overrides) == (span, tape.edits(), overrides);
        same && in_reach && held && self.settings == *settings
    }

    /// The tick after which what is told begins.
    pub(crate) fn after_tick(&self) -> u64 {
        match self.span {
            Span::Recent => self.from.max(self.last_tick.saturating_sub(RECENT_TICKS)),
            Span::Whole => self.from,
        }
    }
}
