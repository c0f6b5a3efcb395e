//! The judge: compares the motion that a client drew with its server's motion, whatever netcode lies between them.
//!
//! The reasons are in `docs/decisions/0068-the-judge.md`.

mod delay;
mod export;
mod path;
mod presence;
mod recording;
mod similar;
#[cfg(test)]
mod tests;
mod words;

pub use delay::DelayAt;
use delay::Delays;
pub use export::PoseFile;
use path::{FilePair, ObjectPaths, Placed, square};
pub use presence::{OffTime, Presence};
use serde::Serialize;
pub use similar::{Axes, Similarity};
use snapshot_base::order::{sort_by, sort_by_key, sorted};
use snapshot_lane::measure::metrics::Distribution;
use snapshot_record::motion::track::Track;
pub use words::JudgementWords;

/// A frame counts as still if its picture advances by less than this share of the truth's motion.
const STILL_BELOW: f64 = 0.25;
/// Least motion of a true object from one frame to the next by which an advance of the picture is measured, m.
const LEAST_M: f64 = 0.0001;
/// Least motion of a true object during still frames, m. With less, the frames do not count as still: no object stands that
/// should move.
const STILL_M: f64 = 0.005;
/// Time before an instant in which an object must have moved so that its error counts, s.
const MOVING_S: f64 = 0.25;
/// Least motion that counts as moving, m.
const MOVES_M: f64 = 0.001;
/// Least step of a drawn object that counts as a correction, m, if the true object does not make it.
const CORRECTION_M: f64 = 0.05;
/// Least correction that counts as a jump, m.
const JUMP_M: f64 = 0.5;
/// Range of delays that can be the age of a picture, s. With another delay the clocks of both files differ.
const AGES_S: std::ops::RangeInclusive<f64> = 0.0..=5.0;
/// Error of the coarse search, as a share of the least error of a misfit, from which leaps of the delay are sought in the poses.
const LEAPS_FROM: f64 = 0.2;
/// Upper limit of the length of the list of jumps, and of the list of objects by error.
const LISTED_MAX: usize = 1000;

/// Judgement of a client: how its drawn objects differ from its server's. The *truth* is the server's motion.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    /// Length of the client's file, s.
    pub seconds: f64,
    pub frames: usize,
    /// Number of objects that both files have.
    pub objects: usize,
    /// Delay: the client's time minus the time of the server that it drew, ms; the median over the file. If both files have
    /// one clock, it is the age of the picture.
    pub delay_ms: f64,
    /// True if the delay can be an age: from 0 to 5 s. Otherwise the clocks differ, and the age of the picture is not known.
    pub is_age: bool,
    /// Difference between the 5th and 95th percentile of the delay, ms.
    pub delay_spread_ms: f64,
    /// Change of the delay, ms a minute; `None` if the delay changes at no steady rate.
    pub drift_ms_per_minute: Option<f64>,
    pub delays: Vec<DelayAt>,
    /// Steps of the client's clock: frames before which it was set forward or back.
    pub clock_steps: Vec<ClockStepAt>,
    /// Figures of each part of the client's file between two leaps of the delay; empty if the delay never leaps.
    pub parts: Vec<PartFigures>,
    /// Groups of objects with different delays, the largest first; empty if all objects have one delay.
    pub groups: Vec<GroupFigures>,
    /// Greatest distance of a drawn corner of an object from the true corner at the found delay, over moving objects, mm.
    /// Sizes of objects come from the server's file.
    pub surface_error_mm: ErrorSpread,
    /// Distance of drawn objects from the truth at the found delay, over moving objects, mm.
    pub error_mm: ErrorSpread,
    /// Angle between drawn and true orientation at the found delay, over moving objects, degrees.
    pub error_deg: ErrorSpread,
    /// Errors of each object, mm, greatest mean first.
    pub by_object: Vec<ErrorOfObject>,
    /// Time of all still frames, which show nothing newer than the frame before, ms.
    pub still_ms: f64,
    /// Freezes of the view with at least the requested length.
    pub freezes: Vec<FreezeAt>,
    /// Number of corrections: steps of a drawn object by 50 mm and more that the true object does not make.
    pub corrections: u64,
    /// Number of jumps: steps of a drawn object by half a metre and more that the true object does not make.
    pub jump_count: usize,
    /// Jumps by rising time; only the first 1,000 are listed.
    pub jumps: Vec<JumpAt>,
    /// Objects that appeared late, stayed too long or never came.
    #[serde(flatten)]
    pub presence: Presence,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ErrorSpread {
    pub mean: f64,
    pub p95: f64,
    pub worst: f64,
}

