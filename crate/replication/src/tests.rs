//! A server and clients over simulated links.

use crate::{
    Client, ConnectionEvent, DatagramOutcome, Interest, Interpolation, LeaveReason, Object,
    ObjectField, Peer, PeerEvent, Playout, Server, Settings, SettingsError, ShownInstant,
};
use proptest::prelude::TestCaseError;
use snapshot_codec::{Cube, Snapshot};
use snapshot_netsim::channel::{Channel, Conditions};
use std::collections::{BTreeMap, VecDeque};

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

/// Gives a server all that a client sends, and the client its answers. Whoever joins is admitted.
fn hear(server: &mut Server<u8>, from: u8, client: &mut Client, now_ms: f64) {
    while let Some(bytes) = client.send(now_ms) {
        match server.receive(now_ms, &from, &bytes) {
            DatagramOutcome::Answer(bytes) => client.receive(now_ms, &bytes).unwrap(),
            DatagramOutcome::Joins(peer, _) => server.admit(peer),
            _ => {}
        }
    }
}

/// A client with its link.
struct Seat {
    client: Client,
    ways: [Channel; 2],
    sent: [u64; 2],
    /// Bytes of the datagrams that the server sent.
    sent_bytes: f64,
    /// Snapshots that were compared with the server's.
    compared: usize,
    /// Datagrams that an attacker may have heard, by way.
    last: [Vec<Vec<u8>>; 2],
    /// Size of the largest datagram that each way carries, bytes.
    carried_bytes: [usize; 2],
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
    /// The tick in which the server started.
    started: u64,
    /// The game's tick at the table's tick 0.
    first: u64,
    /// Time of both ends' clocks at the table's tick 0, ms.
    first_ms: f64,
    /// The server's snapshots by tick.
    truth: BTreeMap<u64, (Vec<Cube>, Vec<u32>)>,
    came: Vec<PeerEvent>,
    left: Vec<(Peer, LeaveReason)>,
}

impl Table {
    fn new(settings: Settings, count: usize) -> Self {
        Self {
            server: Server::new(settings.clone(), [1; 16]).unwrap(),
            settings,
            seats: Vec::new(),
            count,
            tick: 0,
            hz: 60.0,
            frame_ticks: 1,
            started: 0,
            first: 0,
            first_ms: 0.0,
            truth: BTreeMap::new(),
            came: Vec::new(),
            left: Vec::new(),
        }
    }

    fn sit(&mut self, token: &[u8], conditions: Conditions) {
        let address = self.seats.len() as u32;
        let nonce = 0x1234_5678_9abc + u64::from(address);
        self.seats.push(Seat {
            client: Client::new(self.settings.clone(), token, nonce).unwrap(),
            ways: [0, 1].map(|way| Channel::new(conditions, 7 + address, way)),
            sent: [0; 2],
            sent_bytes: 0.0,
            compared: 0,
            last: Default::default(),
            carried_bytes: [usize::MAX; 2],
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
        mut sees: impl FnMut(u64, Peer, &Object) -> I,
    ) {
        self.tick += 1;
        let (tick, now_ms) = (self.first + self.tick - self.started, self.now_ms());
        let mut bytes = Vec::new();
        for (address, seat) in self.seats.iter_mut().enumerate() {
            while seat.ways[0].receive(now_ms, &mut bytes).is_some() {
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
        }
        for seat in &mut self.seats {
            while seat.ways[1].receive(now_ms, &mut bytes).is_some() {
                let before = seat.client.snapshot().map(|(tick, _)| tick);
                let _refused = seat.client.receive(now_ms, &bytes);
                let Some((got, snapshot)) = seat.client.snapshot() else {
                    continue;
                };
                if Some(got) != before {
                    let (cubes, rows) = &self.truth[&got];
                    let truth = Snapshot { cubes, rows };
                    if seat.client.is_partial() {
                        // An object whose packets were all lost is sent as it was at its end.
                        let last = |slot: usize| {
                            let row_len = rows.len() / cubes.len();
                            let mut older = self.truth.range(..got).rev();
                            let last = older.find(|(_, (cubes, _))| !cubes[slot].life.is_empty());
                            last.map(|(_, (cubes, rows))| {
                                (cubes[slot], rows[slot * row_len..][..row_len].to_vec())
                            })
                        };
                        let row_len = rows.len() / cubes.len();
                        check_slots(snapshot, truth, |slot| {
                            let own = (
                                snapshot.cubes[slot],
                                snapshot.rows[slot * row_len..][..row_len].to_vec(),
                            );
                            let has_ended = cubes[slot].life.is_empty() && !own.0.life.is_empty();
                            let is_fresh = seat.client.is_fresh(slot);
                            assert!(
                                !(is_fresh && has_ended) || last(slot) == Some(own),
                                "slot {slot}"
                            );
                            is_fresh && !has_ended
                        });
                    } else if snapshot.cubes.contains(&Cube::EMPTY) {
                        // Of the objects that it sees each is as the server has it.
                        check_slots(snapshot, truth, |_| true);
                    } else {
                        assert_eq!(snapshot, truth, "tick {got}");
                    }
                    seat.compared += 1;
                }
            }
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

/// Checks that each known slot has the server's state of that tick, or is empty.
fn check_slots(got: Snapshot, truth: Snapshot, is_known: impl Fn(usize) -> bool) {
    let row_len = truth.rows.len() / truth.cubes.len();
    for slot in (0..truth.cubes.len()).filter(|slot| is_known(*slot)) {
        if got.cubes[slot] != Cube::EMPTY {
            let row = slot * row_len..(slot + 1) * row_len;
            let [got, truth] = [got, truth].map(|it| (it.cubes[slot], &it.rows[row.clone()]));
            assert_eq!(got, truth, "slot {slot}");
        }
    }
}

fn sorted(ids: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut ids: Vec<u32> = ids.collect();
    ids.sort_unstable();
    ids
}

impl Seat {
    fn post(&mut self, way: usize, now_ms: f64, bytes: &[u8]) {
        if bytes.len() > self.carried_bytes[way] {
            return;
        }
        self.ways[way].send(now_ms, self.sent[way], bytes, 1);
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

/// Plays ticks of a client over a link with such a loss. `judge` gets each instant that the client drew `delay` ticks ago, what it
/// drew then, and what the server draws of that instant now.
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
    let count = settings.objects;
    let mut table = Table::new(settings, count);
    table.sit(b"ticket", link(loss));
    let mut drawn = VecDeque::new();
    for _ in 0..ticks {
        table.step(&mut sees);
        let now_ms = table.now_ms();
        let client = &mut table.seats[0].client;
        let objects = client.show(now_ms).to_vec();
        let shown = client.shown_instant().map(|shown| shown.to_bytes());
        drawn.push_back((client.peer(), shown, objects));
        if drawn.len() <= delay {
            continue;
        }
        if let Some((Some(peer), Some(shown), objects)) = drawn.pop_front() {
            let shown = ShownInstant::from_bytes(&shown).unwrap();
            if let Some(seen) = table.server.seen(peer, &shown) {
                judge(&shown, &objects, &seen)?;
            }
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
    let mut table = Table::new(settings(1000), 1000);
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
    let mut table = Table::new(settings(60), 60);
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
    let mut table = Table::new(settings(40), 40);
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
    let mut table = Table::new(settings(8), 8);
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
