//! Freezes of the right view (the receiver's): the packet that each freeze waited for, and the playout delay that would
//! have avoided the freezes. A *still* frame shows nothing newer than the frame before.

use super::packets::Pending;
use super::{LaneHistory, PacketFate};
use serde::Serialize;
use snapshot_base::order::{sort_by, sorted};
use snapshot_codec::Format;
use snapshot_settings::{Interpolation, Key};
use snapshot_view::playout::Playout;
use snapshot_view::{Buffer, BufferConfig, Playback};
use std::ops::RangeInclusive;

/// Share of the still frames that the proposed longer playout delay should avoid.
const AIM: f64 = 0.9;
const CURE_STEP_MS: f64 = 5.0;
/// Number of newest ticks in which shown snapshots are searched for the greatest age at which a snapshot is still shown.
const SHOWN_TICKS: u64 = 300;
/// Least share of the still frames that a longer playout delay must avoid to be offered.
const SHARE_MIN: f64 = 0.2;
/// Upper limit of the number of lost packets that are listed by number.
const NAMED_MAX: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Freeze {
    /// The first tick of the freeze.
    pub from: u64,
    /// The last tick of the freeze, or the newest tick if it continues.
    pub to: u64,
    pub ms: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DepartedPacket {
    pub number: u64,
    pub tick: u64,
}

/// Reason why the receiver waits: the packet that it waits for, and the lost packets.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Wait {
    /// The newest packet that the receiver has used; `None` before the first.
    pub newest: Option<DepartedPacket>,
    /// The packet that ends the wait; `None` if it has not been sent yet.
    pub next: Option<DepartedPacket>,
    /// Time until the packet `next` arrives, ms. `None` while unknown: TCP has not retransmitted it yet.
    pub next_in_ms: Option<f64>,
    /// True if TCP retransmits the packet `next`, because it was lost.
    pub is_sent_again: bool,
    /// Number of packets after `next` that have arrived, but are held back by TCP until it comes.
    pub held_back: u64,
    /// Numbers of the first packets lost after `newest`.
    pub lost: Vec<u64>,
    /// Number of all packets lost after `newest`.
    pub lost_count: u64,
}

/// A change of a setting of the receiver, with its effect in a replay of the packets that have arrived.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CureWay {
    pub setting: &'static str,
    pub value: String,
    /// Number of still frames in the replay with the changed setting.
    pub still: u64,
    /// Mean age of the shown instant with the change, ms.
    pub age_ms: f64,
}

/// The playout delay that would have shown most of the still frames in time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Cure {
    pub delay_ms: f64,
    /// Share of the still frames that this delay shows in time.
    pub share: f64,
    /// Number of still frames up to the asked tick; if that tick is in a freeze, up to the end of the freeze.
    pub frames: u64,
    /// True if the delay removes the freeze at the asked tick completely; `None` if there is no freeze.
    pub ends_this: Option<bool>,
    /// Mean age of the shown instant without a change, ms.
    pub age_ms: f64,
    /// Three changes of the receiver's settings: the longer delay, an adaptive delay, and extrapolation.
    pub ways: [CureWay; 3],
}

impl LaneHistory {
    /// Returns the freezes within the stored ticks, oldest first.
    pub fn freezes(&self) -> Vec<Freeze> {
        let mut freezes: Vec<Freeze> = Vec::new();
        for tick in self.lives().filter(|it| it.still).map(|it| it.tick) {
            match freezes.last_mut() {
                Some(freeze) if freeze.to + 1 == tick => freeze.to = tick,
                _ => freezes.push(Freeze {
                    from: tick,
                    to: tick,
                    ms: 0.0,
                }),
            }
        }
        for freeze in &mut freezes {
            freeze.ms = self.ms_of_ticks((freeze.to + 1 - freeze.from) as f64);
        }
        freezes
    }

