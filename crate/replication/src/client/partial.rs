//! The client's end of partial packets. A partial packet has the objects that a client's budget has room for.

use super::{Client, ConnectionState};
use crate::clocks::PassedMs;
use crate::connection::RefusalReason;
use crate::encoding::{QUANTISED, TICKS_MAX};
use crate::extras::Velocities;
use crate::held::{HeldPartial, HeldSnapshot, compose, find};
use crate::object::{Object, row_len};
use crate::partial::{
    ComposedBaseline, Floor, LATE_PACKETS, NAMED_PACKETS, PartialBase, PartialNotes, PlayInstant,
    ReceivedPacket, SampleWindow, WINDOW_PACKETS, remove_older_twins,
};
use crate::payload::epoch_of;
use crate::shown::{ReceivedPackets, ShownInstant, ShownPackets, ShownSlot};
use crate::sorted::SortedMap;
use snapshot_base::queue::TakeFront;
use snapshot_base::time::tick_of_sequence;
use snapshot_codec::Baseline;
use std::collections::VecDeque;

/// The client's state of partial packets.
pub(super) struct PartialSession {
    /// Number of the last time that the server began from empty slots, modulo 256; `None` if it began from a whole snapshot.
    start: Option<u8>,
    /// Number of the oldest packet that the server's partial packets may still name in their baselines.
    pub(super) needed: u64,
    pub(super) floor: Floor,
    /// Number of the newest packet whose states are in the floor, the states from before the stored packets.
    floor_number: Option<u64>,
    /// Ticks of the states that the slots showed last.
    shown_ticks: Vec<u64>,
    /// Velocities that the slots had in the packets of the floor, for objects that the client predicts.
    floor_velocities: SortedMap<u16, Velocities>,
    /// True once a packet had velocities.
    has_velocities: bool,
}

impl PartialSession {
    /// Returns the velocities of a slot's object at a tick: those of the newest packet that sent a state of it, or its
    /// velocities. An object that rests is not sent again.
    fn velocities(&self, held: &VecDeque<HeldSnapshot>, slot: usize, tick: u64) -> Velocities {
        if !self.has_velocities {
            return Velocities::default();
        }
        let mut sent = held.iter().rev().filter(|held| held.tick <= tick);
        match sent.find(|held| held.is_sent(slot)) {
            Some(held) => held.extras.velocities(slot),
            None => {
                let older = self.floor_velocities.get(&(slot as u16));
                older.copied().unwrap_or_default()
            }
        }
    }

    /// Adds the states and velocities of a packet that left the window of pictures.
    fn fold(&mut self, older: &HeldSnapshot) {
        self.floor.fold(older, Some(true));
        if self.has_velocities {
            self.floor_velocities
                .retain(|slot| !older.is_sent(usize::from(*slot)));
            for (slot, velocities) in &older.extras.details {
                self.floor_velocities.insert(*slot, *velocities);
            }
        }
    }
}

/// The baseline that a partial packet names.
struct NamedBaseline {
    composed: ComposedBaseline,
    /// Age for the codec, ticks.
    ticks: u16,
    /// Number of the newest packet that the baseline has states of.
    needed: u64,
    /// Number of the start, if the packet is the first one from empty slots.
    begins: Option<u8>,
}

impl Client {
    /// Processes a whole partial packet, or a piece of a split one.
    pub(super) fn on_partial(
        &mut self,
        now_ms: PassedMs,
        base: PartialBase,
        [part, last_part]: [u8; 2],
        bytes: &[u8],
    ) -> Result<(), RefusalReason> {
        let newest = self.newest_tick();
        let number_of = |tick| self.rate.packet_number(tick, self.settings.send_rate);
        let tick = match base {
            PartialBase::Empty { tick, .. } => tick,
            PartialBase::Named { sequence, .. } => {
                let newest = newest.ok_or(RefusalReason::TooOld)?;
                let tick = tick_of_sequence(sequence, newest as i64);
                u64::try_from(tick).map_err(|_| RefusalReason::TooOld)?
            }
        };
        let number = number_of(tick);
        if newest.is_some_and(|newest| number + LATE_PACKETS <= number_of(newest)) {
            return Err(RefusalReason::TooOld);
        }
        if last_part == 0 {
            return self.on_whole_partial(now_ms, base, tick, bytes);
        }
        match self.session.split.insert_part(tick, part, last_part, bytes) {
            Some(whole) => self.on_whole_partial(now_ms, base, tick, &whole),
            None => Ok(()),
        }
    }

