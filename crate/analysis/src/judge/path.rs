//! Paths of objects: their poses over time, from the files of a server and a client.

use super::JudgeError;
use snapshot_base::math::{Quat, Vec3};
use snapshot_base::order::{self, sorted};
use snapshot_lane::surface::{self, Turn};
use snapshot_record::motion::MotionEvent;
use snapshot_record::motion::track::{Track, TrackObject, TrackSample};
use snapshot_record::session_config::Shape;

/// Time between two rows of an object, in steps of the file, above which the object counts as standing still until one step
/// before the later row.
const GAP_STEPS: f64 = 1.5;
/// Number of rows that repeat the pose of the row before. A file with more such rows counts as a file that also has rows of
/// standing objects.
const STANDING_ROWS: usize = 20;

/// A drawn or true pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) position: [f32; 3],
    pub(super) orientation: [f32; 4],
}

/// The path of an object in one file: its poses over time.
pub(super) struct Path<'a> {
    pub(super) name: &'a str,
    /// Half the lengths of the object's sides, m.
    pub(super) half_m: [f32; 3],
    times_s: Vec<f64>,
    rows: Vec<(Placed, MotionEvent)>,
    /// Step between the file's frames, s.
    step_s: f64,
    /// Time after which the object no longer exists, s.
    until_s: f64,
}

/// An object that both files have: its true path and its drawn path.
pub(super) struct ObjectPaths<'a> {
    pub(super) truth: Path<'a>,
    pub(super) drawn: Path<'a>,
}

/// The files of a server and of a client, with the objects that both have.
pub(super) struct FilePair<'a> {
    pub(super) server: &'a Track,
    pub(super) client: &'a Track,
    /// Objects of both files; those that move most come first.
    pub(super) objects: Vec<ObjectPaths<'a>>,
    /// Times of the client's frames, s.
    pub(super) times_s: &'a [f64],
    /// First and last time of the server's frames, s.
    pub(super) server_s: [f64; 2],
    /// Usual step between two frames of the client, s.
    pub(super) step_s: f64,
}

impl<'a> FilePair<'a> {
    /// Pairs the objects of both files by their names.
    ///
    /// # Errors
    /// When no object is in both files.
    pub(super) fn new(server: &'a Track, client: &'a Track) -> Result<FilePair<'a>, JudgeError> {
        let ways = [server, client].map(Ways::from_track);
        let has_rows = |track: &'a Track| track.objects.iter().filter(|it| !it.samples.is_empty());
        let drawn = order::map(has_rows(client).map(|it| (&it.name[..], it)));
        let both = has_rows(server).filter_map(|truth| {
            let drawn = drawn.get(&truth.name[..])?;
            Some(ObjectPaths {
                truth: Path::new(server, truth, ways[0]),
                drawn: Path::new(client, drawn, ways[1]),
            })
        });
        let mut objects: Vec<_> = both.collect();
        order::sort_by_key(&mut objects, |it| std::cmp::Reverse(it.truth.moves()));
        if objects.is_empty() {
            let names = |track: &Track| {
                let names = track.objects.iter().take(3);
                let names = names.map(|object| snapshot_base::text::shorten(&object.name));
                names.collect::<Vec<_>>().join(", ")
            };
            return Err(JudgeError::new(format!(
                "no object has one name in both files: the server's are {}, the client's {}",
                names(server),
                names(client)
            )));
        }
        let ends = [server.frames_s.first(), server.frames_s.last()];
        Ok(FilePair {
            server,
            client,
            objects,
            times_s: &client.frames_s,
            server_s: ends.map(|it| it.copied().unwrap_or(0.0)),
            step_s: ways[1].step_s,
        })
    }

    /// The objects that decide whether a frame is still.
    pub(super) fn moving_most(&self) -> &[ObjectPaths<'a>] {
        const OBJECTS_MAX: usize = 128;
        &self.objects[..self.objects.len().min(OBJECTS_MAX)]
    }

    /// Iterates over the objects whose truth moves, at most `most`.
    pub(super) fn moving(&self, most: usize) -> impl Iterator<Item = &ObjectPaths<'a>> {
        let moving = self.objects.iter().take_while(|it| it.truth.moves() > 0);
        moving.take(most)
    }

    /// Returns the times of the client's frames whose picture differs from the frame before, s.
    pub(super) fn new_times(&self) -> Vec<f64> {
        let mut is_new = vec![false; self.times_s.len()];
        for ObjectPaths { drawn, .. } in self.moving_most() {
            let mut before = None;
            for (is_new, time_s) in is_new.iter_mut().zip(self.times_s) {
                let now = drawn.drawn_at(*time_s);
                *is_new |= now != before;
                before = now;
            }
        }
        let new = self.times_s.iter().zip(is_new);
        new.filter_map(|(at_s, is_new)| is_new.then_some(*at_s))
            .collect()
    }
}

