//! The camera of all views. It follows its subject, the part of the world to show, and a person can turn it around the
//! subject.

use super::subject::CameraTarget;
use three_d::{Camera, Vec3, Viewport, degrees, vec3};

/// Distance of the original demo's camera behind its target, m; the camera is 5 m above the target.
const BEHIND_M: f32 = 11.0;
const ABOVE_M: f32 = 5.0;
/// Share of the remaining way to its goal that the camera covers in a tick.
const EASE_PER_TICK: f32 = 0.15;
const FIELD_OF_VIEW_DEG: f32 = 40.0;
const DISTANCE_M: std::ops::RangeInclusive<f32> = 3.0..=70.0;
/// Range of the camera's elevation, rad: from just above the floor to nearly straight down.
const ELEVATION_RAD: std::ops::RangeInclusive<f32> = 0.05..=1.5;
const RAD_PER_PIXEL: f32 = 0.006;

/// Position of the camera relative to its target.
#[derive(Clone, Copy, PartialEq)]
struct Orbit {
    azimuth_rad: f32,
    elevation_rad: f32,
    distance_m: f32,
}

impl Orbit {
    fn original() -> Orbit {
        Orbit {
            azimuth_rad: 0.0,
            elevation_rad: ABOVE_M.atan2(BEHIND_M),
            distance_m: BEHIND_M.hypot(ABOVE_M),
        }
    }

    fn offset(self) -> Vec3 {
        let (sin, cos) = self.elevation_rad.sin_cos();
        self.distance_m
            * vec3(
                cos * self.azimuth_rad.sin(),
                -cos * self.azimuth_rad.cos(),
                sin,
            )
    }

    fn eased_towards(self, goal: Orbit, part: f32) -> Orbit {
        Orbit {
            azimuth_rad: self.azimuth_rad + (goal.azimuth_rad - self.azimuth_rad) * part,
            elevation_rad: self.elevation_rad + (goal.elevation_rad - self.elevation_rad) * part,
            distance_m: self.distance_m + (goal.distance_m - self.distance_m) * part,
        }
    }
}

pub(super) struct FollowCamera {
    target: Option<Vec3>,
    /// Size of the viewed scene relative to the scene of 901 cubes. All distances of the camera are multiplied by it.
    scale: f32,
    orbit: Orbit,
    goal: Orbit,
}

impl FollowCamera {
    pub(super) fn new() -> FollowCamera {
        FollowCamera {
            target: None,
            scale: 1.0,
            orbit: Orbit::original(),
            goal: Orbit::original(),
        }
    }

    /// Moves the camera towards the subject for a number of ticks. It jumps there if the number is negative, as after a
    /// restart.
    pub(super) fn follow(&mut self, subject: CameraTarget, ticks: f64) {
        let part = if ticks < 0.0 || self.target.is_none() {
            1.0
        } else {
            1.0 - (1.0 - EASE_PER_TICK).powf(ticks as f32)
        };
        let goal = Vec3::from(subject.at_m);
        let target = self.target.unwrap_or(goal);
        self.target = Some(target + (goal - target) * part);
        self.scale += (subject.scale - self.scale) * part;
    }

    /// Returns the least half side with which an object is drawn at the target's distance, m, so that it covers a few pixels.
    pub(super) fn speck_m(&self) -> f32 {
        const PART_OF_DISTANCE: f32 = 0.006;
        self.orbit.distance_m * self.scale * PART_OF_DISTANCE
    }

    /// Returns the pixels that a metre across the picture covers at the target.
    pub(super) fn px_of_m(&self, viewport: Viewport) -> f32 {
        let distance_m = self.orbit.distance_m * self.scale;
        let half_height = (FIELD_OF_VIEW_DEG.to_radians() / 2.0).tan();
        viewport.height as f32 / (2.0 * distance_m * half_height)
    }

