//! A game in a lane: the package's server and client over both ways of the link, and the observer.
//!
//! A tick of the lane is a tick of the client and of the tape, which has the driver's keys. The server reaches the same
//! tick later. While all keys come in time its world equals the tape's. The client's clock is steered a little, so the
//! network has a time of its own. In a tick of the lane, a little more or less than a tick passes on the network.
//!
//! The reasons are in `docs/decisions/0072-game-lane.md`.

use super::account::{SnapshotShare, account, snapshot_bytes};
use super::clocks::{ClientMs, Clocks, LaneTick, NetworkMs, WholeServerTick};
use super::connection::connection;
use super::interest::InterestRule;
use super::observer::Observer;
use super::others::OtherClients;
use super::partial::PartialObserver;
use crate::measure::metrics::{CausedCorrection, DistanceMetrics, HandMetrics};
use crate::strategy::AckedPackets;
use crate::strategy::ends::{Ends, Exchange, LaneSender};
use crate::strategy::game::{GameClient, GameClientConfig, GameServer, Keys, OWN, Simulator};
use crate::tape_world::TapeWorld;
use crate::view::distance_m;
use crate::wire::{Departure, Direction, PacketSize};
use snapshot_codec::CubeState;
use snapshot_netsim::channel::{Delivery, LinkInputs};
use snapshot_physics::input::{Input, Inputs};
use snapshot_physics::world::World;
use snapshot_record::delta_history::DeltaHistory;
use snapshot_record::session_config::SessionConfig;
use snapshot_record::tape::{Frame, Tape};
use snapshot_replication::inputs::InputArrivals;
use snapshot_replication::{PartKind, datagram_parts};
use snapshot_settings::{LaneSettings, Predict};
use snapshot_view::{Playback, Pose, SnapshotArrival};
use std::collections::VecDeque;

/// Longest time in which the client joins before the lane's first tick, ms.
const JOIN_MS: f64 = 10_000.0;
/// Time before the lane's first tick for which the client's clock settles, ms.
const SETTLE_MS: f64 = 2_000.0;
/// Longest time that passes in a tick of the lane while the client's clock stands still, ms.
const TICK_MAX_MS: f64 = 1_000.0;
/// Time that is added to a key's computed time, ms, so that the clock has certainly reached it.
const ROUNDING_MS: f64 = 1e-6;

pub(crate) struct GameEnds {
    server: GameServer,
    /// The server's world. It waits at the lane's start until the client's first keys are due.
    server_world: TapeWorld,
    client: GameClient,
    predict: Predict,
    rival: Option<usize>,
    clocks: Clocks,
    now: NetworkMs,
    server_tick: WholeServerTick,
    start_tick: LaneTick,
    /// Counts of keys that arrived for ticks before the lane's first tick.
    keys_before: InputArrivals,
    /// Ticks for which the client's clock has asked for keys.
    due: VecDeque<WholeServerTick>,
    shown_ticks: Option<f64>,
    /// Number of datagrams so far: to the client, and back.
    datagrams: [u64; 2],
    observer: Observer,
    partial: PartialObserver,
    /// The other clients that the server serves; `None` if the driver's is the only one.
    others: Option<OtherClients>,
}

/// The tape, lent to a client in place of a simulation.
struct TapeSimulator<'a> {
    tape: &'a Tape,
}

impl Simulator for TapeSimulator<'_> {
    fn states<'a>(&self, world: &'a TapeWorld) -> &'a [CubeState] {
        world.truth()
    }

    fn step(&mut self, world: &mut TapeWorld, keys: Keys) {
        let inputs = Inputs {
            // A client does not know the keys of others.
            is_crowd_idle: self.tape.made_from().crowd_seed.is_some(),
            ..inputs_of(keys)
        };
        world.step_to(self.tape, world.tick() + 1, inputs);
    }

    fn set_states(&mut self, world: &mut TapeWorld, states: &[(usize, CubeState)]) {
        world.set_states(self.tape, states);
    }

    fn fork(&mut self, world: &TapeWorld) -> TapeWorld {
        world.fork()
    }

    fn part(&mut self, world: &TapeWorld, ago: u64, cubes: &[CubeState]) -> TapeWorld {
        TapeWorld::of_cubes(cubes, self.tape.made_from(), world.tick() - ago)
    }
}

