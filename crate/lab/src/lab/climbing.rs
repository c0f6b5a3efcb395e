//! What is worked out over the whole motion, a piece at a time: the ladder, of A's settings and of B's, and the widths.

use super::Lab;
use crate::ladder::{Ladder, heeded};
use crate::settings::{Settings, Strategy};
use crate::span::Span;
use crate::widths::Survey;
use snapshot_netsim::channel::Fates;

impl Lab {
    /// A piece of work at a ladder of this motion and these settings: of the seconds up to what is shown, or of all that the
    /// tape holds. Another one is begun where `ladder` is none of these. False where nothing is left to do.
    pub fn climb(&self, ladder: &mut Option<Ladder>, span: Span) -> bool {
        self.climb_with(ladder, &self.settings, &self.fates, span)
    }

    /// The same with what is set for B. None, and nothing to do, where that makes no other ladder of this motion.
    pub fn climb_b(&self, ladder: &mut Option<Ladder>, span: Span) -> bool {
        let b = self.b.as_ref().filter(|b| {
            let (settings, fates) = (b.settings(), b.fates());
            let is_other = heeded(settings) != heeded(&self.settings) || *fates != self.fates;
            let of_snapshots = settings.strategy() == Strategy::Snapshot;
            is_other && of_snapshots && !b.is_on_another_motion()
        });
        let Some(b) = b else {
            *ladder = None;
            return false;
        };
        self.climb_with(ladder, b.settings(), b.fates(), span)
    }

    fn climb_with(
        &self,
        ladder: &mut Option<Ladder>,
        settings: &Settings,
        fates: &Fates,
        span: Span,
    ) -> bool {
        let (tape, until) = (&self.tape, self.until(span));
        ladder.take_if(|ladder| !ladder.fits(tape, settings, fates, span, until));
        let begin = || Ladder::of(tape, settings, fates, span, until);
        ladder.get_or_insert_with(begin).work(tape, until)
    }

    /// As [`Lab::climb`], of the differences of cubes to their baselines.
    pub fn survey(&self, survey: &mut Option<Survey>, span: Span) -> bool {
        let (tape, settings, fates) = (&self.tape, &self.settings, &self.fates);
        let until = self.until(span);
        survey.take_if(|survey| !survey.fits(tape, settings, fates, span, until));
        let begin = || Survey::of(tape, settings, fates, span, until);
        survey.get_or_insert_with(begin).work(tape, until)
    }

    fn until(&self, span: Span) -> u64 {
        match span {
            Span::Recent => self.playhead,
            Span::Whole => self.tape.last_tick(),
        }
    }
}
