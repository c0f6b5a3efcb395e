//! The world, who drives it, and the lane that it is sent over: one call a tick.

use crate::input::Input;
use crate::lane::{Frame, Lane};
use crate::report::{Live, Report};
use crate::scene::{SceneKind, Script};
use crate::settings::schema::Effect;
use crate::settings::{Key, SettingError, Settings, Strategy};
use crate::view::{Pose, View};
use crate::world::World;
use snapshot_codec::CubeState;

/// The whole laboratory, a function of settings and inputs.
pub struct Lab {
    settings: Settings,
    world: World,
    script: Option<Script>,
    lane: Lane,
    left: View,
    /// The network is cut for as long as this.
    cut_held: bool,
    /// And for so many ticks to come.
    cut_ticks: u32,
}

impl Lab {
    /// The laboratory at tick 0.
    pub fn new(settings: Settings) -> Lab {
        let world = World::new(&settings.world());
        let scene = settings.scene();
        Lab {
            settings,
            script: (scene != SceneKind::Drive)
                .then(|| Script::new(scene, settings.get(Key::Seed), settings.get(Key::Grid))),
            lane: Lane::new(&settings, &world),
            left: View::new(world.truth()),
            world,
            cut_held: false,
            cut_ticks: 0,
        }
    }

    /// One tick of 1/60 s. A scripted scene takes no notice of the person.
    pub fn tick(&mut self, person: Input) {
        let input = self
            .script
            .as_mut()
            .map_or(person, |script| script.next(self.world.truth()));
        self.world.step(input);
        let truth = self.world.truth();
        self.lane.set_cut(self.is_cut());
        self.cut_ticks = self.cut_ticks.saturating_sub(1);
        self.lane.tick(&Frame {
            tick: self.world.tick(),
            input,
            truth,
            checksum: (self.settings.strategy() == Strategy::Lockstep)
                .then(|| self.world.checksum()),
        });
        truth
            .iter()
            .enumerate()
            .for_each(|(index, cube)| self.left.show(index, &Pose::from(cube)));
    }

    /// Ticks since the start.
    pub fn tick_count(&self) -> u64 {
        self.world.tick()
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The person drives on from here. The link names the scene `drive`; nothing restarts.
    pub fn take_over(&mut self) {
        self.script = None;
        if self
            .settings
            .set(Key::Scene, SceneKind::Drive as u32)
            .is_ok()
        {
            self.lane.set_at_once(&self.settings);
        }
    }

    /// Cuts the network, both ways, until it is let go: an input like the keys.
    pub fn set_cut(&mut self, cut: bool) {
        self.cut_held = cut;
    }

    /// Cuts the network for so many ticks, from the next on.
    pub fn cut_for(&mut self, ticks: u32) {
        self.cut_ticks = ticks;
    }

    /// Whether the network is cut.
    pub fn is_cut(&self) -> bool {
        self.cut_held || self.cut_ticks > 0
    }

    /// Begins again at tick 0.
    pub fn restart(&mut self) {
        *self = Lab::new(self.settings);
    }

    /// Changes a setting by its permalink key, and restarts what the change calls for.
    ///
    /// # Errors
    /// When there is no such setting or the text is not a value of it; nothing changes then.
    pub fn set_text(&mut self, id: &str, text: &str) -> Result<Effect, SettingError> {
        let mut settings = self.settings;
        settings.set_text(id, text)?;
        Ok(self.apply(settings))
    }

    /// Changes all settings, and restarts what the change calls for.
    pub fn apply(&mut self, settings: Settings) -> Effect {
        let effect = self.settings.effect_of_change_to(&settings);
        self.settings = settings;
        match effect {
            Effect::AtOnce => self.lane.set_at_once(&settings),
            Effect::Lane => {
                self.world.set_grid(settings.world().on_grid);
                self.lane = Lane::new(&settings, &self.world);
            }
            Effect::World => self.restart(),
        }
        effect
    }

    /// What is true at this tick.
    pub fn truth(&self) -> &[CubeState] {
        self.world.truth()
    }

    /// What the person sees: the truth of this tick.
    pub fn left(&self) -> &View {
        &self.left
    }

    /// What the network made of it.
    pub fn right(&self) -> &View {
        self.lane.view()
    }

    /// Figures of this tick and the last half second.
    pub fn live(&self) -> Live {
        Live::new(&self.lane, self.world.tick())
    }

    /// Figures since the lane began.
    pub fn report(&self) -> Report {
        Report::new(&self.lane, self.world.state_hash())
    }
}
