//! The values that a setting can take, as raw numbers and as text in a link.

use std::fmt;

#[derive(Clone, Copy, Debug)]
pub enum Domain {
    Choice(&'static [Choice]),
    Number(Numbers),
}

/// A range of numbers from `min` to `max` by steps of 1, all in units of 10^-`decimals`, and special values.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    pub min: u32,
    pub max: u32,
    /// Raw value of the number 0; smaller raw values are negative numbers.
    pub zero: u32,
    /// Number of digits shown after the decimal point: 0 to [`DECIMALS_MAX`].
    pub decimals: u32,
    /// Raw values outside the range that have a special meaning, and their texts.
    pub specials: &'static [(u32, &'static str)],
    /// Raw values that get a mark on the slider.
    pub marks: &'static [u32],
}

impl Numbers {
    fn special(&self, value: u32) -> Option<&'static str> {
        let mut specials = self.specials.iter();
        let (_, text) = specials.find(|(raw, _)| *raw == value)?;
        Some(text)
    }

    /// Number of raw units in the number 1.
    pub(crate) fn scale(&self) -> f64 {
        f64::from(10_u32.pow(self.decimals))
    }
}

/// Upper limit of the digits after a value's decimal point.
pub const DECIMALS_MAX: u32 = 4;

#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Name of the choice in a link.
    pub id: &'static str,
    pub label: &'static str,
}

impl Choice {
    pub(crate) const fn new(id: &'static str, label: &'static str) -> Choice {
        Choice { id, label }
    }
}

impl Domain {
    pub fn contains(&self, value: u32) -> bool {
        match *self {
            Domain::Choice(choices) => (value as usize) < choices.len(),
            Domain::Number(of) => (of.min..=of.max).contains(&value) || of.special(value).is_some(),
        }
    }

    /// The greatest raw value: the range's maximum, or the last choice.
    pub fn most(&self) -> u32 {
        match *self {
            Domain::Choice(choices) => choices.len() as u32 - 1,
            Domain::Number(of) => of.max,
        }
    }

    /// Returns the text of a raw value in a link.
    pub fn format(&self, value: u32) -> String {
        match *self {
            Domain::Choice(choices) => choices[value as usize].id.to_string(),
            Domain::Number(of) if let Some(text) = of.special(value) => text.to_string(),
            Domain::Number(of) => {
                let sign = if value < of.zero { "-" } else { "" };
                let size = format_fixed(value.abs_diff(of.zero), of.decimals);
                format!("{sign}{size}")
            }
        }
    }

    /// Returns the text of a raw value for people: a choice by its label, a number as in a link.
    pub fn label(&self, value: u32) -> String {
        match *self {
            Domain::Choice(choices) => choices[value as usize].label.to_string(),
            Domain::Number(_) => self.format(value),
        }
    }

    pub fn parse(&self, text: &str) -> Option<u32> {
        let value = match *self {
            Domain::Choice(choices) => choices.iter().position(|choice| choice.id == text)? as u32,
            Domain::Number(Numbers { specials, .. })
                if let Some((raw, _)) = specials.iter().find(|(_, special)| *special == text) =>
            {
                *raw
            }
            Domain::Number(Numbers { zero, decimals, .. }) => match text.strip_prefix('-') {
                None => parse_fixed(text, decimals)?.checked_add(zero)?,
                // Zero has one text: `-0` is refused.
                Some(text) => zero.checked_sub(parse_fixed(text, decimals).filter(|n| *n > 0)?)?,
            },
        };
        self.contains(value).then_some(value)
    }

    /// Returns the number that a raw value stands for; for a choice, its index.
    pub fn number(&self, value: u32) -> f64 {
        match *self {
            Domain::Choice(_) => f64::from(value),
            Domain::Number(of) => (f64::from(value) - f64::from(of.zero)) / of.scale(),
        }
    }

    /// Returns the raw value whose number is nearest to `number`; for a choice, the nearest index.
    pub(super) fn nearest_to(&self, number: f64) -> u32 {
        match *self {
            Domain::Choice(_) => number as u32,
            Domain::Number(of) => {
                let raw = number * of.scale() + f64::from(of.zero);
                (raw.round() as u32).clamp(of.min, of.max)
            }
        }
    }

    pub(super) fn nearest(&self, value: u32) -> u32 {
        match *self {
            _ if self.contains(value) => value,
            Domain::Choice(choices) => choices.len() as u32 - 1,
            Domain::Number(of) => value.clamp(of.min, of.max),
        }
    }

