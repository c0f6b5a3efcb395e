//! The account of a game's datagrams: their bits by kind.

use crate::strategy::PacketInfo;
use snapshot_codec::{BIT_65536THS, Kind, Ledger};
use snapshot_replication::{DatagramPart, PartKind, datagram_parts};

pub(super) fn snapshot_bytes(datagram: &[u8]) -> usize {
    let parts = datagram_parts(datagram, true).into_iter();
    let parts = parts.filter(|part| part.kind == PartKind::Snapshot);
    parts.map(|part| part.bytes).sum()
}

/// A datagram's part of a snapshot's bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SnapshotShare {
    /// Number of the snapshot's bytes in earlier datagrams.
    pub(super) before: usize,
    /// Number of the snapshot's bytes in this datagram.
    pub(super) own: usize,
    /// Number of the snapshot's bytes in all datagrams.
    pub(super) all: usize,
}

/// Writes the bits of a server's datagram to the ledger by kind; returns the packet's description, whose ticks are the
/// lane's. `tick` is the server's tick, converted to the lane's count. `encoded` has the datagram's part of a snapshot, the
/// snapshot's bits by kind, and its number of changed cubes.
pub(super) fn account(
    datagram: &[u8],
    tick: u64,
    encoded: Option<(SnapshotShare, (&Ledger, usize))>,
    ledger: &mut Ledger,
) -> PacketInfo {
    ledger.clear();
    let mut info = PacketInfo {
        sequence: 0,
        baseline_tick: None,
        changed_cubes: 0,
        items: 0,
    };
    for DatagramPart { kind, bytes } in datagram_parts(datagram, true) {
        if let PartKind::PacketHead { age_ticks, .. } = kind {
            info.sequence = tick as u16;
            info.baseline_tick = (age_ticks > 0).then(|| tick.saturating_sub(age_ticks.into()));
        }
        match (kind, encoded) {
            (PartKind::Snapshot, Some((share, (encoded, changed)))) => {
                add_share(ledger, encoded, share);
                if share.before == 0 {
                    (info.changed_cubes, info.items) = (changed, changed);
                }
            }
            (kind, _) => ledger.add_bits(kind_of(kind), 8 * bytes as u32),
        }
    }
    info
}

/// Adds a datagram's share of a snapshot's bits to the ledger.
fn add_share(ledger: &mut Ledger, encoded: &Ledger, share: SnapshotShare) {
    let SnapshotShare { before, own, all } = share;
    let part = |spent: i64, bytes: usize| spent * bytes as i64 / all.max(1) as i64;
    let mut sum = 0;
    for kind in Kind::ALL {
        let spent = encoded.get_65536ths(kind);
        let spent = part(spent, before + own) - part(spent, before);
        ledger.add_65536ths(kind, spent);
        sum += spent;
    }
    // Shares are rounded: the rest is padding, as the rest of a byte is.
    ledger.add_65536ths(Kind::Padding, 8 * own as i64 * BIT_65536THS - sum);
}

/// Returns the ledger's kind of a part of a datagram.
pub(crate) fn kind_of(part: PartKind) -> Kind {
    match part {
        PartKind::Ack { .. } => Kind::Ack,
        PartKind::Input => Kind::Input,
        PartKind::DetailsHead | PartKind::Snapshot => Kind::Index,
        PartKind::LinearVelocity => Kind::LinearVelocity,
        PartKind::AngularVelocity => Kind::AngularVelocity,
        PartKind::PacketHead { .. } => Kind::Header,
        _ => Kind::Connection,
    }
}
