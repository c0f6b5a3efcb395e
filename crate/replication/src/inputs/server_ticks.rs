//! The server's ticks as a client knows them from packets: their rate, and leaps.
//!
//! A packet that waited in a queue tells an older tick than is due. So the fastest packet of each short span of time counts. A
//! leap forwards is certain at once: no packet is faster than the path. Ticks that are late are either a server that stood
//! still, or a path that became slower. After a silence the first packets decide. Else the inputs' margins do: these grow if
//! the server's ticks went back, and stay if the path alone is slower.

use super::TickRate;
use crate::clocks::ServerTick;
use std::collections::VecDeque;

/// Length of a span of time, ms. Of its packets the fastest alone is remembered.
const SPAN_MS: f64 = 250.0;
/// Upper limit of the number of spans: four seconds.
const SPANS_MOST: usize = 16;
/// Time over which the fastest packet tells the server's tick, ms.
const FASTEST_MS: f64 = 1000.0;
/// Least change of the server's ticks that counts as a leap, ms.
pub(super) const LEAP_MS: f64 = 250.0;
/// Silence after which the server may have stood still, ms. Then the packets of the next `AFTER_SILENCE_MS` show whether it
/// did.
const SILENCE_MS: f64 = 300.0;
const AFTER_SILENCE_MS: f64 = 150.0;
/// Longest and shortest time between the packets that show the server's real tick rate, ms.
const RATE_MS: f64 = 1500.0;
/// Upper limit of the difference between the server's real tick rate and the agreed one, as a share.
const RATE_MAX: f64 = 0.15;

/// The tick of a server's packet, and the time of its arrival.
#[derive(Clone, Copy, Debug)]
struct PacketTick {
    at_ms: f64,
    tick: ServerTick,
}

/// Packets that are late by more than a leap.
#[derive(Clone, Copy, Debug)]
struct Late {
    since_ms: f64,
    /// Length of the silence before them, ms.
    silence_ms: f64,
    /// Ticks by which the fastest of them is ahead of the earlier packets; negative.
    ahead_ticks: f64,
}

/// A change of the server's ticks that its packets show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TickChange {
    /// No packet has arrived, so nothing is known.
    Unheard,
    /// The ticks go on.
    None,
    /// The server's ticks leapt by so many; a negative number if it stood still.
    Leap(f64),
}

/// The server's ticks, as its packets tell them.
#[derive(Clone, Debug)]
pub(super) struct ServerTicks {
    rate: TickRate,
    /// The fastest packet of each span, oldest first.
    fastest: VecDeque<PacketTick>,
    /// Time of the newest packet, and length of the silence before it, ms.
    heard_ms: Option<f64>,
    silence_ms: f64,
    /// The fastest packet that arrived since the last call of [`ServerTicks::settle`].
    fresh: Option<PacketTick>,
    late: Option<Late>,
    /// Ticks by which the path has become slower. If it becomes faster again by as much, the server's ticks did not leap.
    slower_ticks: f64,
    /// Time of the last leap, ms. Soon after it a faster packet tells better how far the ticks leapt.
    leapt_ms: f64,
    /// The server's real tick rate divided by the agreed one.
    pace: f64,
}

impl ServerTicks {
    pub(super) fn new(rate: TickRate) -> Self {
        Self {
            rate,
            fastest: VecDeque::with_capacity(SPANS_MOST),
            heard_ms: None,
            silence_ms: 0.0,
            fresh: None,
            late: None,
            slower_ticks: 0.0,
            leapt_ms: f64::NEG_INFINITY,
            pace: 1.0,
        }
    }

    /// The server's real tick rate divided by the agreed one.
    pub(super) fn pace(&self) -> f64 {
        self.pace
    }

    /// Time of the newest packet, ms; `None` before the first.
    pub(super) fn heard_ms(&self) -> Option<f64> {
        self.heard_ms
    }

    /// Returns true if it is not known yet whether the server stood still in a silence of at least `silence_ms`.
    pub(super) fn is_unsure(&self, silence_ms: f64) -> bool {
        (self.late).is_some_and(|late| late.silence_ms >= silence_ms)
    }

    /// Takes a packet of the server that is newer than all before.
    pub(super) fn on_packet(&mut self, at_ms: f64, tick: ServerTick) {
        let packet = PacketTick { at_ms, tick };
        let silence_ms = at_ms - self.heard_ms.unwrap_or(at_ms);
        self.heard_ms = Some(at_ms);
        // Packets that come together end one silence.
        self.silence_ms = match self.fresh {
            Some(_) => self.silence_ms.max(silence_ms),
            None => silence_ms,
        };
        let is_faster = |than: PacketTick| tick.0 > self.reading(than, at_ms);
        if self.fresh.is_none_or(is_faster) {
            self.fresh = Some(packet);
        }
    }

    /// Returns the tick that a packet tells for a later time.
    fn reading(&self, packet: PacketTick, at_ms: f64) -> f64 {
        packet.tick.0 + self.rate.tick_of_ms(at_ms - packet.at_ms) * self.pace
    }

