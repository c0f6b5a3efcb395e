//! No allocation a packet once the histories have been gone through, and no more held than is kept.

use lzma_rust2::XzReader;
use snapshot_codec::{
    Class, Cube, CubeState, Decoder, Encoder, Format, Life, QuantisationBits, Rung,
};
use std::io::Read;

/// The first frames of a capture: 901 cubes of eight little-endian i32 each.
fn excerpt() -> Vec<Vec<Cube>> {
    let packed = &include_bytes!("../captures/mixed.bin.xz")[..];
    let mut bytes = Vec::new();
    XzReader::new(packed, true)
        .read_to_end(&mut bytes)
        .expect("an excerpt");
    let words = bytes
        .as_chunks()
        .0
        .iter()
        .map(|word| i32::from_le_bytes(*word));
    let words: Vec<i32> = words.collect();
    let cube = |&[largest, a, b, c, x, y, z, interacting]: &[i32; 8]| Cube {
        orientation: [largest, a, b, c],
        position: [x, y, z],
        interacting: interacting != 0,
        ..Cube::default()
    };
    let cubes: Vec<Cube> = words.as_chunks().0.iter().map(cube).collect();
    cubes.chunks_exact(901).map(<[_]>::to_vec).collect()
}

const CUBES: usize = 64;

/// A world in which something always happens: up to all cubes have moved, by little or by much.
fn state(index: usize, tick: usize) -> CubeState {
    let phase = if (index * tick) % 7 < tick / 40 % 8 {
        tick
    } else {
        0
    };
    let x = (phase * (index + 1)) as f32 / 64.0 % 100.0;
    CubeState {
        position: [x, index as f32, 0.2],
        orientation: [0.1, x / 200.0, 0.0, 1.0],
        linear_velocity: [x / 10.0, 0.0, 0.0],
        interacting: phase > 0,
        at_rest: phase == 0,
        ..CubeState::default()
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn none_after_warm_up() {
    let of = |rung| Format::new(rung, QuantisationBits::DEFAULT, CUBES).unwrap();
    let with_slots = |rung| of(rung).with_slots(true).ok();
    let formats = Rung::ALL.into_iter().map(of);
    for format in formats.chain(Rung::ALL.into_iter().filter_map(with_slots)) {
        let rung = format.rung();
        let quantise = |index: usize, tick: usize| {
            let life = match (index + tick) % 9 {
                _ if !format.has_slots() => Life::FIRST,
                0 => Life::EMPTY,
                1 => Life::FIRST.next(),
                _ => Life::FIRST,
            };
            format.quantise(&CubeState {
                life,
                ..state(index, tick)
            })
        };
        let mut snapshot: Vec<_> = (0..CUBES).map(|index| quantise(index, 0)).collect();
        let mut encoder = Encoder::new(format, &snapshot).unwrap();
        let mut decoder = Decoder::new(format, &snapshot).unwrap();
        // The packet's buffer is the caller's: it grows to the largest that there was.
        let mut packet = Vec::with_capacity(format.packet_bytes_max());
        let mut received = Vec::new();
        let mut play = |ticks: std::ops::Range<usize>| {
            for tick in ticks {
                for (index, cube) in snapshot.iter_mut().enumerate() {
                    *cube = quantise(index, tick);
                }
                encoder.encode(tick as u16, &snapshot, &mut packet).unwrap();
                let header = decoder.decode(&packet, tick as u16, &mut received).unwrap();
                assert_eq!(received, snapshot);
                // Acks stop for longer than the sender remembers, and come back.
                if tick % 600 < 300 {
                    encoder.ack(header.sequence);
                }
            }
        };
        play(0..1200);
        let allocations = allocation_counter::measure(|| play(1200..3000));
        // What class chained keeps beside a snapshot has about the room that it needs: never more rooms are made anew than packets.
        let kept = if rung.is_arithmetic() { 1800 } else { 0 };
        assert!(allocations.count_total <= kept, "{rung:?}: {allocations:?}");
    }
}

/// Coder state beside a snapshot of the captured `mixed`.
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn rung_12_keeps_some_20_kb_beside_a_snapshot_and_rung_13_some_30() {
    let frames = excerpt();
    for (rung, most) in [(Rung::Arithmetic, 20_000), (Rung::Predicted, 30_000)] {
        let held = [Class::Strict, Class::Chained].map(|class| {
            let format = Format::new(rung, QuantisationBits::DEFAULT, frames[0].len());
            let format = format.unwrap().with_class(class);
            let mut encoder = Encoder::new(format, &frames[0]).unwrap();
            let mut packet = Vec::new();
            for (tick, frame) in (0..).zip(&frames).take(250) {
                encoder.encode(tick, frame, &mut packet).unwrap();
                // Acknowledged, and kept, because nothing newer is.
                encoder.ack(0);
            }
            encoder.held_bytes()
        });
        let beside = (held[1] - held[0]) / 250;
        eprintln!("{rung:?}: {beside} bytes a snapshot");
        assert!(beside <= most, "{rung:?}: {beside} bytes a snapshot");
    }
}

/// Held bytes are those that the allocator gave and has not got back, within 5 %. Of 512 ticks a decoder holds the cubes, and the model's memory.
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn held_bytes_are_what_the_allocator_gave() {
    for rung in Rung::ALL {
        for class in [Class::Strict, Class::Chained] {
            let format = Format::new(rung, QuantisationBits::DEFAULT, CUBES).unwrap();
            let format = format.with_class(class);
            let frame = |tick: u16| -> Vec<Cube> {
                (0..CUBES)
                    .map(|index| format.quantise(&state(index, tick.into())))
                    .collect()
            };
            let initial = frame(0);
            let keeps_cubes_alone = class == Class::Strict && !rung.needs_simulation();
            // The tables that all share are unpacked before anything is counted.
            drop(Encoder::new(format, &initial).unwrap());
            for ticks in [0, 1, 20, 300, 700] {
                let (mut encoder, mut decoder) = (None, None);
                let mut packets = Vec::with_capacity(ticks.into());
                let sent = allocation_counter::measure(|| {
                    let mut own = Encoder::new(format, &initial).unwrap();
                    let mut packet = Vec::new();
                    for tick in 0..ticks {
                        own.encode(tick, &frame(tick), &mut packet).unwrap();
                        allocation_counter::opt_out(|| packets.push(packet.clone()));
                        if tick % 50 == 0 {
                            own.ack(tick);
                        }
                    }
                    encoder = Some(own);
                });
                let received = allocation_counter::measure(|| {
                    let mut own = Decoder::new(format, &initial).unwrap();
                    let mut snapshot = frame(0);
                    for (tick, packet) in (0..).zip(&packets) {
                        own.decode(packet, tick, &mut snapshot).unwrap();
                    }
                    decoder = Some(own);
                });
                let held = [encoder.unwrap().held_bytes(), decoder.unwrap().held_bytes()];
                for (held, given) in held.into_iter().zip([sent, received]) {
                    let (held, given) = (held as f64, given.bytes_current as f64);
                    let off = (held / given - 1.0).abs();
                    assert!(off < 0.05, "{rung:?} {class:?} {ticks}: {held} of {given}");
                    let most = 512 * CUBES * size_of::<Cube>() + 450_000;
                    assert!(
                        !keeps_cubes_alone || held <= most as f64,
                        "{rung:?}: {held}"
                    );
                }
            }
        }
    }
}
