//! Inputs over ways that deliver in bursts, and beside ends whose ticks leap or hang. Acknowledgements travel with the server's
//! packets, as they really do.

use super::{Table, game, press, settings, steady};
use crate::inputs::InputArrivals;
use crate::{Client, Settings};
use snapshot_netsim::channel::{Channel, Conditions};

fn in_order(latency_ms: f64) -> Conditions {
    Conditions {
        in_order: true,
        ..steady(latency_ms)
    }
}

/// A delay that a way has beside its own, ms. It changes with time.
#[derive(Clone, Copy, Debug)]
enum Swell {
    Nothing,
    /// A queue grows to this within three seconds, stays, and empties within one; again each 20 s.
    Queue(f64),
    /// The delay rises and falls between nothing and this, in 10 s.
    Swing(f64),
}

impl Swell {
    fn ms(self, now_ms: f64) -> f64 {
        let phase_s = now_ms % 20_000.0 / 1000.0;
        match self {
            Swell::Nothing => 0.0,
            Swell::Queue(most_ms) => {
                most_ms * ((phase_s - 5.0) / 3.0).min(12.0 - phase_s).clamp(0.0, 1.0)
            }
            Swell::Swing(most_ms) => most_ms * (1.0 - (phase_s % 10.0 / 5.0 - 1.0).abs()),
        }
    }
}

/// An end that stands still for some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Event {
    Nothing,
    /// The server's ticks go on so many later.
    Leap(u64),
    /// The server stands still for so many ms, and goes on with the next tick.
    ServerHangs(f64),
    /// The server stands still for so many ms, and then runs the missed ticks at once.
    ServerCatchesUp(f64),
    /// The client stands still for so many ms.
    ClientHangs(f64),
    /// Neither way delivers for so many ms; then all arrives at once.
    PathHangs(f64),
    /// Both ways lose all for so many ms.
    PathBreaks(f64),
}

impl Event {
    fn hang_ms(self) -> f64 {
        match self {
            Event::Nothing | Event::Leap(_) => 0.0,
            Event::ServerHangs(ms) | Event::ServerCatchesUp(ms) | Event::ClientHangs(ms) => ms,
            Event::PathHangs(ms) | Event::PathBreaks(ms) => ms,
        }
    }
}

/// A server and a client over a way that delivers in order.
pub(super) struct Play {
    pub(super) table: Table,
    /// Delay of each way, ms.
    latency_ms: f64,
    swell: Swell,
    /// Time since the client's first input, for each tick of the server without an input, ms.
    missing_ms: Vec<f64>,
    /// Ticks that the server asked inputs for, since the first input.
    asked: u64,
    began_ms: Option<f64>,
    /// Time at which the first packet after the event arrived, ms.
    packet_ms: f64,
    /// Number of frames so far.
    step: u64,
    /// Steps from one frame of the client to the next.
    frame_steps: u64,
    /// True if the server's packets of 2.5 s in five are lost.
    pub(super) loses_half: bool,
}

impl Play {
    pub(super) fn new(settings: Settings, latency_ms: f64, bursts: [(f64, f64); 2]) -> Self {
        let mut table = Table::of_one(settings, in_order(latency_ms));
        table.seats[0].bursts = bursts;
        // The ends' frames are not at the same time.
        table.frame_ms = 7.0;
        Self {
            table,
            latency_ms,
            swell: Swell::Nothing,
            missing_ms: Vec::new(),
            asked: 0,
            began_ms: None,
            packet_ms: f64::INFINITY,
            step: 0,
            frame_steps: 1,
            loses_half: false,
        }
    }

    /// The server's last tick.
    fn tick(&self) -> u64 {
        self.table.first + self.table.tick
    }

    fn client(&self) -> &Client {
        &self.table.seats[0].client
    }

    /// Sets the time of the table, whose ticks may leap or hang.
    fn set_time(&mut self, now_ms: f64) {
        self.table.first_ms += now_ms - self.table.now_ms();
    }

