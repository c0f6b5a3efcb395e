//! The ladder: the cost of one motion on every rung. A rung is one encoding of snapshots, 0 to 14.
//!
//! A rung runs as a sender alone. The [`Schedule`] gives the fate of its packets, and so its baselines, without a receiver. The
//! packets equal those of a whole lane on that rung, to the byte.

use crate::window::{Pass, Window};
use rounding::RoundingErrors;
use serde::Serialize;
use snapshot_codec::{Class, Cube, CubeState, Ledger, Rung};
use snapshot_lane::measure::metrics::{Costs, LinkFigures, LinkWindow, PacketCost};
use snapshot_lane::measure::report::SurfaceSpread;
use snapshot_lane::predictor::SharedPredictor;
use snapshot_lane::schedule::Schedule;
use snapshot_lane::strategy::snapshot::{SnapshotSender, quantise};
use snapshot_lane::surface::Screen;
use snapshot_lane::{PacketSize, TAPE_TICKS, cost_of_packet};
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::schema::OnLadder;
use snapshot_settings::{Key, Settings, Strategy};
use std::collections::VecDeque;

/// Target bandwidth of the series "Networked Physics" for a whole scene, kbit/s.
pub const GOAL_KBPS: f64 = 256.0;

/// Greatest send rate, packets a second, at which a ladder shown beside a view includes the slow rungs that simulate.
pub const SIMULATED_HZ_MAX: u32 = 20;

/// MTU in bytes, headers included, if the link sets none.
pub const MTU_BYTES: u32 = 1200;

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Rung"))]
pub struct RungCost {
    /// Number of the rung, 0 to 14.
    pub rung: u8,
    /// Name of the rung in the setting `codec`.
    pub name: &'static str,
    /// Class of an arithmetic rung, as in the setting `class`: is a packet decoded from its baseline alone? `None` on other
    /// rungs.
    pub class: Option<&'static str>,
    pub packets: u64,
    /// Number of packets larger than the set MTU, or than [`MTU_BYTES`] if none is set.
    pub packets_over_mtu: u64,
    /// Mean packet size without IP and UDP headers, bytes.
    pub bytes_per_packet: f64,
    /// Mean bandwidth, kbit/s, headers included.
    pub kbps: f64,
    /// Mean bandwidth of the packets that arrived within the window, kbit/s, headers included.
    pub delivered_kbps: f64,
    /// Mean number of bits for each changed cube; `None` if no cube changed. Rungs that send all cubes count the changed ones
    /// too, so all rungs can be compared.
    pub bits_per_changed_cube: Option<f64>,
    /// Surface error of the quantised snapshots, over interacting cubes; interpolation adds to it in a view.
    pub surface_error_mm: SurfaceSpread,
    /// Surface error of the quantised snapshots, in pixels of the screen [`Screen::FIGURES`].
    pub surface_error_px: SurfaceSpread,
    #[serde(flatten)]
    pub link: LinkFigures,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Rungs"))]
pub struct RungCosts {
    /// The tick before the first tick that the rows cover.
    pub after_tick: u64,
    pub last_tick: u64,
    pub goal_kbps: f64,
    /// Rows by rung number; class strict before chained.
    pub rows: Vec<RungCost>,
}

/// A ladder in progress: one sender for each rung, all over the same motion, driven packet by packet.
pub struct Ladder {
    /// Progress over the ticks, with the settings that affect senders and network.
    pass: Pass,
    schedule: OwnSchedule,
    steps: Vec<RungStep>,
    /// Surface errors of quantised snapshots, an entry for each rung that quantises in another way than the rung before.
    rounding: Vec<RoundingErrors>,
    /// Index of the first rung that has not yet sent in the current tick; 0 between two ticks.
    next: usize,
    truth: Vec<CubeState>,
    snapshot: Vec<Cube>,
    packet: Vec<u8>,
    ledger: Ledger,
}

struct RungStep {
    sender: SnapshotSender<SharedPredictor>,
    /// True if this rung quantises a snapshot in another way than the rung before.
    quantises: bool,
    /// Index into the ladder's `rounding`: the surface errors of this rung's snapshots.
    rounding: usize,
    /// A separate schedule of packets for this rung; only if the packets' fate depends on their size.
    own: Option<OwnSchedule>,
    /// Cost of the packet sent in the current tick, if one was sent.
    cost: Option<PacketCost>,
    costs: Costs,
    over_mtu: u64,
    /// Tick and cost of each packet that [`Window::Recent`] still covers.
    recent: VecDeque<(u64, PacketCost)>,
    delivered: ArrivedBits,
}

struct OwnSchedule {
    schedule: Schedule,
    link: LinkWindow,
}

impl OwnSchedule {
    /// Records the outcome of the tick that was just scheduled. `ticks` is the number of ticks since the start.
    fn note(&mut self, tick: u64, ticks: u64, recent_ticks: Option<u64>) {
        if !self.schedule.acks().is_empty() {
            self.link.acked(ticks);
        }
        let newest = self.schedule.packets().next_back();
        if let Some(packet) = newest.filter(|packet| packet.tick == tick) {
            self.link.add(ticks, &packet.sent);
        }
        if let Some(recent_ticks) = recent_ticks {
            self.link
                .forget_before((ticks + 1).saturating_sub(recent_ticks));
        }
        self.schedule.forget_before(tick);
    }

