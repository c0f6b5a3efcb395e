//! Lanes that tests have played.

use crate::Lane;
use crate::history::LaneHistory;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::{Settings, permalink};
use std::ops::Range;

/// Returns the settings of a link that must have no notices.
pub(crate) fn settings(link: &str) -> Settings {
    let (settings, notices) = permalink::parse(link);
    assert_eq!(notices, [], "{link}");
    settings
}

/// Returns a whole tape of a link's scene, and the history of a lane over it.
pub(crate) fn history(link: &str, ticks: u64) -> (Tape, LaneHistory) {
    history_with_cut(link, ticks, 0..0)
}

/// Returns tape and history as [`history`] does, with the network cut in some ticks.
pub(crate) fn history_with_cut(link: &str, ticks: u64, cut: Range<u64>) -> (Tape, LaneHistory) {
    let settings = settings(link);
    let mut tape = Tape::record(&settings, ticks);
    tape.cut(cut);
    let history = LaneHistory::run(&tape, &settings.lane(), &LinkInputs::default(), 0);
    (tape, history)
}

/// Plays a lane over a whole tape, and looks at it after each tick.
pub(crate) fn lane_over(
    tape: &Tape,
    settings: &Settings,
    mut look: impl FnMut(u64, &Lane),
) -> Lane {
    let mut lane = Lane::new(&settings.lane(), &tape.world_at(0));
    let mut frames = tape.frames_after(0);
    while let Some(frame) = frames.next() {
        lane.set_cut(tape.is_cut(frame.tick));
        lane.tick(&frame);
        look(frame.tick, &lane);
    }
    lane
}
