//! Whatever is sent arrives bit for bit, on every rung, whatever is lost, late or doubled, and whichever baseline is used.

use std::collections::BTreeMap;

use crate::files::blank_rows;
use crate::rows::declared;
use crate::spans::check_spans;
use proptest::prelude::*;
use proptest::sample::Index;
use snapshot_codec::{
    Baseline, Bounds, Class, Cube, CubeState, DecodeError, Decoder, Encoder, FIELDS_MAX, Format,
    Ledger, Life, QuantisationBits, RECEIVED_HISTORY_TICKS, Rung, SENT_HISTORY_TICKS, Snapshot,
    SnapshotCoder, Widths,
};

#[derive(Clone, Debug)]
enum Change {
    Anything(CubeState),
    Nudge([i32; 3]),
    Turn([i32; 3]),
    Touch,
    /// The next life of the slot, which is refused where there are no slots.
    Jump(CubeState),
    Leave,
    /// A step of a field of the slot's row.
    Field(Index, i32),
}

#[derive(Clone, Debug)]
struct Step {
    ticks: u16,
    /// Steps after which each copy arrives, and whether its acknowledgement arrives too.
    copies: Vec<(usize, bool)>,
    changes: Vec<(Index, Change)>,
}

fn float() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -40.0_f32..40.0,
        2 => -300.0_f32..300.0,
        1 => any::<f32>(),
        1 => prop::sample::select(vec![0.0, -0.0, 256.0, -256.0, 32.0, f32::NAN, f32::INFINITY, f32::MAX]),
    ]
}

fn state() -> impl Strategy<Value = CubeState> {
    let floats = (
        prop::array::uniform3(float()),
        prop::array::uniform4(-1.0_f32..1.0),
        prop::array::uniform3(float()),
    );
    (floats, any::<bool>(), any::<bool>()).prop_map(
        |((position, orientation, linear_velocity), interacting, at_rest)| CubeState {
            position,
            orientation,
            linear_velocity,
            angular_velocity: [0.0; 3],
            interacting,
            at_rest,
            life: Life::FIRST,
        },
    )
}

fn change() -> impl Strategy<Value = Change> {
    let difference = || prop::array::uniform3(prop_oneof![-20_i32..20, -300_i32..300]);
    prop_oneof![
        2 => state().prop_map(Change::Anything),
        4 => difference().prop_map(Change::Nudge),
        4 => difference().prop_map(Change::Turn),
        1 => Just(Change::Touch),
        1 => state().prop_map(Change::Jump),
        1 => Just(Change::Leave),
        4 => (any::<Index>(), prop_oneof![-9_i32..9, any::<i32>()]).prop_map(|(field, by)| Change::Field(field, by)),
    ]
}

// All steps together stay below half the sequence range: a receiver that hears nothing for longer can't tell new from old.
fn step() -> impl Strategy<Value = Step> {
    let ticks = prop_oneof![6 => 1_u16..10, 1 => 250_u16..260, 1 => 1_u16..=2000];
    let changes = prop::collection::vec((any::<Index>(), change()), 0..40);
    let copy = || {
        let late = prop_oneof![6 => Just(0_usize), 1 => 1_usize..4];
        (late, prop::bool::weighted(0.7))
    };
    let copies = prop_oneof![
        1 => Just(Vec::new()),
        6 => copy().prop_map(|copy| vec![copy]),
        1 => (copy(), copy()).prop_map(|(first, second)| vec![first, second]),
    ];
    (ticks, copies, changes).prop_map(|(ticks, copies, changes)| Step {
        ticks,
        copies,
        changes,
    })
}

fn format() -> impl Strategy<Value = Format> {
    let bits = (1_u32..=12, 2_u32..=16, 0_u32..=12);
    let cube_count = prop_oneof![8 => 1_usize..=70, 1 => 1_usize..=4096];
    let codec = (
        prop::sample::select(Rung::ALL.to_vec()),
        prop::sample::select(Class::ALL.to_vec()),
    );
    // In parts of what the bits allow.
    let ends = (
        prop::array::uniform3(-1024_i32..1024),
        prop::array::uniform3(1_i32..2048),
        any::<bool>(),
    );
    let bounds = prop::option::weighted(0.3, ends);
    let player = prop::option::weighted(0.8, prop_oneof![2 => Just(0_usize), 1 => any::<usize>()]);
    let space = (player, prop::bool::weighted(0.4), any::<bool>());
    let widths = || {
        (2_u32..=24, 2_u32..=24).prop_map(|(a, b)| Widths::new(a.min(b), a.max(b)).expect("sorted"))
    };
    let widths = prop::option::of((widths(), widths()));
    let field = (prop_oneof![1_u32..=6, 1_u32..=24], any::<bool>());
    let fields = (0_u32..=16, prop::collection::vec(field, 0..=FIELDS_MAX));
    let space = (space, prop::option::of(fields));
    (codec, bits, cube_count, (bounds, widths), space).prop_map(
        |((rung, class), (p, o, v), count, (bounds, widths), (space, fields))| {
            let (player, has_slots, is_exact) = space;
            let bits = QuantisationBits::new(p, o, v).expect("in range");
            let articles = (Widths::of_position(p), Widths::of_orientation(o));
            let (position, orientation) = widths.unwrap_or(articles);
            let bounds = bounds.map_or(Bounds::DEFAULT, |(lower, size, is_wide)| {
                let unit = if is_wide { 1 << (12 - p.max(4)) } else { 1 };
                let upper = std::array::from_fn(|i| unit * (lower[i] + size[i]).min(1024));
                Bounds::new(lower.map(|lower| unit * lower), upper).expect("within 2^22 steps")
            });
            let format = Format::new(rung, bits, count)
                .expect("in range")
                .with_widths(position, orientation)
                .with_class(class)
                .with_bounds(bounds)
                .expect("within 2^22 steps")
                .with_exact_identity(is_exact)
                .with_player(player.map(|player| player % count))
                .expect("one of the cubes")
                .with_slots(has_slots && !rung.needs_simulation())
                .expect("not simulated");
            let fields = fields.map(|(kind_bits, fields)| declared(kind_bits, &fields));
            fields.map_or(format, |fields| format.with_fields(fields))
        },
    )
}

