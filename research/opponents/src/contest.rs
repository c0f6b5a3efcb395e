//! A codec on all packets, both ends: each packet is decoded and compared, bytes and times are measured.

use crate::exchange::{Exchange, HELD_TICKS, Step};
use serde::Serialize;
use snapshot_codec::Cube;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A codec that tells a snapshot against another one, and keeps nothing between packets but room.
pub trait Opponent {
    /// Replaces `packet` by that of a snapshot.
    fn encode(&mut self, baseline: &[Cube], snapshot: &[Cube], packet: &mut Vec<u8>);

    /// Replaces `snapshot` by that of a packet, or says why there is none.
    fn decode(
        &mut self,
        baseline: &[Cube],
        packet: &[u8],
        snapshot: &mut Vec<Cube>,
    ) -> Result<(), String>;
}

/// Both ends of a codec over an exchange.
pub trait Ends {
    /// Replaces `packet` by that of a step, and says how long that took.
    fn send(&mut self, step: &Step, packet: &mut Vec<u8>) -> Duration;

    /// Says whether a packet came out as its step's snapshot, and how long that took.
    fn receive(&mut self, step: &Step, packet: &[u8]) -> (bool, Duration);
}

/// The outcome of a codec.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its name.
    pub codec: String,
    /// Packets sent, of which some may be lost.
    pub packets: usize,
    /// Mean bytes of a packet, without headers.
    pub bytes_per_packet_mean: f64,
    /// The same at the rate of the packets.
    pub kbps: f64,
    /// Median time of a packet.
    pub encode_us: f64,
    /// Median time of a packet that arrives.
    pub decode_us: f64,
    /// True if every packet that arrived came out as it went in.
    pub lossless: bool,
}

/// Has a codec send all packets.
pub fn judge(name: &str, ends: &mut dyn Ends, exchange: &Exchange) -> Row {
    let mut packet = Vec::new();
    let (mut bytes, mut mismatches) = (0, 0);
    let (mut encode, mut decode) = (Vec::new(), Vec::new());
    for step in &exchange.steps {
        encode.push(ends.send(step, &mut packet));
        bytes += packet.len();
        if step.arrives {
            let (same, time) = ends.receive(step, &packet);
            mismatches += usize::from(!same);
            decode.push(time);
        }
    }
    let packets = exchange.steps.len();
    let bytes_per_packet_mean = bytes as f64 / packets.max(1) as f64;
    Row {
        codec: name.to_owned(),
        packets,
        bytes_per_packet_mean,
        kbps: bytes_per_packet_mean * f64::from(exchange.rate_hz) * 8.0 / 1000.0,
        encode_us: median_us(encode),
        decode_us: median_us(decode),
        lossless: mismatches == 0,
    }
}

fn median_us(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    let median = times.get(times.len() / 2);
    median.map_or(0.0, |time| time.as_secs_f64() * 1e6)
}

/// By tick, for as long as a packet may be told against it.
pub struct Held<T> {
    initial: T,
    by_tick: BTreeMap<u64, T>,
}

impl<T> Held<T> {
    /// The snapshots that are held before the first packet, each made by `make`.
    pub fn new(exchange: &Exchange, make: impl Fn(&[Cube]) -> T) -> Held<T> {
        let known = exchange.known.iter();
        Held {
            initial: make(&exchange.initial),
            by_tick: known.map(|(tick, cubes)| (*tick, make(cubes))).collect(),
        }
    }

    /// The baseline of a step, or none where it was lost.
    pub fn baseline(&self, step: &Step) -> Option<&T> {
        let tick = step.baseline.as_ref();
        tick.map_or(Some(&self.initial), |tick| self.by_tick.get(tick))
    }

    /// Holds a snapshot, and forgets those that are too old.
    pub fn keep(&mut self, tick: u64, value: T) {
        self.by_tick.insert(tick, value);
        self.by_tick = self.by_tick.split_off(&tick.saturating_sub(HELD_TICKS));
    }
}

/// Both ends of a codec that keeps nothing: the receiver's baselines are what it decoded itself.
pub struct Plain<O> {
    opponent: O,
    sent: Held<Vec<Cube>>,
    received: Held<Vec<Cube>>,
}

impl<O: Opponent> Plain<O> {
    /// Both ends before the first packet.
    pub fn new(opponent: O, exchange: &Exchange) -> Plain<O> {
        let held = || Held::new(exchange, <[Cube]>::to_vec);
        Plain {
            opponent,
            sent: held(),
            received: held(),
        }
    }
}

impl<O: Opponent> Ends for Plain<O> {
    fn send(&mut self, step: &Step, packet: &mut Vec<u8>) -> Duration {
        let baseline = self.sent.baseline(step);
        let baseline = baseline.expect("a sender holds what was acknowledged");
        let start = Instant::now();
        self.opponent.encode(baseline, &step.cubes, packet);
        let time = start.elapsed();
        self.sent.keep(step.tick, step.cubes.clone());
        time
    }

    fn receive(&mut self, step: &Step, packet: &[u8]) -> (bool, Duration) {
        let Some(baseline) = self.received.baseline(step) else {
            return (false, Duration::ZERO);
        };
        let mut snapshot = Vec::with_capacity(baseline.len());
        let start = Instant::now();
        let outcome = self.opponent.decode(baseline, packet, &mut snapshot);
        let time = start.elapsed();
        let same = outcome.is_ok() && snapshot == step.cubes;
        self.received.keep(step.tick, snapshot);
        (same, time)
    }
}