    /// Turns the camera smoothly to where the person dragged it, also while the world stands still.
    pub(super) fn settle(&mut self, frames: f32) {
        const EASE_PER_FRAME: f32 = 0.35;
        self.orbit = self
            .orbit
            .eased_towards(self.goal, 1.0 - (1.0 - EASE_PER_FRAME).powf(frames));
    }

    pub(super) fn drag(&mut self, right_px: f32, down_px: f32) {
        self.goal.azimuth_rad -= right_px * RAD_PER_PIXEL;
        self.goal.elevation_rad = (self.goal.elevation_rad + down_px * RAD_PER_PIXEL)
            .clamp(*ELEVATION_RAD.start(), *ELEVATION_RAD.end());
    }

    pub(super) fn zoom(&mut self, factor: f32) {
        if factor.is_finite() {
            self.goal.distance_m =
                (self.goal.distance_m * factor).clamp(*DISTANCE_M.start(), *DISTANCE_M.end());
        }
    }

    pub(super) fn reset(&mut self) {
        // The short way round, however often a person has turned it.
        let turn = std::f32::consts::TAU;
        self.orbit.azimuth_rad -= (self.orbit.azimuth_rad / turn).round() * turn;
        self.goal = Orbit::original();
    }

    /// Returns the position of the camera as in a link: degrees round the player, degrees above the player, and the distance
    /// in cm. `None` at the position of the original demo's camera.
    pub(super) fn place(&self) -> Option<[i32; 3]> {
        let turn = std::f32::consts::TAU;
        let round = self.goal.azimuth_rad - (self.goal.azimuth_rad / turn).round() * turn;
        let goal = Orbit {
            azimuth_rad: round,
            ..self.goal
        };
        let degrees = |rad: f32| rad.to_degrees().round() as i32;
        let place = |orbit: Orbit| {
            let centimetres = (orbit.distance_m * 100.0).round() as i32;
            let [round, up] = [orbit.azimuth_rad, orbit.elevation_rad].map(degrees);
            [round, up, centimetres]
        };
        Some(place(goal)).filter(|goal| *goal != place(Orbit::original()))
    }

    /// Moves the camera at once to a position from a link.
    pub(super) fn stand_at(&mut self, [round, up, centimetres]: [i32; 3]) {
        let bounded = |value: f32, bounds: std::ops::RangeInclusive<f32>| {
            value.clamp(*bounds.start(), *bounds.end())
        };
        self.goal = Orbit {
            azimuth_rad: (round as f32).to_radians(),
            elevation_rad: bounded((up as f32).to_radians(), ELEVATION_RAD),
            distance_m: bounded(centimetres as f32 / 100.0, DISTANCE_M),
        };
        self.orbit = self.goal;
    }

    /// Returns distance (m) and bearing (rad, to the right of straight ahead) of the world's centre from the target.
    pub(super) fn home(&self) -> (f32, f32) {
        let target = self.target();
        // At an azimuth of 0 it looks along y.
        let bearing = (-target.x).atan2(-target.y) + self.orbit.azimuth_rad;
        (target.x.hypot(target.y), bearing)
    }

    pub(super) fn target(&self) -> Vec3 {
        self.target.unwrap_or(vec3(0.0, 0.0, 0.0))
    }

    pub(super) fn camera(&self, viewport: Viewport) -> Camera {
        const NEAR_M: f32 = 0.2;
        const FAR_M: f32 = 400.0;
        let target = self.target();
        let scale = self.scale.max(1.0);
        Camera::new_perspective(
            viewport,
            target + self.orbit.offset() * self.scale,
            target,
            vec3(0.0, 0.0, 1.0),
            degrees(FIELD_OF_VIEW_DEG),
            NEAR_M * scale,
            FAR_M * scale,
        )
    }

