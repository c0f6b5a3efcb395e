//! A lane whose right view (the receiver's) is a recording of the poses that a client of another netcode drew. The lane has
//! no link and no receiver of its own. A *judge* compares such a recording with the server's motion.

use crate::bytes::{TICKS_END, next};
use crate::strategy::ends::{Ends, Exchange, LaneSender};
use crate::view::Page;
use snapshot_base::time::WORLD;
use snapshot_codec::Life;
use snapshot_record::delta_history::DeltaHistory;
use snapshot_record::tape::Frame;
use snapshot_view::{Playback, Pose};
use std::collections::VecDeque;
use std::sync::Arc;

/// Longest delay of a picture that a guest has shown, ms: no guest keeps older frames.
const DELAY_MAX_MS: f64 = 60_000.0;
/// Upper limit of the ticks of a guest's recording: two minutes. A guest keeps one.
const GUEST_TICKS_MAX: u32 = 7_200;
/// Place of the number of ticks in a recording's bytes, after two fingerprints and the delay.
const TICKS_AT: usize = 16;

/// Poses that a client of another netcode drew, in the slots and ticks of its server's motion.
#[derive(Clone, Debug)]
pub struct ClientRecording {
    /// Fingerprints of two recordings: the client's, and the server's, which is the motion.
    pub files: [u32; 2],
    /// Age of the client's picture, ms.
    delay_ms: f64,
    /// Times of the shown frame at each tick of `poses`; `None` if the client had no frame.
    instants: VecDeque<Option<ShownInstant>>,
    poses: DeltaHistory<Pose>,
}

/// Times of a frame that a client drew, in ticks of the server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownInstant {
    /// The tick that the frame should show, with the delay that the judge found.
    pub play_tick: f64,
    /// The tick that the picture really shows; in a freeze it is earlier than `play_tick`.
    pub drawn_tick: f64,
}

impl ClientRecording {
    /// Makes a recording that begins with the poses of tick 0.
    pub fn new(
        files: [u32; 2],
        delay_ms: f64,
        at: Option<ShownInstant>,
        poses: Vec<Pose>,
    ) -> ClientRecording {
        ClientRecording {
            files,
            delay_ms,
            ..ClientRecording::from_tick(0, at, poses)
        }
    }

    /// Makes a recording that begins with the poses of a tick, of no file and without a delay.
    pub fn from_tick(tick: u64, at: Option<ShownInstant>, poses: Vec<Pose>) -> ClientRecording {
        ClientRecording {
            files: [0; 2],
            delay_ms: 0.0,
            instants: VecDeque::from([at]),
            poses: DeltaHistory::new(tick, poses),
        }
    }

    /// Returns the recording with its tick numbers reduced by `ticks`; `None` if no frame is left, a pose cannot be drawn, or
    /// a picture is more than a minute from its tick. All this is checked because a recording may come over a network.
    pub(crate) fn shifted_back(self, ticks: u64) -> Option<ClientRecording> {
        let is_delay = (0.0..=DELAY_MAX_MS).contains(&self.delay_ms);
        let reach = WORLD.tick_of_ms(DELAY_MAX_MS);
        let is_near = |tick: f64, at: f64| (tick - at).abs() <= reach;
        let (mut first, mut poses) = (None::<ClientRecording>, Vec::new());
        let start = *self.poses.ticks().start();
        for (place, at) in self.instants.iter().enumerate() {
            let tick = start + place as u64;
            let is_of_tick = |at: &ShownInstant| {
                is_near(tick as f64, at.play_tick) && is_near(tick as f64, at.drawn_tick)
            };
            if !is_delay || !at.as_ref().is_none_or(is_of_tick) {
                return None;
            }
            let at = at.filter(|at| at.drawn_tick >= ticks as f64);
            let Some(own_tick) = tick.checked_sub(ticks) else {
                continue;
            };
            if !self.poses.read(tick, &mut poses) || !poses.iter().all(is_sound) {
                return None;
            }
            let at = at.map(|at| ShownInstant {
                play_tick: (at.play_tick - ticks as f64).max(0.0),
                drawn_tick: at.drawn_tick - ticks as f64,
            });
            match &mut first {
                Some(recording) => recording.push(at, &poses),
                None => first = Some(ClientRecording::from_tick(own_tick, at, poses.clone())),
            }
        }
        let (files, delay_ms) = (self.files, self.delay_ms);
        first.map(|recording| ClientRecording {
            files,
            delay_ms,
            ..recording
        })
    }

