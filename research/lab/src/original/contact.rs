//! Contacts of cubes with the floor and with each other, by separating axes (Gottschalk, Lin and Manocha, OBBTree, 1996,
//! section 5). A touching face is cut to the outline of the other (Sutherland and Hodgman, Reentrant polygon clipping,
//! 1974).

use glam::Vec3;

/// Body index of the floor.
pub(super) const FLOOR: u32 = u32::MAX;
/// Edges are taken for touching only where they are so much nearer to coming apart than faces: a face gives more contacts.
const EDGES_NEARER: f32 = 1.05;
/// Edges more parallel than this, as 1 - cosine^2 of their angle, cross nowhere in particular.
const PARALLEL: f32 = 0.0001;

/// A point where two bodies are in each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub(super) first: u32,
    /// The other body, or [`FLOOR`].
    pub(super) second: u32,
    pub(super) point: Vec3,
    /// Unit; moving the first body along it takes the two apart.
    pub(super) normal: Vec3,
    /// m, at least 0.
    pub(super) depth_m: f32,
}

/// A cube as shapes meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Box3 {
    pub(super) index: u32,
    pub(super) centre: Vec3,
    pub(super) axes: [Vec3; 3],
    pub(super) half_edge_m: f32,
}

impl Box3 {
    /// Half of the box's extent along a direction, in m for a unit vector.
    fn reach(&self, direction: Vec3) -> f32 {
        self.half_edge_m
            * self
                .axes
                .iter()
                .map(|axis| axis.dot(direction).abs())
                .sum::<f32>()
    }

    /// The axis that a direction is nearest to, either way.
    fn steepest(&self, direction: Vec3) -> usize {
        let along = self.axes.map(|axis| axis.dot(direction).abs());
        let steeper = |a, b| if along[b] > along[a] { b } else { a };
        [1, 2].into_iter().fold(0, steeper)
    }

    /// The middle of the edge along that axis which is farthest in a direction.
    fn edge(&self, axis: usize, direction: Vec3) -> Vec3 {
        let others = (0..3).filter(|&other| other != axis);
        others.fold(self.centre, |point, other| {
            let half = self.axes[other] * self.half_edge_m;
            point + half * half.dot(direction).signum()
        })
    }

    /// The corners, in turn, of the face that is most turned to a direction.
    fn face(&self, direction: Vec3) -> [Vec3; 4] {
        let axis = self.steepest(direction);
        let [out, u, v] = [0, 1, 2].map(|i| self.axes[(axis + i) % 3] * self.half_edge_m);
        let middle = self.centre + out * out.dot(direction).signum();
        [
            middle + u + v,
            middle + u - v,
            middle - u - v,
            middle - u + v,
        ]
    }
}

/// Adds the corners of the lowest face that are in the floor, z = 0.
pub(super) fn with_floor(cube: &Box3, contacts: &mut Vec<Contact>) {
    if cube.centre.z > cube.reach(Vec3::Z) {
        return;
    }
    let corners = cube.face(Vec3::NEG_Z).into_iter();
    contacts.extend(
        corners
            .filter(|corner| corner.z <= 0.0)
            .map(|corner| Contact {
                first: cube.index,
                second: FLOOR,
                point: corner,
                normal: Vec3::Z,
                depth_m: -corner.z,
            }),
    );
}

/// Adds where two cubes touch: one point where edges cross, up to eight where a face is touched.
pub(super) fn of_two(first: &Box3, second: &Box3, contacts: &mut Vec<Contact>) {
    let Some((towards, feature)) = least_overlap(first, second) else {
        return;
    };
    let mut add = |point: Vec3, depth_m: f32| {
        contacts.push(Contact {
            first: first.index,
            second: second.index,
            point,
            normal: -towards,
            depth_m,
        });
    };
    match feature {
        Feature::FaceOfFirst => touch_face(first, second, towards, &mut add),
        Feature::FaceOfSecond => touch_face(second, first, -towards, &mut add),
        Feature::Edges {
            axes: [a, b],
            depth_m,
        } => {
            let (p, u) = (first.edge(a, towards), first.axes[a]);
            let (q, v) = (second.edge(b, -towards), second.axes[b]);
            add(midway(p, u, q, v), depth_m);
        }
    }
}

/// The touching features, by the axis along which two cubes overlap least.
enum Feature {
    FaceOfFirst,
    FaceOfSecond,
    /// An edge of each, along these of their axes.
    Edges {
        axes: [usize; 2],
        depth_m: f32,
    },
}

