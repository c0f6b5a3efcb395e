//! The objects of a server's tick, as changes of those of the tick before: most objects rest, and take no bytes.

use crate::Object;
use serde::{Deserialize, Serialize};
use snapshot_codec::FIELDS_MAX;
use std::array;
use std::cell::LazyCell;

/// Upper limit of the number of objects in a recorded tick: twice as many as a server sends. A tick takes few bytes if its objects
/// rest, and each of them takes time in a replay.
pub(super) const OBJECTS_MAX: usize = 8192;
/// Number of words of an object: pose, velocities, kind, fields and the jump.
const WORDS: usize = 7 + 4 + 4 + 1 + FIELDS_MAX + 1;

/// Returns an object without id and age as words. Those that change most often come first.
pub(super) fn words(object: &Object) -> [u32; WORDS] {
    // All fields are named, so that a new one is not forgotten here.
    let Object {
        id: _,
        kind,
        position: [x, y, z],
        orientation: [i, j, k, w],
        velocity,
        angular_velocity,
        fields,
        teleported,
        age_ms: _,
    } = *object;
    let velocities = [velocity, angular_velocity].map(|velocity| {
        let [x, y, z] = velocity.unwrap_or_default().map(f32::to_bits);
        [u32::from(velocity.is_some()), x, y, z]
    });
    let pose = [x, y, z, i, j, k, w].map(f32::to_bits);
    let all = pose.into_iter().chain(velocities.into_iter().flatten());
    let all = all.chain([kind]).chain(fields);
    let mut all = all.chain([u32::from(teleported)]);
    array::from_fn(|_| all.next().unwrap_or_default())
}

/// Returns the object that has these words.
fn object(id: u32, words: [u32; WORDS]) -> Object {
    fn floats<const N: usize>(words: &mut impl Iterator<Item = u32>) -> [f32; N] {
        array::from_fn(|_| f32::from_bits(words.next().unwrap_or_default()))
    }
    fn velocity(words: &mut impl Iterator<Item = u32>) -> Option<[f32; 3]> {
        let is_some = words.next() == Some(1);
        let velocity = floats(words);
        is_some.then_some(velocity)
    }
    let mut words = words.into_iter();
    Object {
        id,
        position: floats(&mut words),
        orientation: floats(&mut words),
        velocity: velocity(&mut words),
        angular_velocity: velocity(&mut words),
        kind: words.next().unwrap_or_default(),
        fields: array::from_fn(|_| words.next().unwrap_or_default()),
        teleported: words.next() == Some(1),
        age_ms: 0.0,
    }
}

/// The objects of a tick, as changes of those of the tick before.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct ObjectsDelta {
    /// The objects in their order, before they change.
    order: Vec<Run>,
    /// Changed objects: the number of unchanged ones before each, and a bit for each of its words that changed.
    changed: Vec<(u32, u64)>,
    /// Differences of the changed words, in order.
    differences: Vec<i32>,
}

#[derive(Serialize, Deserialize)]
enum Run {
    /// Objects that follow each other in the tick before, from a place on.
    Kept { first: u32, count: u32 },
    /// An object that was not there. Before its change it is the default one.
    New { id: u32 },
}

impl ObjectsDelta {
    pub(super) fn new(before: &[Object], objects: &[Object]) -> Self {
        // The first of several objects with an id counts. Id and place are one number, which the rest of the crate sorts, too: a
        // sort of another type would take 5 kB.
        let by_id = LazyCell::new(|| {
            let keys = before.iter().zip(0_u64..);
            let mut keys: Vec<u64> = keys.map(|(it, at)| u64::from(it.id) << 32 | at).collect();
            keys.sort_unstable();
            keys
        });
        let place_of = |id: u32| {
            let at = by_id.partition_point(|key| *key < u64::from(id) << 32);
            let key = by_id.get(at).filter(|key| *key >> 32 == u64::from(id))?;
            Some(*key as u32)
        };
        let mut delta = Self::default();
        let (mut next, mut unchanged) = (0, 0);
        for to in objects {
            let follows = before.get(next as usize).is_some_and(|it| it.id == to.id);
            let place = match follows {
                true => Some(next),
                false => place_of(to.id),
            };
            let from = match place {
                Some(first) => {
                    next = first + 1;
                    delta.keep(first);
                    before[first as usize]
                }
                None => {
                    delta.order.push(Run::New { id: to.id });
                    Object::default()
                }
            };
            match delta.change(&from, to) {
                0 => unchanged += 1,
                mask => delta.changed.push((std::mem::take(&mut unchanged), mask)),
            }
        }
        delta
    }

