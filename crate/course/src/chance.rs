//! Spread of claims' values over many seeds, from a table that `research chances` writes. A claim says that a value of a
//! step's run is within bounds.
//!
//! One run says little. A claim that counts hitches, stalls, jumps or losses on a network with loss or jitter has a row in
//! `chances.tsv` over 24 seeds. A claim of a mean error or a bandwidth has a row over 8 seeds, because each seed plays
//! another motion. A claim that is compared with another has a row of their ratio, `claim/other`, over 8 seeds. A row is
//! keyed by its claims, and by a hash of all inputs of the measurement, with the state hashes of the world. The page shows
//! the spread of a count beside the value of its own run.

use crate::claim::Claim;
use crate::quantity::Quantity;
use crate::{Step, steps};
use snapshot_base::hash::Fnv;
use snapshot_physics::scene::STATE_HASHES;

const TABLE: &str = include_str!("chances.tsv");

/// Number of seeds for a claim that counts events; seeds begin at 1.
pub const SEEDS: u32 = 24;

/// Number of seeds for a claim of a mean or a ratio. Means and ratios vary less than counts of rare events.
pub const MEAN_SEEDS: u32 = 8;

/// Spread of a claim's value, or of the ratio of two claims' values, over runs with different seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeedSpread {
    /// Second-lowest value of a count; lowest value of a mean or a ratio.
    pub low: f64,
    pub middle: f64,
    /// Second-highest value of a count; highest value of a mean or a ratio.
    pub high: f64,
    /// Number of runs in which the event never happened.
    pub none: u32,
    /// Value in the run with the seed of the step; a test compares it to detect that the engine has changed.
    pub own: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ChanceRow {
    pub step: &'static str,
    pub claim: &'static str,
    /// Id of the claim whose value divides, in a row of a ratio; `None` if the row is not a ratio.
    pub over: Option<&'static str>,
    /// Hash of all inputs of the measurement; a row with another hash is outdated.
    pub key: String,
    pub seeds: u32,
    pub spread: SeedSpread,
}

pub fn rows() -> Vec<ChanceRow> {
    parse(TABLE)
}

/// Parses the rows of a table. A line that cannot be parsed is left out; a test finds it missing.
pub fn parse(table: &str) -> Vec<ChanceRow> {
    table.lines().filter_map(read).collect()
}

/// Subject of a row: a claim alone, or a ratio of two claims.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    pub step: &'static Step,
    pub claim: &'static Claim,
    /// The claim whose value divides, in a ratio; `None` for a claim alone.
    pub over: Option<&'static Claim>,
}

/// Iterates over the subjects of all rows, in the tour's order.
pub fn subjects() -> impl Iterator<Item = Subject> {
    let all = steps().flat_map(|step| step.claims.iter().map(move |claim| (step, claim)));
    all.flat_map(|(step, claim)| {
        let of = |over| Subject { step, claim, over };
        let varies = claim.is_of_chance(step) || claim.figure.goes_with_the_motion();
        let other = claim.times.and_then(|times| step.claim(times.other));
        let alone = varies.then(|| of(None));
        alone.into_iter().chain(other.map(|other| of(Some(other))))
    })
}

impl Subject {
    pub fn key(&self) -> String {
        let mut hash = Fnv::new();
        for claim in [Some(self.claim), self.over].into_iter().flatten() {
            let step = self.step;
            let seconds = claim.seconds.unwrap_or(step.run_s);
            let of_run = format!(
                "{} {:?} {:?} {:?} {} {seconds}",
                step.link, step.cut, claim.figure, claim.lane, claim.with
            );
            hash.add_bytes(of_run.as_bytes());
            if matches!(claim.figure, Quantity::Error(_)) {
                hash.add_bytes(format!(" from {}", step.opening_ticks()).as_bytes());
            }
            hash.add_bytes(step.trace.unwrap_or_default().as_bytes());
        }
        // Another engine changes the key. A new scene leaves the keys of other scenes.
        let scene = self.scene();
        let of_scene = STATE_HASHES.lines().filter(|line| {
            let name = line.split(' ').next();
            name == Some(scene)
        });
        of_scene.for_each(|line| hash.add_bytes(line.as_bytes()));
        format!("{:016x}", hash.finish())
    }

    /// Returns the name of the scene that the claim plays, as in the table of state hashes.
    fn scene(&self) -> &'static str {
        let settings = self.claim.settings(self.step);
        settings.map_or("", |(_, of_scene)| of_scene.scene().name())
    }

    /// Returns true if a row belongs to this subject.
    pub fn has(&self, row: &ChanceRow) -> bool {
        (row.step, row.claim, row.over)
            == (self.step.id, self.claim.id, self.over.map(|over| over.id))
    }
}

fn read(line: &str) -> Option<ChanceRow> {
    let mut parts = line.split('\t');
    let mut part = || parts.next();
    let (step, claim) = (crate::step(part()?)?, part()?);
    let (claim, over) = match claim.split_once('/') {
        Some((claim, over)) => (claim, Some(step.claim(over)?.id)),
        None => (claim, None),
    };
    Some(ChanceRow {
        step: step.id,
        claim: step.claim(claim)?.id,
        over,
        key: part()?.to_string(),
        seeds: part()?.parse().ok()?,
        spread: SeedSpread {
            low: part()?.parse().ok()?,
            middle: part()?.parse().ok()?,
            high: part()?.parse().ok()?,
            none: part()?.parse().ok()?,
            own: part()?.parse().ok()?,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_rows_of_these_claims_and_this_engine() {
        let wanted: Vec<_> = subjects()
            .map(|of| (of.step.id, of.claim.id, of.over.map(|it| it.id), of.key()))
            .collect();
        let have: Vec<_> = rows()
            .into_iter()
            .map(|row| (row.step, row.claim, row.over, row.key))
            .collect();
        assert_eq!(
            have, wanted,
            "run `research chances crate/course/src/chances.tsv`"
        );
        assert!(rows().len() > 40);
    }

    #[test]
    fn a_claim_holds_on_8_seeds_or_on_22_of_24_and_its_own_run_is_no_extreme() {
        for row in rows().iter().filter(|row| row.over.is_none()) {
            let claim = crate::step(row.step).unwrap().claim(row.claim).unwrap();
            let (low, high) = (row.spread.low, row.spread.high);
            let of = format!("{} {}: {low} to {high}", row.step, row.claim);
            assert!(claim.least <= low && high <= claim.most, "{of}, {claim:?}");
            // Tolerates a hundredth: where seeds hardly differ, a run just outside the spread is no exception.
            let own = row.spread.own;
            let is_among_them = (0.99 * low..=1.01 * high).contains(&own);
            assert!(row.seeds < SEEDS || is_among_them, "{of}, not {own}");
        }
    }

    #[test]
    fn a_comparison_holds_on_every_seed() {
        for row in rows().iter().filter(|row| row.over.is_some()) {
            let claim = crate::step(row.step).unwrap().claim(row.claim).unwrap();
            let times = claim.times.unwrap();
            let is = times.least <= row.spread.low && row.spread.high <= times.most;
            assert!(is, "{row:?}, {times:?}");
        }
    }
}
