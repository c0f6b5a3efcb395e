//! Instanced drawing of a view's cubes: with light, into the shadow map, and as edges.

use super::light::{Light, Shadow};
use crate::views::blend::Poses;
use snapshot_lane::view::View;
use snapshot_view::Pose;
use three_d::{
    Blend, Camera, Context, CoreError, Cull, DepthTest, InnerSpace, InstanceBuffer, Mat4, Program,
    RenderStates, Vec3, VertexBuffer, Viewport, WriteMask,
};

const CORNERS: u32 = 36;
/// Least distance on the screen between a cube and its true pose at which its true edges are drawn over it, px.
const GHOST_PX: f32 = 1.0;

/// Instance buffers of all cubes of one view: poses and colours. Each view has its own, because a draw in progress still reads
/// them.
struct CubeInstances {
    position_half: InstanceBuffer<[f32; 4]>,
    orientation: InstanceBuffer<[f32; 4]>,
    proportions: InstanceBuffer<[f32; 4]>,
    colour: InstanceBuffer<[f32; 4]>,
}

impl CubeInstances {
    fn new(context: &Context) -> CubeInstances {
        CubeInstances {
            position_half: InstanceBuffer::new(context),
            orientation: InstanceBuffer::new(context),
            proportions: InstanceBuffer::new(context),
            colour: InstanceBuffer::new(context),
        }
    }

    fn fill(&mut self, poses: &Poses, colour: &[[f32; 4]]) {
        fill(&mut self.position_half, &poses.position_half_m);
        fill(&mut self.orientation, &poses.orientation);
        fill(&mut self.proportions, &poses.proportions);
        fill(&mut self.colour, colour);
    }
}

/// Fills a buffer, reusing its memory if the size is right: some drivers mix up buffers that get new memory every frame.
fn fill(buffer: &mut InstanceBuffer<[f32; 4]>, data: &[[f32; 4]]) {
    if buffer.instance_count() as usize == data.len() {
        buffer.fill_subset(0, data);
    } else {
        buffer.fill(data);
    }
}

pub(super) struct CubeRenderer {
    corner: VertexBuffer<Vec3>,
    normal: VertexBuffer<Vec3>,
    views: [CubeInstances; 3],
    /// Edges of the cubes in their true poses, over each view; `None` if they are not drawn.
    ghosts: [Option<CubeInstances>; 3],
    view: usize,
    lit: Program,
    shaded: Program,
    depth: Program,
    flat: Program,
    ghost: Program,
    floor: Program,
    shaded_floor: Program,
    context: Context,
}

impl CubeRenderer {
    pub(super) fn new(context: &Context) -> Result<CubeRenderer, CoreError> {
        let (corner, normal) = cube();
        let vertex = |define: &str| format!("{define}\n{}", include_str!("cube.vert"));
        let sunlight = include_str!("light.glsl");
        let fragment = include_str!("cube.frag");
        let (floor_vertex, floor) = (include_str!("floor.vert"), include_str!("floor.frag"));
        let shaded = |fragment: &str| format!("#define SHADOW_MAP\n{sunlight}\n{fragment}");
        let lit = vertex("#define LIT");
        let program =
            |vertex: &str, fragment: &str| Program::from_source(context, vertex, fragment);
        Ok(CubeRenderer {
            corner: VertexBuffer::new_with_data(context, &corner),
            normal: VertexBuffer::new_with_data(context, &normal),
            views: std::array::from_fn(|_| CubeInstances::new(context)),
            ghosts: [const { None }; 3],
            context: context.clone(),
            view: 0,
            lit: program(&lit, fragment)?,
            shaded: program(&lit, &shaded(fragment))?,
            depth: program(&vertex(""), "void main() {}")?,
            flat: program(&vertex("#define FLAT"), include_str!("plain.frag"))?,
            ghost: program(&lit, include_str!("ghost.frag"))?,
            floor: program(floor_vertex, floor)?,
            shaded_floor: program(floor_vertex, &shaded(floor))?,
        })
    }

    /// Fills the buffers of a view, 0 to 2, and selects the view for drawing.
    pub(super) fn fill(&mut self, view: usize, poses: &Poses, colour: &[[f32; 4]]) {
        self.view = view;
        self.views[view].fill(poses, colour);
    }

