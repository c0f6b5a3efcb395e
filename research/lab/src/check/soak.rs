//! Virtual hours of drawn settings and networks: every invariant is checked, and memory must not grow.
//!
//! A part of the hours is three long sessions, one a strategy. Each is a laboratory as the page has it, over a network that
//! is also cut now and then. The rest are lanes of a minute with drawn settings, over motions that they share.

use crate::check::sweep::{Draw, Failure, Judge, broken, run};
use serde::Serialize;
use snapshot_app::lab::Lab;
use snapshot_base::random::Stream;
use snapshot_base::time::TICKS_PER_S;
use snapshot_lane::Lane;
use snapshot_physics::input::Input;
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, Settings, Strategy, permalink};

const MINUTE_TICKS: u64 = 60 * TICKS_PER_S as u64;
const HOUR_TICKS: u64 = 60 * MINUTE_TICKS;

/// Share of all hours that a session takes.
const SESSION_PART: f64 = 1.0 / 8.0;

/// Memory is the most that is held in so long a time at the beginning and at the end of a session.
const MEMORY_TICKS: u64 = 5 * MINUTE_TICKS;

/// The small worlds are quick, and a network does not mind how large a packet is.
const SESSIONS: [&str; 3] = [
    "#scene=katamari&grid=5&hz=60&codec=predicted&loss=10&burst=3&jitter=40&dup=10&reorder=10",
    "#scene=mixed&grid=5&strategy=sync&delta=1&rel=1&adapt=1&loss=10&jitter=20&dup=10&reorder=10",
    "#scene=blow&grid=5&strategy=lockstep&loss=25&burst=2&jitter=40&dup=10&reorder=10",
];

/// Motions that lanes share, with the tick before the first: half of them have sequences that wrap in the middle.
const MOTIONS: [(&str, u64); 12] = [
    ("#scene=roll&grid=5", NEAR_WRAP_TICK),
    ("#scene=blow&grid=8", 0),
    ("#scene=katamari&grid=8&seed=3", NEAR_WRAP_TICK),
    ("#scene=mixed&grid=5&seed=4", 0),
    ("#scene=katamari&grid=12&seed=5", NEAR_WRAP_TICK),
    ("#scene=blow&grid=5&seed=6", NEAR_WRAP_TICK),
    ("#scene=mixed&grid=8&seed=7", 0),
    ("#scene=katamari&grid=30", 0),
    (
        "#strategy=sync&scene=katamari&grid=8&both=0&soft=0",
        NEAR_WRAP_TICK,
    ),
    ("#strategy=sync&scene=blow&grid=5&both=0&soft=1", 0),
    ("#strategy=sync&scene=mixed&grid=8&both=1", NEAR_WRAP_TICK),
    (
        "#strategy=sync&scene=roll&grid=12&both=1&soft=1&pos=9&rot=9&vel=7",
        0,
    ),
];

/// A multiple of 60, half a minute before the first wrap.
const NEAR_WRAP_TICK: u64 = 63_720;

const STREAM: u32 = 0x301;

/// The result of a soak.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Outcome {
    pub virtual_hours: f64,
    pub lanes: u64,
    /// Faults; a command that plays the lane again names each.
    #[serde(serialize_with = "count")]
    pub failures: Vec<Failure>,
    pub decode_mismatches: u64,
    pub sequence_wraps: u64,
    /// By tapes and histories of the long sessions.
    pub bytes_held_start: u64,
    pub bytes_held_end: u64,
}

/// Plays so many virtual hours. `progress` hears how many are over.
pub fn soak(hours: f64, progress: impl FnMut(f64)) -> Outcome {
    let ticks = (hours * HOUR_TICKS as f64) as u64;
    let session_ticks = (ticks as f64 * SESSION_PART) as u64 / 60 * 60;
    let lanes = (ticks - 3 * session_ticks).div_ceil(MINUTE_TICKS);
    Soak::new(broken).play(session_ticks, MEMORY_TICKS, lanes, progress)
}

struct Soak {
    judge: Judge,
    ticks: u64,
    outcome: Outcome,
}

impl Soak {
    fn new(judge: Judge) -> Soak {
        Soak {
            judge,
            ticks: 0,
            outcome: Outcome::default(),
        }
    }

    fn play(
        mut self,
        session_ticks: u64,
        memory_ticks: u64,
        lanes: u64,
        mut progress: impl FnMut(f64),
    ) -> Outcome {
        for (number, link) in (0..).zip(SESSIONS) {
            let memory_ticks = memory_ticks.min(session_ticks / 2);
            self.session(number, link, session_ticks, memory_ticks, &mut progress);
        }
        for (place, &(link, began)) in MOTIONS.iter().enumerate() {
            let motions = MOTIONS.len() as u64;
            let numbers: Vec<u64> = (0..lanes).filter(|n| n % motions == place as u64).collect();
            if numbers.is_empty() {
                continue;
            }
            let motion = permalink::parse(link).0;
            let mut tape = Tape::beginning_at(&motion, began);
            tape.go_on(MINUTE_TICKS);
            for number in numbers {
                let settings = drawn(number as u32, &motion);
                let lane = run(&settings, &tape);
                self.add(&lane, began, || Failure {
                    what: "",
                    settings,
                    first_tick: began,
                    seconds: MINUTE_TICKS / u64::from(TICKS_PER_S),
                    cuts: Vec::new(),
                });
                progress(self.hours());
            }
        }
        self.outcome.virtual_hours = self.hours();
        self.outcome
    }

