//! The observer of a game, which alone sees both sides: it compares the drawn picture with the server's world at the same tick.

use crate::measure::metrics::{
    CausedCorrection, CorrectionCause, ErrorNow, HandMetrics, Metrics, PoseError,
};
use crate::pose_error::angle_deg;
use crate::queue::drop_front;
use crate::strategy::game::{Correction, Keys};
use crate::surface::Surfaces;
use crate::tape_world::TapeWorld;
use crate::view::distance_m;
use snapshot_base::time::TickRate;
use snapshot_codec::{Cube, CubeState, Format};
use snapshot_record::delta_history::DeltaHistory;
use snapshot_record::session_config::SessionConfig;
use snapshot_replication::{Client, ShownInstant};
use snapshot_settings::LaneSettings;
use snapshot_view::Pose;
use std::collections::VecDeque;

/// Number of ticks for which the observer stores the data that it compares: 4 s.
const KEPT_TICKS: u64 = 240;
/// Number of ticks for which the observer keeps corrections: a minute.
const CORRECTION_TICKS: u64 = 3600;
/// Upper limit of the number of sent snapshots that wait to be compared; then the oldest is dropped.
const SENT_MOST: usize = 64;

pub(super) struct Observer {
    format: Format,
    rate: TickRate,
    /// True if the client may have only some of the objects, or older states of some objects.
    is_partial: bool,
    surfaces: Surfaces,
    pub(super) metrics: HandMetrics,
    pub(super) error_mm: Vec<f32>,
    pub(super) corrections: VecDeque<CausedCorrection>,
    /// The server's states, from the first tick at which they may differ from the tape's.
    pub(super) server_states: Option<DeltaHistory<CubeState>>,
    pub(super) times: KeyTimes,
    /// Poses on the driver's screen at ticks that the server has not reached yet.
    shown: VecDeque<(u64, Vec<Pose>, Option<ShownInstant>)>,
    spare: Vec<Vec<Pose>>,
    /// Ticks in which the server had no keys. `rival_keys` has the rival's keys by tick.
    missing: VecDeque<u64>,
    rival_keys: VecDeque<(u64, u8)>,
    /// Snapshots that were sent, by the server's tick.
    sent: VecDeque<(u64, Vec<Cube>)>,
}

#[derive(Default)]
pub(super) struct KeyTimes {
    times: VecDeque<(u64, f64)>,
    /// The newest tick whose result was visible on the screen.
    seen: u64,
}

impl KeyTimes {
    /// Returns the times of the keys whose effect becomes visible when the screen shows `tick`, each key once.
    pub(super) fn until(&mut self, tick: f64) -> Vec<f64> {
        let seen = self.seen;
        let times = self
            .times
            .iter()
            .filter(|(at, _)| *at > seen && *at as f64 <= tick);
        let times: Vec<_> = times.map(|(_, ms)| *ms).collect();
        self.seen = self.seen.max(tick.max(0.0) as u64);
        times
    }
}

impl Observer {
    pub(super) fn new(
        format: Format,
        settings: &LaneSettings,
        is_partial: bool,
        session_config: &SessionConfig,
    ) -> Observer {
        let cubes = session_config.initial.len();
        Observer {
            format,
            rate: settings.tick_rate(),
            is_partial,
            surfaces: Surfaces::new(session_config),
            metrics: HandMetrics::new(settings),
            error_mm: vec![0.0; cubes],
            corrections: VecDeque::new(),
            server_states: None,
            times: KeyTimes::default(),
            shown: VecDeque::new(),
            spare: Vec::new(),
            missing: VecDeque::new(),
            rival_keys: VecDeque::new(),
            sent: VecDeque::new(),
        }
    }

    pub(super) fn pressed(&mut self, tick: u64, ms: f64) {
        self.times.times.push_back((tick, ms));
        drop_front(&mut self.times.times, |it| it.0 + KEPT_TICKS < tick);
    }

    pub(super) fn pressed_ms(&self, tick: u64) -> Option<f64> {
        let times = &self.times.times;
        let at = times.binary_search_by_key(&tick, |it| it.0).ok()?;
        Some(times[at].1)
    }

    pub(super) fn server_stepped(
        &mut self,
        world: &TapeWorld,
        tick: u64,
        has_come: bool,
        keys: Keys,
    ) {
        if !has_come {
            self.missing.push_back(tick);
        }
        self.rival_keys.push_back((tick, keys.rival));
        drop_front(&mut self.missing, |it| *it + KEPT_TICKS < tick);
        drop_front(&mut self.rival_keys, |it| it.0 + KEPT_TICKS < tick);
        if let Some(states) = &mut self.server_states {
            states.push(world.truth().iter().copied());
        } else if world.is_own() {
            self.server_states = Some(DeltaHistory::new(tick, world.truth().to_vec()));
        }
    }