    fn newest_arrival_ms(&self) -> Option<f64> {
        self.schedule.packets().next_back()?.sent.arrival_ms
    }
}

impl Ladder {
    /// Creates senders that begin after the tick `from`, which the tape must store.
    fn new(
        tape: &Tape,
        settings: &Settings,
        link_inputs: &LinkInputs,
        window: Window,
        from: u64,
        has: impl Fn(Rung) -> bool,
        classes: &[Class],
    ) -> Ladder {
        let settings = used(settings).lane().at(tape.tick_rate());
        let session_config = tape.session_config();
        let initial = &session_config.initial;
        let schedule = || OwnSchedule {
            schedule: Schedule::new(&settings, link_inputs),
            link: LinkWindow::new(&settings),
        };
        let depends_on_size = settings.fate_depends_on_size();
        let hz = settings.send_rate_hz();
        let mut snapshot = Vec::with_capacity(initial.len());
        let mut previous = None;
        let mut rounding = Vec::new();
        let step = |(rung, class): (Rung, Class)| {
            let before = previous.replace(rung);
            let quantises = before.is_none_or(|before: Rung| !rung.quantises_as(before));
            if quantises {
                rounding.push(RoundingErrors::new(&session_config, window));
            }
            let format = session_config.format(rung, class, &settings);
            quantise(&format, initial, &mut snapshot);
            RungStep {
                sender: SnapshotSender::new(
                    format,
                    settings.tick_rate(),
                    hz,
                    &snapshot,
                    SharedPredictor::new(session_config.made_from),
                ),
                quantises,
                rounding: rounding.len() - 1,
                own: depends_on_size.then(schedule),
                cost: None,
                costs: Costs::default(),
                over_mtu: 0,
                recent: VecDeque::new(),
                delivered: ArrivedBits::default(),
            }
        };
        let steps = steps(classes).filter(|(rung, _)| has(*rung));
        let steps = steps.map(step).collect();
        let mut truth = Vec::new();
        tape.truth().read(from, &mut truth);
        Ladder {
            schedule: schedule(),
            steps,
            rounding,
            next: 0,
            truth,
            snapshot,
            packet: Vec::new(),
            ledger: Ledger::new(),
            pass: Pass::new(tape, settings, link_inputs, window, from),
        }
    }

    /// Makes the ladder of a window up to `until`, and of later ticks. It includes the rung `simulated` if the motion comes
    /// from a simulated world and the send rate is low.
    pub fn for_window(
        tape: &Tape,
        settings: &Settings,
        link_inputs: &LinkInputs,
        window: Window,
        until: u64,
    ) -> Ladder {
        let from = Pass::from(tape, &settings.lane(), link_inputs, window, until);
        let simulates = settings.chosen_rate_hz() <= SIMULATED_HZ_MAX && tape.motion().is_none();
        let has = |rung: Rung| simulates || !rung.needs_simulation();
        Ladder::new(tape, settings, link_inputs, window, from, has, &Class::ALL)
    }

    /// Makes the ladder of the ticks after `from`, without the rungs that simulate. Arithmetic rungs run in the class of the
    /// settings alone.
    pub(crate) fn of_class(
        tape: &Tape,
        settings: &Settings,
        link_inputs: &LinkInputs,
        from: u64,
    ) -> Ladder {
        let class = settings.lane().class();
        let has = |rung: Rung| !rung.needs_simulation();
        Ladder::new(
            tape,
            settings,
            link_inputs,
            Window::Whole,
            from,
            has,
            &[class],
        )
    }

    /// Makes a ladder as [`Ladder::of_class`] does, with a single rung.
    pub(crate) fn of_rung(
        tape: &Tape,
        settings: &Settings,
        link_inputs: &LinkInputs,
        from: u64,
        rung: Rung,
    ) -> Ladder {
        let class = settings.lane().class();
        let is_it = |other: Rung| other == rung;
        Ladder::new(
            tape,
            settings,
            link_inputs,
            Window::Whole,
            from,
            is_it,
            &[class],
        )
    }

