//! The contacts of the two shapes that the world has: cubes and one floor.
//!
//! Parry's own dispatcher reaches the code of every pair of its shapes, and a trait object keeps all of it in the wasm.
//! This one calls the same functions for the pairs that occur.

use rapier3d::parry::query::details::{
    NormalConstraints, contact_manifold_cuboid_cuboid_shapes, contact_manifold_halfspace_pfm,
};
use rapier3d::parry::query::{
    ClosestPoints, Contact, ContactManifold, ContactManifoldsWorkspace, NonlinearRigidMotion,
    PersistentQueryDispatcher, QueryDispatcher, ShapeCastHit, ShapeCastOptions, ShapeDistance,
    ShapeIntersection, Unsupported,
};
use rapier3d::parry::shape::{Shape, ShapeType};
use rapier3d::prelude::*;

/// Finds contacts between cubes, and between a cube and the floor. It answers all other queries with an error.
pub(super) struct CubesAndFloor;

impl PersistentQueryDispatcher<ContactManifoldData, ContactData> for CubesAndFloor {
    fn contact_manifolds(
        &self,
        pos12: &Pose,
        shape1: &dyn Shape,
        shape2: &dyn Shape,
        prediction: f32,
        manifolds: &mut Vec<ContactManifold<ContactManifoldData, ContactData>>,
        _: &mut Option<ContactManifoldsWorkspace>,
    ) -> Result<(), Unsupported> {
        if manifolds.is_empty() {
            manifolds.push(ContactManifold::new());
        }
        let manifold = &mut manifolds[0];
        self.contact_manifold_convex_convex(pos12, shape1, shape2, None, None, prediction, manifold)
    }

    fn contact_manifold_convex_convex(
        &self,
        pos12: &Pose,
        shape1: &dyn Shape,
        shape2: &dyn Shape,
        _: Option<&dyn NormalConstraints>,
        _: Option<&dyn NormalConstraints>,
        prediction: f32,
        manifold: &mut ContactManifold<ContactManifoldData, ContactData>,
    ) -> Result<(), Unsupported> {
        match (shape1.shape_type(), shape2.shape_type()) {
            (ShapeType::Cuboid, ShapeType::Cuboid) => {
                contact_manifold_cuboid_cuboid_shapes(pos12, shape1, shape2, prediction, manifold);
                Ok(())
            }
            (ShapeType::HalfSpace, ShapeType::Cuboid) => {
                on_floor(pos12, shape1, shape2, prediction, manifold, false)
            }
            (ShapeType::Cuboid, ShapeType::HalfSpace) => {
                on_floor(&pos12.inverse(), shape2, shape1, prediction, manifold, true)
            }
            _ => Err(Unsupported),
        }
    }
}

/// Writes the contacts of a cube with the floor. `flipped` is true if the caller's first shape is the cube.
fn on_floor(
    pos12: &Pose,
    floor: &dyn Shape,
    cube: &dyn Shape,
    prediction: f32,
    manifold: &mut ContactManifold<ContactManifoldData, ContactData>,
    flipped: bool,
) -> Result<(), Unsupported> {
    let floor = floor.as_halfspace().ok_or(Unsupported)?;
    let (faces, radius) = cube.as_polygonal_feature_map().ok_or(Unsupported)?;
    contact_manifold_halfspace_pfm(pos12, floor, faces, radius, prediction, manifold, flipped);
    Ok(())
}

/// Queries of sensors, ray casts and continuous collision detection, which the world does not use.
impl QueryDispatcher for CubesAndFloor {
    fn intersection_test(
        &self,
        _: &Pose,
        _: &dyn Shape,
        _: &dyn Shape,
    ) -> Result<ShapeIntersection, Unsupported> {
        Err(Unsupported)
    }

    fn distance(
        &self,
        _: &Pose,
        _: &dyn Shape,
        _: &dyn Shape,
    ) -> Result<ShapeDistance, Unsupported> {
        Err(Unsupported)
    }

    fn contact(
        &self,
        _: &Pose,
        _: &dyn Shape,
        _: &dyn Shape,
        _: f32,
    ) -> Result<Option<Contact>, Unsupported> {
        Err(Unsupported)
    }

    fn closest_points(
        &self,
        _: &Pose,
        _: &dyn Shape,
        _: &dyn Shape,
        _: f32,
    ) -> Result<ClosestPoints, Unsupported> {
        Err(Unsupported)
    }

    fn cast_shapes(
        &self,
        _: &Pose,
        _: Vector,
        _: &dyn Shape,
        _: &dyn Shape,
        _: ShapeCastOptions,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        Err(Unsupported)
    }

    fn cast_shapes_nonlinear(
        &self,
        _: &NonlinearRigidMotion,
        _: &dyn Shape,
        _: &NonlinearRigidMotion,
        _: &dyn Shape,
        _: f32,
        _: f32,
        _: bool,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        Err(Unsupported)
    }
}
