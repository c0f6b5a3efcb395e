//! Command `snapshot-lab run`: plays a permalink and prints its figures.

use crate::cut::{Cut, SECONDS_MAX};
use crate::files;
use crate::judge::PosePair;
use crate::motion::{MotionFile, MotionSource};
use crate::progress;
use crate::table::{number, table};
use crate::trace::TraceFile;
use clap::Args;
use serde_json::Value;
use snapshot_analysis::verdict::Limits;
use snapshot_app::Lab;
use snapshot_app::link::{self, Link};
use snapshot_base::time::{TickRate, WORLD};
use snapshot_lane::measure::run::RunReport;
use snapshot_lane::measure::table::{FIGURES, Figure, TimeWindow};
use snapshot_lane::series;
use snapshot_lane::surface::Screen;
use snapshot_physics::Input;
use snapshot_record::tape::{HELD_TICKS, Tape};
use snapshot_settings::{Key, Settings, permalink};
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;

/// Play a permalink and report what it cost and how well it did.
///
/// Errors compare the right view with the truth of the instant that it shows, over cubes interacting at that instant. Hashes
/// are equal wherever the same link is played for as long. With strategy=sync, changed cubes are updates.
///
/// With --from the scene plays for a while before the lane begins, as on the page, which keeps the newest minute. The
/// options --seconds and --cut count from there. With --cut there is also `cuts`, an array of `start_s` and `length_s`.
///
/// A link written by the page's Share carries the recorded input, the start of the lane and the instant to end at. The
/// options --from and --first-tick are for other links.
#[derive(Args)]
#[command(after_long_help = definitions())]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) play: Play,
    /// Cut the network, both ways, for a while in seconds, such as 20+2 for the two from 20 s on; any number of times.
    #[arg(long = "cut", value_name = "START+LENGTH", value_parser = Cut::parse)]
    cuts: Vec<Cut>,
    /// Begin the numbers of ticks here, so that sequences wrap sooner; sequences wrap after 65,536.
    #[arg(
        long,
        value_name = "TICK",
        default_value_t = 0,
        conflicts_with = "file"
    )]
    first_tick: u32,
    /// Write the figures of each tick of the newest minute to a file, as CSV.
    #[arg(long, value_name = "FILE")]
    figures: Option<PathBuf>,
    /// Write the poses that the right view draws to a file, for `judge`: rows of time, slot, event and pose.
    #[arg(long, value_name = "FILE")]
    export_view: Option<PathBuf>,
    /// Write the true poses to a file in the same way.
    #[arg(long, value_name = "FILE")]
    export_truth: Option<PathBuf>,
    #[command(flatten)]
    screen: ScreenArgument,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The screen by which a surface error becomes pixels.
#[derive(Args)]
pub(crate) struct ScreenArgument {
    /// Count pixels at so many metres from the object, with this vertical field of view in degrees and so many lines; 10,60,1080
    /// unless given.
    #[arg(long = "screen", value_name = "M,DEGREES,LINES", default_value = "10,60,1080", hide_default_value = true, value_parser = screen)]
    pub(crate) screen: Screen,
}

fn screen(text: &str) -> Result<Screen, String> {
    Screen::parse(text).ok_or_else(|| "it is three numbers above 0, such as 10,60,1080".to_string())
}

/// The link to play, and for how long.
#[derive(Args)]
pub(crate) struct Play {
    /// A permalink or its fragment, such as "#hz=60&loss=5"; "" for the defaults.
    link: String,
    /// Seconds of the simulation to play; 47 if neither this nor a link written by Share gives them.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(SECONDS_MAX)))]
    seconds: Option<u32>,
    /// Seconds that the scene has played when the lane begins. Both together are at most ten hours.
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = from)]
    from: f64,
    #[command(flatten)]
    pub(crate) motion: MotionFile,
    #[command(flatten)]
    pub(crate) trace: TraceFile,
}

const SECONDS: u32 = 47;
const MINUTE_S: u32 = 60;

fn from(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "it is a number of seconds")?;
    if (0.0..=f64::from(SECONDS_MAX)).contains(&seconds) {
        Ok(seconds)
    } else {
        Err(format!("it goes from 0 to {SECONDS_MAX} seconds"))
    }
}

/// Parses a link. Parts that cannot be used are reported on stderr.
fn read(link: &str) -> Link {
    let (link, notices) = link::parse(link);
    notices
        .iter()
        .for_each(|notice| eprintln!("note: {notice}"));
    note_fitted_widths(&link.a.settings);
    link
}

/// Returns true if the link holds more than settings: a person's keys, or a lane that started later.
fn is_recorded(link: &Link) -> bool {
    link.has_acts() || link.a.start_tick.is_some()
}

