//! After warm-up a tick of the snapshot lane allocates nothing.

use snapshot_lane::Lane;
use snapshot_record::tape::Tape;
use snapshot_settings::permalink;

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_warm_lane_allocates_nothing() {
    // Twice the receiver's history of 512 ticks, so that every slot of every ring has been used.
    const WARM_UP_TICKS: u64 = 3000;
    for link in [
        "#scene=mixed&grid=12&hz=60&loss=5&jitter=33&dup=10&reorder=10",
        "#scene=katamari&grid=12&hz=60&codec=uncompressed&interp=hermite&delay=adaptive",
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
