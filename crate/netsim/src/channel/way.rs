//! The way after the bottleneck: stalls, delay and loss, each keyed by the packet's number.

use super::Conditions;
use super::delay::Delay;
use super::faults::Faults;
use super::sent::DelayByCause;
use super::stalls::Stalls;
use crate::trace::{Delays, Trace};
use snapshot_base::random::KeyedDraw;
use std::sync::Arc;

/// Transmissions of a segment that a trace loses. A timeout of 60 s may meet the same lost row in every repetition.
const RECORDED_LOSSES_MAX: u32 = 8;

/// The way after the bottleneck. It is a function of the seed, the direction, the packet and the trace, and has no history.
#[derive(Clone, Debug)]
pub(super) struct Way {
    conditions: Conditions,
    faults: Faults,
    delay: Delay,
    stalls: Option<Stalls>,
    /// In place of the modelled delay and loss.
    trace: Option<Arc<Trace>>,
}

/// The fate of one transmission on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// True if the conditions lose it.
    pub(super) is_lost: bool,
    /// Time that it travels, ms: latency and jitter.
    pub(super) travel_ms: f64,
    /// The causes of the packet's delay in this direction, as if no packet were lost.
    pub(super) delay: DelayByCause,
}

impl Way {
    /// The way of a direction under a seed. `usage` is the direction's first key.
    pub(super) fn new(
        conditions: &Conditions,
        seed: u32,
        usage: u32,
        trace: Option<&Arc<Trace>>,
    ) -> Way {
        let keyed = |fault: u32| KeyedDraw::new(seed, usage + fault);
        Way {
            conditions: *conditions,
            faults: Faults::new(conditions, seed, usage),
            delay: Delay::new(keyed(1), keyed(5)),
            stalls: (conditions.stalls).map(|stalls| Stalls::new(stalls, seed, usage + 7)),
            trace: trace.filter(|trace| trace.delays().is_some()).cloned(),
        }
    }

    /// Sends a packet over the way, `nth` times before, at the instant at which it leaves the bottleneck.
    pub(super) fn cross(&self, number: u64, nth: u32, left_ms: f64, fragments: u32) -> Crossing {
        if let Some(delays) = self.recorded() {
            let row = delays.at(left_ms);
            return Crossing {
                is_lost: row.lost && nth < RECORDED_LOSSES_MAX,
                travel_ms: row.delay_ms,
                delay: DelayByCause {
                    base_ms: row.delay_ms,
                    ..DelayByCause::default()
                },
            };
        }
        let conditions = &self.conditions;
        let state = self.faults.state(conditions, number, fragments);
        let travel_ms = self.delay.travel_ms(conditions, number, false, fragments);
        Crossing {
            is_lost: match nth {
                0 => state.is_lost,
                _ => self
                    .faults
                    .is_lost_again(conditions, number, u64::from(nth)),
            },
            travel_ms,
            delay: DelayByCause {
                stall_ms: self.stalls.map_or(0.0, |stalls| stalls.wait_ms(left_ms)),
                base_ms: conditions.latency_ms,
                tail_ms: travel_ms - conditions.latency_ms,
                reorder_ms: self.faults.held_ms(conditions, number),
                bad_ms: if state.is_bad && nth == 0 {
                    conditions.burst_delay_ms
                } else {
                    0.0
                },
                ..DelayByCause::default()
            },
        }
    }

    /// Time in ms that a packet's second copy travels, if there is one.
    pub(super) fn copy_travel_ms(&self, number: u64, fragments: u32) -> Option<f64> {
        if self.recorded().is_some() {
            return None;
        }
        let is_doubled = self.faults.is_duplicated(&self.conditions, number);
        is_doubled.then(|| (self.delay).travel_ms(&self.conditions, number, true, fragments))
    }

    fn recorded(&self) -> Option<&Delays> {
        self.trace.as_ref()?.delays()
    }
}
