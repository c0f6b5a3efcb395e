//! A blind test over a tape: the pictures of A, B and X of the present trial.

use super::axis::{AxisError, AxisRow, Stimulus};
use super::clip::{Clip, ClipError, Frame, Stretch};
use super::hand::HandRun;
use super::test_run::{Side, Test, TestRun};
use super::trials::{Screen, Trial};
use crate::comparison::LaneSetup;
use crate::trade::follow::followers;
use serde::Deserialize;
use snapshot_base::random::KeyedDraw;
use snapshot_physics::input::Input;
use snapshot_record::tape::Tape;

/// Stream of the random draws that decide when a fault appears.
const FAULT_DRAWS: u32 = 0x7e12;

/// A button of the test: it shows A, B, or X, which is one of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TestButton"))]
#[serde(rename_all = "lowercase")]
pub enum Shown {
    A,
    B,
    X,
}

/// Error: a blind test cannot begin.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BlindError {
    #[error(transparent)]
    Axis(#[from] AxisError),
    #[error(transparent)]
    Clip(#[from] ClipError),
    #[error("There is no B to tell from A: set one beside it first")]
    NoB,
}

/// A blind test of one person. Its tape must not change meanwhile.
pub struct BlindTest {
    session: TestRun,
    stretch: Stretch,
    lanes: [LaneSetup; 2],
    seed: u32,
    /// The pictures of A and B; `None` before they are begun. A test of the delay of one's own hand never has any.
    clips: [Option<Clip>; 2],
    hand: Option<HandRun>,
}

impl BlindTest {
    /// Creates a test that continues after `trials`. `a` and `b` are the laboratory's lanes; a test of an axis needs only A.
    ///
    /// # Errors
    /// When lane B is needed and there is none, or the strategy of A does not read the setting.
    pub fn new(
        test: Test,
        seed: u32,
        trials: Vec<Trial>,
        stretch: Stretch,
        a: LaneSetup,
        b: Option<LaneSetup>,
        tape: &Tape,
    ) -> Result<BlindTest, BlindError> {
        let lanes = match test {
            Test::Pair => [a, b.ok_or(BlindError::NoB)?],
            Test::Axis(row) => {
                row.check(&a.settings)?;
                if row.stimulus == Stimulus::HandDelay && tape.motion().is_some() {
                    return Err(AxisError::NoHand.into());
                }
                [at_level(&a, row, row.reference), a]
            }
        };
        let mut blind = BlindTest {
            session: TestRun::new(test, seed, trials),
            stretch,
            lanes,
            seed,
            clips: [None, None],
            hand: None,
        };
        blind.begin_trial(tape);
        Ok(blind)
    }

    pub fn session(&self) -> &TestRun {
        &self.session
    }

    /// Makes a frame or two of the present trial's pictures. Returns false once all frames are made.
    ///
    /// # Errors
    /// When the tape ends before a lane has shown the whole stretch.
    pub fn work(&mut self, tape: &Tape) -> Result<bool, ClipError> {
        for clip in self.clips.iter_mut().flatten() {
            if clip.work(tape)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Number of frames that a press of a button shows.
    pub fn frames(&self) -> usize {
        (self.stretch.ticks.end - self.stretch.ticks.start) as usize
    }

    /// Returns the picture of a button in a frame; `None` before it is made.
    pub fn frame(&self, shown: Shown, place: usize) -> Option<&Frame> {
        match &self.hand {
            Some(run) => Some(run.frame()),
            None => self.clips[self.side(shown) as usize]
                .as_ref()?
                .frames()
                .get(place),
        }
    }

    /// True if the person drives the shown world.
    pub fn is_driven(&self) -> bool {
        let Test::Axis(row) = self.session.test() else {
            return false;
        };
        row.stimulus == Stimulus::HandDelay
    }

    /// Begins the driven world of a button; does nothing for a recorded picture.
    pub fn press(&mut self, shown: Shown) {
        self.hand = self.is_driven().then(|| {
            let late_ms = match self.side(shown) {
                Side::A => 0.0,
                Side::B => self.session.level(),
            };
            HandRun::new(&self.lanes[0].settings, late_ms)
        });
    }

    /// Plays a tick of the driven world.
    pub fn drive(&mut self, keys: Input) {
        if let Some(run) = &mut self.hand {
            run.tick(keys);
        }
    }

    /// Adds the answer of the present trial, and begins the next one. Returns the added trial.
    pub fn answer(
        &mut self,
        answer: Side,
        time_ms: f64,
        drops: u32,
        screen: Screen,
        link: String,
        tape: &Tape,
    ) -> Trial {
        let trial = Trial {
            test: self.session.test(),
            level: self.session.level(),
            x: self.session.x(),
            answer,
            time_ms,
            drops,
            screen,
            link,
        };
        self.session.add(trial.clone());
        self.begin_trial(tape);
        trial
    }

    fn side(&self, shown: Shown) -> Side {
        match shown {
            Shown::A => Side::A,
            Shown::B => Side::B,
            Shown::X => self.session.x(),
        }
    }

    /// Begins the pictures of a trial. The pictures of A stay from the trial before.
    fn begin_trial(&mut self, tape: &Tape) {
        self.hand = None;
        let level = self.session.level();
        let stretch = &self.stretch;
        let of_lane =
            |lane: &LaneSetup| Clip::of_lane(stretch, tape, &lane.settings, &lane.link_inputs);
        let [a, b] = match self.session.test() {
            Test::Pair if self.clips[1].is_some() => return,
            Test::Pair => self.lanes.each_ref().map(|lane| Some(of_lane(lane))),
            Test::Axis(row) => match row.stimulus {
                Stimulus::Setting(_) => {
                    let b = at_level(&self.lanes[1], row, level);
                    [Some(of_lane(&self.lanes[0])), Some(of_lane(&b))]
                }
                Stimulus::Freeze | Stimulus::Snap | Stimulus::Glide => {
                    let draw = KeyedDraw::new(self.seed, FAULT_DRAWS);
                    let at = draw.with(self.session.trials().len() as u64).unit();
                    let fault = Clip::of_fault(stretch, tape, row, level, at);
                    [Some(Clip::of_truth(stretch, tape)), Some(fault)]
                }
                Stimulus::HandDelay => [None, None],
            },
        };
        let [kept, _] = &mut self.clips;
        let a = kept.take().or(a);
        self.clips = [a, b];
    }
}

/// Returns the lane with a level of an axis. Settings that follow the changed setting change, too.
fn at_level(lane: &LaneSetup, row: &AxisRow, level: f64) -> LaneSetup {
    let mut settings = lane.settings;
    if let Stimulus::Setting(key) = row.stimulus {
        let _ = settings.set_number(key, level);
        followers(&lane.settings, &mut settings, &[key]);
    }
    LaneSetup {
        settings,
        link_inputs: lane.link_inputs.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::settings;
    use snapshot_base::time::WORLD;
    use snapshot_netsim::channel::LinkInputs;

    fn blind(link: &str, test: &str, b: Option<&str>) -> Result<(BlindTest, Tape), BlindError> {
        let lane = |link: &str| LaneSetup {
            settings: settings(link),
            link_inputs: LinkInputs::default(),
        };
        let tape = Tape::record(&settings(link), Stretch::ticks_needed(WORLD));
        let stretch = Stretch::before(tape.last_tick(), &tape, 0)?;
        let test = Test::find(test)?;
        let b = b.map(lane);
        Ok((
            BlindTest::new(test, 11, Vec::new(), stretch, lane(link), b, &tape)?,
            tape,
        ))
    }

    fn position(blind: &BlindTest, shown: Shown, place: usize) -> [f32; 4] {
        blind.frame(shown, place).unwrap().position_half_m[0]
    }

    #[test]
    fn x_is_a_or_b_to_the_bit_and_another_one_after_some_answers() {
        let (mut blind, tape) = blind("#scene=roll&grid=5", "rate", None).unwrap();
        let mut sides = Vec::new();
        for _ in 0..6 {
            while blind.work(&tape).unwrap() {}
            let frames = |shown| (0..blind.frames()).map(move |place| (shown, place));
            let all = |shown| -> Vec<_> {
                frames(shown)
                    .map(|(shown, place)| blind.frame(shown, place).unwrap())
                    .collect()
            };
            let (a, b, x) = (all(Shown::A), all(Shown::B), all(Shown::X));
            assert_ne!(a, b);
            sides.push(x == a);
            assert!(x == a || x == b);
            let right = if x == a { Side::A } else { Side::B };
            let screen = Screen::default();
            let trial = blind.answer(right, 1000.0, 0, screen, String::new(), &tape);
            assert!(trial.is_right());
        }
        assert!(sides.contains(&true) && sides.contains(&false), "{sides:?}");
    }

    #[test]
    fn a_pair_needs_b_and_shows_both_lanes() {
        assert_eq!(
            blind("#scene=roll&grid=5", "pair", None).err(),
            Some(BlindError::NoB)
        );
        let b = Some("#scene=roll&grid=5&hz=60");
        let (mut blind, tape) = blind("#scene=roll&grid=5&hz=4", "pair", b).unwrap();
        while blind.work(&tape).unwrap() {}
        let apart = (0..blind.frames()).filter(|place| {
            position(&blind, Shown::A, *place) != position(&blind, Shown::B, *place)
        });
        assert!(apart.count() > blind.frames() / 2);
    }

    #[test]
    fn a_hand_drives_what_it_sees() {
        let (mut blind, tape) = blind("#grid=5", "delay", None).unwrap();
        assert!(blind.is_driven() && !blind.work(&tape).unwrap());
        assert_eq!(blind.frame(Shown::A, 0), None);
        blind.press(Shown::A);
        let start = position(&blind, Shown::A, 0);
        (0..90).for_each(|_| blind.drive(Input::UP));
        assert!(position(&blind, Shown::A, 0)[1] > start[1] + 1.0);
        let refused = blind_of_lockstep();
        assert!(matches!(
            refused,
            Some(BlindError::Axis(AxisError::Unheeded { .. }))
        ));
    }

    fn blind_of_lockstep() -> Option<BlindError> {
        blind("#grid=5&strategy=lockstep", "position", None).err()
    }
}
