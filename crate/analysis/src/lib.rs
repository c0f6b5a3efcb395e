//! Analyses of a tape beside its lanes: other rungs, widths and rates, and single fields.

pub mod comparison;
pub mod ladder;
pub mod link_fit;
pub mod link_probe;
pub mod playout_probe;
pub mod trade;
pub mod verdict;
mod width_histogram;
pub mod widths;
pub mod window;
