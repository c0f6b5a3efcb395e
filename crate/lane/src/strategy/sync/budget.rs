//! The bandwidth budget of state synchronisation: the set budget, or less if the link shows congestion.

use crate::queue::drop_front;
use snapshot_base::time::TICKS_PER_S;
use snapshot_settings::Adaptation;
use std::collections::VecDeque;

/// Period over which a budget that adapts to loss measures the loss, ticks.
const LOSS_TICKS: u64 = 60;
/// Age at which an unacknowledged packet counts as lost, ticks: time for a round trip of a second, or for 32 newer packets.
const LOSS_AGE_TICKS: u64 = 60;
/// Share of lost packets above which the budget is halved.
const LOSS_MOST: f64 = 0.05;
/// Factor by which the budget rises while the loss stays below [`LOSS_MOST`].
const LOSS_RAISE: f64 = 1.1;

/// Period over which a budget that adapts to delay takes the least round trip, ticks; four send intervals if these are longer.
/// The least round trip of a period has hardly any jitter.
const DELAY_TICKS: u64 = 15;
const DELAY_SENDS: u64 = 4;
/// Period whose least round trip counts as that of an empty queue, ticks. Older round trips are dropped, because routes change;
/// each decrease of the budget empties the queue, so there is a newer one.
const EMPTY_TICKS: u64 = 600;
/// Queueing delay above which the budget is lowered, ticks.
const DELAY_MOST_TICKS: u64 = 1;
/// Factor by which the budget is multiplied when packets wait in a queue. The budget changes again only once packets that were
/// sent since then have been acknowledged.
const DELAY_KEPT: f64 = 0.8;
/// Step in kbit/s by which the budget rises while no queue is noticed. It is small, because a queue is noticed only after a
/// second: at 256 kbit/s the rise has then filled 60 ms of queue.
const DELAY_RAISE_KBPS: f64 = 8.0;
/// Factor by which the budget rises before the first queue: from 48 to 256 kbit/s in 2 s.
const DELAY_START: f64 = 1.25;
/// Least share of the budget that must be used before it may rise: an unused budget says nothing about the link (RFC 7661,
/// 4.3).
const DELAY_USED: f64 = 0.5;

/// Lower limit of the budget, kbit/s: the least that can be set.
const KBPS_MIN: f64 = 48.0;

#[derive(Clone, Debug)]
pub(super) struct PacketBudget {
    set_kbps: f64,
    now_kbps: f64,
    follows: SpeedFollower,
}

#[derive(Clone, Debug)]
enum SpeedFollower {
    Nothing,
    Loss {
        /// Ticks of recent packets that are neither acknowledged nor counted as lost, oldest first.
        open: VecDeque<u64>,
        settled_packets: u32,
        settled_lost: u32,
    },
    Delay {
        look_ticks: u64,
        /// Round trips of newly acknowledged packets: the tick of the acknowledgement, and the length in ticks.
        trips: VecDeque<(u64, u64)>,
        newest_acked: Option<u64>,
        /// True until the first queue is noticed.
        starts: bool,
        /// Number of bits that the budget has allowed since its last change. `sent_bits` is the number of bits sent in that
        /// time.
        allowed_bits: f64,
        sent_bits: f64,
        next_look: u64,
    },
}

impl PacketBudget {
    pub(super) fn new(adaptation: Adaptation, set_kbps: f64, send_rate_hz: u32) -> PacketBudget {
        let follows = match adaptation {
            Adaptation::Off => SpeedFollower::Nothing,
            Adaptation::Loss => SpeedFollower::Loss {
                open: VecDeque::new(),
                settled_packets: 0,
                settled_lost: 0,
            },
            Adaptation::Delay => SpeedFollower::Delay {
                look_ticks: DELAY_TICKS.max(DELAY_SENDS * u64::from(TICKS_PER_S / send_rate_hz)),
                trips: VecDeque::with_capacity(EMPTY_TICKS as usize + 1),
                newest_acked: None,
                starts: true,
                allowed_bits: 0.0,
                sent_bits: 0.0,
                next_look: 0,
            },
        };
        PacketBudget {
            set_kbps,
            now_kbps: match adaptation {
                Adaptation::Off | Adaptation::Loss => set_kbps,
                Adaptation::Delay => KBPS_MIN.min(set_kbps),
            },
            follows,
        }
    }

    /// The current budget, kbit/s, headers included.
    pub(super) fn kbps(&self) -> f64 {
        self.now_kbps
    }

