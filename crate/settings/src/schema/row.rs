//! A row of the schema, which describes one setting, and the types of the row's columns.

pub use crate::domain::{Choice, DECIMALS_MAX, Domain, Numbers};
use crate::kind::{AUTO, Kind};
use crate::{Key, Strategy};
use snapshot_codec::RungRow;

#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub key: Key,
    pub id: &'static str,
    pub label: &'static str,
    /// The unit of the setting's number; empty without a unit.
    pub unit: &'static str,
    pub group: Group,
    /// True if few people change the setting by hand: the form hides it while it has its first value.
    pub is_seldom: bool,
    /// Raw value above which the form warns.
    pub warns_above: Option<u32>,
    /// True if the greatest number of the setting is the tick rate of the motion.
    pub is_limited_by_tick_rate: bool,
    /// Another setting; while its raw value is 0, this one has no effect.
    pub idle_without: Option<Key>,
    /// A function that returns true for a rung whose snapshots do not depend on the setting.
    pub idle_on_rungs: Option<fn(&RungRow) -> bool>,
    pub domain: Domain,
    /// The raw value that links leave out. Changing it needs a new version of the link.
    pub default: u32,
    pub other_defaults: &'static [(Strategy, u32)],
    /// Domains under other strategies. Only ranges and special values differ; decimals stay the same, and so does the text of each
    /// raw value.
    pub other_domains: &'static [(Strategy, Domain)],
    /// The largest rebuild that a change of the setting can cause.
    pub effect: Effect,
    /// True if a lane's sender, link or receiver reads the setting, under any strategy. The world reads those whose effect is
    /// at least [`Effect::Motion`].
    pub is_read_by_a_lane: bool,
    /// True if each raw value but 0 makes a packet's fate depend on the packet's size. With such a value, each rung needs its
    /// own schedule of packets.
    pub depends_on_size: bool,
    pub on_ladder: OnLadder,
    /// Least and greatest raw value that a random sweep draws, by strategy. A drawn value outside the domain is replaced by
    /// the default.
    pub drawn: &'static [(Strategy, u32, u32)],
    /// The strategies that use the setting; empty if all do.
    pub used_by: &'static [Strategy],
    pub of_link: OfLink,
    /// Key of the same setting for the way to the receiver, if this is a setting of the way back to the sender.
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

    pub fn is_used_by(&self, strategy: Strategy) -> bool {
        self.used_by.is_empty() || self.used_by.contains(&strategy)
    }

    /// Returns true if both lanes have the same value, because it determines the scene or the speed of play.
    pub fn is_shared_by_lanes(&self) -> bool {
        matches!(self.effect, Effect::World | Effect::AtOnce)
    }

    /// Returns the choices of the setting; empty for a number.
    pub(super) const fn choices(&self) -> &'static [Choice] {
        match self.domain {
            Domain::Choice(choices) => choices,
            Domain::Number(_) => &[],
        }
    }

    /// Returns a copy whose domain is the choices of a kind; a row of numbers declares its own domain.
    pub(super) const fn with_choices<K: Kind>(self) -> Setting {
        Setting {
            domain: Domain::Choice(K::CHOICES),
            ..self
        }
    }

    /// Checks that the row's domain is of its kind.
    pub(super) const fn checked<K: Kind>(self) -> Setting {
        let is_of_the_kind = self.choices().len() == K::CHOICES.len();
        assert!(is_of_the_kind, "a setting has another domain than its kind");
        match self.domain {
            Domain::Choice(choices) => {
                assert!(!choices.is_empty(), "a setting with numbers has no domain");
            }
            Domain::Number(Numbers { mut specials, .. }) => {
                while let [(raw, _), more @ ..] = specials {
                    assert!(
                        is_in(K::SPECIALS, *raw),
                        "a kind does not read a special value"
                    );
                    specials = more;
                }
            }
        }
        self
    }

    /// Returns the row of the way back for a row of the way there. `choices` are those of the way there, after "the same".
    /// The default is "the same", too.
    pub(super) const fn of_the_way_back(&self, choices: &'static [Choice]) -> Setting {
        let (domain, default) = match self.domain {
            Domain::Choice(_) => (Domain::Choice(choices), 0),
            // A rate and a longest delay have a special value for no limit.
            Domain::Number(Numbers { specials: [], .. }) => {
                (specials(&[(AUTO, "same")], self.domain), AUTO)
            }
            Domain::Number(_) => (specials(&[(AUTO, "same"), (0, "0")], self.domain), AUTO),
        };
        Setting {
            group: Group::Link,
            is_seldom: true,
            warns_above: None,
            idle_without: None,
            domain,
            default,
            other_domains: &[],
            depends_on_size: false,
            way_there: Some(self.key),
            ..*self
        }
    }
}

