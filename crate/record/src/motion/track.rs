//! Poses of a motion file at the file's own times, each object by its name. Poses are not resampled, moved in time or put
//! into slots. The judge compares a client's file with its server's file in this form.

use super::rows::HALF_SIZE_M;
use super::{MotionError, MotionEvent, MotionRow, RowError, binary, bytes_max, csv, table_text};
use crate::capture::Content;
use crate::session_config::Shape;
use std::io::Read;

/// Upper limit of a packed file's rows: two tracks and a motion are in memory together.
const PACKED_ROWS_MAX: usize = 1_000_000;
/// Upper limit of a track's length, s. The judge's search for the client's delay takes longer for a longer track.
const SECONDS_MAX: f64 = 3600.0;
/// Upper limit of a position along an axis, m: a client may write centimetres, and f32 still has a resolution of 6 cm there.
pub(super) const REACH_M: f32 = 1_048_576.0;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// Times of the frames on the file's own clock, s, rising.
    pub frames_s: Vec<f64>,
    /// The objects, in the order of their first rows.
    pub objects: Vec<TrackObject>,
    pub shape: Shape,
    /// Half the side of an object whose rows have no size, m, if the file states it.
    pub(super) unsized_half_m: Option<f32>,
    /// True if the file has a column of events, which states when objects end.
    pub tells_of_ends: bool,
    /// True if the file has ticks and states no rate: 60 ticks a second are assumed.
    pub assumes_rate: bool,
    /// Distance by which all positions were moved towards the origin, m.
    pub moved_m: [f64; 3],
    /// Times at which the file's clock was set back, s, each with the step, which is negative, s. Later times are moved, so
    /// that the clock continues by one frame.
    pub clock_steps: Vec<(f64, f64)>,
    /// Notes on the file's reading, a clause each.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackObject {
    pub name: String,
    /// Half the object's sides, m, as its first row states them.
    half_m: Option<[f32; 3]>,
    /// Rows of the object, by rising frame.
    pub samples: Vec<TrackSample>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackSample {
    /// Index of the frame's time in [`Track::frames_s`].
    pub frame: u32,
    /// Centre, m, z up.
    pub position: [f32; 3],
    /// Unit quaternion x, y, z, w.
    pub orientation: [f32; 4],
    /// The event of the object; a sample that ends it has no pose.
    pub event: MotionEvent,
}

impl Track {
    /// Reads a file of rows, as text or bytes, packed or not. If `beside` is given, positions are moved by the same
    /// distance as that track's positions.
    ///
    /// # Errors
    /// When the file has another format, or too many of its rows are refused.
    pub fn read(file: impl Read, beside: Option<&Track>) -> Result<Track, MotionError> {
        let content = Content::open(file)?;
        let packed = content.packed;
        let bytes = content.bytes(bytes_max(packed))?;
        let rows_max = if packed { PACKED_ROWS_MAX } else { usize::MAX };
        let track = match bytes.starts_with(&binary::MAGIC) {
            true => binary::read_track(&bytes, rows_max)?,
            false => {
                let moved_m = beside.map(|track| track.moved_m);
                csv::read_track(&table_text(&bytes)?, packed, rows_max, moved_m)?
            }
        };
        let seconds = track.seconds();
        if seconds > SECONDS_MAX {
            let refusal = format!("it spans {seconds:.3e} s, more than {SECONDS_MAX} s");
            return Err(MotionError(refusal));
        }
        Ok(track)
    }

    pub fn half_m(&self, object: &TrackObject) -> [f32; 3] {
        let unsized_half_m = self.unsized_half_m.unwrap_or(HALF_SIZE_M);
        object.half_m.unwrap_or([unsized_half_m; 3])
    }

    pub fn seconds(&self) -> f64 {
        let first = self.frames_s.first().copied().unwrap_or(0.0);
        self.frames_s.last().copied().unwrap_or(0.0) - first
    }

    /// Adds a row of the newest time, or of a later one. Returns true if the row stands in place of an earlier one of the same
    /// object and time.
    ///
    /// # Errors
    /// When the row is invalid by itself, or the object already has a row of this time with an event.
    pub fn add(&mut self, instant_s: f64, row: &MotionRow) -> Result<bool, RowError> {
        let is_end = row.event == MotionEvent::End;
        let (position, orientation) = match is_end {
            true => ([0.0; 3], [0.0, 0.0, 0.0, 1.0]),
            false => {
                let state = row.state(REACH_M)?;
                (state.position, state.orientation)
            }
        };
        if self.frames_s.last().is_none_or(|last| *last < instant_s) {
            self.frames_s.push(instant_s);
        }
        let at = row.object as usize;
        if at >= self.objects.len() {
            self.objects.resize(at + 1, TrackObject::default());
        }
        let object = &mut self.objects[at];
        object.half_m = object.half_m.or(row.half_size);
        let samples = &mut object.samples;
        let frame = self.frames_s.len() as u32 - 1;
        let sample = TrackSample {
            frame,
            position,
            orientation,
            event: row.event,
        };
        match samples.last_mut().filter(|last| last.frame == frame) {
            Some(last) if last.event == MotionEvent::None && row.event == MotionEvent::None => {
                *last = sample;
                Ok(true)
            }
            Some(_) => Err(RowError::twice(row.object, row.tick)),
            None => {
                samples.push(sample);
                Ok(false)
            }
        }
    }
}
