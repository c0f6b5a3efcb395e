//! New tracks, and new worlds for the same keys, made a tick at a time beside what is shown.
//!
//! Of each change there are two tracks: one that begins a few seconds ago and is soon there, and then the exact one from
//! the tape's start.

use super::{Lab, Progress};
use crate::channel::Fates;
use crate::settings::Settings;
use crate::settings::schema::Effect;
use crate::tape::Tape;
use crate::time::TICKS_PER_S;
use crate::track::Track;

/// A provisional track begins at a fork of the world at least this far back: two seconds to warm up, one to be shown.
const PROVISIONAL_TICKS: u64 = 3 * TICKS_PER_S as u64;

/// What is being made.
pub(super) struct Making {
    /// Those that it is made with. Where others have been set since, it is finished, shown, and begun anew: so a slider
    /// that is dragged shows something of its way.
    settings: Settings,
    fates: Fates,
    /// Another world that is given the same keys.
    tape: Option<Tape>,
    track: Option<Track>,
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

impl Lab {
    /// Does a piece of what is to be made, a tick or so. False where nothing is.
    pub fn work(&mut self) -> bool {
        let Some(making) = &mut self.making else {
            return false;
        };
        if let Some(tape) = &mut making.tape
            && tape.follow(&self.tape)
        {
            return true;
        }
        let tape = making.tape.as_ref().unwrap_or(&self.tape);
        // The first tick may have been forgotten since it began.
        if let Some(track) = &making.track
            && track.last_tick() < tape.first_tick()
        {
            making.track = None;
        }
        let playhead = self.playhead;
        let track = making.track.get_or_insert_with(|| {
            let provisional = tape.fork_tick(playhead.saturating_sub(PROVISIONAL_TICKS));
            let from = if making.exact {
                tape.first_tick()
            } else {
                provisional.max(tape.first_tick())
            };
            Track::new(tape, &making.settings, &making.fates, from)
        });
        let goal = if making.exact || track.is_exact() {
            tape.last_tick()
        } else {
            playhead
        };
        if track.last_tick() >= goal || !track.advance(tape) {
            self.swap();
        }
        true
    }

    /// Does all that is to be made.
    pub fn finish(&mut self) {
        while self.work() {}
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let Some(making) = &self.making else {
            return Progress::Done;
        };
        let last = self.tape.last_tick();
        let motion = making.tape.as_ref().map(Tape::last_tick);
        let track = making.track.as_ref().map(|track| {
            let first = track.from_tick();
            (track.last_tick() - first, last.saturating_sub(first))
        });
        let (done, of) = match (motion, track) {
            (Some(motion), None) => (motion, last),
            (_, track) => track.unwrap_or((0, last - self.tape.first_tick())),
        };
        if making.exact {
            Progress::Provisional { done, of }
        } else {
            Progress::Stale { done, of }
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
        let Some(making) = self.making.take() else {
            return;
        };
        if let Some(mut tape) = making.tape {
            tape.take_script_of(&mut self.tape);
            self.tape = tape;
            self.undone = None;
        }
        let Some(track) = making.track else {
            return;
        };
        let exact = track.is_exact();
        let old = std::mem::replace(&mut self.track, track);
        self.track.come_after(old);
        self.track.set_at_once(&self.settings);
        let effect = making.settings.effect_of_change_to(&self.settings);
        self.making = if effect > Effect::AtOnce || making.fates != self.fates {
            Some(Making::of_track(&self.settings, &self.fates))
        } else {
            (!exact).then(|| Making {
                exact: true,
                ..Making::of_track(&self.settings, &self.fates)
            })
        };
        self.show();
    }
}
