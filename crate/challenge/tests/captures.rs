//! What the codecs and the search make of the original's own data.

#[path = "../../codec/tests/support/mod.rs"]
mod support;

use snapshot_challenge::search::{Quantity, Rule};
use snapshot_challenge::{self as challenge, Judge};
use snapshot_codec::{BIT_65536THS, Class, Rung};
use support::{read_capture, unpack_shared};

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
    for (rung, class, ratio) in [
        (Rung::Arithmetic, Class::Chained, 1.0),
        (Rung::Predicted, Class::Strict, 0.88),
        (Rung::Predicted, Class::Chained, 0.78),
    ] {
        let mut judge = Judge::new(
            &challenge::format(rung, class).unwrap(),
            frames.first_chunk().unwrap(),
        )
        .unwrap();
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
