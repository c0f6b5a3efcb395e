//! Tests that every machine computes the same bits. They compare packets, states of the world and hashes of whole lanes with
//! stored ones.

use crate::setup::AARCH64;
use crate::shell::{Result, cargo, run};

pub(super) fn here() -> Result {
    run(&mut cargo(arguments(&[])))
}

pub(super) fn aarch64() -> Result {
    run(cargo(arguments(&["--target", AARCH64]))
        .env(
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER",
            "aarch64-linux-gnu-gcc",
        )
        .env(
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
            "qemu-aarch64 -L /usr/aarch64-linux-gnu",
        ))
}

/// Returns the arguments that select the packages with stored bytes or hashes. Filters leave out tests that would take
/// minutes under emulation.
fn arguments<'a>(target: &[&'a str]) -> Vec<&'a str> {
    let packages = "--package snapshot-codec --package snapshot-replication --package snapshot-lane --package snapshot-app";
    let tests = "--lib --test all -- golden machines states_are_quantised";
    let words = ["test", packages, tests].into_iter();
    let mut words: Vec<_> = words.flat_map(|words| words.split(' ')).collect();
    words.splice(1..1, target.iter().copied());
    words
}