    /// Processes the partial packet of a tick, as FORMAT.md describes it.
    fn on_whole_partial(
        &mut self,
        now_ms: PassedMs,
        base: PartialBase,
        tick: u64,
        bytes: &[u8],
    ) -> Result<(), RefusalReason> {
        let NamedBaseline {
            composed,
            ticks,
            needed,
            begins,
        } = self.named_baseline(base, tick)?;
        if begins.is_none() && find(&self.session.held, tick).is_some() {
            return Ok(());
        }
        let (mut notes, packet) = PartialNotes::read(tick, bytes)?;
        let is_beyond = |(first, slots): (u16, u64)| {
            let there = self.settings.objects.saturating_sub(first.into());
            there == 0 || there < 64 && slots >> there != 0
        };
        let are_within = notes.extras.are_within(self.settings.objects);
        if notes.current.is_some_and(is_beyond) || !are_within {
            return Err(RefusalReason::Payload);
        }
        let mut baseline = Baseline::new(&self.format, composed.snapshot())
            .unwrap_or_else(|_| panic!("{QUANTISED}"));
        let decoded = self.coder.decode(&mut baseline, ticks, packet);
        decoded.map_err(|_| RefusalReason::Packet)?;
        if let Some(start) = begins {
            self.begin_partial(Some(start), tick);
        } else if self.session.partial.is_none() {
            self.begin_partial(None, tick);
        }
        // The server has given up a join of before: its chunks are not to be acknowledged in place of packets.
        self.session.joining.take_if(|joining| joining.tick < tick);
        if let Some(partial) = &mut self.session.partial {
            let oldest = needed.saturating_sub(NAMED_PACKETS);
            partial.needed = partial.needed.max(oldest);
            partial.has_velocities |= !notes.extras.details.is_empty();
        }
        self.on_decoded(now_ms, tick, &baseline);
        let extras = std::mem::take(&mut notes.extras);
        let partial = HeldPartial::new(tick, &composed, &baseline, notes, &extras);
        self.hold(tick, baseline, extras, Some(partial));
        Ok(())
    }

    /// Composes the baseline that a partial packet names.
    fn named_baseline(&self, base: PartialBase, tick: u64) -> Result<NamedBaseline, RefusalReason> {
        let number_of = |tick| self.rate.packet_number(tick, self.settings.send_rate);
        let session = &self.session;
        match base {
            PartialBase::Empty { start, .. } => {
                let known = session.partial.as_ref().map(|it| it.start);
                let begins = known != Some(Some(start));
                // A packet of an earlier start is late.
                if begins && self.newest_tick().is_some_and(|newest| tick <= newest) {
                    return Err(RefusalReason::TooOld);
                }
                Ok(NamedBaseline {
                    composed: ComposedBaseline::empty(self.settings.objects, row_len(&self.format)),
                    ticks: 1,
                    needed: number_of(tick),
                    begins: begins.then_some(start),
                })
            }
            PartialBase::Named { age, before, .. } => {
                let named = tick.checked_sub(age.into()).ok_or(RefusalReason::TooOld)?;
                let composed = compose(&session.held, named, before);
                Ok(NamedBaseline {
                    composed: composed.ok_or(RefusalReason::TooOld)?,
                    ticks: u64::from(age).min(TICKS_MAX) as u16,
                    needed: number_of(named),
                    begins: None,
                })
            }
        }
    }

    /// Begins with partial packets. With a `start` all slots are empty and stored snapshots are dropped; else the stored whole
    /// snapshots stay.
    fn begin_partial(&mut self, start: Option<u8>, tick: u64) {
        let (count, row_len) = (self.settings.objects, row_len(&self.format));
        if start.is_some() {
            if self.session.held.is_empty() {
                self.session.epoch = epoch_of(tick);
            }
            self.session.held.clear();
            self.shown.fill(ShownSlot::EMPTY);
        }
        let has_velocities = (self.session.held.iter()).any(|held| !held.extras.details.is_empty());
        self.session.partial = Some(PartialSession {
            floor_velocities: SortedMap::new(),
            has_velocities,
            start,
            needed: 0,
            floor: Floor::empty(count, row_len),
            floor_number: None,
            shown_ticks: vec![0; count],
        });
    }

    /// Drops the snapshots that no partial packet will name and no picture will need.
    pub(super) fn drop_unnamed(&mut self) {
        let most = self.held_most();
        let ConnectionState { held, partial, .. } = &mut self.session;
        let (Some(partial), Some(newest)) = (partial, held.back()) else {
            return;
        };
        let first = (newest.number + 1).saturating_sub(WINDOW_PACKETS);
        let floor_number = partial.floor_number;
        let is_older = |it: &&HeldSnapshot| {
            it.number < first && floor_number.is_none_or(|floor| it.number > floor)
        };
        for older in held.iter().filter(is_older) {
            partial.fold(older);
        }
        partial.floor_number = first.checked_sub(1).max(partial.floor_number);
        let needed = partial.needed.min(first);
        while held.take_front_if(|held| held.number < needed).is_some() {}
        while held.len() > most {
            held.pop_front();
        }
        // The client's budget has ended, and no picture needs its packets.
        if held.iter().all(|held| held.partial.is_none()) {
            self.session.partial = None;
        }
    }

