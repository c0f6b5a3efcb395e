//! What the codecs and the search make of the original's own data.

#[path = "../../codec/tests/support/mod.rs"]
mod support;

use snapshot_challenge::search::{Quantity, Rule};
use snapshot_challenge::{self as challenge, Capture, Inputs, Judge};
use snapshot_codec::{BIT_65536THS, Class, Rung};
use support::{read_capture, read_inputs, unpack_shared};

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
                (widths.small_bits(), widths.large_bits()),
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
    assert_eq!(quantity.written_bits(&samples), 3_472_353);
}

/// Bytes a packet of the challenge's best entry on the captured `mixed`, and how much of it each rung may take.
#[test]
fn arithmetic_rungs_beat_the_best_of_the_challenge() {
    const BEST: f64 = 401.3;
    let Some(frames) = read_capture("mixed") else {
        return;
    };
    let capture = Capture {
        frames,
        inputs: None,
    };
    for (rung, class, ratio) in [
        (Rung::Arithmetic, Class::Chained, 1.0),
        (Rung::Predicted, Class::Strict, 0.88),
        (Rung::Predicted, Class::Chained, 0.78),
    ] {
        let mean = bytes_per_packet_mean(rung, class, &capture);
        assert!(
            mean <= ratio * BEST,
            "{rung:?} {class:?}: {mean} bytes a packet"
        );
    }
}

/// Of rung predicted, what simulating with the captured inputs leaves; over ten seconds, which take it most of a minute.
#[test]
fn simulating_the_originals_world_saves_a_sixth_at_least() {
    let Some((mut frames, inputs)) = read_capture("mixed").zip(read_inputs("mixed")) else {
        return;
    };
    frames.truncate(600);
    let capture = Capture {
        inputs: Some(Inputs::parse(&inputs, frames.len()).unwrap()),
        frames,
    };
    for class in Class::ALL {
        let of = |rung| bytes_per_packet_mean(rung, class, &capture);
        let (predicted, simulated) = (of(Rung::Predicted), of(Rung::Simulated));
        assert!(
            simulated < 0.84 * predicted,
            "{class:?}: {simulated} of {predicted}"
        );
    }
}

/// Judged: each packet is what it was, and the ledger's sum is their size.
fn bytes_per_packet_mean(rung: Rung, class: Class, capture: &Capture) -> f64 {
    let format = challenge::format(rung, class).expect("the challenge's format is one");
    let frames = &capture.frames;
    let first = frames.first_chunk().expect("a capture has more frames");
    let mut judge = Judge::new(&format, first).expect("captures are of the format");
    for n in challenge::INTERVAL..frames.len() {
        judge
            .judge(n..n + 1, capture, &mut |_, encode_or_decode| {
                encode_or_decode()
            })
            .expect("frames are of the format");
    }
    let verdict = judge.verdict();
    assert!(verdict.lossless(), "{rung:?} {class:?}");
    assert_eq!(verdict.packets, frames.len() - challenge::INTERVAL);
    assert_eq!(
        verdict.ledger.total_65536ths(),
        8 * BIT_65536THS * verdict.bytes as i64,
        "the ledger's sum is not the packets' size"
    );
    verdict.bytes_per_packet_mean()
}
