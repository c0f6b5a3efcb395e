//! Trade-off between bandwidth and error. Lanes with varied settings run over one motion; a lane is a sender, its link and
//! its receiver. Each lane gives a point: its bandwidth and its errors. The best points form the Pareto front.

pub(crate) mod follow;
mod front;

pub use front::Point;

pub(crate) use front::is_beaten;

use crate::progress::Tell;
use front::{Figures, find_front};
use serde::Serialize;
use snapshot_base::order;
use snapshot_lane::history::LaneHistory;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::schema::Group;
use snapshot_settings::{Key, SettingError, Settings};
use std::collections::BTreeMap;

/// Upper limit of the number of points in a trade: measuring more takes too long.
pub const POINTS_MAX: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariedSetting {
    key: Key,
    values: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TradeError(String);

impl TradeError {
    fn new(key: Key, why: &str) -> TradeError {
        let setting = key.setting();
        TradeError(format!("{} ({}) {why}", setting.label, setting.id))
    }

    /// Returns the error for a setting that changes the motion. Points can only be compared on one motion.
    fn other_motion(key: Key) -> TradeError {
        TradeError::new(
            key,
            "makes another motion: points can only be compared on the same one",
        )
    }
}

impl From<SettingError> for TradeError {
    fn from(error: SettingError) -> TradeError {
        TradeError(error.to_string())
    }
}

impl VariedSetting {
    /// Parses a varied setting, such as `hz=10,20,30,60`.
    ///
    /// # Errors
    /// When the text has another form, or names an unknown setting.
    pub fn parse(text: &str) -> Result<VariedSetting, TradeError> {
        let short = |text: &str| text.chars().take(60).collect::<String>();
        let form = || {
            TradeError(format!(
                "\"{}\" is not of the form hz=10,20,30",
                short(text)
            ))
        };
        let (id, values) = text.split_once('=').ok_or_else(form)?;
        let key = Key::from_id(id).ok_or_else(|| SettingError::Unknown(short(id)))?;
        let values: Vec<_> = values.split(',').map(str::to_owned).collect();
        Ok(VariedSetting { key, values })
    }
}

/// Settings of a point, beside the texts of those that differ between points.
type TradeSettings = (BTreeMap<&'static str, String>, Settings);

/// A plan of a trade-off: the settings of each of its lanes.
pub struct Plan {
    points: Vec<TradeSettings>,
    /// Sentences about settings that change together with a varied one, such as the playout delay with the send rate.
    followed: Vec<String>,
}

/// A trade-off: lanes over one motion, each a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Trade {
    /// Points measured so far, with their Pareto front.
    pub points: Vec<Point>,
    /// Number of all points, measured or not.
    pub point_count: usize,
    /// Sentences about the settings that change together with a varied one. A setting that is itself varied does not.
    pub followed: Vec<String>,
    /// Permalink keys of varied settings that have no effect on the results: all their values give equal results. Empty until
    /// all points are measured.
    pub changing_nothing: Vec<&'static str>,
}

impl Plan {
    /// Makes the plan of every combination of the varied values; all other settings stay. For a recorded motion `slots` is true
    /// if objects appear and end.
    ///
    /// # Errors
    ///
    /// When a value is refused, the motion would change, a strategy or a rung cannot send it, or there are too many
    /// points.
    pub fn new(
        settings: &Settings,
        varied: &[VariedSetting],
        slots: Option<bool>,
    ) -> Result<Plan, TradeError> {
        let mut points = combinations(settings, varied)?;
        let keys: Vec<Key> = varied.iter().map(|varied| varied.key).collect();
        let mut followed = Vec::new();
        for (texts, point) in &mut points {
            for (key, text) in follow::followers(settings, point, &keys) {
                texts.insert(key.setting().id, text);
                followed.push(key);
            }
        }
        order::sort_by_key(&mut followed, |key: &Key| *key as usize);
        followed.dedup();
        for ((_, point), has_slots) in points.iter().zip(slots.into_iter().cycle()) {
            point.check_for_motion(has_slots)?;
        }
        check_varied(settings, varied, &points)?;
        let followed = followed.into_iter();
        let followed = followed.map(|key| follow::describe(settings, key));
        Ok(Plan {
            points,
            followed: followed.collect(),
        })
    }

    /// Iterates over the settings of every point.
    pub(crate) fn settings(&self) -> impl Iterator<Item = &Settings> {
        self.points.iter().map(|(_, settings)| settings)
    }

    /// Runs every lane from a tick to the tape's end, or from where the tape begins. `tell` hears of each lane that has run.
    pub fn measure(
        self,
        tape: &Tape,
        link_inputs: &LinkInputs,
        from: u64,
        tell: Tell<Trade>,
    ) -> Trade {
        let from = from.max(tape.first_tick());
        let mut trade = Trade {
            points: Vec::new(),
            point_count: self.points.len(),
            followed: self.followed,
            changing_nothing: Vec::new(),
        };
        tell(0.0, &|| trade.clone());
        for (texts, settings) in self.points {
            let history = LaneHistory::run(tape, &settings.lane(), link_inputs, from);
            let report = history.report(0);
            trade.points.push(Point {
                settings: texts,
                figures: Figures::new(&report),
                link: history.lane().metrics().link.figures(),
                on_front: false,
                view_hash: report.view_hash,
            });
            find_front(&mut trade.points);
            let share = trade.points.len() as f64 / trade.point_count as f64;
            tell(share, &|| trade.clone());
        }
        trade.changing_nothing = changing_nothing(&trade.points);
        trade
    }
}

/// Returns the varied settings that have no effect on the results.
fn changing_nothing(points: &[Point]) -> Vec<&'static str> {
    let differs_in_alone = |a: &Point, b: &Point, id: &str| {
        let differs = |(other, text): (&&'static str, &String)| {
            (b.settings.get(other) != Some(text)).then_some(*other)
        };
        a.settings.iter().filter_map(differs).eq([id])
    };
    let pairs = || {
        let others = |(place, a)| points[place + 1..].iter().map(move |b| (a, b));
        points.iter().enumerate().flat_map(others)
    };
    let changes_nothing = |id: &&'static str| {
        let mut of_it = pairs()
            .filter(|(a, b)| differs_in_alone(a, b, id))
            .peekable();
        of_it.peek().is_some() && of_it.all(|(a, b)| a.does_the_same(b))
    };
    let ids = points.first().into_iter();
    let ids = ids.flat_map(|point| point.settings.keys().copied());
    ids.filter(changes_nothing).collect()
}

