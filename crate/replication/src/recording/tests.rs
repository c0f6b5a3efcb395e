//! Games that are recorded and replayed, and bytes that are no recording.

use super::*;
use crate::tests::any_settings;
use crate::{Client, DatagramOutcome, Interest, Object, ObjectField, Peer, Rung, Server, Settings};
use proptest::prelude::*;
use snapshot_netsim::channel::{Channel, Conditions};
use snapshot_view::interpolate::Interpolation;
use snapshot_view::playout::Playout;

mod golden;

/// A recorded game of a client over a link with such a loss.
struct Game {
    server: Server<&'static str>,
    clients: Vec<(Client, [Channel; 2], [u64; 2])>,
    tick: u64,
    objects: usize,
}

const ADDRESSES: [&str; 4] = ["a", "bc", "def", "g"];
const SECRET: &[u8] = b"a secret ticket";
const MESSAGE: &[u8] = b"a secret message that both ends send";

impl Game {
    fn new(
        settings: &Settings,
        clients: usize,
        loss: f64,
        limits: (usize, Blank),
        seed: u32,
    ) -> Self {
        let (bytes_max, blank) = limits;
        let conditions = Conditions {
            latency_ms: 30.0,
            jitter_ms: 15.0,
            loss,
            duplicated: 0.02,
            reordered: 0.02,
            ..Conditions::PERFECT
        };
        let client = |number: usize| {
            let nonce = 0xfeed_0000 + u64::from(seed) * 16 + number as u64;
            let client = Client::recorded(settings.clone(), SECRET, nonce, bytes_max, blank);
            let ways = [0, 1].map(|way| Channel::new(conditions, seed * 8 + number as u32, way));
            (client.unwrap(), ways, [0; 2])
        };
        let server = Server::recorded(settings.clone(), [seed as u8; 16], bytes_max, blank);
        Self {
            server: server.unwrap(),
            clients: (0..clients).map(client).collect(),
            tick: 0,
            objects: settings.objects,
        }
    }

    fn object(&self, id: u32) -> Object {
        let phase = self.tick as f32 * 0.03 + id as f32;
        let mut object = Object {
            kind: id % 3,
            position: [10.0 * libm::cosf(phase), 10.0 * libm::sinf(phase), 1.0],
            teleported: (self.tick + u64::from(id)).is_multiple_of(41),
            velocity: id.is_multiple_of(2).then_some([1.0, 0.5, 0.0]),
            ..Object::at(id, [0.0; 3])
        };
        object.fields[0] = (self.tick / 9) as u32 % 128;
        object
    }

    fn objects(&self) -> Vec<Object> {
        let is_there = |id: &u32| !(self.tick / 50 + u64::from(*id)).is_multiple_of(5);
        let there = (0..self.objects as u32 + 1).filter(is_there);
        let mut objects: Vec<Object> = there.map(|id| self.object(id)).collect();
        let turn = self.tick as usize / 70 % objects.len().max(1);
        objects.rotate_left(turn);
        objects
    }

