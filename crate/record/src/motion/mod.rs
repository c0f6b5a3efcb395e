//! A motion from another program, from which a tape can be made: a game's recording, or a capture of the 2015 challenge.
//!
//! Four formats are recognised by their first bytes, each optionally packed by xz: rows as text ([`csv`]), the same rows as
//! bytes ([`binary`]), captures, and packets of rung 12 ([`coded`]). Any file is either read or refused with a named cause. Another thread may read it and send
//! the motion in parts: a head, then one second of ticks each.

pub mod binary;
pub mod coded;
pub mod csv;
mod json;
mod recorder;
mod rows;
pub mod track;

use crate::capture::{CaptureError, Content};
use crate::challenge;
use crate::delta_history::{DeltaHistory, MOTION_BYTES_MAX};
use crate::session_config::{PackedConfig, SessionConfig};
pub use recorder::{JumpSpeed, MotionCounts, fitted_bounds};
use recorder::{Recorder, StatedFacts};
pub use rows::{Columns, MotionEvent, MotionRow, RowError};
use serde::{Deserialize, Serialize};
use snapshot_base::hash::fingerprint;
use snapshot_base::text::{decoded, shorten};
use snapshot_base::time::TickRate;
use snapshot_codec::{Bounds, Class, CubeState, Life, Rung};
use snapshot_netsim::table::asked::Asked;
use snapshot_physics::world::WorldSettings;
use std::borrow::Cow;
use std::fmt;
use std::io::Read;

/// Upper limit of the number of objects in a motion, as in any format of the codec.
pub const OBJECTS_MAX: usize = 4096;
/// Upper limit of a motion's length, s: ten minutes. A longer motion, or one whose states exceed a tape's memory, is cut off
/// at the end.
pub const SECONDS_MAX: u64 = 600;
/// Upper limit of a motion's length, ticks: ten minutes at 120 a second, as a lane stores 0.9 kB a tick. A longer motion is
/// cut off at the end.
pub const TICKS_MAX: u64 = 120 * SECONDS_MAX;
pub const BYTES_MAX: u64 = 256 << 20;
/// Upper limit of the unpacked size of rows that are packed. A file of 5 MB may take 600 MB of a page, 250 of which the page
/// itself takes. A vector that doubles holds this many bytes without room to spare.
const PACKED_BYTES_MAX: u64 = 64 << 20;
/// Upper limit of the number of objects in a whole file, ended objects included.
const OBJECTS_EVER_MAX: usize = 1 << 18;

