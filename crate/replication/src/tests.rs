//! A server and clients over simulated links.

use crate::connection::{Dialer, Listener, ServerEvent};
use crate::payload::HEADERS_BYTES;
use crate::{
    Client, ConnectionEvent, DatagramOutcome, Interest, Interpolation, LeaveReason, Object,
    ObjectField, Peer, PeerEvent, Playout, Server, Settings, SettingsError, ShownInstant,
};
use proptest::prelude::TestCaseError;
use snapshot_codec::{Cube, Snapshot};
use snapshot_netsim::channel::{Channel, Conditions};
use std::collections::{BTreeMap, VecDeque};
use std::hash::Hash;

mod any;
pub(crate) use any::any_settings;
mod both_ways;
mod budget;
mod bursts;
mod connections;
mod door;
mod drawn_games;
mod exhaustive;
mod faults;
mod figures;
pub(crate) mod golden;
mod hostile;
mod limits;
mod paths;
mod promises;
mod rates;
mod recordings;
mod soak;
mod traffic;
mod urgency;

/// An address of a client in these tests.
type Address = usize;

fn settings(objects: usize) -> Settings {
    Settings {
        fields: vec![
            ObjectField::counter("health", 7),
            ObjectField::new("flag", 1),
        ],
        ..Settings::new(objects)
    }
}

/// Settings of a game in which each client has a budget.
fn budget(objects: usize, kbps: f64) -> Settings {
    Settings {
        budget_kbps: Some(kbps),
        ..settings(objects)
    }
}

/// A game: objects go round, come, go, jump and lose health.
fn game(tick: u64, count: usize) -> Vec<Object> {
    let alive = (0..count as u32).filter(|id| !(tick / 40 + u64::from(*id)).is_multiple_of(9));
    let object = |id: u32| {
        // Each time that it comes it is another object.
        let born = (tick % (1 << 20) / 40 + u64::from(id)) / 9;
        let phase = (tick % (1 << 20)) as f32 * 0.02 + id as f32;
        let mut object = Object {
            id: id + 10_000 * born as u32,
            kind: id % 7,
            position: [
                20.0 * libm::cosf(phase),
                20.0 * libm::sinf(phase),
                1.0 + id as f32 * 0.02,
            ],
            orientation: [0.0, 0.0, libm::sinf(phase / 2.0), libm::cosf(phase / 2.0)],
            teleported: (tick + u64::from(id)).is_multiple_of(77),
            ..Object::default()
        };
        object.fields[0] = (tick / 7 + u64::from(id)) as u32 % 128;
        object.fields[1] = u32::from(tick % 50 < 25);
        object
    };
    alive.map(object).collect()
}

/// Passes the datagrams between a client and its server at an instant, without a network.
fn exchange<A: Clone + Ord + Hash>(
    now_ms: f64,
    address: &A,
    dialer: &mut Dialer,
    listener: &mut Listener<A>,
    admits: bool,
) {
    while let Some(bytes) = dialer.send(now_ms, None) {
        match listener.receive(now_ms, address, None, &bytes) {
            Ok(ServerEvent::Answer(bytes)) => drop(dialer.receive(now_ms, &bytes)),
            Ok(ServerEvent::Joins(peer, _)) if admits => listener.admit(peer),
            _ => {}
        }
    }
    let told = listener.advance(now_ms, |to, bytes| {
        if to == address {
            let _event = dialer.receive(now_ms, bytes);
        }
    });
    assert_eq!(told, Ok(()));
}

/// Gives a client the inputs that are due.
fn press<B: AsRef<[u8]>>(client: &mut Client, now_ms: f64, mut input: impl FnMut(u64) -> B) {
    while let Some(tick) = client.next_input(now_ms) {
        client.input(tick, input(tick).as_ref()).unwrap();
    }
}

/// A client with its link.
struct Seat {
    client: Client,
    ways: [Channel; 2],
    sent: [u64; 2],
    /// Bytes of the datagrams that the server sent.
    sent_bytes: f64,
    /// Datagrams to the client that are not lost: the wait in the link's queue, ms, and the bytes with all headers.
    waits: Vec<(f64, usize)>,
    /// Snapshots that were compared with the server's.
    compared: usize,
    /// Datagrams that an attacker may have heard, by way.
    last: [Vec<Vec<u8>>; 2],
    /// Size of the largest datagram that each way carries, bytes.
    carried_bytes: [usize; 2],
    /// For each way the time between two deliveries, ms, of which each brings all that has arrived; 0 for no bursts. Beside it the
    /// time of the first one.
    bursts: [(f64, f64); 2],
    /// Nothing that arrives after this time is delivered.
    held_ms: f64,
    /// Changes of the connection that the client named.
    events: Vec<ConnectionEvent>,
}