    /// A tick in which all functions are called now and then.
    fn step(&mut self) {
        self.tick += 1;
        let tick = self.tick;
        let now_ms = 5e5 + tick as f64 * 1000.0 / 60.0;
        let objects = self.objects();
        let mut bytes = Vec::new();
        for (at, (_, ways, sent)) in self.clients.iter_mut().enumerate() {
            while ways[0].receive(now_ms, &mut bytes).is_some() {
                let host = at as u64 / 2;
                match (self.server).receive_from_host(now_ms, &ADDRESSES[at], host, &bytes) {
                    DatagramOutcome::Answer(answer) => {
                        ways[1].send(now_ms, sent[1], &answer, 1);
                        sent[1] += 1;
                    }
                    DatagramOutcome::Joins(peer, _) if at == 3 => {
                        self.server.refuse(peer, "not you")
                    }
                    DatagramOutcome::Joins(peer, _) => self.server.admit(peer),
                    DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
                }
            }
        }
        for peer in self.server.peers().collect::<Vec<_>>() {
            let _input = self.server.input(peer, tick);
            if tick.is_multiple_of(37) {
                let _full = self.server.message(peer, MESSAGE);
                let _full = self.server.say(peer, MESSAGE);
            }
            if tick.is_multiple_of(150) {
                let kbps = tick.is_multiple_of(300).then_some(60.0);
                self.server.set_budget(peer, kbps).unwrap();
            }
            if tick == 400 && peer.number() == 2 {
                self.server.refuse(peer, "that is enough of you");
            }
        }
        let clients = &mut self.clients;
        let send = |address: &&str, bytes: &[u8]| {
            let at = ADDRESSES.iter().position(|other| other == address).unwrap();
            let (_, ways, sent) = &mut clients[at];
            ways[1].send(now_ms, sent[1], bytes, 1);
            sent[1] += 1;
        };
        let sees = |peer: Peer, object: &Object| match (object.id + peer.number()) % 4 {
            0 if (tick / 60).is_multiple_of(2) => Interest::Unseen,
            1 => Interest::Detail(1.0),
            _ => Interest::by_distance([5.0, 0.0, 0.0], object, 4.0, 40.0),
        };
        self.server
            .tick(now_ms, tick, &objects, sees, send)
            .unwrap();
        while self.server.next_event().is_some() {}
        while self.server.next_message().is_some() {}
        for (client, ways, sent) in &mut self.clients {
            while ways[1].receive(now_ms, &mut bytes).is_some() {
                if tick.is_multiple_of(97) {
                    bytes[0] ^= 0x10;
                    let _refused = client.receive(now_ms, &bytes);
                    bytes[0] ^= 0x10;
                    let last = bytes.len() - 1;
                    bytes[last] ^= 1;
                }
                let _refused = client.receive(now_ms, &bytes);
            }
            if tick.is_multiple_of(61) {
                let _full = client.message(MESSAGE);
                let _full = client.say(MESSAGE);
            }
            while let Some(tick) = client.next_input(now_ms) {
                client.input(tick, &[tick as u8 / 16]).unwrap();
            }
            if tick == 333 {
                client.go_live();
            }
            if tick == 400 {
                client.set_playout(Interpolation::Linear, Playout::Fixed { delay_ms: 150.0 });
            }
            while let Some(datagram) = client.send(now_ms) {
                ways[0].send(now_ms, sent[0], &datagram, 1);
                sent[0] += 1;
            }
            client.show(now_ms);
            while client.next_message().is_some() {}
            while client.next_event().is_some() {}
        }
    }

    /// Replaces the server by one that knows nobody; returns the recording of the old one.
    fn restart(&mut self, settings: &Settings, seed: u32) -> Vec<u8> {
        let limits = (1 << 24, Blank::Secrets);
        let mut server = Self::new(settings, 0, 0.0, limits, seed + 100).server;
        std::mem::swap(&mut self.server, &mut server);
        server.take_recording().unwrap()
    }

    /// Plays ticks; returns the recordings, that of the server last.
    fn recordings(mut self, ticks: u64) -> Vec<Vec<u8>> {
        (0..ticks).for_each(|_| self.step());
        let _datagram = self.clients[0].0.goodbye();
        let clients = self.clients.iter_mut();
        let recordings = clients.map(|(client, ..)| client.take_recording().unwrap());
        let mut recordings: Vec<Vec<u8>> = recordings.collect();
        recordings.push(self.server.take_recording().unwrap());
        recordings
    }
}

