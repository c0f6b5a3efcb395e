//! The choice of the objects that go into a partial packet.

/// An object whose newest state a client lacks, with its urgency and score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) slot: u16,
    /// 0 for a changed object, 1 for one that appeared, ended or jumped, 2 for one with an infinite priority.
    pub(crate) urgency: u8,
    /// Priority a second, times the seconds since the object's last state was sent. It is the priority accumulator of Fiedler's
    /// "State Synchronization".
    pub(crate) score: f32,
}

/// Moves the `count` best candidates to the front, and returns them. The most urgent are the best; of equal urgency those with
/// the greatest scores, then those with the lowest slots.
pub(crate) fn choose(candidates: &mut [Candidate], count: usize) -> &mut [Candidate] {
    let count = count.min(candidates.len());
    if count > 0 && count < candidates.len() {
        candidates.select_nth_unstable_by(count - 1, |a, b| {
            (b.urgency.cmp(&a.urgency))
                .then(b.score.total_cmp(&a.score))
                .then(a.slot.cmp(&b.slot))
        });
    }
    &mut candidates[..count]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urgent_objects_come_first_then_those_with_the_greatest_score() {
        let of = |slot, urgency, score| Candidate {
            slot,
            urgency,
            score,
        };
        let mut candidates = [
            of(0, 0, 9.0),
            of(1, 1, 0.5),
            of(2, 0, 3.0),
            of(3, 2, 0.1),
            of(4, 0, 9.0),
        ];
        for (count, slots) in [
            (1, vec![3]),
            (2, vec![1, 3]),
            (3, vec![0, 1, 3]),
            (9, vec![0, 1, 2, 3, 4]),
        ] {
            let chosen = choose(&mut candidates, count);
            let mut chosen: Vec<_> = chosen.iter().map(|it| it.slot).collect();
            chosen.sort_unstable();
            assert_eq!(chosen, slots);
        }
    }
}
