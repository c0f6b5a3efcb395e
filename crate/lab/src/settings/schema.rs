//! What each setting is: its permalink key, label, unit, domain, default, help, group, and what a change of it restarts.

pub use super::domain::{Choice, Domain};
use super::{Key, Strategy};

/// A setting, as the form, the link and the command line need it.
#[derive(Debug)]
pub struct Setting {
    /// Its place in [`SCHEMA`].
    pub key: Key,
    /// Its permalink key.
    pub id: &'static str,
    /// Its name.
    pub label: &'static str,
    /// The unit of a number; empty where it has none.
    pub unit: &'static str,
    /// Whose setting it is.
    pub group: Group,
    /// One line for a person who has not read the articles.
    pub help: &'static str,
    /// The values that it takes.
    pub domain: Domain,
    /// The raw value that the link leaves out. A change of it needs a new version of the link.
    pub default: u32,
    /// Where a strategy has another default.
    pub other_defaults: &'static [(Strategy, u32)],
    /// Where a strategy has another domain of numbers, of the same decimals and special value.
    pub other_domains: &'static [(Strategy, Domain)],
    /// The strategies that heed the setting.
    pub strategies: &'static [Strategy],
    /// What a change restarts.
    pub effect: Effect,
}

impl Setting {
    /// The default under a strategy.
    pub fn default_in(&self, strategy: Strategy) -> u32 {
        let other = self.other_defaults.iter().find(|(of, _)| *of == strategy);
        other.map_or(self.default, |(_, default)| *default)
    }

    /// The domain under a strategy.
    pub fn domain_in(&self, strategy: Strategy) -> &Domain {
        let other = self.other_domains.iter().find(|(of, _)| *of == strategy);
        other.map_or(&self.domain, |(_, domain)| domain)
    }

    /// Whether a strategy heeds the setting.
    pub fn is_heeded_by(&self, strategy: Strategy) -> bool {
        self.strategies.contains(&strategy)
    }
}

/// Whose setting it is: the groups of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Group {
    Sender,
    Network,
    Receiver,
    World,
}

impl Group {
    /// As shown.
    pub fn name(self) -> &'static str {
        match self {
            Group::Sender => "Sender",
            Group::Network => "Network",
            Group::Receiver => "Receiver",
            Group::World => "World",
        }
    }
}

/// What begins anew when a setting changes; the greater includes the smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Nothing.
    AtOnce,
    /// Sender, network and receiver, in place.
    Lane,
    /// Everything, at tick 0.
    World,
}

/// The raw value of an automatic playout delay.
pub const AUTO: u32 = u32::MAX;

/// Bytes of each choice of the counted header: IPv4 20 + UDP 8, IPv6 40 + UDP 8, none.
pub(super) const HEADER_BYTES: [u32; 3] = [28, 48, 0];

/// TCP's header without options is 20 bytes, UDP's 8.
pub(super) const TCP_EXTRA_BYTES: u32 = 12;

const fn number(min: u32, max: u32, marks: &'static [u32]) -> Domain {
    Domain::Number {
        min,
        max,
        decimals: 0,
        special: None,
        marks,
    }
}

/// Per cent in tenths.
const PER_CENT: Domain = Domain::Number {
    min: 0,
    max: 500,
    decimals: 1,
    special: None,
    marks: &[0, 10, 50, 250],
};

macro_rules! choices {
    ($($id:literal $label:literal),+ $(,)?) => { Domain::Choice(&[$(Choice { id: $id, label: $label }),+]) };
}

const SNAPSHOT: &[Strategy] = &[Strategy::Snapshot];
const SYNC: &[Strategy] = &[Strategy::Sync];
const LOCKSTEP: &[Strategy] = &[Strategy::Lockstep];
const SNAPSHOT_AND_LOCKSTEP: &[Strategy] = &[Strategy::Snapshot, Strategy::Lockstep];
const SNAPSHOT_AND_SYNC: &[Strategy] = &[Strategy::Snapshot, Strategy::Sync];

/// Off or on.
const SWITCH: Domain = choices! { "0" "off", "1" "on" };

