//! Programs that made the lab, and programs that judge it: training, the world of the captures of 2015, drawn settings held
//! to the invariants, and playout beside the best fixed delay.

pub mod asteroids;
pub mod capture;
pub mod check;
pub mod drawn;
pub mod link_probe;
pub mod original;
pub mod pile;
pub mod playout;
pub mod train;
