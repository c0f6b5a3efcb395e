//! The room of a partial packet: the number and size of its datagrams.

/// Length of a part's index and the last part's index in the header of a split packet, bytes.
const PART_BYTES: usize = 2;

/// The datagrams that a partial packet may fill.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PacketRoom {
    /// Bytes that each datagram has for its part of the packet, with the part's header.
    pub(crate) datagram_bytes: usize,
    /// Upper limit of the number of datagrams, at least 1.
    pub(crate) datagrams: usize,
}

impl PacketRoom {
    /// Upper limit of the packet's length without headers, bytes. The header of an unsplit packet has `header_bytes`.
    pub(crate) fn packet_bytes(self, header_bytes: usize) -> usize {
        let whole = self.datagram_bytes.saturating_sub(header_bytes);
        whole.max(self.part_bytes(header_bytes) * self.datagrams)
    }

    /// Cuts a packet that fits the room into the parts for its datagrams, in order.
    pub(crate) fn parts(self, header_bytes: usize, packet: &[u8]) -> std::slice::Chunks<'_, u8> {
        let is_whole = packet.len() + header_bytes <= self.datagram_bytes;
        packet.chunks(match is_whole {
            true => packet.len().max(1),
            false => self.part_bytes(header_bytes),
        })
    }

    fn part_bytes(self, header_bytes: usize) -> usize {
        (self.datagram_bytes).saturating_sub(header_bytes + PART_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_that_fits_is_cut_into_parts_that_fit() {
        for (datagram_bytes, datagrams) in [(100, 1), (100, 2), (100, 3), (13, 16), (12, 4)] {
            let room = PacketRoom {
                datagram_bytes,
                datagrams,
            };
            let most = room.packet_bytes(10);
            assert!(most >= datagram_bytes - 10);
            for bytes in 1..=most {
                let packet: Vec<u8> = (0..bytes).map(|byte| byte as u8).collect();
                let parts: Vec<_> = room.parts(10, &packet).collect();
                assert_eq!(parts.concat(), packet);
                assert!(parts.len() <= datagrams);
                let header_bytes = if parts.len() == 1 { 10 } else { 12 };
                let fits = |part: &&[u8]| part.len() + header_bytes <= datagram_bytes;
                assert!(parts.iter().all(fits), "{bytes} in {room:?}");
            }
        }
    }
}
