//! Presets of settings, as links. First come the modes of the demos in Fiedler's articles, then modes of a client that
//! predicts its own cube.

use super::{Settings, permalink};

/// A named set of all settings of sender, network and receiver; it does not change the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Name of the demo in which this preset is a mode.
    pub group: &'static str,
    /// The visible effect, in plain words.
    pub name: &'static str,
    pub link: &'static str,
}

macro_rules! presets {
    ($($group:literal: $common:literal { $($name:literal $link:literal)+ })+) => {
        &[$($(Preset { group: $group, name: $name, link: concat!($link, "&", $common) }),+),+]
    };
}

/// All presets, group by group.
///
/// Latency is in one direction. Without interpolation nothing waits to be shown. The delta demo states a latency of 5 ms,
/// but meant a round trip of 100 ms. The state synchronisation demo's first mode sends floats, which is not possible here:
/// the finest quantisation replaces them.
pub static PRESETS: &[Preset] = presets! {
    "Interpolation": "codec=uncompressed&latency=50" {
        "60 a second, no buffer" "hz=60&interp=none&delay=0&jitter=0&loss=0"
        "The same with jitter" "hz=60&interp=none&delay=0&jitter=33&loss=0"
        "10 a second, no buffer" "hz=10&interp=none&delay=0&jitter=33&loss=0"
        "Linear interpolation" "hz=10&interp=linear&delay=300&jitter=33&loss=5"
        "Hermite interpolation" "hz=10&interp=hermite&delay=300&jitter=33&loss=5"
        "Hermite, extrapolating" "hz=10&interp=extrapolate&delay=300&jitter=33&loss=5"
    }
    "Compression": "hz=60&latency=50&loss=5&jitter=17&delay=50" {
        "Uncompressed" "codec=uncompressed&interp=hermite"
        "Smallest three" "codec=smallest-three&interp=hermite"
        "Bounded velocity" "codec=velocity&interp=hermite"
        "At-rest flag" "codec=at-rest&interp=hermite"
        "No velocity" "codec=no-velocity&interp=linear"
        "Bounded position" "codec=position&interp=linear"
    }
    "Delta": "hz=60&latency=50&loss=5&jitter=17&delay=50&interp=linear" {
        "Not changed" "codec=not-changed"
        "Index of the changed" "codec=index"
        "Relative index" "codec=relative-index"
        "Relative position" "codec=relative-position"
        "Relative orientation" "codec=relative-orientation"
    }
    "Lockstep": "strategy=lockstep" {
        "Deterministic" "latency=0&jitter=0&loss=0"
        "Not deterministic" "latency=0&jitter=0&loss=0&desync=order"
        "TCP, 100 ms round trip, 1 % loss" "transport=tcp&latency=50&loss=1"
        "TCP, 200 ms, 2 %" "transport=tcp&latency=100&loss=2"
        "TCP, 250 ms, 5 %" "transport=tcp&latency=125&loss=5"
        "UDP, 250 ms, 25 %" "latency=125&loss=25"
        "UDP, 250 ms, 50 %" "latency=125&loss=50&delay=250"
    }
    "State sync": "strategy=sync&hz=60&latency=50&jitter=17&buffer=5" {
        "Nearly uncompressed" "both=0&smooth=off&loss=0"
        "Compressed" "both=0&smooth=off&loss=0&pos=9&rot=9&vel=5"
        "Quantised on both sides" "both=1&smooth=off&loss=0"
        "10 % loss" "both=1&smooth=off&loss=10"
        "Basic smoothing" "both=0&smooth=basic&loss=0&pos=9&rot=9&vel=5"
        "Adaptive smoothing" "both=0&smooth=adaptive&loss=0&pos=9&rot=9&vel=5"
    }
    "Your hand": "strategy=game&latency=50&jitter=0&server=now" {
        "Wait for the server" "predict=wait&loss=1"
        "Predict my cube" "predict=own&loss=1"
        "Predict what is near" "predict=touch&loss=1"
        "Predict all" "predict=all&loss=1"
        "Keys sent once, 10 % loss" "predict=touch&repeats=1&loss=10"
    }
};

impl Preset {
    pub fn settings(&self, current: &Settings) -> Settings {
        permalink::parse(self.link).0.in_world_of(current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_are_the_same_and_none_touches_the_world() {
        let mut current = Settings::default();
        current.set_text("seed", "7").unwrap();
        current.set_text("grid", "12").unwrap();
        let all: Vec<_> = PRESETS
            .iter()
            .map(|preset| preset.settings(&current))
            .collect();
        for (i, settings) in all.iter().enumerate() {
            assert_eq!(permalink::parse(PRESETS[i].link).1, []);
            assert_eq!((settings.seed(), settings.grid_side()), (7, 12));
            assert!(!all[..i].contains(settings), "{}", PRESETS[i].name);
        }
    }
}