/// The mean and the greatest error of an object, mm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorOfObject {
    pub object: String,
    pub mean: f64,
    pub worst: f64,
}

/// A freeze: consecutive frames that show nothing newer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FreezeAt {
    /// Time of the first still frame on the client's clock, s.
    pub at_s: f64,
    /// Time from the last new frame before the freeze to the next new frame, ms.
    pub ms: f64,
}

/// A step of the client's clock, or of another clock by which its file is timed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClockStepAt {
    /// Time of the first frame after the step on the client's clock, s.
    pub at_s: f64,
    /// Time by which the clock was set forward, ms; negative if it was set back.
    pub ms: f64,
}

/// Figures of the frames between two leaps of the delay.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PartFigures {
    /// Times of the first and of the last frame on the client's clock, s.
    pub from_s: f64,
    pub to_s: f64,
    /// The median delay, ms.
    pub delay_ms: f64,
    pub error_mm: ErrorSpread,
    pub freezes: usize,
}

/// Figures of the objects that a client shows with one delay.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupFigures {
    pub objects: Vec<String>,
    /// The median delay, ms.
    pub delay_ms: f64,
    pub error_mm: ErrorSpread,
}

/// A jump of a drawn object that the server's object did not make.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JumpAt {
    /// Time on the client's clock, s.
    pub at_s: f64,
    pub object: String,
    /// Length of the jump minus the truth's own step, m.
    pub m: f64,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct JudgeError {
    message: String,
    /// A change of the client's positions after which both files fit; `None` for any other error.
    pub similarity: Option<Similarity>,
}

impl JudgeError {
    fn new(message: impl Into<String>) -> JudgeError {
        JudgeError {
            message: message.into(),
            similarity: None,
        }
    }
}

/// The frames of a client, with the ranges of still frames.
struct Frames<'a> {
    times_s: &'a [f64],
    still: Vec<std::ops::Range<usize>>,
    /// Indices of the first frames after a gap: for a while no frame was drawn, although the truth moved.
    gaps: Vec<usize>,
    /// Indices of frames before which the client's clock was set, each with the step in s.
    clock_steps: Vec<(usize, f64)>,
    /// Usual step between two frames, s.
    step_s: f64,
}

/// A judgement, with the delays and still frames that it was made from.
pub struct Judged<'a> {
    pub judgement: Judgement,
    files: FilePair<'a>,
    frames: Frames<'a>,
    delays: Delays,
}

/// Judges a client's file by its server's file. Freezes of `freeze_ms` or more are listed.
///
/// # Errors
/// When the files have no object in common, no delay can be found, or the client's file fits only in another unit or other
/// axes.
pub fn judge<'a>(
    server: &'a Track,
    client: &'a Track,
    freeze_ms: f64,
) -> Result<Judged<'a>, JudgeError> {
    judge_with(server, client, freeze_ms, &mut |_| {})
}

