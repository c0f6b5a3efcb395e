//! The delay between a server's file and its client's file, over time. It is the delay with the least distance between drawn
//! and true objects. The file is cut into parts: a part ends where the client drew no frame for a while and the delay leaps.

use super::path::{FilePair, ObjectPaths, Placed, at_delays, finest};
use serde::Serialize;
use snapshot_base::order::{self, sort, sorted};

/// Upper limit of the number of objects that the search compares. Objects that move most come first.
const OBJECTS_MAX: usize = 12;
/// Number of frames, spread over the file, for the first coarse search for the delay.
const SOUGHT_FRAMES: usize = 100;
const SOUGHT_STEP_S: f64 = 0.02;
/// Number of frames, spread over the file, for the finer search for a steady delay.
const LINE_FRAMES: usize = 200;
/// Length of a window of the client's frames, s. The delay is searched for each window separately.
const WINDOW_S: f64 = 1.0;
const WINDOW_FRAMES: usize = 60;
/// Greatest difference from the neighbouring window's delay up to which a window's delay is searched, s.
const REACH_S: f64 = 0.25;
/// Greatest distance of the windows' delays from a straight line over time, s, at which the delay counts as steady. A steady
/// delay is constant, except for drift between both clocks.
const STEADY_S: f64 = 0.004;
/// Least rise of a window's error, m, at 25 ms from its best delay. With a smaller rise the window's delay counts as not
/// found.
const SHARP_M: f64 = 0.0005;
const LEAST_STEP_S: f64 = 0.00005;
/// Upper limit of the steps in the search for the line of a steady delay. The search begins a few steps from the line, but
/// hostile files could lead it far.
const REFINED_MAX: usize = 100;
/// Difference up to which the delays of two frames count as equal, s.
const AGREE_S: f64 = 0.0025;
const AGREE_REACH_S: f64 = 0.06;
/// Upper limit of an object's error in the search, m; a greater distance counts as this much.
const APART_MAX_M: f64 = 2.0;
/// Least leap of the delay at a break, s, that begins a new part. A break is a long time without a frame.
const PARTED_S: f64 = 0.15;
/// Least time between two breaks, s, for which a separate delay is searched.
const PART_S: f64 = 0.5;
/// Upper limit of the number of breaks at which the delay may leap; the longest breaks are taken.
const BREAKS_MAX: usize = 8;

/// Number of frames for the search for a delay in a part of the file, where leaps are sought from the poses.
const LEAP_FRAMES: usize = 24;
/// Number of parts of a file in which a delay is searched, at the finest division.
const LEAP_PARTS: usize = 8;
/// Upper limit of the number of frames at which leaps are sought.
const LEAP_PLACES: usize = 3000;
/// Cost of a leap, in frames whose error is as large as the least error of a misfit.
const LEAP_COST: f64 = 20.0;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DelayAt {
    /// Time on the client's clock, s.
    pub at_s: f64,
    /// The client's time minus the server's time, ms.
    pub delay_ms: f64,
}

impl DelayAt {
    fn new(times: &[f64], delay_s: f64) -> DelayAt {
        DelayAt {
            at_s: f64::midpoint(times[0], times[times.len() - 1]),
            delay_ms: delay_s * 1000.0,
        }
    }
}

/// A frame of the client: its time and the poses of the compared objects.
struct DrawnFrame {
    at_s: f64,
    poses: Vec<Option<Placed>>,
}

/// The delay of a client's frames, separately for each part of its file. The delay leaps between two parts.
pub(super) struct Delays {
    parts: Vec<DelayPart>,
    /// The delays of all windows, in all parts.
    windows: Vec<DelayAt>,
}

/// The delay in a part of the client's file: the frames between two leaps of the delay.
pub(super) struct DelayPart {
    /// Time on the client's clock at which the part begins, s; minus infinity for the first part.
    pub(super) from_s: f64,
    /// The delays of the part's windows of a second, by rising time; at least one.
    windows: Vec<DelayAt>,
    /// The steady delay, as a line: value at time 0, s, and slope, s per second. `None` if the delay does not follow a line.
    line: Option<(f64, f64)>,
}

