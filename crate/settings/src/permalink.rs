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
    /// A step of the tour that was. The article shows the same.
    Step(String),
    /// The limits are of a verdict over several networks, which there was once. The limits themselves were read.
    Networks,
    /// The link exceeds this limit in characters; nothing of it was read.
    TooLong(usize),
    /// The number of further parts that could not be used.
    More(usize),
    /// A program that passed the link on had changed it; it was read as it had been.
    Mended,
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
            Notice::Step(id) => write!(
                f,
                "The tour has become an article: its figures show what the step \"{id}\" showed"
            ),
            Notice::Networks => f.write_str("A verdict is over one network now: the networks in \"limits\" are left out"),
            Notice::TooLong(most) => write!(
                f,
                "The link is longer than {most} characters; the defaults stand"
            ),
            Notice::More(count) => write!(f, "{count} more parts could not be used"),
            Notice::Mended => f.write_str("The link was changed on its way: signs that it cannot have were mended, and its settings are kept"),
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
    let fragment = fragment(link, &mut notices);
    let parts = fragment.split('&').filter(|part| !part.is_empty());
    set_all(parts.collect(), &mut settings, &mut notices);
    (settings, notices)
}

/// Returns the fragment of a link without the changes of chats and mails. They encode signs, write `&` as HTML does, add
/// parts such as `utm_source`, append a full stop, or write digits of another script. Adds one notice if anything but
/// encoded signs was mended.
pub fn fragment(link: &str, notices: &mut Vec<Notice>) -> String {
    let encoded = link.split_once('#').map_or(link, |(_, fragment)| fragment);
    let decoded = percent_decoded(encoded.trim());
    // The sign before the fragment may be encoded, too.
    let address = decoded
        .split_once('#')
        .filter(|_| encoded.len() == link.len());
    let fragment = address.map_or(&*decoded, |(_, fragment)| fragment);
    let mended = mend(fragment);
    if mended != fragment {
        notices.push(Notice::Mended);
    }
    mended
}

fn mend(fragment: &str) -> String {
    // The first digits of Arabic, Persian, Devanagari, Bengali and full-width numbers.
    const ZEROS: [char; 5] = ['\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{ff10}'];
    // Parts that networks of advertisements add.
    const ADDED: [&str; 4] = ["utm_", "fbclid=", "gclid=", "mc_"];
    let digit = |letter: char| {
        let zero = ZEROS.iter().find(|zero| {
            (**zero..=char::from_u32(**zero as u32 + 9).unwrap_or(**zero)).contains(&letter)
        });
        zero.map_or(letter, |zero| {
            char::from(b'0' + (letter as u32 - *zero as u32) as u8)
        })
    };
    let text: String = fragment.replace("&amp;", "&").chars().map(digit).collect();
    // Keys of a person end by a dot.
    let last = text.rsplit('&').next().unwrap_or_default();
    let key = last.split('=').next().unwrap_or_default();
    let is_setting = SCHEMA
        .iter()
        .any(|setting| setting.id == key.trim_start_matches("b."));
    let is_sign = |letter: char| match letter {
        '.' => is_setting,
        '>' => !text.contains('<'),
        _ => ",;:!)]}'\"*»”’…".contains(letter),
    };
    let text = text.trim_end_matches(is_sign);
    let parts = text.split('&').filter_map(|part| {
        let part = part.split('?').next().unwrap_or_default();
        if part.is_empty() || ADDED.iter().any(|added| part.starts_with(added)) {
            return None;
        }
        let is_number =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let decimal = part.split_once('=').and_then(|(key, value)| {
            let (whole, share) = value.split_once(',')?;
            (is_number(whole) && is_number(share)).then(|| format!("{key}={whole}.{share}"))
        });
        Some(decimal.unwrap_or_else(|| part.to_string()))
    });
    let mended = parts.collect::<Vec<_>>().join("&");
    // Empty parts alone are no change.
    match mended
        .split('&')
        .eq(fragment.split('&').filter(|part| !part.is_empty()))
    {
        true => fragment.to_string(),
        false => mended,
    }
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
    fn a_link_that_a_chat_has_changed_keeps_its_settings() {
        let (plain, _) = parse("https://lab.example/#v=2&hz=30&loss=0.5&seed=7");
        for link in [
            "https://lab.example/#v=2&amp;hz=30&amp;loss=0.5&amp;seed=7",
            "https://lab.example/#v=2&hz=30&loss=0.5&seed=7).",
            "https://lab.example/#v=2&hz=30&loss=0.5&seed=7?utm_source=chat&utm_medium=x",
            "https://lab.example/#v=2&hz=30&utm_source=chat&loss=0.5&seed=7&fbclid=abc",
            "https://lab.example/#v=2&hz=\u{663}\u{660}&loss=0.5&seed=\u{ff17}",
            "https://lab.example/#v=2&hz=30&loss=0,5&seed=7",
        ] {
            assert_eq!(parse(link), (plain, vec![Notice::Mended]), "{link}");
        }
        let encoded = "https://lab.example/%23v=2%26hz=30%26loss=0.5%26seed=7";
        assert_eq!(parse(encoded), (plain, vec![]));
        for link in ["", "#", "#v=2&&hz=30&", "hz%3D20"] {
            assert!(!parse(link).1.contains(&Notice::Mended), "{link}");
        }
    }

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
