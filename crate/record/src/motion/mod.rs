//! A motion from elsewhere, another game's recording or a capture of the challenge, from which a tape can be made.
//!
//! Three formats are recognised by their first bytes, each optionally packed by xz: rows as text ([`csv`]), the same rows as
//! bytes ([`binary`]), and captures. Any file is either read or refused with a named cause. Another thread may read it and send
//! the motion in parts: a head, then one second of ticks each.

pub mod binary;
pub mod csv;
mod recorder;
mod rows;
pub mod track;

use crate::agreed::Agreed;
use crate::capture::{self, CaptureError};
use crate::delta_history::{DeltaHistory, MOTION_BYTES_MAX};
pub use recorder::{JumpSpeed, MotionCounts};
use recorder::{Recorder, StatedFacts};
pub use rows::{Columns, MotionEvent, MotionRow, RowError};
use snapshot_base::hash::fingerprint;
use snapshot_base::time::TickRate;
use snapshot_challenge as challenge;
use snapshot_codec::{Bounds, Class, CubeState, Life, Rung};
use snapshot_physics::world::WorldSettings;
use std::fmt;
use std::io::Read;

/// Greatest number of objects in a motion, as in any format of the codec.
pub const OBJECTS_MAX: usize = 4096;
/// Greatest length of a motion, s: ten minutes. A longer motion, or one whose truth exceeds a tape's memory, is cut off at the
/// end.
pub const SECONDS_MAX: u64 = 600;
/// Greatest length of a motion, ticks: ten minutes at 120 a second, as a lane stores 0.9 kB a tick. A longer motion is cut off
/// at the end.
pub const TICKS_MAX: u64 = 120 * SECONDS_MAX;
/// Greatest size of an unpacked file, bytes.
pub const BYTES_MAX: u64 = 256 << 20;

/// A motion that was recorded elsewhere.
#[derive(Clone, Debug)]
pub struct Motion {
    agreed: Agreed,
    /// States of all objects, from tick 0 on.
    truth: DeltaHistory<CubeState>,
    left_out_ticks: u64,
    counts: MotionCounts,
    told: StatedFacts,
    jumps_over: JumpSpeed,
    /// Changes that were made to the file, a clause each.
    notes: Vec<String>,
    /// Numbers of the file's objects by slot: from a tick on, in a life. Empty for a motion that came in parts.
    numbers: Vec<Vec<(u64, Life, u32)>>,
    /// Names of the objects by their numbers, where the file names them.
    names: Vec<String>,
    fingerprint: u32,
}

/// Why a file is refused as a motion.
#[derive(Debug)]
#[non_exhaustive]
pub enum MotionError {
    /// A file that cannot be read or unpacked, or that has none of the three formats and is no capture.
    File(CaptureError),
    /// The first line names no columns, or lacks required ones.
    Header(String),
    /// A binary file has an unknown version or unknown columns.
    Version {
        /// The file's version.
        version: u32,
        /// The file's column bits.
        columns: u32,
    },
    /// The tick rate is not a number from 1 to 240, or not told; as bytes it is a whole number from 10.
    Rate(String),
    /// A row is refused. Rows of text are numbered by line, the header being line 1; binary rows are numbered from 1.
    Row {
        /// The row's number.
        row: u64,
        /// Why the row was refused.
        cause: RowError,
    },
    /// The motion has fewer than two ticks.
    TooShort {
        /// Number of rows in the file.
        rows: u64,
    },
}

impl fmt::Display for MotionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error @ CaptureError::Parse(_)) => write!(
                f,
                "it is neither rows of a motion, as text or bytes, nor a capture of the challenge ({error})"
            ),
            Self::File(error) => error.fmt(f),
            Self::Header(told) => write!(f, "the header: {told}"),
            Self::Version { version, columns } => write!(
                f,
                "version {version} with columns {columns}: they go to version {} and columns {}",
                binary::VERSION,
                Columns::BITS_MAX
            ),
            Self::Rate(told) => write!(
                f,
                "the rate is {told}; a rate is a number of ticks a second, 1 to {}",
                TickRate::MOST_HZ
            ),
            Self::Row { row, cause } => write!(f, "row {row}: {cause}"),
            Self::TooShort { rows } => {
                write!(
                    f,
                    "{rows} rows of a single tick: a motion has two ticks or more"
                )
            }
        }
    }
}

