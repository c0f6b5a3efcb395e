//! Games that are recorded and replayed. `GOLDEN=write cargo test -p snapshot-replication recordings` writes those of
//! `recordings.txt` anew, with the seeds of the fuzz target, and RECORDING.md follows.

use super::{Table, any_settings, game, golden, link, press, settings};
use crate::recording::{ClientCall, EndReason, Reader, Record, replay};
use crate::{Client, Interest, Interpolation, Playout, Rung, Server, Settings};
use proptest::prelude::*;
use snapshot_base::hash::Fnv;
use snapshot_netsim::channel::Channel;
use std::collections::BTreeSet;

const SECRET: &[u8] = b"ticket";
const MESSAGE: &[u8] = b"a secret message that both ends send";

/// A table whose clients record. The game refuses the fourth client.
fn recorded(settings: &Settings, clients: u32, loss: f64, bytes_max: usize, seed: u32) -> Table {
    let mut table = Table::new(settings.clone());
    table.server = Server::new(settings.clone(), [seed as u8; 16]).unwrap();
    table.first_ms = 5e5;
    for number in 0..clients {
        let token = if number == 3 {
            &b"no ticket"[..]
        } else {
            SECRET
        };
        let nonce = 0xfeed_0000 + u64::from(seed * 16 + number);
        table.sit(token, link(loss));
        let seat = &mut table.seats[number as usize];
        let client = Client::recorded(settings.clone(), token, nonce, bytes_max);
        seat.client = client.unwrap();
        seat.ways = [0, 1].map(|way| Channel::new(link(loss), seed * 8 + number, way));
    }
    table
}

/// A tick in which all functions are called now and then.
fn step(table: &mut Table) {
    let count = table.count;
    let objects = |tick: u64| {
        let mut objects = game(tick, count);
        let fast = objects.iter_mut().filter(|it| it.id.is_multiple_of(2));
        fast.for_each(|it| it.velocity = Some([1.0, 0.5, 0.0]));
        let turn = tick as usize / 70 % objects.len().max(1);
        objects.rotate_left(turn);
        objects
    };
    table.step_game(objects, |tick, peer, object| {
        match (object.id + peer.number()) % 4 {
            0 if (tick / 60).is_multiple_of(2) => Interest::Unseen,
            1 => Interest::Detail(1.0),
            _ => Interest::by_distance([5.0, 0.0, 0.0], object, 4.0, 40.0),
        }
    });
    let (tick, now_ms) = (table.tick - table.started, table.now_ms());
    let server = &mut table.server;
    for peer in server.peers().collect::<Vec<_>>() {
        let _input = server.input(peer, tick + 1);
        if tick.is_multiple_of(37) {
            let _full = server.message(peer, MESSAGE);
            let _full = server.say(peer, MESSAGE);
        }
        if tick.is_multiple_of(150) {
            let kbps = tick.is_multiple_of(300).then_some(60.0);
            server.set_budget(peer, kbps).unwrap();
        }
        if tick == 400 && peer.number() == 2 {
            server.refuse(peer, "that is enough of you");
        }
    }
    while server.next_message().is_some() {}
    for seat in &mut table.seats {
        let client = &mut seat.client;
        let datagram = std::mem::take(&mut seat.last)[1].pop();
        if let Some(mut bytes) = datagram.filter(|_| tick.is_multiple_of(97)) {
            bytes[0] ^= 0x10;
            let _refused = client.receive(now_ms, &bytes);
            bytes[0] ^= 0x10;
            let last = bytes.len() - 1;
            bytes[last] ^= 1;
            let _refused = client.receive(now_ms, &bytes);
        }
        if tick.is_multiple_of(61) {
            let _full = client.message(MESSAGE);
            let _full = client.say(MESSAGE);
        }
        press(client, now_ms, |tick| [tick as u8 / 16]);
        if tick == 333 {
            client.go_live();
        }
        if tick == 400 {
            client.set_playout(Interpolation::Linear, Playout::Fixed { delay_ms: 150.0 });
        }
        while client.next_message().is_some() {}
    }
}

