//! A motion and a recorded link that a person gave: no link carries them, but a link names them by their fingerprints.

use super::{Visit, notices};
use crate::step;
use snapshot_netsim::trace::Trace;
use snapshot_record::motion::{JumpSpeed, Motion};
use std::sync::Arc;

impl Visit {
    /// The motion from elsewhere, where it is the one that is played.
    pub fn played_motion(&self) -> Option<&Motion> {
        let motion = self.motion.as_ref();
        motion.filter(|_| self.lab.tape().motion().is_some())
    }

    /// Plays a motion in place of what is there. Where the link is of an instant of this very motion, that is shown.
    pub fn play_motion(&mut self, motion: Motion) {
        self.notices.clear();
        self.take_motion(motion);
    }

    /// Begins the scene of our own world that is set, in place of a motion.
    pub fn leave_motion(&mut self) {
        self.looking.motion = None;
        self.lab.begin_scene();
    }

    /// Finds jumps by another speed. A motion that is played, and does not tell of its jumps itself, goes on at the same
    /// tick.
    pub fn find_jumps_over(&mut self, over: JumpSpeed) {
        self.looking.jumps_over = over;
        let is_other = |motion: &&Motion| motion.jumps_over() != over && !motion.tells_of_jumps();
        let Some(motion) = self.played_motion().filter(is_other) else {
            return;
        };
        let motion = motion.with_jumps_over(over);
        self.lab.play_again(&motion);
        self.motion = Some(motion);
    }

    /// Sends both lanes over a recorded link.
    pub fn use_trace(&mut self, trace: Arc<Trace>) {
        self.notices.clear();
        let own = trace.fingerprint();
        let asked = self.looking.trace.take().filter(|asked| *asked != own);
        let notice = asked.map(|asked| notices::is_another_trace(asked, own));
        self.notices.extend(notice);
        self.ask_for_motion();
        self.lab.set_trace(Some(trace.clone()));
        self.trace = Some(trace);
    }

    /// Sends both lanes over the modelled link again.
    pub fn leave_trace(&mut self) {
        self.looking.trace = None;
        self.lab.set_trace(None);
    }

    pub(super) fn take_motion(&mut self, motion: Motion) {
        self.going_to = None;
        self.lab.play(&motion);
        let own = motion.fingerprint();
        match self.looking.motion.take() {
            Some(asked) if asked == own => self.show_the_links_instant(),
            Some(asked) => self.notices.push(notices::is_another_motion(asked, own)),
            None => {}
        }
        self.motion = Some(motion);
    }

    /// Shows the link's instant, or the last before it. A notice says so where the motion ends earlier.
    fn show_the_links_instant(&mut self) {
        let Some(at) = self.looking.at else {
            return;
        };
        self.lab.seek(at);
        let tape = self.lab.tape();
        let last = tape.last_tick();
        if at > last {
            let notice = notices::motion_ends_before(at, last, tape.tick_rate());
            self.notices.push(notice);
        }
    }

    /// Says so where a link is of a motion that is not here.
    pub(super) fn ask_for_motion(&mut self) {
        let asked = self.looking.motion;
        let asked = asked.filter(|_| self.played_motion().is_none());
        self.notices.extend(asked.map(notices::asks_for_motion));
    }

    /// Uses the trace that the link names, if it is the one that is held; else none, and a notice asks for it.
    pub(super) fn follow_the_links_trace(&mut self) {
        let asked = self.looking.trace;
        let held = self.trace.clone();
        let held = held.filter(|held| asked == Some(held.fingerprint()));
        if held.is_some() {
            self.looking.trace = None;
        }
        self.lab.set_trace(held);
        self.take_the_steps_trace();
        self.ask_for_trace();
    }

    /// Uses the trace that the open step comes with, where the link names no other one.
    pub(super) fn take_the_steps_trace(&mut self) {
        let step = self.looking.step.as_deref().and_then(step);
        let Some(trace) = step.and_then(|step| step.read_trace()) else {
            return;
        };
        let own = trace.fingerprint();
        if self.named_trace().is_none_or(|named| named == own) {
            self.looking.trace = None;
            self.lab.set_trace(Some(trace.clone()));
            self.trace = Some(trace);
        }
    }

    /// The motion that is played, or the one that the link asks for, by its fingerprint.
    pub(super) fn named_motion(&self) -> Option<u32> {
        let played = self.played_motion().map(Motion::fingerprint);
        played.or(self.looking.motion)
    }

    /// The trace in use, or the one that the link asks for, by its fingerprint.
    pub(super) fn named_trace(&self) -> Option<u32> {
        let used = self.lab.trace().map(|trace| trace.fingerprint());
        used.or(self.looking.trace)
    }

    /// Says so where a link is of a trace that is not here.
    pub(super) fn ask_for_trace(&mut self) {
        let notice = self.looking.trace.map(notices::asks_for_trace);
        self.notices.extend(notice);
    }

    pub(super) fn ask_for_trace_no_more(&mut self) {
        let asked = self.looking.trace.map(notices::asks_for_trace);
        self.notices.retain(|notice| Some(notice) != asked.as_ref());
    }
}