impl Delays {
    /// Returns the delay with the least error over the whole client's file, s, and that error, m; `None` if both files have
    /// nothing to compare. `new_s` are the times of frames whose picture differs from the one before.
    pub(super) fn sought(files: &FilePair<'_>, new_s: &[f64]) -> Option<(f64, f64)> {
        Fit::new(files).sought(new_s, SOUGHT_FRAMES)
    }

    /// Returns the delay of a client's frames at `times`. `whole_s` is the best delay for the whole file. `breaks` are
    /// indices of frames before which the delay may leap.
    pub(super) fn find(
        files: &FilePair<'_>,
        times: &[f64],
        breaks: &[usize],
        whole_s: f64,
    ) -> Delays {
        let fit = Fit::new(files);
        // Parts with the delay of each; a leap of the delay parts them.
        let mut parts: Vec<(f64, &[f64], f64)> = Vec::new();
        let mut rest = times;
        let mut from_s = f64::NEG_INFINITY;
        let mut ends: Vec<f64> = breaks.iter().map(|at| files.times_s[*at]).collect();
        ends.push(f64::INFINITY);
        for end_s in ends {
            let (part, after) = rest.split_at(rest.partition_point(|at_s| *at_s < end_s));
            let is_long = part
                .last()
                .zip(part.first())
                .is_some_and(|(b, a)| b - a >= PART_S);
            // Without a break there is nothing to compare.
            let own = match is_long && !breaks.is_empty() {
                true => fit.sought(part, SOUGHT_FRAMES).map(|(delay_s, _)| delay_s),
                false => None,
            };
            let is_apart = |before: &(f64, &[f64], f64)| {
                own.is_some_and(|own| (own - before.2).abs() > PARTED_S)
            };
            match parts.last_mut().filter(|before| !is_apart(before)) {
                // Both lie side by side in the times.
                Some(before) => {
                    let start = times.partition_point(|at_s| *at_s < before.1[0]);
                    before.1 = &times[start..times.len() - after.len()];
                }
                None if part.is_empty() => {}
                None => parts.push((from_s, part, own.unwrap_or(whole_s))),
            }
            (rest, from_s) = (after, end_s);
        }
        if let [one] = &mut parts[..] {
            one.2 = whole_s;
        }
        let found = parts
            .into_iter()
            .map(|(from_s, times, near_s)| fit.part(from_s, times, near_s));
        let parts: Vec<DelayPart> = found.collect();
        let windows = parts.iter().flat_map(|part| part.windows.iter().copied());
        Delays {
            windows: windows.collect(),
            parts,
        }
    }

    /// Returns the times of frames before which the delay leaps, s, by the poses alone: a clock that stood for a while leaves
    /// no gap. It tries the delays of parts of the file. The cheapest way through the frames decides (Viterbi's algorithm): a
    /// frame costs its error, and a leap as much as some frames with the error `misfit_m`.
    pub(super) fn leaps(files: &FilePair<'_>, times: &[f64], misfit_m: f64) -> Vec<f64> {
        let fit = Fit::new(files);
        let mut delays_s: Vec<f64> = Vec::new();
        let divisions = std::iter::successors(Some(1), |parts| Some(parts * 2));
        for parts in divisions.take_while(|parts| *parts <= LEAP_PARTS) {
            for part in times.chunks(times.len().div_ceil(parts).max(1)) {
                let found = fit.sought(part, LEAP_FRAMES);
                let is_new = |delay_s: f64| {
                    let apart = |other: &f64| (delay_s - other).abs() > PARTED_S;
                    delays_s.iter().all(apart)
                };
                let found =
                    found.filter(|(delay_s, error_m)| *error_m < misfit_m && is_new(*delay_s));
                delays_s.extend(found.map(|(delay_s, _)| delay_s));
            }
        }
        if delays_s.len() < 2 {
            return Vec::new();
        }
        let frames = fit.frames(times, LEAP_PLACES);
        let mut costs = vec![0.0_f64; delays_s.len()];
        let mut came_from: Vec<Vec<usize>> = Vec::new();
        for frame in &frames {
            let cheapest = (0..costs.len()).min_by(|a, b| costs[*a].total_cmp(&costs[*b]));
            let cheapest = cheapest.unwrap_or_default();
            let leapt = costs[cheapest] + LEAP_COST * misfit_m;
            let mut from = Vec::with_capacity(costs.len());
            for (place, delay_s) in delays_s.iter().enumerate() {
                let leaps = leapt < costs[place];
                from.push(if leaps { cheapest } else { place });
                costs[place] = costs[place].min(leapt) + fit.error(&[frame], *delay_s).0;
            }
            came_from.push(from);
        }
        let last = (0..costs.len()).min_by(|a, b| costs[*a].total_cmp(&costs[*b]));
        let mut place = last.unwrap_or_default();
        let mut leaps = Vec::new();
        for (frame, from) in frames.iter().zip(&came_from).rev() {
            if from[place] != place {
                leaps.push(frame.at_s);
                place = from[place];
            }
        }
        leaps.reverse();
        leaps
    }

