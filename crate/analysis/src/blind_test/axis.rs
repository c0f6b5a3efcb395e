//! Axes of the blind test. An axis is a property of the shown motion that a test varies, such as the send rate.

use snapshot_base::text::shorten;
use snapshot_settings::{Key, Settings};

/// The change of the picture that a level of an axis stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stimulus {
    /// A setting of the lane; its number is the level.
    Setting(Key),
    /// One freeze of the whole picture. The level is its length, ms.
    Freeze,
    /// One correction of the followed object, in a single frame. The level is its distance, mm.
    Snap,
    /// One correction of the followed object, smoothed over some frames. The level is its distance, mm.
    Glide,
}

/// An axis: a property of the shown motion, with the levels that a test compares with a reference.
#[derive(Debug, PartialEq)]
pub struct AxisRow {
    /// Name in links and files.
    pub id: &'static str,
    pub label: &'static str,
    /// Unit as written after a level, such as `packets a second`.
    pub unit: &'static str,
    pub stimulus: Stimulus,
    /// The level of the reference, which is hardly or not at all distinguishable from the original.
    pub reference: f64,
    /// Levels that a test tries, in the axis's unit, the least bad first.
    pub levels: &'static [f64],
    pub scale: Scale,
}

/// The relation between a level and how bad the picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// A picture at twice the level is twice as bad, as with the length of a freeze.
    Rising,
    /// A picture at half the level is twice as bad, as with a send rate.
    Falling,
    /// The level is a number of bits. A picture with one bit less is twice as bad.
    Bits,
}

impl Scale {
    /// Returns log10 of how bad a picture at a level of the axis is. Only differences have a meaning: one decade more is ten
    /// times as bad.
    pub fn decades(self, level: f64) -> f64 {
        match self {
            Scale::Rising => libm::log10(level),
            Scale::Falling => -libm::log10(level),
            Scale::Bits => -level * std::f64::consts::LOG10_2,
        }
    }

    /// Returns the level whose picture is this bad: the inverse of [`Scale::decades`].
    pub fn level(self, decades: f64) -> f64 {
        match self {
            Scale::Rising => libm::exp10(decades),
            Scale::Falling => libm::exp10(-decades),
            Scale::Bits => -decades / std::f64::consts::LOG10_2,
        }
    }
}

const CORRECTIONS_MM: &[f64] = &[
    2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0, 50.0, 80.0, 120.0, 200.0, 300.0, 500.0, 800.0, 1200.0,
];

/// All axes, in the order of the page.
pub const AXES: [AxisRow; 7] = [
    AxisRow {
        id: "rate",
        label: "Send rate",
        unit: "packets a second",
        stimulus: Stimulus::Setting(Key::SendRate),
        reference: 60.0,
        levels: &[
            40.0, 30.0, 24.0, 20.0, 17.0, 15.0, 12.0, 10.0, 8.0, 6.0, 5.0, 4.0, 3.0, 2.0,
        ],
        scale: Scale::Falling,
    },
    AxisRow {
        id: "position",
        label: "Position bits",
        unit: "position bits",
        stimulus: Stimulus::Setting(Key::PositionBits),
        reference: 12.0,
        levels: &[10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0],
        scale: Scale::Bits,
    },
    AxisRow {
        id: "orientation",
        label: "Orientation bits",
        unit: "orientation bits",
        stimulus: Stimulus::Setting(Key::OrientationBits),
        reference: 15.0,
        levels: &[11.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0],
        scale: Scale::Bits,
    },
    AxisRow {
        id: "loss",
        label: "Packet loss",
        unit: "% loss",
        stimulus: Stimulus::Setting(Key::Loss),
        reference: 0.0,
        levels: &[0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0, 40.0, 50.0],
        scale: Scale::Rising,
    },
    AxisRow {
        id: "freeze",
        label: "One freeze",
        unit: "ms of freeze",
        stimulus: Stimulus::Freeze,
        reference: 0.0,
        levels: &[
            16.7, 33.3, 50.0, 66.7, 83.3, 100.0, 133.3, 166.7, 200.0, 250.0, 333.3, 500.0, 750.0,
        ],
        scale: Scale::Rising,
    },
    AxisRow {
        id: "snap",
        label: "One correction, at once",
        unit: "mm at once",
        stimulus: Stimulus::Snap,
        reference: 0.0,
        levels: CORRECTIONS_MM,
        scale: Scale::Rising,
    },
    AxisRow {
        id: "glide",
        label: "One correction, gliding",
        unit: "mm gliding",
        stimulus: Stimulus::Glide,
        reference: 0.0,
        levels: CORRECTIONS_MM,
        scale: Scale::Rising,
    },
];

/// Error: a test cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AxisError {
    #[error("\"{0}\" is no test: rate, position, orientation, loss, freeze, snap, glide or pair")]
    Unknown(String),
    #[error("{label} does not matter to {strategy}: choose another test, or another strategy")]
    Unheeded {
        label: &'static str,
        strategy: &'static str,
    },
    #[error("There is no B to tell from A: set one beside it first")]
    NoB,
}

impl AxisRow {
    /// Finds an axis by its id.
    ///
    /// # Errors
    /// When there is no such axis.
    pub fn find(id: &str) -> Result<&'static AxisRow, AxisError> {
        let row = AXES.iter().find(|row| row.id == id);
        row.ok_or_else(|| AxisError::Unknown(shorten(id)))
    }

    /// Checks that the levels of the axis differ under these settings.
    ///
    /// # Errors
    /// When the strategy does not read the setting.
    pub fn check(&self, settings: &Settings) -> Result<(), AxisError> {
        let Stimulus::Setting(key) = self.stimulus else {
            return Ok(());
        };
        let strategy = settings.strategy();
        if key.setting().is_used_by(strategy) {
            return Ok(());
        }
        Err(AxisError::Unheeded {
            label: self.label,
            strategy: strategy.row().label,
        })
    }

    /// Returns log10 of how bad the picture at each level is.
    pub(super) fn decades(&self) -> Vec<f64> {
        let decades = |level: &f64| self.scale.decades(*level);
        self.levels.iter().map(decades).collect()
    }

    /// Returns a level as text: whole where it is whole or at least 10, else with one decimal.
    pub fn level_text(&self, level: f64) -> String {
        if level >= 10.0 || level == libm::rint(level) {
            format!("{level:.0}")
        } else {
            format!("{level:.1}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_is_within_the_domain_of_its_setting_and_worse_than_the_one_before() {
        for row in &AXES {
            let best = Some(row.reference).filter(|level| *level > 0.0);
            let levels: Vec<f64> = best.iter().chain(row.levels).copied().collect();
            let decades: Vec<f64> = levels.iter().map(|it| row.scale.decades(*it)).collect();
            assert!(decades.windows(2).all(|two| two[0] < two[1]), "{}", row.id);
            for level in row.levels {
                let back = row.scale.level(row.scale.decades(*level));
                assert!((back - level).abs() < 1e-9 * level, "{} {level}", row.id);
                if let Stimulus::Setting(key) = row.stimulus {
                    let mut settings = Settings::default();
                    settings.set_number(key, *level).unwrap();
                    assert_eq!(settings.text(key), format!("{level}"), "{}", row.id);
                }
            }
        }
    }

    #[test]
    fn a_setting_that_the_strategy_does_not_read_is_refused() {
        let settings = crate::testing::settings("#strategy=lockstep");
        assert!(AxisRow::find("position").unwrap().check(&settings).is_err());
        assert_eq!(AxisRow::find("freeze").unwrap().check(&settings), Ok(()));
        assert!(AxisRow::find("<b>").is_err());
    }
}
