//! Option `--motion FILE`: a recorded motion in place of the scene in a link.

use crate::files;
use clap::Args;
use snapshot_analysis::span::TickSpan;
use snapshot_app::link::Link;
use snapshot_app::pile;
use snapshot_base::time::{TickRate, WORLD};
use snapshot_netsim::channel::LinkInputs;
use snapshot_netsim::trace::Trace;
use snapshot_record::capture;
use snapshot_record::motion::{BYTES_MAX, Motion, MotionCounts, binary, csv};
use snapshot_record::tape::Tape;
use snapshot_settings::SettingError;
use snapshot_settings::Settings;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Arguments that choose a motion file.
#[derive(Args)]
pub(crate) struct MotionFile {
    /// Play this motion in place of the link's scene: rows of tick, object, position and quaternion (.csv or bytes), or a
    /// capture of the challenge. Each may be packed by xz. Snapshots only.
    #[arg(long = "motion", value_name = "FILE")]
    file: Option<PathBuf>,
    /// The unit of the motion's lengths, where its text does not tell it: m, cm, mm, in, ft, or a number of metres. It becomes
    /// the first line unit=UNIT.
    #[arg(long, value_name = "UNIT", requires = "file")]
    unit: Option<String>,
}

impl MotionFile {
    /// Reads the motion file, or the article's motion if the link names it; `None` if no motion is named. Remarks on it go to stderr.
    ///
    /// # Errors
    /// When the file is not a motion, or the strategy needs a simulated world.
    pub(crate) fn read(&self, settings: &Settings, link: &Link) -> Result<Option<Motion>, String> {
        let is_pile = self.file.is_none() && link.motion == Some(pile::FINGERPRINT);
        let path = is_pile.then_some(Path::new(pile::NAME));
        let Some(path) = self.file.as_deref().or(path) else {
            return Ok(None);
        };
        let of_file = |error: &dyn std::fmt::Display| files::fault(path, error);
        if settings.strategy().row().simulates {
            let reason = "there is no physics behind a motion: only strategy=snapshot can send it";
            return Err(of_file(&reason));
        }
        let motion = if is_pile {
            pile::motion()
        } else {
            let motion = Motion::of_file(&self.bytes(path, link)?, link.jumps_over);
            motion.map_err(|error| of_file(&error))?
        };
        if motion.facts.counts.has_lives() && settings.rung().needs_simulation() {
            return Err(of_file(&SettingError::NoSlots));
        }
        print_notes(path, &motion);
        Ok(Some(motion))
    }

    /// Reads the bytes of a motion, with the facts of the link and the unit of the command line above them.
    fn bytes(&self, path: &Path, link: &Link) -> Result<Vec<u8>, String> {
        let mut bytes = files::read(path, BYTES_MAX)?;
        if let Some(facts) = link.facts_for(&bytes) {
            bytes = csv::with_facts(&bytes, facts);
        }
        if let Some(unit) = &self.unit {
            if bytes.starts_with(&binary::MAGIC) || capture::begins(&bytes) {
                let reason = "--unit is for rows as text: these bytes are in metres";
                return Err(files::fault(path, reason));
            }
            bytes = csv::with_facts(&bytes, &format!("unit={unit}\n"));
        }
        Ok(bytes)
    }
}

