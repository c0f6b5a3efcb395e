//! The network over which a verdict is measured.

use super::networks::{OWN, network_ids};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
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
    pub(super) fn new(settings: &Settings, link_inputs: &LinkInputs) -> MeasuredNetwork {
        if link_inputs.trace.is_some() {
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

/// Compact form of a network, with a preset's place in the table.
#[derive(Serialize, Deserialize)]
enum Compact {
    Trace,
    Preset(u8),
    Own([f64; 3]),
}

fn presets() -> impl Iterator<Item = &'static str> {
    network_ids().filter(|id| *id != OWN)
}

impl Serialize for MeasuredNetwork {
    /// Writes words for people, and numbers in compact forms.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() {
            return to.serialize_str(&self.words());
        }
        let compact = match self {
            MeasuredNetwork::Trace => Compact::Trace,
            MeasuredNetwork::Preset(id) => {
                let place = presets().position(|other| other == *id);
                Compact::Preset(place.map_or(u8::MAX, |place| place as u8))
            }
            MeasuredNetwork::Own(numbers) => Compact::Own(*numbers),
        };
        compact.serialize(to)
    }
}

impl<'de> Deserialize<'de> for MeasuredNetwork {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<MeasuredNetwork, D::Error> {
        Ok(match Compact::deserialize(from)? {
            Compact::Trace => MeasuredNetwork::Trace,
            Compact::Preset(place) => {
                let id = presets().nth(place.into());
                MeasuredNetwork::Preset(id.ok_or_else(|| D::Error::custom("no such preset"))?)
            }
            Compact::Own(numbers) => MeasuredNetwork::Own(numbers),
        })
    }
}
