//! Whole lives of the process: with players, without an answer from the SDK, with SIGTERM.

use super::stand_in::{Manner, StandIn};
use crate::game::Outcome;
use crate::life::Call;
use crate::play::{Play, play};
use crate::sdk::Sdk;
use crate::{serve, stop_on_signal};
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const IDLE_S: f64 = 0.5;

/// A process on a thread, and the flag that stops it.
struct Process {
    to: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Outcome<()>>,
}

impl Process {
    fn start(sdk_port: u16) -> Self {
        let udp = local();
        let (to, stop) = (udp.local_addr().unwrap(), Arc::new(AtomicBool::new(false)));
        let flag = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let sdk = Sdk::start(sdk_port);
            let served = serve(&udp, &sdk, IDLE_S, &flag);
            sdk.finish();
            served
        });
        Self { to, stop, thread }
    }

    fn join(&self, frames: u64) -> JoinHandle<Outcome<Play>> {
        let socket = local();
        socket.connect(self.to).unwrap();
        std::thread::spawn(move || play(&socket, "anna", frames))
    }

    /// Waits for the end, and returns how long it took.
    fn end(self) -> Duration {
        let start = Instant::now();
        self.thread.join().unwrap().unwrap();
        start.elapsed()
    }
}

fn local() -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_nonblocking(true).unwrap();
    socket
}

#[test]
fn a_process_is_ready_allocated_and_shut_down_by_its_players() {
    let sdk = StandIn::start(Manner::Takes);
    let process = Process::start(sdk.port);
    sdk.wait("/ready");
    sdk.wait("/health");
    assert_eq!(sdk.life(), ["/ready"], "nobody has joined");
    let play = process.join(90).join().unwrap().unwrap();
    assert!(play.messages.iter().any(|words| words == "anna is here"));
    assert_eq!(sdk.life(), ["/ready", "/allocate"]);
    // The server takes a silent player for gone after five seconds.
    process.end();
    assert_eq!(sdk.life(), ["/ready", "/allocate", "/shutdown"]);
    let health = sdk.health();
    assert!(health.len() >= 5, "{} calls", health.len());
    // The manifest lets 5 s pass. A busy machine may be late.
    let gaps = health.windows(2).map(|pair| pair[1] - pair[0]);
    assert!(gaps.max() < Some(Duration::from_secs(4)));
}

#[test]
fn a_silent_sdk_stops_neither_the_game_nor_its_end() {
    let sdk = StandIn::start(Manner::IsSilent);
    let process = Process::start(sdk.port);
    let play = process.join(180).join().unwrap().unwrap();
    assert!(play.messages.iter().any(|words| words == "anna is here"));
    // A loop that waited for the SDK would send nothing for a second, again and again.
    let freezes = play.client.figures().freezes;
    assert!(freezes < 10, "{freezes} freezes");
    process.stop.store(true, Ordering::Relaxed);
    let took = process.end();
    // The manifest's terminationGracePeriodSeconds.
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert_eq!(sdk.life(), [""; 0]);
}

#[test]
fn calls_that_an_sdk_refused_come_again_in_their_order() {
    let sdk = StandIn::start(Manner::RefusesFirst(3));
    let process = Process::start(sdk.port);
    let _played = process.join(60).join().unwrap().unwrap();
    process.stop.store(true, Ordering::Relaxed);
    process.end();
    assert_eq!(sdk.life(), ["/ready", "/allocate", "/shutdown"]);
}

#[test]
fn an_sdk_that_starts_after_the_process_is_told() {
    // Nobody listens there now.
    let port = StandIn::start(Manner::Takes).port;
    std::thread::sleep(Duration::from_millis(200));
    let process = Process::start(port);
    std::thread::sleep(Duration::from_millis(1500));
    let sdk = StandIn::start_at(port, Manner::Takes);
    sdk.wait("/ready");
    process.stop.store(true, Ordering::Relaxed);
    process.end();
    assert_eq!(sdk.life(), ["/ready", "/shutdown"]);
}

#[test]
fn a_stuck_loop_is_not_healthy() {
    let sdk = StandIn::start(Manner::Takes);
    let link = Sdk::start(sdk.port);
    // One turn of the loop, and no more.
    link.call(Call::Ready);
    link.call(Call::Health);
    sdk.wait("/health");
    std::thread::sleep(Duration::from_millis(2500));
    assert_eq!(sdk.health().len(), 1);
    link.finish();
}

/// The only test with a handler: a process has one.
#[cfg(unix)]
#[test]
fn sigterm_sends_the_players_away_and_shuts_down() {
    let sdk = StandIn::start(Manner::Takes);
    let process = Process::start(sdk.port);
    stop_on_signal(&process.stop).unwrap();
    let player = process.join(180);
    sdk.wait("/allocate");
    let own = std::process::id().to_string();
    let kill = std::process::Command::new("kill")
        .args(["-TERM", &own])
        .status();
    assert!(kill.unwrap().success());
    process.end();
    let refusal = player.join().unwrap().unwrap().client.refusal();
    assert!(
        refusal
            .as_ref()
            .is_some_and(|why| why.contains("the game has ended")),
        "{refusal:?}"
    );
    assert_eq!(sdk.life(), ["/ready", "/allocate", "/shutdown"]);
}
