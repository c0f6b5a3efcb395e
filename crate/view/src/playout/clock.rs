//! The adaptive playout clock: it follows the estimated delay at a bounded speed, and slows down before it runs out of
//! snapshots.

use super::{Aim, Estimator};
use snapshot_base::time::TickRate;

/// Time in which the clock corrects a small difference from its target, ms. A larger difference takes longer, because the
/// change of speed is limited.
const FOLLOW_MS: f64 = 300.0;
/// Lag beyond the target, ms, above which play jumps forwards to the target: after a break of the connection or a drained
/// queue. A smaller lag is made up for at a quarter more speed, which takes up to six seconds.
pub const RESTART_MS: f64 = 1500.0;
/// Length of a freeze, ms, after which play jumps to its target if it would take longer than [`CATCH_UP_MS`] to get there.
/// The rule holds for [`AFTER_FREEZE_MS`] after the freeze.
const LONG_FREEZE_MS: f64 = 100.0;
const AFTER_FREEZE_MS: f64 = 1000.0;
const CATCH_UP_MS: f64 = 2500.0;
/// Time for which the rule of [`LONG_FREEZE_MS`] also holds after the estimate left out an outage, ms. Until then a queue can
/// look like a slow sender.
const AFTER_OUTAGE_MS: f64 = 4000.0;
/// Least lag beyond the target for which play jumps after a long freeze, ms.
const LEAST_JUMP_MS: f64 = 50.0;
/// Time without a shown instant, ms, after which the receiver counts as asleep: packets that come meanwhile are late because of
/// the receiver.
const SLEEP_MS: f64 = 200.0;
/// Share of the usual delay, by which a packet is known to be overdue. It is overdue when the delay that remains at the play
/// instant is less than this share, minus a send interval.
const OVERDUE: f64 = 0.9;

/// The adaptive playout clock.
#[derive(Clone, Debug)]
pub struct Clock {
    tick_rate: TickRate,
    estimator: Estimator,
    change: f64,
    goes_on_ticks: f64,
    playing: Option<PlayState>,
    /// Time for which play has waited until now, in ticks. `waited_ms` is the end of the last long wait.
    waits_for_ticks: f64,
    waited_ms: f64,
    goes_live: bool,
}

#[derive(Clone, Copy, Debug)]
struct PlayState {
    now_tick: f64,
    play_tick: f64,
}

/// An instant of the sender to show, with the state of play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instant {
    /// The play instant, in ticks of the sender.
    pub play_tick: f64,
    /// Playout delay, ms: the wait of a packet as fast as the fastest of the last 40 s, until play reaches its tick.
    pub delay_ms: f64,
    /// Number of the sender's ticks that a tick plays, within the greatest change of speed, or 0 while play stands still.
    pub speed: f64,
    /// True while play stands still at the newest data and waits for more.
    pub waits: bool,
    /// Time by which play is behind its target, ms.
    pub late_ms: f64,
}

impl Instant {
    /// Makes an instant with normal speed and without waiting.
    pub(crate) fn even(play_tick: f64, delay_ms: f64) -> Instant {
        Instant {
            play_tick,
            delay_ms,
            speed: 1.0,
            waits: false,
            late_ms: 0.0,
        }
    }
}

impl Clock {
    /// Creates a clock that begins with the first packet. Once play has reached the newest tick, it needs the next packet
    /// `held_ms` later. Without a packet play goes on for `goes_on_ms`, and then stands still.
    pub fn new(
        tick_rate: TickRate,
        aim: Aim,
        send_interval_ms: f64,
        held_ms: f64,
        goes_on_ms: f64,
    ) -> Clock {
        Clock {
            tick_rate,
            estimator: Estimator::new(tick_rate, aim, send_interval_ms, held_ms),
            change: aim.change,
            goes_on_ticks: tick_rate.tick_of_ms(goes_on_ms),
            playing: None,
            waits_for_ticks: 0.0,
            waited_ms: f64::NEG_INFINITY,
            goes_live: false,
        }
    }

    /// Makes the next instant jump to the delay that the network needs now, however far behind play is. Forgets the delays that
    /// play needed before.
    pub fn go_live(&mut self) {
        self.goes_live = true;
        self.estimator.forget_needs();
    }

