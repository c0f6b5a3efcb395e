//! A stream like TCP: a lost segment is sent again after a timeout, and no segment overtakes another.
//!
//! A retransmission enters the bottleneck when it leaves the sender. So the arrival of a segment is known only once all earlier
//! transmissions have passed the bottleneck.

use super::bytes::ByteRange;
use super::sent::{DelayByCause, TransitOutcome};
use snapshot_base::queue::TakeFront;
use std::collections::VecDeque;

/// Upper limit of the timeout, ms, at which doubling ends (RFC 6298, 2.5: at least 60 s).
const LONGEST_TIMEOUT_MS: f64 = 60_000.0;

/// Returns the times at which a stream sends a lost segment again, ms, counted from its first departure. Each wait is twice
/// as long as the one before (RFC 6298, 5.5).
pub(super) fn timeouts_ms(first_ms: f64) -> impl Iterator<Item = f64> {
    let waits = |wait_ms: &f64| Some((2.0 * wait_ms).min(LONGEST_TIMEOUT_MS));
    std::iter::successors(Some(first_ms), waits).scan(0.0, |late_ms, wait_ms| {
        *late_ms += wait_ms;
        Some(*late_ms)
    })
}

/// The segments that a stream has sent and whose arrival is not known yet.
#[derive(Clone, Debug)]
pub(super) struct ReliableStream {
    timeout_ms: f64,
    /// Waiting segments by number. Segments after a lost one wait for it.
    waiting: VecDeque<StreamSegment>,
    /// Arrival of the newest released segment, ms.
    last_arrival_ms: f64,
    retransmissions: VecDeque<Retransmission>,
}

#[derive(Clone, Debug)]
pub(super) struct StreamSegment {
    pub(super) number: u64,
    pub(super) sent_ms: f64,
    pub(super) fragments: u32,
    pub(super) wire_bytes: u32,
    pub(super) place: ByteRange,
    pub(super) retransmissions: u32,
    /// Arrival of the segment in ms with the causes of its delay, before any wait for earlier segments. `None` while the
    /// segment is lost.
    pub(super) own: Option<(f64, DelayByCause)>,
}

/// Record of a segment that was sent again.
#[derive(Clone, Copy, Debug)]
struct Retransmission {
    at_ms: f64,
    wire_bytes: u32,
}

impl ReliableStream {
    pub(super) fn new(timeout_ms: f64) -> ReliableStream {
        ReliableStream {
            timeout_ms,
            waiting: VecDeque::new(),
            last_arrival_ms: 0.0,
            retransmissions: VecDeque::new(),
        }
    }

    pub(super) fn push(&mut self, segment: StreamSegment) {
        self.waiting.push_back(segment);
    }

    /// Returns the next segment to send again by `until_ms`: its index, the time, and its delay by timeouts, ms. `None` if
    /// there is none.
    pub(super) fn next_again(&self, until_ms: f64) -> Option<(usize, f64, f64)> {
        let lost = self.waiting.iter().enumerate();
        let lost = lost.filter(|(_, segment)| segment.own.is_none());
        let again = lost.filter_map(|(place, segment)| {
            let nth = segment.retransmissions as usize;
            let late_ms = timeouts_ms(self.timeout_ms).nth(nth)?;
            Some((place, segment.sent_ms + late_ms, late_ms))
        });
        let first = again.min_by(|one, other| one.1.total_cmp(&other.1))?;
        (first.1 <= until_ms).then_some(first)
    }

    /// Counts another transmission of the segment at the index `place`, which leaves at `at_ms`.
    pub(super) fn sent_again(&mut self, place: usize, at_ms: f64) -> &mut StreamSegment {
        let segment = &mut self.waiting[place];
        segment.retransmissions += 1;
        self.retransmissions.push_back(Retransmission {
            at_ms,
            wire_bytes: segment.wire_bytes,
        });
        segment
    }

    /// Records the arrival of a segment's transmission.
    pub(super) fn arrives(&mut self, place: usize, arrival_ms: f64, delay: DelayByCause) {
        self.waiting[place].own = Some((arrival_ms, delay));
    }

    /// Releases the oldest segment once its arrival is known, else returns `None`. It arrives no earlier than the segment
    /// before it.
    pub(super) fn release(&mut self) -> Option<(StreamSegment, TransitOutcome)> {
        let segment = self
            .waiting
            .take_front_if(|segment| segment.own.is_some())?;
        let (own_ms, mut delay) = segment.own?;
        self.last_arrival_ms = self.last_arrival_ms.max(own_ms);
        delay.order_ms = self.last_arrival_ms - own_ms;
        let sent = TransitOutcome {
            arrival_ms: Some(self.last_arrival_ms),
            retransmissions: segment.retransmissions,
            delay,
            ..TransitOutcome::default()
        };
        Some((segment, sent))
    }

    /// Removes and returns the bytes of a segment that was sent again by `now_ms`, headers included; `None` if there is none.
    pub(super) fn pop_retransmission(&mut self, now_ms: f64) -> Option<u32> {
        // Without a bottleneck a segment's are known at once, and not in the order of their departure.
        let place = self
            .retransmissions
            .iter()
            .position(|it| it.at_ms <= now_ms)?;
        Some(self.retransmissions.remove(place)?.wire_bytes)
    }

    /// Places of the waiting segments' bytes in the buffer, for changing them.
    pub(super) fn places_mut(&mut self) -> impl Iterator<Item = &mut ByteRange> {
        self.waiting.iter_mut().map(|segment| &mut segment.place)
    }
}
