//! A budget of bandwidth for each player, if the link's capacity is known. Partial snapshots within the budget are compared
//! with whole snapshots: by error near a player and far away, and by age.

use super::home::{Home, package_settings};
use super::places::Places;
use super::rates::RatePoint;
use crate::comparison::LaneSetup;
use crate::window::TickSpan;
use serde::Serialize;
use snapshot_codec::Format;
use snapshot_lane::players::Players;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_replication as package;
use snapshot_settings::{Direction, Settings};

/// Budget as a share of the link's capacity. The rest is for other traffic, and for messages of the game.
const CAPACITY_SHARE: f64 = 0.8;
/// Relative difference below which two errors, or two ages, count as equal.
const TIE: f64 = 0.05;

/// Cost, errors and age of one way to send: whole snapshots, or a budget at a send rate. All are means over the players.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BudgetRow {
    pub rate_hz: u32,
    /// Budget of each player, kbit/s, headers included; `None` for whole snapshots.
    pub budget_kbps: Option<f64>,
    /// Mean bandwidth to a player, kbit/s, headers included.
    pub kbps: f64,
    /// 95th percentile of the surface error of moving objects near a player, at the shown instants, mm.
    pub near_mm_p95: f64,
    /// 95th percentile of the surface error of moving objects that are not near a player, mm.
    pub far_mm_p95: f64,
    /// Mean age of the shown instant, ms.
    pub behind_ms: f64,
}

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

/// Measurement of whole snapshots and budgets in progress, one after the other.
pub(super) struct BudgetWork {
    /// The recommended settings, which also describe the players' links.
    settings: Settings,
    capacity_kbps: f64,
    budget_kbps: f64,
    places: Places,
    /// Settings of the package that are not measured yet, in reverse order: the next one is the last.
    waiting: Vec<package::Settings>,
    now: Option<(package::Settings, Players)>,
    done: Vec<(package::Settings, BudgetRow)>,
}

impl BudgetWork {
    /// Makes a measurement for the recommended settings. `points` are the measured send rates, with their bandwidth. `None`
    /// if the link's capacity is not known, there are fewer than two objects, or the package cannot send the motion.
    pub(super) fn new(
        tape: &Tape,
        settings: &Settings,
        points: &[RatePoint],
        format: &Format,
        window: TickSpan,
    ) -> Option<BudgetWork> {
        let lane = settings.lane().at(tape.tick_rate());
        let bottleneck = lane.conditions(Direction::Forward).bottleneck?;
        let capacity_kbps = bottleneck.rate_kbps * (1.0 - bottleneck.neighbour);
        let places = Places::find(tape, window)?;
        let budget_kbps = (CAPACITY_SHARE * capacity_kbps).floor().max(1.0);
        let whole = package_settings(settings, format, tape.tick_rate());
        whole.format().ok()?;
        let mut over: Vec<u32> = Vec::new();
        for point in points.iter().rev() {
            if point.kbps > budget_kbps && over.last() != Some(&point.rate_hz) {
                over.push(point.rate_hz);
            }
        }
        let with_budget = |send_rate: &u32| package::Settings {
            send_rate: *send_rate,
            budget_kbps: Some(budget_kbps),
            ..whole.clone()
        };
        let budgets = over.iter().map(with_budget);
        let first = (!over.is_empty()).then(|| whole.clone());
        Some(BudgetWork {
            settings: *settings,
            capacity_kbps,
            budget_kbps,
            places,
            waiting: budgets.chain(first).collect(),
            now: None,
            done: Vec::new(),
        })
    }

