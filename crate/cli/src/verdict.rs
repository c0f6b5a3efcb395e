//! Command `snapshot-lab verdict`: recommends settings for a motion.

use crate::output::ResultForm;
use crate::progress;
use crate::run::{Play, ScreenArgument};
use crate::table::{number, table};
use clap::Args;
use snapshot_analysis::ladder::RungCost;
use snapshot_analysis::verdict::{Answer, Limits, SurfaceAdvice, Verdict as Work};
use std::process::ExitCode;

/// Say which settings to take for a motion, why, and what other engines would send by default.
///
/// `rungs` are those of the link's class, as `ladder` has them. `payload_kbps` is of the recommended `rung`: the
/// simplest whose bits are within 2 % of the fewest. The surface error is the greatest distance between where a corner of an
/// object is and where it is shown. `widths` has the bits with the least bandwidth on rung 12 whose surface error, over the
/// moving objects, is at most half of --surface-mm; without a limit it is at most that of the default bits. Its widths and
/// bounds are those with the fewest bits. `tried` has each mode and delay. The one with the least
/// 95th percentile of the surface error over moving objects is taken.
/// Delays rise until nothing freezes, up to 2,000 ms. The shortest is taken whose freezes are as few as the link's `freezes`
/// allows. `behind_ms` is the mean age of the shown state. `apart` counts the objects and instants that are left out, because
/// an object is shown before or after a jump of its own. `freezes` are stretches in which the view stands still. `engines` are
/// models of other engines at their default settings, payload alone; each says its source and what it leaves out. `link` has
/// the settings to take at the recommended rate, and `taken` is a run of them. `home` has the settings of a server and its
/// clients, by the names of the package for JavaScript.
///
/// The link's `limits=` stand where no option is given.
///
/// `rates` has 10, 20, 30 and 60 packets a second. A point is `calm` if its freezes are as few as the link's
/// `freezes` allows. `recommended` is the cheapest such point within --surface-mm, --view-mm, --most-delay-ms and
/// --most-kbps; without the first two the surface error is at most twice the least. Without --most-delay-ms the delay is at most
/// 300 ms, or the shortest with few enough freezes. Points on the front are beaten by no other such point; less than 1 % is a
/// tie.
#[derive(Args)]
pub(crate) struct VerdictArguments {
    #[command(flatten)]
    play: Play,
    /// The greatest surface error of the right view at p95, mm; quantisation takes at most half of it.
    #[arg(long = "surface-mm", value_name = "MM", value_parser = above_0, conflicts_with = "pixels")]
    surface_mm: Option<f64>,
    /// The same in pixels of --screen.
    #[arg(long, value_name = "PIXELS", value_parser = above_0)]
    pixels: Option<f64>,
    #[command(flatten)]
    screen: ScreenArgument,
    /// The greatest position error of the right view at p95, mm.
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
        let linked = self.play.limits();
        let screen = self.screen.screen;
        let of_pixels = self.pixels.map(|pixels| screen.mm_of_px(pixels));
        let limits = Limits {
            surface_mm: self.surface_mm.or(of_pixels).or(linked.surface_mm),
            view_mm: self.view_mm.or(linked.view_mm),
            delay_ms: self.most_delay_ms.or(linked.delay_ms),
            age_ms: self.most_age_ms.or(linked.age_ms),
            kbps: self.most_kbps.or(linked.kbps),
        };
        let mut work = Work::new(
            &tape,
            &opened.settings,
            &opened.link_inputs(),
            limits,
            window,
        );
        let bar = progress::bar(STEPS as u64, "parts of a thousand");
        while work.step(&tape) {
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
    println!("{}.\n", freezes_text(answer));
    rates(answer);
    rungs(answer);
    let taken = &widths.surface.taken;
    println!(
        "{} bits of a metre for each coordinate of a position, {} bits for each component of an orientation",
        taken.position_bits, taken.orientation_bits
    );
    balanced(&widths.surface, widths.rate_hz);
    if !widths.surface.kept {
        println!("No bits that can be set keep this error.");
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
}

/// Prints the measured pairs of bits of positions and orientations, and marks the recommended pair.
fn balanced(surface: &SurfaceAdvice, rate_hz: u32) {
    println!(
        "Rounding may move a corner by {} mm. Pairs of bits on rung 12 at {} packets a second:",
        number(surface.wanted_mm, 2),
        rate_hz
    );
    let headings =
        "bits of a coordinate|bits of a component|rounding mm, worst|kbit/s|bits a changed object"
            .split('|');
    let rows = surface.pairs.iter().map(|pair| {
        let is_set = *pair == surface.set;
        let taken = mark(*pair == surface.taken, " *");
        vec![
            format!(
                "{}{taken}{}",
                pair.position_bits,
                mark(is_set, " (default)")
            ),
            pair.orientation_bits.to_string(),
            number(pair.surface_mm, 2),
            number(pair.kbps, 1),
            number(pair.bits_per_changed_cube.unwrap_or_default(), 2),
        ]
    });
    println!("{}", table(headings, 1, rows));
}

fn freezes_text(answer: &Answer) -> String {
    let played = &answer.taken.played;
    let freezes = played.freezes;
    format!(
        "{} freezes over {}, in each of eight runs of {} s, {} ms at the longest, {} ms a minute, with a delay of {} ms",
        freezes.count(),
        answer.network,
        number(answer.window.seconds, 0),
        number(freezes.longest_ms, 0),
        number(freezes.ms_per_minute, 0),
        number(played.delay_ms, 0)
    )
}

/// Returns the mark if a row stands out, else an empty text.
fn mark(stands_out: bool, mark: &str) -> &str {
    if stands_out { mark } else { "" }
}

fn rates(answer: &Answer) {
    let Some(rates) = &answer.rates else {
        return;
    };
    let headings =
        "packets a second|front|kbit/s|way|delay ms|age ms|surface mm p95|pixels|freezes|a minute|longest ms|ms/min"
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
            number(played.surface_error_mm_p95, 2),
            number(played.surface_error_px_p95, 1),
            played.freezes.count(),
            number(played.freezes.per_minute, 2),
            number(played.freezes.longest_ms, 0),
            number(played.freezes.ms_per_minute, 0),
        ]
    });
    println!("{}", table(headings, 2, rows));
    println!("{}", table_notes(answer));
    println!("{}\n{}\n", recommended.why, answer.link);
}