    /// Replaces the shown objects by those of an instant. Each is interpolated between the packets that had a state of it.
    pub(super) fn show_partial(&mut self, play_tick: f64) {
        let ConnectionState {
            held,
            partial: Some(partial),
            epoch,
            ..
        } = &mut self.session
        else {
            return;
        };
        let Some(newest) = held.back() else {
            return;
        };
        let first = (newest.number + 1).saturating_sub(WINDOW_PACKETS);
        let packets: Vec<_> = held.iter().filter(|held| held.number >= first).collect();
        let before = packets
            .iter()
            .fold(0, |bits, packet| match newest.number - packet.number {
                0 => bits,
                ago => bits | 1_u64 << (ago - 1),
            });
        self.shown_instant = Some(ShownInstant {
            interpolation: self.settings.interpolation,
            play_tick,
            packets: ShownPackets::Received(ReceivedPackets {
                newest: newest.tick as u32,
                before,
            }),
        });
        let play = PlayInstant {
            epoch: *epoch,
            play_tick,
        };
        let newest_tick = newest.tick;
        let window = SampleWindow::new(packets, play);
        let mut ticks = Vec::with_capacity(self.settings.objects);
        self.objects.clear();
        for slot in 0..self.settings.objects {
            let Ok(Some(samples)) = window.around(slot, || partial.floor.sample(slot)) else {
                continue;
            };
            let mode = self.settings.interpolation;
            let Some(mut object) = samples.object(&self.format, self.rate, play, mode) else {
                continue;
            };
            let Ok(older) = partial.floor.sample(slot) else {
                continue;
            };
            let known = window.newest(slot, older);
            object.age_ms = self.rate.ms_of_tick((newest_tick - known.tick) as f64) as f32;
            let (tick, own) = (samples.from.tick, samples.from.shown());
            let (shown, shown_tick) = (self.shown[slot], partial.shown_ticks[slot]);
            if tick > shown_tick || shown.life.is_empty() {
                object.teleported = match !shown.life.is_empty() && shown.id == own.id {
                    true => window.has_jumped(slot, shown, shown_tick, tick),
                    false => {
                        let is_it = |it: &ShownSlot| !it.life.is_empty() && it.id == own.id;
                        self.shown.iter().any(is_it)
                    }
                };
                self.shown[slot] = own;
                partial.shown_ticks[slot] = tick;
            }
            object.add(partial.velocities(held, slot, tick));
            ticks.push(tick);
            self.objects.push(object);
        }
        remove_older_twins(&mut self.objects, &ticks);
    }

    /// Returns the newest state of each object, by slot.
    pub(super) fn newest_objects(&self, newest: &HeldSnapshot) -> Vec<Object> {
        let slots = 0..self.settings.objects;
        let slots = slots.filter_map(|slot| self.newest_object(newest, slot));
        let (ticks, mut objects): (Vec<u64>, Vec<Object>) = slots.unzip();
        if self.session.partial.is_some() {
            remove_older_twins(&mut objects, &ticks);
        }
        objects
    }

    /// Returns the newest state of the object in a slot, and its tick; `None` if there is no object.
    fn newest_object(&self, newest: &HeldSnapshot, slot: usize) -> Option<(u64, Object)> {
        let mut fresh = self.session.held.iter().rev();
        let fresh = fresh.find(|held| held.is_fresh(slot));
        let (tick, cube, row) = match (fresh, &self.session.partial) {
            (Some(held), _) => (held.tick, held.cube(slot), held.row(slot)),
            (None, Some(partial)) => {
                let sample = partial.floor.sample(slot).ok()?;
                (sample.tick, sample.cube, sample.row)
            }
            (None, None) => return None,
        };
        if cube.life.is_empty() {
            return None;
        }
        let mut object = Object::dequantised(&self.format, cube, row);
        object.age_ms = self.rate.ms_of_tick((newest.tick - tick) as f64) as f32;
        object.add(match (&self.session.partial, fresh) {
            (Some(partial), _) => partial.velocities(&self.session.held, slot, newest.tick),
            (None, Some(held)) => held.extras.velocities(slot),
            (None, None) => Velocities::default(),
        });
        Some((tick, object))
    }
}
