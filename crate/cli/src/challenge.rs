//! Command `snapshot-lab challenge`: encodes a capture by the rules of the data-compression challenge of 2015.

use crate::files;
use crate::output::json;
use crate::progress;
use crate::table::{number, table};
use clap::{Args, ValueEnum};
use serde::Serialize;
use snapshot_base::hash::Fnv;
use snapshot_codec::{Class, Cube, Rung};
use snapshot_record::capture;
use snapshot_record::challenge::{self as challenge, INTERVAL, Judge, JudgePhase};
use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Upper limit of the number of frames to read: ten minutes of play. Unpacked and parsed they take 3 GB.
const FRAMES_MAX: usize = 10 * 60 * 60;

/// Judge a capture by the rules of the data-compression challenge.
///
/// Frame n, from 6 on, is encoded against frame n - 6 into a packet of whole bytes without a header, decoded from it and
/// compared. Times are medians, a packet.
#[derive(Args)]
pub(crate) struct Challenge {
    /// A capture, .bin or .bin.xz.
    file: PathBuf,
    /// A rung that takes the format, such as predicted, or all.
    #[arg(long, default_value = "all", value_parser = codec)]
    codec: Codec,
    /// The class of the arithmetic rungs: the frames that a packet may be decoded from. Both classes if not given.
    #[arg(long)]
    class: Option<ClassChoice>,
    /// Print JSON: of one codec an object, of more an array.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy)]
enum Codec {
    All,
    One(Rung),
}

#[derive(Clone, Copy, ValueEnum)]
enum ClassChoice {
    /// Decoded from the baseline frame alone.
    Strict,
    /// Decoded from the baseline frame and the coder state stored with it.
    Chained,
}

impl From<ClassChoice> for Class {
    fn from(choice: ClassChoice) -> Class {
        match choice {
            ClassChoice::Strict => Class::Strict,
            ClassChoice::Chained => Class::Chained,
        }
    }
}

fn codec(name: &str) -> Result<Codec, String> {
    if name == "all" {
        return Ok(Codec::All);
    }
    let rungs = || challenge::rungs().filter(|rung| !rung.needs_simulation());
    let names = || rungs().map(Rung::name).collect::<Vec<_>>().join(", ");
    let rung = rungs().find(|rung| rung.name() == name);
    rung.map(Codec::One)
        .ok_or_else(|| format!("it is one of all, {}", names()))
}

#[derive(Serialize)]
struct JudgedCodec {
    codec: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'static str>,
    packets: usize,
    bytes_per_packet_mean: f64,
    kbps: f64,
    encode_us: f64,
    decode_us: f64,
    lossless: bool,
    /// Hash of all packets' bytes, in hexadecimal.
    packets_hash: String,
}

impl Challenge {
    pub(crate) fn execute(self) -> Result<ExitCode, String> {
        let file = File::open(&self.file).map_err(|error| files::fault(&self.file, error))?;
        let frames = capture::read(file, FRAMES_MAX);
        let frames = frames.map_err(|error| files::fault(&self.file, error))?;
        let candidates = self.candidates();
        let packets = (candidates.len() * (frames.len() - INTERVAL)) as u64;
        let bar = progress::bar(packets, "packets");
        let mut rows: Vec<JudgedCodec> = candidates
            .into_iter()
            .map(|(rung, class)| judge(rung, class, &frames, &|| bar.inc(1)))
            .collect();
        bar.finish_and_clear();
        rows.sort_by(|a, b| b.bytes_per_packet_mean.total_cmp(&a.bytes_per_packet_mean));
        let lossless = rows.iter().all(|row| row.lossless);
        match &rows[..] {
            [row] if self.json => json(row),
            rows if self.json => json(&rows),
            rows => print(rows),
        }
        Ok(ExitCode::from(u8::from(!lossless)))
    }

    fn candidates(&self) -> Vec<(Rung, Class)> {
        let wanted = |(rung, class): &(Rung, Class)| {
            let codec = match self.codec {
                Codec::All => true,
                Codec::One(one) => *rung == one,
            };
            // The other rungs have one class only.
            let of_class = match self.class {
                Some(choice) if rung.is_arithmetic() => *class == choice.into(),
                _ => true,
            };
            codec && of_class
        };
        challenge::codecs().filter(wanted).collect()
    }
}

fn judge(rung: Rung, class: Class, frames: &[Vec<Cube>], progress: &dyn Fn()) -> JudgedCodec {
    let format = challenge::format(rung, class).expect("the challenge's format is one");
    let first = frames.first_chunk().expect("a capture has more frames");
    let mut judge = Judge::new(&format, first).expect("captures are of the format");
    let mut times = [Vec::new(), Vec::new()];
    let mut hash = Fnv::new();
    for n in INTERVAL..frames.len() {
        let mut around = |direction: JudgePhase, run: &mut dyn FnMut()| {
            let start = Instant::now();
            run();
            times[direction as usize].push(start.elapsed());
        };
        judge
            .judge(n..n + 1, frames, &mut around)
            .expect("the frames were parsed as the format's");
        judge
            .packets()
            .iter()
            .for_each(|packet| hash.add_bytes(packet));
        progress();
    }
    let [encode_us, decode_us] = times.map(median_us);
    let verdict = judge.verdict();
    JudgedCodec {
        codec: rung.name(),
        class: rung.is_arithmetic().then_some(class.name()),
        packets: verdict.packets,
        bytes_per_packet_mean: verdict.bytes_per_packet_mean(),
        kbps: verdict.kbps(),
        encode_us,
        decode_us,
        lossless: verdict.lossless(),
        packets_hash: format!("{:016x}", hash.finish()),
    }
}

fn median_us(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times
        .get(times.len() / 2)
        .map_or(0.0, |time| time.as_secs_f64() * 1e6)
}

fn print(rows: &[JudgedCodec]) {
    let headings =
        "codec|class|packets|bytes a packet|kbit/s|encode µs|decode µs|lossless".split('|');
    let lines = rows.iter().map(|row| {
        vec![
            row.codec.to_string(),
            row.class.unwrap_or("-").to_string(),
            row.packets.to_string(),
            number(row.bytes_per_packet_mean, 2),
            number(row.kbps, 1),
            number(row.encode_us, 1),
            number(row.decode_us, 1),
            if row.lossless { "yes" } else { "NO" }.to_string(),
        ]
    });
    println!("{}", table(headings, 2, lines));
}
