//! The settings that a server and its clients agree on.

use crate::error_name::named;
use serde::{Deserialize, Serialize};
use snapshot_base::hash::Fnv;
use snapshot_base::time::TickRate;
use snapshot_codec::{Bounds, Class, ConfigError, Fields, Format, QuantisationBits, Rung};
use snapshot_view::interpolate::Interpolation;
use snapshot_view::playout::{Aim, Playout};
use std::fmt;

/// Least and greatest budget, kbit/s. The least one has room for the longest message in a second.
pub(crate) const BUDGET_KBPS: std::ops::RangeInclusive<f64> = 8.0..=1_000_000.0;
/// Least size of a datagram in the settings, bytes.
pub(crate) const MTU_MIN: usize = 256;
/// Greatest size of a datagram over UDP, bytes.
const MTU_MAX: usize = 65_507;
/// Upper limit of the datagrams of a packet with a budget. A lost one loses the packet.
pub(crate) const DATAGRAMS_MAX: usize = 16;

/// A field that the game declares, with a value for each of its objects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectField {
    /// Name of the field, which both ends know.
    pub name: String,
    /// Size of the field's values, bits, 1 to 24.
    pub bits: u32,
    /// True if the field mostly changes by a small amount.
    pub counter: bool,
}

impl ObjectField {
    /// Makes a field of `bits` bits.
    pub fn new(name: &str, bits: u32) -> Self {
        Self {
            name: name.to_owned(),
            bits,
            counter: false,
        }
    }

    /// Makes a field that mostly changes by a small amount: ammunition, health, points.
    pub fn counter(name: &str, bits: u32) -> Self {
        Self {
            counter: true,
            ..Self::new(name, bits)
        }
    }
}

/// A server's policy for an object outside the bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutOfBounds {
    /// The object is left out; the server's `tick` returns it with the reason.
    #[default]
    LeaveOut,
    /// The object is sent at the nearest position within the bounds.
    Clamp,
}