    /// Takes a packet with data up to `tick` that arrived at `arrival_ms`. Do not pass second copies.
    pub fn packet(&mut self, arrival_ms: f64, tick: i64) {
        // An instant is shown each tick; a page that is hidden shows none.
        let earliest_ms = arrival_ms - self.tick_rate.ms_of_tick(1.0);
        let shown_ms = self
            .playing
            .map_or(arrival_ms, |it| self.tick_rate.ms_of_tick(it.now_tick));
        let missed_ms = shown_ms.max(earliest_ms).min(arrival_ms);
        let slept = arrival_ms - shown_ms > SLEEP_MS;
        self.estimator
            .packet(arrival_ms, Some(missed_ms).filter(|_| !slept), tick);
    }

    /// Moves the clock to `now_ms` and returns the instant to show; `None` before the first packet.
    pub fn advance(&mut self, now_ms: f64) -> Option<Instant> {
        let newest = self.estimator.newest()?;
        let needs_from = self.estimator.end_tick()?;
        let now_tick = self.tick_rate.tick_of_ms(now_ms);
        let target_ticks = self.estimator.target_ticks(now_ms);
        let interval_ticks = self.estimator.interval_ticks();
        // The first packet says nothing about the next: play begins with one interval more.
        let before = self.playing.unwrap_or(PlayState {
            now_tick,
            play_tick: now_tick - target_ticks - interval_ticks,
        });
        let own_ticks = (now_tick - before.now_tick).max(0.0);
        let passed_ticks = own_ticks * (1.0 - self.estimator.slowness());
        let late_ticks = now_tick - passed_ticks - before.play_tick - target_ticks;
        let most = self.change * passed_ticks;
        let follows = late_ticks * (passed_ticks / self.tick_rate.tick_of_ms(FOLLOW_MS)).min(1.0);
        // With packets as fast as usual, an interval less than the delay is always left.
        let left_ticks = needs_from - before.play_tick - passed_ticks;
        let usual_delay_ticks = target_ticks - self.estimator.usual_ticks(now_ms);
        let is_overdue = left_ticks < OVERDUE * usual_delay_ticks - interval_ticks;
        let change = if is_overdue {
            -most
        } else {
            follows.max(-most).min(most)
        };
        let mut next = before.play_tick + passed_ticks + change;
        // Play that has just stood still, or waited for what will not come again, has nothing to be smooth about.
        let is_fresh = now_ms - self.waited_ms < AFTER_FREEZE_MS
            || now_ms - self.estimator.left_out_ms() < AFTER_OUTAGE_MS;
        let most_late_ms = if is_fresh {
            (self.change * CATCH_UP_MS).max(LEAST_JUMP_MS)
        } else {
            RESTART_MS
        };
        let is_live = std::mem::take(&mut self.goes_live);
        if is_live || late_ticks > self.tick_rate.tick_of_ms(most_late_ms) {
            next = next.max(now_tick - target_ticks);
        }
        let end = newest as f64 + self.goes_on_ticks;
        let waits = next > end;
        self.waits_for_ticks = if waits {
            self.waits_for_ticks + own_ticks
        } else {
            0.0
        };
        if self.waits_for_ticks > self.tick_rate.tick_of_ms(LONG_FREEZE_MS) {
            self.waited_ms = now_ms;
        }
        let play_tick = next.min(end).max(before.play_tick);
        self.playing = Some(PlayState {
            now_tick: now_tick.max(before.now_tick),
            play_tick,
        });
        let moved = if waits {
            (play_tick - before.play_tick).min(passed_ticks)
        } else {
            passed_ticks + change
        };
        Some(Instant {
            play_tick,
            delay_ms: self
                .tick_rate
                .ms_of_tick(now_tick - play_tick - self.estimator.least_ticks(now_ms)),
            speed: if own_ticks > 0.0 {
                moved / own_ticks
            } else {
                1.0
            },
            waits,
            late_ms: (self.tick_rate).ms_of_tick((now_tick - play_tick - target_ticks).max(0.0)),
        })
    }

    /// Allocated memory, bytes.
    pub fn held_bytes(&self) -> usize {
        self.estimator.held_bytes()
    }
}
