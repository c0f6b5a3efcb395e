//! What all strategies share: the traits of both ends, the lent world, and the account of a packet.

use crate::lockstep::INPUT_BITS;
use crate::{DecodeError, SenderError};
use snapshot_codec::{CubeState, Ledger};
use snapshot_view::{Playback, Pose, SnapshotArrival};

/// The sender of a strategy: ticks of the world in, packets out. There is one for each receiver.
pub trait Sender {
    /// Takes the input that led to a tick of the world, and the states after it. If a packet is due, `packet` is replaced by
    /// it, and `ledger` by its bits by kind. Lockstep reads no states.
    ///
    /// # Errors
    /// When the tick is not the next one, the input has more than six bits, or the number of cubes is not the format's.
    /// Nothing changes then.
    fn tick(
        &mut self,
        tick: u64,
        input: u8,
        states: &[CubeState],
        packet: &mut Vec<u8>,
        ledger: Option<&mut Ledger>,
    ) -> Result<Option<PacketInfo>, SenderError>;

    /// Takes an acknowledgement, and says which packets it names. A stream's is empty: the stream acknowledges by itself.
    ///
    /// # Errors
    /// When the bytes are no acknowledgement. Nothing changes then.
    fn ack(&mut self, bytes: &[u8]) -> Result<AckedPackets, snapshot_codec::DecodeError>;

    /// Memory in bytes, without the predictor's.
    fn held_bytes(&self) -> usize;
}

/// The receiver of a strategy: packets and times in, poses out. Its times are those of its own clock.
pub trait Receiver {
    /// Takes a packet that arrived at `arrival_ms`.
    ///
    /// # Errors
    /// When the packet cannot be decoded, or its tick lies in the future. Nothing changes then, once the sender's tick is
    /// sure.
    fn packet(&mut self, arrival_ms: f64, bytes: &[u8]) -> Result<SnapshotArrival, DecodeError>;

    /// Replaces `out` by the acknowledgement to send at the end of a tick, and says whether one is due. A stream's is empty.
    fn ack(&mut self, out: &mut Vec<u8>) -> bool;

    /// Writes the pose of every cube at `now_ms`. A strategy that simulates steps `world`, which must be the same one at each
    /// call. It gives no playback before there is anything to show.
    fn show(&mut self, now_ms: f64, world: &mut dyn World, poses: &mut [Pose]) -> Option<Playback>;

    /// Memory that it takes, bytes, without the lent world's.
    fn held_bytes(&self) -> usize;
}

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

/// A simulation that is lent to a receiver at each tick. The receiver never owns it, so it can hold no truth.
///
/// Two worlds of equal state must stay equal, bit for bit, when both are given the same calls.
pub trait World {
    /// Ticks simulated so far.
    fn tick(&self) -> u64;

    /// Every cube after that tick.
    fn states(&self) -> &[CubeState];

    /// Simulates one step with these six bits of input, and numbers the result `tick`. Ticks between are left out.
    fn step_to(&mut self, tick: u64, input: u8);

    /// Replaces the state of these cubes, by index. `interacting` is left to the world.
    fn set_states(&mut self, states: &[(usize, CubeState)]);
}

/// No world: a receiver of snapshots needs none, and never calls it.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWorld;

impl World for NoWorld {
    fn tick(&self) -> u64 {
        0
    }

    fn states(&self) -> &[CubeState] {
        &[]
    }

    fn step_to(&mut self, _tick: u64, _input: u8) {}

    fn set_states(&mut self, _states: &[(usize, CubeState)]) {}
}
