//! Benchmarks of speed and size, each compared with its target.

use crate::shell::{Result, cargo, node, root, run};
use crate::{page, setup};

/// Runs all benchmarks. The script www/tests/bench.mjs has the targets, and prints the table.
pub(crate) fn run_benches() -> Result {
    let chromium = setup::chromium()?;
    page::build()?;
    // A folder of its own, emptied: a figure in the table is of this run.
    let figures = root().join("target/bench");
    if figures.exists() {
        std::fs::remove_dir_all(&figures)
            .map_err(|error| format!("cannot empty {}: {error}", figures.display()))?;
    }
    let arguments = "bench --package snapshot-benches --bench mixed --target-dir target";
    run(cargo(arguments.split(' ')).env("CRITERION_HOME", &figures))?;
    run(node("www/tests/bench.mjs", [""; 0])
        .env("CHROMIUM", chromium)
        .env("CRITERION_HOME", &figures))
}
