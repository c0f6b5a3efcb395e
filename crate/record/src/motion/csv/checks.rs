//! Checks of a motion by itself, before anything is computed from it. Each finding becomes one sentence.
//!
//! Time may begin anew, times may be rounded, poses may change in each n-th row only, and lost markers may be written as 0, 0, 0.

use super::timing::nths;
use super::{Entry, Sorted};
use crate::motion::{MotionError, MotionEvent};
use snapshot_base::order;
use snapshot_base::text::shorten;
use snapshot_netsim::table::Fields;
use std::collections::{BTreeMap, BTreeSet};

/// Greatest number of frames between two changes of a pose that counts as a habit.
const EVERY_MAX: usize = 16;
/// Least number of changes that show a habit, and the share of them that follow it.
const CHANGES_MIN: u32 = 10;
const SHARE: f64 = 0.8;
/// Least step of an object to 0, 0, 0 or from there that counts as a lost marker, m.
const LOST_M: f32 = 0.5;

/// Chooses one part of rows whose time begins anew, or whose line of names comes again: the longest, or that of the fact
/// `part=`. `begins` has the entries before which the line of names came. Returns a note about it; `None` for a single part.
///
/// # Errors
/// When there is no such part.
pub(super) fn choose_part(
    entries: &mut Vec<Entry>,
    begins: &[usize],
    chosen: Option<usize>,
    line: impl Fn(&Entry) -> u64,
) -> Result<Option<String>, MotionError> {
    // Rows out of order are sorted; a part goes back by more, and to rows of an object that has some.
    const ROWS_BACK: f64 = 20.0;
    const ROWS_LOOKED_AT: usize = 4096;
    const DOUBTS_MAX: usize = 1000;
    let steps = entries
        .windows(2)
        .map(|pair| pair[1].instant - pair[0].instant);
    let steps = order::sorted(steps.filter(|step| *step > 0.0));
    let back = ROWS_BACK * steps.get(steps.len() / 2).copied().unwrap_or(0.0);
    let mut newest: BTreeMap<u32, f64> = BTreeMap::new();
    // A single row out of place is no part: the object's next row goes on from where time begins anew.
    let mut doubts = DOUBTS_MAX;
    let mut goes_on = |at: usize, before: f64| {
        let mut later = entries[at + 1..].iter().take(ROWS_LOOKED_AT);
        let next = later.find(|entry| entry.object == entries[at].object);
        let begins = doubts > 0 && next.is_none_or(|next| next.instant < before);
        doubts -= usize::from(!begins && doubts > 0);
        begins
    };
    let mut parts = vec![0];
    for (at, entry) in entries.iter().enumerate() {
        let is_named = begins.contains(&at);
        let before = newest.get(&entry.object).map(|newest| newest - back);
        let before = before.filter(|before| back > 0.0 && entry.instant < *before);
        if is_named || before.is_some_and(|before| goes_on(at, before)) {
            newest.clear();
            parts.push(at);
        } else if before.is_some() {
            continue;
        }
        newest.insert(entry.object, entry.instant);
    }
    parts.push(entries.len());
    parts.dedup();
    let parts: Vec<[usize; 2]> = parts.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    let count = parts.len();
    if count < 2 {
        return Ok(None);
    }
    let longest = (0..count)
        .rev()
        .max_by_key(|at| parts[*at][1] - parts[*at][0]);
    let part = chosen.map_or(longest.unwrap_or(0), |part| part - 1);
    let Some([start, end]) = parts.get(part).copied() else {
        let refusal = format!("part is {}: there are {count}", part + 1);
        return Err(MotionError::header(refusal));
    };
    let [first, from, to] = [parts[1][0], start, end - 1].map(|at| line(&entries[at]));
    let which = if chosen.is_some() {
        ""
    } else {
        ", the longest"
    };
    let note = format!(
        "time begins anew in row {first}: of {count} parts part {} is taken, rows {from} to {to}{which}; a first line part=1 takes the first",
        part + 1
    );
    entries.truncate(end);
    entries.drain(..start);
    Ok(Some(note))
}

