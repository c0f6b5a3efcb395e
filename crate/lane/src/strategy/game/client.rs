//! The client of a game. It sends the driver's keys, receives the server's states, and draws a picture from both.

use super::Simulator;
use super::ages::DrawnCube;
use super::prediction::{Correction, Prediction, SteeredCubes};
use crate::strategy::sync::PoseOffset;
use crate::tape_world::TapeWorld;
use snapshot_base::time::TickRate;
use snapshot_codec::{CubeState, Life};
use snapshot_replication::{Client, RefusalReason, Settings, SettingsError};
use snapshot_settings::{Correct, Predict, Smoothing};
use snapshot_view::Pose;

/// Settings of a game's client, in addition to the settings of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameClientConfig {
    pub(crate) predict: Predict,
    pub(crate) correct: Correct,
    /// Index of the client's own cube.
    pub(crate) own: usize,
    /// Index of the cube that another person steers; `None` without such a cube.
    pub(crate) rival: Option<usize>,
    /// True if objects that have not arrived yet are not drawn. Such objects exist with a budget or a limit of sight.
    pub(crate) hides_missing: bool,
}

/// A client of a game that predicts its own cube, or waits for the server.
pub(crate) struct GameClient {
    client: Client,
    config: GameClientConfig,
    rate: TickRate,
    send_rate: u32,
    format: snapshot_codec::Format,
    prediction: Option<Prediction>,
    /// Tick of the newest snapshot that the prediction has used.
    used_tick: u64,
    /// Poses of cubes that are interpolated, not predicted.
    interpolated: Vec<Pose>,
    /// Age of each cube's newest state when the newest packet left the server, ms; `None` for a cube that has not come.
    ages_ms: Vec<Option<f32>>,
    shown: Vec<Pose>,
    was_predicted: Vec<bool>,
    offsets: Vec<PoseOffset>,
}

impl GameClient {
    /// Creates a client that asks to join. `initial` has the poses to show before the first snapshot.
    ///
    /// # Errors
    /// When the settings are invalid.
    pub(crate) fn new(
        settings: Settings,
        config: GameClientConfig,
        initial: &[Pose],
        (token, nonce): (&[u8], u64),
    ) -> Result<GameClient, SettingsError> {
        let rate =
            TickRate::new(settings.tick_rate).ok_or(SettingsError::TickRate(settings.tick_rate))?;
        Ok(GameClient {
            config,
            rate,
            send_rate: settings.send_rate,
            format: settings.format()?,
            client: Client::new(settings, token, nonce)?,
            prediction: None,
            used_tick: 0,
            interpolated: initial.to_vec(),
            ages_ms: vec![None; initial.len()],
            shown: initial.to_vec(),
            was_predicted: vec![false; initial.len()],
            offsets: vec![PoseOffset::NONE; initial.len()],
        })
    }

    /// Begins to predict. `world` is the server's world at `tick`, which both ends know.
    pub(crate) fn begin(&mut self, sim: &mut dyn Simulator, world: TapeWorld, tick: u64) {
        if self.config.predict != Predict::Wait {
            let config = (self.format, self.rate, self.send_rate);
            let cubes = SteeredCubes {
                own: self.config.own,
                rival: self.config.rival,
            };
            let prediction = Prediction::new(sim, world, tick, self.config.predict, config, cubes);
            self.was_predicted
                .copy_from_slice(prediction.shown_predicted());
            self.prediction = Some(prediction);
            self.used_tick = self.used_tick.max(tick);
        }
    }

    /// Receives a datagram of the server. A newer snapshot corrects the prediction.
    ///
    /// # Errors
    /// When the datagram is refused. Nothing changes then.
    pub(crate) fn receive(
        &mut self,
        sim: &mut dyn Simulator,
        now_ms: f64,
        datagram: &[u8],
    ) -> Result<(), RefusalReason> {
        self.client.receive(now_ms, datagram)?;
        let newest = self.client.newest();
        if let (Some((tick, objects)), Some(prediction)) = (newest, &mut self.prediction)
            && tick > self.used_tick
        {
            self.used_tick = tick;
            prediction.on_snapshot(sim, tick, objects);
        }
        self.hold_picture();
        Ok(())
    }

    /// Predicts all ticks up to `tick`, with the keys of that tick.
    pub(crate) fn advance(&mut self, sim: &mut dyn Simulator, tick: u64, keys: u8) {
        if let Some(prediction) = &mut self.prediction {
            while prediction.tick() < tick {
                prediction.advance(sim, keys);
            }
            self.hold_picture();
        }
    }

