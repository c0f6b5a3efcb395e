//! Surface errors of quantised snapshots, over the window of a ladder.

use crate::window::Window;
use snapshot_codec::{Cube, CubeState, Format};
use snapshot_lane::measure::metrics::Distribution;
use snapshot_lane::surface::Surfaces;
use snapshot_record::agreed::Agreed;
use snapshot_view::Pose;
use std::collections::VecDeque;

/// Surface errors of the interacting cubes of all snapshots in a window.
pub(super) struct RoundingErrors {
    surfaces: Surfaces,
    errors: Errors,
}

enum Errors {
    Whole(Distribution),
    /// Errors in mm of each snapshot by its tick. A distribution cannot forget, so it is made when asked for.
    Recent(VecDeque<(u64, Vec<f32>)>),
}

impl RoundingErrors {
    pub(super) fn new(agreed: &Agreed, window: Window) -> RoundingErrors {
        RoundingErrors {
            surfaces: Surfaces::new(agreed),
            errors: match window {
                Window::Whole => Errors::Whole(empty()),
                Window::Recent => Errors::Recent(VecDeque::new()),
            },
        }
    }

    /// Adds the errors of a tick's snapshot.
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

    /// Leaves out the errors up to a tick, if the window moves.
    pub(super) fn forget_until(&mut self, tick: u64) {
        if let Errors::Recent(ticks) = &mut self.errors {
            while ticks.pop_front_if(|first| first.0 <= tick).is_some() {}
        }
    }

    /// Returns the errors in mm over the window.
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
