//! Packets of inputs: golden ones, round trips, a refused twin for every bound, and where their bits go.
use std::fmt::Write;

use crate::fields::packet_of as packet;
use proptest::prelude::*;
use snapshot_codec::{BIT_65536THS, DecodeError as CodecError, Kind, Ledger};
use snapshot_strategies::lockstep::{MOST_INPUTS, MOST_INPUTS_BYTES, decode_inputs, encode_inputs};
use snapshot_strategies::{DecodeError, InputsError};

const FORMAT_MD: &str = include_str!("../../../codec/FORMAT.md");

fn encode(newest: u16, inputs: &[u8]) -> Vec<u8> {
    let (mut packet, mut ledger) = (Vec::new(), Ledger::new());
    encode_inputs(newest, inputs, &mut packet, Some(&mut ledger)).unwrap();
    packet
}

fn decode(packet: &[u8]) -> Result<(u16, Vec<u8>), DecodeError> {
    let mut inputs = vec![9];
    // No packet is ahead of its own sequence.
    let horizon = packet
        .first_chunk()
        .map_or(0, |sequence| u16::from_be_bytes(*sequence));
    let newest = decode_inputs(packet, horizon, &mut inputs);
    assert!(newest.is_ok() || inputs.is_empty());
    newest.map(|newest| (newest, inputs))
}

