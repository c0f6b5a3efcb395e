//! Settings as a readable link, such as `#v=1&hz=10&interp=hermite&loss=5&seed=7`. It has only values that differ from the
//! defaults.
//!
//! Parsing is total and bounded: any text gives settings, and a notice for each part that could not be used.

use super::schema::{SCHEMA, Setting};
use super::{Key, SettingError, Settings};
use snapshot_base::order;
use snapshot_base::text::{percent_decoded, shorten};
use std::fmt;

/// The version in new links. A changed default or meaning needs a new version; older versions stay readable.
pub const VERSION: u32 = 2;

/// Upper limit of a link's length, bytes. With every setting changed a link has under 800 characters.
pub const MOST_BYTES: usize = 2048;

/// A part of a link that could not be used, to be shown in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The setting of a part is unknown, or its value is refused: the default stays.
    Setting(SettingError),
    /// A part is not of the form `key=value`.
    Form(String),
    /// A setting comes twice: the first value counts.
    Twice(String),
    /// The link's version is unknown: the link was read as the newest version.
    Version(String),
    /// A key that only the page reads has an invalid value.
    Value {
        id: &'static str,
        /// The given value, shortened.
        text: String,
        /// The allowed values, in words.
        takes: String,
    },
    /// A key that only the page reads names a removed thing; another thing takes its place.
    Moved {
        id: &'static str,
        /// The given value.
        text: String,
        /// The value that takes its place.
        now: &'static str,
    },
    /// The link exceeds this limit in characters; nothing of it was read.
    TooLong(usize),
    /// The number of further parts that could not be used.
    More(usize),
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Setting(error @ SettingError::Unknown(_)) => {
                write!(f, "{error}; it is left out")
            }
            Notice::Setting(error) => write!(f, "{error}; the default stands"),
            Notice::Form(text) => {
                write!(f, "\"{text}\" is not of the form key=value; it is left out")
            }
            Notice::Twice(id) => write!(f, "\"{id}\" comes twice; the first stands"),
            Notice::Version(text) => write!(
                f,
                "This link is of version \"{text}\", unknown here; it is read as version {VERSION}"
            ),
            Notice::Value { id, text, takes } => {
                write!(f, "\"{id}\" cannot be \"{text}\": {takes}; it is left out")
            }
            Notice::Moved { id, text, now } => {
                write!(f, "\"{id}={text}\" is gone; \"{now}\" has its subject now")
            }
            Notice::TooLong(most) => write!(
                f,
                "The link is longer than {most} characters; the defaults stand"
            ),
            Notice::More(count) => write!(f, "{count} more parts could not be used"),
        }
    }
}

/// Reads a link, or its fragment with or without `#`; returns the settings, and a notice for each part that could not be
/// used. An empty link gives the defaults.
pub fn parse(link: &str) -> (Settings, Vec<Notice>) {
    let mut settings = Settings::default();
    let mut notices = Vec::new();
    if link.len() > MOST_BYTES {
        return (settings, vec![Notice::TooLong(MOST_BYTES)]);
    }
    let fragment = link.split_once('#').map_or(link, |(_, fragment)| fragment);
    let fragment = percent_decoded(fragment);
    let parts = fragment.split('&').filter(|part| !part.is_empty());
    set_all(parts.collect(), &mut settings, &mut notices);
    (settings, notices)
}

/// Sets the settings from parts of the form `key=value`, and reads the version. Parts that cannot be used become notices.
pub fn set_all(mut parts: Vec<&str>, settings: &mut Settings, notices: &mut Vec<Notice>) {
    let mut seen = [false; SCHEMA.len()];
    // The defaults of the others depend on the strategy, and the values of the link's settings on its preset.
    let first = |part: &&str| {
        let before = ["v=", "strategy=", "link="].iter();
        before.take_while(|key| !part.starts_with(*key)).count()
    };
    order::sort_by_key(&mut parts, first);
    for part in parts {
        let Some((id, text)) = part.split_once('=') else {
            notices.push(Notice::Form(shorten(part)));
            continue;
        };
        if id == "v" {
            match text {
                // Docs: docs/decisions/0046-playout-adapts.md.
                "1" => settings.values[Key::Clock as usize] = 1,
                "2" => {}
                _ => notices.push(Notice::Version(shorten(text))),
            }
            continue;
        }
        let before = *settings;
        match settings.set_text(id, text) {
            Ok(key) if seen[key as usize] => {
                *settings = before;
                notices.push(Notice::Twice(shorten(id)));
            }
            Ok(key) => seen[key as usize] = true,
            Err(error) => notices.push(Notice::Setting(error)),
        }
    }
}