/// The same of one cube.
fn of_one(format: &Format) -> Format {
    Format::new(format.rung(), format.bits(), 1)
        .expect("one cube")
        .with_bounds(format.bounds())
        .expect("they are those of a format")
        .with_exact_identity(format.has_exact_identity())
        .with_slots(format.has_slots())
        .expect("not simulated")
}

/// A snapshot: its cubes and rows.
#[derive(Clone, Debug, PartialEq)]
struct World {
    cubes: Vec<Cube>,
    rows: Vec<u32>,
}

impl World {
    fn snapshot(&self) -> Snapshot<'_> {
        Snapshot {
            cubes: &self.cubes,
            rows: &self.rows,
        }
    }

    /// Changes a slot; what then is out of the format's range stays as it was.
    fn apply(&mut self, format: &Format, index: &Index, change: &Change) {
        let cube = index.get_mut(&mut self.cubes);
        let mut changed = *cube;
        match change {
            Change::Anything(state) => changed = format.quantise(state),
            Change::Nudge(by) => {
                changed.position = std::array::from_fn(|i| cube.position[i].wrapping_add(by[i]))
            }
            Change::Turn(by) => {
                for (code, by) in changed.orientation[1..].iter_mut().zip(by) {
                    *code = code.wrapping_add(*by);
                }
            }
            Change::Touch => changed.interacting ^= true,
            Change::Jump(state) => {
                changed = format.quantise(state);
                changed.life = cube.life.next();
            }
            Change::Leave => changed = Cube::EMPTY,
            Change::Field(..) => {}
        }
        if of_one(format).check(&[changed]).is_ok() {
            *cube = changed;
        }
        let (life, slot) = (cube.life, index.index(self.cubes.len()));
        let Some(fields) = format.fields() else {
            return;
        };
        let row = &mut self.rows[slot * fields.row_len()..][..fields.row_len()];
        match change {
            _ if life.is_empty() => row.fill(0),
            Change::Jump(_) => {
                row[0] = row[0].wrapping_add(1);
                row[1] = row[0] & ((1 << fields.kind_bits()) - 1);
            }
            Change::Field(field, by) if fields.count() > 0 => {
                let field = field.index(fields.count());
                let value = &mut row[2 + field];
                *value = value.wrapping_add_signed(*by) & ((1 << fields.bits(field)) - 1);
            }
            _ => {}
        }
    }
}