/// Returns the settings of every combination of the varied values.
fn combinations(
    settings: &Settings,
    varied: &[VariedSetting],
) -> Result<Vec<TradeSettings>, TradeError> {
    let mut all = vec![(BTreeMap::new(), *settings)];
    for VariedSetting { key, values } in varied {
        let id = key.setting().id;
        if key.setting().group == Group::World {
            return Err(TradeError::other_motion(*key));
        }
        let points = all.len() * values.len();
        if !(1..=POINTS_MAX).contains(&points) {
            let message = format!("{points} points: there may be 1 to {POINTS_MAX}");
            return Err(TradeError(message));
        }
        let mut next = Vec::with_capacity(points);
        for (texts, settings) in &all {
            for value in values {
                let (mut texts, mut settings) = (texts.clone(), *settings);
                settings.set_text(id, value)?;
                texts.insert(id, value.clone());
                next.push((texts, settings));
            }
        }
        all = next;
    }
    Ok(all)
}

/// Refuses varied settings that no point's strategy heeds, or that change the motion.
fn check_varied(
    settings: &Settings,
    varied: &[VariedSetting],
    all: &[TradeSettings],
) -> Result<(), TradeError> {
    let strategies = || all.iter().map(|(_, point)| point.strategy());
    let unheeded = |VariedSetting { key, .. }: &&VariedSetting| {
        let setting = key.setting();
        !strategies().any(|strategy| setting.is_used_by(strategy))
    };
    if let Some(VariedSetting { key, .. }) = varied.iter().find(unheeded) {
        let why = "changes nothing here: the strategy does not use it";
        return Err(TradeError::new(*key, why));
    }
    let other_world = |(_, point): &&TradeSettings| point.world() != settings.world();
    match all.iter().find(other_world) {
        Some((_, point)) => {
            let key = makes_another_world(settings, point, varied);
            Err(TradeError::other_motion(key))
        }
        None => Ok(()),
    }
}

