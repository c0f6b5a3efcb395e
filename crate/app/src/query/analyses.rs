//! Results over the held motion: the report and downloads.

use crate::lane_run::{LaneId, LaneRun};
use crate::session::Session;
use serde::Serialize;
use snapshot_analysis::answer::{self, Question};
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

pub(super) fn analysis_inputs(session: &mut Session, question: Question) -> String {
    let tape = session.lab().tape();
    let motion = session.played_motion().map(|it| it.facts.fingerprint);
    let inputs = answer::inputs(&question, &session.lab().a_and_b().map(LaneRun::setup));
    format!("{inputs} {} {} {motion:?}", session.opened, tape.edits())
}
