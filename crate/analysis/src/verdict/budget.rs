//! A budget of bandwidth for each player, if the link's capacity is known. Partial snapshots within the budget are compared
//! with whole snapshots: by error near a player and far away, and by age.

use super::home::{Home, package_settings};
use super::rates::RatePoint;
use super::sweep::{BudgetRow, Missing, Sweep};
use serde::Serialize;
use snapshot_codec::Format;
use snapshot_record::tape::Tape;
use snapshot_replication as package;
use snapshot_settings::{Direction, Settings};

/// Budget as a share of the link's capacity. The rest is for other traffic, and for messages of the game.
const CAPACITY_SHARE: f64 = 0.8;
/// Relative difference below which two errors, or two ages, count as equal.
const TIE: f64 = 0.05;

impl BudgetRow {
    /// Returns true if the near error or the age is lower than in `other` by more than 5 %. Neither may be higher by more
    /// than 5 %.
    fn is_better_than(&self, other: &BudgetRow) -> bool {
        let pairs = [
            [self.near_mm_p95, other.near_mm_p95],
            [self.behind_ms, other.behind_ms],
        ];
        let less = |[own, other]: &[f64; 2]| *own < (1.0 - TIE) * other;
        let more = |[own, other]: &[f64; 2]| *own > (1.0 + TIE) * other;
        pairs.iter().any(less) && !pairs.iter().any(more)
    }
}

/// Advice on a budget: whole snapshots at the recommended rate, compared with budgets at several rates. All have the
/// recommended rung, interpolation mode and delay.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BudgetAdvice {
    /// Capacity of the link to a player, kbit/s, without the share that other traffic takes.
    pub capacity_kbps: f64,
    /// Number of players. Each is at one of the objects that move farthest, and has a link with its own seed.
    pub players: usize,
    /// Distance from a player within which an object counts as near, m. It is the median, over players and seconds, of the
    /// distance that a tenth of the objects is within.
    pub near_m: f64,
    /// Budget of each player, kbit/s, headers included: 80 % of the capacity.
    pub budget_kbps: f64,
    /// The row of whole snapshots, then a row for each rate at which whole snapshots take more than the budget, by rising
    /// rate. Empty if there is no such rate.
    pub rows: Vec<BudgetRow>,
    /// Index of the offered row; `None` if no budget is better than whole snapshots. A budget is better if its near error or
    /// its age is lower by 5 %, and the other is not higher by 5 %. If several are better, the row with the least near error
    /// is offered.
    pub offered: Option<usize>,
    /// Settings of a server and its client with the offered budget; `None` without an offer.
    pub home: Option<Home>,
}

/// Compares whole snapshots with budgets, under the recommended settings. `points` are the measured send rates, with their
/// bandwidth. `None` if the link's capacity is not known, there are fewer than two objects, or the package cannot send the
/// motion.
pub(super) fn budget(
    sweep: &Sweep,
    tape: &Tape,
    settings: &Settings,
    points: &[RatePoint],
    format: &Format,
) -> Result<Option<BudgetAdvice>, Missing> {
    let lane = settings.lane().at(tape.tick_rate());
    let whole = package_settings(settings, format, tape.tick_rate());
    let (Some(bottleneck), Some(places), true) = (
        lane.conditions(Direction::Forward).bottleneck,
        sweep.places(tape),
        whole.format().is_ok(),
    ) else {
        return Ok(None);
    };
    let capacity_kbps = bottleneck.rate_kbps * (1.0 - bottleneck.neighbour);
    let budget_kbps = (CAPACITY_SHARE * capacity_kbps).floor().max(1.0);
    let over = points.iter().filter(|point| point.kbps > budget_kbps);
    let mut over: Vec<u32> = over.map(|point| point.rate_hz).collect();
    over.dedup();
    let with_budget = |send_rate: &u32| package::Settings {
        send_rate: *send_rate,
        budget_kbps: Some(budget_kbps),
        ..whole.clone()
    };
    let budgets = over.iter().map(with_budget);
    let first = (!over.is_empty()).then(|| whole.clone());
    let all: Vec<package::Settings> = first.into_iter().chain(budgets).collect();
    let mut rows: Vec<(&package::Settings, BudgetRow)> = Vec::new();
    for (part, package) in all.iter().enumerate() {
        let row = sweep.players(settings, package);
        let row = row.map_err(|missing| missing.in_part(part, all.len()))?;
        // A budget that the package refuses has no row.
        rows.extend(row.map(|row| (package, row.clone())));
    }
    let budgets = rows.iter().enumerate().skip(1);
    let better = budgets.filter(|(_, (_, row))| row.is_better_than(&rows[0].1));
    let offered = better.min_by(|(_, (_, a)), (_, (_, b))| a.near_mm_p95.total_cmp(&b.near_mm_p95));
    let (offered, home) = offered
        .map(|(at, (package, _))| (at, Home::new(package)))
        .unzip();
    Ok(Some(BudgetAdvice {
        capacity_kbps,
        players: places.own.len(),
        near_m: places.near_m.into(),
        budget_kbps,
        rows: rows.into_iter().map(|(_, row)| row).collect(),
        offered,
        home,
    }))
}

