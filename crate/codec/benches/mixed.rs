//! Time a packet of the last rungs on the captured `mixed`: 901 cubes, 80 of them changed on average, frame n against
//! frame n - 6. To be reached: `changed-flags` 30 us to encode, 15 us to decode; `arithmetic` 100 us each, `predicted` 700 us
//! each, both chained. A pass over the capture counts with its median packet, because a mean would count what else the
//! machine does.

#[path = "../tests/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use snapshot_codec::{Class, Cube, Decoder, Encoder, Format, Ledger, QuantisationBits, Rung};
use support::{CAPTURE_CUBES, read_capture};

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
    fn encode(&self, mut each: impl FnMut(&[u8])) -> Duration {
        let mut encoder = Encoder::new(self.format, &self.frames[0]).expect("a snapshot");
        let (mut packet, mut ledger) = (Vec::new(), Ledger::new());
        median(self.frames().filter_map(|(sequence, frame, measured)| {
            let start = Instant::now();
            if let Some(acked) = sequence.checked_sub(6) {
                encoder.ack(acked);
            }
            encoder
                .encode(sequence, black_box(frame), &mut packet, &mut ledger)
                .expect("a snapshot");
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

fn mixed(criterion: &mut Criterion) {
    let Some(mut frames) = read_capture("mixed") else {
        return;
    };
    for rung in [Rung::ChangedFlags, Rung::Arithmetic, Rung::Predicted] {
        let format = Format::new(rung, QuantisationBits::DEFAULT, CAPTURE_CUBES)
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

criterion_group!(benches, mixed);
criterion_main!(benches);
