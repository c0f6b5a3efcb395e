//! Sync packets arrive as they were sent, within their budget, whatever is lost, late or doubled, and whatever is acknowledged.

use proptest::prelude::*;
use snapshot_codec::{BIT_65536THS, Bounds, CubeState, Grid, Ledger, QuantisationBits};
use snapshot_lane::strategy::sync::{
    Compression, INPUTS_MAX, SyncDecoder, SyncEncoder, SyncFormat, SyncPacket, UPDATES_MAX,
};

fn float() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -3.0_f32..3.0,
        2 => -300.0_f32..300.0,
        1 => any::<f32>(),
    ]
}

fn state() -> impl Strategy<Value = CubeState> {
    let three = || prop::array::uniform3(float());
    (
        three(),
        prop::array::uniform4(-1.0_f32..1.0),
        three(),
        three(),
        any::<bool>(),
    )
        .prop_map(
            |(position, orientation, linear_velocity, angular_velocity, at_rest)| CubeState {
                position,
                orientation,
                linear_velocity,
                angular_velocity,
                at_rest,
                ..CubeState::default()
            },
        )
}

fn format() -> impl Strategy<Value = SyncFormat> {
    let bits = (4_u32..=12, 2_u32..=16, 0_u32..=12);
    let count = prop_oneof![8 => 1_usize..=70, 1 => 1_usize..=4096];
    let bounds = prop_oneof![
        3 => Just(Bounds::DEFAULT),
        1 => Just(Bounds::new([-5, -700, -40], [6, 300, 1000]).expect("within 1024 m")),
    ];
    let player = prop::option::weighted(0.8, prop_oneof![2 => Just(0_usize), 1 => any::<usize>()]);
    (bits, count, any::<[bool; 3]>(), bounds, player).prop_map(
        |((p, o, v), count, [relative, delta, velocities], bounds, player)| {
            let bits = QuantisationBits::new(p, o, v).expect("in range");
            let grid = Grid::new(bits, count, velocities).expect("in range");
            let grid = grid.with_bounds(bounds).expect("within 1024 m");
            let player = player.map(|player| player % count);
            SyncFormat {
                grid: grid.with_player(player).expect("one of the cubes"),
                compression: Compression { relative, delta },
            }
        },
    )
}

#[derive(Clone, Debug)]
struct Step {
    frames: u32,
    /// Steps after which each copy arrives.
    copies: Vec<usize>,
    ack_arrives: bool,
    bytes_max: u32,
    changes: Vec<(prop::sample::Index, CubeState)>,
    inputs: Vec<u8>,
}

fn step() -> impl Strategy<Value = Step> {
    (
        prop_oneof![6 => 1_u32..10, 1 => 200_u32..600],
        prop::collection::vec(prop_oneof![6 => Just(0_usize), 1 => 1_usize..4], 0..=2),
        prop::bool::weighted(0.7),
        20_u32..1200,
        prop::collection::vec((any::<prop::sample::Index>(), state()), 0..20),
        prop::collection::vec(0_u8..64, 1..=INPUTS_MAX),
    )
        .prop_map(
            |(frames, copies, ack_arrives, bytes_max, changes, inputs)| Step {
                frames,
                copies,
                ack_arrives,
                bytes_max,
                changes,
                inputs,
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn what_is_sent_arrives(
        format in format(),
        initial in state(),
        first in prop_oneof![any::<u32>(), u32::MAX - 40..=u32::MAX],
        steps in prop::collection::vec(step(), 1..12),
    ) {
        let mut cubes = vec![format.grid.quantise(&initial); format.grid.cube_count()];
        let (mut sender, mut receiver) = (SyncEncoder::new(format), SyncDecoder::new(format));
        let (mut bytes, mut ledger, mut received) = (Vec::new(), Ledger::with_spans(), SyncPacket::default());
        let mut sequence = first;
        let mut in_flight: Vec<(usize, Vec<u8>, SyncPacket, Vec<_>)> = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            sequence = sequence.wrapping_add(step.frames);
            for (index, state) in &step.changes {
                *index.get_mut(&mut cubes) = format.grid.quantise(state);
            }
            ledger.clear();
            // The player first, then from the last to the first, so that the packet has to sort.
            let others = (0..cubes.len()).rev().filter(|&index| Some(index) != format.grid.player());
            let order = format.grid.player().into_iter().chain(others);
            let candidates = order.map(|index| (index, cubes[index]));
            let bits_max = u64::from(step.bytes_max) * 8;
            let sent = sender
                .encode(sequence, &step.inputs, candidates, bits_max, &mut bytes, Some(&mut ledger))
                .unwrap()
                .clone();
            prop_assert!(sent.updates.len() <= UPDATES_MAX);
            // Header, inputs and count go out in any case.
            let fixed_bits = 32 + 9 + 5 + 6 + 7 * 31 + 7;
            prop_assert!(bytes.len() as u64 * 8 <= bits_max.max(fixed_bits + 7));
            let mut spans_end = 0;
            for span in ledger.spans() {
                prop_assert_eq!(span.first_65536ths, spans_end);
                spans_end += span.length_65536ths;
            }
            prop_assert_eq!(spans_end, bytes.len() as i64 * 8 * BIT_65536THS);

            in_flight.extend(
                step.copies.iter().map(|late| (at + late, bytes.clone(), sent.clone(), cubes.clone())),
            );
            let (arrived, still): (Vec<_>, Vec<_>) =
                in_flight.into_iter().partition(|(arrives, ..)| *arrives <= at);
            in_flight = still;
            for (_, bytes, sent, cubes) in arrived {
                // A packet may come so late that the receiver has forgotten its baselines.
                let held = |update: &snapshot_lane::strategy::sync::Update| {
                    update.baseline.is_none_or(|baseline| receiver.holds(baseline))
                };
                let result = receiver.decode(&bytes, sequence, &mut received);
                if !sent.updates.iter().all(held) {
                    prop_assert!(result.is_err());
                    continue;
                }
                prop_assert_eq!(result, Ok(()));
                prop_assert_eq!(&received, &sent);
                for update in &received.updates {
                    prop_assert_eq!(update.body, cubes[update.index]);
                }
                receiver.accept(&received);
                let late_by = receiver.ack().unwrap().newest.wrapping_sub(sent.sequence);
                // One that is older is left, unless it was there already.
                prop_assert!(late_by >= 512 || receiver.holds(sent.sequence));
                if step.ack_arrives {
                    sender.ack(receiver.ack().unwrap(), |_, _| ());
                    let remembered = sequence.wrapping_sub(sent.sequence) < 512;
                    prop_assert!(late_by > 0 || !remembered || sender.has_arrived(sent.sequence));
                }
            }
        }
    }

    #[test]
    fn what_is_on_the_grid_comes_back_bit_for_bit(format in format(), state in state()) {
        let on_grid = format.grid.snap(&state);
        let back = format.grid.dequantise(&format.grid.quantise(&on_grid));
        prop_assert_eq!(back, on_grid);
        prop_assert_eq!(format.grid.snap(&on_grid), on_grid);
        let length: f32 = on_grid.orientation.iter().map(|c| c * c).sum();
        prop_assert!((length - 1.0).abs() < 1e-5);
    }
}
