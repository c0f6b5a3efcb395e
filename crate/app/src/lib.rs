//! The laboratory behind page and command line, and its links.

pub mod comparisons;
pub mod file_kind;
pub mod lab;
pub mod lane_run;
pub mod link;
pub mod visit;

pub use lab::Lab;
