//! Datagrams that were written once and stay as they are. `GOLDEN=write cargo test -p snapshot-replication golden` writes the
//! file anew, and FORMAT.md follows.

use super::settings;
use crate::Refusal;
use crate::connection::golden::{datagrams, name, read};
use crate::extras::{Extras, Velocities};
use crate::inputs::InputQueue;
use crate::payload::{Part, read_to_server};
use snapshot_base::time::WORLD;

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

/// A part of each kind for a client, or for the server after a number.
fn payloads() -> Vec<(&'static str, Vec<u8>)> {
    let to_client = |part: Part| {
        let mut bytes = Vec::new();
        part.write(&mut bytes);
        bytes
    };
    let to_server = |part: Part| [vec![0x77, 0x78], to_client(part)].concat();
    let packet = |age, part, last_part| Part::Packet {
        sequence: 0x1234,
        age,
        part,
        last_part,
        has_extras: false,
        bytes: &[0xab, 0xcd],
    };
    let details = Velocities {
        linear: Some([1.5, 0.0, -20.0]),
        angular: None,
    };
    let extras = Extras {
        jumps: vec![(7, 4650)],
        details: vec![(7, details)],
    };
    let mut with_extras = Vec::new();
    extras.write(0x1234, &mut with_extras);
    with_extras.extend([0xab, 0xcd]);
    let with_extras = |part, last_part| Part::Packet {
        sequence: 0x1234,
        age: 6,
        part,
        last_part,
        has_extras: true,
        bytes: &with_extras,
    };
    let chunk = Part::Chunk {
        tick: 70_000,
        index: 1,
        count: 3,
        bytes: &[0xab, 0xcd],
    };
    let has = Part::Has {
        tick: 70_000,
        before: 0b101,
    };
    let has_chunks = Part::HasChunks {
        tick: 70_000,
        missing: 1,
        after: 5,
    };
    let heard = Part::Heard {
        number: 0x7778,
        held_ms: 20,
        lost: 13,
        margin: 96,
    };
    let message = Part::Message {
        number: 9,
        bytes: b"hello",
    };
    let has_messages = Part::HasMessages { next: 9, after: 5 };
    let say = Part::Say {
        number: 9,
        bytes: b"hello",
    };
    let mut queue = InputQueue::new(WORLD, 16);
    queue.follow(0.0, 70_000.0, 0.0);
    for input in [&b"go"[..], b"go", b"", b"stop"] {
        let tick = queue.due(100.0).unwrap();
        queue.push(tick, input).unwrap();
    }
    let mut inputs = vec![0x77, 0x78, 6];
    assert!(queue.write(0x7778, 100, &mut inputs));
    vec![
        ("packet", to_client(packet(6, 0, 0))),
        ("packet-of-an-old-baseline", to_client(packet(700, 0, 0))),
        ("part", to_client(packet(6, 1, 2))),
        ("packet-with-extras", to_client(with_extras(0, 0))),
        ("part-with-extras", to_client(with_extras(0, 1))),
        ("chunk", to_client(chunk)),
        ("heard", to_client(heard)),
        ("message", to_client(message)),
        ("has-messages", to_client(has_messages)),
        ("say", to_client(say)),
        (
            "heard+packet",
            [to_client(heard), to_client(packet(6, 0, 0))].concat(),
        ),
        ("has", to_server(has)),
        ("has-chunks", to_server(has_chunks)),
        ("inputs", inputs.clone()),
        (
            "has+inputs",
            [to_server(has), inputs[2..].to_vec()].concat(),
        ),
        ("message-to-server", to_server(message)),
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

fn written(parts: &[Part]) -> Vec<u8> {
    let mut bytes = Vec::new();
    parts.iter().for_each(|part| part.write(&mut bytes));
    bytes
}

#[test]
fn each_golden_datagram_reads_as_itself() {
    for line in FILE
        .lines()
        .filter(|line| !line.starts_with('#') && !line.starts_with("settings"))
    {
        let (name, hex) = line.split_once(' ').unwrap();
        let bytes = bytes(hex);
        match name {
            "packet"
            | "packet-of-an-old-baseline"
            | "part"
            | "packet-with-extras"
            | "part-with-extras"
            | "chunk"
            | "heard"
            | "message"
            | "has-messages"
            | "say"
            | "heard+packet" => {
                assert_eq!(
                    written(&Part::read_all(&bytes, Part::is_to_client).unwrap()),
                    bytes
                );
            }
            "has" | "has-chunks" | "inputs" | "has+inputs" | "message-to-server" => {
                assert_eq!(written(&read_to_server(&bytes).unwrap().1), bytes[2..]);
            }
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
        let bytes = bytes(hex.trim_matches('-'));
        let refused = match what {
            "datagram" => read(&bytes).err(),
            "to-client" => Part::read_all(&bytes, Part::is_to_client).err(),
            _ => read_to_server(&bytes).err(),
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