impl GameEnds {
    /// Creates both ends before anything is sent. Both worlds begin as copies of `world`.
    pub(crate) fn new(
        settings: &LaneSettings,
        world: &World,
        session_config: &SessionConfig,
        link_inputs: &LinkInputs,
    ) -> GameEnds {
        let game = connection(settings, world.cube_count());
        let initial: Vec<_> = world.truth().iter().map(Pose::from).collect();
        let rival = session_config.rival();
        let crowd = world.made_from().crowd_among(world.cube_count());
        let has_budget = game.budget_kbps.is_some();
        let is_partial = has_budget || settings.sight_m().is_some();
        let config = GameClientConfig {
            predict: settings.predict(),
            correct: settings.correct(),
            own: OWN,
            rival,
            hides_missing: is_partial,
        };
        // Secret and nonce must be random in a game; a lane is a function of its settings.
        let seed = u64::from(settings.seed());
        let secret = u128::from(seed).to_be_bytes();
        let format = game.format().expect(POSSIBLE);
        let rule = InterestRule::new(settings);
        let others = (settings.clients() as usize - 1).min(crowd.len());
        let others = (others > 0)
            .then(|| OtherClients::new(others, crowd.clone(), &game, settings, link_inputs));
        let server = GameServer::new(game.clone(), settings.missing_keys(), rival, rule, secret);
        let mut observer = Observer::new(format, settings, is_partial, session_config);
        observer.metrics.bill.clients += others.as_ref().map_or(0, OtherClients::len);
        GameEnds {
            server: server.expect(POSSIBLE),
            server_world: TapeWorld::from_world(world),
            client: GameClient::new(game, config, &initial, (b"", seed)).expect(POSSIBLE),
            predict: config.predict,
            rival,
            clocks: Clocks {
                tick_ms: 1000.0 / f64::from(settings.tick_rate().hz()),
                client_speed: settings.receiver_clock(),
                offset: None,
            },
            now: NetworkMs::default(),
            server_tick: WholeServerTick::default(),
            start_tick: LaneTick(world.tick()),
            keys_before: InputArrivals::default(),
            due: VecDeque::new(),
            shown_ticks: None,
            datagrams: [0; 2],
            observer,
            partial: PartialObserver::new(
                has_budget,
                is_partial || !crowd.is_empty(),
                initial.len(),
                1000.0 / f64::from(settings.tick_rate().hz()),
            ),
            others,
        }
    }

    pub(crate) fn metrics(&self) -> &HandMetrics {
        &self.observer.metrics
    }

    /// Error of each cube on the driver's screen against the server's world at the same tick, mm. The tick is the newest
    /// one that the server has reached.
    pub(crate) fn error_mm(&self) -> &[f32] {
        &self.observer.error_mm
    }

    /// Corrections of the last minute, oldest first.
    pub(crate) fn corrections(&self) -> impl DoubleEndedIterator<Item = &CausedCorrection> {
        self.observer.corrections.iter()
    }

    /// The server's states, from the first tick at which they may differ from the tape's; `None` while they are equal.
    pub(crate) fn server_states(&self) -> Option<&DeltaHistory<CubeState>> {
        self.observer.server_states.as_ref()
    }

    /// The tick of the lane that the server has reached; `None` before the client's clock runs.
    fn reached_tick(&self) -> Option<LaneTick> {
        let tick = (self.clocks.offset?).saturating_add_unsigned(self.server_tick.0);
        u64::try_from(tick).ok().map(LaneTick)
    }

    /// Lets the client join, and its clock settle, before the lane's first tick. With a budget all objects come first. Packets
    /// sent until then are not counted.
    fn join(&mut self, frame: &Frame<'_>, exchange: &mut Exchange<'_>) {
        let (mut since, mut next) = (None, 0);
        while self.now < NetworkMs(JOIN_MS)
            && (since.is_none_or(|since: NetworkMs| self.now < since.after(SETTLE_MS))
                || self.client.client().figures().missing_objects > 0)
        {
            let until = self.now.after(self.clocks.tick_ms);
            self.pass(frame, exchange, until, false);
            let now_ms = self.clocks.client(self.now).0;
            while let Some(tick) = self.client.client_mut().next_input(now_ms) {
                since.get_or_insert(self.now);
                let _ = self.client.client_mut().input(tick, &[0]);
                next = tick + 1;
            }
            self.send(frame, exchange, false);
        }
        if since.is_some() {
            self.clocks.offset = Some(frame.tick as i64 - next as i64);
            let mut sim = TapeSimulator { tape: frame.tape };
            self.client
                .begin(&mut sim, self.server_world.fork(), next - 1);
        }
    }

