//! The bound of a packet's size: no packet is longer, and few are much shorter.

use snapshot_codec::{
    Bounds, Class, Cube, CubeState, Encoder, Fields, Format, Life, QuantisationBits, Rung, Snapshot,
};

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
    let rows = |step: u32| -> Vec<u32> {
        let row = format.fields().map_or(Vec::new(), |fields| {
            let fields = (0..fields.count()).map(|i| (step % 2) << (fields.bits(i) - 1));
            [7 + step, 1].into_iter().chain(fields).collect()
        });
        row.repeat(format.cube_count())
    };
    let mut encoder = Encoder::new(
        format,
        Snapshot {
            cubes: &frame(0),
            rows: &rows(0),
        },
    )
    .expect("quantised");
    let mut packet = Vec::new();
    let mut most = 0;
    for (sequence, step) in [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3].into_iter().enumerate() {
        let snapshot = Snapshot {
            cubes: &frame(step),
            rows: &rows(step as u32),
        };
        let sequence = 6 * (sequence as u16 + 1);
        encoder
            .encode(sequence, snapshot, &mut packet)
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

#[test]
fn rows_count() {
    let fields = Fields::new(5).and_then(|fields| fields.with(7)?.with_counter(24)?.with(1));
    for rung in [Rung::Position, Rung::ChangedFlags, Rung::Predicted] {
        let plain = format(rung, QuantisationBits::DEFAULT, 40);
        let format = plain.with_fields(fields.expect("in range"));
        let more = format.packet_bytes_max() - plain.packet_bytes_max();
        println!("{rung:?}: {more} bytes more, {} in all", longest(format));
    }
    // The widest world takes longer positions.
    let wide = Bounds::new([-8192; 3], [8192; 3]).expect("in range");
    let format = format(Rung::ChangedFlags, QuantisationBits::DEFAULT, 40);
    let wider = format.with_bounds(wide).expect("in range");
    assert!(wider.packet_bytes_max() > format.packet_bytes_max());
}
