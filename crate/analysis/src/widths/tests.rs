use super::*;
use crate::testing::{history, settings};
use snapshot_codec::Kind;

/// Returns the counts over a whole tape, the last of which must be what was told last.
fn counted(tape: &Tape, settings: &Settings) -> WidthCounts {
    let span = TickSpan::stored(tape);
    let mut told = None;
    let mut tell = |share: f64, so_far: &dyn Fn() -> WidthCounts| {
        told = (share == 1.0).then(so_far);
    };
    let counts = count(tape, settings, &LinkInputs::default(), span, &mut tell);
    assert!(told.is_none_or(|told| told == counts));
    counts
}

/// Bits of positions and of orientations that a lane's packets took.
fn written(tape: &Tape, settings: &Settings) -> [u64; 2] {
    let history = history(tape, settings);
    let mut bits = [0.0; 2];
    for packet in history.packets(1..tape.last_tick() + 1, tape.last_tick()) {
        for (bits, kind) in bits.iter_mut().zip([Kind::Position, Kind::Orientation]) {
            *bits += packet.bits_by_kind[kind as usize];
        }
    }
    bits.map(|bits| bits as u64)
}

const NETWORK: &str = "#scene=katamari&grid=8&loss=10&jitter=30&dup=5&reorder=5";

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn what_is_counted_is_what_the_lanes_own_packets_took_with_any_widths() {
    let tape = Tape::record(&settings(NETWORK), 500);
    for link in [
        "&hz=20",
        "&hz=20&codec=relative-orientation",
        "&hz=30&mtu=576",
        "&hz=60&pos=7&rot=12",
        "&hz=20&pos-small=6&pos-large=10&rot-small=4&rot-large=7",
        "&hz=30&mtu=576&pos-small=3&rot-large=12",
    ] {
        let settings = settings(&format!("{NETWORK}{link}"));
        let counts = counted(&tape, &settings);
        assert!(counts.changed_cubes > 1000, "{link}");
        let bits =
            |pair: Pair| (pair.bits_per_changed_cube * counts.changed_cubes as f64).round() as u64;
        let [position, orientation] = written(&tape, &settings);
        assert_eq!(bits(counts.position.chosen), position, "{link}");
        assert_eq!(bits(counts.orientation.chosen), orientation, "{link}");
        // The widths that it says are the best cost what it says.
        if !link.contains("mtu") {
            let mut best = settings;
            for (key, bits) in [
                (Key::PositionSmall, counts.position.best.small_bits),
                (Key::PositionLarge, counts.position.best.large_bits),
                (Key::OrientationSmall, counts.orientation.best.small_bits),
                (Key::OrientationLarge, counts.orientation.best.large_bits),
            ] {
                best.set(key, bits).unwrap();
            }
            let written = written(&tape, &best);
            assert_eq!(
                written,
                [bits(counts.position.best), bits(counts.orientation.best)]
            );
            assert!(written[0] <= position && written[1] <= orientation);
        }
    }
}

#[test]
fn without_packets_there_are_no_statistics() {
    let settings = settings("#grid=5");
    let tape = Tape::record(&settings, 0);
    let counts = counted(&tape, &settings);
    assert_eq!((counts.packets, counts.position.values), (0, 0));
    assert_eq!(counts.position.histogram, []);
    assert_eq!(counts.position.chosen.bits_per_changed_cube, 0.0);
}
