//! The laboratory that the page and the command line share, and its links. A link is an address of the page that reproduces a
//! state of the laboratory.

pub mod comparisons;
pub mod file_kind;
pub mod lab;
pub mod lane_run;
pub mod link;
pub mod visit;

pub use lab::Lab;
