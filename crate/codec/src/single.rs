//! Coding of single snapshots, without headers. The caller keeps the baselines: in recordings, saved games, and streams over a
//! transport of its own.

use crate::cube::Cube;
use crate::declared::Snapshot;
use crate::error::{DecodeError, SnapshotError};
use crate::format::Format;
use crate::history::{HeldSnapshot, SENT_HISTORY_TICKS};
use crate::ledger::Ledger;
use crate::model::Memory;
use crate::model::simulated::Lookahead;
use crate::snapshot::{BaselineRef, PacketCoder};

/// A snapshot that both ends have, with the coder state for encoding later snapshots against it.
#[derive(Debug)]
pub struct Baseline {
    format: Format,
    held: HeldSnapshot,
}

impl Baseline {
    /// Makes a baseline of a snapshot that was not decoded from a packet. It has no coder state.
    ///
    /// # Errors
    /// When the snapshot does not fit the format.
    pub fn new<'a>(
        format: &Format,
        snapshot: impl Into<Snapshot<'a>>,
    ) -> Result<Self, SnapshotError> {
        let held = HeldSnapshot::new(format, snapshot.into())?;
        let format = *format;
        Ok(Self { format, held })
    }

    /// Cubes of the baseline's snapshot.
    pub fn cubes(&self) -> &[Cube] {
        &self.held.cubes
    }

    /// The baseline's snapshot: cubes and rows together.
    pub fn snapshot(&self) -> Snapshot<'_> {
        Snapshot {
            cubes: &self.held.cubes,
            rows: &self.held.rows,
        }
    }

    /// Rows of the baseline's snapshot; empty in a format without fields.
    pub fn rows(&self) -> &[u32] {
        &self.held.rows
    }

    /// Allocated memory, bytes.
    pub fn held_bytes(&self) -> usize {
        self.held.held_bytes()
    }

    fn borrow(&self, format: &Format, ticks: u16) -> Result<BaselineRef<'_>, SnapshotError> {
        if self.format != *format {
            return Err(SnapshotError::OtherFormat);
        }
        Ok(self.held.before(clamped(ticks)))
    }

    /// Replaces the baseline by the snapshot that `coder` has just coded against it.
    fn follow(&mut self, coder: &mut PacketCoder) {
        core::mem::swap(&mut self.held.cubes, &mut coder.cubes);
        core::mem::swap(&mut self.held.rows, &mut coder.rows);
        coder.keep(&mut self.held.memory);
    }
}

impl Clone for Baseline {
    fn clone(&self) -> Self {
        Self {
            format: self.format,
            held: self.held.clone(),
        }
    }

    /// Copies another baseline into this one's allocated memory.
    fn clone_from(&mut self, other: &Self) {
        self.format = other.format;
        self.held.clone_from(&other.held);
    }
}

fn clamped(ticks: u16) -> u16 {
    ticks.clamp(1, SENT_HISTORY_TICKS as u16)
}

/// A coder of snapshots: each is encoded or decoded against a [`Baseline`], which then becomes that snapshot. Packets have no
/// header: they name neither their snapshot nor their baseline, because both ends know them.
///
/// ```
/// use snapshot_codec::{Baseline, Cube, Format, QuantisationBits, Rung, SnapshotCoder};
///
/// let format = Format::new(Rung::Predicted, QuantisationBits::DEFAULT, 2)?;
/// let lying = Cube { position: [0, 0, 102], orientation: [3, 256, 256, 256], ..Cube::default() };
/// let (mut sender, mut receiver) = (SnapshotCoder::new(&format), SnapshotCoder::new(&format));
/// let mut left = Baseline::new(&format, &[lying; 2])?;
/// let mut right = left.clone();
/// let mut packet = Vec::new();
/// for tick in 1..10 {
///     let snapshot = [Cube { position: [3 * tick, 0, 102], ..lying }, lying];
///     sender.encode(&mut left, 1, &snapshot, &mut packet)?;
///     receiver.decode(&mut right, 1, &packet)?;
///     assert_eq!(right.cubes(), snapshot);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SnapshotCoder {
    format: Format,
    coder: PacketCoder,
}

impl SnapshotCoder {
    /// Makes a coder. It keeps no state between packets, so one serves any number of baselines.
    pub fn new(format: &Format) -> Self {
        Self {
            format: *format,
            coder: PacketCoder::new(format),
        }
    }

