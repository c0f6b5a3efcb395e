//! The settings to take: the rung, the widths and the delay, as a link and as lines of Rust.

use crate::ladder::RungCost;
use crate::widths::WidthCounts;
use serde::Serialize;
use snapshot_codec::{Class, Format, Rung};
use snapshot_settings::{Key, Settings, permalink};

/// A rung with more bits than the best by no more than this is as good: the lower number is simpler and faster.
const AS_GOOD: f64 = 1.02;

/// A rung; with classes, in the class of the link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct VerdictRung {
    /// Its number, 0 to 13.
    pub rung: u8,
    /// The rung's name in the setting `codec`.
    pub name: &'static str,
    /// The link's class, on the arithmetic rungs.
    pub class: Option<&'static str>,
    /// Packets that the figures are of.
    pub packets: u64,
    /// Packets over the MTU.
    pub packets_over_mtu: u64,
    /// Mean, without IP and UDP.
    pub bytes_per_packet: f64,
    /// Mean, counted header included.
    pub kbps: f64,
    /// Mean, without IP and UDP: to be compared with that of engines.
    pub payload_kbps: f64,
    /// Bits a changed cube; none where nothing changed.
    pub bits_per_changed_cube: Option<f64>,
}

impl VerdictRung {
    /// The row of a ladder over so many seconds.
    pub(super) fn new(row: &RungCost, seconds: f64) -> VerdictRung {
        let bytes = row.bytes_per_packet * row.packets as f64;
        VerdictRung {
            rung: row.rung,
            name: row.name,
            class: row.class,
            packets: row.packets,
            packets_over_mtu: row.packets_over_mtu,
            bytes_per_packet: row.bytes_per_packet,
            kbps: row.kbps,
            payload_kbps: bytes * 8.0 / seconds.max(f64::MIN_POSITIVE) / 1000.0,
            bits_per_changed_cube: row.bits_per_changed_cube,
        }
    }
}

/// The rung to take.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RungAdvice {
    /// Its number.
    pub number: u8,
    /// The rung's name in the setting `codec`.
    pub name: &'static str,
    /// The class, on an arithmetic rung.
    pub class: Option<&'static str>,
    /// Mean kbit/s, counted header included.
    pub kbps: f64,
    /// The reason in words.
    pub why: String,
}

/// The simplest rung whose bits are within two per cent of the fewest. None of an empty ladder.
pub(super) fn choose_rung(rows: &[VerdictRung]) -> Option<RungAdvice> {
    let least = rows.iter().min_by(|a, b| a.kbps.total_cmp(&b.kbps))?;
    let chosen = rows.iter().find(|row| row.kbps <= least.kbps * AS_GOOD)?;
    let mut why = if chosen == least {
        format!(
            "Rung {} takes the fewest bits of this motion: {:.1} kbit/s.",
            chosen.rung, chosen.kbps
        )
    } else {
        format!(
            "Rung {} takes {:.1} kbit/s. That is within 2 % of rung {}, and it is simpler and faster.",
            chosen.rung, chosen.kbps, least.rung
        )
    };
    if let Some(next) = rows.iter().find(|row| row.rung == chosen.rung + 1) {
        let more = 100.0 * (next.kbps / chosen.kbps.max(f64::MIN_POSITIVE) - 1.0);
        if more > 0.0 {
            why += &format!(" Rung {} takes {more:.0} % more.", next.rung);
        }
    }
    Some(RungAdvice {
        number: chosen.rung,
        name: chosen.name,
        class: chosen.class,
        kbps: chosen.kbps,
        why,
    })
}

/// Settings with the rung to take and its best widths.
pub(super) fn advised(settings: &Settings, rung: &RungAdvice, widths: &WidthCounts) -> Settings {
    let mut settings = *settings;
    let _ = settings.set(Key::Codec, rung.number.into());
    if sends_ranges(rung.number) {
        let widths = [
            (Key::PositionSmall, Key::PositionLarge, widths.position.best),
            (
                Key::OrientationSmall,
                Key::OrientationLarge,
                widths.orientation.best,
            ),
        ];
        for (small, large, best) in widths {
            let _ = settings.set(small, best.small_bits);
            let _ = settings.set(large, best.large_bits);
        }
    }
    settings
}

/// Says whether widths matter to a rung.
fn sends_ranges(rung: u8) -> bool {
    Rung::ALL
        .get(usize::from(rung))
        .is_some_and(|rung| rung.sends_ranges())
}

/// A link of settings.
pub(super) fn link(settings: &Settings) -> String {
    format!("#{}", permalink::format(settings))
}

