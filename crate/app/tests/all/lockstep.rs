//! Lockstep: the same world on every frame, whatever is lost, and poses between two frames.

use crate::played;

/// Packets that are lost or late only make the window of inputs longer, here by the round trip and what a lost
/// acknowledgement adds. At one packet a second, in bursts, the window of 511 inputs fills.
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn whatever_is_lost_both_worlds_are_the_same_on_every_frame() {
    for (link, seconds, checked, inputs, is_full) in [
        (
            "grid=8&latency=125&jitter=17&loss=25",
            60,
            3574,
            15.0..20.0,
            false,
        ),
        (
            "grid=8&latency=2000&jitter=17&loss=25",
            60,
            3462,
            230.0..260.0,
            false,
        ),
        (
            "scene=roll&grid=5&latency=2000&hz=1&loss=50&burst=6&delay=500",
            120,
            1000,
            400.0..512.0,
            true,
        ),
    ] {
        let report = played(&format!("#strategy=lockstep&{link}"), seconds * 60).report();
        let lockstep = report.lockstep.as_ref().unwrap();
        assert_eq!(lockstep.first_desync_frame, None, "{link}");
        assert!(lockstep.frames_checked >= checked, "{link}: {lockstep:?}");
        assert_eq!((report.decode_mismatches, report.packets_refused), (0, 0));
        assert_eq!(report.position_error_mm.max, 0.0);
        assert_eq!(lockstep.window_full_ticks > 0, is_full, "{link}");
        assert!(!lockstep.given_up, "{link}");
        let mean = lockstep.inputs_per_packet_mean;
        assert!(inputs.contains(&mean), "{link}: {mean}");
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn worlds_that_step_whole_frames_are_shown_between_the_last_two() {
    let report = |more: &str, seconds: u32| {
        let link = format!("#strategy=lockstep&scene=katamari&grid=5&loss=5&jitter=30{more}");
        played(&link, seconds * 60).report()
    };
    let adaptive = report("&delay=adaptive", 30);
    // The world is the same, and so are the poses between its frames.
    assert!(adaptive.position_error_mm.max < 1e-3);
    let between_ms = adaptive.between_frames_ms_mean.unwrap();
    assert!((1.0..1000.0 / 60.0).contains(&between_ms), "{between_ms}");
    // Nothing is shown between the frames of a fixed delay.
    assert_eq!(report("", 10).between_frames_ms_mean, Some(0.0));
}
