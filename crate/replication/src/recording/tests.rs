//! Recordings of any kind, and bytes that are no recording. Games that are recorded are in the tests of the crate.

use super::*;
use crate::{Client, Settings};
use serde::Serialize;

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

fn recording(kind: &str, arguments: &impl Serialize, records: &[u8]) -> Vec<u8> {
    [Writer::new(kind, arguments, 0).bytes(), records].concat()
}

/// A client's recording. Its settings have the number of objects alone, and no later number.
fn of_settings(objects: f64, token: &[u8], records: &[u8]) -> Vec<u8> {
    let arguments = (false, vec![objects], 0_u8, 0_u8, 7_u64, token);
    recording("client", &arguments, records)
}

fn of_client(records: &[u8]) -> Vec<u8> {
    of_settings(2.0, b"", records)
}

/// A client's finished recording without calls, changed.
fn ended(change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut client = Client::recorded(Settings::new(2), b"", 7, 999).unwrap();
    let mut recording = client.take_recording().unwrap();
    change(&mut recording);
    recording
}

#[test]
fn bytes_that_are_no_recording_are_refused_by_name() {
    const NONE: &str = "no recording";
    const CUT: &str = "a recording that ends within a record";
    const ARGUMENTS: &str = "a recording without the arguments of its kind";
    const FORM: &str = "a recording whose record 1 is of another form";
    const CALL: &str = "a recording whose call 1 cannot be repeated";
    let last = |bytes: &mut Vec<u8>| *bytes.last_mut().unwrap() ^= 1;
    let disturbed = |bytes: &mut Vec<u8>| {
        let in_hash = bytes.len() - 12;
        bytes[in_hash] ^= 1;
    };
    let refused = [
        (b"".to_vec(), NONE),
        (b"SREC".to_vec(), NONE),
        (b"SREX\x02".to_vec(), NONE),
        (b"SREC\x01\x06client".to_vec(), "a recording of version 1"),
        (b"SREC\x03".to_vec(), "a recording of version 3"),
        (b"SREC\x02".to_vec(), CUT),
        (b"SREC\x02\x06cli".to_vec(), CUT),
        (b"SREC\x02\x06client\x05".to_vec(), CUT),
        (b"SREC\x02\x01\xff\x00".to_vec(), ARGUMENTS),
        (recording("client", &(), &[]), ARGUMENTS),
        (recording("client", &[2_u8; 9], &[]), ARGUMENTS),
        (
            recording("guest", &(), &[]),
            "a recording of the unknown kind \"guest\"",
        ),
        // A recording of a server, as an earlier recorder wrote it: its settings, and a call.
        (
            recording("server", &(0_u8, vec![2.0_f64], 0_u8, 0_u8), &[2, 0, 3]),
            "a recording of a server, which this version does not replay",
        ),
        (
            of_settings(0.0, b"", &[]),
            "a recording with refused settings: objects is none of its values",
        ),
        (
            of_settings(2.0, &[0; 513], &[]),
            "a recording with refused a token of more than 512 bytes",
        ),
        // A length that ends too early, has more bytes than it may, or says more than there are.
        (of_client(&[0x80]), CUT),
        (of_client(&[0xff; 10]), FORM),
        (of_client(&[0xff, 0xff, 0xff, 0xff, 0x0f]), FORM),
        (of_client(&[3, 0, 8]), CUT),
        // A call without its end, an unknown record, an unknown call, and a call with more bytes.
        (of_client(&[0]), FORM),
        (of_client(&[1, 3]), FORM),
        (of_client(&[2, 0, 12]), FORM),
        (of_client(&[3, 0, 0, 1]), FORM),
        (of_client(&[3, 0, 8, 0]), FORM),
        (of_client(&[6, 0, 11, 0, 0, 0, 0]), FORM),
        // A list that says more elements than there are bytes, and a playout with settings for no objects.
        (of_client(&[7, 0, 11, 0xff, 0xff, 0xff, 0xff, 0x0f]), FORM),
        (
            of_client(&[13, 0, 11, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            CALL,
        ),
        (
            ended(|bytes| bytes.push(0)),
            "a recording with bytes after its end",
        ),
        (ended(last), "a damaged recording"),
        (ended(disturbed), "a damaged recording"),
    ];
    for (at, (bytes, sentence)) in refused.iter().enumerate() {
        let error = replay(bytes).map_err(|error| error.to_string());
        assert_eq!(error.err().as_deref(), Some(*sentence), "{at}");
    }
}
