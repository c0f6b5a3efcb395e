//! Receivers without a browser. They join a host over WebRTC or plain UDP, receive its world, and print their figures.

use crate::args::{self, Arguments};
use crate::serve::{random, send, write_recording};
use crate::webrtc::Caller;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use snapshot_lane::together::{Guest, GuestFigures, GuestStatus, Predict};
use snapshot_settings::Settings;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::net::{TcpStream, UdpSocket};
use tokio::sync::watch;
use tokio::task::{JoinSet, LocalSet};

/// Time within which the host must answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);
/// Upper limit of the host's answer, bytes.
const ANSWER_BYTES_MAX: usize = 1 << 20;
/// Time between two frames of a receiver.
const FRAME: Duration = Duration::from_nanos(16_666_667);
/// Part of the teacher's address (URL) before the token.
const TEACHER: &str = "teacher=";
const VERSION: u32 = 1;

/// A host, read from the address that it printed.
struct HostAddress {
    socket: SocketAddr,
    /// Authority of the address (host and port), for HTTP requests.
    authority: String,
    /// The teacher's token. With it the host also answers how many snapshots differed at each receiver.
    token: Option<String>,
}

#[derive(Deserialize)]
struct RoomAnswer {
    version: u32,
    link: String,
    udp: u16,
}

#[derive(Deserialize)]
struct OfferAnswer {
    sdp: String,
}

#[derive(Deserialize)]
struct Rows {
    rows: Vec<Row>,
}

/// The row of a guest in the host's answer, with the fields that are read.
#[derive(Deserialize)]
struct Row {
    name: String,
    compared: u64,
    mismatches: u64,
}

/// Result of a receiver: its figures and its recording.
struct Outcome {
    name: String,
    figures: GuestFigures,
    recording: Vec<u8>,
    skipped: u64,
}

/// Joins a host with `count` receivers, and prints their figures.
///
/// # Errors
/// When the host cannot be reached, or a receiver is not in the game at the end. The error is one sentence.
pub(crate) fn execute(arguments: &Arguments, count: u16) -> Result<(), String> {
    let host = HostAddress::parse(&arguments.target)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("The receivers cannot start: {error}."))?;
    let joined = join(&host, arguments, count);
    let (outcomes, rows) = LocalSet::new().block_on(&runtime, joined)?;
    if let Some(file) = &arguments.record {
        write(file, &outcomes)?;
    }
    let peers: Vec<Value> = outcomes
        .iter()
        .map(|outcome| peer_json(outcome, &rows))
        .collect();
    match arguments.json {
        true => println!("{}", json!({ "peers": peers })),
        false => peers.iter().for_each(|peer| println!("{}", line(peer))),
    }
    let is_playing = |outcome: &&Outcome| outcome.figures.status == GuestStatus::Playing;
    match outcomes.iter().find(|outcome| !is_playing(outcome)) {
        Some(outcome) => {
            let why = outcome.figures.why.clone();
            let why = why.unwrap_or_else(|| "no snapshot came.".to_string());
            Err(format!("{} does not play: {why}", outcome.name))
        }
        None => Ok(()),
    }
}

async fn join(
    host: &HostAddress,
    arguments: &Arguments,
    count: u16,
) -> Result<(Vec<Outcome>, Vec<Row>), String> {
    let room: RoomAnswer = ask(host, "GET", "/room", None).await?;
    if room.version != VERSION {
        return Err("The host has another version than this program.".to_string());
    }
    let settings = args::shared_link(&room.link)?.a.settings;
    let tag = random::<2>()?.map(|byte| format!("{byte:02x}")).concat();
    let (leave, left) = watch::channel(false);
    let mut receivers = JoinSet::new();
    let start = Instant::now();
    for number in 1..=count {
        let name = format!("Receiver {tag}-{number}");
        let way = match arguments.udp {
            true => Way::udp(SocketAddr::new(host.socket.ip(), room.udp)).await?,
            false => Way::webrtc(host, &name).await?,
        };
        let receiver = Receiver::new(name, way, &settings, start)?;
        receivers.spawn_local(receiver.run(left.clone()));
    }
    tokio::time::sleep(Duration::from_secs(arguments.seconds.into())).await;
    let rows = match &host.token {
        // A host that has ended tells no more. The receivers tell why.
        Some(token) => ask(host, "GET", &format!("/rows?token={token}"), None).await,
        None => Ok(Rows { rows: Vec::new() }),
    };
    let rows = rows.map_or_else(|_| Vec::new(), |rows| rows.rows);
    let _ = leave.send(true);
    let mut outcomes = receivers.join_all().await;
    outcomes.sort_by(|a, b| (a.name.len(), &a.name).cmp(&(b.name.len(), &b.name)));
    Ok((outcomes, rows))
}

/// Writes the receivers' recordings, each to its own file.
fn write(file: &Path, outcomes: &[Outcome]) -> Result<(), String> {
    for (index, outcome) in outcomes.iter().enumerate() {
        let file = match outcomes.len() {
            1 => file.to_path_buf(),
            _ => numbered(file, index + 1),
        };
        write_recording(&file, &outcome.recording)?;
    }
    Ok(())
}

