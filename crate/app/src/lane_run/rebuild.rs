//! Rebuild of a lane's history after a change, tick by tick, while the old history is shown. A lane is one sender, its link
//! and its receiver.
//!
//! Each change has two rebuilds. The provisional rebuild starts a few seconds before the playhead, and is soon shown. The
//! exact rebuild starts at the tape's first tick, and replaces the provisional one.
//!
//! The reasons are in `docs/decisions/0025-rebuilt-histories.md`.

use snapshot_lane::client::ClientRecording;
use snapshot_lane::history::LaneHistory;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::tape::Tape;
use snapshot_settings::Settings;
use snapshot_settings::schema::Effect;
use std::sync::Arc;

/// Progress of a rebuild: whether the shown history was made with the present settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The shown history has the present settings, and starts at the tape's first tick.
    Done,
    /// The shown history has the present settings, but starts only a few seconds before the playhead.
    Provisional {
        /// Number of finished ticks of the exact history.
        done: u64,
        /// Total number of ticks of the exact history.
        of: u64,
    },
    /// The shown history still has the earlier settings.
    Stale {
        /// Number of finished ticks of the provisional history.
        done: u64,
        /// Total number of ticks of the provisional history.
        of: u64,
    },
}

pub(super) struct Rebuild {
    /// Settings of the rebuild. If the lane's settings change meanwhile, the rebuild is finished and shown, and another one
    /// begins. So the view changes while a slider is dragged.
    settings: Settings,
    link_inputs: LinkInputs,
    /// Tape of another world that replays the same keys, if the settings need one.
    tape: Option<Tape>,
    history: Option<LaneHistory>,
    exact: bool,
}

pub(super) struct RebuildResult {
    /// Tape of the new world, if the rebuild made another world.
    pub(super) tape: Option<Tape>,
    pub(super) history: Option<LaneHistory>,
    pub(super) next: Option<Rebuild>,
}

impl Rebuild {
    /// Begins a rebuild of the history, and of the world if the settings need another one than the tape's.
    pub(super) fn new(settings: &Settings, link_inputs: &LinkInputs, tape: &Tape) -> Rebuild {
        let rebuild = Rebuild::of_history(settings, link_inputs);
        let world = settings.world();
        Rebuild {
            tape: (!tape.moves_as(&world)).then(|| tape.begin_again(world)),
            ..rebuild
        }
    }

    pub(super) fn of_history(settings: &Settings, link_inputs: &LinkInputs) -> Rebuild {
        Rebuild {
            settings: *settings,
            link_inputs: link_inputs.clone(),
            tape: None,
            history: None,
            exact: false,
        }
    }

    /// Returns true if this is the exact rebuild, whose history starts at the tape's first tick.
    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    /// Returns true if the rebuild simulates another world.
    pub(super) fn has_world(&self) -> bool {
        self.tape.is_some()
    }

    /// Does one piece of the rebuild, about a tick. Returns true once the history reaches the playhead or, in an exact
    /// rebuild, the tape's end.
    pub(super) fn advance(
        &mut self,
        tape: &Tape,
        client: Option<&Arc<ClientRecording>>,
        playhead: u64,
    ) -> bool {
        if let Some(other) = &mut self.tape
            && other.follow(tape)
        {
            return false;
        }
        let tape = self.tape.as_ref().unwrap_or(tape);
        // The first tick may have been forgotten since it began.
        if let Some(history) = &self.history
            && history.last_tick() < tape.first_tick()
        {
            self.history = None;
        }
        let history = self.history.get_or_insert_with(|| {
            let settings = self.settings.lane();
            if let Some(client) = client {
                return LaneHistory::of_client(tape, &settings, client);
            }
            let start_tick = if self.exact {
                tape.first_tick()
            } else {
                LaneHistory::start_for(tape, &settings, &self.link_inputs, playhead)
            };
            LaneHistory::new(tape, &settings, &self.link_inputs, start_tick)
        });
        let goal = if self.exact || history.is_exact() {
            tape.last_tick()
        } else {
            playhead
        };
        history.last_tick() >= goal || !history.advance(tape)
    }

    pub(super) fn progress(&self, tape: &Tape) -> Progress {
        let last = tape.last_tick();
        let world = self.tape.as_ref().map(Tape::last_tick);
        let history = self.history.as_ref().map(|history| {
            let first = history.start_tick();
            (history.last_tick() - first, last.saturating_sub(first))
        });
        let (done, of) = match (world, history) {
            (Some(done), None) => (done, last),
            (_, history) => history.unwrap_or((0, last - tape.first_tick())),
        };
        if self.exact {
            Progress::Provisional { done, of }
        } else {
            Progress::Stale { done, of }
        }
    }

    /// Ends the rebuild. If the settings have changed meanwhile, the next rebuild uses the new ones; else the next rebuild
    /// makes a provisional history exact.
    pub(super) fn finish(self, settings: &Settings, link_inputs: &LinkInputs) -> RebuildResult {
        let changed = self.settings.effect_of_change_to(settings) > Effect::AtOnce;
        let next = match &self.history {
            None => None,
            Some(_) if changed || self.link_inputs != *link_inputs => {
                Some(Rebuild::of_history(settings, link_inputs))
            }
            Some(history) if history.is_exact() => None,
            Some(_) => Some(Rebuild {
                exact: true,
                ..Rebuild::of_history(settings, link_inputs)
            }),
        };
        RebuildResult {
            tape: self.tape,
            history: self.history,
            next,
        }
    }
}