    /// Returns a camera that looks in the same direction at a ball, which fills its picture.
    pub(super) fn close_up(&self, viewport: Viewport, centre: Vec3, radius_m: f32) -> Camera {
        // The shorter side of the picture holds the ball.
        let aspect = viewport.width as f32 / viewport.height as f32;
        let half = (FIELD_OF_VIEW_DEG.to_radians() / 2.0).tan() * aspect.min(1.0);
        let distance_m = radius_m / half;
        Camera::new_perspective(
            viewport,
            centre + self.orbit.offset() * (distance_m / self.orbit.distance_m),
            centre,
            vec3(0.0, 0.0, 1.0),
            degrees(FIELD_OF_VIEW_DEG),
            // Nothing before the ball hides it.
            (distance_m - radius_m).max(0.01 * distance_m),
            10.0 * distance_m,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use three_d::InnerSpace;

    fn at(at_m: [f32; 3]) -> CameraTarget {
        CameraTarget { at_m, scale: 1.0 }
    }

    #[test]
    fn home_lies_behind_who_drives_away() {
        let mut camera = FollowCamera::new();
        camera.follow(at([0.0, 40.0, 1.0]), 1.0);
        let (distance_m, bearing_rad) = camera.home();
        assert!((distance_m - 40.0).abs() < 1e-3);
        assert!((bearing_rad.abs() - std::f32::consts::PI).abs() < 1e-3);
        let mut aside = FollowCamera::new();
        aside.follow(at([-40.0, 0.0, 1.0]), 1.0);
        assert!((aside.home().1 - std::f32::consts::FRAC_PI_2).abs() < 1e-3);
    }

    #[test]
    fn stays_in_bounds_and_comes_back() {
        let mut camera = FollowCamera::new();
        camera.follow(at([0.0, 0.0, 1.0]), 1.0);
        for _ in 0..100 {
            camera.drag(500.0, 500.0);
            camera.zoom(3.0);
            camera.zoom(f32::NAN);
            camera.settle(1.0);
        }
        assert!(camera.orbit.offset().magnitude() < 71.0 && camera.orbit.offset().z > 0.0);
        camera.reset();
        camera.settle(100.0);
        assert!((camera.orbit.offset() - Orbit::original().offset()).magnitude() < 1e-3);
    }

    #[test]
    fn a_length_across_the_target_is_as_many_pixels_as_are_drawn() {
        let viewport = Viewport::new_at_origo(960, 700);
        for place in 0..1000 {
            let mut camera = FollowCamera::new();
            let scale = 0.5 + (place % 7) as f32;
            camera.follow(
                CameraTarget {
                    at_m: [3.0, -2.0, 1.0],
                    scale,
                },
                1.0,
            );
            camera.stand_at([place * 37 % 360, 5 + place % 80, 300 + place * 6]);
            let drawn = camera.camera(viewport);
            // A surface error of up to 100 mm at the target, square on, in any direction across the picture.
            let error_m = 0.001 + 0.0001 * place as f32;
            let turn = place as f32;
            let up = drawn.up_orthogonal().normalize();
            let across = drawn.right_direction().normalize() * turn.cos() + up * turn.sin();
            let [from, to] = [0.0, error_m].map(|far| camera.target() + across * far);
            let [a, b] = [from, to].map(|at| drawn.pixel_at_position(at));
            let apart_px = (a.x - b.x).hypot(a.y - b.y);
            let expected_px = camera.px_of_m(viewport) * error_m;
            assert!(
                (expected_px - apart_px).abs() < 0.5,
                "{place}: {expected_px} {apart_px}"
            );
            assert!(
                (expected_px - apart_px).abs() < 0.05 * apart_px.max(0.2),
                "{place}"
            );
        }
    }

    #[test]
    fn a_place_is_found_again() {
        let mut camera = FollowCamera::new();
        assert_eq!(camera.place(), None);
        camera.drag(1500.0, 40.0);
        camera.zoom(2.0);
        let place = camera.place().unwrap();
        let mut other = FollowCamera::new();
        other.stand_at(place);
        assert_eq!(other.place(), Some(place));
        assert!(other.goal == other.orbit && (-180..=180).contains(&place[0]));
        other.stand_at([0, 90, 100]);
        assert_eq!(other.place(), Some([0, 86, 300]));
        other.reset();
        assert_eq!(other.place(), None);
    }
}
