//! Rules by which a form folds a setting, warns of its value, or limits it.

use super::row::{FormRule, Setting};
use crate::{Key, Settings};

impl Setting {
    pub fn is_seldom(&self) -> bool {
        self.form.iter().any(|it| matches!(it, FormRule::Seldom))
    }

    pub fn is_limited_by_tick_rate(&self) -> bool {
        let mut rules = self.form.iter();
        rules.any(|it| matches!(it, FormRule::TickRateLimits))
    }

    pub fn warns_above(&self) -> Option<u32> {
        self.form.iter().find_map(|it| match it {
            FormRule::WarnAbove(raw) => Some(*raw),
            FormRule::Seldom
            | FormRule::IdleWhile(..)
            | FormRule::IdleOnRungs(_)
            | FormRule::TickRateLimits => None,
        })
    }

    /// Returns true if the setting has no effect beside these settings, whatever its value.
    pub fn is_idle(&self, settings: &Settings) -> bool {
        self.form.iter().any(|rule| match rule {
            FormRule::IdleWhile(other, raw) => settings.get(*other) == *raw,
            FormRule::IdleOnRungs(is_idle) => {
                Key::Codec.setting().is_used_by(settings.strategy())
                    && is_idle(settings.lane().rung().row())
            }
            FormRule::Seldom | FormRule::WarnAbove(_) | FormRule::TickRateLimits => false,
        })
    }
}
