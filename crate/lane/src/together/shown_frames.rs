//! The frames that a guest has shown, by ticks of the host. Lane B of the host can show them.

use crate::client::{ClientRecording, ShownInstant};
use snapshot_view::Pose;

/// Time whose frames are kept, s.
const KEPT_S: u64 = 60;

/// A client's recording that grows by each shown frame.
pub(super) struct ShownFrames {
    tick_rate_hz: u32,
    recording: Option<ClientRecording>,
}

impl ShownFrames {
    pub(super) fn new(tick_rate_hz: u32) -> ShownFrames {
        ShownFrames {
            tick_rate_hz,
            recording: None,
        }
    }

    /// Adds a frame. `tick` is the host's tick at the time of the frame, as the guest estimates it. The last frame of a tick
    /// counts. Ticks without a frame keep the frame before.
    pub(super) fn add(&mut self, tick: u64, at: ShownInstant, poses: &[Pose]) {
        let kept_ticks = KEPT_S * u64::from(self.tick_rate_hz);
        let next = self.recording.as_ref().map(ClientRecording::next_tick);
        // After a long sleep nothing of before is of use.
        if next.is_none_or(|next| tick > next + kept_ticks) {
            let first = ClientRecording::from_tick(tick, Some(at), poses.to_vec());
            self.recording = Some(first);
            return;
        }
        let Some(recording) = &mut self.recording else {
            return;
        };
        while recording.next_tick() < tick {
            recording.hold();
        }
        if recording.next_tick() == tick {
            recording.push(Some(at), poses);
        }
        recording.forget_before(tick.saturating_sub(kept_ticks));
    }

    /// Returns the recording as bytes; empty before the first frame. `delay_ms` is the age of the guest's picture.
    pub(super) fn to_bytes(&self, delay_ms: f64) -> Vec<u8> {
        let recording = self.recording.clone();
        recording.map_or_else(Vec::new, |recording| {
            recording.with_delay(delay_ms).to_bytes()
        })
    }
}
