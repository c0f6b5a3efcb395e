//! The extent of the rebuild that a change of settings needs.

use super::schema::{Domain, Effect, SCHEMA, Setting};
use super::{Key, Settings};
use snapshot_physics::scene::SceneKind;

impl Settings {
    pub fn effect_of_change_to(&self, other: &Settings) -> Effect {
        let begins_a_scene = |setting: &Setting| match setting.key {
            // A person's keys are no script's: another seed draws other faults, and changes nothing else.
            Key::Seed => other.scene() != SceneKind::Drive,
            _ => setting.effect == Effect::World,
        };
        let mut changed = SCHEMA
            .iter()
            .filter(|setting| self.get(setting.key) != other.get(setting.key));
        if changed.any(begins_a_scene) {
            Effect::World
        } else if self.world() != other.world() {
            Effect::Motion
        } else if self.lane() != other.lane() {
            Effect::Lane
        } else {
            Effect::AtOnce
        }
    }

    /// Returns the largest rebuild that a change of a setting can cause. For a number, only the ends of its range are checked.
    pub fn effect_of(&self, key: Key) -> Effect {
        let domain = key.setting().domain_in(self.strategy());
        let values = match domain {
            Domain::Choice(choices) => 0..choices.len() as u32,
            Domain::Number(_) => 0..2,
        };
        let value = |place| match domain {
            Domain::Choice(_) => place,
            Domain::Number(_) => [domain.nearest(0), domain.most()][place as usize],
        };
        let effect = |place| {
            let mut other = *self;
            let is_set = other.set(key, value(place)).is_ok();
            is_set.then(|| self.effect_of_change_to(&other))
        };
        values.filter_map(effect).max().unwrap_or(Effect::AtOnce)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Strategy;

    /// Tries up to 600 values of each setting: what a slider's drag does, and a list's choice.
    #[test]
    fn the_effect_that_the_form_is_told_is_that_of_a_change() {
        for (strategy, both) in Strategy::ALL.into_iter().flat_map(|of| [(of, 0), (of, 1)]) {
            let mut settings = Settings::default();
            settings.set(Key::Strategy, strategy as u32).unwrap();
            settings.set(Key::Both, both).unwrap();
            for setting in SCHEMA.iter().filter(|row| row.is_used_by(strategy)) {
                let effect = settings.effect_of(setting.key);
                assert!(effect <= setting.effect, "{strategy:?} {}", setting.id);
                let mut most = Effect::AtOnce;
                for value in (0..=600).filter(|&value| value != settings.get(setting.key)) {
                    let mut other = settings;
                    if other.set(setting.key, value).is_ok() {
                        most = most.max(settings.effect_of_change_to(&other));
                    }
                }
                assert_eq!(effect, most, "{strategy:?}, both {both}, {}", setting.id);
            }
        }
    }
}
