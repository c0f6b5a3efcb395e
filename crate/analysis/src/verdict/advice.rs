//! Recommended settings of a sender and its receiver: rung, widths and delay, as a link. A rung is one encoding of snapshots.

use crate::ladder::RungCost;
use crate::widths::WidthCounts;
use serde::Serialize;
use snapshot_codec::Rung;
use snapshot_settings::{Key, Settings, permalink};

/// Ratio of a rung's bits to those of the best rung, up to which the rung counts as equally good. Among such rungs the lowest
/// number wins, because it is simpler and faster.
const AS_GOOD: f64 = 1.02;

/// Cost of a rung in a verdict; an arithmetic rung has the class of the link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct VerdictRung {
    /// Number of the rung, 0 to 13.
    pub rung: u8,
    /// Name of the rung in the setting `codec`.
    pub name: &'static str,
    /// Class of the link, on arithmetic rungs; `None` on others.
    pub class: Option<&'static str>,
    pub packets: u64,
    pub packets_over_mtu: u64,
    /// Mean packet size without IP and UDP headers, bytes.
    pub bytes_per_packet: f64,
    /// Mean bandwidth, kbit/s, headers included.
    pub kbps: f64,
    /// Mean bandwidth without IP and UDP headers, kbit/s, for comparison with the payload of other engines.
    pub payload_kbps: f64,
    /// Mean number of bits for each changed cube; `None` if no cube changed.
    pub bits_per_changed_cube: Option<f64>,
}

impl VerdictRung {
    /// Converts a row of a ladder, which was measured over `seconds`.
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

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RungAdvice {
    pub number: u8,
    /// Name of the rung in the setting `codec`.
    pub name: &'static str,
    /// Class of an arithmetic rung; `None` on others.
    pub class: Option<&'static str>,
    /// Mean bandwidth, kbit/s, headers included.
    pub kbps: f64,
    pub why: String,
}

/// Returns the simplest rung whose bits are within two per cent of the fewest; `None` for an empty ladder.
pub(super) fn choose_rung(rows: &[VerdictRung]) -> Option<RungAdvice> {
    let chosen = simplest(rows)?;
    rung_advice(rows, chosen.rung)
}

fn least(rows: &[VerdictRung]) -> Option<&VerdictRung> {
    rows.iter().min_by(|a, b| a.kbps.total_cmp(&b.kbps))
}

fn simplest(rows: &[VerdictRung]) -> Option<&VerdictRung> {
    let least = least(rows)?;
    rows.iter().find(|row| row.kbps <= least.kbps * AS_GOOD)
}

/// Returns the advice to take the rung with a number, with the reason; `None` if the rows do not have it.
pub(super) fn rung_advice(rows: &[VerdictRung], number: u8) -> Option<RungAdvice> {
    let (least, simplest) = (least(rows)?, simplest(rows)?);
    let chosen = rows.iter().find(|row| row.rung == number)?;
    let mut why = if chosen == least {
        format!(
            "Rung {} takes the fewest bits of this motion: {:.1} kbit/s.",
            chosen.rung, chosen.kbps
        )
    } else if chosen == simplest {
        format!(
            "Rung {} takes {:.1} kbit/s. That is within 2 % of rung {}, and it is simpler and faster.",
            chosen.rung, chosen.kbps, least.rung
        )
    } else {
        format!(
            "Rung {} takes {:.1} kbit/s. Rung {} would take {:.0} % less at this rate.",
            chosen.rung,
            chosen.kbps,
            simplest.rung,
            100.0 * (1.0 - simplest.kbps / chosen.kbps.max(f64::MIN_POSITIVE))
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

/// Returns true if the rung sends differences in small and large ranges, so that widths matter.
fn sends_ranges(rung: u8) -> bool {
    Rung::ALL
        .get(usize::from(rung))
        .is_some_and(|rung| rung.sends_ranges())
}

pub(super) fn link(settings: &Settings) -> String {
    format!("#{}", permalink::format(settings))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn row(rung: u8, kbps: f64) -> VerdictRung {
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
        let advice = choose_rung(&[row(11, 24.8), row(12, 13.0), row(13, 19.1)]).unwrap();
        assert_eq!((advice.number, advice.class), (12, Some("chained")));
        assert_eq!(
            advice.why,
            "Rung 12 takes the fewest bits of this motion: 13.0 kbit/s. Rung 13 takes 47 % more."
        );
        let advice = choose_rung(&[row(11, 34.6), row(12, 22.7), row(13, 22.5)]).unwrap();
        assert_eq!(advice.number, 12);
        assert!(
            advice.why.contains("within 2 % of rung 13"),
            "{}",
            advice.why
        );
        let advice = choose_rung(&[row(11, 34.6), row(12, 30.0), row(13, 22.5)]).unwrap();
        assert_eq!(advice.number, 13);
        assert_eq!(choose_rung(&[]), None);
    }
}