impl std::error::Error for MotionError {}

impl Motion {
    /// Reads a file of any of the three formats, packed or not, with the default [`JumpSpeed`].
    ///
    /// # Errors
    /// When it is none of them, or something in it is refused.
    pub fn read(file: impl Read) -> Result<Motion, MotionError> {
        Motion::read_with(file, JumpSpeed::default())
    }

    /// Reads a file as [`Motion::read`] does. If the file states no jumps, steps faster than `jumps_over` count as jumps.
    ///
    /// # Errors
    /// As [`Motion::read`].
    pub fn read_with(file: impl Read, jumps_over: JumpSpeed) -> Result<Motion, MotionError> {
        let bytes = capture::unpack(file, BYTES_MAX).map_err(MotionError::File)?;
        let text = snapshot_base::text::utf8(&bytes);
        let mut motion = if bytes.starts_with(&binary::MAGIC) {
            binary::read(&bytes, jumps_over)?
        } else if csv::begins(&text) {
            csv::read(&text, jumps_over)?
        } else {
            of_capture(&bytes)?
        };
        motion.fingerprint = fingerprint(&bytes);
        Ok(motion)
    }

    /// Makes a motion of these ticks, numbered from 0; `None` for fewer than two. Velocities and events are stated.
    pub(crate) fn of_truth(
        agreed: Agreed,
        truth: DeltaHistory<CubeState>,
        interacting: bool,
    ) -> Option<Motion> {
        let told = StatedFacts {
            velocities: true,
            events: true,
            interacting,
        };
        (*truth.ticks().end() > 0).then(|| Motion {
            agreed,
            truth,
            left_out_ticks: 0,
            counts: MotionCounts::default(),
            told,
            jumps_over: JumpSpeed::default(),
            notes: Vec::new(),
            numbers: Vec::new(),
            names: Vec::new(),
            fingerprint: 0,
        })
    }

    /// Finds the motion's jumps again, by another speed. A motion whose file states its jumps stays unchanged; a capture states
    /// that it has none.
    pub fn with_jumps_over(&self, jumps_over: JumpSpeed) -> Motion {
        if self.tells_of_jumps() {
            return self.clone();
        }
        let mut recorder = Recorder::again(self, jumps_over);
        let mut truth = Vec::new();
        for tick in self.truth.ticks() {
            self.truth.wind(tick.wrapping_sub(1), tick, &mut truth);
            recorder.frame(&truth);
        }
        let motion = recorder.finish(self.agreed.half_m().to_vec());
        Motion {
            left_out_ticks: self.left_out_ticks,
            notes: self.notes.clone(),
            numbers: self.numbers.clone(),
            names: self.names.clone(),
            fingerprint: self.fingerprint,
            ..motion.unwrap_or_else(|| self.clone())
        }
    }

    /// Number of objects in the whole motion.
    pub fn objects(&self) -> usize {
        self.agreed.initial().len()
    }

    /// The motion's counts: objects that appear, disappear and jump, and clipped velocities.
    pub fn counts(&self) -> &MotionCounts {
        &self.counts
    }

    /// Says whether the file states its jumps. If so, no step counts as a jump because of its speed.
    pub fn tells_of_jumps(&self) -> bool {
        self.told.events
    }

    /// The speed above which a step counts as a jump, where the file states no jumps.
    pub fn jumps_over(&self) -> JumpSpeed {
        self.jumps_over
    }

    /// Notes on the file's reading, a clause each: sorted rows, columns left out, a rate that was derived.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The file's name of the object that has a slot in a life, shown at a tick. A slot's number where nothing is known.
    pub fn name(&self, slot: usize, life: Life, tick: u64) -> String {
        let of_slot = self.numbers.get(slot).map_or(&[][..], Vec::as_slice);
        let before = || of_slot.iter().rev().filter(|(from, ..)| *from <= tick);
        let of_life = before().find(|(_, of, _)| *of == life);
        match of_life.or_else(|| before().next()) {
            None => slot.to_string(),
            Some((.., number)) => {
                let name = self.names.get(*number as usize);
                name.cloned().unwrap_or_else(|| number.to_string())
            }
        }
    }