    /// Lets the network's time pass: the server runs its ticks, and then the client receives the arrived packets.
    fn pass(
        &mut self,
        frame: &Frame<'_>,
        exchange: &mut Exchange<'_>,
        until: NetworkMs,
        is_counted: bool,
    ) {
        let mut datagram = Vec::new();
        loop {
            let at = self.clocks.tick_at(self.server_tick.next());
            if at > until {
                break;
            }
            while let Some(delivery) =
                (exchange.wire).receive_back(at.0, &mut datagram, exchange.metrics)
            {
                self.note_acks(exchange, &datagram);
                if let Some(answer) = self.server.receive(delivery.arrival_ms, &datagram) {
                    let at = NetworkMs(delivery.arrival_ms);
                    self.depart(frame, exchange, at, is_counted, &answer, None);
                }
            }
            self.server_tick = self.server_tick.next();
            self.run_server(frame, exchange, at, is_counted);
        }
        self.now = until;
        self.receive(frame, exchange, &mut datagram, is_counted);
    }

    /// Notes the snapshots that a datagram to the server acknowledges.
    fn note_acks(&self, exchange: &mut Exchange<'_>, datagram: &[u8]) {
        for part in datagram_parts(datagram, false) {
            if let PartKind::Ack {
                snapshot: Some(tick),
            } = part.kind
            {
                let acked = AckedPackets::one(self.clocks.lane(WholeServerTick(tick.into())).0);
                exchange.wire.note_acked(acked, &[]);
            }
        }
    }

    /// Lets the client receive the packets that have arrived by now. `datagram` is a buffer.
    fn receive(
        &mut self,
        frame: &Frame<'_>,
        exchange: &mut Exchange<'_>,
        datagram: &mut Vec<u8>,
        is_counted: bool,
    ) {
        let mut sim = TapeSimulator { tape: frame.tape };
        while let Some(delivery) = exchange.wire.receive(self.now.0, datagram) {
            let before = self.client.newest_tick();
            let arrival = self.clocks.client(NetworkMs(delivery.arrival_ms));
            let received = self.client.receive(&mut sim, arrival.0, datagram);
            let newest = self.client.newest_tick();
            if let Some(newest) = newest.filter(|_| newest > before) {
                let as_sent = self.observer.is_as_sent(newest, self.client.client());
                exchange.metrics.mismatches += u64::from(as_sent == Some(false));
                exchange.metrics.not_compared += u64::from(as_sent.is_none());
            }
            let outcome = match received {
                Ok(()) if delivery.copy => Some(SnapshotArrival::Duplicate),
                Ok(()) => Some(SnapshotArrival::Accepted),
                Err(_) => None,
            };
            if is_counted {
                self.note_corrections(&delivery);
                let shift_ms = frame.now_ms() - self.now.0;
                let arrival_ms = delivery.arrival_ms + shift_ms;
                exchange.wire.note(
                    Delivery {
                        arrival_ms,
                        ..delivery
                    },
                    outcome,
                    exchange.metrics,
                );
            }
        }
    }

    fn note_corrections(&mut self, delivery: &Delivery) {
        for mut correction in self.client.drain_corrections() {
            for tick in [
                &mut correction.tick,
                &mut correction.client_tick,
                &mut correction.since_tick,
            ] {
                *tick = self.clocks.lane(WholeServerTick(*tick)).0;
            }
            let is_all = self.predict == Predict::All;
            self.observer
                .note_correction(correction, delivery.number, is_all);
        }
    }

