//! Output of lines and of JSON to stdout, and of notes to stderr.

use clap::Args;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Arguments;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::process::exit;

/// Writes a line. If the reader has ended (`| head`), the program exits here, quietly and as a success. If writing fails
/// otherwise (a full disk), it exits with 2 and the reason.
pub(crate) fn line(text: Arguments<'_>) {
    if let Err(error) = writeln!(stdout().lock(), "{}", printable(&text.to_string())) {
        if error.kind() == ErrorKind::BrokenPipe {
            exit(0);
        }
        eprintln!("error: cannot write the output: {error}");
        exit(2);
    }
}

/// The form of a command's result: JSON, or text for people.
#[derive(Args)]
pub(crate) struct ResultForm {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl ResultForm {
    /// Prints a result as JSON if the option asks for it, else by `print`.
    pub(crate) fn print<R: Serialize + ?Sized>(&self, result: &R, print: impl FnOnce(&R)) {
        if self.json {
            json(result);
        } else {
            print(result);
        }
    }
}

pub(crate) fn json(result: &(impl Serialize + ?Sized)) {
    let json = serde_json::to_string_pretty(result).expect("results have only numbers and names");
    println!("{json}");
}

/// Writes a line to stderr. A failure is ignored, because the result of the command is more important than the note.
pub(crate) fn note(text: Arguments<'_>) {
    let _ = writeln!(stderr().lock(), "{}", printable(&text.to_string()));
}

/// Returns the text with control characters replaced by their escapes; line ends and tabs stay. Links, files and their names
/// may come from anybody, and a terminal obeys control characters.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let is_obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(is_obeyed) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_obeyed(c) {
            escaped.extend(c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    escaped.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_sent_no_commands() {
        assert_eq!(printable("a\tb\nü"), "a\tb\nü");
        assert_eq!(
            printable("\x1b]0;x\x07\u{9b}1m\r"),
            "\\u{1b}]0;x\\u{7}\\u{9b}1m\\r"
        );
    }
}
