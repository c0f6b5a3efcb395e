//! Command `snapshot-lab verdict`: recommends settings for a motion.

use crate::output::ResultForm;
use crate::progress;
use crate::run::Play;
use crate::table::{number, table};
use clap::Args;
use snapshot_analysis::verdict::{
    Answer, ChosenNetworks, CommandNames, ErrorLimits, Limits, Request, Source, Verdict as Work,
    network_ids,
};
use std::process::ExitCode;

/// Say which settings to take for a motion, why, and what other engines would send by default.
///
/// `rungs` are those of the link's class, as `ladder` has them; `payload_kbps` leaves out the counted header. `rung` is the
/// simplest whose bits are within 2 % of the fewest. `widths` has the fewest bits whose greatest error, over the moving
/// objects, is at most --error-mm and --error-deg; without them the link's bits stand. Its widths and bounds are those with
/// the fewest bits. `interpolation` is by the 95th percentiles of the errors over moving objects. Delays rise until nothing
/// freezes, up to 2,000 ms. The shortest is taken whose freezes are as few as the link's `freezes` allows. `behind_ms` is
/// the mean age of the shown state. `apart` counts the objects and instants that are left out, because an object is shown
/// before or after a jump of its own. `freezes` are stretches in which the view stands still. `engines` are models of other
/// engines at their default settings, payload alone; each says its source and what it leaves out. `link` has the
/// settings to take at the link's rate, and `taken` is a run of them. `home` has the settings of a server
/// and its clients, by the names of the package for JavaScript.
///
/// The link's `limits=` stand where no option is given.
///
/// `rates` has 10, 20, 30 and 60 packets a second, and the link's rate. A point is `calm` if its freezes are as few as the link's
/// `freezes` allows. `recommended` is the cheapest such point within --view-mm, --most-delay-ms and --most-kbps; without
/// --view-mm the error is at most twice the least. Points on the front are beaten by no other such point; less than 1 % is a
/// tie. `networks` has the link's own network or trace, and the presets of --networks, at the recommended rate. The common delay
/// has few enough freezes on all, or nearly the least frozen time on the worst. `command` gives the same values again.
#[derive(Args)]
pub(crate) struct VerdictArguments {
    #[command(flatten)]
    play: Play,
    /// The greatest error of a sent position, mm.
    #[arg(long = "error-mm", value_name = "MM", value_parser = above_0)]
    error_mm: Option<f64>,
    /// The greatest error of a sent orientation, degrees.
    #[arg(long = "error-deg", value_name = "DEGREES", value_parser = above_0)]
    error_deg: Option<f64>,
    /// The greatest error of the right view at p95, mm.
    #[arg(long = "view-mm", value_name = "MM", value_parser = above_0)]
    view_mm: Option<f64>,
    /// The longest playout delay, ms.
    #[arg(long = "most-delay-ms", value_name = "MS", value_parser = above_0)]
    most_delay_ms: Option<f64>,
    /// The greatest mean age of what is shown, end to end, ms.
    #[arg(long = "most-age-ms", value_name = "MS", value_parser = above_0)]
    most_age_ms: Option<f64>,
    /// The most kbit/s a player.
    #[arg(long = "most-kbps", value_name = "KBPS", value_parser = above_0)]
    most_kbps: Option<f64>,
    /// The networks that one setting is to serve: own, and presets of the link, or none or all; all but bufferbloat, whose way is an uplink.
    #[arg(long, value_name = "NAMES", value_parser = networks_named)]
    networks: Option<ChosenNetworks>,
    #[command(flatten)]
    form: ResultForm,
}

const STEPS: f64 = 1000.0;

fn above_0(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "it is a number")?;
    if number > 0.0 && number.is_finite() {
        Ok(number)
    } else {
        Err("it is a number above 0, and not infinite".to_string())
    }
}

fn networks_named(text: &str) -> Result<ChosenNetworks, String> {
    ChosenNetworks::parse(text, ',').ok_or_else(|| {
        let known: Vec<_> = network_ids().collect();
        format!(
            "they are names of {}, separated by commas",
            known.join(", ")
        )
    })
}

impl VerdictArguments {
    pub(crate) fn execute(mut self) -> Result<ExitCode, String> {
        let answer = self.answer()?;
        self.form.print(&answer, print);
        Ok(ExitCode::SUCCESS)
    }