/// Judges as [`judge`] does. `progress` is called with the finished share of the work, 0 to 1.
///
/// # Errors
/// As [`judge`].
pub fn judge_with<'a>(
    server: &'a Track,
    client: &'a Track,
    freeze_ms: f64,
    progress: &mut dyn FnMut(f64),
) -> Result<Judged<'a>, JudgeError> {
    let files = FilePair::new(server, client)?;
    progress(0.1);
    let new_s = files.new_times();
    progress(0.2);
    let none = "nothing moves alike in both files, so there is no delay between them";
    let sought = Delays::sought(&files, &new_s);
    let (whole_s, coarse_m) = sought.ok_or_else(|| JudgeError::new(none))?;
    progress(0.4);
    if coarse_m > misfit_m(&files) {
        check_likeness(&files)?;
    }
    progress(0.5);
    let (times_s, step_s) = (files.times_s, files.step_s);
    let breaks = delay::breaks(times_s, step_s);
    let misfit_m = misfit_m(&files);
    let leaps = match coarse_m > LEAPS_FROM * misfit_m {
        true => Delays::leaps(&files, &new_s, misfit_m),
        false => Vec::new(),
    };
    let parted = with_set_backs(&files, &breaks, &leaps);
    let delays = Delays::find(&files, &new_s, &parted, whole_s);
    progress(0.7);
    let mut frames = Frames {
        times_s,
        still: Vec::new(),
        gaps: Vec::new(),
        clock_steps: clock_steps(&files, &delays, &breaks, &leaps),
        step_s,
    };
    frames.still = still(&files, &frames, &delays);
    frames.gaps = gaps(&files, &frames, &delays);
    progress(0.85);
    Ok(Judged {
        judgement: judgement(&files, &frames, &delays, freeze_ms),
        files,
        frames,
        delays,
    })
}

/// Returns the indices of frames at which the delay may leap: breaks, leaps that the poses show, and frames before which the
/// clock was set back.
fn with_set_backs(files: &FilePair<'_>, breaks: &[usize], leaps: &[f64]) -> Vec<usize> {
    let times_s = files.times_s;
    let leaps = leaps
        .iter()
        .map(|at_s| times_s.partition_point(|it| it < at_s));
    let set_back = files.client.clock_steps.iter();
    let set_back = set_back.map(|(at_s, _)| times_s.partition_point(|it| it < at_s));
    let all = breaks.iter().copied().chain(set_back);
    let mut all: Vec<usize> = all.chain(leaps).collect();
    all.retain(|at| *at < times_s.len());
    all.sort_unstable();
    all.dedup();
    all
}

/// Measures the client's frames with the found delays. Freezes of `freeze_ms` or more are listed.
fn judgement(
    files: &FilePair<'_>,
    frames: &Frames<'_>,
    delays: &Delays,
    freeze_ms: f64,
) -> Judgement {
    let (times_s, step_s) = (frames.times_s, frames.step_s);
    let offsets = delays.offsets(files);
    let measured = Measured::new(files, times_s, &frames.clock_steps, delays, &offsets);
    let by_time = sorted(times_s.iter().map(|at_s| delays.at(*at_s) * 1000.0));
    let at = |share: f64| by_time[(share * (by_time.len() - 1) as f64) as usize];
    let all = frames.freezes();
    // A length in the file's own times may be short by its last digit.
    let is_long = |freeze: &FreezeAt| freeze.ms + 10.0 * step_s >= freeze_ms;
    let freezes: Vec<FreezeAt> = all.iter().copied().filter(is_long).collect();
    let clock_steps = frames.clock_steps.iter();
    Judgement {
        seconds: files.client.seconds(),
        frames: times_s.len(),
        objects: files.objects.len(),
        delay_ms: at(0.5),
        is_age: AGES_S.contains(&(at(0.5) / 1000.0)),
        delay_spread_ms: at(0.95) - at(0.05),
        drift_ms_per_minute: delays.drift_ms_per_s().map(|drift| drift * 60.0),
        delays: delays.windows().to_vec(),
        clock_steps: clock_steps
            .map(|(frame, by_s)| ClockStepAt {
                at_s: times_s[*frame],
                ms: by_s * 1000.0,
            })
            .collect(),
        parts: parts(files, delays, &freezes, &offsets),
        groups: groups(files, delays, &offsets, at(0.5)),
        surface_error_mm: spread(&measured.surface_mm),
        error_mm: spread(&measured.mm),
        error_deg: spread(&measured.deg),
        by_object: measured.by_object,
        still_ms: all.iter().fold(0.0, |sum, freeze| sum + freeze.ms),
        freezes,
        corrections: measured.corrections,
        jump_count: measured.jump_count,
        jumps: measured.jumps,
        presence: Presence::new(files, delays),
    }
}

