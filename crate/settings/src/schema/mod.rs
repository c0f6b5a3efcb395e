//! The schema of the settings: permalink key, label, unit, domain, default, help, group, and the extent of a rebuild. Each
//! group's settings are in a file of their own.

mod form;
mod link;
mod network;
mod receiver;
mod sender;
mod world;

pub use super::domain::{Choice, DECIMALS_MAX, Domain, Numbers};
use super::{Key, Strategy};
pub use form::FormRule;
use link::{CLOCK, LINK, WAY_BACK};
use network::NETWORK;
use receiver::RECEIVER;
use sender::SENDER;
use world::WORLD;

#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub key: Key,
    pub id: &'static str,
    pub label: &'static str,
    /// The unit of a number; empty if it has none.
    pub unit: &'static str,
    pub group: Group,
    /// Help in one line, for a person who has not read the articles.
    pub help: &'static str,
    pub form: &'static [FormRule],
    pub domain: Domain,
    /// The raw value that links leave out. Changing it needs a new version of the link.
    pub default: u32,
    pub other_defaults: &'static [(Strategy, u32)],
    /// Strategies for which the numbers differ; decimals and special values stay the same.
    pub other_domains: &'static [(Strategy, Domain)],
    /// The largest rebuild that a change of the setting can cause.
    pub effect: Effect,
    /// The parts of a lane or world that read the setting, under any strategy.
    pub scope: &'static [Scope],
    pub depends_on_size: DependsOnSize,
    pub on_ladder: OnLadder,
    /// Least and greatest raw value that a random sweep uses, by strategy. For a value outside the domain it uses the default.
    pub drawn: &'static [(Strategy, u32, u32)],
    /// For a setting of the way back to the sender: the same setting of the way to the receiver.
    pub way_there: Option<Key>,
}

impl Setting {
    pub fn default_in(&self, strategy: Strategy) -> u32 {
        let other = self.other_defaults.iter().find(|(of, _)| *of == strategy);
        other.map_or(self.default, |(_, default)| *default)
    }

    pub fn domain_in(&self, strategy: Strategy) -> &Domain {
        let other = self.other_domains.iter().find(|(of, _)| *of == strategy);
        other.map_or(&self.domain, |(_, domain)| domain)
    }

    /// Returns true if the strategy uses the setting: it has it as its own, or no strategy does.
    pub fn is_heeded_by(&self, strategy: Strategy) -> bool {
        let has = |strategy: Strategy| strategy.row().settings.contains(&self.key);
        has(strategy) || !Strategy::ALL.into_iter().any(has)
    }

    /// Returns true if a lane's sender, link or receiver reads the setting.
    pub fn is_read_by_a_lane(&self) -> bool {
        let of_a_lane = [Scope::Sender, Scope::Link, Scope::Receiver];
        of_a_lane.iter().any(|scope| self.scope.contains(scope))
    }

    /// Returns true if both lanes have the same value, because it determines the scene or the speed of play.
    pub fn is_shared_by_lanes(&self) -> bool {
        matches!(self.effect, Effect::World | Effect::AtOnce)
    }

    pub fn makes_fate_depend_on_size(&self, value: u32) -> bool {
        match self.depends_on_size {
            DependsOnSize::Never => false,
            DependsOnSize::Unless(none) => value != none,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The simulated world and the script that drives it.
    World,
    /// The end that sends the motion.
    Sender,
    /// The simulated network, in both directions.
    Link,
    /// The end that shows the motion.
    Receiver,
    /// The clock that plays the tape, which computes nothing.
    Playback,
}

/// The values that make a packet's fate depend on its size. If one is set, each rung needs its own schedule of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependsOnSize {
    Never,
    /// All raw values except this one do.
    Unless(u32),
}

/// The use of a setting by the ladder, and by the comparison of bit widths over the same packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnLadder {
    /// The ladder and the comparison ignore the setting: it is not about senders of snapshots, or their network.
    Ignored,
    /// The ladder and the comparison use the setting: it changes departures, contents or arrivals of packets.
    Heeded,
    /// The ladder uses it. It changes only packets' sizes, so the comparison of widths uses it only if a packet's fate
    /// depends on its size.
    Size,
    /// The ladder tries all its values. It chooses the encoding, so the comparison of widths uses it only if a packet's fate
    /// depends on its size.
    Varied,
}

/// The part of the simulation that a setting belongs to; the form shows one group for each part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Sender,
    Network,
    Link,
    Receiver,
    World,
}

impl Group {
    pub fn name(self) -> &'static str {
        match self {
            Group::Sender => "Sender",
            Group::Network => "Network",
            Group::Link => "Link",
            Group::Receiver => "Receiver",
            Group::World => "World",
        }
    }
}

/// The extent of the rebuild when a setting changes; a greater one includes the smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Nothing is rebuilt.
    AtOnce,
    /// The lane's history is rebuilt, over the same motion.
    Lane,
    /// The motion is rebuilt: another world replays the same keys.
    Motion,
    /// Everything is rebuilt: another scene begins at tick 0.
    World,
}

/// The raw value that means "automatic", for example of a playout delay or a width.
pub const AUTO: u32 = u32::MAX;

/// The raw value of a playout delay that adapts to the packets.
pub const ADAPTIVE: u32 = u32::MAX - 1;

/// The raw value that means no playout delay and no clock: packets are shown as they arrive.
pub const AT_ONCE: u32 = u32::MAX - 2;

/// Bytes of the header that is counted, by choice: IPv4 20 + UDP 8, IPv6 40 + UDP 8, none.
pub(super) const HEADER_BYTES: [u32; 3] = [28, 48, 0];

/// Bytes by which TCP's header without options (20) is longer than UDP's (8).
pub(super) const TCP_EXTRA_BYTES: u32 = 12;