/// Facts about a track, the motion in one file: the step between its frames, and the mark of an object's end.
#[derive(Clone, Copy)]
pub(super) struct Ways {
    /// Median step between frames, s.
    pub(super) step_s: f64,
    /// True if an object's life ends with its last row. So it is in a file without events that also has rows of standing
    /// objects.
    last_row_ends: bool,
}

impl Ways {
    pub(super) fn from_track(track: &Track) -> Ways {
        let steps = track.frames_s.windows(2).map(|pair| pair[1] - pair[0]);
        let steps = sorted(steps);
        let pairs = track.objects.iter().flat_map(|it| it.samples.windows(2));
        let stands = |pair: &&[TrackSample]| {
            pair[0].position == pair[1].position && pair[0].orientation == pair[1].orientation
        };
        Ways {
            step_s: steps.get(steps.len() / 2).copied().unwrap_or(1.0),
            last_row_ends: !track.tells_of_ends && pairs.filter(stands).count() > STANDING_ROWS,
        }
    }
}

/// Returns what a function finds at each delay of a range, in steps. The function also returns the number of poses that it
/// compares. Delays with less than 40 % of the greatest number are left out, and delays with none.
pub(super) fn at_delays<T>(
    [from_s, to_s]: [f64; 2],
    step_s: f64,
    find: impl Fn(f64) -> (T, f64),
) -> impl Iterator<Item = (f64, T)> {
    const OVERLAP: f64 = 0.4;
    let steps = ((to_s - from_s) / step_s) as usize + 1;
    let all = (0..=steps).map(|step| {
        let delay_s = from_s + step as f64 * step_s;
        (delay_s, find(delay_s))
    });
    let all: Vec<(f64, (T, f64))> = all.collect();
    let most = all.iter().map(|(_, (_, count))| *count).fold(0.0, f64::max);
    let enough = all
        .into_iter()
        .filter(move |(_, (_, count))| *count > 0.0 && *count >= OVERLAP * most);
    enough.map(|(delay_s, (found, _))| (delay_s, found))
}

