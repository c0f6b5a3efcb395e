//! One coder for many streams: it carries nothing from one stream to the next.

use snapshot_codec::{
    Baseline, Class, Cube, CubeState, Format, Life, QuantisationBits, Rung, SnapshotCoder,
};

const CUBES: usize = 3;

/// Cubes that fly and turn freely, each at its own velocity; `start` shifts the whole stream.
fn flying(format: &Format, start: f32, tick: u16) -> Vec<Cube> {
    let state = |index: usize| {
        let (time, speed) = (f32::from(tick) / 60.0, index as f32 - 0.7);
        CubeState {
            position: [start + speed * time, 2.0 - 0.5 * time, 3.0 + 0.31 * time],
            orientation: [0.1 * speed * time, 0.2 * time, 0.05, 1.0],
            life: Life::FIRST,
            ..CubeState::default()
        }
    };
    let states: Vec<CubeState> = (0..CUBES).map(state).collect();
    states.iter().map(|state| format.quantise(state)).collect()
}

fn formats() -> impl Iterator<Item = Format> {
    let codecs = Rung::ALL
        .into_iter()
        .flat_map(|rung| Class::ALL.map(|class| (rung, class)));
    codecs.flat_map(|(rung, class)| {
        [None, Some(0)].map(|player| {
            let format = Format::new(rung, QuantisationBits::DEFAULT, CUBES).expect("three cubes");
            let format = format.with_class(class).with_player(player);
            format.expect("one of the cubes")
        })
    })
}

/// A server encodes for all its clients with one coder. Each client decodes with its own.
#[test]
fn a_stream_does_not_depend_on_the_stream_before_it() {
    for format in formats() {
        let mut shared = SnapshotCoder::new(&format);
        for start in [0.0, -20.0, 7.0] {
            let first = flying(&format, start, 0);
            let mut sent = Baseline::new(&format, &first).unwrap();
            let mut received = sent.clone();
            let mut receiver = SnapshotCoder::new(&format);
            let mut packet = Vec::new();
            for tick in (3..=150).step_by(3) {
                let snapshot = flying(&format, start, tick);
                shared.encode(&mut sent, 3, &snapshot, &mut packet).unwrap();
                let case = (format.rung(), format.class(), format.player(), start, tick);
                receiver
                    .decode(&mut received, 3, &packet)
                    .expect("a packet");
                assert_eq!(received.cubes(), snapshot, "{case:?}");
            }
        }
    }
}
