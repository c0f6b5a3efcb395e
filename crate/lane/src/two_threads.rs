//! Both ends of each strategy in two threads that share nothing: the lane's view comes out, bit for bit.
//!
//! Each thread makes its own world. Packets and acknowledgements cross as (arrival_ms, bytes) in queues, and a barrier ends
//! each half of a tick. The simulated link stands between the threads, as a network would.

use super::wire::{Network, PacketSize};
use super::{Lane, lockstep, snapshot, step_to, sync};
use crate::view::View;
use snapshot_base::time::WORLD;
use snapshot_codec::CubeState;
use snapshot_netsim::channel::LinkInputs;
use snapshot_physics::Input;
use snapshot_physics::predictor::Predictor;
use snapshot_physics::scene::Script;
use snapshot_physics::world::World;
use snapshot_record::tape::Tape;
use snapshot_settings::{LaneSettings, Settings, Strategy, permalink};
use snapshot_view::Pose;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Barrier};

const TICKS: u64 = 60 * 60;

/// Returns true for ticks in which no packet passes.
fn is_cut(tick: u64) -> bool {
    (1200..1290).contains(&tick)
}

/// A physics world as a game lends it: simulated at each step, without a tape.
struct PlainWorld(World);

impl snapshot_strategies::World for PlainWorld {
    fn tick(&self) -> u64 {
        self.0.tick()
    }

    fn states(&self) -> &[CubeState] {
        self.0.truth()
    }

    fn step_to(&mut self, tick: u64, input: u8) {
        step_to(&mut self.0, tick, Input::from_bits(input));
    }

    fn set_states(&mut self, states: &[(usize, CubeState)]) {
        self.0.set_states(states.iter().copied());
    }
}

/// Why there is no sender of a game.
const NOT_ONE_WAY: &str = "a game's ends send both ways";

/// A packet in transit: arrival time in ms, and bytes.
type TravellingPacket = (f64, Vec<u8>);

fn new_sender(settings: &Settings, world: &World) -> Box<dyn snapshot_strategies::Sender> {
    let lane = settings.lane();
    match lane.strategy() {
        Strategy::Snapshot => {
            let (format, first) = quantised_start(settings, world);
            let predictor = Predictor::new(Some(settings.world()));
            let hz = lane.send_rate_hz();
            Box::new(snapshot_strategies::snapshot::SnapshotSender::new(
                format, WORLD, hz, &first, predictor,
            ))
        }
        Strategy::Sync => {
            let format = lane.sync_format(world.cube_count());
            let config = sync::sender_config(&lane);
            Box::new(snapshot_strategies::sync::SyncSender::new(format, config))
        }
        Strategy::Lockstep => {
            let config = lockstep::sender_config(&lane);
            Box::new(snapshot_strategies::lockstep::LockstepSender::new(config))
        }
        Strategy::Game => unreachable!("{NOT_ONE_WAY}"),
    }
}

fn new_receiver(settings: &Settings, world: &World) -> Box<dyn snapshot_strategies::Receiver> {
    let lane = settings.lane();
    match lane.strategy() {
        Strategy::Snapshot => {
            let (format, first) = quantised_start(settings, world);
            let predictor = Predictor::new(Some(settings.world()));
            let config = snapshot::receiver_config(&lane);
            Box::new(snapshot_strategies::snapshot::SnapshotReceiver::new(
                format, config, &first, predictor,
            ))
        }
        Strategy::Sync => {
            let format = lane.sync_format(world.cube_count());
            let (config, states) = (sync::receiver_config(&lane), world.truth());
            Box::new(snapshot_strategies::sync::SyncReceiver::new(
                format,
                config,
                world.tick(),
                states,
            ))
        }
        Strategy::Lockstep => {
            let config = lockstep::receiver_config(&lane);
            Box::new(snapshot_strategies::lockstep::LockstepReceiver::new(config))
        }
        Strategy::Game => unreachable!("{NOT_ONE_WAY}"),
    }
}

