//! Rung `simulated`: what is foreseen at both ends, by a simulation that these tests make up.
use proptest::prelude::*;
use snapshot_codec::{
    Baseline, Class, Cube, CubeState, DeadReckoning, Decoder, Encoder, Foresight, Format, Kind,
    Ledger, Lookahead, QuantisationBits, Rung, SnapshotCoder,
};

const CUBES: usize = 40;

/// Cube 0 goes by the keys, the others coast; what flies falls.
#[derive(Clone, Copy)]
struct Driven {
    metres_per_tick: f32,
}

impl Foresight for Driven {
    fn foresee(&mut self, sequence: u16, inputs: &[u8], cubes: &mut [CubeState]) {
        DeadReckoning.foresee(sequence, inputs, cubes);
        for &input in inputs {
            cubes[0].position[0] += f32::from(input & 1) * self.metres_per_tick;
            cubes[0].position[1] += f32::from(input >> 2 & 1) * self.metres_per_tick;
        }
    }
}

const DRIVEN: Driven = Driven {
    metres_per_tick: 0.25,
};

fn format(class: Class) -> Format {
    let format = Format::new(Rung::Simulated, QuantisationBits::DEFAULT, CUBES);
    format.expect("40 cubes").with_class(class)
}

fn still(index: usize) -> CubeState {
    CubeState {
        position: [index as f32 - 20.0, 0.0, 0.2],
        at_rest: true,
        ..CubeState::default()
    }
}

/// A motion in which the expectation of [`DRIVEN`] comes true: cube 0 goes by the keys, every third goes its own way at its own speed.
fn truth(inputs: &[u8]) -> Vec<CubeState> {
    let mut cubes: Vec<CubeState> = (0..CUBES).map(still).collect();
    let ticks = inputs.len() as f32;
    for (index, cube) in cubes.iter_mut().enumerate().skip(1) {
        if index % 3 == 0 {
            cube.position[1] += ticks * 0.01 * index as f32;
        }
    }
    let pressed = |bit: u8| {
        inputs
            .iter()
            .map(|input| f32::from(input >> bit & 1))
            .sum::<f32>()
    };
    cubes[0].position[0] += pressed(0) * DRIVEN.metres_per_tick;
    cubes[0].position[1] += pressed(2) * DRIVEN.metres_per_tick;
    cubes
}

fn quantised(format: &Format, cubes: &[CubeState]) -> Vec<Cube> {
    cubes.iter().map(|cube| format.quantise(cube)).collect()
}

fn keys(tick: usize) -> u8 {
    [1, 1, 4, 5, 0, 4, 4, 1, 33][tick / 5 % 9]
}

/// Packets of a lane that hears every acknowledgement `late` packets later.
fn play(class: Class, ticks: usize, late: usize, sees: &mut dyn Foresight) -> (usize, Ledger) {
    let format = format(class);
    let inputs: Vec<u8> = (1..=ticks).map(keys).collect();
    let initial = quantised(&format, &truth(&[]));
    let mut encoder = Encoder::new(format, &initial).unwrap();
    let mut decoder = Decoder::new(format, &initial).unwrap();
    let (mut packet, mut ledger, mut received) = (Vec::new(), Ledger::new(), Vec::new());
    let mut bytes = 0;
    for tick in 1..=ticks {
        let snapshot = quantised(&format, &truth(&inputs[..tick]));
        let sequence = (tick as u16).wrapping_sub(20);
        let ahead = Lookahead {
            sequence,
            inputs: &inputs[..tick],
            foresight: sees,
        };
        encoder
            .encode_ahead(&snapshot, ahead, &mut packet, Some(&mut ledger))
            .unwrap();
        assert!(packet.len() <= format.packet_bytes_max());
        decoder
            .decode_ahead(&packet, sequence, sees, &mut received)
            .unwrap();
        assert_eq!(received, snapshot, "{tick}");
        let sent = decoder.inputs();
        assert_eq!(sent, &inputs[tick - sent.len()..tick]);
        encoder.ack(sequence.wrapping_sub(late as u16));
        bytes += packet.len();
    }
    (bytes, ledger)
}

#[test]
fn what_is_foreseen_costs_less() {
    for class in Class::ALL {
        let (seen, ledger) = play(class, 200, 5, &mut { DRIVEN });
        let (unseen, _) = play(class, 200, 5, &mut DeadReckoning);
        assert!(seen < unseen, "{class:?}: {seen} of {unseen}");
        // A checksum of a byte, and less for the inputs.
        let per_packet = |kind| ledger.get_65536ths(kind) as f64 / 65_536.0 / 200.0;
        assert!(
            (1.0..9.0).contains(&per_packet(Kind::Input)),
            "{}",
            per_packet(Kind::Input)
        );
    }
}

