//! Tests that this machine cannot run, with the reasons.

use super::TestPart;
use crate::setup;

pub(super) const NO_FIREFOX: &str = "Firefox is not there: install it (Debian: `apt-get install firefox-esr`), or set FIREFOX to its program";

pub(super) fn lines(parts: &[TestPart]) -> Vec<String> {
    let firefox = parts.contains(&TestPart::Apart) && setup::firefox().is_none();
    firefox.then(|| NO_FIREFOX.to_owned()).into_iter().collect()
}