/// Spreads rows evenly whose times are rounded to whole hundredths of a second, as the text of a 32-bit float is after 36 hours:
/// 60 rows a second would else be 100 of which some are missing. `entries` are sorted by time.
pub(super) fn spread_coarse_times(
    entries: &mut [Entry],
    unit_s: Option<f64>,
    notes: &mut Vec<String>,
) {
    const SHARED_ONE_IN: usize = 10;
    const UNEVEN_ONE_IN: usize = 10;
    /// Greatest step between rows that rounding hides, and greatest distance of a rounded time from an even one, s.
    const STEP_S: f64 = 0.04;
    const OFF_S: f64 = 0.015;
    let (Some(unit_s), Some((first, last))) = (unit_s, entries.first().zip(entries.last())) else {
        return;
    };
    let (first, span_s) = (first.instant, (last.instant - first.instant) * unit_s);
    let is_coarse = |entry: &Entry| {
        let hundredths = entry.instant * unit_s * 100.0;
        (hundredths - hundredths.round()).abs() < 1e-4 + 4.0 * f64::EPSILON * hundredths.abs()
    };
    // For each object, the number of its rows and the time of the newest.
    let mut objects: BTreeMap<u32, (usize, f64)> = BTreeMap::new();
    let mut shared = 0;
    for entry in entries.iter() {
        let (count, newest) = objects.entry(entry.object).or_insert((0, f64::NAN));
        shared += usize::from(*newest == entry.instant);
        (*count, *newest) = (*count + 1, entry.instant);
    }
    let counts = || objects.values().map(|(count, _)| *count);
    let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    if span_s <= 0.0 || least + 1 < most || !entries.iter().all(is_coarse) {
        return;
    }
    // The first and the last time are each known to a hundredth.
    let hz = (most - 1).max(1) as f64 / span_s;
    let near = hz.round();
    let is_near = (near - hz).abs() <= hz * 0.01 / span_s;
    let hz = if is_near { near } else { hz };
    let step = 1.0 / (hz * unit_s);
    let mut numbers: BTreeMap<u32, usize> = BTreeMap::new();
    let spread = |entry: &Entry| {
        let number = numbers.entry(entry.object).or_default();
        *number += 1;
        first + (*number - 1) as f64 * step
    };
    let even: Vec<f64> = entries.iter().map(spread).collect();
    let offs = entries.iter().zip(&even);
    let offs = offs.map(|(entry, even)| (entry.instant - even).abs() * unit_s);
    let off_s = offs.fold(0.0, f64::max);
    // Rounding makes many steps longer or shorter than the usual one; a row that is missing makes one.
    let steps = entries
        .windows(2)
        .map(|pair| (pair[1].instant - pair[0].instant) * unit_s);
    let steps = order::sorted(steps.filter(|step| *step > 0.0));
    let usual = steps[steps.len() / 2];
    let uneven = steps
        .iter()
        .filter(|step| (*step - usual).abs() > 0.005)
        .count();
    let are_rounded = hz * STEP_S > 1.0 && off_s < OFF_S && uneven * UNEVEN_ONE_IN >= steps.len();
    if shared * SHARED_ONE_IN < entries.len() && !are_rounded {
        return;
    }
    for (entry, even) in entries.iter_mut().zip(even) {
        entry.instant = even;
    }
    order::sort_by(entries, |a, b| a.instant.total_cmp(&b.instant));
    notes.push(format!(
        "times are in hundredths of a second: rows are taken as even, {hz:.1} a second"
    ));
}

/// Counts of one object's rows, and of the changes of its pose.
#[derive(Default)]
struct ObjectHabit {
    frame: Option<usize>,
    changed_in: usize,
    position: [f32; 3],
    orientation: [f32; 4],
    /// Numbers of changes of the pose, by the frames since the change before: 0 for more than [`EVERY_MAX`].
    change_gaps: [u32; EVERY_MAX + 1],
    zeros: u32,
    others: u32,
    /// The place from which the object came to 0, 0, 0.
    lost_at: Option<[f32; 3]>,
    /// Leaps to 0, 0, 0 and back, and other ways to or from there.
    leaps: u32,
    slides: u32,
}

/// Findings about the rows of a motion.
#[derive(Default)]
pub(super) struct Habits {
    /// Objects whose rows or poses come in each n-th frame only, with n.
    pub(super) every: BTreeMap<u32, u64>,
    /// Objects some of whose rows are exactly 0, 0, 0, as of a lost marker.
    lost: BTreeSet<u32>,
    /// Instants at which no pose changes although objects move, as frames that were drawn twice.
    held: Vec<f64>,
    /// Rows at the same pose and instant as another row of the object.
    repeated: BTreeSet<u32>,
    notes: Vec<String>,
}

