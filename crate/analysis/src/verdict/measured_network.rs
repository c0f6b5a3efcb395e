//! The network over which a verdict is measured.

use super::card::{Name, by_place};
use serde::{Deserialize, Serialize};
use snapshot_netsim::channel::LinkInputs;
use snapshot_settings::link_presets::{LINK_PRESETS, LinkPreset};
use snapshot_settings::{Key, Settings};

/// The network over which a verdict is measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum MeasuredNetwork {
    Trace,
    /// A preset's id.
    Preset(#[serde(with = "preset_id")] Name),
    /// Latency and jitter, ms, and loss, percent.
    Own([f64; 3]),
}

by_place!(preset_id, Name, LINK_PRESETS.iter().map(|preset| preset.id));

impl MeasuredNetwork {
    pub(super) fn new(settings: &Settings, link_inputs: &LinkInputs) -> MeasuredNetwork {
        if link_inputs.trace.is_some() {
            return MeasuredNetwork::Trace;
        }
        if let Some(preset) = preset(&settings.text(Key::Link).to_string()) {
            return MeasuredNetwork::Preset(preset.id);
        }
        let keys = [Key::Latency, Key::Jitter, Key::Loss];
        MeasuredNetwork::Own(
            keys.map(|key| settings.text(key).to_string().parse().unwrap_or_default()),
        )
    }

    /// Latency and jitter, ms, and loss, percent; zeros for a network that is named.
    pub(super) fn numbers(&self) -> [f64; 3] {
        match self {
            MeasuredNetwork::Own(numbers) => *numbers,
            MeasuredNetwork::Trace | MeasuredNetwork::Preset(_) => [0.0; 3],
        }
    }

    /// Returns the network in words: the name of the preset, the trace, or latency, jitter and loss.
    pub fn words(&self) -> String {
        match self {
            MeasuredNetwork::Trace => "a recorded network".to_owned(),
            MeasuredNetwork::Preset(id) => preset(id).map_or(*id, |it| it.label).to_owned(),
            MeasuredNetwork::Own([latency_ms, jitter_ms, loss]) => format!(
                "a network with {latency_ms} ms of latency, {jitter_ms} ms of jitter and {loss} % of loss"
            ),
        }
    }
}

fn preset(id: &str) -> Option<&'static LinkPreset> {
    LINK_PRESETS.iter().find(|preset| preset.id == id)
}
