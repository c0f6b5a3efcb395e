//! The instant that a client showed, by which a server rebuilds the client's picture to judge a shot.

use snapshot_codec::{Cube, Life};
use snapshot_view::interpolate::Interpolation;

/// The instant that a client showed, and the snapshots from which it drew that picture. A client that shoots sends these as
/// bytes, so that the server can rebuild the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownInstant {
    pub(crate) interpolation: Interpolation,
    /// The instant in ticks, from the client's epoch.
    pub(crate) play_tick: f64,
    pub(crate) packets: ShownPackets,
}

/// The packets with the snapshots from which a picture was drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ShownPackets {
    /// Ticks of four snapshots around the instant: two before it and two after it. The second is the last one before it.
    Around([Option<u64>; 4]),
    /// Partial packets, which a client with a budget receives.
    Received(ReceivedPackets),
}

/// The partial packets that had arrived at a client when it drew a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReceivedPackets {
    /// Tick of the newest packet, modulo 2^32.
    pub(crate) newest: u32,
    /// Bit i is 1 if the packet that left i + 1 packets before the newest had arrived, up to 48 of them.
    pub(crate) before: u64,
}

/// Bit of the first byte that says that the picture was drawn from partial packets.
const PARTIAL: u8 = 0x80;

impl ShownInstant {
    /// Length of an instant's bytes, see [`Self::to_bytes`].
    pub const BYTES: usize = 19;

    /// Returns the bytes that the client sends in an input or a message.
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

    /// Parses an instant from any bytes, as a client may send wrong ones; `None` if they are malformed.
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

/// The identity of the object that a slot shows.
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

    /// Returns true if interpolation to the next snapshot gives the right pose. Between two different lives it keeps the pose,
    /// which is right. It is wrong if the lives are equal, but the object jumped or is another one. That happens because lives
    /// repeat, and packets in between may be lost.
    pub(crate) fn goes_on(self, next: Self, has_jumped: bool) -> bool {
        next == self && !has_jumped || next.life != self.life
    }
}