fn quantised_start(
    settings: &Settings,
    world: &World,
) -> (snapshot_codec::Format, Vec<snapshot_codec::Cube>) {
    let lane = settings.lane();
    let agreed = snapshot_record::agreed::Agreed::of_world(world.made_from());
    let format = agreed.format(lane.rung(), lane.class(), &lane);
    let first = agreed.initial().iter();
    (format, first.map(|cube| format.quantise(cube)).collect())
}

/// The simulated network between two threads, which keeps its own time.
struct ThreadedLink {
    network: Network,
    settings: LaneSettings,
    packets: (Receiver<(u64, Vec<u8>)>, Sender<TravellingPacket>),
    acks: (Receiver<(u64, Vec<u8>)>, Sender<TravellingPacket>),
}

impl ThreadedLink {
    /// Delivers the acknowledgements that have arrived by this tick.
    fn carry_acks(&mut self, tick: u64) {
        self.network.set_cut(is_cut(tick));
        let mut bytes = Vec::new();
        while let Some(delivery) =
            (self.network).receive_ack(WORLD.ms_of_tick(tick as f64), &mut bytes)
        {
            let ack = (delivery.arrival_ms, bytes.clone());
            self.acks.1.send(ack).unwrap();
        }
    }

    /// Accepts this tick's packet, and delivers the packets that have arrived.
    fn carry_packets(&mut self, tick: u64) {
        for (sent_tick, packet) in self.packets.0.try_iter() {
            let size = PacketSize::of(packet.len(), &self.settings);
            self.network.send(sent_tick, &packet, size);
        }
        let mut bytes = Vec::new();
        while let Some(delivery) = (self.network).receive(WORLD.ms_of_tick(tick as f64), &mut bytes)
        {
            let packet = (delivery.arrival_ms, bytes.clone());
            self.packets.1.send(packet).unwrap();
        }
    }

    /// Accepts this tick's acknowledgement.
    fn take_acks(&mut self) {
        for (sent_tick, ack) in self.acks.0.try_iter() {
            self.network.send_ack(sent_tick, &ack);
        }
    }
}

/// Plays a link with its ends in two threads, and returns the view's hash at each tick.
fn play_in_threads(settings: Settings) -> Vec<u64> {
    let barrier = Arc::new(Barrier::new(3));
    let (packets_in, packets) = mpsc::channel();
    let (packets_out, arrived_packets) = mpsc::channel();
    let (acks_in, acks) = mpsc::channel();
    let (acks_out, arrived_acks) = mpsc::channel();
    let mut link = ThreadedLink {
        network: Network::new(&settings.lane(), &LinkInputs::default()),
        settings: settings.lane(),
        packets: (packets, packets_out),
        acks: (acks, acks_out),
    };
    let left_barrier = Arc::clone(&barrier);
    let left = std::thread::spawn(move || {
        let mut world = World::new(&settings.world());
        let seed = settings.get(snapshot_settings::Key::Seed);
        let side = settings.get(snapshot_settings::Key::Grid);
        let mut script = Script::new(settings.scene(), seed, side);
        let mut sender = new_sender(&settings, &world);
        let mut packet = Vec::new();
        for _ in 1..=TICKS {
            left_barrier.wait();
            arrived_acks
                .try_iter()
                .for_each(|(_, ack): TravellingPacket| assert!(sender.ack(&ack).is_ok()));
            let input = script.next(world.truth());
            world.step(input);
            let (tick, states) = (world.tick(), world.truth());
            let info = sender.tick(tick, input.bits(), states, &mut packet, None);
            if info.unwrap().is_some() {
                packets_in.send((tick, packet.clone())).unwrap();
            }
            left_barrier.wait();
            left_barrier.wait();
            left_barrier.wait();
        }
    });
    let right_barrier = Arc::clone(&barrier);
    let right = std::thread::spawn(move || {
        let mut world = PlainWorld(World::new(&settings.world()));
        let mut receiver = new_receiver(&settings, &world.0);
        let mut poses: Vec<Pose> = world.0.truth().iter().map(Pose::from).collect();
        let agreed = snapshot_record::agreed::Agreed::of_world(world.0.made_from());
        let mut view: View = View::of(&agreed, world.0.truth());
        let (mut ack, mut hashes) = (Vec::new(), Vec::new());
        for tick in 1..=TICKS {
            right_barrier.wait();
            right_barrier.wait();
            right_barrier.wait();
            (arrived_packets.try_iter()).for_each(|(arrival_ms, bytes): TravellingPacket| {
                receiver.packet(arrival_ms, &bytes).unwrap();
            });
            if receiver.ack(&mut ack) {
                acks_in.send((tick, ack.clone())).unwrap();
            }
            receiver.show(WORLD.ms_of_tick(tick as f64), &mut world, &mut poses);
            view.show_all(&poses);
            hashes.push(view.hash());
            right_barrier.wait();
        }
        hashes
    });
    // The link stands between: acknowledgements, the left thread, packets, the right thread.
    for tick in 1..=TICKS {
        link.carry_acks(tick);
        barrier.wait();
        barrier.wait();
        link.carry_packets(tick);
        barrier.wait();
        barrier.wait();
        link.take_acks();
    }
    left.join().unwrap();
    right.join().unwrap()
}

