//! Presets of network links. A preset is a row of numbers for settings, each with a tag and a source. Rows are only ever added.
//!
//! Numbers hold for one direction. Measured round trips are halved, on the assumption that both directions are alike. Rates
//! are those of a player's connection. The direction to the receiver is its downlink; with `bufferbloat` it is the uplink.

use super::Key;
use super::domain::{Choice, Domain};
use super::kind::Kind;

/// The origin of a number in a preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    Measured,
    /// The source calibrated the number against a measured path.
    Calibrated,
    Judged,
    /// The number follows from the source's number.
    Derived,
    /// The number is assumed here, without a source.
    Assumed,
}

impl Tag {
    /// The word that is shown before the source.
    pub fn word(self) -> &'static str {
        match self {
            Tag::Measured => "measured",
            Tag::Calibrated => "calibrated",
            Tag::Judged => "judged",
            Tag::Derived => "derived",
            Tag::Assumed => "assumed here",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct LinkNumber {
    pub key: Key,
    /// The value as a link has it.
    pub text: &'static str,
    pub tag: Tag,
}

#[derive(Clone, Copy, Debug)]
pub struct LinkPreset {
    pub id: &'static str,
    pub label: &'static str,
    /// True if adaptive play freezes for less time than with any fixed delay of the same age, by `docs/measured.md`. Choosing
    /// such a preset also chooses adaptive play; a link without a delay keeps the default.
    pub adapts: bool,
    /// Settings of the preset that differ from the defaults.
    pub numbers: &'static [LinkNumber],
}

impl LinkPreset {
    /// Returns the source of each number; for a derived number, with the number in the source.
    pub fn sources(&self) -> &'static [&'static str] {
        let place = LINK_PRESETS.iter().position(|preset| preset.id == self.id);
        place.map_or(&[], |place| SOURCES[place])
    }
}

macro_rules! presets {
    (@adapts) => { false };
    (@adapts adapts) => { true };
    ($($id:literal $label:literal $($adapts:ident)? { $($key:ident $text:literal $tag:ident $source:expr;)+ })+) => {
        /// All presets, in the order of the form.
        pub static LINK_PRESETS: &[LinkPreset] = &[$(LinkPreset {
            id: $id,
            label: $label,
            adapts: presets!(@adapts $($adapts)?),
            numbers: &[$(LinkNumber { key: Key::$key, text: $text, tag: Tag::$tag }),+],
        }),+];
        /// Sources of the presets' numbers. They are apart: a program that shows none is built without them.
        static SOURCES: &[&[&str]] = &[$(&[$($source),+]),+];
    };
}

const ORDER: &str = "no measured figure of reordering was found";
const NONE: &str = "no measured figure was found";
const AS_WIRED: &str = "as wired";
const WPT_CABLE: &str = "WebPageTest, cable: 28 ms round trip, 5,000/1,000 kbit/s";
const WPT_LTE: &str = "WebPageTest, LTE: 70 ms round trip, 12,000 kbit/s";
const BNT: &str = "BeanNetworkTester's presets";
const BNT_WIFI: &str = "BeanNetworkTester, after doi 10.3390/s22228592";
const BNT_STARLINK: &str = "BeanNetworkTester, after doi 10.1145/3624354.3630586: every 15 s";
const STR0M: &str = "str0m's netem";
const BWE: &str = "WebRTC's tests of bandwidth estimation";
const UCC_DRIVING: &str =
    "UCC 5Gdataset, driving, 663 round trips: p5 68, p50 84, p95 106, p99 330 ms";
const UCC_STATIC: &str =
    "UCC 5Gdataset, static, 1,222 round trips: p5 66, p50 69, p95 89, p99 220 ms";
const MAHIMAHI: &str = "mahimahi's LTE traces: gaps of 100 ms and more";
const PEI: &str = "Pei et al., Wi-Fi: median 20 ms, p90 100 ms";
const OOKLA: &str = "Ookla's medians";
const NETEM: &str =
    "netem's experimental.dat: 13,448 round trips, p50 186.2, p95 210.4, p99 220.9 ms";
const INDIGO_ASIA: &str = "Indigo's emulator, Korea to China: 77.72 Mbit/s, 94 packets";

presets! {
    "wired" "wired broadband" {
        Latency "14" Derived WPT_CABLE;
        Shape "paretonormal" Assumed "netem's shape";
        Jitter "5" Judged "Unity Multiplayer Tools, home broadband";
        Loss "0" Judged "Unity Multiplayer Tools and WebPageTest";
        Order "1" Assumed ORDER;
        Rate "5000" Judged WPT_CABLE;
        BackRate "1000" Judged WPT_CABLE;
        Queue "21" Derived "Indigo's emulator, India: 173 packets at 100.42 Mbit/s";
    }
    "wifi-quiet" "Wi-Fi, quiet" {
        Latency "15.5" Derived "wired, and half of the 3 ms of doi 10.1145/2906388.2906393";
        Shape "exponential" Derived "League of Legends, Ethernet against Wi-Fi";
        Jitter "3.1" Derived "League of Legends, Ethernet against Wi-Fi";
        Loss "0.0015" Measured "one home (Deskhub, issue 54)";
        Order "1" Assumed ORDER;
        Rate "5000" Assumed AS_WIRED;
        BackRate "1000" Assumed AS_WIRED;
        Queue "21" Assumed AS_WIRED;
    }
    "wifi-busy" "Wi-Fi, busy" adapts {
        Latency "14" Derived "as wired";
        Shape "lognormal" Derived PEI;
        Jitter "20" Measured PEI;
        Most "250" Measured "doi 10.1145/2906388.2906393, p99";
        Loss "3" Judged BNT;
        Burst "5.67" Measured BNT_WIFI;
        Order "1" Assumed ORDER;
        Rate "5000" Judged STR0M;
        Queue "48" Derived "str0m's netem: 30 kB";
    }
    "4g-good" "4G, good" {
        Latency "35" Derived WPT_LTE;
        Jitter "20" Judged BNT;
        Loss "0.3" Judged BNT;
        Burst "2" Judged STR0M;
        Order "1" Assumed ORDER;
        Rate "12000" Judged WPT_LTE;
        Queue "300" Judged BWE;
    }
    "4g-moving" "4G, moving" adapts {
        Latency "34" Derived UCC_DRIVING;
        Shape "table-4g" Derived UCC_DRIVING;
        Jitter "8" Derived UCC_DRIVING;
        Stalls "10.2" Derived MAHIMAHI;
        StallLength "400" Derived MAHIMAHI;
        StallTimes "random" Derived MAHIMAHI;
        Loss "1.16" Measured "UCC 5Gdataset, driving";
        Burst "2" Judged STR0M;
        Order "1" Assumed ORDER;
        Rate "5170" Derived "mahimahi's LTE traces, mean";
        BackRate "830" Derived "mahimahi's LTE traces, mean";
        Queue "591" Derived "Indigo's emulator, Mexico: 130 packets at 2.64 Mbit/s";
    }
    "5g" "5G" adapts {
        Latency "33" Derived UCC_STATIC;
        Shape "table-5g" Derived UCC_STATIC;
        Jitter "1.5" Derived UCC_STATIC;
        Loss "0.37" Measured "UCC 5Gdataset, static";
        Burst "1" Assumed NONE;
        Order "1" Assumed ORDER;
        Rate "168000" Judged BNT;
        BackRate "21000" Judged BNT;
        Queue "300" Judged BWE;
    }
    "starlink" "Starlink" adapts {
        Latency "20" Derived "APNIC, 2022-11-28: p25 of 40 ms round trip";
        Shape "table-starlink" Derived "Ookla's median of 45 ms, APNIC's p75 of 60 ms, round trips";
        Jitter "2.5" Derived "Ookla's median of 45 ms round trip";
        Stalls "4" Measured BNT_STARLINK;
        StallLength "100" Measured BNT_STARLINK;
        Loss "0.5" Judged BNT;
        Burst "1" Assumed NONE;
        Order "1" Assumed ORDER;
        Rate "104710" Measured OOKLA;
        BackRate "14840" Measured OOKLA;
        Queue "300" Assumed "as 5G";
    }
    "satellite" "geostationary satellite" adapts {
        Latency "342" Derived "Ookla's median of 683 ms round trip; APNIC, 2022-05-02: from about 600";
        Jitter "30" Judged STR0M;
        Loss "1" Judged BNT;
        Burst "4" Judged BNT;
        Order "1" Assumed ORDER;
        Rate "47790" Measured OOKLA;
        BackRate "3146" Judged BNT;
        Queue "267" Derived "str0m's netem: 500 kB at 15 Mbit/s";
    }
    "us-east" "Europe to US east" {
        Latency "55" Derived "BeanNetworkTester, Warsaw: 110 to 120 ms round trip";
        Shape "table-far" Assumed NETEM;
        Jitter "7" Assumed NETEM;
        Correlation "0.48" Assumed NETEM;
        Loss "0" Judged BNT;
        Order "1" Assumed ORDER;
        Rate "100000" Assumed NONE;
        Queue "47" Derived "Indigo's emulator, California to Mexico";
    }
    "asia" "Europe to Asia" {
        Latency "86" Derived NETEM;
        Shape "table-far" Measured NETEM;
        Jitter "7" Derived NETEM;
        Correlation "0.48" Measured NETEM;
        Loss "0.06" Calibrated INDIGO_ASIA;
        Burst "1" Calibrated INDIGO_ASIA;
        Order "1" Assumed ORDER;
        Rate "77720" Calibrated INDIGO_ASIA;
        Queue "15" Derived INDIGO_ASIA;
    }
    "bufferbloat" "uplink with bufferbloat" adapts {
        Latency "10" Judged BNT;
        Jitter "0" Assumed NONE;
        Loss "0" Judged "the full queue alone drops";
        Order "1" Assumed ORDER;
        Rate "1049" Judged BNT;
        BackRate "8390" Judged BNT;
        Queue "2000" Judged BNT;
        Neighbour "100" Judged "one greedy TCP flow fills the queue";
        BackNeighbour "0" Assumed "the other way is free";
    }
}

/// Choices of the setting `link`: no preset, then the presets by name.
static CHOICES: [Choice; LINK_PRESETS_LEN + 1] = {
    let mut choices = [Choice::new("own", "as set below"); LINK_PRESETS_LEN + 1];
    let mut place = 0;
    while place < LINK_PRESETS_LEN {
        let preset = LINK_PRESETS[place];
        place += 1;
        choices[place] = Choice::new(preset.id, preset.label);
    }
    choices
};

const LINK_PRESETS_LEN: usize = 11;

/// The preset that the setting `link` chooses.
pub enum ChosenPreset {}

impl Kind for ChosenPreset {
    /// `None` for a link of one's own.
    type Value = Option<&'static LinkPreset>;

