//! Objects as flat numbers: of each 13 floats and some integers. A velocity that is not known is no number.

use snapshot_replication::Object;

/// Position, orientation, both velocities.
pub(crate) const FLOATS: usize = 13;
/// Id, kind and a flag come before the fields.
pub(crate) const HEAD: usize = 3;

/// Three numbers of a list.
pub(crate) fn three(floats: &[f32]) -> [f32; 3] {
    [floats[0], floats[1], floats[2]]
}

/// Three numbers of a list, where they are known.
pub(crate) fn known(floats: &[f32]) -> Option<[f32; 3]> {
    Some(three(floats)).filter(|floats| !floats[0].is_nan())
}

/// Four numbers of a list.
pub(crate) fn four(floats: &[f32]) -> [f32; 4] {
    [floats[0], floats[1], floats[2], floats[3]]
}

/// Reads objects. What is left over is no object.
pub(crate) fn read(floats: &[f32], numbers: &[u32], fields: usize) -> Vec<Object> {
    let all = floats
        .chunks_exact(FLOATS)
        .zip(numbers.chunks_exact(HEAD + fields));
    all.map(|(floats, numbers)| {
        let mut object = Object {
            id: numbers[0],
            kind: numbers[1],
            teleported: numbers[2] == 1,
            position: three(floats),
            orientation: four(&floats[3..]),
            velocity: known(&floats[7..]),
            angular_velocity: known(&floats[10..]),
            ..Object::default()
        };
        object.fields[..fields].copy_from_slice(&numbers[HEAD..]);
        object
    })
    .collect()
}

/// Writes the integers of objects.
pub(crate) fn numbers(objects: &[Object], fields: usize) -> Vec<u32> {
    let mut numbers = Vec::with_capacity(objects.len() * (HEAD + fields));
    for object in objects {
        numbers.extend([object.id, object.kind, object.teleported.into()]);
        numbers.extend(&object.fields[..fields]);
    }
    numbers
}

/// Writes the floats of objects.
pub(crate) fn floats(objects: &[Object]) -> Vec<f32> {
    let mut floats = Vec::with_capacity(objects.len() * FLOATS);
    for object in objects {
        floats.extend(object.position);
        floats.extend(object.orientation);
        floats.extend(object.velocity.unwrap_or([f32::NAN; 3]));
        floats.extend(object.angular_velocity.unwrap_or([f32::NAN; 3]));
    }
    floats
}
