//! A session of the laboratory. It begins with a link, and goes on through other links, motions and traces.
//! The program that shows the laboratory holds one session.
//!
//! A session decides which state survives another link, when a motion restarts, and which notices the viewer gets. A browser
//! adds only its clock, its canvas and its files.

mod links;
mod opened;
#[cfg(test)]
mod tests;

use crate::Lab;
use crate::comparisons::COMPARISONS;
use crate::lane_run::{LaneId, LaneRun};
use crate::link::Link;
use links::read;
use snapshot_analysis::ladder::{Ladder, RungCosts};
use snapshot_analysis::widths::{WidthCounts, WidthStatistics};
use snapshot_analysis::window::Window;
use snapshot_lane::client::ClientRecording;
use snapshot_netsim::channel::Override;
use snapshot_netsim::trace::Trace;
use snapshot_physics::Inputs;
use snapshot_physics::scene::leashed;
use snapshot_record::motion::Motion;
use snapshot_settings::presets::PRESETS;
use snapshot_settings::schema::Effect;
use snapshot_settings::{SettingError, Settings};
use std::sync::Arc;

/// A session: the laboratory, and those parts of a link that the laboratory does not store.
pub struct Session {
    lab: Lab,
    notices: Vec<String>,
    /// The viewer's choices, and the link's recorded input until a person gives other input. Its settings are the
    /// laboratory's, with one exception: the scene stays that of the script after a person has taken over.
    view_state: Link,
    /// The tick up to which the page must play to show the link's instant; `None` once it is reached.
    going_to: Option<u64>,
    /// The ladders of lane A and lane B.
    ladders: [Option<Ladder>; 2],
    statistics: Option<WidthStatistics>,
    /// The recorded motion that was last played, stored for a return to it.
    motion: Option<Motion>,
    /// The client's recording that was last shown, stored for a return to it.
    client: Option<Arc<ClientRecording>>,
    /// The recorded link that was last used, stored for a return to it.
    trace: Option<Arc<Trace>>,
}

impl Session {
    /// Opens a link, or its fragment. Parts that cannot be used become notices.
    pub fn new(link: &str) -> Session {
        let (view_state, notices) = read(link);
        let mut session = Session {
            lab: Lab::open(&view_state),
            notices,
            going_to: view_state.at,
            view_state,
            ladders: [None, None],
            statistics: None,
            motion: None,
            client: None,
            trace: None,
        };
        session.ask_for_motion();
        session.ask_for_trace();
        session
    }

    pub fn lab(&self) -> &Lab {
        &self.lab
    }

    /// The laboratory, for changes that are not part of a link.
    pub fn lab_mut(&mut self) -> &mut Lab {
        &mut self.lab
    }

    /// Notices for the viewer: parts of the link that cannot be used, and files that the link needs.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// The viewer's choices, such as the camera and the open packet.
    pub fn view_state(&self) -> &Link {
        &self.view_state
    }

    /// The viewer's choices, for changing. No choice changes a measurement.
    pub fn view_state_mut(&mut self) -> &mut Link {
        &mut self.view_state
    }

    /// Plays one tick with the person's keys. At the grid's edge keys are changed, so that the driven cube stays near it. A
    /// scripted scene ignores the keys.
    pub fn tick(&mut self, person: impl Into<Inputs>) {
        let mut person = person.into();
        let tape = self.lab.tape();
        let drives = self.lab.is_at_end() && tape.motion().is_none() && !tape.is_scripted();
        if let ([player, ..], true) = (self.lab.truth(), drives) {
            let grid_m = self.lab.settings().world().grid_m();
            person.hand = leashed(person.hand, player, grid_m);
        }
        self.lab.tick(person);
    }

    /// Lets the person drive on from the shown tick.
    pub fn take_over(&mut self) {
        self.leave_the_link();
        self.lab.take_over();
    }

    /// Cuts or restores the network in both directions.
    pub fn set_cut(&mut self, cut: bool) {
        if cut {
            self.leave_the_link();
        }
        self.lab.set_cut(cut);
    }

    pub fn cut_for(&mut self, ticks: u32) {
        self.leave_the_link();
        self.lab.cut_for(ticks);
    }