    /// Fills the edges of cubes in their true poses over a view, for cubes that the view shows more than a pixel away from
    /// them. An empty truth removes the edges. Returns true for each cube that has edges.
    pub(super) fn fill_ghost(
        &mut self,
        view: usize,
        shown: &View,
        truth: &[Pose],
        camera: &Camera,
    ) -> Vec<bool> {
        if truth.is_empty() {
            self.ghosts[view] = None;
            return Vec::new();
        }
        let mut poses = Poses {
            proportions: shown.proportions[..truth.len()].to_vec(),
            ..Poses::default()
        };
        // At a distance of a metre.
        let px_per_m = 0.5 * camera.viewport().height as f32 * camera.projection().y.y;
        for (place, (truth, drawn)) in truth.iter().zip(shown.poses()).enumerate() {
            let [x, y, z] = truth.position;
            let [a, b, c, _] = shown.proportions[place];
            let diagonal_m = shown.half_m(place) * Vec3::new(a, b, c).magnitude();
            let distance_m = (camera.position() - Vec3::from(truth.position)).magnitude();
            let apart_px = apart_m(&drawn, truth, diagonal_m) * px_per_m / distance_m;
            let is_apart = drawn.life != truth.life || apart_px > GHOST_PX;
            // A cube without a size is not drawn; the store keeps its own.
            let half_m = match is_apart && !truth.life.is_empty() {
                true => shown.half_m(place),
                false => 0.0,
            };
            poses.position_half_m.push([x, y, z, half_m]);
            poses.orientation.push(truth.orientation);
        }
        let colours = vec![[0.0; 4]; truth.len()];
        let ghost = &mut self.ghosts[view];
        ghost
            .get_or_insert_with(|| CubeInstances::new(&self.context))
            .fill(&poses, &colours);
        let half_m = poses.position_half_m.iter().map(|[.., half_m]| *half_m);
        half_m.map(|half_m| half_m > 0.0).collect()
    }

    /// Draws the edges of the true poses over the cubes. Edges that lie deep behind other cubes stay hidden.
    pub(super) fn draw_ghost(&self, camera: &Camera, light: &Light) {
        let Some(ghost) = &self.ghosts[self.view] else {
            return;
        };
        let edge_colour = light.edge_colour().extend(1.0);
        self.ghost.use_uniform("edge_colour", edge_colour);
        self.ghost.use_uniform("near", camera.z_near());
        self.ghost.use_vertex_attribute("normal", &self.normal);
        let view_projection = camera.projection() * camera.view();
        let viewport = camera.viewport();
        let states = RenderStates {
            blend: Blend::TRANSPARENCY,
            write_mask: WriteMask::COLOR,
            cull: Cull::Back,
            ..RenderStates::default()
        };
        self.draw(&self.ghost, ghost, viewport, view_projection, states);
    }

    /// Draws the cubes into the shadow map, as depths seen from the sun.
    pub(super) fn draw_depth(&self, viewport: Viewport, sun_view_projection: Mat4) {
        self.draw(
            &self.depth,
            &self.views[self.view],
            viewport,
            sun_view_projection,
            RenderStates {
                write_mask: WriteMask::DEPTH,
                cull: Cull::Back,
                ..RenderStates::default()
            },
        );
    }

    /// Draws cubes and floor with soft shadows from a shadow map.
    pub(super) fn draw_shaded(&self, camera: &Camera, light: &Light, shadow: &Shadow) {
        for program in [&self.shaded_floor, &self.shaded] {
            program.use_uniform("sun_view_projection", shadow.view_projection);
            program.use_uniform("shadow_texel_m", shadow.texel_m());
            program.use_depth_texture("shadow_map", shadow.map());
        }
        self.shaded_floor
            .use_uniform("shadow_colour", light.shadow_colour());
        self.draw_floor(&self.shaded_floor, camera, light);
        self.draw_lit(&self.shaded, camera, light);
    }

    /// Draws cubes and floor with flat shadows: a tenth of the work, for software rendering.
    pub(super) fn draw_cheaply(&self, camera: &Camera, light: &Light) {
        self.draw_floor(&self.floor, camera, light);
        self.flat.use_uniform("sun", light.towards_sun());
        self.flat.use_uniform("plain_colour", light.shadow_colour());
        self.draw_view(&self.flat, camera, over_all());
        self.draw_lit(&self.lit, camera, light);
    }

    fn draw_floor(&self, floor: &Program, camera: &Camera, light: &Light) {
        floor.use_uniform("view_projection", camera.projection() * camera.view());
        floor.use_uniform("centre", camera.target().truncate());
        floor.use_uniform("background", light.background);
        floor.use_uniform("line_colour", light.line_colour());
        floor.use_vertex_attribute("corner", &self.corner);
        // The cube's top is its first two triangles: seen from above, the floor.
        floor.draw_arrays(over_all(), camera.viewport(), 6);
    }

