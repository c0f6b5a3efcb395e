//! A link's content is read, bounded, and written again.

use super::*;
use proptest::prelude::*;

#[test]
fn impossible_parts_of_a_link_are_told_and_left_out() {
    for line in include_str!("refused.txt").lines().skip(1) {
        let [text, value, takes] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let (link, notices) = parse(text);
        let [message] = &notices.iter().map(ToString::to_string).collect::<Vec<_>>()[..] else {
            panic!("{text}: {notices:?}");
        };
        let refused = format!("\" cannot be \"{value}\": ");
        assert!(
            message.contains(&refused) && message.contains(takes),
            "{message}"
        );
        assert!(message.ends_with("; it is left out"), "{message}");
        assert_eq!(
            (link.a.start_tick, link.camera, link.show),
            (None, None, None)
        );
        assert!(link.recorded.is_empty());
    }
    let message = parse("b.nonsense=1").1[0].to_string();
    assert_eq!(message, "There is no setting \"nonsense\"; it is left out");
    let long = "x".repeat(MOST_BYTES + 1);
    assert_eq!(parse(&long).1, [Notice::TooLong(MOST_BYTES)]);
    let notices = parse(&"x&".repeat(1000)).1;
    assert_eq!(notices.len(), MOST_NOTICES + 1);
    assert_eq!(notices.last(), Some(&Notice::More(980)));
    let (link, notices) = parse("limits=kbps-64_networks-own.wifi-busy");
    assert_eq!(
        (link.limits.kbps, notices),
        (Some(64.0), vec![Notice::Networks])
    );
    let (link, notices) = parse("cut=1-2&cut=5");
    assert_eq!(link.recorded.cuts, [1..=2]);
    assert_eq!(notices, [Notice::Twice("cut".to_string())]);
    assert!(parse("b=a").0.b.is_some());
    assert_eq!(parse("motion=0012abCD").0.motion, Some(0x0012_abcd));
    let pile = parse("motion=pile&at=9").0;
    assert_eq!(pile.motion, Some(crate::pile::FINGERPRINT));
    assert_eq!(format(&pile), "v=2&at=9&motion=pile");
}

#[test]
fn an_offset_into_a_trace_is_read_and_written_in_seconds() {
    for (text, ms, again) in [
        ("12.5", 12_500, "12.5"),
        ("0.0004", 0, ""),
        ("007.1234", 7123, "7.123"),
    ] {
        let (link, notices) = parse(&format!("trace=0123abcd&trace-from={text}"));
        assert_eq!((link.trace_from_ms, notices), (ms, vec![]), "{text}");
        let written = format(&link);
        assert_eq!(
            written
                .split_once("&trace-from=")
                .map_or("", |(_, text)| text),
            again
        );
        assert_eq!(parse(&written).0, link);
    }
}

#[test]
fn a_percent_encoded_link_is_read_as_it_is_shown() {
    let plain = "v=2&b.hz=20&at=900&views=one-62&show=bits&cut=601-720&tape=420.C~B";
    let encode = |letter: char| format!("%{:02x}", letter as u32);
    let (link, notices) = parse(&plain.chars().map(encode).collect::<String>());
    assert_eq!((notices, format(&link).as_str()), (vec![], plain));
    let (_, notices) = parse("#h%C3%A4=%32");
    assert_eq!(
        notices[0].to_string(),
        "There is no setting \"hä\"; it is left out"
    );
}

#[test]
fn what_a_person_did_comes_last_and_is_read_again() {
    let text = "v=2&b.hz=20&from=300&at=900&camera=-30_25_1200&views=one-62&split=40&show=bits&shade=age&ghost=0&embed=1&cut=601-720&drop=57.60-62&b.deliver=3&tape=420.CLB";
    let (link, notices) = parse(text);
    assert_eq!(notices, []);
    assert_eq!(format(&link), text);
    assert_eq!(
        (link.a.start_tick, link.recorded.last_tick()),
        (Some(300), 720)
    );
    assert_eq!(parse(&format!("{text}\n")).0, link);
}

proptest! {
    #[test]
    fn any_acts_are_read_and_survive_their_own_link(text in "(tape|cut|drop|b.deliver|from|b.from|at|camera|views|split|shade|ghost|embed|motion=0123abcd&drop|trace=0123abcd&trace-from)=[0-9A-Za-z._~%-]{0,30}", at in 0..40_000_u64) {
        fuzz(text.as_bytes());
        fuzz(format!("at={at}&{text}&{text}").as_bytes());
        fuzz(format!("tape={at}.{}", text.split_once('=').unwrap().1).as_bytes());
    }

    #[test]
    fn any_text_is_read_and_survives_its_own_link(text in ".{0,200}", b in "(b\\.)?(hz|interp|codec|strategy|at|show|b|seed|motion|pos-small|rot-large)=[a-z0-9]{1,6}") {
        fuzz(text.as_bytes());
        fuzz(b.as_bytes());
        fuzz(format!("{b}&b.strategy=lockstep&b.{b}").as_bytes());
    }
}

#[test]
fn a_link_to_a_motion_may_ask_for_a_later_instant_than_one_to_our_own_world() {
    let late = format!(
        "#at={LATEST_MOTION_TICK}&packet=70000&from=40000&drop=36000-72000&b.deliver=71000&cut=70000"
    );
    let (link, notices) = parse(&late);
    assert_eq!((link.at, link.packet, notices.len()), (None, None, 6));
    assert!(!link.has_acts() && link.a.start_tick.is_none());
    let (link, notices) = parse(&format!("{late}&motion=0123abcd"));
    assert_eq!(
        (link.at, link.packet),
        (Some(LATEST_MOTION_TICK), Some(70_000))
    );
    assert_eq!(link.a.overrides.iter().count(), 36_001);
    assert_eq!((notices, parse(&format(&link)).0), (vec![], link));
    let (link, notices) = parse(&format!("#motion=0123abcd&at={}", LATEST_MOTION_TICK + 1));
    assert_eq!((link.at, notices.len()), (None, 1));
}
