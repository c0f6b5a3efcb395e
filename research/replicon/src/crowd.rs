//! A hundred clients on a plane of 1,000 objects, 180 kbit/s each, 5 % of loss, 50 ms each way: both packages send what is near
//! first, at equal kbit/s.
//!
//! bevy_replicon has priorities and no budget, so one scale of all priorities is searched that comes to the same kbit/s. Its state
//! is sent as floats, as in its examples, and packed by the program into as many bits as this package quantises to. Both send 20
//! times a second, and clients answer as often. The time is that of the server's
//! code alone, of its thread, without writing the objects.

use std::time::Duration;

use bevy::ecs::component::Mutable;
use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy_replicon::client::confirm_history::ConfirmHistory;
use bevy_replicon::prelude::*;
use bevy_replicon::server::server_tick::ServerTick;
use bevy_replicon::shared::backend::channels::{ClientChannel, ServerChannel};
use bevy_replicon::shared::server_entity_map::ServerEntityMap;
use bevy_replicon::test_app::{ServerTestAppExt, TestClientEntity};
use cpu_time::ThreadTime;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use snapshot_base::random::KeyedDraw;
use snapshot_replication::{
    Client, DatagramOutcome, Interest, Object, Peer, Rung, Server, Settings,
};

const CLIENTS: usize = 100;
const OBJECTS: usize = 1000;
const TICK_HZ: usize = 60;
const SEND_HZ: usize = 20;
const KBPS: f64 = 180.0;
const LOSS: f64 = 0.05;
const DELAY_TICKS: usize = 3;
const WARM_UP_S: usize = 3;
const NEAR_M: f32 = 20.0;
/// Length of the headers of IPv4 and UDP, bytes.
const HEADERS_BYTES: usize = 28;
/// Bytes of messages that a datagram carries.
const DATAGRAM_BYTES: usize = 1172;

/// Returns a place on a plane of 200 m.
fn place(seed: usize) -> Vec3 {
    let draw = KeyedDraw::new(7, 0).with(seed as u64);
    let axis = |axis| draw.with(axis).between(-100.0, 100.0) as f32;
    Vec3::new(axis(1), axis(2), 1.0)
}

/// Returns the objects of a tick: every second one goes round in a ring of 2 m, and turns.
fn objects(tick: usize) -> Vec<Object> {
    let object = |id: usize| {
        let phase = id as f32 + if id % 2 == 0 { tick as f32 * 0.03 } else { 0.0 };
        let at = place(id) + 2.0 * Vec3::new(phase.cos(), phase.sin(), 0.0);
        Object {
            orientation: Quat::from_rotation_z(phase).to_array(),
            ..Object::at(id as u32, at.to_array())
        }
    };
    (0..OBJECTS).map(object).collect()
}

fn client_place(client: usize) -> Vec3 {
    place(client + 5000)
}

/// Returns true if the packet of that number is lost.
fn is_lost(tick: usize, client: usize, number: usize) -> bool {
    let luck = KeyedDraw::new(1, 0).with(tick as u64).with(client as u64);
    luck.with(number as u64).unit() < LOSS
}

/// Figures of a run, beyond the warm-up. Ages and errors are those of moving objects: near ones, and all.
struct Figures {
    bytes: usize,
    taken: Duration,
    /// Samples by age in ticks.
    ages: [Vec<u64>; 2],
    error_sum_m: [f64; 2],
}

impl Figures {
    fn new() -> Self {
        Self {
            bytes: 0,
            taken: Duration::ZERO,
            ages: [(); 2].map(|()| vec![0; 100 * TICK_HZ]),
            error_sum_m: [0.0; 2],
        }
    }

    /// Adds what a client has of an object: where it stands for the client, and how old that is.
    fn sample(&mut self, client: usize, truth: &Object, at: Vec3, age_ticks: usize) {
        if truth.id % 2 != 0 {
            return;
        }
        let truth = Vec3::from(truth.position);
        let is_near = client_place(client).distance(truth) <= NEAR_M;
        for group in [is_near.then_some(0), Some(1)].into_iter().flatten() {
            let last = self.ages[group].len() - 1;
            self.ages[group][age_ticks.min(last)] += 1;
            self.error_sum_m[group] += f64::from(at.distance(truth));
        }
    }

