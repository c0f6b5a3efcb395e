//! A row of the schema, which describes one setting, and the types of the row's columns.

pub use crate::domain::{Choice, DECIMALS_MAX, Domain, Numbers};
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
    /// Help in a row of its group; [`Setting::help`] returns it.
    pub(super) help: &'static str,
    pub form: &'static [FormRule],
    pub domain: Domain,
    /// The raw value that links leave out. Changing it needs a new version of the link.
    pub default: u32,
    pub other_defaults: &'static [(Strategy, u32)],
    /// Domains under other strategies. Only the ranges of numbers differ; decimals and special values stay the same.
    pub other_domains: &'static [(Strategy, Domain)],
    /// The largest rebuild that a change of the setting can cause.
    pub effect: Effect,
    /// The parts of a lane or world that read the setting, under any strategy.
    pub scope: &'static [Scope],
    pub depends_on_size: DependsOnSize,
    pub on_ladder: OnLadder,
    /// Least and greatest raw value that a random sweep draws, by strategy. A drawn value outside the domain is replaced by
    /// the default.
    pub drawn: &'static [(Strategy, u32, u32)],
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

    /// Returns true if the strategy uses the setting: the strategy's row lists the setting, or no strategy's row does.
    pub fn is_used_by(&self, strategy: Strategy) -> bool {
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

/// The values of a setting that make a packet's fate depend on the packet's size. With such a value, each rung needs its
/// own schedule of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependsOnSize {
    Never,
    /// All raw values except this one make the fate depend on the size.
    Unless(u32),
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

/// The raw value that means "automatic", for example of a playout delay or a width.
pub const AUTO: u32 = u32::MAX;

/// The raw value of a playout delay that adapts to the packets.
pub const ADAPTIVE: u32 = u32::MAX - 1;

/// The raw value that means no playout delay and no clock: packets are shown as they arrive.
pub const AT_ONCE: u32 = u32::MAX - 2;

/// The raw value of a game's budget that means no budget.
pub(crate) const NO_BUDGET: u32 = 0;

/// Bytes of the header that is counted, by choice: IPv4 20 + UDP 8, IPv6 40 + UDP 8, none, a data channel.
pub(crate) const HEADER_BYTES: [u32; 4] = [28, 48, 0, WEBRTC_BYTES];

/// Bytes around the content of an unfragmented message of a WebRTC data channel: IPv4 20, UDP 8, a record of DTLS 1.3 22
/// (RFC 9147), the header of SCTP 12 and that of its DATA chunk 16 (RFC 9260). Acknowledgements of SCTP are packets of their own.
pub const WEBRTC_BYTES: u32 = 78;

/// Bytes by which TCP's header without options (20) is longer than UDP's (8).
pub(crate) const TCP_EXTRA_BYTES: u32 = 12;

pub(super) const fn numbers(min: u32, max: u32, marks: &'static [u32]) -> Numbers {
    Numbers {
        min,
        max,
        zero: 0,
        decimals: 0,
        specials: &[],
        marks,
    }
}

pub(crate) const fn number(min: u32, max: u32, marks: &'static [u32]) -> Domain {
    Domain::Number(numbers(min, max, marks))
}

/// Returns the domain with special values added to its numbers.
pub(super) const fn with_specials(
    domain: Domain,
    specials: &'static [(u32, &'static str)],
) -> Domain {
    match domain {
        Domain::Number(of) => Domain::Number(Numbers { specials, ..of }),
        choice => choice,
    }
}

/// Returns a domain of the same raw values in finer units.
pub(crate) const fn with_decimals(domain: Domain, decimals: u32) -> Domain {
    match domain {
        Domain::Number(of) => Domain::Number(Numbers { decimals, ..of }),
        choice => choice,
    }
}

/// Percentages in steps of a tenth, 0 to 50.
pub(super) const PER_CENT: Domain = with_decimals(number(0, 500, &[0, 10, 50, 250]), 1);

macro_rules! choices {
    ($($id:literal $label:literal),+ $(,)?) => {
        $crate::schema::Domain::Choice(&[$($crate::schema::Choice { id: $id, label: $label }),+])
    };
}
pub(super) use choices;

/// Declares a choice for each element of an array, with these expressions of the element for its id and label.
macro_rules! choices_of_all {
    ($all:expr, $element:ident => $id:expr, $label:expr) => {{
        static CHOICES: [Choice; $all.len()] = {
            let mut choices = [Choice { id: "", label: "" }; $all.len()];
            let mut at = 0;
            while at < choices.len() {
                let $element = $all[at];
                (choices[at].id, choices[at].label) = ($id, $label);
                at += 1;
            }
            choices
        };
        Domain::Choice(&CHOICES)
    }};
}
pub(super) use choices_of_all;

/// Values of the columns that most settings share. Each setting states its own key, id, label, help and domain. Scope and
/// meaning for the ladder come from the setting or from its group.
pub(super) const COMMON: Setting = Setting {
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

pub(super) const SWITCH: Domain = choices! { "0" "off", "1" "on" };

/// A rule by which the form folds a setting, warns of its value, or limits it.
#[derive(Clone, Copy, Debug)]
pub enum FormRule {
    /// Few people change the setting by hand: the form hides it while it has its first value.
    Seldom,
    /// The setting has no effect while another setting has this raw value.
    IdleWhile(Key, u32),
    /// The setting has no effect on snapshots of the rungs for which this function returns true.
    IdleOnRungs(fn(&RungRow) -> bool),
    WarnAbove(u32),
    /// The greatest number of the setting is the tick rate of the motion.
    TickRateLimits,
}
