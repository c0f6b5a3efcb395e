//! The worked example of FORMAT.md is what the codec writes.

use snapshot_codec::{BIT_65536THS, Cube, Encoder, Format, Ledger, Life, QuantisationBits, Rung};

const FORMAT_MD: &str = include_str!("../../FORMAT.md");

/// The cube of both examples as it is in the baseline.
const CUBE: Cube = Cube {
    position: [0, 0, 102],
    orientation: [3, 256, 256, 256],
    linear_velocity: [0; 3],
    interacting: false,
    at_rest: false,
    life: Life::FIRST,
};

fn format(cubes: usize) -> Format {
    Format::new(Rung::ChangedFlags, QuantisationBits::DEFAULT, cubes).expect("cubes")
}

#[test]
fn stands_in_format_md_bit_for_bit() {
    let initial = [CUBE; 901];
    let mut snapshot = initial;
    snapshot[0].position = [10, -100, 102];
    snapshot[0].interacting = true;
    snapshot[30].orientation = [3, 236, 259, 256];
    snapshot[31].interacting = true;
    snapshot[500].position = [-300, 0, 102];
    check(format(901), &initial, &snapshot);
}

#[test]
fn so_does_that_of_slots() {
    let initial = [CUBE; 100];
    let mut snapshot = initial;
    snapshot[3] = Cube::EMPTY;
    snapshot[4] = Cube {
        position: [10, -100, 102],
        life: Life::FIRST.next(),
        ..CUBE
    };
    check(format(100).with_slots(true).unwrap(), &initial, &snapshot);
}

/// Holds FORMAT.md to the packet of a snapshot against the initial one.
fn check(format: Format, initial: &[Cube], snapshot: &[Cube]) {
    let mut encoder = Encoder::new(format, initial).expect("a snapshot");
    let (mut packet, mut ledger) = (Vec::new(), Ledger::with_spans());
    encoder
        .encode_ahead(initial, 0x122e, &mut packet, Some(&mut ledger))
        .expect("a snapshot");
    encoder.ack(0x122e);
    ledger.clear();
    encoder
        .encode_ahead(snapshot, 0x1234, &mut packet, Some(&mut ledger))
        .expect("a snapshot");

    let hex: Vec<String> = packet.iter().map(|byte| format!("{byte:02x}")).collect();
    let bit = |at: i64| packet[at as usize / 8] >> (7 - at % 8) & 1;
    let mut example = format!("```text\n{}\n```\n\n", hex.join(" "));
    example +=
        "| bit | bits | cube | kind | rule | says |\n| --- | --- | --- | --- | --- | --- |\n";
    for span in ledger.spans() {
        let first = span.first_65536ths / BIT_65536THS;
        let bits: String = (0..span.length_65536ths / BIT_65536THS)
            .map(|i| bit(first + i).to_string())
            .collect();
        let cube = span.cube.map_or(String::new(), |cube| cube.to_string());
        let kind = span.kind.name();
        example += &format!(
            "| {first} | {bits} | {cube} | {kind} | {} | {} |\n",
            span.rule, span.value
        );
    }
    assert!(
        FORMAT_MD.contains(&example),
        "FORMAT.md should have:\n\n{example}"
    );
}