/// The same settings as lines of Rust, for the crate `snapshot-codec`.
pub(super) fn rust_lines(settings: &Settings, format: &Format) -> Vec<String> {
    let (bounds, objects) = (format.bounds(), format.cube_count());
    let player = match format.player() {
        Some(index) => format!("    .with_player(Some({index}))?;"),
        None => "    .with_player(None)?;".to_owned(),
    };
    let lane = settings.lane();
    let (rung, bits) = (lane.rung(), lane.bits());
    let widths = [lane.position_widths(), lane.orientation_widths()];
    let sends_widths = rung.sends_ranges();
    let names = if sends_widths {
        "Bounds, Class, Decoder, Encoder, Format, QuantisationBits, Rung, Widths"
    } else {
        "Bounds, Class, Decoder, Encoder, Format, QuantisationBits, Rung"
    };
    let class = match lane.class() {
        Class::Strict => "Strict",
        Class::Chained => "Chained",
    };
    let mut lines = vec![
        format!("use snapshot_codec::{{{names}}};"),
        String::new(),
        format!(
            "let bits = QuantisationBits::new({}, {}, {})?;",
            bits.position(),
            bits.orientation(),
            bits.velocity()
        ),
        format!(
            "let bounds = Bounds::new({:?}, {:?})?;",
            bounds.lower(),
            bounds.upper()
        ),
        format!("let format = Format::new(Rung::{rung:?}, bits, {objects})?"),
        format!("    .with_class(Class::{class})"),
        "    .with_bounds(bounds)?".to_owned(),
    ];
    if sends_widths {
        let [position, orientation] = widths
            .map(|pair| format!("Widths::new({}, {})?", pair.small_bits(), pair.large_bits()));
        lines.push(format!("    .with_widths({position}, {orientation})"));
    }
    if format.has_slots() {
        lines.push("    .with_slots(true)?".to_owned());
    }
    lines.extend(
        [
            player.as_str(),
            "let initial: Vec<_> = objects.iter().map(|object| format.quantise(object)).collect();",
            "let mut encoder = Encoder::new(format, &initial)?;",
            "let mut decoder = Decoder::new(format, &initial)?;",
        ]
        .map(str::to_owned),
    );
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_codec::Bounds;

    fn row(rung: u8, kbps: f64) -> VerdictRung {
        VerdictRung {
            rung,
            name: Rung::ALL[usize::from(rung)].name(),
            class: (rung >= 12).then_some("chained"),
            packets: 100,
            packets_over_mtu: 0,
            bytes_per_packet: 10.0,
            kbps,
            payload_kbps: kbps,
            bits_per_changed_cube: None,
        }
    }

    #[test]
    fn the_fewest_bits_win_unless_a_simpler_rung_is_as_good() {
        let told = choose_rung(&[row(11, 24.8), row(12, 13.0), row(13, 19.1)]).unwrap();
        assert_eq!((told.number, told.class), (12, Some("chained")));
        assert_eq!(
            told.why,
            "Rung 12 takes the fewest bits of this motion: 13.0 kbit/s. Rung 13 takes 47 % more."
        );
        let told = choose_rung(&[row(11, 34.6), row(12, 22.7), row(13, 22.5)]).unwrap();
        assert_eq!(told.number, 12);
        assert!(told.why.contains("within 2 % of rung 13"), "{}", told.why);
        let told = choose_rung(&[row(11, 34.6), row(12, 30.0), row(13, 22.5)]).unwrap();
        assert_eq!(told.number, 13);
        assert_eq!(choose_rung(&[]), None);
    }

    /// The same lines are compiled as an example of the codec.
    #[test]
    fn the_lines_of_rust_are_those_of_the_compiled_example() {
        let example = include_str!("../../../codec/examples/verdict.rs");
        let flat = |text: &str| text.split_whitespace().collect::<String>();
        let example = flat(example);
        let bounds = Bounds::new([-64, -32, 0], [64, 32, 8]).unwrap();
        for (link, has_slots) in [
            ("#codec=changed-flags&pos-small=4&pos-large=8", true),
            ("#codec=arithmetic&class=strict", false),
        ] {
            let (settings, notices) = permalink::parse(link);
            assert_eq!(notices, []);
            let lane = settings.lane();
            let format = Format::new(lane.rung(), lane.bits(), 16).unwrap();
            let format = format
                .with_bounds(bounds)
                .unwrap()
                .with_player(None)
                .unwrap();
            let lines = rust_lines(&settings, &format.with_slots(has_slots).unwrap());
            let body: String = lines[1..].iter().map(|line| flat(line)).collect();
            assert!(example.contains(&body), "{}", lines.join("\n"));
        }
    }
}
