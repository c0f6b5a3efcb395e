//! Agones' SDK over HTTP, for a server that a fleet starts: `docs/fleet.md` tells more.
//!
//! A thread of its own sends the calls: an SDK that does not answer must not stop the game. It tries each call that failed again,
//! in order, a second later.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Environment variable with the port of the SDK's HTTP server. The fleet sets it.
const PORT: &str = "AGONES_SDK_HTTP_PORT";
/// Time after which a process ends whose last player has left, s.
const IDLE_S: f64 = 30.0;
/// Time between two calls of health, s. `periodSeconds` of the manifest is longer.
const HEALTH_S: f64 = 1.0;

/// The life of a process in a fleet: ready, allocated with its first player, over when it has had none for a time.
pub(crate) struct Agones {
    /// Queue of paths, and the thread that posts them; `None` if no fleet has started the process.
    thread: Option<(Sender<&'static str>, JoinHandle<()>)>,
    next_health_s: f64,
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Ready,
    Allocated,
    /// No player is there; the last one left at this time.
    Empty {
        since_s: f64,
    },
    Over,
}

impl Agones {
    /// Says ready, if a fleet has started the process.
    pub(crate) fn from_env() -> Self {
        let port = std::env::var(PORT).ok().and_then(|port| port.parse().ok());
        let thread = port.map(|port: u16| {
            let (sender, paths) = channel();
            (sender, std::thread::spawn(move || post_all(port, &paths)))
        });
        let agones = Self {
            thread,
            next_health_s: 0.0,
            state: State::Ready,
        };
        agones.call("/ready");
        agones
    }

    /// Makes the calls that are due. Returns true if the process has to end. `is_stopped`: it got SIGTERM. Without a fleet only
    /// a signal ends it.
    pub(crate) fn turn(&mut self, now_s: f64, players: usize, is_stopped: bool) -> bool {
        if self.thread.is_none() {
            return is_stopped;
        }
        let (state, path) = next(self.state, now_s, players, is_stopped);
        self.state = state;
        if let Some(path) = path {
            self.call(path);
        }
        // Only this loop says healthy, so a stuck loop is unhealthy.
        if now_s >= self.next_health_s {
            self.next_health_s = now_s + HEALTH_S;
            self.call("/health");
        }
        state == State::Over
    }

    /// Waits until all calls are sent, or have failed: some seconds at most.
    pub(crate) fn finish(self) {
        if let Some((sender, thread)) = self.thread {
            drop(sender);
            let _panicked = thread.join();
        }
    }

    fn call(&self, path: &'static str) {
        if let Some((sender, _)) = &self.thread {
            let _ended = sender.send(path);
        }
    }
}

/// Returns the state after a turn of the game's loop, and the call that it brings.
fn next(state: State, now_s: f64, players: usize, stop: bool) -> (State, Option<&'static str>) {
    match state {
        State::Over => (State::Over, None),
        _ if stop => (State::Over, Some("/shutdown")),
        State::Ready if players > 0 => (State::Allocated, Some("/allocate")),
        State::Allocated if players == 0 => (State::Empty { since_s: now_s }, None),
        State::Empty { .. } if players > 0 => (State::Allocated, None),
        State::Empty { since_s } if now_s - since_s >= IDLE_S => (State::Over, Some("/shutdown")),
        State::Ready | State::Allocated | State::Empty { .. } => (state, None),
    }
}

/// Posts paths in their order until the game has ended, and then for three tries more.
fn post_all(port: u16, paths: &Receiver<&'static str>) {
    let mut waiting = Vec::new();
    let mut tries_left = 3;
    while tries_left > 0 {
        match paths.recv_timeout(Duration::from_secs(1)) {
            // A server that does not answer needs to hear of health once, and not of each second.
            Ok(path) if path != "/health" || !waiting.contains(&path) => waiting.push(path),
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) if waiting.is_empty() => return,
            Err(RecvTimeoutError::Disconnected) => tries_left -= 1,
        }
        let taken = waiting.iter().take_while(|path| post(port, path)).count();
        waiting.drain(..taken);
    }
}

/// Posts to the SDK's server. Returns true if it answered with status 200.
fn post(port: u16, path: &str) -> bool {
    let request = minreq::post(format!("http://localhost:{port}{path}"))
        .with_header("Content-Type", "application/json")
        .with_body("{}")
        .with_timeout(1)
        .with_follow_redirects(false);
    request
        .send_lazy()
        .is_ok_and(|answer| answer.status_code == 200)
}

/// Checks the states of a life: the self-test of the example calls this.
pub(crate) fn check() {
    let mut state = State::Ready;
    let mut paths = Vec::new();
    for (now_s, players) in [
        (0.0, 0),
        (4.0, 1),
        (6.0, 0),
        (7.0, 2),
        (10.0, 0),
        (39.9, 0),
        (40.0, 0),
    ] {
        let (after, path) = next(state, now_s, players, false);
        state = after;
        paths.extend(path);
    }
    assert_eq!(paths, ["/allocate", "/shutdown"]);
    assert!(next(State::Ready, 1.0, 0, true).1 == Some("/shutdown"));
}
