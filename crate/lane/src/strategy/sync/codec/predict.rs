//! Predictions of a cube that both ends make before its fields are sent, in the integers of the format.
//!
//! The code uses sums, products and square roots of IEEE floats only, so both ends predict the same bits on every machine.

use super::format::SyncFormat;
use snapshot_base::math::Quat;
use snapshot_codec::GridState;
use snapshot_codec::Widths;
use snapshot_codec::quantise::FixedPoint;

/// Greatest distance from the player, on every axis, at which a cube counts as near, m: a ball of pulled cubes reaches to 1.8
/// m.
const NEAR_M: i32 = 2;
/// Length of a frame, s.
const FRAME_S: f32 = 1.0 / 60.0;

/// A cube's state in a packet that the other end has, and the player's state in that packet.
#[derive(Clone, Copy)]
pub(super) struct SyncBaseline<'a> {
    pub(super) body: &'a GridState,
    pub(super) player: Option<&'a GridState>,
    /// Frames from the baseline's packet to the present packet.
    pub(super) age_frames: u32,
}

/// Predicted position and orientation; each is `None` if nothing is known about it.
#[derive(Clone, Copy, Default)]
pub(super) struct ExpectedPose {
    pub(super) position: Option<([i32; 3], Widths)>,
    pub(super) orientation: Option<([i32; 4], Widths)>,
}

/// Predicts a cube's pose. `player` is the player's state in this packet, where there is a player and the format is relative.
pub(super) fn pose(
    format: &SyncFormat,
    baseline: Option<SyncBaseline>,
    player: Option<&GridState>,
) -> ExpectedPose {
    let Some(baseline) = baseline else {
        let near = player.map(|player| (player.position, offset_ranges(format)));
        return ExpectedPose {
            position: near,
            orientation: None,
        };
    };
    let with_player = baseline
        .player
        .zip(player)
        .filter(|(then, _)| is_near(format, baseline.body.position, then.position));
    let expected = match with_player {
        Some((then, now)) => carried(format, baseline.body, then, now),
        None => moved_on(format, baseline.body, baseline.age_frames),
    };
    ExpectedPose {
        position: Some((expected.position, position_ranges(format))),
        orientation: Some((expected.orientation, orientation_ranges(format))),
    }
}

/// Predicts a cube's linear and angular velocity at a position: near the player as one body with it, else unchanged.
pub(super) fn velocities(
    format: &SyncFormat,
    position: [i32; 3],
    baseline: Option<SyncBaseline>,
    player: Option<&GridState>,
) -> Option<[([i32; 3], Widths); 2]> {
    let [linear_ranges, angular_ranges] = [linear_ranges(format), angular_ranges(format)];
    if let Some(player) = player.filter(|player| is_near(format, position, player.position)) {
        let at = format.grid.dequantise(&GridState {
            position,
            ..*player
        });
        let player = format.grid.dequantise(player);
        let offset = std::array::from_fn(|i| at.position[i] - player.position[i]);
        let turning = cross(player.angular_velocity, offset);
        let linear = std::array::from_fn(|i| {
            let expected = player.linear_velocity[i] + turning[i];
            format.grid.linear_axes()[i].quantise(expected)
        });
        let angular = std::array::from_fn(|i| {
            format.grid.angular_axes()[i].quantise(player.angular_velocity[i])
        });
        return Some([(linear, linear_ranges), (angular, angular_ranges)]);
    }
    let body = baseline?.body;
    Some([
        (body.linear_velocity, linear_ranges),
        (body.angular_velocity, angular_ranges),
    ])
}

/// Lower bounds of the bits for position with orientation, and for both velocities, whatever is predicted.
pub(super) fn bits_min(format: &SyncFormat) -> [u32; 2] {
    let least = |axes: [FixedPoint; 3], ranges: Widths| {
        let absolute = axes.map(FixedPoint::code_bits).iter().sum();
        (1 + least_bits(ranges)).min(absolute)
    };
    let orientation_bits = 2 + 3 * format.grid.smallest_three().component_bits();
    let position = least(format.grid.position_axes(), position_ranges(format));
    let offset = least(format.grid.position_axes(), offset_ranges(format));
    let orientation = (1 + least_bits(orientation_ranges(format))).min(orientation_bits);
    let linear = least(format.grid.linear_axes(), linear_ranges(format));
    let angular = least(format.grid.angular_axes(), angular_ranges(format));
    [position.min(offset) + orientation, linear + angular]
}

/// Lower bound of the bits for three differences.
fn least_bits(ranges: Widths) -> u32 {
    3 * (1 + ranges.small_bits())
}

fn is_near(format: &SyncFormat, position: [i32; 3], player: [i32; 3]) -> bool {
    let reach = NEAR_M << format.grid.bits().position();
    position
        .into_iter()
        .zip(player)
        .all(|(cube, player)| (-reach..reach).contains(&(cube - player)))
}

/// Returns a cube's state as if it had been attached to the player since the baseline.
fn carried(format: &SyncFormat, body: &GridState, then: &GridState, now: &GridState) -> GridState {
    let [mut cube, then, now] = [body, then, now].map(|body| format.grid.dequantise(body));
    let turn = Quat(now.orientation) * Quat(then.orientation).conjugate();
    let offset = std::array::from_fn(|i| cube.position[i] - then.position[i]);
    let offset = rotate(turn, offset);
    cube.position = std::array::from_fn(|i| now.position[i] + offset[i]);
    cube.orientation = (turn * Quat(cube.orientation)).0;
    format.grid.quantise(&cube)
}

/// Returns a cube's state as if its velocity had been constant since the baseline.
fn moved_on(format: &SyncFormat, body: &GridState, age_frames: u32) -> GridState {
    let mut cube = format.grid.dequantise(body);
    let time_s = age_frames as f32 * FRAME_S;
    cube.position = std::array::from_fn(|i| cube.position[i] + cube.linear_velocity[i] * time_s);
    GridState {
        orientation: body.orientation,
        ..format.grid.quantise(&cube)
    }
}

// Widths as measured on a katamari ball of 100 cubes at 12, 15 and 12 bits, 10 to 21 frames after the baseline: those with
// the fewest bits on average.

/// Bit widths of the offset from the player to a near cube, up to [`NEAR_M`]: 12 and 13 bits at 12 fractional bits.
fn offset_ranges(format: &SyncFormat) -> Widths {
    Widths::growing(9, 10, format.grid.bits().position())
}

/// Bit widths of a position difference: 8 and 11 bits at 12 fractional bits.
fn position_ranges(format: &SyncFormat) -> Widths {
    Widths::growing(5, 8, format.grid.bits().position())
}

/// Bit widths of an orientation difference: 10 and 13 bits at 15 bits a component.
fn orientation_ranges(format: &SyncFormat) -> Widths {
    Widths::growing(4, 7, format.grid.bits().orientation())
}

/// Bit widths of a linear velocity difference: 11 and 13 bits at 12 fractional bits.
fn linear_ranges(format: &SyncFormat) -> Widths {
    Widths::growing(8, 10, format.grid.bits().velocity())
}

/// Bit widths of an angular velocity difference: 11 and 14 bits at 12 fractional bits.
fn angular_ranges(format: &SyncFormat) -> Widths {
    Widths::growing(8, 11, format.grid.bits().velocity())
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn rotate(turn: Quat, [x, y, z]: [f32; 3]) -> [f32; 3] {
    let Quat([x, y, z, _]) = turn * Quat([x, y, z, 0.0]) * turn.conjugate();
    [x, y, z]
}
