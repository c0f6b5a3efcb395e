//! The trials of many people, pooled into one curve for each test: the share of right answers at each level.

use super::outcome::Outcome;
use super::session::{Session, Test};
use super::trials::Trial;
use serde::Serialize;
use snapshot_base::order;

/// Half the width of a 95 % interval of a normal distribution, in standard deviations.
const Z: f64 = 1.959_963_984_540_054;

/// Share of right answers at one level of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LevelShare {
    pub level: f64,
    pub right: usize,
    pub trials: usize,
    /// Share of right answers.
    pub share: f64,
    /// The 95 % interval of the share (Wilson 1927).
    pub interval: [f64; 2],
}

/// The pooled trials of one test, from all files.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pool {
    pub test: &'static str,
    /// Number of files with trials of the test.
    pub files: usize,
    /// Number of trials that are left out: frames were not shown in time, or no graphics card drew them.
    pub left_out: usize,
    /// Number of different settings that were tested.
    pub links: usize,
    pub levels: Vec<LevelShare>,
    pub outcome: Outcome,
}

/// Pools the trials of files by test, in the order in which tests first appear.
pub fn pool(files: &[Vec<Trial>]) -> Vec<Pool> {
    let mut tests: Vec<Test> = Vec::new();
    for trial in files.iter().flatten() {
        if !tests.contains(&trial.test) {
            tests.push(trial.test);
        }
    }
    tests.into_iter().map(|test| of_test(test, files)).collect()
}

fn of_test(test: Test, files: &[Vec<Trial>]) -> Pool {
    let own = |file: &&Vec<Trial>| file.iter().any(|trial| trial.test == test);
    let trials: Vec<_> = files
        .iter()
        .flatten()
        .filter(|trial| trial.test == test)
        .collect();
    let counted = || trials.iter().copied().filter(|trial| trial.is_trusted());
    let mut levels = order::sorted(counted().map(|trial| trial.level));
    levels.dedup();
    let mut links: Vec<_> = trials.iter().map(|trial| &trial.link).collect();
    order::sort_by(&mut links, |one, other| one.cmp(other));
    links.dedup();
    Pool {
        test: test.id(),
        files: files.iter().filter(own).count(),
        left_out: trials.len() - counted().count(),
        links: links.len(),
        levels: levels
            .into_iter()
            .map(|level| {
                let at = || counted().filter(move |trial| trial.level == level);
                share(
                    level,
                    at().filter(|trial| trial.is_right()).count(),
                    at().count(),
                )
            })
            .collect(),
        outcome: Session::new(test, 0, counted().cloned().collect()).outcome(),
    }
}

fn share(level: f64, right: usize, trials: usize) -> LevelShare {
    let count = trials as f64;
    let share = right as f64 / count;
    let middle = (share + Z * Z / (2.0 * count)) / (1.0 + Z * Z / count);
    let half = Z / (1.0 + Z * Z / count)
        * (share * (1.0 - share) / count + Z * Z / (4.0 * count * count)).sqrt();
    LevelShare {
        level,
        right,
        trials,
        share,
        interval: [(middle - half).max(0.0), (middle + half).min(1.0)],
    }
}

#[cfg(test)]
mod tests {
    use super::super::session::tests::answer;
    use super::*;

    fn file(seed: u32, id: &str) -> Vec<Trial> {
        let mut session = Session::new(Test::find(id).unwrap(), seed, Vec::new());
        while !session.is_done() {
            let is_right = session.level() >= 100.0 || seed.is_multiple_of(2);
            answer(&mut session, is_right);
        }
        session.trials().to_vec()
    }

    #[test]
    fn a_class_has_one_curve() {
        let mut files: Vec<_> = (0..6).map(|seed| file(seed, "freeze")).collect();
        files.push(file(1, "pair"));
        files[0][3].drops = 2;
        let pools = pool(&files);
        assert_eq!(pools.len(), 2);
        let Pool {
            test,
            files,
            left_out,
            links,
            levels,
            outcome,
        } = &pools[0];
        assert_eq!((*test, *files, *left_out, *links), ("freeze", 6, 1, 1));
        assert_eq!(
            levels.iter().map(|level| level.trials).sum::<usize>(),
            6 * 40 - 1
        );
        assert!(levels.windows(2).all(|two| two[0].level < two[1].level));
        let Outcome::Threshold(found) = outcome else {
            panic!("it is an axis")
        };
        assert_eq!(found.trials, 239);
        assert_eq!(pools[1].levels.len(), 1);
    }

    #[test]
    fn wilson_s_interval_is_that_of_the_textbook() {
        let LevelShare {
            interval: [low, high],
            ..
        } = share(1.0, 8, 10);
        assert!(
            (low - 0.4902).abs() < 1e-4 && (high - 0.9433).abs() < 1e-4,
            "{low} {high}"
        );
    }
}