struct Table {
    server: Server<Address>,
    settings: Settings,
    seats: Vec<Seat>,
    count: usize,
    tick: u64,
    /// Ticks a second that pass. The settings may say otherwise.
    hz: f64,
    /// Ticks from one frame of the clients to the next.
    frame_ticks: u64,
    /// Time by which the clients' frames are later than the server's ticks, ms.
    frame_ms: f64,
    /// The tick in which the server started.
    started: u64,
    /// The game's tick at the table's tick 0.
    first: u64,
    /// Time of both ends' clocks at the table's tick 0, ms.
    first_ms: f64,
    /// The server's snapshots by tick.
    truth: BTreeMap<u64, (Vec<Cube>, Vec<u32>)>,
    /// Ticks of `truth` in the order in which they were sent.
    truth_ticks: VecDeque<u64>,
    came: Vec<PeerEvent>,
    left: Vec<(Peer, LeaveReason)>,
}

impl Table {
    fn new(settings: Settings) -> Self {
        Self {
            count: settings.objects,
            server: Server::new(settings.clone(), [1; 16]).unwrap(),
            settings,
            seats: Vec::new(),
            tick: 0,
            hz: 60.0,
            frame_ticks: 1,
            frame_ms: 0.0,
            started: 0,
            first: 0,
            first_ms: 0.0,
            truth: BTreeMap::new(),
            truth_ticks: VecDeque::new(),
            came: Vec::new(),
            left: Vec::new(),
        }
    }

    /// A table with one client.
    fn of_one(settings: Settings, conditions: Conditions) -> Self {
        let mut table = Self::new(settings);
        table.sit(b"ticket", conditions);
        table
    }

    fn sit(&mut self, token: &[u8], conditions: Conditions) {
        let address = self.seats.len() as u32;
        let nonce = 0x1234_5678_9abc + u64::from(address);
        self.seats.push(Seat {
            client: Client::new(self.settings.clone(), token, nonce).unwrap(),
            ways: [0, 1].map(|way| Channel::new(conditions, 7 + address, way)),
            sent: [0; 2],
            sent_bytes: 0.0,
            waits: Vec::new(),
            compared: 0,
            last: Default::default(),
            carried_bytes: [usize::MAX; 2],
            bursts: [(0.0, 0.0); 2],
            held_ms: f64::INFINITY,
            events: Vec::new(),
        });
    }

    fn now_ms(&self) -> f64 {
        self.first_ms + self.tick as f64 * 1000.0 / self.hz
    }

    /// The objects that the first client shows now.
    fn shown(&mut self) -> &[Object] {
        let now_ms = self.now_ms();
        self.seats[0].client.show(now_ms)
    }

    fn run(&mut self, ticks: u64) {
        (0..ticks).for_each(|_| self.step(|_, _, _| true));
    }

    /// A tick: what has arrived is taken, then both ends send.
    fn step<I: Into<Interest>>(&mut self, sees: impl FnMut(u64, Peer, &Object) -> I) {
        let count = self.count;
        self.step_game(|tick| game(tick, count), sees);
    }

    /// A tick of another game.
    fn step_game<I: Into<Interest>>(
        &mut self,
        game: impl Fn(u64) -> Vec<Object>,
        sees: impl FnMut(u64, Peer, &Object) -> I,
    ) {
        self.tick += 1;
        self.server_takes();
        self.server_ticks(game, sees);
        self.clients_take();
        self.clients_send();
    }

    /// The server takes what has arrived.
    fn server_takes(&mut self) {
        let now_ms = self.now_ms();
        let mut bytes = Vec::new();
        for (address, seat) in self.seats.iter_mut().enumerate() {
            while seat.deliver(0, now_ms, &mut bytes) {
                match self.server.receive(now_ms, &address, &bytes) {
                    DatagramOutcome::Answer(answer) => seat.post(1, now_ms, &answer),
                    DatagramOutcome::Joins(peer, token) if token == b"ticket" => {
                        self.server.admit(peer)
                    }
                    DatagramOutcome::Joins(peer, _) => self.server.refuse(peer, "no ticket"),
                    DatagramOutcome::Taken | DatagramOutcome::Refused(_) => {}
                }
            }
        }
    }