fn hex(packet: &[u8]) -> String {
    packet.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

#[test]
fn golden_packets_encode_and_decode_as_ever() {
    let a_second: Vec<u8> = [[1; 20], [17; 20], [0; 20]].concat();
    let golden: [(u16, &[u8], &str); 5] = [
        (0, &[0], "00000002"),
        (0x1234, &[63], "1234fc02"),
        (65_535, &[63, 0, 63], "fffffc0703f8"),
        (4, &[4, 4, 4, 20, 20], "0004100a5400"),
        (2, &a_second, "00020478000028800008000000"),
    ];
    for (newest, inputs, expected) in golden {
        let packet = encode(newest, inputs);
        assert_eq!(hex(&packet), expected);
        assert_eq!(decode(&packet), Ok((newest, inputs.to_vec())));
    }
}

#[test]
fn a_packet_bears_up_to_511_inputs_of_six_bits() {
    let inputs: Vec<u8> = (0..MOST_INPUTS).map(|frame| (frame % 64) as u8).collect();
    let longest = encode(7, &inputs);
    assert_eq!(longest.len(), MOST_INPUTS_BYTES);
    assert_eq!(decode(&longest), Ok((7, inputs)));

    let refused = |inputs: &[u8]| {
        let mut packet = vec![1];
        let mut ledger = Ledger::new();
        let error = encode_inputs(7, inputs, &mut packet, Some(&mut ledger)).unwrap_err();
        assert!(packet.is_empty() && ledger == Ledger::new());
        error
    };
    assert_eq!(refused(&[]), InputsError::Count(0));
    assert_eq!(refused(&[0; 512]), InputsError::Count(512));
    assert_eq!(refused(&[63, 64]), InputsError::OutOfRange(64));
}

const NEWEST: (u32, u32) = (7, 16);
const OLDEST: (u32, u32) = (5, 6);
const SAME: (u32, u32) = (0, 1);
const CHANGED: (u32, u32) = (1, 1);

#[test]
fn what_would_not_have_been_written_is_refused_by_name() {
    let refused = |fields: &[(u32, u32)]| decode(&packet(fields)).unwrap_err();
    assert_eq!(
        decode(&packet(&[NEWEST, OLDEST, (2, 9), CHANGED, (4, 6)])),
        Ok((7, vec![5, 4]))
    );
    assert_eq!(
        refused(&[NEWEST, OLDEST, (2, 9), CHANGED, OLDEST]),
        DecodeError::InputNotChanged { at_bit: 32 }
    );
    assert_eq!(refused(&[NEWEST, OLDEST, (0, 9)]), DecodeError::NoInputs);
    assert_eq!(
        refused(&[NEWEST, OLDEST, (1, 9), (1, 1)]),
        CodecError::NonZeroPadding { at_bit: 31 }.into()
    );
    // The count promises 511 inputs, and nothing is set aside for them.
    assert_eq!(
        refused(&[NEWEST, OLDEST, (511, 9)]),
        CodecError::Truncated {
            at_bit: 32,
            wanted_bits: 1,
            packet_bits: 32
        }
        .into()
    );
    assert_eq!(
        refused(&[NEWEST, OLDEST, (2, 9), SAME, (0, 8)]),
        CodecError::TrailingBytes {
            used_bytes: 4,
            packet_bytes: 5
        }
        .into()
    );
}

#[test]
fn a_packet_ahead_of_the_horizon_is_refused_by_name() {
    let mut inputs = vec![9];
    let newest = 3_u16;
    let packet = encode(newest, &[1, 2]);
    for horizon in [newest, newest + 1, newest + 0x7fff] {
        assert_eq!(decode_inputs(&packet, horizon, &mut inputs), Ok(newest));
    }
    for ahead in [1_u16, 0x7000, 0x7fff] {
        let horizon = newest.wrapping_sub(ahead);
        let refused = CodecError::TooFarAhead {
            sequence: newest.into(),
            horizon: horizon.into(),
        };
        assert_eq!(
            decode_inputs(&packet, horizon, &mut inputs),
            Err(refused.into())
        );
        assert!(inputs.is_empty());
    }
}

#[test]
fn every_shorter_packet_is_truncated() {
    let whole = encode(7, &[1, 2, 3, 3, 3, 60]);
    for length in 0..whole.len() {
        let refused = decode(&whole[..length]);
        assert!(matches!(
            refused,
            Err(DecodeError::Codec(CodecError::Truncated { .. }))
        ));
    }
}

#[test]
fn the_worked_example_stands_in_format_md_bit_for_bit() {
    let (mut packet, mut ledger) = (Vec::new(), Ledger::with_spans());
    encode_inputs(0x1234, &[4, 4, 20, 20], &mut packet, Some(&mut ledger)).unwrap();
    let bit = |at: i64| packet[at as usize / 8] >> (7 - at % 8) & 1;
    let mut example = format!("```text\n{}\n```\n\n", hex(&packet));
    example += "| bit | bits | kind | rule | says |\n| --- | --- | --- | --- | --- |\n";
    for span in ledger.spans() {
        let first = span.first_65536ths / BIT_65536THS;
        let bits: String = (0..span.length_65536ths / BIT_65536THS)
            .map(|i| bit(first + i).to_string())
            .collect();
        let kind = span.kind.name();
        writeln!(
            example,
            "| {first} | {bits} | {kind} | {} | {} |",
            span.rule, span.value
        )
        .unwrap();
    }
    assert!(
        FORMAT_MD.contains(&example),
        "FORMAT.md should have:\n\n{example}"
    );
}

proptest! {
    #[test]
    fn whatever_is_sent_arrives_and_every_bit_is_accounted_for(
        newest: u16,
        runs in prop::collection::vec((0_u8..64, 1_usize..40), 1..30),
    ) {
        let mut inputs: Vec<u8> = runs.iter().flat_map(|&(input, frames)| vec![input; frames]).collect();
        inputs.truncate(MOST_INPUTS);
        let (mut packet, mut ledger) = (Vec::new(), Ledger::new());
        encode_inputs(newest, &inputs, &mut packet, Some(&mut ledger)).unwrap();
        let changes = inputs.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let input_bits = 6 + inputs.len() - 1 + 6 * changes;
        prop_assert_eq!(ledger.get_65536ths(Kind::Header), 25 * BIT_65536THS);
        prop_assert_eq!(ledger.get_65536ths(Kind::Input), input_bits as i64 * BIT_65536THS);
        prop_assert_eq!(ledger.total_65536ths(), packet.len() as i64 * 8 * BIT_65536THS);
        prop_assert_eq!(decode(&packet), Ok((newest, inputs)));
    }
}
