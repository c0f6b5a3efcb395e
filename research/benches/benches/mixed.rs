//! Time a packet of the last rungs on the captured `mixed`: 901 cubes, 80 of them changed on average, frame n against
//! frame n - 6. To be reached: `changed-flags` 30 us to encode, 15 us to decode; `arithmetic` 50 us each, `predicted` 700 us
//! each, both chained. A pass over the capture counts with its median packet, because a mean would count what else the
//! machine does.
//!
//! First comes a table of all of them in turn, in multiples of `changed-flags`, which says the same on a slower machine. To be
//! reached: `arithmetic` 3.4, `predicted` 11. `cargo bench --bench mixed -- nothing` in `research` prints the table alone.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use snapshot_codec::{
    Class, Cube, Decoder, EncodeError, Encoder, Format, Ledger, QuantisationBits, Rung,
};

/// Cubes of a capture.
const CUBES: usize = 901;

/// The frames of the whole capture, which is no part of the project.
fn captured() -> Vec<Vec<Cube>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    snapshot_research::capture::read(&data.join("mixed.bin.xz")).expect("the capture")
}

/// The capture twice over: the first time fills the histories, the second is measured.
struct Laps {
    format: Format,
    frames: Vec<Vec<Cube>>,
}

impl Laps {
    fn frames(&self) -> impl Iterator<Item = (u16, &[Cube], bool)> {
        let lap = || self.frames.iter().map(Vec::as_slice);
        let measured_from = self.frames.len() + 6;
        (0..)
            .zip(lap().chain(lap()))
            .map(move |(tick, frame)| (tick as u16, frame, tick >= measured_from))
    }

    /// Gives each packet to `each`; returns the time of the median packet.
    fn encode(&self, each: impl FnMut(&[u8])) -> Duration {
        self.encode_by(each, |encoder, sequence, frame, packet| {
            encoder.encode(sequence, frame, packet)
        })
    }

    /// The same time with a ledger.
    fn encode_traced(&self) -> Duration {
        let mut ledger = Ledger::new();
        self.encode_by(
            |_| (),
            |encoder, sequence, frame, packet| {
                encoder.encode_ahead(frame, sequence, packet, Some(&mut ledger))
            },
        )
    }

    fn encode_by(
        &self,
        mut each: impl FnMut(&[u8]),
        mut encode: impl FnMut(&mut Encoder, u16, &[Cube], &mut Vec<u8>) -> Result<(), EncodeError>,
    ) -> Duration {
        let mut encoder = Encoder::new(self.format, &self.frames[0]).expect("a snapshot");
        let mut packet = Vec::new();
        median(self.frames().filter_map(|(sequence, frame, measured)| {
            let start = Instant::now();
            if let Some(acked) = sequence.checked_sub(6) {
                encoder.ack(acked);
            }
            encode(&mut encoder, sequence, black_box(frame), &mut packet).expect("a snapshot");
            let elapsed = start.elapsed();
            each(&packet);
            measured.then_some(elapsed)
        }))
    }

    fn decode(&self, packets: &[Vec<u8>]) -> Duration {
        let mut decoder = Decoder::new(self.format, &self.frames[0]).expect("a snapshot");
        let mut received = Vec::new();
        median(
            self.frames()
                .zip(packets)
                .filter_map(|((sequence, frame, measured), packet)| {
                    let start = Instant::now();
                    decoder
                        .decode(black_box(packet), sequence, &mut received)
                        .expect("just encoded");
                    let elapsed = start.elapsed();
                    assert_eq!(received, frame);
                    measured.then_some(elapsed)
                }),
        )
    }
}

fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    times[times.len() / 2]
}

/// Passes of each codec over the capture; the least counts.
const ROUNDS: usize = 5;

fn formats() -> [Format; 5] {
    let format = |rung, class| {
        Format::new(rung, QuantisationBits::DEFAULT, CUBES)
            .expect("901 cubes")
            .with_class(class)
    };
    [
        format(Rung::ChangedFlags, Class::Chained),
        format(Rung::Arithmetic, Class::Strict),
        format(Rung::Arithmetic, Class::Chained),
        format(Rung::Predicted, Class::Strict),
        format(Rung::Predicted, Class::Chained),
    ]
}

/// Encode and decode of each codec in one run, in multiples of the first.
fn multiples(_: &mut Criterion) {
    let frames = captured();
    let mut laps = Laps {
        format: formats()[0],
        frames,
    };
    let mut best = [[Duration::MAX; 2]; 5];
    let mut traced = [Duration::MAX; 5];
    let mut bytes = [0.0; 5];
    for _ in 0..ROUNDS {
        for (at, format) in formats().into_iter().enumerate() {
            let (best, bytes) = (&mut best[at], &mut bytes[at]);
            laps.format = format;
            traced[at] = traced[at].min(laps.encode_traced());
            let mut packets = Vec::new();
            let encode = laps.encode(|packet| packets.push(packet.to_vec()));
            let measured = &packets[packets.len() - (laps.frames.len() - 6)..];
            let sum: usize = measured.iter().map(Vec::len).sum();
            *bytes = sum as f64 / measured.len() as f64;
            *best = [best[0].min(encode), best[1].min(laps.decode(&packets))];
        }
    }
    println!("codec                   bytes   encode us   decode us   multiple   with a ledger");
    let sum = |[encode, decode]: [Duration; 2]| (encode + decode).as_secs_f64();
    for (((format, times), bytes), traced) in formats().into_iter().zip(best).zip(bytes).zip(traced)
    {
        let class = format
            .rung()
            .is_arithmetic()
            .then_some(format.class().name());
        let name = [format.rung().name(), class.unwrap_or_default()].join(" ");
        let [encode_us, decode_us] = times.map(|time| time.as_secs_f64() * 1e6);
        let multiple = sum(times) / sum(best[0]);
        let ledger = traced.as_secs_f64() / times[0].as_secs_f64();
        println!(
            "{name:<20} {bytes:8.2} {encode_us:11.1} {decode_us:11.1} {multiple:10.1} {ledger:15.2}"
        );
    }
}

fn mixed(criterion: &mut Criterion) {
    let mut frames = captured();
    for rung in [Rung::ChangedFlags, Rung::Arithmetic, Rung::Predicted] {
        let format = Format::new(rung, QuantisationBits::DEFAULT, CUBES)
            .expect("901 cubes")
            .with_class(Class::Chained);
        let laps = Laps { format, frames };
        bench(criterion, &laps);
        frames = laps.frames;
    }
}

fn bench(criterion: &mut Criterion, laps: &Laps) {
    let name = laps.format.rung().name();
    let packets_measured = laps.frames.len() - 6;
    let mut packets = Vec::new();
    laps.encode(|packet| packets.push(packet.to_vec()));
    let measured = &packets[packets.len() - packets_measured..];
    let bytes: usize = measured.iter().map(Vec::len).sum();
    println!(
        "{name}: {:.2} bytes a packet",
        bytes as f64 / packets_measured as f64
    );

    let mut group = criterion.benchmark_group(format!("mixed, time a packet/{name}"));
    group.sample_size(10);
    group.bench_function("encode", |bencher| {
        bencher.iter_custom(|passes| (0..passes).map(|_| laps.encode(|_| ())).sum());
    });
    group.bench_function("decode", |bencher| {
        bencher.iter_custom(|passes| (0..passes).map(|_| laps.decode(&packets)).sum());
    });
    group.finish();
}

criterion_group!(benches, multiples, mixed);
criterion_main!(benches);
