//! The verdict on a motion: what to take for it, why, and what other engines would send.

pub mod engines;
