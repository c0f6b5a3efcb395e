//! Sync packets that were written once and stay as they are: `sync_golden.txt` is decoded and encoded again.
//!
//! A change of the format is made on purpose: `GOLDEN=write cargo test -p snapshot-codec --test sync_golden` writes the
//! file anew, and FORMAT.md follows.

use std::fmt::Write;

use snapshot_codec::fuzz::{CHOICE_BYTES, sync_cubes, sync_format};
use snapshot_codec::sync::{Ack, Body, Format, Packet, Receiver, Sender};
use snapshot_codec::{Kind, Ledger};

const FILE: &str = include_str!("sync_golden.txt");

/// Sequences of the packets; each but the second arrives and is acknowledged before the next. They cross the wrap.
const SEQUENCES: [u32; 5] = [u32::MAX - 2, u32::MAX - 1, u32::MAX, 0, 9];
const LOST: u32 = SEQUENCES[1];

/// Choices of [`sync_format`]: all switches with 12, 15 and 12 bits and 16 cubes; the fewest bits; a cube alone.
fn choices() -> Vec<[u8; CHOICE_BYTES]> {
    let at_default = (0..8).map(|switches| [switches, 1, 12]);
    at_default.chain([[3, 2, 12], [3, 0, 0]]).collect()
}

/// Cubes at a step; one of them stays where it lies, so that "same" occurs.
fn cubes(format: &Format, step: usize) -> Vec<(usize, Body)> {
    sync_cubes(format, if step == 4 { 3 } else { step })
}

fn inputs(step: usize) -> &'static [u8] {
    [&[1][..], &[1, 1], &[5, 1, 1], &[16, 5, 5, 63], &[0; 32]][step]
}

/// The format's choices, then for each packet its sequence, its bytes, its inputs and its updates.
fn write(choices: &[u8; CHOICE_BYTES]) -> String {
    let words = |numbers: &mut dyn Iterator<Item = i64>| {
        numbers.map(|n| n.to_string()).collect::<Vec<_>>().join(" ")
    };
    let mut text = format!("format {}\n", words(&mut choices.iter().map(|&c| c.into())));
    let format = sync_format(choices);
    let (mut sender, mut receiver) = (Sender::new(format), Receiver::new(format));
    let mut bytes = Vec::new();
    for (step, sequence) in SEQUENCES.into_iter().enumerate() {
        let packet = sender
            .encode(
                sequence,
                inputs(step),
                cubes(&format, step),
                2400,
                &mut bytes,
                &mut Ledger::new(),
            )
            .expect("quantised");
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        text += &format!("packet {sequence} {hex}\n");
        text += &format!(
            "inputs {}\n",
            words(&mut packet.inputs.iter().map(|&i| i.into()))
        );
        for update in &packet.updates {
            let body = &update.body;
            let vectors = [
                &body.position[..],
                &body.orientation,
                &body.linear_velocity,
                &body.angular_velocity,
            ]
            .concat();
            let fields = words(&mut vectors.into_iter().map(i64::from));
            let baseline = update.baseline.map_or("-".to_string(), |b| b.to_string());
            let rest = u8::from(body.at_rest);
            writeln!(text, "update {} {baseline} {rest} {fields}", update.index).expect("a string");
        }
        if sequence != LOST {
            receiver.accept(&packet.clone());
            sender.ack(receiver.ack().expect("accepted"), |_, _| ());
        }
    }
    text
}

#[test]
fn golden_packets_are_encoded_as_ever() {
    let text: String = choices().iter().map(write).collect();
    if std::env::var("GOLDEN").as_deref() == Ok("write") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sync_golden.txt");
        return std::fs::write(path, text).unwrap();
    }
    assert!(text == FILE, "sync packets are no longer what they were");
}

#[test]
fn golden_packets_are_decoded_as_ever() {
    let mut receiver = None;
    let (mut packet, mut left, mut packets) = (Packet::default(), Vec::new(), 0);
    let numbers =
        |words: &[&str]| -> Vec<i64> { words.iter().map(|w| w.parse().unwrap()).collect() };
    for line in FILE.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["format", ref rest @ ..] => {
                let n: Vec<u8> = numbers(rest).into_iter().map(|n| n as u8).collect();
                receiver = Some(Receiver::new(sync_format(&n.try_into().unwrap())));
            }
            ["packet", sequence, hex] => {
                assert!(left.is_empty(), "{left:?}");
                let bytes = (0..hex.len()).step_by(2);
                let bytes: Vec<u8> = bytes
                    .map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap())
                    .collect();
                let receiver = receiver.as_mut().unwrap();
                let sequence = sequence.parse().unwrap();
                receiver.decode(&bytes, sequence, &mut packet).unwrap();
                assert_eq!(packet.sequence, sequence);
                if packet.sequence != LOST {
                    receiver.accept(&packet);
                }
                left = packet.updates.iter().rev().copied().collect();
                packets += 1;
            }
            ["inputs", ref inputs @ ..] => {
                let inputs: Vec<u8> = numbers(inputs).into_iter().map(|n| n as u8).collect();
                assert_eq!(packet.inputs, inputs);
            }
            ["update", index, baseline, rest, ref fields @ ..] => {
                let update = left.pop().unwrap();
                assert_eq!(update.index, index.parse::<usize>().unwrap());
                assert_eq!(update.baseline, baseline.parse().ok());
                let n: Vec<i32> = numbers(fields).into_iter().map(|n| n as i32).collect();
                let body = Body {
                    position: n[0..3].try_into().unwrap(),
                    orientation: n[3..7].try_into().unwrap(),
                    linear_velocity: n[7..10].try_into().unwrap(),
                    angular_velocity: n[10..13].try_into().unwrap(),
                    at_rest: rest == "1",
                };
                assert_eq!(update.body, body);
            }
            _ => panic!("{line}"),
        }
    }
    assert!(left.is_empty());
    assert_eq!(packets, choices().len() * SEQUENCES.len());
}

#[test]
fn every_rule_occurs_in_the_golden_packets() {
    let mut rules = std::collections::BTreeSet::new();
    for choices in choices() {
        let format = sync_format(&choices);
        let (mut sender, mut receiver) = (Sender::new(format), Receiver::new(format));
        let mut bytes = Vec::new();
        for (step, sequence) in SEQUENCES.into_iter().enumerate() {
            let mut ledger = Ledger::with_spans();
            let cubes = cubes(&format, step);
            let packet = sender
                .encode(sequence, inputs(step), cubes, 2400, &mut bytes, &mut ledger)
                .expect("quantised");
            rules.extend(ledger.spans().iter().map(|span| (span.kind, span.rule)));
            if sequence != LOST {
                receiver.accept(&packet.clone());
                sender.ack(receiver.ack().expect("accepted"), |_, _| ());
            }
        }
    }
    for rule in [
        (Kind::Header, "acked age"),
        (Kind::Header, "baseline offset"),
        (Kind::Input, "same input"),
        (Kind::Flags, "same"),
        (Kind::Position, "x absolute"),
        (Kind::Position, "x small"),
        (Kind::Position, "z large"),
        (Kind::Orientation, "largest"),
        (Kind::Orientation, "a small"),
        (Kind::LinearVelocity, "relative linear velocity"),
        (Kind::AngularVelocity, "x absolute"),
    ] {
        assert!(rules.contains(&rule), "{rule:?} never occurs");
    }
}

#[test]
fn golden_ack() {
    let ack = Ack {
        newest: 258,
        earlier: 5,
    };
    assert_eq!(ack.to_bytes(), [0, 0, 1, 2, 0, 0, 0, 5]);
}
