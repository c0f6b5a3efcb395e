//! Motion and trace files that a person opened. A link does not contain them, but names them by their fingerprints.

use super::Session;
use crate::lane_run::LaneRun;
use crate::pile;
use snapshot_base::time::TickRate;
use snapshot_lane::client::ClientRecording;
use snapshot_netsim::trace::Trace;
use snapshot_record::motion::{JumpSpeed, Motion};
use std::sync::Arc;

impl Session {
    pub fn played_motion(&self) -> Option<&Motion> {
        let motion = self.motion.as_ref();
        motion.filter(|_| self.lab.tape().motion().is_some())
    }

    /// Plays a recorded motion in place of the present one. If the link names an instant of this motion, that instant is
    /// shown. `facts` are lines that the person added to the file.
    pub(crate) fn play_motion(&mut self, motion: Motion, facts: Option<String>) {
        self.notices.clear();
        let is_asked = self.view_state.motion == Some(motion.facts.fingerprint);
        let asked = self.view_state.facts.take().filter(|_| is_asked);
        self.start_motion(motion);
        self.view_state.facts = facts.or(asked);
        self.ask_for_client();
    }

    /// Starts the scene that the settings name, in place of a recorded motion.
    pub(crate) fn leave_motion(&mut self) {
        (self.view_state.motion, self.view_state.client) = (None, None);
        self.view_state.facts = None;
        self.lab.begin_scene();
    }

    /// Finds the jumps of the played motion again, with another speed limit, and continues at the same tick. A motion whose
    /// file marks its jumps does not change.
    pub(crate) fn find_jumps_over(&mut self, over: JumpSpeed) {
        self.view_state.jumps_over = over;
        let is_other =
            |motion: &&Motion| motion.facts.jumps_over != over && !motion.tells_of_jumps();
        let Some(motion) = self.played_motion().filter(is_other) else {
            return;
        };
        let motion = motion.with_jumps_over(over);
        self.lab.play_again(&motion);
        self.motion = Some(motion);
    }

    /// Makes both lanes use a recorded link: from its beginning, or from the offset if the page's link names this recording.
    pub(crate) fn use_trace(&mut self, trace: Arc<Trace>) {
        self.notices.clear();
        let own = trace.fingerprint();
        let asked = self.view_state.trace.filter(|asked| *asked != own);
        if let Some(asked) = asked {
            self.view_state.trace_from_ms = 0;
            self.notices.push(is_another("trace", asked, own));
        }
        self.ask_for_motion();
        self.store_trace(trace);
    }

    /// Makes both lanes use the present recorded link from another offset on, ms.
    pub(crate) fn begin_trace_at(&mut self, offset_ms: u64) {
        let used = self.lab.trace().map(|used| used.fingerprint());
        let held = self.trace.clone();
        if let Some(trace) = held.filter(|held| used == Some(held.fingerprint())) {
            self.view_state.trace_from_ms = offset_ms;
            self.store_trace(trace);
        }
    }

    /// Makes both lanes use the modelled link of their settings again, in place of a recorded link.
    pub(crate) fn leave_trace(&mut self) {
        self.forget_asked_trace();
        self.lab.set_trace(None);
    }

    fn forget_asked_trace(&mut self) {
        (self.view_state.trace, self.view_state.trace_from_ms) = (None, 0);
    }

    /// Stores a trace, and makes both lanes use it from the offset in the page's link on.
    fn store_trace(&mut self, trace: Arc<Trace>) {
        let used = match self.view_state.trace_from_ms {
            0 => trace.clone(),
            offset_ms => Arc::new(trace.from_ms(offset_ms as f64)),
        };
        self.lab.set_trace(Some(used));
        self.trace = Some(trace);
        self.forget_asked_trace();
    }

    pub(super) fn start_motion(&mut self, motion: Motion) {
        self.going_to = None;
        self.lab.play(&motion);
        let own = motion.facts.fingerprint;
        let asked = self.view_state.motion.take();
        if asked != Some(own) && self.client.as_ref().is_none_or(|it| it.files[1] != own) {
            self.view_state.client = None;
        }
        match asked {
            Some(asked) if asked == own => {
                self.lab.act_as(&self.view_state);
                self.show_the_links_instant();
            }
            Some(asked) => self.notices.push(is_another("motion", asked, own)),
            None => {}
        }
        self.motion = Some(motion);
        self.show_the_links_client();
    }

    /// Shows a client's recording as lane B: now if its server's motion is played, else once that motion is played.
    pub(crate) fn show_client(&mut self, client: ClientRecording) {
        self.notices.clear();
        let [own, server] = client.files;
        let asked = self.view_state.client.filter(|asked| *asked != own);
        self.notices
            .extend(asked.map(|asked| is_another("client’s file", asked, own)));
        self.view_state.client = Some(own);
        if self
            .view_state
            .motion
            .is_some_and(|motion| motion != server)
        {
            self.view_state.motion = None;
        }
        self.client = Some(Arc::new(client));
        self.show_the_links_client();
    }

    /// Shows the recorded frames of a guest of this world as lane B. Returns false, and changes nothing, for frames of
    /// another world.
    pub(crate) fn show_guest(&mut self, guest: ClientRecording) -> bool {
        let is_of_it = guest.objects() == self.lab.truth().len();
        if is_of_it && self.motion.is_none() {
            self.lab.set_client(Arc::new(guest));
        }
        is_of_it && self.motion.is_none()
    }

