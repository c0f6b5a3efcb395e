//! Memory of a session that goes on and on, by an allocator that counts.

use crate::settings;
use allocation_counter::measure;
use snapshot_app::Lab;
use snapshot_physics::Input;
use snapshot_record::tape::Tape;

/// Half a minute before sequences wrap.
const BEGINS_AFTER: u64 = 63_720;
const MINUTE_TICKS: u64 = 60 * 60;

/// Bad networks, and small worlds, which are quick.
const SESSIONS: [&str; 3] = [
    "#scene=mixed&grid=5&hz=60&codec=predicted&loss=10&burst=3&jitter=40&dup=10&reorder=10",
    "#scene=mixed&grid=5&strategy=sync&delta=1&rel=1&adapt=1&loss=10&jitter=20&dup=10&reorder=10",
    "#scene=blow&grid=5&strategy=lockstep&loss=25&burst=2&jitter=40&dup=10&reorder=10",
];

/// Plays some ticks. The network is cut for a second in each twenty.
fn play(lab: &mut Lab, ticks: u64) {
    for tick in 0..ticks {
        lab.set_cut(tick % 1200 >= 1140);
        lab.tick(Input::NONE);
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_session_holds_no_more_after_its_first_minute() {
    for link in SESSIONS {
        let settings = settings(link);
        let mut session = None;
        let first = measure(|| {
            let tape = Tape::beginning_at(&settings, BEGINS_AFTER);
            let lab = session.insert(Lab::over(tape, settings));
            play(lab, MINUTE_TICKS + 600);
        });
        let lab = session.as_mut().unwrap();
        let later = measure(|| play(lab, 5 * MINUTE_TICKS));
        let (held, grown) = (first.bytes_current, later.bytes_current);
        println!("{link}: {held} bytes, {grown} more five minutes later");
        assert!(held > 1 << 20 && 2 * grown < held, "{link}: {held} {grown}");
        let report = lab.report();
        let wrong = (report.decode_mismatches, report.packets_refused);
        assert_eq!(wrong, (0, 0), "{link}");
    }
}
