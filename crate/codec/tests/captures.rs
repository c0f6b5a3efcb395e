//! What the codec makes of the original's own data.

mod common;
mod support;

use snapshot_codec::challenge::{self, Judge};
use snapshot_codec::search::{Quantity, Rule};
use snapshot_codec::{
    BIT_65536THS, Class, CubeState, Decoder, Encoder, Format, Ledger, QuantisationBits, Rung,
};
use support::{CAPTURE_CUBES, read_capture, unpack_shared};

fn format(rung: Rung) -> Format {
    Format::new(rung, QuantisationBits::DEFAULT, CAPTURE_CUBES).expect("901 cubes")
}

#[test]
fn relative_orientations_cost_what_was_published() {
    let Some(text) = unpack_shared("smallest_three_values.txt") else {
        return;
    };
    let quantity = Quantity::SmallestThree;
    let samples = quantity
        .parse_samples(&String::from_utf8(text).unwrap())
        .unwrap();
    assert_eq!(samples.len(), 150_273);
    let differences = quantity.differences(&samples);
    let mut figures: Vec<_> = quantity
        .candidates(3..=6, 8..=10)
        .into_iter()
        .map(|candidate| {
            let [widths, ..] = candidate;
            (
                quantity.bits(&differences, candidate, Rule::Published),
                (widths.small_bits, widths.large_bits),
            )
        })
        .collect();
    figures.sort_unstable();
    let published = [
        (3_501_507, (5, 8)),
        (3_536_112, (4, 8)),
        (3_598_078, (6, 8)),
        (3_656_912, (5, 9)),
        (3_664_963, (3, 8)),
        (3_679_774, (6, 9)),
        (3_761_338, (4, 9)),
        (3_762_190, (6, 10)),
        (3_813_851, (5, 10)),
        (3_951_305, (3, 9)),
    ];
    assert_eq!(figures[..10], published);
    let written = quantity.written_bits(&samples, &format(Rung::RelativeOrientation));
    assert_eq!(written, 3_472_353);
}

#[test]
fn quantises_as_the_original_did() {
    let (Some(truth), Some(frames)) = (unpack_shared("mixed-1200.f32"), read_capture("mixed"))
    else {
        return;
    };
    let truth: Vec<f32> = truth
        .chunks_exact(4)
        .map(|word| f32::from_le_bytes(word.try_into().unwrap()))
        .collect();
    let format = format(Rung::ChangedFlags);
    let mut ticks = 0;
    // Frames 0 to 4 of a capture repeat the initial state.
    for (floats, frame) in truth.chunks_exact(14 * CAPTURE_CUBES).zip(&frames[5..]) {
        for (floats, cube) in floats.chunks_exact(14).zip(frame) {
            let state = CubeState {
                position: floats[0..3].try_into().unwrap(),
                orientation: floats[3..7].try_into().unwrap(),
                linear_velocity: floats[7..10].try_into().unwrap(),
                angular_velocity: floats[10..13].try_into().unwrap(),
                interacting: floats[13] != 0.0,
                at_rest: false,
            };
            assert_eq!(format.quantise(&state), *cube, "{state:?}");
        }
        ticks += 1;
    }
    assert_eq!(ticks, 1200);
}

#[test]
fn every_delta_rung_is_lossless_and_as_small_as_it_was() {
    let Some(frames) = read_capture("mixed") else {
        return;
    };
    for (rung, bytes_per_packet) in [
        (Rung::NotChanged, 921.493),
        (Rung::Index, 895.789),
        (Rung::RelativeIndex, 860.847),
        (Rung::RelativePosition, 693.096),
        (Rung::RelativeOrientation, 645.886),
        (Rung::ChangedFlags, 638.944),
    ] {
        let format = format(rung);
        let mut encoder = Encoder::new(format, &frames[0]).unwrap();
        let mut decoder = Decoder::new(format, &frames[0]).unwrap();
        let (mut packet, mut ledger, mut received) = (Vec::new(), Ledger::new(), Vec::new());
        for (sequence, frame) in (0_u16..).zip(&frames) {
            if sequence == 6 {
                ledger.clear();
            }
            // The challenge's rule: frame n is sent against frame n - 6.
            if let Some(acked) = sequence.checked_sub(6) {
                encoder.ack(acked);
            }
            encoder
                .encode(sequence, frame, &mut packet, &mut ledger)
                .unwrap();
            let header = decoder.decode(&packet, sequence, &mut received).unwrap();
            assert_eq!(header.baseline, sequence.checked_sub(6));
            assert_eq!(&received, frame);
        }
        let packets = (frames.len() - 6) as f64;
        let mean = ledger.total_65536ths() as f64 / BIT_65536THS as f64 / 8.0 / packets;
        assert!(
            (mean - bytes_per_packet).abs() < 0.001,
            "{rung:?}: {mean} bytes a packet"
        );
    }
}

#[test]
fn spans_tile_packets_of_the_captured_mixed_and_tell_every_changed_cube() {
    let Some(frames) = read_capture("mixed") else {
        return;
    };
    for (rung, class) in challenge::codecs() {
        let format = format(rung).with_class(class);
        let mut encoder = Encoder::new(format, &frames[0]).unwrap();
        let (mut packet, mut ledger) = (Vec::new(), Ledger::with_spans());
        for (sequence, n) in (0_u16..).zip(600..620) {
            let base = sequence.checked_sub(6).map_or(&frames[0], |acked| {
                encoder.ack(acked);
                &frames[n - 6]
            });
            ledger.clear();
            encoder
                .encode(sequence, &frames[n], &mut packet, &mut ledger)
                .unwrap();
            common::check_spans(&ledger, &format, base, &frames[n], packet.len());
        }
    }
}

/// Bytes a packet of the challenge's best entry on the captured `mixed`, and how much of it each rung may take.
#[test]
fn arithmetic_rungs_beat_the_best_of_the_challenge() {
    const BEST: f64 = 401.3;
    let Some(frames) = read_capture("mixed") else {
        return;
    };
    for (rung, class, ratio) in [
        (Rung::Arithmetic, Class::Chained, 1.0),
        (Rung::Predicted, Class::Strict, 0.88),
        (Rung::Predicted, Class::Chained, 0.78),
    ] {
        let mut judge = Judge::new(&challenge::format(rung, class).unwrap());
        for n in challenge::INTERVAL..frames.len() {
            judge
                .judge(n..n + 1, &frames, &mut |_, encode_or_decode| {
                    encode_or_decode()
                })
                .unwrap();
        }
        let verdict = judge.verdict();
        assert!(verdict.lossless());
        assert_eq!(verdict.packets, 2831);
        assert_eq!(
            verdict.ledger.total_65536ths(),
            8 * BIT_65536THS * verdict.bytes as i64,
            "the ledger's sum is not the packets' size"
        );
        let mean = verdict.bytes_per_packet_mean();
        assert!(
            mean <= ratio * BEST,
            "{rung:?} {class:?}: {mean} bytes a packet"
        );
    }
}