    /// Returns the tick that the fastest packets of the newest known second tell for a later time.
    fn expected(&self, at_ms: f64) -> Option<f64> {
        let newest_ms = self.fastest.back()?.at_ms;
        let newest = self.fastest.iter().rev();
        let newest = newest.take_while(|it| newest_ms - it.at_ms <= FASTEST_MS);
        newest.map(|it| self.reading(*it, at_ms)).reduce(f64::max)
    }

    /// Judges the packets since the last call, which a client makes at each frame: of packets that come together the fastest
    /// tells the tick. `is_slower_path` is true if the inputs' margins show that late packets waited on their way.
    pub(super) fn settle(&mut self, is_slower_path: bool) -> TickChange {
        let Some(fresh) = self.fresh.take() else {
            return TickChange::Unheard;
        };
        let Some(expected) = self.expected(fresh.at_ms) else {
            self.remember(fresh);
            return TickChange::None;
        };
        let (ahead, leap) = (fresh.tick.0 - expected, self.rate.tick_of_ms(LEAP_MS));
        if ahead < -leap {
            return self.on_late(fresh, ahead, is_slower_path);
        }
        self.late = None;
        let is_exact = fresh.at_ms - self.leapt_ms <= FASTEST_MS && ahead > 0.0;
        if ahead > leap {
            let leapt = ahead - self.slower_ticks;
            if leapt > leap {
                return self.leap(fresh, leapt);
            }
            self.slower_ticks = -leapt.min(0.0);
        }
        self.remember(fresh);
        match is_exact {
            true => TickChange::Leap(ahead),
            false => TickChange::None,
        }
    }

    fn on_late(&mut self, fresh: PacketTick, ahead: f64, is_slower_path: bool) -> TickChange {
        let late = self.late.get_or_insert(Late {
            since_ms: fresh.at_ms,
            silence_ms: self.silence_ms,
            ahead_ticks: ahead,
        });
        late.ahead_ticks = late.ahead_ticks.max(ahead);
        let Late {
            since_ms,
            silence_ms,
            ahead_ticks,
        } = *late;
        let (late_ms, was_silent) = (fresh.at_ms - since_ms, silence_ms >= SILENCE_MS);
        if was_silent && late_ms >= AFTER_SILENCE_MS {
            return self.leap(fresh, ahead_ticks);
        }
        if late_ms < FASTEST_MS {
            return TickChange::None;
        }
        match is_slower_path {
            true => {
                self.slower_ticks -= ahead_ticks;
                self.begin_with(fresh);
                TickChange::None
            }
            false => self.leap(fresh, ahead_ticks),
        }
    }

    fn leap(&mut self, fresh: PacketTick, ticks: f64) -> TickChange {
        (self.leapt_ms, self.slower_ticks) = (fresh.at_ms, 0.0);
        self.begin_with(fresh);
        TickChange::Leap(ticks)
    }

    /// Forgets all packets but this one.
    fn begin_with(&mut self, packet: PacketTick) {
        self.fastest.clear();
        self.late = None;
        self.remember(packet);
    }

    fn remember(&mut self, packet: PacketTick) {
        let span = |at_ms: f64| (at_ms / SPAN_MS) as i64;
        let last = self.fastest.back().copied();
        match last.filter(|last| span(packet.at_ms) <= span(last.at_ms)) {
            Some(last) if packet.tick.0 <= self.reading(last, packet.at_ms) => {}
            Some(_) => {
                self.fastest.pop_back();
                self.fastest.push_back(packet);
            }
            None => {
                if self.fastest.len() == SPANS_MOST {
                    self.fastest.pop_front();
                }
                self.fastest.push_back(packet);
            }
        }
        self.measure_pace();
    }

    /// Measures the pace between the fastest packets of the first and of the last known second.
    fn measure_pace(&mut self) {
        let (Some(first), Some(last)) = (self.fastest.front(), self.fastest.back()) else {
            return;
        };
        let (first_ms, last_ms) = (first.at_ms, last.at_ms);
        let lead = |it: &PacketTick| it.tick.0 - self.rate.tick_of_ms(it.at_ms - first_ms);
        let fastest = |of: &dyn Fn(&PacketTick) -> bool| {
            let of = self.fastest.iter().filter(|it| of(it));
            of.max_by(|a, b| lead(a).total_cmp(&lead(b))).copied()
        };
        let begin = fastest(&|it| it.at_ms - first_ms <= FASTEST_MS);
        let end = fastest(&|it| last_ms - it.at_ms <= FASTEST_MS);
        if let (Some(begin), Some(end)) = (begin, end)
            && end.at_ms - begin.at_ms >= RATE_MS
        {
            let passed_ticks = self.rate.tick_of_ms(end.at_ms - begin.at_ms);
            let pace = (end.tick.0 - begin.tick.0) / passed_ticks;
            self.pace = pace.clamp(1.0 - RATE_MAX, 1.0 + RATE_MAX);
        }
    }

    /// Forgets the arrival times of all packets, because the clock that measured them has changed.
    pub(super) fn forget_times(&mut self) {
        let (heard_ms, rate) = (self.heard_ms, self.rate);
        *self = Self::new(rate);
        self.heard_ms = heard_ms;
    }
}
