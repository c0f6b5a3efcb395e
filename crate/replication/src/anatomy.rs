//! Anatomy of a datagram: the purpose of each of its bytes, for a log or an inspector.

use crate::connection::SEAL_BYTES;
use crate::extras::Extras;
use crate::partial::{PartialBase, PartialNotes};
use crate::payload::{NUMBER_BYTES, Part};

/// The purpose of a run of bytes in a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartKind {
    /// Bytes that open, keep or end the connection; also the kind and the tag of a sealed datagram.
    Connection,
    /// Acknowledgements, input margins and packet numbers.
    Ack {
        /// Tick modulo 2^32 of a snapshot that the client acknowledges.
        snapshot: Option<u32>,
    },
    /// Inputs of a client.
    Input,
    /// Messages between game and clients.
    Message,
    /// A part of the joining snapshot, the whole snapshot with which a client begins.
    Join,
    /// The header of a packet with a snapshot.
    PacketHead {
        /// The snapshot's tick modulo 65,536.
        sequence: u16,
        /// Ticks from the baseline to the snapshot; 0 means that the baseline is the snapshot with which the client joined.
        age_ticks: u16,
    },
    /// Counts of the objects whose velocities or jumps follow, and the jumps. A jump is a slot, and the ticks since its object
    /// jumped.
    DetailsHead,
    /// Linear velocities of the objects that the client sees in detail.
    LinearVelocity,
    /// Angular velocities of the objects that the client sees in detail.
    AngularVelocity,
    /// The encoded snapshot, or a part of it.
    Snapshot,
}

/// A run of bytes in a datagram that have one purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatagramPart {
    /// The purpose of the bytes.
    pub kind: PartKind,
    /// Number of bytes, at least 1.
    pub bytes: usize,
}

/// Returns the parts of a datagram, in order; their lengths sum up to its length. Bytes that cannot be read count as
/// connection.
pub fn datagram_parts(datagram: &[u8], is_to_client: bool) -> Vec<DatagramPart> {
    let mut parts = Vec::new();
    let mut add = |kind, bytes: usize| {
        if bytes > 0 {
            parts.push(DatagramPart { kind, bytes });
        }
    };
    let payload = datagram.get(1..datagram.len().saturating_sub(SEAL_BYTES - 1));
    let payload = payload.filter(|payload| !payload.is_empty() && datagram[0] == DATA);
    let number_bytes = if is_to_client { 0 } else { NUMBER_BYTES };
    let read = payload.and_then(|payload| {
        let of_parts = payload.get(number_bytes..)?;
        let belongs = |part: &Part<'_>| match is_to_client {
            true => part.is_to_client(),
            false => part.is_to_server(),
        };
        Part::read_all(of_parts, belongs).ok()
    });
    let Some(read) = read else {
        add(PartKind::Connection, datagram.len());
        return parts;
    };
    add(PartKind::Connection, 1);
    add(PartKind::Ack { snapshot: None }, number_bytes);
    let mut written = Vec::new();
    for part in read {
        written.clear();
        part.write(&mut written);
        match part {
            Part::Packet {
                sequence,
                age,
                part,
                has_extras,
                bytes,
                ..
            } => {
                let head = PartKind::PacketHead {
                    sequence,
                    age_ticks: age,
                };
                add(head, written.len() - bytes.len());
                // Details stand before the first part. Where they do not fit into it, no more is known of them.
                let read = Extras::read(u64::from(u32::MAX), bytes).ok();
                let Some((extras, snapshot)) = read.filter(|_| has_extras && part == 0) else {
                    add(PartKind::Snapshot, bytes.len());
                    continue;
                };
                let [linear, angular] = extras.velocity_bytes();
                add(
                    PartKind::DetailsHead,
                    bytes.len() - snapshot.len() - linear - angular,
                );
                add(PartKind::LinearVelocity, linear);
                add(PartKind::AngularVelocity, angular);
                add(PartKind::Snapshot, snapshot.len());
            }
            Part::Partial {
                base, part, bytes, ..
            } => {
                let (sequence, age_ticks) = match base {
                    PartialBase::Empty { tick, .. } => (tick as u16, 0),
                    PartialBase::Named { sequence, age, .. } => (sequence, age),
                };
                let head = PartKind::PacketHead {
                    sequence,
                    age_ticks,
                };
                let read = PartialNotes::read(u64::from(u32::MAX), bytes).ok();
                let read = read.filter(|_| part == 0);
                let (notes, snapshot) = read.unwrap_or((PartialNotes::default(), bytes));
                let [linear, angular] = notes.extras.velocity_bytes();
                add(head, written.len() - snapshot.len() - linear - angular);
                add(PartKind::LinearVelocity, linear);
                add(PartKind::AngularVelocity, angular);
                add(PartKind::Snapshot, snapshot.len());
            }
            Part::Chunk { .. } => add(PartKind::Join, written.len()),
            Part::Inputs(_) => add(PartKind::Input, written.len()),
            Part::SnapshotAck { tick, .. } => add(
                PartKind::Ack {
                    snapshot: Some(tick),
                },
                written.len(),
            ),
            Part::ChunkAck { .. } | Part::DatagramAck { .. } | Part::MessageAck { .. } => {
                add(PartKind::Ack { snapshot: None }, written.len());
            }
            Part::Message { .. } | Part::Say { .. } => add(PartKind::Message, written.len()),
            Part::Probe { .. } | Part::ProbeAck { .. } => {
                add(PartKind::Connection, written.len());
            }
        }
    }
    add(PartKind::Connection, SEAL_BYTES - 1);
    parts
}

/// First byte of a sealed datagram that has a payload.
const DATA: u8 = 7;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_of_any_bytes_sum_up_to_their_length(mut bytes in prop::collection::vec(any::<u8>(), 0..200), to_client: bool) {
            for kind in [7, 1] {
                if let Some(first) = bytes.first_mut() {
                    *first = kind;
                }
                let parts = datagram_parts(&bytes, to_client);
                prop_assert_eq!(parts.iter().map(|part| part.bytes).sum::<usize>(), bytes.len());
            }
        }
    }
}
