//! Command `snapshot-lab judge`: a client's drawn motion against its server's, whatever netcode lies between.

use crate::files;
use crate::run::settings;
use crate::table::{number, table};
use crate::trace::TraceFile;
use clap::Args;
use serde_json::Value;
use snapshot_analysis::judge::{Axes, Judgement, JudgementWords, PoseFile, Similarity, judge};
use snapshot_app::{Lab, link};
use snapshot_netsim::trace::Trace;
use snapshot_physics::Input;
use snapshot_record::motion::track::Track;
use snapshot_record::motion::{BYTES_MAX, Motion};
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, Settings};
use snapshot_view::Pose;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Judge a client by its server: two recordings of one game, whatever its netcode is.
///
/// SERVER is what the server had, CLIENT what one client drew, at any frame rate; the files in recorders/ write both. Objects
/// have the same id in both. The clocks need not agree: the judge finds the delay between both files and how it moves, by the
/// least error over the objects. A client in other units or axes is recognised, and the judge prints the options that convert it. `delay_ms` is the age of the picture if both have one clock.
///
/// `error_mm` and `error_deg` are over objects that move, at that delay. A frame is still if it shows nothing newer than the
/// frame before while the truth moves. A time without a frame is a freeze, from 250 ms or three usual frames on. Where the
/// client's clock is set anew, the figures are told for each part, too. A correction is a step of an object by 50 mm and more that the truth does not make, a jump
/// one of half a metre.
#[derive(Args)]
pub(crate) struct JudgeArguments {
    /// File of the server's objects, as rows of text or bytes.
    server: PathBuf,
    /// File of what one client drew, as rows of text or bytes.
    client: PathBuf,
    /// Freezes of this length and more are listed.
    #[arg(long, value_name = "MS", default_value_t = 50.0)]
    freeze_ms: f64,
    /// Exit with 1 if a value is above a limit, such as error_mm.p95=50, still_ms=500 or freezes=3; any number of times. A
    /// list counts by its length.
    #[arg(long = "limit", value_name = "FIGURE=MOST", value_parser = Limit::parse)]
    limits: Vec<Limit>,
    /// Multiply the client's positions by this: 0.01 for centimetres where the server has metres.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = positive_factor)]
    scale: f64,
    /// The client's axes for the server's x, y, z, such as x,-z,y. An odd number of changes mirrors.
    #[arg(
        long,
        value_name = "AXES",
        default_value = "x,y,z",
        allow_hyphen_values = true
    )]
    axes: Axes,
    /// Move the client's positions by this at the end, m: X,Y,Z.
    #[arg(long = "move", value_name = "X,Y,Z", default_value = "0,0,0", allow_hyphen_values = true, value_parser = three)]
    move_m: Three,
    /// Have the lab's own netcode play the server's motion over a link, such as "#hz=20&link=wifi-busy", and judge it beside. Its
    /// delay is the client's, unless the link has one.
    #[arg(long, value_name = "LINK")]
    lab: Option<String>,
    /// The client's mean kbit/s. The lab is then judged at these bytes too: at the greatest send rate that takes at most as much,
    /// with the link's other settings and the same delay.
    #[arg(long, value_name = "KBITS", requires = "lab", value_parser = positive)]
    kbps: Option<f64>,
    #[command(flatten)]
    trace: TraceFile,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn positive_factor(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|factor| (1e-9..1e9).contains(factor));
    number.ok_or_else(|| "it is a factor above 0".to_owned())
}

/// Three numbers that are one value of an option.
type Three = [f64; 3];

fn three(text: &str) -> Result<Three, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let numbers = numbers.ok().and_then(|numbers| numbers.try_into().ok());
    numbers.ok_or_else(|| "it is three numbers: X,Y,Z".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|kbps| (0.0..1e9).contains(kbps));
    number.ok_or_else(|| "it is a number of kbit/s".to_owned())
}

/// A simulated lane that is judged in addition to the client.
struct LabLane {
    /// Key of the lane in the JSON, and its heading in the table.
    names: [&'static str; 2],
    hz: u32,
    kbps: f64,
    judged: Judgement,
}

#[derive(Clone, Debug)]
struct Limit {
    figure: String,
    most: f64,
}

impl Limit {
    fn parse(text: &str) -> Result<Limit, String> {
        let (figure, most) = text.split_once('=').ok_or("it is FIGURE=MOST")?;
        let most = most.parse().map_err(|_| "the limit is a number")?;
        Ok(Limit {
            figure: figure.to_owned(),
            most,
        })
    }