    /// Returns the offsets of objects' delays from the delay of most objects, s: 0 for an object that fits it. A client may
    /// show its own object ahead of all others.
    pub(super) fn offsets(&self, files: &FilePair<'_>) -> Vec<f64> {
        const FRAMES: usize = 60;
        const OBJECTS: usize = 64;
        const REACH_S: f64 = 1.0;
        /// Least error at the common delay, as a multiple of the error at an object's own delay, and least difference, m.
        const WORSE: (f64, f64) = (3.0, 0.01);
        const LEAST_S: f64 = 0.03;
        let step = files.times_s.len().div_ceil(FRAMES).max(1);
        let times_s: Vec<f64> = files.times_s.iter().step_by(step).copied().collect();
        let mut offsets: Vec<f64> = Vec::new();
        for object in &files.objects {
            let is_tried = offsets.len() < OBJECTS && object.truth.moves() > 0;
            let error_m = |offset_s: f64| {
                let pairs = times_s.iter().filter_map(|at_s| {
                    let truth = object.truth.at(at_s - self.at(*at_s) - offset_s)?;
                    Some(object.drawn.drawn_at(*at_s)?.apart_m(&truth))
                });
                let (sum, count) = pairs.fold((0.0, 0), |(sum, count), m| (sum + m, count + 1));
                if count * 2 < times_s.len() {
                    f64::INFINITY
                } else {
                    sum / f64::from(count as u32)
                }
            };
            let common_m = error_m(0.0);
            if !is_tried || common_m < WORSE.1 {
                offsets.push(0.0);
                continue;
            }
            let best_s = finest(0.0, [REACH_S, 0.02, LEAST_STEP_S], |offset_s| {
                [error_m(offset_s), offset_s.abs()]
            });
            let is_own = best_s.abs() >= LEAST_S && common_m > WORSE.0 * error_m(best_s) + WORSE.1;
            // Objects with nearly one delay are a group.
            let known = offsets.iter().copied();
            let near = known
                .clone()
                .find(|known| is_own && (known - best_s).abs() < LEAST_S / 2.0);
            offsets.push(match is_own {
                true => near.unwrap_or(best_s),
                false => 0.0,
            });
        }
        offsets
    }

    /// The parts of the client's file, by rising time; at least one.
    pub(super) fn parts(&self) -> &[DelayPart] {
        &self.parts
    }

    /// Returns the delay at a time on the client's clock, s.
    pub(super) fn at(&self, at_s: f64) -> f64 {
        let after = self.parts.partition_point(|part| part.from_s <= at_s);
        self.parts[after.saturating_sub(1)].at(at_s)
    }

    pub(super) fn windows(&self) -> &[DelayAt] {
        &self.windows
    }

