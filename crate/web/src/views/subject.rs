//! Subject of the camera: the part of the world that it follows.

use snapshot_base::order;

/// Height of the player's centre above the camera's target in the original demo, m.
const BELOW_PLAYER_M: f32 = 1.0;
/// Half the side of the player's cube in the original demo, m.
const PLAYER_HALF_M: f32 = 0.75;
/// Half the width of the area that the original demo's camera shows around the player, m.
const SEEN_M: f32 = 5.0;
/// Least radius of a close-up, m: an object without a size has none.
pub(super) const LEAST_M: f32 = 0.02;
/// Share of a motion's objects that the camera shows: a few strays must not make all others small.
const IN_SIGHT: f32 = 0.9;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CameraTarget {
    pub(super) at_m: [f32; 3],
    /// Size of the subject as a multiple of the size that the original demo's camera shows.
    pub(super) scale: f32,
}

/// Returns the position of a simulated world's player: the first cube that has a size; `None` if there is none.
pub(super) fn player(position_half_m: &[[f32; 4]]) -> Option<[f32; 3]> {
    let there = position_half_m.iter().find(|[.., half_m]| *half_m > 0.0);
    there.map(|&[x, y, z, _]| [x, y, z])
}

/// Returns the subject of a simulated world: the middle of the players of all drawn views, from far enough that each is
/// visible. A view that is far behind, as after a cut of the network, is left out.
pub(super) fn of_players(players_m: &[[f32; 3]]) -> Option<CameraTarget> {
    const FARTHEST_SCALE: f32 = 2.5;
    let first = *players_m.first()?;
    let bound = |take: fn(f32, f32) -> f32| {
        players_m.iter().fold(first, |bound, player| {
            std::array::from_fn(|axis| take(bound[axis], player[axis]))
        })
    };
    let (low, high) = (bound(f32::min), bound(f32::max));
    let half: [f32; 3] = std::array::from_fn(|axis| (high[axis] - low[axis]) / 2.0);
    let apart_m = (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]).sqrt();
    let scale = (apart_m + PLAYER_HALF_M * 2.0) / SEEN_M;
    // The first view is the original's if that is drawn: the picture stays with it.
    let part = (FARTHEST_SCALE / scale).min(1.0);
    let mut at_m: [f32; 3] =
        std::array::from_fn(|axis| first[axis] + part * (low[axis] + half[axis] - first[axis]));
    at_m[2] -= BELOW_PLAYER_M;
    Some(CameraTarget {
        at_m,
        scale: scale.clamp(1.0, FARTHEST_SCALE),
    })
}

/// Returns the subject of a recorded motion: the selected object, else most of its objects.
pub(super) fn of_motion(
    position_half_m: &[[f32; 4]],
    looked_at: Option<usize>,
) -> Option<CameraTarget> {
    let looked_at = looked_at.and_then(|object| position_half_m.get(object));
    if let Some(&[x, y, z, half_m]) = looked_at.filter(|[.., half_m]| *half_m > 0.0) {
        return Some(CameraTarget {
            at_m: [x, y, z],
            scale: (half_m / PLAYER_HALF_M).clamp(0.5, 20.0),
        });
    }
    let there = || position_half_m.iter().filter(|[.., half_m]| *half_m > 0.0);
    let count = there().count();
    let at_m = std::array::from_fn(|axis| {
        there().map(|place| place[axis]).sum::<f32>() / count.max(1) as f32
    });
    let distance_m = |place: &[f32; 4]| {
        let [x, y, z]: [f32; 3] = std::array::from_fn(|axis| place[axis] - at_m[axis]);
        (x * x + y * y + z * z).sqrt() + place[3]
    };
    let distances_m = order::sorted(there().map(|place| f64::from(distance_m(place))));
    let last = distances_m.len().checked_sub(1)?;
    let radius_m = distances_m[(last as f32 * IN_SIGHT).ceil() as usize] as f32;
    Some(CameraTarget {
        at_m,
        scale: (radius_m / SEEN_M).clamp(0.5, 200.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_of_all_views_are_in_sight_until_one_is_far_behind() {
        assert_eq!(of_players(&[]), None);
        let near = of_players(&[[4.0, 5.0, 6.0], [5.0, 5.0, 6.0]]).unwrap();
        assert_eq!((near.at_m, near.scale), ([4.5, 5.0, 5.0], 1.0));
        let apart = of_players(&[[0.0, 0.0, 1.0], [12.0, 0.0, 1.0]]).unwrap();
        assert_eq!((apart.at_m, apart.scale), ([6.0, 0.0, 0.0], 1.5));
        let lost = of_players(&[[0.0, 0.0, 1.0], [400.0, 0.0, 1.0]]).unwrap();
        assert!(lost.at_m[0] < 13.0 && lost.scale == 2.5, "{lost:?}");
    }

    #[test]
    fn a_motion_is_seen_as_a_whole_until_one_object_is_looked_at() {
        let objects = [
            [-50.0, 0.0, 0.0, 1.5],
            [50.0, 0.0, 0.0, 1.5],
            [0.0; 4],
            [0.0, 0.0, 0.0, 0.75],
        ];
        let whole = of_motion(&objects, None).unwrap();
        assert!(whole.at_m == [0.0; 3] && whole.scale > 10.0, "{whole:?}");
        let one = of_motion(&objects, Some(3)).unwrap();
        assert_eq!(one.scale, 1.0);
        assert_eq!(of_motion(&objects, Some(2)), Some(whole));
        assert_eq!(of_motion(&objects[2..3], None), None);
    }
}