    /// Runs a tick of the server: its world steps with the keys that have come, and states are sent.
    fn run_server(
        &mut self,
        frame: &Frame<'_>,
        exchange: &mut Exchange<'_>,
        at: NetworkMs,
        is_counted: bool,
    ) {
        let tick = self.server_tick.0;
        let keys = self.step_server_world(frame.tape, exchange, at);
        let mut datagrams = Vec::new();
        self.server
            .tick(at.0, tick, self.server_world.truth(), keys, |datagram| {
                datagrams.push(datagram.to_vec());
            });
        let has_snapshot = |datagram: &Vec<u8>| {
            let mut parts = datagram_parts(datagram, true).into_iter();
            parts.any(|part| part.kind == PartKind::Snapshot)
        };
        let snapshots: usize = datagrams
            .iter()
            .map(|datagram| snapshot_bytes(datagram))
            .sum();
        if datagrams.iter().any(has_snapshot) {
            self.observer.sent_snapshot(tick, self.server_world.truth());
            self.partial.packet_sent(&self.server);
        }
        self.serve_others(exchange, at, is_counted);
        let mut share = SnapshotShare {
            before: 0,
            own: 0,
            all: snapshots,
        };
        for datagram in datagrams {
            share.own = snapshot_bytes(&datagram);
            self.depart(frame, exchange, at, is_counted, &datagram, Some(share));
            share.before += share.own;
        }
    }

    /// Steps the server's world to its tick with the keys that have come, and returns the keys of that tick. Before the lane's
    /// first tick the world waits.
    fn step_server_world(
        &mut self,
        tape: &Tape,
        exchange: &mut Exchange<'_>,
        at: NetworkMs,
    ) -> Keys {
        let own = self.server.keys(self.server_tick.0);
        let mut keys = Keys::default();
        let lane_tick = self.clocks.lane(self.server_tick);
        let arrivals = self.server.key_arrivals();
        if self.clocks.offset.is_none() || lane_tick <= self.start_tick {
            self.keys_before = arrivals;
            return keys;
        }
        let lane_tick = lane_tick.0;
        self.observer.metrics.keys = arrivals.since(self.keys_before);
        while self.server_world.tick() < lane_tick {
            let next = self.server_world.tick() + 1;
            keys.own = if next == lane_tick { own.keys } else { 0 };
            keys.rival = tape.rival_input(next).unwrap_or_default().bits();
            self.server_world.step_to(tape, next, inputs_of(keys));
            self.observer.server_stepped(
                &self.server_world,
                next,
                own.has_come && next == lane_tick,
                keys,
            );
        }
        let pressed_ms = self.observer.pressed_ms(lane_tick);
        if let Some(pressed_ms) = pressed_ms.filter(|_| own.has_come) {
            self.observer.metrics.server_ms.add(at.0 - pressed_ms);
        }
        self.partial
            .server_stepped(lane_tick, self.server_world.truth());
        self.observer
            .compare(lane_tick, self.server_world.truth(), exchange.metrics);
        self.note_aim(lane_tick);
        keys
    }

    /// Serves the other clients at a tick of the server.
    fn serve_others(&mut self, exchange: &Exchange<'_>, at: NetworkMs, is_counted: bool) {
        let Some(others) = &mut self.others else {
            return;
        };
        let is_cut = exchange.wire.network.is_cut();
        let (tick, objects) = (self.server_tick.0, self.server.objects());
        let served = others.tick(at.0, tick, objects, is_cut, exchange.settings);
        if is_counted {
            self.observer
                .metrics
                .bill
                .add(served.sent_bytes, served.received_bytes);
        }
    }

    /// Tick of the lane of the client's newest state of each cube; `None` without a budget.
    pub(crate) fn updated(&self) -> Option<&[u64]> {
        self.partial.updated()
    }

    /// Priority of each cube for the next packet, as the last packet left it: 0 for a cube in the last packet. `None`
    /// without a budget.
    pub(crate) fn priorities(&self) -> Option<&[u64]> {
        self.partial.priorities()
    }

    /// Ages and errors by distance; `None` without a budget, a limit of sight or a crowd.
    pub(crate) fn distances(&self) -> Option<&DistanceMetrics> {
        self.partial.distances()
    }

    /// Measures the distance of the rival in the driver's picture of a tick from the server's rival. The server's rival is
    /// taken as it is now, and rewound to the instant of that picture.
    fn note_aim(&mut self, lane_tick: u64) {
        let (Some(rival), Some(peer)) = (self.rival, self.server.peer()) else {
            return;
        };
        let Some((pose, instant)) = self.observer.picture(lane_tick, rival) else {
            return;
        };
        let distance_mm = |position| 1000.0 * f64::from(distance_m(pose.position, position));
        let now_mm = distance_mm(self.server_world.truth()[rival].position);
        let seen = self.server.server().seen(peer, &instant);
        let seen = seen.and_then(|objects| {
            let mut objects = objects.into_iter();
            objects.find(|object| object.id as usize == rival)
        });
        let rewound_mm = seen.map(|object| distance_mm(object.position));
        let metrics = &mut self.observer.metrics;
        metrics.aim_now_mm.add(now_mm);
        if let Some(rewound_mm) = rewound_mm {
            metrics.aim_rewound_mm.add(rewound_mm);
        }
    }