/// Error of the coarse search for the delay, m, above which the client's unit, axes or rate may be wrong. It is a tenth of
/// the reach of the objects that move most.
fn misfit_m(files: &FilePair<'_>) -> f64 {
    const SHARE: f64 = 0.1;
    const LEAST_M: f64 = 0.02;
    const OBJECTS: usize = 8;
    let reaches = files.objects.iter().take(OBJECTS);
    let reaches = reaches.map(|object| object.truth.reach_m());
    (SHARE * reaches.fold(0.0, f64::max)).clamp(LEAST_M, 0.5)
}

/// Refuses files that fit only after a change: another unit, other axes, another rate or other names.
fn check_likeness(files: &FilePair<'_>) -> Result<(), JudgeError> {
    if let Some((message, similarity)) = similar::question(files) {
        return Err(JudgeError {
            message,
            similarity: Some(similarity),
        });
    }
    if let Some(message) = similar::other_names(files, misfit_m(files)) {
        return Err(JudgeError::new(message));
    }
    let [server, client] = [files.server, files.client].map(|track| track.assumes_rate);
    if server != client {
        let of = if server { "server" } else { "client" };
        return Err(JudgeError::new(format!(
            "the {of}'s file has ticks and tells no rate, and at 60 a second the files do not fit well. Write the rate as its first line: rate=60 where it is 60"
        )));
    }
    Ok(())
}

/// Returns the indices of frames before which the client's clock was set, with the step in s.
fn clock_steps(
    files: &FilePair<'_>,
    delays: &Delays,
    breaks: &[usize],
    leaps: &[f64],
) -> Vec<(usize, f64)> {
    const LIKE_S: f64 = 0.08;
    let times_s = files.times_s;
    let starts = delays.parts().iter().skip(1).map(|part| part.from_s);
    let leap_s = |at_s: f64| delays.at(at_s) - delays.at(at_s - 1e-6);
    // A clock that is set forward leaves a gap of just that length.
    let forward = starts.filter_map(|from_s| {
        let at = times_s.partition_point(|it| *it < from_s);
        let gap_s = times_s.get(at)? - times_s[at.checked_sub(1)?] - files.step_s;
        let leap_s = leap_s(from_s);
        // A clock that stood leaves none: the poses alone show it.
        let is_set = match breaks.contains(&at) {
            true => (gap_s - leap_s).abs() < LIKE_S,
            false => leap_s < 0.0 && leaps.iter().any(|it| (it - from_s).abs() < files.step_s),
        };
        is_set.then_some((at, leap_s))
    });
    let back = files.client.clock_steps.iter().filter_map(|(at_s, by_s)| {
        let at = times_s.partition_point(|it| it < at_s);
        (at < times_s.len()).then(|| (at, by_s + leap_s(*at_s)))
    });
    let mut all: Vec<(usize, f64)> = forward.chain(back).collect();
    sort_by_key(&mut all, |(at, _)| *at);
    all
}

/// Returns the indices of the first frames after a gap: for a while no frame was drawn, although the truth moved.
fn gaps(files: &FilePair<'_>, frames: &Frames<'_>, delays: &Delays) -> Vec<usize> {
    let times_s = frames.times_s;
    let is_gap = |at: &usize| {
        let (from_s, to_s) = (times_s[at - 1], times_s[*at]);
        let shown_s = from_s - delays.at(from_s);
        delay::is_gap(to_s - from_s, frames.step_s)
            && !frames.is_clock_step(*at)
            && moves(files, shown_s, shown_s + to_s - from_s)
    };
    (1..times_s.len()).filter(is_gap).collect()
}

