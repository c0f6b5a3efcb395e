//! A client of Agones' SDK over HTTP, on a thread of its own: an SDK server that does not answer must not stop the game.

use crate::life::Call;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Environment variable with the port of the SDK's HTTP server. The fleet sets it.
pub(crate) const PORT: &str = "AGONES_SDK_HTTP_PORT";

/// Upper limit of the time of an HTTP request, s. minreq counts whole seconds.
const TIMEOUT_S: u64 = 1;

/// Upper limit of the attempts to send a call that still waits when the game has ended.
const LAST_TRIES: u32 = 3;

/// The queue to the thread that sends calls to the SDK's server. There is no thread if no fleet has started the process.
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

    /// Queues a call for the thread, and returns at once.
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
    /// Calls that the SDK's server has not answered. Calls of health are not among them, because the next one comes anyway.
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

    /// Posts a call to the SDK's server; returns true if it answered with status 200. Prints when the server stops to answer,
    /// and when it answers again.
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