/// A copy of a packet on its way.
struct Flight {
    /// The step at whose end it arrives.
    arrives: usize,
    /// Ticks since before the first packet; its sequence is their lowest bits on from the first.
    tick: u64,
    baseline: Option<u64>,
    packet: Vec<u8>,
    world: World,
    ack_arrives: bool,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn what_is_sent_arrives(
        format in format(),
        initial in state(),
        first in prop_oneof![any::<u16>(), 65_500_u16..=65_535],
        steps in prop::collection::vec(step(), 1..12),
    ) {
        let mut world = World {
            cubes: vec![format.quantise(&initial); format.cube_count()],
            rows: blank_rows(&format),
        };
        let mut encoder = Encoder::new(format, world.snapshot()).unwrap();
        let mut decoder = Decoder::new(format, world.snapshot()).unwrap();
        let mut left = Baseline::new(&format, world.snapshot()).unwrap();
        let mut right = left.clone();
        let mut coder = SnapshotCoder::new(&format);
        let sequence_of = |tick: u64| first.wrapping_add(tick as u16);
        let mut tick = 0;
        // What each end has to know, by the rules alone.
        let mut newest_ack: Option<u64> = None;
        let mut received: BTreeMap<u64, Vec<Cube>> = BTreeMap::new();
        // Packets that were the newest, with their baselines.
        let mut oldest_held = 0;
        let mut newest_ones: Vec<(u64, Option<u64>)> = Vec::new();
        let mut in_flight: Vec<Flight> = Vec::new();
        let [mut packet, mut untraced] = [Vec::new(), Vec::new()];
        let (mut ledger, mut decoded) = (Ledger::with_spans(), Vec::new());

        for (at, step) in steps.iter().enumerate() {
            tick += u64::from(step.ticks);
            let sequence = sequence_of(tick);
            for (index, change) in &step.changes {
                world.apply(&format, index, change);
            }
            ledger.clear();
            newest_ack = newest_ack.filter(|acked| tick - acked <= SENT_HISTORY_TICKS as u64);
            prop_assert_eq!(encoder.baseline(sequence), newest_ack.map(sequence_of));
            let base = encoder.baseline_cubes(sequence).to_vec();
            encoder.clone().encode(sequence, world.snapshot(), &mut untraced).unwrap();
            encoder.encode_ahead(world.snapshot(), sequence, &mut packet, Some(&mut ledger)).unwrap();
            prop_assert!(packet.len() <= format.packet_bytes_max());

            check_spans(&ledger, &format, &base, &world.cubes, packet.len());
            prop_assert_eq!(&untraced, &packet);

            // The same by a coder of single snapshots.
            coder.encode(&mut left, step.ticks, world.snapshot(), &mut untraced).unwrap();
            coder.decode(&mut right, step.ticks, &untraced).unwrap();
            prop_assert_eq!([left.snapshot(), right.snapshot()], [world.snapshot(); 2]);

            in_flight.extend(step.copies.iter().map(|&(late, ack_arrives)| Flight {
                arrives: at + late,
                tick,
                baseline: newest_ack.filter(|_| format.rung().is_delta()),
                packet: packet.clone(),
                world: world.clone(),
                ack_arrives,
            }));
            let (arrived, still): (Vec<_>, Vec<_>) =
                in_flight.into_iter().partition(|flight| flight.arrives <= at);
            in_flight = still;
            for flight in arrived {
                let result = decoder.decode(&flight.packet, sequence, &mut decoded);
                if let Some(baseline) = flight.baseline.filter(|tick| !received.contains_key(tick)) {
                    let baseline = sequence_of(baseline);
                    prop_assert_eq!(result, Err(DecodeError::BaselineUnknown { baseline }));
                    continue;
                }
                let header = result.unwrap();
                prop_assert_eq!(header.sequence, sequence_of(flight.tick));
                prop_assert_eq!(header.baseline, flight.baseline.map(sequence_of));
                prop_assert_eq!(&decoded, &flight.world.cubes);
                prop_assert_eq!(decoder.rows(), &flight.world.rows);
                if format.rung().is_delta() {
                    received.insert(flight.tick, flight.world.cubes);
                    let newest = received.keys().next_back().copied().unwrap_or_default();
                    if newest_ones.last().is_none_or(|&(last, _)| flight.tick > last) {
                        newest_ones.push((flight.tick, flight.baseline));
                    }
                    let mut old = newest_ones.iter().rev().filter(|&&(tick, _)| newest - tick >= SENT_HISTORY_TICKS as u64);
                    let oldest = old.next().and_then(|&(_, baseline)| baseline).unwrap_or(0).max(oldest_held);
                    oldest_held = oldest;
                    let is_held = |tick: u64| newest - tick < RECEIVED_HISTORY_TICKS as u64 && tick >= oldest;
                    received.retain(|&tick, _| is_held(tick));
                }
                if flight.ack_arrives {
                    encoder.ack(sequence_of(flight.tick));
                    let is_held = tick - flight.tick < SENT_HISTORY_TICKS as u64;
                    if is_held && newest_ack.is_none_or(|newest| newest < flight.tick) {
                        newest_ack = Some(flight.tick);
                    }
                }
            }
            for (&tick, snapshot) in &received {
                prop_assert_eq!(decoder.baseline(sequence_of(tick)), Some(&snapshot[..]));
            }
        }
    }

    #[test]
    fn what_is_quantised_is_in_range_and_stays(format in format(), state in state()) {
        let format = of_one(&format);
        let cube = format.quantise(&state);
        prop_assert_eq!(format.check(&[cube]), Ok(()));
        let seen = format.dequantise(&cube);
        prop_assert!(seen.position.iter().chain(&seen.linear_velocity).all(|c| c.is_finite()));
        let length: f32 = seen.orientation.iter().map(|c| c * c).sum();
        prop_assert!((length - 1.0).abs() < 1e-5, "{:?}", seen.orientation);
        let again = format.quantise(&seen);
        prop_assert_eq!(again.position, cube.position);
        prop_assert_eq!(again.linear_velocity, cube.linear_velocity);
        prop_assert_eq!((again.interacting, again.at_rest), (cube.interacting, cube.at_rest));
    }
}