    /// Returns true if the ladder can continue to `until`. Otherwise a new one is needed: settings differ, past ticks were
    /// edited, or the ladder is too far behind or ahead.
    pub fn fits(
        &self,
        tape: &Tape,
        settings: &Settings,
        link_inputs: &LinkInputs,
        window: Window,
        until: u64,
    ) -> bool {
        self.pass
            .fits(tape, &used(settings).lane(), link_inputs, window, until)
    }

    /// Does one piece of work: at most one packet of one rung. Returns false once all packets up to `until` are counted.
    pub fn work(&mut self, tape: &Tape, until: u64) -> bool {
        let tick = self.pass.last_tick + 1;
        let cut = tape.is_cut(tick);
        if self.next == 0 {
            if tick > until {
                return false;
            }
            let Some(frame) = tape.frame(tick, &mut self.truth) else {
                return false;
            };
            for step in &mut self.steps {
                step.sender.press(frame.input.bits());
            }
            let (ticks, pass) = (tick - self.pass.from, &self.pass);
            let recent_ticks = (pass.window == Window::Recent).then(|| pass.recent_ticks());
            self.schedule.schedule.advance(tick, cut);
            self.schedule.note(tick, ticks, recent_ticks);
        }
        let leaves = self.pass.leaves(tick);
        while self.next < self.steps.len() {
            self.step(tick, cut, leaves);
            self.next += 1;
            if leaves && self.next < self.steps.len() {
                return true;
            }
        }
        self.end_tick(tick);
        true
    }

    /// Returns the costs of every rung so far, on the same ticks.
    pub fn rows(&self) -> RungCosts {
        let (after_tick, last_tick) = (self.pass.after_tick(), self.pass.last_tick);
        let tick_rate = self.pass.settings.tick_rate();
        let seconds = tick_rate.seconds_of_ticks(last_tick - after_tick);
        let shared = self.schedule.link.figures();
        let errors: Vec<_> = self.rounding.iter().map(RoundingErrors::over).collect();
        let row = |step: &RungStep| {
            let format = step.sender.format();
            let rung = format.rung();
            RungCost {
                rung: rung.number(),
                name: rung.name(),
                class: rung.is_arithmetic().then(|| format.class().name()),
                packets: step.costs.packets(),
                packets_over_mtu: step.over_mtu,
                bytes_per_packet: step.costs.bytes_per_packet(),
                kbps: step.costs.kbps(seconds),
                delivered_kbps: step.delivered.kbps(last_tick, seconds),
                bits_per_changed_cube: step.costs.bits_per_changed_cube(),
                surface_error_mm: SurfaceSpread::new(&errors[step.rounding], |mm| mm),
                surface_error_px: SurfaceSpread::new(&errors[step.rounding], |mm| {
                    Screen::FIGURES.px_of_mm(mm)
                }),
                link: (step.own.as_ref()).map_or(shared, |own| own.link.figures()),
            }
        };
        RungCosts {
            after_tick,
            last_tick,
            goal_kbps: GOAL_KBPS,
            rows: self.steps.iter().map(row).collect(),
        }
    }

    /// The newest tick whose packets are all counted.
    pub fn last_tick(&self) -> u64 {
        self.pass.last_tick
    }

    /// Runs one rung's part of a tick: takes acknowledgements, and sends the packet if one is due.
    fn step(&mut self, tick: u64, cut: bool, leaves: bool) {
        let Ladder {
            pass,
            truth,
            snapshot,
            packet,
            ledger,
            rounding,
            ..
        } = self;
        let settings = &pass.settings;
        let RungStep {
            sender,
            own,
            cost,
            quantises,
            rounding: errors,
            ..
        } = &mut self.steps[self.next];
        let mut send = |acks: &[u16]| {
            acks.iter().for_each(|&sequence| sender.acked(sequence));
            if !leaves {
                return PacketSize::ANY;
            }
            if *quantises {
                quantise(sender.format(), truth, snapshot);
                rounding[*errors].add(tick, sender.format(), truth, snapshot);
            }
            let info = sender.send(tick, snapshot, packet, Some(ledger));
            let info = info.expect(TAPE_TICKS);
            let size = PacketSize::new(packet.len(), settings);
            *cost = Some(cost_of_packet(
                &info,
                packet,
                size.fragments,
                ledger,
                settings,
            ));
            size
        };
        match own {
            Some(own) => {
                own.schedule.advance_with(tick, cut, send);
                let recent_ticks = (pass.window == Window::Recent).then(|| pass.recent_ticks());
                own.note(tick, tick - pass.from, recent_ticks);
            }
            None => _ = send(self.schedule.schedule.acks()),
        }
    }

