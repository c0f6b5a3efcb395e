//! The network, one way: latency, jitter, loss, duplication and reordering, in virtual time.
//!
//! Each fault draws from a stream of its own, and for every packet whether it matters or not, so that changing the loss
//! leaves the jitter of every packet as it was.

use crate::random::Stream;

/// No doubling goes beyond it (RFC 6298, 2.5: at least 60 s).
const LONGEST_TIMEOUT_MS: f64 = 60_000.0;

/// What a channel does to packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// Time that a packet travels.
    pub latency_ms: f64,
    /// The latency varies evenly by up to this much either way; it never goes below zero.
    pub jitter_ms: f64,
    /// Share of packets lost, 0 to 0.5.
    pub loss: f64,
    /// Mean length of a loss in packets; 1 is independent loss.
    pub burst_packets: f64,
    /// Share of packets that arrive twice.
    pub duplicated: f64,
    /// Share of packets held back by 1 to 3 send intervals.
    pub reordered: f64,
    /// What a held packet is held by.
    pub send_interval_ms: f64,
    /// A stream as TCP is one, if there is a timeout: everything arrives, once and in order. What is lost is sent again
    /// after the timeout, and after twice as long as before each time that is lost too (RFC 6298, 5.5); all that was sent
    /// after it waits. Neither fast retransmission nor congestion control is in the model: the original's has none.
    pub retransmission_timeout_ms: Option<f64>,
}

/// What has become of the packets so far. `sent = delivered + lost + in flight`; second copies are counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Counters {
    pub sent: u64,
    pub delivered: u64,
    pub lost: u64,
    pub duplicated: u64,
    pub retransmitted: u64,
}

impl Counters {
    /// Packets on their way.
    pub fn in_flight(&self) -> u64 {
        self.sent - self.delivered - self.lost
    }
}

/// Packets on their way from one side to the other.
#[derive(Clone, Debug)]
pub struct Channel {
    conditions: Conditions,
    loss: GilbertElliott,
    jitter: Stream,
    duplication: Stream,
    reordering: Stream,
    retransmission: Stream,
    /// When the last packet of a stream arrives: none overtakes it.
    last_arrival_ms: f64,
    /// Sorted by arrival, the latest first.
    in_flight: Vec<Flight>,
    /// Buffers to be used again, so that steady traffic allocates nothing.
    spare: Vec<Vec<u8>>,
    packet_bytes_max: usize,
    cut: bool,
    counters: Counters,
}

#[derive(Clone, Debug)]
struct Flight {
    arrival_ms: f64,
    copy: bool,
    packet: Vec<u8>,
}

impl Channel {
    /// An empty channel. `direction` keeps the luck of both ways apart under one seed; `packet_bytes_max` is what a
    /// buffer has room for from the beginning.
    pub fn new(
        conditions: Conditions,
        seed: u32,
        direction: u32,
        packet_bytes_max: usize,
    ) -> Channel {
        let stream = |fault: u32| Stream::new(seed, 0x100 + 0x10 * direction + fault);
        Channel {
            conditions,
            loss: GilbertElliott::new(conditions.loss, conditions.burst_packets, stream(0)),
            jitter: stream(1),
            duplication: stream(2),
            reordering: stream(3),
            retransmission: stream(4),
            last_arrival_ms: 0.0,
            in_flight: Vec::new(),
            spare: Vec::new(),
            packet_bytes_max,
            cut: false,
            counters: Counters::default(),
        }
    }

    /// While it is cut nothing enters and nothing leaves: what is sent then or would arrive then is lost. Of a stream, which
    /// loses nothing, it waits.
    pub fn set_cut(&mut self, cut: bool) {
        self.cut = cut;
    }

    /// Whether it is cut.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Sends a packet in `fragments` pieces (at least 1). Each has its own luck: the packet is lost with the first of
    /// them that is, and arrives with the last.
    pub fn send(&mut self, now_ms: f64, packet: &[u8], fragments: u32) {
        self.counters.sent += 1;
        let mut lost = self.cut;
        let mut travel_ms: f64 = 0.0;
        for _ in 0..fragments {
            lost |= self.loss.next_is_lost();
            travel_ms = travel_ms.max(self.travel_ms());
        }
        let duplicated = self.duplication.unit() < self.conditions.duplicated;
        let held = self.reordering.unit() < self.conditions.reordered;
        let held_ms = self.reordering.between(1.0, 3.0) * self.conditions.send_interval_ms;
        let arrival_ms = now_ms + travel_ms + if held { held_ms } else { 0.0 };
        if let Some(timeout_ms) = self.conditions.retransmission_timeout_ms {
            let late_ms = if lost {
                self.retransmit(timeout_ms)
            } else {
                0.0
            };
            self.last_arrival_ms = self.last_arrival_ms.max(arrival_ms + late_ms);
            self.put_in_flight(self.last_arrival_ms, packet, false);
            return;
        }
        if lost {
            self.counters.lost += 1;
            return;
        }
        self.put_in_flight(arrival_ms, packet, false);
        if duplicated {
            let copy_ms = now_ms + self.travel_ms();
            self.put_in_flight(copy_ms.max(arrival_ms), packet, true);
        }
    }

