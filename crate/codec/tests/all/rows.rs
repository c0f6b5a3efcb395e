//! Fields of a game's own arrive as they were sent, on every rung, and cost what they should.

use crate::spans::check_spans;
use proptest::prelude::*;
use snapshot_codec::{
    Baseline, Class, ConfigError, Cube, CubeField, Decoder, EncodeError, Encoder, FIELDS_MAX,
    Fields, Format, Ledger, QuantisationBits, Rung, Snapshot, SnapshotCoder, SnapshotError,
};

fn declared(kind_bits: u32, fields: &[(u32, bool)]) -> Fields {
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

fn format() -> impl Strategy<Value = Format> {
    let field = (prop_oneof![1_u32..=6, 1_u32..=24], any::<bool>());
    let fields = (0_u32..=16, prop::collection::vec(field, 0..=FIELDS_MAX));
    let codec = (
        prop::sample::select(Rung::ALL.to_vec()),
        prop::sample::select(Class::ALL.to_vec()),
    );
    (codec, fields, 1_usize..40, any::<bool>()).prop_map(
        |((rung, class), (kind_bits, fields), slots, has_slots)| {
            Format::new(rung, QuantisationBits::DEFAULT, slots)
                .expect("1 to 40")
                .with_class(class)
                .with_slots(has_slots && !rung.needs_simulation())
                .expect("not simulated")
                .with_fields(declared(kind_bits, &fields))
        },
    )
}

/// Slot, field, and by how much it goes on; or the slot's next life.
type Change = (prop::sample::Index, prop::sample::Index, i32, u8);

fn steps() -> impl Strategy<Value = Vec<Vec<Change>>> {
    let by = prop_oneof![-9_i32..9, any::<i32>()];
    let change = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let change =
        (change, by, 0_u8..12).prop_map(|((slot, field), by, life)| (slot, field, by, life));
    prop::collection::vec(prop::collection::vec(change, 0..12), 1..8)
}

struct World {
    format: Format,
    cubes: Vec<Cube>,
    rows: Vec<u32>,
    next_id: u32,
}

impl World {
    fn new(format: Format) -> Self {
        let fields = format.fields().expect("it has some");
        let cube = Cube {
            orientation: [3, 256, 256, 256],
            ..Cube::default()
        };
        // Rungs without quantised orientations take these integers as tiny floats.
        let mut rows = vec![0; format.cube_count() * fields.row_len()];
        for (index, row) in (0..).zip(rows.chunks_mut(fields.row_len())) {
            row[0] = index;
        }
        Self {
            format,
            cubes: vec![cube; format.cube_count()],
            rows,
            next_id: 1 << 31,
        }
    }

    fn snapshot(&self) -> Snapshot<'_> {
        Snapshot {
            cubes: &self.cubes,
            rows: &self.rows,
        }
    }

    fn change(&mut self, (slot, field, by, life): &Change) {
        let fields = self.format.fields().expect("it has some");
        let slot = slot.index(self.cubes.len());
        let row = &mut self.rows[slot * fields.row_len()..][..fields.row_len()];
        let cube = &mut self.cubes[slot];
        match life {
            0 if self.format.has_slots() => {
                *cube = Cube::EMPTY;
                row.fill(0);
            }
            1 if self.format.has_slots() => {
                cube.life = cube.life.next();
                self.next_id += 1;
                row[0] = self.next_id;
                row[1] = self.next_id & ((1 << fields.kind_bits()) - 1);
            }
            2 if !cube.life.is_empty() => cube.position[0] ^= 1,
            _ if fields.count() > 0 && !cube.life.is_empty() => {
                let field = field.index(fields.count());
                let value = &mut row[2 + field];
                *value = value.wrapping_add_signed(*by) & ((1 << fields.bits(field)) - 1);
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn rows_arrive(format in format(), steps in steps(), lost in any::<u8>()) {
        let mut world = World::new(format);
        let mut encoder = Encoder::new(format, world.snapshot()).unwrap();
        let mut decoder = Decoder::new(format, world.snapshot()).unwrap();
        let mut left = Baseline::new(&format, world.snapshot()).unwrap();
        let mut right = left.clone();
        let (mut sender, mut receiver) = (SnapshotCoder::new(&format), SnapshotCoder::new(&format));
        let (mut packet, mut received) = (Vec::new(), Vec::new());
        let mut ledger = Ledger::with_spans();
        let mut base = (world.cubes.clone(), world.rows.clone());
        for (at, changes) in steps.iter().enumerate() {
            changes.iter().for_each(|change| world.change(change));
            let sequence = 6 * (at as u16 + 1);
            ledger.clear();
            encoder.encode_ahead(world.snapshot(), sequence, &mut packet, Some(&mut ledger)).unwrap();
            prop_assert!(packet.len() <= format.packet_bytes_max());
            check_spans(&ledger, &format, &base.0, &world.cubes, packet.len());
            if lost >> (at % 8) & 1 == 0 {
                decoder.decode(&packet, sequence, &mut received).unwrap();
                prop_assert_eq!(&received, &world.cubes);
                prop_assert_eq!(decoder.rows(), &world.rows);
                encoder.ack(sequence);
                if format.rung().is_delta() {
                    base = (world.cubes.clone(), world.rows.clone());
                }
            }
            sender.encode(&mut left, 6, world.snapshot(), &mut packet).unwrap();
            receiver.decode(&mut right, 6, &packet).unwrap();
            prop_assert_eq!(right.cubes(), &world.cubes);
            prop_assert_eq!(right.rows(), &world.rows);
            prop_assert_eq!(left.rows(), &world.rows);
        }
    }
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
        let encoder = Encoder::new(
            format,
            Snapshot {
                cubes,
                rows: &taken,
            },
        )
        .unwrap();
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

/// Bytes of a packet in which nothing happened, and of one in which one counter went down by one.
#[test]
fn fields_that_stay_cost_next_to_nothing() {
    for (rung, idle_bytes, counted_bytes) in [(Rung::ChangedFlags, 5, 8), (Rung::Predicted, 5, 8)] {
        let format = Format::new(rung, QuantisationBits::DEFAULT, 40)
            .and_then(|format| format.with_slots(true))
            .expect("not simulated")
            .with_fields(declared(4, &[(7, false), (10, true), (1, false)]));
        let mut world = World::new(format);
        let mut encoder = Encoder::new(format, world.snapshot()).unwrap();
        let mut packet = Vec::new();
        encoder.encode(6, world.snapshot(), &mut packet).unwrap();
        encoder.ack(6);
        encoder.encode(12, world.snapshot(), &mut packet).unwrap();
        assert!(packet.len() <= idle_bytes + 1, "{rung:?} {}", packet.len());
        world.rows[5 * 7 + 3] += 1;
        encoder.encode(18, world.snapshot(), &mut packet).unwrap();
        assert!(packet.len() <= counted_bytes, "{rung:?} {}", packet.len());
    }
}
