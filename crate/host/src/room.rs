//! The room: the link's world in real time, its guests, and the teacher's actions. It has no sockets and no clock: bytes and
//! times are arguments.

use crate::udp::UdpWays;
use crate::webrtc::{Departure, Offer, Peers};
use snapshot_app::link::Link;
use snapshot_base::time::WORLD;
use snapshot_lane::together::{GUESTS_MAX, GuestRow, Host, RowStatus};
use snapshot_netsim::proxy::ProxyLink;
use snapshot_physics::input::{Input, Inputs};
use snapshot_record::tape::Tape;
use snapshot_replication::Server;
use snapshot_replication::recording::Blank;
use snapshot_settings::permalink;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Time for which the teacher's keys stay pressed without a new message, ms. A page that is gone must not drive for ever.
const KEYS_HELD_MS: f64 = 1_000.0;
/// Time for which a guest who has left stays in the teacher's rows, ms.
const GONE_SHOWN_MS: f64 = 10_000.0;
/// Number of ticks that the world may be behind the clock. If it is further behind, as after a sleep of the machine, it does
/// not catch up.
const BEHIND_MAX_TICKS: f64 = 30.0;
/// Ticks between two checks for guests who joined or left.
const NEWS_TICKS: u64 = 15;
/// Time between two checks of a simulated link for datagrams that are due, ms.
const SIMULATED_MS: f64 = 2.0;
/// Upper limit of the recording of the host's server, bytes.
const RECORDING_BYTES_MAX: usize = 64 << 20;

/// A request from HTTP to the room: a question or an order.
pub(crate) enum Ask {
    Room(oneshot::Sender<RoomFacts>),
    Rows(oneshot::Sender<Vec<GuestRow>>),
    /// An offer of WebRTC. The reply is the SDP of the answer, with the number of the guest's way.
    Offer(Offer, oneshot::Sender<Result<(String, u32), OfferRefused>>),
    /// Gives the second cube to the guest of a way, who then drives it.
    Hand(u32),
    /// The teacher's keys, which drive the first cube.
    Keys(u8),
}

pub(crate) struct RoomFacts {
    /// The link that a guest opens, without `#`.
    pub(crate) link: String,
    pub(crate) places: usize,
    pub(crate) is_full: bool,
    pub(crate) udp_port: u16,
}

/// The reason why an offer has no answer.
#[derive(Debug)]
pub(crate) struct OfferRefused {
    pub(crate) is_full: bool,
    pub(crate) why: String,
}

/// A guest whose arrival was printed to the terminal.
struct Known {
    name: String,
    gone_ms: Option<f64>,
}

pub(crate) struct Room {
    tape: Tape,
    host: Host,
    link: String,
    peers: Peers,
    udp: UdpWays,
    udp_port: u16,
    next_way: u32,
    /// The teacher's keys, and the time until which they stay pressed, ms.
    keys: (u8, f64),
    known: BTreeMap<u32, Known>,
    news: Vec<String>,
    start: Instant,
    /// Time of tick 0, ms.
    began_ms: f64,
    is_simulated: bool,
}

impl Room {
    /// Makes a room whose time starts at `start`.
    ///
    /// # Errors
    /// When the link's world cannot be shared.
    pub(crate) fn new(
        link: &Link,
        simulated: Option<ProxyLink>,
        (secret, records): ([u8; 16], bool),
        (webrtc, udp_port): (SocketAddr, u16),
        start: Instant,
    ) -> Result<Room, String> {
        let settings = &link.a.settings;
        let host = match records {
            true => Host::with_server(settings, |game| {
                Server::recorded(game, secret, RECORDING_BYTES_MAX, Blank::Secrets)
            }),
            false => Host::new(settings, secret),
        };
        let mut host = host.map_err(|error| error.to_string())?;
        let is_simulated = simulated.is_some();
        host.simulate(simulated);
        Ok(Room {
            tape: Tape::replaying(settings, &link.recorded),
            host,
            link: permalink::format(settings),
            peers: Peers::new(webrtc),
            udp: UdpWays::default(),
            udp_port,
            next_way: 0,
            keys: (0, 0.0),
            known: BTreeMap::new(),
            news: Vec::new(),
            start,
            began_ms: 0.0,
            is_simulated,
        })
    }

