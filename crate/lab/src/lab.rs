//! The tape, and the track that a lane makes of it: one call a tick while it plays, one for a piece of work in between.
//!
//! Whatever is set, the motion stays. A change of sender, network or receiver makes another track of the same tape; a
//! change of the world gives the same keys to another one. Until the new track is there the old one is shown.

mod beside;
mod climbing;
mod making;
mod motion;
mod seeing;
mod sharing;
#[cfg(test)]
mod tests;

pub use beside::Beside;
pub use sharing::TooLate;

use crate::inspect::{InspectError, Inspection};
use crate::report::{Live, Report};
use crate::settings::schema::Effect;
use crate::settings::{Key, SettingError, Settings};
use crate::tape::{Tape, Undone};
use crate::track::Track;
use crate::view::{Pose, View};
use making::Making;
use snapshot_codec::CubeState;
use snapshot_netsim::channel::{Fate, Fates};
use snapshot_physics::input::Input;
use snapshot_physics::scene::SceneKind;
use snapshot_physics::world::state_hash;

/// The whole laboratory, a function of settings and of what a person does.
pub struct Lab {
    settings: Settings,
    /// Set by hand.
    fates: Fates,
    tape: Tape,
    /// Of the tape; its lane may yet have the settings of before.
    track: Track,
    /// What is to come in their place.
    making: Option<Making>,
    /// A second lane on the same motion.
    b: Option<Box<Beside>>,
    /// The tick after which a link has lane A begin, until it has.
    begins: Option<u64>,
    /// What a person drove away from.
    undone: Option<Undone>,
    /// The tick that is shown.
    playhead: u64,
    left: View,
    right: View,
    /// The network is cut for as long as this.
    cut_held: bool,
    /// And for so many ticks to come.
    cut_ticks: u32,
    /// Ticks of the past were cut for as long as it was held.
    cut_in_the_past: bool,
}

/// Something that a person may want to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A packet was lost.
    Loss,
    /// There was nothing to interpolate towards, for the first time in a row.
    Hitch,
    /// A cube jumped as it was corrected.
    Pop,
}

/// How far a new track is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// What is shown is of these settings, from the tape's start on.
    Done,
    /// What is shown is of these settings, and began a little while ago.
    Provisional {
        /// Ticks that are done of the exact one.
        done: u64,
        /// All of them.
        of: u64,
    },
    /// What is shown is of the settings before.
    Stale {
        /// Ticks that are done.
        done: u64,
        /// All of them.
        of: u64,
    },
}

impl Lab {
    /// The laboratory at tick 0.
    pub fn new(settings: Settings) -> Lab {
        Lab::from_tick(settings, 0)
    }

    /// The laboratory after so many ticks of its scene, the lane beginning there.
    pub fn from_tick(settings: Settings, from: u64) -> Lab {
        Lab::over(Tape::record(&settings, from), settings)
    }

    /// The laboratory at the end of a tape of these settings, the lane beginning there.
    pub fn over(tape: Tape, settings: Settings) -> Lab {
        let from = tape.last_tick();
        Lab::beginning_at(tape, settings, from)
    }

    /// The laboratory at a tick of a tape, the lane beginning there.
    fn beginning_at(tape: Tape, settings: Settings, from: u64) -> Lab {
        let fates = Fates::default();
        let track = Track::new(&tape, &settings.lane(), &fates, from);
        Lab {
            left: tape.view(),
            right: track.lane().view().clone(),
            playhead: from,
            settings,
            fates,
            tape,
            track,
            making: None,
            b: None,
            begins: None,
            undone: None,
            cut_held: false,
            cut_ticks: 0,
            cut_in_the_past: false,
        }
    }