    /// The server runs a tick, and sends.
    fn server_ticks<I: Into<Interest>>(
        &mut self,
        game: impl Fn(u64) -> Vec<Object>,
        mut sees: impl FnMut(u64, Peer, &Object) -> I,
    ) {
        let (tick, now_ms) = (self.first + self.tick - self.started, self.now_ms());
        let (seats, objects) = (&mut self.seats, game(tick));
        let send = |address: &Address, bytes: &[u8]| seats[*address].post(1, now_ms, bytes);
        let sees = |peer, object: &Object| sees(tick, peer, object);
        let ticked = self.server.tick(now_ms, tick, &objects, sees, send);
        assert_eq!(ticked, Ok(&[][..]));
        while let Some(event) = self.server.next_event() {
            match event {
                PeerEvent::Left(peer, why) => self.left.push((peer, why)),
                event => self.came.push(event),
            }
        }
        let (sent_tick, Snapshot { cubes, rows }) = self.server.snapshot();
        if sent_tick == tick {
            self.truth.insert(tick, (cubes.to_vec(), rows.to_vec()));
            // Ticks leap forward, and begin anew with another server, while datagrams of before are on their way.
            self.truth_ticks.push_back(tick);
            if self.truth_ticks.len() > 1200
                && let Some(oldest) = self.truth_ticks.pop_front()
                && !self.truth_ticks.contains(&oldest)
            {
                self.truth.remove(&oldest);
            }
        }
    }

    /// The clients take what has arrived. Each new snapshot is compared with the server's.
    fn clients_take(&mut self) {
        let now_ms = self.now_ms() + self.frame_ms;
        let mut bytes = Vec::new();
        for seat in &mut self.seats {
            while seat.deliver(1, now_ms, &mut bytes) {
                let before = seat.client.snapshot().map(|(tick, _)| tick);
                let _refused = seat.client.receive(now_ms, &bytes);
                let Some((got, snapshot)) = seat.client.snapshot() else {
                    continue;
                };
                if Some(got) != before {
                    let (cubes, rows) = &self.truth[&got];
                    let truth = Snapshot { cubes, rows };
                    if seat.client.is_partial() {
                        check_slots(snapshot, truth, |slot| {
                            let own = at_slot(snapshot, slot);
                            let has_ended = cubes[slot].life.is_empty() && !own.0.life.is_empty();
                            let is_fresh = seat.client.is_fresh(slot);
                            if is_fresh && has_ended {
                                // An object whose packets were all lost is sent as it was at its end.
                                let older = self.truth.range(..got).rev();
                                let mut older = older.map(|(_, (cubes, rows))| {
                                    at_slot(Snapshot { cubes, rows }, slot)
                                });
                                let last = older.find(|it| !it.0.life.is_empty());
                                assert_eq!(last, Some(own), "slot {slot}");
                            }
                            is_fresh && !has_ended
                        });
                    } else if snapshot.cubes.contains(&Cube::EMPTY) {
                        // Each object that the client sees has the server's state.
                        check_slots(snapshot, truth, |_| true);
                    } else {
                        assert_eq!(snapshot, truth, "tick {got}");
                    }
                    seat.compared += 1;
                }
            }
        }
    }

    /// The clients send and show.
    fn clients_send(&mut self) {
        let now_ms = self.now_ms() + self.frame_ms;
        for seat in &mut self.seats {
            while let Some(bytes) = seat.client.send(now_ms) {
                seat.post(0, now_ms, &bytes);
            }
            if self.tick.is_multiple_of(self.frame_ticks) {
                seat.client.show(now_ms);
            }
            let client = &mut seat.client;
            seat.events
                .extend(std::iter::from_fn(|| client.next_event()));
        }
    }
}

/// The state of a slot's object, and its row.
fn at_slot(it: Snapshot<'_>, slot: usize) -> (Cube, &[u32]) {
    let row_len = it.rows.len() / it.cubes.len();
    (it.cubes[slot], &it.rows[slot * row_len..][..row_len])
}

/// Checks that each known slot has the server's state of that tick, or is empty.
fn check_slots(got: Snapshot, truth: Snapshot, is_known: impl Fn(usize) -> bool) {
    for slot in (0..truth.cubes.len()).filter(|slot| is_known(*slot)) {
        if got.cubes[slot] != Cube::EMPTY {
            assert_eq!(at_slot(got, slot), at_slot(truth, slot), "slot {slot}");
        }
    }
}

