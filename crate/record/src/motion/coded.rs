//! Coded motions: a stretch of a simulated world as packets of rung 12, for a page that plays while the file arrives.
//!
//! Layout, little-endian. Head: [`MAGIC`], u8 version, u8 fractional bits of a metre (also the bits of an orientation's
//! component), u8 ticks from one frame to the next, u8 side of the grid, u16 number of frames. A frame: u16 length of its
//! packet, the packet, u16 number of cubes whose rest begins or ends, and the u16 index of each, rising.
//!
//! The first packet is coded against the grid of the world, each later one against the frame before. Velocities are not in
//! the file: a cube's velocity is its step from the tick before. Positions are rounded down, and read as the middle of the
//! step. So a coarser rung rounds them as it rounds the simulation's.

use super::{Motion, MotionError};
use crate::delta_history::{DeltaHistory, MOTION_BYTES_MAX};
use crate::session_config::SessionConfig;
use snapshot_base::time::{TICKS_PER_S, WORLD};
use snapshot_codec::{Baseline, Cube, CubeState, Format, QuantisationBits, Rung, SnapshotCoder};
use snapshot_physics::world::WorldSettings;
use snapshot_view::Pose;

pub const MAGIC: [u8; 8] = *b"SLCODED\0";
const VERSION: u8 = 1;
const HEAD_BYTES: usize = MAGIC.len() + 6;
/// Upper limit of the number of the last tick: a minute, which bounds the work of reading any file.
const LAST_TICK_MAX: u64 = 60 * TICKS_PER_S as u64;
/// Sides of a grid, as a world's settings allow them.
const GRID_SIDES: std::ops::RangeInclusive<u8> = 5..=60;

/// Numbers of a file's head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodedHead {
    /// Fractional bits of a metre, and bits of an orientation's component.
    pub bits: u8,
    /// Ticks from one frame to the next. Poses of the ticks between are interpolated.
    pub step: u8,
    pub grid_side: u8,
    /// Number of frames; the first is that of tick 0.
    pub frames: u16,
}

impl CodedHead {
    pub fn last_tick(self) -> u64 {
        u64::from(self.frames.saturating_sub(1)) * u64::from(self.step)
    }

    fn read(bytes: &[u8; HEAD_BYTES]) -> Result<CodedHead, MotionError> {
        let [
            magic @ ..,
            version,
            bits,
            step,
            grid_side,
            frames_low,
            frames_high,
        ] = *bytes;
        if magic != MAGIC || version != VERSION {
            return Err(MotionError::header(format!(
                "it is no coded motion of version {VERSION}"
            )));
        }
        Ok(CodedHead {
            bits,
            step,
            grid_side,
            frames: u16::from_le_bytes([frames_low, frames_high]),
        })
    }

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend(MAGIC);
        bytes.extend([VERSION, self.bits, self.step, self.grid_side]);
        bytes.extend(self.frames.to_le_bytes());
    }

    /// Returns the session config of the world that was recorded: both ends know its grid.
    fn session_config(self) -> SessionConfig {
        let world = WorldSettings {
            grid_side: self.grid_side.into(),
            ..WorldSettings::default()
        };
        SessionConfig {
            made_from: None,
            ..SessionConfig::of_world(&world)
        }
    }
}

/// The coder, and its state after the newest frame.
struct Frames {
    head: CodedHead,
    session_config: SessionConfig,
    format: Format,
    coder: SnapshotCoder,
    newest: Baseline,
    at_rest: Vec<bool>,
}

