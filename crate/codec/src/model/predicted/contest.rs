//! Contests of expectations: decoded packets show both ends which of several was nearest lately.
//!
//! The tables know the motions that they were trained on. Of others a plain rival knows more: moving on as before, or as
//! the neighbours. Both ends look back at the same errors, so they pick the same rival.

/// Rivals for a value; the first is the tables' expectation.
pub(super) const RIVALS: usize = 5;

/// A rival replaces the tables' expectation only if its loss is less by so much.
const MARGIN: f32 = 0.05;
/// A mean moves by 1 / so many, at first and after many values.
const FIRST_LOSSES: f32 = 11.0;
const MOST_LOSSES: f32 = 70.0;
const FIRST_BIASES: f32 = 4.0;
const MOST_BIASES: f32 = 40.0;

/// The running record of five rivals for the same value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contest {
    /// Mean loss of each, less that of the first.
    losses: [f32; RIVALS],
    /// Mean error of each; used by contests that correct their rivals.
    biases: [f32; RIVALS],
    /// Values so far, as far as they matter.
    values: f32,
}

impl Contest {
    /// Begins with so much more loss for all rivals but the first.
    pub(super) fn new(head_start: f32) -> Self {
        let mut losses = [head_start; RIVALS];
        losses[0] = 0.0;
        Self {
            losses,
            biases: [0.0; RIVALS],
            values: 0.0,
        }
    }

    /// Picks the rival of the least mean loss.
    pub(super) fn pick(&self, rivals: &[f32; RIVALS]) -> f32 {
        let (mut best, mut least) = (0, -MARGIN);
        for (at, &loss) in self.losses.iter().enumerate().skip(1) {
            if loss < least {
                (best, least) = (at, loss);
            }
        }
        rivals[best]
    }

    /// Corrects each rival but the first by its mean error.
    pub(super) fn corrected(&self, rivals: &[f32; RIVALS]) -> [f32; RIVALS] {
        core::array::from_fn(|i| rivals[i] + self.biases[i])
    }

    /// Takes each rival's loss.
    pub(super) fn score(&mut self, losses: [f32; RIVALS]) {
        let rate = 1.0 / (self.values + FIRST_LOSSES).min(MOST_LOSSES);
        for (mean, loss) in self.losses.iter_mut().zip(losses) {
            *mean += (loss - losses[0] - *mean) * rate;
        }
        self.values = (self.values + 1.0).min(MOST_LOSSES);
    }

    /// Takes the value that the rivals had stood for, to correct all but the first.
    pub(super) fn correct(&mut self, rivals: &[f32; RIVALS], value: f32) {
        let rate = 1.0 / (self.values + FIRST_BIASES).min(MOST_BIASES);
        for (bias, rival) in self.biases.iter_mut().zip(rivals).skip(1) {
            *bias += (value - rival - *bias) * rate;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(head_start: f32, values: usize) -> Contest {
        let mut contest = Contest::new(head_start);
        (0..values).for_each(|_| contest.score([3.0, 2.0, 3.2, 2.5, 3.0]));
        contest
    }

    #[test]
    fn a_rival_that_is_nearer_for_long_is_picked_and_one_that_is_not_is_not() {
        let rivals = [0.0, 1.0, 2.0, 3.0, 4.0];
        for head_start in [0.0, 1.0] {
            assert_eq!(scored(head_start, 0).pick(&rivals), 0.0);
            assert_eq!(scored(head_start, 100).pick(&rivals), 1.0);
        }
        let even = |contest: &mut Contest| contest.score([3.0, 2.95, 3.0, 3.0, 3.0]);
        let mut contest = Contest::new(0.0);
        (0..100).for_each(|_| even(&mut contest));
        assert_eq!(contest.pick(&rivals), 0.0, "within the margin");
    }

    #[test]
    fn without_a_head_start_a_rival_is_believed_sooner() {
        let picked_after = |head_start: f32| {
            let others =
                |&values: &usize| scored(head_start, values).pick(&[0.0, 1.0, 2.0, 3.0, 4.0]) > 0.0;
            (0..100).find(others)
        };
        assert!(picked_after(0.0) < picked_after(1.0));
    }

    #[test]
    fn biases_approach_the_mean_error_and_leave_the_first_rival() {
        let mut contest = Contest::new(0.0);
        let rivals = [1.0, 1.0, 4.0, 0.0, 2.0];
        for _ in 0..300 {
            contest.correct(&rivals, 3.0);
            contest.score([0.0; RIVALS]);
        }
        let [first, others @ ..] = contest.corrected(&rivals);
        assert_eq!(first, 1.0);
        assert!(others.into_iter().all(|other| (other - 3.0).abs() < 1e-3));
    }
}
