//! Tests that every machine computes the same bits: stored packets, states of the world, hashes of whole lanes.

use crate::setup::AARCH64;
use crate::shell::{Result, cargo, run};

/// Runs the tests on this machine.
pub(super) fn here() -> Result {
    run(&mut cargo(arguments()))
}

/// Runs the tests on an emulated aarch64.
pub(super) fn aarch64() -> Result {
    let target = ["--target", AARCH64];
    run(cargo(arguments().chain(target))
        .env(
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER",
            "aarch64-linux-gnu-gcc",
        )
        .env(
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
            "qemu-aarch64 -L /usr/aarch64-linux-gnu",
        ))
}

/// Arguments that select the packages with stored bytes or hashes. Filters leave out tests that would take minutes under
/// emulation.
fn arguments() -> impl Iterator<Item = &'static str> {
    let packages = "--package snapshot-codec --package snapshot-replication --package snapshot-strategies --package snapshot-app";
    let tests = "--lib --test all -- golden machines quantised";
    std::iter::once("test")
        .chain(packages.split(' '))
        .chain(tests.split(' '))
}