/// Returns the settings of a link; those of lane A if the link has two lanes. Parts that cannot be used are reported on
/// stderr.
pub(crate) fn settings(link: &str) -> Settings {
    let link = read(link);
    if is_recorded(&link) {
        eprintln!("note: What a person did is left out here: only `run` plays it");
    }
    link.a.settings
}

fn note_fitted_widths(settings: &Settings) {
    let widths = [
        (Key::PositionLarge, settings.lane().position_widths()),
        (Key::OrientationLarge, settings.lane().orientation_widths()),
    ];
    for (key, widths) in widths {
        if settings.get(key) < widths.large_bits() {
            let (id, bits) = (key.setting().id, widths.large_bits());
            eprintln!(
                "note: {id} is taken as {bits} bits: the large range is as wide as the small one at least"
            );
        }
    }
}

impl Play {
    /// Opens the motion: the file's if one is named, else the scene of these settings. Parts that cannot be used are reported on
    /// stderr.
    ///
    /// # Errors
    /// When the motion cannot be read.
    pub(crate) fn open_as(&self, settings: Settings) -> Result<MotionSource, String> {
        let time = |tick_rate| (self.begins_after_tick(tick_rate), self.ticks(tick_rate));
        let link = link::parse(&self.link).0;
        let opened = MotionSource::new(settings, &link, &self.motion, time)?;
        Ok(MotionSource {
            trace: self.trace.read(&link)?,
            ..opened
        })
    }

    /// Opens the motion of the link. Returns an error if a scene is longer than a minute, which is all that a tape
    /// can store.
    pub(crate) fn open_to_hold(&self) -> Result<MotionSource, String> {
        self.open_to_hold_as(settings(&self.link))
    }

    /// Opens the motion as [`Play::open_to_hold`] does, with other settings than the link's.
    pub(crate) fn open_to_hold_as(&self, settings: Settings) -> Result<MotionSource, String> {
        let opened = self.open_as(settings)?;
        if opened.motion.is_none() && self.ticks(WORLD) > HELD_TICKS {
            return Err("a tape holds a minute: --seconds goes to 60 here".to_string());
        }
        Ok(opened)
    }

    /// Opens the motion as [`Play::open_to_hold`] does. A scene is played for a minute, unless `--seconds` says otherwise.
    pub(crate) fn open_a_minute(&mut self) -> Result<MotionSource, String> {
        self.seconds.get_or_insert(MINUTE_S);
        self.open_to_hold()
    }

    pub(crate) fn limits(&self) -> Limits {
        link::parse(&self.link).0.limits
    }

    /// Returns the settings of the link. Parts that cannot be used are reported on stderr.
    pub(crate) fn settings(&self) -> Settings {
        settings(&self.link)
    }

    /// Returns the tick after which the lane begins: the nearest one to the requested time.
    fn begins_after_tick(&self, tick_rate: TickRate) -> u64 {
        tick_rate.tick_of_ms(self.from * 1000.0).round() as u64
    }

    fn ticks(&self, tick_rate: TickRate) -> u64 {
        tick_rate.ticks_of_seconds(self.seconds.unwrap_or(SECONDS).into())
    }
}

impl RunArguments {
    /// Creates the laboratory at the tick after which the lane begins. Cuts of a recorded motion are set before, because a
    /// later change of stored ticks would restart the lane at tick 0.
    fn lab(&self, link: &Link, opened: &MotionSource, cuts: &[Range<u64>]) -> Lab {
        if opened.motion.is_some() {
            let mut tape = opened.tape();
            let linked = link.recorded.cuts.iter();
            linked.for_each(|cut| tape.cut(*cut.start()..cut.end() + 1));
            let first = opened.from + 1;
            cuts.iter()
                .for_each(|cut| tape.cut(first + cut.start..first + cut.end));
            return Lab::of_motion(tape, opened.settings, opened.from);
        }
        let mut tape = Tape::beginning_at(&opened.settings, self.first_tick.into());
        tape.go_on(opened.from);
        Lab::over(tape, opened.settings)
    }

    pub(crate) fn execute(self) -> Result<ExitCode, String> {
        let link = read(&self.play.link);
        let opened = self.play.open_as(link.a.settings)?;
        let recorded = is_recorded(&link) && opened.motion.is_none();
        let ticks = match link.at.filter(|_| self.play.seconds.is_none()) {
            Some(at) if recorded => at,
            _ if recorded => self.play.ticks(WORLD),
            _ => opened.until - opened.from,
        };
        let cuts = self.cuts.iter().map(|cut| cut.at(opened.tick_rate));
        let cuts: Vec<_> = cuts.collect();
        if !cuts.iter().all(|cut| cut.start < ticks) {
            let reason = "a cut begins after the end; --seconds says how long to play";
            return Err(reason.to_string());
        }
        let mut lab = if recorded {
            Lab::open(&link)
        } else {
            self.lab(&link, &opened, &cuts)
        };
        lab.set_trace(opened.trace.clone());
        if let Some(poses) = self.run(&mut lab, &opened, &cuts, ticks) {
            self.write_poses(&poses)?;
        }
        if let Some(file) = &self.figures {
            lab.finish();
            files::write(file, &series::csv(lab.history()))?;
        }
        self.print_report(&mut lab, opened.tick_rate);
        Ok(ExitCode::SUCCESS)
    }