    /// Names of the objects that have a slot, each with the tick from which it does, oldest first.
    pub fn owners(&self, slot: usize) -> Vec<(u64, String)> {
        let of_slot = self.numbers.get(slot).into_iter().flatten();
        let mut owners: Vec<_> = of_slot
            .map(|(from, life, _)| (*from, self.name(slot, *life, *from)))
            .collect();
        owners.dedup_by(|next, before| next.1 == before.1);
        owners
    }

    /// The last tick; the first is 0.
    pub fn ticks(&self) -> u64 {
        *self.truth.ticks().end()
    }

    /// Number of the file's ticks that were cut off.
    pub fn left_out_ticks(&self) -> u64 {
        self.left_out_ticks
    }

    /// Number of states, of all objects in all ticks, that are faster along an axis than rungs 2 and 3 can send: 32 m/s.
    pub fn clipped_velocities(&self) -> u64 {
        self.counts.clipped_velocities
    }

    /// Bounds of the positions: whole metres around all objects, a power of two along each axis, so that no code is wasted.
    /// A capture has the challenge's bounds.
    pub fn bounds(&self) -> Bounds {
        self.agreed.bounds()
    }

    /// Returns true if the motion is a capture of the challenge.
    pub fn is_capture(&self) -> bool {
        self.told.interacting
    }

    /// Ticks a second.
    pub fn tick_rate(&self) -> TickRate {
        self.agreed.tick_rate()
    }

    /// Length of the motion, s.
    pub fn seconds(&self) -> f64 {
        self.tick_rate().seconds_of_ticks(self.ticks())
    }

    /// Length of the part that was cut off, s.
    pub fn left_out_seconds(&self) -> f64 {
        self.tick_rate().seconds_of_ticks(self.left_out_ticks)
    }

    /// A hash of the motion, by which a link identifies it.
    pub fn fingerprint(&self) -> u32 {
        self.fingerprint
    }

    pub(crate) fn agreed(&self) -> &Agreed {
        &self.agreed
    }

    pub(crate) fn truth(&self) -> &DeltaHistory<CubeState> {
        &self.truth
    }
}

/// Reads a capture: the frames of the challenge become poses, with velocities from frame to frame.
fn of_capture(bytes: &[u8]) -> Result<Motion, MotionError> {
    let frames =
        challenge::parse(bytes).map_err(|error| MotionError::File(CaptureError::Parse(error)))?;
    let format = challenge::format(Rung::ChangedFlags, Class::Strict)
        .expect("the challenge's format is one");
    let mut recorder = Recorder::of_capture();
    for frame in &frames {
        let states: Vec<CubeState> = frame.iter().map(|cube| format.dequantise(cube)).collect();
        recorder.frame(&states);
    }
    let world = WorldSettings::default();
    let half_m = (0..challenge::CUBES).map(|index| [world.half_size_m(index, challenge::CUBES); 3]);
    let motion = recorder.finish(half_m.collect());
    motion.ok_or(MotionError::TooShort { rows: 0 })
}

/// Greatest number of ticks that a motion of this tick rate may have.
fn most_ticks(tick_rate: TickRate) -> u64 {
    tick_rate.ticks_of_seconds(SECONDS_MAX).min(TICKS_MAX)
}

