//! Observer of the cubes that a game's client draws but does not predict. It compares a picture with the server's world at
//! the picture's instant.

use crate::measure::metrics::{DistanceMetrics, DistanceSample};
use crate::view::distance_m;
use snapshot_codec::CubeState;
use snapshot_view::Pose;
use std::collections::VecDeque;

/// Error above which a cube at rest counts too, mm: the client does not have its resting state yet.
const OFF_MM: f64 = 10.0;
/// Number of ticks of the server's world that are kept: a picture is 2 s behind at most.
const KEPT_TICKS: usize = 120;

/// A cube of the server's world at a tick.
#[derive(Clone, Copy)]
struct TrueCube {
    position: [f32; 3],
    at_rest: bool,
}

pub(super) struct AgeObserver {
    pub(super) metrics: DistanceMetrics,
    /// The server's world of the last ticks.
    truth: VecDeque<(u64, Vec<TrueCube>)>,
    /// The last tick in which each cube was at rest; 0 for none.
    rested: Vec<u64>,
    tick_ms: f64,
}

/// The instant of a picture, in ticks of the lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PictureInstant {
    pub(super) shown: f64,
    /// Tick of the client's newest packet.
    pub(super) newest: u64,
}

/// A cube as the client drew it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DrawnCube {
    pub(super) pose: Pose,
    /// Age of the client's newest state, ms; `None` if the client does not draw the cube, or predicts it.
    pub(super) age_ms: Option<f32>,
}

impl AgeObserver {
    pub(super) fn new(cubes: usize, tick_ms: f64) -> AgeObserver {
        AgeObserver {
            rested: vec![0; cubes],
            tick_ms,
            metrics: DistanceMetrics::new(),
            truth: VecDeque::new(),
        }
    }

    pub(super) fn server_stepped(&mut self, tick: u64, states: &[CubeState]) {
        let mut cubes = match self.truth.len() {
            KEPT_TICKS => self.truth.pop_front().unwrap_or_default().1,
            _ => Vec::with_capacity(states.len()),
        };
        cubes.clear();
        cubes.extend(states.iter().map(|state| TrueCube {
            position: state.position,
            at_rest: state.at_rest,
        }));
        for (rested, state) in self.rested.iter_mut().zip(states) {
            if state.at_rest {
                *rested = tick;
            }
        }
        self.truth.push_back((tick, cubes));
    }

    /// Compares a picture with the server's world at the picture's instant, over cubes that move, or that are drawn off
    /// their resting place. If a cube has rested since its state was sent, the age counts from the end of the rest. Does
    /// nothing if the server's world of that instant is no longer stored.
    pub(super) fn compare(&mut self, at: PictureInstant, drawn: &[DrawnCube], own: usize) {
        let PictureInstant { shown, newest } = at;
        let floor = shown.floor();
        let part = (shown - floor) as f32;
        let at = self.truth.binary_search_by_key(&(floor as u64), |it| it.0);
        let Some((from, to)) = at.ok().and_then(|at| {
            let from = self.truth.get(at)?;
            Some((&from.1, &self.truth.get(at + 1).unwrap_or(from).1))
        }) else {
            return;
        };
        let place = |index: usize| -> [f32; 3] {
            let (a, b) = (from[index].position, to[index].position);
            std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * part)
        };
        let centre = place(own);
        let samples = drawn.iter().enumerate().filter_map(|(index, drawn)| {
            let age_ms = drawn.age_ms.filter(|_| index != own)?;
            let truth = place(index);
            let error_mm = f64::from(distance_m(truth, drawn.pose.position)) * 1000.0;
            let counts = !from[index].at_rest || error_mm > OFF_MM;
            let since_rest_ms = newest.saturating_sub(self.rested[index]) as f64 * self.tick_ms;
            counts.then(|| DistanceSample {
                distance_m: distance_m(truth, centre).into(),
                age_ms: f64::from(age_ms).min(since_rest_ms),
                error_mm,
            })
        });
        self.metrics.add(samples);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_compared_with_the_world_of_its_instant() {
        let mut observer = AgeObserver::new(3, 10.0);
        let world = |x: f32| {
            let cube = |x: f32, at_rest| CubeState {
                position: [x, 0.0, 0.0],
                at_rest,
                ..CubeState::default()
            };
            [cube(0.0, false), cube(x, false), cube(9.0, true)]
        };
        for tick in 0..200 {
            observer.server_stepped(tick, &world(tick as f32));
        }
        let drawn = |x: f32| DrawnCube {
            pose: Pose::from(&CubeState {
                position: [x, 0.0, 0.0],
                ..CubeState::default()
            }),
            age_ms: Some(50.0),
        };
        // The own cube does not count, nor one that rests where it is drawn.
        let at = |shown, newest| PictureInstant { shown, newest };
        observer.compare(at(150.5, 160), &[drawn(7.0), drawn(150.25), drawn(9.0)], 0);
        // That world is forgotten.
        observer.compare(at(20.0, 160), &[drawn(0.0), drawn(0.0), drawn(0.0)], 0);
        let bands = observer.metrics.of_run();
        let cubes: f64 = bands.iter().map(|band| band.cubes).sum();
        let band = bands[5];
        assert_eq!((cubes, band.error_mm, band.age_ms), (1.0, 250.0, 50.0));
    }
}
