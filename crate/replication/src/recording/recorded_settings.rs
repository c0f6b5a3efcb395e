//! The settings of a client in a recording.

use super::error::RecordingError;
use crate::flat_settings::FlatSettings;
use crate::{ObjectField, Settings, SettingsError};
use serde::{Deserialize, Serialize};
use snapshot_view::playout::Playout;

/// Settings as numbers, in the order of [`SETTING_FIELDS`](crate::SETTING_FIELDS), and what the numbers do not say. An older recording may lack the
/// last numbers, which then are the default ones.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RecordedSettings {
    numbers: Vec<f64>,
    playout: PlayoutKind,
    fields: Vec<ObjectField>,
}

/// Tells methods of playout apart that have the same numbers.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum PlayoutKind {
    Numbers,
    FirstPacket,
    AtOnce,
}

impl RecordedSettings {
    /// # Errors
    /// When a number is outside its domain, so that no replay would take it.
    pub(super) fn new(settings: &Settings) -> Result<Self, SettingsError> {
        let flat = FlatSettings::from(settings);
        let checked = flat.settings(settings.fields.clone());
        checked.map_err(SettingsError::Value)?;
        Ok(Self {
            numbers: flat.numbers().to_vec(),
            playout: match settings.playout {
                Playout::Adaptive(_) | Playout::Fixed { .. } => PlayoutKind::Numbers,
                Playout::FirstPacket { .. } => PlayoutKind::FirstPacket,
                Playout::AtOnce => PlayoutKind::AtOnce,
            },
            fields: settings.fields.clone(),
        })
    }

    pub(super) fn into_settings(self) -> Result<Settings, RecordingError> {
        let mut numbers = FlatSettings::from(&Settings::new(1)).numbers();
        let recorded = numbers.get_mut(..self.numbers.len());
        (recorded.ok_or(RecordingError::Arguments)?).copy_from_slice(&self.numbers);
        let flat = FlatSettings::from_numbers(&numbers).ok_or(RecordingError::Arguments)?;
        let settings = flat.settings(self.fields);
        let settings = settings.map_err(RecordingError::Settings)?;
        let delay_ms = flat.delay_ms;
        Ok(Settings {
            playout: match self.playout {
                PlayoutKind::Numbers => settings.playout,
                PlayoutKind::FirstPacket => Playout::FirstPacket { delay_ms },
                PlayoutKind::AtOnce => Playout::AtOnce,
            },
            ..settings
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SETTING_FIELDS;
    use snapshot_view::playout::Aim;

    #[test]
    fn settings_come_back_and_later_ones_may_be_missing() {
        for playout in [
            Playout::AtOnce,
            Playout::FirstPacket { delay_ms: 80.0 },
            Playout::Fixed { delay_ms: 80.0 },
            Playout::Adaptive(Aim::default()),
        ] {
            let settings = Settings {
                upload_kbps: Some(32.0),
                playout,
                fields: vec![ObjectField::counter("health", 7)],
                ..Settings::new(9)
            };
            let recorded = |count: usize| {
                let mut recorded = RecordedSettings::new(&settings).unwrap();
                recorded.numbers.resize(count, 0.0);
                recorded.into_settings()
            };
            let count = SETTING_FIELDS.len();
            let older = Settings {
                upload_kbps: None,
                ..settings.clone()
            };
            assert_eq!(recorded(count - 1), Ok(older));
            assert_eq!(recorded(count + 1), Err(RecordingError::Arguments));
            assert_eq!(recorded(count), Ok(settings));
        }
    }
}