    fn run_server(&mut self, now_ms: f64, ticks: u64) {
        let count = self.table.count;
        for _ in 0..ticks {
            self.table.tick += 1;
            self.set_time(now_ms);
            let (tick, table) = (self.tick(), &mut self.table);
            table.server_takes();
            let peer = table.server.peers().next();
            if let (Some(peer), Some(began_ms)) = (peer, self.began_ms) {
                self.asked += 1;
                if table.server.input(peer, tick).is_none() {
                    self.missing_ms.push(now_ms - began_ms);
                }
            }
            let is_lost = self.loses_half && tick / 150 % 2 == 1;
            table.seats[0].carried_bytes[1] = if is_lost { 0 } else { usize::MAX };
            table.server_ticks(|tick| game(tick, count), |_, _, _| true);
        }
    }

    fn run_client(&mut self, now_ms: f64) {
        self.table.clients_take();
        let client = &mut self.table.seats[0].client;
        press(client, now_ms, |_| {
            self.began_ms.get_or_insert(now_ms);
            b"key"
        });
        self.table.clients_send();
        self.table.seats[0].last = Default::default();
    }

    /// Plays some seconds, 60 frames and ticks each; `event` begins in the second `event_s`.
    pub(super) fn run(&mut self, seconds: u32, event: Event, event_s: f64) {
        let event_ms = event_s * 1000.0;
        let during = |for_ms: f64, now_ms: f64| (event_ms..event_ms + for_ms).contains(&now_ms);
        let mut missed_ticks = 0;
        for _ in 0..u64::from(seconds) * 60 {
            let now_ms = self.step as f64 * 1000.0 / 60.0;
            self.step += 1;
            let mut ticks = 1;
            match event {
                Event::Leap(leap) if during(16.0, now_ms) => self.table.first += leap,
                Event::ServerHangs(hang_ms) if during(hang_ms, now_ms) => ticks = 0,
                Event::ServerCatchesUp(hang_ms) if during(hang_ms, now_ms) => {
                    (ticks, missed_ticks) = (0, missed_ticks + 1);
                }
                _ => {}
            }
            let hangs = matches!(event, Event::PathHangs(hang_ms) if during(hang_ms, now_ms));
            let breaks = matches!(event, Event::PathBreaks(hang_ms) if during(hang_ms, now_ms));
            let seat = &mut self.table.seats[0];
            seat.held_ms = if hangs { event_ms } else { f64::INFINITY };
            let way_ms = self.latency_ms + self.swell.ms(now_ms);
            for (at, way) in (0..).zip(&mut seat.ways) {
                way.set_cut(breaks);
                way.change(Channel::new(in_order(way_ms), 7, at));
            }
            if ticks > 0 {
                self.run_server(now_ms, ticks + std::mem::take(&mut missed_ticks));
            }
            self.set_time(now_ms);
            let client_ms = now_ms + self.table.frame_ms;
            let hangs = matches!(event, Event::ClientHangs(hang_ms) if during(hang_ms, client_ms));
            if !hangs && self.step.is_multiple_of(self.frame_steps) {
                let newest = |client: &Client| client.newest().map(|it| it.0);
                let before = newest(self.client());
                self.run_client(client_ms);
                if client_ms > event_ms + event.hang_ms() && newest(self.client()) != before {
                    self.packet_ms = self.packet_ms.min(client_ms);
                }
            }
        }
    }

    /// Share of the inputs that were missing from a time after the first input up to another, in percent.
    fn missing(&self, from_ms: f64, to_ms: f64) -> f64 {
        let missing = self.missing_ms.iter();
        let count = missing
            .filter(|at_ms| (from_ms..to_ms).contains(at_ms))
            .count();
        count as f64 * 100.0 / ((to_ms - from_ms) * 60.0 / 1000.0)
    }

    /// Memory of the client's snapshots, bytes, and lengths of the texts of all other lists of the client and of the server.
    pub(super) fn sizes(&self) -> [usize; 3] {
        [
            self.client().held_bytes(),
            self.client().text().len(),
            self.table.server.text().len(),
        ]
    }