#[cfg(test)]
mod tests {
    use super::super::bounded_format;
    use super::super::playing::InterpolationResult;
    use super::*;
    use crate::testing::{driving, settings};
    use crate::window::TickSpan;
    use snapshot_codec::Bounds;
    use snapshot_netsim::channel::LinkInputs;

    /// Returns the advice on objects that all move, whose whole snapshots take 10 kbit/s for each packet a second.
    fn advice(objects: u32, link: &str) -> Option<BudgetAdvice> {
        let tape = Tape::of_motion(&driving(objects, objects, 6.0), 480);
        let window = TickSpan {
            after: 0,
            last: 300,
        };
        let settings = settings(link);
        let played = InterpolationResult {
            mode: "linear",
            delay_ms: 250.0,
            ..InterpolationResult::default()
        };
        let point = |rate_hz: u32| RatePoint {
            rate_hz,
            kbps: 10.0 * f64::from(rate_hz),
            played,
            calm: true,
            on_front: true,
            settings,
        };
        let points = [10, 20].map(point);
        let bounds = Bounds::new([-128, -32, 0], [2048, 32, 8]).unwrap();
        let format = bounded_format(&tape, &settings, bounds);
        let mut sweep = Sweep::new(LinkInputs::default(), window);
        sweep.until_found(&tape, |sweep| {
            budget(sweep, &tape, &settings, &points, &format)
        })
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn where_not_all_fits_near_objects_are_shown_better_than_far_ones() {
        let link = "#hz=10&codec=arithmetic&class=chained&interp=linear&delay=250&rate=64&queue=300&loss=2";
        let advice = advice(300, link).unwrap();
        assert_eq!((advice.capacity_kbps, advice.budget_kbps), (64.0, 51.0));
        let [whole, budgets @ ..] = &advice.rows[..] else {
            panic!("{advice:?}");
        };
        assert_eq!((whole.budget_kbps, budgets.len()), (None, 2));
        for row in budgets {
            assert_eq!(row.budget_kbps, Some(51.0));
            assert!(row.kbps < 51.0 * 1.1, "{row:?}");
            assert!(row.near_mm_p95 < row.far_mm_p95, "{row:?}");
        }
        let offered = &advice.rows[advice.offered.unwrap_or_else(|| panic!("{advice:?}"))];
        assert!(offered.is_better_than(whole), "{advice:?}");
        let home = advice.home.unwrap();
        assert_eq!(
            (home.send_rate, home.budget_kbps),
            (offered.rate_hz, Some(51.0))
        );
    }

    #[test]
    fn where_all_fits_there_is_no_budget_to_try() {
        let fits = advice(4, "#hz=20&rate=2000").unwrap();
        assert_eq!((fits.rows, fits.offered), (Vec::new(), None));
        assert_eq!(advice(4, "#hz=20"), None);
    }

    #[test]
    fn a_budget_must_be_better_in_one_and_not_worse_in_the_other() {
        let row = |near_mm_p95: f64, behind_ms: f64| BudgetRow {
            rate_hz: 20,
            budget_kbps: None,
            kbps: 10.0,
            near_mm_p95,
            far_mm_p95: 0.0,
            behind_ms,
        };
        let whole = row(100.0, 200.0);
        for (near_mm, behind_ms, is_better) in [
            (94.0, 200.0, true),
            (94.0, 209.0, true),
            (94.0, 211.0, false),
            (96.0, 200.0, false),
            (104.0, 150.0, true),
            (106.0, 150.0, false),
        ] {
            assert_eq!(row(near_mm, behind_ms).is_better_than(&whole), is_better);
        }
    }
}
