//! Acknowledgements of state synchronisation, which name exactly the packets that arrived.

use snapshot_codec::DecodeError;
use snapshot_codec::bits::BitReader;

pub const ACK_BYTES: usize = 8;

/// An acknowledgement: the newest packet that arrived, and which of the 32 frames before it arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncAck {
    pub newest: u32,
    /// Bit i is 1 if the packet of frame `newest - 1 - i` arrived.
    pub earlier: u32,
}

impl SyncAck {
    /// Writes the acknowledgement as bytes, most significant first.
    pub fn to_bytes(self) -> [u8; ACK_BYTES] {
        (u64::from(self.newest) << 32 | u64::from(self.earlier)).to_be_bytes()
    }

    /// Reads the bytes that [`SyncAck::to_bytes`] wrote; an error if there are more or fewer than 8.
    pub fn from_bytes(packet: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = BitReader::new(packet);
        let ack = Self {
            newest: reader.read(32)?,
            earlier: reader.read(32)?,
        };
        reader.finish()?;
        Ok(ack)
    }

    /// Iterates over all acknowledged sequences, newest first.
    pub fn sequences(self) -> impl Iterator<Item = u32> {
        let earlier = (0..32_u32)
            .filter(move |bit| self.earlier >> bit & 1 == 1)
            .map(move |bit| self.newest.wrapping_sub(1 + bit));
        std::iter::once(self.newest).chain(earlier)
    }

    /// Returns the acknowledgement with one more arrived packet.
    pub(super) fn with(self, sequence: u32) -> Self {
        let ahead = sequence.wrapping_sub(self.newest) as i32;
        match ahead {
            0 => self,
            1.. => {
                // The old newest becomes bit `ahead - 1`.
                let kept = u64::from(self.earlier) << 1 | 1;
                Self {
                    newest: sequence,
                    earlier: kept.checked_shl(ahead as u32 - 1).unwrap_or(0) as u32,
                }
            }
            _ => Self {
                earlier: self.earlier | 1_u32.checked_shl(ahead.unsigned_abs() - 1).unwrap_or(0),
                ..self
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_ack_is_eight_bytes_and_nothing_else() {
        let ack = SyncAck {
            newest: 0x0102_0304,
            earlier: 0x8000_0001,
        };
        assert_eq!(ack.to_bytes(), [1, 2, 3, 4, 0x80, 0, 0, 1]);
        assert_eq!(SyncAck::from_bytes(&ack.to_bytes()), Ok(ack));
        let sequences = [0x0102_0304, 0x0102_0303, 0x0102_0304 - 32];
        assert!(ack.sequences().eq(sequences));
        let mut long = ack.to_bytes().to_vec();
        let short = SyncAck::from_bytes(&long[..7]);
        assert!(matches!(short, Err(DecodeError::Truncated { .. })));
        long.push(0);
        let long = SyncAck::from_bytes(&long);
        assert!(matches!(long, Err(DecodeError::TrailingBytes { .. })));
    }

    proptest! {
        /// Whatever the order of arrival, an ack names exactly what arrived of the newest 33 frames, also over the wrap.
        #[test]
        fn an_ack_names_exactly_the_arrived_packets(first: u32, steps in prop::collection::vec(-40_i32..70, 0..60)) {
            let (mut ack, mut at) = (SyncAck { newest: first, earlier: 0 }, first);
            let (mut arrived, mut newest) = (vec![first], first);
            for step in steps {
                at = at.wrapping_add_signed(step);
                ack = ack.with(at);
                arrived.push(at);
                if (at.wrapping_sub(newest) as i32) > 0 {
                    newest = at;
                }
            }
            prop_assert_eq!(ack.newest, newest);
            // Packets that were too old when they came are not remembered when they are; all others are.
            let mut named: Vec<u32> = ack.sequences().collect();
            let mut expected: Vec<u32> = arrived.into_iter().filter(|&s| newest.wrapping_sub(s) <= 32).collect();
            named.sort_unstable();
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(named, expected);
        }
    }
}
