//! Command `snapshot-lab trade`: the trade-off between bandwidth and error.

use crate::output::ResultForm;
use crate::progress;
use crate::run::Play;
use crate::table::{number, table};
use clap::Args;
use snapshot_analysis::trade::{Point, Trade as Points, VariedSetting};
use snapshot_lane::measure::table::Figure;
use std::process::ExitCode;

/// Printed columns: heading, id in the table of figures, and number of decimals.
const FIGURES: [(&str, &str, usize); 4] = [
    ("kbit/s", "kbps_mean", 1),
    ("surface mm", "surface_error_mm.mean", 1),
    ("p95", "surface_error_mm.p95", 1),
    ("delay ms", "playout_ms", 1),
];

/// Vary settings over one motion, and print the cost and the quality of each combination. The front are the best of them in
/// bandwidth and the surface error at p95; less than 1 % is a tie. A playout delay that is set follows the send rate, and widths
/// that are set follow the bits, unless they are varied too.
#[derive(Args)]
pub(crate) struct TradeArguments {
    #[command(flatten)]
    play: Play,
    /// A setting and its values, such as hz=10,20,30,60; several are combined.
    #[arg(long, required = true, value_parser = |text: &str| VariedSetting::parse(text))]
    vary: Vec<VariedSetting>,
    #[command(flatten)]
    form: ResultForm,
}

impl TradeArguments {
    pub(crate) fn execute(self) -> Result<ExitCode, String> {
        let opened = self.play.open_to_hold()?;
        let motion = opened.motion.as_ref();
        let slots = motion.map(|motion| motion.facts.counts.has_lives());
        let points = Points::new(&opened.settings, &self.vary, opened.from, slots);
        let points = points.map_err(|error| error.to_string())?;
        let mut points = points.with_trace(opened.trace.clone());
        let tape = opened.whole_tape(|_| ());
        let bar = progress::bar(points.point_count() as u64, "points");
        while points.work(&tape) {
            bar.set_position(points.points().len() as u64);
        }
        bar.finish_and_clear();
        for followed in points.followed() {
            eprintln!("note: {followed}");
        }
        for key in points.changing_nothing() {
            let setting = key.setting();
            eprintln!("{} ({}) changes nothing here.", setting.label, setting.id);
        }
        self.form.print(points.points(), print);
        Ok(ExitCode::SUCCESS)
    }
}

fn print(points: &[Point]) {
    let names = points.first().into_iter();
    let names: Vec<&str> = names
        .flat_map(|point| point.settings.keys().copied())
        .collect();
    let of_figures = FIGURES.map(|(heading, ..)| heading);
    let headings = [&names[..], &[""], &of_figures].concat();
    let rows = points.iter().map(|point| {
        let front = if point.on_front { "front" } else { "" };
        let figures = FIGURES.map(|(_, id, digits)| (point.figure(Figure::by_id(id)), digits));
        let texts = point.settings.values().cloned().chain([front.to_owned()]);
        texts
            .chain(figures.map(|(figure, digits)| number(figure, digits)))
            .collect()
    });
    println!("{}", table(&headings, names.len() + 1, rows));
}
