//! Motions of bodies that fly freely: the public benchmark's asteroids, and drawn ones.

use snapshot_base::hash::Fnv;
use snapshot_codec::{
    Bounds, Class, Cube, CubeState, Decoder, Encoder, Format, QuantisationBits, Rung,
};
use snapshot_research::asteroids::Asteroids;
use snapshot_research::drawn::{Kind, RandomSettings};
use std::collections::VecDeque;

/// Seeds of the drawn motions, drawn after the last change of a constant of rung 13.
const SEEDS: [u32; 2] = [2_763_789_719, 943_978_114];
const SECONDS: usize = 20;

#[test]
fn the_asteroids_are_the_same_on_every_machine() {
    let mut scene = Asteroids::new(1);
    (0..60).for_each(|_| scene.step());
    let mut hash = Fnv::new();
    for state in scene.states() {
        let numbers = state.position.into_iter().chain(state.orientation);
        numbers.for_each(|number| hash.add_u32(number.to_bits()));
    }
    assert_eq!(hash.folded(), 0xfa1a_65e1);
}

/// Codes a motion of 60 ticks a second; returns the bytes of its packets. An acknowledgement arrives `rtt` ticks after its
/// packet.
fn bytes(rung: Rung, class: Class, ticks: &[Vec<CubeState>], every: usize, rtt: usize) -> usize {
    let bounds = Bounds::new([-128; 3], [128; 3]).unwrap();
    let format = Format::new(rung, QuantisationBits::DEFAULT, ticks[0].len()).unwrap();
    let format = format.with_class(class).with_bounds(bounds).unwrap();
    let format = format.with_player(None).unwrap();
    let quantised = |states: &[CubeState]| -> Vec<Cube> {
        states.iter().map(|state| format.quantise(state)).collect()
    };
    let initial = quantised(&ticks[0]);
    let mut encoder = Encoder::new(format, &initial).unwrap();
    let mut decoder = Decoder::new(format, &initial).unwrap();
    let (mut packet, mut received, mut sum) = (Vec::new(), Vec::new(), 0);
    let mut acks = VecDeque::new();
    for (tick, states) in ticks.iter().enumerate().skip(every).step_by(every) {
        while let Some((_, sequence)) = acks.pop_front_if(|(at, _)| *at <= tick) {
            encoder.ack(sequence);
        }
        let cubes = quantised(states);
        encoder.encode(tick as u16, &cubes, &mut packet).unwrap();
        decoder.decode(&packet, tick as u16, &mut received).unwrap();
        assert_eq!(received, cubes);
        acks.push_back((tick + rtt, tick as u16));
        sum += packet.len();
    }
    sum
}

/// Upper limit of rung 13's bytes in multiples of rung 12's. One drawn motion is above 1.01: belts in class strict, where half of
/// all displacements along an axis are 0.
fn most(name: &str, class: Class) -> f64 {
    match class {
        Class::Strict if name.starts_with("Conveyor") => 1.05,
        Class::Strict | Class::Chained => 1.01,
    }
}

#[test]
#[ignore = "codes 10 motions of 20 s, 20 times each: half a minute"]
fn rung_13_is_dearer_than_rung_12_on_belts_alone() {
    for seed in SEEDS {
        for kind in Kind::ALL {
            let mut motion = RandomSettings::new(kind, seed);
            compare(&format!("{kind:?} {seed}"), || {
                motion.step();
                motion.states()
            });
        }
        let mut scene = Asteroids::new(seed);
        compare(&format!("asteroids {seed}"), || {
            scene.step();
            scene.states()
        });
    }
}

/// Compares both rungs on a motion: at 60, 30 and 20 packets a second, with baselines of 1 to 6 ticks and more.
fn compare(name: &str, mut next: impl FnMut() -> Vec<CubeState>) {
    let ticks: Vec<_> = (0..60 * SECONDS).map(|_| next()).collect();
    for class in Class::ALL {
        let ratios = [(1, 0), (1, 2), (2, 6), (3, 0), (3, 6)].map(|(every, rtt)| {
            let [plain, predicted] = [Rung::Arithmetic, Rung::Predicted]
                .map(|rung| bytes(rung, class, &ticks, every, rtt) as f64);
            predicted / plain
        });
        println!("{name} {}: {ratios:.3?}", class.name());
        let most = most(name, class);
        assert!(ratios.iter().all(|&ratio| ratio <= most));
    }
}