/// Checks the invariants of any bytes as a motion. They are read, or refused in a sentence of bounded length; a motion that
/// is read is within its bounds and survives being written. For the fuzz target `motion` and the test that replays its
/// corpus.
#[doc(hidden)]
pub fn fuzz(data: &[u8]) {
    if let Ok(track) = track::Track::read(data, None) {
        assert!(track.frames_s.is_sorted_by(|a, b| a < b) && track.objects.len() <= OBJECTS_MAX);
        for object in &track.objects {
            let frames = object.samples.iter().map(|row| row.frame as usize);
            assert!(frames.is_sorted_by(|a, b| a < b));
            let last = object.samples.last();
            assert!(last.is_none_or(|row| (row.frame as usize) < track.frames_s.len()));
        }
    }
    let columns = csv::columns(data).len();
    let with_facts = csv::with_facts(data, "up=y\n");
    // A table's head is bounded, so a line more may push its first row out.
    assert!(columns == 0 || [0, columns].contains(&csv::columns(&with_facts).len()));
    match Motion::read(data) {
        Ok(motion) => {
            assert!((1..=OBJECTS_MAX).contains(&motion.objects()));
            let most = most_ticks(motion.tick_rate());
            assert!((1..=most).contains(&motion.ticks()));
            assert!(motion.truth.bytes() <= 2 * MOTION_BYTES_MAX);
            let (lower, upper) = (motion.bounds().lower(), motion.bounds().upper());
            let (mut truth, mut before) = (Vec::new(), Vec::new());
            let mut counts = MotionCounts::default();
            for tick in motion.truth.ticks() {
                assert!(motion.truth.read(tick, &mut truth));
                assert_eq!(truth.len(), motion.objects());
                for (place, cube) in truth.iter().enumerate() {
                    let life = before
                        .get(place)
                        .map_or(cube.life, |cube: &CubeState| cube.life);
                    match (life.is_empty(), cube.life.is_empty()) {
                        (true, false) => counts.spawns += 1,
                        (false, true) => counts.ends += 1,
                        _ => counts.jumps += u64::from(life != cube.life),
                    }
                    if cube.life.is_empty() {
                        assert!(cube.same_bits(&CubeState::EMPTY));
                        continue;
                    }
                    for axis in 0..3 {
                        let at = cube.position[axis];
                        assert!(lower[axis] as f32 <= at && at < upper[axis] as f32);
                    }
                    let length: f32 = cube.orientation.iter().map(|part| part * part).sum();
                    assert!((length - 1.0).abs() < 1e-4);
                }
                before.clone_from(&truth);
            }
            let of = |counts: &MotionCounts| (counts.spawns, counts.ends, counts.jumps);
            assert_eq!(of(&counts), of(motion.counts()));
            assert_eq!(motion.agreed.has_slots(), counts.has_lives());
            let again = Motion::read(&binary::write(&motion)[..]);
            let again = again.expect("what is written is read");
            assert_eq!(
                (again.objects(), again.ticks(), again.tick_rate()),
                (motion.objects(), motion.ticks(), motion.tick_rate())
            );
            assert_eq!(of(again.counts()), of(motion.counts()));
            let places = |of: &Motion| -> Vec<_> {
                let cubes = of.truth.newest().iter();
                cubes.map(|cube| (cube.position, cube.life)).collect()
            };
            assert_eq!(places(&again), places(&motion));
            for jumps_over in [JumpSpeed::at(0), JumpSpeed::NEVER] {
                let other = motion.with_jumps_over(jumps_over);
                let back = other.with_jumps_over(motion.jumps_over());
                assert_eq!(back.counts, motion.counts);
                assert_eq!(back.truth.newest(), motion.truth.newest());
            }
        }
        Err(error) => assert!(error.to_string().len() < 400, "{error}"),
    }
}

/// A motion that arrives in parts, not all of them here yet.
pub struct Incoming {
    head: PartsHead,
    truth: Option<DeltaHistory<CubeState>>,
}

struct PartsHead {
    tick_rate: TickRate,
    bounds: Bounds,
    left_out_ticks: u64,
    counts: MotionCounts,
    told: StatedFacts,
    jumps_over: JumpSpeed,
    notes: Vec<String>,
    fingerprint: u32,
    half_m: Vec<[f32; 3]>,
}

impl Motion {
    /// Writes a part, by its number from 0; `None` after the last. [`Incoming`] reads parts in this order.
    pub fn part(&self, number: usize) -> Option<Vec<u8>> {
        match number.checked_sub(1) {
            None => Some(self.head()),
            Some(second) => self.truth.part(second),
        }
    }

