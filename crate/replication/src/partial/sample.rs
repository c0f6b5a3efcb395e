//! The states of one slot around a play instant, from the partial packets that a client received. Client and server choose them
//! by the same code, so that a server draws the picture that a client drew.

use super::ComposedBaseline;
use crate::object::Object;
use crate::shown::ShownSlot;
use crate::slot_set::{SlotSet, has_slot, no_slots};
use snapshot_base::time::TickRate;
use snapshot_codec::{Cube, Format};
use snapshot_view::interpolate::{
    CubeSample, Interpolation, SurroundingSamples, Tangents, pose_at,
};

/// Number of the newest packets whose states are all kept, by tick. Of older packets only each slot's newest state is kept.
pub(crate) const WINDOW_PACKETS: u64 = 48;
/// Number of packets by which a packet must be older than the newest to be refused. So an acknowledgement that lacks it is
/// final.
pub(crate) const LATE_PACKETS: u64 = 16;

/// A packet that a client received.
pub(crate) trait ReceivedPacket {
    fn tick(&self) -> u64;
    /// Returns true if the packet proves the state of a slot at the packet's tick.
    fn is_fresh(&self, slot: usize) -> bool;
    fn cube(&self, slot: usize) -> &Cube;
    fn row(&self, slot: usize) -> &[u32];
    /// Returns the last tick at which the slot still had its previous state; `None` if the packet does not say it.
    fn rested_until(&self, slot: usize) -> Option<u64>;
    /// Returns true if the packet says that the slot's object jumped three times or more after a tick.
    fn has_jumped(&self, slot: usize, since: u64) -> bool;
    /// Returns the tick from which on the last object that ended in a slot was no longer there; `None` if the packet does not tell.
    fn ended(&self, slot: usize) -> Option<u64>;
}

/// The state of a slot, and its tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotSample<'a> {
    pub(crate) tick: u64,
    pub(crate) cube: &'a Cube,
    pub(crate) row: &'a [u32],
}

impl SlotSample<'_> {
    pub(crate) fn shown(&self) -> ShownSlot {
        ShownSlot::new(self.cube, self.row)
    }
}

/// The states from before the packets of a [`SampleWindow`]: the newest one of each slot.
#[derive(Clone, Debug)]
pub(crate) struct Floor {
    states: ComposedBaseline,
    /// Slots whose state is not known, because it is not known whether a packet with a state of theirs arrived.
    unknown: SlotSet,
}

impl Floor {
    pub(crate) fn empty(count: usize, row_len: usize) -> Self {
        Self {
            states: ComposedBaseline::empty(count, row_len),
            unknown: no_slots(count),
        }
    }

    /// Makes a floor in which no slot's state is known.
    pub(crate) fn unknown(count: usize, row_len: usize) -> Self {
        let mut floor = Self::empty(count, row_len);
        floor.unknown.fill(u64::MAX);
        floor
    }

    /// Adds the states of a packet that left the window. `is_received` is `None` where its arrival is not known.
    pub(crate) fn fold(&mut self, packet: &impl ReceivedPacket, is_received: Option<bool>) {
        if is_received == Some(false) {
            return;
        }
        for slot in (0..self.states.cubes.len()).filter(|slot| packet.is_fresh(*slot)) {
            let bit = 1 << (slot % 64);
            match is_received {
                None => self.unknown[slot / 64] |= bit,
                Some(_) => {
                    self.unknown[slot / 64] &= !bit;
                    let (cube, row) = (packet.cube(slot), packet.row(slot));
                    self.states.set(slot, packet.tick(), cube, row);
                }
            }
        }
    }

