//! Boxes on a plane, as in bevy_replicon's example `simple_box`: each moves along an axis while its player holds a key, and
//! stands otherwise. The same boxes go through bevy_replicon and through this package, to one client, at the same send rates.
//!
//! `cargo run --manifest-path research/replicon/Cargo.toml`, and with `--release` and `-- crowd` the [`crowd`].
//!
//! Counted are the bytes that each hands to its transport for the client: messages of bevy_replicon before the transport's own
//! headers and acknowledgements, and whole datagrams of this package, with its header, tag, acknowledgements and joining.

mod crowd;

use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy_replicon::prelude::*;
use bevy_replicon::test_app::ServerTestAppExt;
use serde::{Deserialize, Serialize};
use snapshot_base::random::Stream;
use snapshot_replication::{
    Bounds, Client, DatagramOutcome, Interest, Object, QuantisationBits, Rung, Server, Settings,
};

const SECONDS: usize = 30;
const TICK_HZ: usize = 60;
/// Side of the plane, m.
const SIDE_M: f32 = 32.0;
const SPEED_M_S: f32 = 5.0;
/// Ticks of one key, at least and at most.
const KEY_TICKS: [u32; 2] = [15, 90];

/// The position of a box, as the example has it.
#[derive(Component, Clone, Copy, Deserialize, Serialize)]
struct BoxPosition(Vec2);

/// Positions of the boxes in each tick.
fn motion(boxes: usize) -> Vec<Vec<Vec2>> {
    let mut random = Stream::new(1, 0);
    let half = SIDE_M / 2.0;
    let mut at: Vec<Vec2> = (0..boxes)
        .map(|_| {
            let [x, y] = [0, 1].map(|_| random.between(f64::from(-half), f64::from(half)));
            Vec2::new(x as f32, y as f32)
        })
        .collect();
    let mut keys = vec![(Vec2::ZERO, 0); boxes];
    (0..SECONDS * TICK_HZ)
        .map(|_| {
            for (place, (way, left)) in at.iter_mut().zip(&mut keys) {
                if *left == 0 {
                    let ways = [Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y, Vec2::ZERO, Vec2::ZERO];
                    *way = ways[random.integer(0, 5) as usize];
                    *left = random.integer(KEY_TICKS[0], KEY_TICKS[1]);
                }
                *left -= 1;
                *place += *way * SPEED_M_S / TICK_HZ as f32;
                *place = place.clamp(Vec2::splat(-half), Vec2::splat(half));
            }
            at.clone()
        })
        .collect()
}

/// Bytes to the client, and the greatest distance between a box and what the client has of it, m.
struct Sent {
    bytes: usize,
    error_m: f32,
}

fn by_replicon(motion: &[Vec<Vec2>], send_hz: usize) -> Sent {
    let [mut server, mut client] = [(); 2].map(|()| {
        let mut app = App::new();
        let plugins = RepliconPlugins.set(ServerPlugin::new(PostUpdate));
        app.add_plugins((MinimalPlugins, StatesPlugin, plugins))
            .replicate::<BoxPosition>()
            .finish();
        app
    });
    server.connect_client(&mut client);
    let boxes: Vec<Entity> = motion[0]
        .iter()
        .map(|at| {
            server
                .world_mut()
                .spawn((Replicated, BoxPosition(*at)))
                .id()
        })
        .collect();
    let mut sent = Sent {
        bytes: 0,
        error_m: 0.0,
    };
    for all in motion.iter().step_by(TICK_HZ / send_hz) {
        for (entity, at) in boxes.iter().zip(all) {
            let mut place = server
                .world_mut()
                .get_mut::<BoxPosition>(*entity)
                .expect("a box");
            // A component that is written counts as changed.
            if place.0 != *at {
                place.0 = *at;
            }
        }
        server.update();
        server
            .world_mut()
            .resource_mut::<ServerMessages>()
            .retain_sent(|(.., message)| {
                sent.bytes += message.len();
                true
            });
        server.exchange_with_client(&mut client);
        client.update();
        server.exchange_with_client(&mut client);
        let mut remote = client.world_mut().query::<&BoxPosition>();
        let mut there: Vec<[f32; 2]> = remote
            .iter(client.world())
            .map(|at| at.0.to_array())
            .collect();
        let mut here: Vec<[f32; 2]> = all.iter().map(Vec2::to_array).collect();
        assert_eq!(there.len(), here.len(), "the client has not all boxes");
        for list in [&mut there, &mut here] {
            list.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        }
        let apart = there
            .iter()
            .zip(&here)
            .map(|(a, b)| Vec2::from(*a).distance(Vec2::from(*b)));
        sent.error_m = apart.fold(sent.error_m, f32::max);
    }
    sent
}