/// Every setting, in the order of [`Key`] and of the form.
pub static SCHEMA: [Setting; 34] = [
    Setting {
        key: Key::Strategy,
        id: "strategy",
        label: "Strategy",
        unit: "",
        group: Group::Sender,
        help: "What is sent: the state of every cube, of the cubes that matter most, or only the keys.",
        domain: choices! {
            "snapshot" "snapshots",
            "sync" "state synchronisation",
            "lockstep" "deterministic lockstep",
        },
        default: 0,
        other_defaults: &[],
        other_domains: &[],
        strategies: &Strategy::ALL,
        effect: Effect::World,
    },
    Setting {
        key: Key::SendRate,
        id: "hz",
        label: "Send rate",
        unit: "/s",
        group: Group::Sender,
        help: "Packets sent a second. Fewer save bandwidth and make the receiver guess more.",
        domain: number(1, 60, &[10, 20, 30, 60]),
        default: 10,
        other_defaults: &[(Strategy::Sync, 60), (Strategy::Lockstep, 60)],
        other_domains: &[],
        strategies: &Strategy::ALL,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::Codec,
        id: "codec",
        label: "Codec rung",
        unit: "",
        group: Group::Sender,
        help: "The ladder of the compression article: each rung keeps what the one before it saved.",
        domain: choices! {
            "uncompressed" "0 · uncompressed",
            "smallest-three" "1 · smallest three",
            "velocity" "2 · bounded velocity",
            "at-rest" "3 · at-rest flag",
            "no-velocity" "4 · no velocity",
            "position" "5 · bounded position",
            "not-changed" "6 · delta: not changed",
            "index" "7 · index or changed bits",
            "relative-index" "8 · relative index",
            "relative-position" "9 · relative position",
            "relative-orientation" "10 · relative orientation",
            "changed-flags" "11 · changed flags",
            "arithmetic" "12 · arithmetic coding",
            "predicted" "13 · predicted",
        },
        default: 11,
        other_defaults: &[],
        other_domains: &[],
        strategies: SNAPSHOT,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::Class,
        id: "class",
        label: "Codec class",
        unit: "",
        group: Group::Sender,
        help: "What a packet is decoded from: the baseline alone, or also how that came to be. Used on rungs 12 and 13.",
        domain: choices! {
            "strict" "strict: the baseline alone",
            "chained" "chained: and what led to it",
        },
        other_domains: &[],
        default: 1,
        other_defaults: &[],
        strategies: SNAPSHOT,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::PositionBits,
        id: "pos",
        label: "Position bits",
        unit: "bits",
        group: Group::Sender,
        help: "Fractional bits of a coordinate: 9 are 512 steps a metre, 2 mm. Snapshots: used from rung 5 on.",
        domain: number(4, 12, &[9, 12]),
        default: 9,
        other_defaults: &[(Strategy::Sync, 12)],
        other_domains: &[],
        strategies: SNAPSHOT_AND_SYNC,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::OrientationBits,
        id: "rot",
        label: "Orientation bits",
        unit: "bits",
        group: Group::Sender,
        help: "Bits of each of the three smallest quaternion components. Snapshots: used from rung 1 on.",
        domain: number(2, 16, &[9, 15]),
        default: 9,
        other_defaults: &[(Strategy::Sync, 15)],
        other_domains: &[],
        strategies: SNAPSHOT_AND_SYNC,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::VelocityBits,
        id: "vel",
        label: "Velocity bits",
        unit: "bits",
        group: Group::Sender,
        help: "Fractional bits of a velocity: 5 are 32 steps a m/s. Snapshots: used on rungs 2 and 3.",
        domain: number(0, 12, &[5, 12]),
        default: 5,
        other_defaults: &[(Strategy::Sync, 12)],
        other_domains: &[],
        strategies: SNAPSHOT_AND_SYNC,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::Budget,
        id: "budget",
        label: "Budget",
        unit: "kbit/s",
        group: Group::Sender,
        help: "What may be sent a second, headers counted. What matters most goes first, the rest waits its turn.",
        domain: number(48, 1024, &[64, 256, 512]),
        default: 256,
        other_defaults: &[],
        other_domains: &[],
        strategies: SYNC,
        effect: Effect::AtOnce,
    },
    Setting {
        key: Key::Adapt,
        id: "adapt",
        label: "Adapt the budget",
        unit: "",
        group: Group::Sender,
        help: "Halves the budget where packets get lost, and raises it again bit by bit, up to the one set.",
        domain: SWITCH,
        default: 0,
        other_defaults: &[],
        other_domains: &[],
        strategies: SYNC,
        effect: Effect::AtOnce,
    },
    Setting {
        key: Key::Accumulate,
        id: "accumulate",
        label: "Accumulate priority",
        unit: "",
        group: Group::Sender,
        help: "Waiting cubes gain priority until they are sent. Without it grey cubes starve.",
        domain: SWITCH,
        default: 1,
        other_defaults: &[],
        other_domains: &[],
        strategies: SYNC,
        effect: Effect::AtOnce,
    },
    Setting {
        key: Key::Velocities,
        id: "velocities",
        label: "Send velocities",
        unit: "",
        group: Group::Sender,
        help: "Without them the right side moves on with its own, and pops at each update.",
        domain: SWITCH,
        default: 1,
        other_defaults: &[],
        other_domains: &[],
        strategies: SYNC,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::Relative,
        id: "rel",
        label: "Relative to the player",
        unit: "",
        group: Group::Sender,
        help: "Cubes near the player are sent relative to it: a ball of cubes moves as one.",
        domain: SWITCH,
        default: 0,
        other_defaults: &[],
        other_domains: &[],
        strategies: SYNC,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::Delta,
        id: "delta",
        label: "Delta against acked",
        unit: "",
        group: Group::Sender,
        help: "Each cube against what the other side has acknowledged of it.",
        domain: SWITCH,
        default: 0,
        other_defaults: &[],
        other_domains: &[],
        strategies: SYNC,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::RestPriority,
        id: "rest",
        label: "Rest counts more",
        unit: "",
        group: Group::Sender,
        help: "A cube that has come to rest keeps its priority until the other side has acknowledged it.",
        domain: SWITCH,
        default: 0,
        other_defaults: &[],
        other_domains: &[],
        strategies: SYNC,
        effect: Effect::AtOnce,
    },
    Setting {
        key: Key::Transport,
        id: "transport",
        label: "Transport",
        unit: "",
        group: Group::Network,
        help: "Datagrams that repeat what may be lost, or a stream in which everything waits for what was lost.",
        domain: choices! {
            "udp" "UDP, redundant",
            "tcp" "TCP, in order",
        },
        default: 0,
        other_defaults: &[],
        other_domains: &[],
        strategies: LOCKSTEP,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::Latency,
        id: "latency",
        label: "Latency, one way",
        unit: "ms",
        group: Group::Network,
        help: "Time that a packet travels; an acknowledgement takes as long to come back.",
        domain: number(0, 500, &[0, 50, 125, 250]),
        default: 50,
        other_defaults: &[],
        other_domains: &[(
            Strategy::Lockstep,
            number(0, 2000, &[0, 50, 125, 250, 2000]),
        )],
        strategies: &Strategy::ALL,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::Jitter,
        id: "jitter",
        label: "Jitter",
        unit: "± ms",
        group: Group::Network,
        help: "Each packet's latency varies evenly by up to this much either way.",
        domain: number(0, 100, &[0, 17, 33]),
        default: 17,
        other_defaults: &[],
        other_domains: &[],
        strategies: &Strategy::ALL,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::Loss,
        id: "loss",
        label: "Packet loss",
        unit: "%",
        group: Group::Network,
        help: "Packets that never arrive, in both directions.",
        domain: PER_CENT,
        default: 10,
        other_defaults: &[],
        other_domains: &[],
        strategies: &Strategy::ALL,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::Burst,
        id: "burst",
        label: "Mean loss burst",
        unit: "packets",
        group: Group::Network,
        help: "1 loses each packet independently; more lose as many in a row on average, at the same overall loss.",
        domain: number(1, 20, &[1, 5]),
        default: 1,
        other_defaults: &[],
        other_domains: &[],
        strategies: &Strategy::ALL,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::Duplicated,
        id: "dup",
        label: "Duplicated",
        unit: "%",
        group: Group::Network,
        help: "Packets that arrive twice.",
        domain: PER_CENT,
        default: 0,
        other_defaults: &[],
        other_domains: &[],
        strategies: &Strategy::ALL,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::Reordered,
        id: "reorder",
        label: "Reordered",
        unit: "%",
        group: Group::Network,
        help: "Packets held back by 1 to 3 send intervals, so that later ones overtake them.",
        domain: PER_CENT,
        default: 0,
        other_defaults: &[],
        other_domains: &[],
        strategies: &Strategy::ALL,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::Fragments,
        id: "mtu",
        label: "Fragment size (MTU)",
        unit: "bytes",
        group: Group::Network,
        help: "0 sends whole packets, as the articles do; else a packet is cut up, and lost when any piece is.",
        domain: Domain::Number {
            min: 576,
            max: 1500,
            decimals: 0,
            special: Some((0, "0")),
            marks: &[576, 1200, 1500],
        },
        default: 0,
        other_defaults: &[],
        other_domains: &[],
        strategies: &Strategy::ALL,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::Header,
        id: "header",
        label: "Counted header",
        unit: "",
        group: Group::Network,
        help: "What every packet costs before its first byte of ours.",
        domain: choices! {
            "ipv4" "IPv4 + UDP, 28 bytes",
            "ipv6" "IPv6 + UDP, 48 bytes",
            "none" "none",
        },
        default: 0,
        other_defaults: &[],
        other_domains: &[],
        strategies: &Strategy::ALL,
        effect: Effect::AtOnce,
    },
    Setting {
        key: Key::Interpolation,
        id: "interp",
        label: "Interpolation",
        unit: "",
        group: Group::Receiver,
        help: "How the receiver fills the time between two snapshots.",
        domain: choices! {
            "none" "none: newest snapshot",
            "linear" "linear: lerp + nlerp",
            "slerp" "slerp: lerp + slerp",
            "hermite" "hermite: cubic + slerp",
            "extrapolate" "extrapolate: up to 200 ms ahead",
        },
        default: 1,
        other_defaults: &[],
        other_domains: &[],
        strategies: SNAPSHOT,
        effect: Effect::AtOnce,
    },
    Setting {
        key: Key::Delay,
        id: "delay",
        label: "Playout delay",
        unit: "ms",
        group: Group::Receiver,
        help: "How long what arrives waits before it is played. Auto is 3 send intervals plus the jitter.",
        domain: Domain::Number {
            min: 0,
            max: 500,
            decimals: 0,
            special: Some((AUTO, "auto")),
            marks: &[85, 150, 350],
        },
        default: AUTO,
        other_defaults: &[(Strategy::Lockstep, 100)],
        other_domains: &[],
        strategies: SNAPSHOT_AND_LOCKSTEP,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::Desync,
        id: "desync",
        label: "Break determinism",
        unit: "",
        group: Group::Receiver,
        help: "Disturbs the right side's simulation a little, which nothing corrects: watch it grow.",
        domain: choices! {
            "none" "no",
            "bit" "one bit, once",
            "order" "another order of insertion",
        },
        default: 0,
        other_defaults: &[],
        other_domains: &[],
        strategies: LOCKSTEP,
        effect: Effect::World,
    },
    Setting {
        key: Key::JitterBuffer,
        id: "buffer",
        label: "Jitter buffer",
        unit: "frames",
        group: Group::Receiver,
        help: "How long packets wait, so that late ones come in time.",
        domain: number(0, 12, &[0, 5]),
        default: 5,
        other_defaults: &[],
        other_domains: &[],
        strategies: SYNC,
        effect: Effect::Lane,
    },
    Setting {
        key: Key::Smoothing,
        id: "smooth",
        label: "Smoothing",
        unit: "",
        group: Group::Receiver,
        help: "Shows a correction bit by bit. What is simulated jumps at once.",
        domain: choices! {
            "off" "off",
            "basic" "basic: a tenth a frame",
            "adaptive" "adaptive: small errors slowly",
        },
        default: 2,
        other_defaults: &[],
        other_domains: &[],
        strategies: SYNC,
        effect: Effect::AtOnce,
    },
    Setting {
        key: Key::Scene,
        id: "scene",
        label: "Scene",
        unit: "",
        group: Group::World,
        help: "Who drives: you, or a script that does the same every time.",
        domain: choices! {
            "drive" "drive: you",
            "roll" "roll",
            "blow" "hover and blow",
            "katamari" "katamari",
            "mixed" "mixed: some of everything",
        },
        default: 4,
        other_defaults: &[],
        other_domains: &[],
        strategies: &Strategy::ALL,
        effect: Effect::World,
    },
    Setting {
        key: Key::Seed,
        id: "seed",
        label: "Seed",
        unit: "",
        group: Group::World,
        help: "The script's whims and the network's luck. Same seed, same bytes.",
        domain: number(0, u32::MAX, &[]),
        default: 1,
        other_defaults: &[],
        other_domains: &[],
        strategies: &Strategy::ALL,
        effect: Effect::World,
    },
    Setting {
        key: Key::Grid,
        id: "grid",
        label: "Grid side",
        unit: "cubes",
        group: Group::World,
        help: "Small cubes along each side of the grid: 30 make the article's 900.",
        domain: number(5, 60, &[30]),
        default: 30,
        other_defaults: &[],
        other_domains: &[],
        strategies: &Strategy::ALL,
        effect: Effect::World,
    },
    Setting {
        key: Key::Both,
        id: "both",
        label: "Quantise both sides",
        unit: "",
        group: Group::Sender,
        help: "Both sides simulate what can be sent, so that the right one starts from the very same numbers.",
        domain: SWITCH,
        default: 1,
        other_defaults: &[],
        other_domains: &[],
        strategies: SYNC,
        effect: Effect::World,
    },
    Setting {
        key: Key::Soft,
        id: "soft",
        label: "Soft constraints",
        unit: "",
        group: Group::Receiver,
        help: "Contacts push overlapping cubes apart gently, so that a correction makes no bang.",
        domain: SWITCH,
        default: 1,
        other_defaults: &[],
        other_domains: &[],
        strategies: SYNC,
        effect: Effect::World,
    },
    Setting {
        key: Key::Speed,
        id: "speed",
        label: "Speed",
        unit: "x",
        group: Group::World,
        help: "Slow motion, or up to twice as fast. Nothing that is simulated changes.",
        domain: Domain::Number {
            min: 1,
            max: 20,
            decimals: 1,
            special: None,
            marks: &[1, 5, 10, 20],
        },
        default: 10,
        other_defaults: &[],
        other_domains: &[],
        strategies: &Strategy::ALL,
        effect: Effect::AtOnce,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Settings, Strategy, permalink};
    use proptest::prelude::*;

    #[test]
    fn schema_is_in_the_order_of_the_keys() {
        for (i, setting) in SCHEMA.iter().enumerate() {
            assert_eq!(setting.key as usize, i, "{}", setting.id);
            for strategy in Strategy::ALL {
                let default = setting.default_in(strategy);
                let domain = setting.domain_in(strategy);
                assert!(domain.contains(default), "{}", setting.id);
                assert_eq!(domain.format(default), setting.domain.format(default));
            }
            assert!(
                !setting.help.is_empty() && setting.help.len() <= 120,
                "{}",
                setting.id
            );
        }
    }

    #[test]
    fn lockstep_stretches_the_latency_and_a_switch_back_holds_it_to_its_range() {
        let mut settings = Settings::default();
        assert!(settings.set_text("latency", "501").is_err());
        settings.set_text("strategy", "lockstep").unwrap();
        assert_eq!(settings.text(Key::Delay), "100");
        assert_eq!(settings.send_rate_hz(), 60);
        assert!(settings.set_text("latency", "2001").is_err());
        settings.set_text("latency", "2000").unwrap();
        settings.set_text("strategy", "snapshot").unwrap();
        assert_eq!(settings.text(Key::Latency), "500");
        assert_eq!(settings.text(Key::Delay), "auto");
    }

    #[test]
    fn a_stream_costs_a_tcp_header_and_only_lockstep_has_one() {
        let header_bytes = |link: &str| permalink::parse(link).0.header_bytes();
        assert_eq!(header_bytes("transport=tcp"), 28);
        assert_eq!(header_bytes("strategy=lockstep"), 28);
        assert_eq!(header_bytes("strategy=lockstep&transport=tcp"), 40);
        assert_eq!(
            header_bytes("strategy=lockstep&transport=tcp&header=ipv6"),
            60
        );
        assert_eq!(
            header_bytes("strategy=lockstep&transport=tcp&header=none"),
            0
        );
    }

    proptest! {
        #[test]
        fn every_value_survives_its_text(i in 0..SCHEMA.len(), raw: u32) {
            let domain = SCHEMA[i].domain;
            let value = match domain {
                Domain::Choice(choices) => raw % choices.len() as u32,
                Domain::Number { min, max, .. } => (u64::from(min) + u64::from(raw) % (u64::from(max - min) + 1)) as u32,
            };
            prop_assert_eq!(domain.parse(&domain.format(value)), Some(value));
        }
    }
}
