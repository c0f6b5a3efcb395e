//! The shooter as a process that a fleet starts, with the HTTP of Agones' SDK: `fleet --port 7777 --idle-seconds 30`.
//!
//! It says ready when it listens, healthy each second, allocated when the first player joins, and shutdown when the last one
//! has been away for some seconds, or on SIGTERM. Without `AGONES_SDK_HTTP_PORT` it runs alone. `docs/fleet.md` tells more.
#![allow(
    clippy::disallowed_types,
    reason = "a program on a network has a clock"
)]

#[path = "../shooter/game.rs"]
mod game;
mod life;
mod options;
#[cfg(test)]
#[path = "../shooter/play.rs"]
mod play;
mod sdk;
#[cfg(test)]
mod tests;

use game::{Game, Outcome, socket};
use life::{Call, Life};
use options::{Options, USAGE};
use sdk::Sdk;
use std::net::UdpSocket;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let port = std::env::var(sdk::PORT).ok();
    let options = match Options::read(std::env::args().skip(1), port.as_deref()) {
        Ok(options) => options,
        Err(why) => {
            eprintln!("fleet: {why}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("fleet: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Outcome<()> {
    let stop = Arc::new(AtomicBool::new(false));
    stop_on_signal(&stop)?;
    let udp = socket(options.port).map_err(|why| format!("UDP port {}: {why}", options.port))?;
    println!("listens on UDP {}", udp.local_addr()?);
    let sdk = match options.sdk_port {
        Some(port) => Sdk::start(port),
        None => {
            println!("{} is not set: it runs without a fleet", sdk::PORT);
            Sdk::alone()
        }
    };
    let served = serve(&udp, &sdk, options.idle_s, &stop);
    // An error ends the process, too: the fleet hears it at once, and not by missing health.
    if served.is_err() {
        sdk.call(Call::Shutdown);
    }
    sdk.finish();
    served
}

/// Sets the flag on SIGTERM, SIGINT and SIGHUP.
fn stop_on_signal(stop: &Arc<AtomicBool>) -> Outcome<()> {
    let stop = Arc::clone(stop);
    ctrlc::set_handler(move || stop.store(true, Ordering::Relaxed))?;
    Ok(())
}

/// Plays until the life of the process ends. Only this loop says healthy, so a stuck loop is unhealthy.
fn serve(udp: &UdpSocket, sdk: &Sdk, idle_s: f64, stop: &AtomicBool) -> Outcome<()> {
    let (mut game, mut life, start) = (Game::new()?, Life::new(idle_s), Instant::now());
    let mut last = u64::MAX;
    for tick in 1.. {
        std::thread::sleep((Duration::from_secs(tick) / 60).saturating_sub(start.elapsed()));
        let now_s = start.elapsed().as_secs_f64();
        game.turn(udp, now_s * 1000.0, tick)?;
        let players = game.players.len();
        for call in life.turn(now_s, players, stop.load(Ordering::Relaxed)) {
            if call != Call::Health {
                println!("{call:?} at {now_s:.1} s, {players} players");
            }
            sdk.call(call);
            if call == Call::Shutdown {
                game.end();
                // Half a second, in which the players are told.
                last = tick + 30;
            }
        }
        if tick >= last {
            break;
        }
    }
    Ok(())
}
