//! A visit of the laboratory: from a link on, through other links, steps, motions and traces. Whatever shows it holds one.
//!
//! It decides what survives a link, where a motion begins anew, and which notices are told. A browser adds only its clock,
//! its canvas and its files.

mod given;
mod links;
mod steps;
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
use snapshot_netsim::channel::Override;
use snapshot_netsim::trace::Trace;
use snapshot_physics::Input;
use snapshot_record::motion::Motion;
use snapshot_settings::presets::PRESETS;
use snapshot_settings::schema::Effect;
use snapshot_settings::{SettingError, Settings};
use std::sync::Arc;
pub use steps::{Cut, Stop, Tour, forget_unknown_step};

/// The laboratory, and everything of its link that is not the laboratory's.
pub struct Visit {
    lab: Lab,
    tour: Tour,
    notices: Vec<String>,
    /// The link's choice of figures and its recorded input, as long as nobody has done anything else. Its settings are the
    /// laboratory's, except for the scene whose script was taken over.
    looking: Link,
    /// The instant of the link that is being opened.
    going_to: Option<u64>,
    /// The ladders of lane A and lane B.
    ladders: [Option<Ladder>; 2],
    statistics: Option<WidthStatistics>,
    /// The motion from elsewhere that was last played, for going back to it.
    motion: Option<Motion>,
    /// The recorded link that was last used, for going back to it.
    trace: Option<Arc<Trace>>,
}

impl Visit {
    /// Opens a link, or its fragment; whatever comes, there is a laboratory. The link may name a step of the tour.
    pub fn new(link: &str, tour: Tour) -> Visit {
        let (looking, notices) = read(link, tour);
        let mut visit = Visit {
            lab: Lab::open(&looking),
            tour,
            notices,
            going_to: looking.at,
            looking,
            ladders: [None, None],
            statistics: None,
            motion: None,
            trace: None,
        };
        visit.ask_for_motion();
        visit.take_the_steps_trace();
        visit.ask_for_trace();
        visit
    }

    /// The laboratory.
    pub fn lab(&self) -> &Lab {
        &self.lab
    }

    /// The laboratory, for calls that no link tells of.
    pub fn lab_mut(&mut self) -> &mut Lab {
        &mut self.lab
    }

    /// The unusable parts of the link, and the files that it asks for, in words.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// The viewer's choices, such as the camera and the open packet.
    pub fn looking(&self) -> &Link {
        &self.looking
    }

    /// The viewer's choices, to be changed. None of them changes a figure.
    pub fn looking_mut(&mut self) -> &mut Link {
        &mut self.looking
    }

    /// Plays one tick with the person's keys; a scripted scene ignores them.
    pub fn tick(&mut self, input: Input) {
        self.cut_as_the_step_says();
        self.lab.tick(input);
    }

    /// Lets the person drive on from here.
    pub fn take_over(&mut self) {
        self.leave_the_link();
        self.lab.take_over();
    }

    /// Cuts the network, both ways, until it is let go.
    pub fn set_cut(&mut self, cut: bool) {
        if cut {
            self.leave_the_link();
        }
        self.lab.set_cut(cut);
    }

    /// Cuts the network for so many ticks.
    pub fn cut_for(&mut self, ticks: u32) {
        self.leave_the_link();
        self.lab.cut_for(ticks);
    }

    /// Makes B what A is, but for one packet, which is lost there or arrives.
    pub fn what_if(&mut self, number: u64, forced: Override) {
        self.leave_the_link();
        self.lab.what_if(number, forced);
    }

    /// The settings of a lane; A's for a B that is not there.
    pub fn settings_of(&self, lane: LaneId) -> &Settings {
        let lane = self.lab.lane(lane);
        lane.map_or(self.lab.settings(), LaneRun::settings)
    }

    /// Sets one setting of a lane from its text. Where there is no B yet there is one then, otherwise set as A is.
    ///
    /// # Errors
    /// When there is no such setting, the text is not a value of it, or there is no physics for it.
    pub fn set_text(&mut self, lane: LaneId, id: &str, text: &str) -> Result<(), SettingError> {
        let mut settings = *self.settings_of(lane);
        settings.set_text(id, text)?;
        self.apply(lane, settings)
    }

    /// Gives a lane other settings. Where there is no B yet there is one then. Another motion leaves the link's recording.
    ///
    /// # Errors
    /// When a lane would simulate and the motion has no physics behind it; nothing changes then.
    pub fn apply(&mut self, lane: LaneId, settings: Settings) -> Result<(), SettingError> {
        match lane {
            LaneId::A => {
                if self.lab.try_apply(settings)? >= Effect::Motion {
                    self.leave_the_link();
                }
            }
            LaneId::B => {
                self.lab.check_physics(&settings)?;
                self.lab.set_b(Some(settings));
            }
        }
        Ok(())
    }

    /// Goes over to a preset by its place in the table, with one lane; a place without one changes nothing.
    ///
    /// # Errors
    /// As [`Visit::apply`].
    pub fn choose_preset(&mut self, lane: LaneId, place: usize) -> Result<(), SettingError> {
        let Some(preset) = PRESETS.get(place) else {
            return Ok(());
        };
        let settings = preset.settings(self.settings_of(lane));
        self.apply(lane, settings)
    }

    /// Sets all of A and B that a ready-made comparison needs; a place without one changes nothing.
    ///
    /// # Errors
    /// As [`Visit::apply`]; A is as it was then too.
    pub fn compare(&mut self, place: usize) -> Result<(), SettingError> {
        let Some(comparison) = COMPARISONS.get(place) else {
            return Ok(());
        };
        let (a, b) = comparison.settings(self.lab.settings());
        self.lab.check_physics(&b)?;
        self.apply(LaneId::A, a)?;
        self.apply(LaneId::B, b)
    }

    /// Leaves A alone. The link's B is gone too, with its packets.
    pub fn drop_b(&mut self) {
        self.looking.b = None;
        self.lab.set_b(None);
    }

    /// Does a piece of both lanes' ladders over the window. False where there is none to do.
    pub fn climb(&mut self, window: Window) -> bool {
        let lanes = LaneId::ALL.into_iter().zip(&mut self.ladders);
        lanes.fold(false, |more, (lane, ladder)| {
            self.lab.climb(lane, ladder, window) || more
        })
    }

    /// A lane's ladder, as far as [`Visit::climb`] has come. None for a B whose ladder would be A's.
    pub fn rungs(&self, lane: LaneId) -> Option<RungCosts> {
        self.ladders[lane as usize].as_ref().map(Ladder::rows)
    }

    /// Does a piece of the counts of widths over the window. False where there is none to do.
    pub fn count_widths(&mut self, window: Window) -> bool {
        self.lab.count_widths(&mut self.statistics, window)
    }

    /// The counts so far, and the cost with any widths. None before [`Visit::count_widths`] has run.
    pub fn widths(&self) -> Option<WidthCounts> {
        let statistics = self.statistics.as_ref();
        statistics.map(|statistics| statistics.counts(self.lab.settings()))
    }
}
