//! Commands: every change that a page or a test can ask of a [`Session`]. A command is data, so it can be recorded and
//! repeated.
//!
//! Each group of commands is an enum in a module of its own, which carries them out.

pub mod blind_test;
pub mod host;
pub mod lanes;
pub mod look;
pub mod source;
#[cfg(test)]
mod tests;
pub mod time;

use crate::blind_test::BeginError;
use crate::frame::{Changed, Reach};
use crate::lab::InstantTooLate;
use crate::session::Session;
use serde::Deserialize;
use snapshot_analysis::blind_test::clip::ClipError;
use snapshot_analysis::blind_test::trials::TrialsError;
use snapshot_lane::inspect::InspectError;
use snapshot_lane::together::ShareError;
use snapshot_settings::SettingError;

/// A change of a session.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Changes settings of lane A or lane B.
    Lane(lanes::LaneCommand),
    /// Moves the shown instant, or acts on it.
    Time(time::TimeCommand),
    /// Changes the viewer's choices. No choice changes a figure.
    Look(look::LookCommand),
    /// Changes the motion or the network.
    Source(source::SourceCommand),
    /// Shares the world with a guest.
    Host(host::HostCommand),
    /// Changes a blind test.
    Test(blind_test::TestCommand),
}

/// Reason why a session refuses a command or a question. It then shows what it showed before.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum Refusal {
    Setting(#[from] SettingError),
    Instant(#[from] InstantTooLate),
    Packet(#[from] InspectError),
    Source(#[from] source::SourceError),
    Share(#[from] ShareError),
    GuestFile(#[from] host::GuestFileError),
    Test(#[from] BeginError),
    Clip(#[from] ClipError),
    Trials(#[from] TrialsError),
}

impl Command {
    fn reach(&self) -> Reach {
        match self {
            Command::Lane(_) => Reach::State,
            Command::Time(command) => command.reach(),
            Command::Look(_) => Reach::View,
            Command::Source(command) => command.reach(),
            Command::Host(_) | Command::Test(_) => Reach::Nothing,
        }
    }
}

impl Session {
    /// Carries out a command. Returns what it may have changed.
    ///
    /// # Errors
    /// When the command cannot be carried out; the session then shows what it showed before.
    pub fn apply(&mut self, command: Command) -> Result<Changed, Refusal> {
        let reach = command.reach();
        match command {
            Command::Lane(command) => self.change_lanes(command)?,
            Command::Time(command) => self.change_time(command),
            Command::Look(command) => self.change_look(command),
            Command::Source(command) => self.change_source(command)?,
            Command::Host(command) => self.change_host(command)?,
            Command::Test(command) => self.change_test(command)?,
        }
        Ok(self.changed(reach))
    }
}
