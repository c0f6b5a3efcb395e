//! Replays the corpus of the fuzz target `packet` on stable.
//!
//! `CORPUS=write cargo test -p snapshot-codec --test corpus` adds the seeds: of every rung a packet against the initial
//! snapshot and one against a baseline that the target's decoder holds.

use std::path::Path;

use snapshot_codec::fuzz::{CHOICE_BYTES, HELD_SEQUENCES, decoder, format, packet};
use snapshot_codec::{Encoder, Ledger, Rung};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus/packet");

/// Choices of 9, 9 and 5 bits and of that many cubes, then the packet.
fn seed(rung: Rung, cubes: u8, against_initial: bool) -> Vec<u8> {
    let choices: [u8; CHOICE_BYTES] = [rung.number(), 5, 7, 5, cubes - 1];
    let format = format(&choices);
    let (_, [initial, held @ ..]) = decoder(format);
    let mut encoder = Encoder::new(format, &initial).expect("quantised");
    let (mut bytes, mut ledger) = (Vec::new(), Ledger::new());
    for (sequence, snapshot) in HELD_SEQUENCES.into_iter().zip(&held) {
        encoder
            .encode(sequence, snapshot, &mut bytes, &mut ledger)
            .expect("quantised");
    }
    if !against_initial {
        encoder.ack(HELD_SEQUENCES[0]);
    }
    encoder
        .encode(HELD_SEQUENCES[1] + 3, &held[1], &mut bytes, &mut ledger)
        .expect("quantised");
    [&choices[..], &bytes].concat()
}

#[test]
fn the_corpus_of_packets() {
    if std::env::var("CORPUS").as_deref() == Ok("write") {
        for rung in Rung::ALL {
            for against_initial in [true, false] {
                let name = format!(
                    "{}-{}",
                    rung.name(),
                    if against_initial { "initial" } else { "held" }
                );
                let cubes = if rung.is_delta() { 100 } else { 4 };
                std::fs::write(
                    Path::new(CORPUS).join(name),
                    seed(rung, cubes, against_initial),
                )
                .unwrap();
            }
        }
    }
    let inputs = std::fs::read_dir(CORPUS)
        .unwrap()
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    assert!(inputs.inspect(|input| packet(input)).count() >= 2 * Rung::ALL.len());
}
