//! `research excerpt`: cuts a capture short.

use clap::Args;
use snapshot_record::challenge::INTERVAL;
use snapshot_research::capture;
use std::path::{Path, PathBuf};

/// Write the first packets of a capture as a capture of its own, packed by xz.
///
/// The inputs beside the capture (NAME.inputs) are cut to the same length and written beside the new file.
/// It begins at frame 0, because rung simulated counts frames from there.
#[derive(Args)]
pub(crate) struct Excerpt {
    /// A capture, .bin or .bin.xz.
    file: PathBuf,
    /// Packets of the new capture; it has 6 frames more.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    packets: u32,
    /// The new capture, .bin.xz.
    #[arg(long)]
    out: PathBuf,
}

impl Excerpt {
    /// Reads, cuts and writes.
    pub(crate) fn execute(&self) -> Result<(), String> {
        if !self.out.to_string_lossy().ends_with(".bin.xz") {
            return Err(format!(
                "{}: its name ends with .bin.xz",
                self.out.display()
            ));
        }
        let mut frames = capture::read(&self.file)?;
        let packets = self.packets as usize;
        let there = frames.len() - INTERVAL;
        if packets > there {
            return Err(format!(
                "{}: {there} packets, fewer than {packets}",
                self.file.display()
            ));
        }
        frames.truncate(packets + INTERVAL);
        let inputs = capture::inputs_beside(&self.file);
        let inputs = match inputs.is_file() {
            true => Some(capture::read_inputs(&inputs, frames.len())?),
            false => None,
        };
        let packed = snapshot_record::capture::write_packed(frames.iter().map(Vec::as_slice));
        let packed = packed.map_err(|error| with_path(&self.out, &error))?;
        write(&self.out, &packed)?;
        let mut line = format!("{}: {} bytes", self.out.display(), packed.len());
        if let Some(inputs) = inputs {
            // The first frames have no input of their own.
            let inputs = &inputs.of_frames()[INTERVAL..];
            let beside = capture::inputs_beside(&self.out);
            write(&beside, inputs)?;
            line += &format!("; {}: {} bytes", beside.display(), inputs.len());
        }
        println!("{line}");
        Ok(())
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|error| with_path(path, &error))
}

fn with_path(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}
