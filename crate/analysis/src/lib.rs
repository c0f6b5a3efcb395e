//! Analyses of a tape beside its lanes: ladder, widths, trade-offs, comparison and verdict.

pub mod comparison;
pub mod engines;
pub mod judge;
pub mod ladder;
pub mod link_fit;
pub mod tell;
#[cfg(test)]
mod testing;
pub mod trade;
pub mod verdict;
mod width_histogram;
pub mod widths;
pub mod window;