/// Returns notes on the columns of the table of rates whose headings do not explain them.
fn table_notes(answer: &Answer) -> String {
    format!(
        "Freezes are of the whole view, in each of eight runs of {} s; a minute, longest and ms/min are of all runs together. The age is that of what is shown. The error is against the truth of that age. On the front are the rows with few enough freezes of which no other such row is better in kbit/s, error or delay; less than 1 % is a tie.",
        number(answer.window.seconds, 0)
    )
}

fn rungs(answer: &Answer) {
    let headings = "name|rung|kbit/s|bytes a packet|over the MTU".split('|');
    let rows = answer.rungs.iter().map(|row| {
        let taken = mark(row.rung == answer.rung.number, " *");
        vec![
            format!("{}{taken}", row.name),
            row.rung.to_string(),
            number(row.kbps, 1),
            number(row.bytes_per_packet, 1),
            row.packets_over_mtu.to_string(),
        ]
    });
    println!("{}\n", table(headings, 1, rows));
}

fn played(answer: &Answer) {
    let headings =
        "interpolation|delay ms|age ms|surface mm p95|p95 mm|p95 °|freezes|longest ms|ms/min"
            .split('|');
    let rows = answer.tried.iter().map(|played| {
        let taken = mark(*played == answer.taken.played, " *");
        vec![
            format!("{}{taken}", played.mode),
            number(played.delay_ms, 0),
            number(played.behind_ms, 0),
            number(played.surface_error_mm_p95, 2),
            number(played.position_error_mm_p95, 2),
            number(played.orientation_error_deg_p95, 3),
            played.freezes.count(),
            number(played.freezes.longest_ms, 0),
            number(played.freezes.ms_per_minute, 0),
        ]
    });
    println!("{}", table(headings, 1, rows));
    println!(
        "The motion has {} jumps of objects, which errors leave out.\n",
        answer.motion.jumps
    );
}

fn engines(answer: &Answer) {
    let is_taken = |row: &&RungCost| row.rung == answer.rung.number;
    let own = answer.rungs.iter().find(is_taken);
    let hz = answer.window.send_rate_hz;
    let equal = format!("kbit/s at {hz}/s");
    let headings = [
        "payload alone",
        "version",
        &equal,
        "packets a second",
        "bytes a packet",
        "kbit/s by default",
        "default rate",
    ];
    let own = own.map(|row| {
        vec![
            format!("rung {}", row.rung),
            String::new(),
            number(answer.payload_kbps, 1),
            number(answer.payload_kbps * 125.0 / row.bytes_per_packet, 1),
            number(row.bytes_per_packet, 1),
            String::new(),
            String::new(),
        ]
    });
    let rows = answer.engines.iter().map(|row| {
        vec![
            row.name.to_string(),
            row.version.to_string(),
            number(row.equal.payload_kbps, 1),
            number(row.equal.packets_per_s, 1),
            number(row.equal.bytes_per_packet, 1),
            number(row.payload_kbps, 1),
            row.rate_hz.to_string(),
        ]
    });
    println!(
        "{}\n",
        table(headings.into_iter(), 2, own.into_iter().chain(rows))
    );
    println!(
        "Models of the engines' encodings, counted over this motion without loss, at each engine's own precision.\n"
    );
}
