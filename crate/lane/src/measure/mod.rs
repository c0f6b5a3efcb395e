//! The figures of a lane: counted in its ticks, and reported as plain data.

pub mod live;
pub mod metrics;
pub mod report;
pub mod run;
pub mod table;
