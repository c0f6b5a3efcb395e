//! The verdict (recommended settings) on a motion received in parts.

use serde::Serialize;
use snapshot_analysis::verdict::{self, Answer, ChosenNetworks, Limits, Request};
use snapshot_netsim::channel::LinkInputs;
use snapshot_netsim::trace::Trace;
use snapshot_record::motion::Motion;
use snapshot_record::tape::Tape;
use snapshot_settings::permalink;

pub(super) struct Verdict {
    work: verdict::Verdict,
    tape: Tape,
    /// Number of finished parts that were told, or `None` after a change of wishes.
    told: Option<usize>,
}

/// A verdict as far as it has got.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct Decided {
    /// Finished share of the work, 0 to 1.
    share: f64,
    done: bool,
    /// The answer so far, where it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Answer>,
}

impl Verdict {
    /// Makes a verdict on a motion over the settings in a link's fragment, and over a recorded link where there is one.
    pub(super) fn new(motion: &Motion, link: &str, trace: Option<Trace>) -> Verdict {
        let tape = Tape::of_motion(motion, motion.ticks());
        let seconds = verdict::judged_seconds(tape.session_config().half_m.len());
        let until = tape.first_tick() + tape.tick_rate().ticks_of_seconds(seconds);
        let window = [tape.first_tick(), tape.last_tick().min(until)];
        let link_inputs = LinkInputs {
            trace: trace.map(Into::into),
            ..LinkInputs::default()
        };
        let (settings, _) = permalink::parse(link);
        let request = Request::default();
        Verdict {
            work: verdict::Verdict::new(&tape, &settings, &link_inputs, request, window),
            tape,
            told: None,
        }
    }

    /// Changes the limits of a recommendation, and the networks that one common setting must serve. If a network is unknown,
    /// the networks stay. Results that do not depend on the change are kept.
    pub(super) fn wish(&mut self, limits: Limits, networks: &[String]) {
        self.told = None;
        self.work.change(|request| request.limits = limits);
        if let Some(networks) = ChosenNetworks::new(networks.iter().map(String::as_str)) {
            self.work.change(|request| request.networks = networks);
        }
    }

    /// Does one piece of work. Returns true if there is more to do.
    pub(super) fn work(&mut self) -> bool {
        self.work.work(&self.tape)
    }

    /// Returns the verdict as far as it has got, with the answer if it is new since the last call.
    pub(super) fn decided(&mut self, done: bool) -> Decided {
        let parts = self.work.parts();
        let is_new = done || self.told != Some(parts);
        self.told = Some(parts);
        let answer = is_new.then(|| self.work.answer(&self.tape));
        Decided {
            share: self.work.share(),
            done,
            answer: answer.flatten(),
        }
    }
}