    /// Returns the departure of the next datagram in a direction. Its number is the count of earlier datagrams.
    fn departure(
        &mut self,
        direction: Direction,
        frame: &Frame<'_>,
        now: NetworkMs,
        is_counted: bool,
    ) -> Departure {
        let next = &mut self.datagrams[direction as usize];
        *next += 1;
        Departure {
            tick: frame.tick,
            number: *next - 1,
            now_ms: now.0,
            shift_ms: frame.now_ms() - self.now.0,
            is_counted,
        }
    }

    /// Sends a datagram of the server. `share` is its part of a snapshot, if it has one.
    fn depart(
        &mut self,
        frame: &Frame<'_>,
        exchange: &mut Exchange<'_>,
        at: NetworkMs,
        is_counted: bool,
        datagram: &[u8],
        share: Option<SnapshotShare>,
    ) {
        let at = self.departure(Direction::Forward, frame, at, is_counted);
        if is_counted {
            let size = PacketSize::new(datagram.len(), exchange.settings);
            self.observer.metrics.bill.add(size.wire_bytes.into(), 0);
        }
        let (settings, metrics) = (exchange.settings, &mut *exchange.metrics);
        let ledger = &mut exchange.buffers.ledger;
        let encoded = share.zip(self.server.server().encoded());
        let tick = self.clocks.lane(self.server_tick);
        let info = account(datagram, tick.0, encoded, ledger);
        (exchange.wire).send(at, datagram, &info, ledger, settings, metrics);
    }

    fn send(&mut self, frame: &Frame<'_>, exchange: &mut Exchange<'_>, is_counted: bool) {
        let now_ms = self.clocks.client(self.now).0;
        while let Some(datagram) = self.client.client_mut().send(now_ms) {
            let at = self.departure(Direction::Back, frame, self.now, is_counted);
            let (settings, metrics) = (exchange.settings, &mut *exchange.metrics);
            if is_counted {
                let size = PacketSize::whole(datagram.len(), settings.header_bytes());
                self.observer.metrics.bill.add(0, size.wire_bytes.into());
            }
            (exchange.wire).send_back(at, &datagram, settings, metrics);
        }
    }

    /// Lets time pass until the client's clock asks for the keys of a tick, and gives it the keys. Each time that it does not
    /// ask, a tick passes.
    fn press(&mut self, frame: &Frame<'_>, exchange: &mut Exchange<'_>, tick: WholeServerTick) {
        let since = self.now;
        loop {
            while let Some(due) = self.due.front().copied().filter(|due| *due <= tick) {
                self.due.pop_front();
                let keys = frame
                    .tape
                    .input(self.clocks.lane(due).0)
                    .unwrap_or_default();
                let _ = self.client.client_mut().input(due.0, &[keys.bits()]);
                if due == tick {
                    self.observer.pressed(frame.tick, self.now.0);
                    return;
                }
            }
            // A clock that leapt ahead has asked for later keys: no time passes until their tick.
            if !self.due.is_empty() {
                return;
            }
            let due = self.client.client().input_ms(tick.0);
            let due = due.map(|ms| self.clocks.network(ClientMs(ms)).after(ROUNDING_MS));
            let next = self.now.after(self.clocks.tick_ms);
            let until = due.map_or(next, |due| NetworkMs(due.0.clamp(self.now.0, next.0)));
            let is_over = due.is_none() && self.now > since;
            if is_over || until > since.after(TICK_MAX_MS) {
                return;
            }
            let has_passed = until > self.now;
            self.pass(frame, exchange, until, true);
            let now_ms = self.clocks.client(self.now).0;
            while let Some(due) = self.client.client_mut().next_input(now_ms) {
                self.due.push_back(WholeServerTick(due));
            }
            if self.due.is_empty() && !has_passed {
                return;
            }
        }
    }
}

