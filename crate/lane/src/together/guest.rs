//! A guest's end of a shared world. A *guest* is a person who joins a host's world over a real network. The guest's keys
//! are sent, the host's states are received, and a picture is drawn from both.

use super::arrivals::Arrivals;
use super::connection_log::ConnectionLog;
use super::host::lost_of_sent;
use super::recording::GuestRecorder;
use super::report::{HostWord, Report, TIME_MAX_MS};
use super::shown_frames::ShownFrames;
use super::simulator::GuestSimulator;
use super::still::StillMeter;
use super::{ShareError, connection_of, snapshot_hash};
use crate::bytes::TICKS_END;
use crate::client::ShownInstant;
use crate::queue::drop_front;
use crate::strategy::game::{GameClient, GameClientConfig};
use serde::Serialize;
use snapshot_base::time::WORLD;
use snapshot_physics::input::Input;
use snapshot_physics::scene::leashed;
use snapshot_physics::world::World;
use snapshot_replication::{Status, connection::Refusal};
use snapshot_settings::{Predict, Settings};
use snapshot_view::Pose;
use snapshot_view::interpolate::Interpolation;
use snapshot_view::playout::Playout;
use std::collections::VecDeque;

/// Time between two reports to the host, ms.
const REPORT_MS: f64 = 500.0;
/// Ticks between two snapshots whose hashes are reported.
const HASH_TICKS: u64 = 60;
/// Time that a prediction may be behind the client's keys before it begins anew, ticks: a page that slept does not catch up.
const BEHIND_MAX_TICKS: u64 = 90;
/// Length of the window whose fastest snapshot tells the tick that the host has reached, ms. After a pause of the host, the
/// estimate is right again when the window has passed.
const FASTEST_MS: f64 = 2_000.0;
/// Upper limit of the estimate of the host's tick, in ticks after the newest snapshot: the host may have paused.
const AHEAD_MAX_TICKS: f64 = 30.0;
/// Index of the cube that the host's own hand steers.
const HOST_CUBE: usize = 0;

/// Greatest delay that a guest may choose, ms.
const MOST_DELAY_MS: f64 = 2_000.0;
/// State of a guest's connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum GuestStatus {
    /// The guest has asked to join, or waits for the objects.
    Joining,
    Playing,
    /// The host refused the guest, or ended.
    Refused,
    /// The guest left.
    Left,
}

/// Figures of a guest's screen and connection.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct GuestFigures {
    pub status: GuestStatus,
    /// Reason for a refusal, in words; `None` without a refusal.
    pub why: Option<String>,
    pub round_trip_ms: Option<f64>,
    /// Share of the newest packets to the guest that were lost on the way, percent. Packets that the host left out itself are
    /// not lost.
    pub lost_percent: f64,
    /// Share of the newest packets to the guest that the host left out, because earlier ones waited there, percent.
    pub left_out_percent: f64,
    /// Share of the guest's newest datagrams that were lost on the way to the host, percent.
    pub lost_there_percent: f64,
    /// Rate of the received datagrams, without headers, kbit/s. `kbps_sent` is the rate of the sent ones.
    pub kbps_received: f64,
    pub kbps_sent: f64,
    /// Age of the picture, ms: the playout delay, and half of the least round trip.
    pub screen_age_ms: Option<f64>,
    /// Total time within the last minute in which the picture stood still, ms.
    pub still_ms: f64,
    pub corrections: u64,
    /// Number of ticks whose keys reached the host too late. `keys_lost` counts ticks whose keys never arrived.
    pub keys_late: u32,
    pub keys_lost: u32,
    /// Number of decoded snapshots.
    pub snapshots: u64,
}

/// A guest of a shared world, who sees the world and steers the second cube.
///
/// Call [`Guest::frame`] for each frame, and [`Guest::next_datagram`] until it returns `None` after that.
pub struct Guest {
    client: GameClient,
    simulator: GuestSimulator,
    predict: Predict,
    settings: Settings,
    sees_all: bool,
    poses: Vec<Pose>,
    outbox: VecDeque<Vec<u8>>,
    /// The newest tick for which the caller has given keys.
    keys_tick: Option<u64>,
    /// Fastest snapshots of late, oldest first: time of arrival, and this time minus the snapshot's tick, both in ms. The
    /// differences rise: a faster snapshot replaces slower ones before it.
    fastest: VecDeque<(f64, f64)>,
    newest_tick: Option<u64>,
    snapshots: u64,
    corrections: u64,
    /// The host's newest message; `None` before the first one.
    word: Option<HostWord>,
    decoded: Option<(u64, u64)>,
    still: StillMeter,
    reported_ms: f64,
    shown: ShownFrames,
    log: ConnectionLog,
    /// Snapshots that arrived since the last report.
    arrivals: Arrivals,
    now_ms: f64,
    recorder: Option<GuestRecorder>,
}

