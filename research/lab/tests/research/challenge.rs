//! The codecs on the original's own data.

use crate::{excerpts, frames, unpacked};
use snapshot_codec::{BIT_65536THS, Class, Cube, Rung};
use snapshot_record::challenge::{
    self as challenge, ChallengeWorld, FRAME_BYTES, Judge, ParseError,
};
use snapshot_research::original::{Inputs, InputsError, Original};
use std::path::Path;

/// Bytes of the 300 packets of the excerpts of `mixed` and `roll`.
const EXCERPT_BYTES: [(Rung, Class, [usize; 2]); 12] = [
    (Rung::NotChanged, Class::Strict, [173_290, 52_630]),
    (Rung::Index, Class::Strict, [157_267, 21_390]),
    (Rung::RelativeIndex, Class::Strict, [148_735, 20_808]),
    (Rung::RelativePosition, Class::Strict, [111_807, 15_607]),
    (Rung::RelativeOrientation, Class::Strict, [102_743, 14_272]),
    (Rung::ChangedFlags, Class::Strict, [101_015, 13_912]),
    (Rung::Arithmetic, Class::Strict, [89_152, 13_178]),
    (Rung::Arithmetic, Class::Chained, [69_641, 10_407]),
    (Rung::Predicted, Class::Strict, [67_525, 8_972]),
    (Rung::Predicted, Class::Chained, [56_294, 8_104]),
    (Rung::Simulated, Class::Strict, [40_988, 6_336]),
    (Rung::Simulated, Class::Chained, [30_500, 5_349]),
];

#[test]
fn every_codec_without_a_world_judges_the_excerpts_as_it_did() {
    let rows = EXCERPT_BYTES.iter().map(|&(rung, class, _)| (rung, class));
    assert!(rows.take(10).eq(challenge::codecs()));
    judge_excerpts(|rung, _| rung != Rung::Simulated);
}

// Two tests, because each takes seconds and there are two cores.
#[test]
fn rung_simulated_judges_the_excerpts_as_it_did_strict() {
    judge_excerpts(|rung, class| rung == Rung::Simulated && class == Class::Strict);
}

#[test]
fn rung_simulated_judges_the_excerpts_as_it_did_chained() {
    judge_excerpts(|rung, class| rung == Rung::Simulated && class == Class::Chained);
}

fn judge_excerpts(wanted: impl Fn(Rung, Class) -> bool) {
    for (which, name) in ["mixed", "roll"].into_iter().enumerate() {
        let frames = frames(&excerpts(), name);
        let inputs = inputs(&excerpts(), name, frames.len());
        for (rung, class, bytes) in EXCERPT_BYTES {
            if wanted(rung, class) {
                let mean = bytes_per_packet_mean(rung, class, &frames, &inputs);
                let all = (mean * 300.0).round() as usize;
                assert_eq!(all, bytes[which], "{name} {rung:?} {class:?}");
            }
        }
    }
}

#[test]
fn the_excerpts_are_written_as_they_were_read_and_refused_when_they_are_damaged() {
    for name in ["mixed", "roll"] {
        let bytes = unpacked(&excerpts().join(format!("{name}.bin.xz")));
        let frames = challenge::parse(&bytes).unwrap();
        let mut written = Vec::new();
        frames
            .iter()
            .for_each(|frame| challenge::write_frame(frame, &mut written));
        assert!(written == bytes, "{name}");
        let cut = bytes.len() - 1;
        let truncated = ParseError::Truncated { bytes: cut };
        assert_eq!(challenge::parse(&bytes[..cut]), Err(truncated));
        let six = &bytes[..6 * FRAME_BYTES];
        let short = ParseError::TooShort { frames: 6 };
        assert_eq!(challenge::parse(six), Err(short));
        // The first number of the last cube: which component is the largest.
        let mut foreign = bytes.clone();
        foreign[bytes.len() - 32] = 4;
        let refusal = ParseError::Foreign {
            frame: 305,
            cube: 900,
            field: 0,
            value: 4,
        };
        assert_eq!(challenge::parse(&foreign), Err(refusal));
        let inputs = std::fs::read(excerpts().join(format!("{name}.inputs"))).unwrap();
        let too_few = InputsError::TooFew {
            bytes: 299,
            needed: 300,
        };
        assert_eq!(Inputs::parse(&inputs[1..], 306), Err(too_few));
    }
}

/// The input that led to each frame of a capture.
fn inputs(folder: &Path, name: &str, frames: usize) -> Vec<u8> {
    let file = std::fs::read(folder.join(format!("{name}.inputs"))).unwrap();
    Inputs::parse(&file, frames).unwrap().of_frames().to_vec()
}

/// Judges a capture: each packet comes back, and the ledger's sum is the size.
fn bytes_per_packet_mean(rung: Rung, class: Class, frames: &[Vec<Cube>], inputs: &[u8]) -> f64 {
    let format = challenge::format(rung, class).expect("the challenge's format is one");
    let first = frames.first_chunk().expect("a capture has more frames");
    let mut judge = Judge::new(&format, first).expect("captures are of the format");
    for n in challenge::INTERVAL..frames.len() {
        let world = ChallengeWorld {
            inputs,
            foresight: &mut Original,
        };
        let judged = judge.judge_with(n..n + 1, frames, world, &mut |_, run| run());
        judged.expect("frames are of the format");
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
