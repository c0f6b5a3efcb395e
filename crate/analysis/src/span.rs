//! The ticks of a tape that an analysis covers.

use snapshot_record::tape::Tape;
use snapshot_settings::LaneSettings;

/// Consecutive ticks of a tape: the ticks after `after`, up to and including `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickSpan {
    /// The tick before the span's first tick.
    pub after: u64,
    pub last: u64,
}

impl TickSpan {
    /// Returns all ticks that a tape stores.
    pub fn stored(tape: &Tape) -> TickSpan {
        TickSpan {
            after: tape.first_tick(),
            last: tape.last_tick(),
        }
    }

    pub(crate) fn ticks(self) -> u64 {
        self.last - self.after
    }

    /// Returns the share of the span up to a tick, 0 to 1.
    pub(crate) fn share_at(self, tick: u64) -> f64 {
        tick.saturating_sub(self.after) as f64 / self.ticks().max(1) as f64
    }
}

/// Returns true if a packet leaves at a tick.
pub(crate) fn leaves(settings: &LaneSettings, tick: u64) -> bool {
    settings.tick_rate().sends_at(tick, settings.send_rate_hz())
}
