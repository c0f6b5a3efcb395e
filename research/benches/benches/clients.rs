//! Time of a server's second with many clients, and its memory: `cargo bench --bench clients` in `research`.
//!
//! Each client is told 20 snapshots a second, and acknowledges them after 40 to 280 ms. A share of 0.05 is lost. So baselines
//! differ as they do over real links.

use criterion::{Criterion, criterion_group, criterion_main};
use snapshot_base::random::KeyedDraw;
use snapshot_replication::{
    Bounds, Class, Client, DatagramOutcome, Interest, Object, Peer, Rung, Server, Settings,
};
use std::time::Duration;

const TICKS_PER_S: u64 = 60;

/// The objects that a client sees.
#[derive(Clone, Copy)]
enum Sight {
    All,
    /// One object of so many, each client another one.
    Share(u32),
    /// All objects of a plane of 200 m, with priorities by their distance from the client's place.
    ByDistance,
}

/// Returns a place on a plane of 200 m.
fn place(seed: u32) -> [f32; 3] {
    let draw = KeyedDraw::new(7, 0).with(seed.into());
    let axis = |axis| draw.with(axis).between(-100.0, 100.0) as f32;
    [axis(1), axis(2), 1.0]
}

/// A server and clients whose datagrams take some ticks.
struct Game {
    server: Server<usize>,
    clients: Vec<Client>,
    objects: Vec<Object>,
    tick: u64,
    /// Acknowledgements on their way: tick of arrival, client, bytes.
    acks: Vec<(u64, usize, Vec<u8>)>,
    bytes: u64,
    sight: Sight,
    /// Each client gives an input in each tick, and the server asks for it.
    has_inputs: bool,
}

impl Game {
    fn new(settings: Settings, clients: usize, sight: Sight, has_inputs: bool) -> Self {
        let mut game = Self {
            server: Server::new(settings.clone(), [1; 16]).expect("settings that can be"),
            clients: (0..clients)
                .map(|nonce| Client::new(settings.clone(), b"", nonce as u64).expect("settings"))
                .collect(),
            objects: (0..settings.objects as u32)
                .map(|id| match sight {
                    Sight::ByDistance => Object::at(id, place(id)),
                    Sight::All | Sight::Share(_) => Object::at(id, [0.0; 3]),
                })
                .collect(),
            tick: 0,
            acks: Vec::new(),
            bytes: 0,
            sight,
            has_inputs,
        };
        // All join.
        (0..2 * TICKS_PER_S).for_each(|_| {
            let _ = game.step(true);
        });
        game
    }

    /// Moves half of the objects, and gives the time of the server's tick.
    fn step(&mut self, lossless: bool) -> Duration {
        self.tick += 1;
        let (tick, now_ms) = (self.tick, self.tick as f64 * 1000.0 / 60.0);
        for object in self.objects.iter_mut().step_by(2) {
            let phase = tick as f32 * 0.03 + object.id as f32;
            let (centre, ring) = match self.sight {
                Sight::ByDistance => (place(object.id), 2.0),
                Sight::All | Sight::Share(_) => ([0.0; 3], 5.0 + object.id as f32 * 0.01),
            };
            let [x, y] = [ring * libm::cosf(phase), ring * libm::sinf(phase)];
            object.position = [centre[0] + x, centre[1] + y, 1.0];
            object.orientation = [0.0, 0.0, libm::sinf(phase / 2.0), libm::cosf(phase / 2.0)];
        }
        let mut inbox = Vec::new();
        self.acks.retain(|(at, address, bytes)| {
            if *at <= tick {
                inbox.push((*address, bytes.clone()));
            }
            *at > tick
        });
        let mut outbox: Vec<(usize, Vec<u8>)> = Vec::new();
        let sight = self.sight;
        let places: Vec<_> = (0..=self.clients.len() as u32)
            .map(|peer| place(peer + 5000))
            .collect();
        let started = std::time::Instant::now();
        for (address, bytes) in &inbox {
            match self.server.receive(now_ms, address, bytes) {
                DatagramOutcome::Answer(bytes) => outbox.push((*address, bytes)),
                DatagramOutcome::Joins(peer, _) => self.server.admit(peer),
                DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
            }
        }
        if self.has_inputs {
            let peers: Vec<Peer> = self.server.peers().collect();
            for peer in peers {
                std::hint::black_box(self.server.input(peer, tick));
            }
        }
        let sees = |peer: Peer, object: &Object| match sight {
            Sight::All => Interest::Priority(1.0),
            Sight::Share(share) => {
                Interest::from((object.id + peer.number()).is_multiple_of(share))
            }
            Sight::ByDistance => {
                Interest::by_distance(places[peer.number() as usize], object, 5.0, 300.0)
            }
        };
        let sent = self
            .server
            .tick(now_ms, tick, &self.objects, sees, |&address, bytes| {
                outbox.push((address, bytes.to_vec()));
            });
        let taken = started.elapsed();
        sent.expect("objects that can be sent");
        let luck = KeyedDraw::new(1, 0).with(tick);
        for (address, bytes) in outbox {
            self.bytes += bytes.len() as u64;
            let luck = luck.with(address as u64);
            if lossless || luck.unit() >= 0.05 {
                let _counted = self.clients[address].receive(now_ms, &bytes);
            }
        }
        for (address, client) in self.clients.iter_mut().enumerate() {
            // A client that shows nothing holds the snapshots of 4 s.
            if tick.is_multiple_of(TICKS_PER_S / 4) {
                client.show(now_ms);
            }
            while let Some(of) = client.next_input(now_ms).filter(|_| self.has_inputs) {
                let input = [&of.to_be_bytes()[..], &[address as u8; 4]].concat();
                client.input(of, &input).expect("a tick that is due");
            }
            while let Some(bytes) = client.send(now_ms) {
                let luck = luck.with(address as u64).with(1);
                if lossless || luck.with(2).unit() >= 0.05 {
                    let delay = if lossless {
                        1
                    } else {
                        (KeyedDraw::new(2, 0).with(address as u64).between(2.5, 14.0)
                            + luck.between(0.0, 3.0)) as u64
                    };
                    self.acks.push((tick + delay, address, bytes));
                }
            }
        }
        taken
    }
}