    /// Returns the reason why the receiver waits at a tick; `None` if it has all the data that it needs.
    pub fn wait(&self, tick: u64) -> Option<Wait> {
        self.live(tick).waits.then(|| {
            let newest = self.packets.newest_used(tick);
            let after = newest.map_or(0, |newest| newest.number + 1);
            let pending: Vec<_> = self.packets.pending(after, tick).collect();
            let lost = || {
                let lost = pending.iter().filter(|it| it.fate == PacketFate::Lost);
                lost.map(|it| it.sent.number)
            };
            let next = self.next_of(&pending);
            let now_ms = self.ms_of_ticks(tick as f64);
            let come_with = |next: &Pending| {
                let behind = pending
                    .iter()
                    .filter(|it| it.sent.number > next.sent.number);
                // What came earlier than a stream hands it over has a cause of its own for that.
                behind.filter(|it| it.is_held_back_at(now_ms)).count() as u64
            };
            Wait {
                newest,
                next: next.map(|next| next.sent),
                next_in_ms: next.and_then(|next| Some((next.arrival_ms? - now_ms).max(0.0))),
                is_sent_again: next.is_some_and(|next| next.is_sent_again),
                held_back: next.map_or(0, come_with),
                lost: lost().take(NAMED_MAX).collect(),
                lost_count: lost().count() as u64,
            }
        })
    }

