//! The views on one canvas: the true world, the receiver's view of lane A, and that of lane B.

pub(crate) mod blend;
mod camera;
mod canvas;
pub(crate) mod command;
mod cubes;
mod guest_picture;
mod inset;
mod layout;
mod light;
mod pick;
mod subject;
mod test_picture;
mod tint;

use crate::page::Page;
use crate::views::blend::Poses;
use camera::FollowCamera;
use cubes::CubeRenderer;
use inset::{Inset, WorstCube};
use layout::{ViewContent, ViewPlace};
use light::{Light, Shadow};
use snapshot_app::lane_run::LaneId;
use snapshot_lane::overlay::Overlay;
use snapshot_lane::view::View;
use snapshot_record::session_config::SessionConfig;
use snapshot_settings::Strategy;
use snapshot_view::Pose;
use subject::CameraTarget;
use three_d::{Camera, ClearState, Context, RenderTarget, Viewport, vec3};
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

/// Renderer of a page's views: the truth beside lane A, or lanes A and B as the page arranges them. It holds the camera, but
/// no state of the simulation. After the browser has lost the graphics context, it is built anew.
#[wasm_bindgen]
pub struct Views {
    context: Context,
    cubes: CubeRenderer,
    shadow: Option<Shadow>,
    light: Light,
    camera: FollowCamera,
    size_px: (u32, u32),
    gap_px: u32,
    stacked: bool,
    lit: Vec<u32>,
    tinted: Vec<[f32; 4]>,
    poses: Poses,
    /// Least half side with which an object is drawn, m; 0 in a simulated world.
    speck_m: f32,
    drawn_ticks: f64,
    inset: Inset,
}

#[wasm_bindgen]
impl Views {
    /// Makes a renderer on a canvas. `shadows` turns on soft shadows and antialiasing, which are too slow for software
    /// rendering.
    ///
    /// # Errors
    /// When the browser has no WebGL 2, or refuses the shaders.
    #[wasm_bindgen(constructor)]
    pub fn new(canvas: &HtmlCanvasElement, shadows: bool) -> Result<Views, JsError> {
        let context = canvas::context(canvas, shadows)?;
        let cubes =
            CubeRenderer::new(&context).map_err(|error| JsError::new(&error.to_string()))?;
        let shadow = shadows.then(|| Shadow::new(&context));
        Ok(Views {
            context,
            cubes,
            shadow,
            light: Light {
                background: vec3(1.0, 1.0, 1.0),
            },
            camera: FollowCamera::new(),
            size_px: (1, 1),
            gap_px: 0,
            stacked: false,
            lit: Vec::new(),
            tinted: Vec::new(),
            poses: Poses::default(),
            speck_m: 0.0,
            inset: Inset::default(),
            drawn_ticks: 0.0,
        })
    }

    /// Draws all views at `part` (0 to 1) of the way from the tick before to the shown tick. `frames` is the time since the
    /// last draw in 1/60 s, for the speed at which the camera follows a drag; `plays` is true while time goes on.
    pub fn draw(&mut self, page: &mut Page, part: f32, frames: f32, plays: bool) {
        let view_state = page.session().view_state();
        let overlay = view_state.overlay;
        let has_truth = !view_state.hides_truth;
        self.choose_worst(page, has_truth, plays);
        let overlays = LaneId::ALL.map(|lane| page.session_mut().lab_mut().overlay(lane, overlay?));
        let page = &*page;
        let lab = page.lab();
        let is_game = LaneId::ALL.map(|lane| {
            let strategy = lab.lane(lane).map(|lane| lane.settings().strategy());
            strategy == Some(Strategy::Game)
        });
        let truths = LaneId::ALL.map(|lane| match (has_truth, is_game[lane as usize]) {
            (true, false) => lab.truth_shown(lane),
            // The driver's cube as the other view has it.
            (_, true) => lab.left().poses().take(1).collect(),
            (false, false) => Vec::new(),
        });
        let time_ticks = lab.tick_count() as f64 - 1.0 + f64::from(part);
        let elapsed_ticks = time_ticks - self.drawn_ticks;
        self.drawn_ticks = time_ticks;
        let before = page.before();
        let cube = page.session().view_state().cube.map(|cube| cube as usize);
        if let Some(subject) = self.subject(page, part) {
            self.camera.follow(subject, elapsed_ticks);
        }
        self.camera.settle(frames.clamp(0.0, 10.0));
        self.speck_m = match page.session().played_motion() {
            Some(_) => self.camera.speck_m(),
            None => 0.0,
        };
        self.clear();
        for place in self.places(page) {
            let Some(view) = place.of.view(lab) else {
                continue;
            };
            let slot = place.of as usize;
            self.poses.between(before[slot], view, part);
            self.poses.enlarge_to(self.speck_m);
            let lane = slot.checked_sub(1);
            match (lane.and_then(|lane| overlays[lane].as_ref()), overlay) {
                (Some(values), Some(overlay)) => {
                    tint::colours(values, overlay.row().scale, &mut self.tinted);
                }
                // The server's cubes in the colours of the driver's screen: red means predicted in both.
                _ if lane.is_none() && is_game[0] => self.tinted.clone_from(&lab.right().colour),
                _ => self.tinted.clone_from(&view.colour),
            }
            light_up(&mut self.tinted, cube, &self.lit);
            self.cubes.fill(slot, &self.poses, &self.tinted);
            let camera = self.camera.camera(place.viewport);
            let has_edges =
                lane.map(|lane| (self.cubes).fill_ghost(slot, view, &truths[lane], &camera));
            self.draw_view(place, &camera);
            if place.of == ViewContent::A {
                let is_apart = |worst: WorstCube| {
                    has_edges.is_some_and(|edges| edges.get(worst.cube) == Some(&true))
                };
                let is_apart = self.inset.shown.is_some_and(is_apart);
                if self.inset.is_seen(is_apart, lab.tick_count(), plays) {
                    self.draw_inset(view, &truths[LaneId::A as usize]);
                } else {
                    self.inset.shown = None;
                }
            }
        }
    }
}