const fn numbers(min: u32, max: u32, marks: &'static [u32]) -> Numbers {
    Numbers {
        min,
        max,
        zero: 0,
        decimals: 0,
        specials: &[],
        marks,
    }
}

pub(super) const fn number(min: u32, max: u32, marks: &'static [u32]) -> Domain {
    Domain::Number(numbers(min, max, marks))
}

/// Returns the domain with special values besides its numbers.
const fn with_specials(domain: Domain, specials: &'static [(u32, &'static str)]) -> Domain {
    match domain {
        Domain::Number(of) => Domain::Number(Numbers { specials, ..of }),
        choice => choice,
    }
}

/// Returns a domain of the same raw values in finer units.
pub(super) const fn with_decimals(domain: Domain, decimals: u32) -> Domain {
    match domain {
        Domain::Number(of) => Domain::Number(Numbers { decimals, ..of }),
        choice => choice,
    }
}

/// Percentages in steps of a tenth, 0 to 50.
const PER_CENT: Domain = with_decimals(number(0, 500, &[0, 10, 50, 250]), 1);

macro_rules! choices {
    ($($id:literal $label:literal),+ $(,)?) => {
        $crate::schema::Domain::Choice(&[$($crate::schema::Choice { id: $id, label: $label }),+])
    };
}
use choices;

/// Values of the columns that most settings share. Each setting states its own key, id, label, help and domain. Scope and
/// meaning for the ladder come from the setting or from its group.
const COMMON: Setting = Setting {
    key: Key::Strategy,
    id: "",
    label: "",
    unit: "",
    group: Group::Sender,
    help: "",
    form: &[],
    domain: SWITCH,
    default: 0,
    other_defaults: &[],
    other_domains: &[],
    effect: Effect::Lane,
    scope: &[],
    depends_on_size: DependsOnSize::Never,
    on_ladder: OnLadder::Ignored,
    drawn: &[],
    way_there: None,
};

const SWITCH: Domain = choices! { "0" "off", "1" "on" };

const GROUPS: [&[Setting]; 7] = [
    &SENDER, &NETWORK, &LINK, &WAY_BACK, &CLOCK, &RECEIVER, &WORLD,
];

const SETTINGS: usize = {
    let (mut count, mut group) = (0, 0);
    while group < GROUPS.len() {
        (count, group) = (count + GROUPS[group].len(), group + 1);
    }
    count
};

/// Every setting, in the order of [`Key`] and of the form.
pub static SCHEMA: [Setting; SETTINGS] = {
    let mut all = [SENDER[0]; SETTINGS];
    let (mut group, mut of_group, mut of_all) = (0, 0, 0);
    while group < GROUPS.len() {
        if of_group == GROUPS[group].len() {
            (group, of_group) = (group + 1, 0);
        } else {
            all[of_all] = GROUPS[group][of_group];
            (of_group, of_all) = (of_group + 1, of_all + 1);
        }
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Settings, Strategy, permalink};
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
                !setting.id.is_empty() && !setting.label.is_empty() && !setting.scope.is_empty()
            );
            if let Some(there) = setting.way_there {
                assert_eq!(setting.id, format!("back.{}", there.setting().id));
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
        assert_eq!(settings.lane().send_rate_hz(), 60);
        assert!(settings.set_text("latency", "2001").is_err());
        settings.set_text("latency", "2000").unwrap();
        settings.set_text("strategy", "snapshot").unwrap();
        assert_eq!(settings.text(Key::Latency), "500");
        assert_eq!(settings.text(Key::Delay), "auto");
    }

    #[test]
    fn a_width_that_is_not_set_keeps_to_the_other_and_no_large_range_is_narrower() {
        let of = |link: &str| {
            let (settings, notices) = permalink::parse(link);
            let widths = [
                settings.lane().position_widths(),
                settings.lane().orientation_widths(),
            ];
            let notices: Vec<_> = notices.iter().map(ToString::to_string).collect();
            (
                widths.map(|widths| (widths.small_bits(), widths.large_bits())),
                notices,
            )
        };
        assert_eq!(of(""), ([(5, 9), (5, 8)], vec![]));
        assert_eq!(of("pos=12&rot=2"), ([(8, 12), (2, 2)], vec![]));
        assert_eq!(
            of("pos-small=6&pos-large=10&rot-small=4&rot-large=7"),
            ([(6, 10), (4, 7)], vec![])
        );
        assert_eq!(of("pos-small=12&rot-large=3"), ([(12, 12), (3, 3)], vec![]));
        assert_eq!(of("pos-small=6&pos-large=5"), ([(6, 6), (5, 8)], vec![]));
        for (link, told) in [
            (
                "pos-small=1",
                "it takes whole numbers from 2 to 24, or is auto",
            ),
            (
                "pos-large=25",
                "it takes whole numbers from 2 to 24, or is auto",
            ),
            (
                "rot-small=x",
                "it takes whole numbers from 2 to 17, or is auto",
            ),
            (
                "rot-large=18",
                "it takes whole numbers from 2 to 17, or is auto",
            ),
        ] {
            assert!(of(link).1[0].contains(told), "{link}");
        }
        for link in ["pos-small=2&pos-large=24", "rot-small=17&rot-large=17"] {
            assert_eq!(of(link).1, [] as [&str; 0]);
        }
    }

    #[test]
    fn a_stream_costs_a_tcp_header_and_only_lockstep_has_one() {
        let header_bytes = |link: &str| permalink::parse(link).0.lane().header_bytes();
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
                Domain::Number(of) => (u64::from(of.min) + u64::from(raw) % (u64::from(of.max - of.min) + 1)) as u32,
            };
            prop_assert_eq!(domain.parse(&domain.format(value)), Some(value));
        }
    }
}
