//! A shooter over UDP: `shooter server 4040` in one terminal, `shooter client 127.0.0.1:4040 anna` in others. Without arguments
//! a server and two clients play for some seconds, and check each other: `cargo test` does so.
//!
//! Players walk by inputs that they predict themselves, chat, and shoot at what they see. A hundred bots walk among them, so a
//! client has a budget: what is near comes first. `crate/npm/example/shooter.mjs` and
//! `crate/c/examples/shooter.c` are the same client in other languages.
#![allow(
    clippy::disallowed_types,
    reason = "a program on a network has a clock"
)]

use snapshot_replication::*;
use std::collections::BTreeMap;
use std::error::Error;
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

// The game. An input is a direction, whether the player shoots, and the picture that he shot at.

const PLAYER: u32 = 1;
const TARGETS: u32 = 20;
const BOTS: u32 = 100;

fn settings() -> Settings {
    Settings {
        clients: 8,
        fields: vec![ObjectField::counter("health", 7)],
        budget_kbps: Some(64.0),
        ..Settings::new(160)
    }
}

#[derive(Clone, Copy, Default)]
struct Input {
    walk: [i8; 2],
    is_shot: bool,
}

impl Input {
    fn bytes(self, shown: ShownInstant) -> Vec<u8> {
        let [x, y] = self.walk.map(|way| way as u8);
        let shown = shown.to_bytes();
        let shown = if self.is_shot { &shown[..] } else { &[] };
        [&[x, y], shown].concat()
    }

    /// Reads any bytes: the input, and the picture of a shot.
    fn read(bytes: &[u8]) -> Option<(Self, Option<ShownInstant>)> {
        let (&[x, y], shown) = bytes.split_first_chunk()?;
        let (walk, shown) = ([x as i8, y as i8], ShownInstant::from_bytes(shown));
        let is_shot = shown.is_some();
        Some((Self { walk, is_shot }, shown))
    }
}

#[derive(Default)]
struct Player {
    position: [f32; 3],
    last: Input,
}

