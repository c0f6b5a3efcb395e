//! The size of the datagrams that a path carries, found by probing.
//!
//! The method is path MTU discovery for datagram transports (RFC 8899). Three things differ. A path counts as large as the
//! settings say until datagrams get lost by their size, so a path without a fault costs no probe. The RFC probes upwards, which
//! would cost each join a round trip and some kilobytes. Probes of several sizes leave at once, not one after the other: the
//! search takes a few round trips. A path that turned out small is searched again after [`RAISE_MS`], where the RFC waits for
//! ten minutes. So a search that lost its probes by chance is corrected within a minute.
//!
//! ```text
//! at rest --- large datagrams unacknowledged for SUSPECT_MS ---> search --- narrow enough ---> at rest
//! ```

use crate::path_limits::PathLimits;
use crate::settings::MTU_MIN;

/// Time for which large datagrams are unacknowledged before the search begins, ms. At least two retransmission timeouts.
const SUSPECT_MS: f64 = 750.0;
/// Least number of large datagrams without an acknowledgement that begin a search.
const SUSPECT_LEAST: u32 = 3;
/// Time since the other end's last datagram after which the search concludes nothing, ms: the path carries no datagram at all.
const SILENT_MS: f64 = 600.0;
/// Half of the time for which an acknowledged size proves that the path carries it, ms.
const RECENT_MS: f64 = 500.0;
/// Time from a search that found less than the settings have to the next one, ms.
const RAISE_MS: f64 = 30_000.0;
/// Number of times that a probe is sent in a search (`MAX_PROBES` of the RFC).
const PROBES_MAX: u32 = 3;
/// Number of sizes that are probed in a round of the search.
const STEPS: usize = 8;
/// Size of a probe below the least that settings may have, bytes. It tells a path that is too small from a broken one.
const SMALL_BYTES: usize = 128;
/// Precision of the search, bytes: it ends when the size is known up to so many.
const PRECISION_BYTES: usize = 16;
/// Length of a probe that only tells the other end the found size, bytes.
const NOTICE_BYTES: usize = 32;
/// Upper limit of the number of the other end's probes that wait for an acknowledgement.
const ACKS_MOST: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Probe {
    /// Length of the whole datagram, bytes.
    pub(crate) bytes: usize,
    /// The greatest size that arrives at the receiver, as far as this sender knows, bytes; 0 if no limit is known.
    pub(crate) found_bytes: usize,
}

/// A size that the search probes.
#[derive(Clone, Copy, Debug)]
struct Step {
    bytes: usize,
    has_arrived: bool,
}

impl Step {
    const fn new(bytes: usize) -> Self {
        Self {
            bytes,
            has_arrived: false,
        }
    }
}

/// A search in progress: the sizes of its current round, ascending.
#[derive(Clone, Debug)]
struct Search {
    steps: Vec<Step>,
    /// Number of times that the round's probes were sent.
    sends: u32,
    sends_max: u32,
    sent_ms: f64,
}

impl Search {
    /// Begins a round of up to [`STEPS`] sizes above `from`, evenly spaced; the last one is `to`. `smaller` has sizes below
    /// them that the round repeats.
    fn new(smaller: &[Step], from: usize, to: usize, sends_max: u32) -> Self {
        let mut steps = smaller.to_vec();
        let count = STEPS.min(to.saturating_sub(from));
        for step in 1..=count {
            steps.push(Step::new(from + (to - from) * step / count));
        }
        Self {
            steps,
            sends: 0,
            sends_max,
            sent_ms: 0.0,
        }
    }

    /// Records that all sizes up to `bytes` arrive.
    fn on_ack(&mut self, bytes: usize) {
        for step in &mut self.steps {
            step.has_arrived |= step.bytes <= bytes;
        }
    }

    /// The greatest size of the round that arrived, bytes; 0 if none did.
    fn arrived_bytes(&self) -> usize {
        let arrived = self.steps.iter().rev().find(|step| step.has_arrived);
        arrived.map_or(0, |step| step.bytes)
    }
}

