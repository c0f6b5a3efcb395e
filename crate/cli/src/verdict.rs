//! `snapshot-lab verdict`: the settings to take for a motion.

use crate::progress;
use crate::run::{Play, refuse};
use crate::table::{number, table};
use clap::Args;
use snapshot_analysis::verdict::{Answer, Verdict as Work, Wanted};
use std::process::ExitCode;

/// Say which settings to take for a motion, why, and what other engines would send by default.
///
/// `rungs` are those of the link's class, as `ladder` has them; `payload_kbps` leaves out the counted header. `rung` is the
/// simplest whose bits are within 2 % of the fewest. `widths` has the fewest bits whose greatest error, over the moving
/// objects, is at most --error-mm and --error-deg; without them the link's bits stand. Its widths and bounds are those with
/// the fewest bits. `interpolation` is by the 95th percentiles of the errors over moving objects. `apart` counts the
/// objects and instants that are left out, because an object is shown before or after a jump of its own. `engines` are models of other
/// engines at their default settings, payload alone; each says its source and what it leaves out. `link` and `rust` are the
/// settings to take, and `taken` is a run of them.
#[derive(Args)]
pub(crate) struct Verdict {
    #[command(flatten)]
    play: Play,
    /// The greatest error of a sent position, mm.
    #[arg(long = "error-mm", value_name = "MM", value_parser = error)]
    error_mm: Option<f64>,
    /// The greatest error of a sent orientation, degrees.
    #[arg(long = "error-deg", value_name = "DEGREES", value_parser = error)]
    error_deg: Option<f64>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Steps of the bar.
const STEPS: f64 = 1000.0;

fn error(text: &str) -> Result<f64, String> {
    let error: f64 = text.parse().map_err(|_| "it is a number")?;
    if error > 0.0 && error.is_finite() {
        Ok(error)
    } else {
        Err("it is a number above 0, and not infinite".to_string())
    }
}

impl Verdict {
    /// Works and prints.
    pub(crate) fn execute(self) -> ExitCode {
        let json = self.json;
        match self.answer() {
            Ok(answer) if json => {
                let json = serde_json::to_string_pretty(&answer);
                println!("{}", json.expect("only numbers and names"));
                ExitCode::SUCCESS
            }
            Ok(answer) => {
                print(&answer);
                ExitCode::SUCCESS
            }
            Err(error) => refuse(&error),
        }
    }

    fn answer(self) -> Result<Answer, String> {
        let wanted = Wanted {
            position_mm: self.error_mm,
            orientation_deg: self.error_deg,
        };
        let opened = self.play.open_a_minute()?;
        let tape = opened.whole_tape(|_| ());
        let window = [opened.from, opened.until];
        let mut work = Work::new(&tape, &opened.settings, &opened.given(), wanted, window);
        let bar = progress::bar(STEPS as u64, "parts of a thousand");
        while work.work(&tape) {
            bar.set_position((work.share() * STEPS) as u64);
        }
        bar.finish_and_clear();
        work.answer(&tape).ok_or_else(|| {
            "there is nothing to judge: no packet leaves or no object is there in that time"
                .to_string()
        })
    }
}

fn print(answer: &Answer) {
    let (rung, widths) = (&answer.rung, &answer.widths);
    println!("{}\n{}\n", rung.why, answer.link);
    rungs(answer);
    println!(
        "{} position bits: {} mm at most, {} bits of an orientation: {} degrees at most",
        widths.position_bits.bits,
        number(widths.position_bits.error_max, 2),
        widths.orientation_bits.bits,
        number(widths.orientation_bits.error_max, 3)
    );
    if !widths.kept {
        println!("No bits that can be set keep the wanted error.");
    }
    let pair = |pair: &snapshot_analysis::widths::Pair| {
        format!("{} and {}", pair.small_bits, pair.large_bits)
    };
    println!(
        "best widths on rungs 9 to 11: positions {}, orientations {}; bounds {:?} to {:?}\n",
        pair(&widths.position),
        pair(&widths.orientation),
        widths.best_bounds[0],
        widths.best_bounds[1]
    );
    played(answer);
    for warning in &answer.warnings {
        println!("warning {}: {}\n", warning.name, warning.text);
    }
    engines(answer);
    println!("{}", answer.rust.join("\n"));
}

fn rungs(answer: &Answer) {
    let headings = [
        "name",
        "rung",
        "kbit/s",
        "payload",
        "bytes a packet",
        "over the MTU",
    ];
    let rows = answer.rungs.iter().map(|row| {
        let taken = if row.rung == answer.rung.number {
            " *"
        } else {
            ""
        };
        vec![
            format!("{}{taken}", row.name),
            row.rung.to_string(),
            number(row.kbps, 1),
            number(row.payload_kbps, 1),
            number(row.bytes_per_packet, 1),
            row.packets_over_mtu.to_string(),
        ]
    });
    println!("{}\n", table(&headings, 1, rows));
}

fn played(answer: &Answer) {
    let headings = ["interpolation", "delay ms", "p95 mm", "p95 °", "hitches"];
    let best = answer.interpolation.best;
    let rows = answer.interpolation.tried.iter().map(|played| {
        let taken = if *played == best { " *" } else { "" };
        vec![
            format!("{}{taken}", played.mode),
            number(played.delay_ms, 0),
            number(played.position_error_mm_p95, 2),
            number(played.orientation_error_deg_p95, 3),
            played.hitches.to_string(),
        ]
    });
    println!("{}", table(&headings, 1, rows));
    println!(
        "{} jumps, which no error counts\n",
        answer.interpolation.jumps
    );
}

fn engines(answer: &Answer) {
    let headings = [
        "engine, default settings, payload alone",
        "rate",
        "kbit/s",
        "bytes a packet",
    ];
    let rows = answer.engines.iter().map(|row| {
        vec![
            format!("{} {}", row.name, row.version),
            row.rate_hz.to_string(),
            number(row.payload_kbps, 1),
            number(row.bytes_per_packet, 1),
        ]
    });
    println!("{}\n", table(&headings, 1, rows));
}
