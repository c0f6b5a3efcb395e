//! The faults that each packet meets: a function of the seed, the direction, the packet's number and the kind of fault alone.
//!
//! So no setting shifts the faults of another: with more fragments, copies or losses all other packets meet the same network.
//!
//! The reasons are in `docs/decisions/0011-faults-by-packet-number.md`.

use super::Conditions;
use super::draws::{Draws, Use};
use super::shapes::DelayShape;
use snapshot_base::random::KeyedDraw;

#[derive(Clone, Copy, Debug)]
pub(super) struct Faults {
    pub(super) conditions: Conditions,
    loss: KeyedDraw,
    jitter: KeyedDraw,
    duplication: KeyedDraw,
    reordering: KeyedDraw,
    retransmission: KeyedDraw,
    correlation: KeyedDraw,
    survival: KeyedDraw,
    chain: BurstState,
}

impl Faults {
    /// Makes the faults of a direction.
    pub(super) fn new(conditions: &Conditions, draws: Draws) -> Faults {
        Faults {
            conditions: *conditions,
            loss: draws.of(Use::Loss),
            jitter: draws.of(Use::Jitter),
            duplication: draws.of(Use::Duplication),
            reordering: draws.of(Use::Reordering),
            retransmission: draws.of(Use::Retransmission),
            correlation: draws.of(Use::Correlation),
            survival: draws.of(Use::Survival),
            chain: BurstState::new(conditions),
        }
    }

    /// Draws a packet's state: whether it falls into a burst, and whether any of its fragments is lost.
    pub(super) fn state(&self, number: u64, fragments: u32) -> PacketState {
        let mut bad = self.is_bad(number);
        let mut state = PacketState::default();
        for fragment in 0..u64::from(fragments.max(1)) {
            // Further fragments go on from the packet's own state; the next packet does not hear of them.
            if fragment > 0 {
                bad = self.chain.next(bad, self.loss.with(number).with(fragment));
            }
            let draw = self.survival.with(number).with(fragment);
            state.is_bad |= bad;
            state.is_lost |= bad && draw.unit() < self.conditions.burst_loss;
        }
        state
    }

    /// Returns true if the burst chain is in its bad state at a packet. The chain begins good, and makes a step for each
    /// number, sent or not. Most random numbers lead from either state to the same one, so the walk begins at the newest such
    /// number, not at the first packet.
    fn is_bad(&self, number: u64) -> bool {
        let draw = |number: u64| self.loss.with(number).with(0);
        let forgets = |&number: &u64| {
            let draw = draw(number);
            self.chain.next(false, draw) == self.chain.next(true, draw)
        };
        let first = (0..=number).rev().find(forgets).unwrap_or(0);
        (first..=number).fold(false, |bad, number| self.chain.next(bad, draw(number)))
    }

    /// Returns true if a packet is duplicated, so that it arrives twice.
    pub(super) fn is_duplicated(&self, number: u64) -> bool {
        self.duplication.with(number).unit() < self.conditions.duplicated
    }

    /// Time for which a reordered packet is held back, ms; 0 for most packets.
    pub(super) fn held_ms(&self, number: u64) -> f64 {
        let keyed = self.reordering.with(number);
        if keyed.with(0).unit() < self.conditions.reordered {
            keyed.with(1).between(1.0, 3.0) * self.conditions.send_interval_ms
        } else {
            0.0
        }
    }

    /// Returns true if a packet's n-th retransmission is lost, too. By then a burst is over, so this loss is independent.
    pub(super) fn is_lost_again(&self, number: u64, nth: u64) -> bool {
        self.retransmission.with(number).with(nth).unit() < self.conditions.loss
    }

    /// Travel time of a packet or of its copy, ms: that of the slowest fragment.
    pub(super) fn travel_ms(&self, number: u64, copy: bool, fragments: u32) -> f64 {
        let keyed = self.jitter.with(self.drawn_for(number));
        let keyed = keyed.with(u64::from(copy));
        let extra_ms = (0..u64::from(fragments.max(1)))
            .map(|fragment| extra_ms(&self.conditions, keyed.with(fragment)))
            .fold(f64::NEG_INFINITY, f64::max);
        let travel_ms = (self.conditions.latency_ms + extra_ms).max(0.0);
        travel_ms.min(self.conditions.longest_ms.unwrap_or(f64::INFINITY))
    }