fn game_settings() -> Settings {
    Settings {
        fields: vec![ObjectField::counter("health", 7)],
        rung: Rung::Arithmetic,
        ..Settings::new(12)
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn what_a_game_showed_and_sent_is_replayed_over_eight_seeds() {
    for seed in 0..8 {
        let blank = [Blank::Secrets, Blank::Nothing][seed as usize % 2];
        let loss = f64::from(seed % 4) * 0.07;
        let game = Game::new(&game_settings(), 4, loss, (1 << 24, blank), seed);
        for recording in game.recordings(600) {
            let replay = replay(&recording).unwrap();
            assert_eq!(replay.difference, None, "seed {seed}: {replay:?}");
            assert_eq!(replay.compared_calls, replay.calls);
            assert_eq!(replay.end, Some(EndReason::Taken));
            assert!((9_900.0..10_100.0).contains(&replay.duration_ms));
            assert!(replay.shows >= 199 && replay.datagrams > 1, "{replay:?}");
            let has_message = contains(&recording, &MESSAGE[..20]);
            let has_secret = has_message || contains(&recording, SECRET);
            assert!(blank == Blank::Nothing || !has_secret, "seed {seed}");
            assert!(blank == Blank::Secrets || has_secret, "seed {seed}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_game_is_replayed(settings in any_settings(), loss in 0.0..0.3, budget in any::<bool>(), ticks in 1..400_u64, seed in 0..99_u32, blank in any::<bool>()) {
        let settings = Settings { budget_kbps: budget.then_some(80.0), congestion_control: budget, ..settings };
        let blank = if blank { Blank::Secrets } else { Blank::Nothing };
        for recording in Game::new(&settings, 2, loss, (1 << 24, blank), seed).recordings(ticks) {
            let replay = replay(&recording).unwrap();
            prop_assert_eq!(replay.difference, None);
        }
    }

    /// All but the hashes of what was shown and sent is covered by a check, and these are compared.
    #[test]
    fn a_disturbed_byte_is_refused_or_reported(place in 0.0..1.0_f64, flip in 1..=255_u8, which in 0..3_usize, cut in any::<bool>()) {
        let mut recordings = Game::new(&game_settings(), 2, 0.05, (1 << 20, Blank::Secrets), 5).recordings(90);
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
fn a_restart_of_the_server_is_replayed() {
    for seed in 0..8 {
        let limits = (1 << 24, Blank::Secrets);
        let mut game = Game::new(&game_settings(), 3, 0.05, limits, seed);
        (0..200).for_each(|_| game.step());
        let mut recordings = vec![game.restart(&game_settings(), seed)];
        (0..250).for_each(|_| game.step());
        assert!(
            game.clients
                .iter()
                .all(|(client, ..)| client.restarts() == 1)
        );
        recordings.extend(game.recordings(1));
        for recording in recordings {
            assert_eq!(replay(&recording).unwrap().difference, None, "seed {seed}");
        }
    }
}

#[test]
fn a_recording_at_its_limit_stops_and_is_replayed() {
    for bytes_max in [0, 300, 2_000, 5_000] {
        let mut game = Game::new(&game_settings(), 3, 0.02, (bytes_max, Blank::Secrets), 3);
        (0..400).for_each(|_| game.step());
        assert!(game.server.recording().unwrap().len() <= bytes_max.max(350));
        for recording in game.recordings(1) {
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
    let mut game = Game::new(&game_settings(), 1, 0.0, (1 << 20, Blank::Secrets), 1);
    for _ in 0..200 {
        game.step();
        let copy = replay(game.server.recording().unwrap()).unwrap();
        assert_eq!((copy.end, copy.difference), (None, None));
        assert!(copy.compared_calls + 200 > copy.calls);
    }
}

/// A recorder that wrote other hashes saw another picture: the replay says between which calls.
#[test]
fn a_difference_is_found_within_a_second() {
    let recording =
        Game::new(&game_settings(), 1, 0.0, (1 << 20, Blank::Secrets), 1).recordings(300);
    let mut reader = Reader::new(&recording[0]).unwrap();
    let mut writer = Writer::new(reader.kind(), reader.arguments(), 1 << 20);
    let mut calls = 0;
    while let Some(record) = reader.next_record().unwrap() {
        match record {
            Record::Call(call) => {
                calls += 1;
                if calls == 700 {
                    writer.hashes.add_shown([1]);
                }
                writer.call(call.kind, Some(call.time_ms), call.bytes);
            }
            Record::Checkpoint(_) | Record::End(..) => {}
        }
    }
    let replay = replay(&writer.finish()).unwrap();
    let difference = replay.difference.unwrap();
    assert!(difference.in_view);
    assert!(
        (0..=700).contains(&difference.after_call) && difference.by_call <= calls,
        "{difference:?}"
    );
}

#[test]
fn a_setting_that_no_recording_holds_is_named() {
    let settings = Settings {
        clients: 70_000,
        ..Settings::new(3)
    };
    let refused = Server::<u8>::recorded(settings, [0; 16], 9, Blank::Secrets).map(drop);
    let number = refused.unwrap_err().number();
    let name = crate::error_name(number).unwrap().to_str().unwrap();
    assert_eq!(name, "settings: clients is none of its values");
}

#[test]
fn other_kinds_use_the_format() {
    let mut writer = Writer::new("guest", b"a link", 1000);
    writer.call(3, Some(20.0), b"abc");
    writer.hashes.add_shown([7]);
    writer.call(3, Some(1020.5), b"");
    let recording = writer.finish();
    let refused = replay(&recording).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "a recording of the unknown kind \"guest\""
    );
    let mut calls = Vec::new();
    let reader = Reader::new(&recording).unwrap();
    let replay = replay_as(&reader, |call, hashes| {
        calls.push((call.kind, call.time_ms, call.bytes.len()));
        (call.bytes == b"abc")
            .then(|| hashes.add_shown([7]))
            .or(Some(()))
    });
    let replay = replay.unwrap();
    assert_eq!(calls, [(3, 20.0, 3), (3, 1020.5, 0)]);
    assert_eq!(
        (replay.difference, replay.duration_ms, replay.shows),
        (None, 1000.5, 1)
    );
}