fn walked([x, y, z]: [f32; 3], input: Input) -> [f32; 3] {
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

/// The target that is nearest to a shooter: a bullet that flies to it has hit.
fn hit(from: [f32; 3], objects: &[Object]) -> Option<u32> {
    let apart = |object: &Object| {
        let way = [0, 1].map(|axis| object.position[axis] - from[axis]);
        way[0] * way[0] + way[1] * way[1]
    };
    let targets = objects.iter().filter(|object| object.kind != PLAYER);
    let nearest = targets.min_by(|a, b| apart(a).total_cmp(&apart(b)));
    nearest.map(|object| object.id)
}

fn hud(client: &Client) -> String {
    let Figures {
        round_trip_ms,
        lost_here,
        received,
        delay_ms,
        freezes,
        ..
    } = client.figures();
    let [round_trip_ms, delay_ms] = [round_trip_ms, delay_ms].map(|ms| ms.unwrap_or(f64::NAN));
    let (lost, rate) = (lost_here * 100.0, received.bytes / 125.0);
    let state = client.refusal();
    let state = state.unwrap_or_else(|| format!("{:?}", client.status()));
    format!(
        "{state}: round trip {round_trip_ms:.0} ms, {lost:.0} % lost, {rate:.0} kbit/s, {delay_ms:.0} ms behind, {freezes} freezes"
    )
}

// The server's network code.

struct Game {
    server: Server<SocketAddr>,
    players: BTreeMap<Peer, Player>,
    shots: u32,
}

impl Game {
    fn receive(&mut self, socket: &UdpSocket, now_ms: f64, from: SocketAddr, bytes: &[u8]) {
        match self.server.receive(now_ms, &from, bytes) {
            DatagramOutcome::Answer(bytes) => drop(socket.send_to(&bytes, from)),
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

fn serve(socket: &UdpSocket, ticks: u64) -> Outcome<u32> {
    let secret = std::process::id().to_be_bytes().repeat(4); // In a game it is random.
    let mut game = Game {
        server: Server::new(settings(), secret.try_into().map_err(|_| "16 bytes")?)?,
        players: BTreeMap::new(),
        shots: 0,
    };
    let (start, mut buffer) = (Instant::now(), [0; 2048]);
    for tick in 1..=ticks {
        std::thread::sleep((Duration::from_secs(tick) / 60).saturating_sub(start.elapsed()));
        let now_ms = start.elapsed().as_secs_f64() * 1000.0;
        while let Ok((len, from)) = socket.recv_from(&mut buffer) {
            game.receive(socket, now_ms, from, &buffer[..len]);
        }
        game.tick(socket, now_ms, tick)?;
    }
    Ok(game.shots)
}

// The client's network code.

struct Play {
    client: Client,
    /// Inputs that the newest snapshot may not have.
    inputs: BTreeMap<u64, Input>,
    /// The own player, as predicted.
    own: Option<[f32; 3]>,
    /// Chat and hits, as they came.
    heard: Vec<String>,
    /// Hits that the client itself saw.
    hits: Vec<String>,
}

impl Play {
    fn frame(&mut self, socket: &UdpSocket, now_ms: f64, player: impl Fn(u64) -> Input) {
        let mut buffer = [0; 2048];
        while let Ok(len) = socket.recv(&mut buffer) {
            let _counted = self.client.receive(now_ms, &buffer[..len]);
        }
        let objects = self.client.show(now_ms).to_vec();
        while let Some(tick) = self.client.next_input(now_ms) {
            let input = player(tick);
            let (Some(shown), Some(own)) = (self.client.shown_instant(), self.own) else {
                break;
            };
            let own = walked(own, input);
            self.own = Some(own);
            let hit = hit(own, &objects).filter(|_| input.is_shot);
            self.hits.extend(hit.map(|id| format!("hit {id}")));
            if self.client.input(tick, &input.bytes(shown)).is_ok() {
                self.inputs.insert(tick, input);
            }
        }
        self.predict();
        while let Some(words) = self.client.next_message() {
            self.heard
                .push(String::from_utf8_lossy(&words).into_owned());
        }
        while let Some(bytes) = self.client.send(now_ms) {
            let _lost = socket.send(&bytes);
        }
    }

    /// The own player of the newest snapshot, and his inputs since.
    fn predict(&mut self) {
        let (Some(peer), Some((tick, mut objects))) = (self.client.peer(), self.client.newest())
        else {
            return;
        };
        let own = objects.find(|object| object.id == 1000 + peer.number());
        self.inputs = self.inputs.split_off(&(tick + 1));
        self.own = own.map(|own| {
            self.inputs
                .values()
                .fold(own.position, |at, it| walked(at, *it))
        });
    }
}

fn play(socket: &UdpSocket, name: &str, frames: u64) -> Outcome<Play> {
    let nonce = u64::from(socket.local_addr()?.port()) << 20 | u64::from(std::process::id()); // In a game it is random.
    let mut play = Play {
        client: Client::new(settings(), name.as_bytes(), nonce)?,
        inputs: BTreeMap::new(),
        own: None,
        heard: Vec::new(),
        hits: Vec::new(),
    };
    play.client.message(format!("{name} is here").as_bytes())?;
    // Nobody plays here: the player walks in a square, and shoots twice a second.
    let player = |tick: u64| Input {
        walk: [[1, 0], [0, 1], [-1, 0], [0, -1]][(tick / 60 % 4) as usize],
        is_shot: tick.is_multiple_of(30),
    };
    let start = Instant::now();
    for frame in 1..=frames {
        std::thread::sleep((Duration::from_secs(frame) / 60).saturating_sub(start.elapsed()));
        play.frame(socket, start.elapsed().as_secs_f64() * 1000.0, player);
        if frames == u64::MAX {
            play.heard.drain(..).for_each(|words| println!("{words}"));
            play.hits.clear();
            if frame % 60 == 0 {
                println!(
                    "{} at {:.1?}",
                    hud(&play.client),
                    play.own.unwrap_or_default()
                );
            }
        }
    }
    Ok(play)
}

fn socket(port: u16) -> Outcome<UdpSocket> {
    let socket = UdpSocket::bind(("0.0.0.0", port))?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["server", port] => drop(serve(&socket(port.parse()?)?, u64::MAX)?),
        ["client", to, name] => {
            let socket = socket(0)?;
            socket.connect(to)?;
            drop(play(&socket, name, u64::MAX)?);
        }
        _ => check()?,
    }
    Ok(())
}

/// Two players hear each other, and the server sees the hits that they saw.
fn check() -> Outcome<()> {
    let server = UdpSocket::bind("127.0.0.1:0")?;
    server.set_nonblocking(true)?;
    let to = server.local_addr()?;
    let serving = std::thread::spawn(move || serve(&server, 300));
    let players = ["anna", "ben"].map(|name| {
        std::thread::spawn(move || -> Outcome<Play> {
            let socket = UdpSocket::bind("127.0.0.1:0")?;
            socket.set_nonblocking(true)?;
            socket.connect(to)?;
            play(&socket, name, 280)
        })
    });
    for player in players {
        let play = player.join().map_err(|_| "a player stopped")??;
        let (hits, chat): (Vec<_>, Vec<_>) =
            play.heard.iter().partition(|it| it.starts_with("hit"));
        println!("{}, {} hits", hud(&play.client), hits.len());
        if !chat.iter().any(|it| it.ends_with("is here")) || hits.len() < 3 {
            return Err(format!("not heard: {:?}", play.heard).into());
        }
        // Where a busy machine made an input late, the server's player stood elsewhere.
        let same = hits.iter().filter(|told| play.hits.contains(told)).count();
        if same * 4 < hits.len() * 3 {
            return Err(format!("{hits:?} are not {:?}", play.hits).into());
        }
    }
    let shots = serving.join().map_err(|_| "the server stopped")??;
    println!("{shots} shots were judged");
    Ok(())
}
