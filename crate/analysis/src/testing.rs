//! Helpers of the tests.

use snapshot_lane::history::LaneHistory;
use snapshot_lane::measure::table::Report;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::motion::Motion;
use snapshot_record::tape::Tape;
use snapshot_settings::{Settings, permalink};

/// Returns a motion of eight seconds at 60 Hz. The first `moving` objects move on curves at this speed; the others rest.
pub(crate) fn driving(objects: u32, moving: u32, speed_m_s: f64) -> Motion {
    let mut rows = String::from("tick,object,x,y,z,qx,qy,qz,qw\n");
    for tick in 0..=480_u32 {
        for object in 0..objects {
            let seconds = match object < moving {
                true => f64::from(tick) / 60.0,
                false => 0.0,
            };
            let of = f64::from(object);
            let along_m = speed_m_s * (seconds + 0.4 * libm::sin(1.9 * seconds + of));
            let (x, y) = (
                6.0 * of + 4.0 * libm::sin(along_m / 4.0),
                4.0 * libm::cos(along_m / 4.0 + of) + libm::sin(1.3 * seconds + of),
            );
            let (qz, qw) = (libm::sin(along_m / 8.0), libm::cos(along_m / 8.0));
            rows += &format!("{tick},{object},{x},{y},0.5,0,0,{qz},{qw}\n");
        }
    }
    Motion::read(rows.as_bytes()).unwrap()
}

/// Tape of a motion whose rows have tick, object, position, orientation and event.
pub(crate) fn tape_of(rows: &str) -> Tape {
    let text = format!("tick,object,x,y,z,qx,qy,qz,qw,event\n{rows}");
    let motion = Motion::read(text.as_bytes()).unwrap();
    Tape::of_motion(&motion, motion.ticks())
}

/// Returns the settings of a link that must have no notices.
pub(crate) fn settings(link: &str) -> Settings {
    let (settings, notices) = permalink::parse(link);
    assert_eq!(notices, [], "{link}");
    settings
}

pub(crate) fn history(tape: &Tape, settings: &Settings) -> LaneHistory {
    LaneHistory::run(tape, &settings.lane(), &LinkInputs::default(), 0)
}

pub(crate) fn report(tape: &Tape, settings: &Settings) -> Report {
    history(tape, settings).report(0)
}