/// Returns the time around `near_s` with the least error, searched in ever finer steps. Of equal errors the second number
/// decides, then the earlier time.
pub(super) fn finest(
    near_s: f64,
    [mut reach_s, mut step_s, least_s]: [f64; 3],
    error: impl Fn(f64) -> [f64; 2],
) -> f64 {
    let mut best_s = near_s;
    while step_s >= least_s {
        let steps = (reach_s / step_s) as i32;
        let all = (-steps..=steps).map(|step| best_s + f64::from(step) * step_s);
        let all = all.map(|at_s| (at_s, error(at_s)));
        let best = all.min_by(|(_, a), (_, b)| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        best_s = best.map_or(best_s, |best| best.0);
        (reach_s, step_s) = (step_s, step_s / 4.0);
    }
    best_s
}

pub(super) fn square(difference: f32) -> f64 {
    f64::from(difference) * f64::from(difference)
}

impl Placed {
    pub(super) fn distance_m(&self, other: &Placed) -> f64 {
        let between = self.position.iter().zip(other.position);
        between.map(|(a, b)| square(a - b)).sum::<f64>().sqrt()
    }

    pub(super) fn angle_deg(&self, other: &Placed) -> f64 {
        4.0 * libm::asin((self.chord(other) / 2.0).min(1.0)).to_degrees()
    }

    /// Returns the surface error between two poses of an object, mm; `half_m` are half its sides, m.
    pub(super) fn surface_mm(&self, other: &Placed, shape: Shape, half_m: [f32; 3]) -> f64 {
        let moved = |axis: usize| f64::from(self.position[axis]) - f64::from(other.position[axis]);
        let [a, b] = [self.orientation, other.orientation].map(|turn| turn.map(f64::from));
        surface::error_mm(
            shape,
            half_m,
            std::array::from_fn(moved),
            Turn::between(a, b),
        )
    }

    /// Returns the rough distance between the corners of a cube, with sides of 0.5 m, in two poses, m.
    pub(super) fn apart_m(&self, other: &Placed) -> f64 {
        const CORNER_M: f64 = 0.43;
        self.distance_m(other) + 2.0 * CORNER_M * self.chord(other)
    }

    /// Returns the distance between the quaternions: about half the angle between the orientations, rad.
    fn chord(&self, other: &Placed) -> f64 {
        let pairs = || self.orientation.iter().zip(other.orientation);
        let dot: f32 = pairs().map(|(a, b)| a * b).sum();
        let sign = if dot < 0.0 { -1.0 } else { 1.0 };
        let squares = pairs().map(|(a, b)| square(a - sign * b));
        squares.sum::<f64>().sqrt()
    }
}

impl<'a> Path<'a> {
    pub(super) fn new(track: &Track, object: &'a TrackObject, ways: Ways) -> Path<'a> {
        let last_s = track.frames_s.last().copied().unwrap_or(0.0);
        let time_s = |frame: u32| track.frames_s[frame as usize];
        let own_s = object.samples.last().map_or(0.0, |row| time_s(row.frame));
        let ends = ways.last_row_ends && last_s - own_s > GAP_STEPS * ways.step_s;
        Path {
            name: &object.name,
            half_m: track.half_m(object),
            times_s: object.samples.iter().map(|row| time_s(row.frame)).collect(),
            rows: (object.samples.iter())
                .map(|row| {
                    let placed = Placed {
                        position: row.position,
                        orientation: row.orientation,
                    };
                    (placed, row.event)
                })
                .collect(),
            step_s: ways.step_s,
            until_s: if ends { own_s } else { last_s },
        }
    }

    /// Number of rows at or before a time. Rows are evenly spaced, so the first guess is often right or one off.
    fn rows_until(&self, instant_s: f64) -> usize {
        const STEPS: usize = 3;
        let ends = self.times_s.first().zip(self.times_s.last());
        let Some((first_s, last_s)) = ends.filter(|(first, last)| last > first) else {
            return self.times_s.partition_point(|time_s| *time_s <= instant_s);
        };
        let most = self.times_s.len() - 1;
        let share = (instant_s - first_s) / (last_s - first_s);
        let mut after = (share * most as f64).clamp(0.0, most as f64) as usize + 1;
        for _ in 0..STEPS {
            match (
                self.times_s[after - 1] <= instant_s,
                self.times_s.get(after),
            ) {
                (true, Some(next_s)) if *next_s <= instant_s => after += 1,
                (true, _) => return after,
                (false, _) if after == 1 => return 0,
                (false, _) => after -= 1,
            }
        }
        self.times_s.partition_point(|time_s| *time_s <= instant_s)
    }

    /// Returns the pose at a time, interpolated linearly between two rows; `None` while the object does not exist.
    pub(super) fn at(&self, instant_s: f64) -> Option<Placed> {
        let (from, to, share) = self.between(instant_s)?;
        let Some(to) = to else {
            return Some(from);
        };
        Some(Placed {
            position: Vec3(from.position).lerp(Vec3(to.position), share).0,
            orientation: match from.orientation == to.orientation {
                true => from.orientation,
                false => Quat(from.orientation).turned(Quat(to.orientation), share).0,
            },
        })
    }

    /// Returns the position at a time, as [`Path::at`] does.
    pub(super) fn position_at(&self, instant_s: f64) -> Option<[f32; 3]> {
        let (from, to, share) = self.between(instant_s)?;
        Some(to.map_or(from.position, |to| {
            Vec3(from.position).lerp(Vec3(to.position), share).0
        }))
    }

    /// Returns the row before a time, the row after it, and how far the time lies between both, 0 to 1. There is no row after
    /// if the object stands.
    fn between(&self, instant_s: f64) -> Option<(Placed, Option<Placed>, f32)> {
        let after = self.rows_until(instant_s);
        let at = after.checked_sub(1)?;
        let (from, event) = self.rows[at];
        if event == MotionEvent::End || instant_s > self.until_s {
            return None;
        }
        let (Some((to, next)), Some(to_s)) = (self.rows.get(after), self.times_s.get(after)) else {
            return Some((from, None, 0.0));
        };
        if *next != MotionEvent::None {
            return Some((from, None, 0.0));
        }
        let from_s = match to_s - self.times_s[at] > GAP_STEPS * self.step_s {
            true => to_s - self.step_s,
            false => self.times_s[at],
        };
        let share = ((instant_s - from_s) / (to_s - from_s)) as f32;
        Some((from, (share > 0.0).then_some(*to), share))
    }

    /// Returns the pose of the newest row at or before a time, as a client drew it; `None` while the object was not drawn.
    pub(super) fn drawn_at(&self, instant_s: f64) -> Option<Placed> {
        let after = self.rows_until(instant_s);
        let (placed, event) = self.rows[after.checked_sub(1)?];
        let is_there = event != MotionEvent::End && instant_s <= self.until_s;
        is_there.then_some(placed)
    }

    /// Returns true if the object jumps or begins a new life between two times.
    pub(super) fn jumps_within(&self, from_s: f64, to_s: f64) -> bool {
        let [from, to] =
            [from_s, to_s].map(|at_s| self.times_s.partition_point(|time_s| *time_s <= at_s));
        let events = self.rows[from..to.max(from)].iter();
        events
            .into_iter()
            .any(|(_, event)| *event != MotionEvent::None)
    }

    /// Longest side of the box around all positions, m.
    pub(super) fn reach_m(&self) -> f64 {
        let along = |axis: usize| {
            let rows = self
                .rows
                .iter()
                .filter(|(_, event)| *event != MotionEvent::End);
            let places = rows.map(|(placed, _)| placed.position[axis]);
            let ends = places.fold((f32::INFINITY, f32::NEG_INFINITY), |(least, most), at| {
                (least.min(at), most.max(at))
            });
            f64::from(ends.1 - ends.0).max(0.0)
        };
        (0..3).map(along).fold(0.0, f64::max)
    }

    /// Number of rows whose pose differs from the row before.
    pub(super) fn moves(&self) -> usize {
        const MOVES_M: f64 = 1e-4;
        let pairs = self.rows.windows(2);
        pairs
            .filter(|pair| pair[0].0.apart_m(&pair[1].0) > MOVES_M)
            .count()
    }

    /// Returns the periods in which the object existed: begin and end in s, and true if the file shows the end.
    pub(super) fn lives(&self) -> Vec<(f64, f64, bool)> {
        let mut lives: Vec<(f64, f64, bool)> = Vec::new();
        let mut since = None;
        for (time_s, (_, event)) in self.times_s.iter().zip(&self.rows) {
            let begun: Option<f64> = since;
            match event {
                MotionEvent::End => {
                    lives.extend(since.take().map(|from_s| (from_s, *time_s, true)));
                }
                MotionEvent::Spawn => {
                    lives.extend(begun.map(|from_s| (from_s, *time_s, true)));
                    since = Some(*time_s);
                }
                _ => since = since.or(Some(*time_s)),
            }
        }
        let last_s = self.times_s.last().copied().unwrap_or(0.0);
        let ends = self.until_s == last_s;
        lives.extend(since.map(|from_s| (from_s, self.until_s, ends)));
        lives
    }
}
