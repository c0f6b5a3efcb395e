//! The commands, a file each.

pub(crate) mod asteroids;
pub(crate) mod challenge;
pub(crate) mod link;
pub(crate) mod pile;
pub(crate) mod playout;
pub(crate) mod sweep;
pub(crate) mod tables;
pub(crate) mod train;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on a terminal's stderr, towards `length` of something.
pub(crate) fn bar(length: u64, unit: &str) -> ProgressBar {
    let template = format!("{{wide_bar}} {{pos}}/{{len}} {unit}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("a valid template");
    ProgressBar::new(length).with_style(style)
}
