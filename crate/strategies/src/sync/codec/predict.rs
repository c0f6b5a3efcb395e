//! Predictions of a cube that both ends make before its fields are sent, in the integers of the format.
//!
//! Sums, products and a square root of IEEE floats only, so that both ends expect the same on every machine.

use super::body::SyncBody;
use super::format::SyncFormat;
use snapshot_codec::Widths;
use snapshot_codec::quantise::FixedPoint;
use snapshot_view::parts::Quat;

/// Greatest distance from the player, on every axis, at which a cube counts as near, m: a ball of pulled cubes reaches to 1.8
/// m.
const NEAR_M: i32 = 2;
/// Length of a frame, s.
const FRAME_S: f32 = 1.0 / 60.0;

/// A cube's state in a packet that the other end has, and the player's state in that packet.
#[derive(Clone, Copy)]
pub(super) struct SyncBaseline<'a> {
    pub(super) body: &'a SyncBody,
    pub(super) player: Option<&'a SyncBody>,
    /// Frames from the baseline's packet to the present packet.
    pub(super) age_frames: u32,
}

/// Predicted position and orientation; each absent if nothing is known.
#[derive(Clone, Copy, Default)]
pub(super) struct ExpectedPose {
    pub(super) position: Option<([i32; 3], Widths)>,
    pub(super) orientation: Option<([i32; 4], Widths)>,
}

/// Predicts a cube's pose. `player` is the player's state in this packet, where there is a player and the format is relative.
pub(super) fn pose(
    format: &SyncFormat,
    baseline: Option<SyncBaseline>,
    player: Option<&SyncBody>,
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
    player: Option<&SyncBody>,
) -> Option<[([i32; 3], Widths); 2]> {
    let [linear_ranges, angular_ranges] = [linear_ranges(format), angular_ranges(format)];
    if let Some(player) = player.filter(|player| is_near(format, position, player.position)) {
        let at = format.dequantise(&SyncBody {
            position,
            ..*player
        });
        let player = format.dequantise(player);
        let offset = std::array::from_fn(|i| at.position[i] - player.position[i]);
        let turning = cross(player.angular_velocity, offset);
        let linear = std::array::from_fn(|i| {
            let expected = player.linear_velocity[i] + turning[i];
            format.linear_axes()[i].quantise(expected)
        });
        let angular =
            std::array::from_fn(|i| format.angular_axes()[i].quantise(player.angular_velocity[i]));
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
    let orientation_bits = 2 + 3 * format.smallest_three().component_bits();
    let position = least(format.position_axes(), position_ranges(format));
    let offset = least(format.position_axes(), offset_ranges(format));
    let orientation = (1 + least_bits(orientation_ranges(format))).min(orientation_bits);
    let linear = least(format.linear_axes(), linear_ranges(format));
    let angular = least(format.angular_axes(), angular_ranges(format));
    [position.min(offset) + orientation, linear + angular]
}

/// Lower bound of the bits for three differences.
fn least_bits(ranges: Widths) -> u32 {
    3 * (1 + ranges.small_bits())
}

fn is_near(format: &SyncFormat, position: [i32; 3], player: [i32; 3]) -> bool {
    let reach = NEAR_M << format.bits().position();
    position
        .into_iter()
        .zip(player)
        .all(|(cube, player)| (-reach..reach).contains(&(cube - player)))
}

/// Returns a cube's state as if it had been attached to the player since the baseline.
fn carried(format: &SyncFormat, body: &SyncBody, then: &SyncBody, now: &SyncBody) -> SyncBody {
    let [mut cube, then, now] = [body, then, now].map(|body| format.dequantise(body));
    let turn = Quat(now.orientation) * Quat(then.orientation).conjugate();
    let offset = std::array::from_fn(|i| cube.position[i] - then.position[i]);
    let offset = rotate(turn, offset);
    cube.position = std::array::from_fn(|i| now.position[i] + offset[i]);
    cube.orientation = (turn * Quat(cube.orientation)).0;
    format.quantise(&cube)
}

/// Returns a cube's state as if its velocity had been constant since the baseline.
fn moved_on(format: &SyncFormat, body: &SyncBody, age_frames: u32) -> SyncBody {
    let mut cube = format.dequantise(body);
    let time_s = age_frames as f32 * FRAME_S;
    cube.position = std::array::from_fn(|i| cube.position[i] + cube.linear_velocity[i] * time_s);
    SyncBody {
        orientation: body.orientation,
        ..format.quantise(&cube)
    }
}

// Widths as measured on a katamari ball of 100 cubes at 12, 15 and 12 bits, 10 to 21 frames after the baseline: those with
// the fewest bits on average.

/// Bit widths of the offset from the player to a near cube, up to [`NEAR_M`]: 12 and 13 bits at 12 fractional bits.
fn offset_ranges(format: &SyncFormat) -> Widths {
    Widths::growing(9, 10, format.bits().position())
}

/// Bit widths of a position difference: 8 and 11 bits at 12 fractional bits.
fn position_ranges(format: &SyncFormat) -> Widths {
    Widths::growing(5, 8, format.bits().position())
}

/// Bit widths of an orientation difference: 10 and 13 bits at 15 bits a component.
fn orientation_ranges(format: &SyncFormat) -> Widths {
    Widths::growing(4, 7, format.bits().orientation())
}

/// Bit widths of a linear velocity difference: 11 and 13 bits at 12 fractional bits.
fn linear_ranges(format: &SyncFormat) -> Widths {
    Widths::growing(8, 10, format.bits().velocity())
}

/// Bit widths of an angular velocity difference: 11 and 14 bits at 12 fractional bits.
fn angular_ranges(format: &SyncFormat) -> Widths {
    Widths::growing(8, 11, format.bits().velocity())
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