/// The direction of least overlap from the first box to the second, and the touching feature; none where an axis
/// separates both.
fn least_overlap(first: &Box3, second: &Box3) -> Option<(Vec3, Feature)> {
    let between = second.centre - first.centre;
    let overlap = |axis: Vec3| {
        let overlap = first.reach(axis) + second.reach(axis) - axis.dot(between).abs();
        (overlap >= 0.0).then_some(overlap)
    };
    let towards = |axis: Vec3| if axis.dot(between) < 0.0 { -axis } else { axis };
    let mut least = f32::INFINITY;
    let mut found = None;
    for (i, &axis) in first.axes.iter().chain(&second.axes).enumerate() {
        let depth_m = overlap(axis)?;
        if depth_m < least {
            least = depth_m;
            let feature = if i < 3 {
                Feature::FaceOfFirst
            } else {
                Feature::FaceOfSecond
            };
            found = Some((towards(axis), feature));
        }
    }
    for (i, &a) in first.axes.iter().enumerate() {
        for (j, &b) in second.axes.iter().enumerate() {
            let across = a.cross(b);
            let overlap = overlap(across)?;
            let length = across.length();
            if length > 0.0 && overlap / length * EDGES_NEARER < least {
                let depth_m = overlap / length;
                least = depth_m;
                found = Some((
                    towards(across / length),
                    Feature::Edges {
                        axes: [i, j],
                        depth_m,
                    },
                ));
            }
        }
    }
    found
}

/// Adds the part of the other cube's nearest face that lies behind this cube's outward face.
fn touch_face(cube: &Box3, other: &Box3, outward: Vec3, add: &mut impl FnMut(Vec3, f32)) {
    let mut face = Polygon::from_face(other.face(-outward));
    let axis = cube.steepest(outward);
    for side in [(axis + 1) % 3, (axis + 2) % 3] {
        for sideways in [cube.axes[side], -cube.axes[side]] {
            face.cut(sideways, sideways.dot(cube.centre) + cube.half_edge_m);
        }
    }
    let reach = outward.dot(cube.centre) + cube.half_edge_m;
    for &point in face.corners() {
        let depth_m = reach - outward.dot(point);
        if depth_m >= 0.0 {
            add(point, depth_m);
        }
    }
}

/// A convex polygon of at most eight corners: each of four cuts adds at most one.
struct Polygon {
    corners: [Vec3; 8],
    count: usize,
}

impl Polygon {
    fn from_face(face: [Vec3; 4]) -> Self {
        let mut corners = [Vec3::ZERO; 8];
        corners[..4].copy_from_slice(&face);
        Self { corners, count: 4 }
    }

    fn corners(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }

    /// Keeps what goes no farther than `reach` along a direction.
    fn cut(&mut self, direction: Vec3, reach: f32) {
        let before = Self { ..*self };
        self.count = 0;
        let mut previous = before.corners().last().copied();
        for &corner in before.corners() {
            let beyond = direction.dot(corner) - reach;
            if let Some(previous) = previous.replace(corner) {
                let previous_beyond = direction.dot(previous) - reach;
                if (previous_beyond < 0.0) != (beyond < 0.0) {
                    let share = previous_beyond / (previous_beyond - beyond);
                    self.push(previous + (corner - previous) * share);
                }
            }
            if beyond < 0.0 {
                self.push(corner);
            }
        }
    }

    /// Rounding may ask for a ninth.
    fn push(&mut self, corner: Vec3) {
        if let Some(place) = self.corners.get_mut(self.count) {
            *place = corner;
            self.count += 1;
        }
    }
}