    pub fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Domain::Choice(choices) => {
                f.write_str("it is one of ")?;
                for (i, choice) in choices.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { ", " }, choice.id)?;
                }
                Ok(())
            }
            Domain::Number(of) => {
                let whole = if of.decimals == 0 { "whole " } else { "" };
                let (from, to) = (self.format(of.min), self.format(of.max));
                write!(f, "it takes {whole}numbers from {from} to {to}")?;
                if of.decimals > 0 {
                    write!(f, " in steps of {}", self.format(of.zero + 1))?;
                }
                for (i, (_, text)) in of.specials.iter().enumerate() {
                    write!(f, "{} {text}", if i == 0 { ", or is" } else { " or" })?;
                }
                Ok(())
            }
        }
    }
}

/// Returns the text of a number in units of 10^-`decimals`, without needless zeros: 125 with one decimal is `12.5`.
fn format_fixed(value: u32, decimals: u32) -> String {
    let unit = 10_u32.pow(decimals);
    let (whole, fraction) = (value / unit, value % unit);
    if fraction == 0 {
        return whole.to_string();
    }
    let digits = format!("{fraction:0width$}", width = decimals as usize);
    format!("{whole}.{}", digits.trim_end_matches('0'))
}

/// Parses a decimal number without sign or exponent into units of 10^-`decimals`: `12.5` with one decimal is 125. `None` for
/// other text.
fn parse_fixed(text: &str, decimals: u32) -> Option<u32> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let width = decimals as usize;
    let is_number = !whole.is_empty() && digits(whole) && digits(fraction);
    if !is_number || fraction.len() > width || text.ends_with('.') {
        return None;
    }
    // The digits up to the last decimal, without the point, are the number of units.
    format!("{whole}{fraction:0<width$}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::Key;
    use super::*;
    use crate::schema::{decimals, number};

    const SIGNED: Domain = Domain::Number(Numbers {
        min: 5_000,
        max: 25_000,
        zero: 15_000,
        decimals: 3,
        specials: &[(u32::MAX, "same")],
        marks: &[],
    });

    #[test]
    fn a_domain_has_signs_and_up_to_four_decimals() {
        for (text, raw, number) in [
            ("-10", 5_000, -10.0),
            ("-0.001", 14_999, -0.001),
            ("0", 15_000, 0.0),
            ("0.05", 15_050, 0.05),
            ("9.999", 24_999, 9.999),
            ("10", 25_000, 10.0),
        ] {
            assert_eq!(SIGNED.parse(text), Some(raw));
            assert_eq!(SIGNED.format(raw), text);
            assert_eq!(SIGNED.number(raw), number);
        }
        for text in [
            "-10.001", "10.001", "--1", "-", "-0", "-0.000", "0.0001", "- 1", "1-", "1.-5",
        ] {
            assert_eq!(SIGNED.parse(text), None, "{text:?}");
        }
        assert_eq!(SIGNED.parse("same"), Some(u32::MAX));
        let takes = std::fmt::from_fn(|f| SIGNED.describe(f)).to_string();
        assert_eq!(
            takes,
            "it takes numbers from -10 to 10 in steps of 0.001, or is same"
        );
        let finest = decimals(DECIMALS_MAX, number(0, 500_000, &[]));
        assert_eq!(finest.parse("0.0015"), Some(15));
        assert_eq!(finest.format(15), "0.0015");
        assert_eq!(finest.parse("0.00015"), None);
    }

    #[test]
    fn each_bound_has_a_refused_twin() {
        let tenths = Key::Duplicated.setting().domain;
        assert_eq!(tenths.parse("50"), Some(500));
        assert_eq!(tenths.parse("50.1"), None);
        assert_eq!(tenths.parse("0.1"), Some(1));
        let refused = "|.|5.|.5|0.05|-1|+1|1e1| 1|1 |٣|99999999999";
        for text in refused.split('|') {
            assert_eq!(tenths.parse(text), None, "{text:?}");
        }
        let fragments = Key::Fragments.setting().domain;
        assert_eq!(fragments.parse("0"), Some(0));
        assert_eq!(fragments.parse("1"), None);
        assert_eq!(fragments.parse("575"), None);
        assert_eq!(fragments.parse("576"), Some(576));
    }
}
