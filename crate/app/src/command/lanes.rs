//! Commands for the settings of lanes A and B.

use crate::comparisons::COMPARISONS;
use crate::lane_run::LaneId;
use crate::session::Session;
use serde::Deserialize;
use snapshot_analysis::link_fit;
use snapshot_netsim::channel::Override;
use snapshot_settings::presets::PRESETS;
use snapshot_settings::schema::Effect;
use snapshot_settings::{Key, SettingError, Settings};

/// A change of lanes. A command for lane B creates it with A's settings if there is none.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LaneCommand {
    /// Has the form show and set the settings of a lane.
    Form {
        lane: LaneId,
    },
    /// Sets one setting, by its permalink key and text. A preset of the link may also make playout adaptive. While the session
    /// is paused, the motion of another scene is played up to the shown instant.
    Set {
        lane: LaneId,
        id: String,
        text: String,
    },
    /// Sets the bits of positions and orientations to a level of quantisation. If the rung sends floats, another rung replaces it.
    Quantise {
        lane: LaneId,
        level: u32,
    },
    /// Sets a preset, by its index in the table. An unknown index changes nothing.
    Preset {
        lane: LaneId,
        place: usize,
    },
    /// Sets A and B to a ready-made comparison, by its index in the table. An unknown index changes nothing.
    Compare {
        place: usize,
    },
    /// Gives B the settings of A.
    CopyAToB,
    Swap,
    /// Removes lane B, also from the link.
    DropB,
    /// Makes B a copy of A in which one packet is forced to be lost or delivered.
    Force {
        packet: u64,
        delivered: bool,
    },
    /// Applies the settings of the link model nearest to the recorded link. The recorded link stays in use.
    UseFit,
}

impl Session {
    pub(super) fn change_lanes(&mut self, command: LaneCommand) -> Result<(), SettingError> {
        match command {
            LaneCommand::Form { lane } => {
                self.form = lane;
                if lane == LaneId::B && self.lab.b().is_none() {
                    self.lab.set_b(Some(*self.lab.settings()));
                }
                Ok(())
            }
            LaneCommand::Set { lane, id, text } => {
                let at = self.lab.tick_count();
                let mut settings = *self.settings_of(lane);
                if settings.set_text(&id, &text)? == Key::Link {
                    settings.apply_advised_playout();
                }
                self.set_lane(lane, settings)?;
                // Another scene begins at 0.
                if self.is_paused && self.lab.tick_count() < at {
                    self.going_to = Some(at);
                }
                Ok(())
            }
            LaneCommand::Quantise { lane, level } => {
                let settings = self.settings_of(lane).with_quantisation(level);
                self.set_lane(lane, settings)
            }
            LaneCommand::Preset { lane, place } => {
                let Some(preset) = PRESETS.get(place) else {
                    return Ok(());
                };
                let settings = preset.settings(self.settings_of(lane));
                self.set_lane(lane, settings)
            }
            LaneCommand::Compare { place } => self.compare(place),
            LaneCommand::CopyAToB => {
                self.lab.set_b(Some(*self.lab.settings()));
                Ok(())
            }
            LaneCommand::Swap => {
                self.lab.swap_a_and_b();
                Ok(())
            }
            LaneCommand::DropB => {
                (self.view_state.b, self.view_state.client) = (None, None);
                self.lab.set_b(None);
                Ok(())
            }
            LaneCommand::Force { packet, delivered } => {
                self.leave_the_link();
                let forced = match delivered {
                    true => Override::Delivered,
                    false => Override::Lost,
                };
                self.lab.what_if(packet, forced);
                Ok(())
            }
            LaneCommand::UseFit => self.use_fit(),
        }
    }

    /// Changes all settings of a lane. If the motion changes, the link's recorded input is dropped.
    ///
    /// # Errors
    /// When the lane needs a simulated world that the motion does not have; nothing changes then.
    fn set_lane(&mut self, lane: LaneId, settings: Settings) -> Result<(), SettingError> {
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

    fn compare(&mut self, place: usize) -> Result<(), SettingError> {
        let Some(comparison) = COMPARISONS.get(place) else {
            return Ok(());
        };
        let (a, b) = comparison.settings(self.lab.settings());
        // B is checked first, so that a refusal changes neither lane.
        self.lab.check_physics(&b)?;
        self.set_lane(LaneId::A, a)?;
        self.set_lane(LaneId::B, b)
    }

    fn use_fit(&mut self) -> Result<(), SettingError> {
        let Some(trace) = self.lab.trace().cloned() else {
            return Ok(());
        };
        let fitted = |lane| {
            let mut settings = *self.settings_of(lane);
            settings.set_text("link", "own")?;
            for (id, text) in link_fit::changes(&settings, trace.delays()) {
                settings.set_text(id, &text)?;
            }
            Ok(settings)
        };
        let a = fitted(LaneId::A)?;
        let b = self.lab.b().map(|_| fitted(LaneId::B)).transpose()?;
        self.set_lane(LaneId::A, a)?;
        b.map_or(Ok(()), |b| self.set_lane(LaneId::B, b))
    }
}
