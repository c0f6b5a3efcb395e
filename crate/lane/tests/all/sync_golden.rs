//! Sync packets that were written once and stay as they are: `sync_golden.txt` has each with its content, which is decoded
//! and encoded again.
//!
//! A change of the format is made on purpose: `GOLDEN=write cargo test -p snapshot-lane --test all sync_golden` writes the
//! bytes of each content anew, and FORMAT.md follows.

use crate::lines::{hex_of, numbers, sync_format};
use snapshot_codec::{Bounds, CubeState, GridState, QuantisationBits};
use snapshot_lane::strategy::sync::{Compression, SyncDecoder, SyncFormat, SyncPacket, Update};

const FILE: &str = include_str!("../sync_golden.txt");

/// Greatest age of the newest acknowledged packet that a packet names, frames (section S2).
const ACKED_AGE_MAX: u32 = 256;

/// The update of a line of the file, without its first word.
fn update(words: &[&str]) -> Update {
    let n: Vec<i32> = numbers(&words[3..]);
    Update {
        index: words[0].parse().unwrap(),
        baseline: words[1].parse().ok(),
        body: GridState {
            position: n[0..3].try_into().unwrap(),
            orientation: n[3..7].try_into().unwrap(),
            linear_velocity: n[7..10].try_into().unwrap(),
            angular_velocity: n[10..13].try_into().unwrap(),
            at_rest: words[2] == "1",
        },
    }
}

#[test]
fn golden_packets_are_encoded_and_decoded_as_ever() {
    let mut format = SyncFormat::new(QuantisationBits::DEFAULT, 1, Compression::default(), true);
    let (mut receiver, mut newest) = (SyncDecoder::new(format.unwrap()), None::<u32>);
    let (mut text, mut packets) = (String::new(), 0);
    let mut lines = FILE.lines().peekable();
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split(' ').collect();
        let [kind @ ("packet" | "lost"), sequence, hex] = words[..] else {
            text += &format!("{line}\n");
            match words[..] {
                ["format", ref rest @ ..] => format = Ok(sync_format(rest)),
                ["bounds", ref ends @ ..] => {
                    let n: Vec<i32> = numbers(ends);
                    let bounds = Bounds::new([n[0], n[2], n[4]], [n[1], n[3], n[5]]).unwrap();
                    format = format.map(|format| SyncFormat {
                        grid: format.grid.with_bounds(bounds).unwrap(),
                        ..format
                    });
                }
                _ => assert!(line.starts_with('#'), "{line}"),
            }
            (receiver, newest) = (SyncDecoder::new(format.unwrap()), None);
            continue;
        };
        let sequence: u32 = sequence.parse().unwrap();
        let is_recent = |acked: &u32| sequence.wrapping_sub(*acked) <= ACKED_AGE_MAX;
        let has_deltas = format.unwrap().compression.delta;
        let mut packet = SyncPacket {
            sequence,
            acked: newest.filter(|acked| has_deltas && is_recent(acked)),
            ..SyncPacket::default()
        };
        let mut content = String::new();
        let is_content = |line: &&str| line.starts_with("inputs ") || line.starts_with("update ");
        while let Some(line) = lines.next_if(is_content) {
            content += &format!("{line}\n");
            let words: Vec<&str> = line.split(' ').collect();
            match words[0] {
                "inputs" => packet.inputs = numbers(&words[1..]),
                _ => packet.updates.push(update(&words[1..])),
            }
        }
        let bytes = receiver.encode_again(&mut packet);
        let written = hex_of(&bytes);
        text += &format!("{kind} {sequence} {written}\n{content}");
        if std::env::var("GOLDEN").is_err() {
            assert_eq!(written, hex, "packet {sequence}");
            let mut decoded = SyncPacket::default();
            receiver.decode(&bytes, sequence, &mut decoded).unwrap();
            assert_eq!(decoded, packet);
        }
        if kind == "packet" {
            receiver.accept(&packet);
            newest = Some(sequence);
        }
        packets += 1;
    }
    if std::env::var("GOLDEN").as_deref() == Ok("write") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sync_golden.txt");
        std::fs::write(path, text).unwrap();
    }
    assert!(packets > 100, "{packets}");
}

/// Section S4: the last four integers of a state of the codec's file are its orientation, settled.
#[test]
fn orientations_settle_as_ever() {
    let (mut format, mut states) = (None, 0);
    let file = include_str!("../../../codec/tests/quantised.txt");
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] == "bits" {
            let n: Vec<u32> = numbers(&words[1..]);
            let bits = QuantisationBits::new(n[0], n[1], n[2]).unwrap();
            format = Some(SyncFormat::new(bits, 1, Compression::default(), true).unwrap());
            continue;
        }
        let hex = |word: &&str| f32::from_bits(u32::from_str_radix(word, 16).unwrap());
        let floats: Vec<f32> = words[1..14].iter().map(hex).collect();
        let integers: Vec<i32> = numbers(&words[14..31]);
        let state = CubeState {
            position: floats[..3].try_into().unwrap(),
            orientation: floats[3..7].try_into().unwrap(),
            linear_velocity: floats[7..10].try_into().unwrap(),
            angular_velocity: floats[10..].try_into().unwrap(),
            ..CubeState::default()
        };
        let body = format.unwrap().grid.quantise(&state);
        let moved = [body.linear_velocity, body.angular_velocity].concat();
        assert_eq!(
            (&body.position[..], &moved[..], &body.orientation[..]),
            (&integers[..3], &integers[7..13], &integers[13..]),
            "{line}"
        );
        states += 1;
    }
    assert_eq!(states, 108);
}
