//! Fields of a game's own: the cubes of the scenes of slots, with rows.

use snapshot_codec::{Cube, Fields, Format, Rung};

use super::{Scene, slots};

/// The scenes of slots with fields of each kind, one with ids and kinds alone, and one without slots.
pub(super) fn rows() -> impl Iterator<Item = Scene> {
    let all = declared().expect("in range");
    let scenes = slots::slots().map(move |scene| Scene {
        format: scene.format.with_fields(all),
        ..scene
    });
    let of_rung = |rung: Rung| slots::slots().filter(move |scene| scene.format.rung() == rung);
    let ids = of_rung(Rung::ChangedFlags).map(|scene| Scene {
        format: scene.format.with_fields(Fields::new(0).expect("in range")),
        ..scene
    });
    let still = of_rung(Rung::Arithmetic).map(move |scene| {
        let format = scene.format.with_slots(false).expect("in range");
        let snapshots = scene.snapshots.iter().map(|(sequence, _)| {
            let cubes = vec![Cube::default(); format.cube_count()];
            (*sequence, cubes)
        });
        Scene {
            format: format.with_fields(all),
            snapshots: snapshots.collect(),
            keys: None,
        }
    });
    scenes.chain(ids).chain(still)
}

fn declared() -> Result<Fields, snapshot_codec::ConfigError> {
    let fields = Fields::new(4)?.with(7)?.with_counter(10)?.with(1)?;
    fields.with_counter(24)?.with_counter(3)
}

/// The rows of a scene's snapshot at a place of the stream, which fields of each size change in, some of them by much. An id goes
/// with the life, but that of slot 7, which changes twice in the same life.
pub(crate) fn rows_at(format: &Format, place: usize, cubes: &[Cube]) -> Vec<u32> {
    let Some(fields) = format.fields() else {
        return Vec::new();
    };
    let place = place as u32;
    let rows = (0..).zip(cubes).flat_map(|(index, cube)| {
        let mut row = vec![0; fields.row_len()];
        if !cube.life.is_empty() {
            let renamed = if index == 7 { place / 3 } else { 0 };
            row[0] = 70_000 * u32::from(cube.life.code()) + index + (renamed << 20);
            row[1] = (index + renamed) & ((1 << fields.kind_bits()) - 1);
            for (field, value) in (0..).zip(&mut row[2..]) {
                // A field changes now and then, slowly or by leaps.
                let steps = (place + index) / (field + 2);
                let leap = if index.is_multiple_of(5) { 1009 } else { 1 };
                let went = 90_u32.wrapping_sub(steps * leap);
                *value = went & ((1 << fields.bits(field as usize)) - 1);
            }
        }
        row
    });
    rows.collect()
}
