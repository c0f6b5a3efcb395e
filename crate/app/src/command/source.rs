//! Commands for the motion and the network, and the files that a person gives for them.

use super::Refusal;
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
    /// The frames that a guest of the shared world saw, which lane B shows.
    GuestFrames,
    /// The log of the datagrams that a guest sent and received, for [`crate::query::Query::NetworkOfGuest`].
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

    /// Receives bytes of a file that was read elsewhere.
    ///
    /// # Errors
    /// When the bytes are not of this kind, or a part does not follow the one before; nothing changes then.
    pub fn receive(&mut self, kind: Received, bytes: &[u8]) -> Result<(), Refusal> {
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
        Ok(())
    }
}