/// Prints remarks on a motion to stderr.
fn print_notes(path: &Path, motion: &Motion) {
    let bounds = motion.bounds();
    eprintln!(
        "note: {}: {} objects, {:.1} s at {} Hz, positions within {:?} to {:?} m",
        path.display(),
        motion.objects(),
        motion.seconds(),
        motion.tick_rate().hz(),
        bounds.lower(),
        bounds.upper()
    );
    for note in &motion.facts.notes {
        eprintln!("note: {}: {note}", path.display());
    }
    if motion.facts.left_out_ticks > 0 {
        let left_out_s = motion.left_out_seconds();
        eprintln!("note: the last {left_out_s:.1} s of it are left out: there is no room for them");
    }
    if motion.facts.counts.clipped_velocities > 0 {
        eprintln!(
            "note: {} velocities are beyond 32 m/s along an axis, and rungs 2 and 3 clip them",
            motion.facts.counts.clipped_velocities
        );
    }
    let MotionCounts {
        spawns,
        ends,
        jumps,
        ..
    } = motion.facts.counts;
    if motion.facts.counts.has_lives() {
        let found = match motion.facts.jumps_over.m_s() {
            Some(m_s) if !motion.tells_of_jumps() => {
                format!(": steps over {m_s} m/s; jumps= in the link sets another speed")
            }
            _ => String::new(),
        };
        eprintln!(
            "note: objects come {spawns} times, go {ends} times and jump {jumps} times{found}"
        );
    }
}

/// A motion to play: a simulated scene, or a recording.
pub(crate) struct MotionSource {
    pub(crate) tick_rate: TickRate,
    pub(crate) settings: Settings,
    /// The tick after which the lane begins.
    pub(crate) from: u64,
    pub(crate) until: u64,
    pub(crate) motion: Option<Motion>,
    /// The recorded link that replaces the modelled link; `None` if the modelled link is used.
    pub(crate) trace: Option<Arc<Trace>>,
}

impl MotionSource {
    /// Opens the motion from a tick on, for a number of ticks: that of the file, or the scene in the settings. A recorded
    /// motion may end earlier.
    ///
    /// # Errors
    /// When the motion cannot be read, or ends before the lane begins.
    pub(crate) fn new(
        settings: Settings,
        link: &Link,
        file: &MotionFile,
        time: impl FnOnce(TickRate) -> (u64, u64),
    ) -> Result<MotionSource, String> {
        let motion = file.read(&settings, link)?;
        let tick_rate = motion.as_ref().map_or(WORLD, Motion::tick_rate);
        let (from, ticks) = time(tick_rate);
        if settings.chosen_rate_hz() > tick_rate.hz() {
            eprintln!(
                "note: hz is taken as {}: at most one packet leaves each tick",
                tick_rate.hz()
            );
        }
        let end = motion.as_ref().map_or(u64::MAX, Motion::ticks);
        if from >= end {
            return Err(
                "the motion is over by then; --from says where the lane begins".to_string(),
            );
        }
        Ok(MotionSource {
            settings,
            tick_rate,
            from,
            until: end.min(from + ticks),
            motion,
            trace: None,
        })
    }

    pub(crate) fn link_inputs(&self) -> LinkInputs {
        LinkInputs {
            trace: self.trace.clone(),
            ..LinkInputs::default()
        }
    }

    /// Makes the tape. A recorded motion is completely on it; a scene is at its start.
    pub(crate) fn tape(&self) -> Tape {
        match &self.motion {
            Some(motion) => Tape::of_motion(motion, self.until),
            None => Tape::new(&self.settings),
        }
    }

    /// Records the tape to its end; `progress` is called for each tick.
    /// Returns the ticks to measure on a tape of [`MotionSource::whole_tape`]. If the tape had no memory for the first ones, a note
    /// on stderr says so.
    pub(crate) fn span(&self, tape: &Tape) -> TickSpan {
        let after = self.from.max(tape.first_tick());
        if after > self.from {
            let seconds = |ticks| tape.tick_rate().seconds_of_ticks(ticks);
            let (from, asked) = (seconds(after), seconds(self.from));
            eprintln!(
                "note: measured from {from:.1} s on, not from {asked:.1} s: a tape holds no more of so much motion"
            );
        }
        TickSpan {
            after,
            last: self.until,
        }
    }

    pub(crate) fn whole_tape(&self, progress: impl Fn(u64)) -> Tape {
        let mut tape = self.tape();
        while tape.last_tick() < self.until {
            tape.go_on(1);
            progress(tape.last_tick());
        }
        tape
    }
}