fn sorted(ids: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut ids: Vec<u32> = ids.collect();
    ids.sort_unstable();
    ids
}

impl Seat {
    /// Takes the next datagram that a way has delivered; false if there is none.
    fn deliver(&mut self, way: usize, now_ms: f64, bytes: &mut Vec<u8>) -> bool {
        let (burst_ms, first_ms) = self.bursts[way];
        let delivered_ms = match burst_ms > 0.0 {
            true => ((now_ms - first_ms) / burst_ms).floor() * burst_ms + first_ms,
            false => now_ms,
        };
        let until_ms = delivered_ms.min(self.held_ms);
        self.ways[way].receive(until_ms, bytes).is_some()
    }

    fn post(&mut self, way: usize, now_ms: f64, bytes: &[u8]) {
        if bytes.len() > self.carried_bytes[way] {
            return;
        }
        let wire_bytes = bytes.len() + HEADERS_BYTES;
        let sent = self.ways[way].send_sized(now_ms, self.sent[way], bytes, 1, wire_bytes as u32);
        if way == 1 && sent.lost_by.is_none() {
            self.waits.push((sent.delay.queue_ms, wire_bytes));
        }
        self.sent[way] += 1;
        self.sent_bytes += if way == 1 { bytes.len() as f64 } else { 0.0 };
        self.last[way].push(bytes.to_vec());
    }

    fn is_whole(&self, table: &BTreeMap<u64, (Vec<Cube>, Vec<u32>)>) -> bool {
        let (tick, snapshot) = self.client.snapshot().unwrap();
        let (cubes, rows) = &table[&tick];
        snapshot == Snapshot { cubes, rows }
    }
}

/// A picture that a client drew, and what the server rebuilds of it some ticks later.
struct Picture {
    peer: Peer,
    shown: ShownInstant,
    objects: Vec<Object>,
    seen: Option<Vec<Object>>,
}

/// The pictures that a client drew of late.
#[derive(Default)]
struct Pictures(VecDeque<Option<Picture>>);

impl Pictures {
    /// Adds what a client shows now. Returns its picture of `delay` ticks ago, which the server is asked for now.
    fn next(&mut self, table: &mut Table, seat: usize, delay: usize) -> Option<Picture> {
        let now_ms = table.now_ms();
        let client = &mut table.seats[seat].client;
        let objects = client.show(now_ms).to_vec();
        let drawn = client.peer().zip(client.shown_instant());
        self.0.push_back(drawn.map(|(peer, shown)| Picture {
            peer,
            shown: ShownInstant::from_bytes(&shown.to_bytes()).unwrap(),
            objects,
            seen: None,
        }));
        let is_due = self.0.len() > delay;
        let mut picture = is_due.then(|| self.0.pop_front()).flatten().flatten()?;
        picture.seen = table.server.seen(picture.peer, &picture.shown);
        Some(picture)
    }
}

/// Kinds and poses by id, to the bit.
fn poses(objects: &[Object]) -> BTreeMap<u32, (u32, [u32; 3], [u32; 4])> {
    let bits = |it: &Object| {
        let (place, turn) = (it.position, it.orientation);
        (it.kind, place.map(f32::to_bits), turn.map(f32::to_bits))
    };
    objects.iter().map(|it| (it.id, bits(it))).collect()
}

/// Plays a client over a link that loses the share `loss` of the packets. `judge` gets each picture that the client drew `delay`
/// ticks ago: its instant, its objects, and the same objects as the server rebuilds them now.
fn seen_pictures(
    settings: Settings,
    (interpolation, playout): (Interpolation, usize),
    (ticks, delay): (u64, usize),
    loss: f64,
    mut sees: impl FnMut(u64, Peer, &Object) -> bool,
    mut judge: impl FnMut(&ShownInstant, &[Object], &[Object]) -> Result<(), TestCaseError>,
) -> Result<Table, TestCaseError> {
    let playouts = [
        settings.playout,
        Playout::Fixed { delay_ms: 120.0 },
        Playout::AtOnce,
    ];
    let settings = Settings {
        interpolation,
        playout: playouts[playout],
        ..settings
    };
    let mut table = Table::of_one(settings, link(loss));
    let mut pictures = Pictures::default();
    for _ in 0..ticks {
        table.step(&mut sees);
        if let Some(drawn) = pictures.next(&mut table, 0, delay)
            && let Some(seen) = drawn.seen
        {
            judge(&drawn.shown, &drawn.objects, &seen)?;
        }
    }
    Ok(table)
}

