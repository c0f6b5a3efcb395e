//! Lines on stdout.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write, stdout};
use std::process::exit;

/// Writes a line. Where nobody reads any more (`| head`) the program ends here, quietly and as a success; where it can't be
/// written otherwise (a full disk), with 2 and the reason.
pub(crate) fn line(text: Arguments<'_>) {
    if let Err(error) = writeln!(stdout().lock(), "{text}") {
        if error.kind() == ErrorKind::BrokenPipe {
            exit(0);
        }
        eprintln!("error: cannot write the output: {error}");
        exit(2);
    }
}