impl Frames {
    fn new(head: CodedHead) -> Result<Frames, MotionError> {
        if !GRID_SIDES.contains(&head.grid_side) {
            let side = head.grid_side;
            return Err(MotionError::header(format!("a grid of {side} x {side}")));
        }
        if !(1..=LAST_TICK_MAX).contains(&head.last_tick()) {
            let last = head.last_tick();
            return Err(MotionError::header(format!(
                "the last tick is {last}; it is 1 to {LAST_TICK_MAX}"
            )));
        }
        let session_config = head.session_config();
        let bits = QuantisationBits::new(head.bits.into(), head.bits.into(), 0);
        let format = bits
            .and_then(|bits| Format::new(Rung::Arithmetic, bits, session_config.initial.len()))
            .map_err(MotionError::header)?
            .with_exact_identity(true);
        let start = session_config.initial.iter();
        let start: Vec<Cube> = start.map(|cube| rounded_down(&format, cube)).collect();
        Ok(Frames {
            newest: Baseline::new(&format, &start).map_err(MotionError::header)?,
            coder: SnapshotCoder::new(&format),
            at_rest: session_config
                .initial
                .iter()
                .map(|cube| cube.at_rest)
                .collect(),
            head,
            session_config,
            format,
        })
    }

    fn states(&self) -> impl Iterator<Item = CubeState> {
        let half_m = half_step_m(&self.format);
        let cubes = self.newest.cubes().iter().zip(&self.at_rest);
        cubes.map(move |(cube, &at_rest)| {
            let state = self.format.dequantise(cube);
            CubeState {
                position: state.position.map(|at| at + half_m),
                at_rest,
                ..state
            }
        })
    }
}

fn half_step_m(format: &Format) -> f32 {
    0.5 / (1_u32 << format.bits().position()) as f32
}

fn rounded_down(format: &Format, cube: &CubeState) -> Cube {
    let half_m = half_step_m(format);
    format.quantise(&CubeState {
        position: cube.position.map(|at| at - half_m),
        ..*cube
    })
}

/// A reader of a file that arrives in parts.
#[derive(Default)]
pub struct CodedReader {
    /// Bytes that have arrived; those before `at` are read.
    bytes: Vec<u8>,
    at: usize,
    frames: Option<Frames>,
    /// States of the tick that was read last, and of the newest frame.
    states: Vec<CubeState>,
    newest: Vec<CubeState>,
    /// The next tick.
    tick: u64,
}

impl CodedReader {
    /// Adds the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..std::mem::take(&mut self.at));
        self.bytes.extend(bytes);
    }

    /// The session config; `None` before the head has arrived.
    pub fn session_config(&self) -> Option<&SessionConfig> {
        self.frames.as_ref().map(|frames| &frames.session_config)
    }

    pub fn head(&self) -> Option<CodedHead> {
        self.frames.as_ref().map(|frames| frames.head)
    }

    /// Returns true once the last tick is read.
    pub fn is_at_end(&self) -> bool {
        self.head().is_some_and(|head| self.tick > head.last_tick())
    }

    /// Reads the states of the next tick, from tick 0 on; `None` if they have not arrived, or the motion has ended.
    ///
    /// # Errors
    /// When the bytes are no coded motion. Each later call fails, too.
    pub fn next_tick(&mut self) -> Result<Option<&[CubeState]>, MotionError> {
        if self.frames.is_none() {
            let Some(head) = self.bytes[self.at..].first_chunk() else {
                return Ok(None);
            };
            self.frames = Some(Frames::new(CodedHead::read(head)?)?);
            self.at += HEAD_BYTES;
        }
        let Some(frames) = &mut self.frames else {
            return Ok(None);
        };
        let step = u64::from(frames.head.step);
        let since_frame = (self.tick + step - 1) % step;
        if since_frame == 0 || self.tick == 0 {
            let of_file = |cause| MotionError(format!("tick {}: {cause}", self.tick));
            let is_over = self.tick > frames.head.last_tick();
            let read = frame(&self.bytes[self.at..]).filter(|_| !is_over);
            let Some(CodedFrame {
                packet,
                turned,
                length,
            }) = read
            else {
                return Ok(None);
            };
            let ticks = if self.tick == 0 { 1 } else { step as u16 };
            frames
                .coder
                .decode(&mut frames.newest, ticks, packet)
                .map_err(|error| of_file(error.to_string()))?;
            let is_rising = turned.is_sorted_by(|a, b| index(a) < index(b));
            let last = turned.last().map_or(0, index);
            if !is_rising || last >= frames.at_rest.len() {
                return Err(of_file("cubes that come to rest out of order".to_string()));
            }
            for cube in turned {
                let at_rest = &mut frames.at_rest[index(cube)];
                *at_rest = !*at_rest;
            }
            self.at += length;
            self.newest.clear();
            self.newest.extend(frames.states());
        }
        if self.tick == 0 {
            self.states.clone_from(&self.newest);
        } else {
            let share = 1.0 / (step - since_frame) as f32;
            for (state, newest) in self.states.iter_mut().zip(&self.newest) {
                *state = after_a_tick(state, newest, share);
            }
        }
        self.tick += 1;
        Ok(Some(&self.states))
    }
}

