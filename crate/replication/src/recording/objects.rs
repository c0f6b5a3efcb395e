//! The objects of a server's tick, as changes of those of the tick before.

use super::number::{folded, put_number, take_number, unfolded};
use crate::Object;

/// Upper limit of the number of objects in a recorded tick: twice as many as a server sends. A tick takes few bytes if its objects
/// rest, and each of them takes time in a replay.
pub(super) const OBJECTS_MAX: usize = 8192;

/// Flag: the object is not the one that followed the last object in the tick before. Its place in that tick follows, counted
/// from 1; or 0 and its id, if it is new.
const ELSEWHERE: u8 = 0x01;
const POSITION: u8 = 0x02;
const ORIENTATION: u8 = 0x04;
const VELOCITY: u8 = 0x08;
const ANGULAR_VELOCITY: u8 = 0x10;
const KIND: u8 = 0x20;
const FIELDS: u8 = 0x40;
const TELEPORTED: u8 = 0x80;

fn put_floats(from: &[f32], to: &[f32], bytes: &mut Vec<u8>) {
    for (from, to) in from.iter().zip(to) {
        let change = to.to_bits().wrapping_sub(from.to_bits()).cast_signed();
        put_number(folded(change.into()), bytes);
    }
}

fn take_floats<const N: usize>(from: [f32; N], bytes: &mut &[u8]) -> Option<[f32; N]> {
    let mut to = from;
    for value in &mut to {
        let change = i32::try_from(unfolded(take_number(bytes)?)).ok()?;
        *value = f32::from_bits(value.to_bits().wrapping_add_signed(change));
    }
    Some(to)
}

fn put_velocity(from: Option<[f32; 3]>, to: Option<[f32; 3]>, bytes: &mut Vec<u8>) {
    bytes.push(u8::from(to.is_some()));
    if let Some(to) = to {
        put_floats(&from.unwrap_or_default(), &to, bytes);
    }
}

fn take_velocity(from: Option<[f32; 3]>, bytes: &mut &[u8]) -> Option<Option<[f32; 3]>> {
    Some(match take_number(bytes)? {
        0 => None,
        _ => Some(take_floats(from.unwrap_or_default(), bytes)?),
    })
}

fn bits<const N: usize>(values: [f32; N]) -> [u32; N] {
    values.map(f32::to_bits)
}

/// Returns flags of the fields of an object that changed from `from` to `to`.
fn changed(from: &Object, to: &Object) -> u8 {
    // All fields are named, so that a new one is not forgotten here.
    let Object {
        id: _,
        kind,
        position,
        orientation,
        velocity,
        angular_velocity,
        fields,
        teleported,
        age_ms: _,
    } = *to;
    let (linear, angular) = (from.velocity.map(bits), from.angular_velocity.map(bits));
    let parts = [
        (bits(from.position) != bits(position), POSITION),
        (bits(from.orientation) != bits(orientation), ORIENTATION),
        (linear != velocity.map(bits), VELOCITY),
        (angular != angular_velocity.map(bits), ANGULAR_VELOCITY),
        (from.kind != kind, KIND),
        (from.fields != fields, FIELDS),
        (teleported, TELEPORTED),
    ];
    let there = parts.into_iter().filter(|(is_there, _)| *is_there);
    there.fold(0, |mask, (_, part)| mask | part)
}

fn put_changes(mask: u8, from: &Object, to: &Object, bytes: &mut Vec<u8>) {
    if mask & POSITION != 0 {
        put_floats(&from.position, &to.position, bytes);
    }
    if mask & ORIENTATION != 0 {
        put_floats(&from.orientation, &to.orientation, bytes);
    }
    if mask & VELOCITY != 0 {
        put_velocity(from.velocity, to.velocity, bytes);
    }
    if mask & ANGULAR_VELOCITY != 0 {
        put_velocity(from.angular_velocity, to.angular_velocity, bytes);
    }
    if mask & KIND != 0 {
        put_number(to.kind.into(), bytes);
    }
    if mask & FIELDS != 0 {
        let fields = (from.fields.iter()).zip(&to.fields);
        let places = fields.clone().zip(0..);
        let places = places.filter(|((from, to), _)| from != to);
        put_number(places.fold(0, |places, (_, at)| places | 1 << at), bytes);
        let values = fields.filter(|(from, to)| from != to);
        values.for_each(|(_, to)| put_number((*to).into(), bytes));
    }
}