    fn percentile_ms(&self, group: usize, share: f64) -> f64 {
        let wanted = self.ages[group].iter().sum::<u64>() as f64 * share;
        let mut counted = 0.0;
        let reached = |count: &u64| {
            counted += *count as f64;
            counted >= wanted
        };
        let ticks = self.ages[group]
            .iter()
            .position(reached)
            .unwrap_or_default();
        ticks as f64 * 1000.0 / TICK_HZ as f64
    }

    fn kbps(&self, clients: usize, seconds: usize) -> f64 {
        self.bytes as f64 * 0.008 / clients as f64 / seconds as f64
    }

    fn print(&self, name: &str, seconds: usize) {
        let of = |group: usize| {
            let count = self.ages[group].iter().sum::<u64>() as f64;
            let [half, most] = [0.5, 0.95].map(|share| self.percentile_ms(group, share));
            format!(
                "{half:7.0} {most:7.0} {:9.0}",
                self.error_sum_m[group] / count * 1000.0
            )
        };
        let share = 100.0 * self.taken.as_secs_f64() / seconds as f64;
        println!(
            "{name:32} {:6.1}  {}  {}  {share:6.1}",
            self.kbps(CLIENTS, seconds),
            of(0),
            of(1)
        );
    }
}

/// The state of an object as bevy_replicon sends it.
trait Sent: Component<Mutability = Mutable> + Serialize + DeserializeOwned + Copy + PartialEq {
    fn from_object(object: &Object) -> Self;
    fn at(&self) -> Vec3;
}

#[derive(Component, Clone, Copy, PartialEq, Deserialize, Serialize)]
struct Floats([f32; 3], [f32; 4]);

impl Sent for Floats {
    fn from_object(object: &Object) -> Self {
        Self(object.position, object.orientation)
    }

    fn at(&self) -> Vec3 {
        self.0.into()
    }
}

/// 18, 18 and 14 bits of a position, 29 of an orientation.
#[derive(Component, Clone, Copy, PartialEq, Deserialize, Serialize)]
struct Packed([u8; 10]);

impl Sent for Packed {
    fn from_object(object: &Object) -> Self {
        let [x, y, z] = object.position;
        let steps = [x + 256.0, y + 256.0, z].map(|metres| (metres * 512.0).round() as u128);
        let mut bits = steps[0] << 32 | steps[1] << 14 | steps[2];
        let of = object.orientation;
        let largest = (0..4)
            .max_by(|&a, &b| of[a].abs().total_cmp(&of[b].abs()))
            .unwrap_or(0);
        bits = bits << 2 | largest as u128;
        for index in (0..4).filter(|index| *index != largest) {
            let share = of[index] * of[largest].signum() * std::f32::consts::FRAC_1_SQRT_2 + 0.5;
            bits = bits << 9 | (share * 511.0).round() as u128;
        }
        let mut bytes = [0; 10];
        bytes.copy_from_slice(&bits.to_be_bytes()[6..]);
        Self(bytes)
    }

    fn at(&self) -> Vec3 {
        let mut bytes = [0; 16];
        bytes[6..].copy_from_slice(&self.0);
        let bits = u128::from_be_bytes(bytes) >> 29;
        let metres =
            |shift: u32, bits_of: u32| (bits >> shift & ((1 << bits_of) - 1)) as f32 / 512.0;
        Vec3::new(
            metres(32, 18) - 256.0,
            metres(14, 18) - 256.0,
            metres(0, 14),
        )
    }
}

fn app<C: Sent>() -> App {
    let mut app = App::new();
    let plugins = RepliconPlugins.set(ServerPlugin::new(PostUpdate));
    app.add_plugins((MinimalPlugins, StatesPlugin, plugins))
        .replicate::<C>()
        .finish();
    app
}

