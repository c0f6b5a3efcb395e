//! Recordings that were written once and stay as they are, and bytes that are refused, each with its sentence.
//! `GOLDEN=write cargo test -p snapshot-replication recording` writes the first anew, and RECORDING.md follows.

use super::*;
use crate::tests::golden::bytes;

const FILE: &str = include_str!("golden.txt");
const REFUSED: &str = include_str!("refused.txt");

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Small recordings with calls of each kind.
fn recordings() -> Vec<(&'static str, Vec<u8>)> {
    let settings = Settings {
        fields: vec![ObjectField::counter("health", 7)],
        ..Settings::new(2)
    };
    let secret = [3; 16];
    let mut clients = [Blank::Secrets, Blank::Nothing]
        .map(|blank| Client::recorded(settings.clone(), b"token", 0x1234, 1 << 16, blank).unwrap());
    let mut server = Server::recorded(settings, secret, 1 << 16, Blank::Secrets).unwrap();
    for tick in 1..=8_u64 {
        let now_ms = tick as f64 * 250.0;
        for client in &mut clients {
            while let Some(datagram) = client.send(now_ms) {
                let from = "192.0.2.1:7000";
                match server.receive_from_host(now_ms, &from, 0xc000_0201, &datagram) {
                    DatagramOutcome::Answer(answer) => client.receive(now_ms, &answer).unwrap(),
                    DatagramOutcome::Joins(peer, _) => server.admit(peer),
                    DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
                }
            }
        }
        let peer = Peer::from_number(1);
        if tick == 5 {
            server.message(peer, b"hello").unwrap();
            server.say(peer, b"hey").unwrap();
            server.set_budget(peer, Some(64.0)).unwrap();
        }
        let _input = server.input(peer, tick);
        let mut objects = vec![
            Object::at(7, [tick as f32, 0.0, 0.0]),
            Object::at(8, [0.0; 3]),
        ];
        objects[0].fields[0] = tick as u32;
        objects.truncate(1 + tick as usize % 3);
        let sees = |_: Peer, object: &Object| match object.id {
            7 => Interest::Detail(0.5),
            _ => (tick % 2 == 0).into(),
        };
        let mut sent = Vec::new();
        let send = |_: &&str, datagram: &[u8]| sent.push(datagram.to_vec());
        server.tick(now_ms, 6 * tick, &objects, sees, send).unwrap();
        while server.next_event().is_some() {}
        while server.next_message().is_some() {}
        for client in &mut clients {
            for datagram in &sent {
                let _refused = client.receive(now_ms, datagram);
            }
            while let Some(tick) = client.next_input(now_ms) {
                client.input(tick, b"w").unwrap();
            }
            if tick == 6 {
                client.message(b"well").unwrap();
                client.say(b"so").unwrap();
                client.go_live();
                client.set_playout(Interpolation::Linear, Playout::Fixed { delay_ms: 150.0 });
            }
            client.show(now_ms);
            while client.next_message().is_some() {}
            while client.next_event().is_some() {}
        }
    }
    server.refuse(Peer::from_number(1), "enough");
    let [mut blank, mut open] = clients;
    let _datagram = blank.goodbye();
    let mut full = Writer::new("client", b"", 0);
    full.call(1, Some(1.0), b"");
    vec![
        ("client", blank.take_recording().unwrap()),
        ("client-with-messages", open.take_recording().unwrap()),
        ("server", server.take_recording().unwrap()),
        ("full", full.bytes().to_vec()),
    ]
}

#[test]
fn recordings_are_the_golden_ones() {
    let head = "# Recordings of one small game: name and bytes. RECORDING.md specifies them.";
    let lines = recordings();
    let lines = lines
        .iter()
        .map(|(name, it)| format!("{name} {}\n", hex(it)));
    let text = format!("{head}\n{}", lines.collect::<String>());
    if std::env::var("GOLDEN").as_deref() == Ok("write") {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/src/recording/tests/golden.txt"
        );
        return std::fs::write(path, &text).unwrap();
    }
    assert_eq!(text, FILE);
    for line in FILE
        .lines()
        .skip(1)
        .filter(|line| !line.starts_with("full"))
    {
        let (name, hex) = line.split_once(' ').unwrap();
        assert_eq!(replay(&bytes(hex)).unwrap().difference, None, "{name}");
    }
    let kinds = |name: &str| {
        let recordings = recordings();
        let (_, bytes) = recordings.iter().find(|(other, _)| *other == name).unwrap();
        let mut reader = Reader::new(bytes).unwrap();
        let mut kinds = Vec::new();
        while let Some(record) = reader.next_record().unwrap() {
            if let Record::Call(call) = record {
                kinds.push(call.kind);
            }
        }
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    };
    assert_eq!(kinds("client"), (1..=12).collect::<Vec<u8>>());
    assert_eq!(kinds("server"), (1..=10).collect::<Vec<u8>>());
}

/// The sentence with which bytes are refused, and the bytes.
#[test]
fn what_is_no_recording_is_refused_by_name() {
    let mut refusals = 0;
    for line in REFUSED.lines().filter(|line| !line.starts_with('#')) {
        let (hex, sentence) = line.split_once(' ').unwrap();
        let refused = replay(&bytes(hex.trim_matches('-'))).unwrap_err();
        assert_eq!(refused.to_string(), sentence, "{hex}");
        refusals += 1;
    }
    assert!(refusals >= 12);
}
