//! What made the lab, and what judges it: training, the world of the captures of 2015, the search for widths, and drawn
//! settings held to the invariants.

pub mod capture;
pub mod chances;
pub mod check;
pub mod original;
pub mod search;
pub mod train;
