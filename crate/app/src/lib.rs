//! The laboratory as page and command line use it, and its links.

pub mod comparisons;
pub mod lab;
pub mod lane_run;
pub mod link;

pub use lab::Lab;
