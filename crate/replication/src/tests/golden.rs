//! Datagrams that were written once and stay as they are. `GOLDEN=write cargo test -p snapshot-replication golden` writes the
//! file anew, and FORMAT.md follows.

use super::settings;
use crate::Refusal;
use crate::connection::golden::{datagrams, name, read};
use crate::payload::{ToClient, ToServer};

const FILE: &str = include_str!("golden.txt");
const REFUSED: &str = include_str!("refused.txt");

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.map(byte).collect()
}

fn payloads() -> Vec<(&'static str, Vec<u8>)> {
    let to_client = |payload: ToClient| {
        let mut bytes = Vec::new();
        payload.write(&mut bytes);
        bytes
    };
    let packet = |part, last_part| ToClient::Packet {
        sequence: 0x1234,
        age: 6,
        part,
        last_part,
        bytes: &[0xab, 0xcd],
    };
    let chunk = ToClient::Chunk {
        tick: 70_000,
        index: 1,
        count: 3,
        bytes: &[0xab, 0xcd],
    };
    let has_chunks = ToServer::HasChunks {
        tick: 70_000,
        missing: 1,
        after: 5,
    };
    vec![
        ("packet", to_client(packet(0, 0))),
        ("part", to_client(packet(1, 2))),
        ("chunk", to_client(chunk)),
        ("has", ToServer::Has { tick: 70_000 }.bytes()),
        ("has-chunks", has_chunks.bytes()),
    ]
}

#[test]
fn datagrams_and_payloads_are_the_golden_ones() {
    let mut text = String::from(
        "# Each line is a datagram of FORMAT.md, or a payload of one, and its bytes.\n",
    );
    for (name, bytes) in datagrams().into_iter().chain(payloads()) {
        text += &format!("{name} {}\n", hex(&bytes));
    }
    text += &format!("settings {:016x}\n", settings(40).hash());
    if std::env::var("GOLDEN").as_deref() == Ok("write") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/golden.txt");
        std::fs::write(path, &text).unwrap();
        return;
    }
    assert_eq!(text, FILE);
}

#[test]
fn each_golden_datagram_reads_as_itself() {
    for line in FILE.lines().filter(|line| !line.starts_with(['#', 's'])) {
        let (name, hex) = line.split_once(' ').unwrap();
        let bytes = bytes(hex);
        match name {
            "packet" | "part" | "chunk" => assert!(ToClient::read(&bytes).is_ok()),
            "has" | "has-chunks" => assert!(ToServer::read(&bytes).is_ok()),
            // A sealed datagram is one of three kinds: its name here says what is in it.
            name => assert_eq!(Ok(name), read(&bytes)),
        }
    }
}

#[test]
fn what_is_not_canonical_is_refused_by_name() {
    let mut refusals = 0;
    for line in REFUSED.lines().filter(|line| !line.starts_with('#')) {
        let [reason, what, hex] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let bytes = bytes(hex);
        let refused = match what {
            "datagram" => read(&bytes).err(),
            "to-client" => ToClient::read(&bytes).err(),
            _ => ToServer::read(&bytes).err(),
        };
        assert_eq!(refused.map(name).as_deref(), Some(reason), "{line}");
        refusals += 1;
    }
    assert!(refusals > 15);
    assert_eq!(Refusal::NotAdmitted.number(), 4);
}

/// Seeds of the fuzz targets, and their replay: `CORPUS=write cargo test -p snapshot-replication corpus`.
#[test]
fn the_corpus_is_replayed() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../research/fuzz/corpus");
    type Body = fn(&[u8]);
    let targets: [(&str, Vec<_>, Body); 2] = [
        ("hello", datagrams(), crate::fuzz::hello),
        ("payload", payloads(), crate::fuzz::payload),
    ];
    for (target, seeds, body) in targets {
        let folder = std::path::Path::new(corpus).join(target);
        if std::env::var("CORPUS").as_deref() == Ok("write") {
            std::fs::create_dir_all(&folder).unwrap();
            for (name, seed) in seeds {
                let choice = if target == "payload" { &[1][..] } else { &[] };
                let seed = [choice, &[seed.len() as u8], &seed].concat();
                std::fs::write(folder.join(name), seed).unwrap();
            }
        }
        let files = std::fs::read_dir(folder).unwrap();
        let replayed = files.map(|file| body(&std::fs::read(file.unwrap().path()).unwrap()));
        assert!(replayed.count() >= 5);
    }
}