    pub(super) fn sent_snapshot(&mut self, tick: u64, states: &[CubeState]) {
        if self.sent.len() == SENT_MOST {
            self.sent.pop_front();
        }
        let cubes = states.iter().map(|state| self.format.quantise(state));
        self.sent.push_back((tick, cubes.collect()));
    }

    /// Returns true if the client's newest snapshot equals the server's of that tick. With a budget, or with a limit of
    /// sight, each of the client's objects is compared with the server's at the tick of its state. `None` if that snapshot
    /// is no longer stored.
    pub(super) fn is_as_sent(&self, tick: u64, client: &Client) -> Option<bool> {
        let newest = self.sent.iter().find(|sent| sent.0 == tick)?;
        let (_, objects) = client.newest()?;
        let mut count = 0;
        let is_same = objects.into_iter().all(|object| {
            count += 1;
            let age_ticks = self.rate.tick_of_ms(object.age_ms.into()).round() as u64;
            let stated = tick.saturating_sub(age_ticks);
            let Ok(at) = self.sent.binary_search_by_key(&stated, |sent| sent.0) else {
                // Only a client with a budget has states that are older than what is stored.
                return self.is_partial;
            };
            let sent = (self.sent[at].1)
                .get(object.id as usize)
                .map(|cube| self.format.dequantise(cube));
            sent.is_some_and(|sent| {
                (sent.position, sent.orientation) == (object.position, object.orientation)
            })
        });
        Some(is_same && (self.is_partial || count == newest.1.len()))
    }

    pub(super) fn shown(&mut self, tick: u64, poses: &[Pose], instant: Option<ShownInstant>) {
        let mut kept = self.spare.pop().unwrap_or_default();
        kept.clear();
        kept.extend_from_slice(poses);
        self.shown.push_back((tick, kept, instant));
        while let Some((_, poses, _)) = self.shown.pop_front_if(|it| it.0 + KEPT_TICKS < tick) {
            self.spare.push(poses);
        }
    }

    /// Compares the driver's screen at a tick with the server's world at that tick, over cubes that interact.
    pub(super) fn compare(&mut self, tick: u64, truth: &[CubeState], metrics: &mut Metrics) {
        while let Some((_, poses, _)) = self.shown.pop_front_if(|it| it.0 < tick) {
            self.spare.push(poses);
        }
        let Some((_, poses, _)) = self.shown.front().filter(|it| it.0 == tick) else {
            return;
        };
        let mut now = ErrorNow::default();
        metrics.objects.begin_tick(truth.len());
        for (index, (shown, truth)) in poses.iter().zip(truth).enumerate() {
            let position_mm = f64::from(distance_m(shown.position, truth.position)) * 1000.0;
            if shown.life.is_empty() {
                self.error_mm[index] = 0.0;
                continue;
            }
            self.error_mm[index] = position_mm as f32;
            if truth.interacting {
                let error = PoseError {
                    position_mm,
                    orientation_deg: angle_deg(shown.orientation, truth.orientation),
                    surface_mm: self.surfaces.error_mm(index, shown, &Pose::from(truth)),
                };
                metrics.add_error(&mut now, index, error);
            }
        }
        metrics.now = now.finished();
    }

    /// Returns the pose of a cube in the picture of a tick, and the picture's instant; `None` if the client predicted the cube.
    pub(super) fn picture(&self, tick: u64, index: usize) -> Option<(Pose, ShownInstant)> {
        let (_, poses, instant) = self.shown.front().filter(|it| it.0 == tick)?;
        let pose = poses.get(index).filter(|pose| !pose.interacting)?;
        Some((*pose, (*instant)?))
    }

    /// Counts and stores a correction, whose ticks are the lane's.
    pub(super) fn note_correction(&mut self, correction: Correction, packet: u64, is_all: bool) {
        let ticks = correction.since_tick + 1..=correction.tick;
        let turned = |at: &(u64, u8)| ticks.contains(&at.0) && at.1 != correction.rival_keys;
        let cause = if self.missing.iter().any(|tick| ticks.contains(tick)) {
            CorrectionCause::Keys
        } else if self.rival_keys.iter().any(turned) {
            CorrectionCause::Rival
        } else if !is_all {
            CorrectionCause::Unpredicted
        } else {
            CorrectionCause::Values
        };
        self.metrics.correction_mm.add(correction.worst_mm);
        self.metrics.causes[cause as usize] += 1;
        drop_front(&mut self.corrections, |it| {
            it.correction.tick + CORRECTION_TICKS < correction.tick
        });
        self.corrections.push_back(CausedCorrection {
            correction,
            packet,
            cause,
        });
    }
}