/// Returns a file's name with a number before its last dot.
fn numbered(file: &Path, number: usize) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let end = file
        .extension()
        .map(|end| format!(".{}", end.to_string_lossy()));
    file.with_file_name(format!("{stem}-{number}{}", end.unwrap_or_default()))
}

fn peer_json(outcome: &Outcome, rows: &[Row]) -> Value {
    let row = rows.iter().find(|row| row.name == outcome.name);
    let figures = &outcome.figures;
    json!({
        "name": outcome.name,
        "status": figures.status,
        "view_hash": figures.view_hash,
        "round_trip_ms": figures.round_trip_ms,
        "lost": figures.lost_percent,
        "still_ms": figures.still_ms,
        "screen_age_ms": figures.screen_age_ms,
        "snapshots": figures.snapshots,
        "snapshot_hash": figures.snapshot_hash,
        "skipped": outcome.skipped,
        "compared": row.map(|row| row.compared),
        "mismatches": row.map(|row| row.mismatches),
    })
}

fn line(peer: &Value) -> String {
    let number = |name: &str| peer[name].as_f64().unwrap_or(f64::NAN);
    format!(
        "{}  {} snapshots  {:.1} ms round trip  {:.1} % lost  {:.0} ms still  view {}",
        peer["name"].as_str().unwrap_or_default(),
        peer["snapshots"],
        number("round_trip_ms"),
        number("lost"),
        number("still_ms"),
        peer["view_hash"].as_str().unwrap_or_default(),
    )
}

/// A receiver's connection to the host: its socket, and the WebRTC connection over it if there is one.
struct Way {
    socket: UdpSocket,
    to: SocketAddr,
    /// The connection of WebRTC; `None` over plain UDP.
    caller: Option<Caller>,
}

impl Way {
    async fn udp(to: SocketAddr) -> Result<Way, String> {
        let socket = own_socket(to).await?;
        Ok(Way {
            socket,
            to,
            caller: None,
        })
    }

    async fn webrtc(host: &HostAddress, name: &str) -> Result<Way, String> {
        let socket = own_socket(host.socket).await?;
        let own = socket.local_addr().map_err(|error| error.to_string())?;
        let (mut caller, sdp) = Caller::new(Instant::now(), own)?;
        let offer = json!({ "version": VERSION, "name": name, "sdp": sdp });
        let answer: OfferAnswer = ask(host, "POST", "/offer", Some(offer)).await?;
        caller.accept(&answer.sdp)?;
        Ok(Way {
            socket,
            to: host.socket,
            caller: Some(caller),
        })
    }

    fn is_open(&self) -> bool {
        self.caller.as_ref().is_none_or(Caller::is_open)
    }

    fn send(&mut self, datagram: &[u8]) {
        match &mut self.caller {
            Some(caller) => caller.send(datagram),
            // A datagram that the system does not take is lost, as on any network.
            None => drop(self.socket.try_send_to(datagram, self.to)),
        }
    }

    /// Reads the received datagrams. Gives those of the replication package to the guest.
    fn receive(&mut self, now_ms: f64, buffer: &mut [u8], guest: &mut Guest) {
        while let Ok((length, from)) = self.socket.try_recv_from(buffer) {
            match &mut self.caller {
                Some(caller) => caller.receive(Instant::now(), from, &buffer[..length]),
                None if from == self.to => guest.receive(now_ms, &buffer[..length]),
                None => {}
            }
        }
        if let Some(caller) = &mut self.caller {
            caller.pass(Instant::now());
            while let Some(datagram) = caller.next_datagram() {
                guest.receive(now_ms, &datagram);
            }
            send(&self.socket, caller.drain_sent());
        }
    }
}

/// Returns a socket, bound to this machine's address from which the host is reached.
async fn own_socket(host: SocketAddr) -> Result<UdpSocket, String> {
    let unreachable = |error: std::io::Error| format!("{host} cannot be reached: {error}.");
    let any: SocketAddr = match host.is_ipv4() {
        true => ([0, 0, 0, 0], 0).into(),
        false => ([0u16; 8], 0).into(),
    };
    let asking = UdpSocket::bind(any).await.map_err(unreachable)?;
    asking.connect(host).await.map_err(unreachable)?;
    let own = asking.local_addr().map_err(unreachable)?.ip();
    UdpSocket::bind((own, 0)).await.map_err(unreachable)
}

struct Receiver {
    name: String,
    way: Way,
    guest: Guest,
    start: Instant,
}

impl Receiver {
    fn new(
        name: String,
        way: Way,
        settings: &Settings,
        start: Instant,
    ) -> Result<Receiver, String> {
        let nonce = u64::from_le_bytes(random()?);
        let mut guest = Guest::new(settings, &name, nonce).map_err(|error| error.to_string())?;
        // It watches: thirty predicted worlds would be the machine's work, and not the host's.
        guest.choose(Predict::Wait, settings.lane().interpolation(), None);
        Ok(Receiver {
            name,
            way,
            guest,
            start,
        })
    }