impl Habits {
    /// Looks at all rows, in the order of their times.
    pub(super) fn read(sorted: &Sorted<'_>) -> Habits {
        let mut habits = Habits::default();
        let mut objects: BTreeMap<u32, ObjectHabit> = BTreeMap::new();
        let table = &sorted.reader.table;
        let (mut rows, mut fields) = (table.rows(), Fields::default());
        let (mut frame, mut instant) = (0_usize, f64::NAN);
        let mut changes: Vec<bool> = Vec::new();
        let mut zeros = 0;
        for entry in &sorted.entries {
            if entry.instant != instant {
                frame += usize::from(!instant.is_nan());
                instant = entry.instant;
                changes.push(false);
            }
            rows.read_at(entry.at as usize, &mut fields);
            // The end of an object has no pose.
            let row = sorted.reader.row(0, entry.object, &fields).ok();
            let Some(row) = row.filter(|row| row.event != MotionEvent::End) else {
                changes[frame] = true;
                continue;
            };
            let object = objects.entry(entry.object).or_default();
            let is_event = row.event != MotionEvent::None;
            let is_same = object.position == row.position
                && object.orientation == row.orientation
                && !is_event;
            if object.frame == Some(frame) && is_same {
                habits.repeated.insert(entry.at);
                continue;
            }
            changes[frame] |= !is_same || object.frame.is_none();
            object.add(frame, row.position, is_same);
            (object.position, object.orientation) = (row.position, row.orientation);
        }
        for (number, object) in &objects {
            if object.has_lost() {
                habits.lost.insert(*number);
                zeros += object.zeros;
            }
        }
        habits.note(&sorted.reader.names, zeros);
        if !habits.note_held(&changes, &sorted.instants) {
            let every = objects
                .iter()
                .filter_map(|(number, object)| Some((*number, object.every()?)));
            habits.every = every.collect();
            // Where all rows come so, the rate tells it.
            let least = objects
                .values()
                .map(ObjectHabit::least_gap)
                .min()
                .unwrap_or(1);
            habits.every.retain(|_, every| *every > least);
            habits.note_every(objects.len());
        }
        habits
    }

    fn note(&mut self, names: &[String], zeros: u32) {
        if let Some(first) = self.lost.first() {
            let (count, name) = (self.lost.len(), shorten(&names[*first as usize]));
            self.notes.push(format!(
                "{zeros} rows of {count} objects (the first is {name}) are exactly 0, 0, 0 among others: they are left out, as markers that were lost"
            ));
        }
        if !self.repeated.is_empty() {
            self.notes.push(format!(
                "{} rows repeat another one exactly: they are left out",
                self.repeated.len()
            ));
        }
    }

    /// Finds frames in which nothing changes between changes of each second frame or less. Returns true if there are such.
    fn note_held(&mut self, changes: &[bool], instants: &[f64]) -> bool {
        let changed: Vec<usize> = (0..changes.len()).filter(|frame| changes[*frame]).collect();
        let gaps = changed.windows(2).map(|pair| pair[1] - pair[0]);
        let mut short: Vec<usize> = gaps.filter(|gap| *gap <= EVERY_MAX / 2).collect();
        short.sort_unstable();
        let held = short.iter().filter(|gap| **gap > 1).count();
        if held < CHANGES_MIN as usize || (held as f64) < SHARE * short.len() as f64 {
            return false;
        }
        let few = short.len() / 20;
        let each = nths(short[few] as u64, short[short.len() - 1 - few] as u64);
        self.notes.push(format!(
            "poses change in each {each} frame only: they are interpolated between"
        ));
        // A rest at the end keeps its length.
        let newest = changed.last().copied().unwrap_or(0);
        let rests = changes.len() - newest > EVERY_MAX / 2;
        let end = changes.len() - usize::from(rests);
        self.held = (0..end)
            .filter(|frame| !changes[*frame])
            .map(|frame| instants[frame])
            .collect();
        true
    }

    fn note_every(&mut self, objects: usize) {
        let ns = self.every.values();
        if let Some((least, most)) = ns.clone().min().zip(ns.max()) {
            let (count, each) = (self.every.len(), nths(*least, *most));
            self.notes.push(format!(
                "poses of {count} of {objects} objects come in each {each} frame only: they are interpolated between"
            ));
        }
    }

