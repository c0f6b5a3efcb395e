//! A server and eight clients for a long time, over lossy links, with faults at seeded times and hostile datagrams between the
//! real ones. Each snapshot is compared, each input and message accounted for.

use snapshot_base::random::KeyedDraw;
use snapshot_netsim::channel::{Channel, Conditions};
use snapshot_replication::{
    Client, DatagramOutcome, Object, ObjectField, Peer, PeerEvent, Server, Settings, Status,
};
use std::collections::BTreeMap;

/// Number of clients.
const CLIENTS: usize = 8;
/// Steps of time in a second. A client has a frame in each second one.
const STEPS_S: u64 = 120;
/// Time in steps after a fault until all is as before.
const CALM: u64 = 12 * STEPS_S;

/// Counts of a run, which a test bounds.
#[derive(Clone, Debug, Default)]
pub struct Soaked {
    /// Snapshots that were compared with the server's.
    pub compared: u64,
    /// Inputs that arrived as they were given, and ticks without one.
    pub inputs: [u64; 2],
    /// Ticks without an input 12 s and more after the last fault.
    pub missing_when_calm: u64,
    /// Messages that arrived at the server, and at clients.
    pub messages: [u64; 2],
    /// Hostile datagrams.
    pub hostile: u64,
    /// Faults by kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// Ticks without an input after a fault of this kind, and before the next fault.
    pub missing: BTreeMap<&'static str, u64>,
    /// Connections that the server told of.
    pub joined: u64,
    /// Longest time from a fault to all clients playing, s.
    pub longest_s: f64,
    /// Most bytes of a client's snapshots.
    pub held_bytes: usize,
}

fn settings() -> Settings {
    Settings {
        fields: vec![
            ObjectField::new("run", 12),
            ObjectField::counter("health", 7),
        ],
        clients: CLIENTS,
        ..Settings::new(40)
    }
}

/// Objects that go round, come, go, jump and lose health; some cannot be sent for a while.
fn game(tick: u64, run: u32, is_bad: bool) -> Vec<Object> {
    let alive = (0..40).filter(|id| !(tick / 40 + u64::from(*id)).is_multiple_of(9));
    let object = |id: u32| {
        let phase = tick as f32 * 0.02 + id as f32;
        let mut object = Object {
            id: id + 1000 * ((tick / 40 + u64::from(id)) / 9) as u32,
            kind: id % 7,
            teleported: (tick + u64::from(id)).is_multiple_of(77),
            ..Object::at(id, [20.0 * phase.cos(), 20.0 * phase.sin(), 1.0])
        };
        object.id = id + 1000 * ((tick / 40 + u64::from(id)) / 9) as u32;
        object.fields[..2].copy_from_slice(&[run, (tick / 7) as u32 % 128]);
        if is_bad && id < 3 {
            object.position[2] = [-0.1, f32::NAN, 1e9][id as usize];
        }
        object
    };
    alive.map(object).collect()
}

/// A player: the same across restarts of his program.
struct Player {
    client: Client,
    ways: [Channel; 2],
    sent: [u64; 2],
    address: usize,
    /// Number of this start of the program.
    program: u32,
    /// The lead of the program's clock, ms.
    ahead_ms: f64,
    asleep_until: u64,
    cut_until: u64,
    /// The number of the next message.
    message: u32,
    /// The last message that came from the server, and on which connection.
    last_message: Option<(Peer, u32)>,
    newest: Option<(u32, u64)>,
    /// Size of the largest datagram that the player's path carries, bytes.
    carried_bytes: usize,
    /// Datagrams that an attacker heard, each way.
    overheard: [Vec<Vec<u8>>; 2],
}

impl Player {
    fn post(&mut self, way: usize, now_ms: f64, bytes: &[u8]) {
        if bytes.len() > self.carried_bytes {
            return;
        }
        self.ways[way].send(now_ms, self.sent[way], bytes, 1);
        self.sent[way] += 1;
        self.overheard[way].push(bytes.to_vec());
        if self.overheard[way].len() > 200 {
            self.overheard[way].remove(0);
        }
    }
}

