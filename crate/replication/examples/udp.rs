//! A server and a client over UDP sockets on loopback: `cargo run --release -p snapshot-replication --example udp`.
//!
//! The server moves 40 objects for two seconds. The client shows them. `cargo test` runs it too.
#![allow(
    clippy::disallowed_types,
    reason = "a program on a network has a clock"
)]

use snapshot_replication::{Client, DatagramOutcome, Object, Server, Settings};
use std::error::Error;
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

fn serve(socket: &UdpSocket, ticks: u64) -> Result<()> {
    let mut server: Server<SocketAddr> = Server::new(Settings::new(40), [42; 16])?; // In a game the secret is random.
    let (start, mut buffer) = (Instant::now(), [0; 2048]);
    for tick in 1..=ticks {
        std::thread::sleep((Duration::from_secs(tick) / 60).saturating_sub(start.elapsed()));
        let now_ms = start.elapsed().as_secs_f64() * 1000.0;
        while let Ok((len, from)) = socket.recv_from(&mut buffer) {
            match server.receive(now_ms, &from, &buffer[..len]) {
                DatagramOutcome::Answer(bytes) => drop(socket.send_to(&bytes, from)),
                DatagramOutcome::Joins(peer, token) if token == b"ticket" => server.admit(peer),
                DatagramOutcome::Joins(peer, _) => server.refuse(peer, "no ticket"),
                DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
            }
        }
        let position = |id| [tick as f32 / 60.0, id as f32, 1.0];
        let objects: Vec<Object> = (0..40).map(|id| Object::at(id, position(id))).collect();
        let send = |to: &SocketAddr, bytes: &[u8]| drop(socket.send_to(bytes, to));
        server.tick(now_ms, tick, &objects, |_peer, _object| true, send)?;
    }
    Ok(())
}

fn play(socket: &UdpSocket, frames: u64) -> Result<Vec<Object>> {
    let mut client = Client::new(Settings::new(40), b"ticket", 0x5eed)?; // In a game the nonce is random.
    let (start, mut buffer) = (Instant::now(), [0; 2048]);
    for frame in 1..=frames {
        std::thread::sleep((Duration::from_secs(frame) / 60).saturating_sub(start.elapsed()));
        let now_ms = start.elapsed().as_secs_f64() * 1000.0;
        while let Ok(len) = socket.recv(&mut buffer) {
            let _counted = client.receive(now_ms, &buffer[..len]);
        }
        while let Some(bytes) = client.send(now_ms) {
            socket.send(&bytes)?;
        }
        let objects = client.show(now_ms); // Here a game draws them.
        if frame == frames {
            return Ok(objects.to_vec());
        }
    }
    Ok(Vec::new())
}

fn main() -> Result<()> {
    let [server, client] = [
        UdpSocket::bind("127.0.0.1:0")?,
        UdpSocket::bind("127.0.0.1:0")?,
    ];
    client.connect(server.local_addr()?)?;
    [&server, &client]
        .into_iter()
        .try_for_each(|socket| socket.set_nonblocking(true))?;
    let serving = std::thread::spawn(move || serve(&server, 120));
    let shown = play(&client, 100)?;
    let served = serving.join().map_err(|_| "the server stopped")?;
    let first = shown.first().ok_or("no object was shown")?;
    println!(
        "{} objects, the first at {:.2} m",
        shown.len(),
        first.position[0]
    );
    if shown.len() != 40 {
        return Err("objects are missing".into());
    }
    served
}
