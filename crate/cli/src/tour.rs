//! Command `snapshot-lab tour`: measures the claims of the tour. A claim says that a value of a step's run is within bounds.

use crate::output::ResultForm;
use crate::progress;
use crate::table::{number, table};
use clap::Args;
use serde::Serialize;
use snapshot_course::{self as course, CHAPTERS, ClaimMeasurement, EXERCISES};
use snapshot_lane::measure::table::Unit;
use std::process::ExitCode;

/// Measure the claims of the page's tour, and check them.
///
/// `measured` is in the unit given; `article` is the articles' figure in the same unit, or null. Each claim is a figure of
/// a run of its step's link, and holds if it is within its bounds. Ends with 1 if a claim does not hold.
#[derive(Args)]
pub(crate) struct TourArguments {
    /// Only this step, as `step=` of a link names it.
    #[arg(long, value_name = "ID")]
    step: Option<String>,
    #[command(flatten)]
    form: ResultForm,
}

#[derive(Serialize)]
struct ClaimRow {
    chapter: &'static str,
    step: &'static str,
    claim: &'static str,
    unit: Unit,
    measured: Option<f64>,
    least: f64,
    most: f64,
    /// Another claim of the step, with the least and greatest allowed ratio of this claim's value to its value.
    times: Option<(&'static str, f64, f64)>,
    article: Option<f64>,
    holds: bool,
}

impl TourArguments {
    pub(crate) fn execute(self) -> Result<ExitCode, String> {
        let wanted = |step: &&course::Step| self.step.as_deref().is_none_or(|id| id == step.id);
        let steps: Vec<_> = course::steps().chain(&EXERCISES).filter(wanted).collect();
        if steps.is_empty() {
            let ids: Vec<_> = course::steps().map(|step| step.id).collect();
            return Err(format!(
                "there is no such step; there are {}",
                ids.join(", ")
            ));
        }
        let claims: usize = steps.iter().map(|step| step.claims.len()).sum();
        let bar = progress::bar(claims as u64, "claims");
        let mut measuring = ClaimMeasurement::default();
        measuring.ask(steps.iter().copied());
        while measuring.work() {
            bar.set_position(measuring.done().len() as u64);
        }
        bar.finish_and_clear();
        let rows: Vec<ClaimRow> = rows(&steps, &measuring);
        self.form.print(&rows[..], print);
        let all_hold = rows.iter().all(|row| row.holds);
        Ok(ExitCode::from(u8::from(!all_hold)))
    }
}

fn rows(steps: &[&'static course::Step], measuring: &ClaimMeasurement) -> Vec<ClaimRow> {
    let chapter = |id: &str| {
        let mut chapters = CHAPTERS.iter();
        let chapter = chapters.find(|chapter| chapter.steps.iter().any(|step| step.id == id));
        chapter.map_or("exercises", |chapter| chapter.id)
    };
    let row = |step: &'static course::Step, claim: &'static course::Claim| ClaimRow {
        chapter: chapter(step.id),
        step: step.id,
        claim: claim.id,
        unit: claim.figure.unit(),
        measured: measuring
            .measured(step, claim.id)
            .filter(|value| value.is_finite()),
        least: claim.least,
        most: claim.most,
        times: claim
            .times
            .map(|times| (times.other, times.least, times.most)),
        article: claim.article,
        holds: measuring.holds(step, claim),
    };
    let of_step = |step: &&'static course::Step| {
        let step = *step;
        step.claims.iter().map(move |claim| row(step, claim))
    };
    steps.iter().flat_map(of_step).collect()
}

fn print(rows: &[ClaimRow]) {
    let headings = "chapter|step|claim|holds|measured|least|most|times|article".split('|');
    let lines = rows.iter().map(|row| {
        vec![
            row.chapter.to_string(),
            row.step.to_string(),
            row.claim.to_string(),
            if row.holds { "yes" } else { "NO" }.to_string(),
            number(row.measured, 2),
            number(row.least, 2),
            number(row.most, 2),
            row.times.map_or(String::new(), |(other, least, most)| {
                format!("{least} to {most} x {other}")
            }),
            number(row.article, 2),
        ]
    });
    println!("{}", table(headings, 4, lines));
}