    /// Encodes a snapshot into `packet`, and makes it the baseline. The snapshot is `ticks` ticks after the baseline, clamped
    /// to 1 to [`SENT_HISTORY_TICKS`].
    ///
    /// # Errors
    /// When the snapshot or the baseline does not fit the format; then the packet is empty and the baseline unchanged.
    pub fn encode<'a>(
        &mut self,
        baseline: &mut Baseline,
        ticks: u16,
        snapshot: impl Into<Snapshot<'a>>,
        packet: &mut Vec<u8>,
    ) -> Result<(), SnapshotError> {
        self.encode_ahead(baseline, ticks, snapshot, 0, packet, None)
    }

    /// Encodes a snapshot as [`SnapshotCoder::encode`] does, and adds the packet's bits to the ledger. On rung `simulated` the
    /// look-ahead holds a simulation, and the inputs that led to the snapshot; other rungs ignore it.
    ///
    /// # Errors
    /// The same as of [`SnapshotCoder::encode`].
    pub fn encode_ahead<'a, 'b>(
        &mut self,
        baseline: &mut Baseline,
        ticks: u16,
        snapshot: impl Into<Snapshot<'a>>,
        ahead: impl Into<Lookahead<'b>>,
        packet: &mut Vec<u8>,
        ledger: Option<&mut Ledger>,
    ) -> Result<(), SnapshotError> {
        let snapshot = snapshot.into();
        packet.clear();
        let reference = baseline.borrow(&self.format, ticks)?;
        self.coder
            .write(None, reference, snapshot, ahead.into(), packet, ledger)?;
        baseline.follow(&mut self.coder);
        Ok(())
    }

    /// Encodes a snapshot into `packet` and leaves the baseline unchanged, for a server with many receivers. The packet equals
    /// that of [`SnapshotCoder::encode`] against a new [`Baseline`]. Adds the packet's bits to the ledger.
    ///
    /// # Errors
    /// When one of the two snapshots does not fit the format; the packet is empty then.
    pub fn encode_between<'a>(
        &mut self,
        baseline: impl Into<Snapshot<'a>>,
        ticks: u16,
        snapshot: impl Into<Snapshot<'a>>,
        packet: &mut Vec<u8>,
        ledger: Option<&mut Ledger>,
    ) -> Result<(), SnapshotError> {
        packet.clear();
        let baseline = baseline.into();
        self.format.check_count(baseline.cubes)?;
        self.format.check_row_count(baseline)?;
        let reference = BaselineRef {
            cubes: baseline.cubes,
            rows: baseline.rows,
            memory: &Memory::None,
            ticks: clamped(ticks),
        };
        self.coder
            .write(None, reference, snapshot.into(), 0.into(), packet, ledger)
    }

    /// Decodes a packet and makes its snapshot the baseline; `ticks` must equal the encoder's.
    ///
    /// # Errors
    /// When the bytes are not a valid packet against that baseline; the baseline is unchanged then.
    pub fn decode(
        &mut self,
        baseline: &mut Baseline,
        ticks: u16,
        packet: &[u8],
    ) -> Result<(), DecodeError> {
        self.decode_ahead(baseline, ticks, 0, packet)
    }

    /// Decodes a packet as [`SnapshotCoder::decode`] does, on rung `simulated`, with the same simulation as the encoder's. The
    /// inputs are in the packet.
    ///
    /// # Errors
    /// The same as of [`SnapshotCoder::decode`]; also when the simulation's result differs from the encoder's.
    pub fn decode_ahead<'a>(
        &mut self,
        baseline: &mut Baseline,
        ticks: u16,
        ahead: impl Into<Lookahead<'a>>,
        packet: &[u8],
    ) -> Result<(), DecodeError> {
        let reference = baseline
            .borrow(&self.format, ticks)
            .map_err(DecodeError::Baseline)?;
        let body = self.coder.open_body(packet);
        self.coder.read(body, reference, ahead.into())?;
        baseline.follow(&mut self.coder);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rungs::Rung;
    use crate::space::QuantisationBits;

    #[test]
    fn what_is_not_of_the_format_is_refused_by_name_and_changes_nothing() {
        let format = |rung| Format::new(rung, QuantisationBits::DEFAULT, 3).unwrap();
        let still = [Cube::default(); 3];
        let mut baseline = Baseline::new(&format(Rung::ChangedFlags), &still).unwrap();
        let mut coder = SnapshotCoder::new(&format(Rung::ChangedFlags));
        let mut packet = vec![1];
        let (expected, actual) = (3, 2);
        let short = Err(SnapshotError::CubeCount { expected, actual });
        let refused = coder.encode(&mut baseline, 6, &still[..2], &mut packet);
        assert_eq!((refused, packet.len()), (short, 0));
        assert!(coder.decode(&mut baseline, 6, &[0xff; 9]).is_err());
        assert_eq!(baseline.cubes(), still);

        let other = SnapshotError::OtherFormat;
        let mut coder = SnapshotCoder::new(&format(Rung::Index));
        let refused = coder.encode(&mut baseline, 6, &still, &mut packet);
        assert_eq!(refused, Err(other));
        let decoded = coder.decode(&mut baseline, 6, &[]);
        assert_eq!(decoded, Err(DecodeError::Baseline(other)));
    }

    #[test]
    fn a_packet_between_two_snapshots_is_that_against_a_new_baseline() {
        for rung in [Rung::ChangedFlags, Rung::Arithmetic] {
            let format = Format::new(rung, QuantisationBits::DEFAULT, 3).unwrap();
            let (before, mut after) = ([Cube::default(); 3], [Cube::default(); 3]);
            after[1].position = [40, -7, 102];
            let mut baseline = Baseline::new(&format, &before).unwrap();
            let mut coder = SnapshotCoder::new(&format);
            let [mut packet, mut between] = [Vec::new(), Vec::new()];
            coder.encode(&mut baseline, 6, &after, &mut packet).unwrap();
            let encoded = coder.encode_between(&before, 6, &after, &mut between, None);
            assert_eq!((encoded, packet), (Ok(()), between));
        }
    }
}