#[test]
fn nothing_is_foreseen_from_nowhere_or_too_far_ahead() {
    for (ticks, foresees) in [(1, true), (48, true), (49, false)] {
        let format = format(Class::Chained);
        let mut left = Baseline::new(&format, &quantised(&format, &truth(&[]))).unwrap();
        let mut right = left.clone();
        let mut coder = SnapshotCoder::new(&format);
        let (mut packet, mut ledger) = (Vec::new(), Ledger::new());
        let mut asked = Vec::new();
        struct Asked<'a>(&'a mut Vec<(u16, usize)>);
        impl Foresight for Asked<'_> {
            fn foresee(&mut self, sequence: u16, inputs: &[u8], _: &mut [CubeState]) {
                self.0.push((sequence, inputs.len()));
            }
        }
        for (sequence, ticks) in [(100, 3), (100 + ticks, ticks)] {
            let snapshot = quantised(&format, &truth(&[5; 40][..usize::from(sequence % 40)]));
            let ahead = Lookahead {
                sequence,
                inputs: &[5, 1],
                foresight: &mut Asked(&mut asked),
            };
            coder
                .encode_ahead(
                    &mut left,
                    ticks,
                    &snapshot,
                    ahead,
                    &mut packet,
                    Some(&mut ledger),
                )
                .unwrap();
            let ahead = Lookahead {
                sequence,
                inputs: &[],
                foresight: &mut Asked(&mut asked),
            };
            coder
                .decode_ahead(&mut right, ticks, ahead, &packet)
                .unwrap();
            assert_eq!(right.cubes(), snapshot);
        }
        let once = (100, usize::from(ticks));
        assert_eq!(asked, if foresees { vec![once, once] } else { vec![] });
    }
}

#[test]
fn an_engine_that_goes_wild_is_not_believed() {
    struct Wild(f32);
    impl Foresight for Wild {
        fn foresee(&mut self, _: u16, _: &[u8], cubes: &mut [CubeState]) {
            for (index, cube) in cubes.iter_mut().enumerate() {
                match index % 4 {
                    0 => cube.position[0] = self.0,
                    1 => cube.orientation = [self.0; 4],
                    2 => cube.linear_velocity[1] = self.0,
                    _ => cube.angular_velocity[2] = self.0,
                }
            }
        }
    }
    for class in Class::ALL {
        for value in [f32::NAN, f32::INFINITY, f32::MAX, 1.0e9, -0.0] {
            play(class, 40, 4, &mut Wild(value));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_motion_and_any_inputs_arrive(
        class in prop::sample::select(Class::ALL.to_vec()),
        bits in (4_u32..=12, 2_u32..=16),
        speed in -40.0_f32..40.0,
        steps in prop::collection::vec((1_u16..60, any::<[u8; 3]>(), prop::array::uniform4(-1.0_f32..1.0)), 1..20),
    ) {
        let bits = QuantisationBits::new(bits.0, bits.1, 5).unwrap();
        let format = Format::new(Rung::Simulated, bits, 3).unwrap().with_class(class);
        let mut cubes: Vec<CubeState> = (0..3).map(still).collect();
        let mut left = Baseline::new(&format, &quantised(&format, &cubes)).unwrap();
        let mut right = left.clone();
        let (mut here, mut there) = (SnapshotCoder::new(&format), SnapshotCoder::new(&format));
        let mut sees = Driven { metres_per_tick: speed };
        let (mut packet, mut ledger) = (Vec::new(), Ledger::new());
        let mut sequence = 65_500_u16;
        for (ticks, inputs, by) in steps {
            sequence = sequence.wrapping_add(ticks);
            let cube = &mut cubes[usize::from(inputs[0] % 3)];
            cube.position = std::array::from_fn(|i| cube.position[i] + by[i]);
            cube.orientation = by;
            cube.interacting ^= by[3] > 0.5;
            let snapshot = quantised(&format, &cubes);
            let ahead = Lookahead { sequence, inputs: &inputs, foresight: &mut sees };
            here.encode_ahead(&mut left, ticks, &snapshot, ahead, &mut packet, Some(&mut ledger)).unwrap();
            let ahead = Lookahead { sequence, inputs: &[], foresight: &mut sees };
            there.decode_ahead(&mut right, ticks, ahead, &packet).unwrap();
            prop_assert_eq!(right.cubes(), &snapshot[..]);
        }
    }
}