    fn arrivals(&self) -> InputArrivals {
        let peer = self.table.server.peers().next().unwrap();
        self.table.server.figures(peer).unwrap().inputs
    }
}

/// Worst share of missing inputs from the third second on, over eight phases of the bursts, in percent.
fn worst_missing([up_ms, down_ms]: [f64; 2], seeds: u32, seconds: u32) -> f64 {
    let missing = |seed: u32| {
        let phase_ms = f64::from(seed) * 83.0;
        let bursts = [(up_ms, phase_ms), (down_ms, phase_ms * 1.7)];
        let mut play = Play::new(settings(4), 20.0, bursts);
        play.run(seconds, Event::Nothing, 0.0);
        let most = f64::from(seconds) * 1000.0 - 4000.0;
        assert!(play.asked > u64::from(seconds) * 30 && play.arrivals().missing < play.asked);
        play.missing(2000.0, most)
    };
    (0..seeds).map(missing).fold(0.0, f64::max)
}

/// The age of the screen is the playout delay and half of the least round trip.
#[test]
fn the_shown_round_trip_and_age_are_those_of_the_last_minute() {
    let mut play = Play::new(settings(4), 20.0, [(0.0, 0.0); 2]);
    play.run(20, Event::Nothing, 0.0);
    for (latency_ms, seconds) in [(20.0, 0), (110.0, 5), (110.0, 20), (110.0, 60), (30.0, 10)] {
        play.latency_ms = latency_ms;
        play.run(seconds, Event::Nothing, 0.0);
        let figures = play.client().figures();
        let age_ms = figures.delay_ms.unwrap() + figures.least_round_trip_ms.unwrap() / 2.0;
        let shown_tick = play.client().shown_tick().unwrap();
        let true_ms = (play.tick() as f64 - shown_tick) * 1000.0 / 60.0 + 7.0;
        let case = format!(
            "{latency_ms} ms for {seconds} s: {age_ms:.0} for {true_ms:.0} ms, {figures:?}"
        );
        // Each end takes its datagrams once a frame.
        assert!((age_ms - true_ms).abs() < 20.0, "{case}");
        if seconds == 60 {
            assert!(
                figures.least_round_trip_ms > Some(2.0 * latency_ms),
                "{case}"
            );
        }
    }
}

