//! Points of a trade and their Pareto front: points that no other point dominates.

use serde::{Serialize, Serializer};
use snapshot_lane::measure::metrics::LinkFigures;
use snapshot_lane::measure::table::Figure;
use snapshot_lane::measure::table::Report;
use std::collections::BTreeMap;

/// A point of a trade: settings, with a lane's cost and quality under them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Point {
    /// The varied settings, by permalink key.
    pub settings: BTreeMap<&'static str, String>,
    #[serde(flatten)]
    pub(super) figures: Figures,
    #[serde(flatten)]
    pub link: LinkFigures,
    /// True if no other point is as good in every axis of the front, and better in at least one.
    pub on_front: bool,
    /// Hash of the receiver's view after the last tick.
    #[serde(skip)]
    pub(super) view_hash: u64,
}

static FIGURES: [&Figure; 4] = [
    Figure::by_id("kbps_mean"),
    Figure::by_id("surface_error_mm.mean"),
    Figure::by_id("surface_error_mm.p95"),
    Figure::by_id("playout_ms"),
];

/// Values of a point for the figures in [`FIGURES`], in the same order. In JSON the key of a value is the figure's id, with
/// `_` in place of the dot.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Figures([f64; FIGURES.len()]);

impl Figures {
    pub(super) fn new(report: &Report) -> Figures {
        Figures(FIGURES.map(|figure| figure.of_run(report).unwrap_or(f64::NAN)))
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(FIGURES.iter().map(name).zip(self.0))
    }
}

#[cfg(feature = "ts")]
impl ts_rs::TS for Figures {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(_: &ts_rs::Config) -> String {
        let fields = FIGURES
            .iter()
            .map(|figure| format!("{}: number, ", name(figure)));
        format!("{{ {}}}", fields.collect::<String>())
    }

    fn inline(config: &ts_rs::Config) -> String {
        Self::name(config)
    }

    fn inline_flattened(config: &ts_rs::Config) -> String {
        Self::name(config)
    }
}

impl Point {
    /// Returns the measured value of a figure; NaN for a figure that points do not have.
    pub fn figure(&self, figure: &Figure) -> f64 {
        let place = FIGURES.iter().position(|own| *own == figure);
        place.map_or(f64::NAN, |place| self.figures.0[place])
    }

    pub(super) fn does_the_same(&self, other: &Point) -> bool {
        (&self.figures, self.view_hash) == (&other.figures, other.view_hash)
    }
}

/// Returns the key of a measured value in a point's JSON.
fn name(figure: &&Figure) -> String {
    figure.id.replace('.', "_")
}

/// Axes of the Pareto front: bandwidth, and the surface error, which has the errors of position and orientation in one.
static AXES: [&Figure; 2] = [
    Figure::by_id("kbps_mean"),
    Figure::by_id("surface_error_mm.p95"),
];

/// Finds the points that no other one beats.
pub(super) fn find_front(points: &mut [Point]) {
    let figures = |point: &Point| AXES.map(|axis| point.figure(axis));
    let all: Vec<[f64; 2]> = points.iter().map(figures).collect();
    for (point, own) in points.iter_mut().zip(&all) {
        point.on_front = !all.iter().any(|other| is_beaten(own, other));
    }
}

/// Ratio below which two measured values count as equal.
const TIE: f64 = 1.01;

/// Returns true if `other` is as good as `own` in every value, and clearly better in at least one. Lower values are better.
pub(crate) fn is_beaten(own: &[f64], other: &[f64]) -> bool {
    let pairs = || other.iter().zip(own);
    pairs().all(|(other, own)| *other <= own * TIE)
        && pairs().any(|(other, own)| other * TIE < *own)
}