/// The server's knowledge of a connection.
#[derive(Default)]
struct Connection {
    /// The program behind it, once an input or a message told.
    program: Option<(u32, u32)>,
    message: Option<u32>,
    sent: u32,
    missing: u64,
    has_begun: bool,
}

/// The run itself.
struct Soak {
    luck: KeyedDraw,
    draws: u64,
    step: u64,
    settings: Settings,
    server: Server<usize>,
    /// Number of this start of the server, and its tick.
    run: u32,
    tick: u64,
    /// Steps that a tick takes, and when the next is due.
    tick_steps: f64,
    due: f64,
    bad_until: u64,
    players: Vec<Player>,
    addresses: usize,
    programs: u32,
    truth: BTreeMap<(u32, u64), Vec<Object>>,
    connections: BTreeMap<Peer, Connection>,
    fault: u64,
    /// Kind of the last fault.
    name: &'static str,
    are_playing: bool,
    soaked: Soaked,
}

fn ticket(program: u32) -> Vec<u8> {
    [&b"ticket"[..], &program.to_be_bytes()].concat()
}

impl Soak {
    fn new(seed: u32) -> Self {
        let settings = settings();
        let luck = KeyedDraw::new(seed, 48);
        let mut soak = Self {
            luck,
            draws: 0,
            step: 0,
            server: Server::new(settings.clone(), [1; 16]).expect("settings that can be"),
            settings,
            run: 1,
            tick: 0,
            tick_steps: 2.0,
            due: 0.0,
            bad_until: 0,
            players: Vec::new(),
            addresses: 0,
            programs: 0,
            truth: BTreeMap::new(),
            connections: BTreeMap::new(),
            fault: 0,
            name: "none",
            are_playing: false,
            soaked: Soaked::default(),
        };
        for way in 0..CLIENTS as u32 {
            let conditions = Conditions {
                latency_ms: 40.0,
                jitter_ms: 20.0,
                loss: 0.05,
                duplicated: 0.02,
                reordered: 0.02,
                ..Conditions::PERFECT
            };
            let (program, address) = soak.next_program();
            let client = soak.client(program);
            soak.players.push(Player {
                client,
                ways: [0, 1]
                    .map(|direction| Channel::new(conditions, seed ^ 7 << 8 | way, direction)),
                sent: [0; 2],
                address,
                program,
                ahead_ms: f64::from(way) * 1000.0,
                asleep_until: 0,
                cut_until: 0,
                message: 0,
                last_message: None,
                newest: None,
                carried_bytes: usize::MAX,
                overheard: Default::default(),
            });
        }
        soak
    }

    fn next_program(&mut self) -> (u32, usize) {
        (self.programs, self.addresses) = (self.programs + 1, self.addresses + 1);
        (self.programs, self.addresses)
    }

    fn client(&self, program: u32) -> Client {
        let nonce = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(program.into());
        Client::new(self.settings.clone(), &ticket(program), nonce).expect("settings that can be")
    }

    /// A number below `end`, another one each time.
    fn draw(&mut self, end: usize) -> usize {
        self.draws += 1;
        (self.luck.with(self.draws).unit() * end as f64) as usize
    }

    fn now_ms(&self) -> f64 {
        self.step as f64 * 1000.0 / STEPS_S as f64
    }

