//! Command `snapshot-lab proxy`: a simulated link between the clients and the server of a running game, over UDP.

use crate::trace::TraceFile;
use clap::Args;
use mio::net::UdpSocket;
use mio::{Events, Interest, Poll, Token, Waker};
use snapshot_app::link;
use snapshot_lane::PacketSize;
use snapshot_netsim::proxy::{CLIENTS_MAX, Heading, Proxy, ProxySend};
use snapshot_netsim::trace::{ROWS_MAX, Trace};
use snapshot_settings::link_presets::LINK_PRESETS;
use snapshot_settings::{Key, Settings, permalink};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, ErrorKind, Write as _};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// Put a link between a game's clients and its server, over UDP.
///
/// The clients connect to this machine's port in place of the server. Each client has a link of its own, whose luck is that of
/// the seed and the packets' numbers, as in the lab. Nothing of a packet but its size is looked at, so encrypted games work. A
/// line each second tells, for both ways, packets, kbit/s with the counted headers, mean delay and losses. Ctrl-C ends it. A
/// game runs in the foreground, so the link is changed by lines on stdin, also from a script, and not by keys.
#[derive(Args)]
pub(crate) struct ProxyArguments {
    /// Port for the clients; 0 takes a free one. Only this machine reaches it, unless --lan is given. An address may stand
    /// before the port; one of IPv6 has brackets.
    #[arg(long, value_name = "[ADDRESS:]PORT")]
    listen: String,
    /// Address of the game's server.
    #[arg(long, value_name = "HOST:PORT")]
    to: String,
    /// The link: a preset, such as wifi-busy, or a permalink or its fragment, such as "loss=5&rate=500". The way there is that
    /// to the clients.
    #[arg(long, default_value = "")]
    link: String,
    /// Seed of the first client's link; each further client has the next one. The link's without it.
    #[arg(long)]
    seed: Option<u32>,
    #[command(flatten)]
    trace: TraceFile,
    /// Put all clients behind one link, with one bottleneck.
    #[arg(long)]
    shared: bool,
    /// Write time, delay and size of each packet to a file, as CSV. The page and --trace take it as a network.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Take clients from other machines too.
    #[arg(long)]
    lan: bool,
    /// End after this many seconds, as Ctrl-C does.
    #[arg(long, value_name = "SECONDS")]
    duration: Option<u32>,
    /// Read changes of the link from stdin while it runs: a line is a preset, or settings such as "loss=5&latency=80",
    /// or the word cut or mend.
    #[arg(long)]
    control: bool,
}

const LISTENER: Token = Token(0);
const WAKER: Token = Token(1);
/// Poll token of the socket to the server for the first client; the next clients follow.
const SERVERS: usize = 2;
/// Upper limit of the number of datagrams that are read from a socket before the next socket is read.
const TURN: usize = 64;
/// Longest wait between two checks of the sockets when a packet is soon due, ms.
const SLICE_MS: f64 = 0.2;
/// Time by which the operating system may end a wait too late, ms. Windows has a timer of 15.6 ms.
const COARSE_MS: f64 = if cfg!(windows) { 16.0 } else { 1.0 };
const SECOND_MS: f64 = 1000.0;

impl ProxyArguments {
    /// Carries packets until Ctrl-C.
    pub(crate) fn execute(self) -> Result<ExitCode, String> {
        self.open().and_then(Relay::run)?;
        Ok(ExitCode::SUCCESS)
    }

    fn open(self) -> Result<Relay, String> {
        let mut settings = Settings::default();
        change(&mut settings, &self.link)?;
        if let Some(seed) = self.seed {
            let set = settings.set(Key::Seed, seed);
            set.map_err(|error| error.to_string())?;
        }
        let trace = self.trace.read(&link::parse(&self.link).0)?;
        let named = |name: &str, error: io::Error| format!("{name}: {error}");
        let server = resolve(&self.to).map_err(|error| named(&self.to, error))?;
        let address = listen_address(&self.listen, self.lan)?;
        let listener =
            UdpSocket::bind(address).map_err(|error| named(&address.to_string(), error))?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        if server.ip().is_loopback() && server.port() == address.port() {
            return Err(format!(
                "{server} is the proxy itself: --to names the game's server"
            ));
        }
        let record = match &self.record {
            Some(path) => {
                let file = File::create(path);
                let file = file.map_err(|error| named(&path.display().to_string(), error))?;
                Some(Recording::new(file))
            }
            None => None,
        };
        println!("{address} -> {server}  #{}", permalink::format(&settings));
        let relay = Relay::new(settings, trace, server, listener, self.shared, record);
        let mut relay = relay.map_err(|error| error.to_string())?;
        relay.end_ms = self.duration.map(|seconds| f64::from(seconds) * SECOND_MS);
        if self.control {
            relay.read_changes();
        }
        Ok(relay)
    }
}

