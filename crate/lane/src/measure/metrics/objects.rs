//! Errors of each object since the lane began.

use serde::Serialize;
use snapshot_base::order;

/// Errors of each object, over the ticks in which it interacted.
#[derive(Clone, Debug, Default)]
pub struct ObjectErrors {
    position_mm: Vec<ErrorSums>,
    orientation_deg: Vec<ErrorSums>,
}

#[derive(Clone, Copy, Debug, Default)]
struct ErrorSums {
    ticks: u32,
    sum: f64,
    max: f64,
}

/// Error of one object over a run, in mm for positions or degrees for orientations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ObjectError {
    /// Index of the object in the motion.
    pub object: u32,
    /// Mean error over the ticks in which the object interacted.
    pub mean: f64,
    /// Greatest error in one tick.
    pub max: f64,
}

impl ObjectErrors {
    pub(crate) fn begin_tick(&mut self, objects: usize) {
        self.position_mm.resize(objects, ErrorSums::default());
        self.orientation_deg.resize(objects, ErrorSums::default());
    }

    pub(crate) fn add(&mut self, object: usize, position_mm: f64, orientation_deg: f64) {
        self.position_mm[object].add(position_mm);
        self.orientation_deg[object].add(orientation_deg);
    }

    /// Returns the objects with the greatest mean distance from the truth, mm: at most `count`, greatest first.
    pub fn most_apart(&self, count: usize) -> Vec<ObjectError> {
        most(&self.position_mm, count)
    }

    /// Returns the objects with the greatest mean angle from the truth, degrees: at most `count`, greatest first.
    pub fn most_turned(&self, count: usize) -> Vec<ObjectError> {
        most(&self.orientation_deg, count)
    }
}

impl ErrorSums {
    fn add(&mut self, error: f64) {
        self.ticks += 1;
        self.sum += error;
        self.max = self.max.max(error);
    }
}

fn most(errors: &[ErrorSums], count: usize) -> Vec<ObjectError> {
    let wrong = (0..).zip(errors).filter(|(_, errors)| errors.max > 0.0);
    let mut wrong: Vec<_> = wrong
        .map(|(object, errors)| ObjectError {
            object,
            mean: errors.sum / f64::from(errors.ticks),
            max: errors.max,
        })
        .collect();
    order::sort_by(&mut wrong, |a, b| b.mean.total_cmp(&a.mean));
    wrong.truncate(count);
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_mean_is_first_and_what_never_erred_is_not_listed() {
        let mut errors = ObjectErrors::default();
        errors.begin_tick(4);
        for (object, position_mm, orientation_deg) in
            [(0, 0.0, 9.0), (1, 10.0, 0.0), (1, 2.0, 0.0), (3, 7.0, 0.5)]
        {
            errors.add(object, position_mm, orientation_deg);
        }
        let error = |object, mean, max| ObjectError { object, mean, max };
        let most_apart = [error(3, 7.0, 7.0), error(1, 6.0, 10.0)];
        assert_eq!(errors.most_apart(6), most_apart);
        assert_eq!(errors.most_turned(1), [error(0, 9.0, 9.0)]);
    }
}
