//! The bound of a packet's size: no packet is longer, and few are much shorter.

use snapshot_codec::{Class, Cube, CubeState, Encoder, Format, Life, QuantisationBits, Rung};

/// Cubes at one end of the world or at the other, turned one way or the other.
fn state(index: usize, step: usize) -> CubeState {
    let side = if (index + step).is_multiple_of(2) {
        -1.0
    } else {
        1.0
    };
    let orientation = if step.is_multiple_of(2) {
        [0.1, 0.5, -0.5, 0.7]
    } else {
        [0.7, -0.5, 0.5, 0.1]
    };
    CubeState {
        position: [250.0 * side, -250.0 * side, 15.0 + 14.0 * side],
        orientation,
        linear_velocity: [31.0 * side, 0.0, -side],
        angular_velocity: [0.0; 3],
        interacting: step.is_multiple_of(2),
        at_rest: false,
        life: Life::FIRST,
    }
}

/// The longest of some packets in which everything leaps, after packets in which nothing does.
fn longest(format: Format) -> usize {
    let frame = |step| -> Vec<Cube> {
        let all = 0..format.cube_count();
        all.map(|index| format.quantise(&state(index, step)))
            .collect()
    };
    let mut encoder = Encoder::new(format, &frame(0)).expect("quantised");
    let mut packet = Vec::new();
    let mut most = 0;
    for (sequence, step) in [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3].into_iter().enumerate() {
        let sequence = 6 * (sequence as u16 + 1);
        encoder
            .encode(sequence, &frame(step), &mut packet)
            .expect("quantised");
        encoder.ack(sequence);
        assert!(packet.len() <= format.packet_bytes_max());
        most = most.max(packet.len());
    }
    most
}

fn format(rung: Rung, bits: QuantisationBits, cubes: usize) -> Format {
    Format::new(rung, bits, cubes).expect("in range")
}

#[test]
fn the_bound_is_reached_where_bits_are_written_as_they_are() {
    for rung in Rung::ALL.into_iter().filter(|rung| !rung.is_arithmetic()) {
        for cubes in [1, 40, 901] {
            let format = format(rung, QuantisationBits::DEFAULT, cubes);
            let most = longest(format);
            println!("{rung:?} {cubes}: {most}");
            // The first packet of each stream is without a baseline, and its header 16 bits shorter.
            assert_eq!(most, format.packet_bytes_max(), "{rung:?} {cubes}");
        }
    }
}

#[test]
fn the_bound_is_within_reach_under_an_arithmetic_coder() {
    for (rung, times) in [(Rung::Arithmetic, 3.6), (Rung::Predicted, 5.6)] {
        for class in Class::ALL {
            let format = format(rung, QuantisationBits::DEFAULT, 40).with_class(class);
            let (most, bound) = (longest(format), format.packet_bytes_max());
            println!("{rung:?} {class:?}: {most} of {bound}");
            assert!(
                bound as f64 <= times * most as f64,
                "{rung:?} {most} {bound}"
            );
        }
    }
}
