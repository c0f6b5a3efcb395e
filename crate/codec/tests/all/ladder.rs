//! The figures that the ladder of encodings is known by.

use snapshot_codec::{
    BIT_65536THS, Cube, CubeState, Decoder, Encoder, Format, Kind, Ledger, QuantisationBits, Rung,
};

const CUBES: usize = 901;

fn format(rung: Rung) -> Format {
    Format::new(rung, QuantisationBits::DEFAULT, CUBES).expect("901 cubes")
}

fn grid(at_rest: bool) -> Vec<CubeState> {
    (0..CUBES)
        .map(|i| CubeState {
            position: [(i % 30) as f32 - 14.5, (i / 30) as f32 - 14.5, 0.2],
            at_rest,
            ..CubeState::default()
        })
        .collect()
}

fn quantise(format: &Format, states: &[CubeState]) -> Vec<Cube> {
    states.iter().map(|state| format.quantise(state)).collect()
}

/// Sends one snapshot against the grid, acked as tick 0 and checks that it arrives.
fn send(rung: Rung, snapshot: &[CubeState]) -> (Vec<u8>, Ledger) {
    let format = format(rung);
    let initial = quantise(&format, &grid(true));
    let mut encoder = Encoder::new(format, &initial).expect("a snapshot");
    let mut decoder = Decoder::new(format, &initial).expect("a snapshot");
    let (mut packet, mut ledger, mut received) = (Vec::new(), Ledger::new(), Vec::new());
    encoder
        .encode_ahead(&initial, 0, &mut packet, Some(&mut ledger))
        .expect("valid");
    decoder.decode(&packet, 0, &mut received).expect("valid");
    encoder.ack(0);
    ledger.clear();
    let snapshot = quantise(&format, snapshot);
    encoder
        .encode_ahead(&snapshot, 1, &mut packet, Some(&mut ledger))
        .expect("valid");
    let header = decoder.decode(&packet, 1, &mut received).expect("valid");
    assert_eq!(header.baseline, rung.is_delta().then_some(0));
    assert_eq!(received, snapshot);
    assert_eq!(
        ledger.total_65536ths(),
        packet.len() as i64 * 8 * BIT_65536THS
    );
    (packet, ledger)
}

fn bits(ledger: &Ledger, kinds: &[Kind]) -> i64 {
    kinds
        .iter()
        .map(|&kind| ledger.get_65536ths(kind))
        .sum::<i64>()
        / BIT_65536THS
}

fn all_cubes_bits(ledger: &Ledger) -> i64 {
    let packet = [Kind::Header, Kind::Index, Kind::Padding];
    ledger.total_65536ths() / BIT_65536THS - bits(ledger, &packet)
}

#[test]
fn bits_a_cube_are_those_of_the_articles() {
    for (rung, at_rest, bits) in [
        (Rung::Uncompressed, false, 321),
        (Rung::SmallestThree, false, 222),
        (Rung::Velocity, false, 159),
        (Rung::AtRest, true, 127),
        (Rung::AtRest, false, 160),
        (Rung::NoVelocity, true, 126),
        (Rung::Position, true, 80),
    ] {
        let (packet, ledger) = send(rung, &grid(at_rest));
        assert_eq!(all_cubes_bits(&ledger), bits * CUBES as i64, "{rung:?}");
        assert_eq!(packet.len(), (16 + bits as usize * CUBES).div_ceil(8));
    }
}

#[test]
fn an_idle_packet_takes_5_bytes_and_15_84_kbps_at_60_a_second() {
    for rung in Rung::ALL.into_iter().filter(|&rung| rung >= Rung::Index) {
        let (packet, _) = send(rung, &grid(true));
        // With 28 bytes of IP and UDP.
        let kbps = (packet.len() + 28) as f64 * 60.0 * 8.0 / 1000.0;
        if rung.is_arithmetic() {
            // Whatever is expected costs next to nothing; the checksum of what is foreseen is a byte.
            let checksum_kbps = if rung == Rung::Simulated { 0.48 } else { 0.0 };
            assert!(kbps <= 15.84 + checksum_kbps, "{rung:?}: {kbps}");
        } else {
            assert_eq!((packet.len(), kbps), (5, 15.84), "{rung:?}");
        }
    }
}

#[test]
fn an_idle_packet_without_indices_has_a_bit_for_each_cube() {
    let (_, ledger) = send(Rung::NotChanged, &grid(true));
    assert_eq!(bits(&ledger, &[Kind::Index]), 901);
    assert_eq!(all_cubes_bits(&ledger), 0);
}

#[test]
fn indices_give_way_to_changed_bits_at_90_changed_cubes() {
    for (changed, index_bits) in [(89, 1 + 9 + 10 * 89), (90, 1 + 901), (901, 1 + 901)] {
        let mut snapshot = grid(true);
        snapshot[..changed]
            .iter_mut()
            .for_each(|state| state.interacting = true);
        let (_, ledger) = send(Rung::Index, &snapshot);
        assert_eq!(bits(&ledger, &[Kind::Index]), index_bits);
        assert_eq!(all_cubes_bits(&ledger), 80 * changed as i64);
    }
}
