//! Recommended settings of a sender and its receiver: rung, widths and delay, as a link. A rung is one encoding of snapshots.

use crate::ladder::RungCost;
use crate::widths::WidthCounts;
use serde::Serialize;
use snapshot_codec::Rung;
use snapshot_settings::{Key, Settings, permalink};

/// Ratio of a rung's bits to those of the best rung, up to which the rung counts as equally good. Among such rungs the lowest
/// number wins, because it is simpler and faster.
const AS_GOOD: f64 = 1.02;

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RungAdvice {
    pub number: u8,
    /// Class of an arithmetic rung; `None` on others.
    pub class: Option<&'static str>,
    pub why: String,
}

fn least(rows: &[RungCost]) -> Option<&RungCost> {
    rows.iter().min_by(|a, b| a.kbps.total_cmp(&b.kbps))
}

/// Returns the simplest rung whose bits are within two per cent of the fewest; `None` for an empty ladder.
pub(super) fn simplest(rows: &[RungCost]) -> Option<&RungCost> {
    let least = least(rows)?;
    rows.iter().find(|row| row.kbps <= least.kbps * AS_GOOD)
}

/// Returns the advice to take the rung with a number, with the reason; `None` if the rows do not have it.
pub(super) fn rung_advice(rows: &[RungCost], number: u8) -> Option<RungAdvice> {
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
        class: chosen.class,
        why,
    })
}

pub(super) fn advised(settings: &Settings, rung: u8, widths: &WidthCounts) -> Settings {
    let mut settings = *settings;
    let _ = settings.set(Key::Codec, rung.into());
    if sends_ranges(rung) {
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
    use crate::ladder::climb;
    use crate::span::TickSpan;
    use crate::testing::{driving, settings};
    use snapshot_codec::Class;
    use snapshot_netsim::channel::LinkInputs;
    use snapshot_record::tape::Tape;

    /// Rows of a ladder, each with a rung's number and its kbit/s.
    pub(crate) fn rows<const N: usize>(of: [(u8, f64); N]) -> Vec<RungCost> {
        let tape = Tape::of_motion(&driving(1, 1, 6.0), 6);
        let (settings, inputs) = (settings("#hz=60"), LinkInputs::default());
        let span = TickSpan { after: 0, last: 6 };
        let rungs = of.map(|(rung, _)| (Rung::ALL[usize::from(rung)], Class::Chained));
        let mut rows = climb(&tape, &settings, &inputs, span, &rungs, &mut |_, _| ()).rows;
        for (row, (_, kbps)) in rows.iter_mut().zip(of) {
            row.kbps = kbps;
        }
        rows
    }

    #[test]
    fn the_fewest_bits_win_unless_a_simpler_rung_is_as_good() {
        let advice = |rows: &[RungCost]| rung_advice(rows, simplest(rows)?.rung);
        let fewest = advice(&rows([(11, 24.8), (12, 13.0), (13, 19.1)])).unwrap();
        assert_eq!((fewest.number, fewest.class), (12, Some("chained")));
        assert_eq!(
            fewest.why,
            "Rung 12 takes the fewest bits of this motion: 13.0 kbit/s. Rung 13 takes 47 % more."
        );
        let simpler = advice(&rows([(11, 34.6), (12, 22.7), (13, 22.5)])).unwrap();
        assert_eq!(simpler.number, 12);
        assert!(simpler.why.contains("within 2 % of rung 13"), "{simpler:?}");
        let far = advice(&rows([(11, 34.6), (12, 30.0), (13, 22.5)])).unwrap();
        assert_eq!(far.number, 13);
        assert_eq!(advice(&[]), None);
    }
}