#[derive(Clone, Debug)]
pub struct Motion {
    session_config: SessionConfig,
    /// States of all objects at each tick from 0 on.
    truth: DeltaHistory<CubeState>,
    pub facts: MotionFacts,
    /// For each slot, the objects of the file that are in it: the tick from which on, the life, and the object's number. Empty
    /// for a motion that came in parts.
    numbers: Vec<Vec<(u64, Life, u32)>>,
    /// Names of the objects by their numbers, if the file has names.
    names: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotionFacts {
    /// Number of ticks that were cut off at the end.
    pub left_out_ticks: u64,
    pub counts: MotionCounts,
    stated: StatedFacts,
    /// Speed above which a step counts as a jump, used if the file does not state jumps.
    pub jumps_over: JumpSpeed,
    /// Notes on the file's reading, a clause each: sorted rows, columns left out, a rate that was derived.
    pub notes: Vec<String>,
    /// A hash of the file, by which a link names the file.
    pub fingerprint: u32,
}

impl MotionFacts {
    fn new(stated: StatedFacts, jumps_over: JumpSpeed) -> MotionFacts {
        MotionFacts {
            left_out_ticks: 0,
            counts: MotionCounts::default(),
            stated,
            jumps_over,
            notes: Vec::new(),
            fingerprint: 0,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MotionError(String);

impl MotionError {
    fn header(cause: impl fmt::Display) -> MotionError {
        MotionError(format!("the header: {cause}"))
    }

    /// Returns the error for a text that is no table, which shows its first line.
    fn of_first_line(line: &str) -> MotionError {
        let is_text = !line.is_empty()
            && !line.contains(|letter: char| letter.is_control() || letter == '\u{fffd}');
        MotionError(match is_text {
            true => format!(
                "it is text, and no motion: its first line is \"{}\". {NEEDS}",
                shorten(line)
            ),
            false => NEITHER.to_string(),
        })
    }

    fn rate(rate: impl fmt::Display) -> MotionError {
        MotionError(format!(
            "the rate is {rate}; a rate is a number of ticks a second, 1 to {}",
            TickRate::MOST_HZ
        ))
    }

    fn too_short(rows: u64) -> MotionError {
        MotionError(format!(
            "{rows} rows of a single tick: a motion has two ticks or more"
        ))
    }
}

const NEITHER: &str =
    "it is neither rows of a motion, as text or bytes, nor a capture of the challenge";
const NEEDS: &str = "Write a line of names above its rows, such as time,object,x,y,z,qx,qy,qz,qw";
const GZIP: &[u8] = &[0x1f, 0x8b];

impl From<CaptureError> for MotionError {
    fn from(error: CaptureError) -> MotionError {
        MotionError(match error {
            CaptureError::Parse(error) => format!("{NEITHER} ({error})"),
            error => error.to_string(),
        })
    }
}

impl Motion {
    /// Reads a file of any of the four formats, packed or not, with the default [`JumpSpeed`].
    ///
    /// # Errors
    /// When the format is unknown, or something in the file is refused.
    pub fn read(file: impl Read) -> Result<Motion, MotionError> {
        Motion::read_with(file, JumpSpeed::default())
    }

    /// Reads a file as [`Motion::read`] does. If the file does not state jumps, steps faster than `jumps_over` count as jumps.
    pub fn read_with(file: impl Read, jumps_over: JumpSpeed) -> Result<Motion, MotionError> {
        let mut content = Content::open(file)?;
        if content.is_capture()? {
            return of_capture(content);
        }
        let packed = content.packed;
        Motion::of_rows(&content.bytes(bytes_max(packed))?, packed, jumps_over)
    }

    /// Reads a file as [`Motion::read_with`] does, without a copy of a file that is not packed.
    ///
    /// # Errors
    /// When the format is unknown, or something in the file is refused.
    pub fn of_file(file: &[u8], jumps_over: JumpSpeed) -> Result<Motion, MotionError> {
        let content = Content::open(file)?;
        match content.packed || file.is_empty() || file.len() as u64 > BYTES_MAX {
            true => Motion::read_with(file, jumps_over),
            false => Motion::of_rows(file, false, jumps_over),
        }
    }

    fn of_rows(bytes: &[u8], packed: bool, jumps_over: JumpSpeed) -> Result<Motion, MotionError> {
        let mut motion = if bytes.starts_with(&binary::MAGIC) {
            binary::read(bytes, jumps_over)?
        } else if bytes.starts_with(&coded::MAGIC) {
            coded::read(bytes)?
        } else if challenge::begins(bytes) {
            return of_capture(Content::open(bytes)?);
        } else {
            csv::read(&table_text(bytes)?, packed, jumps_over)?
        };
        motion.facts.fingerprint = fingerprint(bytes);
        Ok(motion)
    }

    /// Makes a motion of these ticks, numbered from 0; `None` for fewer than two ticks. Velocities and events are given,
    /// not derived.
    pub(crate) fn of_truth(
        session_config: SessionConfig,
        truth: DeltaHistory<CubeState>,
        interacting: bool,
    ) -> Option<Motion> {
        let stated = StatedFacts {
            velocities: true,
            events: true,
            interacting,
        };
        let facts = MotionFacts::new(stated, JumpSpeed::default());
        (*truth.ticks().end() > 0).then(|| Motion::new(session_config, truth, facts))
    }

    fn new(
        session_config: SessionConfig,
        truth: DeltaHistory<CubeState>,
        facts: MotionFacts,
    ) -> Motion {
        Motion {
            session_config,
            truth,
            facts,
            numbers: Vec::new(),
            names: Vec::new(),
        }
    }

    /// Returns the motion with its jumps found again, by another speed. A motion whose file states its jumps stays unchanged;
    /// a capture states that it has none.
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
        let Some(motion) = recorder.finish(self.session_config.half_m.to_vec()) else {
            return self.clone();
        };
        Motion {
            facts: MotionFacts {
                counts: motion.facts.counts,
                jumps_over,
                ..self.facts.clone()
            },
            numbers: self.numbers.clone(),
            names: self.names.clone(),
            ..motion
        }
    }

    /// Number of slots. Objects may be more: an object may reuse the slot of an ended one.
    pub fn objects(&self) -> usize {
        self.session_config.initial.len()
    }

    /// Returns true if the file states its jumps. If so, no step counts as a jump because of its speed.
    pub fn tells_of_jumps(&self) -> bool {
        self.facts.stated.events
    }

    /// Returns the file's name of the object that is in a slot, in a life, at a tick; the slot's number if the name is unknown.
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

    /// Returns the names of the objects that are in a slot, each with its first tick there, oldest first.
    pub fn owners(&self, slot: usize) -> Vec<(u64, String)> {
        let of_slot = self.numbers.get(slot).into_iter().flatten();
        let mut owners: Vec<_> = of_slot
            .map(|(from, life, _)| (*from, self.name(slot, *life, *from)))
            .collect();
        owners.dedup_by(|next, before| next.1 == before.1);
        owners
    }

    /// Number of the last tick; the first is 0.
    pub fn ticks(&self) -> u64 {
        *self.truth.ticks().end()
    }

    /// Bounds of the positions: whole metres around all objects, a power of two along each axis, so that no code is wasted.
    /// A capture has the challenge's bounds.
    pub fn bounds(&self) -> Bounds {
        self.session_config.bounds
    }

    pub fn is_capture(&self) -> bool {
        self.facts.stated.interacting
    }

    pub fn tick_rate(&self) -> TickRate {
        self.session_config.tick_rate
    }

    pub fn seconds(&self) -> f64 {
        self.tick_rate().seconds_of_ticks(self.ticks())
    }

    pub fn left_out_seconds(&self) -> f64 {
        self.tick_rate().seconds_of_ticks(self.facts.left_out_ticks)
    }

    pub(crate) fn session_config(&self) -> &SessionConfig {
        &self.session_config
    }

    pub(crate) fn truth(&self) -> &DeltaHistory<CubeState> {
        &self.truth
    }
}

/// Upper limit of the length of a text of two bytes a letter, which is stored twice to be read.
const WIDE_BYTES_MAX: usize = 64 << 20;

/// Returns the table of a text: the text itself, or the table that is made of its JSON.
fn table_text(bytes: &[u8]) -> Result<Cow<'_, str>, MotionError> {
    if bytes.starts_with(GZIP) {
        return Err(MotionError("it is packed by gzip: unpack it".to_string()));
    }
    let text = decoded(bytes);
    if matches!(text, Cow::Owned(_)) && bytes.len() > WIDE_BYTES_MAX {
        let most = WIDE_BYTES_MAX >> 20;
        let refusal = format!("more than {most} MB of other text than UTF-8: save it as UTF-8");
        return Err(MotionError(refusal));
    }
    let head_at = csv::table(&text).head_at;
    match json::begins(&text[head_at..]) {
        true => json::table(&text[..head_at], &text[head_at..]).map(Cow::Owned),
        false => Ok(text),
    }
}

/// Returns what is asked about the columns of a text, by its beginning; `None` for a text that is no table.
pub fn asked(head: &[u8]) -> Option<Asked> {
    // JSON is cut off by the end of the head: its last object is left out.
    let text = decoded(head);
    let body = &text[csv::table(&text).head_at..];
    let made = match json::begins(body) {
        true => json::table("", &body[..body.rfind('}').map_or(0, |end| end + 1)]).ok()?,
        false => body.to_string(),
    };
    let whole = [&text[..text.len() - body.len()], &made].concat();
    let table = csv::table(&whole);
    let mut asked = Asked::new(&table)?;
    csv::answered(&table, &mut asked);
    Some(asked)
}

/// Returns true if a text begins as one of JSON.
pub fn is_json(head: &[u8]) -> bool {
    let text = decoded(head);
    json::begins(&text[csv::table(&text).head_at..])
}

fn bytes_max(packed: bool) -> u64 {
    if packed { PACKED_BYTES_MAX } else { BYTES_MAX }
}

/// Reads a capture of the 2015 data-compression challenge. Its frames become poses; a velocity is the difference between two
/// frames.
fn of_capture(content: Content) -> Result<Motion, MotionError> {
    let format = challenge::format(Rung::ChangedFlags, Class::Strict)
        .expect("the challenge's format is one");
    let mut recorder = Recorder::of_capture();
    let fingerprint = content.each_frame(BYTES_MAX, |frame| {
        let states: Vec<CubeState> = frame.iter().map(|cube| format.dequantise(cube)).collect();
        recorder.frame(&states);
    })?;
    let world = WorldSettings::default();
    let half_m = (0..challenge::CUBES).map(|index| [world.half_size_m(index, challenge::CUBES); 3]);
    let motion = recorder.finish(half_m.collect());
    let mut motion = motion.ok_or_else(|| MotionError::too_short(0))?;
    motion.facts.fingerprint = fingerprint;
    Ok(motion)
}

fn most_ticks(tick_rate: TickRate) -> u64 {
    tick_rate.ticks_of_seconds(SECONDS_MAX).min(TICKS_MAX)
}

/// Checks that any bytes are read as a motion, or refused in a sentence of bounded length. A motion that is read is within its
/// bounds, and is the same when it is written and read again. The fuzz target `motion` and the test that replays its corpus call this.
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
    if let Some(asked) = asked(data) {
        assert!(!asked.columns.is_empty() && asked.message("").len() < 4000);
    }
    let _ = csv::with_facts(data, "up=y\n");
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
            assert_eq!(of(&counts), of(&motion.facts.counts));
            assert_eq!(motion.session_config.has_slots, counts.has_lives());
            let bytes = binary::write(&motion);
            let again = Motion::read(&bytes[..]);
            let whole = Motion::of_file(&bytes, motion.facts.jumps_over);
            assert_eq!(whole.map(|whole| whole.ticks()), Ok(motion.ticks()));
            let again = again.expect("what is written is read");
            assert_eq!(
                (again.objects(), again.ticks(), again.tick_rate()),
                (motion.objects(), motion.ticks(), motion.tick_rate())
            );
            assert_eq!(of(&again.facts.counts), of(&motion.facts.counts));
            let places = |of: &Motion| -> Vec<_> {
                let cubes = of.truth.newest().iter();
                cubes.map(|cube| (cube.position, cube.life)).collect()
            };
            assert_eq!(places(&again), places(&motion));
            for jumps_over in [JumpSpeed::at(0), JumpSpeed::NEVER] {
                let other = motion.with_jumps_over(jumps_over);
                let back = other.with_jumps_over(motion.facts.jumps_over);
                assert_eq!(back.facts.counts, motion.facts.counts);
                assert_eq!(back.truth.newest(), motion.truth.newest());
            }
        }
        Err(error) => assert!(error.to_string().len() < 4000, "{error}"),
    }
}

