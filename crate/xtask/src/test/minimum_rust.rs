//! Check with the minimum Rust version, the oldest compiler that the project supports.

use crate::package::TAKEN_HOME;
use crate::shell::{Result, answer, command, run};
use crate::tidy::RUST_VERSION;

/// Checks the published crates with the minimum version. If the present compiler has this version, the other steps suffice.
pub(super) fn check() -> Result {
    match (other_version(), toolchain()) {
        (None, _) => println!("every step compiles with the minimum version, {RUST_VERSION}"),
        (Some(_), Some(toolchain)) => {
            let check = "cargo check --target-dir target/minimum-rust";
            let names = TAKEN_HOME.map(|name| format!("snapshot-{name}"));
            let packages = names.iter().flat_map(|name| ["--package", name]);
            let arguments = ["run", &toolchain].into_iter().chain(check.split(' '));
            return run(&mut command("rustup", arguments.chain(packages)));
        }
        (Some(other), None) => println!("SKIPPED: {}", skipped_with(&other)),
    }
    Ok(())
}

/// Returns the reason why the check with the minimum version was skipped; `None` if it was not.
pub(super) fn skipped() -> Option<String> {
    let other = other_version()?;
    toolchain().is_none().then(|| skipped_with(&other))
}

fn skipped_with(other: &str) -> String {
    format!(
        "the minimum Rust version, {RUST_VERSION}: all this ran with {other}, and rustup has no toolchain {RUST_VERSION}"
    )
}

/// Returns the compiler's version if it is not the minimum version; else `None`.
fn other_version() -> Option<String> {
    let output = answer(&mut command("rustc", ["--version"]))?;
    let version = output.split(' ').nth(1)?;
    (!is_minimum(version)).then(|| version.to_owned())
}

fn toolchain() -> Option<String> {
    let list = answer(&mut command("rustup", ["toolchain", "list"]))?;
    let names = list.lines().filter_map(|line| line.split(' ').next());
    let mut minimum = names.filter(|name| is_minimum(name));
    minimum.next().map(str::to_owned)
}

/// Returns true if a version is the minimum version. For 1.95 these are `1.95`, `1.95.1` and
/// `1.95.1-x86_64-unknown-linux-gnu`.
fn is_minimum(version: &str) -> bool {
    let rest = version.strip_prefix(RUST_VERSION);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_minimum_version_is_taken_for_it() {
        let minimum = ["", ".0", ".3", "-x86_64-unknown-linux-gnu", ".0-beta.1"];
        for rest in minimum {
            assert!(is_minimum(&format!("{RUST_VERSION}{rest}")), "{rest}");
        }
        for other in ["1.9", "stable-x86_64-unknown-linux-gnu", "nightly", "2.0.0"] {
            assert!(!is_minimum(other), "{other}");
        }
        assert!(!is_minimum(&format!("{RUST_VERSION}0.1")));
    }
}