    /// Holds the picture where it was before a correction, so that the error fades from it.
    fn hold_picture(&mut self) {
        let Some(prediction) = &mut self.prediction else {
            return;
        };
        let Some(states) = prediction.take_corrected() else {
            return;
        };
        if self.config.correct == Correct::Glide {
            for (index, offset) in self.offsets.iter_mut().enumerate() {
                if prediction.shown_predicted()[index] && self.was_predicted[index] {
                    *offset = PoseOffset::hold(&self.shown[index], &Pose::from(&states[index]));
                }
            }
        }
    }

    /// Writes the poses of a frame: predicted cubes as they are at the client's tick, other cubes as they were a little
    /// earlier. The flag `interacting` marks predicted cubes and the client's own cube.
    pub(crate) fn show(&mut self, sim: &dyn Simulator, now_ms: f64, poses: &mut [Pose]) {
        self.ages_ms.fill(None);
        for object in self.client.show(now_ms) {
            let index = object.id as usize;
            if let Some(pose) = self.interpolated.get_mut(index) {
                self.ages_ms[index] = Some(object.age_ms);
                pose.position = object.position;
                pose.orientation = object.orientation;
                pose.interacting = false;
                pose.life = Life::FIRST;
            }
        }
        if self.config.hides_missing {
            let ages_ms = self.ages_ms.iter();
            let missing = ages_ms.zip(&mut self.interpolated);
            let missing = missing.filter(|(age_ms, _)| age_ms.is_none());
            missing.for_each(|(_, pose)| pose.life = Life::EMPTY);
        }
        let predicted = self.prediction.as_ref();
        let predicted =
            predicted.map(|prediction| (prediction.states(sim), prediction.shown_predicted()));
        for (index, shown) in self.shown.iter_mut().enumerate() {
            let state = predicted.filter(|it| it.1[index]).map(|it| &it.0[index]);
            let mut pose = state.map_or(self.interpolated[index], Pose::from);
            pose.interacting = state.is_some() || index == self.config.own;
            let was_predicted = std::mem::replace(&mut self.was_predicted[index], state.is_some());
            let offset = &mut self.offsets[index];
            if was_predicted != state.is_some() && self.config.correct == Correct::Glide {
                // The cube changes between the past and the present.
                *offset = PoseOffset::hold(shown, &pose);
            }
            offset.decay(Smoothing::Basic);
            *shown = offset.apply(&pose);
        }
        poses.copy_from_slice(&self.shown);
    }

    /// Returns each cube as it was drawn by the last [`GameClient::show`], before any error fades from the picture.
    pub(super) fn drawn(&self) -> impl Iterator<Item = DrawnCube> {
        let cubes = self.interpolated.iter().zip(&self.ages_ms);
        cubes
            .zip(&self.was_predicted)
            .map(|((pose, age_ms), is_predicted)| DrawnCube {
                pose: *pose,
                age_ms: age_ms.filter(|_| !is_predicted),
            })
    }

    /// Age of each cube's newest state when the newest packet left the server, ms; `None` for a cube that has not come.
    pub(super) fn ages_ms(&self) -> &[Option<f32>] {
        &self.ages_ms
    }

    /// Returns the corrections since the last call.
    pub(crate) fn drain_corrections(&mut self) -> Vec<Correction> {
        let prediction = self.prediction.as_mut();
        prediction.map_or_else(Vec::new, Prediction::drain_corrections)
    }

    pub(crate) fn newest_tick(&self) -> Option<u64> {
        self.client.newest().map(|(tick, _)| tick)
    }

    /// The prediction; `None` for a client that waits, and before [`GameClient::begin`].
    pub(super) fn prediction(&self) -> Option<&Prediction> {
        self.prediction.as_ref()
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn client_mut(&mut self) -> &mut Client {
        &mut self.client
    }

    /// Predicts another set of cubes from now on. The prediction ends; [`GameClient::begin`] begins the next one.
    pub(crate) fn set_predict(&mut self, predict: Predict) {
        self.config.predict = predict;
        self.prediction = None;
    }

    /// Index of the client's own cube.
    pub(crate) fn own(&self) -> usize {
        self.config.own
    }

    /// Predicted state of the client's own cube; `None` while nothing is predicted.
    pub(crate) fn own_state(&self, sim: &dyn Simulator) -> Option<CubeState> {
        let prediction = self.prediction.as_ref()?;
        prediction.states(sim).get(self.config.own).copied()
    }

    pub(crate) fn is_predicting(&self) -> bool {
        self.prediction.is_some()
    }
}
