//! The cost of slots.

use snapshot_codec::{
    BIT_65536THS, Class, Cube, CubeState, Encoder, Format, Kind, Ledger, Life, QuantisationBits,
    Rung,
};

const SLOTS: usize = 100;

fn formats() -> impl Iterator<Item = Format> {
    let codecs = Rung::ALL
        .into_iter()
        .filter(|rung| !rung.needs_simulation())
        .flat_map(|rung| Class::ALL.map(|class| (rung, class)))
        .filter(|(rung, class)| rung.is_arithmetic() || *class == Class::Strict);
    codecs.map(|(rung, class)| {
        let format = Format::new(rung, QuantisationBits::DEFAULT, SLOTS).expect("100 cubes");
        format.with_class(class)
    })
}

fn with_slots(format: Format) -> Format {
    format.with_slots(true).expect("not simulated")
}

/// The first slots slide, the others lie, or are as `lying` says.
fn state(index: usize, tick: u16, lying: Life) -> CubeState {
    let slides = index < 10;
    let way = if slides { f32::from(tick) / 60.0 } else { 0.0 };
    if !slides && lying.is_empty() {
        return CubeState::EMPTY;
    }
    CubeState {
        position: [index as f32 + way, 0.1 * way, 0.2],
        orientation: [0.0, 0.0, 0.1 * way, 1.0],
        interacting: slides,
        at_rest: !slides,
        life: if slides { Life::FIRST } else { lying },
        ..CubeState::default()
    }
}

/// Bits of the last of 20 packets, 6 ticks apart, without padding.
fn last_packet_bits(format: Format, lying: Life) -> f64 {
    let frame = |tick| -> Vec<Cube> {
        (0..SLOTS)
            .map(|index| format.quantise(&state(index, tick, lying)))
            .collect()
    };
    let mut encoder = Encoder::new(format, &frame(0)).expect("a snapshot");
    let (mut packet, mut ledger) = (Vec::new(), Ledger::new());
    for tick in (6..=120).step_by(6) {
        ledger.clear();
        encoder
            .encode_ahead(&frame(tick), tick, &mut packet, Some(&mut ledger))
            .expect("a snapshot");
        encoder.ack(tick);
    }
    let spent = ledger.total_65536ths() - ledger.get_65536ths(Kind::Padding);
    spent as f64 / BIT_65536THS as f64
}

/// The figures of section 19 of FORMAT.md.
#[test]
fn slots_cost_what_the_format_says() {
    for format in formats() {
        let rung = format.rung();
        let without = last_packet_bits(format, Life::FIRST);
        let lying = last_packet_bits(with_slots(format), Life::FIRST);
        let empty = last_packet_bits(with_slots(format), Life::EMPTY);
        println!(
            "{:<20} {:<8} {without:10.3} without, {lying:10.3} with slots, {empty:10.3} where 90 are empty",
            rung.name(),
            format.class().name()
        );
        let more = lying - without;
        if !rung.is_delta() {
            assert_eq!(more, 2.0 * SLOTS as f64);
            assert!(empty < without);
        } else if rung.is_arithmetic() {
            assert!((0.0..0.05).contains(&more), "{rung:?} {more}");
            assert!(empty < lying, "{rung:?}");
        } else {
            assert_eq!(more, 1.0, "{rung:?}");
            assert_eq!(empty, lying, "{rung:?}");
        }
    }
}
