//! The right world, held against the left one.

use super::Replica;
use crate::measure::metrics::SyncMetrics;
use crate::truth::Truth;
use crate::view::distance_m;
use snapshot_strategies::sync::Packet;
use snapshot_strategies::sync::Sender;

/// Sees both sides of state synchronisation.
pub(crate) struct Observer;

impl Observer {
    /// Returns true if a decoded packet equals the sent one.
    pub(crate) fn is_as_sent(&self, sender: &Sender, decoded: &Packet) -> bool {
        sender.sent(decoded.sequence) == Some(&decoded.updates[..])
    }

    /// Compares the right world, before smoothing, with the truth of the instant that it is at.
    pub(crate) fn measure(
        &self,
        world: &Replica,
        truth: &Truth<'_>,
        is_cut: bool,
        sync: &mut SyncMetrics,
    ) {
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
}
