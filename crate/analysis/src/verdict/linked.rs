//! The limits of a verdict as text in a link: `kbps-64_age-150_networks-own.wifi-busy`.

use super::networks::ChosenNetworks;
use super::rates::Limits;

const NETWORKS: &str = "networks";
/// Least value of a limit that a link can name; `MOST` is the greatest value.
const LEAST: f64 = 0.001;
const MOST: f64 = 1e6;

/// The limits and networks of a verdict that the page's address can hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkedLimits {
    pub limits: Limits,
    pub networks: ChosenNetworks,
}

impl LinkedLimits {
    /// Sets limits; a limit that no link can name becomes `None`.
    pub fn set(&mut self, limits: Limits) {
        self.limits = limits;
        for (_, limit) in self.limits.named() {
            *limit = limit.filter(|limit| (LEAST..=MOST).contains(limit));
        }
    }

    /// Parses a verdict's limits and networks from the value of the key `limits` of a page's link, such as
    /// `kbps-64_age-150_networks-own.wifi-busy`. Returns `None` if a part is unknown, malformed or out of range, or comes
    /// twice.
    pub fn parse(text: &str) -> Option<LinkedLimits> {
        let mut read = LinkedLimits::default();
        let mut names = Vec::new();
        for part in text.split('_') {
            let (name, value) = part.split_once('-')?;
            if names.contains(&name) {
                return None;
            }
            names.push(name);
            if name == NETWORKS {
                read.networks = ChosenNetworks::parse(value, '.')?;
                continue;
            }
            let is_plain = |byte: u8| byte.is_ascii_digit() || byte == b'.';
            let number = value.parse().ok().filter(|_| value.bytes().all(is_plain));
            let mut all = read.limits.named().into_iter();
            let (_, limit) = all.find(|(known, _)| *known == name)?;
            *limit = Some(number.filter(|number| (LEAST..=MOST).contains(number))?);
        }
        Some(read)
    }

    /// Returns the text for a link; `None` if no limit is set and the networks are the default choice.
    pub fn text(&self) -> Option<String> {
        let mut limits = self.limits;
        let limits = limits.named().into_iter();
        let mut parts: Vec<String> = limits
            .filter_map(|(name, limit)| limit.map(|limit| format!("{name}-{limit}")))
            .collect();
        let networks = self.networks.linked();
        parts.extend(networks.map(|networks| format!("{NETWORKS}-{networks}")));
        (!parts.is_empty()).then(|| parts.join("_"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_limits_is_read_as_it_was_written() {
        for text in [
            "kbps-64_view-20.5_age-150_delay-100_networks-own.wifi-busy",
            "surface-21.4_kbps-64",
            "networks-none",
            "networks-all",
            "age-0.5",
        ] {
            let read = LinkedLimits::parse(text).expect(text);
            let written = read.text().expect("it has limits");
            assert_eq!(LinkedLimits::parse(&written), Some(read), "{text}");
            let parts = |text: &str| {
                let mut parts: Vec<_> = text.split('_').map(str::to_owned).collect();
                parts.sort();
                parts
            };
            assert_eq!(parts(&written), parts(text));
        }
        assert_eq!(LinkedLimits::default().text(), None);
        for wrong in [
            "",
            "kbps",
            "kbps-",
            "kbps-0",
            "kbps--1",
            "kbps-inf",
            "kbps-1e3",
            "kbps-1_kbps-2",
            "speed-3",
            "networks-",
            "networks-nowhere",
            "age-10000000",
        ] {
            assert_eq!(LinkedLimits::parse(wrong), None, "{wrong}");
        }
    }
}
