//! All settings of the laboratory, each described once: [`schema::SCHEMA`] describes a setting, [`Settings`] holds the values,
//! [`permalink`] writes a link. The form of the page, the link, the command line and the tests derive from the schema.
//!
//! # Which types do I need
//!
//! | to | take |
//! | --- | --- |
//! | hold a value for each setting | [`Settings`] |
//! | name a setting | [`Key`]; [`schema::Setting`] is its row, with label, unit, domain and default |
//! | read a setting by its type and unit | its accessor, as [`Settings::seed`] and [`LaneSettings::latency_ms`] |
//! | add a setting | `schema/declared.rs`, where each is declared once |
//! | read or write a link | [`permalink::parse`], [`permalink::format()`] |
//! | know which settings a strategy has | [`StrategyRow`] |
//! | take the conditions of a real network | [`link_presets`] |
//!
//! # Example
//!
//! ```
//! use snapshot_settings::{Key, Settings, permalink};
//!
//! // A part of a link that cannot be used becomes a notice. The other parts are set.
//! let (mut settings, notices) = permalink::parse("#hz=20&loss=5&colour=red");
//! assert_eq!(notices.len(), 1);
//! assert_eq!(settings.lane().send_interval_ms(), 50.0);
//!
//! // A value outside the domain is refused, and changes nothing.
//! assert!(settings.set_text("loss", "many").is_err());
//! assert_eq!(settings.text(Key::Loss), "5");
//!
//! // A link has only the values that differ from the defaults.
//! let link = permalink::format(&settings);
//! assert!(link.contains("hz=20") && !link.contains("interp"));
//! assert_eq!(permalink::parse(&link), (settings, Vec::new()));
//! ```
//!
//! # What is not in it
//!
//! No lane and no page: this crate says which values exist, and `snapshot-lane` acts on them. The settings of a game that
//! takes the package home are those of `snapshot-replication`.
//!
//! # Invariant
//!
//! Each value is within its setting's domain: [`Settings::set`] refuses any other value.

mod accessors;
mod choices;
mod differences;
mod direction;
mod domain;
mod effect;
pub mod facts;
mod interpolation;
pub mod kind;
mod lane;
pub mod link_presets;
pub mod permalink;
pub mod presets;
pub mod quantisation;
pub mod schema;
mod strategy;

use schema::{OfLink, SCHEMA};
use snapshot_physics::crowd::CROWD_PLAYERS;
use snapshot_physics::world::{Contacts, Rival, WorldSettings};
use std::fmt;

pub use choices::{
    Adaptation, Correct, DelayStart, Desync, Header, MissingKeys, Predict, ServerView, Smoothing,
    StallTimes, Transport,
};
pub use interpolation::{InterpolationChoice, interpolation_choice};
pub use lane::{Direction, LaneSettings, WEBRTC_BYTES};
pub use schema::Key;
pub use snapshot_view::interpolate::Interpolation;
pub use strategy::{Strategy, StrategyRow, StrategyWords};

/// A value for every setting, each within its domain.
///
/// A value is stored as a `u32`: a number in units of its last shown decimal (12.5 % is 125), a choice as its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    values: [u32; SCHEMA.len()],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingError {
    /// No setting has that permalink key.
    Unknown(String),
    Invalid {
        key: Key,
        /// The strategy under which the value is invalid.
        strategy: Strategy,
        /// The given text, shortened.
        text: String,
    },
    /// The strategy simulates, but a recorded motion has no physics.
    NoPhysics {
        /// The strategy that would have to simulate.
        strategy: Strategy,
    },
    /// Objects of the motion appear, end or jump, which rung `simulated` cannot predict.
    NoSlots,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingError::Unknown(id) => write!(f, "There is no setting \"{id}\""),
            SettingError::Invalid {
                key,
                strategy,
                text,
            } => {
                let setting = key.setting();
                write!(
                    f,
                    "{} ({}) cannot be \"{text}\": ",
                    setting.label, setting.id
                )?;
                setting.domain_in(*strategy).describe(f)
            }
            SettingError::NoPhysics { strategy } => {
                let name = Key::Strategy.setting().domain.label(*strategy as u32);
                write!(
                    f,
                    "{name} cannot be used with a motion of your own: the right side would have to simulate it, and there is no physics behind it. Snapshots can"
                )
            }
            SettingError::NoSlots => f.write_str(
                "Codec simulated cannot be used with this motion: its objects come, go or jump, which no simulation foresees. Codec predicted can",
            ),
        }
    }
}

impl std::error::Error for SettingError {}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            values: std::array::from_fn(|i| SCHEMA[i].default),
        }
    }
}

impl Settings {
    /// Checks that these settings can send a recorded motion, which has no physics. `has_slots` is true if objects appear,
    /// disappear or jump.
    ///
    /// # Errors
    ///
    /// When the strategy does not send snapshots, or there are slots and the rung simulates.
    pub fn check_for_motion(&self, has_slots: bool) -> Result<(), SettingError> {
        let strategy = self.strategy();
        if strategy.row().simulates {
            return Err(SettingError::NoPhysics { strategy });
        }
        if has_slots && self.rung().needs_simulation() {
            return Err(SettingError::NoSlots);
        }
        Ok(())
    }

    pub fn get(&self, key: Key) -> u32 {
        self.values[key as usize]
    }

    /// Sets the value that is nearest to a number, in the setting's unit.
    ///
    /// # Errors
    /// [`SettingError::Invalid`] when the setting has no such choice; nothing changes then.
    pub fn set_number(&mut self, key: Key, number: f64) -> Result<(), SettingError> {
        let domain = key.setting().domain_in(self.strategy());
        self.set(key, domain.nearest_to(number))
    }

