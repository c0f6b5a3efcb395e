//! The same bits on every machine: hashes of short lanes of each strategy, stored once.
//!
//! `cargo xtask test machine` runs this where it is called, and `cargo xtask test apart` on an emulated aarch64.

use crate::played;
use snapshot_settings::{Interpolation, Strategy, permalink};
use std::fmt::Write;

/// A line a link: hashes of the left world, of all packets and of all shown poses after [`TICKS`], and the link.
const HASHES: &str = include_str!("machines.txt");

const TICKS: u32 = 120;

/// Each rung that floats, square roots or a simulation could change, each interpolation and each strategy.
const LINKS: [&str; 11] = [
    "scene=roll&hz=20&codec=uncompressed&interp=slerp&loss=5",
    "scene=blow&hz=20&codec=changed-flags&interp=hermite&loss=5&jitter=33",
    "scene=mixed&hz=20&codec=arithmetic&interp=linear&loss=5",
    "scene=katamari&grid=12&hz=20&codec=predicted&interp=extrapolate&delay=100&loss=10",
    "scene=katamari&grid=12&hz=10&codec=predicted&class=strict&delay=adaptive&link=wifi-busy",
    "scene=mixed&grid=12&hz=10&codec=simulated&loss=5",
    "strategy=sync&scene=katamari&grid=12&loss=5&jitter=20",
    "strategy=sync&scene=mixed&grid=12&soft=1&delta=1&rel=1&rest=1&smooth=basic&buffer=adaptive",
    "strategy=lockstep&scene=blow&grid=12&loss=10&transport=tcp",
    "strategy=game&scene=katamari&grid=12&loss=5&jitter=20",
    "scene=mixed&grid=12&hz=20&interp=none&loss=5",
];

#[test]
fn a_link_plays_each_strategy_and_each_interpolation() {
    let played: Vec<_> = LINKS.map(|link| permalink::parse(link).0.lane()).into();
    for strategy in Strategy::ALL {
        let is_played = played.iter().any(|lane| lane.strategy() == strategy);
        assert!(is_played, "{strategy:?}");
    }
    for mode in Interpolation::ALL {
        let is_played = played.iter().any(|lane| lane.interpolation() == mode);
        assert!(is_played, "{mode:?}");
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn lanes_come_to_their_known_hashes() {
    let mut actual = String::new();
    for link in LINKS {
        let report = played(&format!("#{link}"), TICKS).report();
        assert_eq!(
            (report.decode_mismatches, report.packets_refused),
            (0, 0),
            "{link}"
        );
        let hashes = [report.state_hash, report.packets_hash, report.view_hash];
        let [state, packets, view] = hashes.map(|hash| format!("{hash:016x}"));
        writeln!(actual, "{state} {packets} {view} {link}").unwrap();
    }
    assert_eq!(
        actual, HASHES,
        "if this was meant, machines.txt becomes:\n{actual}"
    );
}