/// A link without a fault.
fn steady(latency_ms: f64) -> Conditions {
    Conditions {
        latency_ms,
        ..Conditions::PERFECT
    }
}

fn link(loss: f64) -> Conditions {
    Conditions {
        jitter_ms: 20.0,
        loss,
        duplicated: 0.02,
        reordered: 0.02,
        ..steady(40.0)
    }
}

#[test]
fn a_thousand_objects_join_over_a_fifth_of_loss() {
    let mut table = Table::new(settings(1000));
    (0..3).for_each(|_| table.sit(b"ticket", link(0.2)));
    table.run(300);
    for seat in &table.seats {
        assert!(
            seat.compared > 0 && seat.is_whole(&table.truth),
            "{}",
            seat.compared
        );
    }
    assert_eq!(table.server.counts().joins, 3);
    assert!(
        table.server.counts().split > 0,
        "packets of 1,000 moving objects exceed a datagram"
    );
}

#[test]
fn each_client_gets_the_objects_that_it_sees_and_no_others() {
    let mut table = Table::new(settings(60));
    (0..4).for_each(|_| table.sit(b"ticket", link(0.05)));
    // Which objects a client sees changes each second.
    let sees = |tick: u64, peer: Peer, object: &Object| {
        (u64::from(object.id) + tick / 60 + u64::from(peer.number())).is_multiple_of(5)
    };
    (0..600).for_each(|_| table.step(sees));
    for (peer, seat) in (1..).zip(&table.seats) {
        assert!(seat.compared > 120);
        let (tick, Snapshot { cubes, rows }) = seat.client.snapshot().unwrap();
        let ids = rows
            .chunks(4)
            .zip(cubes)
            .filter(|(_, cube)| !cube.life.is_empty());
        let ids = sorted(ids.map(|(row, _)| row[0]));
        let wanted = game(tick, 60).into_iter().map(|object| object.id);
        let wanted = wanted.filter(|id| (u64::from(*id) + tick / 60 + peer).is_multiple_of(5));
        assert_eq!(ids, sorted(wanted));
    }
}

#[test]
fn clients_that_see_the_same_share_packets() {
    let mut table = Table::new(settings(40));
    (0..8).for_each(|_| table.sit(b"ticket", link(0.0)));
    let sees = |_, peer: Peer, object: &Object| (object.id + peer.number()).is_multiple_of(2);
    (0..300).for_each(|_| table.step(sees));
    let counts = table.server.counts();
    assert!(counts.encoded * 2 < counts.packets, "{counts:?}");
}

#[test]
fn a_token_has_at_most_512_bytes() {
    let client = |bytes| Client::new(settings(1), &vec![7; bytes], 1).map(drop);
    assert_eq!(client(512), Ok(()));
    assert_eq!(client(513), Err(SettingsError::Token(513)));
}

/// Age of what clients show six seconds after they joined over a link of 40 ms, by seed, ms, least first.
fn ages_ms(loss: f64) -> Vec<f64> {
    let lossy = Conditions {
        loss,
        ..steady(40.0)
    };
    let mut table = Table::new(settings(8));
    (0..60).for_each(|_| table.sit(b"ticket", lossy));
    table.run(360);
    let age_ms = |seat: &Seat| {
        let shown = seat.client.shown_tick().expect("it shows objects");
        (table.tick as f64 - shown) * 1000.0 / 60.0
    };
    let mut ages: Vec<f64> = table.seats.iter().map(age_ms).collect();
    ages.sort_by(f64::total_cmp);
    ages
}

/// The join takes round trips. Were these held to be delays of packets, play would lag behind for forty seconds.
#[test]
fn a_client_that_joined_does_not_lag_behind_for_its_join() {
    for (loss, median_ms, most_ms) in [(0.0, 130.0, 130.0), (0.1, 240.0, 400.0)] {
        let ages = ages_ms(loss);
        let (median, most) = (ages[30], ages[59]);
        println!("{loss}: median {median:.0} ms, most {most:.0} ms");
        assert!(median <= median_ms && most <= most_ms, "{loss}: {ages:?}");
    }
}
