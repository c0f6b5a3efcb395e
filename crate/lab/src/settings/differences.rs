//! Differences of one lane's settings from another's, carried over when the other's change.

use super::schema::{Group, SCHEMA, Setting};
use super::{Key, Settings, Strategy};

impl Settings {
    /// Keys in which these settings differ from `base`: the strategy first, for the defaults of others depend on it.
    pub fn differences(&self, base: &Settings) -> Vec<Key> {
        let mut base = *base;
        let strategy = (self.strategy() != base.strategy()).then_some(Key::Strategy);
        if strategy.is_some() {
            // A strategy of another setting's domain is one of its own.
            let _ = base.set(Key::Strategy, self.get(Key::Strategy));
        }
        let others = SCHEMA.iter().map(|setting| setting.key);
        let others = others.filter(|key| self.get(*key) != base.get(*key));
        strategy.into_iter().chain(others).collect()
    }

    /// `base` with all in which these settings differed from `before`.
    pub fn rebased(&self, before: &Settings, base: &Settings) -> Settings {
        let mut settings = *base;
        for key in self.differences(before) {
            // What the new strategy has no place for is left out.
            let _ = settings.set(key, self.get(key));
        }
        settings
    }

    /// These settings of sender, network and receiver, in the world of others.
    pub fn in_world_of(&self, other: &Settings) -> Settings {
        let mut settings = *self;
        for setting in SCHEMA.iter().filter(|it| it.group == Group::World) {
            settings.values[setting.key as usize] = other.get(setting.key);
        }
        settings
    }

    /// These settings, but with the values of others where both lanes have the same.
    pub fn on_the_motion_of(&self, other: &Settings) -> Settings {
        let mut settings = *self;
        for setting in SCHEMA.iter().filter(|it| it.is_shared_by_lanes()) {
            settings.values[setting.key as usize] = other.get(setting.key);
        }
        settings
    }

    /// A sender of snapshots with these values where `is_kept`, and with the defaults of snapshots elsewhere.
    pub(crate) fn of_snapshots(&self, is_kept: impl Fn(&Setting) -> bool) -> Settings {
        let mut settings = *self;
        let _ = settings.set(Key::Strategy, Strategy::Snapshot as u32);
        let mut kept = Settings::default();
        for setting in SCHEMA.iter().filter(|it| is_kept(it)) {
            kept.values[setting.key as usize] = settings.get(setting.key);
        }
        kept
    }
}
