//! The laboratory of page and command line, and the links.

pub mod comparisons;
pub mod field_examples;
pub mod lab;
pub mod lane_run;
pub mod link;
pub mod visit;

pub use lab::Lab;