/// Returns the address to which the clients connect. Only this machine reaches it, unless other machines are allowed.
fn listen_address(listen: &str, is_lan: bool) -> Result<SocketAddr, String> {
    if let Ok(port) = listen.parse::<u16>() {
        let from = match is_lan {
            true => Ipv4Addr::UNSPECIFIED,
            false => Ipv4Addr::LOCALHOST,
        };
        return Ok((from, port).into());
    }
    let address: Result<SocketAddr, _> = listen.parse();
    let address = address.map_err(|_| {
        format!("--listen {listen}: it is a port, or an address with a port such as [::1]:7777")
    })?;
    match is_lan || address.ip().is_loopback() {
        true => Ok(address),
        false => Err(format!(
            "--listen {listen}: other machines reach it; --lan allows that"
        )),
    }
}

/// Changes the link's settings by a line: a preset's name, settings, or a whole permalink, which replaces all settings.
///
/// # Errors
/// When a part of the line cannot be used, because a test over another link than the intended one would mislead.
fn change(settings: &mut Settings, line: &str) -> Result<(), String> {
    let line = line.trim();
    let is_preset = LINK_PRESETS.iter().any(|preset| preset.id == line);
    if !is_preset && !line.is_empty() && !line.contains(['=', '#']) {
        let presets: Vec<&str> = LINK_PRESETS.iter().map(|preset| preset.id).collect();
        let presets = presets.join(", ");
        return Err(format!(
            "\"{line}\" is no preset of the link; there are {presets}"
        ));
    }
    let (mut changed, mut notices) = (*settings, Vec::new());
    if line.contains('#') {
        let (link, of_link) = link::parse(line);
        (changed, notices) = (link.a.settings, of_link);
    } else {
        let parts = line.split('&').filter(|part| !part.is_empty());
        let preset = format!("link={line}");
        let parts = if is_preset {
            vec![&preset[..]]
        } else {
            parts.collect()
        };
        permalink::set_all(parts, &mut changed, &mut notices);
    }
    match notices.first() {
        Some(notice) => Err(notice.to_string()),
        None => {
            *settings = changed;
            Ok(())
        }
    }
}

/// Returns the address of the game's server: the IPv4 address if there is a choice, because games listen there.
fn resolve(name: &str) -> io::Result<SocketAddr> {
    let mut all: Vec<SocketAddr> = name.to_socket_addrs()?.collect();
    all.sort_by_key(SocketAddr::is_ipv6);
    let first = all.first().copied();
    first.ok_or_else(|| io::Error::new(ErrorKind::NotFound, "no address has this name"))
}

struct Relay {
    proxy: Proxy<SocketAddr>,
    settings: Settings,
    trace: Option<Arc<Trace>>,
    poll: Poll,
    waker: Arc<Waker>,
    stop: Arc<AtomicBool>,
    lines: (mpsc::Sender<String>, mpsc::Receiver<String>),
    server: SocketAddr,
    listener: UdpSocket,
    servers: Vec<Option<UdpSocket>>,
    /// For each poll token, true until its socket has nothing more to read.
    readable: Vec<bool>,
    start: Instant,
    end_ms: Option<f64>,
    counts: [DirectionCounts; 2],
    refused: u64,
    record: Option<Recording>,
}

/// Counts of packets in one direction since the last printed line.
#[derive(Clone, Copy, Default)]
struct DirectionCounts {
    packets: u64,
    wire_bytes: u64,
    arrived: u64,
    delay_ms: f64,
}