    fn answer(&mut self) -> Result<Answer, String> {
        let opened = self.play.open_a_minute()?;
        let tape = opened.whole_tape(|_| ());
        let window = [opened.from, opened.until];
        let source = match &opened.motion {
            Some(motion) => Source::Motion(self.play.motion.name(), motion.ticks()),
            None => Source::Scene,
        };
        let linked = self.play.limits();
        let request = Request {
            wanted: ErrorLimits {
                position_mm: self.error_mm,
                orientation_deg: self.error_deg,
            },
            limits: Limits {
                view_mm: self.view_mm.or(linked.limits.view_mm),
                delay_ms: self.most_delay_ms.or(linked.limits.delay_ms),
                age_ms: self.most_age_ms.or(linked.limits.age_ms),
                kbps: self.most_kbps.or(linked.limits.kbps),
            },
            networks: self.networks.clone().unwrap_or(linked.networks),
            names: CommandNames {
                source,
                trace: self.play.trace.name(),
                jumps_over: self.play.jumps_over(),
            },
        };
        let mut work = Work::new(&tape, &opened.settings, &opened.given(), request, window);
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
    println!("{}\n{}", rung.why, answer.link);
    println!("It {}.\n", freezes_text(answer));
    rates(answer);
    networks(answer);
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
    crate::output::json(&answer.home);
    if let Some(command) = &answer.command {
        println!("\n{command}");
    }
}

fn freezes_text(answer: &Answer) -> String {
    let played = &answer.taken.played;
    let freezes = played.freezes;
    format!(
        "{} freezes in eight runs of {} s, {} ms at the longest, {} ms a minute, with a delay of {} ms",
        freezes.count(),
        number(answer.window.seconds, 0),
        number(freezes.longest_ms, 0),
        number(freezes.ms_per_minute, 0),
        number(played.delay_ms, 0)
    )
}

/// The mark of a row that stands out, or nothing.
fn mark(stands_out: bool, mark: &str) -> &str {
    if stands_out { mark } else { "" }
}

fn rates(answer: &Answer) {
    let Some(rates) = &answer.rates else {
        return;
    };
    let headings =
        "packets a second|front|kbit/s|way|delay ms|age ms|p95 mm|freezes|longest ms|ms/min"
            .split('|');
    let recommended = &rates.recommended;
    let rows = rates.points.iter().map(|point| {
        let taken = mark(*point == recommended.point, " *");
        let played = &point.played;
        vec![
            format!("{}{taken}", point.rate_hz),
            mark(point.on_front, "front").to_string(),
            number(point.kbps, 1),
            played.mode.to_string(),
            number(played.delay_ms, 0),
            number(played.behind_ms, 0),
            number(played.position_error_mm_p95, 2),
            played.freezes.count(),
            number(played.freezes.longest_ms, 0),
            number(played.freezes.ms_per_minute, 0),
        ]
    });
    println!("{}", table(headings, 2, rows));
    println!("{}\n{}\n", recommended.why, recommended.link);
}

fn networks(answer: &Answer) {
    let Some(networks) = &answer.networks else {
        return;
    };
    let headings =
        "network|kbit/s|own delay ms|own ms/min|own p95 mm|more ms|more ms/min|more mm".split('|');
    let rows = networks.rows.iter().map(|row| {
        let worst = mark(row.id == networks.worst, " (worst)");
        vec![
            format!("{}{worst}", row.label),
            number(row.kbps, 1),
            number(row.own_best.delay_ms, 0),
            number(row.own_best.freezes.ms_per_minute, 0),
            number(row.own_best.position_error_mm_p95, 2),
            number(row.delay_more_ms, 0),
            number(row.still_more_ms_per_minute, 0),
            number(row.error_more_mm, 2),
        ]
    });
    println!("{}", table(headings, 1, rows));
    println!(
        "{} ms on all of these at {} packets a second\n{}\n",
        number(networks.delay_ms, 0),
        networks.rate_hz,
        networks.link
    );
}

fn rungs(answer: &Answer) {
    let headings = "name|rung|kbit/s|payload|bytes a packet|over the MTU".split('|');
    let rows = answer.rungs.iter().map(|row| {
        let taken = mark(row.rung == answer.rung.number, " *");
        vec![
            format!("{}{taken}", row.name),
            row.rung.to_string(),
            number(row.kbps, 1),
            number(row.payload_kbps, 1),
            number(row.bytes_per_packet, 1),
            row.packets_over_mtu.to_string(),
        ]
    });
    println!("{}\n", table(headings, 1, rows));
}

fn played(answer: &Answer) {
    let headings =
        "interpolation|delay ms|age ms|p95 mm|p95 °|freezes|longest ms|ms/min".split('|');
    let best = answer.interpolation.best;
    let rows = answer.interpolation.tried.iter().map(|played| {
        let taken = mark(*played == best, " *");
        vec![
            format!("{}{taken}", played.mode),
            number(played.delay_ms, 0),
            number(played.behind_ms, 0),
            number(played.position_error_mm_p95, 2),
            number(played.orientation_error_deg_p95, 3),
            played.freezes.count(),
            number(played.freezes.longest_ms, 0),
            number(played.freezes.ms_per_minute, 0),
        ]
    });
    println!("{}", table(headings, 1, rows));
    println!(
        "{} jumps, which no error counts\n",
        answer.interpolation.jumps
    );
}

fn engines(answer: &Answer) {
    let own = answer.rungs.iter();
    let own = own.clone().find(|row| row.rung == answer.rung.number);
    let hz = answer.window.send_rate_hz;
    let equal = format!("kbit/s at {hz}/s");
    let headings = [
        "payload alone",
        &equal,
        "bytes a packet",
        "kbit/s by default",
        "default rate",
    ];
    let own = own.map(|row| {
        vec![
            format!("rung {}", row.rung),
            number(row.payload_kbps, 1),
            number(row.bytes_per_packet, 1),
            String::new(),
            String::new(),
        ]
    });
    let rows = answer.engines.iter().map(|row| {
        vec![
            format!("{} {}", row.name, row.version),
            number(row.equal.payload_kbps, 1),
            number(row.equal.bytes_per_packet, 1),
            number(row.payload_kbps, 1),
            row.rate_hz.to_string(),
        ]
    });
    println!(
        "{}\n",
        table(headings.into_iter(), 1, own.into_iter().chain(rows))
    );
}