    fn end_tick(&mut self, tick: u64) {
        self.next = 0;
        self.pass.last_tick = tick;
        let tick_rate = self.pass.settings.tick_rate();
        let header_bytes = self.pass.settings.header_bytes();
        let mtu_bytes = self.pass.settings.mtu_bytes().unwrap_or(MTU_BYTES);
        let over_mtu = |cost: &PacketCost| u64::from(cost.bytes + header_bytes > mtu_bytes);
        for step in &mut self.steps {
            let Some(cost) = step.cost.take() else {
                continue;
            };
            let own = step.own.as_ref().unwrap_or(&self.schedule);
            if let Some(arrival_ms) = own.newest_arrival_ms() {
                let arrival_tick = tick_rate.tick_of_ms(arrival_ms).ceil() as u64;
                step.delivered.add(arrival_tick, cost.wire_bits());
            }
            step.costs.add(&cost);
            step.over_mtu += over_mtu(&cost);
            if self.pass.window == Window::Recent {
                step.recent.push_back((tick, cost));
            }
        }
        let after_tick = self.pass.after_tick();
        let recent_ticks = self.pass.recent_ticks();
        for step in &mut self.steps {
            let is_over = |(sent, _): &mut (u64, PacketCost)| *sent + recent_ticks <= tick;
            while let Some((_, cost)) = step.recent.pop_front_if(is_over) {
                step.costs.remove(&cost);
                step.over_mtu -= over_mtu(&cost);
            }
            step.delivered.forget_until(after_tick);
        }
        for errors in &mut self.rounding {
            errors.forget_until(after_tick);
        }
    }
}

/// Queue of arriving packets: arrival tick and bits, by rising tick.
#[derive(Default)]
struct ArrivedBits(VecDeque<(u64, u64)>);

impl ArrivedBits {
    fn add(&mut self, arrival_tick: u64, bits: u64) {
        let at = self.0.partition_point(|(tick, _)| *tick <= arrival_tick);
        self.0.insert(at, (arrival_tick, bits));
    }

    fn forget_until(&mut self, tick: u64) {
        while self.0.pop_front_if(|first| first.0 <= tick).is_some() {}
    }

    fn kbps(&self, last_tick: u64, seconds: f64) -> f64 {
        let arrived = self.0.iter().filter(|(tick, _)| *tick <= last_tick);
        let bits: u64 = arrived.map(|(_, bits)| bits).sum();
        bits as f64 / seconds.max(f64::MIN_POSITIVE) / 1000.0
    }
}

/// Runs the whole ladder: sends the ticks after `from`, which the tape must store, up to `until`, on every rung. If the tape
/// of a simulated world ends earlier, it is played on. `progress` is called for each tick.
pub fn climb(
    tape: &mut Tape,
    settings: &Settings,
    link_inputs: &LinkInputs,
    from: u64,
    until: u64,
    mut progress: impl FnMut(u64),
) -> RungCosts {
    let mut settings = *settings;
    settings
        .set(Key::Strategy, Strategy::Snapshot as u32)
        .expect("the schema has every strategy");
    // A motion from elsewhere has no physics to foresee by.
    let simulates = tape.motion().is_none();
    let whole = Window::Whole;
    let has = |rung: Rung| simulates || !rung.needs_simulation();
    let mut ladder = Ladder::new(tape, &settings, link_inputs, whole, from, has, &Class::ALL);
    for tick in from + 1..=until {
        if tick > tape.last_tick() {
            tape.go_on(1);
        }
        while ladder.work(tape, tick) {}
        progress(tick);
    }
    ladder.rows()
}

/// Iterates over all rungs; arithmetic rungs once for each of the given classes.
fn steps(classes: &[Class]) -> impl Iterator<Item = (Rung, Class)> {
    let classes = move |rung: Rung| {
        let classes: &[Class] = if rung.is_arithmetic() {
            classes
        } else {
            &[Class::Strict]
        };
        classes.iter().map(move |&class| (rung, class))
    };
    Rung::ALL.into_iter().flat_map(classes)
}

/// Returns the settings that affect senders and network on any rung; all other settings become defaults.
pub fn used(settings: &Settings) -> Settings {
    settings.of_snapshots(|setting| matches!(setting.on_ladder, OnLadder::Heeded | OnLadder::Size))
}

mod rounding;

#[cfg(test)]
mod tests;