    fn value(&self, judged: &Value) -> Option<f64> {
        let mut names = self.figure.split('.');
        let found = names.try_fold(judged, |value, name| value.get(name))?;
        match found {
            Value::Array(list) => Some(list.len() as f64),
            Value::Null => Some(0.0),
            value => value.as_f64(),
        }
    }
}

impl JudgeArguments {
    /// Judges, prints the result, and returns exit code 1 if a limit is exceeded.
    pub(crate) fn execute(self) -> Result<ExitCode, String> {
        let bytes = files::read(&self.server, BYTES_MAX)?;
        let server = track(&self.server, &bytes, None)?;
        let mut client = track(
            &self.client,
            &files::read(&self.client, BYTES_MAX)?,
            Some(&server),
        )?;
        let taken = Similarity {
            scale: self.scale,
            axes: self.axes,
            move_m: self.move_m,
        };
        if taken != Similarity::default() {
            taken.apply(&mut client);
        }
        let judged = judge(&server, &client, self.freeze_ms).map_err(|error| error.to_string())?;
        let judged = judged.judgement;
        let beside = match &self.lab {
            Some(link) => self.beside(link, &bytes, &judged)?,
            None => Vec::new(),
        };
        let value =
            |of: &Judgement| serde_json::to_value(of).expect("it has only numbers and names");
        let mut json = value(&judged);
        let mut exit = ExitCode::SUCCESS;
        for limit in &self.limits {
            let figure = &limit.figure;
            let found = limit.value(&json);
            let found =
                found.ok_or_else(|| format!("--limit {figure}: there is no such figure"))?;
            if found > limit.most {
                eprintln!(
                    "past the limit: {figure} is {found}, at most {}",
                    limit.most
                );
                exit = ExitCode::from(1);
            }
        }
        if self.json {
            for LabLane {
                names: [key, _],
                hz,
                kbps,
                judged,
            } in &beside
            {
                json[key] = value(judged);
                json[key]["kbps_mean"] = (*kbps).into();
                json[key]["hz"] = (*hz).into();
            }
            println!("{json:#}");
        } else {
            print(&judged, self.kbps, &beside);
        }
        Ok(exit)
    }

    /// Plays the server's motion over simulated lanes, and judges the poses that they show. One lane has the client's delay,
    /// another also its bandwidth if that is known.
    fn beside(
        &self,
        link: &str,
        server: &[u8],
        judged: &Judgement,
    ) -> Result<Vec<LabLane>, String> {
        let motion = Motion::read(server).map_err(|error| error.to_string())?;
        let trace = self.trace.read(&link::parse(link).0)?;
        let settings = settings(link);
        let is_free = !link.contains("delay=");
        let at_delay = |names: [&'static str; 2], mut settings: Settings| {
            let mut delay_ms = settings.lane().delay_ms().unwrap_or(0.0);
            let mut played = self.play(&motion, settings, &trace)?;
            // A playout delay counts from the first packet's arrival, which is known when it has arrived.
            delay_ms += judged.delay_ms - played.1.delay_ms;
            if is_free
                && delay_ms >= 0.0
                && settings.set(Key::Delay, delay_ms.round() as u32).is_ok()
            {
                played = self.play(&motion, settings, &trace)?;
            } else if is_free {
                let delay_ms = number(judged.delay_ms, 0);
                eprintln!(
                    "note: the lab cannot be as old as {delay_ms} ms: it takes the delay of its link"
                );
            }
            let (kbps, judged) = played;
            let hz = settings.chosen_rate_hz();
            Ok::<_, String>(LabLane {
                names,
                hz,
                kbps,
                judged,
            })
        };
        let mut lanes = vec![at_delay(["lab", "the lab, same delay"], settings)?];
        if let Some(kbps) = self.kbps {
            let takes = |hz| {
                let fitted = with_rate(settings, hz);
                lab_of(&motion, fitted, &trace, |_| {}).report().kbps_mean
            };
            let fits = greatest_rate(motion.tick_rate().hz(), |hz| takes(hz) <= kbps);
            if fits == 0 {
                eprintln!(
                    "note: the lab takes {} kbit/s at one packet a second",
                    number(takes(1), 1)
                );
            }
            let fitted = with_rate(settings, fits.max(1));
            lanes.push(at_delay(["lab_same_bytes", "same bytes"], fitted)?);
        }
        Ok(lanes)
    }

