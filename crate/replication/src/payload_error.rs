//! Errors that refuse an input, a message or a budget of the game.

use crate::error_name::named;
use std::fmt;

/// Reason why an input, a message or a budget is not accepted. Nothing changes then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PayloadError {
    /// The input is too long; has its length in bytes.
    InputTooLong(usize),
    /// The tick is not newer than that of the last input, or not due.
    InputTick(u64),
    /// The message is too long; has its length in bytes.
    MessageTooLong(usize),
    /// The queue of messages is full, so the message is not sent. A message that is sent once also gets this where the budget
    /// has no room for it soon.
    Full,
    /// There is no connection.
    NotConnected,
    /// The budget is out of range, or no number.
    Budget,
}

impl PayloadError {
    /// The error's number, for programs in other languages.
    pub const fn number(&self) -> u32 {
        match self {
            Self::InputTooLong(_) => 161,
            Self::InputTick(_) => 162,
            Self::MessageTooLong(_) => 163,
            Self::Full => 164,
            Self::NotConnected => 165,
            Self::Budget => 166,
        }
    }
}

impl fmt::Display for PayloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(named(self.number()))
    }
}

impl std::error::Error for PayloadError {}