/// The settings of a server and its clients. A client whose settings differ is refused; only `mtu` and the settings from
/// `clients` on may differ.
///
/// ```
/// use snapshot_replication::{ObjectField, Settings};
///
/// let fields = vec![ObjectField::counter("health", 7), ObjectField::new("carries the flag", 1)];
/// let settings = Settings { send_rate: 30, fields, ..Settings::new(40) };
/// assert!(settings.format().is_ok());
/// ```
///
/// # Costs
///
/// Rung `Predicted` is the feature `predicted`: strict it takes more bytes than `Arithmetic` and 1.5 times the time, chained
/// fewer. Bounds reach 8 km at 9 bits of a position, and 262 km at 4.
/// A packet has 9 bytes beside its snapshot. A packet that does not fit a datagram is split, and lost as a whole.
/// `Server::counts` says how often: then send fewer bits or objects, or set a budget. Where all objects fit a datagram, a
/// packet without a budget has the fewest bytes: clients share it, and no header names baselines.
///
/// Share of one core of a quiet virtual machine, as `cargo bench --bench clients` in the folder `research` measured it on
/// 2026-11-28, and memory of a client. Two and a half hours before, the program took up to 1.3 times as long. Half of the
/// objects move. Each client gets 20 packets a second and acknowledges after 40 to 280 ms, with 5 % loss.
///
/// | clients, objects | packets | share of a core | bytes a datagram | memory a client |
/// | --- | --- | --- | --- | --- |
/// | 100, 40 | rung 11 | 0.49 % | 214 | 3 kB |
/// | 100, 40 | rung 12, strict | 0.73 % | 109 | 3 kB |
/// | 100, 40 | rung 13, strict | 1.1 % | 124 | 3 kB |
/// | 100 in four groups, each sees 10 of 40 | rung 11 | 0.62 % | 63 | 4 kB |
/// | 100, 40 | rung 12, chained | 3.9 % | 63 | 87 kB |
/// | 100, 40 | rung 13, chained | 8.6 % | 53 | 101 kB |
/// | 1,000 in ten groups, each sees 100 of 1,000 | rung 11 | 27 % | 560 | 7 kB |
/// | 1,000 in ten groups, each sees 100 of 1,000 | rung 12, strict | 30 % | 251 | 7 kB |
/// | 100, 1,000, each within 180 kbit/s | rung 11 | 18 % | 1,099 | 190 kB |
/// | 100, 1,000, each within 180 kbit/s | rung 12, strict | 45 % | 1,082 | 190 kB |
///
/// Inputs in each tick add a third to the row of 1,000 clients at rung 12: 40 % of a core against 30.
///
/// Of a hundred clients with a budget each has packets of its own. `SECONDS=600 cargo test --release -p snapshot-replication
/// --lib hundred -- --ignored --nocapture` plays ten minutes of them on a plane of 200 m, with 5 % loss and 50 ms each way.
/// Objects within 20 m were drawn 292 mm from their places at the server at that moment, 791 mm at p95. Split packets of all
/// objects, 12 a second at the same kbit/s, gave 491 and 1,300 mm. Objects within 20 m were at most 50 ms old at p99, 750 ms
/// at most; no object was older than 2.7 s. Each of 1.8 million snapshots was what the server had sent.
///
/// Class strict encodes a packet once for all clients with the same baseline that see the same objects. In class chained each
/// client has packets of its own.
///
/// # Budgets
///
/// One datagram of 1,200 bytes 20 times a second is 196 kbit/s. For a greater budget raise `send_rate`, or
/// `datagrams_a_packet`: then one lost datagram loses the packet, whose objects are sent again. With `congestion_control` a
/// packet is one datagram: the rule would take the time of a longer packet for a queue.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Upper limit of the number of objects at a time, 1 to 4096.
    pub objects: usize,
    /// The server's ticks a second, 10 to 240.
    pub tick_rate: u32,
    /// Packets a second for each client, 1 up to one each tick.
    pub send_rate: u32,
    /// Bounds of positions, m.
    pub bounds: Bounds,
    /// Numbers of bits of positions, orientations and velocities.
    pub bits: QuantisationBits,
    /// The encoding of snapshots, one of the codec's rungs. The last rung but one takes the fewest bytes, and the most time.
    pub rung: Rung,
    /// The coder class: the state from which a packet is decoded. Strict packets take less time for many clients, chained ones
    /// fewer bytes.
    pub class: Class,
    /// Upper limit of a datagram's size, bytes, 256 to 65,507. An end sends smaller ones where the path carries no more.
    pub mtu: usize,
    /// Size of an object's kind, the game's number for its type, bits, 0 to 16.
    pub kind_bits: u32,
    /// Declared fields of each object, at most 16.
    pub fields: Vec<ObjectField>,
    /// Upper limit of the number of clients at a time.
    pub clients: usize,
    /// Upper limit of the number of inputs in a client's datagram, 1 to 64. An input is repeated in each datagram until the
    /// server has it.
    pub input_repeats: usize,
    /// Time by which a client's inputs should arrive before the server needs them, ms. `None`: one tick, plus one for each
    /// further copy of an input that the measured loss calls for.
    pub input_lead_ms: Option<f64>,
    /// Budget of all datagrams to a client, 8 to 1,000,000 kbit/s, with the headers of IP and UDP. A packet is one datagram
    /// then, with the objects that fit into it. `None`: no limit, and each packet has all objects.
    pub budget_kbps: Option<f64>,
    /// Upper limit of the datagrams of a packet with a budget, 1 to 16. A packet has more than one if the budget has room for
    /// full datagrams. If one of them is lost, all objects of the packet are sent again. With [`Settings::congestion_control`]
    /// a packet is one datagram.
    pub datagrams_a_packet: usize,
    /// True if a client's budget falls while the path to it has a queue. [`Settings::budget_kbps`] is the upper limit then.
    pub congestion_control: bool,
    /// Budget of all datagrams of a client to the server, 8 to 1,000,000 kbit/s, with the headers of IP and UDP. Where it is
    /// small, several ticks' inputs share a datagram. `None`: no limit.
    pub upload_kbps: Option<f64>,
    /// The server's policy for an object outside the bounds.
    pub out_of_bounds: OutOfBounds,
    /// The client's method to fill the time between two snapshots.
    pub interpolation: Interpolation,
    /// The client's method to choose the instant that it shows.
    pub playout: Playout,
}

impl Settings {
    /// Makes settings for at most `objects` objects: 60 ticks and 20 packets a second, rung `arithmetic` in class strict,
    /// datagrams of 1,200 bytes, 256 kinds, no fields.
    pub fn new(objects: usize) -> Self {
        Self {
            objects,
            tick_rate: 60,
            send_rate: 20,
            bounds: Bounds::DEFAULT,
            bits: QuantisationBits::DEFAULT,
            rung: Rung::Arithmetic,
            class: Class::Strict,
            mtu: 1200,
            kind_bits: 8,
            fields: Vec::new(),
            clients: 64,
            input_repeats: 16,
            input_lead_ms: None,
            budget_kbps: None,
            datagrams_a_packet: 1,
            congestion_control: false,
            upload_kbps: None,
            out_of_bounds: OutOfBounds::LeaveOut,
            interpolation: Interpolation::Hermite,
            playout: Playout::Adaptive(Aim::default()),
        }
    }

