//! `research train`: makes the tables of rungs `predicted` and `simulated`.

use super::bar;
use clap::{Args, ValueEnum};
use indicatif::{MultiProgress, ProgressBar};
use snapshot_codec::{Class, CubeState, Format, Rung};
use snapshot_physics::Input;
use snapshot_physics::predictor::Predictor;
use snapshot_physics::world::World;
use snapshot_record::challenge;
use snapshot_record::tape::Tape;
use snapshot_research::original::Original;
use snapshot_research::{capture, train};
use snapshot_settings::permalink;
use std::path::{Path, PathBuf};

/// The scenes that the tables of rung `simulated` are trained on, [`TRAINED_TICKS`] of each. Figures come from other seeds.
const TRAINED_ON: [&str; 5] = [
    "#scene=mixed&seed=11",
    "#scene=katamari&seed=11",
    "#scene=blow&seed=11",
    "#scene=roll&seed=11",
    "#scene=mixed&seed=12",
];
/// Ticks of each scene of [`TRAINED_ON`].
const TRAINED_TICKS: u64 = 2000;

/// Make the tables of rung predicted from captures, or those of rung simulated from scenes of our own and captures.
///
/// The same captures in the same order give the same bytes. On rung predicted, frames are predicted from those 1 to 48
/// ticks before. The codec's tables of that rung, at crate/codec/src/model/predicted, were made from train-m107,
/// train-m108, train-m109, train-hov11 and train-kat11. The tables of rung simulated, at crate/codec/src/model/simulated,
/// were made at six ticks alone. Their scenes need no files and were simulated by our world; then train-m107, train-hov11
/// and train-kat11 followed, simulated by the original's. The pressed keys are read from NAME.inputs beside each
/// NAME.bin.xz.
#[derive(Args)]
pub(crate) struct Train {
    /// Captures, .bin or .bin.xz.
    pub(super) files: Vec<PathBuf>,
    /// The rung.
    #[arg(long, default_value = "predicted")]
    pub(super) codec: Codec,
    /// The folder that gets strict.tables and chained.tables.
    #[arg(long, default_value = ".")]
    pub(super) out: PathBuf,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(super) enum Codec {
    /// Rung 13.
    Predicted,
    /// Rung 14.
    Simulated,
}

impl Train {
    /// Trains both classes at once, and writes.
    pub(crate) fn execute(&self) -> Result<(), String> {
        if self.codec == Codec::Predicted && self.files.is_empty() {
            return Err("rung predicted is trained on captures: name one or more".to_owned());
        }
        let bars = MultiProgress::new();
        std::thread::scope(|scope| {
            let threads = Class::ALL.map(|class| {
                let bar = bars.add(bar(0, "passes"));
                scope.spawn(move || self.train_class(class, &bar))
            });
            let ends = threads.map(|thread| thread.join().expect("training does not panic"));
            ends.into_iter().collect()
        })
    }

    fn train_class(&self, class: Class, bar: &ProgressBar) -> Result<(), String> {
        let rung = match self.codec {
            Codec::Predicted => Rung::Predicted,
            Codec::Simulated => Rung::Simulated,
        };
        let format = challenge::format(rung, class).expect("the challenge's format is one");
        let recordings: Vec<_> = match self.codec {
            Codec::Predicted => self
                .files
                .iter()
                .map(|file| capture::read(file).map(train::Recording::new))
                .collect::<Result<_, _>>()?,
            Codec::Simulated => TRAINED_ON
                .iter()
                .map(|link| Ok(record(&format, link)))
                .chain(self.files.iter().map(|file| foresee(&format, file)))
                .collect::<Result<_, String>>()?,
        };
        let tables = train::train(&format, &recordings, &mut |pass, passes, _| {
            bar.set_length(passes as u64);
            bar.set_position(pass as u64);
        });
        bar.finish_and_clear();
        let path = self.out.join(format!("{}.tables", format.class().name()));
        std::fs::write(&path, &tables).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{}: {} bytes", path.display(), tables.len());
        Ok(())
    }
}

/// A capture, and what is foreseen of it.
fn foresee(format: &Format, file: &Path) -> Result<train::Recording, String> {
    let frames = capture::read(file)?;
    let inputs = capture::read_inputs(&capture::inputs_beside(file), frames.len())?;
    let inputs = inputs.of_frames();
    Ok(train::Recording::with_foresight(
        format,
        frames,
        inputs,
        &mut Original,
    ))
}

/// Records a scene of our own from the initial state at tick 0, with the predictor's runs.
fn record(format: &Format, link: &str) -> train::Recording {
    let (settings, _) = permalink::parse(link);
    let tape = Tape::record(&settings, TRAINED_TICKS);
    let quantise = |truth: &[CubeState]| truth.iter().map(|cube| format.quantise(cube)).collect();
    let mut frames = vec![quantise(&World::initial(tape.made_from()))];
    let mut inputs = vec![Input::NONE.bits()];
    let mut all = tape.frames_after(0);
    while let Some(frame) = all.next() {
        frames.push(quantise(frame.truth));
        inputs.push(frame.input.bits());
    }
    let mut predictor = Predictor::new(Some(*tape.made_from()));
    train::Recording::with_foresight(format, frames, &inputs, &mut predictor)
}
