//! Figures for the charts, sampled ten times a second of the lab's own time.

use serde::Serialize;
use snapshot_lane::history::LaneHistory;
use snapshot_lane::measure::live::Live;

/// Samples a second.
const SAMPLES_HZ: u32 = 10;

/// The figures at one moment. The names are the columns of the export.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Sample {
    time_s: f64,
    kbps: f64,
    uncompressed_kbps: f64,
    bytes_per_packet: f64,
    changed_cubes: f64,
    position_error_rms_mm: f64,
    position_error_max_mm: f64,
    orientation_error_rms_deg: f64,
    orientation_error_max_deg: f64,
    /// From here on with state synchronisation only.
    #[serde(skip_serializing_if = "Option::is_none")]
    divergence_rms_mm: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divergence_max_mm: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_kbps: Option<f64>,
}

impl Sample {
    fn new(live: &Live) -> Sample {
        let sync = live.sync.as_ref();
        Sample {
            time_s: live.time_s,
            kbps: live.kbps,
            uncompressed_kbps: live.uncompressed_kbps,
            bytes_per_packet: live.bytes_per_packet,
            changed_cubes: live.changed_cubes,
            position_error_rms_mm: live.position_error_mm.rms,
            position_error_max_mm: live.position_error_mm.max,
            orientation_error_rms_deg: live.orientation_error_deg.rms,
            orientation_error_max_deg: live.orientation_error_deg.max,
            divergence_rms_mm: sync.map(|sync| sync.divergence_mm.rms),
            divergence_max_mm: sync.map(|sync| sync.divergence_mm.max),
            budget_kbps: sync.map(|sync| sync.budget_kbps),
        }
    }
}

/// Every sample that a history holds.
pub(crate) fn samples(history: &LaneHistory) -> Vec<Sample> {
    let tick_rate = history.lane().settings().tick_rate();
    let due = |live: &&Live| tick_rate.sends_at(live.tick, SAMPLES_HZ);
    history.lives().filter(due).map(Sample::new).collect()
}

/// The `seconds` before `shown_s`, the charts' columns one after the other; not a number where the strategy has none.
pub(crate) fn columns(history: &LaneHistory, shown_s: f64, seconds: f64) -> Vec<f64> {
    let mut samples = samples(history);
    samples.retain(|sample| (shown_s - seconds..=shown_s).contains(&sample.time_s));
    let column = |value: fn(&Sample) -> f64| samples.iter().map(value);
    column(|s| s.time_s)
        .chain(column(|s| s.kbps))
        .chain(column(|s| s.position_error_rms_mm))
        .chain(column(|s| s.position_error_max_mm))
        .chain(column(|s| s.orientation_error_rms_deg))
        .chain(column(|s| s.orientation_error_max_deg))
        .chain(column(|s| s.divergence_rms_mm.unwrap_or(f64::NAN)))
        .chain(column(|s| s.divergence_max_mm.unwrap_or(f64::NAN)))
        .chain(column(|s| s.budget_kbps.unwrap_or(f64::NAN)))
        .collect()
}
