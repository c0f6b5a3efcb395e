//! The recorded link of a link: the one that is held, or a notice that asks for its file.

use super::Page;
use snapshot_course as course;
use snapshot_netsim::trace::Trace;
use std::sync::Arc;

impl Page {
    /// Sends both lanes over a recorded link. A notice says so where the link names another one.
    pub(crate) fn take_trace(&mut self, trace: Arc<Trace>) {
        let own = trace.fingerprint();
        if let Some(asked) = self.looking.trace.take().filter(|asked| *asked != own) {
            self.notices.push(format!(
                "The link is of another trace ({asked:08x}); this is {own:08x}"
            ));
        }
        self.ask_for_motion();
        self.lab.set_trace(Some(trace.clone()));
        self.trace = Some(trace);
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
        let step = self.step().and_then(course::step);
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

    /// Begins anew with another link, and keeps the trace that is held.
    pub(super) fn begin_with(&mut self, link: &str) {
        let held = self.trace.take();
        let had = held.is_some();
        *self = Page::new(link);
        if had {
            self.trace = held;
            let asked = self.looking.trace;
            self.notices
                .retain(|notice| Some(notice) != asked.map(asking).as_ref());
            self.follow_the_links_trace();
        }
    }

    pub(crate) fn ask_for_no_trace(&mut self) {
        self.looking.trace = None;
    }

    /// The trace in use, or the one that the link asks for, by its fingerprint.
    pub(super) fn named_trace(&self) -> Option<u32> {
        let used = self.lab.trace().map(|trace| trace.fingerprint());
        used.or(self.looking.trace)
    }

    /// Says so where a link is of a trace that is not here.
    pub(super) fn ask_for_trace(&mut self) {
        self.notices.extend(self.looking.trace.map(asking));
    }
}

fn asking(asked: u32) -> String {
    format!(
        "This link is of somebody's own network ({asked:08x}), a trace that no link can carry: drop its file on this page. Until then the settings' network is used"
    )
}