/// The relation of a setting to the link's presets and to recorded links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfLink {
    /// The setting is no property of a link: neither a preset nor a recorded link changes it.
    No,
    /// Presets give the setting, also beside a recorded link.
    Given,
    /// Presets give the setting. A recorded link replaces it.
    Recorded,
}

/// The use of a setting by the ladder (one motion on every rung), and by the comparison of bit widths over the same packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnLadder {
    /// The ladder and the comparison ignore the setting: it concerns neither senders of snapshots nor their network. This
    /// is the default of a row.
    Ignored,
    /// The ladder and the comparison use the setting: it changes departures, contents or arrivals of packets.
    Heeded,
    /// The ladder uses the setting. It changes only packets' sizes, so the comparison of widths uses it only if a packet's
    /// fate depends on its size.
    Size,
    /// The ladder tries all values of the setting. It chooses the encoding, so the comparison of widths uses it only if a
    /// packet's fate depends on its size.
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

/// The part of the laboratory that is rebuilt when a setting changes. A greater effect includes the smaller ones.
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

/// The domain of whole numbers from `min` to `max`.
pub(crate) const fn number(min: u32, max: u32, marks: &'static [u32]) -> Domain {
    Domain::Number(Numbers {
        min,
        max,
        zero: 0,
        decimals: 0,
        specials: &[],
        marks,
    })
}

/// Returns the domain of numbers with special values added.
pub(super) const fn specials(all: &'static [(u32, &'static str)], mut domain: Domain) -> Domain {
    if let Domain::Number(of) = &mut domain {
        of.specials = all;
    }
    domain
}

/// Returns the domain of the same raw values in finer units.
pub(crate) const fn decimals(count: u32, mut domain: Domain) -> Domain {
    if let Domain::Number(of) = &mut domain {
        of.decimals = count;
    }
    domain
}

/// Returns the domain of the same raw values, of which one stands for the number 0.
pub(super) const fn zero_at(raw: u32, mut domain: Domain) -> Domain {
    if let Domain::Number(of) = &mut domain {
        of.zero = raw;
    }
    domain
}

const fn is_in(mut all: &[u32], raw: u32) -> bool {
    while let [first, more @ ..] = all {
        if *first == raw {
            return true;
        }
        all = more;
    }
    false
}

/// Returns the choices after a new first choice: the same as on the way to the receiver.
pub(super) const fn with_same<const N: usize>(choices: &[Choice]) -> [Choice; N] {
    let mut all = [Choice::new("same", "as the way ahead"); N];
    let mut place = 1;
    while place < N {
        all[place] = choices[place - 1];
        place += 1;
    }
    all
}

/// The columns that most settings share. Each setting has its own key, id, label and domain.
pub(super) const COMMON: Setting = Setting {
    key: Key::Strategy,
    id: "",
    label: "",
    unit: "",
    group: Group::Sender,
    is_seldom: false,
    warns_above: None,
    is_limited_by_tick_rate: false,
    idle_without: None,
    idle_on_rungs: None,
    domain: Domain::Choice(&[]),
    default: 0,
    other_defaults: &[],
    other_domains: &[],
    effect: Effect::Lane,
    is_read_by_a_lane: true,
    depends_on_size: false,
    on_ladder: OnLadder::Ignored,
    drawn: &[],
    used_by: &[],
    of_link: OfLink::No,
    way_there: None,
};