    /// Leaves out the rows that say nothing, and adds a sentence for each finding.
    pub(super) fn leave_out(&self, sorted: &mut Sorted<'_>) {
        sorted.notes.extend(self.notes.iter().cloned());
        if self.lost.is_empty() && self.repeated.is_empty() && self.held.is_empty() {
            return;
        }
        let reader = &sorted.reader;
        let (mut rows, mut fields) = (reader.table.rows(), Fields::default());
        let mut held = self.held.iter().peekable();
        sorted.entries.retain(|entry| {
            while held.next_if(|instant| **instant < entry.instant).is_some() {}
            let is_held = held.peek() == Some(&&entry.instant);
            let is_lost = self.lost.contains(&entry.object) && {
                rows.read_at(entry.at as usize, &mut fields);
                let row = reader.row(0, entry.object, &fields);
                row.is_ok_and(|row| row.position == [0.0; 3])
            };
            !is_held && !is_lost && !self.repeated.contains(&entry.at)
        });
        sorted.instants = sorted.entries.iter().map(|entry| entry.instant).collect();
        sorted.instants.dedup();
        if !self.held.is_empty() && sorted.reader.header.unit_s.is_some() {
            make_even(&mut sorted.entries, &mut sorted.instants);
        }
    }
}

/// Makes the times of a simulation's ticks even, which were noted when they were drawn.
fn make_even(entries: &mut [Entry], instants: &mut [f64]) {
    let steps = || instants.windows(2).map(|pair| pair[1] - pair[0]);
    let all = order::sorted(steps());
    let Some(median) = all.get(all.len() / 2) else {
        return;
    };
    let short = all.iter().take_while(|step| **step < 2.0 * median);
    let mean = short.clone().sum::<f64>() / short.count() as f64;
    let ticks = steps().scan(0.0, |tick, step| {
        *tick += (step / mean).round().max(1.0);
        Some(*tick)
    });
    let ticks: Vec<f64> = std::iter::once(0.0).chain(ticks).collect();
    let (first, last) = (instants[0], instants[instants.len() - 1]);
    let step = (last - first) / ticks[ticks.len() - 1];
    let mut at = 0;
    for entry in entries {
        while instants[at] < entry.instant {
            at += 1;
        }
        entry.instant = first + ticks[at] * step;
    }
    for (instant, tick) in instants.iter_mut().zip(ticks) {
        *instant = first + tick * step;
    }
}

impl ObjectHabit {
    fn add(&mut self, frame: usize, position: [f32; 3], is_same: bool) {
        let is_zero = position == [0.0; 3];
        self.zeros += u32::from(is_zero);
        self.others += u32::from(!is_zero);
        if self.frame.replace(frame).is_none() {
            self.changed_in = frame;
            return;
        }
        if is_same {
            return;
        }
        let gap = frame - self.changed_in;
        self.change_gaps[if gap <= EVERY_MAX { gap } else { 0 }] += 1;
        self.changed_in = frame;
        self.compare_with_zero(position, is_zero);
    }

    /// Counts a change to or from 0, 0, 0: a marker that is found again is near the place where it was lost.
    fn compare_with_zero(&mut self, position: [f32; 3], is_zero: bool) {
        let was_zero = self.position == [0.0; 3];
        let far = |a: [f32; 3], b: [f32; 3]| {
            let offs = a.iter().zip(b).map(|(a, b)| (a - b).abs());
            offs.fold(0.0, f32::max)
        };
        match (was_zero, is_zero) {
            (false, true) => {
                self.slides += u32::from(far(self.position, position) < LOST_M);
                self.lost_at = Some(self.position);
            }
            (true, false) => match self.lost_at {
                Some(lost_at) if far(position, lost_at) < 0.5 * far(lost_at, [0.0; 3]) => {
                    self.leaps += 1
                }
                Some(_) => self.slides += 1,
                None => {}
            },
            _ => {}
        }
    }

    /// Returns true if rows of exact zeros are leaps from all others: no object moves so.
    fn has_lost(&self) -> bool {
        self.zeros > 0 && self.others > self.zeros && self.leaps > 0 && self.slides == 0
    }

    /// The least number of frames from one change to the next that is usual.
    fn least_gap(&self) -> u64 {
        let usual =
            |gaps: &[u32; EVERY_MAX + 1]| (1..=EVERY_MAX).find(|gap| gaps[*gap] > CHANGES_MIN / 2);
        usual(&self.change_gaps).unwrap_or(EVERY_MAX) as u64
    }

    /// Returns n if the object's poses change in each n-th frame, give or take one; `None` if they change in each.
    fn every(&self) -> Option<u64> {
        let gaps = &self.change_gaps;
        let usual = (1..=EVERY_MAX)
            .max_by_key(|gap| gaps[*gap])
            .filter(|gap| *gap > 1)?;
        let near: u32 = gaps[usual - 1..(usual + 2).min(EVERY_MAX + 1)].iter().sum();
        let all: u32 = gaps.iter().sum();
        let is_usual =
            near >= CHANGES_MIN && f64::from(near) >= SHARE * f64::from(all) && gaps[1] * 5 <= near;
        is_usual.then_some(usual as u64)
    }
}
