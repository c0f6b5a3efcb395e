//! Playout delay and playback speed.

use snapshot_base::time::TickRate;
use snapshot_view::Playback;

/// Means of the playout delay, the lateness and the age of the shown state, over the ticks in which the receiver showed one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayoutMetrics {
    tick_rate: TickRate,
    shown_ticks: u64,
    late_ms: f64,
    delay_ms: f64,
    behind_ticks: f64,
    between_ticks: f64,
}

impl PlayoutMetrics {
    pub(crate) fn new(tick_rate: TickRate) -> PlayoutMetrics {
        PlayoutMetrics {
            tick_rate,
            shown_ticks: 0,
            late_ms: 0.0,
            delay_ms: 0.0,
            behind_ticks: 0.0,
            between_ticks: 0.0,
        }
    }

    pub(crate) fn add(&mut self, tick: u64, playback: &Playback) {
        self.shown_ticks += 1;
        self.late_ms += playback.late_ms;
        self.delay_ms += playback.delay_ms;
        self.behind_ticks += tick as f64 - playback.shown_tick;
        self.between_ticks += playback.stepped_tick - playback.play_tick;
    }

    /// Mean time by which the picture was older than it is with every packet in time, ms. `None` before the first frame is
    /// shown.
    pub fn late_ms_mean(&self) -> Option<f64> {
        self.mean(self.late_ms)
    }

    /// Mean playout delay, ms. `None` before anything is shown.
    pub fn delay_ms_mean(&self) -> Option<f64> {
        self.mean(self.delay_ms)
    }

    /// Mean age of the shown state, ms: link, playout delay, and freezes. `None` before anything is shown.
    pub fn behind_ms_mean(&self) -> Option<f64> {
        self.mean(self.tick_rate.ms_of_tick(self.behind_ticks))
    }

    /// Mean time that a simulated frame waits until poses between the last two frames are shown, ms; a part of the age.
    pub fn between_frames_ms_mean(&self) -> Option<f64> {
        self.mean(self.tick_rate.ms_of_tick(self.between_ticks))
    }

    fn mean(&self, sum: f64) -> Option<f64> {
        (self.shown_ticks > 0).then(|| sum / self.shown_ticks as f64)
    }
}
