//! The Worker's part: files are read, judged and given a verdict there.

pub mod challenge;
pub mod judge;
pub mod motion;
pub mod trace;
pub mod verdict;
