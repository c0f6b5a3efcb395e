//! The choice of the objects that go into a partial packet.

use std::cmp::Ordering;

/// Share of a packet's objects that are chosen by their age alone. So each object with a priority above 0 is sent within eight
/// rounds, a round being the time that the budget takes to send all waiting objects once.
const AGED_SHARE: f64 = 1.0 / 8.0;

/// An object whose newest state a client lacks, with its urgency and score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) slot: u16,
    /// 0 for a changed object, 1 for one that appeared, ended or jumped, 2 for one with an infinite priority.
    pub(crate) urgency: u8,
    /// Priority a second, times the seconds since the object's last state was sent. It is the priority accumulator of Fiedler's
    /// "State Synchronization".
    pub(crate) score: f32,
    /// Ticks since the object's last state was sent, or since it appeared. 0 for an object with a priority of 0.
    pub(crate) age_ticks: u32,
}

/// The choice of objects for one client's packets. A part of each packet goes to the oldest objects, so that no priority
/// starves another.
#[derive(Debug, Default)]
pub(crate) struct Chooser {
    /// Part of an object that the oldest ones are still owed from earlier packets, below 1.
    owed: f64,
}

impl Chooser {
    /// Moves the `count` best candidates to the front, and returns them. The most urgent are the best; of equal urgency those
    /// with the greatest scores, then the oldest, then those with the lowest slots. An eighth of them are the oldest of the
    /// others.
    pub(crate) fn choose<'a>(
        &self,
        candidates: &'a mut [Candidate],
        count: usize,
    ) -> &'a mut [Candidate] {
        let count = count.min(candidates.len());
        if count < candidates.len() {
            let best = count - self.aged(count);
            select(candidates, best, |a, b| {
                (b.urgency.cmp(&a.urgency))
                    .then(b.score.total_cmp(&a.score))
                    .then(b.age_ticks.cmp(&a.age_ticks))
                    .then(a.slot.cmp(&b.slot))
            });
            select(&mut candidates[best..], count - best, |a, b| {
                (b.age_ticks.cmp(&a.age_ticks)).then(a.slot.cmp(&b.slot))
            });
        }
        &mut candidates[..count]
    }

    /// Number of a packet's objects that are chosen by their age.
    fn aged(&self, count: usize) -> usize {
        ((AGED_SHARE * count as f64 + self.owed) as usize).min(count)
    }

    /// Notes that a packet with so many chosen objects is sent, of `waiting` ones.
    pub(crate) fn on_sent(&mut self, count: usize, waiting: usize) {
        let owed = AGED_SHARE * count as f64 + self.owed - self.aged(count) as f64;
        self.owed = if count < waiting { owed } else { 0.0 };
    }
}

/// Moves the first `count` candidates of an order to the front.
fn select(
    candidates: &mut [Candidate],
    count: usize,
    order: impl FnMut(&Candidate, &Candidate) -> Ordering,
) {
    if count > 0 && count < candidates.len() {
        candidates.select_nth_unstable_by(count - 1, order);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(slot: u16, urgency: u8, score: f32, age_ticks: u32) -> Candidate {
        Candidate {
            slot,
            urgency,
            score,
            age_ticks,
        }
    }

    fn chosen(chooser: &Chooser, candidates: &mut [Candidate], count: usize) -> Vec<u16> {
        let chosen = chooser.choose(candidates, count).iter();
        let mut chosen: Vec<_> = chosen.map(|it| it.slot).collect();
        chosen.sort_unstable();
        chosen
    }

    #[test]
    fn urgent_objects_come_first_then_those_with_the_greatest_score() {
        let mut candidates = [
            candidate(0, 0, 9.0, 3),
            candidate(1, 1, 0.5, 3),
            candidate(2, 0, 3.0, 3),
            candidate(3, 2, 0.1, 3),
            candidate(4, 0, 9.0, 4),
        ];
        for (count, slots) in [
            (1, vec![3]),
            (2, vec![1, 3]),
            (3, vec![1, 3, 4]),
            (9, vec![0, 1, 2, 3, 4]),
        ] {
            let chooser = Chooser::default();
            assert_eq!(chosen(&chooser, &mut candidates, count), slots);
        }
    }

    #[test]
    fn an_eighth_of_the_chosen_are_the_oldest() {
        let mut chooser = Chooser::default();
        let mut by_age = 0;
        for _ in 0..80 {
            // Infinite priorities at the front, and a few others that are old.
            let mut candidates: Vec<_> = (0..100)
                .map(|slot| match slot < 90 {
                    true => candidate(slot, 2, f32::INFINITY, 1),
                    false => candidate(slot, 0, 0.0, 10),
                })
                .collect();
            let slots = chosen(&chooser, &mut candidates, 3);
            by_age += slots.iter().filter(|slot| **slot >= 90).count();
            chooser.on_sent(3, candidates.len());
        }
        assert_eq!(by_age, 30);
    }
}
