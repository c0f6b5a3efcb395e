//! Replays the corpus of the fuzz target `sync` on stable.
//!
//! `CORPUS=write cargo test -p snapshot-codec --test sync_corpus` adds the seeds: a packet with each set of switches.

use std::path::Path;

use snapshot_codec::fuzz::{CHOICE_BYTES, SYNC_HELD, sync, sync_cubes, sync_ends, sync_format};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus/sync");

/// Choices of 12, 15 and 12 bits and 40 cubes, then a packet.
fn seed(switches: u8) -> Vec<u8> {
    let choices: [u8; CHOICE_BYTES] = [switches, 1, 14];
    let format = sync_format(&choices);
    let (mut sender, _) = sync_ends(format);
    let mut bytes = Vec::new();
    let cubes = sync_cubes(&format, 2);
    sender
        .encode(SYNC_HELD[2] + 3, &[5, 5, 1], cubes, 4000, &mut bytes, None)
        .expect("quantised");
    [&choices[..], &bytes].concat()
}

#[test]
fn the_corpus_of_sync_packets() {
    if std::env::var("CORPUS").as_deref() == Ok("write") {
        std::fs::create_dir_all(CORPUS).unwrap();
        for switches in 0..8 {
            std::fs::write(
                Path::new(CORPUS).join(format!("switches-{switches}")),
                seed(switches),
            )
            .unwrap();
        }
    }
    let inputs = std::fs::read_dir(CORPUS)
        .unwrap()
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    assert!(inputs.inspect(|input| sync(input)).count() >= 8);
}
