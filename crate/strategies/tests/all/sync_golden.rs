//! Sync packets that were written once and stay as they are: `sync_golden.txt` is decoded and encoded again.
//!
//! A change of the format is made on purpose: `GOLDEN=write cargo test -p snapshot-strategies --test all sync_golden` writes the
//! file anew, and FORMAT.md follows.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::sync_scenes::{Scene, scenes};
use snapshot_codec::{Bounds, CubeState, Kind, Ledger, Life, QuantisationBits};
use snapshot_strategies::sync::{Compression, SyncDecoder, SyncEncoder, SyncFormat, SyncPacket};

const FILE: &str = include_str!("../sync_golden.txt");

/// The layout of the file, for those who read it without this program.
const LAYOUT: &str = "\
# Sync packets of FORMAT.md, each with what it decodes to. Lines that begin with # are comments.
# The words of a line are separated by one blank. All numbers are decimal, but for the bytes of a packet.
#
# format POS ROT VEL CUBES RELATIVE DELTA VELOCITIES PLAYER
#   begins a stream: the bits of positions, orientations and velocities, the number of cubes, the three switches of
#   section S1 as 0 or 1, and the player's index, or - where nobody is the player.
# bounds LOWER-X UPPER-X LOWER-Y UPPER-Y LOWER-Z UPPER-Z
#   the bounds of the stream before, m, where they are not those of section 1.
# packet SEQUENCE HEX
# lost SEQUENCE HEX
#   a packet of the stream: its sequence, its bytes. The receiver accepts a packet, and it is acknowledged before the
#   next is sent. A lost one can be decoded as well, but the receiver does not accept it.
# inputs INPUT...
#   the inputs of the packet before, newest first.
# update INDEX BASELINE AT-REST X Y Z LARGEST A B C VX VY VZ WX WY WZ
#   an update of the packet before, in its order, with the sequence of its baseline, or - where it has none. Integers are
#   in the steps of the format; W is the angular velocity. A velocity that is not sent is 0.
";

/// Bits of a packet at most.
const BITS_MAX: u64 = 2400;

/// The stream's format, then for each packet its sequence, its bytes, its inputs and its updates.
fn write(scene: &Scene) -> String {
    let words = |numbers: &mut dyn Iterator<Item = i64>| {
        numbers.map(|n| n.to_string()).collect::<Vec<_>>().join(" ")
    };
    let format = &scene.format;
    let (bits, compression) = (format.bits(), format.compression());
    let player = format
        .player()
        .map_or("-".to_string(), |player| player.to_string());
    let mut text = format!(
        "format {} {} {} {} {} {} {} {player}\n",
        bits.position(),
        bits.orientation(),
        bits.velocity(),
        format.cube_count(),
        u8::from(compression.relative),
        u8::from(compression.delta),
        u8::from(format.velocities()),
    );
    if format.bounds() != Bounds::DEFAULT {
        let (lower, upper) = (format.bounds().lower(), format.bounds().upper());
        let ends = (0..3).flat_map(|i| [lower[i], upper[i]]);
        text += &format!("bounds {}\n", words(&mut ends.map(i64::from)));
    }
    send(scene, &mut Ledger::new(), |arrives, bytes, packet| {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let kind = if arrives { "packet" } else { "lost" };
        text += &format!("{kind} {} {hex}\n", packet.sequence);
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
    });
    text
}

/// Sends the packets of a scene, and shows each of them: whether it arrives, its bytes, and what it says.
fn send(scene: &Scene, ledger: &mut Ledger, mut show: impl FnMut(bool, &[u8], &SyncPacket)) {
    let (mut sender, mut receiver) = (
        SyncEncoder::new(scene.format),
        SyncDecoder::new(scene.format),
    );
    let mut bytes = Vec::new();
    for step in &scene.steps {
        let cubes = step.cubes.iter().copied();
        let packet = sender
            .encode(
                step.sequence,
                &step.inputs,
                cubes,
                BITS_MAX,
                &mut bytes,
                Some(ledger),
            )
            .expect("quantised")
            .clone();
        show(step.arrives, &bytes, &packet);
        if step.arrives {
            receiver.accept(&packet);
            sender.ack(receiver.ack().expect("accepted"), |_, _| ());
        }
    }
}

#[test]
fn golden_packets_are_encoded_as_ever() {
    let text = LAYOUT.to_owned() + &scenes().iter().map(write).collect::<String>();
    if std::env::var("GOLDEN").as_deref() == Ok("write") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sync_golden.txt");
        return std::fs::write(path, text).unwrap();
    }
    assert!(text == FILE, "sync packets are no longer what they were");
}

#[test]
fn every_rule_occurs_in_the_golden_packets() {
    let mut rules = BTreeSet::new();
    for scene in scenes() {
        let mut ledger = Ledger::with_spans();
        send(&scene, &mut ledger, |_, _, _| ());
        rules.extend(ledger.spans().iter().map(|span| (span.kind, span.rule)));
    }
    let parts = |kind: Kind, names: [&str; 3]| {
        ["absolute", "small", "large"]
            .map(|range| names.map(|name| (kind, format!("{name} {range}"))))
    };
    let vectors = [Kind::Position, Kind::LinearVelocity, Kind::AngularVelocity]
        .map(|kind| parts(kind, ["x", "y", "z"]));
    let orientation = parts(Kind::Orientation, ["a", "b", "c"]);
    let flags = [
        (Kind::Header, "acked age"),
        (Kind::Header, "baseline offset"),
        (Kind::Input, "same input"),
        (Kind::Flags, "same"),
        (Kind::Position, "relative position"),
        (Kind::Orientation, "relative orientation"),
        (Kind::Orientation, "largest"),
        (Kind::LinearVelocity, "relative linear velocity"),
        (Kind::AngularVelocity, "relative angular velocity"),
    ]
    .map(|(kind, rule)| (kind, rule.to_string()));
    let expected = vectors
        .as_flattened()
        .iter()
        .chain(&orientation)
        .flatten()
        .chain(&flags);
    for (kind, rule) in expected {
        assert!(
            rules.contains(&(*kind, rule.as_str())),
            "{kind:?} {rule} never occurs"
        );
    }
}

/// Section S4: the last four integers of a state of the codec's file are its orientation, settled.
#[test]
fn orientations_settle_as_ever() {
    let (mut format, mut states) = (None, 0);
    let file = include_str!("../../../codec/tests/quantised.txt");
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] == "bits" {
            let n: Vec<u32> = words[1..]
                .iter()
                .map(|word| word.parse().unwrap())
                .collect();
            let bits = QuantisationBits::new(n[0], n[1], n[2]).unwrap();
            format = Some(SyncFormat::new(bits, 1, Compression::default(), true).unwrap());
            continue;
        }
        let hex = |word: &&str| f32::from_bits(u32::from_str_radix(word, 16).unwrap());
        let floats: Vec<f32> = words[1..14].iter().map(hex).collect();
        let integers: Vec<i32> = words[14..31]
            .iter()
            .map(|word| word.parse().unwrap())
            .collect();
        let state = CubeState {
            position: floats[..3].try_into().unwrap(),
            orientation: floats[3..7].try_into().unwrap(),
            linear_velocity: floats[7..10].try_into().unwrap(),
            angular_velocity: floats[10..].try_into().unwrap(),
            interacting: false,
            at_rest: false,
            life: Life::default(),
        };
        let body = format.unwrap().quantise(&state);
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