fn by_this_package(motion: &[Vec<Vec2>], send_hz: usize, position_bits: u32) -> Sent {
    let half = SIDE_M as i32 / 2;
    let settings = Settings {
        send_rate: send_hz as u32,
        rung: Rung::Arithmetic,
        bounds: Bounds::new([-half, -half, -1], [half, half, 1]).expect("bounds"),
        bits: QuantisationBits::new(position_bits, 9, 5).expect("bits"),
        ..Settings::new(motion[0].len())
    };
    let mut server: Server<u8> = Server::new(settings.clone(), [7; 16]).expect("settings");
    let mut client = Client::new(settings, b"", 1).expect("settings");
    let mut sent = Sent {
        bytes: 0,
        error_m: 0.0,
    };
    for (tick, all) in motion.iter().enumerate() {
        let now_ms = tick as f64 * 1000.0 / TICK_HZ as f64;
        while let Some(datagram) = client.send(now_ms) {
            match server.receive(now_ms, &1, &datagram) {
                DatagramOutcome::Answer(answer) => {
                    sent.bytes += answer.len();
                    client.receive(now_ms, &answer).expect("an answer");
                }
                DatagramOutcome::Joins(peer, _) => server.admit(peer),
                DatagramOutcome::Taken => {}
                DatagramOutcome::Refused(reason) => panic!("{reason:?}"),
            }
        }
        let objects: Vec<Object> = all
            .iter()
            .zip(0..)
            .map(|(at, id)| Object {
                id,
                position: [at.x, at.y, 0.0],
                ..Object::default()
            })
            .collect();
        let (mut datagrams, tick) = (Vec::new(), tick as u64);
        let sees = |_, _: &Object| Interest::Priority(1.0);
        let send = |_: &u8, bytes: &[u8]| datagrams.push(bytes.to_vec());
        server
            .tick(now_ms, tick, &objects, sees, send)
            .expect("a tick");
        for datagram in datagrams {
            sent.bytes += datagram.len();
            client.receive(now_ms, &datagram).expect("a datagram");
        }
        if let Some((newest, objects)) = client.newest()
            && newest == tick
        {
            for object in objects {
                let at = all[object.id as usize];
                let apart = at.distance(Vec2::new(object.position[0], object.position[1]));
                sent.error_m = sent.error_m.max(apart);
            }
        }
    }
    sent
}

/// Bits of a metre: steps of 1.95 mm, which no screen shows, and the finest that the package has.
const POSITION_BITS: [u32; 2] = [9, 12];

fn main() {
    if std::env::args().nth(1).as_deref() == Some("crowd") {
        return crowd::print(10);
    }
    let per_s = |sent: &Sent| sent.bytes as f64 / SECONDS as f64;
    println!("boxes  packets/s  replicon bytes/s  bits  bytes/s   times  error mm");
    for boxes in [10, 40, 100, 400] {
        let motion = motion(boxes);
        for send_hz in [20, 60] {
            let theirs = by_replicon(&motion, send_hz);
            assert_eq!(theirs.error_m, 0.0, "floats are exact");
            for bits in POSITION_BITS {
                let ours = by_this_package(&motion, send_hz, bits);
                println!(
                    "{boxes:5}  {send_hz:9}  {:16.0}  {bits:4}  {:7.0}  {:6.2}  {:8.2}",
                    per_s(&theirs),
                    per_s(&ours),
                    per_s(&theirs) / per_s(&ours),
                    ours.error_m * 1000.0
                );
            }
        }
    }
}