    const CHOICES: &'static [Choice] = &CHOICES;

    fn read(raw: u32, _: &Domain) -> Option<&'static LinkPreset> {
        Some(&LINK_PRESETS[(raw as usize).checked_sub(1)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::OfLink;
    use crate::{Strategy, permalink};

    #[test]
    fn every_number_is_a_value_of_its_setting_and_has_a_source() {
        assert_eq!(LINK_PRESETS.len(), LINK_PRESETS_LEN);
        for preset in LINK_PRESETS {
            for strategy in ["snapshot", "sync", "lockstep"] {
                let link = format!("strategy={strategy}&link={}", preset.id);
                let (settings, notices) = permalink::parse(&link);
                assert_eq!(notices, []);
                for number in preset.numbers {
                    let of_link = number.key.setting().of_link;
                    assert_ne!(of_link, OfLink::No, "{number:?}");
                    assert_eq!(settings.text(number.key), number.text, "{}", preset.id);
                }
                let sources = preset.sources();
                assert_eq!(sources.len(), preset.numbers.len());
                assert!(sources.iter().all(|source| !source.is_empty()));
            }
            let keys: Vec<_> = preset.numbers.iter().map(|number| number.key).collect();
            assert!((1..keys.len()).all(|place| !keys[..place].contains(&keys[place])));
        }
    }

    #[test]
    fn a_link_writes_its_name_and_what_differs_from_it() {
        for (link, written) in [
            ("link=wifi-busy", "v=2&link=wifi-busy"),
            (
                "loss=5&link=wifi-busy&hz=20",
                "v=2&hz=20&loss=5&link=wifi-busy",
            ),
            (
                "link=wifi-busy&loss=3&order=0",
                "v=2&link=wifi-busy&order=0",
            ),
            ("link=own&loss=3", "v=2&loss=3"),
            (
                "strategy=lockstep&link=asia&latency=86",
                "v=2&strategy=lockstep&link=asia",
            ),
        ] {
            let (settings, notices) = permalink::parse(link);
            assert_eq!(notices, []);
            assert_eq!(permalink::format(&settings), written);
        }
    }

    #[test]
    fn another_preset_leaves_nothing_of_the_one_before() {
        let mut settings = permalink::parse("link=4g-moving&hz=20&loss=7&seed=3").0;
        settings.set_text("link", "wired").unwrap();
        assert_eq!(permalink::format(&settings), "v=2&hz=20&link=wired&seed=3");
        settings.set_text("link", "own").unwrap();
        assert_eq!(permalink::format(&settings), "v=2&hz=20&seed=3");
        assert_eq!(settings.strategy(), Strategy::Snapshot);
    }
}
