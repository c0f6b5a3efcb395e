//! A simulated network link, one way, in virtual time.
//!
//! It carries bytes and knows no codec. The caller gives each packet's number, which keys its faults, and every instant.

pub mod channel;
pub mod fit;
pub mod given;
pub mod trace;
