//! Many lanes with drawn settings over shared motions, each held to what must always hold.
//!
//! A draw is a function of its number alone, and a failure names the command that plays it again.

mod draw;
#[cfg(test)]
mod tests;

use snapshot_base::time::TICKS_PER_S;
use snapshot_base::time::WORLD;
use snapshot_lane::Lane;
use snapshot_lane::measure::table::Report;
use snapshot_record::tape::Tape;
use snapshot_settings::{Settings, permalink};
use std::fmt;

pub use draw::Draw;

/// Enough to lose, repeat and overtake packets many times over.
const SECONDS: u64 = 5;

/// A broken invariant.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The invariant that did not hold.
    pub what: &'static str,
    /// The lane's settings.
    pub settings: Settings,
    /// The tick before the first.
    pub first_tick: u64,
    /// Seconds that were played.
    pub seconds: u64,
    /// Cuts of the network: start and length in ticks.
    pub cuts: Vec<(u64, u64)>,
}

impl Failure {
    fn new(draw: &Draw, what: &'static str) -> Failure {
        let cut = draw.cut();
        Failure {
            what,
            settings: draw.settings,
            first_tick: draw.first_tick,
            seconds: SECONDS,
            cuts: cut
                .map(|cut| (cut.start, cut.end - cut.start))
                .into_iter()
                .collect(),
        }
    }
}

/// Writes the broken invariant, and the command that shows it again.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure {
            what,
            settings,
            first_tick,
            seconds,
            cuts,
        } = self;
        let link = permalink::format(settings);
        write!(
            f,
            "{what}: snapshot-lab run \"#{link}\" --seconds {seconds}"
        )?;
        if *first_tick > 0 {
            write!(f, " --first-tick {first_tick}")?;
        }
        cuts.iter().try_for_each(|&(start, length)| {
            write!(
                f,
                " --cut {}+{}",
                WORLD.seconds_of_ticks(start),
                WORLD.seconds_of_ticks(length)
            )
        })
    }
}

impl std::error::Error for Failure {}

/// Runs the draws of these numbers and gives every failure. `progress` hears how many are done.
pub fn sweep(numbers: std::ops::Range<u32>, progress: impl FnMut(u32)) -> Vec<Failure> {
    sweep_by(broken, numbers, progress)
}

/// Names a lane's broken invariant, if there is one.
pub type Judge = fn(&Lane) -> Option<&'static str>;

fn sweep_by(
    judge: Judge,
    numbers: std::ops::Range<u32>,
    mut progress: impl FnMut(u32),
) -> Vec<Failure> {
    let mut draws: Vec<Draw> = numbers.map(Draw::new).collect();
    draws.sort_by_key(Draw::order);
    let mut done = 0;
    let mut failures = Vec::new();
    for draws in draws.chunk_by(Draw::shares_motion) {
        let tape = draws[0].tape(SECONDS * u64::from(TICKS_PER_S));
        for draw in draws {
            let lane = run(&draw.settings, &tape);
            failures.extend(judge(&lane).map(|what| Failure::new(draw, what)));
            done += 1;
            progress(done);
        }
    }
    failures
}

/// A lane over the whole of a tape.
pub fn run(settings: &Settings, tape: &Tape) -> Lane {
    let mut lane = Lane::new(&settings.lane(), &tape.world_at(tape.first_tick()));
    let mut frames = tape.frames_after(tape.first_tick());
    while let Some(frame) = frames.next() {
        lane.set_cut(tape.is_cut(frame.tick));
        lane.tick(&frame);
    }
    lane
}

/// Returns the broken invariant of a lane, if there is one.
pub fn broken(lane: &Lane) -> Option<&'static str> {
    let view = lane.view();
    let floats = view.position_half_m.iter().chain(&view.orientation);
    let finite = floats.flatten().all(|value| value.is_finite());
    broken_report(&lane.report(0), finite)
}

fn broken_report(report: &Report, finite: bool) -> Option<&'static str> {
    let accounted = report.packets_delivered + report.packets_lost + report.packets_in_flight;
    let held = [
        (
            report.decode_mismatches == 0,
            "a snapshot came out other than it went in",
        ),
        (
            report.decode_not_compared == 0,
            "a snapshot could not be compared",
        ),
        (report.packets_refused == 0, "a packet was refused"),
        (
            report.packets_sent == accounted,
            "packets are unaccounted for",
        ),
        (report.packets_sent > 0, "nothing was sent"),
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
