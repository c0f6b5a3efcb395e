//! The constants of the world, with units and reasons. A constant without a reason is the value of the original (the
//! *Networked Physics* demo program).

#![cfg_attr(not(feature = "rapier"), allow(dead_code, reason = "nothing moves"))]

use snapshot_base::time::TICKS_PER_S;
use std::ops::Range;

pub(super) const TICK_S: f32 = 1.0 / TICKS_PER_S as f32;

/// Least number of cubes along the grid's side: fewer do not make a pile. `GRID_SIDE_MAX` is the greatest number: a grid of
/// more than 60 a side (3,601 cubes) cannot be simulated in real time.
pub(super) const GRID_SIDE_MIN: u32 = 5;
pub(super) const GRID_SIDE_MAX: u32 = 60;
/// Number of cubes along the grid's side in the original demo: 900 cubes.
pub(super) const GRID_SIDE_DEFAULT: u32 = 30;
/// Distance between neighbouring cubes of the grid, centre to centre, m.
pub(super) const GRID_SPACING_M: f32 = 1.0;

pub(super) const PLAYER_HALF_SIZE_M: f32 = 0.75;
pub(super) const CUBE_HALF_SIZE_M: f32 = 0.2;
pub(super) const PLAYER_START_HEIGHT_M: f32 = 10.0;
/// The rival's distance from the player at the start, m along x: in sight, and clear of the falling player.
pub(super) const RIVAL_START_X_M: f32 = 3.0;
/// Density of all cubes, kg/m3: the player weighs 3.375 kg, a small cube 0.064 kg.
pub(super) const DENSITY: f32 = 1.0;

/// Limit of |x| and |y| of positions, m: the codec's bounds.
pub(super) const POSITION_BOUND_XY_M: f32 = 256.0;
/// Upper limit of z of positions, m, from 0: the codec's bounds.
pub(super) const POSITION_BOUND_Z_M: f32 = 32.0;
/// Upper limit of the speed, m/s. Without it and [`ANGULAR_SPEED_MAX`] a ball of pulled cubes explodes.
pub(super) const LINEAR_SPEED_MAX: f32 = 32.0;
/// Upper limit of the angular speed, rad/s.
pub(super) const ANGULAR_SPEED_MAX: f32 = 16.0;

/// Gravity downwards, m/s2.
pub(super) const GRAVITY: f32 = 20.0;
/// Friction of the floor and of the player. Coefficients of two surfaces multiply, so with either of these nothing slips,
/// which is what makes the player roll.
pub(super) const FRICTION: f32 = 200.0;
/// Friction coefficient of a small cube: two small cubes have 0.25. The original demo has 200 here too, but its solver lets
/// cubes creep together to a ball of 154 in 45 s. Rapier holds them where they first touched, in a loose shell of 105.
pub(super) const CUBE_FRICTION: f32 = 0.5;
/// Share of linear and of angular velocity lost in a step.
pub(super) const DAMPING_PER_STEP: f32 = 0.01;
/// Number of solver iterations in a step. The original demo runs 64 sweeps of a plain iterative solver. Rapier's iterations are
/// substeps and worth many sweeps; with fewer than 8, cubes sink 5 cm into the floor under the player, with 8 it is 1 cm.
pub(super) const SOLVER_ITERATIONS: usize = 8;
/// Hardness of contacts. Rapier's defaults of the three fields are 30, 60 and 3.
pub(super) struct ContactHardness {
    /// Frequency at which contacts between cubes give way, Hz.
    pub cubes_hz: f32,
    /// Frequency at which contacts with the floor give way, Hz.
    pub floor_hz: f32,
    /// Greatest speed at which overlapping cubes are pushed apart, m/s; the original demo has 1 to 10, or up to 250.
    pub apart_speed_max: f32,
}