    async fn run(mut self, mut left: watch::Receiver<bool>) -> Outcome {
        let mut buffer = vec![0; 1 << 16];
        let mut frame = tokio::time::interval(FRAME);
        frame.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        loop {
            tokio::select! {
                _ = frame.tick() => self.frame(),
                _ = self.way.socket.readable() => {}
                _ = left.changed() => break,
            }
            let now_ms = self.now_ms();
            self.way.receive(now_ms, &mut buffer, &mut self.guest);
        }
        let (figures, recording) = (self.guest.figures(), self.guest.recording());
        self.guest.end();
        self.carry();
        self.way
            .receive(self.now_ms(), &mut buffer, &mut self.guest);
        Outcome {
            name: self.name,
            figures,
            recording,
            skipped: self.way.caller.as_ref().map_or(0, Caller::skipped),
        }
    }

    fn frame(&mut self) {
        if self.way.is_open() {
            self.guest.frame(self.now_ms(), 0, true);
            self.carry();
        }
    }

    fn carry(&mut self) {
        while let Some(datagram) = self.guest.next_datagram() {
            self.way.send(&datagram);
        }
    }

    fn now_ms(&self) -> f64 {
        self.start.elapsed().as_secs_f64() * 1000.0
    }
}

impl HostAddress {
    fn parse(text: &str) -> Result<HostAddress, String> {
        let (address, fragment) = text.split_once('#').unwrap_or((text, ""));
        let authority = address.strip_prefix("http://").unwrap_or(address);
        let authority = authority.split('/').next().unwrap_or_default();
        let refused = || {
            format!("\"{text}\" is no address of a host: it looks like http://192.168.1.5:8080/.")
        };
        let mut sockets = authority.to_socket_addrs().map_err(|_| refused())?;
        Ok(HostAddress {
            socket: sockets.next().ok_or_else(refused)?,
            authority: authority.to_string(),
            token: fragment.strip_prefix(TEACHER).map(str::to_string),
        })
    }
}

/// Sends a request to the host over HTTP, and returns its answer.
///
/// # Errors
/// When the host cannot be reached, or refuses. The error is a sentence: the host's own, if it gave one.
async fn ask<T: DeserializeOwned>(
    host: &HostAddress,
    method: &str,
    path: &str,
    body: Option<Value>,
) -> Result<T, String> {
    let asked = tokio::time::timeout(ANSWER_WITHIN, request(host, method, path, body)).await;
    let no_answer =
        |error: String| format!("The host at {} does not answer: {error}.", host.authority);
    let (status, bytes) = asked
        .map_err(|_| no_answer("it is silent".to_string()))?
        .map_err(|error| no_answer(error.to_string()))?;
    if status == StatusCode::OK {
        return serde_json::from_slice(&bytes).map_err(|error| no_answer(error.to_string()));
    }
    let refusal: Option<Value> = serde_json::from_slice(&bytes).ok();
    let why = refusal.and_then(|refusal| refusal["error"].as_str().map(str::to_string));
    Err(why.unwrap_or_else(|| no_answer(format!("it says {status}"))))
}

async fn request(
    host: &HostAddress,
    method: &str,
    path: &str,
    body: Option<Value>,
) -> Result<(StatusCode, Bytes), Box<dyn std::error::Error + Send + Sync>> {
    let stream = TcpStream::connect(host.socket).await?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    let going = tokio::task::spawn_local(connection);
    let body = body.map_or_else(Bytes::new, |body| body.to_string().into());
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(HOST, &host.authority)
        .header(CONTENT_TYPE, "application/json")
        .body(Full::new(body))?;
    let answer = sender.send_request(request).await?;
    let status = answer.status();
    let bytes = Limited::new(answer.into_body(), ANSWER_BYTES_MAX)
        .collect()
        .await?;
    going.abort();
    Ok((status, bytes.to_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_address_is_understood() {
        let host = HostAddress::parse("http://127.0.0.1:8080/").expect("an address");
        assert_eq!(host.socket, ([127, 0, 0, 1], 8080).into());
        assert_eq!(
            (host.authority.as_str(), host.token),
            ("127.0.0.1:8080", None)
        );
        let teacher = "http://127.0.0.1:8080/class.html#teacher=abc";
        let host = HostAddress::parse(teacher).expect("an address");
        assert_eq!(host.token.as_deref(), Some("abc"));
        assert_eq!(numbered(Path::new("a/b.rec"), 2), Path::new("a/b-2.rec"));
        assert_eq!(numbered(Path::new("b"), 2), Path::new("b-2"));
        for text in ["", "https://127.0.0.1:8080", "127.0.0.1", "127.0.0.1:99999"] {
            assert!(HostAddress::parse(text).is_err(), "{text}");
        }
    }
}
