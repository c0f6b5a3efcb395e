//! Messages between a guest and its host, twice a second. A guest reports figures of its screen and the hash of a decoded
//! snapshot. The host says how many keys came too late or never.

use super::arrivals::Arrivals;
use crate::bytes::next;
use snapshot_replication::inputs::InputArrivals;

/// Version of the messages.
const VERSION: u8 = 4;
/// Upper limit of a reported time, ms: a connection ends before a picture is a minute old.
pub(super) const TIME_MAX_MS: f32 = 60_000.0;

/// Figures of a guest's screen, as the guest measures them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Report {
    /// Tick and hash of a decoded snapshot; `None` if the guest does not see all objects.
    pub(super) decoded: Option<(u64, u64)>,
    /// Age of the picture, ms: the playout delay, and half of the least round trip.
    pub(super) screen_age_ms: f32,
    pub(super) corrections: u32,
    /// Snapshots that arrived since the last report.
    pub(super) arrivals: Arrivals,
}

impl Report {
    /// Writes the report: the version (a byte), a byte that is 1 if there is a decoded snapshot, and its tick and hash, or
    /// zeros. Then come the figures and the arrivals. All numbers are little-endian.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION, u8::from(self.decoded.is_some())];
        let (tick, hash) = self.decoded.unwrap_or_default();
        bytes.extend(tick.to_le_bytes());
        bytes.extend(hash.to_le_bytes());
        bytes.extend(self.screen_age_ms.to_le_bytes());
        bytes.extend(self.corrections.to_le_bytes());
        self.arrivals.write(&mut bytes);
        bytes
    }

    /// Reads a report; `None` if the bytes are not a report.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Report> {
        let rest = &mut &*bytes;
        let [version, has_decoded] = next(rest)?;
        if version != VERSION || has_decoded > 1 {
            return None;
        }
        let decoded = (
            u64::from_le_bytes(next(rest)?),
            u64::from_le_bytes(next(rest)?),
        );
        let report = Report {
            decoded: (has_decoded == 1).then_some(decoded),
            screen_age_ms: f32::from_le_bytes(next(rest)?),
            corrections: u32::from_le_bytes(next(rest)?),
            arrivals: Arrivals::of_bytes(rest)?,
        };
        let is_sound = (0.0..=TIME_MAX_MS).contains(&report.screen_age_ms);
        is_sound.then_some(report)
    }
}

/// Counts of a guest's late and lost keys, as the host counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyCounts {
    /// Number of ticks whose keys came too late.
    pub(super) late: u32,
    /// Number of ticks whose keys never came.
    pub(super) lost: u32,
}

impl From<InputArrivals> for KeyCounts {
    fn from(inputs: InputArrivals) -> KeyCounts {
        KeyCounts {
            late: inputs.late as u32,
            lost: inputs.missing.saturating_sub(inputs.late) as u32,
        }
    }
}

/// The host's message to a guest. It is sent again every half a second, because some are lost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct HostWord {
    /// Number of the message: an older message that arrives later says nothing.
    pub(super) number: u32,
    /// Share of the newest datagrams to the guest that the host left out itself, in 255ths.
    pub(super) left_out: u8,
    pub(super) keys: KeyCounts,
}

impl HostWord {
    /// Writes the version (a byte), the number, the share (a byte), and both counts. All numbers are little-endian.
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bytes.extend(self.number.to_le_bytes());
        bytes.push(self.left_out);
        bytes.extend(self.keys.late.to_le_bytes());
        bytes.extend(self.keys.lost.to_le_bytes());
        bytes
    }

    /// Reads a message; `None` if the bytes are not such a message.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<HostWord> {
        let rest = &mut &*bytes;
        let [version] = next(rest)?;
        let number = u32::from_le_bytes(next(rest)?);
        let [left_out] = next(rest)?;
        let [late, lost] = [next(rest)?, next(rest)?].map(u32::from_le_bytes);
        let is_sound = version == VERSION && rest.is_empty();
        is_sound.then_some(HostWord {
            number,
            left_out,
            keys: KeyCounts { late, lost },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reports_survive_the_wire_and_other_bytes_are_refused(
            decoded in any::<Option<(u64, u64)>>(),
            count in any::<u32>(),
            ms in 0.0_f32..=TIME_MAX_MS,
            cut in 0_usize..47,
            noise in prop::collection::vec(any::<u8>(), 0..70),
        ) {
            let mut arrivals = Arrivals::default();
            arrivals.add(5, 100.0);
            arrivals.add(6, 120.5);
            let report = Report { decoded, screen_age_ms: ms, corrections: count, arrivals };
            let bytes = report.to_bytes();
            prop_assert_eq!(Report::of_bytes(&bytes), Some(report));
            prop_assert_eq!(Report::of_bytes(&bytes[..cut]), None);
            let longer = [&bytes[..], &[0]].concat();
            prop_assert_eq!(Report::of_bytes(&longer), None);
            let keys = KeyCounts { late: count, lost: 9 };
            let word = HostWord { number: count, left_out: cut as u8, keys };
            prop_assert_eq!(HostWord::of_bytes(&word.to_bytes()), Some(word));
            prop_assert_eq!(HostWord::of_bytes(&word.to_bytes()[..cut.min(13)]), None);
            if let Some(read) = Report::of_bytes(&noise) {
                prop_assert!(read.screen_age_ms >= 0.0);
            }
        }
    }

    #[test]
    fn lengths_that_are_none_are_refused() {
        for screen_age_ms in [f32::NAN, -1.0, f32::INFINITY, 1e30, TIME_MAX_MS * 1.01] {
            let report = Report {
                decoded: None,
                screen_age_ms,
                corrections: 0,
                arrivals: Arrivals::default(),
            };
            assert_eq!(
                Report::of_bytes(&report.to_bytes()),
                None,
                "{screen_age_ms}"
            );
        }
    }
}
