//! The slope of the fastest packets' lags: how much slower the sender's ticks run than the receiver's clock.

use super::sender::{Lag, Pause};

/// Upper limit of the number of spans of time. The slope is drawn through the fastest packet of each span.
const MOST_SPANS: usize = 16;
const LEAST_SPANS: usize = 6;
/// A slope counts only if it has moved the packets by at least this many times their spread.
const SURE: f64 = 4.0;

/// The fastest packet of each of several equal spans of time. Spans double in length when there are too many, up to a longest
/// one.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    fastest: Vec<Lag>,
    span_ms: f64,
    longest_ms: f64,
    /// Lower limit of the assumed spread of the packets about the line through them, ticks.
    least_spread: f64,
}

impl Envelope {
    pub(super) fn new(span_ms: f64, longest_ms: f64, least_spread: f64) -> Envelope {
        Envelope {
            fastest: Vec::with_capacity(MOST_SPANS + 1),
            span_ms,
            longest_ms,
            least_spread,
        }
    }

    /// Replaces the packets and the span length by copies of `other`'s.
    pub(super) fn begin_with(&mut self, other: &Envelope) {
        self.fastest.clone_from(&other.fastest);
        self.span_ms = other.span_ms;
    }

    /// The lags of the fastest packets, for changing them.
    pub(super) fn lags(&mut self) -> &mut [Lag] {
        &mut self.fastest
    }

    /// Takes a packet, and keeps it if it is the fastest of its span; returns true if it begins a new span.
    pub(super) fn on_packet(&mut self, now: Lag, rate: f64) -> bool {
        let last = self.fastest.last_mut();
        let span_ms = self.span_ms;
        if let Some(last) = last.filter(|it| is_of(it, now.at_ms, span_ms)) {
            if now.ticks < last.at(now.at_ms, rate) {
                *last = now;
            }
            return false;
        }
        // Packets that are further apart than a doubled span are no fewer for it.
        while self.fastest.len() >= MOST_SPANS && self.span_ms < self.longest_ms {
            self.span_ms *= 2.0;
            let span_ms = self.span_ms;
            self.fastest.dedup_by(|next, kept| {
                let is_same = is_of(kept, next.at_ms, span_ms);
                if is_same && next.ticks < kept.at(next.at_ms, rate) {
                    *kept = *next;
                }
                is_same
            });
        }
        if self.fastest.len() >= MOST_SPANS {
            self.fastest.remove(0);
        }
        self.fastest.push(now);
        true
    }

    /// Returns the median slope of all pairs of packets (Theil-Sen estimator), or `None` if `rate` may be the true slope. The
    /// difference between that slope and `rate` must have moved the packets by several times their spread. A jump of the delay
    /// or a queue hardly changes the median.
    pub(super) fn slope_beside(
        &self,
        rate: f64,
        pause: Pause,
        sorted: &mut Vec<f64>,
    ) -> Option<f64> {
        let [first, .., last] = self.fastest[..] else {
            return None;
        };
        if self.fastest.len() < LEAST_SPANS {
            return None;
        }
        sorted.clear();
        for (place, to) in self.fastest.iter().enumerate() {
            let slope = |from: &Lag| {
                let ticks = pause.after(*to) - pause.after(*from);
                ticks / (to.at_ms - from.at_ms)
            };
            let earlier = self.fastest[..place].iter();
            sorted.extend(earlier.filter(|it| it.at_ms < to.at_ms).map(slope));
        }
        let slope = median(sorted);
        sorted.clear();
        let starts = self.fastest.iter();
        sorted.extend(starts.map(|it| pause.after(*it) - slope * it.at_ms));
        let middle = median(sorted);
        for ticks in &mut *sorted {
            *ticks = (*ticks - middle).abs();
        }
        let sure = SURE * median(sorted).max(self.least_spread);
        Some(slope).filter(|_| (slope - rate).abs() * (last.at_ms - first.at_ms) >= sure)
    }

    pub(super) fn held_bytes(&self) -> usize {
        self.fastest.capacity() * size_of::<Lag>()
    }
}

/// Upper limit of the number of slopes of an envelope: one for each pair of spans.
pub(super) const MOST_SLOPES: usize = MOST_SPANS * (MOST_SPANS - 1) / 2;

/// Returns true if the instant `at_ms` lies in the span of a lag's packet, or before that span.
pub(super) fn is_of(lag: &Lag, at_ms: f64, span_ms: f64) -> bool {
    libm::floor(lag.at_ms / span_ms) >= libm::floor(at_ms / span_ms)
}

/// Returns the median; 0 of no values.
fn median(values: &mut [f64]) -> f64 {
    sort(values);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Sorts a few values, the least first. Inserting each takes less code than the library's sort.
pub(super) fn sort(values: &mut [f64]) {
    for end in 1..values.len() {
        for at in (1..=end).rev() {
            if values[at - 1].total_cmp(&values[at]).is_le() {
                break;
            }
            values.swap(at - 1, at);
        }
    }
}