fn inputs_of(keys: Keys) -> Inputs {
    let [hand, rival] = [keys.own, keys.rival].map(Input::from_bits);
    Inputs {
        hand,
        rival,
        ..Inputs::default()
    }
}

/// Panic message: settings of a lane always make a valid connection.
pub(super) const POSSIBLE: &str = "the lane's settings are possible ones of the package";

impl Ends for GameEnds {
    fn exchange(&mut self, frame: &Frame<'_>, exchange: &mut Exchange<'_>) -> Option<Playback> {
        if self.clocks.offset.is_none() {
            self.join(frame, exchange);
        }
        self.observer.metrics.bill.begin_tick();
        let prediction = self.client.prediction();
        let simulated = prediction.map_or(0, |it| it.figures().simulated_ticks);
        if self.clocks.offset.is_none() {
            self.pass(frame, exchange, self.now.after(self.clocks.tick_ms), true);
            self.send(frame, exchange, true);
            return None;
        }
        let tick = self.clocks.server(LaneTick(frame.tick));
        self.press(frame, exchange, tick);
        let mut sim = TapeSimulator { tape: frame.tape };
        self.client.advance(&mut sim, tick.0, frame.input.bits());
        self.send(frame, exchange, true);
        let now_ms = self.clocks.client(self.now).0;
        self.client.show(&sim, now_ms, exchange.poses);
        let instant = self.client.client().shown_instant();
        self.observer.shown(frame.tick, exchange.poses, instant);
        self.partial.shown(&self.client, &self.clocks);
        self.note_figures(simulated);
        self.play(frame)
    }

    fn sender(&self) -> Option<&dyn LaneSender> {
        None
    }

    fn item(&self) -> &'static str {
        "changed_cube"
    }

    fn forget_before(&mut self, tick: u64) {
        if let Some(states) = &mut self.observer.server_states {
            states.forget_before(tick);
        }
    }
}

impl GameEnds {
    fn note_figures(&mut self, simulated_before: u64) {
        let server_tick = self.reached_tick().map(|tick| tick.0);
        let metrics = &mut self.observer.metrics;
        metrics.server_tick = server_tick;
        if let Some(prediction) = self.client.prediction() {
            metrics.prediction = prediction.figures();
            metrics.simulated_now = metrics.prediction.simulated_ticks - simulated_before;
            metrics.predicted_cubes = prediction.predicted_cubes();
            metrics.simulated_cubes = prediction.simulated_cubes();
            metrics.forks_bytes = prediction.past_bytes();
        }
        let server = self.server.server();
        let figures = self.server.peer().and_then(|peer| server.figures(peer));
        let margin = figures.and_then(|figures| figures.input_margin_ticks);
        metrics.margin_ms = margin.map(|ticks| ticks * self.clocks.tick_ms);
        metrics.clock_percent = self.client.client().input_steering() * 100.0;
        metrics.missing_objects = self.client.client().figures().missing_objects;
    }

    /// Returns the state of play. The own cube's tick is the tick of the picture.
    fn play(&mut self, frame: &Frame<'_>) -> Option<Playback> {
        let others = self
            .client
            .client()
            .shown_tick()
            .map(|tick| tick + self.clocks.offset.unwrap_or_default() as f64);
        let waits = self.predict == Predict::Wait;
        if let Some(others) = others {
            let metrics = &mut self.observer.metrics;
            for pressed_ms in self.observer.times.until(others) {
                let ms = self.now.since(NetworkMs(pressed_ms)) + self.clocks.tick_ms;
                metrics.others_ms.add(ms);
                if waits {
                    metrics.own_ms.add(ms);
                }
            }
        }
        let own = if waits { others? } else { frame.tick as f64 };
        if !waits {
            self.observer.metrics.own_ms.add(self.clocks.tick_ms);
        }
        let before = self.shown_ticks.replace(own);
        let figures = self.client.client().figures();
        Some(Playback {
            play_tick: frame.tick as f64,
            shown_tick: own,
            drawn_tick: own,
            late_ms: 0.0,
            stepped_tick: frame.tick as f64,
            delay_ms: figures.delay_ms.unwrap_or_default(),
            speed: before.map_or(1.0, |before| own - before),
            hitch: waits && before.is_some_and(|before| own - before < 0.25),
        })
    }
}
