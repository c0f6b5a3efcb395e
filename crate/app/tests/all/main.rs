//! Laboratories as a person uses them: strategies, links, motions, packets by hand. One program, because linking takes longest.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod lane;
mod lockstep;
mod machines;
mod memory;
mod motion;
mod pile;
mod sync;
mod trace;

use snapshot_app::Lab;
use snapshot_physics::Input;
use snapshot_settings::{Settings, permalink};

/// The settings of a link without notices.
fn settings(link: &str) -> Settings {
    let (settings, notices) = permalink::parse(link);
    assert_eq!(notices, [], "{link}");
    settings
}

/// The laboratory of a link after some ticks without a person's keys.
fn played(link: &str, ticks: u32) -> Lab {
    let mut lab = Lab::new(settings(link));
    (0..ticks).for_each(|_| lab.tick(Input::NONE));
    lab
}
