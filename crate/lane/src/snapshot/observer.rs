//! Comparison of decoded snapshots with the sent ones.

use crate::truth::Page;
use snapshot_codec::{Cube, CubeState, Format};
use snapshot_record::delta_history::DeltaHistory;
use snapshot_strategies::snapshot::Quantised;

/// Sees both sides of snapshot interpolation. A sent snapshot is the truth, quantised. It is read from the tape, because
/// remembering it would take 20 MB a lane.
pub(crate) struct Observer {
    format: Format,
    truth: Page,
    sent: Quantised,
}

impl Observer {
    pub(super) fn new(format: Format) -> Observer {
        Observer {
            format,
            truth: Page::default(),
            sent: Quantised::default(),
        }
    }

    /// Memory that what it remembers takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.truth.held_bytes() + self.sent.held_bytes()
    }

    /// Returns false if the decoded snapshot of a tick differs from the sent one. It gives none where the tape no longer holds
    /// that tick.
    pub(crate) fn is_as_sent(
        &mut self,
        tick: u64,
        past: &DeltaHistory<CubeState>,
        decoded: &[Cube],
    ) -> Option<bool> {
        let truth = self.truth.read(tick, past)?;
        self.sent.update(&self.format, truth);
        Some(self.sent.cubes() == decoded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_codec::{QuantisationBits, Rung};

    #[test]
    fn a_snapshot_that_differs_in_one_bit_is_not_as_sent() {
        let format = Format::new(Rung::ChangedFlags, QuantisationBits::default(), 3).unwrap();
        let past = DeltaHistory::new(7, vec![CubeState::EMPTY; 3]);
        let mut observer = Observer::new(format);
        let mut decoded = vec![format.quantise(&CubeState::EMPTY); 3];
        assert_eq!(observer.is_as_sent(7, &past, &decoded), Some(true));
        decoded[1].position[2] ^= 1;
        assert_eq!(observer.is_as_sent(7, &past, &decoded), Some(false));
        assert_eq!(observer.is_as_sent(8, &past, &decoded), None);
    }
}
