//! Claims about chance: their spread over many seeds, from a table that `snapshot-lab chances` makes.
//!
//! One run says little about rare events. So each claim that counts hitches, stalls, jumps or losses on a network with loss
//! or jitter has a row in `chances.tsv`. A row is keyed by its claim and by the hashes of the world. The page shows the
//! spread beside its own run.

use crate::claim::Claim;
use crate::measure::Measuring;
use crate::{Step, steps};
use serde::Serialize;
use snapshot_base::hash::Fnv;
use snapshot_lab::settings::Key;
use std::fmt::Write;

/// The committed table.
const TABLE: &str = include_str!("chances.tsv");

/// The hashes of every scene's world: another engine gives another key.
const ENGINE: &str = include_str!("../../lab/tests/state-hashes.txt");

/// Seeds of a row: 1 to this one.
pub const SEEDS: u32 = 24;

/// Runs beyond each end of the interval: 22 of 24 lie inside it.
const OUTSIDE: usize = 1;

/// The spread of a claim's figure over [`SEEDS`] runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The least value but one.
    pub low: f64,
    /// The median.
    pub middle: f64,
    /// The greatest value but one.
    pub high: f64,
    /// Runs in which the event never happened.
    pub none: u32,
    /// The value on the step's own seed, by which a test sees that the engine is the table's.
    #[serde(skip)]
    pub own: f64,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The step's id.
    pub step: &'static str,
    /// The claim's id.
    pub claim: &'static str,
    /// A hash of claim and engine.
    #[serde(skip)]
    pub key: String,
    /// The number of runs.
    pub seeds: u32,
    /// Their spread.
    #[serde(flatten)]
    pub spread: Spread,
}

/// All rows of the committed table.
pub fn rows() -> Vec<Row> {
    parse(TABLE)
}

/// The rows of a table's text. A line that cannot be read is left out; a test finds it missing.
pub fn parse(table: &str) -> Vec<Row> {
    table.lines().filter_map(read).collect()
}

/// The claims about chance, in the tour's order.
pub fn claims() -> impl Iterator<Item = (&'static Step, &'static Claim)> {
    let all = steps().flat_map(|step| step.claims.iter().map(move |claim| (step, claim)));
    all.filter(|(step, claim)| claim.is_of_chance(step))
}

/// The key of a claim's row: it changes with all that its figure depends on.
pub fn key(step: &Step, claim: &Claim) -> String {
    let mut hash = Fnv::new();
    let seconds = claim.seconds.unwrap_or(step.run_s);
    let of_run = format!(
        "{} {:?} {:?} {:?} {} {seconds}",
        step.link, step.cut, claim.figure, claim.lane, claim.with
    );
    hash.add_bytes(of_run.as_bytes());
    hash.add_bytes(ENGINE.as_bytes());
    format!("{:016x}", hash.finish())
}

/// Measures a step's claims about chance over all seeds. `progress` hears of each run.
pub fn measure(step: &'static Step, mut progress: impl FnMut()) -> Vec<Row> {
    let own_seed = step
        .read_link()
        .map_or(1, |link| link.a.settings.get(Key::Seed));
    let mut runs = Vec::new();
    for seed in 1..=SEEDS.max(own_seed) {
        let mut measuring = Measuring::default();
        measuring.ask_with_seed(step, seed);
        while measuring.work() {}
        runs.push(measuring);
        progress();
    }
    let of_step = claims().filter(|(other, _)| other.id == step.id);
    let row = |(step, claim): (&'static Step, &'static Claim)| {
        let values = runs.iter().map(|run| run.measured(step, claim.id));
        let values: Option<Vec<f64>> = values.collect();
        let values = values?;
        Some(Row {
            step: step.id,
            claim: claim.id,
            key: key(step, claim),
            seeds: SEEDS,
            spread: Spread::of(&values[..SEEDS as usize], values[own_seed as usize - 1]),
        })
    };
    of_step.filter_map(row).collect()
}

/// The text of a table.
pub fn write(rows: &[Row]) -> String {
    let mut text =
        "# Made by `snapshot-lab chances`: step, claim, key, seeds, low, middle, high, none, own\n"
            .to_string();
    for row in rows {
        let Spread {
            low,
            middle,
            high,
            none,
            own,
        } = row.spread;
        let (step, claim, key, seeds) = (row.step, row.claim, &row.key, row.seeds);
        let _ = writeln!(
            text,
            "{step}\t{claim}\t{key}\t{seeds}\t{low:.3}\t{middle:.3}\t{high:.3}\t{none}\t{own:.3}"
        );
    }
    text
}

fn read(line: &str) -> Option<Row> {
    let mut parts = line.split('\t');
    let mut part = || parts.next();
    let (step, claim) = (crate::step(part()?)?, part()?);
    let claim = step.claim(claim)?;
    Some(Row {
        step: step.id,
        claim: claim.id,
        key: part()?.to_string(),
        seeds: part()?.parse().ok()?,
        spread: Spread {
            low: part()?.parse().ok()?,
            middle: part()?.parse().ok()?,
            high: part()?.parse().ok()?,
            none: part()?.parse().ok()?,
            own: part()?.parse().ok()?,
        },
    })
}

impl Spread {
    fn of(values: &[f64], own: f64) -> Spread {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        Spread {
            low: sorted[OUTSIDE],
            middle: sorted[sorted.len() / 2],
            high: sorted[sorted.len() - 1 - OUTSIDE],
            none: sorted.iter().filter(|value| **value == 0.0).count() as u32,
            own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_rows_of_these_claims_and_this_engine() {
        let wanted: Vec<_> = claims()
            .map(|(step, claim)| (step.id, claim.id, key(step, claim)))
            .collect();
        let have: Vec<_> = rows()
            .into_iter()
            .map(|row| (row.step, row.claim, row.key))
            .collect();
        assert_eq!(
            have, wanted,
            "run `snapshot-lab chances crate/course/src/chances.tsv`"
        );
        assert_eq!(write(&rows()), TABLE);
        assert!(rows().len() > 20);
    }

    #[test]
    fn a_claim_about_chance_holds_on_22_of_24_seeds() {
        for row in rows() {
            let claim = crate::step(row.step).unwrap().claim(row.claim).unwrap();
            let (low, high) = (row.spread.low, row.spread.high);
            let of = format!("{} {}: {low} to {high}", row.step, row.claim);
            assert!(claim.least <= low && high <= claim.most, "{of}, {claim:?}");
        }
    }

    #[test]
    fn a_spread_leaves_one_run_out_at_each_end() {
        let values = [9.0, 0.0, 5.0, 3.0, 0.0, 4.0];
        let spread = Spread::of(&values, 4.0);
        assert_eq!((spread.low, spread.middle, spread.high), (0.0, 4.0, 5.0));
        assert_eq!((spread.none, spread.own), (2, 4.0));
    }

    #[test]
    fn another_claim_or_another_length_has_another_key() {
        let step = crate::step("enough-delay").unwrap();
        let claim = step.claim("100").unwrap();
        let longer = Claim {
            seconds: Some(99),
            ..*claim
        };
        assert_ne!(key(step, claim), key(step, &longer));
        assert_ne!(key(step, claim), key(step, step.claim("150").unwrap()));
    }
}
