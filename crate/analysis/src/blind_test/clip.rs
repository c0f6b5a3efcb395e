//! The pictures of a blind test: one stretch of motion, as one side shows it.
//!
//! All sides of a test show the same instants of the motion, however late a lane shows them. So neither the first frame nor
//! the last one reveals the side.

use super::axis::{AxisRow, Stimulus};
use crate::comparison::LaneSetup;
use snapshot_base::time::TickRate;
use snapshot_codec::CubeState;
use snapshot_lane::history::LaneHistory;
use snapshot_lane::strategy::sync::BASIC_KEPT;
use snapshot_lane::view::View;
use snapshot_record::tape::Tape;
use snapshot_view::Pose;
use std::ops::Range;

/// Length of the shown stretch of motion, s.
const SHOWN_S: u64 = 4;
/// Longest age of the instant that a lane shows, s, for which a test leaves room.
const LATE_S: u64 = 3;
/// Time for which a lane runs before its pictures begin, s, because its first snapshots are large.
const WARM_UP_S: u64 = 4;
/// Shortest stretch that can be judged, s.
const LEAST_S: u64 = 1;
/// Time over which the followed object drifts off, as by a wrong prediction, before it is corrected, s.
const DRIFT_S: f64 = 0.5;

/// Drawn places, turns and colours of all objects in one frame, as [`View`] has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    pub position_half_m: Vec<[f32; 4]>,
    pub orientation: Vec<[f32; 4]>,
    pub colour: Vec<[f32; 4]>,
    /// True position of the followed object at the shown instant. The camera follows it, so that all sides have the same
    /// camera.
    pub followed_m: [f32; 3],
}

impl Frame {
    /// Copies the poses and colours of a view.
    fn of_view(view: &View, followed_m: [f32; 3]) -> Frame {
        Frame {
            position_half_m: view.position_half_m.clone(),
            orientation: view.orientation.clone(),
            colour: view.colour.clone(),
            followed_m,
        }
    }
}

/// Error: the pictures of a side cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClipError {
    #[error("The motion is too short: a test shows {SHOWN_S} s after {WARM_UP_S} s of play")]
    TooShort,
    #[error("The picture is more than {LATE_S} s late, so it cannot be laid beside the other one")]
    TooLate,
}

/// The stretch of a tape that a test shows, in ticks, and the object that the camera follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub ticks: Range<u64>,
    pub followed: usize,
}

impl Stretch {
    /// Returns the number of ticks that a tape must hold for a test.
    pub fn ticks_needed(rate: TickRate) -> u64 {
        rate.ticks_of_seconds(WARM_UP_S + SHOWN_S + LATE_S)
    }

    /// Chooses the last stretch of a tape that ends by `playhead`, and that a lane with a late view can show, too.
    ///
    /// # Errors
    /// When the tape is too short.
    pub fn before(playhead: u64, tape: &Tape, followed: usize) -> Result<Stretch, ClipError> {
        let ticks = |seconds: u64| tape.tick_rate().ticks_of_seconds(seconds);
        let first = tape.first_tick() + ticks(WARM_UP_S);
        let last = tape.last_tick().saturating_sub(ticks(LATE_S));
        if last < first + ticks(LEAST_S) {
            return Err(ClipError::TooShort);
        }
        let end = playhead.clamp((first + ticks(SHOWN_S)).min(last), last);
        Ok(Stretch {
            ticks: end.saturating_sub(ticks(SHOWN_S)).max(first)..end,
            followed,
        })
    }

    pub(super) fn frames(&self) -> usize {
        (self.ticks.end - self.ticks.start) as usize
    }
}

/// A fault that a test adds to the true motion: a freeze or a correction.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fault {
    stimulus: Stimulus,
    level: f64,
    /// Index of the first frame of the freeze, or of the frame with the correction.
    frame: usize,
}

/// The pictures of A or B, made one tick after another.
pub struct Clip {
    stretch: Stretch,
    frames: Vec<Frame>,
    source: Source,
}

enum Source {
    /// A lane over the tape.
    Lane(Box<LaneHistory>),
    /// The truth with a fault.
    Truth(Box<View>, Fault),
}

impl Clip {
    /// Begins the pictures of a lane.
    pub fn of_lane(stretch: &Stretch, tape: &Tape, lane: &LaneSetup) -> Clip {
        let (settings, inputs) = (lane.settings.lane(), &lane.link_inputs);
        let start = LaneHistory::start_for(tape, &settings, inputs, stretch.ticks.start);
        let history = LaneHistory::new(tape, &settings, inputs, start);
        Clip {
            stretch: stretch.clone(),
            frames: Vec::new(),
            source: Source::Lane(Box::new(history)),
        }
    }

