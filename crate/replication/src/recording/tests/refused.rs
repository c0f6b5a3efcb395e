//! Bytes that are refused, each with its sentence.

use super::*;
use crate::recording::calls::{ClientArguments, ServerArguments};
use crate::recording::recorded_settings::RecordedSettings;
use serde::Serialize;

fn recording(kind: &str, arguments: &impl Serialize, records: &[u8]) -> Vec<u8> {
    [Writer::new(kind, arguments, 0).bytes(), records].concat()
}

fn of_client(token: &[u8], records: &[u8]) -> Vec<u8> {
    let arguments = ClientArguments {
        keeps_messages: false,
        settings: RecordedSettings::new(&Settings::new(2)).unwrap(),
        nonce: 7,
        token,
    };
    recording("client", &arguments, records)
}

fn of_server(records: &[u8]) -> Vec<u8> {
    let arguments = ServerArguments {
        keeps_messages: false,
        settings: RecordedSettings::new(&Settings::new(2)).unwrap(),
    };
    recording("server", &arguments, records)
}

/// A client's finished recording without calls, changed.
fn ended(change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut client = Client::recorded(Settings::new(2), b"", 7, 999).unwrap();
    let mut recording = client.take_recording().unwrap();
    change(&mut recording);
    recording
}

/// A server's tick at 0 ms, with these bytes for tick, objects and interests.
fn tick(content: &[u8]) -> Vec<u8> {
    let record = [&[0, 4], content].concat();
    of_server(&[&[record.len() as u8], &record[..]].concat())
}

#[test]
fn bytes_that_are_no_recording_are_refused_by_name() {
    const NONE: &str = "no recording of a client or a server";
    const CUT: &str = "a recording that ends within a record";
    const ARGUMENTS: &str = "a recording without the arguments of its kind";
    const FORM: &str = "a recording whose record 1 is of another form";
    const AFTER: &str = "a recording with bytes after record 1";
    const TOO_LONG: &str = "a recording whose record 1 is too long";
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
        (recording("server", &(), &[]), ARGUMENTS),
        (
            recording("guest", &(), &[]),
            "a recording of the unknown kind \"guest\"",
        ),
        (
            recording("server", &(0_u8, vec![0.0_f64], 0_u8, 0_u8), &[]),
            "a recording with refused settings: objects is none of its values",
        ),
        (
            of_client(&[0; 513], &[]),
            "a recording with refused a token of more than 512 bytes",
        ),
        // A length that ends too early, has more bytes than it may, or says more than there are.
        (of_client(b"", &[0x80]), CUT),
        (of_client(b"", &[0xff; 10]), TOO_LONG),
        (of_client(b"", &[0xff, 0xff, 0xff, 0xff, 0x0f]), TOO_LONG),
        (of_client(b"", &[3, 0, 8]), CUT),
        // A call without its end, an unknown record, an unknown call, and a call with more bytes.
        (of_client(b"", &[0]), FORM),
        (of_client(b"", &[1, 3]), FORM),
        (of_client(b"", &[2, 0, 12]), FORM),
        (of_client(b"", &[3, 0, 0, 1]), FORM),
        (of_client(b"", &[3, 0, 8, 0]), AFTER),
        (of_client(b"", &[6, 0, 11, 0, 0, 0, 0]), AFTER),
        (of_server(&[2, 0, 10]), FORM),
        (of_server(&[5, 0, 2, 1, 1, 0xff]), FORM),
        // Lists that say more elements than there are bytes.
        (tick(&[1, 0xff, 0xff, 0xff, 0xff, 0x0f]), FORM),
        (tick(&[1, 0, 0xff, 0xff, 0xff, 0xff, 0x0f]), FORM),
        (tick(&[1, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f]), FORM),
        (tick(&[1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f]), FORM),
        // Objects of a tick that are not in the one before, a change of none, an unknown word, differences too few and too many,
        // and an answer that the server does not ask for.
        (tick(&[1, 1, 0, 0, 1, 0, 0, 0]), CALL),
        (tick(&[1, 0, 1, 0, 1, 1, 0, 0]), CALL),
        (
            tick(&[
                1, 1, 1, 7, 1, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02, 1, 0, 0,
            ]),
            CALL,
        ),
        (tick(&[1, 1, 1, 7, 1, 0, 3, 1, 2, 0]), CALL),
        (tick(&[1, 1, 1, 7, 1, 0, 1, 2, 2, 2, 0]), CALL),
        (tick(&[1, 0, 0, 0, 1, 0, 0]), CALL),
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
