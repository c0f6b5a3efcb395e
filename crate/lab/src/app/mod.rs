//! The laboratory as page and command line use it, and its links.

pub mod comparisons;
pub mod lab;
pub mod link;
