//! Other codecs beside ours. They are a workspace of their own, because zstd needs a C compiler.

use std::process::Command;

use crate::shell::{Result, root};

/// The manifest of that workspace, from the root folder.
pub(crate) const MANIFEST: &str = "crate/opponents/Cargo.toml";

/// Runs them in the folder of the caller, whose paths the arguments are. Only their own output goes to the standard output.
pub(crate) fn run(arguments: &[String]) -> Result {
    let status = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()))
        .args(["run", "--quiet", "--release", "--manifest-path"])
        .arg(root().join(MANIFEST))
        .arg("--target-dir")
        .arg(root().join("target/apart"))
        .arg("--")
        .args(arguments)
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the opponents failed ({status})")),
        Err(error) => Err(format!("cannot start cargo: {error}")),
    }
}
