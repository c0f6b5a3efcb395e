//! Games that are recorded and replayed. `GOLDEN=write cargo test -p snapshot-replication recordings` writes those of
//! `recordings.txt` anew, with the seeds of the fuzz target, and RECORDING.md follows.

use super::{Table, any_settings, game, golden, link, press, settings};
use crate::recording::{ClientCall, EndReason, Reader, Record, ServerCall, replay};
use crate::{Client, Interest, Interpolation, Object, Playout, Rung, Server, Settings};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use snapshot_base::hash::Fnv;
use snapshot_netsim::channel::Channel;
use std::collections::BTreeSet;

const SECRET: &[u8] = b"ticket";
const MESSAGE: &[u8] = b"a secret message that both ends send";

fn server(settings: &Settings, bytes_max: usize, seed: u32) -> Server<super::Address> {
    Server::recorded(settings.clone(), [seed as u8; 16], bytes_max).unwrap()
}

/// A table whose ends record. The game refuses the fourth client.
fn recorded(settings: &Settings, clients: u32, loss: f64, bytes_max: usize, seed: u32) -> Table {
    let mut table = Table::new(settings.clone());
    table.server = server(settings, bytes_max, seed);
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

/// Plays ticks; returns the recordings, that of the server last.
fn recordings(mut table: Table, ticks: u64) -> Vec<Vec<u8>> {
    (0..ticks).for_each(|_| step(&mut table));
    let _datagram = table.seats[0].client.goodbye();
    let seats = table.seats.iter_mut();
    let recordings = seats.map(|seat| seat.client.take_recording().unwrap());
    let mut recordings: Vec<Vec<u8>> = recordings.collect();
    recordings.push(table.server.take_recording().unwrap());
    recordings
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

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn what_a_game_showed_and_sent_is_replayed_over_eight_seeds() {
    for seed in 0..8 {
        let loss = f64::from(seed % 4) * 0.07;
        let game = recorded(&game_settings(), 4, loss, 1 << 24, seed);
        for recording in recordings(game, 600) {
            let replay = replay(&recording).unwrap();
            assert_eq!(replay.difference, None, "seed {seed}: {replay:?}");
            assert_eq!(replay.compared_calls, replay.calls);
            assert_eq!(replay.end, Some(EndReason::Taken));
            assert!((9_900.0..10_100.0).contains(&replay.duration_ms));
            assert!(replay.shows >= 199 && replay.datagrams > 1, "{replay:?}");
            let has_message = contains(&recording, &MESSAGE[..20]);
            assert!(!has_message && !contains(&recording, SECRET), "seed {seed}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn any_game_is_replayed(settings in any_settings(), loss in 0.0..0.3, budget in any::<bool>(), ticks in 1..400_u64, seed in 0..99_u32) {
        let settings = Settings { budget_kbps: budget.then_some(80.0), congestion_control: budget, ..settings };
        for recording in recordings(recorded(&settings, 2, loss, 1 << 24, seed), ticks) {
            let replay = replay(&recording).unwrap();
            prop_assert_eq!(replay.difference, None);
        }
    }

    /// All but the hashes of what was shown and sent is covered by a check, and these are compared.
    #[test]
    fn a_disturbed_byte_is_refused_or_reported(place in 0.0..1.0_f64, flip in 1..=255_u8, which in 0..3_usize, cut in any::<bool>()) {
        let game = recorded(&game_settings(), 2, 0.05, 1 << 20, 5);
        let mut recordings = recordings(game, 90);
        let recording = &mut recordings[which];
        let at = (place * recording.len() as f64) as usize;
        if cut {
            if let Ok(replay) = replay(&recording[..at]) {
                prop_assert!(replay.end.is_none() && replay.difference.is_none());
            }
        } else {
            recording[at] ^= flip;
            if let Ok(replay) = replay(recording) {
                prop_assert!(replay.difference.is_some(), "{replay:?}");
            }
        }
    }
}

/// A client whose server starts again is told so by the tags of its own datagrams, which a replay seals with another key.
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_restart_of_the_server_is_replayed() {
    for seed in 0..8 {
        let limit = 1 << 24;
        let mut game = recorded(&game_settings(), 3, 0.05, limit, seed);
        (0..200).for_each(|_| step(&mut game));
        let restarted = server(&game_settings(), limit, seed + 100);
        let mut before = std::mem::replace(&mut game.server, restarted);
        game.started = game.tick;
        let mut all = vec![before.take_recording().unwrap()];
        (0..250).for_each(|_| step(&mut game));
        assert!(game.seats.iter().all(|seat| seat.client.restarts() == 1));
        all.extend(recordings(game, 1));
        for recording in all {
            assert_eq!(replay(&recording).unwrap().difference, None, "seed {seed}");
        }
    }
}

#[test]
fn a_recording_at_its_limit_stops_and_is_replayed() {
    for bytes_max in [0, 300, 2_000, 5_000] {
        let mut game = recorded(&game_settings(), 3, 0.02, bytes_max, 3);
        (0..400).for_each(|_| step(&mut game));
        assert!(game.server.recording().unwrap().len() <= bytes_max.max(350));
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
        let copy = replay(game.server.recording().unwrap()).unwrap();
        assert_eq!((copy.end, copy.difference), (None, None));
        assert!(copy.compared_calls + 200 > copy.calls);
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

/// A tick whose objects rest takes some ten bytes, and as long as they are many: so their number has a limit.
#[test]
fn a_tick_of_more_objects_than_a_recording_takes_ends_it() {
    for (count, end) in [(8192, EndReason::Taken), (8193, EndReason::Full)] {
        let settings = settings(4);
        let mut server = server(&settings, 1 << 20, 1);
        let objects: Vec<Object> = (0..count)
            .map(|id| Object::at(id, [0.0, 0.0, 1.0]))
            .collect();
        for tick in 1..=4 {
            let ticked = server.tick(tick as f64 * 16.0, tick, &objects, |_, _| true, |_, _| {});
            assert!(ticked.is_ok());
        }
        let recording = server.take_recording().unwrap();
        let replay = replay(&recording).unwrap();
        assert_eq!(
            (replay.end, replay.difference),
            (Some(end), None),
            "{count}"
        );
        // Resting objects take no bytes of their own.
        assert!(recording.len() < 8192 * 14 + 200, "{}", recording.len());
    }
}

/// Recordings of a small game with calls of each kind: the client's, and the server's.
fn small_game() -> impl Iterator<Item = (&'static str, Vec<u8>)> {
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
    ["client", "server"].into_iter().zip(recordings(game, 1))
}

const GOLDEN: &str = include_str!("recordings.txt");

#[test]
fn recordings_are_the_golden_ones() {
    let recordings: Vec<_> = small_game().collect();
    let clients = variants::<ClientCall<'_>>(&recordings[0].1);
    assert_eq!(clients, (0..12).collect());
    let servers = variants::<ServerCall<'_>>(&recordings[1].1);
    assert_eq!(servers, (0..10).collect());
    let mut text = String::from("# Recordings of a small game. RECORDING.md specifies them.\n");
    for (name, bytes) in &recordings {
        let hex = bytes.iter().map(|byte| format!("{byte:02x}"));
        text += &format!("{name} {}\n", hex.collect::<String>());
    }
    // Those of an earlier recorder, which kept tokens and messages.
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
    for (name, bytes) in &recordings {
        let choice = [u8::from(*name == "server")];
        let records = Reader::new(bytes).unwrap().rest();
        for (part, bytes) in [("whole", &bytes[..]), ("records", records)] {
            let seed = format!("{root}/../../research/fuzz/corpus/recording/{name}-{part}");
            std::fs::write(seed, [&choice, bytes].concat()).unwrap();
        }
    }
}

/// The variants of the calls in a recording.
fn variants<'a, C: Serialize + Deserialize<'a>>(recording: &'a [u8]) -> BTreeSet<u8> {
    let mut reader = Reader::new(recording).unwrap();
    let records = std::iter::from_fn(|| reader.next_record::<C>().unwrap());
    let variant = |record| match record {
        Record::Call(call) => Some(postcard::to_allocvec(&call).unwrap()[0]),
        Record::Time(_) | Record::Hashes { .. } => None,
    };
    records.filter_map(variant).collect()
}
