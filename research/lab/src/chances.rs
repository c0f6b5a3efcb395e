//! The spread of the tour's claims over many seeds.

use snapshot_course::ClaimMeasurement;
use snapshot_course::chance::{ChanceRow, MEAN_SEEDS, SEEDS, SeedSpread, Subject};
use snapshot_settings::Key;
use std::fmt::Write;

/// Runs of an event beyond each end of the interval: 22 of 24 lie inside it. All runs of a mean or a ratio do.
const OUTSIDE: usize = 1;

/// The values of these subjects with a seed, measured all at once, for many share its motion. None where the row wants no such seed.
pub fn measure(subjects: &[Subject], seed: u32) -> Vec<Option<f64>> {
    let wanted = subjects.iter().filter(|of| runs_seed(of, seed));
    let claims = wanted.flat_map(|of| {
        let claims = [Some(of.claim), of.over];
        claims.into_iter().flatten().map(|claim| (of.step, claim))
    });
    let mut measuring = ClaimMeasurement::default();
    measuring.ask_with_seed(claims, seed);
    while measuring.work() {}
    let value = |of: &Subject| runs_seed(of, seed).then(|| value(of, &measuring)).flatten();
    subjects.iter().map(value).collect()
}

/// The text of a table.
pub fn write(rows: &[ChanceRow]) -> String {
    let mut text =
        "# Made by `research chances`: step, claim, key, seeds, low, middle, high, none, own\n"
            .to_string();
    for row in rows {
        let SeedSpread {
            low,
            middle,
            high,
            none,
            own,
        } = row.spread;
        let (step, claim, key, seeds) = (row.step, row.claim, &row.key, row.seeds);
        let over = row.over.map(|over| format!("/{over}")).unwrap_or_default();
        let _ = writeln!(
            text,
            "{step}\t{claim}{over}\t{key}\t{seeds}\t{low:.3}\t{middle:.3}\t{high:.3}\t{none}\t{own:.3}"
        );
    }
    text
}

fn value(of: &Subject, run: &ClaimMeasurement) -> Option<f64> {
    let value = run.measured(of.step, of.claim.id)?;
    let Some(over) = of.over else {
        return Some(value);
    };
    let below = run.measured(of.step, over.id)?;
    // Nothing is no more than nothing.
    Some(if value == 0.0 { 0.0 } else { value / below })
}

fn is_event(of: &Subject) -> bool {
    of.over.is_none() && of.claim.is_of_chance(of.step)
}

fn seeds(of: &Subject) -> u32 {
    if is_event(of) { SEEDS } else { MEAN_SEEDS }
}

fn own_seed(of: &Subject) -> u32 {
    let link = of.step.stop().read_link();
    link.map_or(1, |link| link.a.settings.get(Key::Seed))
}

fn runs_seed(of: &Subject, seed: u32) -> bool {
    seed <= seeds(of) || seed == own_seed(of)
}

/// The row of these values, one a seed from 1 on. None where one is missing.
pub fn row(of: &Subject, values: &[Option<f64>]) -> Option<ChanceRow> {
    let in_seeds: Option<Vec<f64>> = values.get(..seeds(of) as usize)?.iter().copied().collect();
    let own = (*values.get(own_seed(of) as usize - 1)?)?;
    let outside = if is_event(of) { OUTSIDE } else { 0 };
    Some(ChanceRow {
        step: of.step.id,
        claim: of.claim.id,
        over: of.over.map(|over| over.id),
        key: of.key(),
        seeds: seeds(of),
        spread: spread(&in_seeds?, outside, own),
    })
}

fn spread(values: &[f64], outside: usize, own: f64) -> SeedSpread {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    SeedSpread {
        low: sorted[outside],
        middle: sorted[sorted.len() / 2],
        high: sorted[sorted.len() - 1 - outside],
        none: sorted.iter().filter(|value| **value == 0.0).count() as u32,
        own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_course::chance::rows;

    #[test]
    fn the_committed_table_is_written_as_it_was_read() {
        let table = include_str!("../../../crate/course/src/chances.tsv");
        assert_eq!(write(&rows()), table);
    }

    /// Packets of one size on a link without luck: another seed is another motion, and yet the same waits.
    #[test]
    fn where_nothing_is_random_no_seed_has_a_say() {
        let step = snapshot_course::step("over-the-rate").unwrap();
        let of = |claim, over| Subject {
            step,
            claim: step.claim(claim).unwrap(),
            over: step.claim(over),
        };
        let subjects = [of("four", "two"), of("dropped-early", "")];
        let values = measure(&subjects, 1);
        assert!(values[0].unwrap() > 1.9);
        assert_eq!(measure(&subjects, 2), values);
    }

    #[test]
    fn a_spread_leaves_one_run_out_at_each_end() {
        let values = [9.0, 0.0, 5.0, 3.0, 0.0, 4.0];
        let summary = spread(&values, 1, 4.0);
        assert_eq!((summary.low, summary.middle, summary.high), (0.0, 4.0, 5.0));
        assert_eq!((summary.none, summary.own), (2, 4.0));
    }
}
