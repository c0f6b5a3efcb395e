//! A whole link of the page: settings, what of them is changed for lane B, the instant, the figure, and what is looked at.
//!
//! `#v=1&hz=10&b.interp=hermite&at=600&show=packets&packet=57`: beside the keys of [`permalink`], those of lane B with `b.`
//! before them, and a few that change nothing of what is computed. Parsing is total and bounded, like theirs.

use crate::settings::permalink::{self, Notice};
use crate::settings::{Settings, shorten};
use crate::tour;
use std::fmt::Write;

/// The figures of the page, by the name that `show` takes. The first is shown where none is named.
pub const FIGURES: [&str; 8] = [
    "bits",
    "ladder",
    "packets",
    "compare",
    "errors",
    "trade",
    "widths",
    "challenge",
];

/// No link asks for a later instant: ten minutes, which take a minute to simulate.
pub const LATEST_TICK: u64 = 36_000;

/// Lane B with nothing changed for it.
const B_AS_A: &str = "b=a";

/// What a link says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// Of lane A.
    pub settings: Settings,
    /// Of lane B, where there is one.
    pub b: Option<Settings>,
    /// The tick to pause at.
    pub at: Option<u64>,
    /// One of [`FIGURES`].
    pub show: Option<&'static str>,
    /// The number of the packet that is looked at.
    pub packet: Option<u64>,
    /// The index of the cube that is looked at.
    pub cube: Option<u64>,
    /// The step of the tour that is open.
    pub step: Option<&'static str>,
    /// The motion from elsewhere that it is of, by its fingerprint: no link carries one.
    pub motion: Option<u32>,
}

/// Reads a link, or its fragment with or without `#`.
pub fn parse(link: &str) -> (Link, Vec<Notice>) {
    if link.len() > permalink::MOST_BYTES {
        return (Link::default(), vec![Notice::TooLong]);
    }
    let fragment = link.split_once('#').map_or(link, |(_, fragment)| fragment);
    let mut read = Link::default();
    let mut notices = Vec::new();
    let (mut of_a, mut of_b, mut has_b) = (Vec::new(), Vec::new(), false);
    for part in fragment.split('&').filter(|part| !part.is_empty()) {
        let told = match part.split_once('=') {
            Some(("at", text)) => number("at", LATEST_TICK)(text).map(|tick| read.at = Some(tick)),
            Some(("packet", text)) => {
                number("packet", LATEST_TICK)(text).map(|packet| read.packet = Some(packet))
            }
            Some(("cube", text)) => number("cube", 4095)(text).map(|cube| read.cube = Some(cube)),
            Some(("show", text)) => figure(text).map(|figure| read.show = Some(figure)),
            Some(("step", text)) => step(text).map(|step| read.step = Some(step)),
            Some(("motion", text)) => motion(text).map(|motion| read.motion = Some(motion)),
            _ if part == B_AS_A => {
                has_b = true;
                Ok(())
            }
            _ => {
                match part.strip_prefix("b.") {
                    Some(part) => of_b.push(part),
                    None => of_a.push(part),
                }
                Ok(())
            }
        };
        notices.extend(told.err());
    }
    permalink::set_all(of_a, &mut read.settings, &mut notices);
    if has_b || !of_b.is_empty() {
        let mut b = read.settings;
        permalink::set_all(of_b, &mut b, &mut notices);
        read.b = Some(b.on_the_motion_of(&read.settings));
    }
    (read, notices)
}

/// The fragment of a link, without `#`.
pub fn format(link: &Link) -> String {
    let mut fragment = permalink::format(&link.settings);
    if let Some(b) = &link.b {
        let differences = b.differences(&link.settings);
        if differences.is_empty() {
            fragment.push('&');
            fragment.push_str(B_AS_A);
        }
        for key in differences {
            let _ = write!(fragment, "&b.{}={}", key.setting().id, b.text(key));
        }
    }
    let numbers = [
        ("at", link.at),
        ("packet", link.packet),
        ("cube", link.cube),
    ];
    for (id, number) in numbers {
        if let Some(number) = number {
            let _ = write!(fragment, "&{id}={number}");
        }
    }
    if let Some(figure) = link.show {
        let _ = write!(fragment, "&show={figure}");
    }
    if let Some(step) = link.step {
        let _ = write!(fragment, "&step={step}");
    }
    if let Some(motion) = link.motion {
        let _ = write!(fragment, "&motion={motion:08x}");
    }
    fragment
}