/// Returns the varied setting that gives a point another simulated world. The first setting that does so alone is returned.
/// If there is none, the first that does so together with the settings before it is returned.
fn makes_another_world(settings: &Settings, point: &Settings, varied: &[VariedSetting]) -> Key {
    let mut so_far = *settings;
    let keys = varied.iter().map(|VariedSetting { key, .. }| *key);
    let alone = keys.clone().find(|key| {
        let mut one = *settings;
        one.set(*key, point.get(*key)).is_ok() && one.world() != settings.world()
    });
    let last = || {
        keys.clone().find(|key| {
            so_far.set(*key, point.get(*key)).is_ok() && so_far.world() != settings.world()
        })
    };
    alone.or_else(last).unwrap_or(varied[0].key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{report, settings};
    use snapshot_lane::measure::table::Figure;

    fn plan(link: &str, varied: &[&str]) -> Result<Plan, TradeError> {
        let varied: Result<Vec<_>, _> = varied
            .iter()
            .map(|text| VariedSetting::parse(text))
            .collect();
        Plan::new(&settings(link), &varied?, None)
    }

    fn trade(tape: &Tape, link: &str, varied: &[&str]) -> Trade {
        let plan = plan(link, varied).unwrap();
        let mut shares = Vec::new();
        let mut tell = |share: f64, so_far: &dyn Fn() -> Trade| {
            shares.push(share);
            assert_eq!(so_far().changing_nothing, [""; 0]);
        };
        let trade = plan.measure(tape, &LinkInputs::default(), 0, &mut tell);
        assert_eq!(
            (shares.len(), shares.pop()),
            (trade.points.len() + 1, Some(1.0))
        );
        trade
    }

    #[test]
    fn every_combination_is_what_its_own_link_gives() {
        let link = "#scene=katamari&grid=6";
        let tape = Tape::record(&settings(link), 240);
        let trade = trade(&tape, link, &["hz=10,30", "interp=linear,hermite"]);
        assert_eq!((trade.points.len(), trade.point_count), (4, 4));
        for point in &trade.points {
            let (hz, interp) = (&point.settings["hz"], &point.settings["interp"]);
            let own = settings(&format!("{link}&hz={hz}&interp={interp}"));
            let report = report(&tape, &own);
            for id in ["kbps_mean", "surface_error_mm.p95", "playout_ms"] {
                let figure = Figure::by_id(id);
                assert_eq!(Some(point.figure(figure)), figure.of_run(&report), "{id}");
            }
        }
        // Hermite costs no more here, for its tangents come from neighbours, and errs less.
        let front = trade.points.iter().filter(|point| point.on_front);
        assert!(
            front
                .clone()
                .all(|point| point.settings["interp"] == "hermite")
        );
        assert_eq!(front.count(), 2);
    }

    #[test]
    fn a_coarser_orientation_is_cheaper_and_farther_off() {
        let link = "#scene=katamari&grid=6&hz=30&loss=0&jitter=0";
        let tape = Tape::record(&settings(link), 240);
        let trade = trade(&tape, link, &["rot=7,11"]);
        let [coarse, fine] = &trade.points[..] else {
            panic!("{:?}", trade.points);
        };
        let less = |a: &Point, b: &Point, id| {
            let figure = Figure::by_id(id);
            a.figure(figure) < b.figure(figure)
        };
        assert!(less(coarse, fine, "kbps_mean") && less(fine, coarse, "surface_error_mm.p95"));
        assert!(trade.points.iter().all(|point| point.on_front));
        assert_eq!(trade.changing_nothing, [""; 0]);
    }

    #[test]
    fn a_setting_that_changes_nothing_is_named() {
        let link = "#scene=katamari&grid=5&codec=uncompressed";
        let tape = Tape::record(&settings(link), 60);
        let trade = trade(&tape, link, &["pos=7,9", "hz=10,30"]);
        assert_eq!(trade.changing_nothing, ["pos"]);
    }

    #[test]
    fn what_cannot_be_varied_is_refused_by_name() {
        let refused = |varied: &[&str]| plan("#", varied).map(|_| ()).unwrap_err().to_string();
        assert_eq!(refused(&["hz"]), "\"hz\" is not of the form hz=10,20,30");
        assert_eq!(refused(&["nonsense=1"]), "There is no setting \"nonsense\"");
        assert_eq!(
            refused(&["buffer=3,5"]),
            "Jitter buffer (buffer) changes nothing here: the strategy does not use it"
        );
        assert!(refused(&["hz=10,999"]).contains("cannot be \"999\""));
        assert_eq!(
            refused(&["scene=roll"]),
            "Scene (scene) makes another motion: points can only be compared on the same one"
        );
        // What is varied beside it makes none.
        for (link, varied, named) in [
            (
                "#",
                &["hz=10,20", "strategy=snapshot,sync"][..],
                "(strategy)",
            ),
            ("#strategy=sync", &["hz=30,60", "soft=1,0"], "(soft)"),
            ("#strategy=sync", &["rel=0,1", "pos=12,9", "hz=60"], "(pos)"),
            (
                "#strategy=sync&both=0",
                &["pos=12,9", "strategy=sync,snapshot"],
                "(strategy)",
            ),
        ] {
            let message = plan(link, varied).map(|_| ()).unwrap_err().to_string();
            assert!(
                message.contains(named) && message.contains("another motion"),
                "{message}"
            );
        }
        // A motion whose objects come and go cannot be simulated.
        let rungs = [VariedSetting::parse("codec=predicted,simulated").unwrap()];
        let over = |has_slots| Plan::new(&settings("#"), &rungs, Some(has_slots));
        assert!(over(true).is_err() && over(false).is_ok());
        let many: Vec<_> = (1..=60).map(|hz| hz.to_string()).collect();
        let many = format!("hz={}", many.join(","));
        assert_eq!(
            refused(&[&many, "interp=linear,hermite"]),
            "120 points: there may be 1 to 64"
        );
    }
}