/// Returns true if an object moves so far between two times on the server's clock that a still view is noticed.
fn moves(files: &FilePair<'_>, from_s: f64, to_s: f64) -> bool {
    let moves = |object: &ObjectPaths<'_>| {
        let ends = object.truth.at(from_s).zip(object.truth.at(to_s));
        ends.is_some_and(|(from, to)| from.apart_m(&to) > STILL_M)
    };
    files.moving_most().iter().any(moves)
}

/// Returns the figures of each part of the client's file between two leaps of the delay; empty if the delay does not leap.
fn parts(
    files: &FilePair<'_>,
    delays: &Delays,
    freezes: &[FreezeAt],
    offsets: &[f64],
) -> Vec<PartFigures> {
    let times_s = files.times_s;
    if delays.parts().len() < 2 {
        return Vec::new();
    }
    let starts = delays.parts().iter();
    let starts = starts.map(|part| times_s.partition_point(|it| *it < part.from_s));
    let starts: Vec<usize> = starts.chain([times_s.len()]).collect();
    let ranges = starts.windows(2).filter(|pair| pair[0] < pair[1]);
    let figures = ranges.map(|pair| {
        let times_s = &times_s[pair[0]..pair[1]];
        let (from_s, to_s) = (times_s[0], times_s[times_s.len() - 1]);
        let measured = Measured::new(files, times_s, &[], delays, offsets);
        let by_time = sorted(times_s.iter().map(|at_s| delays.at(*at_s) * 1000.0));
        let is_here = |freeze: &&FreezeAt| (from_s..=to_s).contains(&freeze.at_s);
        PartFigures {
            from_s,
            to_s,
            delay_ms: by_time[by_time.len() / 2],
            error_mm: spread(&measured.mm),
            freezes: freezes.iter().filter(is_here).count(),
        }
    });
    figures.collect()
}

/// Returns the figures of each group of objects that has a delay of its own; empty if there is one group. `offsets` are the
/// objects' delays beyond the common one, s.
fn groups(
    files: &FilePair<'_>,
    delays: &Delays,
    offsets: &[f64],
    delay_ms: f64,
) -> Vec<GroupFigures> {
    let mut own = sorted(offsets.iter().copied());
    own.dedup();
    if own.len() < 2 {
        return Vec::new();
    }
    let group = |own_s: &f64| {
        let is_of = |place: &usize| offsets[*place] == *own_s;
        let members: Vec<usize> = (0..offsets.len()).filter(is_of).collect();
        let names = members.iter().map(|place| files.objects[*place].truth.name);
        let mut measured = Measured::empty();
        let instants = instants(files.times_s, &[], delays);
        for place in &members {
            measured.add(&files.objects[*place], &instants, *own_s, files.server);
        }
        GroupFigures {
            objects: names.map(str::to_owned).collect(),
            delay_ms: delay_ms + own_s * 1000.0,
            error_mm: spread(&measured.mm),
        }
    };
    let mut groups: Vec<GroupFigures> = own.iter().map(group).collect();
    sort_by_key(&mut groups, |group| std::cmp::Reverse(group.objects.len()));
    groups
}

fn spread(of: &Distribution) -> ErrorSpread {
    ErrorSpread {
        mean: of.mean(),
        p95: of.p95(),
        worst: of.max(),
    }
}

