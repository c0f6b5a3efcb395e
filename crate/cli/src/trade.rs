//! Command `snapshot-lab trade`: the trade-off between bandwidth and error.

use crate::output::ResultForm;
use crate::progress;
use crate::run::Play;
use crate::table::{number, table};
use clap::Args;
use snapshot_analysis::trade::{Plan, Point, Trade, VariedSetting};
use snapshot_lane::measure::table::Figure;
use snapshot_netsim::channel::LinkInputs;
use snapshot_settings::Key;
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
        let plan = Plan::new(&opened.settings, &self.vary, slots);
        let plan = plan.map_err(|error| error.to_string())?;
        let tape = opened.whole_tape(|_| ());
        let bar = progress::bar(100, "%");
        let link_inputs = LinkInputs {
            trace: opened.trace.clone(),
            ..LinkInputs::default()
        };
        let mut tell = |share: f64, _: &dyn Fn() -> Trade| bar.set_position((share * 100.0) as u64);
        let trade = plan.measure(&tape, &link_inputs, opened.from, &mut tell);
        bar.finish_and_clear();
        for followed in &trade.followed {
            eprintln!("note: {followed}");
        }
        for id in &trade.changing_nothing {
            let label = Key::from_id(id).map_or(*id, |key| key.setting().label);
            eprintln!("{label} ({id}) changes nothing here.");
        }
        self.form.print(&trade.points[..], print);
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
