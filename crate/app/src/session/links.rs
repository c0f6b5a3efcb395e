//! Navigation between links, and the present state as a link.

use super::Session;
use crate::lab::InstantTooLate;
use crate::lane_run::LaneRun;
use crate::link::{self, LATEST_TICK, Link, LinkedLane};
use snapshot_netsim::channel::Overrides;
use snapshot_physics::scene::SceneKind;
use snapshot_record::recorded::RecordedInput;
use snapshot_settings::schema::Effect;
use snapshot_settings::{Key, Settings};

impl Session {
    /// Opens another link; only parts that differ from the present state are rebuilt.
    pub(crate) fn open(&mut self, link: &str) {
        let (mut view_state, notices) = read(link);
        view_state.embed = self.view_state.embed;
        if acts(&view_state) != acts(&self.looking_now()) {
            self.begin_with(link);
            self.view_state.embed = view_state.embed;
            return;
        }
        let mut settings = view_state.a.settings;
        if view_state.has_acts() && settings.scene() == self.view_state.a.settings.scene() {
            let _ = settings.set(Key::Scene, self.lab.settings().scene() as u32);
        }
        self.notices = notices;
        let b = view_state.b.as_ref().map(|b| b.settings);
        let at = view_state.at;
        self.view_state = view_state;
        let held = self
            .motion
            .take_if(|held| self.view_state.motion == Some(held.facts.fingerprint));
        if held.is_none() && self.lab.tape().motion().is_some() {
            self.lab.begin_scene();
        }
        if self.lab.apply(settings) >= Effect::Motion {
            self.leave_the_link();
        }
        self.lab.set_b(b);
        match held {
            Some(motion) if self.lab.tape().motion().is_none() => self.start_motion(motion),
            held => self.motion = held.or(self.motion.take()),
        }
        self.find_jumps_over(self.view_state.jumps_over);
        self.show_the_links_client();
        self.ask_for_motion();
        self.follow_the_links_trace();
        match at {
            Some(at) if at <= self.lab.tape().last_tick() => self.lab.seek(at),
            at => self.going_to = at,
        }
    }

    /// Returns the fragment of the present state, without `#`. The fragment names the shown tick only if the link is to be
    /// opened paused there, and if it can reproduce this tick. The input of an opened link is included. A person's new input
    /// is not; only [`Session::share`] includes it.
    pub fn permalink(&self, paused: bool) -> String {
        let mut settings = *self.lab.settings();
        let view_state = &self.view_state;
        if view_state.has_acts() {
            let _ = settings.set(Key::Scene, view_state.a.settings.scene() as u32);
        }
        let tick = self.lab.tick_count();
        let has_script =
            view_state.recorded.drive.is_none() && settings.scene() != SceneKind::Drive;
        // Where nobody presses a key the motion goes on without.
        let leads_there = has_script || !self.lab.tape().is_acted_on();
        // On its way to an instant it is a link to that instant already.
        let here = (paused && leads_there).then_some(tick);
        let at = self.going_to.or(here);
        // A later instant or packet of our own world cannot be opened.
        let is_ours = self.lab.tape().motion().is_none();
        let opens = |number: &u64| !is_ours || *number <= LATEST_TICK;
        let at = at.filter(opens);
        let linked = |lane: &LaneRun, settings: Settings, linked: Option<&LinkedLane>| {
            let start_tick = linked.and_then(|linked| linked.start_tick);
            LinkedLane {
                settings,
                overrides: lane.overrides().clone(),
                start_tick: start_tick.filter(|tick| at.is_some_and(|at| at >= *tick)),
            }
        };
        let b_settings = |b: &LaneRun| b.settings().on_the_motion_of(&settings);
        link::format(&Link {
            a: linked(self.lab.a(), settings, Some(&view_state.a)),
            b: (self.lab.b()).map(|b| linked(b, b_settings(b), view_state.b.as_ref())),
            at,
            packet: view_state.packet.filter(opens),
            motion: self.named_motion(),
            client: self.named_client(),
            trace: self.named_trace(),
            trace_from_ms: self.named_trace_from_ms(),
            ..self.view_state.clone()
        })
    }

