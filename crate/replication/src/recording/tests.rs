//! Recordings of any kind, and bytes that are no recording. Games that are recorded are in the tests of the crate.

use super::*;
use crate::{Client, Settings};

mod refused;

#[test]
fn a_setting_that_no_recording_holds_is_named() {
    let settings = Settings {
        clients: 70_000,
        ..Settings::new(3)
    };
    let refused = Client::recorded(settings, b"", 7, 9).map(drop);
    let number = refused.unwrap_err().number();
    let name = crate::error_name(number).unwrap().to_str().unwrap();
    assert_eq!(name, "settings: clients is none of its values");
}

#[test]
fn other_kinds_use_the_format() {
    let mut writer = Writer::new("guest", &"a link", 1000);
    writer.call(Some(20.0), &"abc");
    writer.hashes.add_shown([7]);
    writer.call(Some(1020.5), &"");
    let recording = writer.finish();
    let refused = replay(&recording).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "a recording of the unknown kind \"guest\""
    );
    let mut calls = Vec::new();
    let reader = Reader::new(&recording).unwrap();
    assert_eq!(reader.arguments(), Ok("a link"));
    let replay = replay_as(&reader, |now_ms, call: &str, hashes| {
        calls.push((now_ms, call.to_owned()));
        (call == "abc").then(|| hashes.add_shown([7])).or(Some(()))
    });
    let replay = replay.unwrap();
    assert_eq!(calls, [(20.0, "abc".to_owned()), (1020.5, String::new())]);
    assert_eq!(
        (replay.difference, replay.duration_ms, replay.shows),
        (None, 1000.5, 1)
    );
}
