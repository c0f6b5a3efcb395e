//! Links: from one to another, and what is here as one.

use super::Page;
use super::steps::link_of_bare_step;
use snapshot_app::lane_run::LaneRun;
use snapshot_app::link::{self, Link, LinkedLane};
use snapshot_netsim::channel::Overrides;
use snapshot_physics::scene::SceneKind;
use snapshot_record::motion::{JumpSpeed, Motion};
use snapshot_record::recorded::Recorded;
use snapshot_settings::schema::Effect;
use snapshot_settings::{Key, Settings};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Page {
    /// Goes over to another link, making no more anew than what differs needs.
    pub fn open(&mut self, link: &str) {
        let (mut looking, notices) = read(link);
        looking.embed = self.looking.embed;
        let did = |link: &Link| {
            let of_lane = |lane: &LinkedLane| (lane.overrides.clone(), lane.start_tick);
            let b = link.b.as_ref().map(of_lane).unwrap_or_default();
            (link.recorded.clone(), of_lane(&link.a), b)
        };
        let at_step = self.begins_anew_at(looking.step.as_deref());
        if did(&looking) != did(&self.looking) || at_step.is_some() {
            self.begin_with(link);
            self.looking.embed = looking.embed;
            self.going_to = self.going_to.or(at_step);
            return;
        }
        let mut settings = looking.a.settings;
        if looking.has_acts() && settings.scene() == self.looking.a.settings.scene() {
            let _ = settings.set(Key::Scene, self.lab.settings().get(Key::Scene));
        }
        self.notices = notices;
        let b = looking.b.as_ref().map(|b| b.settings);
        let at = looking.at;
        self.looking = looking;
        let held = self
            .motion
            .take_if(|held| self.looking.motion == Some(held.fingerprint()));
        if held.is_none() && self.lab.tape().motion().is_some() {
            self.lab.begin_scene();
        }
        if self.lab.apply(settings) >= Effect::Motion {
            self.leave_the_link();
        }
        self.lab.set_b(b);
        self.keep();
        match held {
            Some(motion) if self.lab.tape().motion().is_none() => self.take_motion(motion),
            held => self.motion = held.or(self.motion.take()),
        }
        self.find_jumps_over(self.looking.jumps_over);
        self.ask_for_motion();
        self.follow_the_links_trace();
        match at {
            Some(at) if at <= self.lab.tape().last_tick() => self.seek(at as f64),
            at => self.going_to = at,
        }
    }

    /// The fragment of the present state, without `#`. It names the shown tick if it is to be opened paused there and a
    /// link leads there. Only `share` records a person's new input; an opened recording stays in the link.
    pub fn permalink(&self, paused: bool) -> String {
        let mut settings = *self.lab.settings();
        let looking = &self.looking;
        if looking.has_acts() {
            let _ = settings.set(Key::Scene, looking.a.settings.get(Key::Scene));
        }
        let tick = self.lab.tick_count();
        let has_script = looking.recorded.drive.is_none() && settings.scene() != SceneKind::Drive;
        // Where nobody presses a key the motion goes on without.
        let leads_there = has_script || !self.lab.tape().is_acted_on();
        // On its way to an instant it is a link to that instant already.
        let here = (paused && leads_there).then_some(tick);
        let at = self.going_to.or(here);
        let linked = |settings: Settings, linked: Option<&LinkedLane>| {
            let start_tick = linked.and_then(|linked| linked.start_tick);
            LinkedLane {
                settings,
                overrides: linked
                    .map_or_else(Overrides::default, |linked| linked.overrides.clone()),
                start_tick: start_tick.filter(|tick| at.is_some_and(|at| at >= *tick)),
            }
        };
        let b = self.lab.b().map(LaneRun::settings);
        link::format(&Link {
            a: linked(settings, Some(&looking.a)),
            b: b.map(|b| linked(b.on_the_motion_of(&settings), looking.b.as_ref())),
            at,
            motion: self
                .played_motion()
                .map_or(self.looking.motion, |motion| Some(motion.fingerprint())),
            trace: self.named_trace(),
            ..self.looking.clone()
        })
    }

    /// The fragment that opens all this anywhere, to the bit, with what a person did since tick 0, at the tick that is shown.
    ///
    /// # Errors
    /// In words, when that is too late for a link.
    pub fn share(&mut self) -> Result<String, JsError> {
        let shared = self
            .lab
            .share()
            .map_err(|error| JsError::new(&error.to_string()))?;
        Ok(link::format(&Link {
            camera: self.looking.camera,
            views: self.looking.views,
            split: self.looking.split,
            show: self.looking.show.clone(),
            packet: self.looking.packet,
            cube: self.looking.cube,
            overlay: self.looking.overlay,
            ghost: self.looking.ghost,
            step: self.looking.step.clone(),
            trace: shared.trace.or(self.looking.trace),
            ..shared
        }))
    }

    /// Returns true if nobody has done anything beyond the link's recorded input.
    pub fn follows_its_link(&self) -> bool {
        self.looking.has_acts()
    }

    /// Returns true if the next tick's keys are replayed from the link.
    pub fn is_replaying(&self) -> bool {
        self.lab.tape().is_replaying()
    }

    /// Begins anew at tick 0; what the link says that a person did is done again.
    pub fn restart(&mut self) {
        self.going_to = None;
        if self.looking.has_acts() {
            let link = self.permalink(false);
            self.begin_with(&link);
        } else {
            self.lab.restart();
            self.keep();
        }
    }
}