/// Between the nearest points of two lines, each through a point along a unit direction.
fn midway(p: Vec3, u: Vec3, q: Vec3, v: Vec3) -> Vec3 {
    let cosine = u.dot(v);
    let across = 1.0 - cosine * cosine;
    if across <= PARALLEL {
        return p.midpoint(q);
    }
    let (along_u, along_v) = (u.dot(q - p), v.dot(q - p));
    let on_first = p + u * ((along_u - cosine * along_v) / across);
    let on_second = q + v * ((cosine * along_u - along_v) / across);
    on_first.midpoint(on_second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Mat3, Quat, vec3};
    use proptest::prelude::*;

    fn a_box(centre: Vec3, orientation: Quat, half_edge_m: f32) -> Box3 {
        let axes = Mat3::from_quat(orientation);
        Box3 {
            index: 0,
            centre,
            axes: [axes.x_axis, axes.y_axis, axes.z_axis],
            half_edge_m,
        }
    }

    fn touch(first: &Box3, second: &Box3) -> Vec<Contact> {
        let mut contacts = Vec::new();
        of_two(first, second, &mut contacts);
        contacts
    }

    #[test]
    fn a_face_on_a_face_touches_at_the_corners_of_what_they_share() {
        let low = a_box(Vec3::ZERO, Quat::IDENTITY, 0.5);
        let high = a_box(vec3(0.5, 0.25, 0.99), Quat::IDENTITY, 0.5);
        let contacts = touch(&high, &low);
        assert_eq!(contacts.len(), 4);
        for contact in contacts {
            assert!(contact.normal.distance(Vec3::Z) < 1e-6);
            assert!((contact.depth_m - 0.01).abs() < 1e-6);
            let Vec3 { x, y, .. } = contact.point;
            assert!([0.0, 0.5].iter().any(|edge| (x - edge).abs() < 1e-6), "{x}");
            assert!(
                [-0.25, 0.5].iter().any(|edge| (y - edge).abs() < 1e-6),
                "{y}"
            );
        }
        // Turned by an eighth they share an octagon.
        let turned = a_box(vec3(0.0, 0.0, 0.99), Quat::from_rotation_z(0.785), 0.5);
        assert_eq!(touch(&turned, &low).len(), 8);
    }

    #[test]
    fn an_edge_across_an_edge_touches_where_they_cross() {
        let lean = |axis| Quat::from_axis_angle(axis, std::f32::consts::FRAC_PI_4);
        let high = vec3(0.1, -0.1, 1.4);
        let (low, high) = (
            a_box(Vec3::ZERO, lean(Vec3::X), 0.5),
            a_box(high, lean(Vec3::Y), 0.5),
        );
        let contacts = touch(&low, &high);
        let &[
            Contact {
                point,
                normal,
                depth_m,
                ..
            },
        ] = contacts.as_slice()
        else {
            panic!("{contacts:?}")
        };
        assert!(point.distance(vec3(0.1, 0.0, 0.7)) < 0.01, "{point}");
        assert!(normal.distance(Vec3::NEG_Z) < 1e-5 && (depth_m - 0.0142).abs() < 1e-3);
        assert!(touch(&low, &a_box(vec3(0.1, -0.1, 1.42), lean(Vec3::Y), 0.5)).is_empty());
    }

    fn orientation() -> impl Strategy<Value = Quat> {
        prop::array::uniform4(-1.0_f32..1.0)
            .prop_filter("no direction", |q| {
                q.iter().map(|c| c * c).sum::<f32>() > 0.01
            })
            .prop_map(|q| Quat::from_array(q).normalize())
    }

    proptest! {
        #[test]
        fn moving_out_by_the_depth_takes_two_cubes_apart(
            at in prop::array::uniform3(-0.7_f32..0.7),
            (one, two) in (orientation(), orientation()),
        ) {
            let first = a_box(Vec3::ZERO, one, 0.4);
            let second = a_box(Vec3::from_array(at), two, 0.4);
            let contacts = touch(&first, &second);
            prop_assert!(contacts.len() <= 8);
            let deepest = contacts.iter().map(|contact| contact.depth_m).fold(0.0, f32::max);
            if let Some(contact) = contacts.first() {
                prop_assert!((contact.normal.length() - 1.0).abs() < 1e-4);
                let apart = a_box(first.centre + contact.normal * (deepest * EDGES_NEARER + 1e-3), one, 0.4);
                prop_assert!(touch(&apart, &second).iter().all(|contact| contact.depth_m < 0.05));
            }
            for Contact { point, depth_m, .. } in contacts {
                for cube in [&first, &second] {
                    prop_assert!(point.distance(cube.centre) < 0.4 * 1.7321 + depth_m + 1e-3);
                }
            }
        }

        #[test]
        fn the_floor_is_touched_by_what_is_in_it(z in 0.0_f32..1.0, turn in orientation()) {
            let cube = a_box(Vec3::Z * z, turn, 0.5);
            let mut contacts = Vec::new();
            with_floor(&cube, &mut contacts);
            let lowest = z - cube.reach(Vec3::Z);
            prop_assert_eq!(contacts.is_empty(), lowest > 0.0);
            prop_assert!(contacts.len() <= 4);
            let deepest = contacts.iter().map(|contact| contact.depth_m).fold(0.0, f32::max);
            prop_assert!((deepest - (-lowest).max(0.0)).abs() < 1e-4);
        }
    }
}
