//! Objects that a client drew too late or too long, or never.

use super::delay::Delays;
use super::path::{FilePair, ObjectPaths};
use serde::Serialize;
use snapshot_base::order;
use snapshot_record::motion::track::Track;
use std::collections::BTreeMap;

/// Least time by which an object appears or ends too late to be listed, ms.
const LATE_MS: f64 = 100.0;
/// Shortest life of an object that the client must show, s: a shorter one may pass between two packets.
const LIFE_S: f64 = 0.5;

/// Objects that were not drawn while they existed, or drawn while they did not.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Presence {
    pub came_late: Vec<OffTime>,
    /// Objects that were still drawn after their end.
    pub stayed: Vec<OffTime>,
    /// Objects that were never drawn, though they lived for half a second and more.
    pub never_came: Vec<String>,
    /// Objects that the client drew, but the server never had.
    pub unknown: Vec<String>,
}

/// An object that appeared or ended at a wrong time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OffTime {
    pub object: String,
    /// Time on the client's clock at which the object should have appeared or ended, s.
    pub at_s: f64,
    /// Time by which the object appeared or ended too late, ms.
    pub ms: f64,
}

/// Names of objects with samples, in order.
type Names<'a> = BTreeMap<&'a str, ()>;

fn named(track: &Track) -> Names<'_> {
    let there = track.objects.iter().filter(|it| !it.samples.is_empty());
    order::map(there.map(|it| (&it.name[..], ())))
}

impl Presence {
    pub(super) fn new(files: &FilePair<'_>, delays: &Delays) -> Presence {
        let mut presence = Presence::default();
        let [first, last] = [files.times_s.first(), files.times_s.last()];
        let [first_s, last_s] = [first, last].map(|it| it.copied().unwrap_or(0.0));
        let [start_s, _] = files.server_s;
        // An instant of the server as the client should show it.
        let due_s = |instant_s: f64| instant_s + delays.at(instant_s + delays.at(first_s));
        for ObjectPaths { truth, drawn } in &files.objects {
            let lives = drawn.lives();
            for (from_s, to_s, ends) in truth.lives() {
                let (from_due_s, to_due_s) = (due_s(from_s), due_s(to_s));
                let is_shown = |life: &&(f64, f64, bool)| {
                    life.0 < to_due_s && life.1 > from_due_s - LATE_MS / 1000.0
                };
                let shown = lives.iter().find(is_shown);
                let off = |at_s: f64, by_s: f64| OffTime {
                    object: truth.name.to_owned(),
                    at_s,
                    ms: by_s * 1000.0,
                };
                let Some(shown) = shown else {
                    let is_due = from_due_s > first_s && to_due_s < last_s;
                    if is_due && to_s - from_s >= LIFE_S {
                        presence.never_came.push(truth.name.to_owned());
                    }
                    continue;
                };
                // Objects of the first instant were perhaps there before.
                if from_s > start_s && from_due_s > first_s {
                    presence
                        .came_late
                        .push(off(from_due_s, shown.0 - from_due_s));
                }
                if ends && to_due_s < last_s {
                    presence.stayed.push(off(to_due_s, shown.1 - to_due_s));
                }
            }
        }
        let [known, drawn] = [files.server, files.client].map(named);
        let names = |names: &Names<'_>, not: &Names<'_>| {
            let names = names.keys().filter(|name| !not.contains_key(*name));
            names.map(|name| (*name).to_owned()).collect::<Vec<_>>()
        };
        presence.unknown = names(&drawn, &known);
        presence.never_came.extend(names(&known, &drawn));
        for list in [&mut presence.came_late, &mut presence.stayed] {
            list.retain(|it| it.ms >= LATE_MS);
            order::sort_by(list, |a, b| a.at_s.total_cmp(&b.at_s));
        }
        presence
    }
}