impl Guest {
    /// Makes a guest who asks to join. `settings` are those of the host's link; `nonce` must be random.
    ///
    /// # Errors
    /// When the settings have no second cube, or make no connection.
    pub fn new(settings: &Settings, nonce: u64) -> Result<Guest, ShareError> {
        let mut guest = Guest::unrecorded(settings, nonce)?;
        guest.recorder = Some(GuestRecorder::new(settings, nonce));
        Ok(guest)
    }

    /// Makes a guest who is not recorded.
    pub(super) fn unrecorded(settings: &Settings, nonce: u64) -> Result<Guest, ShareError> {
        let (game, lane) = connection_of(settings)?;
        let made_from = settings.world();
        let initial: Vec<Pose> = World::initial(&made_from).iter().map(Pose::from).collect();
        let rival = made_from.rival_among(initial.len());
        let predict = lane.predict();
        let has_budget = game.budget_kbps.is_some();
        let config = GameClientConfig {
            predict,
            correct: lane.correct(),
            own: rival.ok_or(ShareError::NoSecondCube)?,
            rival: Some(HOST_CUBE),
            hides_missing: has_budget || lane.sight_m().is_some(),
        };
        Ok(Guest {
            client: GameClient::new(game, config, &initial, (&[], nonce))?,
            simulator: GuestSimulator { made_from },
            predict,
            settings: *settings,
            sees_all: !config.hides_missing,
            poses: initial,
            outbox: VecDeque::new(),
            keys_tick: None,
            fastest: VecDeque::new(),
            newest_tick: None,
            snapshots: 0,
            corrections: 0,
            word: None,
            decoded: None,
            still: StillMeter::default(),
            reported_ms: f64::NEG_INFINITY,
            shown: ShownFrames::new(WORLD.hz()),
            log: ConnectionLog::default(),
            arrivals: Arrivals::default(),
            now_ms: 0.0,
            recorder: None,
        })
    }

    /// Receives a datagram from the host. A datagram that is refused changes nothing.
    pub fn receive(&mut self, now_ms: f64, datagram: &[u8]) {
        if let Some(recorder) = &mut self.recorder {
            recorder.receive(now_ms, datagram);
        }
        if self
            .client
            .receive(&mut self.simulator, now_ms, datagram)
            .is_err()
        {
            return;
        }
        self.log.on_received(now_ms, datagram);
        let Some(newest) = self.client.newest_tick() else {
            return;
        };
        let before = self.newest_tick.replace(newest);
        if before.is_some_and(|before| before >= newest) {
            return;
        }
        self.snapshots += 1;
        self.on_arrival(now_ms, newest);
        let second = |tick: u64| tick / HASH_TICKS;
        let is_due = before.is_none_or(|before| second(before) < second(newest));
        if is_due
            && self.sees_all
            && let Some((tick, objects)) = self.client.client().newest()
        {
            self.decoded = Some((tick, snapshot_hash(objects)));
        }
    }