    #[must_use]
    pub fn with_delay(self, delay_ms: f64) -> ClientRecording {
        ClientRecording { delay_ms, ..self }
    }

    /// Returns the tick after the last one.
    pub fn next_tick(&self) -> u64 {
        self.poses.ticks().end() + 1
    }

    pub fn push(&mut self, at: Option<ShownInstant>, poses: &[Pose]) {
        self.instants.push_back(at);
        self.poses.push(poses.iter().copied());
    }

    /// Adds a tick without a new frame: it repeats the picture of the tick before.
    pub fn hold(&mut self) {
        self.instants
            .push_back(self.instants.back().copied().flatten());
        self.poses.push([]);
    }

    /// Drops whole seconds before a tick.
    pub fn forget_before(&mut self, tick: u64) {
        self.poses.forget_before(tick);
        let kept = self.next_tick() - self.poses.ticks().start();
        let dropped = self.instants.len().saturating_sub(kept as usize);
        self.instants.drain(..dropped);
    }

    pub fn objects(&self) -> usize {
        self.poses.newest().len()
    }

    /// Returns the recording as bytes, little-endian: both fingerprints as u32, f64 delay, u32 number of ticks, two f64 of
    /// each tick, and the parts of the poses, each after its length as u32.
    pub fn to_bytes(&self) -> Vec<u8> {
        let [own, server] = self.files.map(u32::to_le_bytes);
        let mut bytes = [own, server].concat();
        bytes.extend(self.delay_ms.to_le_bytes());
        bytes.extend((self.instants.len() as u32).to_le_bytes());
        for at in &self.instants {
            let [play, drawn] = at.map_or([f64::NAN; 2], |at| [at.play_tick, at.drawn_tick]);
            bytes.extend(play.to_le_bytes());
            bytes.extend(drawn.to_le_bytes());
        }
        for part in (0..).map_while(|number| self.poses.part(number)) {
            bytes.extend((part.len() as u32).to_le_bytes());
            bytes.extend(part);
        }
        bytes
    }

    /// Reads the recording of a guest over a network, moved back by `ticks`; `None` if the bytes are invalid, have another
    /// number of objects or more ticks than a guest keeps. So the time for it is bounded by the size of the world.
    pub fn of_guest(bytes: &[u8], objects: usize, ticks: u64) -> Option<ClientRecording> {
        let count = u32::from_le_bytes(next(&mut bytes.get(TICKS_AT..)?)?);
        let read = (count <= GUEST_TICKS_MAX).then(|| ClientRecording::of_bytes(bytes));
        let read = read.flatten().filter(|read| read.objects() == objects);
        read?.shifted_back(ticks)
    }