    /// Handles a datagram from the socket of WebRTC.
    pub(crate) fn on_webrtc(&mut self, now_ms: f64, from: SocketAddr, bytes: &[u8]) {
        self.peers.receive(self.instant(now_ms), from, bytes);
        while let Some((way, datagram)) = self.peers.next_datagram() {
            self.host.receive(now_ms, way, &datagram);
        }
        self.carry();
    }

    /// Handles a datagram of the replication package that arrived over plain UDP.
    pub(crate) fn on_udp(&mut self, now_ms: f64, from: SocketAddr, bytes: &[u8]) {
        if let Some(way) = self.udp.way_of(now_ms, from, &mut self.next_way) {
            self.host.receive(now_ms, way, bytes);
            self.carry();
        }
    }

    /// Answers a request from HTTP. If nobody waits for the answer any more, it is dropped.
    pub(crate) fn on_ask(&mut self, now_ms: f64, ask: Ask) {
        match ask {
            Ask::Room(reply) => drop(reply.send(RoomFacts {
                link: self.link.clone(),
                places: GUESTS_MAX,
                is_full: !self.host.has_room(),
                udp_port: self.udp_port,
            })),
            Ask::Rows(reply) => drop(reply.send(self.host.guests())),
            Ask::Offer(offer, reply) => drop(reply.send(self.on_offer(now_ms, &offer))),
            Ask::Hand(way) => self.host.give_second_hand(way),
            Ask::Keys(keys) => self.keys = (keys, now_ms + KEYS_HELD_MS),
        }
    }

    fn on_offer(&mut self, now_ms: f64, offer: &Offer) -> Result<(String, u32), OfferRefused> {
        if !self.host.has_room() {
            let why = format!("The room is full: it has places for {GUESTS_MAX} guests.");
            return Err(OfferRefused { is_full: true, why });
        }
        let way = self.next_way;
        self.next_way += 1;
        let answer = self.peers.accept(self.instant(now_ms), way, &offer.sdp);
        let answer = answer.map_err(|why| OfferRefused {
            is_full: false,
            why,
        })?;
        Ok((answer, way))
    }

    /// Does the work that is due at a time: steps the world, and sends datagrams.
    pub(crate) fn pass(&mut self, now_ms: f64) {
        let behind = WORLD.tick_of_ms(now_ms - self.began_ms) - self.tape.last_tick() as f64;
        if behind > BEHIND_MAX_TICKS {
            self.began_ms = now_ms - WORLD.ms_of_tick(self.tape.last_tick() as f64 + 1.0);
        }
        while self.tick_ms() <= now_ms {
            self.step(now_ms);
        }
        self.host.pass(now_ms);
        self.peers.pass(self.instant(now_ms));
        self.carry();
    }

    /// Returns the next time at which [`Room::pass`] has something to do, ms.
    pub(crate) fn due_ms(&self, now_ms: f64) -> f64 {
        let of_peers = self.peers.due().map_or(f64::INFINITY, |due| {
            due.saturating_duration_since(self.start).as_secs_f64() * 1000.0
        });
        let simulated_ms = match self.is_simulated {
            true => now_ms + SIMULATED_MS,
            false => f64::INFINITY,
        };
        self.tick_ms().min(of_peers).min(simulated_ms)
    }

    /// Tells all guests that the host ends. Nobody can join after that.
    pub(crate) fn end(&mut self) {
        self.host.end("The host has ended the lesson.");
        self.carry();
    }

    /// The recording of the host's server for a replay; `None` if it does not record.
    pub(crate) fn recording(&self) -> Option<&[u8]> {
        self.host.server().recording()
    }