    /// Returns the format of the packets.
    ///
    /// # Errors
    /// When a setting is outside its range.
    pub fn format(&self) -> Result<Format, SettingsError> {
        let mut fields = Fields::new(self.kind_bits)?;
        for field in &self.fields {
            fields = if field.counter {
                fields.with_counter(field.bits)?
            } else {
                fields.with(field.bits)?
            };
        }
        let format = Format::new(self.rung, self.bits, self.objects)?
            .with_class(self.class)
            .with_bounds(self.bounds)?
            .with_exact_identity(true)
            .with_player(None)?
            .with_slots(true)?
            .with_fields(fields);
        Ok(format)
    }

    /// Checks the numeric settings that are not part of the format; returns the tick rate.
    pub(crate) fn checked_rate(&self) -> Result<TickRate, SettingsError> {
        let rate = TickRate::new(self.tick_rate).ok_or(SettingsError::TickRate(self.tick_rate))?;
        if self.send_rate == 0 || self.send_rate > self.tick_rate {
            return Err(SettingsError::SendRate(self.send_rate));
        }
        if !(MTU_MIN..=MTU_MAX).contains(&self.mtu) {
            return Err(SettingsError::Mtu(self.mtu));
        }
        if !(1..=DATAGRAMS_MAX).contains(&self.datagrams_a_packet) {
            return Err(SettingsError::DatagramsAPacket(self.datagrams_a_packet));
        }
        let budgets = [self.budget_kbps, self.upload_kbps];
        if !budgets
            .iter()
            .flatten()
            .all(|kbps| BUDGET_KBPS.contains(kbps))
        {
            return Err(SettingsError::Budget);
        }
        let names = self.fields.iter().map(|field| &field.name);
        for (index, name) in names.clone().enumerate() {
            if names.clone().take(index).any(|other| other == name) {
                return Err(SettingsError::FieldTwice(name.clone()));
            }
        }
        Ok(rate)
    }

    /// Returns the index of the field with this name; `None` if there is none.
    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    /// Returns the hash of all settings that server and client must have in common.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv::new();
        let count = |value: usize| value as u32;
        let bits = [
            self.bits.position(),
            self.bits.orientation(),
            self.bits.velocity(),
        ];
        let numbers = [
            count(self.objects),
            self.tick_rate,
            self.send_rate,
            self.kind_bits,
            u32::from(self.class == Class::Chained),
        ];
        hash.add_bytes(self.rung.name().as_bytes());
        numbers
            .into_iter()
            .chain(bits)
            .for_each(|word| hash.add_u32(word));
        let bounds = self.bounds.lower().into_iter().chain(self.bounds.upper());
        bounds.for_each(|bound| hash.add_u32(bound as u32));
        for field in &self.fields {
            hash.add_u32(count(field.name.len()));
            hash.add_bytes(field.name.as_bytes());
            hash.add_u32(field.bits * 2 + u32::from(field.counter));
        }
        hash.finish()
    }
}

/// Reason why settings are invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingsError {
    /// A setting of the snapshot format is invalid.
    Format(ConfigError),
    /// The tick rate, in ticks a second, is out of range.
    TickRate(u32),
    /// The send rate, in packets a second, is out of range.
    SendRate(u32),
    /// The size of a datagram, bytes, is out of range.
    Mtu(usize),
    /// Two fields have this name.
    FieldTwice(String),
    /// The client's token is too long; has its length in bytes.
    Token(usize),
    /// The upper limit of the datagrams of a packet with a budget is out of range.
    DatagramsAPacket(usize),
    /// A budget is out of range, or no number.
    Budget,
    /// A recording cannot hold the value of a setting. The number is that of the error that names the setting.
    Value(u32),
}

impl SettingsError {
    /// The error's number, for programs in other languages. An error of the format has the codec's number.
    pub const fn number(&self) -> u32 {
        match self {
            Self::Format(error) => error.number(),
            Self::TickRate(_) => 102,
            Self::SendRate(_) => 103,
            Self::Mtu(_) => 104,
            Self::FieldTwice(_) => 105,
            Self::Token(_) => 106,
            Self::DatagramsAPacket(_) => 107,
            Self::Budget => 108,
            Self::Value(number) => *number,
        }
    }
}

impl From<ConfigError> for SettingsError {
    fn from(error: ConfigError) -> Self {
        Self::Format(error)
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(named(self.number()))
    }
}

impl std::error::Error for SettingsError {}