/// Paints the selected cube in a colour of its own, and related cubes in a paler colour.
fn light_up(colours: &mut [[f32; 4]], cube: Option<usize>, others: &[u32]) {
    const LIT: [f32; 4] = [0.05, 0.45, 1.0, 1.0];
    const BESIDE: [f32; 4] = [0.10, 0.72, 0.62, 1.0];
    let others = others.iter().map(|&other| (other as usize, BESIDE));
    for (cube, lit) in others.chain(cube.map(|cube| (cube, LIT))) {
        if let Some(colour) = colours.get_mut(cube) {
            *colour = lit;
        }
    }
}

impl Views {
    /// Fills the canvas with the background.
    fn clear(&self) {
        let (width, height) = self.size_px;
        let sky = self.light.background;
        RenderTarget::screen(&self.context, width, height)
            .clear(ClearState::color_and_depth(sky.x, sky.y, sky.z, 1.0, 1.0));
    }

    /// Returns the subject of the camera at `part` of the way from the tick before to the shown tick. A recorded motion with a
    /// player is followed as a simulated world is, unless a cube is chosen.
    fn subject(&mut self, page: &Page, part: f32) -> Option<CameraTarget> {
        let (lab, before, session) = (page.lab(), page.before(), page.session());
        let cube = session.view_state().cube.map(|cube| cube as usize);
        let has_player = |motion: &SessionConfig| motion.player.is_some() && cube.is_none();
        if lab
            .tape()
            .motion()
            .is_some_and(|motion| !has_player(motion))
        {
            self.poses.between(before[0], lab.left(), part);
            return subject::of_motion(&self.poses.position_half_m, cube);
        }
        let mut players_m = Vec::new();
        for of in self.places(page).iter().map(|place| place.of) {
            if let Some(view) = of.view(lab) {
                self.poses.between(before[of as usize], view, part);
                players_m.extend(subject::player(&self.poses.position_half_m));
            }
        }
        subject::of_players(&players_m)
    }

    /// Chooses the cube of the inset: the one that lane A shows farthest from the truth.
    fn choose_worst(&mut self, page: &mut Page, has_truth: bool, plays: bool) {
        let tick = page.lab().tick_count();
        let is_game = page.lab().settings().strategy() == Strategy::Game;
        let is_asked = has_truth && self.inset.place.is_some() && !is_game;
        let errors_mm = is_asked.then(|| {
            page.session_mut()
                .lab_mut()
                .overlay(LaneId::A, Overlay::Surface)
        });
        match errors_mm.flatten() {
            Some(errors_mm) => self.inset.choose(&errors_mm, tick, plays),
            None => self.inset.shown = None,
        }
    }

    /// Draws the worst cube of lane A, whose cubes are filled in, over a corner of its view.
    fn draw_inset(&mut self, view: &View, truth: &[Pose]) {
        let (Some(viewport), Some(worst)) = (self.inset.place, self.inset.shown) else {
            return;
        };
        let Some(pose) = truth.get(worst.cube) else {
            self.inset.shown = None;
            return;
        };
        let (centre, radius_m) = Inset::ball(view, pose, worst.cube);
        let camera = self.camera.close_up(viewport, centre, radius_m);
        let sky = self.light.background;
        let (width, height) = self.size_px;
        RenderTarget::screen(&self.context, width, height).clear_partially(
            viewport.into(),
            ClearState::color_and_depth(sky.x, sky.y, sky.z, 1.0, 1.0),
        );
        let place = ViewPlace {
            of: ViewContent::A,
            viewport,
            seen: viewport.into(),
        };
        self.draw_view(place, &camera);
    }

    fn draw_view(&mut self, place: ViewPlace, camera: &Camera) {
        let ViewPlace { viewport, seen, .. } = place;
        if viewport.width == 0 || viewport.height == 0 || seen.width == 0 {
            return;
        }
        if let Some(shadow) = &mut self.shadow {
            shadow.draw(self.camera.target(), |viewport, sun| {
                self.cubes.draw_depth(viewport, sun);
            });
        }
        let target = RenderTarget::screen(&self.context, self.size_px.0, self.size_px.1);
        let drawn: Result<_, std::convert::Infallible> = target.write_partially(seen, || {
            match &self.shadow {
                Some(shadow) => self.cubes.draw_shaded(camera, &self.light, shadow),
                None => self.cubes.draw_cheaply(camera, &self.light),
            }
            self.cubes.draw_ghost(camera, &self.light);
            Ok(())
        });
        let Ok(_) = drawn;
    }

    /// Draws the cubes that were filled in as the truth's view, over the whole canvas.
    fn draw_over_the_whole_canvas(&mut self) {
        self.clear();
        let (width, height) = self.size_px;
        let viewport = Viewport::new_at_origo(width, height);
        let place = ViewPlace {
            of: ViewContent::Truth,
            viewport,
            seen: viewport.into(),
        };
        let camera = self.camera.camera(viewport);
        self.draw_view(place, &camera);
    }

    fn places(&self, page: &Page) -> Vec<ViewPlace> {
        let arrangement = page.lab().b().map(|_| page.session().view_state().views);
        layout::places(arrangement, self.size_px, self.gap_px, self.stacked)
    }
}
