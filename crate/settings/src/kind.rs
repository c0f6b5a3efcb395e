//! Kinds of values: how a setting's raw value is read, and the choices of a setting that has some.

use crate::domain::{Choice, Domain};

/// The raw value that means "automatic", for example of a playout delay or a width.
pub(crate) const AUTO: u32 = u32::MAX;

/// The raw value of a playout delay that adapts to the packets.
pub(crate) const ADAPTIVE: u32 = u32::MAX - 1;

/// The raw value that means no playout delay and no clock: packets are shown as they arrive.
pub(crate) const AT_ONCE: u32 = u32::MAX - 2;

/// The kind of a setting's values, as its declaration names it.
pub trait Kind {
    /// The type of the value that an accessor returns.
    type Value;

    /// The choices, in the order of their raw values; empty for numbers.
    const CHOICES: &'static [Choice] = &[];

    /// The raw values of numbers that the kind reads as something else.
    const SPECIALS: &'static [u32] = &[];

    /// Returns the value that a raw value stands for.
    fn read(raw: u32, domain: &Domain) -> Self::Value;
}

/// A whole number.
impl Kind for u32 {
    type Value = u32;

    fn read(raw: u32, _: &Domain) -> u32 {
        raw
    }
}

/// A number in the setting's unit.
impl Kind for f64 {
    type Value = f64;

    fn read(raw: u32, domain: &Domain) -> f64 {
        domain.number(raw)
    }
}

/// A switch.
impl Kind for bool {
    type Value = bool;

    const CHOICES: &'static [Choice] = &[Choice::new("0", "off"), Choice::new("1", "on")];

    fn read(raw: u32, _: &Domain) -> bool {
        raw == 1
    }
}

/// A percentage, read as a share, 0 to 1.
pub enum Share {}

impl Kind for Share {
    type Value = f64;

    fn read(raw: u32, domain: &Domain) -> f64 {
        match *domain {
            // One division: a hundredth of the number would be rounded twice.
            Domain::Number(of) => f64::from(raw) / (100.0 * of.scale()),
            Domain::Choice(_) => f64::from(raw),
        }
    }
}

/// A number in the setting's unit, or none: `auto`.
pub enum OrAuto {}

impl Kind for OrAuto {
    type Value = Option<u32>;

    const SPECIALS: &'static [u32] = &[AUTO];

    fn read(raw: u32, _: &Domain) -> Option<u32> {
        Some(raw).filter(|raw| *raw != AUTO)
    }
}

/// A limit in the setting's unit, or none: 0.
pub enum Limit {}

impl Kind for Limit {
    type Value = Option<f64>;

    const SPECIALS: &'static [u32] = &[0];

    fn read(raw: u32, domain: &Domain) -> Option<f64> {
        Some(domain.number(raw)).filter(|limit| *limit > 0.0)
    }
}

/// A playout delay as it is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetDelay {
    /// The delay follows from the send interval and the jitter.
    Auto,
    /// The delay adapts to the packets.
    Adaptive,
    /// Packets are shown as they arrive.
    AtOnce,
    /// A number in the setting's unit.
    Fixed(u32),
}

impl Kind for SetDelay {
    type Value = SetDelay;

    const SPECIALS: &'static [u32] = &[AUTO, ADAPTIVE, AT_ONCE];

    fn read(raw: u32, _: &Domain) -> SetDelay {
        match raw {
            AUTO => SetDelay::Auto,
            ADAPTIVE => SetDelay::Adaptive,
            AT_ONCE => SetDelay::AtOnce,
            number => SetDelay::Fixed(number),
        }
    }
}
