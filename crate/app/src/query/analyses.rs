//! Results over the held motion: the report, downloads and studies.

use crate::lane_run::LaneId;
use crate::session::Session;
use serde::Serialize;
use snapshot_analysis::comparison::{Compared, Comparison};
use snapshot_analysis::ladder::{Ladder, RungCosts};
use snapshot_analysis::trade::Point;
use snapshot_analysis::widths::WidthCounts;
use snapshot_lane::measure::run::RunReport;
use snapshot_lane::series;
use snapshot_record::last_minute;

/// A report as JSON of the command line.
#[derive(Serialize)]
#[serde(transparent)]
#[cfg_attr(
    feature = "ts",
    derive(ts_rs::TS),
    ts(rename = "ReportJson", type = "Record<string, unknown>")
)]
pub struct ReportJson(RunReport);

/// A trade-off as far as it has got.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Trade"))]
pub struct TradeOut {
    /// Points measured so far, with their Pareto front.
    points: Vec<Point>,
    /// Number of all points, measured or not.
    point_count: usize,
    /// Sentences about the settings that change together with a varied one.
    followed: Vec<String>,
    /// Permalink keys of varied settings that have no effect on the results; empty until all points are measured.
    changing_nothing: Vec<&'static str>,
}

pub(super) fn report(session: &mut Session) -> ReportJson {
    ReportJson(RunReport {
        settings: *session.lab().settings(),
        report: session.lab_mut().report(),
    })
}

pub(super) fn figures_csv(session: &mut Session, lane: LaneId) -> Option<String> {
    session.lab_mut().finish();
    session.history_of(lane).map(series::csv)
}

pub(super) fn recorded_ticks(session: &mut Session) -> u64 {
    last_minute::ticks(session.lab().tape()) as u64
}

pub(super) fn rungs(session: &mut Session, lane: LaneId) -> Option<RungCosts> {
    session.studies.ladders[lane as usize]
        .as_ref()
        .map(Ladder::rows)
}

pub(super) fn widths(session: &mut Session) -> Option<WidthCounts> {
    let widths = session.studies.widths.as_ref()?;
    Some(widths.counts(session.lab().settings()))
}

pub(super) fn trade(session: &mut Session) -> Option<TradeOut> {
    let trade = session.studies.trade.as_ref()?;
    let idle = trade.changing_nothing().into_iter();
    Some(TradeOut {
        points: trade.points().to_vec(),
        point_count: trade.point_count(),
        followed: trade.followed().to_vec(),
        changing_nothing: idle.map(|key| key.setting().id).collect(),
    })
}

pub(super) fn compared(session: &mut Session) -> Option<Compared> {
    session
        .studies
        .comparison
        .as_ref()
        .map(Comparison::compared)
}
