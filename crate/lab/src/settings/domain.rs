//! The values that a setting can take: as raw numbers, and as the text that a link has.

use std::fmt;

/// The values that a setting takes.
#[derive(Clone, Copy, Debug)]
pub enum Domain {
    /// One of some named values.
    Choice(&'static [Choice]),
    /// A number from `min` to `max` by steps of 1, all in units of 10^-`decimals`; perhaps one special value besides.
    Number {
        /// Least raw value.
        min: u32,
        /// Greatest raw value.
        max: u32,
        /// Digits shown behind the point: 0 or 1.
        decimals: u32,
        /// A raw value outside the range, and its text.
        special: Option<(u32, &'static str)>,
        /// Raw values worth a mark on a slider.
        marks: &'static [u32],
    },
}

/// A named value.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The name in a link.
    pub id: &'static str,
    /// The shown name.
    pub label: &'static str,
}

impl Domain {
    /// Returns true if the setting takes that raw value.
    pub fn contains(&self, value: u32) -> bool {
        match *self {
            Domain::Choice(choices) => (value as usize) < choices.len(),
            Domain::Number {
                min, max, special, ..
            } => (min..=max).contains(&value) || special.is_some_and(|(raw, _)| raw == value),
        }
    }

    /// The text of a raw value, as the link writes it.
    pub fn format(&self, value: u32) -> String {
        match *self {
            Domain::Choice(choices) => choices[value as usize].id.to_string(),
            Domain::Number {
                special: Some((raw, text)),
                ..
            } if raw == value => text.to_string(),
            Domain::Number { decimals: 1, .. } if !value.is_multiple_of(10) => {
                format!("{}.{}", value / 10, value % 10)
            }
            Domain::Number { decimals: 1, .. } => (value / 10).to_string(),
            Domain::Number { .. } => value.to_string(),
        }
    }

    /// The text of a raw value: a choice by its label, a number as the link writes it.
    pub fn label(&self, value: u32) -> String {
        match *self {
            Domain::Choice(choices) => choices[value as usize].label.to_string(),
            Domain::Number { .. } => self.format(value),
        }
    }

    /// The raw value of a text; none where it is not a value of the domain.
    pub fn parse(&self, text: &str) -> Option<u32> {
        let value = match *self {
            Domain::Choice(choices) => choices.iter().position(|choice| choice.id == text)? as u32,
            Domain::Number {
                special: Some((raw, special)),
                ..
            } if special == text => raw,
            Domain::Number { decimals, .. } => parse_fixed(text, decimals)?,
        };
        self.contains(value).then_some(value)
    }

    /// The greatest raw value, but for a special one.
    pub(crate) fn greatest(&self) -> u32 {
        match *self {
            Domain::Choice(choices) => choices.len() as u32 - 1,
            Domain::Number { max, .. } => max,
        }
    }

    /// The value of the domain that is nearest to a raw one.
    pub(super) fn nearest(&self, value: u32) -> u32 {
        match *self {
            _ if self.contains(value) => value,
            Domain::Choice(choices) => choices.len() as u32 - 1,
            Domain::Number { min, max, .. } => value.clamp(min, max),
        }
    }

    /// Says in words what is allowed.
    pub fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Domain::Choice(choices) => {
                f.write_str("it is one of ")?;
                for (i, choice) in choices.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { ", " }, choice.id)?;
                }
                Ok(())
            }
            Domain::Number {
                min,
                max,
                decimals,
                special,
                ..
            } => {
                let numbers = if decimals == 0 {
                    "whole numbers"
                } else {
                    "numbers"
                };
                let (from, to) = (self.format(min), self.format(max));
                write!(f, "it takes {numbers} from {from} to {to}")?;
                if decimals > 0 {
                    write!(f, " in steps of {}", self.format(1))?;
                }
                special.map_or(Ok(()), |(_, text)| write!(f, ", or is {text}"))
            }
        }
    }
}

/// A decimal number without sign or exponent, in units of 10^-`decimals`: `12.5` with one decimal is 125.
fn parse_fixed(text: &str, decimals: u32) -> Option<u32> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > decimals as usize
    {
        return None;
    }
    if text.ends_with('.') {
        return None;
    }
    let scale = 10_u32.pow(decimals - fraction.len() as u32);
    let fraction: u32 = if fraction.is_empty() {
        0
    } else {
        fraction.parse().ok()?
    };
    whole
        .parse::<u32>()
        .ok()?
        .checked_mul(10_u32.pow(decimals))?
        .checked_add(fraction * scale)
}

#[cfg(test)]
mod tests {
    use super::super::Key;

    #[test]
    fn each_bound_has_a_refused_twin() {
        let tenths = Key::Loss.setting().domain;
        assert_eq!(tenths.parse("50"), Some(500));
        assert_eq!(tenths.parse("50.1"), None);
        assert_eq!(tenths.parse("0.1"), Some(1));
        for text in [
            "",
            ".",
            "5.",
            ".5",
            "0.05",
            "-1",
            "+1",
            "1e1",
            " 1",
            "1 ",
            "٣",
            "99999999999",
        ] {
            assert_eq!(tenths.parse(text), None, "{text:?}");
        }
        let fragments = Key::Fragments.setting().domain;
        assert_eq!(fragments.parse("0"), Some(0));
        assert_eq!(fragments.parse("1"), None);
        assert_eq!(fragments.parse("575"), None);
        assert_eq!(fragments.parse("576"), Some(576));
    }
}
