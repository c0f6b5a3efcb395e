//! Congestion control: estimates the rate that the path to a client carries.
//!
//! The rule is that of LEDBAT (RFC 6817), as a rate. The queue is the round trip less its least value of the last minute. While
//! the queue is below the target the rate grows; above it, the rate falls. The rate doubles until the first queue, as in
//! LEDBAT++ (draft-irtf-iccrg-ledbat-plus-plus). Two rules are those of Google's congestion control (draft-ietf-rmcat-gcc-02,
//! sections 5.5 and 6): the floor at the delivered rate, and losses.
//!
//! Jitter must not pass for a queue. RFC 6817 (section 4.2) takes the least of the last four delays or more as the present one,
//! and so does this rule. That is not enough here: its target is 26 ms, the RFC's up to 100. The least of four delays that are
//! spread over 150 ms in each direction is 90 ms above the least of a minute. So the target grows with the jitter, the mean
//! difference of consecutive round trips (RFC 3550, section 6.4.1). A queue of this sender's own grows and falls over many
//! packets, so it adds little to these differences. The price is a longer queue where there is jitter, too: up to 270 ms at the
//! 95th percentile through 256 kbit/s with jitter of 150 ms in each direction.

use snapshot_base::queue::TakeFront;
use std::collections::VecDeque;

/// The queue that the sender aims at, ms. A datagram's own time in the bottleneck is a part of it: 34 ms for 1,100 bytes through
/// 256 kbit/s.
const TARGET_MS: f64 = 26.0;
/// Number of the newest round trips. The least of them counts as the present one (`CURRENT_FILTER` of RFC 6817).
const FILTER: usize = 4;
/// Growth of the target with the jitter. The least of [`FILTER`] round trips with jitter in both directions is 1.3 times the
/// mean difference above the least of a minute. Half of the target is left for a queue.
const JITTER_GAIN: f64 = 2.0;
/// Measured jitter of a path that has none, ms: acknowledgements wait for a client's frame and a server's tick.
const FRAMES_MS: f64 = 2.0;
/// Weight of a new difference in the jitter (RFC 3550, section 6.4.1). The first ones weigh more.
const JITTER_SMOOTHING: f64 = 1.0 / 16.0;
/// Growth of the rate in [`STEP_MIN_MS`] while the queue is empty, as a share.
const GAIN: f64 = 0.04;
/// Share by which a queue of twice the target lowers the rate in a step.
const LOSS_GAIN: f64 = 0.5;
/// Floor of the rate while there is a queue, as a share of the delivered rate. The delivered rate is the path's capacity then.
const DELIVERED: f64 = 0.78;
/// Share of the rate at the queue's beginning. A queue that remains after the rate has fallen to this share is no queue: the
/// path has become longer.
const LONGER_WAY: f64 = 0.25;
/// Shortest step, ms. A step takes a round trip.
const STEP_MIN_MS: f64 = 100.0;
/// Upper limit of a step's length when the growth of the rate is calculated, in units of [`STEP_MIN_MS`].
const STEPS_MAX: f64 = 3.0;
/// Estimated rate at first, kbit/s.
const INITIAL_KBPS: f64 = 64.0;
/// Lower limit of the estimated rate, kbit/s.
const MIN_KBPS: f64 = 16.0;
/// Time for which the least round trip is remembered, ms, in steps of [`BASE_STEP_MS`].
const BASE_MS: f64 = 60_000.0;
const BASE_STEP_MS: f64 = 5000.0;

/// Facts that the acknowledgement of a partial packet gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AckedPartial {
    pub(crate) number: u64,
    pub(crate) sent_ms: f64,
    pub(crate) datagram_bytes: usize,
    /// Number of packets that this acknowledgement proved lost: they left three packets earlier or more, and longer ago than a
    /// retransmission timeout. Jitter delays packets beyond later ones, so the number of packets alone is no proof.
    pub(crate) lost: u32,
    /// Number of packets that it proved to have arrived.
    pub(crate) arrived: u32,
    /// Size of all datagrams that this acknowledgement proved to have arrived, bytes, with the headers of IP and UDP.
    pub(crate) delivered_bytes: usize,
}

/// The rate that the path to a client carries, estimated from its acknowledgements.
#[derive(Debug)]
pub(crate) struct CongestionControl {
    kbps: f64,
    is_starting: bool,
    /// Rate at which the present queue began, kbit/s; `None` while there is no queue beyond the target.
    queued_kbps: Option<f64>,
    /// Least round trip of each stretch of time, with the stretch's beginning, ms.
    bases: VecDeque<(f64, f64)>,
    /// The last [`FILTER`] round trips, newest last.
    recent_ms: VecDeque<f64>,
    /// Mean difference of consecutive round trips, ms, and the number of differences.
    jitter_ms: f64,
    differences: u32,
    step: Step,
}

/// Measurements of the current step.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    since_ms: Option<f64>,
    /// Least round trip of the step: an acknowledgement waits for a frame of the client.
    least_ms: Option<f64>,
    sent_bytes: f64,
    delivered_bytes: usize,
    packets: u32,
    lost: u32,
}

impl Default for CongestionControl {
    fn default() -> Self {
        Self {
            kbps: INITIAL_KBPS,
            is_starting: true,
            queued_kbps: None,
            bases: VecDeque::new(),
            recent_ms: VecDeque::with_capacity(FILTER),
            jitter_ms: 0.0,
            differences: 0,
            step: Step::default(),
        }
    }
}

impl CongestionControl {
    pub(crate) fn kbps(&self) -> f64 {
        self.kbps
    }

    /// Mean difference of consecutive round trips, ms.
    pub(crate) fn jitter_ms(&self) -> f64 {
        self.jitter_ms
    }

