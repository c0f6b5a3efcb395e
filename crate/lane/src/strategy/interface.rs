//! The interface that all strategies share: the traits of both ends, the world lent to a receiver, and the description of a
//! packet.

use crate::strategy::lockstep::INPUT_BITS;
use crate::strategy::{DecodeError, SenderError};
use serde::Serialize;
use snapshot_codec::{CubeState, Ledger};
use snapshot_view::{Playback, Pose, SnapshotArrival};

/// The sender of a strategy: takes ticks of the world, and writes packets. There is one for each receiver.
pub trait Sender {
    /// Receives the input that led to a tick of the world, and the states after it. If a packet is due, writes it to `packet`
    /// and its bits by kind to `ledger`. Lockstep reads no states.
    ///
    /// # Errors
    /// When the tick is not the next one, the input has more than six bits, or the number of cubes differs from the format's.
    /// Nothing changes then.
    fn tick(
        &mut self,
        tick: u64,
        input: u8,
        states: &[CubeState],
        packet: &mut Vec<u8>,
        ledger: Option<&mut Ledger>,
    ) -> Result<Option<PacketInfo>, SenderError>;

    /// Receives an acknowledgement; returns the packets that it names. Over a stream it is empty: the stream acknowledges by
    /// itself.
    ///
    /// # Errors
    /// When the bytes are not an acknowledgement. Nothing changes then.
    fn ack(&mut self, bytes: &[u8]) -> Result<AckedPackets, snapshot_codec::DecodeError>;

    /// Allocated memory without the predictor's, bytes.
    fn held_bytes(&self) -> usize;
}

/// The receiver of a strategy: takes packets with arrival times, and writes poses. Times are those of the receiver's own clock.
pub trait Receiver {
    /// Receives a packet that arrived at `arrival_ms`.
    ///
    /// # Errors
    /// When the packet cannot be decoded, or its tick lies in the future. Nothing changes then.
    fn packet(&mut self, arrival_ms: f64, bytes: &[u8]) -> Result<SnapshotArrival, DecodeError>;

    /// Writes the acknowledgement to send at the end of a tick to `out`; returns whether one is due. Over a stream it is empty.
    fn ack(&mut self, out: &mut Vec<u8>) -> bool;

    /// Writes the pose of every cube at `now_ms`. A strategy that simulates steps `world`, which must be the same one at
    /// each call. Returns `None` before the first state can be shown.
    fn show(&mut self, now_ms: f64, world: &mut dyn World, poses: &mut [Pose]) -> Option<Playback>;
}

/// The newest tick that a sender has received; none before the first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ticks(Option<u64>);

impl Ticks {
    /// The newest tick; 0 before the first.
    pub(crate) fn now(self) -> u64 {
        self.0.unwrap_or_default()
    }

    /// Notes the next tick if its number, its input and the number of cubes are right; an error changes nothing.
    pub(crate) fn advance(
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketInfo {
    /// The packet's sequence on the wire.
    pub sequence: u16,
    /// Tick of the baseline; `None` for the initial snapshot, and for packets without a baseline.
    pub baseline_tick: Option<u64>,
    /// Number of cubes that differ from the baseline.
    pub changed_cubes: usize,
    /// Number of items in the packet: cubes, updates or inputs, by strategy.
    pub items: usize,
}

/// The packets that an acknowledgement names. A packet is known by the tick in which it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckedPackets {
    newest_tick: u64,
    /// Bit i is 1 if the packet of tick `newest_tick - i` is acknowledged.
    ticks: u64,
    /// True if all earlier packets are acknowledged too.
    all: bool,
}

impl AckedPackets {
    /// Acknowledges no packets, because a stream acknowledges by itself.
    pub fn none() -> AckedPackets {
        AckedPackets {
            newest_tick: 0,
            ticks: 0,
            all: false,
        }
    }

    pub fn one(tick: u64) -> AckedPackets {
        AckedPackets::each(tick, 0)
    }

    /// Acknowledges the newest packet, and an earlier packet for each set bit of `earlier`: the lowest bit is the tick before.
    pub fn each(newest_tick: u64, earlier: u32) -> AckedPackets {
        AckedPackets {
            newest_tick,
            ticks: u64::from(earlier) << 1 | 1,
            all: false,
        }
    }

    /// Acknowledges all packets up to and including the packet of tick `newest_tick`.
    pub fn up_to(newest_tick: u64) -> AckedPackets {
        AckedPackets {
            newest_tick,
            ticks: 1,
            all: true,
        }
    }

    pub fn contains(&self, tick: u64) -> bool {
        let Some(ago) = self.newest_tick.checked_sub(tick) else {
            return false;
        };
        self.all || (ago < 64 && self.ticks >> ago & 1 == 1)
    }
}

/// Returns the number of fragments of a packet: each fits into `mtu_bytes`, with a header of its own of `header_bytes`.
/// Without an MTU it is 1.
pub fn fragments(packet_bytes: usize, mtu_bytes: Option<u32>, header_bytes: u32) -> u32 {
    mtu_bytes.map_or(1, |mtu_bytes| {
        let room_bytes = mtu_bytes - header_bytes;
        (packet_bytes as u32).div_ceil(room_bytes).max(1)
    })
}

/// A receiver's simulation, which the caller lends to the receiver at each tick. So the receiver cannot read the truth from it.
///
/// Two worlds of equal state must stay equal, bit for bit, when both are given the same calls.
pub trait World {
    /// Number of the last simulated tick.
    fn tick(&self) -> u64;

    /// State of every cube after the last simulated tick.
    fn states(&self) -> &[CubeState];

    /// Simulates one step with six bits of input, and numbers the result `tick`. Skipped ticks are not simulated.
    fn step_to(&mut self, tick: u64, input: u8);

    /// Replaces the states of the given cubes, by index. Their `interacting` flags stay as they are.
    fn set_states(&mut self, states: &[(usize, CubeState)]);
}

/// A world for receivers of snapshots, which never use one.
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

/// Change of a cube from the baseline to the packet, in the integers that are sent. On rungs without a baseline, the newest
/// acknowledged snapshot takes its place. Positions are bit patterns of floats on the rungs before `position`, orientations
/// on `uncompressed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Change {
    pub cube: u32,
    /// Position in the baseline.
    pub position_before: [i32; 3],
    /// Position in the packet.
    pub position: [i32; 3],
    /// Smallest-three code of the orientation in the baseline: index of the largest component, and the three others.
    pub orientation_before: [i32; 4],
    /// Smallest-three code of the orientation in the packet.
    pub orientation: [i32; 4],
}