fn clients(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a server's second");
    group.sample_size(10);
    let bounds = Bounds::new([-256; 3], [256; 3]).expect("bounds that can be");
    let small = [
        ("rung 11", Rung::ChangedFlags, Class::Strict),
        ("rung 12 strict", Rung::Arithmetic, Class::Strict),
        ("rung 13 strict", Rung::Predicted, Class::Strict),
        ("rung 12 chained", Rung::Arithmetic, Class::Chained),
        ("rung 13 chained", Rung::Predicted, Class::Chained),
    ];
    let of = |rung, class, objects, clients| Settings {
        rung,
        class,
        bounds,
        clients,
        ..Settings::new(objects)
    };
    let small = small.map(|(name, rung, class)| {
        let name = format!("100 clients, 40 objects, {name}");
        (name, of(rung, class, 40, 100), Sight::All)
    });
    // Four groups of clients, of which each sees another quarter.
    let groups = (
        "100 clients see 10 of 40 objects, rung 11".to_owned(),
        of(Rung::ChangedFlags, Class::Strict, 40, 100),
        Sight::Share(4),
    );
    let large = [
        ("rung 11", Rung::ChangedFlags),
        ("rung 12 strict", Rung::Arithmetic),
    ];
    let large = large.map(|(name, rung)| {
        let name = format!("1,000 clients see 100 of 1,000 objects, {name}");
        (name, of(rung, Class::Strict, 1000, 1000), Sight::Share(10))
    });
    let rows = small.into_iter().chain([groups]).chain(large);
    let (name, settings, sight) = rows.clone().last().expect("rows");
    let with_inputs = (format!("{name}, with inputs"), settings, sight);
    let budgets = [
        ("rung 11", Rung::ChangedFlags),
        ("rung 12 strict", Rung::Arithmetic),
    ];
    let budgets = budgets.map(|(name, rung)| {
        let settings = Settings {
            budget_kbps: Some(180.0),
            ..of(rung, Class::Strict, 1000, 100)
        };
        let name = format!("100 clients, 1,000 objects, 180 kbit/s each, {name}");
        (name, settings, Sight::ByDistance)
    });
    for (name, settings, sight) in rows.chain([with_inputs]).chain(budgets) {
        let has_inputs = name.ends_with("inputs");
        let clients = settings.clients;
        let mut game = None;
        group.bench_function(&name, |bencher| {
            let game =
                game.get_or_insert_with(|| Game::new(settings.clone(), clients, sight, has_inputs));
            bencher.iter_custom(|seconds| {
                let steps = 0..seconds * TICKS_PER_S;
                steps.map(|_| game.step(false)).sum()
            });
        });
        let Some(game) = game else {
            continue;
        };
        let held: usize = game
            .server
            .peers()
            .map(|peer| game.server.held_bytes(peer))
            .sum();
        let counts = game.server.counts();
        println!(
            "{name}: {} bytes a client, {:.1} distinct packets of {clients}, {:.0} bytes a datagram, {counts:?}",
            held / clients,
            counts.encoded as f64 * clients as f64 / counts.packets as f64,
            game.bytes as f64 / counts.packets as f64,
        );
    }
}

criterion_group!(benches, clients);
criterion_main!(benches);
