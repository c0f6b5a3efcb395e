//! A lane over the tape: its results at every tick, its rebuild, and the inspection of its packets.

pub mod history;
pub mod inspect;
pub mod lane_run;
pub mod overlay;
