//! Bytes of the asteroids, KinematicSoup's public benchmark of network transforms: `cargo bench --bench asteroids` in `research`.
//!
//! 30 updates a second of all 250 objects, two minutes from second 10 on, and two from minute 5 on, when most fly in a ring.
//! Positions have steps of 7.8 mm or less and orientations of 0.0007: finer than the benchmark's 0.01 and 0.001. Each packet is
//! decoded and compared. Words after `--` are seeds; without any, seeds 1 and 2 are measured.

use snapshot_base::random::KeyedDraw;
use snapshot_codec::{
    Bounds, Class, Cube, CubeState, Decoder, Encoder, Format, QuantisationBits, Rung,
};
use snapshot_replication::{Client, DatagramOutcome, Object, Server, Settings};
use snapshot_research::asteroids::{Asteroids, BODIES, TICKS_PER_S};
use std::ops::Range;

/// Bytes of the headers of IPv4 and UDP.
const HEADERS: u64 = 28;
const UPDATES_PER_S: u32 = 30;
const WINDOWS_S: [Range<u32>; 2] = [10..130, 300..420];
/// kB/s on the wire and payload that the benchmark's readme gives, read on 2026-11-29.
const PUBLISHED: [(&str, u32, Option<u32>); 7] = [
    ("Reactor 1.1", 15, Some(10)),
    ("PurrNet 1.14", 100, Some(95)),
    ("FishNet 4.6.12R", 103, Some(98)),
    ("Photon Fusion 2.0.6", 112, Some(107)),
    ("Mirror 96.0.1", 122, Some(117)),
    ("SmartFoxServer 2X", 160, None),
    ("NGO 2.4.4", 185, Some(185)),
];

/// A link with a constant latency and independent losses, in both directions.
#[derive(Clone, Copy)]
struct Link {
    latency_ticks: u64,
    loss: f64,
}

const CLEAN: Link = Link {
    latency_ticks: 0,
    loss: 0.0,
};
const LOSSY: Link = Link {
    latency_ticks: 3,
    loss: 0.05,
};

/// Datagrams on their way.
#[derive(Default)]
struct Way {
    sent: u64,
    datagrams: Vec<(u64, Vec<u8>)>,
}

impl Way {
    fn send(&mut self, link: Link, tick: u64, direction: u64, bytes: Vec<u8>) {
        self.sent += 1;
        let luck = KeyedDraw::new(5, 0x10).with(self.sent).with(direction);
        if luck.unit() >= link.loss {
            self.datagrams.push((tick + link.latency_ticks, bytes));
        }
    }

    fn arrived(&mut self, tick: u64) -> Vec<Vec<u8>> {
        let is_due = |due: &mut (u64, Vec<u8>)| due.0 <= tick;
        let due = self.datagrams.extract_if(.., is_due);
        due.map(|(_, bytes)| bytes).collect()
    }
}

/// Bytes and datagrams of a window.
#[derive(Clone, Copy, Default)]
struct Sum {
    bytes: u64,
    datagrams: u64,
}

impl Sum {
    fn add(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
        self.datagrams += 1;
    }
}

trait Ends {
    /// Takes a tick; sends if an update is due. Returns the bytes of each datagram to the client.
    fn tick(&mut self, tick: u64, states: &[CubeState]) -> Vec<usize>;
}

/// The codec alone.
struct Codec {
    link: Link,
    format: Format,
    encoder: Encoder,
    decoder: Decoder,
    /// Snapshots that have not arrived, by sequence.
    sent: Vec<(u16, Vec<Cube>)>,
    down: Way,
    up: Way,
}

impl Codec {
    fn new(
        bits: QuantisationBits,
        rung: Rung,
        class: Class,
        link: Link,
        states: &[CubeState],
    ) -> Self {
        let format = Format::new(rung, bits, BODIES).expect("bits that can be");
        let format = format.with_class(class).with_bounds(bounds());
        let format = format.and_then(|it| it.with_player(None)).expect("bounds");
        let initial = quantised(&format, states);
        Self {
            link,
            format,
            encoder: Encoder::new(format, &initial).expect("quantised"),
            decoder: Decoder::new(format, &initial).expect("quantised"),
            sent: Vec::new(),
            down: Way::default(),
            up: Way::default(),
        }
    }
}