    /// Makes a frame: gives the keys to all ticks that are due, predicts, and draws. A leash keeps a predicted own cube on
    /// the grid, as it keeps the host's cube. Returns true if the keys were used for a tick.
    ///
    /// `may_send` is false while earlier datagrams wait at the caller. Then no datagram is made, so none is missing at the
    /// host; the next frame's datagram has these keys, too.
    pub fn frame(&mut self, now_ms: f64, keys: u8, may_send: bool) -> bool {
        if let Some(recorder) = &mut self.recorder {
            recorder.frame(now_ms, keys, may_send);
        }
        self.now_ms = now_ms;
        let own = self.client.own_state(&self.simulator);
        let keys = own.map_or(keys, |own| {
            let grid_m = self.simulator.made_from.grid_m();
            leashed(Input::from_bits(keys), &own, grid_m).bits()
        });
        let keys_before = self.keys_tick;
        while let Some(tick) = self.client.client_mut().next_input(now_ms) {
            if self.client.client_mut().input(tick, &[keys]).is_ok() {
                self.keys_tick = Some(tick);
            }
        }
        while let Some(bytes) = self.client.client_mut().next_message() {
            let word = HostWord::of_bytes(&bytes);
            let is_newer = |word: &HostWord| self.word.is_none_or(|old| old.number < word.number);
            self.word = word.filter(is_newer).or(self.word);
        }
        self.predict(keys);
        self.client.show(&self.simulator, now_ms, &mut self.poses);
        self.corrections += self.client.drain_corrections().len() as u64;
        if let Some(recorder) = &mut self.recorder {
            recorder.shown(&self.poses);
        }
        self.on_shown(now_ms);
        self.report(now_ms);
        while may_send && let Some(datagram) = self.client.client_mut().send(now_ms) {
            self.outbox.push_back(datagram);
        }
        self.keys_tick != keys_before
    }

    /// Returns the next datagram for the host; `None` if none is due.
    #[must_use]
    pub fn next_datagram(&mut self) -> Option<Vec<u8>> {
        let datagram = self.outbox.pop_front()?;
        self.log.on_sent(self.now_ms, &datagram);
        if let Some(recorder) = &mut self.recorder {
            recorder.sent(&datagram);
        }
        Some(datagram)
    }

    /// Sets the guest's own choices: the predicted cubes, the interpolation between two snapshots, and the playout delay in
    /// ms. A delay of `None` adapts.
    pub fn choose(
        &mut self,
        predict: Predict,
        interpolation: Interpolation,
        delay_ms: Option<f64>,
    ) {
        let delay_ms = delay_ms.map(|ms| ms.clamp(0.0, MOST_DELAY_MS));
        if let Some(recorder) = &mut self.recorder {
            recorder.choose(predict, interpolation, delay_ms);
        }
        if predict != self.predict {
            self.predict = predict;
            self.begin_prediction();
        }
        let playout = match delay_ms {
            Some(delay_ms) => Playout::Fixed { delay_ms },
            None => Playout::Adaptive(self.settings.lane().playout_aim()),
        };
        self.client.client_mut().set_playout(interpolation, playout);
    }

