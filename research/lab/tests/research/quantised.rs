//! The codec on the original's own data.

use crate::{excerpts, frames, truth, whole};
use snapshot_codec::{
    BIT_65536THS, Class, Cube, CubeState, Decoder, Encoder, Format, Ledger, Life, QuantisationBits,
    Rung,
};
use snapshot_record::challenge::CUBES;

fn format(rung: Rung) -> Format {
    Format::new(rung, QuantisationBits::DEFAULT, CUBES).expect("901 cubes")
}

#[test]
#[ignore = "needs whole captures: they are no part of the project"]
fn quantises_as_the_original_did() {
    let (truth, frames) = (truth(), frames(&whole(), "mixed"));
    let format = format(Rung::ChangedFlags);
    let mut ticks = 0;
    // Frames 0 to 4 of a capture repeat the initial state.
    for (floats, frame) in truth.chunks_exact(CUBES).zip(&frames[5..]) {
        for (floats, cube) in floats.iter().zip(frame) {
            let state = CubeState {
                position: floats[0..3].try_into().unwrap(),
                orientation: floats[3..7].try_into().unwrap(),
                linear_velocity: floats[7..10].try_into().unwrap(),
                angular_velocity: floats[10..13].try_into().unwrap(),
                interacting: floats[13] != 0.0,
                at_rest: false,
                life: Life::default(),
            };
            assert_eq!(format.quantise(&state), *cube, "{state:?}");
        }
        ticks += 1;
    }
    assert_eq!(ticks, 1200);
}

/// Mean bytes of a packet on the excerpts of `mixed` and `roll`.
const ON_EXCERPTS: [(Rung, Class, [f64; 2]); 10] = [
    (Rung::NotChanged, Class::Strict, [581.633, 179.433]),
    (Rung::Index, Class::Strict, [528.457, 75.690]),
    (Rung::RelativeIndex, Class::Strict, [499.897, 73.630]),
    (Rung::RelativePosition, Class::Strict, [376.827, 56.160]),
    (Rung::RelativeOrientation, Class::Strict, [346.630, 51.690]),
    (Rung::ChangedFlags, Class::Strict, [340.837, 50.463]),
    (Rung::Arithmetic, Class::Strict, [301.297, 48.030]),
    (Rung::Arithmetic, Class::Chained, [236.160, 38.817]),
    (Rung::Predicted, Class::Strict, [229.217, 34.023]),
    (Rung::Predicted, Class::Chained, [191.730, 31.113]),
];
#[test]
fn every_delta_rung_is_lossless_and_as_small_as_it_was() {
    for (which, name) in ["mixed", "roll"].into_iter().enumerate() {
        let frames = frames(&excerpts(), name);
        for (rung, class, bytes) in ON_EXCERPTS {
            check(rung, class, &frames, bytes[which]);
        }
    }
}

/// Sends all frames, each against the one six before, and compares what arrives and what it took.
fn check(rung: Rung, class: Class, frames: &[Vec<Cube>], bytes_per_packet: f64) {
    let format = format(rung).with_class(class);
    let mut encoder = Encoder::new(format, &frames[0]).expect("a snapshot");
    let mut decoder = Decoder::new(format, &frames[0]).expect("a snapshot");
    let (mut packet, mut ledger, mut received) = (Vec::new(), Ledger::new(), Vec::new());
    for (sequence, frame) in (0_u16..).zip(frames) {
        if sequence == 6 {
            ledger.clear();
        }
        // The challenge's rule: frame n is sent against frame n - 6.
        if let Some(acked) = sequence.checked_sub(6) {
            encoder.ack(acked);
        }
        encoder
            .encode_ahead(frame, sequence, &mut packet, Some(&mut ledger))
            .expect("quantised");
        let header = decoder
            .decode(&packet, sequence, &mut received)
            .expect("just encoded");
        assert_eq!(header.baseline, sequence.checked_sub(6));
        assert_eq!(&received, frame);
    }
    let packets = (frames.len() - 6) as f64;
    let mean = ledger.total_65536ths() as f64 / BIT_65536THS as f64 / 8.0 / packets;
    assert!(
        (mean - bytes_per_packet).abs() < 0.001,
        "{rung:?} {class:?}: {mean} bytes a packet"
    );
}
