//! The deterministic laboratory: a world of cubes, a network, and a receiver that sees only bytes and arrival times.
//!
//! Everything here is a pure function of settings, seed and inputs: no clock, no I/O, no browser. One call of
//! [`Lab::tick`] is one tick of 1/60 s.
//!
//! A folder uses those above it in this list: `settings`, `record`, `measure`, `lane`, `run`, `analysis`, `app`, `check`.

pub mod analysis;
pub mod app;
pub mod check;
pub mod lane;
pub mod measure;
pub mod record;
pub mod run;
pub mod settings;

pub use app::lab::Lab;
pub use lane::Lane;
pub use record::view::View;
pub use settings::Settings;
