//! After warm-up a tick of the snapshot lane allocates nothing.

use snapshot_base::time::WORLD;
use snapshot_lane::Lane;
use snapshot_record::tape::Tape;
use snapshot_settings::permalink;
use snapshot_view::playout::{Aim, Clock};

#[test]
fn a_warm_lane_allocates_nothing() {
    // Twice the receiver's history of 512 ticks, so that every slot of every ring has been used.
    const WARM_UP_TICKS: u64 = 3000;
    for link in [
        "#scene=mixed&grid=12&hz=60&loss=5&jitter=33&dup=10&reorder=10",
        "#scene=katamari&grid=12&hz=60&codec=uncompressed&interp=hermite",
        "#scene=blow&grid=12&hz=30&loss=20&burst=5&interp=extrapolate&mtu=576",
    ] {
        let (settings, notices) = permalink::parse(link);
        assert_eq!(notices, []);
        let tape = Tape::record(&settings, WARM_UP_TICKS + 600);
        let mut lane = Lane::new(&settings.lane(), &tape.world_at(0));
        let mut frames = tape.frames_after(0);
        let mut play = |ticks: u64| {
            (0..ticks).for_each(|_| lane.tick(&frames.next().expect("as many were recorded")));
        };
        play(WARM_UP_TICKS);
        let counted = allocation_counter::measure(|| play(600));
        assert_eq!(counted.count_total, 0, "{link}");
    }
}

#[test]
fn a_warm_playout_clock_allocates_nothing() {
    let aim = Aim {
        freezes_per_minute: 2.0,
        change: 0.24,
        ..Aim::default()
    };
    let mut clock = Clock::new(WORLD, aim, 1000.0 / 60.0, 0.0, 0.0);
    let mut play = |ticks: std::ops::Range<i64>| {
        for tick in ticks {
            let now_ms = tick as f64 * 1000.0 / 60.0;
            clock.packet(now_ms + (tick % 7) as f64, tick);
            clock.advance(now_ms + 10.0);
        }
    };
    play(0..1);
    let counted = allocation_counter::measure(|| play(1..3000));
    assert_eq!(counted.count_total, 0);
}
