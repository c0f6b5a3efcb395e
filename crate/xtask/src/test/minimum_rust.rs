//! Check of the published crates with their minimum Rust version, the oldest compiler that builds them.
//!
//! Clippy refuses items of the standard library that are newer, whatever compiler is there. This check refuses newer syntax, too.

use crate::package::{TAKEN_HOME, minimum_rust};
use crate::shell::{Result, answer, command, run};

/// Checks the published crates with their minimum version, if rustup has it.
pub(super) fn check() -> Result {
    let version = version()?;
    let Some(toolchain) = toolchain(&version) else {
        println!("SKIPPED: {}", skipped_with(&version));
        return Ok(());
    };
    let check = "cargo check --target-dir target/minimum-rust";
    let names = TAKEN_HOME.map(|name| format!("snapshot-{name}"));
    let packages = names.iter().flat_map(|name| ["--package", name]);
    let arguments = ["run", &toolchain].into_iter().chain(check.split(' '));
    run(&mut command("rustup", arguments.chain(packages)))
}

/// Returns the reason why the check was skipped; `None` if it was not.
pub(super) fn skipped() -> Option<String> {
    let version = version().ok()?;
    let is_skipped = toolchain(&version).is_none();
    is_skipped.then(|| skipped_with(&version))
}

fn skipped_with(version: &str) -> String {
    format!("the minimum version of the published crates: rustup has no toolchain {version}")
}

/// Returns the one version that the manifests of all published crates name.
fn version() -> Result<String> {
    let [first, others @ ..] = TAKEN_HOME.map(minimum_rust);
    if first.is_empty() || others.iter().any(|other| *other != first) {
        return Err("the published crates have no common minimum Rust version".to_owned());
    }
    Ok(first)
}

fn toolchain(version: &str) -> Option<String> {
    let list = answer(&mut command("rustup", ["toolchain", "list"]))?;
    let names = list.lines().filter_map(|line| line.split(' ').next());
    let mut minimum = names.filter(|name| is_minimum(name, version));
    minimum.next().map(str::to_owned)
}

/// Returns true if a toolchain has the minimum version. For 1.88 these are `1.88`, `1.88.1` and
/// `1.88.1-x86_64-unknown-linux-gnu`.
fn is_minimum(name: &str, version: &str) -> bool {
    let rest = name.strip_prefix(version);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_minimum_version_is_taken_for_it() {
        let version = version().unwrap();
        let minimum = ["", ".0", ".3", "-x86_64-unknown-linux-gnu", ".0-beta.1"];
        for rest in minimum {
            assert!(is_minimum(&format!("{version}{rest}"), &version), "{rest}");
        }
        for other in ["1.8", "stable-x86_64-unknown-linux-gnu", "nightly", "2.0.0"] {
            assert!(!is_minimum(other, &version), "{other}");
        }
        assert!(!is_minimum(&format!("{version}0.1"), &version));
    }
}