    /// Takes the next packet that has arrived by now into `packet`, and says when it arrived.
    pub fn receive(&mut self, now_ms: f64, packet: &mut Vec<u8>) -> Option<f64> {
        let is_stream = self.conditions.retransmission_timeout_ms.is_some();
        if self.cut && is_stream {
            return None;
        }
        while self.in_flight.last()?.arrival_ms <= now_ms {
            let flight = self.in_flight.pop()?;
            if self.cut {
                self.counters.lost += u64::from(!flight.copy);
                self.spare.push(flight.packet);
                continue;
            }
            return Some(self.deliver(flight, packet));
        }
        None
    }

    fn deliver(&mut self, flight: Flight, packet: &mut Vec<u8>) -> f64 {
        self.spare.push(std::mem::replace(packet, flight.packet));
        if flight.copy {
            self.counters.duplicated += 1;
        } else {
            self.counters.delivered += 1;
        }
        flight.arrival_ms
    }

    /// What has become of the packets so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Sends until it arrives, and says how much later that is than it would have been.
    fn retransmit(&mut self, mut timeout_ms: f64) -> f64 {
        let mut late_ms = 0.0;
        loop {
            late_ms += timeout_ms;
            self.counters.retransmitted += 1;
            // A loss a timeout later is another one: a burst has passed.
            if self.retransmission.unit() >= self.conditions.loss {
                return late_ms;
            }
            timeout_ms = (2.0 * timeout_ms).min(LONGEST_TIMEOUT_MS);
        }
    }

    fn travel_ms(&mut self) -> f64 {
        let Conditions {
            latency_ms,
            jitter_ms,
            ..
        } = self.conditions;
        (latency_ms + self.jitter.between(-jitter_ms, jitter_ms)).max(0.0)
    }

    fn put_in_flight(&mut self, arrival_ms: f64, packet: &[u8], copy: bool) {
        let mut buffer = self
            .spare
            .pop()
            .unwrap_or_else(|| Vec::with_capacity(self.packet_bytes_max));
        buffer.clear();
        buffer.extend_from_slice(packet);
        // Among equals the one sent first arrives first: it has to stand behind the others.
        let at = self
            .in_flight
            .partition_point(|flight| flight.arrival_ms > arrival_ms);
        self.in_flight.insert(
            at,
            Flight {
                arrival_ms,
                copy,
                packet: buffer,
            },
        );
    }
}

/// Loss by a two-state chain (Gilbert-Elliott with loss 0 in the good state and 1 in the bad one).
///
/// Independent loss is the chain whose next state does not depend on the one before.
#[derive(Clone, Debug)]
struct GilbertElliott {
    good_to_bad: f64,
    bad_to_bad: f64,
    bad: bool,
    stream: Stream,
}

impl GilbertElliott {
    fn new(loss: f64, burst_packets: f64, stream: Stream) -> GilbertElliott {
        let (good_to_bad, bad_to_bad) = if burst_packets <= 1.0 {
            (loss, loss)
        } else {
            // Bad lasts burst_packets on average; the stationary share of bad is the loss.
            let bad_to_good = 1.0 / burst_packets;
            (bad_to_good * loss / (1.0 - loss), 1.0 - bad_to_good)
        };
        GilbertElliott {
            good_to_bad,
            bad_to_bad,
            bad: false,
            stream,
        }
    }

