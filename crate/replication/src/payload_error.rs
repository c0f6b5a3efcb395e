//! The refusal of what a game gives to be sent.

use crate::error_name::named;
use std::fmt;

/// A reason for which an input or a message is not taken. Nothing changes then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PayloadError {
    /// An input of so many bytes.
    InputTooLong(usize),
    /// A tick that is not newer than that of the last input, or not due.
    InputTick(u64),
    /// A message of so many bytes.
    MessageTooLong(usize),
    /// The queue is full: the greatest number of messages waits.
    Full,
    /// There is no connection.
    NotConnected,
}

impl PayloadError {
    /// The number of the error.
    pub const fn number(&self) -> u32 {
        match self {
            Self::InputTooLong(_) => 161,
            Self::InputTick(_) => 162,
            Self::MessageTooLong(_) => 163,
            Self::Full => 164,
            Self::NotConnected => 165,
        }
    }
}

impl fmt::Display for PayloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(named(self.number()))
    }
}

impl std::error::Error for PayloadError {}