impl Ends for Codec {
    fn tick(&mut self, tick: u64, states: &[CubeState]) -> Vec<usize> {
        let mut received = Vec::new();
        for packet in self.down.arrived(tick) {
            let header = self.decoder.decode(&packet, tick as u16, &mut received);
            let sequence = header.expect("a packet of this encoder").sequence;
            self.sent.retain(|(of, _)| !is_older(*of, sequence));
            assert_eq!(self.sent[0], (sequence, received.clone()));
            let ack = sequence.to_be_bytes().to_vec();
            self.up.send(self.link, tick, 1, ack);
        }
        for ack in self.up.arrived(tick) {
            self.encoder.ack(u16::from_be_bytes([ack[0], ack[1]]));
        }
        if !tick.is_multiple_of(u64::from(TICKS_PER_S / UPDATES_PER_S)) {
            return Vec::new();
        }
        let (cubes, mut packet) = (quantised(&self.format, states), Vec::new());
        let encoded = self.encoder.encode(tick as u16, &cubes, &mut packet);
        encoded.expect("quantised");
        self.sent.push((tick as u16, cubes));
        let length = packet.len();
        self.down.send(self.link, tick, 0, packet);
        vec![length]
    }
}

/// A server of the package and one client.
struct Package {
    link: Link,
    server: Server<()>,
    client: Client,
    down: Way,
    up: Way,
}

impl Package {
    fn new(bits: QuantisationBits, rung: Rung, class: Class, link: Link) -> Self {
        let settings = Settings {
            send_rate: UPDATES_PER_S,
            bounds: bounds(),
            bits,
            rung,
            class,
            kind_bits: 0,
            ..Settings::new(BODIES)
        };
        Self {
            link,
            server: Server::new(settings.clone(), [1; 16]).expect("settings that can be"),
            client: Client::new(settings, b"", 1).expect("settings that can be"),
            down: Way::default(),
            up: Way::default(),
        }
    }
}

impl Ends for Package {
    fn tick(&mut self, tick: u64, states: &[CubeState]) -> Vec<usize> {
        let now_ms = tick as f64 * 1000.0 / f64::from(TICKS_PER_S);
        let mut outbox = Vec::new();
        for bytes in self.up.arrived(tick) {
            match self.server.receive(now_ms, &(), &bytes) {
                DatagramOutcome::Answer(bytes) => outbox.push(bytes),
                DatagramOutcome::Joins(peer, _) => self.server.admit(peer),
                DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
            }
        }
        let object = |(id, state): (usize, &CubeState)| Object {
            orientation: state.orientation,
            ..Object::at(id as u32, state.position)
        };
        let objects: Vec<Object> = states.iter().enumerate().map(object).collect();
        let send = |(): &(), bytes: &[u8]| outbox.push(bytes.to_vec());
        let sent = self.server.tick(now_ms, tick, &objects, |_, _| true, send);
        assert_eq!(
            sent.expect("a tick of its own").len(),
            0,
            "objects left out"
        );
        let lengths = outbox.iter().map(Vec::len).collect();
        for bytes in outbox {
            self.down.send(self.link, tick, 0, bytes);
        }
        for bytes in self.down.arrived(tick) {
            let _counted = self.client.receive(now_ms, &bytes);
        }
        self.client.show(now_ms);
        while let Some(bytes) = self.client.send(now_ms) {
            self.up.send(self.link, tick, 1, bytes);
        }
        lengths
    }
}

fn bounds() -> Bounds {
    Bounds::new([-64; 3], [64; 3]).expect("bounds that can be")
}

