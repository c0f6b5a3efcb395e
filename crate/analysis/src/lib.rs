//! Analyses of a motion on a tape: ladder (the cost of every encoding), widths, trade-offs, comparison of lanes, and verdict
//! (recommended settings). Also the models of other engines, the judge of a client's drawn motion, and the blind test.

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