#[test]
fn inputs_arrive_over_bursts_and_after_a_leap() {
    for burst_ms in [100.0, 600.0] {
        let missing = worst_missing([burst_ms; 2], 2, 14);
        assert!(missing < 2.0, "{burst_ms}: {missing}");
    }
    for event in [Event::Leap(400), Event::ServerCatchesUp(2000.0)] {
        let [_, missing, last_ms] = missing_after(event, 100.0, 20.0);
        assert!(missing == 0.0, "{event:?}: {missing} up to {last_ms} ms");
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn inputs_arrive_over_ways_that_deliver_in_bursts() {
    println!("| burst ms | up | down | both |");
    let mut few = Vec::new();
    for burst_ms in [0.0, 75.0, 100.0, 200.0, 400.0, 600.0] {
        let mut row = format!("| {burst_ms} ");
        for [up_ms, down_ms] in [[burst_ms, 0.0], [0.0, burst_ms], [burst_ms; 2]] {
            let worst = worst_missing([up_ms, down_ms], 8, 24);
            row += &format!("| {worst:.1} % ");
            few.extend((worst >= 2.0).then(|| format!("{up_ms} {down_ms}: {worst:.1}")));
        }
        println!("{row}|");
    }
    assert!(few.is_empty(), "{few:#?}");
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn inputs_arrive_over_ways_that_change_and_from_few_frames() {
    let mut few = Vec::new();
    let queues = [300.0, 800.0, 1500.0].map(|most_ms| (Swell::Queue(most_ms), 1));
    let swings = [110.0, 260.0].map(|most_ms| (Swell::Swing(most_ms), 1));
    let frames = [3, 12, 20].map(|steps| (Swell::Nothing, steps));
    for (swell, frame_steps) in queues.into_iter().chain(swings).chain(frames) {
        let mut play = Play::new(settings(4), 40.0, [(0.0, 0.0); 2]);
        (play.swell, play.frame_steps) = (swell, frame_steps);
        play.run(10, Event::Nothing, 0.0);
        let before = play.arrivals();
        play.run(60, Event::Nothing, 0.0);
        let arrivals = play.arrivals().since(before);
        let [missing, late] = [arrivals.missing, arrivals.late].map(|inputs| inputs as f64 / 36.0);
        let name = format!("{swell:?}, {frame_steps}: {missing:.1} % missing, {late:.1} % late");
        println!("{name}");
        // A way that grows faster than acknowledgements come back: what is on it then comes too late, and is counted so. Of a
        // queue that grows by half a second a second some inputs are given up.
        let (unavoidable, least, most) = match swell {
            Swell::Queue(_) => (late, 4.0, 50.0),
            Swell::Swing(_) => (late, 2.0, 5.0),
            Swell::Nothing => (0.0, 2.0, 2.0),
        };
        few.extend((missing - unavoidable >= least || missing >= most).then_some(name));
    }
    assert!(few.is_empty(), "{few:#?}");
}

/// Plays an event, and returns three figures: the number of inputs that are missing after it, the number of these from a second
/// after the first packet on, and the time from this packet to the last missing input, ms. Bursts hold back the first inputs, so
/// these are counted apart.
fn missing_after(event: Event, burst_ms: f64, latency_ms: f64) -> [f64; 3] {
    let bursts = [0.0, 31.0].map(|phase_ms| (burst_ms, phase_ms));
    let mut play = Play::new(settings(4), latency_ms, bursts);
    play.run(18, event, 10.0);
    // Packets that were under way before a leap say nothing.
    let way_ms = match event {
        Event::Leap(_) => latency_ms + burst_ms,
        _ => 0.0,
    };
    let (began_ms, packet_ms) = (play.began_ms.unwrap(), play.packet_ms + way_ms);
    let missing = play.missing_ms.iter().map(|it| it + began_ms);
    let missing_ms: Vec<f64> = missing.filter(|it| *it > 10_000.0).collect();
    let is_late = |it: &&f64| **it > packet_ms + 1000.0 + burst_ms;
    let late = missing_ms.iter().filter(is_late).count();
    let last_ms = missing_ms.last().map_or(f64::NAN, |it| it - packet_ms);
    [missing_ms.len() as f64, late as f64, last_ms]
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn all_is_in_its_place_a_second_after_a_leap_or_a_hang() {
    let mut events = [20, 60, 400, 3000].map(Event::Leap).to_vec();
    for hang_ms in [300.0, 700.0, 1000.0, 1500.0, 2000.0, 3000.0, 4500.0] {
        events.extend([
            Event::ServerHangs(hang_ms),
            Event::ServerCatchesUp(hang_ms),
            Event::ClientHangs(hang_ms),
            Event::PathHangs(hang_ms),
            Event::PathBreaks(hang_ms),
        ]);
    }
    println!("| event | bursts ms | one way ms | missing | after a second | last ms |");
    let mut few = Vec::new();
    for event in events {
        for [burst_ms, latency_ms] in [[0.0, 20.0], [0.0, 120.0], [100.0, 20.0], [300.0, 20.0]] {
            let [missing, late, last_ms] = missing_after(event, burst_ms, latency_ms);
            println!(
                "| {event:?} | {burst_ms} | {latency_ms} | {missing} | {late} | {last_ms:.0} |"
            );
            few.extend(
                (late > 0.0).then(|| format!("{event:?}, {burst_ms}, {latency_ms}: {late}")),
            );
        }
    }
    assert!(few.is_empty(), "{few:#?}");
}
