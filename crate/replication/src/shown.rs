//! The picture that a client drew, for a server that judges a shot.

use snapshot_codec::{Cube, Life};
use snapshot_view::interpolate::Interpolation;

/// The instant that a client showed, and the snapshots of that picture. A client that shoots sends its bytes, so that the
/// server can rebuild the same picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownInstant {
    pub(crate) interpolation: Interpolation,
    /// The instant in ticks, from the client's epoch.
    pub(crate) play_tick: f64,
    pub(crate) packets: ShownPackets,
}

/// The packets that a picture was made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ShownPackets {
    /// Ticks of four snapshots: the last one before the instant is the second; one is before it, two are after it.
    Around([Option<u64>; 4]),
    /// Partial packets.
    Received(ReceivedPackets),
}

/// The partial packets that a client had.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReceivedPackets {
    /// Tick of the newest packet, modulo 2^32.
    pub(crate) newest: u32,
    /// Bit i is 1 if the client had the packet that left i + 1 packets before the newest, up to 48 of them.
    pub(crate) before: u64,
}

/// Bit of the first byte that says that the packets were partial.
const PARTIAL: u8 = 0x80;

impl ShownInstant {
    /// Length in bytes, see [`Self::to_bytes`].
    pub const BYTES: usize = 19;

    /// Returns the bytes to send, in an input or a message.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[0] = self.interpolation as u8;
        bytes[1..9].copy_from_slice(&self.play_tick.to_be_bytes());
        let [before, from, to, after] = match self.packets {
            ShownPackets::Around(around) => around,
            ShownPackets::Received(received) => {
                bytes[0] |= PARTIAL;
                bytes[9..13].copy_from_slice(&received.newest.to_be_bytes());
                bytes[13..].copy_from_slice(&received.before.to_be_bytes()[2..]);
                return bytes;
            }
        };
        let from = from.unwrap_or_default();
        // Modulo 2^64, as `from_bytes` goes back from a small tick.
        let apart = |[then, now]: [Option<u64>; 2]| {
            then.zip(now)
                .map_or(0, |(then, now)| now.wrapping_sub(then) as u16)
        };
        let [before, to, after] =
            [[before, Some(from)], [Some(from), to], [Some(from), after]].map(apart);
        bytes[9..13].copy_from_slice(&(from as u32).to_be_bytes());
        for (at, apart) in [before, to, after].into_iter().enumerate() {
            bytes[13 + 2 * at..][..2].copy_from_slice(&apart.to_be_bytes());
        }
        bytes
    }

    /// Parses any bytes, as a client may send wrong ones. `None` if they are not an instant.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; Self::BYTES] = bytes.try_into().ok()?;
        let [interpolation, play_tick @ .., _, _, _, _, _, _, _, _, _, _] = *bytes;
        let play_tick = f64::from_be_bytes(play_tick);
        let newest = u32::from_be_bytes([9, 10, 11, 12].map(|at| bytes[at]));
        let from = u64::from(newest);
        let apart = |at: usize| u64::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]));
        let of = |apart, tick| Some(tick).filter(|_| apart != 0);
        let [before, to, after] = [apart(13), apart(15), apart(17)];
        let packets = match interpolation & PARTIAL != 0 {
            true => {
                let mut before = [0; 8];
                before[2..].copy_from_slice(&bytes[13..]);
                let before = u64::from_be_bytes(before);
                ShownPackets::Received(ReceivedPackets { newest, before })
            }
            false => ShownPackets::Around([
                of(before, from.wrapping_sub(before)),
                Some(from),
                of(to, from + to),
                of(after, from + after),
            ]),
        };
        Some(Self {
            interpolation: *Interpolation::ALL.get(usize::from(interpolation & !PARTIAL))?,
            play_tick: Some(play_tick).filter(|tick| tick.is_finite())?,
            packets,
        })
    }
}

/// The object that a slot shows: its identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShownSlot {
    pub(crate) id: u32,
    pub(crate) kind: u32,
    pub(crate) life: Life,
}

impl ShownSlot {
    pub(crate) const EMPTY: Self = Self {
        id: 0,
        kind: 0,
        life: Life::EMPTY,
    };

    pub(crate) fn new(cube: &Cube, row: &[u32]) -> Self {
        Self {
            id: row[0],
            kind: row[1],
            life: cube.life,
        }
    }

    /// Returns true if the pose interpolated to the next snapshot is right. It is wrong if the lives are equal, but the
    /// object jumped or is another one: lives repeat, and packets in between may be lost.
    pub(crate) fn goes_on(self, next: Self, has_jumped: bool) -> bool {
        next == self && !has_jumped || next.life != self.life
    }
}
