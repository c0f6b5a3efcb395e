//! A progress bar on stderr, if that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

pub(crate) fn bar(length: u64, unit: &str) -> ProgressBar {
    let template = format!("{{wide_bar}} {{pos}}/{{len}} {unit}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("a valid template");
    ProgressBar::new(length).with_style(style)
}
