//! Objects as lists of numbers: each object has 14 floats, three integers and its fields. An unknown velocity is NaN.

use snapshot_replication::Object;

/// Number of floats of an object: position, orientation, both velocities, age.
pub(crate) const FLOATS: usize = 14;
/// Number of integers of an object before its fields: id, kind and the flag `teleported`.
pub(crate) const HEAD: usize = 3;

/// Returns the first three numbers of a list.
pub(crate) fn three(floats: &[f32]) -> [f32; 3] {
    [floats[0], floats[1], floats[2]]
}

/// Returns the first three numbers of a list; `None` if the first one is NaN, which means unknown.
pub(crate) fn known(floats: &[f32]) -> Option<[f32; 3]> {
    Some(three(floats)).filter(|floats| !floats[0].is_nan())
}

/// Returns the first four numbers of a list.
pub(crate) fn four(floats: &[f32]) -> [f32; 4] {
    [floats[0], floats[1], floats[2], floats[3]]
}

/// Reads objects from their floats and integers. An incomplete object at the end is ignored.
pub(crate) fn read(floats: &[f32], numbers: &[u32], fields: usize) -> Vec<Object> {
    let all = floats
        .chunks_exact(FLOATS)
        .zip(numbers.chunks_exact(HEAD + fields));
    // All fields are named here and below, so that a new one is not forgotten.
    all.map(|(floats, numbers)| Object {
        id: numbers[0],
        kind: numbers[1],
        teleported: numbers[2] == 1,
        position: three(floats),
        orientation: four(&floats[3..]),
        velocity: known(&floats[7..]),
        angular_velocity: known(&floats[10..]),
        fields: std::array::from_fn(|field| numbers.get(HEAD + field).copied().unwrap_or(0)),
        age_ms: 0.0,
    })
    .collect()
}

/// Returns the integers of objects, one object after the other.
pub(crate) fn numbers(objects: &[Object], fields: usize) -> Vec<u32> {
    let mut numbers = Vec::with_capacity(objects.len() * (HEAD + fields));
    for object in objects {
        numbers.extend([object.id, object.kind, object.teleported.into()]);
        numbers.extend(&object.fields[..fields]);
    }
    numbers
}

/// Returns the floats of objects, one object after the other; an unknown velocity is NaN.
pub(crate) fn floats(objects: &[Object]) -> Vec<f32> {
    let mut floats = Vec::with_capacity(objects.len() * FLOATS);
    for &Object {
        id: _,
        kind: _,
        position,
        orientation,
        velocity,
        angular_velocity,
        fields: _,
        teleported: _,
        age_ms,
    } in objects
    {
        floats.extend(position);
        floats.extend(orientation);
        floats.extend(velocity.unwrap_or([f32::NAN; 3]));
        floats.extend(angular_velocity.unwrap_or([f32::NAN; 3]));
        floats.push(age_ms);
    }
    floats
}
