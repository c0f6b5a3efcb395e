//! Replays the corpora of the fuzz targets `sync` and `inputs` on stable.
//!
//! `CORPUS=write cargo test -p snapshot-strategies --test corpus` adds the seeds: a packet with each set of switches, and
//! packets of few and many inputs.

use std::path::Path;

use snapshot_strategies::fuzz::{
    CHOICE_BYTES, SYNC_HELD, inputs, sync, sync_cubes, sync_ends, sync_format,
};
use snapshot_strategies::lockstep::{MOST_INPUTS, encode_inputs};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../research/fuzz/corpus");

fn writing() -> bool {
    std::env::var("CORPUS").as_deref() == Ok("write")
}

fn replay(target: &str, body: impl Fn(&[u8])) -> usize {
    std::fs::read_dir(Path::new(CORPUS).join(target))
        .expect("a folder")
        .map(|entry| body(&std::fs::read(entry.expect("a file").path()).expect("readable")))
        .count()
}

/// Choices of 12, 15 and 12 bits and 40 cubes, then a packet.
fn seed(switches: u8) -> Vec<u8> {
    let choices: [u8; CHOICE_BYTES] = [switches, 1, 14];
    let format = sync_format(&choices);
    let (mut encoder, _) = sync_ends(format);
    let mut bytes = Vec::new();
    let cubes = sync_cubes(&format, 2);
    encoder
        .encode(SYNC_HELD[2] + 3, &[5, 5, 1], cubes, 4000, &mut bytes, None)
        .expect("quantised");
    [&choices[..], &bytes].concat()
}

#[test]
fn the_corpus_of_sync_packets() {
    if writing() {
        for switches in 0..8 {
            let path = Path::new(CORPUS).join(format!("sync/switches-{switches}"));
            std::fs::write(path, seed(switches)).expect("writable");
        }
    }
    assert!(replay("sync", sync) >= 8);
}

#[test]
fn the_corpus_of_inputs() {
    let ramp: Vec<u8> = (0..MOST_INPUTS).map(|frame| (frame % 64) as u8).collect();
    let seeds: [(&str, &[u8]); 4] = [
        ("one", &[0]),
        ("held", &[5; 120]),
        ("tapped", &[0, 0, 16, 16, 16, 0, 1, 1, 3]),
        ("most", &ramp),
    ];
    if writing() {
        for (name, seed) in seeds {
            let mut bytes = Vec::new();
            encode_inputs(65_535, seed, &mut bytes, None).expect("in range");
            std::fs::write(Path::new(CORPUS).join("inputs").join(name), bytes).expect("writable");
        }
    }
    assert!(replay("inputs", inputs) >= seeds.len());
}
