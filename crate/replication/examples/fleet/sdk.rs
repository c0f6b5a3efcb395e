//! The HTTP of Agones' SDK, on a thread of its own: a server that does not answer must not stop the game.

use crate::life::Call;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Environment variable with the port, which the fleet sets.
pub(crate) const PORT: &str = "AGONES_SDK_HTTP_PORT";

/// Longest time of a request. minreq counts whole seconds.
const TIMEOUT_S: u64 = 1;

/// Tries of a call that still waits when the game has ended.
const LAST_TRIES: u32 = 3;

/// The process's way to the SDK's server, or none.
pub(crate) struct Sdk {
    thread: Option<(Sender<Call>, JoinHandle<()>)>,
}

impl Sdk {
    pub(crate) fn alone() -> Self {
        Self { thread: None }
    }

    pub(crate) fn start(port: u16) -> Self {
        let (sender, calls) = channel();
        let mut link = Link {
            port,
            waiting: VecDeque::new(),
            is_silent: false,
        };
        let thread = std::thread::spawn(move || link.run(&calls));
        Self {
            thread: Some((sender, thread)),
        }
    }

    /// Sends a call later, and returns at once.
    pub(crate) fn call(&self, call: Call) {
        if let Some((sender, _)) = &self.thread {
            let _ended = sender.send(call);
        }
    }

    /// Waits until all calls are sent, or have failed: some seconds at most.
    pub(crate) fn finish(self) {
        if let Some((sender, thread)) = self.thread {
            drop(sender);
            let _panicked = thread.join();
        }
    }
}

struct Link {
    port: u16,
    /// Calls that the server has not answered, but for health: the next one comes anyway.
    waiting: VecDeque<Call>,
    is_silent: bool,
}

impl Link {
    fn run(&mut self, calls: &Receiver<Call>) {
        // Health comes each second, so each second is a try.
        while let Ok(call) = calls.recv() {
            let mut is_health = false;
            // A slow server gets one call of health for all that came meanwhile.
            for call in std::iter::once(call).chain(calls.try_iter()) {
                match call {
                    Call::Health => is_health = true,
                    Call::Ready | Call::Allocate | Call::Shutdown => self.waiting.push_back(call),
                }
            }
            if !is_health || self.post(Call::Health) {
                self.post_waiting();
            }
        }
        for _try in 1..LAST_TRIES {
            if self.waiting.is_empty() {
                break;
            }
            std::thread::sleep(Duration::from_millis(500));
            self.post_waiting();
        }
    }

    /// Sends the waiting calls in their order, up to the first that fails.
    fn post_waiting(&mut self) {
        while let Some(&call) = self.waiting.front()
            && self.post(call)
        {
            self.waiting.pop_front();
        }
    }

    /// Returns whether the server has taken the call. Says when it stops to answer, and when it answers again.
    fn post(&mut self, call: Call) -> bool {
        let (path, port) = (call.path(), self.port);
        let request = minreq::post(format!("http://localhost:{port}{path}"))
            .with_header("Content-Type", "application/json")
            .with_body("{}")
            .with_timeout(TIMEOUT_S)
            .with_follow_redirects(false);
        // The answer's body is `{}`, and nobody reads it.
        let failure = match request.send_lazy() {
            Ok(answer) if answer.status_code == 200 => None,
            Ok(answer) => Some(format!("status {}", answer.status_code)),
            Err(error) => Some(error.to_string()),
        };
        match &failure {
            Some(why) if !self.is_silent => {
                eprintln!("the SDK on port {port} does not take {path}: {why}. It is tried again");
            }
            None if self.is_silent => eprintln!("the SDK on port {port} answers again"),
            Some(_) | None => {}
        }
        self.is_silent = failure.is_some();
        failure.is_none()
    }
}
