//! The bottleneck at the sender: a rate, and a queue that drops a packet which would wait too long.
//!
//! A packet leaves at max(arrival, departure of the one before) + bytes x 8 / rate. So the queue is one number, the instant at
//! which it is empty.

use super::conditions::BottleneckConditions;
use super::neighbour::Neighbour;
use snapshot_base::random::KeyedDraw;

/// Time that a packet spends in the bottleneck.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Passage {
    /// Time in ms spent waiting for earlier packets.
    pub(super) wait_ms: f64,
    /// Time in ms to send the packet itself.
    pub(super) transmission_ms: f64,
}

/// The bottleneck, with a neighbour's download if the conditions have one.
#[derive(Clone, Debug)]
pub(super) struct Bottleneck {
    queue: Queue,
    neighbour: Option<Neighbour>,
}

impl Bottleneck {
    /// Makes a bottleneck with an empty queue, with the key of the neighbour's random periods.
    pub(super) fn new(set: &BottleneckConditions, keyed: KeyedDraw) -> Bottleneck {
        let neighbour = || Neighbour::new(set, keyed);
        Bottleneck {
            queue: Queue {
                rate_kbps: set.rate_kbps,
                longest_ms: set.queue_ms,
                empty_ms: 0.0,
            },
            neighbour: (set.neighbour > 0.0).then(neighbour),
        }
    }

    /// Puts a packet of `bytes`, headers included, into the queue; times must rise from call to call. `None` if the queue
    /// drops it. A packet that is `forced` enters even a full queue.
    pub(super) fn enter(&mut self, at_ms: f64, bytes: u32, forced: bool) -> Option<Passage> {
        let queue = &mut self.queue;
        if let Some(neighbour) = &mut self.neighbour {
            neighbour.advance(at_ms, |at_ms, bytes| {
                let passage = queue.enter(at_ms, bytes, false)?;
                Some(at_ms + passage.wait_ms + passage.transmission_ms)
            });
        }
        queue.enter(at_ms, bytes, forced)
    }

    /// Copies the queue length of the bottleneck `before`.
    pub(super) fn follow(&mut self, before: &Bottleneck) {
        self.queue.empty_ms = before.queue.empty_ms;
    }
}

#[derive(Clone, Debug)]
struct Queue {
    rate_kbps: f64,
    longest_ms: f64,
    /// Time at which the newest packet will have left, ms.
    empty_ms: f64,
}

impl Queue {
    fn enter(&mut self, at_ms: f64, bytes: u32, forced: bool) -> Option<Passage> {
        let wait_ms = (self.empty_ms - at_ms).max(0.0);
        if wait_ms > self.longest_ms && !forced {
            return None;
        }
        let start_ms = self.empty_ms.max(at_ms);
        let transmission_ms = f64::from(bytes) * 8.0 / self.rate_kbps;
        self.empty_ms = start_ms + transmission_ms;
        Some(Passage {
            wait_ms,
            transmission_ms,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bottleneck(rate_kbps: f64, queue_ms: f64) -> Bottleneck {
        let conditions = BottleneckConditions {
            rate_kbps,
            queue_ms,
            neighbour: 0.0,
            neighbour_round_trip_ms: 0.0,
        };
        Bottleneck::new(&conditions, KeyedDraw::new(1, 0))
    }

    /// Packets of one size at k times the rate: the wait grows by (k - 1) ms a ms up to the queue's length. Then 1 - 1/k of
    /// the packets are dropped.
    #[test]
    fn overload_fills_the_queue_and_then_drops_the_excess() {
        for (k, queue_ms) in [(1.25, 500.0), (2.0, 300.0), (4.0, 2000.0)] {
            // 64 bytes each ms are 512 kbit/s.
            let mut bottleneck = bottleneck(512.0 / k, queue_ms);
            let full_ms = queue_ms / (k - 1.0);
            let (mut dropped, mut after) = (0, 0);
            for at in 0..60_000 {
                let at_ms = f64::from(at);
                let passage = bottleneck.enter(at_ms, 64, false);
                if at_ms < full_ms {
                    let wait_ms = passage.expect("the queue is not full yet").wait_ms;
                    let expected_ms = (k - 1.0) * at_ms;
                    assert!((wait_ms - expected_ms).abs() <= 1e-6 + 0.01 * expected_ms);
                } else {
                    after += 1;
                    dropped += u32::from(passage.is_none());
                    let wait_ms = passage.map_or(queue_ms, |passage| passage.wait_ms);
                    assert!(
                        (wait_ms - queue_ms).abs() <= 0.01 * queue_ms + k,
                        "{wait_ms}"
                    );
                }
            }
            let share = f64::from(dropped) / f64::from(after);
            let expected = 1.0 - 1.0 / k;
            assert!((share - expected).abs() < 0.01 * expected, "{share} at {k}");
        }
    }

    #[test]
    fn below_the_rate_nothing_waits_and_a_burst_waits_for_itself() {
        let mut bottleneck = bottleneck(256.0, 100.0);
        // 320 bytes take 10 ms.
        for at in [0.0, 10.0, 25.0, 1000.0] {
            let passage = bottleneck.enter(at, 320, false).unwrap();
            assert_eq!((passage.wait_ms, passage.transmission_ms), (0.0, 10.0));
        }
        let waits = (0..20).map(|_| bottleneck.enter(2000.0, 320, false));
        let waits: Vec<_> = waits.map(|it| it.map(|it| it.wait_ms)).collect();
        assert!((0..11).all(|place| waits[place] == Some(10.0 * place as f64)));
        assert_eq!(waits[11..], [None; 9]);
        // By hand it enters all the same, and whatever its size.
        let forced = bottleneck.enter(2000.0, 3200, true).unwrap();
        assert_eq!((forced.wait_ms, forced.transmission_ms), (110.0, 100.0));
        assert_eq!(bottleneck.enter(2000.0, 1, false), None);
        assert_eq!(bottleneck.enter(2110.0, 1, false).unwrap().wait_ms, 100.0);
    }

    #[test]
    fn a_neighbour_fills_the_queue_in_its_periods_alone() {
        let conditions = BottleneckConditions {
            rate_kbps: 5000.0,
            queue_ms: 100.0,
            neighbour: 0.5,
            neighbour_round_trip_ms: 40.0,
        };
        let mut bottleneck = Bottleneck::new(&conditions, KeyedDraw::new(3, 0));
        let (mut busy, mut idle) = (0, 0);
        for period in 0..40 {
            let waits = (0..600).map(|n| {
                let at_ms = f64::from(period) * 10_000.0 + f64::from(n) * 1000.0 / 60.0;
                let passage = bottleneck.enter(at_ms, 100, true).unwrap();
                (n, passage.wait_ms)
            });
            // The queue of the period before drains first.
            let longest_ms = waits.filter(|(n, _)| *n >= 12).map(|(_, ms)| ms);
            let longest_ms = longest_ms.fold(0.0, f64::max);
            busy += u32::from(longest_ms > 90.0);
            idle += u32::from(longest_ms == 0.0);
        }
        assert_eq!(busy + idle, 40);
        assert!((12..=28).contains(&busy), "{busy}");
    }
}
