//! Eight clients for minutes over lossy links, with faults at drawn times and hostile datagrams between the real ones. Each
//! snapshot is compared with the server's, and each input and message is accounted for.

use super::hostile::forged;
use super::{Table, link, press, settings};
use crate::{Client, DatagramOutcome, Peer, Server, Settings, Status};
use snapshot_base::random::{KeyedDraw, Stream};
use std::collections::BTreeMap;

const CLIENTS: usize = 8;
const TICKS_PER_S: u64 = 60;
/// Ticks after a fault within which all clients play again.
const BACK: u64 = 25 * TICKS_PER_S;
/// Ticks after a fault until inputs arrive as before.
const CALM: u64 = 12 * TICKS_PER_S;
/// Datagrams of each way that an attacker heard last.
const HEARD: usize = 200;

/// A player: the same across restarts of his program.
#[derive(Clone, Copy, Default)]
struct Player {
    /// Number of this start of the program.
    program: u64,
    /// Number of the next message.
    message: u32,
    /// The last message that came from the server, and on which connection.
    last_message: Option<(Peer, u32)>,
    broken_until: u64,
}

/// The server's knowledge of a connection.
#[derive(Default)]
struct Connection {
    /// The program behind it, as its first input tells.
    program: Option<u64>,
    message: Option<u32>,
    sent: u32,
}

struct Soak {
    table: Table,
    random: Stream,
    players: [Player; CLIENTS],
    programs: u64,
    connections: BTreeMap<Peer, Connection>,
    /// Number of starts of the server.
    servers: u8,
    /// Tick of the last fault.
    fault: u64,
    are_playing: bool,
    faults: BTreeMap<&'static str, u64>,
    /// Inputs that arrived, ticks without one, and those of them long after a fault.
    inputs: [u64; 3],
    /// Messages that arrived at the server, and at clients.
    messages: [u64; 2],
}

impl Soak {
    fn new(seed: u32) -> Self {
        let mut table = Table::new(Settings {
            clients: CLIENTS,
            ..settings(40)
        });
        (0..CLIENTS).for_each(|_| table.sit(b"ticket", link(0.05)));
        let mut soak = Self {
            table,
            random: Stream::new(seed, 48),
            players: Default::default(),
            programs: 0,
            connections: BTreeMap::new(),
            servers: 1,
            fault: 0,
            are_playing: false,
            faults: BTreeMap::new(),
            inputs: [0; 3],
            messages: [0; 2],
        };
        (0..CLIENTS).for_each(|who| soak.start_program(who));
        soak
    }

    fn below(&mut self, end: usize) -> usize {
        self.random.integer(0, end as u32 - 1) as usize
    }

    fn start_program(&mut self, who: usize) {
        self.programs += 1;
        self.players[who] = Player {
            program: self.programs,
            broken_until: self.players[who].broken_until,
            ..Player::default()
        };
        let client = Client::new(self.table.settings.clone(), b"ticket", self.programs);
        self.table.seats[who].client = client.unwrap();
    }

    /// A fault of a real network or a real machine.
    fn fail(&mut self) {
        let (who, ticks) = (self.below(CLIENTS), 24 + 6 * self.below(48) as u64);
        let name = match self.below(8) {
            0 | 1 => {
                self.players[who].broken_until = self.table.tick + ticks;
                "break"
            }
            2 => {
                self.start_program(who);
                "program"
            }
            3 => {
                self.servers += 1;
                let server = Server::new(self.table.settings.clone(), [self.servers; 16]);
                self.table.server = server.unwrap();
                self.table.started = self.table.tick;
                self.connections.clear();
                "server"
            }
            4 => {
                self.table.first_ms += ticks as f64 * 1000.0 / TICKS_PER_S as f64;
                "pause"
            }
            5 => {
                let now_ms = self.table.now_ms();
                self.table.hz = [60.0, 55.0, 62.5, 45.0, 80.0][self.below(5)];
                self.table.first_ms += now_ms - self.table.now_ms();
                "rate"
            }
            6 => {
                let carried_bytes = [usize::MAX, 300, 700][self.below(3)];
                self.table.seats[who].carried_bytes = [carried_bytes; 2];
                "path"
            }
            _ => {
                if let Some(peer) = self.table.seats[who].client.peer() {
                    self.table.server.refuse(peer, "thrown out");
                }
                "kick"
            }
        };
        *self.faults.entry(name).or_default() += 1;
        (self.fault, self.are_playing) = (self.table.tick, false);
    }

    /// A hostile datagram for each end, of what was heard.
    fn attack(&mut self) {
        let (who, now_ms) = (self.below(CLIENTS), self.table.now_ms());
        let luck = KeyedDraw::new(3, 1).with(self.table.tick);
        let seat = &mut self.table.seats[who];
        for heard in &mut seat.last {
            heard.drain(..heard.len().saturating_sub(HEARD));
        }
        let _refused = seat.client.receive(now_ms, &forged(luck, &seat.last[1]));
        let bytes = forged(luck.with(1), &seat.last[0]);
        let from = [who, CLIENTS][self.below(2)];
        match self.table.server.receive(now_ms, &from, &bytes) {
            DatagramOutcome::Joins(peer, _) => {
                assert!(from < CLIENTS, "an address that is not proved");
                self.table.server.admit(peer);
            }
            DatagramOutcome::Answer(_) | DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
        }
    }

