//! Playout that adapts, in lanes of each strategy.
use crate::settings;
use snapshot_app::Lab;
use snapshot_lane::measure::report::Report;
use snapshot_physics::Input;
use snapshot_settings::permalink;

fn run(link: &str, seconds: u32) -> Report {
    let settings = settings(link);
    let mut lab = Lab::new(settings);
    (0..seconds * 60).for_each(|_| lab.tick(Input::NONE));
    let report = lab.report();
    println!(
        "{link}: {:?}, error {:.1} mm",
        report.playout, report.position_error_mm.rms
    );
    assert_eq!((report.decode_mismatches, report.packets.refused), (0, 0));
    report
}

#[test]
fn less_jitter_is_less_delay_and_few_frames_stand_still() {
    for (strategy, hz, key) in [
        ("snapshot", 60, "delay"),
        ("sync", 60, "buffer"),
        ("lockstep", 60, "delay"),
    ] {
        let delay_ms = [0, 20, 60].map(|jitter_ms| {
            let report = run(
                &format!("#strategy={strategy}&scene=katamari&grid=5&hz={hz}&loss=0&jitter={jitter_ms}&{key}=adaptive"),
                30,
            );
            assert!(report.playout.still_ms < 700.0, "{:?}", report.playout);
            report.playout.playout_delay_ms_mean.unwrap()
        });
        // The spread of the jitter, and no more than an interval and two ticks. Inputs that are late come with the next packet.
        for (delay_ms, jitter_ms) in delay_ms.into_iter().zip([0.0, 20.0, 60.0]) {
            let needed_ms = 1.5 * jitter_ms..2.0 * jitter_ms + 50.0;
            assert!(
                needed_ms.contains(&delay_ms),
                "{strategy} {jitter_ms}: {delay_ms}"
            );
        }
    }
}

#[test]
fn worlds_that_step_whole_frames_are_shown_between_the_last_two() {
    let lockstep = run(
        "#strategy=lockstep&scene=katamari&grid=5&loss=5&jitter=30&delay=adaptive",
        30,
    );
    // The world is the same, and so are the poses between its frames.
    assert!(
        lockstep.position_error_mm.max < 1e-3,
        "{:?}",
        lockstep.position_error_mm
    );
    assert_eq!(lockstep.lockstep.unwrap().first_desync_frame, None);
    let between_ms = lockstep.playout.between_frames_ms_mean.unwrap();
    assert!((1.0..1000.0 / 60.0).contains(&between_ms), "{between_ms}");
    // Nothing is shown between the frames of a fixed delay.
    let fixed = run(
        "#strategy=lockstep&scene=katamari&grid=5&loss=5&jitter=30",
        10,
    );
    assert_eq!(fixed.playout.between_frames_ms_mean, Some(0.0));
}

#[test]
fn after_one_cut_play_is_soon_where_it_was() {
    for link in [
        "#scene=katamari&grid=5&hz=60&loss=0&jitter=10&delay=adaptive",
        "#strategy=sync&scene=katamari&grid=5&loss=0&jitter=10&buffer=adaptive",
        "#strategy=lockstep&scene=katamari&grid=5&loss=0&jitter=10&delay=adaptive",
    ] {
        // No delay covers two seconds. One does cover one, but not for an outage once in forty seconds.
        for (warm_ticks, cut_ticks) in [(600, 120), (2400, 120), (2400, 60)] {
            let (settings, _) = permalink::parse(link);
            let mut lab = Lab::new(settings);
            let behind_ms = |lab: &Lab| lab.live().behind_ms.unwrap();
            (0..warm_ticks).for_each(|_| lab.tick(Input::NONE));
            let before_ms = behind_ms(&lab);
            lab.cut_for(cut_ticks);
            (0..cut_ticks + 360).for_each(|_| lab.tick(Input::NONE));
            let after_ms = behind_ms(&lab);
            assert!(
                (after_ms - before_ms).abs() < 20.0,
                "{link}, {cut_ticks}: {before_ms}, then {after_ms}"
            );
        }
    }
}