/// Large datagrams that were sent and not acknowledged.
#[derive(Clone, Copy, Debug)]
struct Unproven {
    since_ms: f64,
    sent_ms: f64,
    count: u32,
    /// The least size of these datagrams, bytes.
    least_bytes: usize,
}

/// The state of the search for the size of datagrams that the path to the other end carries.
#[derive(Clone, Debug)]
pub(crate) struct PathMtu {
    /// Size of a datagram in the settings, bytes: the upper limit.
    limit_bytes: usize,
    /// Size of the largest datagram that this end sends, bytes.
    bytes: usize,
    /// The greatest size that arrives at the other end, bytes; `None` while no limit is known.
    found_bytes: Option<usize>,
    /// Greatest acknowledged sizes of the current half second and of the one before, bytes.
    recent_bytes: [usize; 2],
    recent_ms: f64,
    unproven: Option<Unproven>,
    search: Option<Search>,
    /// Sizes of probes that are to be sent now.
    due: Vec<usize>,
    searched_ms: f64,
    /// Number of notices of the found size that are still to be sent to the other end.
    notices: u32,
    noticed_ms: f64,
    received_ms: f64,
    /// Sizes of the other end's probes that are to be acknowledged.
    acks: Vec<u16>,
    /// The greatest size that arrives at this end, as the other end says.
    here_bytes: Option<usize>,
    /// True if a limit of either direction changed since the game last asked.
    has_news: bool,
    too_large: u64,
}

impl PathMtu {
    /// Creates the state of a path that is taken for as large as `limit_bytes`.
    pub(crate) fn new(limit_bytes: usize) -> Self {
        Self {
            limit_bytes,
            bytes: limit_bytes,
            found_bytes: None,
            recent_bytes: [0; 2],
            recent_ms: 0.0,
            unproven: None,
            search: None,
            due: Vec::new(),
            searched_ms: 0.0,
            notices: 0,
            noticed_ms: 0.0,
            received_ms: f64::MIN,
            acks: Vec::new(),
            here_bytes: None,
            has_news: false,
            too_large: 0,
        }
    }

