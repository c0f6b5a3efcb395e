//! The blind test "Can you tell?": whether a person tells two pictures of one motion apart, and from which level on.
//!
//! A and B are shown as often as a person likes; X is one of them, and the person says which (Munson and Gardner 1950,
//! "Standardizing auditory tests"). [`psi`] chooses the levels of a threshold.

pub mod axis;
pub mod blind;
pub mod clip;
pub mod hand;
pub mod linked;
pub mod outcome;
pub mod pool;
pub mod psi;
pub mod session;
pub mod trials;