    fn keep(&mut self, place: u32) {
        match self.order.last_mut() {
            Some(Run::Kept { first, count }) if *first + *count == place => *count += 1,
            Some(Run::Kept { .. } | Run::New { .. }) | None => self.order.push(Run::Kept {
                first: place,
                count: 1,
            }),
        }
    }

    /// Appends the differences of an object's words; returns a bit for each word that changed.
    fn change(&mut self, from: &Object, to: &Object) -> u64 {
        let pairs = words(from).into_iter().zip(words(to));
        let mut mask = 0;
        for (at, (from, to)) in pairs.enumerate().filter(|(_, (from, to))| from != to) {
            mask |= 1 << at;
            (self.differences).push(to.wrapping_sub(from).cast_signed());
        }
        mask
    }

    /// Returns the objects of the tick; `None` if these are no changes of the objects before, or too many objects.
    pub(super) fn objects(&self, before: &[Object]) -> Option<Vec<Object>> {
        let mut objects = Vec::new();
        for run in &self.order {
            match *run {
                Run::Kept { first, count } => {
                    let kept = before.get(first as usize..)?.get(..count as usize)?;
                    objects.extend_from_slice(kept);
                }
                Run::New { id } => objects.push(Object {
                    id,
                    ..Object::default()
                }),
            }
            if objects.len() > OBJECTS_MAX {
                return None;
            }
        }
        let mut differences = self.differences.iter();
        let mut rest = &mut objects[..];
        for &(unchanged, mask) in &self.changed {
            let from = rest.split_at_mut_checked(unchanged as usize)?.1;
            let (changed, after) = from.split_first_mut()?;
            let mut words = words(changed);
            for at in (0..u64::BITS as usize).filter(|at| mask >> at & 1 == 1) {
                let word = words.get_mut(at)?;
                *word = word.wrapping_add_signed(*differences.next()?);
            }
            *changed = object(changed.id, words);
            rest = after;
        }
        differences.next().is_none().then_some(objects)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_object() -> impl Strategy<Value = Object> {
        let value = || prop::sample::select(vec![0.0, -0.0, 1.5, -3e38, f32::NAN, f32::INFINITY]);
        let pose = ([value(), value(), value()], prop::array::uniform4(value()));
        let velocity = || prop::option::of([value(), value(), value()]);
        let fields = prop::collection::vec((0..FIELDS_MAX, any::<u32>()), 0..3);
        let rest = (0..6_u32, 0..3_u32, fields, any::<bool>());
        (pose, velocity(), velocity(), rest).prop_map(|(pose, velocity, angular_velocity, rest)| {
            let (id, kind, values, teleported) = rest;
            let mut fields = [0; FIELDS_MAX];
            values.iter().for_each(|(at, value)| fields[*at] = *value);
            Object {
                id,
                kind,
                position: pose.0,
                orientation: pose.1,
                velocity,
                angular_velocity,
                fields,
                teleported,
                age_ms: 0.0,
            }
        })
    }

    fn any_objects() -> impl Strategy<Value = Vec<Object>> {
        prop::collection::vec(any_object(), 0..8)
    }

    /// Objects as text, in which each NaN equals itself.
    fn text(objects: Option<Vec<Object>>) -> String {
        format!("{objects:?}")
    }

    proptest! {
        #[test]
        fn objects_come_back_and_resting_ones_take_few_bytes(before in any_objects(), objects in any_objects(), kept in 0..8_usize) {
            let kept = before.iter().take(kept).copied();
            let objects: Vec<Object> = kept.chain(objects).collect();
            let read = ObjectsDelta::new(&before, &objects).objects(&before);
            prop_assert_eq!(text(read), text(Some(objects.clone())));
            let same = ObjectsDelta::new(&before, &before);
            prop_assert!(same.order.len() <= 1 + before.len() / 2 && same.changed.is_empty());
        }

        #[test]
        fn any_bytes_are_objects_or_none(
            before in any_objects(),
            bytes in prop::collection::vec(prop::sample::select(vec![0, 1, 2, 3, 4, 8, 0x41, 0x80, 0x81, 0xff]), 0..40),
        ) {
            if let Ok(delta) = postcard::from_bytes::<ObjectsDelta>(&bytes) {
                prop_assert!(delta.objects(&before).is_none_or(|it| it.len() <= OBJECTS_MAX));
            }
        }
    }
}
