//! The deterministic laboratory: a world of cubes, a network, and a receiver that sees only bytes and arrival times.
//!
//! Everything here is a pure function of settings, seed and inputs: no clock, no I/O, no browser. One call of
//! [`Lab::tick`] is one tick of 1/60 s.

pub mod agreed;
pub mod capture;
pub mod comparisons;
mod delta_history;
pub mod history;
pub mod inspect;
pub mod lab;
pub mod ladder;
pub mod lane;
pub mod lane_run;
pub mod last_minute;
pub mod link;
pub mod metrics;
pub mod motion;
pub mod overlay;
pub mod predictor;
pub mod recorded;
pub mod report;
pub mod schedule;
pub mod settings;
pub mod soak;
mod span;
pub mod sweep;
pub mod tape;
pub mod trade;
pub mod view;
pub mod widths;
pub mod worked;

pub use lab::Lab;
pub use lane::Lane;
pub use settings::Settings;
pub use view::View;
