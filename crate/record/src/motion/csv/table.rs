//! The text of a table, as it is in the file or made from another text.

use crate::motion::MotionError;
use std::borrow::Cow;

/// A table of rows, as it is in the file or made from another text.
pub(in crate::motion) struct TableText<'a> {
    pub(in crate::motion) bytes: Cow<'a, [u8]>,
    pub(in crate::motion) lines: LineNumbers,
    pub(in crate::motion) notes: Vec<String>,
    pub(in crate::motion) is_json: bool,
}

/// Conversion from the lines of a table to the numbers of the file's rows, for error messages.
#[derive(Clone, Copy)]
pub(in crate::motion) struct LineNumbers {
    /// Number of lines of the table before its first row.
    pub(in crate::motion) head: u64,
    /// Number of the first row in the file, from 1.
    pub(in crate::motion) first: u64,
    /// Number of lines of the table for a row of the file.
    pub(in crate::motion) per_row: u64,
}

impl LineNumbers {
    pub(in crate::motion) const OWN: LineNumbers = LineNumbers {
        head: 0,
        first: 1,
        per_row: 1,
    };

    /// Returns the number in the file for a line of the table.
    pub(in crate::motion) fn of(self, line: u64) -> u64 {
        match line.checked_sub(self.head + 1) {
            Some(after) => self.first + after / self.per_row.max(1),
            None => line,
        }
    }
}

impl TableText<'_> {
    /// Returns an error about the column names, with the kind of the text added if that is JSON.
    pub(in crate::motion) fn fault(&self, MotionError(refusal): MotionError) -> MotionError {
        MotionError(match self.is_json {
            true => refusal.replacen("the header: ", "the header: it is JSON; ", 1),
            false => refusal,
        })
    }
}
