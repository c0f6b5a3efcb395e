//! A server and a client that print what they have, for `crate/npm/tests/together/together.test.mjs`.
//!
//! `together serve PORT RUN END_MS` prints the hash of each sent snapshot. `together play PORT SEED END_MS` loses 5 % of its
//! datagrams, and prints the hashes of decoded snapshots and of shown objects.
#![allow(
    clippy::disallowed_types,
    reason = "a program on a network has a clock"
)]

use snapshot_replication::*;
use std::error::Error;
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

type Outcome = Result<(), Box<dyn Error>>;

fn settings() -> Settings {
    let counter = ObjectField::counter("health", 7);
    Settings {
        tick_rate: 50,
        send_rate: 25,
        class: Class::Chained,
        fields: vec![
            ObjectField::new("run", 4),
            counter,
            ObjectField::new("flag", 1),
        ],
        playout: Playout::Fixed { delay_ms: 160.0 },
        ..Settings::new(40)
    }
}

/// FNV-1a of ids, kinds, positions, orientations and fields.
fn hash(objects: &[Object]) -> u32 {
    let words = objects.iter().flat_map(|object| {
        let floats = object.position.into_iter().chain(object.orientation);
        let fields = object.fields.into_iter().take(3);
        let ids = [object.id, object.kind];
        ids.into_iter()
            .chain(floats.map(f32::to_bits))
            .chain(fields)
    });
    words
        .flat_map(u32::to_le_bytes)
        .fold(0x811c_9dc5, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        })
}

fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

/// Sleeps to the next multiple of so many milliseconds, and gives it.
fn next(every_ms: u64) -> u64 {
    let now_ms = unix_ms();
    std::thread::sleep(Duration::from_millis(every_ms - now_ms % every_ms));
    unix_ms() / every_ms * every_ms
}

/// Objects that go round, come, go, jump and lose health.
fn game(tick: u64, run: u32) -> Vec<Object> {
    let alive = (0..40).filter(|id| !(tick / 40 + u64::from(*id)).is_multiple_of(9));
    let object = |id: u32| {
        let phase = tick as f32 * 0.03 + id as f32;
        let (ring, health) = (5.0 + id as f32 * 0.5, (tick / 7 + u64::from(id)) % 100);
        let mut object = Object {
            id: id + 1000 * ((tick / 40 + u64::from(id)) / 9) as u32,
            kind: id % 7,
            position: [ring * libm::cosf(phase), ring * libm::sinf(phase), 1.0],
            orientation: [0.0, 0.0, libm::sinf(phase / 2.0), libm::cosf(phase / 2.0)],
            teleported: (tick + u64::from(id)).is_multiple_of(77),
            ..Object::default()
        };
        object.fields[..3].copy_from_slice(&[run, health as u32, u32::from(tick % 50 < 25)]);
        object
    };
    alive.map(object).collect()
}

fn serve(port: u16, run: u32, end_ms: u64) -> Outcome {
    let socket = UdpSocket::bind(("127.0.0.1", port))?;
    socket.set_nonblocking(true)?;
    let mut server: Server<SocketAddr> = Server::new(settings(), [run as u8; 16])?;
    let (start_ms, mut buffer) = (next(20), [0; 2048]);
    let (mut tick, mut printed) = (0, 0);
    while unix_ms() < end_ms {
        let now_ms = next(20) - start_ms;
        while let Ok((len, from)) = socket.recv_from(&mut buffer) {
            match server.receive(now_ms as f64, &from, &buffer[..len]) {
                DatagramOutcome::Answer(bytes) => drop(socket.send_to(&bytes, from)),
                DatagramOutcome::Joins(peer, token) if token == b"ticket" => server.admit(peer),
                DatagramOutcome::Joins(peer, _) => server.refuse(peer, "no ticket"),
                DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
            }
        }
        // A machine that stood still catches up.
        while tick < now_ms / 20 {
            tick += 1;
            let send = |to: &SocketAddr, bytes: &[u8]| drop(socket.send_to(bytes, to));
            let now_ms = tick as f64 * 20.0;
            server.tick(now_ms, tick, &game(tick, run), |_, _| true, send)?;
            let (newest, objects) = server.newest();
            if newest > printed {
                printed = newest;
                let objects: Vec<Object> = objects.collect();
                println!("T {run} {newest} {:08x}", hash(&objects));
            }
        }
    }
    Ok(())
}

fn play(port: u16, seed: u32, end_ms: u64) -> Outcome {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.connect(("127.0.0.1", port))?;
    socket.set_nonblocking(true)?;
    let mut client = Client::new(settings(), b"ticket", u64::from(seed) << 32 | 77)?;
    let (mut luck, mut counts, mut buffer) = (seed, [0; 4], [0; 2048]);
    let mut passes = |way: usize| {
        luck ^= luck << 13;
        luck ^= luck >> 17;
        luck ^= luck << 5;
        counts[way] += 1;
        let is_lost = luck % 100 < 5;
        counts[way + 1] += u32::from(is_lost);
        !is_lost
    };
    let (mut decoded, mut at_ms) = (None, unix_ms() / 10 * 10);
    while at_ms < end_ms {
        let now_ms = at_ms as f64;
        while let Ok(len) = socket.recv(&mut buffer) {
            if !passes(2) {
                continue;
            }
            let _counted = client.receive(now_ms, &buffer[..len]);
            let newest = client.newest();
            if let Some((tick, objects)) = newest.filter(|(tick, _)| Some(*tick) != decoded) {
                decoded = Some(tick);
                let objects: Vec<Object> = objects.collect();
                let (run, hash) = (objects[0].fields[0], hash(&objects));
                println!("D {run} {tick} {hash:08x} {at_ms}");
            }
        }
        while let Some(bytes) = client.send(now_ms) {
            if passes(0) {
                let _lost = socket.send(&bytes);
            }
        }
        let objects = client.show(now_ms);
        if let Some(first) = objects.first() {
            let (run, hash) = (first.fields[0], hash(objects));
            let tick = client.shown_tick().unwrap_or(-1.0);
            println!("S {run} {tick} {hash:08x}");
        }
        at_ms = next(10);
    }
    let [sent, sent_lost, received, received_lost] = counts;
    println!("E {sent} {sent_lost} {received} {received_lost}");
    Ok(())
}

fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, port, number, end_ms] = &arguments[..] else {
        return Err("serve PORT RUN END_MS, or play PORT SEED END_MS".into());
    };
    let (port, number, end_ms) = (port.parse()?, number.parse()?, end_ms.parse()?);
    match what.as_str() {
        "serve" => serve(port, number, end_ms),
        _ => play(port, number, end_ms),
    }
}