impl Relay {
    fn new(
        settings: Settings,
        trace: Option<Arc<Trace>>,
        server: SocketAddr,
        mut listener: UdpSocket,
        is_shared: bool,
        record: Option<Recording>,
    ) -> io::Result<Relay> {
        let poll = Poll::new()?;
        poll.registry()
            .register(&mut listener, LISTENER, Interest::READABLE)?;
        let waker = Arc::new(Waker::new(poll.registry(), WAKER)?);
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, woken) = (stop.clone(), waker.clone());
        let on_stop = move || {
            stopped.store(true, Ordering::Relaxed);
            let _ = woken.wake();
        };
        ctrlc::set_handler(on_stop).map_err(io::Error::other)?;
        Ok(Relay {
            proxy: Proxy::new(settings.lane().proxy_link(trace.clone()), is_shared),
            settings,
            trace,
            poll,
            waker,
            stop,
            lines: mpsc::channel(),
            server,
            listener,
            servers: (0..CLIENTS_MAX).map(|_| None).collect(),
            readable: vec![false; SERVERS + CLIENTS_MAX],
            start: Instant::now(),
            end_ms: None,
            counts: [DirectionCounts::default(); 2],
            refused: 0,
            record,
        })
    }

    /// Reads lines of stdin in a separate thread and passes them on, because no system can wait for stdin and for sockets
    /// together.
    fn read_changes(&self) {
        let (lines, waker) = (self.lines.0.clone(), self.waker.clone());
        std::thread::spawn(move || {
            for line in io::stdin().lines().map_while(Result::ok) {
                let _ = lines.send(line);
                let _ = waker.wake();
            }
        });
    }

    fn run(mut self) -> Result<(), String> {
        let mut events = Events::with_capacity(SERVERS + CLIENTS_MAX);
        let mut packet = vec![0; 1 << 16];
        let mut delivered = Vec::new();
        let mut line_ms = SECOND_MS;
        let end_ms = self.end_ms.unwrap_or(f64::INFINITY);
        while !self.stop.load(Ordering::Relaxed) && self.now_ms() < end_ms {
            let next_ms = self.proxy.next_ms().unwrap_or(f64::INFINITY);
            let next_ms = next_ms.min(line_ms).min(end_ms);
            let wait_ms = match self.readable.contains(&true) {
                true => 0.0,
                false => next_ms - self.now_ms(),
            };
            self.wait(&mut events, wait_ms)
                .map_err(|error| error.to_string())?;
            for event in &events {
                self.readable[event.token().0] = event.token() != WAKER;
            }
            while let Ok(line) = self.lines.1.try_recv() {
                self.change(&line);
            }
            for token in 0..self.readable.len() {
                if self.readable[token] {
                    self.readable[token] = self.read(Token(token), &mut packet);
                }
            }
            while let Some(sent) = self.proxy.deliver(self.now_ms(), &mut delivered) {
                // A datagram that the system does not take is lost, as on any network.
                let _ = match (sent.heading, &self.servers[sent.slot]) {
                    (Heading::ToClient, _) => self.listener.send_to(&delivered, sent.address),
                    (Heading::ToServer, Some(server)) => server.send(&delivered),
                    (Heading::ToServer, None) => Ok(0),
                };
            }
            if self.now_ms() >= line_ms {
                self.flush()?;
                println!("{}", self.line(line_ms / SECOND_MS));
                line_ms = (self.now_ms() / SECOND_MS).floor() * SECOND_MS + SECOND_MS;
            }
        }
        self.flush()
    }

    fn now_ms(&self) -> f64 {
        self.start.elapsed().as_secs_f64() * SECOND_MS
    }

    /// Waits for a datagram, for a line of stdin, or until `wait_ms` are over. The last part of a wait is slept in short
    /// slices, because the operating system waits for whole ms.
    fn wait(&mut self, events: &mut Events, wait_ms: f64) -> io::Result<()> {
        let coarse_ms = (wait_ms - COARSE_MS).floor().max(0.0);
        if coarse_ms == 0.0 && wait_ms > 0.0 {
            std::thread::sleep(Duration::from_secs_f64(wait_ms.min(SLICE_MS) / SECOND_MS));
        }
        let waited = self
            .poll
            .poll(events, Some(Duration::from_millis(coarse_ms as u64)));
        waited.or_else(|error| match error.kind() {
            ErrorKind::Interrupted => Ok(()),
            _ => Err(error),
        })
    }

    /// Reads up to `TURN` datagrams from a socket. Returns true if more may wait.
    fn read(&mut self, token: Token, packet: &mut [u8]) -> bool {
        for _ in 0..TURN {
            let slot = token.0.wrapping_sub(SERVERS);
            let read = match self.servers.get(slot) {
                Some(Some(server)) => server.recv(packet).map(|length| (length, None)),
                Some(None) => return false,
                None => {
                    (self.listener.recv_from(packet)).map(|(length, from)| (length, Some(from)))
                }
            };
            let (length, from) = match read {
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return false,
                // The other end's port is closed, or a datagram is longer than there can be.
                Err(_) => continue,
            };
            let now_ms = self.now_ms();
            let packet = &packet[..length];
            let PacketSize {
                fragments,
                wire_bytes,
            } = PacketSize::new(length, &self.settings.lane());
            let proxy = &mut self.proxy;
            let sent = match from {
                Some(from) => proxy.from_client(now_ms, from, packet, fragments, wire_bytes),
                None => proxy.from_server(now_ms, slot, packet, fragments, wire_bytes),
            };
            let Some(sent) = sent else {
                self.refused += 1;
                continue;
            };
            if sent.is_new {
                // Without a socket its packets are lost, until the system has one again.
                self.servers[sent.slot] = None;
            }
            if from.is_some() && self.servers[sent.slot].is_none() {
                self.servers[sent.slot] = self.connect(sent.slot).ok();
            }
            let heading = if from.is_some() {
                Heading::ToServer
            } else {
                Heading::ToClient
            };
            self.note(now_ms, heading, &sent, length, wire_bytes);
        }
        true
    }

    /// Opens a socket to the server for a client, so that the server sees each client at its own port.
    fn connect(&self, slot: usize) -> io::Result<UdpSocket> {
        let mut socket = UdpSocket::bind(match self.server.is_ipv4() {
            true => (Ipv4Addr::UNSPECIFIED, 0).into(),
            false => (Ipv6Addr::UNSPECIFIED, 0).into(),
        })?;
        socket.connect(self.server)?;
        let token = Token(SERVERS + slot);
        self.poll
            .registry()
            .register(&mut socket, token, Interest::READABLE)?;
        Ok(socket)
    }

    fn note(
        &mut self,
        now_ms: f64,
        heading: Heading,
        sent: &ProxySend,
        length: usize,
        wire_bytes: u32,
    ) {
        let counts = &mut self.counts[heading as usize];
        let delay_ms = sent
            .outcome
            .arrival_ms
            .map(|arrival_ms| arrival_ms - now_ms);
        counts.packets += 1;
        counts.wire_bytes += u64::from(wire_bytes);
        if let Some(delay_ms) = delay_ms {
            counts.arrived += 1;
            counts.delay_ms += delay_ms;
        }
        if let Some(record) = &mut self.record {
            record.add(now_ms, delay_ms, length, heading, sent.client);
        }
    }

    fn change(&mut self, line: &str) {
        if let "cut" | "mend" = line.trim() {
            self.proxy.set_cut(line.trim() == "cut");
            return eprintln!("note: {}", line.trim());
        }
        match change(&mut self.settings, line) {
            Ok(()) => {
                let link = self.settings.lane().proxy_link(self.trace.clone());
                self.proxy.change(link);
                eprintln!("note: #{}", permalink::format(&self.settings));
            }
            Err(error) => eprintln!("note: {error}; the link stays as it is"),
        }
    }

    fn flush(&mut self) -> Result<(), String> {
        let flushed = self.record.as_mut().map_or(Ok(()), Recording::flush);
        flushed.map_err(|error| format!("cannot write the recording: {error}"))
    }

    fn line(&mut self, seconds: f64) -> String {
        let clients = self.proxy.active(self.now_ms());
        let mut line = format!("{seconds:.0} s  {clients} clients");
        for (name, counts) in ["to clients", "to server"].iter().zip(&mut self.counts) {
            let DirectionCounts {
                packets,
                wire_bytes,
                arrived,
                delay_ms,
            } = std::mem::take(counts);
            let kbps = wire_bytes as f64 * 8.0 / SECOND_MS;
            let mean_ms = delay_ms / arrived.max(1) as f64;
            let lost = packets - arrived;
            let _ = write!(
                line,
                "  {name}: {packets} packets {kbps:.1} kbit/s {mean_ms:.1} ms {lost} lost"
            );
        }
        let refused = std::mem::take(&mut self.refused);
        if refused > 0 {
            let _ = write!(
                line,
                "  {refused} packets of more than {CLIENTS_MAX} clients refused"
            );
        }
        line
    }
}

/// A trace file with the times and sizes of the proxy's packets. Only whole rows are written to it.
struct Recording {
    file: File,
    text: String,
    rows: usize,
}

impl Recording {
    fn new(file: File) -> Recording {
        Recording {
            file,
            text: "sent_ms,delay_ms,bytes,path\n".to_string(),
            rows: 0,
        }
    }

    fn add(
        &mut self,
        now_ms: f64,
        delay_ms: Option<f64>,
        bytes: usize,
        heading: Heading,
        client: u32,
    ) {
        self.rows += 1;
        if self.rows > ROWS_MAX {
            if self.rows == ROWS_MAX + 1 {
                eprintln!("note: the recording is full: it has {ROWS_MAX} packets");
            }
            return;
        }
        let text = &mut self.text;
        let _ = match delay_ms {
            Some(delay_ms) => write!(text, "{now_ms:.3},{delay_ms:.3}"),
            None => write!(text, "{now_ms:.3},lost"),
        };
        let direction = match heading {
            Heading::ToClient => "down",
            Heading::ToServer => "up",
        };
        let _ = writeln!(text, ",{bytes},{direction}-{}", client + 1);
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.write_all(self.text.as_bytes())?;
        self.text.clear();
        self.file.flush()
    }
}
