//! Tests that this machine cannot run, with the reasons.

use super::TestPart;
use crate::setup;

const NO_FIREFOX: &str = "Firefox is not there: install it (Debian: `apt-get install firefox-esr`), or set FIREFOX to its program";

const NO_WEBKIT: &str = "WebKitGTK is not there: install its driver and a screen (Debian: `apt-get install webkit2gtk-driver xvfb`)";

pub(super) fn lines(parts: &[TestPart]) -> Vec<String> {
    let missing = [
        (setup::firefox().is_none(), NO_FIREFOX),
        (setup::webkit().is_none(), NO_WEBKIT),
    ];
    let missing = missing
        .into_iter()
        .filter(|(is_missing, _)| *is_missing && parts.contains(&TestPart::Apart));
    missing.map(|(_, told)| told.to_owned()).collect()
}
