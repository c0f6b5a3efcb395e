//! The choice of the objects that a packet has room for.

/// An object that a client lacks, with what decides its turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) slot: u16,
    /// 0 for an object that the client has, 1 for one that came, ended or jumped, 2 for one that the game calls urgent.
    pub(crate) urgency: u8,
    /// Priority a second, times the seconds since the object's last state was sent: the accumulator of the articles'
    /// "State Synchronization", Priority Accumulator.
    pub(crate) score: f32,
}

/// Moves the `count` first candidates to the front: the most urgent ones, and of those the ones with the greatest scores.
/// Slots decide between equal ones. Returns them.
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