    /// Begins the pictures of the true motion with one fault of an axis, `at` (0 to 1) of the way through the middle of the
    /// stretch. Level 0 is the motion without a fault.
    pub fn of_fault(stretch: &Stretch, tape: &Tape, row: &AxisRow, level: f64, at: f64) -> Clip {
        let frames = stretch.frames() as f64;
        let fault = Fault {
            stimulus: row.stimulus,
            level,
            frame: (frames * (0.3 + 0.3 * at)) as usize,
        };
        Clip {
            stretch: stretch.clone(),
            frames: Vec::new(),
            source: Source::Truth(Box::new(View::of_tape(tape)), fault),
        }
    }

    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Makes about one frame. Returns false once all frames are made.
    ///
    /// # Errors
    /// When the tape ends before the lane has shown the stretch.
    pub fn work(&mut self, tape: &Tape) -> Result<bool, ClipError> {
        if self.frames.len() >= self.stretch.frames() {
            return Ok(false);
        }
        let place = self.frames.len();
        let shown = self.stretch.ticks.start + place as u64;
        match &mut self.source {
            Source::Lane(history) => {
                if !history.advance(tape) {
                    return Err(ClipError::TooLate);
                }
                let tick = history.last_tick();
                let rate = tape.tick_rate();
                let behind_ms = history.live(tick).behind_ms;
                let play_ms = behind_ms.map(|behind_ms| rate.ms_of_tick(tick as f64) - behind_ms);
                let start_ms = rate.ms_of_tick(self.stretch.ticks.start as f64);
                if place == 0 && play_ms.is_none_or(|play_ms| play_ms < start_ms) {
                    return Ok(true);
                }
                let frame =
                    Frame::of_view(history.lane().view(), followed(tape, shown, &self.stretch));
                self.frames.push(frame);
            }
            Source::Truth(view, fault) => {
                let followed_m = followed(tape, shown, &self.stretch);
                show(view, tape, fault.shown_tick(place, shown, tape), place == 0);
                if let Some([x, ..]) = view.position_half_m.get_mut(self.stretch.followed) {
                    *x += fault.offset_m(place, tape.tick_rate()) as f32;
                }
                self.frames.push(Frame::of_view(view, followed_m));
            }
        }
        Ok(true)
    }
}

impl Fault {
    /// Returns the tick that a frame shows: during a freeze the tick before it.
    fn shown_tick(self, place: usize, shown: u64, tape: &Tape) -> u64 {
        let Stimulus::Freeze = self.stimulus else {
            return shown;
        };
        let frozen = libm::round(tape.tick_rate().tick_of_ms(self.level)) as usize;
        match (self.frame..self.frame + frozen).contains(&place) {
            true => shown - (place + 1 - self.frame) as u64,
            false => shown,
        }
    }

    /// Returns the distance in a frame by which the followed object is drawn to the right of its true position, m.
    fn offset_m(self, place: usize, rate: TickRate) -> f64 {
        let all_m = self.level / 1000.0;
        let hz = f64::from(rate.hz());
        let since_s = (place as f64 - self.frame as f64) / hz;
        match self.stimulus {
            Stimulus::Snap | Stimulus::Glide if since_s < 0.0 => {
                all_m * (1.0 + since_s / DRIFT_S).max(0.0)
            }
            // As the corrections of a game.
            Stimulus::Glide => {
                all_m * libm::pow(BASIC_KEPT.into(), (place - self.frame + 1) as f64)
            }
            Stimulus::Snap | Stimulus::Freeze | Stimulus::Setting(_) => 0.0,
        }
    }
}

/// Shows the true states of a tick. `anew` computes the colours from the ticks before; else they advance by one tick.
fn show(view: &mut View, tape: &Tape, tick: u64, anew: bool) {
    if anew {
        view.replay(tape.truth(), tick, |cube| cube.into());
        return;
    }
    let mut states = Vec::new();
    if tape.read_truth(tick, &mut states) {
        for (index, state) in states.iter().enumerate() {
            view.show(index, &Pose::from(state));
        }
    }
}

