//! When a cube is at rest: 0.1 s below both speeds.
//!
//! The rule is ours and not rapier's, because rapier starts its clock anew whenever a pose is written, even to the same
//! rest. A world that is written to every tick (both sides quantised) sleeps nevertheless if cubes at rest by this rule are
//! left alone. Rapier only keeps the islands: once every cube of a heap is at rest, the heap falls asleep.

use rapier3d::prelude::*;
use snapshot_codec::CubeState;

use super::constants::*;
use super::physics::{Physics, is_forced};

/// How long each cube has been still.
#[derive(Clone)]
pub(super) struct Rest {
    still_ticks: Vec<u8>,
}

impl Rest {
    pub(super) fn new(cube_count: usize) -> Rest {
        Rest {
            still_ticks: vec![0; cube_count],
        }
    }

    /// Whether a cube has been still for long enough; it sleeps once everything that it touches is at rest as well.
    #[cfg(test)]
    pub(super) fn is_at_rest(&self, index: usize) -> bool {
        self.still_ticks[index] == REST_TICKS
    }

    /// The clocks, a cube each.
    pub(super) fn clocks(&self) -> &[u8] {
        &self.still_ticks
    }

    /// Decides from outside whether a cube is at rest.
    pub(super) fn set(&mut self, index: usize, at_rest: bool) {
        self.still_ticks[index] = if at_rest { REST_TICKS } else { 0 };
    }

    /// Tells rapier again what was decided, after it has started its clock anew. What sleeps is put back to sleep before
    /// it is moved; what is due to sleep remains so.
    pub(super) fn restore(&self, physics: &mut Physics, index: usize, asleep: bool) {
        let body = physics.body(index);
        if asleep && !body.is_sleeping() {
            physics.body_mut(index).sleep();
        } else if !asleep
            && self.still_ticks[index] == REST_TICKS
            && !body.activation().is_eligible_for_sleep()
        {
            physics
                .body_mut(index)
                .activation_mut()
                .time_since_can_sleep = RAPIER_REST_S;
        }
    }

    /// Looks at every awake cube after a step; `before` is the state before it.
    pub(super) fn update(&mut self, physics: &mut Physics, before: &[CubeState]) {
        for (index, still_ticks) in self.still_ticks.iter_mut().enumerate() {
            let body = physics.body(index);
            if body.is_sleeping() {
                continue;
            }
            let woke = before[index].at_rest;
            *still_ticks = if !woke && is_still(body) {
                (*still_ticks + 1).min(REST_TICKS)
            } else {
                0
            };
            let at_rest = *still_ticks == REST_TICKS;
            if body.activation().is_eligible_for_sleep() != at_rest {
                let clock = if at_rest { RAPIER_REST_S } else { 0.0 };
                physics
                    .body_mut(index)
                    .activation_mut()
                    .time_since_can_sleep = clock;
            }
        }
    }
}

/// The time that rapier waits by its own clock: longer than any run, so that only [`Rest`] ends it.
const RAPIER_REST_S: f32 = f32::MAX;

/// Takes the decision to rest away from rapier. A body at rest is handed over awake but due to sleep: inserted asleep, it
/// would be woken by its first contact with the floor.
pub(super) fn hand_over(body: &mut RigidBody, at_rest: bool) {
    let activation = body.activation_mut();
    activation.normalized_linear_threshold = f32::MAX;
    activation.time_until_sleep = RAPIER_REST_S;
    activation.time_since_can_sleep = if at_rest { RAPIER_REST_S } else { 0.0 };
}

/// A cube held in the air by the pull is not still: it would stay there, asleep, when let go.
fn is_still(body: &RigidBody) -> bool {
    !is_forced(body)
        && body.linvel().length_squared() < REST_LINEAR_SPEED * REST_LINEAR_SPEED
        && body.angvel().length_squared() < REST_ANGULAR_SPEED * REST_ANGULAR_SPEED
}