    /// Makes B a copy of A in which one packet is forced to be lost or delivered.
    pub fn what_if(&mut self, number: u64, forced: Override) {
        self.leave_the_link();
        self.lab.what_if(number, forced);
    }

    /// Returns the settings of a lane; the settings of A if there is no B.
    pub fn settings_of(&self, lane: LaneId) -> &Settings {
        let lane = self.lab.lane(lane);
        lane.map_or(self.lab.settings(), LaneRun::settings)
    }

    /// Changes one setting of a lane by its text. If there is no B yet, B is created with A's other settings.
    ///
    /// # Errors
    /// When there is no such setting, the text is not one of its values, or the motion has no physics that it needs.
    pub fn set_text(&mut self, lane: LaneId, id: &str, text: &str) -> Result<(), SettingError> {
        let mut settings = *self.settings_of(lane);
        settings.set_text(id, text)?;
        self.apply(lane, settings)
    }

    /// Changes all settings of a lane. If there is no B yet, it is created. If the motion changes, the link's recorded input
    /// is dropped.
    ///
    /// # Errors
    /// When the lane needs a simulated world that the motion does not have; nothing changes then.
    pub fn apply(&mut self, lane: LaneId, settings: Settings) -> Result<(), SettingError> {
        match lane {
            LaneId::A => {
                if self.lab.try_apply(settings)? >= Effect::Motion {
                    self.leave_the_link();
                }
            }
            LaneId::B => {
                self.lab.check_physics(&settings)?;
                self.view_state.client = None;
                self.lab.set_b(Some(settings));
            }
        }
        Ok(())
    }

    /// Applies a preset to a lane, by its index in the table; an unknown index changes nothing.
    ///
    /// # Errors
    /// The error of [`Session::apply`].
    pub fn choose_preset(&mut self, lane: LaneId, place: usize) -> Result<(), SettingError> {
        let Some(preset) = PRESETS.get(place) else {
            return Ok(());
        };
        let settings = preset.settings(self.settings_of(lane));
        self.apply(lane, settings)
    }

    /// Sets A and B to a ready-made comparison, by its index in the table; an unknown index changes nothing.
    ///
    /// # Errors
    /// The error of [`Session::apply`]; A also keeps its settings then.
    pub fn compare(&mut self, place: usize) -> Result<(), SettingError> {
        let Some(comparison) = COMPARISONS.get(place) else {
            return Ok(());
        };
        let (a, b) = comparison.settings(self.lab.settings());
        self.lab.check_physics(&b)?;
        self.apply(LaneId::A, a)?;
        self.apply(LaneId::B, b)
    }

    /// Removes lane B from the laboratory, and from the link together with its overrides of packets.
    pub fn drop_b(&mut self) {
        (self.view_state.b, self.view_state.client) = (None, None);
        self.lab.set_b(None);
    }

    /// Does one piece of both lanes' ladders (costs of every encoding), over the window of ticks. Returns false once nothing
    /// is left to do.
    pub fn climb(&mut self, window: Window) -> bool {
        let lanes = LaneId::ALL.into_iter().zip(&mut self.ladders);
        lanes.fold(false, |more, (lane, ladder)| {
            self.lab.climb(lane, ladder, window) || more
        })
    }

    /// Returns the costs of the rungs for a lane, as far as [`Session::climb`] has computed them; `None` for a lane B whose
    /// ladder equals A's.
    pub fn rungs(&self, lane: LaneId) -> Option<RungCosts> {
        self.ladders[lane as usize].as_ref().map(Ladder::rows)
    }

    /// Does one piece of lane A's width statistics, over the window of ticks. Returns false once nothing is left to do.
    pub fn count_widths(&mut self, window: Window) -> bool {
        self.lab.count_widths(&mut self.statistics, window)
    }

    /// Returns the width statistics so far, with the cost of each pair of widths; `None` before [`Session::count_widths`].
    pub fn widths(&self) -> Option<WidthCounts> {
        let statistics = self.statistics.as_ref();
        statistics.map(|statistics| statistics.counts(self.lab.settings()))
    }
}