    /// One tick of 1/60 s: the next one of the past, or a new one. A scripted scene takes no notice of the person; in the
    /// past any of their keys drives on from there.
    pub fn tick(&mut self, person: Input) {
        if self.tape.motion().is_some() {
            self.play_the_motion();
            return;
        }
        if !self.is_at_end() {
            if person == Input::NONE {
                self.play_the_past();
                return;
            }
            self.drive_on();
        }
        let was_scripted = self.tape.is_scripted();
        self.tape.step(person, self.is_cut());
        self.cut_ticks = self.cut_ticks.saturating_sub(1);
        self.playhead = self.tape.last_tick();
        if was_scripted && !self.tape.is_scripted() {
            self.name_drive();
        }
        self.begin_where_the_link_says();
        while self.begins.is_none() && self.track.advance(&self.tape) {}
        let truth = self.tape.newest().iter().enumerate();
        truth.for_each(|(index, cube)| self.left.show(index, &Pose::from(cube)));
        if self.track.stands() {
            self.track.show(self.playhead, &self.tape, &mut self.right);
        } else {
            self.right.clone_from(self.track.lane().view());
        }
        self.track.forget_before(self.tape.first_tick());
        self.tick_b();
    }

    /// Shows another tick, as near as is held. Nothing is simulated for it.
    pub fn seek(&mut self, tick: u64) {
        self.playhead = tick.clamp(self.tape.first_tick(), self.tape.last_tick());
        self.show();
    }

    /// The nearest such event before or after what is shown.
    pub fn find(&self, event: Event, forward: bool) -> Option<u64> {
        let happens = |before: &Live, now: &Live| match event {
            Event::Loss => now.packets.lost > before.packets.lost,
            Event::Hitch => now.hitches > before.hitches && !before.frozen,
            Event::Pop => now.pops() > before.pops(),
        };
        self.track.find(self.playhead, forward, happens)
    }

    /// The tick that is shown.
    pub fn tick_count(&self) -> u64 {
        self.playhead
    }

    /// Whether the newest tick is shown.
    pub fn is_at_end(&self) -> bool {
        self.playhead == self.tape.last_tick()
    }

    /// The motion.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// What the lane made of it, as far as it is known.
    pub fn track(&self) -> &Track {
        &self.track
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The person drives on from what is shown. The link names the scene `drive`; nothing restarts. In a motion from elsewhere
    /// there is nothing to drive.
    pub fn take_over(&mut self) {
        if self.tape.motion().is_some() {
            return;
        }
        if !self.is_at_end() {
            self.drive_on();
        }
        self.tape.take_over();
        self.name_drive();
    }

    /// Brings back what a person drove away from. False where there is nothing, or it is too long ago.
    pub fn undo(&mut self) -> bool {
        let Some(undone) = self.undone.take() else {
            return false;
        };
        let tick = undone.tick();
        if !self.tape.undo(undone) {
            return false;
        }
        self.track.stop_at(tick);
        while self.track.advance(&self.tape) {}
        self.making = Some(Making::of_track(&self.settings, &self.fates));
        self.remake_b();
        self.seek(tick);
        true
    }

    /// Whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        self.undone.is_some()
    }

    /// Cuts the network, both ways, until it is let go: an input like the keys.
    pub fn set_cut(&mut self, cut: bool) {
        self.cut_held = cut;
        if !cut && std::mem::take(&mut self.cut_in_the_past) {
            self.remake();
            self.remake_b();
        }
    }

    /// Cuts the network for so many ticks, from the next on. In the past the motion stays, and the track is made anew.
    pub fn cut_for(&mut self, ticks: u32) {
        let to_come = self.tape.last_tick() - self.playhead;
        self.cut_ticks = ticks.saturating_sub(u32::try_from(to_come).unwrap_or(u32::MAX));
        if to_come > 0 {
            let next = self.playhead + 1;
            self.tape.cut(next..next + u64::from(ticks));
            self.remake();
            self.remake_b();
        }
    }

    /// Whether the network is cut.
    pub fn is_cut(&self) -> bool {
        if self.is_at_end() {
            self.cut_held || self.cut_ticks > 0
        } else {
            self.tape.is_cut(self.playhead)
        }
    }

    /// Begins again at tick 0: the scene, or the motion from elsewhere.
    pub fn restart(&mut self) {
        if self.tape.motion().is_some() {
            self.seek(self.tape.first_tick());
        } else {
            self.begin_scene();
        }
    }

    /// Begins the scene at tick 0, and leaves a motion from elsewhere for it.
    pub fn begin_scene(&mut self) {
        let b = self.b.take().map(|b| *b.settings());
        let mut lab = Lab::new(self.settings);
        lab.tape.replace(&self.tape);
        *self = lab;
        self.set_b(b);
    }

