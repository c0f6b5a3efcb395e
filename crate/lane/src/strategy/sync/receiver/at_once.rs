//! State synchronisation without a jitter buffer: updates are applied on arrival, and the world keeps its own tick.

use super::{BufferTiming, SyncReceiver};
use crate::strategy::World;
use snapshot_view::Playback;

impl SyncReceiver {
    /// Simulates one tick of the world with the newest input, and applies the packets that arrived in this tick.
    pub(super) fn play_at_once(&mut self, world: &mut dyn World) -> Option<Playback> {
        let BufferTiming::AtOnce {
            applied_frame,
            waited_ticks,
            interval_ticks,
        } = &mut self.timing
        else {
            return None;
        };
        let newest_frame = self.buffer.last_key_value().map(|(frame, _)| *frame);
        // The first packet gives the world its tick.
        let due = match (*applied_frame, newest_frame) {
            (None, first) => first?,
            (Some(_), _) => self.shown_frame + 1,
        };
        *waited_ticks = newest_frame.map_or(*waited_ticks + 1, |_| 0);
        *applied_frame = newest_frame.or(*applied_frame);
        let is_known = (*waited_ticks as f64) < *interval_ticks;
        if let Some(input) = newest_frame.and_then(|newest| self.input_of(newest)) {
            self.held_input = input;
        }
        if is_known {
            self.known_frame = due;
        }
        self.step_world(due, world);
        while let Some((_, packet)) = self.buffer.pop_first() {
            self.correct(packet, world);
        }
        self.figures.glide_max = self.figures.glide_max.max(self.glide());
        Some(self.playback(due, 0.0, is_known))
    }
}