    /// Returns the slope of the delay, ms per second, if the delay is constant or changes at a constant rate; else `None`.
    pub(super) fn drift_ms_per_s(&self) -> Option<f64> {
        let [part] = &self.parts[..] else {
            return None;
        };
        part.line.map(|(_, slope)| slope * 1000.0)
    }
}

impl DelayPart {
    pub(super) fn at(&self, at_s: f64) -> f64 {
        if let Some((start_s, slope)) = self.line {
            return start_s + slope * at_s;
        }
        let after = self.windows.partition_point(|it| it.at_s <= at_s);
        let [before, after] = [after.saturating_sub(1), after.min(self.windows.len() - 1)]
            .map(|place| self.windows[place]);
        let span_s = (after.at_s - before.at_s).max(1e-9);
        let share = ((at_s - before.at_s) / span_s).clamp(0.0, 1.0);
        (before.delay_ms + share * (after.delay_ms - before.delay_ms)) / 1000.0
    }
}

/// Returns the breaks in a client's frames, as indices of the frames after them; at most the longest eight. A break lasts at
/// least a quarter of a second or three usual frames, whichever is shorter.
pub(super) fn breaks(frames_s: &[f64], step_s: f64) -> Vec<usize> {
    let length = |at: usize| frames_s[at] - frames_s[at - 1];
    let mut breaks: Vec<usize> = (1..frames_s.len())
        .filter(|at| is_gap(length(*at), step_s))
        .collect();
    order::sort_by(&mut breaks, |a, b| length(*b).total_cmp(&length(*a)));
    breaks.truncate(BREAKS_MAX);
    breaks.sort_unstable();
    breaks
}

/// Returns true if the time between two frames is long enough for a break or a freeze.
pub(super) fn is_gap(length_s: f64, step_s: f64) -> bool {
    const GAP_S: f64 = 0.25;
    const GAP_STEPS: f64 = 3.0;
    // Times in a file are rounded.
    let least_s = GAP_S.min(GAP_STEPS * step_s);
    length_s >= 0.99 * least_s && length_s > 1.5 * step_s
}

/// Returns the straight line through the windows' delays: value at time 0, s, and slope, s per second. It uses medians. `None`
/// if many windows are far from the line.
fn line(windows: &[DelayAt]) -> Option<(f64, f64)> {
    let median = |mut all: Vec<f64>| {
        sort(&mut all);
        all.get(all.len() / 2).copied()
    };
    let half = windows.len() / 2;
    // Windows that are half the file apart: neighbours tell little of a slope.
    let pairs = windows
        .iter()
        .zip(&windows[half..])
        .take(windows.len() - half);
    let slopes = pairs.filter(|(a, b)| b.at_s > a.at_s);
    let slopes = slopes.map(|(a, b)| (b.delay_ms - a.delay_ms) / 1000.0 / (b.at_s - a.at_s));
    let slope = median(slopes.collect()).unwrap_or(0.0);
    let heights = windows
        .iter()
        .map(|it| it.delay_ms / 1000.0 - slope * it.at_s);
    let start_s = median(heights.collect())?;
    let off = windows
        .iter()
        .map(|it| (it.delay_ms / 1000.0 - slope * it.at_s - start_s).abs());
    let off = sorted(off);
    let most = off.get((off.len() * 9 / 10).min(off.len() - 1))?;
    (*most <= STEADY_S).then_some((start_s, slope))
}

struct Fit<'a> {
    objects: Vec<&'a ObjectPaths<'a>>,
    server_s: [f64; 2],
}

