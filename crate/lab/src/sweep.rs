//! Many lanes with drawn settings over recorded truths, each held to what must always hold.
//!
//! A draw is a function of its number alone, and a failure names the link that replays it.

use crate::lane::Lane;
use crate::random::Stream;
use crate::recording::Recording;
use crate::report::Report;
use crate::scene::SceneKind;
use crate::settings::{Key, Settings, Strategy, permalink};
use std::fmt;

/// 5 s: enough to lose, repeat and overtake packets many times over.
pub const TICKS: usize = 300;

/// Half of the draws begin here, so that their sequences wrap after 136 ticks. A multiple of 60, so that packets leave at
/// the same ticks of a run.
const NEAR_WRAP_TICK: u64 = 65_400;

/// Worlds that draws share: recording one costs more than running a lane over it.
const WORLD_SEEDS: u32 = 16;

const STREAM: u32 = 0x300;

/// What must always hold and did not.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The draw.
    pub number: u32,
    /// What did not hold.
    pub what: &'static str,
    /// Its settings.
    pub settings: Settings,
    /// The tick before its first.
    pub first_tick: u64,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure {
            number,
            what,
            settings,
            first_tick,
        } = self;
        write!(
            f,
            "seed {number}: {what}, from tick {first_tick} on: #{}",
            permalink::format(settings)
        )
    }
}

impl std::error::Error for Failure {}

/// Runs the draws of these numbers and gives every failure. `progress` hears how many are done.
pub fn sweep(numbers: std::ops::Range<u32>, mut progress: impl FnMut(u32)) -> Vec<Failure> {
    let mut draws: Vec<(u32, Settings)> = numbers.map(|number| (number, draw(number))).collect();
    draws.sort_by_key(|(number, settings)| (world_of(settings), *number));
    let mut done = 0;
    let mut failures = Vec::new();
    for draws in draws.chunk_by(|a, b| world_of(&a.1) == world_of(&b.1)) {
        let recording = Recording::new(&draws[0].1, TICKS);
        for (number, settings) in draws {
            failures.extend(run(*number, settings, &recording));
            done += 1;
            progress(done);
        }
    }
    failures
}

/// The settings of a draw: any rung, bits, rate and interpolation over a network at its worst.
pub fn draw(number: u32) -> Settings {
    let mut stream = Stream::new(number, STREAM);
    let mut settings = Settings::default();
    let mut set = |key: Key, low: u32, high: u32| {
        let value = stream.integer(low, high);
        // A value between special ones and the range (an MTU of 1 to 575) leaves the default.
        let _ = settings.set(key, value);
    };
    set(Key::Scene, SceneKind::Roll as u32, SceneKind::Mixed as u32);
    set(Key::Seed, 1, WORLD_SEEDS);
    set(Key::SendRate, 1, 60);
    set(Key::Codec, 0, key_choices(Key::Codec) - 1);
    set(Key::Class, 0, key_choices(Key::Class) - 1);
    set(Key::PositionBits, 4, 12);
    set(Key::OrientationBits, 2, 16);
    set(Key::VelocityBits, 0, 12);
    set(Key::Latency, 0, 500);
    set(Key::Jitter, 0, 100);
    set(Key::Loss, 0, 300);
    set(Key::Burst, 1, 20);
    set(Key::Duplicated, 0, 500);
    set(Key::Reordered, 0, 500);
    set(Key::Fragments, 0, 1500);
    set(Key::Interpolation, 0, key_choices(Key::Interpolation) - 1);
    set(Key::Delay, 0, 1000);
    // Every tenth runs a second world, which costs more than a lane of snapshots.
    if number % 10 == 9 {
        settings
            .set(Key::Strategy, Strategy::Lockstep as u32)
            .expect("the schema has every strategy");
        for (key, most) in [
            (Key::Latency, 2000),
            (Key::Transport, 1),
            (Key::SendRate, 60),
        ] {
            let _ = settings.set(key, stream.integer(1, most));
        }
    }
    // Both sides unquantised and stiff, as the recordings are that all draws share.
    if number % 10 == 4 {
        settings
            .set(Key::Strategy, Strategy::Sync as u32)
            .expect("the schema has every strategy");
        for (key, least, most) in [
            (Key::Both, 0, 0),
            (Key::Soft, 0, 0),
            (Key::Budget, 48, 1024),
            (Key::Adapt, 0, 1),
            (Key::Accumulate, 0, 1),
            (Key::Velocities, 0, 1),
            (Key::Relative, 0, 1),
            (Key::Delta, 0, 1),
            (Key::RestPriority, 0, 1),
            (Key::JitterBuffer, 0, 12),
            (Key::Smoothing, 0, 2),
        ] {
            let _ = settings.set(key, stream.integer(least, most));
        }
    }
    // The grid goes with the world's seed, so that draws with the same world share a recording.
    let grid = [5, 8, 12, 30][settings.get(Key::Seed) as usize % 4];
    let _ = settings.set(Key::Grid, grid);
    settings
}

