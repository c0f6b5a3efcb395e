//! Helpers of the tests.

use snapshot_lane::history::LaneHistory;
use snapshot_lane::measure::report::Report;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::{Settings, permalink};

/// Settings of a link that has no mistake.
pub(crate) fn settings(link: &str) -> Settings {
    let (settings, notices) = permalink::parse(link);
    assert_eq!(notices, [], "{link}");
    settings
}

pub(crate) fn history(tape: &Tape, settings: &Settings) -> LaneHistory {
    let mut history = LaneHistory::new(tape, &settings.lane(), &LinkInputs::default(), 0);
    while history.advance(tape) {}
    history
}

pub(crate) fn report(tape: &Tape, settings: &Settings) -> Report {
    history(tape, settings).report(0)
}
