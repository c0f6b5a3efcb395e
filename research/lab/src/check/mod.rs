//! Drawn settings and links, held to the invariants.

pub mod soak;
pub mod sweep;
