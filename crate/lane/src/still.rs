//! Tests that the still frames of the figures are those whose pictures are equal, over random links.

use crate::played::{self, lane_over};
use crate::view::distance_m;
use snapshot_base::random::Stream;
use snapshot_record::tape::Tape;
use snapshot_settings::{Interpolation, Strategy};
use snapshot_view::{Playback, Pose};

const TICKS: u64 = 600;
/// Number of first ticks that are not judged: a first snapshot alone has no velocity to extrapolate by.
const OPENING_TICKS: u64 = 60;
/// Least motion in a tick by which a picture shows how much of the tick it advanced, m.
const LEAST_M: f32 = 0.02;

/// Plays a link; returns the numbers of still and of moving frames that were judged by their picture.
fn check(link: &str) -> [u64; 2] {
    let settings = played::settings(link);
    let tape = Tape::record(&settings, TICKS);
    let mut truth = Vec::new();
    let mut player = |tick| {
        tape.read_truth(tick, &mut truth);
        truth[0].position
    };
    let mut judged = [0; 2];
    let mut before: Option<(Vec<Pose>, f64)> = None;
    lane_over(&tape, &settings, |tick, lane| {
        let poses = lane.poses.clone();
        let drawn = lane.playback.map_or(0.0, |it| it.drawn_tick);
        let Some((earlier, drawn_before)) = before.replace((poses.clone(), drawn)) else {
            return;
        };
        let shown = drawn_before.max(0.0) as u64;
        let tick_m = distance_m(player(shown), player((shown + 1).min(TICKS)));
        let moved_m = distance_m(earlier[0].position, poses[0].position);
        // A replica without news goes on, and its player may stand.
        let lacks_news = |it: Playback| it.hitch && it.shown_tick < it.drawn_tick;
        let is_judged = lane.playback.is_some_and(|it| !lacks_news(it));
        let is_same = earlier == poses;
        let is_clear = is_same || moved_m > 0.5 * tick_m;
        if tick > OPENING_TICKS && is_judged && tick_m > LEAST_M && is_clear {
            let moved = format!("{link}: tick {tick}, {moved_m} of {tick_m} m");
            assert_eq!(lane.is_still, is_same, "{moved}");
            judged[usize::from(is_same)] += 1;
        }
    });
    judged
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn still_frames_of_the_figures_are_frames_with_equal_pictures() {
    let modes = Interpolation::ALL.map(|mode| (Strategy::Snapshot, mode));
    let others = Strategy::ALL.into_iter();
    // A game's frames are judged by its server's ticks.
    let others = others.filter(|it| !matches!(it, Strategy::Snapshot | Strategy::Game));
    let others = others.map(|strategy| (strategy, Interpolation::Linear));
    let mut stream = Stream::new(51, 0);
    let mut all = [0; 2];
    for (strategy, mode) in modes.into_iter().chain(others) {
        let way = format!("strategy={}&interp={}", strategy.row().id, mode.row().name);
        let key = played::settings(&way).lane().delay_key().setting().id;
        for clock in ["none", "adaptive", "2", "100"] {
            // The buffer of state synchronisation counts packets.
            let is_count = clock == "100" && key == "buffer";
            let clock = if is_count { "6" } else { clock };
            let hz = [10, 20, 30, 60][stream.integer(0, 3) as usize];
            let [loss, jitter] = [20, 60].map(|most| stream.integer(0, most));
            let seed = stream.integer(1, 1000);
            let link = format!("#{way}&{key}={clock}&hz={hz}&loss={loss}&jitter={jitter}");
            let judged = check(&format!("{link}&seed={seed}&scene=katamari&grid=5"));
            println!("{link}: {judged:?}");
            all = [all[0] + judged[0], all[1] + judged[1]];
        }
    }
    assert!(all.iter().all(|judged| *judged > 1000), "{all:?}");
}