    /// Returns the number of the packet whose random delay this packet uses. It is the packet itself or, with the correlation's
    /// probability, the packet before it.
    fn drawn_for(&self, mut number: u64) -> u64 {
        let correlation = self.conditions.correlation;
        if correlation > 0.0 {
            while number > 0 && self.correlation.with(number).unit() < correlation {
                number -= 1;
            }
        }
        number
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PacketState {
    /// True if the packet falls into a burst.
    pub(super) is_bad: bool,
    pub(super) is_lost: bool,
}

/// A two-state chain for bursts of losses (Gilbert-Elliott with loss 0 in the good state).
///
/// Independent loss is the chain whose next state does not depend on the one before.
#[derive(Clone, Copy, Debug)]
struct BurstState {
    good_to_bad: f64,
    bad_to_bad: f64,
}

impl BurstState {
    fn new(conditions: &Conditions) -> BurstState {
        let share = (conditions.loss / conditions.burst_loss).min(1.0);
        if conditions.burst_packets <= 1.0 {
            return BurstState {
                good_to_bad: share,
                bad_to_bad: share,
            };
        }
        // Bad lasts burst_packets on average, or longer where the good state has no room for so many bursts.
        let bad_to_good = (1.0 / conditions.burst_packets).min((1.0 - share) / share);
        BurstState {
            good_to_bad: if share < 1.0 {
                bad_to_good * share / (1.0 - share)
            } else {
                1.0
            },
            bad_to_bad: 1.0 - bad_to_good,
        }
    }

    fn next(&self, bad: bool, draw: KeyedDraw) -> bool {
        let to_bad = if bad {
            self.bad_to_bad
        } else {
            self.good_to_bad
        };
        draw.unit() < to_bad
    }
}

/// Half the step between two values of a random number. It is added to avoid 0 and 1, where some shapes are infinite.
const HALF_STEP: f64 = 0.5 / (1_u64 << 32) as f64;

fn extra_ms(conditions: &Conditions, draw: KeyedDraw) -> f64 {
    let jitter_ms = conditions.jitter_ms;
    match conditions.shape {
        DelayShape::Uniform => draw.between(-jitter_ms, jitter_ms),
        _ if jitter_ms == 0.0 => 0.0,
        shape => jitter_ms * shape.quantile(draw.unit() + HALF_STEP),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::tests::PERFECT;

    fn draws(seed: u32) -> Draws {
        let direction = 0;
        Draws { seed, direction }
    }

    fn faults(loss: f64, burst_packets: f64) -> Faults {
        let conditions = Conditions {
            loss,
            burst_packets,
            ..PERFECT
        };
        Faults::new(&conditions, draws(3))
    }

    fn is_lost(faults: &Faults, number: u64, fragments: u32) -> bool {
        faults.state(number, fragments).is_lost
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
                assert_eq!(is_lost(&faults, number, 1), bad, "{loss} {burst} {number}");
            }
        }
        assert!((0..5000).all(|number| !is_lost(&faults(0.0, 20.0), number, 10)));
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn the_bad_state_loses_its_share_and_lasts_as_long_as_was_set() {
        for (loss, burst, burst_loss) in [
            (0.03, 5.67, 1.0),
            (0.2, 20.0, 1.0),
            (0.2, 1.0, 1.0),
            (0.03, 5.67, 0.3),
            (0.2, 4.0, 0.5),
            (0.5, 2.0, 0.6),
            (0.1, 1.0, 0.25),
            (0.3, 3.0, 0.3),
            (0.4, 3.0, 0.1),
        ] {
            let conditions = Conditions {
                loss,
                burst_packets: burst,
                burst_loss,
                ..PERFECT
            };
            let faults = Faults::new(&conditions, draws(3));
            let states = (0..1_000_000).map(|number| faults.state(number, 1));
            let states: Vec<PacketState> = states.collect();
            let count =
                |is: fn(&PacketState) -> bool| states.iter().filter(|it| is(it)).count() as f64;
            let (lost, bad) = (count(|it| it.is_lost) / 1e6, count(|it| it.is_bad) / 1e6);
            let share = (loss / burst_loss).min(1.0);
            assert!((bad / share - 1.0).abs() < 0.02, "{bad} bad for {share}");
            let expected = loss.min(burst_loss);
            assert!(
                (lost / expected - 1.0).abs() < 0.02,
                "{lost} lost for {expected}"
            );
            let bursts = states
                .windows(2)
                .filter(|two| !two[0].is_bad && two[1].is_bad);
            let mean = bad * 1e6 / bursts.count() as f64;
            let longer = share / (1.0 - share);
            let expected = if burst == 1.0 {
                1.0 / (1.0 - share)
            } else {
                burst.max(longer)
            };
            assert!(
                share == 1.0 || (mean / expected - 1.0).abs() < 0.02,
                "{mean} for {expected}"
            );
        }
    }

    #[test]
    fn no_packet_travels_longer_than_the_longest_delay() {
        let conditions = Conditions {
            latency_ms: 14.0,
            jitter_ms: 20.0,
            shape: DelayShape::Lognormal,
            longest_ms: Some(250.0),
            ..Conditions::PERFECT
        };
        let faults = Faults::new(&conditions, draws(1));
        let travels = (0..100_000).map(|number| faults.travel_ms(number, false, 1));
        let travels: Vec<f64> = travels.collect();
        let longest = travels.iter().filter(|it| **it == 250.0).count();
        // The share above 236 ms of lognormal jitter: ln(236 / 20) is 1.97 sigma.
        assert!((2_200..2_700).contains(&longest), "{longest}");
        assert!(travels.iter().all(|travel_ms| *travel_ms <= 250.0));
    }
}
