//! Drawn settings and links, held to the invariants.

pub(crate) mod soak;
pub(crate) mod sweep;
