//! Every rung of the ladder on one and the same motion.
//!
//! A rung is a sender alone: what becomes of its packets, and so which baselines it has, the [`Schedule`] knows without a
//! receiver. What it sends is what a lane on that rung sends, to the byte.

use crate::channel::Fates;
use crate::input::Input;
use crate::lane::network::fragments;
use crate::lane::snapshot::{Sender, quantise};
use crate::metrics::{Costs, PacketCost};
use crate::schedule::Schedule;
use crate::settings::{Key, Settings, Strategy};
use crate::tape::Tape;
use crate::time::{TICKS_PER_S, sends_at};
use crate::track::WARM_UP_TICKS;
use crate::world::World;
use serde::Serialize;
use snapshot_codec::{Class, Cube, CubeState, Format, Ledger, Rung};
use std::collections::VecDeque;

/// The goal of the articles for a whole scene, kbit/s.
pub const GOAL_KBPS: f64 = 256.0;

/// What [`Span::Recent`] covers.
const RECENT_TICKS: u64 = 3 * TICKS_PER_S as u64;

/// A rung, and what it cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Its number, 0 to 13.
    pub rung: u8,
    /// Its name, as the setting `codec` has it.
    pub name: &'static str,
    /// On the arithmetic rungs what a packet may be decoded from, as the setting `class` has it.
    pub class: Option<&'static str>,
    /// Packets that the figures are of.
    pub packets: u64,
    /// Mean, without IP and UDP.
    pub bytes_per_packet: f64,
    /// Mean, counted header included.
    pub kbps: f64,
    /// None where nothing changed.
    pub bits_per_changed_cube: Option<f64>,
}

/// What every rung cost on the same ticks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rows {
    /// The first tick that they are of is the one after this.
    pub after_tick: u64,
    /// The last.
    pub last_tick: u64,
    /// What they are held against.
    pub goal_kbps: f64,
    /// By rung; strict before chained.
    pub rows: Vec<Row>,
}

/// Which ticks a ladder is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// The newest three seconds. Senders begin two seconds earlier, so that what costs more at the beginning is over.
    Recent,
    /// All that the tape holds.
    Whole,
}

/// A sender a rung over one motion, driven a packet at a time.
pub struct Ladder {
    /// Only what senders and network heed; all else at its default.
    settings: Settings,
    fates: Fates,
    span: Span,
    edits: u64,
    /// Senders began after this tick.
    from: u64,
    /// The newest tick whose packets are all counted.
    last_tick: u64,
    schedule: Schedule,
    steps: Vec<Step>,
    /// The first of them that has not sent in the tick that is worked at; 0 between two ticks.
    next: usize,
    truth: Vec<CubeState>,
    snapshot: Vec<Cube>,
    packet: Vec<u8>,
    ledger: Ledger,
}

/// A rung.
struct Step {
    sender: Sender,
    /// Its own, where what becomes of a packet depends on its size.
    schedule: Option<Schedule>,
    /// Of the tick that is worked at.
    cost: Option<PacketCost>,
    costs: Costs,
    /// By tick, those that [`Span::Recent`] still covers.
    recent: VecDeque<(u64, PacketCost)>,
}

impl Ladder {
    /// Senders that begin after the tick `from`, which the tape holds.
    fn new(tape: &Tape, settings: &Settings, fates: &Fates, span: Span, from: u64) -> Ladder {
        let settings = heeded(settings);
        let initial = World::initial(tape.made_from());
        let schedule = || Schedule::new(&settings, fates);
        let depends_on_size = settings.get(Key::Fragments) > 0;
        let mut snapshot = Vec::with_capacity(initial.len());
        let step = |(rung, class)| {
            let format = Format::new(rung, settings.bits(), initial.len())
                .expect("the schema's ranges are the codec's")
                .with_class(class)
                .with_widths(settings.position_widths(), settings.orientation_widths());
            quantise(&format, &initial, &mut snapshot);
            Step {
                sender: Sender::new(format, &snapshot),
                schedule: depends_on_size.then(schedule),
                cost: None,
                costs: Costs::default(),
                recent: VecDeque::new(),
            }
        };
        let steps = steps().map(step).collect();
        let mut truth = Vec::new();
        tape.truth().read(from, &mut truth);
        Ladder {
            span,
            edits: tape.edits(),
            from,
            last_tick: from,
            schedule: schedule(),
            steps,
            next: 0,
            truth,
            snapshot,
            packet: Vec::new(),
            ledger: Ledger::new(),
            settings,
            fates: fates.clone(),
        }
    }

    /// The ladder of all ticks that the tape holds, and of those to come.
    pub fn whole(tape: &Tape, settings: &Settings, fates: &Fates) -> Ladder {
        Ladder::new(tape, settings, fates, Span::Whole, tape.first_tick())
    }

    /// The ladder of the three seconds up to `until`, and of those that come after.
    pub fn recent(tape: &Tape, settings: &Settings, fates: &Fates, until: u64) -> Ladder {
        let from = until.saturating_sub(RECENT_TICKS + WARM_UP_TICKS);
        let from = from.max(tape.first_tick());
        Ladder::new(tape, settings, fates, Span::Recent, from)
    }

    /// Whether it can be driven on to `until`, or another one has to be begun: because something else is set, the tape tells
    /// something else of ticks that have been, or it is too far behind or ahead.
    pub fn fits(
        &self,
        tape: &Tape,
        settings: &Settings,
        fates: &Fates,
        span: Span,
        until: u64,
    ) -> bool {
        let in_reach = match span {
            Span::Recent => {
                self.last_tick <= until && until - self.last_tick <= RECENT_TICKS + WARM_UP_TICKS
            }
            Span::Whole => self.from == tape.first_tick(),
        };
        let held = self.last_tick >= tape.first_tick();
        let same = (self.span, self.edits, &self.fates) == (span, tape.edits(), fates);
        same && in_reach && held && self.settings == heeded(settings)
    }