    /// Plays a motion over a simulated lane with these settings, and judges the shown poses like those of a client. Returns
    /// the mean bandwidth in kbit/s, and the judgement.
    fn play(
        &self,
        motion: &Motion,
        settings: Settings,
        trace: &Option<Arc<Trace>>,
    ) -> Result<(f64, Judgement), String> {
        let mut files = PosePair::default();
        let mut lab = lab_of(motion, settings, trace, |lab| files.add(lab, None));
        let read = |file: &PoseFile| {
            Track::read(file.text().as_bytes(), None).map_err(|error| error.to_string())
        };
        let (server, client) = (read(&files.truth)?, read(&files.view)?);
        let judged = judge(&server, &client, self.freeze_ms);
        let judged = judged.map_err(|error| error.to_string())?;
        Ok((lab.report().kbps_mean, judged.judgement))
    }
}

fn with_rate(mut settings: Settings, hz: u32) -> Settings {
    let set = settings.set(Key::SendRate, hz);
    debug_assert_eq!(set, Ok(()));
    settings
}

/// Returns the greatest send rate up to `most_hz` that fits; 0 if none does. All rates below one that fits count as fitting.
fn greatest_rate(most_hz: u32, fits: impl Fn(u32) -> bool) -> u32 {
    let (mut fitting, mut beyond) = (0, most_hz + 1);
    while beyond - fitting > 1 {
        let middle = u32::midpoint(fitting, beyond);
        match fits(middle) {
            true => fitting = middle,
            false => beyond = middle,
        }
    }
    fitting
}

/// Plays a whole motion over a simulated lane, and returns the laboratory at the motion's end. `tell` is called after each
/// tick.
fn lab_of(
    motion: &Motion,
    settings: Settings,
    trace: &Option<Arc<Trace>>,
    mut tell: impl FnMut(&Lab),
) -> Lab {
    let until = motion.ticks();
    let mut lab = Lab::of_motion(Tape::of_motion(motion, until), settings, 0);
    lab.set_trace(trace.clone());
    for _ in 0..until {
        lab.tick(Input::NONE);
        tell(&lab);
    }
    lab
}

/// Two files of poses: the true poses, and the poses in lane A's view.
#[derive(Default)]
pub(crate) struct PosePair {
    pub(crate) truth: PoseFile,
    pub(crate) view: PoseFile,
}

impl PosePair {
    /// Adds the poses of the shown tick to both files. The view has no frame before it shows something. Objects of a recorded
    /// motion have their names in it.
    pub(crate) fn add(&mut self, lab: &Lab, motion: Option<&Motion>) {
        let live = lab.live();
        let name = |slot: usize, pose: &Pose| match motion {
            Some(motion) => motion.name(slot, pose.life, live.tick),
            None => slot.to_string(),
        };
        self.truth.add(live.time_s, lab.left().poses(), name);
        if live.behind_ms.is_some() {
            self.view.add(live.time_s, lab.right().poses(), name);
        }
    }
}

fn track(path: &Path, bytes: &[u8], beside: Option<&Track>) -> Result<Track, String> {
    let track = Track::read(bytes, beside).map_err(|error| files::fault(path, error))?;
    for note in &track.notes {
        eprintln!("note: {}: {note}", path.display());
    }
    Ok(track)
}

fn print(judged: &Judgement, kbps: Option<f64>, beside: &[LabLane]) {
    let words = JudgementWords::new(judged);
    let labs: Vec<JudgementWords> = beside
        .iter()
        .map(|lane| JudgementWords::new(&lane.judged))
        .collect();
    let mut headings = vec!["figure", "client"];
    headings.extend(beside.iter().map(|lane| lane.names[1]));
    let rows = words.figures.iter().enumerate().map(|(at, (name, value))| {
        let mut row = vec![(*name).to_owned(), value.clone()];
        row.extend(labs.iter().map(|lab| lab.figures[at].1.clone()));
        row
    });
    let row = |name: &str, client: Option<f64>, of: &dyn Fn(&LabLane) -> String| {
        let client = client.map_or("-".to_owned(), |value| number(value, 1));
        let mut row = vec![name.to_owned(), client];
        row.extend(beside.iter().map(of));
        (!beside.is_empty()).then_some(row)
    };
    let costs = [
        row("kbit/s", kbps, &|lane| number(lane.kbps, 1)),
        row("packets a second", None, &|lane| lane.hz.to_string()),
    ];
    println!(
        "{}",
        table(&headings, 1, rows.chain(costs.into_iter().flatten()))
    );
    for (name, all) in &words.lists {
        println!("\n{name}: {all}");
    }
}
