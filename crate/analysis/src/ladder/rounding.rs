//! Surface errors of quantised snapshots, over the ticks that a ladder covers.

use crate::window::Window;
use snapshot_codec::{Cube, CubeState, Format};
use snapshot_lane::measure::metrics::Distribution;
use snapshot_lane::surface::Surfaces;
use snapshot_record::session_config::SessionConfig;
use snapshot_view::Pose;
use std::collections::VecDeque;

/// Surface errors of the interacting cubes of all snapshots in a window.
pub(super) struct RoundingErrors {
    surfaces: Surfaces,
    errors: Errors,
}

enum Errors {
    Whole(Distribution),
    /// Surface errors of each snapshot in the window, mm, by tick. A distribution cannot drop old ticks, so it is computed on
    /// request.
    Recent(VecDeque<(u64, Vec<f32>)>),
}

impl RoundingErrors {
    pub(super) fn new(session_config: &SessionConfig, window: Window) -> RoundingErrors {
        RoundingErrors {
            surfaces: Surfaces::new(session_config),
            errors: match window {
                Window::Whole => Errors::Whole(empty()),
                Window::Recent => Errors::Recent(VecDeque::new()),
            },
        }
    }

    /// Adds the surface errors of a tick's snapshot: the distances between `sent` and `truth`.
    pub(super) fn add(&mut self, tick: u64, format: &Format, truth: &[CubeState], sent: &[Cube]) {
        let RoundingErrors { surfaces, errors } = self;
        let pairs = truth.iter().zip(sent).enumerate();
        let moved = pairs.filter(|(_, (truth, _))| truth.interacting);
        let errors_mm = moved.map(|(index, (truth, sent))| {
            let shown = Pose::from(&format.dequantise(sent));
            surfaces.error_mm(index, &shown, &Pose::from(truth))
        });
        match errors {
            Errors::Whole(all) => errors_mm.for_each(|error_mm| all.add(error_mm)),
            Errors::Recent(ticks) => {
                ticks.push_back((tick, errors_mm.map(|error_mm| error_mm as f32).collect()));
            }
        }
    }

    /// Drops the errors of the ticks up to `tick`. Does nothing if the window is the whole tape.
    pub(super) fn forget_until(&mut self, tick: u64) {
        if let Errors::Recent(ticks) = &mut self.errors {
            while ticks.pop_front_if(|first| first.0 <= tick).is_some() {}
        }
    }

    /// Returns the distribution of the surface errors in the window, mm.
    pub(super) fn over(&self) -> Distribution {
        match &self.errors {
            Errors::Whole(all) => all.clone(),
            Errors::Recent(ticks) => {
                let mut all = empty();
                let errors_mm = ticks.iter().flat_map(|(_, errors_mm)| errors_mm);
                errors_mm.for_each(|&error_mm| all.add(error_mm.into()));
                all
            }
        }
    }
}

/// An empty distribution with the resolution of a lane's surface errors.
fn empty() -> Distribution {
    Distribution::new(1000.0)
}
