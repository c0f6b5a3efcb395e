//! The ladder: the cost of one motion on every rung. A rung is one encoding of snapshots, 0 to 14.
//!
//! A rung runs as a sender alone. The [`Schedule`] gives the fate of its packets, and so its baselines, without a receiver. The
//! packets equal those of a whole lane on that rung, to the byte.

use crate::progress::Tell;
use crate::span::{TickSpan, leaves};
use rounding::RoundingErrors;
use serde::Serialize;
use snapshot_codec::{Class, Cube, CubeState, Ledger, Rung};
use snapshot_lane::measure::metrics::{Costs, LinkFigures, LinkMetrics};
use snapshot_lane::measure::report::SurfaceSpread;
use snapshot_lane::predictor::SharedPredictor;
use snapshot_lane::schedule::Schedule;
use snapshot_lane::strategy::snapshot::{SnapshotSender, quantise};
use snapshot_lane::surface::Screen;
use snapshot_lane::{PacketSize, TAPE_TICKS, cost_of_packet};
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::schema::OnLadder;
use snapshot_settings::{LaneSettings, Settings};

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

/// Runs the ladder: sends the ticks of a span, which the tape must store, on each of these rungs. `tell` hears of each tick.
///
/// All senders run over the same motion, tick by tick, so that one schedule of packets serves them all.
pub fn climb(
    tape: &Tape,
    settings: &Settings,
    link_inputs: &LinkInputs,
    span: TickSpan,
    rungs: &[(Rung, Class)],
    tell: Tell<RungCosts>,
) -> RungCosts {
    let mut ladder = Ladder::new(tape, settings, link_inputs, span.after, rungs);
    while ladder.last_tick < span.last && ladder.tick(tape) {
        let share = span.share_at(ladder.last_tick);
        tell(share, &|| ladder.rows());
    }
    ladder.rows()
}

/// Returns all rungs that can send a motion, by number; arithmetic rungs in each of the given classes. A motion from elsewhere
/// has no physics to foresee by.
pub fn rungs(tape: &Tape, classes: &[Class]) -> Vec<(Rung, Class)> {
    let simulates = tape.motion().is_none();
    let rungs = steps(classes);
    rungs
        .filter(|(rung, _)| simulates || !rung.needs_simulation())
        .collect()
}

/// One sender for each rung, all over the same motion.
struct Ladder {
    settings: LaneSettings,
    /// The tick after which the senders began.
    from: u64,
    /// The newest tick whose packets are all counted.
    last_tick: u64,
    schedule: OwnSchedule,
    steps: Vec<RungStep>,
    /// Surface errors of quantised snapshots, an entry for each rung that quantises in another way than the rung before.
    rounding: Vec<RoundingErrors>,
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
    costs: Costs,
    over_mtu: u64,
    /// Arrival tick and bits of each packet that is not lost.
    arriving: Vec<(u64, u64)>,
}

struct OwnSchedule {
    schedule: Schedule,
    link: LinkMetrics,
}

