//! Surface error: the greatest distance of a point on an object's drawn surface from the point's true place.
//!
//! It joins the errors of position and orientation in one length, in mm. A box is measured at its eight corners, a sphere
//! all over.

use serde::Serialize;
use snapshot_record::session_config::{SessionConfig, Shape};
use snapshot_view::Pose;
use std::sync::Arc;

/// A screen, and the distance of an object from the eye. Both convert millimetres to pixels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Screen {
    /// Distance of the object from the eye, m.
    pub distance_m: f64,
    /// Vertical field of view, degrees.
    pub field_deg: f64,
    /// Height of the picture, pixels.
    pub lines: f64,
}

impl Screen {
    /// The default screen, for all figures, files and reports that name no other screen.
    pub const FIGURES: Screen = Screen {
        distance_m: 10.0,
        field_deg: 60.0,
        lines: 1080.0,
    };

    /// Parses a distance in m, a field of view in degrees and a number of lines, separated by commas; `None` if one is missing
    /// or out of range.
    pub fn parse(text: &str) -> Option<Screen> {
        let mut numbers = text.split(',').map(|number| number.trim().parse().ok());
        let mut next = |least: f64, most: f64| {
            let number: Option<f64> = numbers.next().flatten();
            number.filter(|number| (least..=most).contains(number))
        };
        let screen = Screen {
            distance_m: next(0.01, 1e6)?,
            field_deg: next(1.0, 170.0)?,
            lines: next(1.0, 100_000.0)?,
        };
        numbers.next().is_none().then_some(screen)
    }

    /// Returns the pixels that a length in mm covers, seen square on in the middle of the picture.
    pub fn px_of_mm(&self, length_mm: f64) -> f64 {
        length_mm / self.mm_of_px(1.0)
    }

    /// Returns the length in mm that covers a number of pixels.
    pub fn mm_of_px(&self, pixels: f64) -> f64 {
        let half_height = libm::tan(self.field_deg.to_radians() / 2.0);
        pixels * 2000.0 * self.distance_m * half_height / self.lines
    }
}

impl Default for Screen {
    fn default() -> Screen {
        Screen::FIGURES
    }
}

/// Shape and sizes of all objects, for which surface errors are computed.
#[derive(Clone, Debug)]
pub struct Surfaces {
    shape: Shape,
    half_m: Arc<[[f32; 3]]>,
}

impl Surfaces {
    pub fn new(session_config: &SessionConfig) -> Surfaces {
        Surfaces {
            shape: session_config.shape,
            half_m: Arc::clone(&session_config.half_m),
        }
    }

    /// Returns the surface error of an object between two poses, mm.
    pub fn error_mm(&self, index: usize, shown: &Pose, truth: &Pose) -> f64 {
        if shown.position == truth.position && shown.orientation == truth.orientation {
            return 0.0;
        }
        let [a, b] = [shown.position, truth.position].map(|at| at.map(f64::from));
        let moved_m = std::array::from_fn(|axis| a[axis] - b[axis]);
        let [a, b] = [shown.orientation, truth.orientation].map(|turn| turn.map(f64::from));
        self.joint_error_mm(index, moved_m, Turn::between(a, b))
    }

    /// Returns the surface error of an object that is moved and turned, mm.
    pub fn joint_error_mm(&self, index: usize, moved_m: [f64; 3], turned: Turn) -> f64 {
        error_mm(self.shape, self.half_m[index], moved_m, turned)
    }
}

/// Returns the surface error in mm of an object with these half sides in m, which is moved and turned.
pub fn error_mm(shape: Shape, half_m: [f32; 3], moved_m: [f64; 3], turned: Turn) -> f64 {
    let half_m = half_m.map(f64::from);
    let offset = Offset { moved_m, turned };
    1000.0
        * match shape {
            Shape::Box => offset.of_box_m(half_m),
            Shape::Sphere => offset.of_sphere_m(half_m.into_iter().fold(0.0, f64::max)),
        }
}

/// Difference of two orientations: of each axis of the object, the difference of its two directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn([[f64; 3]; 3]);

impl Turn {
    pub fn between(shown: [f64; 4], truth: [f64; 4]) -> Turn {
        if shown == truth {
            return Turn([[0.0; 3]; 3]);
        }
        let [a, b] = [shown, truth].map(axes);
        Turn(std::array::from_fn(|axis| {
            std::array::from_fn(|part| a[axis][part] - b[axis][part])
        }))
    }
}

