//! The recorded motion, as far as it has arrived.

use snapshot_codec::CubeState;
use snapshot_record::delta_history::DeltaHistory;
use snapshot_record::motion::coded::CodedReader;
use snapshot_record::tape::Tape;
use snapshot_view::Pose;

/// A motion whose file arrives in parts. A tick is decoded once a figure plays it.
#[derive(Default)]
pub struct IncomingMotion {
    reader: CodedReader,
    truth: Option<DeltaHistory<CubeState>>,
}

impl IncomingMotion {
    /// Adds the next bytes of the file.
    ///
    /// # Errors
    /// When they are no coded motion.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.reader.push(bytes);
        self.reach(0)
    }

    /// Decodes the ticks up to this one, as far as they have arrived.
    fn reach(&mut self, tick: u64) -> Result<(), String> {
        while self.last_tick().is_none_or(|last| last < tick) {
            let next = self.reader.next_tick().map_err(|error| error.to_string())?;
            match (&mut self.truth, next) {
                (_, None) => break,
                (truth @ None, Some(states)) => {
                    *truth = Some(DeltaHistory::new(0, states.to_vec()))
                }
                (Some(truth), Some(states)) => truth.push(states.iter().copied()),
            }
        }
        Ok(())
    }

    /// The last tick that is decoded.
    pub fn last_tick(&self) -> Option<u64> {
        Some(*self.truth.as_ref()?.ticks().end())
    }

    /// The last tick of the whole file, once its head has arrived.
    pub fn length(&self) -> Option<u64> {
        Some(self.reader.head()?.last_tick())
    }

    pub fn cubes(&self) -> usize {
        self.reader
            .session_config()
            .map_or(0, |session_config| session_config.initial.len())
    }

    /// Changes the states of the tick before into those of a tick. Returns false if it has not arrived.
    ///
    /// # Errors
    /// When its bytes are refused.
    pub(crate) fn next(&mut self, tick: u64, states: &mut Vec<CubeState>) -> Result<bool, String> {
        self.reach(tick)?;
        let truth = self.truth.as_ref();
        Ok(truth.is_some_and(|truth| truth.wind(tick.wrapping_sub(1), tick, states)))
    }

    /// Makes a tape of the decoded ticks; `None` before tick 0.
    pub(crate) fn tape(&self) -> Option<Tape> {
        let truth = self.truth.clone()?;
        Some(Tape::of_recorded(
            self.reader.session_config()?.clone(),
            truth,
        ))
    }

    /// Returns eight numbers a cube at a tick; none if it has not arrived.
    pub(crate) fn drawn(&mut self, tick: u64) -> Result<Vec<f32>, String> {
        self.reach(tick)?;
        let mut states = Vec::new();
        if let Some(truth) = &self.truth {
            truth.read(tick, &mut states);
        }
        Ok(drawn(states.iter().map(Pose::from)))
    }
}

/// Returns eight numbers for each pose: place, orientation, and 1 if it is red.
pub(crate) fn drawn(poses: impl Iterator<Item = Pose>) -> Vec<f32> {
    let numbers = |pose: Pose| {
        let [x, y, z] = pose.position;
        let [i, j, k, w] = pose.orientation;
        [x, y, z, i, j, k, w, f32::from(u8::from(pose.interacting))]
    };
    poses.flat_map(numbers).collect()
}