    /// Records a sent packet: its bits, and the bits that the budget allowed.
    pub(super) fn sent(&mut self, tick: u64, bits: u64, most_bits: u64) {
        match &mut self.follows {
            SpeedFollower::Nothing => {}
            SpeedFollower::Loss { open, .. } => open.push_back(tick),
            SpeedFollower::Delay {
                allowed_bits,
                sent_bits,
                ..
            } => {
                *allowed_bits += most_bits as f64;
                *sent_bits += bits as f64;
            }
        }
    }

    /// Records an acknowledgement, whose newest packet was sent at `packet_tick`.
    pub(super) fn acked(&mut self, now_tick: u64, packet_tick: u64) {
        if let SpeedFollower::Delay {
            trips,
            newest_acked,
            ..
        } = &mut self.follows
            && newest_acked.is_none_or(|newest| newest < packet_tick)
        {
            *newest_acked = Some(packet_tick);
            trips.push_back((now_tick, now_tick.saturating_sub(packet_tick)));
            drop_front(trips, |(tick, _)| now_tick - tick > EMPTY_TICKS);
        }
    }

    /// Begins a tick, and adapts the budget. `has_arrived` returns whether the packet of a tick was acknowledged.
    pub(super) fn tick(&mut self, now_tick: u64, has_arrived: impl Fn(u64) -> bool) {
        let moved_kbps = match &mut self.follows {
            SpeedFollower::Nothing => None,
            SpeedFollower::Loss {
                open,
                settled_packets,
                settled_lost,
            } => {
                let is_old = |tick: &&u64| now_tick - **tick >= LOSS_AGE_TICKS;
                while let Some(&tick) = open.front().filter(is_old) {
                    open.pop_front();
                    *settled_packets += 1;
                    *settled_lost += u32::from(!has_arrived(tick));
                }
                let is_due = now_tick.is_multiple_of(LOSS_TICKS) && *settled_packets > 0;
                is_due.then(|| {
                    let loss = f64::from(*settled_lost) / f64::from(*settled_packets);
                    (*settled_packets, *settled_lost) = (0, 0);
                    if loss > LOSS_MOST {
                        self.now_kbps / 2.0
                    } else {
                        self.now_kbps * LOSS_RAISE
                    }
                })
            }
            SpeedFollower::Delay {
                look_ticks,
                trips,
                starts,
                allowed_bits,
                sent_bits,
                next_look,
                ..
            } => {
                // Before the first acknowledgement nothing is known of the link.
                let empty = trips.iter().map(|(_, ticks)| *ticks).min();
                let is_recent = |(tick, _): &&(u64, u64)| now_tick - tick < *look_ticks;
                let recent = trips.iter().rev().take_while(is_recent);
                let recent = recent.map(|(_, ticks)| *ticks).min();
                let empty = empty.filter(|_| now_tick >= *next_look);
                empty.map(|empty| {
                    // Silence is a queue whose end is not in sight.
                    let waits = recent.is_none_or(|recent| recent - empty > DELAY_MOST_TICKS);
                    *starts &= !waits;
                    let seen_ticks = if waits { recent.unwrap_or(0) } else { 0 };
                    *next_look = now_tick + *look_ticks + seen_ticks;
                    let is_used = *sent_bits >= DELAY_USED * *allowed_bits;
                    (*allowed_bits, *sent_bits) = (0.0, 0.0);
                    match (waits, *starts) {
                        (true, _) => self.now_kbps * DELAY_KEPT,
                        (false, _) if !is_used => self.now_kbps,
                        (false, true) => self.now_kbps * DELAY_START,
                        (false, false) => self.now_kbps + DELAY_RAISE_KBPS,
                    }
                })
            }
        };
        if let Some(moved_kbps) = moved_kbps {
            self.now_kbps = moved_kbps.clamp(KBPS_MIN.min(self.set_kbps), self.set_kbps);
        }
    }
}

const _: () = assert!(TICKS_PER_S as u64 == LOSS_TICKS);

#[cfg(test)]
mod tests {
    use super::*;

    /// A bottleneck in front of a fixed delay, and a way back of the same delay.
    struct BottleneckLink {
        rate_kbps: f64,
        queue_ms: f64,
        latency_ticks: u64,
    }

    struct BudgetRun {
        /// Wait in the queue after each tick.
        queue_ms: Vec<f64>,
        sent_kbit: f64,
        lost_kbit: f64,
    }

