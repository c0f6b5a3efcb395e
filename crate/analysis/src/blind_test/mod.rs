//! The blind test "Can you tell?": whether a person tells two pictures of one motion apart. On an axis (a varied property) it
//! also finds the threshold: the level at which three of four answers are right.
//!
//! A and B are shown as often as a person likes. X is one of both, and the person answers which (Munson and Gardner 1950,
//! "Standardizing auditory tests"). [`psi`] chooses the levels to try, and estimates the threshold.

pub mod axis;
pub mod blind;
pub mod clip;
pub mod linked;
pub mod outcome;
pub mod psi;
pub mod test_run;
pub mod trials;
