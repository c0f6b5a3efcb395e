//! Which cube is under the pointer.

use three_d::{Camera, InnerSpace, Quat, Rotation, Vec3, vec3};

/// A line of sight.
pub(super) struct Ray {
    from: Vec3,
    /// Of length 1.
    towards: Vec3,
}

/// The line of sight through a pixel of the canvas, counted from the bottom left; none where the camera's view is not there.
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

/// The first cube that a line of sight meets.
pub(super) fn nearest(
    ray: &Ray,
    position_half_m: &[[f32; 4]],
    orientation: &[[f32; 4]],
) -> Option<u32> {
    let met = position_half_m.iter().zip(orientation).enumerate();
    let met =
        met.filter_map(|(cube, (&at, &turned))| Some((cube as u32, distance_m(ray, at, turned)?)));
    met.min_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(cube, _)| cube)
}

/// How far along the line a cube's surface is, if it is met at all: between the latest way in and the earliest way out of the
/// slabs between its sides.
fn distance_m(ray: &Ray, [x, y, z, half_m]: [f32; 4], [i, j, k, w]: [f32; 4]) -> Option<f32> {
    let back = Quat::new(w, -i, -j, -k);
    let from = back.rotate_vector(ray.from - vec3(x, y, z));
    let towards = back.rotate_vector(ray.towards);
    let (mut enters, mut leaves) = (0.0_f32, f32::INFINITY);
    for axis in 0..3 {
        let [a, b] = [-half_m, half_m].map(|side| (side - from[axis]) / towards[axis]);
        // Along a side that it never meets these are infinite, or not numbers where it lies in it: then the others decide.
        enters = enters.max(a.min(b));
        leaves = leaves.min(a.max(b));
    }
    (enters <= leaves && towards.magnitude2() > 0.0).then_some(enters)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRAIGHT: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

    #[test]
    fn the_nearest_of_those_in_the_line_is_met_and_none_beside_it() {
        let ray = |x: f32| Ray {
            from: vec3(x, -10.0, 0.0),
            towards: vec3(0.0, 1.0, 0.0),
        };
        let cubes = [
            [0.0, 5.0, 0.0, 0.2],
            [0.0, 2.0, 0.0, 0.2],
            [3.0, 0.0, 0.0, 0.2],
        ];
        let turned = [STRAIGHT; 3];
        assert_eq!(nearest(&ray(0.0), &cubes, &turned), Some(1));
        assert_eq!(nearest(&ray(3.1), &cubes, &turned), Some(2));
        assert_eq!(nearest(&ray(0.25), &cubes, &turned), None);
        // An eighth of a turn about z makes it wider.
        let eighth = std::f32::consts::FRAC_PI_8;
        let turned = [[0.0, 0.0, eighth.sin(), eighth.cos()]; 3];
        assert_eq!(nearest(&ray(0.25), &cubes, &turned), Some(1));
        // What lies behind is not seen.
        let behind = Ray {
            from: vec3(0.0, 20.0, 0.0),
            ..ray(0.0)
        };
        assert_eq!(nearest(&behind, &cubes, &[STRAIGHT; 3]), None);
    }

    #[test]
    fn a_pixel_belongs_to_one_view() {
        let viewport = three_d::Viewport {
            x: 100,
            y: 0,
            width: 100,
            height: 80,
        };
        let camera = Camera::new_perspective(
            viewport,
            vec3(0.0, -10.0, 0.0),
            vec3(0.0, 0.0, 0.0),
            vec3(0.0, 0.0, 1.0),
            three_d::degrees(40.0),
            0.2,
            400.0,
        );
        assert!(ray(&camera, 99.0, 40.0).is_none());
        let middle = ray(&camera, 150.0, 40.0).unwrap();
        assert_eq!(
            nearest(&middle, &[[0.0, 0.0, 0.0, 0.2]], &[STRAIGHT]),
            Some(0)
        );
    }
}
