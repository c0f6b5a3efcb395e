//! The network over which a verdict is measured.

use snapshot_netsim::channel::LinkInputs;
use snapshot_settings::link_presets::{LINK_PRESETS, LinkPreset};
use snapshot_settings::{Key, Settings};

/// Returns the preset of the link's network; `None` if it is no preset.
pub(super) fn link_preset(settings: &Settings) -> Option<&'static LinkPreset> {
    let id = settings.text(Key::Link).to_string();
    LINK_PRESETS.iter().find(|preset| preset.id == id)
}

/// The network over which a verdict is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeasuredNetwork {
    Trace,
    /// A preset's id.
    Preset(&'static str),
    /// Latency and jitter, ms, and loss, percent.
    Own([f64; 3]),
}

impl MeasuredNetwork {
    pub(super) fn new(settings: &Settings, given: &LinkInputs) -> MeasuredNetwork {
        if given.trace.is_some() {
            return MeasuredNetwork::Trace;
        }
        if let Some(preset) = link_preset(settings) {
            return MeasuredNetwork::Preset(preset.id);
        }
        let keys = [Key::Latency, Key::Jitter, Key::Loss];
        MeasuredNetwork::Own(
            keys.map(|key| settings.text(key).to_string().parse().unwrap_or_default()),
        )
    }

    /// Returns the network in words: the name of the preset, the trace, or latency, jitter and loss.
    pub fn words(&self) -> String {
        match self {
            MeasuredNetwork::Trace => "a recorded network".to_owned(),
            MeasuredNetwork::Preset(id) => {
                let preset = LINK_PRESETS.iter().find(|preset| preset.id == *id);
                preset.map_or(*id, |preset| preset.label).to_owned()
            }
            MeasuredNetwork::Own([latency_ms, jitter_ms, loss]) => format!(
                "a network with {latency_ms} ms of latency, {jitter_ms} ms of jitter and {loss} % of loss"
            ),
        }
    }
}