/// A frame of a file.
struct CodedFrame<'a> {
    packet: &'a [u8],
    /// Indices of the cubes whose rest begins or ends.
    turned: &'a [[u8; 2]],
    /// Size of the frame, bytes.
    length: usize,
}

/// Splits the first frame off the bytes; `None` if it is not whole.
fn frame(bytes: &[u8]) -> Option<CodedFrame<'_>> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (packet, rest) = rest.split_at_checked(u16::from_le_bytes(*length).into())?;
    let (count, rest) = rest.split_first_chunk()?;
    let (turned, rest) = rest.split_at_checked(2 * usize::from(u16::from_le_bytes(*count)))?;
    Some(CodedFrame {
        packet,
        turned: turned.as_chunks().0,
        length: bytes.len() - rest.len(),
    })
}

fn index(bytes: &[u8; 2]) -> usize {
    u16::from_le_bytes(*bytes).into()
}

/// Returns a cube's state one tick later. The cube moves by `share` (0 to 1) of the way to its state in the newest frame.
fn after_a_tick(state: &CubeState, newest: &CubeState, share: f32) -> CubeState {
    let pose = match share < 1.0 {
        true => Pose::from(state).towards(&Pose::from(newest), share),
        false => Pose::from(newest),
    };
    let step = |axis: usize| pose.position[axis] - state.position[axis];
    CubeState {
        position: pose.position,
        orientation: pose.orientation,
        linear_velocity: std::array::from_fn(|axis| step(axis) * WORLD.hz() as f32),
        ..*newest
    }
}

/// Writes frames as a coded motion. Each frame has the cubes of a world without a rival or a crowd: the player and the grid.
///
/// # Errors
/// When a number of the head is out of its range, or a frame has another number of cubes.
pub fn write<'a>(
    head: CodedHead,
    states: impl IntoIterator<Item = &'a [CubeState]>,
) -> Result<Vec<u8>, MotionError> {
    let mut frames = Frames::new(head)?;
    let (mut file, mut packet) = (Vec::new(), Vec::new());
    head.write(&mut file);
    let mut count = 0;
    for states in states {
        let cubes = states.iter();
        let cubes: Vec<Cube> = cubes
            .map(|cube| rounded_down(&frames.format, cube))
            .collect();
        let ticks = if count == 0 { 1 } else { head.step.into() };
        frames
            .coder
            .encode(&mut frames.newest, ticks, &cubes, &mut packet)
            .map_err(MotionError::header)?;
        count += 1;
        file.extend((packet.len() as u16).to_le_bytes());
        file.extend(&packet);
        let mut turned = Vec::new();
        for (index, (at_rest, state)) in (0_u16..).zip(frames.at_rest.iter_mut().zip(states)) {
            if *at_rest != state.at_rest {
                *at_rest = state.at_rest;
                turned.push(index);
            }
        }
        file.extend((turned.len() as u16).to_le_bytes());
        file.extend(turned.into_iter().flat_map(u16::to_le_bytes));
    }
    match count == head.frames {
        true => Ok(file),
        false => Err(MotionError::header(format!("{count} frames are given"))),
    }
}

