//! Short byte strings, and values of each two neighbouring bytes of each golden datagram, in every reader: none panics, and what
//! is accepted is written as the same bytes again.
//!
//! `EXHAUSTIVE=1 cargo test -p snapshot-replication --lib exhaustive -- --include-ignored --nocapture` tries all and prints what was accepted.

use super::golden::{FILE, bytes, lines};
use crate::connection::{Datagram, Dialer, Listener, VERSION};
use crate::extras::Extras;
use crate::partial::PartialNotes;
use crate::payload::{Part, read_to_server};
use crate::{RefusalReason, ShownInstant};

/// Tick of the packets in the golden payloads.
const TICK: u64 = 0x1234;

/// Reads bytes as the file of golden datagrams names them, and writes them again.
fn read(what: &str, bytes: &[u8]) -> Result<(), RefusalReason> {
    let mut written = Vec::new();
    match what {
        "datagram" => {
            let datagram = Datagram::read(bytes)?;
            written = datagram.bytes();
            // Another version's padding is its own; the answer to it says only which version there is.
            if matches!(datagram, Datagram::Hello { version, .. } if version != VERSION) {
                assert_eq!(written.len(), bytes.len());
                return Ok(());
            }
        }
        "extras" => {
            let (extras, rest) = Extras::read(TICK, bytes)?;
            extras.write(TICK, &mut written);
            written.extend_from_slice(rest);
        }
        "notes" => {
            let (notes, rest) = PartialNotes::read(TICK, bytes)?;
            notes.write(TICK, &mut written);
            written.extend_from_slice(rest);
        }
        "to-client" => {
            let parts = Part::read_all(bytes, Part::is_to_client)?;
            parts.iter().for_each(|part| part.write(&mut written));
            for part in parts {
                let _refused = match part {
                    Part::Packet {
                        has_extras: true,
                        bytes,
                        ..
                    } => read("extras", bytes),
                    Part::Partial { bytes, part: 0, .. } => read("notes", bytes),
                    _ => Ok(()),
                };
            }
        }
        _ => {
            let (number, parts) = read_to_server(bytes)?;
            written.extend(number.to_be_bytes());
            parts.iter().for_each(|part| part.write(&mut written));
        }
    }
    assert_eq!(written, bytes, "{what}");
    Ok(())
}

/// Numbers of accepted and of refused byte strings.
#[derive(Debug, Default)]
struct Counts {
    accepted: u64,
    refused: u64,
}

impl Counts {
    fn read(&mut self, what: &str, bytes: &[u8]) {
        match read(what, bytes) {
            Ok(()) => self.accepted += 1,
            Err(_) => self.refused += 1,
        }
    }

    /// Reads strings of that many bytes behind a prefix: each one of up to two bytes.
    fn read_all(&mut self, what: &str, prefix: &[u8], bytes: usize) {
        let mut string = [prefix, &[0; 3][..bytes]].concat();
        let step = if bytes < 3 { 1 } else { step() };
        for number in (0..1_u32 << (8 * bytes)).step_by(step) {
            string[prefix.len()..].copy_from_slice(&number.to_be_bytes()[4 - bytes..]);
            self.read(what, &string);
        }
    }
}

/// Returns the step between tried values where there are most: 1 with the variable `EXHAUSTIVE`, which takes two minutes.
fn step() -> usize {
    match std::env::var_os("EXHAUSTIVE") {
        Some(_) => 1,
        None => 61,
    }
}

const READERS: [&str; 5] = ["datagram", "to-client", "to-server", "extras", "notes"];

/// Reads strings of up to that many bytes, behind each first byte that a reader knows and without it.
fn short_strings(bytes_max: usize) {
    for what in READERS {
        let mut counts = Counts::default();
        (0..=bytes_max).for_each(|bytes| counts.read_all(what, &[], bytes));
        for kind in 0..=18 {
            let prefix: &[u8] = match what {
                "to-server" => &[0, 7, kind],
                _ => &[kind],
            };
            (0..=bytes_max).for_each(|bytes| counts.read_all(what, prefix, bytes));
        }
        println!("{what}, short: {counts:?}");
    }
}

#[test]
fn every_string_of_one_byte_is_read_or_refused() {
    short_strings(1);
}

#[test]
#[ignore = "a second, or half a minute"]
fn strings_of_three_bytes_are_read_or_refused() {
    short_strings(3);
}

/// Tries values of each two neighbouring bytes of each golden datagram, and each length of it.
#[test]
#[ignore = "a second, or half a minute"]
fn values_of_two_bytes_of_each_golden_datagram_are_read_or_refused() {
    for of in ["datagram", "to-client", "to-server"] {
        let mut counts = Counts::default();
        for [what, _, hex] in lines(FILE).filter(|[what, ..]| *what == of) {
            let golden = bytes(hex);
            for len in 0..=golden.len() {
                counts.read(what, &golden[..len]);
            }
            for at in 0..golden.len() {
                for value in (0..=u16::MAX).step_by(step()) {
                    let mut changed = golden.clone();
                    let count = 2.min(golden.len() - at);
                    changed[at..][..count].copy_from_slice(&value.to_be_bytes()[..count]);
                    counts.read(what, &changed);
                }
            }
        }
        println!("{of}, golden ones changed: {counts:?}");
        assert!(counts.accepted > 0 && counts.refused > 0);
    }
}

/// Tries every kind of datagram at every length up to that of the longest proof, filled with one byte.
#[test]
fn every_kind_is_read_or_refused_at_every_length() {
    let mut counts = Counts::default();
    for kind in 0..=u8::MAX {
        for len in 0..=560 {
            for filler in [0, 1, 3, 0xff] {
                let mut datagram = vec![filler; len];
                if let Some(first) = datagram.first_mut() {
                    *first = kind;
                }
                counts.read("datagram", &datagram);
            }
        }
    }
    println!("{counts:?}");
    assert!(counts.accepted > 1000 && counts.refused > 1000);
}

/// Gives every string of up to three bytes to both ends of a connection, and to the reader of shown instants.
#[test]
#[ignore = "seconds of a core"]
fn no_string_of_three_bytes_is_a_datagram() {
    let mut listener: Listener<u8> = Listener::new(5, [7; 16], 4);
    let mut dialer = Dialer::new(5, b"token", 1);
    for bytes in 0..=3 {
        for number in 0..1_u32 << (8 * bytes) {
            let string = &number.to_be_bytes()[4 - bytes..];
            let refused = listener.receive(1.0, &9, None, string);
            assert_eq!(refused.err(), Some(RefusalReason::Malformed));
            let refused = dialer.receive(1.0, string);
            assert_eq!(refused.err(), Some(RefusalReason::Malformed));
            assert_eq!(ShownInstant::from_bytes(string), None);
        }
    }
}
