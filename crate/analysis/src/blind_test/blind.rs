//! A blind test over a tape: the pictures of A, B and X of the present trial.

use super::axis::{AxisError, AxisRow, Stimulus};
use super::clip::{Clip, ClipError, Frame, Stretch};
use super::test_run::{Side, Test, TestRun};
use super::trials::Trial;
use crate::comparison::LaneSetup;
use crate::trade::follow::followers;
use serde::Deserialize;
use snapshot_base::random::KeyedDraw;
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

/// A blind test of one person. Its tape must not change meanwhile.
pub struct BlindTest {
    session: TestRun,
    stretch: Stretch,
    /// The lane that a test of a setting varies.
    lane: LaneSetup,
    seed: u32,
    /// The pictures of A and B.
    clips: [Clip; 2],
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
    ) -> Result<BlindTest, AxisError> {
        let session = TestRun::new(test, seed, trials);
        let of_lane = |lane: &LaneSetup| Clip::of_lane(&stretch, tape, lane);
        let clips = match test {
            Test::Pair => [of_lane(&a), of_lane(&b.ok_or(AxisError::NoB)?)],
            Test::Axis(row) => {
                row.check(&a.settings)?;
                let level = [row.reference, session.level()];
                level.map(|level| at_level(&stretch, tape, &a, row, level, fault_at(seed, 0)))
            }
        };
        Ok(BlindTest {
            session,
            stretch,
            lane: a,
            seed,
            clips,
        })
    }

    pub fn session(&self) -> &TestRun {
        &self.session
    }

    /// Makes a frame or two of the present trial's pictures. Returns false once all frames are made.
    ///
    /// # Errors
    /// When the tape ends before a lane has shown the whole stretch.
    pub fn work(&mut self, tape: &Tape) -> Result<bool, ClipError> {
        let [a, b] = &mut self.clips;
        Ok(a.work(tape)? || b.work(tape)?)
    }

    /// Number of frames that a press of a button shows.
    pub fn frames(&self) -> usize {
        self.stretch.frames()
    }

    /// Returns the picture of a button in a frame; `None` before it is made.
    pub fn frame(&self, shown: Shown, place: usize) -> Option<&Frame> {
        let side = match shown {
            Shown::A => Side::A,
            Shown::B => Side::B,
            Shown::X => self.session.x(),
        };
        self.clips[side as usize].frames().get(place)
    }

    /// Adds the answer of the present trial, and begins the next one. The pictures of A stay.
    pub fn answer(&mut self, answer: Side, time_ms: f64, drops: u32, tape: &Tape) {
        let session = &mut self.session;
        let trial = Trial {
            test: session.test(),
            level: session.level(),
            x: session.x(),
            answer,
            time_ms,
            drops,
        };
        session.add(trial);
        if let Test::Axis(row) = session.test() {
            let at = fault_at(self.seed, session.trials().len());
            let level = session.level();
            self.clips[1] = at_level(&self.stretch, tape, &self.lane, row, level, at);
        }
    }
}

/// Returns where in its stretch a trial shows a fault, 0 to 1.
fn fault_at(seed: u32, trial: usize) -> f64 {
    let draw = KeyedDraw::new(seed, FAULT_DRAWS);
    draw.with(trial as u64).unit()
}

/// Begins the pictures of a level of an axis. Settings that follow a changed setting change, too.
fn at_level(
    stretch: &Stretch,
    tape: &Tape,
    lane: &LaneSetup,
    row: &AxisRow,
    level: f64,
    fault_at: f64,
) -> Clip {
    let Stimulus::Setting(key) = row.stimulus else {
        return Clip::of_fault(stretch, tape, row, level, fault_at);
    };
    let mut lane = lane.clone();
    let before = lane.settings;
    let _ = lane.settings.set_number(key, level);
    followers(&before, &mut lane.settings, &[key]);
    Clip::of_lane(stretch, tape, &lane)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::settings;
    use snapshot_base::time::WORLD;
    use snapshot_netsim::channel::LinkInputs;

    fn blind(link: &str, test: &str, b: Option<&str>) -> Result<(BlindTest, Tape), AxisError> {
        let lane = |link: &str| LaneSetup {
            settings: settings(link),
            link_inputs: LinkInputs::default(),
        };
        let tape = Tape::record(&settings(link), Stretch::ticks_needed(WORLD));
        let stretch = Stretch::before(tape.last_tick(), &tape, 0).unwrap();
        let test = Test::find(test)?;
        let b = b.map(lane);
        Ok((
            BlindTest::new(test, 11, Vec::new(), stretch, lane(link), b, &tape)?,
            tape,
        ))
    }

    #[test]
    fn x_is_a_or_b_to_the_bit_and_another_one_after_some_answers() {
        let (mut blind, tape) = blind("#scene=roll&grid=5", "rate", None).unwrap();
        let mut sides = Vec::new();
        for _ in 0..6 {
            while blind.work(&tape).unwrap() {}
            let all = |shown| -> Vec<_> {
                let frames = (0..blind.frames()).map(|place| blind.frame(shown, place));
                frames.collect()
            };
            let (a, b, x) = (all(Shown::A), all(Shown::B), all(Shown::X));
            assert!(a != b && !a.contains(&None));
            sides.push(x == a);
            assert!(x == a || x == b);
            let right = if x == a { Side::A } else { Side::B };
            blind.answer(right, 1000.0, 0, &tape);
            assert!(blind.session().trials().iter().all(Trial::is_right));
        }
        assert!(sides.contains(&true) && sides.contains(&false), "{sides:?}");
    }

    #[test]
    fn a_pair_needs_b_and_shows_both_lanes() {
        assert_eq!(
            blind("#scene=roll&grid=5", "pair", None).err(),
            Some(AxisError::NoB)
        );
        let b = Some("#scene=roll&grid=5&hz=60");
        let (mut blind, tape) = blind("#scene=roll&grid=5&hz=4", "pair", b).unwrap();
        while blind.work(&tape).unwrap() {}
        let shown = |place| [Shown::A, Shown::B].map(|shown| blind.frame(shown, place));
        let apart = (0..blind.frames()).map(shown).filter(|[a, b]| a != b);
        assert!(apart.count() > blind.frames() / 2);
    }
}
