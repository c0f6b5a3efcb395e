//! The interface of an engine's model: objects go in, bytes of packets come out.

use snapshot_codec::CubeState;

/// A model of the messages with moving objects that an engine sends at its default settings. It counts their bytes, but does
/// not write them.
pub trait Engine {
    /// Adds the packets of one send to the counts.
    fn send(&mut self, send: &Send<'_>, sent: &mut SendCounts);
}

#[derive(Clone, Copy, Debug)]
pub struct Send<'a> {
    /// Number of this send, from 1.
    pub number: u64,
    /// The objects at this send, always the same number, z up. An empty slot is an object that does not exist.
    pub objects: &'a [CubeState],
    /// Numbers of the earlier sends that were acknowledged since the last send, in order.
    pub acked: &'a [u64],
}

/// Counts of an engine's packets, without the headers of IP and UDP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SendCounts {
    pub packets: u64,
    /// Sum of the bytes of all packets.
    pub bytes: u64,
    /// Number of sent updates, each about one object.
    pub updates: u64,
}

impl SendCounts {
    pub(super) fn packet(&mut self, bytes: u64) {
        self.packets += 1;
        self.bytes += bytes;
    }
}

/// A batch of messages about objects, distributed over packets of a limited size.
pub(super) struct Batch<'a> {
    sent: &'a mut SendCounts,
    header_bytes: u64,
    bytes_max: u64,
    /// Bytes of the packet that is being filled; `None` while it is empty.
    open_bytes: Option<u64>,
}

impl Batch<'_> {
    /// Begins a batch; `bytes_max` is the upper limit of a packet's size, `header_bytes` its header's.
    pub(super) fn new(sent: &mut SendCounts, header_bytes: u64, bytes_max: u64) -> Batch<'_> {
        Batch {
            sent,
            header_bytes,
            bytes_max,
            open_bytes: None,
        }
    }

    /// Adds a message about an object. A message that does not fit into the current packet begins the next one.
    pub(super) fn add(&mut self, bytes: u64) {
        self.sent.updates += 1;
        let fits = |open: &u64| open + bytes <= self.bytes_max;
        let before = self.open_bytes.filter(fits);
        if before.is_none() {
            self.close();
        }
        self.open_bytes = Some(before.unwrap_or(self.header_bytes) + bytes);
    }

    pub(super) fn close(&mut self) {
        if let Some(bytes) = self.open_bytes.take() {
            self.sent.packet(bytes);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use snapshot_codec::Life;

    pub(crate) const STILL: CubeState = CubeState {
        at_rest: true,
        life: Life::FIRST,
        ..CubeState::EMPTY
    };

    pub(crate) fn at(position: [f32; 3]) -> CubeState {
        CubeState { position, ..STILL }
    }

    /// Returns an object at the origin, turned about the vertical by an angle in radians.
    pub(crate) fn turned(angle: f32) -> CubeState {
        let half = angle / 2.0;
        CubeState {
            orientation: [0.0, 0.0, libm::sinf(half), libm::cosf(half)],
            ..STILL
        }
    }

    /// Returns the counts of a single send of a new engine.
    pub(crate) fn sent(
        engine: &mut dyn Engine,
        number: u64,
        objects: &[CubeState],
        acked: &[u64],
    ) -> SendCounts {
        let mut sent = SendCounts::default();
        let send = Send {
            number,
            objects,
            acked,
        };
        engine.send(&send, &mut sent);
        sent
    }
}