    /// One of the faults of a real network or a real machine.
    fn fail(&mut self) {
        let (who, kind) = (self.draw(CLIENTS), self.draw(13));
        let long = (self.draw(48) as u64 + 4) * STEPS_S / 10;
        let player = &mut self.players[who];
        let name = match kind {
            0 | 1 => {
                player.cut_until = self.step + long;
                "break"
            }
            2 => {
                self.addresses += 1;
                player.address = self.addresses;
                "address"
            }
            3 => {
                let (program, address) = self.next_program();
                let is_moved = self.draw(2) == 0;
                let client = self.client(program);
                let player = &mut self.players[who];
                (player.client, player.program, player.message) = (client, program, 0);
                (player.newest, player.last_message) = (None, None);
                if is_moved {
                    player.address = address;
                }
                "program"
            }
            4 => {
                self.run += 1;
                (self.tick, self.connections) = (0, BTreeMap::new());
                let secret = [self.run as u8; 16];
                self.server =
                    Server::new(self.settings.clone(), secret).expect("settings that can be");
                "server"
            }
            5 => {
                self.due += long as f64;
                "pause"
            }
            6 => {
                player.asleep_until = self.step + long;
                "sleep"
            }
            7 => {
                let hz = [60.0, 55.0, 62.5, 45.0, 80.0][self.draw(5)];
                self.tick_steps = STEPS_S as f64 / hz;
                "rate"
            }
            8 => {
                let ahead_ms = [3.6e6, -3.6e6, 0.5][self.draw(3)];
                // One wrong time must not silence anybody.
                let player = &mut self.players[who];
                player.ahead_ms += ahead_ms;
                let _nothing = player.client.send(f64::NAN);
                let _refused = self.server.receive(f64::INFINITY, &0, &[1]);
                "time"
            }
            9 => {
                self.bad_until = self.step + long;
                "objects"
            }
            10 => {
                let now_ms = self.now_ms();
                for knock in 0..300 {
                    let hello = Client::new(self.settings.clone(), b"no ticket", knock + 1);
                    let mut hello = hello.expect("settings that can be");
                    for _ in 0..2 {
                        let Some(bytes) = hello.send(now_ms) else {
                            break;
                        };
                        let address = 1_000_000 + knock as usize;
                        match self.server.receive(now_ms, &address, &bytes) {
                            DatagramOutcome::Answer(answer) => drop(hello.receive(now_ms, &answer)),
                            DatagramOutcome::Joins(peer, _) => {
                                self.server.refuse(peer, "no ticket")
                            }
                            _ => {}
                        }
                    }
                }
                "knocks"
            }
            11 => {
                let carried_bytes = [usize::MAX, 300, 700][self.draw(3)];
                self.players[who].carried_bytes = carried_bytes;
                "path"
            }
            _ => {
                if let Some(peer) = player.client.peer() {
                    self.server.refuse(peer, "thrown out");
                }
                "kick"
            }
        };
        *self.soaked.faults.entry(name).or_default() += 1;
        self.name = name;
        (self.fault, self.are_playing) = (self.step, false);
    }

    fn receive(&mut self, now_ms: f64, from: usize, bytes: &[u8]) -> Option<Vec<u8>> {
        match self.server.receive(now_ms, &from, bytes) {
            DatagramOutcome::Answer(answer) => Some(answer),
            DatagramOutcome::Joins(peer, token) => {
                let owner = self.players.iter().find(|it| token == ticket(it.program));
                let Some(owner) = owner else {
                    self.server.refuse(peer, "of a program that is over");
                    return None;
                };
                // The player's ghosts give their seats up.
                let ours = |it: &(&Peer, &Connection)| {
                    it.1.program.is_some_and(|it| it.0 == owner.program)
                };
                let ghosts: Vec<Peer> = self
                    .connections
                    .iter()
                    .filter(ours)
                    .map(|(&peer, _)| peer)
                    .collect();
                let is_full = self.server.peers().count() >= CLIENTS;
                let oldest = self.server.peers().min_by_key(|peer| {
                    let address = self.server.address(*peer).copied();
                    self.players.iter().any(|it| Some(it.address) == address)
                });
                let dead = oldest.filter(|_| is_full && ghosts.is_empty());
                for ghost in ghosts.into_iter().chain(dead) {
                    self.server.refuse(ghost, "he moved");
                }
                self.server.admit(peer);
                None
            }
            _ => None,
        }
    }