    fn next_is_lost(&mut self) -> bool {
        let to_bad = if self.bad {
            self.bad_to_bad
        } else {
            self.good_to_bad
        };
        self.bad = self.stream.unit() < to_bad;
        self.bad
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERFECT: Conditions = Conditions {
        latency_ms: 50.0,
        jitter_ms: 0.0,
        loss: 0.0,
        burst_packets: 1.0,
        duplicated: 0.0,
        reordered: 0.0,
        send_interval_ms: 100.0,
        retransmission_timeout_ms: None,
    };

    /// Numbers of the packets, sent 100 ms apart, in the order and at the times at which they arrive.
    fn arrivals(conditions: Conditions, packets: u32) -> Vec<(u32, f64)> {
        let mut channel = Channel::new(conditions, 1, 0, 4);
        for number in 0..packets {
            channel.send(f64::from(number) * 100.0, &number.to_le_bytes(), 1);
        }
        let mut packet = Vec::new();
        let mut arrivals = Vec::new();
        while let Some(at_ms) = channel.receive(f64::INFINITY, &mut packet) {
            arrivals.push((u32::from_le_bytes(packet[..].try_into().unwrap()), at_ms));
        }
        assert_eq!(channel.counters().in_flight(), 0);
        arrivals
    }

    #[test]
    fn a_perfect_channel_only_delays() {
        let expected: Vec<_> = (0..100).map(|n| (n, f64::from(n) * 100.0 + 50.0)).collect();
        assert_eq!(arrivals(PERFECT, 100), expected);
    }

    #[test]
    fn nothing_arrives_early() {
        let mut channel = Channel::new(PERFECT, 1, 0, 4);
        channel.send(0.0, &[1], 1);
        assert_eq!(channel.receive(49.9, &mut Vec::new()), None);
        assert_eq!(channel.counters().in_flight(), 1);
        assert_eq!(channel.receive(50.0, &mut Vec::new()), Some(50.0));
    }

    #[test]
    fn a_cut_loses_what_enters_and_what_would_leave_and_leaves_the_luck_of_others_alone() {
        let conditions = Conditions {
            loss: 0.2,
            jitter_ms: 20.0,
            ..PERFECT
        };
        let run = |cut: std::ops::Range<u32>| {
            let mut channel = Channel::new(conditions, 1, 0, 4);
            let (mut packet, mut arrived) = (Vec::new(), Vec::new());
            for number in 0..200 {
                let now_ms = f64::from(number) * 10.0;
                channel.set_cut(cut.contains(&number));
                channel.send(now_ms, &number.to_le_bytes(), 1);
                while let Some(at_ms) = channel.receive(now_ms, &mut packet) {
                    arrived.push((u32::from_le_bytes(packet[..].try_into().unwrap()), at_ms));
                }
            }
            let counters = channel.counters();
            assert_eq!(counters.sent, 200);
            assert_eq!(counters.delivered, arrived.len() as u64);
            arrived
        };
        let (whole, cut) = (run(0..0), run(50..100));
        assert!(cut.iter().all(|arrival| whole.contains(arrival)));
        assert!(cut.iter().all(|(_, at_ms)| !(500.0..990.0).contains(at_ms)));
        let expected = whole.iter().filter(|(number, at_ms)| {
            !(50..100).contains(number) && !(490.0..990.0).contains(at_ms)
        });
        assert_eq!(cut.len(), expected.count());
    }

    #[test]
    fn loss_and_its_bursts_are_what_was_asked_for() {
        for burst in [1.0, 2.0, 5.0, 20.0] {
            let mut chain = GilbertElliott::new(0.2, burst, Stream::new(3, 3));
            let lost: Vec<bool> = (0..200_000).map(|_| chain.next_is_lost()).collect();
            let share = lost.iter().filter(|&&lost| lost).count() as f64 / lost.len() as f64;
            let bursts = lost.windows(2).filter(|pair| !pair[0] && pair[1]).count() as f64;
            let mean_burst = share * lost.len() as f64 / bursts;
            // Independent loss of 20 % still has runs: 1 / (1 - 0.2) = 1.25 packets.
            let expected = if burst == 1.0 { 1.25 } else { burst };
            assert!((share - 0.2).abs() < 0.01, "burst {burst}: share {share}");
            assert!(
                (mean_burst / expected - 1.0).abs() < 0.05,
                "burst {burst}: mean {mean_burst}"
            );
        }
    }

    #[test]
    fn each_fault_has_a_stream_of_its_own() {
        let jittered = arrivals(
            Conditions {
                jitter_ms: 20.0,
                ..PERFECT
            },
            500,
        );
        let lossy = arrivals(
            Conditions {
                jitter_ms: 20.0,
                loss: 0.3,
                ..PERFECT
            },
            500,
        );
        assert!(lossy.len() < 400 && lossy.iter().all(|arrival| jittered.contains(arrival)));
    }

    #[test]
    fn duplicates_come_after_and_reordered_packets_are_overtaken() {
        let doubled = arrivals(
            Conditions {
                duplicated: 0.5,
                jitter_ms: 30.0,
                ..PERFECT
            },
            1000,
        );
        assert!((1400..1600).contains(&doubled.len()), "{}", doubled.len());
        let held = arrivals(
            Conditions {
                reordered: 0.1,
                ..PERFECT
            },
            1000,
        );
        let overtaken = held.windows(2).filter(|pair| pair[0].0 > pair[1].0).count();
        assert!((60..140).contains(&overtaken), "{overtaken}");
    }

    #[test]
    fn a_stream_delivers_everything_once_in_order_and_waits_for_what_was_lost() {
        let datagrams = Conditions {
            loss: 0.2,
            jitter_ms: 20.0,
            duplicated: 0.5,
            reordered: 0.3,
            ..PERFECT
        };
        let stream = Conditions {
            retransmission_timeout_ms: Some(200.0),
            ..datagrams
        };
        let arrived = arrivals(stream, 1000);
        assert!(arrived.iter().map(|arrival| arrival.0).eq(0..1000));
        assert!(arrived.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        // What is lost as a datagram is what comes at least a timeout late in the stream; the next one waits for it.
        let came: Vec<u32> = arrivals(datagrams, 1000).iter().map(|a| a.0).collect();
        let lost: Vec<usize> = (0..1000).filter(|n| !came.contains(&(*n as u32))).collect();
        assert!((150..250).contains(&lost.len()), "{}", lost.len());
        let late_ms = |n: usize| arrived[n].1 - n as f64 * 100.0;
        for n in lost {
            assert!(late_ms(n) >= 50.0 - 20.0 + 200.0, "{n}: {}", late_ms(n));
            assert!(n == 999 || arrived[n + 1].1 >= arrived[n].1);
        }
    }

    #[test]
    fn a_stream_that_was_cut_delivers_everything_afterwards() {
        let stream = Conditions {
            retransmission_timeout_ms: Some(200.0),
            ..PERFECT
        };
        let mut channel = Channel::new(stream, 1, 0, 4);
        let (mut packet, mut arrived) = (Vec::new(), Vec::new());
        for number in 0..200_u32 {
            let now_ms = f64::from(number) * 10.0;
            let cut = (50..100).contains(&number);
            channel.set_cut(cut);
            channel.send(now_ms, &number.to_le_bytes(), 1);
            while channel.receive(now_ms, &mut packet).is_some() {
                assert!(!cut);
                arrived.push(u32::from_le_bytes(packet[..].try_into().unwrap()));
            }
        }
        assert!(arrived.len() > 190);
        assert!(
            arrived
                .into_iter()
                .eq(0..channel.counters().delivered as u32)
        );
    }

    #[test]
    fn a_timeout_doubles_with_every_further_loss() {
        let stream = Conditions {
            loss: 0.5,
            retransmission_timeout_ms: Some(1.0),
            ..PERFECT
        };
        // 1 ms apart from each other nothing waits for another: latenesses are those of the timeouts alone.
        let late_ms = arrivals(stream, 2000).into_iter();
        let late_ms: Vec<f64> = late_ms
            .map(|(n, at)| (at - f64::from(n) * 100.0 - 50.0).round())
            .collect();
        for (expected, share) in [(0.0, 0.5), (1.0, 0.25), (3.0, 0.125), (7.0, 0.0625)] {
            let seen = late_ms.iter().filter(|&&ms| ms == expected).count() as f64 / 2000.0;
            assert!((seen - share).abs() < 0.03, "{expected} ms late: {seen}");
        }
        let mut channel = Channel::new(stream, 1, 0, 4);
        (0..1000).for_each(|_| channel.send(0.0, &[0], 1));
        let counters = channel.counters();
        assert_eq!((counters.lost, counters.in_flight()), (0, 1000));
        assert!(
            (900..1100).contains(&counters.retransmitted),
            "{counters:?}"
        );
    }

    #[test]
    fn a_packet_is_lost_with_any_of_its_fragments() {
        let mut channel = Channel::new(
            Conditions {
                loss: 0.1,
                ..PERFECT
            },
            1,
            0,
            1,
        );
        for _ in 0..10_000 {
            channel.send(0.0, &[0], 10);
        }
        let lost = channel.counters().lost as f64 / 10_000.0;
        let expected = 1.0 - libm::pow(0.9, 10.0);
        assert!((lost - expected).abs() < 0.02, "{lost} against {expected}");
    }
}