    /// Plays some ticks, and returns the poses of each if a file wants them.
    fn run(
        &self,
        lab: &mut Lab,
        opened: &MotionSource,
        cuts: &[Range<u64>],
        ticks: u64,
    ) -> Option<PosePair> {
        let is_wanted = self.export_truth.is_some() || self.export_view.is_some();
        let mut poses = is_wanted.then(PosePair::default);
        let bar = progress::bar(ticks, "ticks");
        for tick in 0..ticks {
            if opened.motion.is_none() {
                lab.set_cut(cuts.iter().any(|cut| cut.contains(&tick)));
            }
            lab.tick(Input::NONE);
            if let Some(poses) = &mut poses {
                poses.add(lab, opened.motion.as_ref());
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        poses
    }

    fn write_poses(&self, poses: &PosePair) -> Result<(), String> {
        let (truth, view) = (&poses.truth, &poses.view);
        for (path, file) in [(&self.export_truth, truth), (&self.export_view, view)] {
            if let Some(path) = path {
                files::write(path, file.text())?;
            }
        }
        Ok(())
    }

    /// Prints the report of a run, as JSON or for people.
    fn print_report(&self, lab: &mut Lab, tick_rate: TickRate) {
        let report = RunReport {
            settings: *lab.settings(),
            report: lab.report().on(self.screen.screen),
        };
        let to_value = "a report has only numbers, strings and names";
        let mut json = serde_json::to_value(&report).expect(to_value);
        if !self.cuts.is_empty() {
            let cuts = self.cuts.iter().map(|cut| cut.rounded(tick_rate));
            json["cuts"] = serde_json::to_value(cuts.collect::<Vec<_>>()).expect(to_value);
        }
        if self.json {
            println!("{json:#}");
        } else {
            print(&report, &json);
        }
    }
}

/// Returns the help text with the definitions of a run's measured values, from the table of figures.
fn definitions() -> String {
    let row = |figure: &Figure| {
        let note = match figure.run_window()? {
            TimeWindow::Now => ", at the last tick",
            TimeWindow::Second => ", over the last second",
            TimeWindow::All => "",
        };
        let (heading, help) = (figure.heading(), figure.help);
        Some(format!("  {heading}{note}\n          {help}\n"))
    };
    let rows: String = FIGURES.iter().filter_map(row).collect();
    format!("Figures, since the lane began if their lines say nothing else:\n{rows}")
}

/// Prints a report for people: a measured value in each line, and the mean bits of a packet by kind.
fn print(report: &RunReport, json: &Value) {
    println!("#{}\n", permalink::format(&report.settings));
    let rows = json
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, _)| *key != "settings" && !key.starts_with("ledger"));
    println!(
        "{}\n",
        table(
            ["figure", "value"],
            1,
            rows.flat_map(|(key, value)| lines(key, value))
        )
    );
    let bits = &json["ledger_bits_per_packet"];
    let total: f64 = report.report.ledger_bits_per_packet.iter().sum();
    let rows = bits.as_object().into_iter().flatten().map(|(kind, bits)| {
        let bits = bits.as_f64().unwrap_or_default();
        vec![
            kind.clone(),
            number(bits, 1),
            format!("{} %", number(100.0 * bits / total.max(1.0), 1)),
        ]
    });
    println!("{}", table(["kind", "bits a packet", "share"], 1, rows));
}

fn lines(key: &str, value: &Value) -> Vec<Vec<String>> {
    match value {
        Value::Object(parts) => parts
            .iter()
            .flat_map(|(part, value)| lines(&format!("{key} {part}"), value))
            .collect(),
        Value::Array(parts) => (1..)
            .zip(parts)
            .flat_map(|(number, value)| lines(&format!("{key} {number}"), value))
            .collect(),
        Value::Number(n) if n.is_f64() => vec![vec![key.to_string(), number(n.as_f64(), 2)]],
        Value::String(text) => vec![vec![key.to_string(), text.clone()]],
        Value::Null => vec![vec![key.to_string(), number(None, 0)]],
        other => vec![vec![key.to_string(), other.to_string()]],
    }
}
