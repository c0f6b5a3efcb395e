//! The faults that each packet meets: a function of the seed, the way, the packet's number and the kind of fault, and of nothing else.
//!
//! So no setting shifts another's faults: with more fragments, copies or losses all other packets meet the network as before.
//!
//! The reasons are in `docs/decisions/0011-faults-by-packet-number.md`.

use super::Conditions;
use snapshot_base::random::Keyed;

/// The faults of one way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Faults {
    loss: Keyed,
    jitter: Keyed,
    duplication: Keyed,
    reordering: Keyed,
    retransmission: Keyed,
    chain: Chain,
}

impl Faults {
    /// `direction` keeps the faults of both ways apart under one seed.
    pub(super) fn new(conditions: &Conditions, seed: u32, direction: u32) -> Faults {
        let keyed = |fault: u32| Keyed::new(seed, 0x100 + 0x10 * direction + fault);
        Faults {
            loss: keyed(0),
            jitter: keyed(1),
            duplication: keyed(2),
            reordering: keyed(3),
            retransmission: keyed(4),
            chain: Chain::new(conditions.loss, conditions.burst_packets),
        }
    }

    /// Says whether any of a packet's fragments is lost.
    pub(super) fn is_lost(&self, number: u64, fragments: u32) -> bool {
        if self.chain.never_loses() {
            return false;
        }
        let mut bad = self.is_bad(number);
        // Further fragments go on from the packet's own state; the next packet does not hear of them.
        bad || (1..u64::from(fragments)).any(|fragment| {
            bad = self.chain.next(bad, self.loss.with(number).with(fragment));
            bad
        })
    }

    /// The chain's state at a packet. It is good before the first, and a step a number on, sent or not. Most draws lead to one
    /// state from either, so the walk begins at the newest that does, not at the first packet.
    fn is_bad(&self, number: u64) -> bool {
        let draw = |number: u64| self.loss.with(number).with(0);
        let forgets = |&number: &u64| {
            let draw = draw(number);
            self.chain.next(false, draw) == self.chain.next(true, draw)
        };
        let first = (0..=number).rev().find(forgets).unwrap_or(0);
        (first..=number).fold(false, |bad, number| self.chain.next(bad, draw(number)))
    }

    /// Time that a packet, or its copy, travels: that of its slowest fragment.
    pub(super) fn travel_ms(
        &self,
        conditions: &Conditions,
        number: u64,
        copy: bool,
        fragments: u32,
    ) -> f64 {
        let jitter_ms = conditions.jitter_ms;
        let keyed = self.jitter.with(number).with(u64::from(copy));
        let extra_ms = (0..u64::from(fragments.max(1)))
            .map(|fragment| keyed.with(fragment).between(-jitter_ms, jitter_ms))
            .fold(f64::NEG_INFINITY, f64::max);
        (conditions.latency_ms + extra_ms).max(0.0)
    }

    /// Says whether a packet arrives twice.
    pub(super) fn is_duplicated(&self, conditions: &Conditions, number: u64) -> bool {
        self.duplication.with(number).unit() < conditions.duplicated
    }

    /// Time for which a packet is held back, so that later ones overtake it; 0 for most.
    pub(super) fn held_ms(&self, conditions: &Conditions, number: u64) -> f64 {
        let keyed = self.reordering.with(number);
        if keyed.with(0).unit() < conditions.reordered {
            keyed.with(1).between(1.0, 3.0) * conditions.send_interval_ms
        } else {
            0.0
        }
    }

    /// Says whether its n-th retransmission is lost as well. A timeout later that is a loss of its own: a burst has passed.
    pub(super) fn is_lost_again(&self, conditions: &Conditions, number: u64, nth: u64) -> bool {
        self.retransmission.with(number).with(nth).unit() < conditions.loss
    }
}

/// Loss by a two-state chain (Gilbert-Elliott with loss 0 in the good state and 1 in the bad one).
///
/// Independent loss is the chain whose next state does not depend on the one before.
#[derive(Clone, Copy, Debug)]
struct Chain {
    good_to_bad: f64,
    bad_to_bad: f64,
}

impl Chain {
    fn new(loss: f64, burst_packets: f64) -> Chain {
        if burst_packets <= 1.0 {
            return Chain {
                good_to_bad: loss,
                bad_to_bad: loss,
            };
        }
        // Bad lasts burst_packets on average; the stationary share of bad is the loss.
        let bad_to_good = 1.0 / burst_packets;
        Chain {
            good_to_bad: bad_to_good * loss / (1.0 - loss),
            bad_to_bad: 1.0 - bad_to_good,
        }
    }

    /// It begins in the good state.
    fn never_loses(&self) -> bool {
        self.good_to_bad == 0.0
    }

    fn next(&self, bad: bool, draw: Keyed) -> bool {
        let to_bad = if bad {
            self.bad_to_bad
        } else {
            self.good_to_bad
        };
        draw.unit() < to_bad
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::tests::PERFECT;

    fn faults(loss: f64, burst_packets: f64) -> Faults {
        let conditions = Conditions {
            loss,
            burst_packets,
            ..PERFECT
        };
        Faults::new(&conditions, 3, 0)
    }

    #[test]
    fn loss_and_its_bursts_are_what_was_asked_for() {
        for burst in [1.0, 2.0, 5.0, 20.0] {
            let faults = faults(0.2, burst);
            let lost: Vec<bool> = (0..200_000).map(|n| faults.is_lost(n, 1)).collect();
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
    fn a_burst_is_the_chain_stepped_from_the_first_packet_on() {
        for (loss, burst) in [
            (0.2, 1.0),
            (0.01, 20.0),
            (0.5, 2.0),
            (0.5, 1.5),
            (0.5, 20.0),
        ] {
            let faults = faults(loss, burst);
            let mut bad = false;
            for number in 0..5000 {
                bad = faults.chain.next(bad, faults.loss.with(number).with(0));
                assert_eq!(faults.is_lost(number, 1), bad, "{loss} {burst} {number}");
            }
        }
        assert!((0..5000).all(|number| !faults(0.0, 20.0).is_lost(number, 10)));
    }

    #[test]
    fn jitter_is_even() {
        let conditions = Conditions {
            jitter_ms: 20.0,
            ..PERFECT
        };
        let faults = faults(0.0, 1.0);
        for copy in [false, true] {
            let mut tenths = [0; 10];
            for number in 0..100_000 {
                let travel_ms = faults.travel_ms(&conditions, number, copy, 1);
                tenths[((travel_ms - 30.0) / 4.0) as usize] += 1;
            }
            assert!(
                tenths.iter().all(|tenth| (9_600..10_400).contains(tenth)),
                "{tenths:?}"
            );
        }
    }
}
