//! The settings that a server and its clients agree on.

use crate::error_name::named;
use snapshot_base::hash::Fnv;
use snapshot_base::time::TickRate;
use snapshot_codec::{Bounds, Class, ConfigError, Fields, Format, QuantisationBits, Rung};
use snapshot_view::interpolate::Interpolation;
use snapshot_view::playout::{Aim, Playout};
use std::fmt;

/// Least bytes of a datagram that a network must carry.
const MTU_MIN: usize = 256;
/// Most bytes of a datagram over UDP.
const MTU_MAX: usize = 65_507;

/// A field that each object has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectField {
    /// Its name, which both ends know.
    pub name: String,
    /// 1 to 24.
    pub bits: u32,
    /// True where it mostly changes by a little.
    pub counter: bool,
}

impl ObjectField {
    /// A field of that many bits.
    pub fn new(name: &str, bits: u32) -> Self {
        Self {
            name: name.to_owned(),
            bits,
            counter: false,
        }
    }

    /// A field that mostly changes by a little: ammunition, health, points.
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
    /// It is left out, and the game is told.
    #[default]
    LeaveOut,
    /// It is sent at the nearest place within.
    Clamp,
}

/// The settings of a server and its clients. A client with others is refused, but for those from `clients` on.
///
/// ```
/// use snapshot_replication::{ObjectField, Settings};
///
/// let fields = vec![ObjectField::counter("health", 7), ObjectField::new("carries the flag", 1)];
/// let settings = Settings { send_rate: 30, fields, ..Settings::new(40) };
/// assert!(settings.format().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Most objects at a time, 1 to 4096.
    pub objects: usize,
    /// Ticks a second of the server, 10 to 240.
    pub tick_rate: u32,
    /// Packets a second for each client, 1 up to one each tick.
    pub send_rate: u32,
    /// Bounds of positions, m.
    pub bounds: Bounds,
    /// Bits of positions, orientations and velocities.
    pub bits: QuantisationBits,
    /// The encoding. The last but one takes the fewest bytes, and the most time.
    pub rung: Rung,
    /// Strict packets take less time for many clients, chained ones fewer bytes.
    pub class: Class,
    /// Most bytes of a datagram, 256 to 65,507.
    pub mtu: usize,
    /// Bits of an object's kind, 0 to 16.
    pub kind_bits: u32,
    /// Fields of each object, at most 16.
    pub fields: Vec<ObjectField>,
    /// Most clients at a time.
    pub clients: usize,
    /// Most inputs in a client's datagram, 1 to 64. An input is repeated in each datagram until the server has it.
    pub input_repeats: usize,
    /// Time in ms by which the client's inputs shall arrive before the server needs them. None: a tick, and one for each copy
    /// that the loss calls for.
    pub input_lead_ms: Option<f64>,
    /// The server's way with an object outside the bounds.
    pub out_of_bounds: OutOfBounds,
    /// The client's way to fill the time between two snapshots.
    pub interpolation: Interpolation,
    /// The client's choice of the instant that it shows.
    pub playout: Playout,
}

impl Settings {
    /// Settings for that many objects: 60 ticks and 20 packets a second, rung `arithmetic` in class strict, datagrams of
    /// 1,200 bytes, 256 kinds, no fields.
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
            out_of_bounds: OutOfBounds::LeaveOut,
            interpolation: Interpolation::Hermite,
            playout: Playout::Adaptive(Aim::default()),
        }
    }

    /// The format of the packets.
    ///
    /// # Errors
    /// When a number is outside its range.
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

    /// The tick rate, once the other numbers are checked.
    pub(crate) fn checked_rate(&self) -> Result<TickRate, SettingsError> {
        let rate = TickRate::new(self.tick_rate).ok_or(SettingsError::TickRate(self.tick_rate))?;
        if self.send_rate == 0 || self.send_rate > self.tick_rate {
            return Err(SettingsError::SendRate(self.send_rate));
        }
        if !(MTU_MIN..=MTU_MAX).contains(&self.mtu) {
            return Err(SettingsError::Mtu(self.mtu));
        }
        let names = self.fields.iter().map(|field| &field.name);
        for (index, name) in names.clone().enumerate() {
            if names.clone().take(index).any(|other| other == name) {
                return Err(SettingsError::FieldTwice(name.clone()));
            }
        }
        Ok(rate)
    }

    /// The place of a field in an object's fields.
    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    /// The hash of all settings that server and client must have in common.
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
            count(self.mtu),
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

/// Settings that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingsError {
    /// A number of the format.
    Format(ConfigError),
    /// Ticks a second.
    TickRate(u32),
    /// Packets a second.
    SendRate(u32),
    /// Bytes of a datagram.
    Mtu(usize),
    /// Two fields of that name.
    FieldTwice(String),
    /// Bytes of a client's token.
    Token(usize),
}

impl SettingsError {
    /// The number of the error: of a format that cannot be, the codec's.
    pub const fn number(&self) -> u32 {
        match self {
            Self::Format(error) => error.number(),
            Self::TickRate(_) => 102,
            Self::SendRate(_) => 103,
            Self::Mtu(_) => 104,
            Self::FieldTwice(_) => 105,
            Self::Token(_) => 106,
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
