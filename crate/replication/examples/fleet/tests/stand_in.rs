//! A stand-in of the SDK's server. It speaks the HTTP of the local mode, and stores each request.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The answers of the stand-in.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Manner {
    Takes,
    /// Accepts connections, and never answers.
    IsSilent,
    /// Answers the first so many requests with 500.
    RefusesFirst(usize),
}

pub(crate) struct StandIn {
    pub(crate) port: u16,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// Time and path of each request that was taken.
    taken: Mutex<Vec<(Instant, String)>>,
    /// Requests that are not of the SDK.
    wrong: Mutex<Vec<String>>,
    is_over: AtomicBool,
}

impl StandIn {
    pub(crate) fn start(manner: Manner) -> Self {
        Self::start_at(0, manner)
    }

    pub(crate) fn start_at(port: u16, manner: Manner) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        std::thread::spawn(move || {
            let (mut count, mut held) = (0, Vec::new());
            for stream in listener.incoming().map_while(Result::ok) {
                if theirs.is_over.load(Ordering::Relaxed) {
                    break;
                }
                match manner {
                    Manner::IsSilent => held.push(stream),
                    Manner::Takes => theirs.answer(stream, false),
                    Manner::RefusesFirst(first) => {
                        count += 1;
                        theirs.answer(stream, count <= first);
                    }
                }
            }
        });
        Self { port, shared }
    }

    pub(crate) fn taken(&self) -> Vec<(Instant, String)> {
        self.shared.taken.lock().unwrap().clone()
    }

    /// Paths of the requests that were taken, but for health.
    pub(crate) fn life(&self) -> Vec<String> {
        let paths = self.taken().into_iter().map(|(_, path)| path);
        paths.filter(|path| path != "/health").collect()
    }

    /// Times of the requests of health.
    pub(crate) fn health(&self) -> Vec<Instant> {
        let taken = self.taken().into_iter();
        let health = taken.filter(|(_, path)| path == "/health");
        health.map(|(at, _)| at).collect()
    }

    /// Waits until a path was taken.
    pub(crate) fn wait(&self, path: &str) {
        let start = Instant::now();
        while !self.taken().iter().any(|(_, taken)| taken == path) {
            assert!(start.elapsed() < Duration::from_secs(20), "no {path}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        let _woken = TcpStream::connect(("127.0.0.1", self.port));
        if !std::thread::panicking() {
            assert_eq!(*self.shared.wrong.lock().unwrap(), [""; 0]);
        }
    }
}

impl Shared {
    fn answer(&self, mut stream: TcpStream, is_refused: bool) {
        let (status, body) = match request(&stream) {
            Ok(_) if is_refused => ("500 Internal Server Error", "{}"),
            Ok(path) => {
                self.taken.lock().unwrap().push((Instant::now(), path));
                ("200 OK", "{}")
            }
            Err(why) => {
                self.wrong.lock().unwrap().push(why.to_string());
                ("400 Bad Request", "{}")
            }
        };
        let len = body.len();
        let _gone = write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len}\r\n\r\n{body}"
        );
    }
}

/// Returns the path of a request that the SDK has, with its body.
fn request(stream: &TcpStream) -> Result<String, Box<dyn Error>> {
    stream.set_read_timeout(Some(Duration::from_secs(2)))?;
    let mut lines = BufReader::new(stream);
    let mut first = String::new();
    lines.read_line(&mut first)?;
    let path = first
        .strip_prefix("POST ")
        .and_then(|rest| rest.strip_suffix(" HTTP/1.1\r\n"));
    let path = path.ok_or_else(|| format!("no POST: {first:?}"))?;
    if !["/ready", "/health", "/allocate", "/shutdown"].contains(&path) {
        return Err(format!("no path of the SDK: {path}").into());
    }
    let mut len = 0;
    loop {
        let mut line = String::new();
        lines.read_line(&mut line)?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                len = value.parse()?
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; len];
    lines.read_exact(&mut body)?;
    match &*body {
        b"{}" => Ok(path.to_owned()),
        body => Err(format!("body {:?}", String::from_utf8_lossy(body)).into()),
    }
}
