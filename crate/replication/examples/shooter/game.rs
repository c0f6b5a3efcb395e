//! The shooter's game and its server.

use snapshot_replication::*;
use std::collections::BTreeMap;
use std::error::Error;
use std::net::{SocketAddr, UdpSocket};

pub(crate) type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

// The game. An input is a direction, whether the player shoots, and the picture that he shot at.

const PLAYER: u32 = 1;
const TARGETS: u32 = 20;
const BOTS: u32 = 100;

pub(crate) fn settings() -> Settings {
    Settings {
        clients: 8,
        fields: vec![ObjectField::counter("health", 7)],
        budget_kbps: Some(64.0),
        ..Settings::new(160)
    }
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Input {
    pub(crate) walk: [i8; 2],
    pub(crate) is_shot: bool,
}

impl Input {
    /// Parses any bytes of a client; returns the input and, for a shot, the instant that the shooter's screen showed.
    fn read(bytes: &[u8]) -> Option<(Self, Option<ShownInstant>)> {
        let (&[x, y], shown) = bytes.split_first_chunk()?;
        let (walk, shown) = ([x as i8, y as i8], ShownInstant::from_bytes(shown));
        let is_shot = shown.is_some();
        Some((Self { walk, is_shot }, shown))
    }
}

#[derive(Default)]
pub(crate) struct Player {
    position: [f32; 3],
    last: Input,
}

pub(crate) fn walked([x, y, z]: [f32; 3], input: Input) -> [f32; 3] {
    let step = |at: f32, way: i8| (at + f32::from(way.signum()) * 0.1).clamp(-50.0, 50.0);
    [step(x, input.walk[0]), step(y, input.walk[1]), z]
}

fn target(id: u32, tick: u64) -> Object {
    let phase = tick as f32 * 0.02 + id as f32;
    let place = [10.0 * libm::cosf(phase), 10.0 * libm::sinf(phase), 1.0];
    Object::at(id, place)
}

fn bot(id: u32, tick: u64) -> Object {
    let phase = tick as f32 * 0.01 + id as f32;
    let centre = [id % 10, id / 10].map(|place| place as f32 * 10.0 - 45.0);
    let place = [
        centre[0] + 4.0 * libm::cosf(phase),
        centre[1] + 4.0 * libm::sinf(phase),
        0.0,
    ];
    Object {
        kind: PLAYER,
        ..Object::at(5000 + id, place)
    }
}

fn objects(players: &BTreeMap<Peer, Player>, tick: u64) -> Vec<Object> {
    let players = players.iter().map(|(peer, player)| Object {
        kind: PLAYER,
        ..Object::at(1000 + peer.number(), player.position)
    });
    players
        .chain((0..TARGETS).map(|id| target(id, tick)))
        .chain((0..BOTS).map(|id| bot(id, tick)))
        .collect()
}

/// Returns the id of the target that a shot hits: the one nearest to the shooter.
pub(crate) fn hit(from: [f32; 3], objects: &[Object]) -> Option<u32> {
    let apart = |object: &Object| {
        let way = [0, 1].map(|axis| object.position[axis] - from[axis]);
        way[0] * way[0] + way[1] * way[1]
    };
    let targets = objects.iter().filter(|object| object.kind != PLAYER);
    let nearest = targets.min_by(|a, b| apart(a).total_cmp(&apart(b)));
    nearest.map(|object| object.id)
}

// The server's network code.

const OVER: &str = "the game has ended";

pub(crate) struct Game {
    server: Server<SocketAddr>,
    pub(crate) players: BTreeMap<Peer, Player>,
    pub(crate) shots: u32,
    /// True once the game has ended. Nobody can join then.
    is_over: bool,
}

impl Game {
    pub(crate) fn new() -> Outcome<Self> {
        let secret = std::process::id().to_be_bytes().repeat(4); // In a game it is random.
        Ok(Self {
            server: Server::new(settings(), secret.try_into().map_err(|_| "16 bytes")?)?,
            players: BTreeMap::new(),
            shots: 0,
            is_over: false,
        })
    }

    /// Processes the received datagrams, and plays a tick.
    pub(crate) fn turn(&mut self, socket: &UdpSocket, now_ms: f64, tick: u64) -> Outcome<()> {
        let mut buffer = [0; 2048];
        while let Ok((len, from)) = socket.recv_from(&mut buffer) {
            self.receive(socket, now_ms, from, &buffer[..len]);
        }
        self.tick(socket, now_ms, tick)
    }

    /// Ends the game: removes all players. Their clients learn of it in the next turns.
    pub(crate) fn end(&mut self) {
        self.is_over = true;
        for &peer in self.players.keys() {
            self.server.refuse(peer, OVER);
        }
    }

    fn receive(&mut self, socket: &UdpSocket, now_ms: f64, from: SocketAddr, bytes: &[u8]) {
        match self.server.receive(now_ms, &from, bytes) {
            DatagramOutcome::Answer(bytes) => drop(socket.send_to(&bytes, from)),
            DatagramOutcome::Joins(peer, _) if self.is_over => self.server.refuse(peer, OVER),
            DatagramOutcome::Joins(peer, name) if !name.is_empty() => self.server.admit(peer),
            DatagramOutcome::Joins(peer, _) => self.server.refuse(peer, "a player has a name"),
            DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
        }
    }

    fn tick(&mut self, socket: &UdpSocket, now_ms: f64, tick: u64) -> Outcome<()> {
        while let Some(event) = self.server.next_event() {
            match event {
                PeerEvent::Joined(peer) => drop(self.players.insert(peer, Player::default())),
                PeerEvent::Left(peer, _) => drop(self.players.remove(&peer)),
                _ => {}
            }
        }
        for (&peer, player) in &mut self.players {
            // A missing input is like the last one, without its shot.
            let input = (self.server.input(peer, tick)).and_then(|bytes| Input::read(&bytes));
            player.last.is_shot = false;
            let (input, shown) = input.unwrap_or((player.last, None));
            (player.position, player.last) = (walked(player.position, input), input);
            if let Some(shown) = shown
                && let Some(seen) = self.server.seen(peer, &shown)
                && let Some(id) = hit(player.position, &seen)
            {
                self.shots += 1;
                let _full = self.server.message(peer, format!("hit {id}").as_bytes());
            }
        }
        while let Some((peer, words)) = self.server.next_message() {
            if words == b"kick me" {
                self.server.refuse(peer, "as you wish");
            }
            for &other in self.players.keys() {
                let _full = self.server.message(other, &words);
            }
        }
        let objects = objects(&self.players, tick);
        let send = |to: &SocketAddr, bytes: &[u8]| drop(socket.send_to(bytes, to));
        let players = &self.players;
        let sees = |peer: Peer, object: &Object| match players.get(&peer) {
            // The own player is predicted from its newest state.
            _ if object.id == 1000 + peer.number() => Interest::Priority(f32::INFINITY),
            Some(player) => Interest::by_distance(player.position, object, 10.0, 200.0),
            None => Interest::Priority(1.0),
        };
        self.server.tick(now_ms, tick, &objects, sees, send)?;
        Ok(())
    }
}

pub(crate) fn socket(port: u16) -> Outcome<UdpSocket> {
    let socket = UdpSocket::bind(("0.0.0.0", port))?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}
