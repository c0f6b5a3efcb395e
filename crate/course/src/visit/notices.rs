//! The words about files that a link names and cannot carry.

use snapshot_base::time::TickRate;

pub(super) fn asks_for_motion(asked: u32) -> String {
    format!(
        "This link is of somebody's own motion ({asked:08x}), which no link can carry: drop its file on this page. Until then our own world plays"
    )
}

pub(super) fn is_another_motion(asked: u32, given: u32) -> String {
    format!("The link is of another motion ({asked:08x}); this is {given:08x}")
}

pub(super) fn motion_ends_before(at: u64, last: u64, tick_rate: TickRate) -> String {
    let [at_s, last_s] = [at, last].map(|tick| tick_rate.seconds_of_ticks(tick));
    format!("The link is of {at_s:.1} s, and this motion ends at {last_s:.1} s, which is shown")
}

pub(super) fn asks_for_trace(asked: u32) -> String {
    format!(
        "This link is of somebody's own network ({asked:08x}), a trace that no link can carry: drop its file on this page. Until then the settings' network is used"
    )
}

pub(super) fn is_another_trace(asked: u32, given: u32) -> String {
    format!("The link is of another trace ({asked:08x}); this is {given:08x}")
}
