//! The limits of a verdict as text in a link: `kbps-64_age-150`.

use super::rates::Limits;

/// Least value of a limit that a link can name; `MOST` is the greatest value.
const LEAST: f64 = 0.001;
const MOST: f64 = 1e6;

impl Limits {
    /// Returns the limits that a link can name; any other limit becomes `None`.
    #[must_use]
    pub fn nameable(mut self) -> Limits {
        for (_, limit) in self.named() {
            *limit = limit.filter(|limit| (LEAST..=MOST).contains(limit));
        }
        self
    }

    /// Parses a verdict's limits from the value of the key `limits` of a page's link, such as `kbps-64_age-150`. Returns
    /// `None` if a part is unknown, malformed or out of range, or comes twice.
    pub fn parse(text: &str) -> Option<Limits> {
        let mut read = Limits::default();
        for part in text.split('_') {
            let (name, value) = part.split_once('-')?;
            let is_plain = |byte: u8| byte.is_ascii_digit() || byte == b'.';
            let number = value.parse().ok().filter(|_| value.bytes().all(is_plain));
            let mut all = read.named().into_iter();
            let (_, limit) = all.find(|(known, limit)| *known == name && limit.is_none())?;
            *limit = Some(number.filter(|number| (LEAST..=MOST).contains(number))?);
        }
        Some(read)
    }

    /// Returns the text for a link; `None` if no limit is set.
    pub fn text(mut self) -> Option<String> {
        let limits = self.named().into_iter();
        let parts: Vec<String> = limits
            .filter_map(|(name, limit)| limit.map(|limit| format!("{name}-{limit}")))
            .collect();
        (!parts.is_empty()).then(|| parts.join("_"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_limits_is_read_as_it_was_written() {
        for text in [
            "kbps-64_view-20.5_age-150_delay-100",
            "surface-21.4_kbps-64",
            "age-0.5",
        ] {
            let read = Limits::parse(text).expect(text);
            let written = read.text().expect("it has limits");
            assert_eq!(Limits::parse(&written), Some(read), "{text}");
            let parts = |text: &str| {
                let mut parts: Vec<_> = text.split('_').map(str::to_owned).collect();
                parts.sort();
                parts
            };
            assert_eq!(parts(&written), parts(text));
        }
        assert_eq!(Limits::default().text(), None);
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
            "age-10000000",
            // Links had networks once.
            "kbps-64_networks-own.wifi-busy",
        ] {
            assert_eq!(Limits::parse(wrong), None, "{wrong}");
        }
    }
}
