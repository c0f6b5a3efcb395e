//! Doubts about a file's unit of length: a file that does not state it may be in centimetres or inches.

/// Speed of a step above which metres are doubtful, m/s: no player, car or ball of a game keeps this speed up.
const DOUBTFUL_M_S: f64 = 60.0;
/// Least share of fast steps among all steps that move, as one in this many.
const FAST_ONE_IN: u64 = 10;
/// Half a side of the lab's own small cubes, m. `INCHES_A_METRE` is the least multiple of it that makes metres doubtful.
const CUBE_HALF_M: f64 = 0.25;
const INCHES_A_METRE: f64 = 39.0;

/// The question in each sentence that asks for a unit.
const ASKED: &str = "are these metres, centimetres or inches?";
/// The end of a sentence about a position that is too far away in metres.
pub(super) const BEYOND: &str =
    ": are these metres, centimetres or inches? A first line unit=cm tells it";

/// Number of steps (from one row to the next) that move, and of doubtfully fast steps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StepSpeeds {
    pub(super) steps: u64,
    pub(super) fast: u64,
}

impl StepSpeeds {
    /// Counts a step with its speed in m/s, if it moves.
    pub(super) fn add(&mut self, m_s: f64) {
        self.steps += u64::from(m_s > 0.0);
        self.fast += u64::from(m_s > DOUBTFUL_M_S);
    }

    /// Returns a question about the unit, with its reason; `None` if metres are likely. `half_m` has half sides of objects that
    /// the file states, m.
    pub(super) fn question(self, half_m: impl Iterator<Item = f64>) -> Option<String> {
        if self.fast > 0 && self.fast * FAST_ONE_IN >= self.steps {
            let question = format!(
                "{ASKED} As metres, {} of {} steps are faster than {DOUBTFUL_M_S} m/s",
                self.fast, self.steps
            );
            return Some(question);
        }
        let halves = snapshot_base::order::sorted(half_m);
        let median = halves.get(halves.len() / 2)?;
        let times = median / CUBE_HALF_M;
        (times >= INCHES_A_METRE).then(|| {
            format!("{ASKED} As metres, half a side of an object is {median:.1} m, {times:.0} times that of a cube here")
        })
    }
}