/// Returns true if one sequence is older than another; two minutes and more apart they are not compared.
fn is_older(one: u16, other: u16) -> bool {
    other.wrapping_sub(one).wrapping_sub(1) < 1 << 15
}

fn quantised(format: &Format, states: &[CubeState]) -> Vec<Cube> {
    states.iter().map(|state| format.quantise(state)).collect()
}

fn main() {
    let seeds: Vec<u32> = std::env::args().filter_map(|it| it.parse().ok()).collect();
    println!(
        "engine                        window     seed  packet B  kB/s payload  kB/s wire  B an object, payload  wire"
    );
    for (name, wire, payload) in PUBLISHED {
        let payload = payload.map_or("-".to_owned(), |it| it.to_string());
        let each = f64::from(wire) * 1000.0 / f64::from(UPDATES_PER_S) / BODIES as f64;
        println!("{name:52} {payload:>14} {wire:>10} {each:>27.2}");
    }
    for seed in if seeds.is_empty() { vec![1, 2] } else { seeds } {
        let scene = Asteroids::new(seed);
        let states = scene.states();
        let coarse = QuantisationBits::new(7, 11, 5).expect("bits that can be");
        let mut rows: Vec<(&str, Box<dyn Ends>)> = Vec::new();
        for (name, rung, class, link) in [
            ("rung 11", Rung::ChangedFlags, Class::Strict, CLEAN),
            ("rung 12 strict", Rung::Arithmetic, Class::Strict, CLEAN),
            ("rung 13 strict", Rung::Predicted, Class::Strict, CLEAN),
            ("rung 12 chained", Rung::Arithmetic, Class::Chained, CLEAN),
            ("rung 13 chained", Rung::Predicted, Class::Chained, CLEAN),
            (
                "rung 12 chained, 5 % loss",
                Rung::Arithmetic,
                Class::Chained,
                LOSSY,
            ),
            (
                "rung 13 chained, 5 % loss",
                Rung::Predicted,
                Class::Chained,
                LOSSY,
            ),
        ] {
            rows.push((
                name,
                Box::new(Codec::new(coarse, rung, class, link, &states)),
            ));
        }
        for (name, rung, link) in [
            ("package, rung 12", Rung::Arithmetic, CLEAN),
            ("package, rung 13", Rung::Predicted, CLEAN),
            ("package, rung 13, 5 % loss", Rung::Predicted, LOSSY),
        ] {
            rows.push((
                name,
                Box::new(Package::new(coarse, rung, Class::Chained, link)),
            ));
        }
        measure(seed, scene, &mut rows);
    }
}

/// Prints a line for each row and window.
fn measure(seed: u32, mut scene: Asteroids, rows: &mut [(&str, Box<dyn Ends>)]) {
    let mut sums = vec![Sum::default(); rows.len()];
    for tick in 1..=WINDOWS_S[1].end * TICKS_PER_S {
        scene.step();
        let states = scene.states();
        for ((_, ends), sum) in rows.iter_mut().zip(&mut sums) {
            for bytes in ends.tick(tick.into(), &states) {
                sum.add(bytes);
            }
        }
        for Range { start, end } in WINDOWS_S {
            if tick == start * TICKS_PER_S {
                sums.fill(Sum::default());
            }
            if tick != end * TICKS_PER_S {
                continue;
            }
            for ((name, _), sum) in rows.iter().zip(&sums) {
                let seconds = f64::from(end - start);
                let updates = seconds * f64::from(UPDATES_PER_S);
                let wire = sum.bytes + HEADERS * sum.datagrams;
                let [payload, wire] = [sum.bytes, wire].map(|it| it as f64);
                let each = |bytes: f64| bytes / updates / BODIES as f64;
                println!(
                    "{name:27} {start:>4}-{end} s {seed:>6} {:>9.1} {:>13.2} {:>10.2} {:>21.3} {:>5.3}",
                    payload / updates,
                    payload / seconds / 1000.0,
                    wire / seconds / 1000.0,
                    each(payload),
                    each(wire),
                );
            }
        }
    }
}