/// Difference of two poses of one object.
struct Offset {
    moved_m: [f64; 3],
    turned: Turn,
}

impl Offset {
    /// Returns the greatest movement of a corner, m. Opposite corners move by `m + s` and `m - s`; the longer movement has
    /// the length `sqrt(mm + 2|ms| + ss)`. So one corner of each of the four pairs is enough.
    fn of_box_m(&self, half_m: [f64; 3]) -> f64 {
        let Turn(turned) = self.turned;
        let [along, across, up]: [[f64; 3]; 3] =
            std::array::from_fn(|axis| turned[axis].map(|part| part * half_m[axis]));
        let moved_m = self.moved_m;
        let mut most = 0.0_f64;
        for (by_across, by_up) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let swung: [f64; 3] = std::array::from_fn(|part| {
                along[part] + by_across * across[part] + by_up * up[part]
            });
            most = most.max(2.0 * dot(moved_m, swung).abs() + dot(swung, swung));
        }
        (dot(moved_m, moved_m) + most).sqrt()
    }

    /// Returns the greatest movement of a point of a sphere, m. A turn moves points across its axis, at most by the radius
    /// times the chord of the angle, and in every direction across it alike.
    fn of_sphere_m(&self, radius_m: f64) -> f64 {
        let Turn(turned) = self.turned;
        // The three differences of axes have the chord's square twice among them.
        let chord = (turned.iter().map(|part| dot(*part, *part)).sum::<f64>() / 2.0).sqrt();
        // Each difference is across the axis of the turn, so two of them have it as their product.
        let products = [(0, 1), (1, 2), (2, 0)].map(|(a, b)| cross(turned[a], turned[b]));
        let longest = |of: &[f64; 3]| dot(*of, *of);
        let normal = products.into_iter().fold([0.0; 3], |most, of| {
            if longest(&of) > longest(&most) {
                of
            } else {
                most
            }
        });
        let square = dot(normal, normal);
        let moved_m = self.moved_m;
        let along = match square > 0.0 {
            true => dot(moved_m, normal) * dot(moved_m, normal) / square,
            false => 0.0,
        };
        let across = (dot(moved_m, moved_m) - along).max(0.0).sqrt() + radius_m * chord;
        (along + across * across).sqrt()
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Returns the directions of an object's three axes under an orientation.
fn axes([x, y, z, w]: [f64; 4]) -> [[f64; 3]; 3] {
    let [xx, yy, zz] = [2.0 * x * x, 2.0 * y * y, 2.0 * z * z];
    let [xy, xz, yz] = [2.0 * x * y, 2.0 * x * z, 2.0 * y * z];
    let [wx, wy, wz] = [2.0 * w * x, 2.0 * w * y, 2.0 * w * z];
    [
        [1.0 - yy - zz, xy + wz, xz - wy],
        [xy - wz, 1.0 - xx - zz, yz + wx],
        [xz + wy, yz - wx, 1.0 - xx - yy],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3};
    use proptest::prelude::*;
    use snapshot_codec::Life;

    fn pose((position, turn): ([f32; 3], [f32; 4])) -> Option<Pose> {
        let length = turn.iter().map(|part| part * part).sum::<f32>().sqrt();
        (length > 0.01).then(|| Pose {
            position,
            orientation: turn.map(|part| part / length),
            interacting: true,
            life: Life::FIRST,
        })
    }

    /// Places of a body's points in a pose, m.
    fn placed(pose: &Pose, points: &[DVec3]) -> Vec<DVec3> {
        let turn = DQuat::from_array(pose.orientation.map(f64::from)).normalize();
        let at = DVec3::from_array(pose.position.map(f64::from));
        points.iter().map(|point| at + turn * *point).collect()
    }

    fn farthest_mm(shown: &Pose, truth: &Pose, points: &[DVec3]) -> f64 {
        let pairs = placed(shown, points);
        let pairs = pairs.into_iter().zip(placed(truth, points));
        let apart = pairs.map(|(a, b)| 1000.0 * (a - b).length());
        apart.fold(0.0, f64::max)
    }

    fn surfaces(shape: Shape, half_m: [f32; 3]) -> Surfaces {
        Surfaces {
            shape,
            half_m: [half_m].into(),
        }
    }

    fn any_pose(metres: f32, turn: f32) -> impl Strategy<Value = ([f32; 3], [f32; 4])> {
        let parts = prop::array::uniform3(-turn..=turn);
        (prop::array::uniform3(-metres..=metres), parts, 0.5_f32..1.0)
            .prop_map(|(at, [x, y, z], w)| (at, [x, y, z, w]))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn corners_are_as_far_as_brute_force_says(
            a in any_pose(30.0, 1.0),
            near in any_pose(0.1, 0.05),
            is_near in any::<bool>(),
            b in any_pose(30.0, 1.0),
            half_m in prop::array::uniform3(0.01_f32..1.0),
        ) {
            let (Some(shown), Some(other)) = (pose(a), pose(b)) else { return Ok(()) };
            let truth = if is_near {
                let turn = near.1;
                let sum: [f32; 4] = std::array::from_fn(|i| a.1[i] + turn[i] - if i == 3 { 0.75 } else { 0.0 });
                let at: [f32; 3] = std::array::from_fn(|i| a.0[i] + near.0[i]);
                let Some(truth) = pose((at, sum)) else { return Ok(()) };
                truth
            } else {
                other
            };
            let corners: Vec<DVec3> = (0..8).map(|corner| {
                let side = |axis: usize| f64::from(half_m[axis]) * if corner >> axis & 1 == 0 { 1.0 } else { -1.0 };
                DVec3::new(side(0), side(1), side(2))
            }).collect();
            let error_mm = surfaces(Shape::Box, half_m).error_mm(0, &shown, &truth);
            prop_assert!((error_mm - farthest_mm(&shown, &truth, &corners)).abs() < 0.01);
        }

        #[test]
        fn no_point_of_a_sphere_is_farther_and_one_is_nearly_as_far(
            a in any_pose(3.0, 1.0),
            b in any_pose(3.0, 1.0),
            radius_m in 0.01_f32..1.0,
        ) {
            let (Some(shown), Some(truth)) = (pose(a), pose(b)) else { return Ok(()) };
            // Points spread evenly over the sphere.
            let points: Vec<DVec3> = (0..4000).map(|i| {
                let z = 1.0 - 2.0 * (f64::from(i) + 0.5) / 4000.0;
                let round = f64::from(i) * 2.399_963_229_728_653;
                let flat = (1.0 - z * z).sqrt();
                f64::from(radius_m) * DVec3::new(flat * libm::cos(round), flat * libm::sin(round), z)
            }).collect();
            let error_mm = surfaces(Shape::Sphere, [radius_m; 3]).error_mm(0, &shown, &truth);
            let found = farthest_mm(&shown, &truth, &points);
            prop_assert!(found <= error_mm + 0.01, "{found} {error_mm}");
            prop_assert!(found >= 0.998 * error_mm, "{found} {error_mm}");
        }

        #[test]
        fn any_text_is_a_screen_or_refused(text in "[0-9.,e -]{0,16}") {
            if let Some(screen) = Screen::parse(&text) {
                prop_assert!(screen.mm_of_px(1.0) > 0.0 && screen.mm_of_px(1.0).is_finite());
            }
        }
    }

    #[test]
    fn equal_poses_and_the_two_signs_of_a_quaternion_are_no_error() {
        let here = pose(([1.0, 2.0, 3.0], [0.1, -0.3, 0.2, 0.9])).unwrap();
        let same = Pose {
            orientation: here.orientation.map(|part| -part),
            ..here
        };
        for shape in Shape::ALL {
            let surfaces = surfaces(shape, [0.5; 3]);
            assert_eq!(surfaces.error_mm(0, &here, &here), 0.0);
            assert!(surfaces.error_mm(0, &here, &same) < 1e-9);
        }
    }

    #[test]
    fn a_pixel_at_ten_metres_is_a_centimetre() {
        // 1,080 lines over 2 * 10 m * tan 30 degrees.
        let mm = Screen::FIGURES.mm_of_px(1.0);
        assert!((mm - 10.692).abs() < 1e-3, "{mm}");
        assert!((Screen::FIGURES.px_of_mm(mm) - 1.0).abs() < 1e-12);
        assert_eq!(Screen::parse("10,60,1080"), Some(Screen::FIGURES));
        let wrong = "|10|10,60|10,60,1080,1|0,60,1080|10,180,1080|10,60,nan";
        for wrong in wrong.split('|') {
            assert_eq!(Screen::parse(wrong), None, "{wrong}");
        }
    }
}