impl Page {
    /// The motion from elsewhere, where it is the one that is played.
    pub(crate) fn played_motion(&self) -> Option<&Motion> {
        self.motion
            .as_ref()
            .filter(|_| self.lab.tape().motion().is_some())
    }

    /// Plays a motion; at the instant of the link where that is of this very one.
    pub(crate) fn take_motion(&mut self, motion: Motion) {
        self.going_to = None;
        self.lab.play(&motion);
        match self.looking.motion {
            Some(asked) if asked == motion.fingerprint() => {
                if let Some(at) = self.looking.at {
                    self.lab.seek(at);
                    self.say_if_cut(at);
                }
            }
            Some(asked) => self.notices.push(format!(
                "The link is of another motion ({asked:08x}); this is {:08x}",
                motion.fingerprint()
            )),
            None => {}
        }
        self.looking.motion = None;
        self.motion = Some(motion);
        self.keep();
    }

    /// The link's speed above which a step of a motion is a jump.
    pub(crate) fn linked_jumps_over(&self) -> JumpSpeed {
        self.looking.jumps_over
    }

    /// Finds jumps by another speed, in the motion that is played too.
    pub(crate) fn find_jumps_over(&mut self, over: JumpSpeed) {
        self.looking.jumps_over = over;
        let is_other = |motion: &&Motion| motion.jumps_over() != over && !motion.tells_of_jumps();
        let Some(motion) = self.played_motion().filter(is_other) else {
            return;
        };
        let motion = motion.with_jumps_over(over);
        self.lab.play_again(&motion);
        self.motion = Some(motion);
        self.keep();
    }

    /// Says so where the motion ends before the link's instant.
    fn say_if_cut(&mut self, at: u64) {
        let last = self.lab.tape().last_tick();
        if at > last {
            let tick_rate = self.lab.tape().tick_rate();
            let seconds = |tick: u64| tick_rate.seconds_of_ticks(tick);
            self.notices.push(format!(
                "The link is of {:.1} s, and this motion ends at {:.1} s, which is shown",
                seconds(at),
                seconds(last)
            ));
        }
    }

    /// Clears the notices, because the link's motion or another one has arrived.
    pub(crate) fn begin_notices_anew(&mut self) {
        self.notices.clear();
    }

    pub(crate) fn ask_for_no_motion(&mut self) {
        self.looking.motion = None;
    }

    /// Says so where a link is of a motion that is not here.
    pub(super) fn ask_for_motion(&mut self) {
        if let Some(asked) = self
            .looking
            .motion
            .filter(|_| self.played_motion().is_none())
        {
            self.notices.push(format!(
                "This link is of somebody's own motion ({asked:08x}), which no link can carry: drop its file on this page. Until then our own world plays"
            ));
        }
    }

    /// Drops the link's recording, because a person has changed something.
    pub(crate) fn leave_the_link(&mut self) {
        self.looking.recorded = Recorded::default();
        let lanes = [Some(&mut self.looking.a), self.looking.b.as_mut()];
        for lane in lanes.into_iter().flatten() {
            lane.overrides = Overrides::default();
            lane.start_tick = None;
        }
    }

    /// The link's B is gone, with its packets.
    pub(crate) fn forget_linked_b(&mut self) {
        self.looking.b = None;
    }
}

/// Reads a link, or the link of a bare step; also returns its unusable parts, in words.
pub(super) fn read(link: &str) -> (Link, Vec<String>) {
    let of_step = link_of_bare_step(link);
    let (mut link, mut notices) = link::parse(of_step.as_deref().unwrap_or(link));
    notices.extend(snapshot_course::forget_unknown_step(&mut link));
    (link, notices.iter().map(ToString::to_string).collect())
}
