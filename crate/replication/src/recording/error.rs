//! Errors that refuse bytes as a recording.

use crate::error_name::named;
use std::fmt;

/// Reason why bytes are refused as a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordingError {
    /// The bytes do not begin with the mark of a recording, `SREC`.
    NoRecording,
    /// The recording is of another version.
    Version(u8),
    /// The recording is of a kind that this program does not replay.
    Kind(String),
    /// The bytes end within the header or a record.
    Cut,
    /// A record is of no known form, such as an unknown call, or one that is too long; has its number, from 1.
    Form(u64),
    /// Bytes follow the record that ends the recording.
    AfterEnd,
    /// The bytes differ from those that the recorder wrote: the check of a record fails.
    Damaged,
    /// The arguments in the header are not valid for this kind of recording.
    Arguments,
    /// The settings in the recording are refused; has the error's number.
    Settings(u32),
    /// The arguments of a call are not valid for its function; has the number of the call, from 1.
    Call(u64),
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRecording => f.write_str("no recording"),
            Self::Version(version) => write!(f, "a recording of version {version}"),
            Self::Kind(kind) if kind == "server" => {
                f.write_str("a recording of a server, which this version does not replay")
            }
            Self::Kind(kind) => write!(f, "a recording of the unknown kind {kind:?}"),
            Self::Cut => f.write_str("a recording that ends within a record"),
            Self::Form(number) => write!(f, "a recording whose record {number} is of another form"),
            Self::AfterEnd => f.write_str("a recording with bytes after its end"),
            Self::Damaged => f.write_str("a damaged recording"),
            Self::Arguments => f.write_str("a recording without the arguments of its kind"),
            Self::Settings(number) => write!(f, "a recording with refused {}", named(*number)),
            Self::Call(number) => write!(f, "a recording whose call {number} cannot be repeated"),
        }
    }
}

impl std::error::Error for RecordingError {}