    /// Returns the state of a slot; an error if it is not known.
    pub(crate) fn sample(&self, slot: usize) -> Result<SlotSample<'_>, Unknown> {
        if has_slot(&self.unknown, slot) {
            return Err(Unknown);
        }
        Ok(SlotSample {
            tick: self.states.ticks[slot],
            cube: &self.states.cubes[slot],
            row: self.states.row(slot),
        })
    }

    pub(crate) fn held_bytes(&self) -> usize {
        self.states.held_bytes() + self.unknown.len() * size_of::<u64>()
    }
}

/// Error: the server does not know whether the client had a slot's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unknown;

/// The play instant of a client, in ticks from its epoch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayInstant {
    pub(crate) epoch: u64,
    pub(crate) play_tick: f64,
}

impl PlayInstant {
    /// Makes the play instant of a client whose epoch the server does not know, except that it is a multiple of 2^32. `tick` is
    /// that of a snapshot near the instant.
    pub(crate) fn near(tick: u64, play_tick: f64) -> Self {
        let modulus = (1_u64 << 32) as f64;
        let relative = f64::from(tick as u32);
        let relative = relative + modulus * ((play_tick - relative) / modulus).round();
        Self {
            epoch: tick.wrapping_add_signed(-(relative as i64)),
            play_tick,
        }
    }

    /// Converts a tick to one that is counted from the epoch.
    fn relative(&self, tick: u64) -> i64 {
        tick.wrapping_sub(self.epoch).cast_signed()
    }

    fn is_due(&self, tick: u64) -> bool {
        self.relative(tick) as f64 <= self.play_tick
    }
}

/// Returns true if an object with a state of the tick `from` ended before the play instant. `ended` is the tick from which on it
/// was no longer there, as the next packet with a state of its slot tells; an earlier object of the slot ended before `from`.
pub(crate) fn has_ended(ended: Option<u64>, from: u64, play: PlayInstant) -> bool {
    ended.is_some_and(|ended| ended > from && play.is_due(ended))
}

/// The states of a slot around a play instant, two up to it and two after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotSamples<'a> {
    pub(crate) before: Option<SlotSample<'a>>,
    pub(crate) from: SlotSample<'a>,
    pub(crate) to: Option<SlotSample<'a>>,
    pub(crate) after: Option<SlotSample<'a>>,
    /// True if the object jumped between `from` and `to`, though the lives of both may be equal.
    pub(crate) has_jumped: bool,
    /// The tick from which on the object was no longer there, as `to` tells; `None` if it tells of no end.
    pub(crate) ended: Option<u64>,
}

impl SlotSamples<'_> {
    /// Returns the object as it is drawn at the instant; `None` if it has ended.
    pub(crate) fn object(
        &self,
        format: &Format,
        tick_rate: TickRate,
        play: PlayInstant,
        interpolation: Interpolation,
    ) -> Option<Object> {
        if has_ended(self.ended, self.from.tick, play) {
            return None;
        }
        let mut object = Object::dequantised(format, self.from.cube, self.from.row);
        let own = self.from.shown();
        let goes_on = |to: SlotSample<'_>| own.goes_on(to.shown(), self.has_jumped);
        if self.to.is_none_or(goes_on) {
            let state = |sample: Option<SlotSample<'_>>| {
                sample.map(|it| (play.relative(it.tick), format.dequantise(it.cube)))
            };
            let states = [self.before, Some(self.from), self.to, self.after].map(state);
            let sample = |at: usize| {
                let (tick, cube) = states[at].as_ref()?;
                Some(CubeSample { tick: *tick, cube })
            };
            if let Some(from) = sample(1) {
                let around = SurroundingSamples {
                    tick_rate,
                    before: sample(0),
                    from,
                    to: sample(2),
                    after: sample(3),
                };
                let tangents = Tangents::for_rung(format.rung());
                object.move_to(pose_at(play.play_tick, &around, interpolation, tangents));
            }
        }
        Some(object)
    }
}

/// The newest [`WINDOW_PACKETS`] packets that a client received, oldest first, and a play instant.
pub(crate) struct SampleWindow<'a, P> {
    packets: Vec<&'a P>,
    play: PlayInstant,
    /// Number of packets up to the play instant.
    due: usize,
}

