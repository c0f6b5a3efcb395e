//! The rest rule: a cube is at rest after 0.1 s below both a linear and an angular speed.
//!
//! The rule is ours and not rapier's, because rapier restarts its clock whenever a pose is written, even an unchanged one.
//! A world that is written to every tick (both sides quantised) sleeps nevertheless if cubes at rest by this rule are left
//! alone. Only the islands (heaps of touching cubes) are left to rapier: a heap falls asleep once every cube in it is at
//! rest.

use rapier3d::prelude::*;
use snapshot_codec::CubeState;

use super::super::constants::*;
use super::physics::{Physics, RAPIER_REST_S, is_forced};

/// Counts the ticks for which each cube has been still.
#[derive(Clone)]
pub(super) struct RestTicks {
    still_ticks: Vec<u8>,
    /// True for each cube that a correction put to rest or disturbed at rest, and that rapier has not put to sleep yet.
    held: Vec<bool>,
    /// True if cubes were corrected since the last [`RestTicks::settle`].
    corrected: bool,
}

impl RestTicks {
    pub(super) fn new(cube_count: usize) -> RestTicks {
        RestTicks {
            still_ticks: vec![0; cube_count],
            held: vec![false; cube_count],
            corrected: false,
        }
    }

    /// Returns true if a cube has been still for long enough. It sleeps once everything that it touches is at rest as well.
    #[cfg(test)]
    pub(super) fn is_at_rest(&self, index: usize) -> bool {
        self.still_ticks[index] == REST_TICKS
    }

    pub(super) fn clocks(&self) -> &[u8] {
        &self.still_ticks
    }

    /// Sets whether a cube is at rest, as part of a change from outside the simulation.
    pub(super) fn set(&mut self, index: usize, at_rest: bool) {
        self.still_ticks[index] = if at_rest { REST_TICKS } else { 0 };
        self.held[index] = at_rest;
        self.corrected = true;
    }

    /// Sets which bodies sleep in rapier again, after rapier has restarted its clocks and woken the neighbours of changed
    /// bodies. A sleeping body is put back to sleep before it is moved. A body due to sleep stays due.
    pub(super) fn settle(&mut self, physics: &mut Physics, cubes: &[CubeState]) {
        for (index, cube) in cubes.iter().enumerate() {
            let body = physics.body(index);
            let (is_sleeping, is_due) = (
                body.is_sleeping(),
                body.activation().is_eligible_for_sleep(),
            );
            self.held[index] |= self.corrected && cube.at_rest && !is_sleeping;
            let rests = self.held[index] || self.still_ticks[index] == REST_TICKS;
            if cube.at_rest && !self.held[index] && !is_sleeping {
                physics.body_mut(index).sleep();
            } else if rests && !is_sleeping && !is_due {
                set_clock(physics, index, RAPIER_REST_S);
            }
        }
        self.corrected = false;
    }

    /// Holds resting cubes exactly at their places after a step, until something moves them faster than rest allows. Putting
    /// such a body to sleep instead would break its contacts: it would sink in, and rest a millimetre off. Returns true if a
    /// body was changed.
    pub(super) fn hold(&mut self, physics: &mut Physics, before: &[CubeState]) -> bool {
        let mut holds = false;
        for (index, held) in self.held.iter_mut().enumerate().filter(|(_, held)| **held) {
            let body = physics.body(index);
            *held = !body.is_sleeping() && is_still(body);
            if *held {
                physics.place(index, &before[index]);
                holds = true;
            }
        }
        holds
    }

    /// Returns true if a cube counts as asleep although rapier simulates it.
    pub(super) fn is_held(&self, index: usize) -> bool {
        self.held[index]
    }

    /// Updates the count of every awake cube after a step; `before` is the state before it.
    pub(super) fn update(&mut self, physics: &mut Physics, before: &[CubeState]) {
        for (index, still_ticks) in self.still_ticks.iter_mut().enumerate() {
            let body = physics.body(index);
            if body.is_sleeping() || self.held[index] {
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
                set_clock(physics, index, if at_rest { RAPIER_REST_S } else { 0.0 });
            }
        }
    }
}

fn set_clock(physics: &mut Physics, index: usize, still_s: f32) {
    physics
        .body_mut(index)
        .activation_mut()
        .time_since_can_sleep = still_s;
}

/// Returns true if a body is still. A cube held in the air by the pull is not: it would stay there, asleep, when let go.
fn is_still(body: &RigidBody) -> bool {
    !is_forced(body)
        && body.linvel().length_squared() < REST_LINEAR_SPEED * REST_LINEAR_SPEED
        && body.angvel().length_squared() < REST_ANGULAR_SPEED * REST_ANGULAR_SPEED
}
