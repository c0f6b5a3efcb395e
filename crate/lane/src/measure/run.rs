//! The report of a run: all figures of a lane since it began, beside its settings.

use super::report::SurfaceSpread;
use super::table::Report;
use crate::Lane;
use crate::surface::Screen;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use snapshot_settings::Settings;
use snapshot_settings::schema::SCHEMA;

/// Results of a link's run from the lane's start: the JSON of `snapshot-lab run`.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    /// Settings of the link.
    #[serde(serialize_with = "settings_by_key")]
    pub settings: Settings,
    /// Measurements of the lane over the run.
    #[serde(flatten)]
    pub report: Report,
}

impl Lane {
    /// Returns the measurements since the lane began. `state_hash` is the hash of the sender's world.
    pub fn report(&self, state_hash: u64) -> Report {
        Report::new(self, state_hash)
    }
}

impl Report {
    /// Returns the report with its errors in pixels computed for another screen.
    #[must_use]
    pub fn on(mut self, screen: Screen) -> Report {
        let SurfaceSpread { mean, p95, worst } = self.surface_error_mm;
        let [mean, p95, worst] = [mean, p95, worst].map(|mm| screen.px_of_mm(mm));
        self.surface_error_px = SurfaceSpread { mean, p95, worst };
        self
    }
}

fn settings_by_key<S: Serializer>(settings: &Settings, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(SCHEMA.len()))?;
    for setting in &SCHEMA {
        map.serialize_entry(setting.id, &settings.text(setting.key))?;
    }
    map.end()
}