    /// Size of the largest datagram to send, bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn limits(&self) -> PathLimits {
        PathLimits {
            there_bytes: self.found_bytes,
            here_bytes: self.here_bytes,
        }
    }

    /// Returns the limits if they changed since the last call.
    pub(crate) fn next_limits(&mut self) -> Option<PathLimits> {
        std::mem::take(&mut self.has_news).then(|| self.limits())
    }

    /// Number of datagrams that were lost because the path is too small for them.
    pub(crate) fn too_large(&self) -> u64 {
        self.too_large
    }

    /// Counts datagrams that were not sent, because the path is too small for them.
    pub(crate) fn count_too_large(&mut self, count: u64) {
        self.too_large += count;
    }

    /// Records a datagram of the game that was sent.
    pub(crate) fn on_sent(&mut self, now_ms: f64, bytes: usize) {
        if bytes <= MTU_MIN.max(self.recent(now_ms)) {
            return;
        }
        let unproven = self.unproven.get_or_insert(Unproven {
            since_ms: now_ms,
            sent_ms: now_ms,
            count: 0,
            least_bytes: bytes,
        });
        unproven.count += 1;
        unproven.sent_ms = now_ms;
        unproven.least_bytes = unproven.least_bytes.min(bytes);
    }

    /// Records that the other end acknowledged a datagram of the game.
    pub(crate) fn on_ack(&mut self, now_ms: f64, bytes: usize) {
        self.recent(now_ms);
        self.recent_bytes[0] = self.recent_bytes[0].max(bytes);
        self.unproven = self.unproven.filter(|it| bytes < it.least_bytes);
        // A datagram of the game shows as much as a probe.
        if let Some(search) = &mut self.search {
            search.on_ack(bytes);
        }
    }

    /// Records that a datagram of the other end arrived.
    pub(crate) fn on_datagram(&mut self, now_ms: f64) {
        self.received_ms = now_ms;
    }

    /// Returns the greatest size that was acknowledged within the last second at most, bytes.
    fn recent(&mut self, now_ms: f64) -> usize {
        if now_ms - self.recent_ms >= RECENT_MS {
            let before = self.recent_bytes[0];
            let is_next = now_ms - self.recent_ms < 2.0 * RECENT_MS;
            self.recent_bytes = [0, if is_next { before } else { 0 }];
            self.recent_ms = now_ms;
        }
        self.recent_bytes[0].max(self.recent_bytes[1])
    }

    /// Records a probe of the other end, which is to be acknowledged.
    pub(crate) fn on_probe(&mut self, bytes: u16, found_bytes: u16) {
        if self.acks.len() < ACKS_MOST && !self.acks.contains(&bytes) {
            self.acks.push(bytes);
        }
        let here = Some(usize::from(found_bytes)).filter(|bytes| *bytes > 0);
        // A path that grew is at the limit again.
        let here = here.filter(|bytes| *bytes < self.limit_bytes);
        self.has_news |= here != self.here_bytes;
        self.here_bytes = here;
    }

    /// Returns the size of a probe whose acknowledgement is due; `None` if none is.
    pub(crate) fn next_ack(&mut self) -> Option<u16> {
        self.acks.pop()
    }

    pub(crate) fn on_probe_ack(&mut self, bytes: u16) {
        let bytes = usize::from(bytes);
        if bytes == NOTICE_BYTES {
            self.notices = 0;
        }
        if let Some(search) = &mut self.search {
            search.on_ack(bytes);
        }
    }

    /// Length of the probe that is due next, bytes; `None` if none is.
    pub(crate) fn due_bytes(&self) -> Option<usize> {
        self.due.last().copied()
    }

    /// Returns the next probe that is due, and that a budget has room for; `None` if none is. Call it until it returns `None`.
    /// `room` is the length that a datagram may have now, `room_max` the length that it may ever have, bytes.
    pub(crate) fn next_probe(
        &mut self,
        now_ms: f64,
        rto_ms: f64,
        room: usize,
        room_max: usize,
    ) -> Option<Probe> {
        if self.due.is_empty() {
            self.search(now_ms, rto_ms);
        }
        let found_bytes = self.found_bytes.unwrap_or_default();
        while self.due.pop_if(|bytes| *bytes > room_max).is_some() {}
        let bytes = self.due.pop_if(|bytes| *bytes <= room)?;
        if let Some(search) = &mut self.search {
            search.sent_ms = now_ms;
        }
        Some(Probe { bytes, found_bytes })
    }

    /// Begins, continues or ends the search.
    fn search(&mut self, now_ms: f64, rto_ms: f64) {
        let is_alive = now_ms - self.received_ms < SILENT_MS.max(2.0 * rto_ms);
        if self.search.is_none() {
            let suspect_ms = SUSPECT_MS.max(2.0 * rto_ms);
            // Single large datagrams may get lost by chance, far from each other.
            self.unproven =
                (self.unproven).filter(|it| now_ms - it.sent_ms < suspect_ms + 2.0 * RECENT_MS);
            let is_suspect = self.unproven.is_some_and(|it| {
                it.count >= SUSPECT_LEAST && now_ms - it.since_ms >= suspect_ms && is_alive
            });
            let is_raise = self.found_bytes.is_some() && now_ms - self.searched_ms >= RAISE_MS;
            if is_suspect {
                let smaller = [SMALL_BYTES, MTU_MIN].map(Step::new);
                let search = Search::new(&smaller, MTU_MIN, self.limit_bytes, PROBES_MAX);
                self.search = Some(search);
            } else if is_raise && is_alive {
                let from = self.found_bytes.unwrap_or_default();
                self.search = Some(Search::new(&[], from, self.limit_bytes, 1));
            }
        }
        if let Some(search) = &mut self.search {
            let arrived = search.arrived_bytes();
            let is_whole = search.steps.last().is_some_and(|step| step.has_arrived);
            let is_over = search.sends > 0 && now_ms - search.sent_ms >= rto_ms;
            if is_whole || is_over && search.sends == search.sends_max {
                self.conclude(now_ms, is_alive);
            } else if search.sends == 0 || is_over {
                search.sends += 1;
                search.sent_ms = now_ms;
                let due = search.steps.iter().filter(|step| step.bytes > arrived);
                self.due.extend(due.map(|step| step.bytes));
            }
        }
        if self.notices > 0 && now_ms - self.noticed_ms >= rto_ms {
            self.notices -= 1;
            self.noticed_ms = now_ms;
            self.due.push(NOTICE_BYTES);
        }
    }

    /// Ends a round of the search: begins a finer one, or sets the size.
    fn conclude(&mut self, now_ms: f64, is_alive: bool) {
        let Some(search) = self.search.take() else {
            return;
        };
        let arrived = search.arrived_bytes();
        if arrived == 0 {
            // Nothing at all came there, or nothing came back: that says nothing of sizes. A small path stays as it was.
            let is_small = is_alive && self.found_bytes.is_some();
            self.searched_ms = if is_small { now_ms } else { self.searched_ms };
            self.unproven = None;
            return;
        }
        let beyond = search.steps.iter().find(|step| step.bytes > arrived);
        if let Some(beyond) = beyond.filter(|it| it.bytes - arrived > PRECISION_BYTES)
            && arrived >= MTU_MIN
        {
            let carried = Step {
                bytes: arrived,
                has_arrived: true,
            };
            let finer = Search::new(&[carried], arrived, beyond.bytes, search.sends_max);
            self.search = Some(finer);
            return;
        }
        let found = Some(arrived).filter(|arrived| *arrived < self.limit_bytes);
        if found != self.found_bytes {
            self.has_news = true;
            self.notices = PROBES_MAX;
            self.noticed_ms = f64::MIN;
        }
        if found.is_some_and(|found| found < self.bytes) {
            self.too_large += self.unproven.map_or(0, |it| it.count.into());
        }
        self.unproven = None;
        self.found_bytes = found;
        self.bytes = arrived.clamp(MTU_MIN, self.limit_bytes);
        self.searched_ms = now_ms;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    const RTO_MS: f64 = 200.0;
    const ROUND_TRIP_MS: f64 = 100.0;

    /// A path that carries datagrams up to a size, and loses each one that `is_lost` names.
    struct Path {
        mtu: PathMtu,
        carried_bytes: usize,
        acks: VecDeque<(f64, usize, bool)>,
        probes: u64,
        probe_bytes: usize,
    }

    impl Path {
        fn new(limit_bytes: usize, carried_bytes: usize) -> Self {
            Self {
                mtu: PathMtu::new(limit_bytes),
                carried_bytes,
                acks: VecDeque::new(),
                probes: 0,
                probe_bytes: 0,
            }
        }

        /// Sends datagrams of these sizes, 20 a second, from one time to another.
        fn run(
            &mut self,
            [from_ms, to_ms]: [u32; 2],
            size: impl Fn(u32) -> usize,
            is_lost: impl Fn(u64) -> bool,
        ) {
            for now in (from_ms..to_ms).step_by(50) {
                let now_ms = f64::from(now);
                self.mtu.on_datagram(now_ms);
                while let Some((_, bytes, is_probe)) = self.acks.pop_front_if(|it| it.0 <= now_ms) {
                    match is_probe {
                        true => self.mtu.on_probe_ack(bytes as u16),
                        false => self.mtu.on_ack(now_ms, bytes),
                    }
                }
                while let Some(Probe { bytes, .. }) =
                    self.mtu.next_probe(now_ms, RTO_MS, usize::MAX, usize::MAX)
                {
                    self.probes += 1;
                    self.probe_bytes += bytes;
                    if bytes <= self.carried_bytes && !is_lost(self.probes) {
                        self.acks.push_back((now_ms + ROUND_TRIP_MS, bytes, true));
                    }
                }
                let bytes = size(now).min(self.mtu.bytes());
                self.mtu.on_sent(now_ms, bytes);
                if bytes <= self.carried_bytes && !is_lost(u64::from(now)) {
                    self.acks.push_back((now_ms + ROUND_TRIP_MS, bytes, false));
                }
            }
        }
    }

    #[test]
    fn the_size_of_a_small_path_is_found_within_three_seconds() {
        for carried_bytes in [128, 200, 256, 300, 576, 600, 900, 1150, 1190, 1199] {
            let mut path = Path::new(1200, carried_bytes);
            path.run([0, 3000], |_| 1200, |_| false);
            let found = path.mtu.limits().there_bytes.expect("a limit");
            let least = match carried_bytes {
                128..256 => 128,
                _ => carried_bytes - PRECISION_BYTES,
            };
            assert!(
                (least..=carried_bytes).contains(&found),
                "{carried_bytes}: {found}"
            );
            assert_eq!(path.mtu.bytes(), found.max(MTU_MIN));
            assert!(path.mtu.too_large() > 3);
            assert_eq!(
                path.mtu.next_limits().map(|it| it.there_bytes),
                Some(Some(found))
            );
            assert_eq!(path.mtu.next_limits(), None);
            println!(
                "{carried_bytes}: {found}, {} probes, {} bytes",
                path.probes, path.probe_bytes
            );
        }
    }

    #[test]
    fn a_path_without_a_fault_is_not_probed() {
        let mut path = Path::new(1200, 1200);
        // Sizes change, and a tenth gets lost.
        path.run(
            [0, 600_000],
            |now| 300 + (now / 50 * 7919 % 901) as usize,
            |at| at % 500 == 0,
        );
        assert_eq!((path.probes, path.mtu.bytes()), (0, 1200));
    }

    #[test]
    fn a_path_that_carries_nothing_for_a_while_stays_as_large() {
        let mut path = Path::new(1200, 1200);
        path.run([0, 5000], |_| 1000, |_| false);
        path.run([5000, 25_000], |_| 1000, |_| true);
        path.run([25_000, 30_000], |_| 1000, |_| false);
        assert_eq!(
            (path.mtu.bytes(), path.mtu.limits()),
            (1200, PathLimits::default())
        );
    }

    #[test]
    fn a_path_that_shrinks_is_noticed_and_one_that_grows_is_used() {
        let mut path = Path::new(1200, 1200);
        path.run([0, 5000], |_| 1000, |_| false);
        path.carried_bytes = 700;
        path.run([5000, 8500], |_| 1000, |_| false);
        assert!(
            (684..=700).contains(&path.mtu.bytes()),
            "{}",
            path.mtu.bytes()
        );
        path.carried_bytes = 1200;
        path.run([8500, 8500 + 35_000], |_| 1000, |_| false);
        assert_eq!(
            (path.mtu.bytes(), path.mtu.limits().there_bytes),
            (1200, None)
        );
    }

    #[test]
    fn lost_probes_cost_no_more_than_half_a_minute() {
        for seed in 1..=8 {
            let mut path = Path::new(1200, 900);
            let draw = snapshot_base::random::KeyedDraw::new(seed, 1);
            let is_lost = |at: u64| draw.with(at).unit() < 0.2;
            path.run([0, 70_000], |_| 1200, is_lost);
            let bytes = path.mtu.bytes();
            assert!((850..=900).contains(&bytes), "{seed}: {bytes}");
        }
    }

    #[test]
    fn sizes_of_a_round_end_at_the_upper_one() {
        let sizes = |from, to| {
            let search = Search::new(&[], from, to, 1);
            search.steps.iter().map(|it| it.bytes).collect::<Vec<_>>()
        };
        assert_eq!(sizes(256, 1200), [374, 492, 610, 728, 846, 964, 1082, 1200]);
        assert_eq!(sizes(100, 103), [101, 102, 103]);
        assert!(sizes(100, 100).is_empty());
    }
}