    /// Reads a recording; `None` if the bytes are invalid.
    pub fn of_bytes(bytes: &[u8]) -> Option<ClientRecording> {
        let rest = &mut &*bytes;
        let files = [next(rest)?, next(rest)?].map(u32::from_le_bytes);
        let delay_ms = f64::from_le_bytes(next(rest)?);
        if !delay_ms.is_finite() {
            return None;
        }
        let ticks = u32::from_le_bytes(next(rest)?);
        let mut instants = VecDeque::new();
        for _ in 0..ticks {
            let [play_tick, drawn_tick] = [next(rest)?, next(rest)?].map(f64::from_le_bytes);
            let at = ShownInstant {
                play_tick,
                drawn_tick,
            };
            let is_tick = |tick: f64| (0.0..TICKS_END).contains(&tick);
            let has_frame = !play_tick.is_nan();
            if has_frame && !(is_tick(play_tick) && is_tick(drawn_tick)) {
                return None;
            }
            instants.push_back(has_frame.then_some(at));
        }
        let mut poses: Option<DeltaHistory<Pose>> = None;
        while !rest.is_empty() {
            let length = u32::from_le_bytes(next(rest)?);
            let (part, after) = rest.split_at_checked(length as usize)?;
            *rest = after;
            match &mut poses {
                Some(poses) => poses.add_part(part).then_some(())?,
                None => poses = Some(DeltaHistory::of_first_part(part)?),
            }
        }
        let poses = poses.filter(|poses| {
            let ticks = poses.ticks();
            ticks.end() - ticks.start() + 1 == instants.len() as u64
        })?;
        Some(ClientRecording {
            files,
            delay_ms,
            instants,
            poses,
        })
    }
}

/// Returns true if a pose can be drawn.
fn is_sound(pose: &Pose) -> bool {
    let in_reach = |part: &f32| part.abs() < 1e6;
    let square: f32 = pose.orientation.iter().map(|part| part * part).sum();
    pose.position.iter().all(in_reach) && (0.5..2.0).contains(&square)
}

/// The ends of a lane that sends nothing: the receiver's view is a client's recording.
pub(crate) struct ClientEnds {
    recording: Arc<ClientRecording>,
    drawn: Vec<Pose>,
    /// Tick of the poses in `drawn`.
    tick: u64,
    truth: Page,
    before: Option<ShownInstant>,
}

impl ClientEnds {
    pub(crate) fn new(recording: Arc<ClientRecording>) -> ClientEnds {
        let mut drawn = Vec::new();
        let tick = *recording.poses.ticks().start();
        recording.poses.read(tick, &mut drawn);
        ClientEnds {
            recording,
            drawn,
            tick,
            truth: Page::default(),
            before: None,
        }
    }
}

impl Ends for ClientEnds {
    fn sender(&self) -> Option<&dyn LaneSender> {
        None
    }

    fn exchange(&mut self, frame: &Frame<'_>, exchange: &mut Exchange<'_>) -> Option<Playback> {
        let tick = frame.tick;
        let place = tick.checked_sub(*self.recording.poses.ticks().start())?;
        let at = (*self.recording.instants.get(place as usize)?)?;
        if !(self.recording.poses).wind(self.tick, tick, &mut self.drawn) {
            return None;
        }
        self.tick = tick;
        let truth = self.truth.read(at.play_tick as u64, frame.tape.truth());
        for (slot, (pose, drawn)) in exchange.poses.iter_mut().zip(&self.drawn).enumerate() {
            *pose = *drawn;
            // The recording knows no lives. A picture is held against the object that is in the slot then.
            let there = truth.and_then(|truth| truth.get(slot));
            if let Some(there) = there.filter(|there| !there.life.is_empty())
                && !drawn.life.is_empty()
            {
                (pose.life, pose.interacting) = (there.life, there.interacting);
            }
        }
        let late_ticks = (at.play_tick - at.drawn_tick).max(0.0);
        let before = self.before.replace(at);
        Some(Playback {
            play_tick: at.play_tick,
            shown_tick: at.drawn_tick,
            drawn_tick: at.drawn_tick,
            late_ms: frame.tape.tick_rate().ms_of_tick(late_ticks),
            stepped_tick: at.play_tick,
            delay_ms: self.recording.delay_ms,
            speed: before.map_or(1.0, |before| at.play_tick - before.play_tick),
            // A picture does not tell for which packet it waits.
            hitch: false,
        })
    }

    fn item(&self) -> &'static str {
        "cube"
    }
}

pub const NOT_THERE: Pose = Pose {
    position: [0.0; 3],
    orientation: [0.0, 0.0, 0.0, 1.0],
    interacting: false,
    life: Life::EMPTY,
};