/// Plays ticks; returns the clients' recordings.
fn recordings(mut table: Table, ticks: u64) -> Vec<Vec<u8>> {
    (0..ticks).for_each(|_| step(&mut table));
    let _datagram = table.seats[0].client.goodbye();
    let seats = table.seats.iter_mut();
    let recordings = seats.map(|seat| seat.client.take_recording().unwrap());
    recordings.collect()
}

fn game_settings() -> Settings {
    Settings {
        rung: Rung::Arithmetic,
        ..settings(12)
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn any_game_is_replayed(settings in any_settings(), loss in 0.0..0.3, budget in any::<bool>(), ticks in 1..600_u64, seed in 0..99_u32) {
        let settings = Settings { budget_kbps: budget.then_some(80.0), congestion_control: budget, ..settings };
        for recording in recordings(recorded(&settings, 4, loss, 1 << 24, seed), ticks) {
            let replay = replay(&recording).unwrap();
            prop_assert_eq!((replay.difference, replay.compared_calls), (None, replay.calls));
            prop_assert_eq!((replay.end, replay.shows), (Some(EndReason::Taken), ticks));
            let duration_ms = (ticks - 1) as f64 * 1000.0 / 60.0;
            prop_assert!((replay.duration_ms - duration_ms).abs() < 1e-6);
            prop_assert!(!contains(&recording, &MESSAGE[..20]) && !contains(&recording, SECRET));
        }
    }

    /// All but the hashes of what was shown and sent is covered by a check, and these are compared.
    #[test]
    fn a_disturbed_byte_is_refused_or_reported(place in 0.0..1.0_f64, flip in 1..=255_u8, which in 0..2_usize) {
        let game = recorded(&game_settings(), 2, 0.05, 1 << 20, 5);
        let mut recordings = recordings(game, 90);
        let recording = &mut recordings[which];
        let at = (place * recording.len() as f64) as usize;
        if let Ok(replay) = replay(&recording[..at]) {
            prop_assert!(replay.end.is_none() && replay.difference.is_none());
        }
        recording[at] ^= flip;
        if let Ok(replay) = replay(recording) {
            prop_assert!(replay.difference.is_some(), "{replay:?}");
        }
    }
}

/// A client whose server starts again is told so by the tags of its own datagrams, which a replay seals with another key.
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_restart_of_the_server_is_replayed() {
    for seed in 0..8 {
        let mut game = recorded(&game_settings(), 3, 0.05, 1 << 24, seed);
        (0..200).for_each(|_| step(&mut game));
        game.server = Server::new(game_settings(), [seed as u8 + 100; 16]).unwrap();
        game.started = game.tick;
        (0..250).for_each(|_| step(&mut game));
        assert!(game.seats.iter().all(|seat| seat.client.restarts() == 1));
        for recording in recordings(game, 1) {
            assert_eq!(replay(&recording).unwrap().difference, None, "seed {seed}");
        }
    }
}

#[test]
fn a_recording_at_its_limit_stops_and_is_replayed() {
    for bytes_max in [0, 300, 2_000, 5_000] {
        let mut game = recorded(&game_settings(), 3, 0.02, bytes_max, 3);
        (0..400).for_each(|_| step(&mut game));
        for recording in recordings(game, 1) {
            assert!(recording.len() <= bytes_max.max(350), "{}", recording.len());
            let replay = replay(&recording).unwrap();
            assert_eq!(replay.end, Some(EndReason::Full));
            assert_eq!(replay.difference, None);
            assert_eq!(replay.compared_calls, replay.calls);
        }
    }
}

#[test]
fn a_copy_of_a_recording_is_one() {
    let mut game = recorded(&game_settings(), 1, 0.0, 1 << 20, 1);
    for _ in 0..200 {
        step(&mut game);
        let copy = replay(game.seats[0].client.recording().unwrap()).unwrap();
        assert_eq!((copy.end, copy.difference), (None, None));
        assert!(copy.compared_calls + 600 > copy.calls);
    }
}

/// A recorder that wrote another hash at the end saw something else: the replay says between which calls.
#[test]
fn a_difference_is_found_within_a_second() {
    let game = recorded(&game_settings(), 1, 0.0, 1 << 20, 1);
    let mut recording = recordings(game, 300).swap_remove(0);
    let calls = replay(&recording).unwrap().calls;
    let check_at = recording.len() - 8;
    // The last byte of the sent datagrams' hash, before the two of the end's reason.
    recording[check_at - 3] ^= 1;
    let mut check = Fnv::new();
    check.add_bytes(&recording[..check_at]);
    recording[check_at..].copy_from_slice(&check.finish().to_le_bytes());
    let difference = replay(&recording).unwrap().difference.unwrap();
    assert!(difference.in_sent && !difference.in_view);
    let span = difference.after_call..difference.by_call;
    assert!(
        span.end == calls && (100..600).contains(&span.count()),
        "{difference:?}"
    );
}

/// A client's recording of a small game, with each of its calls.
fn small_game() -> Vec<u8> {
    let mut game = recorded(&settings(2), 1, 0.0, 1 << 16, 1);
    (0..50).for_each(|_| step(&mut game));
    let client = &mut game.seats[0].client;
    client.message(MESSAGE).unwrap();
    client.say(MESSAGE).unwrap();
    client.go_live();
    client.set_playout(Interpolation::Linear, Playout::Fixed { delay_ms: 150.0 });
    (0..12).for_each(|_| step(&mut game));
    let peer = game.server.peers().next().unwrap();
    game.server.set_budget(peer, Some(64.0)).unwrap();
    game.server.refuse(peer, "enough");
    recordings(game, 1).swap_remove(0)
}

const GOLDEN: &str = include_str!("recordings.txt");

#[test]
fn recordings_are_the_golden_ones() {
    let recording = small_game();
    assert_eq!(variants(&recording), (0..12).collect());
    let hex = recording.iter().map(|byte| format!("{byte:02x}"));
    let mut text = String::from("# Recordings of a small game. RECORDING.md specifies them.\n");
    text += &format!("client {}\n", hex.collect::<String>());
    // That of an earlier recorder, which kept tokens and messages.
    let open = GOLDEN.lines().filter(|line| line.starts_with("open-"));
    open.for_each(|line| text += &format!("{line}\n"));
    for line in text.lines().skip(1) {
        let (name, bytes) = line.split_once(' ').unwrap();
        let replay = replay(&golden::bytes(bytes)).unwrap();
        assert_eq!(replay.difference, None, "{name}");
        assert_eq!(replay.compared_calls, replay.calls, "{name}");
    }
    if std::env::var("GOLDEN").as_deref() != Ok("write") {
        return assert!(text == GOLDEN, "{text}");
    }
    let root = env!("CARGO_MANIFEST_DIR");
    std::fs::write(format!("{root}/src/tests/recordings.txt"), text).unwrap();
    let header = recorded(&settings(2), 1, 0.0, 1 << 16, 1);
    let header = header.seats[0].client.recording().unwrap();
    let records = &recording[header.len()..];
    for (part, bytes) in [("whole", &recording[..]), ("records", records)] {
        let seed = format!("{root}/../../research/fuzz/corpus/recording/client-{part}");
        std::fs::write(seed, [&[0], bytes].concat()).unwrap();
    }
}

/// The variants of the calls in a client's recording.
fn variants(recording: &[u8]) -> BTreeSet<u8> {
    let mut reader = Reader::new(recording).unwrap();
    let records = std::iter::from_fn(|| reader.next_record::<ClientCall<'_>>().unwrap());
    let variant = |record| match record {
        Record::Call(call) => Some(postcard::to_allocvec(&call).unwrap()[0]),
        Record::Time(_) | Record::Hashes { .. } => None,
    };
    records.filter_map(variant).collect()
}