/// Plays the same link in a lane, with the tape, the shared runs and the observers.
fn play_in_a_lane(settings: &Settings) -> Vec<u64> {
    let tape = Tape::record(settings, TICKS);
    let mut lane = Lane::new(&settings.lane(), &World::new(&settings.world()));
    let mut frames = tape.frames_after(0);
    let mut hashes = Vec::new();
    while let Some(frame) = frames.next() {
        lane.set_cut(is_cut(frame.tick));
        lane.tick(&frame);
        hashes.push(lane.view().hash());
    }
    assert_eq!(lane.metrics().mismatches, 0);
    hashes
}

fn is_the_same_in_threads(link: &str) {
    let (settings, notices) = permalink::parse(link);
    assert_eq!(notices, []);
    let lane = play_in_a_lane(&settings);
    let threads = play_in_threads(settings);
    let first_difference = lane.iter().zip(&threads).position(|(a, b)| a != b);
    assert_eq!(
        (threads.len(), first_difference),
        (lane.len(), None),
        "{link}"
    );
    let distinct: std::collections::BTreeSet<_> = lane.iter().collect();
    assert!(distinct.len() > 1000, "{link}: the view moves");
}

#[test]
fn snapshots_of_rung_11_in_two_threads_are_the_lanes() {
    is_the_same_in_threads("#scene=mixed&grid=10&hz=20&loss=5&jitter=20&codec=changed-flags");
}

#[test]
fn snapshots_of_rung_14_in_two_threads_are_the_lanes() {
    is_the_same_in_threads(
        "#scene=mixed&grid=8&hz=10&loss=5&jitter=20&codec=simulated&class=chained",
    );
}

#[test]
fn snapshots_whose_playout_adapts_are_the_lanes_in_two_threads() {
    is_the_same_in_threads(
        "#scene=mixed&grid=10&hz=60&loss=5&jitter=40&codec=changed-flags&delay=adaptive",
    );
}

#[test]
fn snapshots_and_updates_that_are_shown_as_they_arrive_are_the_lanes_in_two_threads() {
    is_the_same_in_threads("#scene=mixed&grid=10&hz=60&loss=5&jitter=40&delay=none");
    is_the_same_in_threads("#strategy=sync&scene=mixed&grid=10&loss=5&jitter=40&buffer=none");
}

#[test]
fn state_synchronisation_whose_buffer_adapts_is_the_lanes_in_two_threads() {
    is_the_same_in_threads(
        "#strategy=sync&scene=mixed&grid=10&loss=5&jitter=40&buffer=adaptive&freezes=10",
    );
}

#[test]
fn lockstep_whose_playout_adapts_is_the_lanes_in_two_threads() {
    is_the_same_in_threads(
        "#strategy=lockstep&scene=mixed&grid=10&loss=5&jitter=40&delay=adaptive&pace=20",
    );
}

#[test]
fn state_synchronisation_in_two_threads_is_the_lanes() {
    is_the_same_in_threads("#strategy=sync&scene=mixed&grid=10&loss=5&jitter=20");
}

#[test]
fn lockstep_in_two_threads_is_the_lanes() {
    is_the_same_in_threads("#strategy=lockstep&scene=mixed&grid=10&loss=5&jitter=20");
}
