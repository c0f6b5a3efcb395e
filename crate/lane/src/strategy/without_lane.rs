//! Both ends of each strategy without a lane: worlds and predictors of their own, and no tape. The lane's view comes out, bit for
//! bit.

use super::{lockstep, snapshot, sync};
use crate::played::{self, lane_over};
use crate::strategy::lockstep::{LockstepReceiver, LockstepSender};
use crate::strategy::snapshot::{SnapshotReceiver, SnapshotSender};
use crate::strategy::sync::{SyncReceiver, SyncSender};
use crate::strategy::{Receiver, Sender};
use crate::tape_world::step_to;
use crate::view::View;
use crate::wire::{Direction, Network, PacketSize};
use snapshot_base::time::WORLD;
use snapshot_codec::CubeState;
use snapshot_netsim::channel::LinkInputs;
use snapshot_physics::Input;
use snapshot_physics::predictor::Predictor;
use snapshot_physics::scene::Script;
use snapshot_physics::world::World;
use snapshot_record::session_config::SessionConfig;
use snapshot_record::tape::Tape;
use snapshot_settings::{Settings, Strategy};
use snapshot_view::Pose;

const TICKS: u64 = 20 * 60;

/// Ticks in which no packet passes.
const CUT: std::ops::Range<u64> = 900..990;

/// A physics world as a game lends it: simulated at each step, without a tape.
struct PlainWorld(World);

impl crate::strategy::World for PlainWorld {
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

fn ends(settings: &Settings, world: &World) -> (Box<dyn Sender>, Box<dyn Receiver>) {
    let lane = &settings.lane();
    match lane.strategy() {
        Strategy::Snapshot => {
            let session_config = SessionConfig::of_world(world.made_from());
            let format = session_config.format(lane.rung(), lane.class(), lane);
            let first = session_config.initial.iter();
            let first: Vec<_> = first.map(|cube| format.quantise(cube)).collect();
            let predictor = || Predictor::new(Some(settings.world()));
            let (hz, config) = (lane.send_rate_hz(), snapshot::receiver_config(lane));
            let sender = SnapshotSender::new(format, WORLD, hz, &first, predictor());
            let receiver = SnapshotReceiver::new(format, config, &first, predictor());
            (Box::new(sender), Box::new(receiver))
        }
        Strategy::Sync => {
            let format = sync::ends::format(lane, world.cube_count());
            let sender = SyncSender::new(format, sync::ends::sender_config(lane));
            let config = sync::ends::receiver_config(lane);
            let receiver = SyncReceiver::new(format, config, world.tick(), world.truth());
            (Box::new(sender), Box::new(receiver))
        }
        Strategy::Lockstep => (
            Box::new(LockstepSender::new(lockstep::ends::sender_config(lane))),
            Box::new(LockstepReceiver::new(lockstep::ends::receiver_config(lane))),
        ),
        Strategy::Game => unreachable!("a game's ends send both ways"),
    }
}

/// Plays a link without a lane, and returns the view's hash at each tick.
fn play_alone(settings: &Settings) -> Vec<u64> {
    let lane = settings.lane();
    let world = || World::new(&settings.world());
    let (mut left, mut right) = (world(), PlainWorld(world()));
    let (seed, side) = (settings.seed(), settings.grid_side());
    let mut script = Script::new(settings.scene(), seed, side);
    let (mut sender, mut receiver) = ends(settings, &left);
    let mut network = Network::new(&lane, &LinkInputs::default());
    let mut poses: Vec<Pose> = left.truth().iter().map(Pose::from).collect();
    let mut view = View::from_cubes(&SessionConfig::of_world(left.made_from()), left.truth());
    let (mut bytes, mut hashes) = (Vec::new(), Vec::new());
    for tick in 1..=TICKS {
        let now_ms = WORLD.ms_of_tick(tick as f64);
        network.set_cut(CUT.contains(&tick));
        while network
            .receive(Direction::Back, now_ms, &mut bytes)
            .is_some()
        {
            sender.ack(&bytes).unwrap();
        }
        let input = script.next(left.truth());
        left.step(input);
        let info = sender.tick(tick, input.bits(), left.truth(), &mut bytes, None);
        if info.unwrap().is_some() {
            let at = network.departure(Direction::Forward, tick);
            let size = PacketSize::new(bytes.len(), &lane);
            network.send(Direction::Forward, at, &bytes, size);
        }
        while let Some(delivery) = network.receive(Direction::Forward, now_ms, &mut bytes) {
            receiver.packet(delivery.arrival_ms, &bytes).unwrap();
        }
        if receiver.ack(&mut bytes) {
            let at = network.departure(Direction::Back, tick);
            let size = PacketSize::whole(bytes.len(), lane.header_bytes());
            network.send(Direction::Back, at, &bytes, size);
        }
        receiver.show(now_ms, &mut right, &mut poses);
        view.show_all(&poses);
        hashes.push(view.hash());
    }
    hashes
}

/// Plays the same link in a lane, with the tape, the shared runs and the observers.
fn play_in_a_lane(settings: &Settings) -> Vec<u64> {
    let mut tape = Tape::record(settings, TICKS);
    tape.cut(CUT);
    let mut hashes = Vec::new();
    let lane = lane_over(&tape, settings, |_, lane| hashes.push(lane.view().hash()));
    assert_eq!(lane.metrics().mismatches, 0);
    hashes
}

/// Links of a strategy; none of a game, whose ends send both ways.
fn links(strategy: Strategy) -> impl Iterator<Item = (Strategy, &'static str)> {
    let links: &[&str] = match strategy {
        Strategy::Snapshot => &[
            "grid=10&hz=20&jitter=20&codec=changed-flags",
            "grid=8&hz=10&jitter=20&codec=simulated&class=chained",
            "grid=10&hz=60&jitter=40&codec=changed-flags&delay=adaptive",
            "grid=10&hz=60&jitter=40&delay=none",
        ],
        Strategy::Sync => &[
            "grid=10&jitter=20",
            "grid=10&jitter=40&buffer=none",
            "grid=10&jitter=40&buffer=adaptive&freezes=10",
        ],
        Strategy::Lockstep => &[
            "grid=10&jitter=20",
            "grid=10&jitter=40&delay=adaptive&pace=20",
        ],
        Strategy::Game => &[],
    };
    links.iter().map(move |link| (strategy, *link))
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn ends_without_a_lane_show_what_the_lane_shows() {
    for (strategy, link) in Strategy::ALL.into_iter().flat_map(links) {
        let link = format!("strategy={}&{link}", strategy.row().id);
        let settings = played::settings(&format!("#scene=mixed&loss=5&{link}"));
        let [lane, alone] = [play_in_a_lane, play_alone].map(|play| play(&settings));
        let first_difference = lane.iter().zip(&alone).position(|(a, b)| a != b);
        assert_eq!(first_difference, None, "{link}");
        assert_eq!(alone.len(), lane.len());
        let distinct: std::collections::BTreeSet<_> = lane.iter().collect();
        assert!(distinct.len() > 400, "{link}: the view moves");
    }
}
