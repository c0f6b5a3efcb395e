//! The host's program: sockets and clock around the room, which has the world and its guests.

use crate::args::{self, Arguments, Listen};
use crate::http::{self, Server};
use crate::limits::Limits;
use crate::room::{Ask, Room};
use crate::site::{CLASS, JOIN, Site};
use crate::webrtc::Departure;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::UdpSocket;
use tokio::sync::{Notify, mpsc};

/// Upper limit of the number of datagrams that are read from a socket before the world is stepped.
const TURN: usize = 64;
/// Upper limit of the number of HTTP requests that the room answers before the world is stepped.
const ASKS_TURN: usize = 8;
/// Upper limit of the number of HTTP requests that wait for the room.
const ASKS_WAITING_MAX: usize = 64;
/// Time for telling the guests that the host ends.
const END: Duration = Duration::from_millis(300);

/// Hosts a link's world until Ctrl-C.
///
/// # Errors
/// When the link or the page cannot be read, or a port is not free. The error is one sentence.
pub(crate) fn execute(arguments: &Arguments) -> Result<(), String> {
    let link = args::shared_link(&arguments.target)?;
    let site = Site::read(&arguments.page)?;
    let listen = arguments.listen()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("The host cannot start: {error}."))?;
    let _entered = runtime.enter();
    let sockets = Sockets::bind(listen)?;
    let start = Instant::now();
    let simulated = arguments.simulated(&link.a.settings);
    let keys = (random()?, arguments.record.is_some());
    let ports = (sockets.webrtc_address, sockets.udp_port);
    let mut room = Room::new(&link, simulated, keys, ports, start)?;
    let stop = Arc::new(Notify::new());
    let stopped = stop.clone();
    ctrlc::set_handler(move || stopped.notify_one())
        .map_err(|error| format!("Ctrl-C cannot be taken: {error}."))?;
    let (asks, mut asked) = mpsc::channel(ASKS_WAITING_MAX);
    let token = random::<16>()?.map(|byte| format!("{byte:02x}")).concat();
    let page = SocketAddr::new(listen.advertised, sockets.http_port);
    tell(&format!("http://{page}/"), &token);
    let server = Server {
        site,
        token,
        asks,
        limits: Mutex::new(Limits::default()),
        start,
    };
    http::serve(sockets.http, server)?;
    runtime.block_on(run(
        &mut room,
        &sockets.webrtc,
        &sockets.udp,
        &mut asked,
        (start, &stop),
    ));
    match arguments.record.as_deref().zip(room.recording()) {
        Some((file, recording)) => write_recording(file, recording),
        None => Ok(()),
    }
}

/// Writes a recording to a file.
///
/// # Errors
/// When the file cannot be written. The error is one sentence.
pub(crate) fn write_recording(file: &Path, recording: &[u8]) -> Result<(), String> {
    let written = std::fs::write(file, recording);
    written.map_err(|error| format!("{} cannot be written: {error}.", file.display()))
}

/// Returns random bytes from the operating system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    let filled = getrandom::fill(&mut bytes);
    filled.map_err(|error| format!("The system has no random numbers: {error}."))?;
    Ok(bytes)
}

struct Sockets {
    http: TcpListener,
    http_port: u16,
    webrtc: UdpSocket,
    webrtc_address: SocketAddr,
    udp: UdpSocket,
    udp_port: u16,
}

impl Sockets {
    fn bind(listen: Listen) -> Result<Sockets, String> {
        let at = |port: u16| SocketAddr::new(listen.bind, port);
        let busy = |error: io::Error| match error.kind() {
            ErrorKind::AddrInUse => {
                format!("Port {} is busy: --port takes another one.", listen.port)
            }
            _ => format!("{} cannot be listened at: {error}.", at(listen.port)),
        };
        let http = TcpListener::bind(at(listen.port)).map_err(busy)?;
        let http_port = http.local_addr().map_err(busy)?.port();
        let udp = udp_socket(listen.bind, http_port).map_err(busy)?;
        let webrtc = udp_socket(listen.bind, 0).map_err(busy)?;
        let webrtc_address = webrtc.local_addr().map_err(busy)?;
        Ok(Sockets {
            http,
            http_port,
            webrtc_address: SocketAddr::new(listen.advertised, webrtc_address.port()),
            webrtc,
            udp,
            udp_port: http_port,
        })
    }
}

fn udp_socket(bind: IpAddr, port: u16) -> io::Result<UdpSocket> {
    let socket = std::net::UdpSocket::bind((bind, port))?;
    socket.set_nonblocking(true)?;
    UdpSocket::from_std(socket)
}

/// Prints the addresses, and the QR code of the guests' address. The code's colours are set, so that a camera reads it in a
/// dark terminal too.
fn tell(page: &str, token: &str) {
    let guests = format!("{page}{JOIN}");
    let code = QrCode::new(&guests).map(|code| code.render::<Dense1x2>().build());
    let mut out = io::stdout().lock();
    let is_terminal = out.is_terminal();
    for line in code.iter().flat_map(|code| code.lines()) {
        let _ = match is_terminal {
            true => writeln!(out, "\x1b[30;107m{line}\x1b[0m"),
            false => writeln!(out, "{line}"),
        };
    }
    let _ = writeln!(out, "guests   {guests}");
    let _ = writeln!(out, "teacher  {page}{CLASS}#teacher={token}");
    let _ = writeln!(out, "Ctrl-C ends the lesson.");
    let _ = out.flush();
}

async fn run(
    room: &mut Room,
    webrtc: &UdpSocket,
    udp: &UdpSocket,
    asked: &mut mpsc::Receiver<Ask>,
    (start, stop): (Instant, &Notify),
) {
    let now_ms = || start.elapsed().as_secs_f64() * 1000.0;
    let mut buffer = vec![0; 1 << 16];
    let mut end: Option<Instant> = None;
    loop {
        let due = start + Duration::from_secs_f64(room.due_ms(now_ms()).max(0.0) / 1000.0);
        tokio::select! {
            () = stop.notified(), if end.is_none() => {
                room.end();
                end = Some(Instant::now() + END);
            }
            () = tokio::time::sleep_until(due.into()) => {}
            _ = webrtc.readable() => {}
            _ = udp.readable() => {}
            ask = asked.recv() => if let Some(ask) = ask {
                room.on_ask(now_ms(), ask);
            }
        }
        for _ in 0..TURN {
            let Ok((length, from)) = webrtc.try_recv_from(&mut buffer) else {
                break;
            };
            room.on_webrtc(now_ms(), from, &buffer[..length]);
        }
        for _ in 0..TURN {
            let Ok((length, from)) = udp.try_recv_from(&mut buffer) else {
                break;
            };
            room.on_udp(now_ms(), from, &buffer[..length]);
        }
        for _ in 0..ASKS_TURN {
            let Ok(ask) = asked.try_recv() else {
                break;
            };
            room.on_ask(now_ms(), ask);
        }
        room.pass(now_ms());
        send(webrtc, room.drain_webrtc());
        send(udp, room.drain_udp());
        for line in room.drain_news() {
            let _ = writeln!(io::stdout(), "{line}");
        }
        if end.is_some_and(|end| end <= Instant::now()) {
            room.close();
            return send(webrtc, room.drain_webrtc());
        }
    }
}

/// Sends datagrams. A datagram that the operating system does not take is lost, as on any network.
pub(crate) fn send(socket: &UdpSocket, departures: impl Iterator<Item = Departure>) {
    for Departure { to, bytes } in departures {
        let _ = socket.try_send_to(&bytes, to);
    }
}
