//! The spans of packets on every rung: they tile the packet, add up to its size, and tell every changed cube.

use crate::common::check_spans;
use snapshot_codec::{
    Class, Cube, CubeState, Encoder, Format, Ledger, Life, QuantisationBits, Rung,
};

const CUBES: usize = 60;

/// A third of the cubes rest, a third slides and turns, a third jumps about now and then.
fn state(index: usize, tick: usize) -> CubeState {
    let (index_m, tick_f) = (index as f32, tick as f32);
    let (moved_m, turned) = match index % 3 {
        0 => (0.0, 0.0),
        1 => (0.02 * tick_f, 0.05 * tick_f),
        _ => ((tick * index / 7 % 5) as f32, (tick * index / 5 % 3) as f32),
    };
    CubeState {
        position: [index_m + moved_m, -index_m, 0.2 + moved_m / 8.0],
        orientation: [turned, 0.3, -turned, 0.9],
        linear_velocity: [moved_m, 0.0, 0.0],
        angular_velocity: [0.0; 3],
        interacting: (index + tick).is_multiple_of(11),
        at_rest: index.is_multiple_of(3),
        life: Life::default(),
    }
}

/// A quarter of the slots comes and goes, or jumps.
fn life(index: usize, tick: usize, has_slots: bool) -> Life {
    let generation = (tick / 2 + index / 4) % 5;
    if !has_slots || !index.is_multiple_of(4) || generation > 3 {
        return Life::FIRST;
    }
    Life::from_code(generation as u8).expect("0 to 3")
}

#[test]
fn tile_every_packet_and_tell_every_changed_cube() {
    for (rung, class) in Rung::ALL
        .into_iter()
        .flat_map(|rung| Class::ALL.map(|class| (rung, class)))
    {
        let default = QuantisationBits::DEFAULT;
        let few = QuantisationBits::new(4, 2, 0).unwrap();
        for (bits, has_slots) in [(default, false), (few, false), (default, true), (few, true)] {
            let format = Format::new(rung, bits, CUBES).unwrap().with_class(class);
            let Ok(format) = format.with_slots(has_slots) else {
                assert!(rung.needs_simulation());
                continue;
            };
            let slot = |index: usize, tick: usize| CubeState {
                life: life(index, tick, has_slots),
                ..state(index, tick)
            };
            let frame = |tick: usize| -> Vec<Cube> {
                (0..CUBES)
                    .map(|index| format.quantise(&slot(index, tick)))
                    .collect()
            };
            let initial = frame(0);
            let mut encoder = Encoder::new(format, &initial).unwrap();
            let (mut packet, mut spans) = (Vec::new(), Ledger::with_spans());
            let mut base = initial;
            for tick in 1..20 {
                let snapshot = frame(tick);
                let mut counts = (encoder.clone(), Vec::new(), Ledger::new());
                spans.clear();
                let sequence = 65_530_u16.wrapping_add(tick as u16);
                let mut untraced = Vec::new();
                (encoder.clone().encode(sequence, &snapshot, &mut untraced)).unwrap();
                encoder
                    .encode_ahead(&snapshot, sequence, &mut packet, Some(&mut spans))
                    .unwrap();
                assert_eq!(untraced, packet);
                check_spans(&spans, &format, &base, &snapshot, packet.len());
                // Whoever only counts gets the same packet and the same counts.
                counts
                    .0
                    .encode_ahead(&snapshot, sequence, &mut counts.1, Some(&mut counts.2))
                    .unwrap();
                assert_eq!(counts.1, packet);
                assert_eq!(counts.2.total_65536ths(), spans.total_65536ths());
                assert!(counts.2.spans().is_empty());
                if tick % 3 != 0 {
                    encoder.ack(sequence);
                    base = snapshot;
                }
            }
        }
    }
}