/// A motion that arrives in parts, of which some may be missing.
pub struct Incoming {
    head: PartsHead,
    truth: Option<DeltaHistory<CubeState>>,
}

/// The content of a motion's first part.
#[derive(Serialize, Deserialize)]
struct PartsHead {
    config: PackedConfig,
    facts: MotionFacts,
}

impl Motion {
    /// Returns a part by its number from 0; `None` after the last. [`Incoming`] reads parts in this order.
    pub fn part(&self, number: usize) -> Option<Vec<u8>> {
        match number.checked_sub(1) {
            None => Some(self.head()),
            Some(second) => self.truth.part(second),
        }
    }

    fn head(&self) -> Vec<u8> {
        let head = PartsHead {
            config: self.session_config.packed(),
            facts: self.facts.clone(),
        };
        postcard::to_allocvec(&head).expect("a head has only numbers and texts")
    }
}

impl Incoming {
    /// Starts a motion from its first part; `None` if the bytes are not a first part.
    pub fn new(head: &[u8]) -> Option<Incoming> {
        let head: PartsHead = postcard::from_bytes(head).ok()?;
        (head.facts.jumps_over <= JumpSpeed::NEVER).then_some(Incoming { head, truth: None })
    }

    /// Adds the next part. Returns false, and changes nothing, if the bytes are not a part that follows.
    pub fn add(&mut self, part: &[u8]) -> bool {
        match &mut self.truth {
            Some(truth) => truth.add_part(part),
            None => {
                self.truth = DeltaHistory::of_first_part(part);
                self.truth.is_some()
            }
        }
    }

    /// Returns the motion, once all parts have arrived; `None` if it has fewer than two ticks, or its first part is invalid.
    pub fn finish(self) -> Option<Motion> {
        let PartsHead { config, facts } = self.head;
        let session_config = config.unpacked()?;
        let objects = session_config.half_m.len();
        let has_all = |truth: &DeltaHistory<CubeState>| truth.newest().len() == objects;
        let truth = (self.truth).filter(|truth| *truth.ticks().end() > 0 && has_all(truth))?;
        Some(Motion::new(session_config, truth, facts))
    }
}

#[cfg(test)]
mod tests;
