//! Types that every sender and receiver shares with its caller.

use crate::error::SenderError;
use crate::lockstep::INPUT_BITS;

/// The newest tick that a sender took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ticks(Option<u64>);

impl Ticks {
    /// The newest tick; 0 before the first.
    pub(crate) fn now(self) -> u64 {
        self.0.unwrap_or_default()
    }

    /// Checks the tick, the input and the number of cubes. Nothing changes where it is refused.
    pub(crate) fn take(
        &mut self,
        tick: u64,
        input: u8,
        actual: usize,
        expected: usize,
    ) -> Result<(), SenderError> {
        let next = self.0.map_or(tick, |newest| newest.wrapping_add(1));
        if tick != next {
            return Err(SenderError::NotTheNextTick { tick, next });
        }
        if actual != expected {
            return Err(SenderError::CubeCount { expected, actual });
        }
        if input >> INPUT_BITS != 0 {
            return Err(SenderError::InputOutOfRange(input));
        }
        self.0 = Some(tick);
        Ok(())
    }
}

/// A packet that is about to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketInfo {
    /// The sequence that it has on the wire.
    pub sequence: u16,
    /// Tick of the baseline; none where that is the initial snapshot, or where there is no baseline.
    pub baseline_tick: Option<u64>,
    /// Cubes that differ from the baseline.
    pub changed_cubes: usize,
    /// Items that share its bits: cubes, updates or inputs.
    pub items: usize,
}

/// The packets that an acknowledgement names, by the ticks in which they left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckedPackets {
    newest_tick: u64,
    /// Bit i: the packet of tick `newest_tick - i`.
    ticks: u64,
    /// True if all earlier packets are acknowledged too.
    all: bool,
}

impl AckedPackets {
    /// No packets: a stream acknowledges by itself.
    pub fn none() -> AckedPackets {
        AckedPackets {
            newest_tick: 0,
            ticks: 0,
            all: false,
        }
    }

    /// A single acknowledged packet.
    pub fn one(tick: u64) -> AckedPackets {
        AckedPackets::each(tick, 0)
    }

    /// The newest packet, and an earlier packet for each bit that is set: the lowest bit is the tick before.
    pub fn each(newest_tick: u64, earlier: u32) -> AckedPackets {
        AckedPackets {
            newest_tick,
            ticks: u64::from(earlier) << 1 | 1,
            all: false,
        }
    }

    /// All packets up to that tick.
    pub fn up_to(newest_tick: u64) -> AckedPackets {
        AckedPackets {
            newest_tick,
            ticks: 1,
            all: true,
        }
    }

    /// Says whether the packet of that tick is among them.
    pub fn contains(&self, tick: u64) -> bool {
        let Some(ago) = self.newest_tick.checked_sub(tick) else {
            return false;
        };
        self.all || (ago < 64 && self.ticks >> ago & 1 == 1)
    }
}

/// Pieces in which a packet is sent: each fits `mtu_bytes` with a counted header of its own. Without an MTU it is one.
pub fn fragments(packet_bytes: usize, mtu_bytes: Option<u32>, header_bytes: u32) -> u32 {
    mtu_bytes.map_or(1, |mtu_bytes| {
        let room_bytes = mtu_bytes - header_bytes;
        (packet_bytes as u32).div_ceil(room_bytes).max(1)
    })
}