    pub(crate) fn on_sent(&mut self, bytes: f64) {
        self.step.sent_bytes += bytes;
    }

    /// Processes an acknowledgement. `limit_kbps` is the upper limit of the rate.
    pub(crate) fn on_ack(
        &mut self,
        now_ms: f64,
        round_trip_ms: f64,
        acked: &AckedPartial,
        limit_kbps: f64,
    ) {
        self.note_base(now_ms, round_trip_ms);
        self.note_jitter(round_trip_ms);
        let step = &mut self.step;
        step.packets += acked.arrived + acked.lost;
        step.lost += acked.lost;
        step.delivered_bytes += acked.delivered_bytes;
        let least_ms = step.least_ms.unwrap_or(f64::INFINITY).min(round_trip_ms);
        step.least_ms = Some(least_ms);
        let passed_ms = now_ms - *step.since_ms.get_or_insert(now_ms);
        if passed_ms < STEP_MIN_MS.max(round_trip_ms) {
            return;
        }
        let base_ms = self
            .bases
            .iter()
            .map(|base| base.1)
            .fold(f64::INFINITY, f64::min);
        let least_ms = self.recent_ms.iter().copied().fold(least_ms, f64::min);
        let target_ms = TARGET_MS + JITTER_GAIN * (self.jitter_ms - FRAMES_MS).max(0.0);
        let off = ((target_ms - (least_ms - base_ms)) / target_ms).clamp(-1.0, 1.0);
        let lost = f64::from(step.lost) / f64::from(step.packets);
        // Who does not use its rate does not know whether the way carries more.
        let is_used = step.sent_bytes * 8.0 / passed_ms > 0.7 * self.kbps;
        let delivered_kbps = step.delivered_bytes as f64 * 8.0 / passed_ms;
        self.is_starting &= off > 0.5 && lost <= 0.1;
        self.kbps *= match off > 0.0 {
            // A policer has no queue.
            _ if lost > 0.1 => 1.0 - lost / 2.0,
            true if !is_used => 1.0,
            true if self.is_starting => 2.0,
            true => 1.0 + GAIN * off * (passed_ms / STEP_MIN_MS).min(STEPS_MAX),
            false => (1.0 + LOSS_GAIN * off).max((DELIVERED * delivered_kbps / self.kbps).min(1.0)),
        };
        self.kbps = self.kbps.min(limit_kbps).max(MIN_KBPS);
        match off < 0.0 {
            false => self.queued_kbps = None,
            true => {
                let began_kbps = *self.queued_kbps.get_or_insert(self.kbps);
                if self.kbps <= (LONGER_WAY * began_kbps).max(MIN_KBPS) {
                    self.bases = VecDeque::from([(now_ms, least_ms)]);
                    self.queued_kbps = None;
                }
            }
        }
        self.step = Step {
            since_ms: Some(now_ms),
            ..Step::default()
        };
    }

    fn note_jitter(&mut self, round_trip_ms: f64) {
        if let Some(before_ms) = self.recent_ms.back() {
            self.differences = self.differences.saturating_add(1);
            let weight = JITTER_SMOOTHING.max(1.0 / f64::from(self.differences));
            self.jitter_ms += ((round_trip_ms - before_ms).abs() - self.jitter_ms) * weight;
        }
        if self.recent_ms.len() == FILTER {
            self.recent_ms.pop_front();
        }
        self.recent_ms.push_back(round_trip_ms);
    }

    fn note_base(&mut self, now_ms: f64, round_trip_ms: f64) {
        match self.bases.back_mut() {
            Some(base) if now_ms - base.0 < BASE_STEP_MS => base.1 = base.1.min(round_trip_ms),
            _ => self.bases.push_back((now_ms, round_trip_ms)),
        }
        while self
            .bases
            .take_front_if(|base| now_ms - base.0 > BASE_MS)
            .is_some()
        {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs packets of a client, each 50 ms one, through a way of a capacity, with a least round trip; returns the rate at the end.
    fn run(
        control: &mut CongestionControl,
        from_ms: f64,
        to_ms: f64,
        kbps: f64,
        way_ms: f64,
    ) -> f64 {
        let (mut now_ms, mut queue_ms) = (from_ms, 0.0_f64);
        while now_ms < to_ms {
            let bytes = control.kbps() / 8.0 * 50.0;
            control.on_sent(bytes);
            queue_ms = (queue_ms + bytes * 8.0 / kbps - 50.0).max(0.0);
            let is_lost = queue_ms > 500.0;
            queue_ms = queue_ms.min(500.0);
            let acked = AckedPartial {
                number: 0,
                sent_ms: now_ms,
                datagram_bytes: bytes as usize,
                lost: u32::from(is_lost),
                arrived: 1,
                delivered_bytes: bytes.min(kbps / 8.0 * 50.0) as usize,
            };
            control.on_ack(now_ms, way_ms + queue_ms, &acked, 5000.0);
            now_ms += 50.0;
        }
        control.kbps()
    }

    #[test]
    fn the_rate_finds_a_capacity_and_follows_it() {
        let mut control = CongestionControl::default();
        for (second, kbps) in [(0.0, 1000.0), (20.0, 200.0), (60.0, 800.0)] {
            let rate = run(
                &mut control,
                second * 1000.0,
                second * 1000.0 + 20_000.0,
                kbps,
                60.0,
            );
            assert!((0.7..1.2).contains(&(rate / kbps)), "{rate} of {kbps}");
        }
    }

    #[test]
    fn a_longer_way_is_no_queue_for_long() {
        let mut control = CongestionControl::default();
        let before = run(&mut control, 0.0, 20_000.0, 500.0, 40.0);
        let after = run(&mut control, 20_000.0, 40_000.0, 500.0, 240.0);
        assert!(after > 0.7 * before, "{before} {after}");
    }
}