/// Plays the crowd by bevy_replicon. An object 5 m away or nearer has the priority `scale`, others less in inverse proportion.
fn by_replicon<C: Sent>(clients: usize, seconds: usize, scale: f32) -> Figures {
    let mut server = app::<C>();
    let mut apps: Vec<App> = (0..clients).map(|_| app::<C>()).collect();
    apps.iter_mut()
        .for_each(|client| server.connect_client(client));
    let ends: Vec<Entity> = apps
        .iter()
        .map(|client| **client.world().resource::<TestClientEntity>())
        .collect();
    let spawn = |object: &Object| {
        server
            .world_mut()
            .spawn((Replicated, C::from_object(object)))
            .id()
    };
    let entities: Vec<Entity> = objects(0).iter().map(spawn).collect();
    for (client, end) in ends.iter().enumerate() {
        let mut map = server
            .world_mut()
            .get_mut::<PriorityMap>(*end)
            .expect("a client");
        for (id, entity) in entities.iter().enumerate() {
            let apart_m = client_place(client).distance(place(id));
            map.insert(*entity, scale * 5.0 / apart_m.max(5.0));
        }
    }
    let mut figures = Figures::new();
    let (mut down, mut up) = (Vec::new(), Vec::new());
    let mut ticks = std::collections::BTreeMap::new();
    for update in 0..(WARM_UP_S + seconds) * SEND_HZ {
        let tick = update * TICK_HZ / SEND_HZ;
        let is_measured = update >= WARM_UP_S * SEND_HZ;
        let truth = objects(tick);
        for (object, entity) in truth.iter().zip(&entities) {
            let mut state = server.world_mut().get_mut::<C>(*entity).expect("an object");
            // A component that is written counts as changed.
            state.set_if_neq(C::from_object(object));
        }
        for (client, channel, message) in std::mem::take(&mut up) {
            let client: usize = client;
            let mut messages = server.world_mut().resource_mut::<ServerMessages>();
            messages.insert_received(ends[client], channel, message);
        }
        let started = ThreadTime::now();
        server.update();
        let taken = started.elapsed();
        ticks.insert(server.world().resource::<ServerTick>().get(), tick);
        let mut sent = vec![0; clients];
        let arriving = std::mem::take(&mut down);
        for (end, channel, message) in server
            .world_mut()
            .resource_mut::<ServerMessages>()
            .drain_sent()
        {
            let client = ends.iter().position(|it| *it == end).expect("a client");
            sent[client] += message.len();
            let number = down.len();
            if channel == usize::from(ServerChannel::Updates) || !is_lost(tick, client, number) {
                down.push((client, channel, message));
            }
        }
        if is_measured {
            figures.taken += taken;
            let datagrams = |bytes: &usize| bytes + HEADERS_BYTES * bytes.div_ceil(DATAGRAM_BYTES);
            figures.bytes += sent.iter().map(datagrams).sum::<usize>();
        }
        // What left one update ago, 50 ms, arrives.
        for (client, channel, message) in arriving {
            let client: usize = client;
            apps[client]
                .world_mut()
                .resource_mut::<ClientMessages>()
                .insert_received(channel, message);
        }
        for (client, app) in apps.iter_mut().enumerate() {
            app.update();
            for (channel, message) in app
                .world_mut()
                .resource_mut::<ClientMessages>()
                .drain_sent()
            {
                debug_assert!(channel < 2 + usize::from(ClientChannel::MutationAcks));
                up.push((client, channel, message));
            }
            if !is_measured {
                continue;
            }
            let world = app.world();
            let map = world.resource::<ServerEntityMap>().to_client();
            for (object, entity) in truth.iter().zip(&entities) {
                let Some(own) = map.get(entity) else { continue };
                let state = world.get::<C>(*own).expect("a state");
                let confirmed = world
                    .get::<ConfirmHistory>(*own)
                    .expect("a tick")
                    .last_tick()
                    .get();
                let of = ticks.get(&confirmed).copied().unwrap_or(tick);
                figures.sample(client, object, state.at(), tick - of);
            }
        }
    }
    figures
}

/// Searches the scale of priorities that comes to the kbit/s, with five clients.
fn scale_of<C: Sent>() -> f32 {
    let (mut low, mut high) = (0.001_f32, 4.0_f32);
    for _ in 0..8 {
        let scale = (low * high).sqrt();
        match by_replicon::<C>(5, 3, scale).kbps(5, 3) < KBPS {
            true => low = scale,
            false => high = scale,
        }
    }
    low
}