impl<'a> Fit<'a> {
    fn new(files: &'a FilePair<'a>) -> Fit<'a> {
        Fit {
            objects: files.moving(OBJECTS_MAX).collect(),
            server_s: files.server_s,
        }
    }

    /// Returns the part of the client's frames at `times`, with its delays, searched around `near_s`.
    fn part(&self, from_s: f64, times: &[f64], near_s: f64) -> DelayPart {
        let (first_s, last_s) = (times[0], times[times.len() - 1]);
        let window = |at_s: f64| ((at_s - first_s) / WINDOW_S).floor();
        let spans = times.chunk_by(|a, b| window(*a) == window(*b));
        let spans: Vec<&[f64]> = spans.filter(|span| span.len() > 2).collect();
        let middle = spans.len() / 2;
        let mut windows = Vec::new();
        let (before, after) = spans.split_at(middle);
        let sides: [Vec<&[f64]>; 2] = [before.iter().rev().copied().collect(), after.to_vec()];
        for side in sides {
            let (mut near_s, mut reach_s) = (near_s, 2.0 * REACH_S);
            for span in side {
                let frames = self.frames(span, WINDOW_FRAMES);
                let Some(delay_s) = self.window(&frames, near_s, reach_s) else {
                    continue;
                };
                (near_s, reach_s) = (delay_s, REACH_S);
                windows.push(DelayAt::new(span, delay_s));
            }
        }
        order::sort_by(&mut windows, |a, b| a.at_s.total_cmp(&b.at_s));
        if windows.is_empty() {
            windows.push(DelayAt::new(times, near_s));
        }
        let line = line(&windows).map(|line| {
            let frames = self.frames(times, LINE_FRAMES);
            self.refine(&frames, line, [first_s, last_s])
        });
        DelayPart {
            from_s,
            windows,
            line,
        }
    }

    /// Returns the client's frames at at most `count` of these times, spread evenly.
    fn frames(&self, times: &[f64], count: usize) -> Vec<DrawnFrame> {
        let step = times.len().div_ceil(count).max(1);
        let chosen = times.iter().step_by(step);
        let frame = |at_s: &f64| DrawnFrame {
            at_s: *at_s,
            poses: (self.objects.iter())
                .map(|object| object.drawn.drawn_at(*at_s))
                .collect(),
        };
        chosen.map(frame).collect()
    }

    /// Returns the mean error at a delay, m, and the number of compared poses.
    fn error(&self, frames: &[&DrawnFrame], delay_s: f64) -> (f64, usize) {
        let (mut sum, mut count) = (0.0, 0);
        for frame in frames {
            let instant_s = frame.at_s - delay_s;
            for (object, drawn) in self.objects.iter().zip(&frame.poses) {
                let Some((drawn, truth)) = drawn.zip(object.truth.at(instant_s)) else {
                    continue;
                };
                sum += drawn.apart_m(&truth).min(APART_MAX_M);
                count += 1;
            }
        }
        (sum / f64::from(count.max(1) as u32), count)
    }

    /// Returns the delay with the least error, s, of all delays at which both files overlap, and that error, m, from at most
    /// `count` frames. `None` if nothing can be compared. If several delays are nearly as good, as in a motion that repeats,
    /// returns the one nearest to 100 ms, because most pairs of files share one clock.
    fn sought(&self, times: &[f64], count: usize) -> Option<(f64, f64)> {
        const USUAL_S: f64 = 0.1;
        let (first_s, last_s) = (*times.first()?, *times.last()?);
        let frames = self.frames(times, count);
        let frames: Vec<&DrawnFrame> = frames.iter().collect();
        let [begin_s, end_s] = self.server_s;
        let range_s = [first_s - end_s, last_s - begin_s];
        let all = at_delays(range_s, SOUGHT_STEP_S, |delay_s| {
            let (error, count) = self.error(&frames, delay_s);
            (error, count as f64)
        });
        let all: Vec<(f64, f64)> = all.collect();
        let least = all.iter().map(|it| it.1).fold(f64::INFINITY, f64::min);
        let as_good = all.into_iter().filter(|it| it.1 <= least * 1.1 + 0.001);
        let off = |delay_s: f64| (delay_s - USUAL_S).abs();
        as_good.min_by(|a, b| off(a.0).total_cmp(&off(b.0)))
    }

    /// Returns the delay of a window, searched around `near_s`; `None` if the error hardly depends on the delay. Frames in a
    /// freeze are older than the delay, so the result is the delay on which most frames agree.
    fn window(&self, frames: &[DrawnFrame], near_s: f64, reach_s: f64) -> Option<f64> {
        let all: Vec<&DrawnFrame> = frames.iter().collect();
        let best_s = self.best(&all, near_s, reach_s, 0.016, LEAST_STEP_S);
        let error = |delay_s: f64| self.error(&all, delay_s).0;
        let rise = f64::midpoint(error(best_s - 0.025), error(best_s + 0.025)) - error(best_s);
        if rise <= SHARP_M {
            return None;
        }
        let own = |frame: &&DrawnFrame| self.best(&[frame], best_s, AGREE_REACH_S, 0.008, 0.0005);
        let own: Vec<f64> = all.iter().map(own).collect();
        let agree =
            |at_s: f64, by_s: f64| own.iter().filter(move |own_s| (*own_s - at_s).abs() < by_s);
        let dense = own.iter().max_by_key(|at_s| agree(**at_s, AGREE_S).count());
        let dense_s = dense.copied().unwrap_or(best_s);
        let on_time = all
            .iter()
            .zip(&own)
            .filter(|(_, own_s)| (*own_s - dense_s).abs() < 2.0 * AGREE_S);
        let on_time: Vec<&DrawnFrame> = on_time.map(|(frame, _)| *frame).collect();
        Some(self.best(&on_time, dense_s, 0.004, 0.002, LEAST_STEP_S))
    }

    /// Returns a line of the delay with less error than the given line. The search tries other delays at both ends of the
    /// line.
    fn refine(
        &self,
        frames: &[DrawnFrame],
        (start_s, slope): (f64, f64),
        [from_s, to_s]: [f64; 2],
    ) -> (f64, f64) {
        let through = |ends: [f64; 2]| {
            let slope = (ends[1] - ends[0]) / (to_s - from_s).max(1e-9);
            (ends[0] - slope * from_s, slope)
        };
        // Late frames have no say.
        let on_time = |line: (f64, f64)| {
            let at_s = |frame: &DrawnFrame| line.0 + line.1 * frame.at_s;
            let is_on_time = |frame: &&DrawnFrame| {
                let own_s = self.best(&[frame], at_s(frame), 0.016, 0.008, 0.0005);
                (own_s - at_s(frame)).abs() < AGREE_S
            };
            frames.iter().filter(is_on_time).collect::<Vec<_>>()
        };
        let error = |frames: &[&DrawnFrame], ends: [f64; 2]| {
            let line = through(ends);
            let errors = frames
                .iter()
                .map(|frame| self.error(&[frame], line.0 + line.1 * frame.at_s).0);
            errors.sum::<f64>()
        };
        let frames = on_time((start_s, slope));
        let mut ends = [from_s, to_s].map(|at_s| start_s + slope * at_s);
        let mut step_s = AGREE_S / 2.0;
        for _ in 0..REFINED_MAX {
            if step_s < LEAST_STEP_S {
                break;
            }
            // Where all are as good, the ends stay: `min_by` takes the first.
            let tried = [
                [0.0, 0.0],
                [1.0, 0.0],
                [-1.0, 0.0],
                [0.0, 1.0],
                [0.0, -1.0],
                [1.0, 1.0],
                [-1.0, -1.0],
                [1.0, -1.0],
                [-1.0, 1.0],
            ];
            let tried = tried.map(|by| [ends[0] + by[0] * step_s, ends[1] + by[1] * step_s]);
            let errors = tried.map(|ends| (ends, error(&frames, ends)));
            let best = errors.into_iter().min_by(|a, b| a.1.total_cmp(&b.1));
            match best.filter(|best| best.0 != ends) {
                Some(best) => ends = best.0,
                None => step_s /= 3.0,
            }
        }
        through(ends)
    }

    /// Returns the delay with the least error around `near_s`, searched in ever finer steps.
    fn best(
        &self,
        frames: &[&DrawnFrame],
        near_s: f64,
        reach_s: f64,
        step_s: f64,
        least_s: f64,
    ) -> f64 {
        finest(near_s, [reach_s, step_s, least_s], |delay_s| {
            [self.error(frames, delay_s).0, 0.0]
        })
    }
}
