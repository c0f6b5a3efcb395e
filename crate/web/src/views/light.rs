//! The sun, the colours of the floor, and the shadow map.

use three_d::{
    Camera, ClearState, Context, DepthTexture2D, InnerSpace, Mat4, Vec3, Viewport, Wrapping, vec3,
};

/// Position of the original demo's light relative to the camera's target, m.
const SUN_OFFSET_M: [f32; 3] = [25.0, -50.0, 100.0];

pub(super) struct Light {
    /// Colour of the sky and, nearly, of the floor: the page's colour.
    pub(super) background: Vec3,
}

impl Light {
    pub(super) fn towards_sun(&self) -> Vec3 {
        Vec3::from(SUN_OFFSET_M).normalize()
    }

    /// Returns the colour of the lines on the floor, just visible against it.
    pub(super) fn line_colour(&self) -> Vec3 {
        let off = if self.is_bright() { -0.09 } else { 0.07 };
        self.background + vec3(off, off, off)
    }

    /// Returns the accent colour of the edges over cubes: the style sheet's `--truth`.
    pub(super) fn edge_colour(&self) -> Vec3 {
        match self.is_bright() {
            true => vec3(0.0, 0.35, 1.0),
            false => vec3(0.2, 0.55, 1.0),
        }
    }

    fn is_bright(&self) -> bool {
        self.background.dot(vec3(0.3, 0.6, 0.1)) > 0.5
    }

    /// Returns the colour of shadows. The original demo's black at an alpha of 0.25 would be invisible on a dark floor.
    pub(super) fn shadow_colour(&self) -> Vec3 {
        self.background * if self.is_bright() { 0.80 } else { 0.45 }
    }
}

/// Shadow map: depths as seen from the sun, around the camera's target.
pub(super) struct Shadow {
    map: DepthTexture2D,
    /// Transformation from the world to the shadow map, of the last drawn shadow map.
    pub(super) view_projection: Mat4,
}

impl Shadow {
    const SIDE_TEXELS: u32 = 2048;
    /// Side of the area that the shadow map covers, m. The grid is 30 m wide, and the camera stands at its edge.
    const SIDE_M: f32 = 52.0;

    pub(super) fn new(context: &Context) -> Shadow {
        let side = Shadow::SIDE_TEXELS;
        Shadow {
            map: DepthTexture2D::new::<f32>(
                context,
                side,
                side,
                Wrapping::ClampToEdge,
                Wrapping::ClampToEdge,
            ),
            view_projection: Mat4::from_scale(1.0),
        }
    }

    pub(super) fn map(&self) -> &DepthTexture2D {
        &self.map
    }

    pub(super) fn texel_m(&self) -> f32 {
        Shadow::SIDE_M / Shadow::SIDE_TEXELS as f32
    }

    /// Draws the shadow map around `target`. `draw_depth` draws the objects that cast shadows, as seen from the sun.
    pub(super) fn draw(&mut self, target: Vec3, draw_depth: impl FnOnce(Viewport, Mat4)) {
        const AHEAD_M: f32 = 8.0;
        const NEAR_M: f32 = 40.0;
        const FAR_M: f32 = 200.0;
        let viewport = Viewport::new_at_origo(Shadow::SIDE_TEXELS, Shadow::SIDE_TEXELS);
        let sun = Vec3::from(SUN_OFFSET_M);
        // Whole texels at a time, or the edges of shadows crawl while the camera moves.
        let snap = |along: f32| (along / (8.0 * self.texel_m())).round() * 8.0 * self.texel_m();
        let centre = vec3(snap(target.x), snap(target.y + AHEAD_M), 0.0);
        // three-d scales an orthographic height by the distance to the target.
        let height = Shadow::SIDE_M / sun.magnitude();
        let up = vec3(0.0, 1.0, 0.0);
        let camera =
            Camera::new_orthographic(viewport, centre + sun, centre, up, height, NEAR_M, FAR_M);
        self.view_projection = camera.projection() * camera.view();
        let view_projection = self.view_projection;
        let target = self.map.as_depth_target();
        target.clear(ClearState::depth(1.0));
        let drawn: Result<_, std::convert::Infallible> = target.write(|| {
            draw_depth(viewport, view_projection);
            Ok(())
        });
        let Ok(_) = drawn;
    }
}