    /// Closes all connections, after the last datagrams to the guests.
    pub(crate) fn close(&mut self) {
        let ways = self.host.guests().into_iter().map(|guest| guest.way);
        ways.for_each(|way| self.peers.close(way));
    }

    /// Returns the datagrams to send over the socket of WebRTC.
    pub(crate) fn drain_webrtc(&mut self) -> impl Iterator<Item = Departure> {
        self.peers.drain_sent()
    }

    /// Returns the datagrams to send over the socket of plain UDP.
    pub(crate) fn drain_udp(&mut self) -> impl Iterator<Item = Departure> {
        self.udp.drain_sent()
    }

    /// Returns lines for the terminal about guests who joined or left.
    pub(crate) fn drain_news(&mut self) -> impl Iterator<Item = String> {
        self.news.drain(..)
    }

    fn step(&mut self, now_ms: f64) {
        let (keys, until_ms) = self.keys;
        let hand = Input::from_bits(if now_ms < until_ms { keys } else { 0 });
        // As on the page, a hand takes the cube from its script.
        if hand != Input::NONE && (self.tape.is_scripted() || self.tape.is_replaying()) {
            self.tape.take_over();
        }
        let tick = self.tape.last_tick() + 1;
        let rival = Input::from_bits(self.host.second_hand(tick));
        let inputs = Inputs {
            hand,
            rival,
            is_crowd_idle: false,
        };
        self.tape.step(inputs, false);
        let hand = self.tape.input(tick).unwrap_or_default();
        self.peers.begin_burst();
        self.host
            .tick(now_ms, tick, self.tape.newest(), hand.bits());
        if tick.is_multiple_of(u64::from(WORLD.hz())) {
            // Nobody looks back: a minute of states would take 100 MB.
            self.tape.hold_from_here();
        }
        if tick.is_multiple_of(NEWS_TICKS) {
            self.look_round(now_ms);
        }
    }

    /// Time of the next tick, ms.
    fn tick_ms(&self) -> f64 {
        self.began_ms + WORLD.ms_of_tick(self.tape.last_tick() as f64 + 1.0)
    }

    fn instant(&self, now_ms: f64) -> Instant {
        self.start + Duration::from_secs_f64(now_ms / 1000.0)
    }

    /// Passes the host's datagrams on to the connections of their guests.
    fn carry(&mut self) {
        while let Some((way, datagram)) = self.host.next_datagram() {
            match self.peers.has(way) {
                true => self.peers.send(way, &datagram),
                false => self.udp.send(way, datagram),
            }
        }
    }

    /// Adds lines about guests who joined or left. Some time after leaving, a guest is removed from the teacher's rows.
    fn look_round(&mut self, now_ms: f64) {
        let rows = self.host.guests();
        let here = rows
            .iter()
            .filter(|row| row.status != RowStatus::Gone)
            .count();
        for row in &rows {
            let is_gone = row.status == RowStatus::Gone;
            let known = self.known.get_mut(&row.way);
            match (known, is_gone) {
                (None, true) => {}
                (None, false) => {
                    let name = row.name.clone();
                    self.news
                        .push(format!("{name} is here: {here} of {GUESTS_MAX}."));
                    self.known.insert(
                        row.way,
                        Known {
                            name,
                            gone_ms: None,
                        },
                    );
                }
                (Some(known), true) if known.gone_ms.is_none() => {
                    known.gone_ms = Some(now_ms);
                    self.news
                        .push(format!("{} is gone: {here} of {GUESTS_MAX}.", known.name));
                }
                (Some(known), false) => known.gone_ms = None,
                (Some(_), true) => {}
            }
        }
        let is_over = |known: &Known| {
            known
                .gone_ms
                .is_some_and(|gone_ms| now_ms >= gone_ms + GONE_SHOWN_MS)
        };
        let over = self.known.iter().filter(|(_, known)| is_over(known));
        for way in over.map(|(way, _)| *way).collect::<Vec<u32>>() {
            self.host.close(way);
            self.peers.close(way);
            self.known.remove(&way);
        }
        self.udp.forget(now_ms);
    }
}
