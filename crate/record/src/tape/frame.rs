//! A tick of a tape.

use super::Tape;
use snapshot_codec::CubeState;
use snapshot_physics::input::Input;

/// A tick as a lane is given it.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    /// Ticks since the world began; rises by one.
    pub tick: u64,
    /// The input of the step that led here.
    pub input: Input,
    /// Every cube after that step.
    pub truth: &'a [CubeState],
    /// The world's checksum after the step, which lockstep compares; none where nothing is compared.
    pub checksum: Option<u64>,
    /// The tape that holds it: for comparing what is shown later, and for simulating nothing twice.
    pub tape: &'a Tape,
}

impl Frame<'_> {
    /// The instant.
    pub fn now_ms(&self) -> f64 {
        self.tape.tick_rate().ms_of_tick(self.tick as f64)
    }
}
