//! New tracks, and new worlds for the same keys, made a tick at a time beside what is shown.
//!
//! Of each change there are two tracks: one that begins a few seconds ago and is soon there, and then the exact one from
//! the tape's start.

use super::{Lab, Progress};
use crate::settings::Settings;
use crate::settings::schema::Effect;
use crate::tape::Tape;
use crate::track::Track;
use snapshot_netsim::channel::Fates;

/// What is being made.
pub(super) struct Making {
    /// Those that it is made with. Where others have been set since, it is finished, shown, and begun anew: so a slider
    /// that is dragged shows something of its way.
    settings: Settings,
    fates: Fates,
    /// Another world that is given the same keys.
    pub(super) tape: Option<Tape>,
    pub(super) track: Option<Track>,
    exact: bool,
}

impl Making {
    /// Another track of the same tape.
    pub(super) fn of_track(settings: &Settings, fates: &Fates) -> Making {
        Making {
            settings: *settings,
            fates: fates.clone(),
            tape: None,
            track: None,
            exact: false,
        }
    }

    /// The same keys for another world.
    pub(super) fn of_motion(settings: &Settings, fates: &Fates, tape: &Tape) -> Making {
        Making {
            tape: Some(tape.begin_again(settings.world())),
            ..Making::of_track(settings, fates)
        }
    }
}

impl Making {
    /// A piece of it, a tick or so, up to what is shown or, of the exact one, to the tape's end. True once it is there.
    pub(super) fn advance(&mut self, tape: &Tape, playhead: u64) -> bool {
        if let Some(other) = &mut self.tape
            && other.follow(tape)
        {
            return false;
        }
        let tape = self.tape.as_ref().unwrap_or(tape);
        // The first tick may have been forgotten since it began.
        if let Some(track) = &self.track
            && track.last_tick() < tape.first_tick()
        {
            self.track = None;
        }
        let track = self.track.get_or_insert_with(|| {
            let settings = self.settings.lane();
            let from = if self.exact {
                tape.first_tick()
            } else {
                Track::begins_for(tape, &settings, playhead)
            };
            Track::new(tape, &settings, &self.fates, from)
        });
        let goal = if self.exact || track.is_exact() {
            tape.last_tick()
        } else {
            playhead
        };
        track.last_tick() >= goal || !track.advance(tape)
    }

    /// How far it is, of a tape.
    pub(super) fn progress(&self, tape: &Tape) -> Progress {
        let last = tape.last_tick();
        let motion = self.tape.as_ref().map(Tape::last_tick);
        let track = self.track.as_ref().map(|track| {
            let first = track.from_tick();
            (track.last_tick() - first, last.saturating_sub(first))
        });
        let (done, of) = match (motion, track) {
            (Some(motion), None) => (motion, last),
            (_, track) => track.unwrap_or((0, last - tape.first_tick())),
        };
        if self.exact {
            Progress::Provisional { done, of }
        } else {
            Progress::Stale { done, of }
        }
    }

    /// What comes after it, once it is shown for these settings: another one where they are others by now, the exact one
    /// where it was not, or nothing.
    pub(super) fn next(&self, exact: bool, settings: &Settings, fates: &Fates) -> Option<Making> {
        let effect = self.settings.effect_of_change_to(settings);
        if effect > Effect::AtOnce || self.fates != *fates {
            return Some(Making::of_track(settings, fates));
        }
        (!exact).then(|| Making {
            exact: true,
            ..Making::of_track(settings, fates)
        })
    }
}

impl Lab {
    /// Does a piece of what is to be made, a tick or so. False where nothing is.
    pub fn work(&mut self) -> bool {
        let Some(making) = &mut self.making else {
            return self
                .b
                .as_mut()
                .is_some_and(|b| b.work(&self.tape, self.playhead));
        };
        if making.advance(&self.tape, self.playhead) {
            self.swap();
        }
        true
    }

    /// Does all that is to be made.
    pub fn finish(&mut self) {
        while self.work() {}
    }

    /// How far it is: lane A's, and after it lane B's.
    pub fn progress(&self) -> Progress {
        match (&self.making, &self.b) {
            (Some(making), _) => making.progress(&self.tape),
            (None, Some(b)) => b.progress(&self.tape),
            (None, None) => Progress::Done,
        }
    }

    /// Other settings of the lane: what is being made for it is begun anew, unless it will soon be shown.
    pub(super) fn remake(&mut self) {
        match &mut self.making {
            Some(making) if !making.exact => {}
            making => *making = Some(Making::of_track(&self.settings, &self.fates)),
        }
    }

    /// What was made comes in place of what is shown.
    fn swap(&mut self) {
        let Some(mut making) = self.making.take() else {
            return;
        };
        if let Some(mut tape) = making.tape.take() {
            tape.take_script_of(&mut self.tape);
            self.tape = tape;
            self.undone = None;
            self.remake_b();
        }
        let Some(track) = making.track.take() else {
            return;
        };
        let exact = track.is_exact();
        let old = std::mem::replace(&mut self.track, track);
        self.track.come_after(old);
        self.making = making.next(exact, &self.settings, &self.fates);
        self.show();
    }
}
