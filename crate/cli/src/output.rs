//! Output of lines to stdout and stderr.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::process::exit;

/// Writes a line. If the reader is gone (`| head`), the program ends here, quietly and as a success. If writing fails
/// otherwise (a full disk), it ends with 2 and the reason.
pub(crate) fn line(text: Arguments<'_>) {
    if let Err(error) = writeln!(stdout().lock(), "{text}") {
        if error.kind() == ErrorKind::BrokenPipe {
            exit(0);
        }
        eprintln!("error: cannot write the output: {error}");
        exit(2);
    }
}

/// Writes a line to stderr. Failures are ignored, because the result is worth more than the note.
pub(crate) fn note(text: Arguments<'_>) {
    let _ = writeln!(stderr().lock(), "{text}");
}
