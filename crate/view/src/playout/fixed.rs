//! A playout clock with a constant delay.

use super::clock::Instant;
use super::sender::Sender;
use snapshot_base::time::TickRate;

/// Number of newest seconds in which the fastest packet is looked for; the delay counts from it.
const SECONDS: usize = 4;
/// Change of the fastest packet's lag that the clock ignores, ms. A greater change is followed after `HOLDS_MS`.
const LEAST_MS: f64 = 20.0;
const HOLDS_MS: f64 = 1000.0;
/// Time after the first packet, ms, in which the clock follows each faster packet without waiting for `HOLDS_MS`.
const BEGIN_MS: f64 = 2000.0;
/// Greatest change of play's speed while the clock follows a changed lag, as a share.
const CHANGE: f64 = 0.1;
/// Change of the fastest packet's lag, ms, above which the clock takes the new lag at once. Only a pause of the sender, or a
/// jump of its ticks, changes the lag so much.
const JUMP_MS: f64 = 250.0;
/// Least speed of play, as a share of normal speed, after the clock has taken a greater lag at once.
const SLOW: f64 = 0.5;

/// The playout clock with a constant delay. The delay counts from the fastest packet of the last four seconds.
#[derive(Clone, Debug)]
pub struct FixedClock {
    tick_rate: TickRate,
    delay_ms: f64,
    sender: Sender,
    playing: Option<PlayState>,
}

#[derive(Clone, Copy, Debug)]
struct PlayState {
    begin_ms: f64,
    now_ms: f64,
    /// Lag from which the constant delay is counted, ticks: at first the fastest packet's.
    lag_ticks: f64,
    /// Time at which the fastest packet's lag was last about equal to `lag_ticks`, ms.
    same_ms: f64,
    is_following: bool,
    /// The newest tick that was shown.
    shown_tick: f64,
}

impl FixedClock {
    /// Creates a clock that begins with the first packet.
    pub fn new(tick_rate: TickRate, delay_ms: f64, send_interval_ms: f64) -> FixedClock {
        FixedClock {
            tick_rate,
            delay_ms,
            sender: Sender::new(tick_rate, send_interval_ms),
            playing: None,
        }
    }

    /// Takes a packet with data up to `tick` that arrived at `arrival_ms`. Do not pass second copies.
    pub fn packet(&mut self, arrival_ms: f64, tick: i64) {
        self.sender.packet(arrival_ms, tick, 0.0);
    }

    /// Moves the clock to `now_ms` and returns the instant to show; `None` before the first packet.
    pub fn advance(&mut self, now_ms: f64) -> Option<Instant> {
        let newest = self.sender.newest()? as f64;
        let fastest_ticks = self.sender.fastest_ticks(SECONDS, now_ms);
        let before = self.playing.unwrap_or(PlayState {
            begin_ms: now_ms,
            now_ms,
            lag_ticks: fastest_ticks,
            same_ms: now_ms,
            is_following: false,
            shown_tick: f64::NEG_INFINITY,
        });
        let ticks = |ms| self.tick_rate.tick_of_ms(ms);
        let passed_ticks = ticks((now_ms - before.now_ms).max(0.0));
        let moved_ticks = before.lag_ticks + self.sender.slowness() * passed_ticks;
        let apart_ticks = fastest_ticks - moved_ticks;
        let is_apart = before.is_following || apart_ticks.abs() > ticks(LEAST_MS);
        let same_ms = if is_apart { before.same_ms } else { now_ms };
        let is_beginning = apart_ticks < 0.0 && now_ms - before.begin_ms < BEGIN_MS;
        let most_ticks = if apart_ticks.abs() > ticks(JUMP_MS) {
            f64::INFINITY
        } else if before.is_following || is_beginning || now_ms - same_ms > HOLDS_MS {
            CHANGE * passed_ticks
        } else {
            0.0
        };
        // `clamp` between bounds that are not known brings the code that formats floats.
        let lag_ticks = moved_ticks + apart_ticks.max(-most_ticks).min(most_ticks);
        let due_tick = ticks(now_ms - self.delay_ms) - lag_ticks;
        let play_tick = due_tick.max(before.shown_tick + SLOW * passed_ticks);
        self.playing = Some(PlayState {
            begin_ms: before.begin_ms,
            now_ms,
            lag_ticks,
            same_ms,
            is_following: most_ticks > 0.0 && apart_ticks.abs() > most_ticks,
            // Play that runs on while nothing comes shows nothing newer.
            shown_tick: play_tick.min(newest).max(before.shown_tick),
        });
        Some(Instant::even(play_tick, self.delay_ms))
    }

    /// Allocated memory, bytes.
    pub fn held_bytes(&self) -> usize {
        self.sender.held_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_base::random::Stream;
    use snapshot_base::time::WORLD;

    /// Packets at 20 a second take `later_ms` longer from the tenth second on. Returns how far play moved from the third second on, ms.
    fn moved_ms(later_ms: f64, jitter_ms: f64, seed: u32) -> f64 {
        let mut stream = Stream::new(seed, 1);
        let mut packets: Vec<(f64, i64)> = (0..600)
            .map(|number| {
                let sent_ms = 50.0 * f64::from(number);
                let later_ms = if number < 200 { 0.0 } else { later_ms };
                let way_ms = 300.0 + later_ms + jitter_ms * stream.unit();
                (sent_ms + way_ms, i64::from(number) * 3)
            })
            .collect();
        packets.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut packets = packets.into_iter().peekable();
        let mut clock = FixedClock::new(WORLD, 400.0, 50.0);
        let mut ticks = Vec::new();
        for frame in 0..1800 {
            let now_ms = WORLD.ms_of_tick(f64::from(frame));
            while let Some((at_ms, tick)) = packets.next_if(|it| it.0 <= now_ms) {
                clock.packet(at_ms, tick);
            }
            let played = clock.advance(now_ms).filter(|_| frame >= 180);
            ticks.extend(played.map(|it| it.play_tick));
        }
        for pair in ticks.windows(2) {
            let speed = pair[1] - pair[0];
            assert!((speed - 1.0).abs() < 2.0 * CHANGE, "{later_ms} {speed}");
        }
        let passed = (ticks.len() - 1) as f64;
        WORLD.ms_of_tick(ticks[0] + passed - ticks[ticks.len() - 1])
    }

    #[test]
    fn play_keeps_its_place_and_moves_smoothly_where_the_way_gets_longer_or_shorter() {
        for (jitter_ms, seed) in [(0.0, 1), (10.0, 2), (40.0, 3), (60.0, 4)] {
            let kept_ms = moved_ms(0.0, jitter_ms, seed);
            assert!(kept_ms.abs() < 2.0, "{jitter_ms}: {kept_ms}");
            for later_ms in [50.0, -50.0, 200.0, -200.0] {
                let apart_ms = moved_ms(later_ms, jitter_ms, seed) - later_ms;
                assert!(
                    apart_ms.abs() < 1.5 * LEAST_MS,
                    "{later_ms} {jitter_ms}: {apart_ms}"
                );
            }
        }
    }
}
