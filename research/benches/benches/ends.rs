//! Time of rung `simulated` at each end alone, as in a game, and of both ends in a process that shares their runs.
//!
//! One iteration is ten seconds of a scene at ten packets a second: 100 packets over a link without latency or loss.

use criterion::{Criterion, criterion_group, criterion_main};
use snapshot_base::time::WORLD;
use snapshot_codec::{
    Class, Cube, CubeState, Foresight, Format, QuantisationBits, Rung, encode_ack,
};
use snapshot_lane::predictor::SharedPredictor;
use snapshot_lane::strategy::snapshot;
use snapshot_lane::strategy::{NoWorld, Receiver, Sender};
use snapshot_physics::predictor::Predictor;
use snapshot_physics::scene::{SceneKind, Script};
use snapshot_physics::world::{World, WorldSettings};
use snapshot_view::interpolate::Interpolation;
use snapshot_view::playout::Playout;
use snapshot_view::{BufferConfig, Pose};

const HZ: u32 = 10;

/// Ten seconds of a scene, and what both ends know beforehand.
struct Motion {
    made_from: WorldSettings,
    format: Format,
    first: Vec<Cube>,
    /// Tick, input and states.
    ticks: Vec<(u64, u8, Vec<CubeState>)>,
}

impl Motion {
    fn record(scene: SceneKind, from_tick: u64) -> Motion {
        let made_from = WorldSettings::default();
        let mut world = World::new(&made_from);
        let format = Format::new(
            Rung::Simulated,
            QuantisationBits::DEFAULT,
            world.cube_count(),
        )
        .expect("the articles' bits are valid")
        .with_class(Class::Chained);
        let first = world.truth().iter().map(|cube| format.quantise(cube));
        let first = first.collect();
        let mut script = Script::new(scene, 1, made_from.grid_side);
        let mut ticks = Vec::new();
        for tick in 1..=from_tick + 600 {
            let input = script.next(world.truth());
            world.step(input);
            if tick > from_tick {
                ticks.push((tick, input.bits(), world.truth().to_vec()));
            }
        }
        Motion {
            made_from,
            format,
            first,
            ticks,
        }
    }

    fn sender<F: Foresight>(&self, predictor: F) -> snapshot::SnapshotSender<F> {
        snapshot::SnapshotSender::new(self.format, WORLD, HZ, &self.first, predictor)
    }

    fn receiver<F: Foresight>(&self, predictor: F) -> snapshot::SnapshotReceiver<F> {
        let config = BufferConfig {
            tick_rate: WORLD,
            interpolation: Interpolation::Hermite,
            playout: Playout::Fixed { delay_ms: 300.0 },
            send_interval_ms: 100.0,
        };
        snapshot::SnapshotReceiver::new(self.format, config, &self.first, predictor)
    }

    /// Sends all ticks; each packet is acknowledged before the next. `take` is given each packet and its tick.
    fn send(&self, mut sender: impl Sender, mut take: impl FnMut(u64, &[u8])) {
        let (mut packet, mut ack) = (Vec::new(), Vec::new());
        for (tick, input, states) in &self.ticks {
            let info = sender.tick(*tick, *input, states, &mut packet, None);
            if let Some(info) = info.expect("ticks rise by one") {
                take(*tick, &packet);
                encode_ack(info.sequence, &mut ack, None);
                sender.ack(&ack).expect("it was just written");
            }
        }
    }
}

fn receive(receiver: &mut impl Receiver, tick: u64, packet: &[u8], poses: &mut [Pose]) {
    let now_ms = WORLD.ms_of_tick(tick as f64);
    receiver
        .packet(now_ms, packet)
        .expect("the sender wrote it");
    receiver.show(now_ms, &mut NoWorld, poses);
}

fn ends(criterion: &mut Criterion) {
    for (name, scene, from_tick) in [
        ("mixed", SceneKind::Mixed, 1200),
        ("katamari", SceneKind::Katamari, 1200),
    ] {
        let motion = Motion::record(scene, from_tick);
        let plain = || Predictor::new(Some(motion.made_from));
        let mut packets = Vec::new();
        motion.send(motion.sender(plain()), |tick, packet| {
            packets.push((tick, packet.to_vec()));
        });
        let mut poses: Vec<_> = motion.ticks[0].2.iter().map(Pose::from).collect();
        let mut group = criterion.benchmark_group(format!("100 packets of {name}"));
        group.sample_size(10);
        group.bench_function("sender alone", |bencher| {
            bencher.iter(|| motion.send(motion.sender(plain()), |_, _| ()));
        });
        group.bench_function("receiver alone", |bencher| {
            bencher.iter(|| {
                let mut receiver = motion.receiver(plain());
                for (tick, packet) in &packets {
                    receive(&mut receiver, *tick, packet, &mut poses);
                }
            });
        });
        group.bench_function("both, shared runs", |bencher| {
            bencher.iter(|| {
                let shared = SharedPredictor::new(Some(motion.made_from));
                let mut receiver = motion.receiver(shared.clone());
                motion.send(motion.sender(shared), |tick, packet| {
                    receive(&mut receiver, tick, packet, &mut poses);
                });
            });
        });
    }
}

criterion_group!(benches, ends);
criterion_main!(benches);
