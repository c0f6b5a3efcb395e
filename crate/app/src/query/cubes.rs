//! Overlays, freezes, corrections, and histories of single cubes.

use crate::lane_run::LaneId;
use crate::session::Session;
use serde::Serialize;
use snapshot_base::order;
use snapshot_lane::history::{
    Cure, FirstDifference, Freeze, Glitch, HandCorrection, LaneHistory, Moment, Wait, WorstObjects,
};
use snapshot_lane::overlay::Overlay;

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "FirstDifference"))]
pub struct Difference {
    pub(crate) packets: Vec<u64>,
    pub(crate) first_difference: Option<FirstDifference>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Overlay"))]
pub struct OverlayInfo {
    name: &'static str,
    label: &'static str,
    unit: &'static str,
    least: f32,
    most: f32,
}

impl From<Overlay> for OverlayInfo {
    fn from(overlay: Overlay) -> Self {
        OverlayInfo {
            name: overlay.name(),
            label: overlay.row().label,
            unit: overlay.row().unit,
            least: overlay.row().scale.0,
            most: overlay.row().scale.1,
        }
    }
}

pub(crate) fn first_difference(session: &Session) -> Option<Difference> {
    let a = session.lab().a();
    let b = session.lab().b().filter(|b| b.settings() == a.settings())?;
    let (history, other) = a.history().zip(b.history())?;
    let overrides = [a.overrides(), b.overrides()];
    let numbers = overrides.iter().flat_map(|overrides| overrides.iter());
    let mut packets: Vec<_> = numbers.map(|(number, _)| number).collect();
    order::sort_by_key(&mut packets, |number| *number);
    packets.dedup();
    packets.retain(|&number| overrides[0].get(number) != overrides[1].get(number));
    Some(Difference {
        packets,
        first_difference: history.first_difference(other),
    })
}

pub(super) fn glitch(session: &mut Session, lane: LaneId) -> Option<Glitch> {
    session.history_of(lane)?.glitch(session.lab().tick_count())
}

pub(super) fn worst_objects(
    session: &mut Session,
    lane: LaneId,
    count: usize,
) -> Option<WorstObjects> {
    Some(session.history_of(lane)?.worst_objects(count))
}

pub(super) fn freezes(session: &mut Session, lane: LaneId) -> Vec<Freeze> {
    let history = session.history_of(lane);
    history.map_or_else(Vec::new, LaneHistory::freezes)
}

pub(super) fn corrections(session: &mut Session, lane: LaneId) -> Vec<HandCorrection> {
    let history = session.history_of(lane);
    history.map_or_else(Vec::new, LaneHistory::corrections)
}

pub(super) fn wait(session: &mut Session, lane: LaneId) -> Option<Wait> {
    session.history_of(lane)?.wait(session.lab().tick_count())
}

pub(super) fn cure(session: &mut Session, lane: LaneId) -> Option<Cure> {
    session.history_of(lane)?.cure(session.lab().tick_count())
}

pub(super) fn moments(session: &mut Session, cube: usize, ticks: u64) -> Vec<Moment> {
    let lab = &mut session.lab;
    lab.moments(cube, ticks)
}

/// Iterates over the overlays that exist for the strategy of lane A or of lane B.
pub(super) fn overlays(session: &Session) -> impl Iterator<Item = OverlayInfo> {
    let strategy = |lane| {
        session
            .lab()
            .lane(lane)
            .map(|lane| lane.settings().strategy())
    };
    let strategies = LaneId::ALL.map(strategy);
    let is_there =
        move |overlay: &Overlay| strategies.iter().flatten().any(|it| overlay.is_of(*it));
    Overlay::ALL
        .into_iter()
        .filter(is_there)
        .map(OverlayInfo::from)
}