    /// A laboratory that goes on and on, its network cut about once a minute.
    fn session(
        &mut self,
        number: u32,
        link: &str,
        ticks: u64,
        memory_ticks: u64,
        progress: &mut impl FnMut(f64),
    ) {
        let settings = permalink::parse(link).0;
        let mut lab = Lab::new(settings);
        let mut random = Stream::new(number, STREAM);
        let (mut cuts, mut next_cut) = (Vec::new(), 0..0);
        let (mut most_at_start, mut most_at_end) = (0, 0);
        let before = self.ticks;
        for tick in 0..ticks {
            if tick >= next_cut.end {
                let start = tick + u64::from(random.integer(600, 6600));
                next_cut = start..start + u64::from(random.integer(6, 600));
                cuts.push((next_cut.start, next_cut.end - next_cut.start));
            }
            lab.set_cut(next_cut.contains(&tick));
            lab.tick(Input::NONE);
            if tick % u64::from(TICKS_PER_S) == 0 {
                let bytes = lab.held_bytes() as u64;
                if tick < memory_ticks {
                    most_at_start = bytes.max(most_at_start);
                }
                if tick + memory_ticks >= ticks {
                    most_at_end = bytes.max(most_at_end);
                }
                progress((before + tick) as f64 / HOUR_TICKS as f64);
            }
        }
        cuts.retain(|&(start, _)| start < ticks);
        self.outcome.bytes_held_start += most_at_start;
        self.outcome.bytes_held_end += most_at_end;
        self.add(lab.history().lane(), 0, || Failure {
            what: "",
            settings,
            first_tick: 0,
            seconds: ticks / u64::from(TICKS_PER_S),
            cuts,
        });
    }

    /// Holds a lane that is over to what must always hold.
    fn add(&mut self, lane: &Lane, first_tick: u64, failure: impl FnOnce() -> Failure) {
        let ticks = lane.metrics().ticks;
        self.ticks += ticks;
        self.outcome.lanes += 1;
        self.outcome.decode_mismatches += lane.metrics().mismatches;
        self.outcome.sequence_wraps += (first_tick + ticks) / 65_536 - first_tick / 65_536;
        let told = (self.judge)(lane).map(|what| Failure { what, ..failure() });
        self.outcome.failures.extend(told);
    }

    fn hours(&self) -> f64 {
        self.ticks as f64 / HOUR_TICKS as f64
    }
}

/// Drawn settings of a lane over a motion.
fn drawn(number: u32, motion: &Settings) -> Settings {
    // Sync worlds have lanes of that strategy alone; others have all but these.
    let wanted = |settings: &Settings| {
        (settings.strategy() == Strategy::Sync) == (motion.strategy() == Strategy::Sync)
    };
    let numbers = (0..).map(|again: u32| number + again * 100_003);
    let mut settings = numbers
        .map(|number| Draw::new(number).settings)
        .find(wanted)
        .unwrap_or(*motion);
    let world = [
        Key::Scene,
        Key::Seed,
        Key::Grid,
        Key::Rival,
        Key::Soft,
        Key::Both,
    ];
    let bits = [Key::PositionBits, Key::OrientationBits, Key::VelocityBits];
    let bits = motion.world().on_grid.map(|_| bits);
    for key in world.into_iter().chain(bits.into_iter().flatten()) {
        let _ = settings.set(key, motion.get(key));
    }
    settings
}

fn count<S: serde::Serializer>(failures: &[Failure], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(failures.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_for_a_motion_is_of_its_world() {
        for (link, _) in MOTIONS {
            let (motion, notices) = permalink::parse(link);
            assert_eq!(notices, []);
            for number in 0..200 {
                let settings = drawn(number, &motion);
                assert_eq!(settings.world(), motion.world(), "{link}");
                assert_eq!(settings.scene(), motion.scene());
            }
        }
        for link in SESSIONS {
            assert_eq!(permalink::parse(link).1, []);
        }
    }

    #[test]
    fn some_minutes_hold_and_memory_is_flat() {
        let mut told_hours = 0.0;
        let outcome =
            Soak::new(broken).play(4 * MINUTE_TICKS, 100 * 60, 6, |hours| told_hours = hours);
        assert_eq!(outcome.lanes, 3 + 6);
        let minutes = outcome.virtual_hours * 60.0;
        assert!(
            (minutes - 18.0).abs() < 1e-9 && told_hours > 0.29,
            "{minutes}"
        );
        assert!(outcome.failures.is_empty(), "{:?}", outcome.failures);
        assert_eq!((outcome.decode_mismatches, outcome.sequence_wraps), (0, 4));
        let grown = outcome.bytes_held_end as f64 / outcome.bytes_held_start as f64;
        println!("{outcome:?}");
        // The motion decides how much a minute holds: over hours it rather falls.
        assert!((0.5..1.25).contains(&grown), "{outcome:?}");
        let json = serde_json::to_value(&outcome).unwrap();
        assert_eq!(json["failures"], 0);
    }

    #[test]
    fn what_goes_wrong_is_told_with_the_command_that_shows_it() {
        let outcome = Soak::new(|_| Some("made up")).play(600, 60, 2, |_| ());
        assert_eq!(outcome.failures.len(), 5, "{:?}", outcome.failures);
        let told = outcome.failures[0].to_string();
        assert!(
            told.starts_with("made up: snapshot-lab run \"#v=2&") && told.contains("--seconds 10"),
            "{told}"
        );
    }
}
