//! Values in several parts of a link: ticks and other whole numbers. Also the notice for a value that a part cannot have.

use snapshot_base::text::shorten;
use snapshot_record::motion::TICKS_MAX;
use snapshot_settings::permalink::Notice;

/// Latest tick that a link can name: ten minutes, which take a minute to simulate.
pub const LATEST_TICK: u64 = 36_000;

/// Latest tick of a recorded motion that a link can name: the end of the longest motion. Its ticks need no simulation.
pub const LATEST_MOTION_TICK: u64 = TICKS_MAX;

/// Returns the notice for a text that a key cannot have; `takes` describes the texts that it can have.
pub(super) fn refused(id: &'static str, text: &str, takes: impl Into<String>) -> Notice {
    Notice::Value {
        id,
        text: shorten(text),
        takes: takes.into(),
    }
}

pub(super) fn number(text: &str, most: u64) -> Option<u64> {
    text.parse().ok().filter(|number| *number <= most)
}

pub(super) fn from_0_to(most: u64) -> String {
    format!("a whole number from 0 to {most}")
}