fn take_changes(mask: u8, from: &Object, bytes: &mut &[u8]) -> Option<Object> {
    let mut object = Object {
        teleported: mask & TELEPORTED != 0,
        ..*from
    };
    if mask & POSITION != 0 {
        object.position = take_floats(from.position, bytes)?;
    }
    if mask & ORIENTATION != 0 {
        object.orientation = take_floats(from.orientation, bytes)?;
    }
    if mask & VELOCITY != 0 {
        object.velocity = take_velocity(from.velocity, bytes)?;
    }
    if mask & ANGULAR_VELOCITY != 0 {
        object.angular_velocity = take_velocity(from.angular_velocity, bytes)?;
    }
    if mask & KIND != 0 {
        object.kind = u32::try_from(take_number(bytes)?).ok()?;
    }
    if mask & FIELDS != 0 {
        let places = take_number(bytes)?;
        for (at, field) in object.fields.iter_mut().enumerate() {
            if places >> at & 1 == 1 {
                *field = u32::try_from(take_number(bytes)?).ok()?;
            }
        }
    }
    Some(object)
}

/// Returns the place of the object with this id in the tick before; of several, the first.
fn place(by_id: &[(u32, usize)], id: u32) -> Option<usize> {
    let at = by_id.partition_point(|(other, _)| *other < id);
    let (other, place) = by_id.get(at)?;
    (*other == id).then_some(*place)
}

/// Appends objects as changes of those of the tick before. Their age is left out: a server does not read it.
pub(super) fn put_objects(before: &[Object], objects: &[Object], bytes: &mut Vec<u8>) {
    put_number(objects.len() as u64, bytes);
    let mut by_id = Vec::new();
    let (mut next, mut same) = (0, 0);
    let put_same = |same: &mut u64, bytes: &mut Vec<u8>| {
        if *same > 0 {
            bytes.push(0);
            put_number(*same - 1, bytes);
        }
        *same = 0;
    };
    for object in objects {
        let mut mask = 0;
        let mut from = before.get(next).filter(|from| from.id == object.id);
        let mut place_from_1 = 0;
        if from.is_none() {
            if by_id.is_empty() {
                by_id = before.iter().zip(0..).map(|(it, at)| (it.id, at)).collect();
                by_id.sort_unstable();
            }
            mask = ELSEWHERE;
            if let Some(place) = place(&by_id, object.id) {
                (from, next, place_from_1) = (before.get(place), place, place as u64 + 1);
            }
        }
        let is_new = from.is_none();
        let from = from.copied().unwrap_or_default();
        mask |= changed(&from, object);
        next += usize::from(!is_new);
        if mask == 0 {
            same += 1;
            continue;
        }
        put_same(&mut same, bytes);
        bytes.push(mask);
        if mask & ELSEWHERE != 0 {
            put_number(place_from_1, bytes);
            if is_new {
                put_number(object.id.into(), bytes);
            }
        }
        put_changes(mask, &from, object, bytes);
    }
    put_same(&mut same, bytes);
}

/// Takes the objects of a tick off the front, in place of those of the tick before; `None` if the bytes are malformed.
pub(super) fn take_objects(objects: &mut Vec<Object>, bytes: &mut &[u8]) -> Option<()> {
    let mut same = Vec::new();
    put_number(objects.len() as u64, &mut same);
    if !objects.is_empty() {
        same.push(0);
        put_number(objects.len() as u64 - 1, &mut same);
    }
    // A tick whose objects all rest takes no time for its bytes.
    if *bytes == same {
        *bytes = &[];
        objects.iter_mut().for_each(|it| it.teleported = false);
        return Some(());
    }
    *objects = changed_objects(objects, bytes)?;
    Some(())
}

