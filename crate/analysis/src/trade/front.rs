//! Points, and the front of those that no other one beats.

use serde::Serialize;
use snapshot_lane::measure::metrics::LinkFigures;
use std::collections::BTreeMap;

/// Cost and quality of a lane with some settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The varied settings, by permalink key.
    pub settings: BTreeMap<&'static str, String>,
    /// Mean, counted header included.
    pub kbps_mean: f64,
    /// Over all cubes that interact, at the instant that is shown.
    pub position_error_mm_rms: f64,
    /// Its 95th percentile.
    pub position_error_mm_p95: f64,
    /// Over the same cubes.
    pub orientation_error_deg_rms: f64,
    /// Its 95th percentile.
    pub orientation_error_deg_p95: f64,
    /// Delay after the earliest arrival until a snapshot is shown, or a key simulated.
    pub playout_ms: f64,
    /// Waits, delays and losses of its packets.
    #[serde(flatten)]
    pub link: LinkFigures,
    /// No other point is as good in every figure of the front, and better in at least one.
    pub on_front: bool,
    /// Hash of the right view at the end.
    #[serde(skip)]
    pub(super) view_hash: u64,
}

impl Point {
    /// The figure of an axis.
    pub fn figure(&self, axis: Axis) -> f64 {
        match axis {
            Axis::Bandwidth => self.kbps_mean,
            Axis::PositionRms => self.position_error_mm_rms,
            Axis::PositionP95 => self.position_error_mm_p95,
            Axis::OrientationRms => self.orientation_error_deg_rms,
            Axis::OrientationP95 => self.orientation_error_deg_p95,
        }
    }

    pub(super) fn does_the_same(&self, other: &Point) -> bool {
        let figures = Axis::ALL.map(|axis| (self.figure(axis), other.figure(axis)));
        figures.into_iter().all(|(own, other)| own == other)
            && (self.playout_ms, self.view_hash) == (other.playout_ms, other.view_hash)
    }
}

/// A figure of points, of which less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Axis {
    Bandwidth,
    PositionRms,
    PositionP95,
    OrientationRms,
    OrientationP95,
}

impl Axis {
    /// All of them.
    pub const ALL: [Axis; 5] = [
        Axis::Bandwidth,
        Axis::PositionRms,
        Axis::PositionP95,
        Axis::OrientationRms,
        Axis::OrientationP95,
    ];

    /// The name that a [`Point`] has for it.
    pub fn name(self) -> &'static str {
        match self {
            Axis::Bandwidth => "kbps_mean",
            Axis::PositionRms => "position_error_mm_rms",
            Axis::PositionP95 => "position_error_mm_p95",
            Axis::OrientationRms => "orientation_error_deg_rms",
            Axis::OrientationP95 => "orientation_error_deg_p95",
        }
    }

    /// The axis of that name.
    pub fn from_name(name: &str) -> Option<Axis> {
        Axis::ALL.into_iter().find(|axis| axis.name() == name)
    }
}

/// The axes of the front until others are chosen: bits, and both errors.
pub const AXES: &[Axis] = &[Axis::Bandwidth, Axis::PositionRms, Axis::OrientationRms];

pub(super) fn find_front(points: &mut [Point], axes: &[Axis]) {
    let figures = |point: &Point| axes.iter().map(|axis| point.figure(*axis)).collect();
    let all: Vec<Vec<f64>> = points.iter().map(figures).collect();
    for (point, own) in points.iter_mut().zip(&all) {
        let beaten = |other: &Vec<f64>| {
            let pairs = || other.iter().zip(own);
            pairs().all(|(other, own)| other <= own) && pairs().any(|(other, own)| other < own)
        };
        point.on_front = !all.iter().any(beaten);
    }
}
