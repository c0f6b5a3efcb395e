//! Whatever is sent arrives bit for bit, on every rung, whatever is lost and whichever baseline is used.

use proptest::prelude::*;
use proptest::sample::Index;
use snapshot_codec::{
    BIT_65536THS, Cube, CubeState, Decoder, Encoder, Format, Ledger, QuantisationBits, Rung,
    SENT_HISTORY_TICKS,
};

#[derive(Clone, Debug)]
enum Change {
    Anything(CubeState),
    Nudge([i32; 3]),
    Turn([i32; 3]),
    Touch,
}

#[derive(Clone, Debug)]
struct Step {
    ticks: u16,
    arrives: bool,
    acked: bool,
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
    ]
}

// All steps together stay below half the sequence range: a receiver that hears nothing for longer can't tell new from old.
fn step() -> impl Strategy<Value = Step> {
    let ticks = prop_oneof![6 => 1_u16..10, 1 => 250_u16..260, 1 => 1_u16..=2000];
    let changes = prop::collection::vec((any::<Index>(), change()), 0..40);
    (
        ticks,
        prop::bool::weighted(0.8),
        prop::bool::weighted(0.7),
        changes,
    )
        .prop_map(|(ticks, arrives, acked, changes)| Step {
            ticks,
            arrives,
            acked,
            changes,
        })
}

fn format() -> impl Strategy<Value = Format> {
    let bits = (4_u32..=12, 2_u32..=16, 0_u32..=12);
    let cube_count = prop_oneof![8 => 1_usize..=70, 1 => 1_usize..=4096];
    (prop::sample::select(Rung::ALL.to_vec()), bits, cube_count).prop_map(
        |(rung, (p, o, v), count)| {
            let bits = QuantisationBits::new(p, o, v).expect("in range");
            Format::new(rung, bits, count).expect("in range")
        },
    )
}

/// Adds to a cube's integers; what then is out of the format's range stays as it was.
fn apply(format: &Format, cube: &mut Cube, change: &Change) {
    let mut changed = *cube;
    match change {
        Change::Anything(state) => changed = format.quantise(state),
        Change::Nudge(by) => {
            changed.position = std::array::from_fn(|i| cube.position[i].wrapping_add(by[i]))
        }
        Change::Turn([a, b, c]) => {
            changed.orientation = [
                cube.orientation[0],
                cube.orientation[1].wrapping_add(*a),
                cube.orientation[2].wrapping_add(*b),
                cube.orientation[3].wrapping_add(*c),
            ];
        }
        Change::Touch => changed.interacting ^= true,
    }
    let one = Format::new(format.rung(), format.bits(), 1).expect("one cube");
    if one.check(&[changed]).is_ok() {
        *cube = changed;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_sent_arrives(
        format in format(),
        initial in state(),
        first in prop_oneof![any::<u16>(), 65_500_u16..=65_535],
        steps in prop::collection::vec(step(), 1..12),
    ) {
        let initial = vec![format.quantise(&initial); format.cube_count()];
        let mut encoder = Encoder::new(format, &initial).unwrap();
        let mut decoder = Decoder::new(format, &initial).unwrap();
        let (mut sequence, mut snapshot) = (first, initial);
        let mut newest_ack: Option<(u16, usize)> = None;
        let (mut packet, mut ledger, mut received) = (Vec::new(), Ledger::with_spans(), Vec::new());

        for step in &steps {
            sequence = sequence.wrapping_add(step.ticks);
            newest_ack = newest_ack
                .map(|(acked, age)| (acked, age + usize::from(step.ticks)))
                .filter(|&(_, age)| age <= SENT_HISTORY_TICKS);
            for (index, change) in &step.changes {
                apply(&format, index.get_mut(&mut snapshot), change);
            }
            ledger.clear();
            prop_assert_eq!(encoder.baseline(sequence), newest_ack.map(|(acked, _)| acked));
            encoder.encode(sequence, &snapshot, &mut packet, &mut ledger).unwrap();
            prop_assert!(packet.len() <= format.packet_bytes_max());

            let mut spans_end = 0;
            for span in ledger.spans() {
                prop_assert_eq!(span.first_65536ths, spans_end);
                spans_end += span.length_65536ths;
            }
            prop_assert_eq!(spans_end, packet.len() as i64 * 8 * BIT_65536THS);

            if step.arrives {
                let header = decoder.decode(&packet, sequence, &mut received).unwrap();
                prop_assert_eq!(header.sequence, sequence);
                let acked = newest_ack.map(|(acked, _)| acked);
                prop_assert_eq!(header.baseline, acked.filter(|_| format.rung().is_delta()));
                prop_assert_eq!(&received, &snapshot);
                if step.acked {
                    encoder.ack(sequence);
                    newest_ack = Some((sequence, 0));
                }
            }
        }
    }

    #[test]
    fn what_is_quantised_is_in_range_and_stays(format in format(), state in state()) {
        let format = Format::new(format.rung(), format.bits(), 1).unwrap();
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

    #[test]
    fn any_bytes_are_decoded_or_refused(data in prop::collection::vec(any::<u8>(), 0..200)) {
        snapshot_codec::fuzz::packet(&data);
    }
}
