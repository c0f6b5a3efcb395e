//! Recorded motions in place of a simulated world.

use super::Lab;
use crate::link::Link;
use snapshot_codec::Rung;
use snapshot_physics::scene::SceneKind;
use snapshot_record::motion::Motion;
use snapshot_record::tape::Tape;
use snapshot_settings::{Key, SettingError, Settings, Strategy};

impl Lab {
    /// Creates a laboratory over the tape of a recorded motion, at the tick `from`; lane A begins after it. A recorded motion
    /// can only be sent as snapshots: another strategy is replaced.
    pub fn of_motion(tape: Tape, settings: Settings, from: u64) -> Lab {
        let from = from.min(tape.last_tick());
        let settings = as_it_can_be(&tape, of_snapshots(settings));
        let mut lab = Lab::starting_at(from, tape, settings);
        lab.seek(from);
        lab
    }

    /// Plays a recorded motion from its beginning, in place of the present motion. Settings that this motion allows stay.
    pub fn play(&mut self, motion: &Motion) {
        let b = self.take_own_b().map(of_snapshots);
        let mut settings = *self.settings();
        // No script drives, and another seed is other faults alone.
        let _ = settings.set(Key::Scene, SceneKind::Drive as u32);
        let mut lab = Lab::of_motion(Tape::of_motion(motion, motion.ticks()), settings, 0);
        lab.tape.replace(&self.tape);
        lab.set_trace(self.trace().cloned());
        *self = lab;
        self.lanes.a.rebuild_history(&self.tape);
        self.set_b(b);
    }

    /// Plays the same motion from the shown tick on. `motion` has jumps that were found by another speed limit.
    pub fn play_again(&mut self, motion: &Motion) {
        let tick = self.playhead;
        self.play(motion);
        self.seek(tick);
    }

    /// Applies a link's cuts and overrides to a recorded motion, whose ticks are all on the tape.
    pub fn act_as(&mut self, link: &Link) {
        for cut in &link.recorded.cuts {
            self.tape.cut(*cut.start()..cut.end().saturating_add(1));
        }
        let of_lanes = [Some(&link.a), link.b.as_ref()];
        for (lane, linked) in self.lanes.iter_mut().zip(of_lanes.into_iter().flatten()) {
            lane.set_overrides(linked.overrides.clone(), &self.tape);
        }
    }

    /// Checks that the motion has the physics that these settings need.
    ///
    /// # Errors
    /// When the motion is recorded and the strategy does not send snapshots, or its objects appear and end and the rung
    /// simulates.
    pub(crate) fn check_physics(&self, settings: &Settings) -> Result<(), SettingError> {
        self.tape.motion().map_or(Ok(()), |session_config| {
            settings.check_for_motion(session_config.has_slots)
        })
    }

    /// Returns the settings; if the motion has no physics, settings that need physics are replaced.
    pub(super) fn in_reach(&self, settings: Settings) -> Settings {
        match self.check_physics(&settings) {
            Ok(()) => settings,
            Err(_) => as_it_can_be(&self.tape, of_snapshots(settings)),
        }
    }

    /// Plays the next tick of a motion; after the last tick the motion restarts.
    pub(super) fn play_the_motion(&mut self) {
        if self.is_at_end() {
            self.seek(self.tape.first_tick());
        } else {
            self.play_the_past();
        }
    }
}

/// Returns the settings, with another rung (encoding) if their rung cannot encode the tape's motion.
fn as_it_can_be(tape: &Tape, mut settings: Settings) -> Settings {
    let has_slots = tape
        .motion()
        .is_some_and(|session_config| session_config.has_slots);
    if has_slots && settings.lane().rung().needs_simulation() {
        let _ = settings.set_text(Key::Codec.setting().id, Rung::Predicted.name());
    }
    settings
}

fn of_snapshots(mut settings: Settings) -> Settings {
    let _ = settings.set(Key::Strategy, Strategy::Snapshot as u32);
    settings
}