fn by_this_package(rung: Rung, seconds: usize) -> Figures {
    let settings = Settings {
        rung,
        clients: CLIENTS,
        budget_kbps: Some(KBPS),
        ..Settings::new(OBJECTS)
    };
    let mut server: Server<usize> = Server::new(settings.clone(), [1; 16]).expect("settings");
    let new = |nonce| Client::new(settings.clone(), b"", nonce as u64).expect("settings");
    let mut clients: Vec<Client> = (0..CLIENTS).map(new).collect();
    let mut figures = Figures::new();
    let (mut down, mut up): (Vec<(usize, usize, Vec<u8>)>, Vec<(usize, usize, Vec<u8>)>) =
        Default::default();
    for tick in 1..=(WARM_UP_S + seconds) * TICK_HZ {
        let now_ms = tick as f64 * 1000.0 / TICK_HZ as f64;
        let is_measured = tick > WARM_UP_S * TICK_HZ;
        let truth = objects(tick);
        let mut sent = Vec::new();
        let started = ThreadTime::now();
        for (_, address, bytes) in up.extract_if(.., |it| it.0 <= tick) {
            match server.receive(now_ms, &address, &bytes) {
                DatagramOutcome::Answer(answer) => sent.push((address, answer)),
                DatagramOutcome::Joins(peer, _) => server.admit(peer),
                DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
            }
        }
        let sees = |peer: Peer, object: &Object| {
            Interest::by_distance(
                client_place(peer.number() as usize - 1).to_array(),
                object,
                5.0,
                300.0,
            )
        };
        let send = |address: &usize, bytes: &[u8]| sent.push((*address, bytes.to_vec()));
        server
            .tick(now_ms, tick as u64, &truth, sees, send)
            .expect("objects that can be sent");
        let taken = started.elapsed();
        if is_measured {
            figures.taken += taken;
            figures.bytes += sent
                .iter()
                .map(|(_, bytes)| bytes.len() + HEADERS_BYTES)
                .sum::<usize>();
        }
        for (number, (address, bytes)) in sent.into_iter().enumerate() {
            if !is_lost(tick, address, number) {
                down.push((tick + DELAY_TICKS, address, bytes));
            }
        }
        for (_, address, bytes) in down.extract_if(.., |it| it.0 <= tick) {
            let _counted = clients[address].receive(now_ms, &bytes);
        }
        if !tick.is_multiple_of(TICK_HZ / SEND_HZ) {
            continue;
        }
        for (address, client) in clients.iter_mut().enumerate() {
            client.show(now_ms);
            while let Some(bytes) = client.send(now_ms) {
                if !is_lost(tick, address, usize::MAX - up.len()) {
                    up.push((tick + DELAY_TICKS, address, bytes));
                }
            }
            let Some((newest, objects)) = client.newest().filter(|_| is_measured) else {
                continue;
            };
            // The server knows a client by another number than its address.
            let place_of = client
                .peer()
                .map_or(address, |peer| peer.number() as usize - 1);
            for object in objects {
                let age_ticks = (object.age_ms * TICK_HZ as f32 / 1000.0).round() as usize;
                let age_ticks = tick - newest as usize + age_ticks;
                figures.sample(
                    place_of,
                    &truth[object.id as usize],
                    object.position.into(),
                    age_ticks,
                );
            }
        }
    }
    figures
}

/// Prints the figures of both packages.
pub(crate) fn print(seconds: usize) {
    println!(
        "{CLIENTS} clients, {OBJECTS} objects, {} % of loss, 50 ms each way, {seconds} s",
        LOSS * 100.0
    );
    println!(
        "                                          near: ms at p50, p95, mm off      all: ms at p50, p95, mm off   % of a core"
    );
    let own = |name: &str, rung| by_this_package(rung, seconds).print(name, seconds);
    own("this package, rung 12, strict", Rung::Arithmetic);
    let scale = scale_of::<Packed>();
    let replicon = by_replicon::<Packed>(CLIENTS, seconds, scale);
    replicon.print(&format!("replicon, packed, {scale:.4}"), seconds);
    let scale = scale_of::<Floats>();
    let replicon = by_replicon::<Floats>(CLIENTS, seconds, scale);
    replicon.print(&format!("replicon, floats, {scale:.4}"), seconds);
    own("this package, rung 11", Rung::ChangedFlags);
}