    /// Sends packets that fill the budget. `jitter_ticks` delays each acknowledgement.
    fn run(
        adaptation: Adaptation,
        link: &BottleneckLink,
        ticks: u64,
        mut jitter_ticks: impl FnMut() -> u64,
    ) -> BudgetRun {
        let mut budget = PacketBudget::new(adaptation, 1024.0, 60);
        let mut queue_ms = 0.0_f64;
        let mut acks: Vec<(u64, u64)> = Vec::new();
        let mut acked = std::collections::BTreeSet::new();
        let mut run = BudgetRun {
            queue_ms: Vec::new(),
            sent_kbit: 0.0,
            lost_kbit: 0.0,
        };
        for tick in 1..=ticks {
            acks.retain(|&(arrives, packet)| {
                if arrives <= tick {
                    budget.acked(tick, packet);
                    acked.insert(packet);
                }
                arrives > tick
            });
            budget.tick(tick, |packet| acked.contains(&packet));
            let kbit = budget.kbps() / 60.0;
            run.sent_kbit += kbit;
            if queue_ms > link.queue_ms {
                run.lost_kbit += kbit;
            } else {
                queue_ms += 1000.0 * kbit / link.rate_kbps;
                let waits_ticks = (queue_ms * 0.06).ceil() as u64;
                let arrives = tick + waits_ticks + 2 * link.latency_ticks + jitter_ticks();
                acks.push((arrives, tick));
            }
            budget.sent(tick, (kbit * 1000.0) as u64, (kbit * 1000.0) as u64);
            queue_ms = (queue_ms - 1000.0 / 60.0).max(0.0);
            run.queue_ms.push(queue_ms);
        }
        run
    }

    const NARROW: BottleneckLink = BottleneckLink {
        rate_kbps: 256.0,
        queue_ms: 500.0,
        latency_ticks: 3,
    };

    #[test]
    fn a_budget_that_follows_the_delay_stays_below_the_bottleneck_where_a_fixed_one_drowns() {
        let fixed = run(Adaptation::Off, &NARROW, 3600, || 0);
        assert!(fixed.lost_kbit > 0.7 * fixed.sent_kbit);
        assert!(fixed.queue_ms[600..].iter().all(|&ms| ms > 450.0));
        let delay = run(Adaptation::Delay, &NARROW, 3600, || 0);
        assert_eq!(delay.lost_kbit, 0.0);
        let share = delay.sent_kbit / (256.0 * 60.0);
        let greatest = delay.queue_ms.iter().copied().fold(0.0, f64::max);
        let mean = delay.queue_ms.iter().sum::<f64>() / 3600.0;
        println!("{share} of the rate, queue {mean} ms, at most {greatest} ms");
        assert!((0.8..1.0).contains(&share), "{share}");
        assert!(greatest < 400.0 && mean < 60.0, "{greatest} {mean}");
    }

    #[test]
    fn jitter_is_no_queue() {
        let mut draws = snapshot_base::random::Stream::new(1, 1);
        let wide = BottleneckLink {
            rate_kbps: 2048.0,
            ..NARROW
        };
        let run = run(Adaptation::Delay, &wide, 3600, || {
            draws.integer(0, 4).into()
        });
        // It rises from 48 on, and stays at the 1,024 kbit/s that are set.
        let share = run.sent_kbit / (1024.0 * 60.0);
        assert!(share > 0.9, "{share}");
    }

    #[test]
    fn a_budget_that_nobody_uses_is_not_raised() {
        let raised_to = |used: f64| {
            let mut budget = PacketBudget::new(Adaptation::Delay, 1024.0, 60);
            for tick in 1..1200 {
                if tick > 6 {
                    budget.acked(tick, tick - 6);
                }
                budget.tick(tick, |_| true);
                let allowed_bits = (budget.kbps() * 1000.0 / 60.0) as u64;
                let needed_bits = (used * 1000.0 / 60.0) as u64;
                budget.sent(tick, needed_bits.min(allowed_bits), allowed_bits);
            }
            budget.kbps()
        };
        assert_eq!(raised_to(1024.0), 1024.0);
        // Packets of 100 kbit/s: the budget is at most twice as much, and one raise.
        let idle = raised_to(100.0);
        assert!((150.0..251.0).contains(&idle), "{idle}");
    }

    #[test]
    fn silence_lowers_a_budget_and_acknowledgements_raise_it_again() {
        let mut budget = PacketBudget::new(Adaptation::Delay, 1024.0, 60);
        let mut go_on = |ticks: std::ops::Range<u64>, is_cut: bool| {
            for tick in ticks {
                if !is_cut && tick > 6 {
                    budget.acked(tick, tick - 6);
                }
                budget.tick(tick, |_| true);
                budget.sent(tick, 1, 1);
            }
            budget.kbps()
        };
        assert_eq!(go_on(1..600, false), 1024.0);
        assert!(go_on(600..1000, true) < 100.0);
        assert!(go_on(1000..2500, false) > 500.0);
    }
}
