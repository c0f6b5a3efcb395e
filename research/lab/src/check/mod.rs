//! Drawn settings and links, held to the invariants.

pub mod sweep;