pub(super) const SOFT_CONTACTS: ContactHardness = ContactHardness {
    cubes_hz: 15.0,
    floor_hz: 30.0,
    apart_speed_max: 1.0,
};
pub(super) const STIFF_CONTACTS: ContactHardness = ContactHardness {
    cubes_hz: 60.0,
    floor_hz: 120.0,
    apart_speed_max: 250.0,
};
/// Speed under which a cube counts as still, m/s.
pub(super) const REST_LINEAR_SPEED: f32 = 0.25;
/// Angular speed under which a cube counts as still, rad/s.
pub(super) const REST_ANGULAR_SPEED: f32 = 0.25;
/// Number of ticks for which a cube must be still before it is at rest (0.1 s).
pub(super) const REST_TICKS: u8 = 6;
/// Number of ticks after which a sleeping cube stops interacting (1.67 s).
pub(super) const INTERACTING_FADE_TICKS: u8 = 100;

/// Force of an arrow key on the player's centre along a world axis, N: 35.6 m/s2.
pub(super) const ARROW_FORCE_N: f32 = 120.0;
/// Factor by which an arrow key's force is multiplied if it acts against the player's velocity, unless the player hovers.
pub(super) const ARROW_BRAKE_FACTOR: f32 = 2.0;

/// Distances from the push's origin between which a body feels the push, m. The origin is below the player, at
/// [`PUSH_ORIGIN_Z_M`].
pub(super) const PUSH_RANGE_M: Range<f32> = 0.01..2.0;
/// Height of the push's origin, m: just under the floor, so that cubes fly up and away.
pub(super) const PUSH_ORIGIN_Z_M: f32 = -0.1;
/// Push at a distance of 1 m: m/s2 for small cubes, N for the player. It falls with the square of the distance.
pub(super) const PUSH_AT_1_M: f32 = 200.0;
/// Upper limit of the push: m/s2 for small cubes, N for the player.
pub(super) const PUSH_MAX: f32 = 500.0;
/// Height that is subtracted from the player's height over the push's origin, before the push on the player is computed, m.
/// With a weight of 67.5 N the player then hovers at 2.3 m.
pub(super) const HOVER_OFFSET_M: f32 = 0.7;
/// Factor of the hover's force during a jump, when push and pull are pressed together. The player jumps over 16 m high.
pub(super) const JUMP_FACTOR: f32 = 20.0;
/// Amplitude of each sine in the force of the hover's wobble, N.
pub(super) const WOBBLE_FORCE_N: f32 = 2.0;
/// Amplitude of each sine in the torque of the hover's wobble, N m.
pub(super) const WOBBLE_TORQUE_NM: f32 = 1.5;
/// Torque that keeps a hovering player upright, N m a radian.
pub(super) const UPRIGHT_TORQUE_NM: f32 = 100.0;
/// Angle by which a hovering player leans towards the arrow keys' force, rad a newton.
pub(super) const TILT_RAD_PER_N: f32 = 0.1;
/// Upper limit of the angle by which a hovering player leans, rad.
pub(super) const TILT_MAX_RAD: f32 = 0.25;
/// Share of the angular velocity left after a tick of hovering.
pub(super) const HOVER_ANGULAR_KEPT: f32 = 0.95;
/// Share of the horizontal velocity left after a tick of hovering.
pub(super) const HOVER_HORIZONTAL_KEPT: f32 = 0.96;
/// Share of the vertical velocity left after a tick of hovering.
pub(super) const HOVER_VERTICAL_KEPT: f32 = 0.999;

/// Distances from the player's centre, m, between which a small cube feels the pull.
pub(super) const PULL_RANGE_M: Range<f32> = 0.2..1.8;
/// Pull at 1 m, m/s2; it falls with the square of the distance.
pub(super) const PULL_AT_1_M: f32 = 200.0;
/// Upper limit of the pull, m/s2.
pub(super) const PULL_MAX: f32 = 2000.0;
/// Braking of a pulled cube against the turning player, 1/s (m/s2 for each m/s of slip), whose reaction the player feels. The
/// original demo has none: its soft contacts swallow the energy of a pull. With rapier's stiff ones a ball would push itself
/// along and quiver for seconds when its player stops.
pub(super) const PULL_DAMPING: f32 = 6.0;
