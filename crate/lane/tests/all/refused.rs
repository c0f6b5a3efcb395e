//! Packets that FORMAT.md refuses: `refused.txt` names each refusal, with twins that are taken.
//!
//! The file is written by hand. `tests/decoder` reads it too.

use std::collections::BTreeSet;

use crate::fields::packet_of_words as packet;
use crate::lines::sync_format;
use snapshot_lane::strategy::DecodeError;
use snapshot_lane::strategy::lockstep::decode_inputs;
use snapshot_lane::strategy::sync::{SyncAck, SyncDecoder, SyncFormat, SyncPacket};

const FILE: &str = include_str!("../refused.txt");

/// The receiver that tries the packets of a group.
enum Of {
    Sync(SyncFormat),
    Inputs,
    SyncAck,
}

/// A receiver of the file, as far as it has been read.
struct Group {
    of: Of,
    horizon: u32,
    held: Vec<Vec<u8>>,
}

impl Group {
    /// Tries a packet on a receiver that has taken the held ones.
    fn try_packet(&self, packet: &[u8]) -> Result<(), DecodeError> {
        match &self.of {
            Of::Sync(format) => {
                let mut decoder = SyncDecoder::new(*format);
                let mut received = SyncPacket::default();
                for held in &self.held {
                    let decoded = decoder.decode(held, self.horizon, &mut received);
                    decoded.expect("it is held");
                    decoder.accept(&received);
                }
                decoder.decode(packet, self.horizon, &mut received)
            }
            Of::Inputs => decode_inputs(packet, self.horizon as u16, &mut Vec::new()).map(drop),
            Of::SyncAck => Ok(SyncAck::from_bytes(packet).map(drop)?),
        }
    }
}

/// The group that a line begins, if it does.
fn group(words: &[&str]) -> Option<Group> {
    let of = match *words {
        ["sync", ref rest @ ..] => Of::Sync(sync_format(rest)),
        ["inputs"] => Of::Inputs,
        ["sync-ack"] => Of::SyncAck,
        _ => return None,
    };
    let (horizon, held) = (0, Vec::new());
    Some(Group { of, horizon, held })
}

/// The variant's name alone.
fn name(error: &DecodeError) -> String {
    let all = match error {
        DecodeError::Codec(error) => format!("{error:?}"),
        own => format!("{own:?}"),
    };
    all.split([' ', '(']).next().expect("a name").to_string()
}

#[test]
fn each_packet_is_refused_by_its_name_and_each_twin_is_taken() {
    let mut groups: Vec<Group> = Vec::new();
    let (mut taken, mut refused) = (0, BTreeSet::new());
    let is_said = |line: &&str| !line.is_empty() && !line.starts_with('#');
    for line in FILE.lines().filter(is_said) {
        let words: Vec<&str> = line.split(' ').collect();
        if let Some(group) = group(&words) {
            groups.push(group);
            continue;
        }
        let group = groups.last_mut().expect("a receiver before");
        match words[..] {
            ["horizon", horizon] => group.horizon = horizon.parse().expect("a sequence"),
            ["held", ref fields @ ..] => group.held.push(packet(fields)),
            ["taken", ref fields @ ..] => {
                assert_eq!(group.try_packet(&packet(fields)), Ok(()), "{line}");
                taken += 1;
            }
            ["refused", expected, ref fields @ ..] => {
                let error = group.try_packet(&packet(fields)).expect_err(line);
                assert_eq!(name(&error), expected, "{line}");
                refused.insert(expected);
            }
            _ => panic!("{line}"),
        }
    }
    assert!(taken > 15, "{taken}");
    // Every name of sections 11 and S5.
    let names = "CubeNotChanged IndexNotRising IndexOutOfRange InputNotChanged InputRepeated \
        NeedlessAbsolute NoInputs NonZeroPadding OutOfRange TooFarAhead TrailingBytes Truncated \
        UpdateBaselineUnknown UpdateCount";
    assert_eq!(refused, names.split(' ').collect());
}
