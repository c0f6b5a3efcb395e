//! Picking: the cube under the pointer.

use snapshot_lane::view::View;
use three_d::{Camera, Quat, Rotation, Vec3, vec3};

pub(super) struct Ray {
    from: Vec3,
    /// Direction of the ray, a vector of length 1.
    towards: Vec3,
}

/// Returns the ray through a pixel, counted from the canvas's bottom left; `None` if it is outside the camera's view.
pub(super) fn ray(camera: &Camera, x_px: f32, y_px: f32) -> Option<Ray> {
    let viewport = camera.viewport();
    let (x, y) = (x_px - viewport.x as f32, y_px - viewport.y as f32);
    let inside =
        (0.0..viewport.width as f32).contains(&x) && (0.0..viewport.height as f32).contains(&y);
    inside.then(|| Ray {
        from: camera.position(),
        towards: camera.view_direction_at_pixel((x_px, y_px)),
    })
}

/// Returns the index of the nearest cube of a view that a ray meets; `None` if it meets no cube. `speck_m` is the least half
/// side with which a cube is drawn.
pub(super) fn nearest(ray: &Ray, view: &View, speck_m: f32) -> Option<u32> {
    let distance_m = |cube: usize| {
        let [x, y, z, longest_m] = view.position_half_m[cube];
        let [along, across, up, _] = view.proportions[cube];
        let half_m = [along, across, up].map(|part| part * longest_m.max(speck_m));
        distance_m(ray, vec3(x, y, z), half_m, view.orientation[cube])
    };
    (0..view.position_half_m.len())
        .filter(|&cube| !view.life[cube].is_empty())
        .filter_map(|cube| Some((cube as u32, distance_m(cube)?)))
        .min_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(cube, _)| cube)
}

/// Returns the distance along the ray to a cube's surface, m; `None` if the ray misses it. Three slabs lie between the cube's
/// opposite sides. The ray is in the cube between its latest entry into a slab and its earliest exit from one.
fn distance_m(ray: &Ray, at: Vec3, half_m: [f32; 3], [i, j, k, w]: [f32; 4]) -> Option<f32> {
    let back = Quat::new(w, -i, -j, -k);
    let from = back.rotate_vector(ray.from - at);
    let towards = back.rotate_vector(ray.towards);
    let (mut enters, mut leaves) = (0.0_f32, f32::INFINITY);
    for axis in 0..3 {
        let [a, b] = [-half_m[axis], half_m[axis]].map(|side| (side - from[axis]) / towards[axis]);
        // Along a side that it never meets these are infinite, or not numbers where it lies in it: then the others decide.
        enters = enters.max(a.min(b));
        leaves = leaves.min(a.max(b));
    }
    (enters <= leaves).then_some(enters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_codec::CubeState;

    const STRAIGHT: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

    fn view(cubes: &[[f32; 3]], half_m: [f32; 3], orientation: [f32; 4]) -> View {
        let cube = |&position: &[f32; 3]| CubeState {
            position,
            orientation,
            ..CubeState::default()
        };
        let cubes: Vec<_> = cubes.iter().map(cube).collect();
        View::new(cubes.iter().map(|cube| (cube, half_m)))
    }

    #[test]
    fn the_nearest_cube_in_the_line_of_sight_is_picked_and_none_beside_it() {
        let ray = |x: f32| Ray {
            from: vec3(x, -10.0, 0.0),
            towards: vec3(0.0, 1.0, 0.0),
        };
        let cubes = [[0.0, 5.0, 0.0], [0.0, 2.0, 0.0], [3.0, 0.0, 0.0]];
        let straight = view(&cubes, [0.2; 3], STRAIGHT);
        assert_eq!(nearest(&ray(0.0), &straight, 0.0), Some(1));
        assert_eq!(nearest(&ray(3.1), &straight, 0.0), Some(2));
        assert_eq!(nearest(&ray(0.25), &straight, 0.0), None);
        // An eighth of a turn about z makes it wider, and so does another shape.
        let eighth = std::f32::consts::FRAC_PI_8;
        let turned = view(&cubes, [0.2; 3], [0.0, 0.0, eighth.sin(), eighth.cos()]);
        assert_eq!(nearest(&ray(0.25), &turned, 0.0), Some(1));
        let boxes = view(&cubes, [0.3, 0.1, 0.1], STRAIGHT);
        assert_eq!(nearest(&ray(0.25), &boxes, 0.0), Some(1));
        // What lies behind is not seen.
        let behind = Ray {
            from: vec3(0.0, 20.0, 0.0),
            ..ray(0.0)
        };
        assert_eq!(nearest(&behind, &straight, 0.0), None);
    }
}
