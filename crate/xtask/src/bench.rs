//! Speed and size, each beside its target.

use crate::shell::{Result, cargo, node, run};
use crate::{page, setup};

/// Measures everything; www/tests/bench.mjs prints the table.
pub(crate) fn run_benches() -> Result {
    let chromium = setup::chromium()?;
    page::build()?;
    run(&mut cargo([
        "bench",
        "--package",
        "snapshot-codec",
        "--benches",
        "--target-dir",
        "target",
    ]))?;
    run(node("www/tests/bench.mjs", [""; 0]).env("CHROMIUM", chromium))
}