    /// Shows the stored client's recording, if the link names it and its server's motion is played.
    pub(super) fn show_the_links_client(&mut self) {
        let (asked, played) = (self.view_state.client, self.played_motion());
        let files = [asked, played.map(|motion| motion.facts.fingerprint)];
        let client = self.client.clone();
        if let Some(client) = client.filter(|client| client.files.map(Some) == files) {
            self.lab.set_client(client);
        }
    }

    /// Returns the fingerprint of the client's recording that lane B shows, or that the link names but is not loaded.
    pub(super) fn named_client(&self) -> Option<u32> {
        let shown = self.lab.b().and_then(LaneRun::client);
        let held = self.client.as_ref().map(|client| client.files.map(Some));
        let played = self.played_motion().map(|motion| motion.facts.fingerprint);
        let is_left = |asked: &u32| held == Some([Some(*asked), played]);
        let asked = self.view_state.client.filter(|asked| !is_left(asked));
        // A guest's frames are in no file.
        let shown = shown
            .map(|client| client.files[0])
            .filter(|file| *file != 0);
        shown.or(asked)
    }

    /// Adds a notice if the link names a client's recording that lane B does not show.
    pub(super) fn ask_for_client(&mut self) {
        let is_shown = self.lab.b().is_some_and(|b| b.client().is_some());
        let asked = self.view_state.client.filter(|_| !is_shown);
        self.notices.extend(asked.map(asks_for_client));
    }

    /// Shows the link's instant, or the motion's last one. If the motion ends before this instant, a notice says so.
    fn show_the_links_instant(&mut self) {
        let Some(at) = self.view_state.at else {
            return;
        };
        self.lab.seek(at);
        let tape = self.lab.tape();
        let last = tape.last_tick();
        if at > last {
            let notice = motion_ends_before(at, last, tape.tick_rate());
            self.notices.push(notice);
        }
    }

    /// Adds notices if the link names a motion or a client's recording that is not loaded.
    pub(super) fn ask_for_motion(&mut self) {
        let asked = self.view_state.motion;
        let asked = asked.filter(|_| self.played_motion().is_none());
        self.notices.extend(asked.map(asks_for_motion));
        self.ask_for_client();
    }

    pub(super) fn ask_for_motion_no_more(&mut self) {
        let asked = [
            self.view_state.motion.map(asks_for_motion),
            self.view_state.client.map(asks_for_client),
        ];
        self.notices
            .retain(|notice| !asked.iter().flatten().any(|asks| asks == notice));
    }

    /// Makes both lanes use the trace that the link names, if it is loaded. Otherwise they use no trace, and a notice asks
    /// for it.
    pub(super) fn follow_the_links_trace(&mut self) {
        let asked = self.view_state.trace;
        let held = self.trace.clone();
        match held.filter(|held| asked == Some(held.fingerprint())) {
            Some(held) => self.store_trace(held),
            None => self.lab.set_trace(None),
        }
        self.ask_for_trace();
    }

    /// Returns the fingerprint of the recorded motion that is played, or that the link names.
    pub(super) fn named_motion(&self) -> Option<u32> {
        let played = self.played_motion().map(|motion| motion.facts.fingerprint);
        played.or(self.view_state.motion)
    }

    /// Returns the fingerprint of the trace in use, or of the trace that the link names.
    pub(super) fn named_trace(&self) -> Option<u32> {
        let used = self.lab.trace().map(|trace| trace.fingerprint());
        used.or(self.view_state.trace)
    }

    /// Returns the offset into the trace of [`Session::named_trace`], ms.
    pub(super) fn named_trace_from_ms(&self) -> u64 {
        match self.lab.trace() {
            Some(_) => self.lab.trace_from_ms(),
            None => self.view_state.trace_from_ms,
        }
    }

    /// Adds a notice if the link names a trace that is not loaded.
    pub(super) fn ask_for_trace(&mut self) {
        let notice = self.view_state.trace.map(asks_for_trace);
        self.notices.extend(notice);
    }

    pub(super) fn ask_for_trace_no_more(&mut self) {
        let asked = self.view_state.trace.map(asks_for_trace);
        self.notices.retain(|notice| Some(notice) != asked.as_ref());
    }
}

fn asks_for_motion(asked: u32) -> String {
    if asked == pile::FINGERPRINT {
        let notice =
            "The article's motion is fetched from this site; until it is there our own world plays";
        return notice.to_string();
    }
    format!(
        "This link is of somebody's own motion ({asked:08x}), which no link can carry: drop its file on this page. Until then our own world plays"
    )
}

fn asks_for_client(asked: u32) -> String {
    format!(
        "This link shows what somebody’s client drew ({asked:08x}), which no link can carry: choose its file beside the server’s under “Have your own netcode judged”. Until then B is as A"
    )
}

fn is_another(what: &str, asked: u32, given: u32) -> String {
    format!("The link is of another {what} ({asked:08x}); this is {given:08x}")
}

fn motion_ends_before(at: u64, last: u64, tick_rate: TickRate) -> String {
    let [at_s, last_s] = [at, last].map(|tick| tick_rate.seconds_of_ticks(tick));
    format!("The link is of {at_s:.1} s, and this motion ends at {last_s:.1} s, which is shown")
}

fn asks_for_trace(asked: u32) -> String {
    format!(
        "This link is of somebody's own network ({asked:08x}), a trace that no link can carry: drop its file on this page. Until then the settings' network is used"
    )
}
