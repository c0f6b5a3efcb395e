//! A simulation's forecast of a cube. It replaces dead reckoning, the motion that continues unchanged.

use super::memory::CubeMotion;
use crate::model::rotation::{Vector3, scale, subtract};

/// A cube's foreseen change from baseline to snapshot.
#[derive(Clone, Copy, Debug, Default)]
pub struct CubeForecast {
    /// Displacement, 1/512 m.
    pub moved: Vector3,
    /// Rotation from baseline to snapshot, as a rotation vector: 4 tan(angle / 4) along the axis.
    pub turned: Vector3,
    /// True if the simulation changes the cube's quantised position or orientation.
    pub moving: bool,
    /// The foreseen flag `interacting` of the snapshot.
    pub interacting: bool,
}

impl CubeForecast {
    /// Returns the motion of a cube that moves to the foreseen pose. Values that the simulation does not give are copied from
    /// the motion `before`.
    pub(super) fn motion(&self, before: &CubeMotion, ticks: u16) -> CubeMotion {
        let (ticks, by) = (f32::from(ticks), 1.0 / f32::from(ticks));
        // Where it was is foreseen already; instead, how far from moving on as before that is.
        let apart = |rate, foreseen| subtract(scale(rate, ticks), foreseen);
        let (offset, turn_offset) = if before.moving {
            (
                apart(before.velocity, self.moved),
                apart(before.spin, self.turned),
            )
        } else {
            ([0.0; 3], [0.0; 3])
        };
        CubeMotion {
            velocity: scale(self.moved, by),
            spin: scale(self.turned, by),
            offset,
            turn_offset,
            moving: self.moving,
            ..*before
        }
    }
}
