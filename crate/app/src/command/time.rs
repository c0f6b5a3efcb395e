//! Commands for the shown instant.

use crate::frame::Reach;
use crate::session::Session;
use serde::Deserialize;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TimeCommand {
    /// Shows a tick, or the nearest stored one.
    Seek { tick: u64 },
    /// Sets a later tick up to which the session plays as fast as possible. If no script drives, no key is pressed meanwhile.
    GoTo { tick: u64 },
    /// Stops at the present tick, before the instant of [`TimeCommand::GoTo`] or of the link is reached.
    StopGoing,
    /// Restarts at tick 0; the recorded input in the link is replayed.
    Restart,
    /// Restores the ticks that were discarded when a person began to drive at an earlier tick.
    Undo,
    /// Stays at the shown instant, so that the link names it, or goes on. The page plays the ticks.
    Pause { on: bool },
    /// Cuts the network in both directions for a number of ticks.
    CutFor { ticks: u32 },
}

impl TimeCommand {
    pub(super) fn reach(&self) -> Reach {
        match self {
            TimeCommand::GoTo { .. } | TimeCommand::Pause { .. } | TimeCommand::CutFor { .. } => {
                Reach::Figures
            }
            TimeCommand::Seek { .. } => Reach::Instant,
            // A recorded person may have taken over on the way.
            TimeCommand::StopGoing | TimeCommand::Restart | TimeCommand::Undo => Reach::State,
        }
    }
}

impl Session {
    pub(super) fn change_time(&mut self, command: TimeCommand) {
        match command {
            TimeCommand::Seek { tick } => self.lab.seek(tick),
            TimeCommand::GoTo { tick } => {
                self.going_to = (tick > self.lab.tick_count()).then_some(tick);
            }
            TimeCommand::StopGoing => self.stop_going(),
            TimeCommand::Restart => self.restart(),
            TimeCommand::Undo => _ = self.lab.undo(),
            TimeCommand::Pause { on } => self.is_paused = on,
            TimeCommand::CutFor { ticks } => {
                self.leave_the_link();
                self.lab.cut_for(ticks);
            }
        }
    }
}