fn followed(tape: &Tape, tick: u64, stretch: &Stretch) -> [f32; 3] {
    let mut states: Vec<CubeState> = Vec::new();
    tape.read_truth(tick, &mut states);
    let state = states.get(stretch.followed);
    state.map_or([0.0; 3], |state| state.position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::settings;
    use snapshot_netsim::channel::LinkInputs;
    use snapshot_settings::Settings;

    fn tape(link: &str) -> (Tape, Settings, Stretch) {
        let settings = settings(link);
        let ticks = Stretch::ticks_needed(snapshot_base::time::WORLD) + 30;
        let tape = Tape::record(&settings, ticks);
        let stretch = Stretch::before(ticks, &tape, 0).unwrap();
        (tape, settings, stretch)
    }

    fn of_lane(settings: Settings, stretch: &Stretch, tape: &Tape) -> Clip {
        let link_inputs = LinkInputs::default();
        let lane = LaneSetup {
            settings,
            link_inputs,
        };
        Clip::of_lane(stretch, tape, &lane)
    }

    fn of_fault(id: &str, level: f64, stretch: &Stretch, tape: &Tape) -> Clip {
        Clip::of_fault(stretch, tape, AxisRow::find(id).unwrap(), level, 0.5)
    }

    fn made(mut clip: Clip, tape: &Tape) -> Vec<Frame> {
        while clip.work(tape).unwrap() {}
        clip.frames
    }

    fn x(frames: &[Frame]) -> Vec<f32> {
        frames
            .iter()
            .map(|frame| frame.position_half_m[0][0])
            .collect()
    }

    #[test]
    fn a_late_lane_shows_the_same_instants_as_the_truth() {
        let (tape, settings, stretch) =
            tape("#scene=roll&grid=5&hz=60&loss=0&latency=150&delay=200");
        let truth = made(of_fault("freeze", 0.0, &stretch, &tape), &tape);
        let lane = made(of_lane(settings, &stretch, &tape), &tape);
        assert_eq!((truth.len(), lane.len()), (240, 240));
        let off = x(&truth)
            .iter()
            .zip(x(&lane))
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f32::max);
        assert!(off < 0.1, "{off} m");
        assert!(
            truth
                .iter()
                .zip(&lane)
                .all(|(a, b)| a.followed_m == b.followed_m)
        );
    }

    #[test]
    fn a_freeze_stands_as_long_as_its_level_says() {
        let (tape, _, stretch) = tape("#scene=roll&grid=5");
        let truth = made(of_fault("freeze", 0.0, &stretch, &tape), &tape);
        let frozen = made(of_fault("freeze", 100.0, &stretch, &tape), &tape);
        let stands = frozen
            .windows(2)
            .filter(|two| two[0].position_half_m == two[1].position_half_m);
        assert_eq!(stands.count(), 6);
        let other = truth
            .iter()
            .zip(&frozen)
            .filter(|(a, b)| a.position_half_m != b.position_half_m);
        assert_eq!(other.count(), 6);
    }

    #[test]
    fn a_correction_is_as_far_as_its_level_says() {
        let (tape, _, stretch) = tape("#scene=roll&grid=5");
        let truth = made(of_fault("freeze", 0.0, &stretch, &tape), &tape);
        let off = |id: &str| -> Vec<f32> {
            let fault = made(of_fault(id, 300.0, &stretch, &tape), &tape);
            x(&fault)
                .iter()
                .zip(x(&truth))
                .map(|(a, b)| a - b)
                .collect()
        };
        let (snap, glide) = (off("snap"), off("glide"));
        let most = |off: &[f32]| off.iter().copied().fold(0.0, f32::max);
        let step = |off: &[f32]| {
            off.windows(2)
                .map(|two| two[0] - two[1])
                .fold(0.0, f32::max)
        };
        assert!((most(&snap) - 0.29).abs() < 0.011, "{}", most(&snap));
        assert_eq!(most(&snap), most(&glide));
        assert!((step(&snap) - most(&snap)).abs() < 1e-4);
        assert!(step(&glide) < 0.2 * most(&glide), "{}", step(&glide));
        assert!(snap.last() == Some(&0.0) && glide.last().unwrap().abs() < 1e-3);
    }

    #[test]
    fn a_short_tape_and_a_late_lane_are_refused() {
        let settings = settings("#scene=roll&grid=5");
        let short = Tape::record(&settings, 120);
        assert_eq!(Stretch::before(120, &short, 0), Err(ClipError::TooShort));
        let (tape, settings, stretch) = tape("#scene=roll&grid=5&hz=1");
        let mut clip = of_lane(settings, &stretch, &tape);
        while clip.work(&tape) == Ok(true) {}
        assert_eq!(clip.work(&tape), Err(ClipError::TooLate));
    }
}