    /// Writes the head, little-endian. First come the length of the notes and the notes, a line each. Then u64: number of cut off ticks, then each count. Then u32: fingerprint, the
    /// facts that the file states, index of the jump speed, ticks a second. Bounds follow as i32, half sizes as f32.
    fn head(&self) -> Vec<u8> {
        let notes = self.notes.join("\n");
        let mut bytes = (notes.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(notes.as_bytes());
        bytes.extend_from_slice(&self.left_out_ticks.to_le_bytes());
        for count in self.counts.to_array() {
            bytes.extend_from_slice(&count.to_le_bytes());
        }
        let words = [
            self.fingerprint,
            self.told.bits(),
            self.jumps_over.place() as u32,
            self.tick_rate().hz(),
        ];
        let bounds = [self.bounds().lower(), self.bounds().upper()];
        let bounds = bounds.into_iter().flatten().map(|metres| metres as u32);
        let sizes = self.agreed.half_m().iter().flatten();
        let words = words.into_iter().chain(bounds);
        for word in words.chain(sizes.map(|size| size.to_bits())) {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

impl Incoming {
    /// Starts a motion from its head; `None` if the bytes are no head.
    pub fn new(head: &[u8]) -> Option<Incoming> {
        let (length, rest) = head.split_first_chunk()?;
        let (notes, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let notes = std::str::from_utf8(notes).ok()?.lines();
        let (left_out_ticks, mut rest) = rest.split_first_chunk()?;
        let mut counts = [0; MotionCounts::COUNT];
        for count in &mut counts {
            let (bytes, after) = rest.split_first_chunk()?;
            (*count, rest) = (u64::from_le_bytes(*bytes), after);
        }
        let (words, rest) = rest.as_chunks();
        let mut words = words.iter().map(|word| u32::from_le_bytes(*word));
        let (fingerprint, told) = (words.next()?, StatedFacts::from_bits(words.next()?));
        let jumps_over = JumpSpeed::at(words.next()? as usize);
        let tick_rate = TickRate::new(words.next()?)?;
        let mut metres = || Some(words.next()? as i32);
        let lower = [metres()?, metres()?, metres()?];
        let upper = [metres()?, metres()?, metres()?];
        let sizes: Vec<f32> = words.map(f32::from_bits).collect();
        let (half_m, others) = sizes.as_chunks();
        let head = PartsHead {
            tick_rate,
            bounds: Bounds::new(lower, upper).ok()?,
            left_out_ticks: u64::from_le_bytes(*left_out_ticks),
            counts: MotionCounts::from_array(counts),
            told,
            jumps_over,
            notes: notes.map(str::to_string).collect(),
            fingerprint,
            half_m: half_m.to_vec(),
        };
        (rest.is_empty() && others.is_empty()).then_some(Incoming { head, truth: None })
    }

    /// Adds the next part. Returns false, and changes nothing, if the bytes are no part that follows.
    pub fn add(&mut self, part: &[u8]) -> bool {
        match &mut self.truth {
            Some(truth) => truth.add_part(part),
            None => {
                self.truth = DeltaHistory::of_first_part(part);
                self.truth.is_some()
            }
        }
    }

    /// Returns the motion, once all parts have arrived; `None` if it has fewer than two ticks.
    pub fn finish(self) -> Option<Motion> {
        let head = self.head;
        let objects = head.half_m.len();
        let is_whole = |truth: &DeltaHistory<CubeState>| {
            *truth.ticks().end() > 0 && truth.newest().len() == objects
        };
        let truth = self.truth.filter(is_whole)?;
        let mut initial = Vec::new();
        truth.read(0, &mut initial);
        let player = head.told.interacting.then_some(0);
        let agreed = Agreed::of_motion(head.tick_rate, &initial, head.bounds, head.half_m)
            .with_player(player)
            .with_slots(head.counts.has_lives());
        Some(Motion {
            agreed,
            truth,
            left_out_ticks: head.left_out_ticks,
            counts: head.counts,
            told: head.told,
            jumps_over: head.jumps_over,
            notes: head.notes,
            numbers: Vec::new(),
            names: Vec::new(),
            fingerprint: head.fingerprint,
        })
    }
}

#[cfg(test)]
mod tests;