/// Returns the fragment of these settings, without `#`: letters, digits and `-_.~=&` only.
pub fn format(settings: &Settings) -> String {
    let mut fragment = format!("v={VERSION}");
    let unwritten = settings.unwritten();
    let differs = |setting: &&Setting| match setting.key {
        Key::Strategy | Key::Link => settings.get(setting.key) != setting.default,
        key => settings.get(key) != unwritten.get(key),
    };
    for setting in SCHEMA.iter().filter(differs) {
        fragment.push('&');
        fragment.push_str(setting.id);
        fragment.push('=');
        fragment.push_str(&settings.text(setting.key));
    }
    fragment
}

/// Checks any bytes as a link: settings are within their domains, and come back through a link. The fuzz target `permalink`
/// and the test that replays its corpus call this.
#[doc(hidden)]
pub fn fuzz(data: &[u8]) {
    let (settings, notices) = parse(&String::from_utf8_lossy(data));
    for setting in &SCHEMA {
        let domain = setting.domain_in(settings.strategy());
        assert!(domain.contains(settings.get(setting.key)));
    }
    assert!(notices.iter().all(|notice| notice.to_string().len() < 600));
    assert_eq!(parse(&format(&settings)), (settings, vec![]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use snapshot_view::playout::Playout;

    #[test]
    fn reads_a_readable_link() {
        let (settings, notices) =
            parse("https://example.org/lab/#v=2&hz=60&interp=hermite&loss=5&delay=auto&seed=7");
        assert_eq!(notices, []);
        assert_eq!(settings.lane().send_rate_hz(), 60);
        assert_eq!(settings.get(Key::Loss), 50_000);
        assert_eq!(format(&settings), "v=2&hz=60&loss=5&interp=hermite&seed=7");
        assert_eq!(format(&Settings::default()), "v=2");
        assert_eq!(parse(""), (Settings::default(), vec![]));
        // Some programs encode the links that they pass on.
        let encoded = parse("#v%3D2%26%68z=%36%30&interp=hermite&loss=5&seed=7");
        assert_eq!(encoded, (settings, vec![]));
    }

    #[test]
    fn a_fixed_delay_of_an_old_link_counts_from_the_first_packet() {
        for (link, written) in [
            ("v=1&delay=80", "v=2&delay=80&clock=first"),
            ("delay=80&v=1", "v=2&delay=80&clock=first"),
            ("v=1&strategy=lockstep", "v=2&strategy=lockstep&clock=first"),
            ("v=1&clock=fastest", "v=2"),
            ("v=2&delay=80", "v=2&delay=80"),
            ("delay=80", "v=2&delay=80"),
        ] {
            let (settings, notices) = parse(link);
            assert_eq!((format(&settings).as_str(), notices), (written, vec![]));
            let counts_from_first = written.ends_with("clock=first");
            let playout = settings.lane().playout();
            let is_first = matches!(playout, Playout::FirstPacket { .. });
            assert_eq!(is_first, counts_from_first, "{link}");
        }
        let jitter_ms = |link| parse(link).0.lane().delay_ms();
        assert_eq!(jitter_ms("v=1&jitter=17&hz=20"), Some(3.0 * 50.0 + 17.0));
        assert_eq!(jitter_ms("v=2&jitter=17&hz=20"), Some(3.0 * 50.0 + 34.0));
    }

    #[test]
    fn hostile_links_fall_back_with_a_notice_that_names_the_part() {
        let lines = include_str!("hostile_links.txt").lines().skip(1);
        for line in lines {
            let (link, expected) = line.split_once(" => ").expect(line);
            let notices: Vec<_> = parse(link).1.iter().map(ToString::to_string).collect();
            assert_eq!(notices, [expected]);
        }
        assert_eq!(
            parse(&"x".repeat(MOST_BYTES + 1)),
            (Settings::default(), vec![Notice::TooLong(MOST_BYTES)])
        );
        assert_eq!(parse("#loss=1&loss=2").0.get(Key::Loss), 10_000);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text: String) {
            fuzz(text.as_bytes());
        }

        #[test]
        fn every_settings_survive_their_link(raw in prop::collection::vec(any::<u32>(), SCHEMA.len())) {
            let mut settings = Settings::default();
            for (setting, raw) in SCHEMA.iter().zip(raw) {
                let _ = settings.set(setting.key, raw).or_else(|_| settings.set(setting.key, raw % 61));
            }
            let fragment = format(&settings);
            prop_assert!(fragment.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.~=&".contains(&b)), "{}", fragment);
            prop_assert_eq!(parse(&fragment), (settings, vec![]));
        }
    }
}