    /// Changes a setting by its permalink key.
    ///
    /// # Errors
    /// When there is no such setting or the text is not a value of it; nothing changes then.
    pub fn set_text(&mut self, id: &str, text: &str) -> Result<Effect, SettingError> {
        let mut settings = self.settings;
        settings.set_text(id, text)?;
        self.check_physics(&settings)?;
        Ok(self.apply(settings))
    }

    /// Changes all settings. What that calls for is begun, and done by [`Lab::work`].
    pub fn apply(&mut self, settings: Settings) -> Effect {
        let settings = self.in_reach(settings);
        let effect = match self.settings.effect_of_change_to(&settings) {
            Effect::Motion if self.tape.motion().is_some() => Effect::Track,
            effect => effect,
        };
        let before = std::mem::replace(&mut self.settings, settings);
        if let Some(b) = &self.b {
            // What is changed for B stays changed; all else goes with A.
            let b = b.settings().rebased(&before, &settings);
            self.set_b(Some(b));
        }
        match effect {
            Effect::AtOnce => {}
            Effect::Track => self.remake(),
            Effect::Motion => {
                self.making = Some(Making::of_motion(&settings, &self.fates, &self.tape))
            }
            Effect::World => self.begin_scene(),
        }
        effect
    }

    /// Has a packet to the right side be lost or arrive, by its number, or leaves it to its luck again. The motion stays, and
    /// no other packet's luck changes; another track is begun, as for a setting. A fate belongs to the number: with another
    /// send rate that is another packet.
    pub fn set_fate(&mut self, number: u64, fate: Option<Fate>) {
        if self.fates.get(number) != fate {
            self.fates.set(number, fate);
            self.remake();
        }
    }

    /// Leaves all packets to their luck again.
    pub fn clear_fates(&mut self) {
        if std::mem::take(&mut self.fates) != Fates::default() {
            self.remake();
        }
    }

    /// The packets whose fate is set by hand.
    pub fn fates(&self) -> &Fates {
        &self.fates
    }

    /// The newest packet that had left by `tick`, or that of a number, as of that tick, field by field.
    ///
    /// # Errors
    /// When there is no such packet, or it is too old.
    pub fn inspect(&self, tick: u64, number: Option<u64>) -> Result<Inspection, InspectError> {
        self.track.inspect(&self.tape, tick, number)
    }

    /// Memory that tape and track take, but for the keys: a byte a tick for ever.
    pub fn held_bytes(&self) -> usize {
        self.tape.held_bytes() + self.track.held_bytes()
    }

    /// What is true at the newest tick.
    pub fn truth(&self) -> &[CubeState] {
        self.tape.newest()
    }

    /// What the person sees: the truth of this tick.
    pub fn left(&self) -> &View {
        &self.left
    }

    /// What the network made of it.
    pub fn right(&self) -> &View {
        &self.right
    }

    /// Figures of the tick that is shown.
    pub fn live(&self) -> &Live {
        self.track.live(self.playhead)
    }

    /// Figures since the lane began, to the newest tick. What is still to be made for them is made first.
    pub fn report(&mut self) -> Report {
        self.finish();
        self.track.report(state_hash(self.truth()))
    }

    fn name_drive(&mut self) {
        let _ = self.settings.set(Key::Scene, SceneKind::Drive as u32);
    }

    fn play_the_past(&mut self) {
        if self.cut_held {
            let next = self.playhead + 1;
            self.tape.cut(next..next + 1);
            self.cut_in_the_past = true;
        }
        self.playhead += 1;
        while self.track.last_tick() < self.playhead && self.track.advance(&self.tape) {}
        self.show();
    }

    /// Leaves what came after the tick that is shown, which can be undone.
    fn drive_on(&mut self) {
        self.undone = Some(self.tape.rewind(self.playhead));
        self.name_drive();
        self.track.stop_at(self.playhead);
        self.making = Some(Making::of_track(&self.settings, &self.fates));
        self.remake_b();
    }

    fn show(&mut self) {
        let truth = self.tape.truth();
        if truth.newest().len() != self.left.colour.len() {
            self.left = self.tape.view();
            self.right = self.left.clone();
        }
        self.left.replay(truth, self.playhead, |cube| cube.into());
        self.track.show(self.playhead, &self.tape, &mut self.right);
        self.show_b();
    }
}
