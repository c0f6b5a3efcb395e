//! Packets of inputs: golden ones, round trips, a refused twin for every bound, and where their bits go.

use crate::lines::hex_of;
use proptest::prelude::*;
use snapshot_codec::{BIT_65536THS, DecodeError as CodecError, Kind, Ledger};
use snapshot_lane::strategy::lockstep::{
    MOST_INPUTS, MOST_INPUTS_BYTES, decode_inputs, encode_inputs,
};
use snapshot_lane::strategy::{DecodeError, InputsError};

const FORMAT_MD: &str = include_str!("../../../codec/FORMAT.md");

fn encode(newest: u16, inputs: &[u8]) -> Vec<u8> {
    let (mut packet, mut ledger) = (Vec::new(), Ledger::new());
    encode_inputs(newest, inputs, &mut packet, Some(&mut ledger)).unwrap();
    packet
}

fn decode(packet: &[u8]) -> Result<(u16, Vec<u8>), DecodeError> {
    let mut inputs = vec![9];
    // No packet is ahead of its own sequence.
    let sequence = packet.first_chunk();
    let horizon = sequence.map_or(0, |sequence| u16::from_be_bytes(*sequence));
    let newest = decode_inputs(packet, horizon, &mut inputs);
    assert!(newest.is_ok() || inputs.is_empty());
    newest.map(|newest| (newest, inputs))
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
        assert_eq!(hex_of(&packet), expected);
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
#[test]
fn every_shorter_packet_is_truncated() {
    let whole = encode(7, &[1, 2, 3, 3, 3, 60]);
    for length in 0..whole.len() {
        let Err(DecodeError::Codec(CodecError::Truncated { .. })) = decode(&whole[..length]) else {
            panic!("{length}");
        };
    }
}

#[test]
fn the_worked_example_stands_in_format_md_bit_for_bit() {
    let (mut packet, mut ledger) = (Vec::new(), Ledger::with_spans());
    encode_inputs(0x1234, &[4, 4, 20, 20], &mut packet, Some(&mut ledger)).unwrap();
    let bit = |at: i64| packet[at as usize / 8] >> (7 - at % 8) & 1;
    let mut example = format!("```text\n{}\n```\n\n", hex_of(&packet));
    example += "| bit | bits | kind | rule | says |\n| --- | --- | --- | --- | --- |\n";
    for span in ledger.spans() {
        let first = span.first_65536ths / BIT_65536THS;
        let bits: String = (0..span.length_65536ths / BIT_65536THS)
            .map(|i| bit(first + i).to_string())
            .collect();
        let (kind, rule, value) = (span.kind.name(), span.rule, span.value);
        example += &format!("| {first} | {bits} | {kind} | {rule} | {value} |\n");
    }
    assert!(
        FORMAT_MD.contains(&example),
        "FORMAT.md lacks:\n\n{example}"
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
