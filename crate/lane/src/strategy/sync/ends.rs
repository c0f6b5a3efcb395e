//! State synchronisation in a lane: both ends, the right world, and the comparison of both sides.

use super::replica::LentReplica;
use crate::measure::metrics::{Metrics, SyncMetrics};
use crate::strategy::Receiver as _;
use crate::strategy::ends::{Ends, Exchange, LaneSender, OneWay};
use crate::strategy::sync::{
    Compression, QueuedCube, SyncFormat, SyncReceiver, SyncReceiverConfig, SyncSender,
    SyncSenderConfig,
};
use crate::tape_world::TapeWorld;
use crate::view::Truth;
use crate::view::distance_m;
use snapshot_physics::world::World;
use snapshot_record::tape::Frame;
use snapshot_settings::LaneSettings;
use snapshot_view::{Playback, Pose};

/// Both ends of state synchronisation, and the receiver's world.
pub(crate) struct SyncEnds {
    sender: SyncSender,
    pub(super) receiver: SyncReceiver,
    pub(super) world: TapeWorld,
    metrics: SyncMetrics,
}

impl SyncEnds {
    /// Creates the sender and the receiver before the first packet. The receiver's world begins as a copy of `world`.
    pub(crate) fn new(settings: &LaneSettings, world: &World) -> SyncEnds {
        let format = format(settings, world.cube_count());
        let config = receiver_config(settings);
        SyncEnds {
            sender: SyncSender::new(format, sender_config(settings)),
            receiver: SyncReceiver::new(format, config, world.tick(), world.truth()),
            world: TapeWorld::from_world(world),
            metrics: SyncMetrics::new(),
        }
    }

    /// For each cube, the tick of the receiver's newest state of it.
    pub(crate) fn updated(&self) -> &[u64] {
        self.receiver.updated()
    }

    pub(crate) fn metrics(&self) -> &SyncMetrics {
        &self.metrics
    }
}

impl Ends for SyncEnds {
    fn exchange(&mut self, frame: &Frame<'_>, exchange: &mut Exchange<'_>) -> Option<Playback> {
        self.one_way(frame, exchange)
    }

    fn sender(&self) -> Option<&dyn LaneSender> {
        Some(&self.sender)
    }

    fn measure(&mut self, truth: &Truth<'_>, is_cut: bool) {
        let (world, sync) = (&self.world, &mut self.metrics);
        sync.divergence_now = Default::default();
        sync.apart_ticks.resize(world.truth().len(), 0);
        let now = &mut sync.divergence_now;
        for (index, cube) in world.truth().iter().enumerate() {
            let pose = truth.pose(index);
            let apart_mm = f64::from(distance_m(pose.position, cube.position)) * 1000.0;
            if pose.interacting {
                sync.divergence_mm.add(apart_mm);
                now.interacting_cubes += 1;
                now.rms_mm += apart_mm * apart_mm;
                now.max_mm = now.max_mm.max(apart_mm);
            }
            let is_there = apart_mm == 0.0 && pose.orientation == cube.orientation;
            let apart_at_rest = truth.is_at_rest(index) && !is_there;
            if apart_at_rest {
                now.at_rest_max_mm = now.at_rest_max_mm.max(apart_mm);
                now.at_rest_apart += 1;
            }
            let apart_ticks = &mut sync.apart_ticks[index];
            *apart_ticks = if apart_at_rest && !is_cut {
                *apart_ticks + 1
            } else {
                0
            };
            sync.apart_ticks_max = sync.apart_ticks_max.max(*apart_ticks);
        }
        now.rms_mm = (now.rms_mm / f64::from(now.interacting_cubes.max(1))).sqrt();
    }

    fn item(&self) -> &'static str {
        "update"
    }
}

impl OneWay for SyncEnds {
    fn sender_mut(&mut self) -> &mut dyn LaneSender {
        &mut self.sender
    }

    fn receiver_mut(&mut self) -> &mut dyn crate::strategy::Receiver {
        &mut self.receiver
    }

    fn observe_tick(&mut self, _: &Frame<'_>) {
        self.metrics.budget_kbps = self.sender.budget_kbps();
    }

    fn is_as_sent(&mut self, _: &Frame<'_>) -> Option<bool> {
        let decoded = self.receiver.decoded();
        Some(self.sender.sent(decoded.sequence) == Some(&decoded.updates[..]))
    }

    fn show(
        &mut self,
        frame: &Frame<'_>,
        now_ms: f64,
        _: &mut Metrics,
        poses: &mut [Pose],
    ) -> Option<Playback> {
        let (world, tape) = (&mut self.world, frame.tape);
        let mut world = LentReplica { world, tape };
        let playback = self.receiver.show(now_ms, &mut world, poses);
        self.metrics.note(playback, &self.receiver);
        playback
    }
}

impl LaneSender for SyncSender {
    fn copy(&self) -> Box<dyn LaneSender> {
        Box::new(self.clone())
    }

    fn priorities(&self) -> Option<&[u64]> {
        Some(SyncSender::priorities(self))
    }

    fn queue(&self) -> Vec<QueuedCube> {
        SyncSender::queue(self).collect()
    }
}

pub(crate) fn format(settings: &LaneSettings, cube_count: usize) -> SyncFormat {
    let compression = Compression {
        relative: settings.is_relative(),
        delta: settings.is_delta(),
    };
    let velocities = settings.sends_velocities();
    SyncFormat::new(settings.bits(), cube_count, compression, velocities)
        .expect("the schema's ranges are the codec's")
}

pub(crate) fn sender_config(settings: &LaneSettings) -> SyncSenderConfig {
    SyncSenderConfig {
        send_rate_hz: settings.send_rate_hz(),
        budget_kbps: settings.budget_kbps().unwrap_or(f64::INFINITY),
        adaptation: settings.adaptation(),
        accumulates: settings.accumulates(),
        rest_counts: settings.rest_counts(),
        header_bytes: settings.header_bytes(),
        mtu_bytes: settings.mtu_bytes(),
    }
}

pub(crate) fn receiver_config(settings: &LaneSettings) -> SyncReceiverConfig {
    SyncReceiverConfig {
        playout: settings.playout(),
        send_interval_ms: settings.send_interval_ms(),
        smoothing: settings.smoothing(),
    }
}