fn number(id: &'static str, most: u64) -> impl Fn(&str) -> Result<u64, Notice> {
    move |text| {
        let number = text.parse().ok().filter(|number| *number <= most);
        number.ok_or_else(|| Notice::Value {
            id,
            text: shorten(text),
            takes: format!("a whole number from 0 to {most}"),
        })
    }
}

fn figure(text: &str) -> Result<&'static str, Notice> {
    let figure = FIGURES.into_iter().find(|figure| *figure == text);
    figure.ok_or_else(|| Notice::Value {
        id: "show",
        text: shorten(text),
        takes: FIGURES.join(", "),
    })
}

fn step(text: &str) -> Result<&'static str, Notice> {
    let step = tour::step(text).map(|step| step.id);
    step.ok_or_else(|| Notice::Value {
        id: "step",
        text: shorten(text),
        takes: "a step of the tour".to_string(),
    })
}

fn motion(text: &str) -> Result<u32, Notice> {
    let is_hex = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let fingerprint = u32::from_str_radix(text, 16).ok().filter(|_| is_hex);
    fingerprint.ok_or_else(|| Notice::Value {
        id: "motion",
        text: shorten(text),
        takes: "eight hexadecimal digits".to_string(),
    })
}

/// What must hold of any bytes as a link: whatever is read survives its own link. For the fuzz target `permalink`.
#[doc(hidden)]
pub fn fuzz(data: &[u8]) {
    permalink::fuzz(data);
    let (link, notices) = parse(&String::from_utf8_lossy(data));
    assert!(notices.iter().all(|notice| notice.to_string().len() < 600));
    assert_eq!(parse(&format(&link)), (link, vec![]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_link_says_what_b_differs_in_and_what_is_looked_at() {
        let text = "v=1&hz=10&interp=linear&b.interp=hermite&at=600&packet=57&cube=3&show=packets";
        let (link, notices) = parse(text);
        assert_eq!(notices, []);
        let b = link.b.unwrap();
        let differences = b.differences(&link.settings);
        assert_eq!(
            differences
                .iter()
                .map(|key| key.setting().id)
                .collect::<Vec<_>>(),
            ["interp"]
        );
        assert_eq!(
            (link.at, link.packet, link.cube, link.show),
            (Some(600), Some(57), Some(3), Some("packets"))
        );
        assert_eq!(
            format(&link),
            "v=1&b.interp=hermite&at=600&packet=57&cube=3&show=packets"
        );
    }

    #[test]
    fn another_strategy_for_b_brings_its_own_defaults() {
        let (link, notices) = parse("#hz=20&b.strategy=sync&b.budget=128");
        assert_eq!(notices, []);
        let b = link.b.unwrap();
        assert_eq!(
            (
                b.send_rate_hz(),
                b.text(crate::settings::Key::PositionBits).as_str()
            ),
            (20, "12")
        );
        assert_eq!(format(&link), "v=1&hz=20&b.strategy=sync&b.budget=128");
    }

    #[test]
    fn what_cannot_be_is_told_and_left_out() {
        for (text, told) in [
            (
                "at=x",
                "\"at\" cannot be \"x\": a whole number from 0 to 36000; it is left out",
            ),
            (
                "at=36001",
                "\"at\" cannot be \"36001\": a whole number from 0 to 36000; it is left out",
            ),
            (
                "show=me",
                "\"show\" cannot be \"me\": bits, ladder, packets, compare, errors, trade, widths, challenge; it is left out",
            ),
            (
                "step=9",
                "\"step\" cannot be \"9\": a step of the tour; it is left out",
            ),
            (
                "motion=12345",
                "\"motion\" cannot be \"12345\": eight hexadecimal digits; it is left out",
            ),
            (
                "b.nonsense=1",
                "There is no setting \"nonsense\"; it is left out",
            ),
        ] {
            let (link, notices) = parse(text);
            let notices: Vec<_> = notices.iter().map(ToString::to_string).collect();
            assert_eq!(notices, [told]);
            assert_eq!((link.at, link.show), (None, None));
        }
        assert_eq!(parse(&"x".repeat(5000)).1, [Notice::TooLong]);
        assert!(parse("b=a").0.b.is_some());
        assert_eq!(parse("motion=0012abCD").0.motion, Some(0x0012_abcd));
    }

    proptest! {
        #[test]
        fn any_text_is_read_and_survives_its_own_link(text in ".{0,200}", b in "(b\\.)?(hz|interp|codec|strategy|at|show|b|seed|motion|pos-small|rot-large)=[a-z0-9]{1,6}") {
            fuzz(text.as_bytes());
            fuzz(b.as_bytes());
            fuzz(format!("{b}&b.strategy=lockstep&b.{b}").as_bytes());
        }
    }
}
