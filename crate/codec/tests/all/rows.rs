//! Fields of a game's own: their limits. `round_trip` sends them on every rung.

use snapshot_codec::{
    ConfigError, Cube, CubeField, EncodeError, Encoder, FIELDS_MAX, Fields, Format,
    QuantisationBits, Rung, Snapshot, SnapshotError,
};

pub(crate) fn declared(kind_bits: u32, fields: &[(u32, bool)]) -> Fields {
    let none = Fields::new(kind_bits).expect("0 to 16");
    fields.iter().fold(none, |all, &(bits, is_counter)| {
        let more = if is_counter {
            all.with_counter(bits)
        } else {
            all.with(bits)
        };
        more.expect("1 to 24")
    })
}

#[test]
fn a_declaration_has_limits() {
    assert_eq!(Fields::new(17), Err(ConfigError::KindBits(17)));
    let fields = declared(16, &[]);
    assert_eq!(fields.with(0), Err(ConfigError::FieldBits(0)));
    assert_eq!(fields.with_counter(25), Err(ConfigError::FieldBits(25)));
    let full = declared(16, &[(24, true); FIELDS_MAX]);
    assert_eq!(full.row_len(), FIELDS_MAX + 2);
    assert_eq!(full.with(1), Err(ConfigError::FieldCount));
    assert!(full.is_counter(15) && !full.is_counter(16));
}

fn of_two_slots(rung: Rung) -> Format {
    Format::new(rung, QuantisationBits::DEFAULT, 2)
        .and_then(|format| format.with_slots(true))
        .expect("not simulated")
        .with_fields(declared(4, &[(7, false), (10, true)]))
}

#[test]
fn rows_that_are_none_of_the_format_are_refused_by_name() {
    let beyond = |field| SnapshotError::OutOfRange { cube: 0, field };
    for rung in [Rung::Position, Rung::ChangedFlags, Rung::Predicted] {
        let format = of_two_slots(rung);
        let cubes = &[Cube::default(), Cube::EMPTY][..];
        let taken = [501, 3, 100, 60, 0, 0, 0, 0];
        let of = |rows| Snapshot { cubes, rows };
        let encoder = Encoder::new(format, of(&taken)).unwrap();
        let refusal = |rows: &[u32]| {
            let snapshot = Snapshot { cubes, rows };
            let encoded = encoder.clone().encode(1, snapshot, &mut Vec::new());
            let checked = format.check(snapshot);
            assert_eq!(encoded, checked.map_err(EncodeError::Snapshot));
            checked.err()
        };
        let (expected, actual) = (8, 7);
        let short = SnapshotError::RowNumbers { expected, actual };
        assert_eq!(refusal(&taken[..7]), Some(short));
        // Another id is none to refuse, also in the same life: three lives later a slot has that again.
        for (at, number, refused) in [
            (0, 502, None),
            (1, 16, Some(beyond(CubeField::Kind))),
            (2, 128, Some(beyond(CubeField::Own(0)))),
            (3, 1024, Some(beyond(CubeField::Own(1)))),
            (4, 1, Some(SnapshotError::EmptyWithFields { cube: 1 })),
        ] {
            let mut rows = taken;
            rows[at] = number;
            assert_eq!(refusal(&rows), refused);
        }
    }
}