/// Takes objects of which some have changed.
fn changed_objects(before: &[Object], bytes: &mut &[u8]) -> Option<Vec<Object>> {
    let whole = *bytes;
    let count = usize::try_from(take_number(bytes)?).ok()?;
    let mut objects: Vec<Object> = Vec::new();
    let mut next = 0_usize;
    if count > OBJECTS_MAX {
        return None;
    }
    while objects.len() < count {
        let (&mask, rest) = bytes.split_first()?;
        *bytes = rest;
        if mask == 0 {
            let same = usize::try_from(take_number(bytes)?).ok()?.checked_add(1)?;
            let end = next.checked_add(same).filter(|end| *end <= before.len())?;
            if same > count - objects.len() {
                return None;
            }
            let unchanged = |it: &Object| Object {
                teleported: false,
                ..*it
            };
            objects.extend(before[next..end].iter().map(unchanged));
            next = end;
            continue;
        }
        let mut from = before.get(next).copied();
        if mask & ELSEWHERE != 0 {
            let place = usize::try_from(take_number(bytes)?).ok()?;
            from = match place.checked_sub(1) {
                Some(place) => {
                    next = place;
                    Some(*before.get(place)?)
                }
                None => None,
            };
            if from.is_none() {
                let id = u32::try_from(take_number(bytes)?).ok()?;
                let new = Object {
                    id,
                    ..Object::default()
                };
                objects.push(take_changes(mask, &new, bytes)?);
                continue;
            }
        }
        objects.push(take_changes(mask, &from?, bytes)?);
        next += 1;
    }
    let mut written = Vec::new();
    put_objects(before, &objects, &mut written);
    (written == whole[..whole.len() - bytes.len()]).then_some(objects)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_object() -> impl Strategy<Value = Object> {
        let float = || prop::sample::select(vec![0.0, -0.0, 1.5, -3e38, f32::NAN, f32::INFINITY]);
        let velocity = || prop::option::of([float(), float(), float()]);
        let fields = prop::collection::vec((0..16_usize, any::<u32>()), 0..3);
        let poses = (
            [float(), float(), float()],
            [float(), float(), float(), float()],
        );
        let rest = (
            0..6_u32,
            0..3_u32,
            velocity(),
            velocity(),
            fields,
            any::<bool>(),
        );
        (poses, rest).prop_map(|((position, orientation), rest)| {
            let (id, kind, velocity, angular_velocity, fields, teleported) = rest;
            let mut object = Object {
                id,
                kind,
                position,
                orientation,
                velocity,
                angular_velocity,
                teleported,
                ..Object::default()
            };
            fields
                .iter()
                .for_each(|(at, value)| object.fields[*at] = *value);
            object
        })
    }

    fn same(a: &[Object], b: &[Object]) -> bool {
        let is_same = |(a, b): (&Object, &Object)| {
            let mut other = *b;
            other.teleported = false;
            a.id == b.id && a.teleported == b.teleported && changed(a, &other) == 0
        };
        a.len() == b.len() && a.iter().zip(b).all(is_same)
    }

    proptest! {
        #[test]
        fn objects_come_back_and_the_same_ones_take_few_bytes(
            before in prop::collection::vec(any_object(), 0..8), objects in prop::collection::vec(any_object(), 0..8), kept in 0..8_usize,
        ) {
            let kept = before.iter().take(kept).copied();
            let objects: Vec<Object> = kept.chain(objects).collect();
            let mut bytes = Vec::new();
            put_objects(&before, &objects, &mut bytes);
            let mut rest = &bytes[..];
            let mut read = before.clone();
            take_objects(&mut read, &mut rest).unwrap();
            prop_assert!(same(&read, &objects) && rest.is_empty());
            let resting: Vec<Object> = objects.iter().map(|it| Object { teleported: false, ..*it }).collect();
            bytes.clear();
            put_objects(&resting, &resting, &mut bytes);
            prop_assert!(bytes.len() <= 3);
        }

        #[test]
        fn any_bytes_are_objects_in_their_one_form_or_none(
            before in prop::collection::vec(any_object(), 0..4),
            bytes in prop::collection::vec(prop::sample::select(vec![0, 1, 2, 3, 4, 8, 0x41, 0x80, 0x81, 0xff]), 0..40),
        ) {
            let mut rest = &bytes[..];
            let mut objects = before;
            if take_objects(&mut objects, &mut rest).is_some() {
                prop_assert!(objects.len() <= OBJECTS_MAX);
            }
        }
    }
}
