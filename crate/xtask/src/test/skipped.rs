//! Tests that this machine cannot run, with the reasons.

use super::TestPart;
use crate::setup;
use std::process::Command;

const NO_FIREFOX: &str = "Firefox is not there: install it (Debian: `apt-get install firefox-esr`), or set FIREFOX to its program";

const NO_WEBKIT: &str = "WebKitGTK is not there: install its driver and a screen (Debian: `apt-get install webkit2gtk-driver xvfb`)";

const NO_NAMESPACE: &str = "Pages did not play over WebRTC: this machine gives no network namespaces (as root: `unshare -n true`)";

pub(super) fn lines(parts: &[TestPart]) -> Vec<String> {
    let missing = [
        (setup::firefox().is_none(), NO_FIREFOX),
        (setup::webkit().is_none(), NO_WEBKIT),
        (!has_namespaces(), NO_NAMESPACE),
    ];
    let missing = missing
        .into_iter()
        .filter(|(is_missing, _)| *is_missing && parts.contains(&TestPart::Apart));
    missing.map(|(_, text)| text.to_owned()).collect()
}

/// Returns true if a process may create its own network namespace.
fn has_namespaces() -> bool {
    let asked = Command::new("unshare").args(["-n", "true"]).status();
    asked.is_ok_and(|status| status.success())
}
