//! Differences between two lanes' settings. When one lane's settings change, the other lane can take over the changes and
//! keep its differences.

use super::schema::{Group, SCHEMA, Setting};
use super::{Key, Settings, Strategy};

impl Settings {
    /// Returns the keys in which these settings differ from `base`: first the strategy and the link preset, because the
    /// values of other settings depend on them.
    pub fn differences(&self, base: &Settings) -> Vec<Key> {
        let mut base = *base;
        let mut first = Vec::new();
        for key in [Key::Strategy, Key::Link] {
            if self.get(key) != base.get(key) && base.set(key, self.get(key)).is_ok() {
                first.push(key);
            }
        }
        let others = SCHEMA.iter().map(|setting| setting.key);
        let others = others.filter(|key| self.get(*key) != base.get(*key));
        first.into_iter().chain(others).collect()
    }

    /// Returns a copy of `base` with the changes that led from `before` to these settings. Each changed setting gets its
    /// value in these settings.
    pub fn rebased(&self, before: &Settings, base: &Settings) -> Settings {
        let mut settings = *base;
        for key in self.differences(before) {
            // Values that the new strategy refuses are left out.
            let _ = settings.set(key, self.get(key));
        }
        settings
    }

    /// Returns a copy of these settings in which the settings of the world have `other`'s values.
    pub fn in_world_of(&self, other: &Settings) -> Settings {
        let mut settings = *self;
        for setting in SCHEMA.iter().filter(|it| it.group == Group::World) {
            settings.values[setting.key as usize] = other.get(setting.key);
        }
        settings
    }

    /// Returns a copy in which the settings that cannot differ between two lanes, such as the scene, have `other`'s values. All
    /// other settings stay.
    pub fn on_the_motion_of(&self, other: &Settings) -> Settings {
        let mut settings = *self;
        for setting in SCHEMA.iter().filter(|it| it.is_shared_by_lanes()) {
            settings.values[setting.key as usize] = other.get(setting.key);
        }
        settings
    }

    /// Returns a copy with the strategy set to snapshots. Each value that `is_kept` rejects is reset to its default.
    pub fn of_snapshots(&self, is_kept: impl Fn(&Setting) -> bool) -> Settings {
        let mut settings = *self;
        let _ = settings.set(Key::Strategy, Strategy::Snapshot as u32);
        let mut kept = Settings::default();
        for setting in SCHEMA.iter().filter(|it| is_kept(it)) {
            kept.values[setting.key as usize] = settings.get(setting.key);
        }
        kept
    }
}