    /// A piece of work, at most a packet of one rung. False where the packets of all ticks up to `until` are counted.
    pub fn work(&mut self, tape: &Tape, until: u64) -> bool {
        let tick = self.last_tick + 1;
        let cut = tape.is_cut(tick);
        if self.next == 0 {
            if tick > until || tape.frame(tick, &mut self.truth).is_none() {
                return false;
            }
            self.schedule.advance(tick, cut);
            self.schedule.forget_before(tick);
        }
        let leaves = sends_at(tick, self.settings.send_rate_hz());
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

    /// What every rung has cost so far, on the same ticks.
    pub fn rows(&self) -> Rows {
        let after_tick = match self.span {
            Span::Recent => self.from.max(self.last_tick.saturating_sub(RECENT_TICKS)),
            Span::Whole => self.from,
        };
        let ticks = self.last_tick - after_tick;
        let row = |step: &Step| {
            let format = step.sender.format();
            let rung = format.rung();
            Row {
                rung: rung.number(),
                name: rung.name(),
                class: rung.is_arithmetic().then(|| format.class().name()),
                packets: step.costs.packets(),
                bytes_per_packet: step.costs.bytes_per_packet(),
                kbps: step.costs.kbps(ticks),
                bits_per_changed_cube: step.costs.bits_per_changed_cube(),
            }
        };
        Rows {
            after_tick,
            last_tick: self.last_tick,
            goal_kbps: GOAL_KBPS,
            rows: self.steps.iter().map(row).collect(),
        }
    }

    /// The newest tick whose packets are all counted.
    pub fn last_tick(&self) -> u64 {
        self.last_tick
    }

    /// One rung's part of a tick.
    fn step(&mut self, tick: u64, cut: bool, leaves: bool) {
        let Ladder {
            settings,
            truth,
            snapshot,
            packet,
            ledger,
            ..
        } = self;
        let Step {
            sender,
            schedule,
            cost,
            ..
        } = &mut self.steps[self.next];
        let mut send = |acks: &[u16]| {
            acks.iter().for_each(|&sequence| sender.acked(sequence));
            if !leaves {
                return 1;
            }
            // From this rung on all send the same values.
            if sender.format().rung() <= Rung::Position {
                quantise(sender.format(), truth, snapshot);
            }
            let contents = sender.send(tick, snapshot, packet, ledger);
            let fragments = fragments(packet.len(), settings);
            *cost = Some(contents.cost(packet, fragments, ledger, settings));
            fragments
        };
        match schedule {
            Some(own) => {
                own.advance_with(tick, cut, send);
                own.forget_before(tick);
            }
            None => _ = send(self.schedule.acks()),
        }
    }

    fn end_tick(&mut self, tick: u64) {
        self.next = 0;
        self.last_tick = tick;
        for step in &mut self.steps {
            let Some(cost) = step.cost.take() else {
                continue;
            };
            step.costs.add(&cost);
            if self.span == Span::Recent {
                step.recent.push_back((tick, cost));
            }
        }
        for step in &mut self.steps {
            let is_over = |(sent, _): &mut (u64, PacketCost)| *sent + RECENT_TICKS <= tick;
            while let Some((_, cost)) = step.recent.pop_front_if(is_over) {
                step.costs.remove(&cost);
            }
        }
    }
}

/// Sends the scene of these settings over every rung: `ticks` ticks, after the first `from`. `progress` hears each tick.
pub fn climb(settings: &Settings, from: u64, ticks: u64, mut progress: impl FnMut(u64)) -> Rows {
    let mut settings = *settings;
    settings
        .set(Key::Strategy, Strategy::Snapshot as u32)
        .expect("the schema has every strategy");
    let mut tape = Tape::new(&settings);
    for tick in 1..=from {
        tape.step(Input::NONE, false);
        progress(tick);
    }
    let fates = Fates::default();
    let mut ladder = Ladder::new(&tape, &settings, &fates, Span::Whole, from);
    for tick in from + 1..=from + ticks {
        tape.step(Input::NONE, false);
        while ladder.work(&tape, tick) {}
        progress(tick);
    }
    ladder.rows()
}

/// All rungs, those with classes in both.
fn steps() -> impl Iterator<Item = (Rung, Class)> {
    let classes = |rung: Rung| {
        let classes: &[Class] = if rung.is_arithmetic() {
            &Class::ALL
        } else {
            &[Class::Strict]
        };
        classes.iter().map(move |&class| (rung, class))
    };
    Rung::ALL.into_iter().flat_map(classes)
}

/// Settings that differ in nothing but what senders and network heed.
fn heeded(settings: &Settings) -> Settings {
    const HEEDED: [Key; 18] = [
        Key::SendRate,
        Key::PositionBits,
        Key::OrientationBits,
        Key::VelocityBits,
        Key::PositionSmall,
        Key::PositionLarge,
        Key::OrientationSmall,
        Key::OrientationLarge,
        Key::Latency,
        Key::Jitter,
        Key::Loss,
        Key::Burst,
        Key::Duplicated,
        Key::Reordered,
        Key::Fragments,
        Key::Header,
        Key::Grid,
        Key::Seed,
    ];
    let mut settings = *settings;
    let _ = settings.set(Key::Strategy, Strategy::Snapshot as u32);
    let mut heeded = Settings::default();
    for key in HEEDED {
        let _ = heeded.set(key, settings.get(key));
    }
    heeded
}

#[cfg(test)]
mod tests;
