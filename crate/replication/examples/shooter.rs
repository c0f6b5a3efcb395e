//! A shooter over UDP: `shooter server 4040` in one terminal, `shooter client 127.0.0.1:4040 anna` in others. Without arguments
//! it plays a server and two clients for some seconds, and checks their hits and chat: `cargo test` does so.
//!
//! Players walk by inputs that they predict themselves, chat, and shoot at the targets that they see. A hundred bots walk among
//! them, so each client has a budget: near objects are sent first. `crate/npm/example/shooter.mjs` and
//! `crate/c/examples/shooter.c` are the same client in other languages. `shooter/game.rs` is the game and its server,
//! `shooter/play.rs` the client, `shooter/agones.rs` the life of a server that a fleet starts.
#![allow(
    clippy::disallowed_types,
    reason = "a program on a network has a clock"
)]

#[path = "shooter/agones.rs"]
mod agones;
#[path = "shooter/game.rs"]
mod game;
#[path = "shooter/play.rs"]
mod play;

use agones::Agones;
use game::{Game, Outcome, socket};
use play::{Play, hud, play};
use std::net::UdpSocket;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time after the end in which the players are told, in ticks.
const FAREWELL_TICKS: u64 = 30;

/// Runs the server for some ticks, or until it is stopped or its fleet needs it no more. Returns the number of shots that it
/// judged.
fn serve(socket: &UdpSocket, ticks: u64, stop: &AtomicBool) -> Outcome<u32> {
    let (mut game, mut agones, start) = (Game::new()?, Agones::from_env(), Instant::now());
    let mut last = ticks;
    for tick in 1.. {
        std::thread::sleep((Duration::from_secs(tick) / 60).saturating_sub(start.elapsed()));
        let now = start.elapsed().as_secs_f64();
        let is_over = agones.turn(now, game.players.len(), stop.load(Ordering::Relaxed));
        if is_over && last == ticks {
            last = ticks.min(tick + FAREWELL_TICKS);
        }
        if is_over || tick == ticks {
            game.end();
        }
        game.turn(socket, now * 1000.0, tick)?;
        if tick >= last {
            break;
        }
    }
    agones.finish();
    Ok(game.shots)
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["server", port] => {
            let stop = Arc::new(AtomicBool::new(false));
            let flag = Arc::clone(&stop);
            ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))?;
            serve(&socket(port.parse()?)?, u64::MAX, &stop)?;
        }
        ["client", to, name] => {
            let socket = socket(0)?;
            socket.connect(to)?;
            drop(play(&socket, name, u64::MAX)?);
        }
        _ => check()?,
    }
    Ok(())
}

/// Checks that two players get each other's chat, and that the server judges their shots as hits on the targets that they saw.
fn check() -> Outcome<()> {
    agones::check();
    let server = UdpSocket::bind("127.0.0.1:0")?;
    server.set_nonblocking(true)?;
    let to = server.local_addr()?;
    let serving = std::thread::spawn(move || serve(&server, 300, &AtomicBool::new(false)));
    let players = ["anna", "ben"].map(|name| {
        std::thread::spawn(move || -> Outcome<Play> {
            let socket = UdpSocket::bind("127.0.0.1:0")?;
            socket.set_nonblocking(true)?;
            socket.connect(to)?;
            play(&socket, name, 280)
        })
    });
    for player in players {
        let play = player.join().map_err(|_| "a player stopped")??;
        let (hits, chat): (Vec<_>, Vec<_>) =
            play.messages.iter().partition(|it| it.starts_with("hit"));
        println!("{}, {} hits", hud(&play.client), hits.len());
        if !chat.iter().any(|it| it.ends_with("is here")) || hits.len() < 3 {
            return Err(format!("not heard: {:?}", play.messages).into());
        }
        // Where a busy machine made an input late, the server's player stood elsewhere.
        let same = hits.iter().filter(|hit| play.hits.contains(hit)).count();
        if same * 4 < hits.len() * 3 {
            return Err(format!("{hits:?} are not {:?}", play.hits).into());
        }
    }
    let shots = serving.join().map_err(|_| "the server stopped")??;
    println!("{shots} shots were judged");
    Ok(())
}