    /// Returns a fragment that reproduces the shown tick anywhere, to the bit, with a person's input since tick 0.
    ///
    /// # Errors
    /// When the tick is too late for a link.
    pub(crate) fn share(&mut self) -> Result<String, InstantTooLate> {
        let shared = self.lab.share()?;
        Ok(link::format(&Link {
            a: shared.a,
            b: shared.b,
            recorded: shared.recorded,
            at: shared.at,
            trace: self.named_trace(),
            trace_from_ms: self.named_trace_from_ms(),
            motion: self.named_motion(),
            client: self.named_client(),
            embed: false,
            ..self.view_state.clone()
        }))
    }

    /// Restarts at tick 0; the recorded input in the link is replayed.
    pub(crate) fn restart(&mut self) {
        self.going_to = None;
        if self.view_state.has_acts() {
            let link = self.permalink(false);
            self.begin_with(&link);
        } else {
            self.lab.restart();
        }
    }

    /// The tick up to which the page must play to show the link's instant; `None` once it is reached.
    pub fn going_to(&self) -> Option<u64> {
        self.going_to
    }

    /// Returns true while ticks must be played to reach the link's instant. Once it is reached, starts lanes that still wait.
    pub fn is_on_its_way(&mut self) -> bool {
        let Some(at) = self.going_to else {
            return false;
        };
        // Where no script drives nobody presses a key, as on the command line; a motion from elsewhere has its last tick.
        let is_there = self.lab.tick_count() >= at || self.lab.tape().motion().is_some();
        if is_there {
            self.stop_going();
        }
        !is_there
    }

    /// Stops at the present tick, before the link's instant is reached.
    pub(crate) fn stop_going(&mut self) {
        self.going_to = None;
        self.lab.begin_now();
    }

    /// Returns the viewer's choices in the form of a link, with the present overrides of packets.
    fn looking_now(&self) -> Link {
        let mut view_state = self.view_state.clone();
        view_state.a.overrides = self.lab.a().overrides().clone();
        view_state.b = self.lab.b().map(|b| LinkedLane {
            settings: *b.settings(),
            overrides: b.overrides().clone(),
            start_tick: view_state.b.and_then(|linked| linked.start_tick),
        });
        view_state
    }

    /// Restarts with another link. What a person gave or began stays: motion, trace, client's recording, host, test.
    pub(super) fn begin_with(&mut self, link: &str) {
        let (motion, trace) = (self.motion.take(), self.trace.take());
        let (client, incoming) = (self.client.take(), self.incoming.take());
        let (hosting, test) = (self.hosting.take(), self.test.take());
        let (opened, form, is_paused) = (self.opened + 1, self.form, self.is_paused);
        *self = Session::new(link);
        (self.opened, self.form, self.is_paused) = (opened, form, is_paused);
        (self.client, self.incoming) = (client, incoming);
        (self.hosting, self.test) = (hosting, test);
        if trace.is_some() {
            self.trace = trace;
            self.ask_for_trace_no_more();
            self.follow_the_links_trace();
        }
        let asked = self.view_state.motion;
        match motion {
            Some(held) if asked == Some(held.facts.fingerprint) => {
                self.ask_for_motion_no_more();
                self.start_motion(held);
                self.ask_for_client();
            }
            held => self.motion = held,
        }
    }

    /// Drops the link's recorded input, because a person has given other input.
    pub(crate) fn leave_the_link(&mut self) {
        self.view_state.recorded = RecordedInput::default();
        let lanes = [Some(&mut self.view_state.a), self.view_state.b.as_mut()];
        for lane in lanes.into_iter().flatten() {
            lane.overrides = Overrides::default();
            lane.start_tick = None;
        }
    }
}

/// Returns the person's input in a link, for comparing two links. If the input differs, the motion must restart.
fn acts(link: &Link) -> impl PartialEq + use<> {
    let of_lane = |lane: &LinkedLane| (lane.overrides.clone(), lane.start_tick);
    let b = link.b.as_ref().map(of_lane).unwrap_or_default();
    (link.recorded.clone(), of_lane(&link.a), b)
}

/// Parses a link. Also returns the parts that cannot be used, in words.
pub(super) fn read(link: &str) -> (Link, Vec<String>) {
    let (link, notices) = link::parse(link);
    (link, notices.iter().map(ToString::to_string).collect())
}