/// Reads a whole file.
///
/// # Errors
/// When it is refused, or cut off.
pub(super) fn read(bytes: &[u8]) -> Result<Motion, MotionError> {
    let mut reader = CodedReader::default();
    reader.push(bytes);
    let mut truth: Option<DeltaHistory<CubeState>> = None;
    let mut left_out_ticks = 0;
    while let Some(states) = reader.next_tick()? {
        match &mut truth {
            None => truth = Some(DeltaHistory::new(0, states.to_vec())),
            Some(truth) if truth.bytes() > MOTION_BYTES_MAX => left_out_ticks += 1,
            Some(truth) => truth.push(states.iter().copied()),
        }
    }
    let is_whole = reader.is_at_end() && reader.at == bytes.len();
    let session_config = reader.session_config().filter(|_| is_whole);
    let motion = session_config
        .and_then(|session_config| Motion::of_truth(session_config.clone(), truth?, true));
    let mut motion =
        motion.ok_or_else(|| MotionError("it does not end where its head says".into()))?;
    motion.facts.left_out_ticks = left_out_ticks;
    Ok(motion)
}

#[cfg(test)]
mod tests {
    use super::super::Incoming;
    use super::*;
    use proptest::prelude::*;
    use snapshot_codec::Bounds;
    use snapshot_physics::world::World;

    const HEAD: CodedHead = CodedHead {
        bits: 11,
        step: 1,
        grid_side: 5,
        frames: 40,
    };

    /// Ticks of a world of 26 cubes, in which the player slides and one cube follows, turns and comes to rest.
    fn ticks(count: u16) -> Vec<Vec<CubeState>> {
        let world = WorldSettings {
            grid_side: 5,
            ..WorldSettings::default()
        };
        let frame = |tick: u16| {
            let mut cubes = World::initial(&world);
            let turned = glam::Quat::from_rotation_y(f32::from(tick) * 0.1);
            cubes[0].position[0] = f32::from(tick) * 0.05;
            cubes[7].orientation = turned.to_array();
            cubes[7].position[2] += 0.01 * f32::from(tick);
            cubes[7].interacting = tick < 20;
            cubes[7].at_rest = tick >= 30;
            cubes
        };
        (0..count).map(frame).collect()
    }

    fn written(head: CodedHead, ticks: &[Vec<CubeState>]) -> Vec<u8> {
        write(head, ticks.iter().map(Vec::as_slice)).unwrap()
    }

    /// Reads all ticks of a file that arrives in parts of a length.
    fn arrived(file: &[u8], length: usize) -> Result<Vec<Vec<CubeState>>, MotionError> {
        let (mut reader, mut all) = (CodedReader::default(), Vec::new());
        for part in file.chunks(length) {
            reader.push(part);
            while let Some(states) = reader.next_tick()? {
                all.push(states.to_vec());
            }
        }
        Ok(all)
    }