/// Returns the ranges of still frames, which show nothing newer although the truth moves.
fn still(
    files: &FilePair<'_>,
    frames: &Frames<'_>,
    delays: &Delays,
) -> Vec<std::ops::Range<usize>> {
    let times_s = frames.times_s;
    let mut shares = Vec::new();
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
    for at in (1..times_s.len()).filter(|at| !frames.is_clock_step(*at)) {
        let begun = ranges.last().filter(|range| range.end == at);
        let shown_s = times_s[begun.map_or(at, |range| range.start) - 1];
        let from_s = shown_s - delays.at(shown_s);
        let (before_s, now_s) = (times_s[at - 1], times_s[at]);
        shares.clear();
        for ObjectPaths { truth, drawn } in files.moving_most() {
            let ends = truth.at(from_s).zip(truth.at(from_s + now_s - before_s));
            let drawn = drawn.drawn_at(before_s).zip(drawn.drawn_at(now_s));
            let Some(((from, to), (before, now))) = ends.zip(drawn) else {
                continue;
            };
            let right_m = from.apart_m(&to);
            if right_m > LEAST_M {
                shares.push((before.apart_m(&now) / right_m, right_m));
            }
        }
        // A client may predict its own player, which goes on; so those with half of the motion decide.
        let moved_m: f64 = shares.iter().map(|(_, right_m)| right_m).sum();
        let below = shares.iter().filter(|(share, _)| *share < STILL_BELOW);
        let still_m: f64 = below.map(|(_, right_m)| right_m).sum();
        match (still_m > moved_m / 2.0, begun.is_some()) {
            (true, true) => {
                if let Some(range) = ranges.last_mut() {
                    range.end = at + 1;
                }
            }
            (true, false) => ranges.push(at..at + 1),
            (false, _) => {}
        }
    }
    // With less motion a coarse quantisation stands as well.
    ranges.retain(|range| {
        let (shown_s, last_s) = (times_s[range.start - 1], times_s[range.end - 1]);
        let from_s = shown_s - delays.at(shown_s);
        moves(files, from_s, from_s + last_s - shown_s)
    });
    ranges
}

impl Frames<'_> {
    fn is_clock_step(&self, frame: usize) -> bool {
        self.clock_steps.iter().any(|(at, _)| *at == frame)
    }

    /// Returns all freezes: ranges of still frames, and gaps without a frame. Freezes that touch are joined.
    fn freezes(&self) -> Vec<FreezeAt> {
        // From the last new frame to the end, and the time of the first still one.
        let still = self.still.iter().map(|range| {
            let ends_s = [self.times_s[range.start - 1], self.times_s[range.end - 1]];
            (ends_s, self.times_s[range.start])
        });
        let gaps = self.gaps.iter().map(|at| {
            let from_s = self.times_s[at - 1];
            (
                [from_s, self.times_s[*at] - self.step_s],
                from_s + self.step_s,
            )
        });
        let mut all: Vec<([f64; 2], f64)> = still.chain(gaps).collect();
        sort_by(&mut all, |a, b| a.0[0].total_cmp(&b.0[0]));
        let mut joined: Vec<([f64; 2], f64)> = Vec::new();
        for (ends_s, at_s) in all {
            match joined
                .last_mut()
                .filter(|last| ends_s[0] <= last.0[1] + 0.01 * self.step_s)
            {
                Some(last) => last.0[1] = last.0[1].max(ends_s[1]),
                None => joined.push((ends_s, at_s)),
            }
        }
        let freeze = |([from_s, to_s], at_s): ([f64; 2], f64)| FreezeAt {
            at_s,
            ms: (to_s - from_s) * 1000.0,
        };
        joined.into_iter().map(freeze).collect()
    }
}

/// A frame of the client, with the instant of the server that it shows.
struct FrameInstant {
    /// Time on the client's clock, s.
    at_s: f64,
    /// Shown time on the server's clock, s.
    shown_s: f64,
    /// True if the client's clock was set forward or back before the frame.
    is_clock_step: bool,
}

/// Returns the instants that the client's frames at `times_s` show at the common delay.
fn instants(times_s: &[f64], clock_steps: &[(usize, f64)], delays: &Delays) -> Vec<FrameInstant> {
    let instants = times_s.iter().enumerate();
    let instants = instants.map(|(frame, at_s)| FrameInstant {
        at_s: *at_s,
        shown_s: at_s - delays.at(*at_s),
        is_clock_step: clock_steps.iter().any(|(at, _)| *at == frame),
    });
    instants.collect()
}