    /// Returns the packet that ends a wait: the first that is used later or, if none is used, the first to arrive. `None`
    /// if there is no such packet.
    fn next_of<'a>(&self, pending: &'a [Pending]) -> Option<&'a Pending> {
        let in_flight = || {
            let in_flight = pending.iter();
            in_flight.filter(|it| it.fate == PacketFate::InFlight)
        };
        if self.packets.is_stream() {
            return in_flight().next();
        }
        let by_use = in_flight().filter(|it| it.used_tick.is_some());
        by_use.min_by_key(|it| it.used_tick).or_else(|| {
            let arrival_ms = |it: &&Pending| it.arrival_ms.unwrap_or(f64::INFINITY);
            in_flight().min_by(|a, b| arrival_ms(a).total_cmp(&arrival_ms(b)))
        })
    }

    /// Returns the longer playout delay that avoids the still frames up to a tick. `None` where it cannot help: other
    /// strategies, adaptive playout, and views that show the newest snapshot at once.
    pub fn cure(&self, at: u64) -> Option<Cure> {
        let settings = self.lane.settings();
        let is_delayed = settings.strategy().row().plays_snapshots
            && !settings.interpolation().row().is_held
            && !settings.is_shown_at_once();
        let now_ms = settings.delay_ms().filter(|_| is_delayed)?;
        let freezes = self.freezes();
        let this = freezes.iter().find(|it| (it.from..=it.to).contains(&at));
        let until = this.map_or(at, |it| it.to);
        let ages = self.ages_of_the_newest(until);
        let is_still = |tick: u64| freezes.iter().any(|it| (it.from..=it.to).contains(&tick));
        let still: Vec<_> = ages.iter().filter(|(tick, _)| is_still(*tick)).collect();
        // Earlier the delay may have counted from another packet.
        let in_time = |(tick, _): &&(u64, f64)| {
            tick + SHOWN_TICKS > until && self.live(*tick).late_ms.is_some_and(|ms| ms < 1.0)
        };
        let shown = ages.iter().filter(in_time);
        // Frames as old as these were still shown.
        let shown_ms = shown.fold(0.0_f64, |most, (_, age)| most.max(*age));
        let missing = |ticks: RangeInclusive<u64>| {
            let still = still.iter().filter(move |(tick, _)| ticks.contains(tick));
            still.map(|(_, age)| age - shown_ms)
        };
        let all = sorted(missing(0..=until));
        let aimed = (AIM * all.len() as f64).ceil() as usize;
        let aimed_ms = all.get(aimed.min(all.len()).checked_sub(1)?)?.max(0.0);
        let most_ms = f64::from(Key::Delay.setting().domain.most());
        let delay_ms = ((now_ms + aimed_ms) / CURE_STEP_MS).ceil() * CURE_STEP_MS;
        let delay_ms = delay_ms.min(most_ms);
        let is_shown = |ms: &f64| *ms <= delay_ms - now_ms;
        let share = all.iter().filter(|ms| is_shown(ms)).count() as f64 / all.len() as f64;
        (delay_ms > now_ms && share >= SHARE_MIN).then(|| {
            let (interpolation, playout) = (settings.interpolation(), settings.playout());
            Cure {
                delay_ms,
                share,
                frames: all.len() as u64,
                ends_this: this.map(|it| missing(it.from..=it.to).all(|ms| is_shown(&ms))),
                age_ms: self.replayed(interpolation, playout, until).1,
                ways: self.cure_ways(delay_ms, until),
            }
        })
    }

    /// Replays the packets up to a tick with a longer delay, with an adaptive delay, and with extrapolation.
    fn cure_ways(&self, delay_ms: f64, until: u64) -> [CureWay; 3] {
        let settings = self.lane.settings();
        let (interpolation, playout) = (settings.interpolation(), settings.playout());
        let longer = match playout {
            Playout::FirstPacket { .. } => Playout::FirstPacket { delay_ms },
            Playout::Fixed { .. } | Playout::Adaptive(_) | Playout::AtOnce => {
                Playout::Fixed { delay_ms }
            }
        };
        let way = |setting, value: &str, interpolation, playout| {
            let (still, age_ms) = self.replayed(interpolation, playout, until);
            let value = value.to_owned();
            CureWay {
                setting,
                value,
                still,
                age_ms,
            }
        };
        let adaptive = Playout::Adaptive(settings.playout_aim());
        let extrapolate = Interpolation::Extrapolate;
        [
            way("delay", &delay_ms.to_string(), interpolation, longer),
            way("delay", "adaptive", interpolation, adaptive),
            way("interp", "extrapolate", extrapolate, playout),
        ]
    }

    /// Replays the arrival of the packets without objects; returns the number of still frames up to a tick, and the mean age
    /// of the shown instant in ms.
    fn replayed(&self, interpolation: Interpolation, playout: Playout, until: u64) -> (u64, f64) {
        let settings = self.lane.settings();
        let config = BufferConfig {
            tick_rate: settings.tick_rate(),
            interpolation,
            playout,
            send_interval_ms: settings.send_interval_ms(),
        };
        // Instants do not depend on the format of objects that are not there.
        let format = Format::new(settings.rung(), settings.bits(), 1);
        let Ok(format) = format else {
            return (0, 0.0);
        };
        let mut buffer = Buffer::new(format, config);
        let clock = settings.receiver_clock();
        let mut arrivals: Vec<_> = self.packets.arrivals().collect();
        sort_by(&mut arrivals, |a, b| a.1.total_cmp(&b.1));
        let mut arrivals = arrivals.into_iter().peekable();
        let (mut still, mut shown, mut age_ticks) = (0, 0_u32, 0.0);
        let mut before = None::<Playback>;
        for tick in self.lives().map(|it| it.tick).filter(|it| *it <= until) {
            let now_ms = self.ms_of_ticks(tick as f64);
            while let Some((sent, at_ms)) = arrivals.next_if(|(_, at_ms)| *at_ms <= now_ms) {
                buffer.on_snapshot(at_ms * clock, sent as i64, &[]);
            }
            let instant = buffer.advance(now_ms * clock);
            let Some(now) = instant.and_then(|instant| buffer.show(instant, &mut [])) else {
                continue;
            };
            still += u64::from(before.is_some_and(|before| now.is_still(&before)));
            shown += 1;
            age_ticks += tick as f64 - now.shown_tick;
            before = Some(now);
        }
        (still, self.ms_of_ticks(age_ticks / f64::from(shown.max(1))))
    }

    /// Returns each tick with the age of the newest arrived snapshot, ms, from the first arrival up to `until`.
    fn ages_of_the_newest(&self, until: u64) -> Vec<(u64, f64)> {
        let first = self.lives().next().map_or(0, |live| live.tick);
        let mut arrivals: Vec<_> = self.packets.arrivals().collect();
        sort_by(&mut arrivals, |a, b| a.1.total_cmp(&b.1));
        let mut arrivals = arrivals.into_iter().peekable();
        let mut newest = None;
        let age = |tick: u64| {
            let now_ms = self.ms_of_ticks(tick as f64);
            while let Some((sent, _)) = arrivals.next_if(|(_, arrival_ms)| *arrival_ms <= now_ms) {
                newest = newest.max(Some(sent));
            }
            Some((tick, now_ms - self.ms_of_ticks(newest? as f64)))
        };
        (first..=until).filter_map(age).collect()
    }
}

#[cfg(test)]
mod tests;