    fn serve(&mut self) {
        (self.tick, self.due) = (self.tick + 1, self.due + self.tick_steps);
        let (tick, now_ms, is_bad) = (self.tick, self.now_ms(), self.step < self.bad_until);
        while let Some(event) = self.server.next_event() {
            match event {
                PeerEvent::Joined(peer) => {
                    self.soaked.joined += 1;
                    let before = self.connections.insert(peer, Connection::default());
                    assert!(before.is_none(), "{peer} joined twice");
                }
                PeerEvent::Left(peer, _) => drop(self.connections.remove(&peer)),
                _ => {}
            }
        }
        let is_calm = self.step > self.fault + CALM;
        for (&peer, connection) in &mut self.connections {
            // Each input is that of its tick, or said to be missing.
            match self.server.input(peer, tick) {
                Some(bytes) => {
                    let (program, of) = bytes.split_at(4);
                    assert_eq!(of, tick.to_be_bytes(), "{peer}");
                    let program = u32::from_be_bytes(program.try_into().expect("four bytes"));
                    let known = connection.program.get_or_insert((program, 0)).0;
                    assert_eq!(program, known, "{peer}");
                    self.soaked.inputs[0] += 1;
                    connection.has_begun = true;
                }
                None if connection.has_begun => {
                    connection.missing += 1;
                    self.soaked.inputs[1] += 1;
                    *self.soaked.missing.entry(self.name).or_default() += 1;
                    self.soaked.missing_when_calm += u64::from(is_calm);
                }
                None => {}
            }
            if tick.is_multiple_of(30)
                && self
                    .server
                    .message(peer, &connection.sent.to_be_bytes())
                    .is_ok()
            {
                connection.sent += 1;
            }
        }
        while let Some((peer, bytes)) = self.server.next_message() {
            let Some(connection) = self.connections.get_mut(&peer) else {
                continue;
            };
            let number = u32::from_be_bytes(bytes[4..].try_into().expect("four bytes"));
            // Those that had left on an earlier connection do not come again: a gap comes first, and no other.
            let is_next = connection.message.is_none_or(|before| number == before + 1);
            assert!(is_next, "{peer}: {number} after {:?}", connection.message);
            connection.message = Some(number);
            self.soaked.messages[0] += 1;
        }
        let objects = game(tick, self.run, is_bad);
        let players = &mut self.players;
        let send = |to: &usize, bytes: &[u8]| {
            if let Some(player) = players.iter_mut().find(|it| it.address == *to) {
                player.post(1, now_ms, bytes);
            }
        };
        let ticked = self.server.tick(now_ms, tick, &objects, |_, _| true, send);
        let left_out = ticked.expect("a newer tick").len();
        let alive = objects.iter().filter(|object| object.id % 1000 < 3).count();
        assert_eq!(left_out, if is_bad { alive } else { 0 });
        let (sent, objects) = self.server.newest();
        if sent == tick {
            self.truth.insert((self.run, tick), objects.collect());
        }
        if tick.is_multiple_of(600) {
            let (run, old) = (self.run, tick.saturating_sub(1200));
            self.truth
                .retain(|&(of, tick), _| of + 1 == run || of == run && tick >= old);
        }
    }

    /// A frame of a player's program: it compares what came, and sends its inputs and messages.
    fn play(&mut self, who: usize) {
        let now_ms = self.now_ms();
        let player = &mut self.players[who];
        let is_cut = self.step < player.cut_until;
        player.ways.iter_mut().for_each(|way| way.set_cut(is_cut));
        if self.step < player.asleep_until {
            return;
        }
        let own_ms = now_ms + player.ahead_ms;
        let mut bytes = Vec::new();
        while player.ways[1].receive(now_ms, &mut bytes).is_some() {
            let _counted = player.client.receive(own_ms, &bytes);
            let Some((tick, objects)) = player.client.newest() else {
                continue;
            };
            let objects: Vec<Object> = objects.collect();
            let Some(run) = objects.first().map(|object| object.fields[0]) else {
                continue;
            };
            if player.newest.replace((run, tick)) != Some((run, tick)) {
                let truth = self.truth.get(&(run, tick)).expect("a tick of the server");
                assert_eq!(&objects, truth, "player {who}, run {run}, tick {tick}");
                self.soaked.compared += 1;
            }
        }
        while let Some(bytes) = player.client.next_message() {
            let number = u32::from_be_bytes(bytes.try_into().expect("four bytes"));
            let peer = player.client.peer();
            let before = player.last_message.filter(|&(of, _)| Some(of) == peer);
            // A connection's first message may be one that came before its game read the last.
            assert!(
                before.is_none_or(|(_, before)| number == before + 1 || number == 0),
                "{number} after {before:?}"
            );
            player.last_message = peer.map(|peer| (peer, number));
            self.soaked.messages[1] += 1;
        }
        player.client.show(own_ms);
        self.soaked.held_bytes = self.soaked.held_bytes.max(player.client.held_bytes());
        while let Some(tick) = player.client.next_input(own_ms) {
            let input = [&player.program.to_be_bytes()[..], &tick.to_be_bytes()].concat();
            player
                .client
                .input(tick, &input)
                .expect("a tick that is due");
        }
        let message = [player.program, player.message]
            .map(u32::to_be_bytes)
            .concat();
        let is_due = (self.step + who as u64).is_multiple_of(STEPS_S / 2)
            && *player.client.status() == Status::Connected;
        if is_due && player.client.message(&message).is_ok() {
            player.message += 1;
        }
        while let Some(bytes) = player.client.send(own_ms) {
            player.post(0, now_ms, &bytes);
        }
        if matches!(player.client.status(), Status::Refused(..)) {
            // The player starts his program again.
            let (program, _) = self.next_program();
            let client = self.client(program);
            let player = &mut self.players[who];
            (player.client, player.program, player.message) = (client, program, 0);
            (player.newest, player.last_message) = (None, None);
        }
    }

