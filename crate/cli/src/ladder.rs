//! Command `snapshot-lab ladder`: the cost of one motion on every rung. A rung is one encoding of snapshots.

use crate::output::ResultForm;
use crate::progress;
use crate::run::Play;
use crate::table::{number, table};
use clap::Args;
use serde::Serialize;
use snapshot_analysis::ladder::{RungCosts, climb, rungs};
use snapshot_lane::measure::metrics::LinkFigures;
use snapshot_lane::measure::report::SurfaceSpread;
use snapshot_settings::{Key, Strategy};
use std::process::ExitCode;

/// Send the same world over every rung of the ladder, all else as the permalink says.
#[derive(Args)]
pub(crate) struct LadderArguments {
    #[command(flatten)]
    play: Play,
    #[command(flatten)]
    form: ResultForm,
}

/// Printed row of a rung. An arithmetic rung is measured in the class that the link sets.
#[derive(Serialize)]
struct LadderRow {
    rung: u8,
    name: &'static str,
    bytes_per_packet_mean: f64,
    kbps_mean: f64,
    delivered_kbps_mean: f64,
    bits_per_changed_cube: Option<f64>,
    surface_error_mm: SurfaceSpread,
    surface_error_px: SurfaceSpread,
    #[serde(flatten)]
    link: LinkFigures,
}

impl LadderArguments {
    pub(crate) fn execute(self) -> Result<ExitCode, String> {
        let mut settings = self.play.settings();
        let set = settings.set(Key::Strategy, Strategy::Snapshot as u32);
        set.map_err(|error| error.to_string())?;
        let opened = self.play.open_to_hold_as(settings)?;
        let last = opened.until;
        let bar = progress::bar(2 * last, "ticks");
        let tape = opened.whole_tape(|tick| bar.set_position(tick));
        let (link_inputs, rungs) = (
            opened.link_inputs(),
            rungs(&tape, &[settings.lane().class()]),
        );
        let span = opened.span(&tape);
        let mut tell = |share, _: &dyn Fn() -> RungCosts| {
            bar.set_position(last + (share * last as f64) as u64);
        };
        let climbed = climb(&tape, &settings, &link_inputs, span, &rungs, &mut tell);
        bar.finish_and_clear();
        let rows = climbed.rows.into_iter();
        let rows: Vec<LadderRow> = rows
            .map(|row| LadderRow {
                rung: row.rung,
                name: row.name,
                bytes_per_packet_mean: row.bytes_per_packet,
                kbps_mean: row.kbps,
                delivered_kbps_mean: row.delivered_kbps,
                bits_per_changed_cube: row.bits_per_changed_cube,
                surface_error_mm: row.surface_error_mm,
                surface_error_px: row.surface_error_px,
                link: row.link,
            })
            .collect();
        self.form.print(&rows[..], print);
        Ok(ExitCode::SUCCESS)
    }
}

fn print(rows: &[LadderRow]) {
    let headings = "name|rung|bytes a packet|kbit/s|delivered|bits a changed cube|mm off, worst|queue ms|p95|lost by queue|of".split('|');
    let lines = rows.iter().map(|row| {
        vec![
            row.name.to_string(),
            row.rung.to_string(),
            number(row.bytes_per_packet_mean, 1),
            number(row.kbps_mean, 1),
            number(row.delivered_kbps_mean, 1),
            number(row.bits_per_changed_cube, 1),
            number(row.surface_error_mm.worst, 2),
            number(row.link.queue_ms.mean, 1),
            number(row.link.queue_ms.p95, 1),
            row.link.lost_by_queue.to_string(),
            row.link.link_packets.to_string(),
        ]
    });
    println!("{}", table(headings, 1, lines));
}