    /// Runs one tick of the present settings. Returns false once all settings are measured.
    pub(super) fn work(&mut self, tape: &Tape, given: &LinkInputs, window: TickSpan) -> bool {
        let Some((package, mut probe)) = self.now.take() else {
            let Some(package) = self.waiting.pop() else {
                return false;
            };
            let link = LaneSetup {
                settings: self.settings,
                given: given.clone(),
            };
            let link = |(run, own): (u32, &usize)| {
                let of_run = link.in_run(run, link.spread_ms());
                let lane = of_run.settings.lane().at(tape.tick_rate());
                (*own, lane, of_run.given)
            };
            let links: Vec<_> = (0..).zip(&self.places.own).map(link).collect();
            let probe = Players::new(
                tape,
                package.clone(),
                &links,
                self.places.near_m,
                window.after,
            );
            // A budget that the package refuses has no row.
            self.now = probe.map(|probe| (package, probe));
            return true;
        };
        if probe.work(tape, window.last) {
            self.now = Some((package, probe));
            return true;
        }
        let [near, far] = probe.errors_mm();
        let row = BudgetRow {
            rate_hz: package.send_rate,
            budget_kbps: package.budget_kbps,
            kbps: probe.kbps(),
            near_mm_p95: near.p95(),
            far_mm_p95: far.p95(),
            behind_ms: probe.behind_ms(),
        };
        self.done.push((package, row));
        !self.waiting.is_empty()
    }

    /// Finished share of the work, 0 to 1.
    pub(super) fn share(&self, ticks: u64) -> f64 {
        let now = self.now.as_ref();
        let share = now.map_or(0.0, |(_, probe)| probe.ticks() as f64 / ticks.max(1) as f64);
        let all = self.waiting.len() + self.done.len() + usize::from(now.is_some());
        match all {
            0 => 1.0,
            _ => (self.done.len() as f64 + share) / all as f64,
        }
    }

    /// Returns the advice; `None` before the work is done.
    pub(super) fn advice(&self) -> Option<BudgetAdvice> {
        let is_done = self.now.is_none() && self.waiting.is_empty();
        let done = is_done.then_some(&self.done)?;
        let budgets = done.iter().enumerate().skip(1);
        let better = budgets.filter(|(_, (_, row))| row.is_better_than(&done[0].1));
        let offered =
            better.min_by(|(_, (_, a)), (_, (_, b))| a.near_mm_p95.total_cmp(&b.near_mm_p95));
        let (offered, home) = offered
            .map(|(at, (package, _))| (at, Home::new(package)))
            .unzip();
        Some(BudgetAdvice {
            capacity_kbps: self.capacity_kbps,
            budget_kbps: self.budget_kbps,
            players: self.places.own.len(),
            near_m: self.places.near_m.into(),
            rows: done.iter().map(|(_, row)| row.clone()).collect(),
            offered,
            home,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::playing::InterpolationResult;
    use super::super::{Answer, Request, Verdict, bounded_format};
    use super::*;
    use crate::testing::{driving, settings};
    use snapshot_codec::Bounds;

    fn answer(objects: u32, link: &str) -> Answer {
        let tape = Tape::of_motion(&driving(objects, objects, 6.0), 240);
        let window = [0, tape.last_tick()];
        let given = LinkInputs::default();
        let mut verdict = Verdict::new(&tape, &settings(link), &given, Request::default(), window);
        while verdict.work(&tape) {}
        verdict.answer(&tape).unwrap()
    }

    /// Returns the advice on 300 objects that all move, whose whole snapshots do not fit at any rate.
    fn of_a_crowd(link: &str) -> BudgetAdvice {
        let tape = Tape::of_motion(&driving(300, 300, 6.0), 480);
        let window = TickSpan {
            after: 0,
            last: 300,
        };
        let (settings, given) = (settings(link), LinkInputs::default());
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
        let mut work = BudgetWork::new(&tape, &settings, &points, &format, window).unwrap();
        while work.work(&tape, &given, window) {}
        work.advice().unwrap()
    }

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn where_not_all_fits_near_objects_are_shown_better_than_far_ones() {
        let link = "#hz=10&codec=arithmetic&class=chained&interp=linear&delay=250&rate=64&queue=300&loss=2";
        let advice = of_a_crowd(link);
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
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn where_all_fits_there_is_no_budget_to_try() {
        let advice = answer(4, "#hz=20&rate=2000").budget.unwrap();
        assert_eq!((advice.rows, advice.offered), (Vec::new(), None));
        assert_eq!(answer(4, "#hz=20").budget, None);
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
