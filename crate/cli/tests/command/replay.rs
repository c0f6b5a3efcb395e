//! `snapshot-lab replay`: recordings of a game, played again.

use super::{called, file, json, refused};
use snapshot_base::hash::Fnv;
use snapshot_replication::recording::Writer;
use snapshot_replication::{Client, DatagramOutcome, Object, Server, Settings};

const LIMIT: usize = 1 << 20;

/// The recording of a client, of two seconds.
fn recording() -> Vec<u8> {
    let settings = Settings::new(3);
    let client = Client::recorded(settings.clone(), b"", 7, LIMIT);
    let server = Server::new(settings, [1; 16]);
    let (mut client, mut server) = (client.unwrap(), server.unwrap());
    for tick in 1..=120_u64 {
        let now_ms = tick as f64 * 1000.0 / 60.0;
        while let Some(datagram) = client.send(now_ms) {
            match server.receive(now_ms, &"client", &datagram) {
                DatagramOutcome::Answer(answer) => client.receive(now_ms, &answer).unwrap(),
                DatagramOutcome::Joins(peer, _) => server.admit(peer),
                DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
            }
        }
        let objects = [Object::at(1, [tick as f32 / 60.0, 0.0, 0.0])];
        let send = |_: &&str, datagram: &[u8]| client.receive(now_ms, datagram).unwrap();
        server
            .tick(now_ms, tick, &objects, |_, _| true, send)
            .unwrap();
        client.show(now_ms);
    }
    assert_eq!(client.show(2000.0).len(), 1);
    client.take_recording().unwrap()
}

/// The recording of a game that sent something else: the last byte of that hash, before end and check, is another.
fn of_another_game(recording: &[u8]) -> Vec<u8> {
    let mut bytes = recording[..recording.len() - 8].to_vec();
    let in_hash = bytes.len() - 3;
    bytes[in_hash] ^= 1;
    let mut check = Fnv::new();
    check.add_bytes(&bytes);
    [bytes, check.finish().to_le_bytes().to_vec()].concat()
}

#[test]
fn recordings_are_replayed_and_a_damaged_one_is_named() {
    let client = recording();
    let mut damaged = client.clone();
    damaged[client.len() / 2] ^= 1;
    let paths = [
        file("client.recording", &client),
        file("damaged.recording", damaged),
        file("none.recording", "seconds,x,y"),
        file("other.recording", of_another_game(&client)),
        file("guest.recording", Writer::new("nobody", &(), 0).finish()),
        file("server.recording", Writer::new("server", &(), 0).finish()),
    ];
    let [client, damaged, none, other, nobody, server] =
        paths.each_ref().map(|it| it.to_str().unwrap());

    let one = json(&["replay", client, "--json"]);
    let replay = &one["replays"][0];
    assert_eq!(replay["kind"], "client");
    assert_eq!(replay["is_equal"], true, "{replay}");
    assert_eq!(replay["end"], "taken");
    assert_eq!(replay["view_hash"].as_str().unwrap().len(), 16);
    assert!(replay["duration_ms"].as_f64().unwrap() > 1900.0);
    assert!(replay["shows"].as_u64().unwrap() >= 40);

    let five = called(&["replay", damaged, client, none, nobody, server]);
    assert_eq!(five.code, Some(1), "{five:?}");
    for refusal in [
        "damaged.recording: a damaged recording",
        "none.recording: no recording",
        "unknown kind \"nobody\"",
        "a recording of a server, which this version does not replay",
    ] {
        assert!(five.notes.contains(refusal), "{refusal}: {five:?}");
    }
    assert!(five.output.contains("equal"), "{five:?}");

    let other = called(&["replay", other]);
    assert_eq!(other.code, Some(1), "{other:?}");
    assert!(
        other.output.contains("sends something else between"),
        "{other:?}"
    );

    let none = refused(&["replay", none]);
    assert!(none.contains("none of the files can be replayed"), "{none}");
    refused(&["replay"]);
}