    /// Says goodbye to the host.
    pub fn end(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.end();
        }
        self.outbox.extend(self.client.client_mut().goodbye());
    }

    /// The settings of the host's link.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Index of the guest's own cube.
    pub fn own(&self) -> usize {
        self.client.own()
    }

    /// Poses of all cubes in the last frame.
    pub fn poses(&self) -> &[Pose] {
        &self.poses
    }

    /// Returns the frames that the guest showed in the last minute, as bytes of `ClientRecording::to_bytes`. Lane B of the
    /// host can show them.
    pub fn shown_frames(&self) -> Vec<u8> {
        self.shown
            .to_bytes(self.screen_age_ms().unwrap_or_default())
    }

    /// Log of the datagrams that passed this end, for the host's [`network`](super::network).
    pub fn log(&self) -> &ConnectionLog {
        &self.log
    }

    /// Returns a recording of all calls to the guest so far, for [`replay_guest`](super::replay_guest).
    pub fn recording(&self) -> Vec<u8> {
        let recorder = self.recorder.as_ref();
        recorder.map_or_else(Vec::new, GuestRecorder::to_bytes)
    }

    pub fn figures(&self) -> GuestFigures {
        let client = self.client.client();
        let figures = client.figures();
        let word = self.word.unwrap_or_default();
        let left_out = f64::from(word.left_out) / 255.0;
        let (status, why) = match client.status() {
            Status::Connecting | Status::Full => (GuestStatus::Joining, None),
            Status::Connected if self.newest_tick.is_none() => (GuestStatus::Joining, None),
            Status::Connected => (GuestStatus::Playing, None),
            Status::Refused(Refusal::OtherSettings, _) => {
                let why = "The host has another version of the lab, or other settings.";
                (GuestStatus::Refused, Some(why.to_string()))
            }
            Status::Refused(_, why) => (GuestStatus::Refused, Some(why.clone())),
            Status::Closed => (GuestStatus::Left, None),
            // A status of a later version of the package.
            _ => (GuestStatus::Joining, None),
        };
        GuestFigures {
            status,
            why,
            round_trip_ms: figures.round_trip_ms,
            lost_percent: lost_of_sent(figures.lost_here, left_out) * 100.0,
            left_out_percent: left_out * 100.0,
            lost_there_percent: figures.lost_there * 100.0,
            kbps_received: figures.received.bytes * 0.008,
            kbps_sent: figures.sent.bytes * 0.008,
            screen_age_ms: self.screen_age_ms(),
            still_ms: self.still.ms(),
            corrections: self.corrections,
            keys_late: word.keys.late,
            keys_lost: word.keys.lost,
            snapshots: self.snapshots,
        }
    }

    fn screen_age_ms(&self) -> Option<f64> {
        let figures = self.client.client().figures();
        Some(figures.delay_ms? + figures.least_round_trip_ms.unwrap_or_default() / 2.0)
    }

    /// Records an arrival. Of the differences between arrivals and ticks, only the least of late are kept: those of the
    /// fastest snapshots.
    fn on_arrival(&mut self, now_ms: f64, tick: u64) {
        self.arrivals.add(tick, now_ms);
        let way_ms = now_ms - WORLD.ms_of_tick(tick as f64);
        while self.fastest.back().is_some_and(|last| last.1 >= way_ms) {
            self.fastest.pop_back();
        }
        self.fastest.push_back((now_ms, way_ms));
        drop_front(&mut self.fastest, |first| first.0 < now_ms - FASTEST_MS);
    }

    /// Returns the guest's estimate of the host's tick at a time.
    fn host_tick(&self, now_ms: f64) -> Option<f64> {
        let figures = self.client.client().figures();
        let way_ms = figures.least_round_trip_ms.unwrap_or_default() / 2.0;
        let tick = WORLD.tick_of_ms(now_ms - self.fastest.front()?.1 + way_ms);
        Some(tick.min(self.newest_tick? as f64 + AHEAD_MAX_TICKS))
    }

    /// Forgets the prediction; the next frame begins another one.
    fn begin_prediction(&mut self) {
        self.client.set_predict(self.predict);
    }

    /// Predicts up to the newest tick that has keys. A prediction begins with the newest snapshot.
    fn predict(&mut self, keys: u8) {
        let Some(keys_tick) = self.keys_tick.filter(|_| self.predict != Predict::Wait) else {
            return;
        };
        let Some(tick) = self.client.newest_tick() else {
            return;
        };
        if keys_tick > tick + BEHIND_MAX_TICKS {
            self.begin_prediction();
            return;
        }
        if !self.client.is_predicting() {
            let newest = self.client.client().newest();
            let world = newest.map(|(tick, objects)| self.simulator.world_of(tick, objects));
            if let Some(world) = world {
                self.client.begin(&mut self.simulator, world, tick);
            }
        }
        self.client.advance(&mut self.simulator, keys_tick, keys);
    }

    /// Adds the drawn frame to the meter of freezes and to the frames for the host.
    fn on_shown(&mut self, now_ms: f64) {
        let (Some(shown), Some(host_tick)) =
            (self.client.client().shown_tick(), self.host_tick(now_ms))
        else {
            return;
        };
        self.still.on_frame(now_ms, WORLD.ms_of_tick(shown));
        let delay_ticks = WORLD.tick_of_ms(self.screen_age_ms().unwrap_or_default());
        let at = ShownInstant {
            play_tick: (host_tick - delay_ticks).max(0.0),
            drawn_tick: shown,
        };
        if (0.0..TICKS_END).contains(&host_tick) {
            self.shown.add(host_tick as u64, at, &self.poses);
        }
    }

    fn report(&mut self, now_ms: f64) {
        if now_ms < self.reported_ms + REPORT_MS || self.newest_tick.is_none() {
            return;
        }
        self.reported_ms = now_ms;
        let report = Report {
            decoded: self.decoded,
            screen_age_ms: time_of(self.screen_age_ms().unwrap_or_default()),
            corrections: self.corrections as u32,
            arrivals: std::mem::take(&mut self.arrivals),
        };
        // A report that finds no room is followed by the next one.
        let _ = self.client.client_mut().say(&report.to_bytes());
    }
}

/// Returns a time as a report has it, ms.
fn time_of(ms: f64) -> f32 {
    (ms as f32).clamp(0.0, TIME_MAX_MS)
}
