//! Commands for the motion and the network, and the files that a person gives for them.

use super::Refusal;
use crate::frame::{Changed, Reach};
use crate::session::Session;
use serde::Deserialize;
use snapshot_lane::client::ClientRecording;
use snapshot_netsim::trace::Trace;
use snapshot_record::motion::{Incoming, JumpSpeed};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "snake_case")]
pub enum SourceCommand {
    /// Opens another link. Only parts that differ from the present state are rebuilt.
    Open { link: String },
    /// Plays the motion whose parts were received, in place of the present one. If the link names an instant of this motion,
    /// that instant is shown. `facts` are lines that the person added to the file.
    Play { facts: Option<String> },
    /// Drops the parts of a motion that were received.
    DropParts,
    /// Plays the scene of the settings in place of a recorded motion.
    LeaveMotion,
    /// Finds the jumps of the played motion again, with the jump limit at an index of the table of speeds. A motion whose file
    /// marks its jumps does not change.
    JumpsOver { place: usize },
    /// Begins the recorded link at another offset, rounded to ms.
    BeginTrace { offset_ms: f64 },
    /// Uses the modelled link of the settings in place of a recorded link.
    LeaveTrace,
}

/// Kind of bytes that a session receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Received {
    /// A part of a recorded motion, in order. [`SourceCommand::Play`] plays it.
    MotionPart,
    /// A parsed trace, which both lanes use from the offset that the link names.
    Trace,
    /// A client's recording. Lane B shows it now if its server's motion is played, else once that motion is played.
    Client,
    /// The frames that the guest of the shared world saw, which lane B shows.
    GuestFrames,
    /// The log of the datagrams that the guest sent and received, for [`crate::query::Query::NetworkOfGuest`].
    GuestLog,
}

/// Error: received bytes are not what they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    #[error("its parts do not follow each other")]
    Parts,
    #[error("it did not arrive whole")]
    Cut,
}

impl SourceCommand {
    pub(super) fn reach(&self) -> Reach {
        match self {
            SourceCommand::Open { .. } | SourceCommand::Play { .. } => Reach::All,
            SourceCommand::DropParts => Reach::Nothing,
            SourceCommand::LeaveMotion
            | SourceCommand::JumpsOver { .. }
            | SourceCommand::BeginTrace { .. }
            | SourceCommand::LeaveTrace => Reach::Source,
        }
    }
}

impl Received {
    fn reach(self) -> Reach {
        match self {
            Received::Trace | Received::Client => Reach::All,
            Received::GuestFrames => Reach::State,
            Received::MotionPart | Received::GuestLog => Reach::Nothing,
        }
    }
}

impl Session {
    pub(super) fn change_source(&mut self, command: SourceCommand) -> Result<(), SourceError> {
        match command {
            SourceCommand::Open { link } => self.open(&link),
            SourceCommand::Play { facts } => {
                let motion = self.incoming.take().and_then(Incoming::finish);
                self.play_motion(motion.ok_or(SourceError::Parts)?, facts);
            }
            SourceCommand::DropParts => self.incoming = None,
            SourceCommand::LeaveMotion => self.leave_motion(),
            SourceCommand::JumpsOver { place } => self.find_jumps_over(JumpSpeed::at(place)),
            SourceCommand::BeginTrace { offset_ms } => {
                self.begin_trace_at(offset_ms.round() as u64);
            }
            SourceCommand::LeaveTrace => self.leave_trace(),
        }
        Ok(())
    }

    /// Receives bytes of a file that was read elsewhere. Returns what they may have changed.
    ///
    /// # Errors
    /// When the bytes are not of this kind, or a part does not follow the one before. The bytes are dropped then.
    pub fn receive(&mut self, kind: Received, bytes: &[u8]) -> Result<Changed, Refusal> {
        match kind {
            Received::MotionPart => match &mut self.incoming {
                Some(incoming) => incoming
                    .add(bytes)
                    .then_some(())
                    .ok_or(SourceError::Parts)?,
                None => {
                    let incoming = Incoming::new(bytes).ok_or(SourceError::Parts)?;
                    self.incoming = Some(incoming);
                }
            },
            Received::Trace => {
                let trace = Trace::of_bytes(bytes).ok_or(SourceError::Cut)?;
                self.use_trace(Arc::new(trace));
            }
            Received::Client => {
                let recording = ClientRecording::of_bytes(bytes).ok_or(SourceError::Cut)?;
                self.show_client(recording);
            }
            Received::GuestFrames => self.show_frames(bytes)?,
            Received::GuestLog => self.take_log(bytes)?,
        }
        Ok(self.changed(kind.reach()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;
    use snapshot_record::motion::Motion;

    const FILE: &[u8] = include_bytes!("../../../../docs/motion-example.csv");

    fn parts() -> Vec<Vec<u8>> {
        let motion = Motion::of_file(FILE, JumpSpeed::default()).unwrap();
        (0..).map_while(|number| motion.part(number)).collect()
    }

    fn play(session: &mut Session) -> Result<Changed, Refusal> {
        session.apply(Command::Source(SourceCommand::Play { facts: None }))
    }

    #[test]
    fn a_motion_plays_once_all_its_parts_are_there_and_in_order() {
        let parts = parts();
        let mut session = Session::new("#grid=3");
        assert!(play(&mut session).is_err(), "nothing was received");
        assert!(session.receive(Received::MotionPart, &parts[1]).is_err());
        session.receive(Received::MotionPart, &parts[0]).unwrap();
        assert!(session.receive(Received::MotionPart, &parts[0]).is_err());
        // Another link in between does not lose what has come.
        session.open("#grid=4&scene=roll&drop=3");
        for part in &parts[1..] {
            session.receive(Received::MotionPart, part).unwrap();
        }
        play(&mut session).unwrap();
        assert!(session.played_motion().is_some());
    }

    #[test]
    fn dropped_parts_make_room_for_another_motion() {
        let parts = parts();
        let mut session = Session::new("#grid=3");
        session.receive(Received::MotionPart, &parts[0]).unwrap();
        let drop = Command::Source(SourceCommand::DropParts);
        session.apply(drop).unwrap();
        for part in &parts {
            session.receive(Received::MotionPart, part).unwrap();
        }
        play(&mut session).unwrap();
        let cut = [Received::Trace, Received::Client].map(|kind| session.receive(kind, &parts[0]));
        assert!(cut.iter().all(Result::is_err) && session.played_motion().is_some());
    }
}
