//! `research challenge`: judges rung `simulated` on a capture, in the original's world.

use super::bar;
use clap::Args;
use serde::Serialize;
use snapshot_codec::{Class, Rung};
use snapshot_record::challenge::{self as challenge, ChallengeWorld, INTERVAL, Judge};
use snapshot_research::capture;
use snapshot_research::original::Original;
use std::path::PathBuf;

/// Judge rung simulated by the rules of the data-compression challenge. `snapshot-lab challenge` judges all others.
///
/// Both ends simulate the original's world with the pressed keys, which are read from NAME.inputs beside NAME.bin.xz.
#[derive(Args)]
pub(crate) struct Challenge {
    /// A capture, .bin or .bin.xz.
    file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    class: &'static str,
    packets: usize,
    bytes_per_packet_mean: f64,
    kbps: f64,
    lossless: bool,
}

impl Challenge {
    /// Judges both classes and prints.
    pub(crate) fn execute(&self) -> Result<(), String> {
        let frames = capture::read(&self.file)?;
        let inputs = capture::read_inputs(&capture::inputs_beside(&self.file), frames.len())?;
        let bar = bar((2 * frames.len()) as u64, "packets");
        let rows = Class::ALL.map(|class| {
            let format = challenge::format(Rung::Simulated, class).expect("the challenge's format");
            let first = frames.first_chunk().expect("a capture has more frames");
            let mut judge = Judge::new(&format, first).expect("captures are of the format");
            for n in INTERVAL..frames.len() {
                let world = ChallengeWorld {
                    inputs: inputs.of_frames(),
                    foresight: &mut Original,
                };
                let judged = judge.judge_with(n..n + 1, &frames, world, &mut |_, run| run());
                judged.expect("the frames were parsed as the format's");
                bar.inc(1);
            }
            let verdict = judge.verdict();
            Row {
                class: class.name(),
                packets: verdict.packets,
                bytes_per_packet_mean: verdict.bytes_per_packet_mean(),
                kbps: verdict.kbps(),
                lossless: verdict.lossless(),
            }
        });
        bar.finish_and_clear();
        if self.json {
            let json = serde_json::to_string_pretty(&rows);
            println!("{}", json.expect("only numbers and names"));
        } else {
            for row in &rows {
                let (class, bytes, kbps) = (row.class, row.bytes_per_packet_mean, row.kbps);
                println!("{class:8} {bytes:9.2} bytes {kbps:7.1} kbit/s");
            }
        }
        if rows.iter().all(|row| row.lossless) {
            Ok(())
        } else {
            Err("a packet was not decoded to its frame".to_owned())
        }
    }
}