    /// Sets a raw value.
    ///
    /// # Errors
    /// [`SettingError::Invalid`] when it is outside the setting's domain; nothing changes then.
    pub fn set(&mut self, key: Key, value: u32) -> Result<(), SettingError> {
        let old = self.strategy();
        if !key.setting().domain_in(old).contains(value) {
            return Err(SettingError::Invalid {
                key,
                strategy: old,
                text: value.to_string(),
            });
        }
        let is_other_link = key == Key::Link && self.get(key) != value;
        self.values[key as usize] = value;
        if self.strategy() != old {
            self.move_from(old);
        }
        if is_other_link {
            self.apply_link_preset();
        }
        Ok(())
    }

    /// Sets the link's settings to the numbers of the chosen preset, and to their defaults elsewhere.
    fn apply_link_preset(&mut self) {
        let strategy = self.strategy();
        for setting in SCHEMA.iter().filter(|it| it.of_link != OfLink::No) {
            self.values[setting.key as usize] = setting.default_in(strategy);
        }
        for number in self.link_preset().map_or(&[][..], |it| it.numbers) {
            let raw = number.key.setting().domain_in(strategy).parse(number.text);
            self.values[number.key as usize] = raw.expect("a test reads every preset");
        }
    }

    /// Makes playout adaptive if the link's preset advises that, unless a delay is set.
    pub fn apply_advised_playout(&mut self) {
        let key = self.lane().delay_key();
        let is_default = self.get(key) == key.setting().default_in(self.strategy());
        if is_default && self.link_preset().is_some_and(|it| it.adapts) {
            self.values[key as usize] = kind::ADAPTIVE;
        }
    }

    /// Returns the values that are not written into a link with this strategy and preset: the strategy's defaults, and the
    /// preset's numbers.
    pub(crate) fn unwritten(&self) -> Settings {
        let mut unwritten = Settings::default();
        for key in [Key::Strategy, Key::Link] {
            let _ = unwritten.set(key, self.get(key));
        }
        unwritten
    }

    /// Moves settings to another strategy. A setting at its old default gets the new default. A value that the new strategy
    /// does not allow becomes the nearest allowed one.
    fn move_from(&mut self, old: Strategy) {
        let new = self.strategy();
        for setting in SCHEMA.iter().filter(|s| s.key != Key::Strategy) {
            let value = self.get(setting.key);
            self.values[setting.key as usize] = if value == setting.default_in(old) {
                setting.default_in(new)
            } else {
                setting.domain_in(new).nearest(value)
            };
        }
    }

    /// Returns true if a setting has no effect beside the others, whatever its value.
    pub fn is_idle(&self, key: Key) -> bool {
        let setting = key.setting();
        let has_rung = Key::Codec.setting().is_used_by(self.strategy());
        setting.idle_without.is_some_and(|it| self.get(it) == 0)
            || has_rung
                && setting
                    .idle_on_rungs
                    .is_some_and(|is| is(self.rung().row()))
    }

    /// Returns a setting's value as the link has it: `10`, `0.5`, `auto`, `hermite`.
    pub fn text(&self, key: Key) -> String {
        key.setting().domain.format(self.get(key))
    }

    /// Sets a value from its text, by permalink key.
    ///
    /// # Errors
    /// When there is no such setting, or the text is not one of its values; nothing changes then.
    pub fn set_text(&mut self, id: &str, text: &str) -> Result<Key, SettingError> {
        let key = Key::from_id(id)
            .ok_or_else(|| SettingError::Unknown(snapshot_base::text::shorten(id)))?;
        let value = key
            .setting()
            .domain_in(self.strategy())
            .parse(text)
            .ok_or_else(|| SettingError::Invalid {
                key,
                strategy: self.strategy(),
                text: snapshot_base::text::shorten(text),
            })?;
        self.set(key, value)?;
        Ok(key)
    }

    pub fn world(&self) -> WorldSettings {
        let uses = |key: Key| key.setting().is_used_by(self.strategy());
        WorldSettings {
            grid_side: self.grid_side(),
            contacts: match (uses(Key::Soft), self.is_soft()) {
                (false, _) => Contacts::Usual,
                (true, true) => Contacts::Soft,
                (true, false) => Contacts::Stiff,
            },
            on_grid: (uses(Key::Both) && self.quantises_both())
                .then(|| self.lane().grid(self.cube_count())),
            rival: self.rival(),
            crowd_seed: self.scene().crowd_seed(self.seed()),
        }
    }

    pub fn rival(&self) -> Rival {
        if Key::Rival.setting().is_used_by(self.strategy()) {
            self.chosen_rival()
        } else {
            Rival::None
        }
    }

    pub fn lane(&self) -> LaneSettings {
        LaneSettings::from_settings(self)
    }

    /// Returns true if a packet's fate depends on its size. Then one packet's size can change the fate of another.
    pub fn fate_depends_on_size(&self) -> bool {
        let mut values = SCHEMA.iter().zip(self.values);
        values.any(|(setting, value)| setting.depends_on_size && value != 0)
    }

    /// Number of cubes in the world: the player, the grid, a crowd and a rival.
    pub fn cube_count(&self) -> usize {
        let grid = (self.grid_side() * self.grid_side()) as usize;
        let crowd = match self.scene().crowd_seed(0) {
            Some(_) => CROWD_PLAYERS - 1,
            None => 0,
        };
        1 + grid + crowd + usize::from(self.rival() != Rival::None)
    }
}