    fn draw_lit(&self, program: &Program, camera: &Camera, light: &Light) {
        program.use_uniform("sun", light.towards_sun());
        program.use_vertex_attribute("normal", &self.normal);
        program.use_instance_attribute("colour", &self.views[self.view].colour);
        let states = RenderStates {
            cull: Cull::Back,
            ..RenderStates::default()
        };
        self.draw_view(program, camera, states);
    }

    /// Draws the cubes of the selected view.
    fn draw_view(&self, program: &Program, camera: &Camera, states: RenderStates) {
        let view_projection = camera.projection() * camera.view();
        let cubes = &self.views[self.view];
        self.draw(program, cubes, camera.viewport(), view_projection, states);
    }

    fn draw(
        &self,
        program: &Program,
        cubes: &CubeInstances,
        viewport: Viewport,
        view_projection: Mat4,
        states: RenderStates,
    ) {
        program.use_uniform("view_projection", view_projection);
        program.use_vertex_attribute("corner", &self.corner);
        program.use_instance_attribute("position_half", &cubes.position_half);
        program.use_instance_attribute("orientation", &cubes.orientation);
        program.use_instance_attribute("proportions", &cubes.proportions);
        program.draw_arrays_instanced(
            states,
            viewport,
            CORNERS,
            cubes.position_half.instance_count(),
        );
    }
}

/// Returns an upper limit of the distance between a corner of a cube in two poses, m, whatever the axis of its turn.
fn apart_m(a: &Pose, b: &Pose, diagonal_m: f32) -> f32 {
    let moved_m = (Vec3::from(a.position) - Vec3::from(b.position)).magnitude();
    let cos: f32 = a
        .orientation
        .iter()
        .zip(b.orientation)
        .map(|(a, b)| a * b)
        .sum();
    moved_m + 2.0 * (1.0 - cos * cos).max(0.0).sqrt() * diagonal_m
}

/// Returns render states that draw over everything, whatever its depth.
fn over_all() -> RenderStates {
    RenderStates {
        write_mask: WriteMask::COLOR,
        depth_test: DepthTest::Always,
        ..RenderStates::default()
    }
}

/// Returns corners and normals of the cube from -1 to 1, two triangles a side, counter-clockwise seen from outside, the top
/// first.
fn cube() -> (Vec<Vec3>, Vec<Vec3>) {
    let sides = [2, 0, 1]
        .into_iter()
        .flat_map(|axis| [1.0, -1.0].map(|sign| (axis, sign)));
    let mut corners = Vec::with_capacity(CORNERS as usize);
    let mut normals = Vec::with_capacity(CORNERS as usize);
    for (axis, sign) in sides {
        let along = |axis: usize| [Vec3::unit_x(), Vec3::unit_y(), Vec3::unit_z()][axis % 3];
        let (out, u, v) = (along(axis) * sign, along(axis + 1), along(axis + 2) * sign);
        for (a, b) in [
            (-1.0, -1.0),
            (1.0, -1.0),
            (1.0, 1.0),
            (-1.0, -1.0),
            (1.0, 1.0),
            (-1.0, 1.0),
        ] {
            corners.push(out + u * a + v * b);
            normals.push(out);
        }
    }
    (corners, normals)
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_codec::CubeState;

    #[test]
    fn a_corner_moves_with_its_cube_and_round_it() {
        let pose = |x: f32, orientation: [f32; 4]| {
            Pose::from(&CubeState {
                position: [x, 0.0, 0.0],
                orientation,
                ..CubeState::default()
            })
        };
        let straight = pose(0.0, [0.0, 0.0, 0.0, 1.0]);
        let half_turn = pose(0.5, [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(apart_m(&straight, &half_turn, 0.25), 1.0);
        // A quaternion and its negative are one orientation.
        let same = pose(0.0, [0.0, 0.0, 0.0, -1.0]);
        assert_eq!(apart_m(&straight, &same, 0.25), 0.0);
    }

    #[test]
    fn every_triangle_faces_outwards() {
        let (corners, normals) = cube();
        assert_eq!(corners.len(), CORNERS as usize);
        for (triangle, normal) in corners.chunks_exact(3).zip(normals.chunks_exact(3)) {
            let cross = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
            assert!(cross.dot(normal[0]) > 0.0, "{triangle:?} {normal:?}");
            assert!(triangle.iter().all(|corner| corner.dot(normal[0]) > 0.99));
        }
        assert!(
            corners[..6].iter().all(|corner| corner.z > 0.99),
            "the floor is drawn with the first six"
        );
    }
}
