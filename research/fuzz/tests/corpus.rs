//! Replays the corpora of the fuzz targets on stable.
//!
//! `CORPUS=write cargo test -p snapshot-fuzz` in `research` adds the seeds: of every rung a packet against the initial
//! snapshot and one against a baseline that the target's decoder holds; a sync packet
//! with each set of switches, and packets of few and many inputs.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::path::Path;

use proptest::prelude::*;
use snapshot_codec::{Class, Rung};
use snapshot_fuzz::snapshots::{accepted_packet, fields, fields_format, format, packet};
use snapshot_fuzz::strategies::{SYNC_HELD, inputs, sync, sync_cubes, sync_ends, sync_format};
use snapshot_fuzz::{BITS, CHOICE_BYTES, COUNTS};
use snapshot_lane::strategy::lockstep::{MOST_INPUTS, encode_inputs};
use snapshot_settings::Strategy;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");

fn writing() -> bool {
    std::env::var("CORPUS").as_deref() == Ok("write")
}

fn replay(target: &str, body: impl Fn(&[u8])) -> usize {
    std::fs::read_dir(Path::new(CORPUS).join(target))
        .unwrap()
        .map(|entry| body(&std::fs::read(entry.unwrap().path()).unwrap()))
        .count()
}

/// Replays seeds of the target `fields`: of each format the packets that its ends exchange.
#[test]
fn the_corpus_of_fields() {
    if writing() {
        for rung in Rung::ALL {
            for (slots, bits) in [("", 0), ("-slots", BITS.len() as u8)] {
                let choices = [rung.number(), bits, 9];
                for (baseline, against_initial) in [("initial", true), ("held", false)] {
                    let packet = accepted_packet(fields_format(&choices), against_initial);
                    let name = format!("{}{slots}-{baseline}", rung.name());
                    let bytes = [&choices[..], &packet].concat();
                    std::fs::write(Path::new(CORPUS).join("fields").join(name), bytes).unwrap();
                }
            }
        }
    }
    assert!(replay("fields", fields) >= 4 * Rung::ALL.len());
}

/// Choices of 9, 9 and 5 bits and of that many cubes or slots, one of [`COUNTS`], then the packet.
fn seed(
    (rung, class, has_slots): (Rung, Class, bool),
    cubes: usize,
    against_initial: bool,
) -> Vec<u8> {
    let strict = u8::from(class == Class::Strict) * Rung::ALL.len() as u8;
    let choices: [u8; CHOICE_BYTES] = [
        rung.number() + strict,
        if has_slots { BITS.len() as u8 } else { 0 },
        COUNTS.iter().position(|&count| count == cubes).unwrap() as u8,
    ];
    let format = format(&choices);
    assert_eq!((format.rung(), format.class()), (rung, class));
    assert_eq!(format.has_slots(), has_slots);
    let bytes = accepted_packet(format, against_initial);
    [&choices[..], &bytes].concat()
}

#[test]
fn the_corpus_of_packets() {
    if writing() {
        let codecs = Rung::ALL
            .into_iter()
            .flat_map(|rung| Class::ALL.map(|class| (rung, class)))
            .filter(|(rung, class)| rung.is_arithmetic() || *class == Class::Chained);
        let codecs = codecs.flat_map(|(rung, class)| {
            let has_slots = [false, true].into_iter();
            let has_slots = has_slots.filter(move |slots| !slots || !rung.needs_simulation());
            has_slots.map(move |has_slots| (rung, class, has_slots))
        });
        for codec @ (rung, class, has_slots) in codecs {
            for against_initial in [true, false] {
                let class_name = if class == Class::Strict {
                    "-strict"
                } else {
                    ""
                };
                let baseline = if against_initial { "initial" } else { "held" };
                let slots = if has_slots { "-slots" } else { "" };
                let name = format!("{}{class_name}{slots}-{baseline}", rung.name());
                let cubes = if rung.is_delta() { 100 } else { 4 };
                std::fs::write(
                    Path::new(CORPUS).join("packet").join(name),
                    seed(codec, cubes, against_initial),
                )
                .unwrap();
            }
        }
    }
    assert!(replay("packet", packet) >= 4 * (Rung::ALL.len() + 2));
}

/// Choices of 12, 15 and 12 bits and 40 cubes, then a sync packet with these switches.
fn sync_seed(switches: u8) -> Vec<u8> {
    let choices: [u8; CHOICE_BYTES] = [switches, 1, 14];
    let format = sync_format(&choices);
    let (mut encoder, _) = sync_ends(format);
    let mut bytes = Vec::new();
    let cubes = sync_cubes(&format, 2);
    encoder
        .encode(SYNC_HELD[2] + 3, &[5, 5, 1], cubes, 4000, &mut bytes, None)
        .unwrap();
    [&choices[..], &bytes].concat()
}

#[test]
fn the_corpus_of_sync_packets() {
    if writing() {
        for switches in 0..8 {
            let path = Path::new(CORPUS).join(format!("sync/switches-{switches}"));
            std::fs::write(path, sync_seed(switches)).unwrap();
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
            encode_inputs(65_535, seed, &mut bytes, None).unwrap();
            std::fs::write(Path::new(CORPUS).join("inputs").join(name), bytes).unwrap();
        }
    }
    assert!(replay("inputs", inputs) >= seeds.len());
}

#[test]
fn the_corpora_of_texts() {
    assert!(replay("motion", snapshot_record::motion::fuzz) >= 5);
    assert!(replay("trace", snapshot_netsim::trace::fuzz) >= 6);
    assert!(replay("permalink", snapshot_app::link::fuzz) >= 6);
}

/// `CORPUS=write cargo test -p snapshot-replication corpus` adds the seeds: they take its private parts.
#[test]
fn the_corpora_of_connections() {
    assert!(replay("hello", snapshot_replication::fuzz::hello) >= 5);
    assert!(replay("recording", snapshot_replication::fuzz::recording) >= 5);
    assert!(replay("payload", snapshot_replication::fuzz::payload) >= 5);
}

#[test]
fn each_strategy_has_a_corpus_of_its_packets() {
    for strategy in Strategy::ALL {
        let target = match strategy {
            Strategy::Snapshot => "packet",
            Strategy::Sync => "sync",
            Strategy::Lockstep => "inputs",
            Strategy::Game => "payload",
        };
        assert!(Path::new(CORPUS).join(target).is_dir(), "{strategy:?}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_decoded_or_refused(data in prop::collection::vec(any::<u8>(), 0..200)) {
        packet(&data);
        fields(&data);
        sync(&data);
        inputs(&data);
    }
}