/// Errors and corrections of all objects.
struct Measured {
    surface_mm: Distribution,
    mm: Distribution,
    deg: Distribution,
    by_object: Vec<ErrorOfObject>,
    corrections: u64,
    jump_count: usize,
    jumps: Vec<JumpAt>,
}

impl Measured {
    /// Measures the errors and corrections of the client's frames at `times_s`. Steps across a frame of `clock_steps` are not
    /// measured.
    fn new(
        files: &FilePair<'_>,
        times_s: &[f64],
        clock_steps: &[(usize, f64)],
        delays: &Delays,
        offsets: &[f64],
    ) -> Measured {
        let mut measured = Measured::empty();
        let instants = instants(times_s, clock_steps, delays);
        for (object, own_s) in files.objects.iter().zip(offsets) {
            measured.add(object, &instants, *own_s, files.server);
        }
        sort_by(&mut measured.by_object, |a, b| b.mean.total_cmp(&a.mean));
        measured.by_object.truncate(LISTED_MAX);
        sort_by(&mut measured.jumps, |a, b| a.at_s.total_cmp(&b.at_s));
        measured.jump_count = measured.jumps.len();
        measured.jumps.truncate(LISTED_MAX);
        measured
    }

    fn empty() -> Measured {
        Measured {
            surface_mm: Distribution::new(100.0),
            mm: Distribution::new(100.0),
            deg: Distribution::new(1000.0),
            by_object: Vec::new(),
            corrections: 0,
            jump_count: 0,
            jumps: Vec::new(),
        }
    }

    /// Adds an object, whose delay is `own_s` longer than the common one.
    fn add(
        &mut self,
        object: &ObjectPaths<'_>,
        instants: &[FrameInstant],
        own_s: f64,
        server: &Track,
    ) {
        let ObjectPaths { truth, drawn } = object;
        let (mut count, mut sum, mut worst) = (0_u32, 0.0, 0.0_f64);
        let mut before: Option<(f64, Placed, Placed)> = None;
        for instant in instants {
            let (at_s, instant_s) = (instant.at_s, instant.shown_s - own_s);
            before.take_if(|_| instant.is_clock_step);
            let Some((shown, right)) = drawn.drawn_at(at_s).zip(truth.at(instant_s)) else {
                before = None;
                continue;
            };
            let apart_m = shown.distance_m(&right);
            let came_from = truth.at(instant_s - MOVING_S);
            let moves = came_from.is_none_or(|from| from.apart_m(&right) > MOVES_M);
            if moves || apart_m > STILL_M {
                self.mm.add(apart_m * 1000.0);
                self.deg.add(shown.angle_deg(&right));
                self.surface_mm
                    .add(shown.surface_mm(&right, server.shape, truth.half_m));
                (count, sum, worst) = (count + 1, sum + apart_m, worst.max(apart_m));
            }
            if let Some((before_s, shown_before, right_before)) = before {
                let m = own_step_m([&shown_before, &shown], [&right_before, &right]);
                // Where the truth itself jumps, a client may do so some time earlier or later.
                let is_correction = m >= CORRECTION_M
                    && !truth.jumps_within(before_s - 2.0 * MOVING_S, instant_s + 2.0 * MOVING_S);
                self.corrections += u64::from(is_correction);
                if is_correction && m >= JUMP_M {
                    let object = truth.name.to_owned();
                    self.jumps.push(JumpAt { at_s, object, m });
                }
            }
            before = Some((instant_s, shown, right));
        }
        if count > 0 {
            self.by_object.push(ErrorOfObject {
                object: truth.name.to_owned(),
                mean: sum * 1000.0 / f64::from(count),
                worst: worst * 1000.0,
            });
        }
    }
}

/// Returns the length of a drawn object's step without the true object's step, m.
fn own_step_m(shown: [&Placed; 2], right: [&Placed; 2]) -> f64 {
    let step = |[from, to]: [&Placed; 2], axis: usize| to.position[axis] - from.position[axis];
    let own = (0..3).map(|axis| square(step(shown, axis) - step(right, axis)));
    own.sum::<f64>().sqrt()
}