fn run(number: u32, settings: &Settings, recording: &Recording) -> Option<Failure> {
    let mut lane = Lane::new(settings, &recording.world());
    let first_tick = if number.is_multiple_of(2) {
        0
    } else {
        NEAR_WRAP_TICK
    };
    recording
        .frames(first_tick)
        .for_each(|frame| lane.tick(&frame));
    let floats = lane
        .view()
        .position_half_m
        .iter()
        .chain(&lane.view().orientation);
    let finite = floats.flatten().all(|value| value.is_finite());
    let what = broken(&Report::new(&lane, 0), finite)?;
    Some(Failure {
        number,
        what,
        settings: *settings,
        first_tick,
    })
}

/// What does not hold, if anything.
fn broken(report: &Report, finite: bool) -> Option<&'static str> {
    let accounted = report.packets.delivered + report.packets.lost + report.packets.in_flight;
    let held = [
        (
            report.decode_mismatches == 0,
            "a snapshot came out other than it went in",
        ),
        (report.packets.refused == 0, "a packet was refused"),
        (
            report.packets.sent == accounted,
            "packets are unaccounted for",
        ),
        (report.packets.sent > 0, "nothing was sent"),
        (
            (report.lockstep.as_ref()).is_none_or(|lockstep| lockstep.first_desync_frame.is_none()),
            "the right world is another",
        ),
        (finite, "the view has a value that is not finite"),
    ];
    held.into_iter()
        .find(|(held, _)| !held)
        .map(|(_, what)| what)
}

fn world_of(settings: &Settings) -> [u32; 3] {
    [Key::Scene, Key::Seed, Key::Grid].map(|key| settings.get(key))
}

fn key_choices(key: Key) -> u32 {
    match key.setting().domain {
        crate::settings::schema::Domain::Choice(choices) => choices.len() as u32,
        crate::settings::schema::Domain::Number { .. } => unreachable!("asked of choices only"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Desync;

    #[test]
    fn a_thousand_seeds_hold() {
        let failures = sweep(0..1000, |_| ());
        let told: Vec<String> = failures.iter().map(ToString::to_string).collect();
        assert!(failures.is_empty(), "{}", told.join("\n"));
    }

    #[test]
    fn draws_reach_every_rung_and_interpolation_and_are_functions_of_their_number() {
        let draws: Vec<Settings> = (0..1000).map(draw).collect();
        for key in [Key::Codec, Key::Interpolation, Key::Scene] {
            let mut seen: Vec<u32> = draws.iter().map(|settings| settings.get(key)).collect();
            seen.sort_unstable();
            seen.dedup();
            assert!(
                seen.len() as u32 >= key_choices(key) - 1,
                "{key:?}: {seen:?}"
            );
        }
        assert_eq!(draw(17), draw(17));
        let lockstep = draws
            .iter()
            .filter(|settings| settings.strategy() == Strategy::Lockstep);
        assert_eq!(lockstep.count(), 100);
        let bursts = draws
            .iter()
            .filter(|settings| settings.get(Key::Fragments) > 0)
            .count();
        assert!((500..700).contains(&bursts), "{bursts}");
    }

    #[test]
    fn the_rig_tells_a_run_that_went_wrong() {
        let settings = draw(2);
        let recording = Recording::new(&settings, 30);
        assert_eq!(run(2, &settings, &recording), None);
        let mut lane = Lane::new(&settings, &recording.world());
        recording.frames(0).for_each(|frame| lane.tick(&frame));
        let good = Report::new(&lane, 0);
        type Wrong = (&'static str, fn(&mut Report));
        let wrongs: [Wrong; 3] = [
            ("a snapshot came out other than it went in", |report| {
                report.decode_mismatches += 1;
            }),
            ("a packet was refused", |report| report.packets.refused += 1),
            ("packets are unaccounted for", |report| {
                report.packets.lost += 1
            }),
        ];
        for (told, go_wrong) in wrongs {
            let mut bad = good.clone();
            go_wrong(&mut bad);
            assert_eq!(broken(&bad, true), Some(told));
        }
        assert!(broken(&good, false).is_some());

        // A right world that is another is told.
        let mut disturbed = draw(9);
        for (key, value) in [(Key::Latency, 100), (Key::SendRate, 60)] {
            disturbed.set(key, value).unwrap();
        }
        let recording = Recording::new(&disturbed, TICKS);
        assert_eq!(run(9, &disturbed, &recording), None);
        disturbed.set(Key::Desync, Desync::Bit as u32).unwrap();
        let told = run(9, &disturbed, &recording).map(|failure| failure.what);
        assert_eq!(told, Some("the right world is another"));
        let failure = Failure {
            number: 2,
            what: "it",
            settings,
            first_tick: 0,
        };
        assert!(failure.to_string().contains(&permalink::format(&settings)));
    }
}
