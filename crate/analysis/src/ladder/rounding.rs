//! Surface errors of quantised snapshots, over the ticks that a ladder covers.

use snapshot_codec::{Cube, CubeState, Format};
use snapshot_lane::measure::metrics::Distribution;
use snapshot_lane::surface::Surfaces;
use snapshot_record::session_config::SessionConfig;
use snapshot_view::Pose;

/// Surface errors of the interacting cubes of all snapshots, mm.
pub(super) struct RoundingErrors {
    surfaces: Surfaces,
    errors_mm: Distribution,
}

impl RoundingErrors {
    pub(super) fn new(session_config: &SessionConfig) -> RoundingErrors {
        RoundingErrors {
            surfaces: Surfaces::new(session_config),
            // The resolution of a lane's surface errors.
            errors_mm: Distribution::new(1000.0),
        }
    }

    /// Adds the surface errors of a snapshot: the distances between `sent` and `truth`.
    pub(super) fn add(&mut self, format: &Format, truth: &[CubeState], sent: &[Cube]) {
        for (index, (truth, sent)) in truth.iter().zip(sent).enumerate() {
            if !truth.interacting {
                continue;
            }
            let shown = Pose::from(&format.dequantise(sent));
            let error_mm = self.surfaces.error_mm(index, &shown, &Pose::from(truth));
            self.errors_mm.add(error_mm);
        }
    }

    pub(super) fn over(&self) -> &Distribution {
        &self.errors_mm
    }
}