    #[test]
    fn what_is_read_is_sent_on_a_coarser_rung_as_what_was_written() {
        let ticks = ticks(HEAD.frames);
        let read = arrived(&written(HEAD, &ticks), usize::MAX).unwrap();
        assert_eq!(read.len(), ticks.len());
        let coarse = QuantisationBits::new(9, 9, 5).unwrap();
        let coarse = Format::new(Rung::Position, coarse, 26).unwrap();
        let mut moved = 0;
        for (read, written) in read.iter().zip(&ticks) {
            for (read, written) in read.iter().zip(written) {
                let [sent, before] = [read, written].map(|cube| coarse.quantise(cube));
                assert_eq!(sent.position, before.position);
                assert_eq!(read.interacting, written.interacting);
                assert_eq!(read.at_rest, written.at_rest);
                let pairs = read.orientation.iter().zip(written.orientation);
                let dot: f32 = pairs.map(|(a, b)| a * b).sum();
                assert!(dot.abs() > 1.0 - 1e-6, "{dot}");
                moved += usize::from(read.linear_velocity[0] > 0.0);
            }
        }
        // 0.05 m a tick are 3 m/s, after the first tick.
        assert_eq!(moved, 39);
        assert!((read[20][0].linear_velocity[0] - 3.0).abs() < 0.05);
        assert_eq!(read[5][3].orientation, [0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_file_in_any_parts_is_the_same_motion_as_the_whole_file() {
        let file = written(HEAD, &ticks(HEAD.frames));
        let whole = arrived(&file, usize::MAX).unwrap();
        for length in [1, 7, 100] {
            assert_eq!(arrived(&file, length).unwrap(), whole);
        }
        let motion = Motion::read(&file[..]).unwrap();
        assert_eq!((motion.ticks(), motion.objects()), (39, 26));
        let at_30 = |motion: &Motion| {
            let mut states = Vec::new();
            motion.truth().read(30, &mut states);
            states
        };
        assert_eq!(at_30(&motion), whole[30]);
        assert_eq!(motion.bounds(), Bounds::DEFAULT);
        assert_eq!(motion.session_config().player, Some(0));
        // Both ends know the grid, which is not tick 0 of a motion that begins later; parts bring it, too.
        let later = Motion::read(&written(HEAD, &ticks(60)[20..])[..]).unwrap();
        assert_ne!(later.session_config().initial[0], later.truth().newest()[0]);
        assert_eq!(
            later.session_config().initial,
            motion.session_config().initial
        );
        let mut incoming = Incoming::new(&later.part(0).unwrap()).unwrap();
        (1..)
            .map_while(|part| later.part(part))
            .for_each(|part| assert!(incoming.add(&part)));
        assert_eq!(
            incoming.finish().unwrap().session_config(),
            later.session_config()
        );
    }

    #[test]
    fn between_two_frames_cubes_are_half_way() {
        let ticks = ticks(HEAD.frames);
        let head = CodedHead {
            step: 2,
            frames: 20,
            ..HEAD
        };
        let every_second: Vec<_> = ticks.into_iter().step_by(2).collect();
        let read = arrived(&written(head, &every_second), 50).unwrap();
        assert_eq!((read.len() as u64, head.last_tick()), (39, 38));
        let x = |tick: usize| read[tick][0].position[0];
        assert!((x(11) - (x(10) + x(12)) / 2.0).abs() < 1e-6);
    }

    #[test]
    fn what_is_no_coded_motion_is_refused_by_name() {
        let file = written(HEAD, &ticks(HEAD.frames));
        let refusal = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut file = file.clone();
            change(&mut file);
            read(&file).unwrap_err().to_string()
        };
        for (at, value, cause) in [
            (0, b'X', "the header: it is no coded motion of version 1"),
            (8, 9, "the header: it is no coded motion of version 1"),
            (9, 0, "the header: "),
            (10, 0, "the header: the last tick is 0; it is 1 to 3600"),
            (11, 4, "the header: a grid of 4 x 4"),
            (
                13,
                99,
                "the header: the last tick is 25383; it is 1 to 3600",
            ),
            (12, 41, "it does not end where its head says"),
            (12, 39, "it does not end where its head says"),
        ] {
            let refused = refusal(&|file| file[at] = value);
            assert!(refused.starts_with(cause), "{refused}");
        }
        let end = "it does not end where its head says";
        assert_eq!(refusal(&|file| file.truncate(file.len() - 1)), end);
        assert_eq!(refusal(&|file| file.push(0)), end);
        let short = write(HEAD, ticks(39).iter().map(Vec::as_slice));
        assert_eq!(
            short.unwrap_err().to_string(),
            "the header: 39 frames are given"
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused_in_parts_as_in_one(
            changes in prop::collection::vec((HEAD_BYTES..1000_usize, any::<u8>()), 0..4),
            kept in 0..2000_usize,
        ) {
            let mut file = written(HEAD, &ticks(HEAD.frames));
            for (at, value) in changes {
                let at = at % file.len();
                file[at] = value;
            }
            file.truncate(kept);
            prop_assert_eq!(arrived(&file, 13).map_err(|error| error.to_string()), arrived(&file, usize::MAX).map_err(|error| error.to_string()));
            super::super::fuzz(&file);
        }
    }
}