    /// A datagram of an attacker for each end: heard and damaged, cut, mixed, or any bytes.
    fn attack(&mut self) {
        let (who, now_ms) = (self.draw(CLIENTS), self.now_ms());
        for way in 0..2 {
            let count = self.players[who].overheard[way].len();
            let mut bytes = match count {
                0 => vec![7; 9],
                _ => {
                    let at = self.draw(count);
                    self.players[who].overheard[way][at].clone()
                }
            };
            match self.draw(4) {
                0 => bytes = (0..self.draw(80)).map(|_| self.draw(256) as u8).collect(),
                1 => bytes.truncate(self.draw(bytes.len())),
                2 => {
                    let at = self.draw(bytes.len());
                    bytes[at] ^= 1 << self.draw(8);
                }
                _ => {}
            }
            self.soaked.hostile += 1;
            let from = [self.players[who].address, 500_000][self.draw(2)];
            if way == 0 {
                let _answer = self.receive(now_ms, from, &bytes);
            } else {
                let own_ms = now_ms + self.players[who].ahead_ms;
                let _refused = self.players[who].client.receive(own_ms, &bytes);
            }
        }
    }

    fn step(&mut self) {
        self.step += 1;
        let now_ms = self.now_ms();
        for who in 0..CLIENTS {
            let mut bytes = Vec::new();
            while self.players[who].ways[0]
                .receive(now_ms, &mut bytes)
                .is_some()
            {
                let from = self.players[who].address;
                if let Some(answer) = self.receive(now_ms, from, &bytes) {
                    self.players[who].post(1, now_ms, &answer);
                }
            }
        }
        if self.step as f64 >= self.due {
            self.serve();
        }
        let even = (self.step % 2) as usize;
        (0..CLIENTS)
            .skip(even)
            .step_by(2)
            .for_each(|who| self.play(who));
        if self.step.is_multiple_of(2) {
            self.attack();
        }
        let plays = |it: &Player| {
            it.newest
                .is_some_and(|(run, tick)| run == self.run && tick + 60 > self.tick)
        };
        if !self.are_playing
            && self.step > self.fault + STEPS_S / 4
            && self.players.iter().all(plays)
        {
            self.are_playing = true;
            let took_s = (self.step - self.fault) as f64 / STEPS_S as f64;
            self.soaked.longest_s = self.soaked.longest_s.max(took_s);
        }
        assert!(
            self.are_playing || self.step < self.fault + 25 * STEPS_S,
            "somebody is out"
        );
    }
}

/// Plays for so many minutes of virtual time.
pub fn soak(minutes: f64, seed: u32) -> Soaked {
    let mut soak = Soak::new(seed);
    let steps = (minutes * 60.0) as u64 * STEPS_S;
    let mut next = 10 * STEPS_S;
    for _ in 0..steps {
        soak.step();
        // The last half minute is calm.
        if soak.step >= next && soak.step + 30 * STEPS_S < steps {
            soak.fail();
            next = soak.step + (soak.draw(20) as u64 + 2) * STEPS_S;
        }
    }
    soak.soaked
}