    /// The server's game: it takes the inputs of the next tick and all messages, and sends messages.
    fn serve(&mut self) {
        let tick = self.table.tick - self.table.started + 1;
        let is_calm = self.table.tick > self.fault + CALM;
        for peer in self.table.server.peers().collect::<Vec<_>>() {
            let connection = self.connections.entry(peer).or_default();
            // Each input is that of its tick, or said to be missing.
            match self.table.server.input(peer, tick) {
                Some(bytes) => {
                    let program = *connection.program.get_or_insert(program_of(&bytes));
                    assert_eq!(bytes, input(program, tick), "{peer}");
                    self.inputs[0] += 1;
                }
                None if connection.program.is_some() => {
                    self.inputs[1] += 1;
                    self.inputs[2] += u64::from(is_calm);
                }
                None => {}
            }
            let message = connection.sent.to_be_bytes();
            if tick.is_multiple_of(30) && self.table.server.message(peer, &message).is_ok() {
                connection.sent += 1;
            }
        }
        while let Some((peer, bytes)) = self.table.server.next_message() {
            let Some(connection) = self.connections.get_mut(&peer) else {
                continue;
            };
            let number = u32::from_be_bytes(bytes.try_into().unwrap());
            // Messages of an earlier connection do not come again: the first number may be any, and no number is left out.
            let is_next = connection.message.is_none_or(|before| number == before + 1);
            assert!(is_next, "{peer}: {number} after {:?}", connection.message);
            connection.message = Some(number);
            self.messages[0] += 1;
        }
    }

    /// A frame of a player's program: it takes messages, and gives inputs and messages.
    fn play(&mut self, who: usize) {
        let (tick, now_ms) = (self.table.tick, self.table.now_ms());
        let player = &mut self.players[who];
        let is_cut = tick < player.broken_until;
        let seat = &mut self.table.seats[who];
        seat.ways.iter_mut().for_each(|way| way.set_cut(is_cut));
        let client = &mut seat.client;
        while let Some(bytes) = client.next_message() {
            let number = u32::from_be_bytes(bytes.try_into().unwrap());
            let peer = client.peer();
            let before = player.last_message.filter(|(of, _)| Some(*of) == peer);
            // A connection's first message may be one that came before its game read the last.
            let is_next = before.is_none_or(|(_, before)| number == before + 1 || number == 0);
            assert!(is_next, "{number} after {before:?}");
            player.last_message = peer.map(|peer| (peer, number));
            self.messages[1] += 1;
        }
        press(client, now_ms, |tick| input(player.program, tick));
        let is_due = (tick + who as u64).is_multiple_of(30);
        if is_due
            && *client.status() == Status::Connected
            && client.message(&player.message.to_be_bytes()).is_ok()
        {
            player.message += 1;
        }
        if matches!(client.status(), Status::Refused(..)) {
            self.start_program(who);
        }
    }

    fn step(&mut self) {
        self.table.run(1);
        self.serve();
        (0..CLIENTS).for_each(|who| self.play(who));
        self.attack();
        let table = &self.table;
        let tick = table.tick - table.started;
        let is_new = |shown: u64| shown <= tick && shown + TICKS_PER_S > tick;
        let mut clients = table.seats.iter().map(|seat| &seat.client);
        self.are_playing |= table.tick > self.fault + TICKS_PER_S / 4
            && clients.all(|client| client.snapshot().is_some_and(|(shown, _)| is_new(shown)));
        let is_in_time = table.tick < self.fault + BACK;
        assert!(self.are_playing || is_in_time, "somebody is out");
    }
}

fn input(program: u64, tick: u64) -> Vec<u8> {
    [program, tick].map(u64::to_be_bytes).concat()
}

fn program_of(input: &[u8]) -> u64 {
    input.first_chunk().copied().map_or(0, u64::from_be_bytes)
}

/// `SEED=7 cargo test --release -p snapshot-replication eight_clients -- --ignored --nocapture`
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn eight_clients_get_through_faults_and_hostile_datagrams() {
    let seed = std::env::var("SEED").map_or(3, |seed| seed.parse().unwrap());
    let mut soak = Soak::new(seed);
    let (ticks, mut next) = (240 * TICKS_PER_S, 10 * TICKS_PER_S);
    for tick in 0..ticks {
        soak.step();
        // The last half minute is calm.
        if tick >= next && tick + 30 * TICKS_PER_S < ticks {
            soak.fail();
            next = tick + (2 + soak.below(20) as u64) * TICKS_PER_S;
        }
    }
    let Soak {
        faults,
        inputs,
        messages,
        ..
    } = soak;
    let compared: usize = soak.table.seats.iter().map(|seat| seat.compared).sum();
    println!("{faults:?}, inputs {inputs:?}, messages {messages:?}, {compared} snapshots");
    assert!(faults.len() > 4 && compared > 30_000);
    assert!(inputs[0] > 100_000 && inputs[2] * 1000 < inputs[0]);
    assert!(messages.iter().all(|count| *count > 3000));
    let held = soak.table.seats.iter().map(|seat| seat.client.held_bytes());
    assert!(held.max() < Some(64 << 20));
}