impl<'a, P: ReceivedPacket> SampleWindow<'a, P> {
    pub(crate) fn new(packets: Vec<&'a P>, play: PlayInstant) -> Self {
        let due = packets.partition_point(|packet| play.is_due(packet.tick()));
        Self { packets, play, due }
    }

    fn sample(packet: &'a P, slot: usize) -> SlotSample<'a> {
        SlotSample {
            tick: packet.tick(),
            cube: packet.cube(slot),
            row: packet.row(slot),
        }
    }

    /// Returns the newest state of a slot. `older` is its state from before the window.
    pub(crate) fn newest(&self, slot: usize, older: SlotSample<'a>) -> SlotSample<'a> {
        let mut fresh = self.packets.iter().rev();
        let fresh = fresh.find(|packet| packet.is_fresh(slot));
        fresh.map_or(older, |packet| Self::sample(packet, slot))
    }

    /// Returns true if the object that a slot showed jumped in a packet after the tick `after`, up to the tick `to`.
    pub(crate) fn has_jumped(&self, slot: usize, shown: ShownSlot, after: u64, to: u64) -> bool {
        let is_between = |packet: &&&'a P| (after + 1..=to).contains(&packet.tick());
        let mut fresh = (self.packets.iter()).filter(|packet| packet.is_fresh(slot));
        fresh.by_ref().filter(is_between).any(|packet| {
            let own = Self::sample(packet, slot).shown();
            !own.life.is_empty() && (own != shown || packet.has_jumped(slot, after))
        })
    }

    /// Returns the states of a slot around the play instant; `None` where the client shows nothing in the slot. `older` returns
    /// the slot's state from before the window; it is called only if that state is needed.
    pub(crate) fn around(
        &self,
        slot: usize,
        older: impl FnOnce() -> Result<SlotSample<'a>, Unknown>,
    ) -> Result<Option<SlotSamples<'a>>, Unknown> {
        let is_fresh = |packet: &&&'a P| packet.is_fresh(slot);
        let (due, ahead) = self.packets.split_at(self.due);
        let mut back = due.iter().rev().filter(is_fresh);
        let (own, earlier) = (back.next(), back.next());
        let mut before = earlier.map(|packet| Self::sample(packet, slot));
        let mut from = own.map(|packet| Self::sample(packet, slot));
        if before.is_none() {
            let older = Some(older()?);
            match from {
                Some(_) => before = older,
                None => from = older,
            }
        }
        let Some(mut from) = from.filter(|from| !from.cube.life.is_empty()) else {
            return Ok(None);
        };
        let since = from.tick;
        // An object that rested was in its state until then.
        let rested = |packet: &'a P, state: SlotSample<'a>| {
            let until = packet.rested_until(slot);
            let tick = until.filter(|until| *until > state.tick)?;
            Some(SlotSample { tick, ..state })
        };
        if let (Some(own), Some(state)) = (own, before) {
            before = rested(own, state).or(before);
        }
        let mut ahead = ahead.iter().filter(is_fresh);
        let (next, later) = (ahead.next(), ahead.next());
        let mut to = next.map(|packet| Self::sample(packet, slot));
        let mut after = later.map(|packet| Self::sample(packet, slot));
        if let (Some(later), Some(state)) = (later, to) {
            after = rested(later, state).or(after);
        }
        if let Some(rested) = next.and_then(|next| rested(next, from)) {
            if self.play.is_due(rested.tick) {
                (before, from) = (Some(from), rested);
            } else {
                (to, after) = (Some(rested), to);
            }
        }
        Ok(Some(SlotSamples {
            before,
            from,
            to,
            after,
            has_jumped: next.is_some_and(|next| next.has_jumped(slot, since)),
            ended: next.and_then(|next| next.ended(slot)),
        }))
    }
}