impl OwnSchedule {
    /// Records the outcome of the tick that was just scheduled. `ticks` is the number of ticks since the start.
    fn note(&mut self, tick: u64, ticks: u64) {
        if !self.schedule.acks().is_empty() {
            self.link.acked(ticks);
        }
        let newest = self.schedule.packets().next_back();
        if let Some(packet) = newest.filter(|packet| packet.tick == tick) {
            self.link.add(ticks, &packet.sent);
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
        from: u64,
        rungs: &[(Rung, Class)],
    ) -> Ladder {
        let settings = used(settings).lane().at(tape.tick_rate());
        let session_config = tape.session_config();
        let initial = &session_config.initial;
        let schedule = || OwnSchedule {
            schedule: Schedule::new(&settings, link_inputs),
            link: LinkMetrics::new(&settings),
        };
        let depends_on_size = settings.fate_depends_on_size();
        let hz = settings.send_rate_hz();
        let mut snapshot = Vec::with_capacity(initial.len());
        let mut previous = None;
        let mut rounding = Vec::new();
        let step = |&(rung, class): &(Rung, Class)| {
            let before = previous.replace(rung);
            let quantises = before.is_none_or(|before: Rung| !rung.quantises_as(before));
            if quantises {
                rounding.push(RoundingErrors::new(&session_config));
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
                costs: Costs::default(),
                over_mtu: 0,
                arriving: Vec::new(),
            }
        };
        let steps = rungs.iter().map(step).collect();
        let mut truth = Vec::new();
        tape.truth().read(from, &mut truth);
        Ladder {
            schedule: schedule(),
            steps,
            rounding,
            truth,
            snapshot,
            packet: Vec::new(),
            ledger: Ledger::new(),
            settings,
            from,
            last_tick: from,
        }
    }

    /// Runs the next tick on every rung. Returns false if the tape does not store it.
    fn tick(&mut self, tape: &Tape) -> bool {
        let tick = self.last_tick + 1;
        let cut = tape.is_cut(tick);
        let Some(frame) = tape.frame(tick, &mut self.truth) else {
            return false;
        };
        let keys = frame.input.bits();
        self.schedule.schedule.advance(tick, cut);
        self.schedule.note(tick, tick - self.from);
        let leaves = leaves(&self.settings, tick);
        for place in 0..self.steps.len() {
            self.steps[place].sender.press(keys);
            self.step(place, tick, cut, leaves);
        }
        self.last_tick = tick;
        true
    }

    /// Runs one rung's part of a tick: takes acknowledgements, and sends the packet if one is due.
    fn step(&mut self, place: usize, tick: u64, cut: bool, leaves: bool) {
        let Ladder {
            settings,
            from,
            schedule,
            steps,
            rounding,
            truth,
            snapshot,
            packet,
            ledger,
            ..
        } = self;
        let step = &mut steps[place];
        let sender = &mut step.sender;
        let mut cost = None;
        let mut send = |acks: &[u16]| {
            acks.iter().for_each(|&sequence| sender.acked(sequence));
            if !leaves {
                return PacketSize::ANY;
            }
            if step.quantises {
                quantise(sender.format(), truth, snapshot);
                rounding[step.rounding].add(sender.format(), truth, snapshot);
            }
            let info = sender.send(tick, snapshot, packet, Some(ledger));
            let info = info.expect(TAPE_TICKS);
            let size = PacketSize::new(packet.len(), settings);
            cost = Some(cost_of_packet(
                &info,
                packet,
                size.fragments,
                ledger,
                settings,
            ));
            size
        };
        let own = match &mut step.own {
            Some(own) => {
                own.schedule.advance_with(tick, cut, send);
                own.note(tick, tick - *from);
                own
            }
            None => {
                send(schedule.schedule.acks());
                schedule
            }
        };
        let Some(cost) = cost else {
            return;
        };
        if let Some(arrival_ms) = own.newest_arrival_ms() {
            let arrival_tick = settings.tick_rate().tick_of_ms(arrival_ms).ceil() as u64;
            step.arriving.push((arrival_tick, cost.wire_bits()));
        }
        step.costs.add(&cost);
        let mtu_bytes = settings.mtu_bytes().unwrap_or(MTU_BYTES);
        step.over_mtu += u64::from(cost.bytes + settings.header_bytes() > mtu_bytes);
    }

    /// Returns the costs of every rung so far, on the same ticks.
    fn rows(&self) -> RungCosts {
        let (after_tick, last_tick) = (self.from, self.last_tick);
        let tick_rate = self.settings.tick_rate();
        let seconds = tick_rate.seconds_of_ticks(last_tick - after_tick);
        let shared = self.schedule.link.figures();
        let row = |step: &RungStep| {
            let format = step.sender.format();
            let rung = format.rung();
            let errors_mm = self.rounding[step.rounding].over();
            let arrived = step
                .arriving
                .iter()
                .filter(|(arrival_tick, _)| *arrival_tick <= last_tick);
            let arrived_bits: u64 = arrived.map(|(_, bits)| bits).sum();
            RungCost {
                rung: rung.number(),
                name: rung.name(),
                class: rung.is_arithmetic().then(|| format.class().name()),
                packets: step.costs.packets(),
                packets_over_mtu: step.over_mtu,
                bytes_per_packet: step.costs.bytes_per_packet(),
                kbps: step.costs.kbps(seconds),
                delivered_kbps: arrived_bits as f64 / seconds.max(f64::MIN_POSITIVE) / 1000.0,
                bits_per_changed_cube: step.costs.bits_per_changed_cube(),
                surface_error_mm: SurfaceSpread::new(errors_mm, |mm| mm),
                surface_error_px: SurfaceSpread::new(errors_mm, |mm| Screen::FIGURES.px_of_mm(mm)),
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
