//! Objects of the game, and the slots in which they are sent. A slot is an object's place in all snapshots. Its life, one of
//! three values, changes when the object jumps or another object comes into the slot.

use crate::error_name::named;
use crate::extras::{Extras, Velocities};
use crate::sorted::SortedMap;
use crate::{OutOfBounds, Settings};
use snapshot_codec::{Cube, CubeState, FIELDS_MAX, Format, Life, Snapshot};
use snapshot_view::Pose;
use std::collections::VecDeque;
use std::fmt;

/// Allowed range of a unit quaternion's squared length; wide because a game's own steps change the length a little.
const UNIT_LENGTH2: std::ops::Range<f32> = 0.5..2.0;

/// A client's interest in an object. Priorities count where the client has a budget.
///
/// Each packet has the objects that fit. An object that came, ended or jumped goes before those that only changed, and one
/// with an infinite priority before all others. Among equals the object is sent first whose priority, times the time since
/// its last state was sent, is greatest; then the oldest. An eighth of the objects of a packet are the oldest ones, whatever
/// their priorities. So each object with a priority above 0 is sent within eight times as long as the budget takes for all
/// that wait, and no priority starves another.
///
/// A client joins by such packets, too: what is near comes first, and `Figures::missing_objects` counts what it still lacks.
/// Each object is drawn from the packets that had it. An object that came or ended is sent in each packet for 200 ms, or
/// until the client has it. If it ended and all packets that had it were lost, one more packet has its last state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interest {
    /// The client does not receive the object.
    Unseen,
    /// The client receives the object; its priority for sending grows by this number a second.
    Priority(f32),
    /// The client predicts the object, so it receives velocities, too: in each packet, or with a budget when they change.
    Detail(f32),
}

impl Interest {
    /// Returns an interest that falls with the distance of an object from a place: 1 within `near_m`, then in inverse
    /// proportion to the distance, and none beyond `far_m`. Distances are in metres.
    pub fn by_distance(place: [f32; 3], object: &Object, near_m: f32, far_m: f32) -> Self {
        let apart = [0, 1, 2].map(|axis| object.position[axis] - place[axis]);
        let distance_m = apart.iter().map(|it| it * it).sum::<f32>().sqrt();
        match distance_m <= far_m {
            true => Self::Priority(near_m / distance_m.max(near_m)),
            false => Self::Unseen,
        }
    }
}

impl From<bool> for Interest {
    fn from(is_seen: bool) -> Self {
        if is_seen {
            Self::Priority(1.0)
        } else {
            Self::Unseen
        }
    }
}

/// An object of the game: the server sends it, and clients show it.
///
/// One that cannot be sent, outside the bounds or with a number that is not finite, is left out. `OutOfBounds` may clamp
/// positions instead. The usual bounds are -256 to 256 m along x and y, and 0 to 32 m along z. An object that shivers by more
/// than a step of its bits is sent in each packet: give its old pose while it rests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Object {
    /// Number that identifies the object. No two objects have the same number at one time.
    pub id: u32,
    /// The game's number for the type of the object. It does not change while the object exists.
    pub kind: u32,
    /// Position of the centre, m.
    pub position: [f32; 3],
    /// Unit quaternion x, y, z, w.
    pub orientation: [f32; 4],
    /// Linear velocity, m/s. A client has it on rungs that send it, and for objects that it sees in detail. If a server
    /// leaves it out, it sends the displacement of the last tick as a velocity.
    pub velocity: Option<[f32; 3]>,
    /// Angular velocity, rad/s. A client has it for objects that it sees in detail.
    pub angular_velocity: Option<[f32; 3]>,
    /// Values of the declared fields, in the order of the settings; unused ones are 0.
    pub fields: [u32; FIELDS_MAX],
    /// At the server: the object jumped in this tick. At a client: the object was shown somewhere else before, so it must not
    /// be interpolated from there.
    pub teleported: bool,
    /// At a client with a budget: age of the object's newest state when the newest packet left the server, ms. Elsewhere 0.
    pub age_ms: f32,
}

/// Number of values in a slot's row: id, kind and declared fields.
pub(crate) fn row_len(format: &Format) -> usize {
    format.fields().map_or(2, |fields| fields.row_len())
}

impl Default for Object {
    fn default() -> Self {
        Self {
            id: 0,
            kind: 0,
            position: [0.0; 3],
            orientation: [0.0, 0.0, 0.0, 1.0],
            velocity: None,
            angular_velocity: None,
            fields: [0; FIELDS_MAX],
            teleported: false,
            age_ms: 0.0,
        }
    }
}

impl Object {
    /// Creates an object at a position, with the identity orientation, at rest, and with fields of 0.
    pub fn at(id: u32, position: [f32; 3]) -> Self {
        Self {
            id,
            position,
            ..Self::default()
        }
    }

    /// Returns the state to quantise; `velocity` is used if the game gave none.
    pub(crate) fn state(&self, life: Life, velocity: [f32; 3]) -> CubeState {
        let velocity = self.velocity.unwrap_or(velocity);
        CubeState {
            position: self.position,
            orientation: self.orientation,
            linear_velocity: velocity,
            angular_velocity: [0.0; 3],
            interacting: false,
            at_rest: velocity == [0.0; 3],
            life,
        }
    }

    /// Returns the object as a client reconstructs it.
    pub(crate) fn dequantised(format: &Format, cube: &Cube, row: &[u32]) -> Self {
        // Both sides name all fields, so that a new one is not forgotten here.
        let CubeState {
            position,
            orientation,
            linear_velocity,
            angular_velocity: _,
            interacting: _,
            at_rest: _,
            life: _,
        } = format.dequantise(cube);
        let mut fields = [0; FIELDS_MAX];
        fields[..row.len() - 2].copy_from_slice(&row[2..]);
        Self {
            id: row[0],
            kind: row[1],
            position,
            orientation,
            velocity: (format.rung().sends_velocity()).then_some(linear_velocity),
            angular_velocity: None,
            fields,
            teleported: false,
            age_ms: 0.0,
        }
    }

    /// Moves the object to an interpolated pose.
    pub(crate) fn move_to(&mut self, pose: Pose) {
        let Pose {
            position,
            orientation,
            interacting: _,
            life: _,
        } = pose;
        (self.position, self.orientation) = (position, orientation);
    }

    /// Sets the velocities that were sent beside the packet.
    pub(crate) fn add(&mut self, velocities: Velocities) {
        self.velocity = velocities.linear.or(self.velocity);
        self.angular_velocity = velocities.angular;
    }

    /// Iterates over the objects of a snapshot, by slot.
    pub(crate) fn all<'a>(
        format: &'a Format,
        snapshot: Snapshot<'a>,
        extras: &'a Extras,
    ) -> impl Iterator<Item = Self> + 'a {
        let rows = snapshot.rows.chunks(row_len(format)).zip(snapshot.cubes);
        let there = (rows.enumerate()).filter(|(_, (_, cube))| !cube.life.is_empty());
        there.map(|(slot, (row, cube))| {
            let mut object = Self::dequantised(format, cube, row);
            object.add(extras.velocities(slot));
            object
        })
    }

    /// Returns an error if an object cannot be sent as it is.
    pub(crate) fn check(&self, settings: &Settings, format: &Format) -> Result<(), ObjectError> {
        let id = self.id;
        let velocities = self.velocity.iter().chain(&self.angular_velocity);
        let mut numbers =
            (self.position.iter().chain(&self.orientation)).chain(velocities.flatten());
        if numbers.any(|number| !number.is_finite()) {
            return Err(ObjectError::NotFinite { id });
        }
        for axis in 0..3 {
            let lower = format.bounds().lower()[axis] as f32;
            let upper = format.bounds().upper()[axis] as f32;
            let is_within = (lower..=upper).contains(&self.position[axis]);
            if !is_within && settings.out_of_bounds == OutOfBounds::LeaveOut {
                let bounds = [lower as i32, upper as i32];
                return Err(ObjectError::OutOfBounds { id, axis, bounds });
            }
        }
        let length2: f32 = self.orientation.iter().map(|it| it * it).sum();
        if !UNIT_LENGTH2.contains(&length2) {
            return Err(ObjectError::Orientation { id });
        }
        if self.kind >> settings.kind_bits != 0 {
            return Err(ObjectError::Kind { id });
        }
        for (field, &value) in self.fields.iter().enumerate() {
            let bits = settings.fields.get(field).map_or(0, |field| field.bits);
            if value >> bits != 0 {
                return Err(ObjectError::Field { id, field });
            }
        }
        Ok(())
    }
}

/// Objects that appeared or ended: at a server from one tick to the next, at a client from one `show` to the next.
#[derive(Clone, Debug, Default)]
pub struct ObjectChanges {
    /// Ids of the new objects, in the game's order.
    pub appeared: Vec<u32>,
    /// Ids of the objects that no longer exist, in the game's order. The same id with another kind counts as another object.
    pub ended: Vec<u32>,
    /// Id and kind of the objects that exist, in the game's order.
    there: Vec<(u32, u32)>,
}

impl ObjectChanges {
    pub(crate) fn update<'a>(&mut self, objects: impl Iterator<Item = &'a Object>) {
        self.appeared.clear();
        self.ended.clear();
        let now: Vec<_> = objects.map(|object| (object.id, object.kind)).collect();
        let before = std::mem::replace(&mut self.there, now);
        if before == self.there {
            return;
        }
        let [before, now] = [&before, &self.there].map(|them| {
            let mut sorted = SortedMap::<(u32, u32), ()>::new();
            them.iter().for_each(|&it| sorted.insert(it, ()));
            sorted
        });
        let missing = |from: &SortedMap<(u32, u32), ()>, to: &SortedMap<(u32, u32), ()>| {
            let missing = from.iter().filter(|(it, _)| to.get(it).is_none());
            missing.map(|(it, _)| it.0).collect()
        };
        self.appeared = missing(&now, &before);
        self.ended = missing(&before, &now);
    }
}

/// Reason why a server sends no objects in a tick. Its connections go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TickError {
    /// The time is not a finite number.
    Time,
    /// The tick is not newer than the last.
    NotNewer {
        /// The refused tick.
        tick: u64,
    },
    /// The tick is 2^48 or more.
    TooLarge {
        /// The refused tick.
        tick: u64,
    },
}

/// Reason why an object is left out of a tick. Other objects are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ObjectError {
    /// There are more objects than the settings allow.
    TooMany {
        /// Id of the object.
        id: u32,
    },
    /// Another object of the tick has the same id.
    SameId {
        /// Id of both objects.
        id: u32,
    },
    /// The object is outside the bounds of the settings.
    OutOfBounds {
        /// Id of the object.
        id: u32,
        /// The axis: 0, 1 or 2 for x, y or z.
        axis: usize,
        /// The bounds along the axis, m.
        bounds: [i32; 2],
    },
    /// One of the object's numbers is not finite.
    NotFinite {
        /// Id of the object.
        id: u32,
    },
    /// The object's orientation is far from a unit quaternion, for example all 0 because the game never set it.
    Orientation {
        /// Id of the object.
        id: u32,
    },
    /// The object's kind has more bits than the settings say.
    Kind {
        /// Id of the object.
        id: u32,
    },
    /// A field of the object has more bits than the settings say.
    Field {
        /// Id of the object.
        id: u32,
        /// Index of the field, in the order of the settings.
        field: usize,
    },
}

impl TickError {
    /// The error's number, for programs in other languages.
    pub const fn number(&self) -> u32 {
        match self {
            Self::NotNewer { .. } => 121,
            Self::TooLarge { .. } => 128,
            Self::Time => 130,
        }
    }
}

impl ObjectError {
    /// Id of the object that the error is about.
    pub const fn id(&self) -> u32 {
        match *self {
            Self::TooMany { id }
            | Self::SameId { id }
            | Self::OutOfBounds { id, .. }
            | Self::NotFinite { id }
            | Self::Orientation { id }
            | Self::Kind { id }
            | Self::Field { id, .. } => id,
        }
    }

    /// The error's number, for programs in other languages.
    pub const fn number(&self) -> u32 {
        match self {
            Self::TooMany { .. } => 122,
            Self::SameId { .. } => 123,
            Self::OutOfBounds { .. } => 124,
            Self::NotFinite { .. } => 125,
            Self::Kind { .. } => 126,
            Self::Field { .. } => 127,
            Self::Orientation { .. } => 129,
        }
    }
}

impl fmt::Display for TickError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(named(self.number()))
    }
}

impl std::error::Error for TickError {}

impl fmt::Display for ObjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "object {}: {}", self.id(), named(self.number()))?;
        match self {
            Self::OutOfBounds { axis, .. } => write!(f, ", along {}", ["x", "y", "z"][*axis]),
            Self::Field { field, .. } => write!(f, ", field {field}"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for ObjectError {}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// Id of the slot's newest object; an empty slot keeps it.
    id: u32,
    kind: u32,
    life: Life,
    is_alive: bool,
    /// True once an object has been in the slot.
    is_used: bool,
    /// True if the object jumped since the last packet, or was absent for a while.
    has_jumped: bool,
    /// Number of the tick, counted by this list, in which the slot's object was there last.
    seen: u64,
    /// The tick in which the slot's object was there last.
    last_tick: u64,
    /// The tick from which on the slot's object before was no longer there; 0 if there was none.
    ended: u64,
    /// The object's position in the tick in which it was there last, m. `way` is its displacement since the tick before.
    position: [f32; 3],
    way: [f32; 3],
    /// Ticks of the packets in which the slot's life last changed, three of them, oldest first.
    jumps: [u64; 3],
}

impl Slot {
    fn jump(&mut self, tick: u64) {
        self.life = self.life.next();
        self.jumps.rotate_left(1);
        self.jumps[2] = tick;
    }
}

/// The server's assignment of objects to slots. It changes only in ticks with a packet. So a slot's life changes at most once
/// between two packets, and never by a whole cycle of three.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    slots: Vec<Slot>,
    by_id: SortedMap<u32, usize>,
    /// Empty slots, the longest empty first. A slot's lives repeat, so it should stay empty for long before it is used again.
    free: VecDeque<usize>,
    /// The slot of each object of the last tick; `None` for an object that was left out, or that waits for the next packet.
    places: Vec<Option<usize>>,
    ticks: u64,
}

impl Slots {
    pub(crate) fn new(count: usize) -> Self {
        Self {
            slots: vec![Slot::default(); count],
            by_id: SortedMap::new(),
            free: (0..count).collect(),
            places: Vec::with_capacity(count),
            ticks: 0,
        }
    }

    /// Updates the slots by the objects of the next tick; fills empty slots only if a packet leaves in that tick. Objects that
    /// have a slot keep it. An object that cannot be sent is left out: `check` refuses it, its id is not unique, or no slot is
    /// free.
    pub(crate) fn update(
        &mut self,
        tick: u64,
        objects: &[Object],
        is_packet: bool,
        check: impl Fn(&Object) -> Result<(), ObjectError>,
        left_out: &mut Vec<ObjectError>,
    ) {
        self.ticks += 1;
        let mut newcomers = Vec::new();
        self.places.resize(objects.len(), None);
        for (index, object) in objects.iter().enumerate() {
            // Mostly the objects come in the same order.
            let usual = self.places[index].take();
            if let Err(reason) = check(object) {
                left_out.push(reason);
                continue;
            }
            let usual = usual.filter(|&slot| {
                let slot = &self.slots[slot];
                slot.is_alive && slot.id == object.id
            });
            let Some(slot) = usual.or_else(|| self.by_id.get(&object.id).copied()) else {
                newcomers.push(index);
                continue;
            };
            self.places[index] = Some(slot);
            let slot = &mut self.slots[slot];
            if slot.seen == self.ticks {
                left_out.push(ObjectError::SameId { id: object.id });
                self.places[index] = None;
                continue;
            }
            let has_jumped = object.teleported || slot.seen + 1 != self.ticks;
            let way = |axis| object.position[axis] - slot.position[axis];
            slot.way = if has_jumped {
                [0.0; 3]
            } else {
                [0, 1, 2].map(way)
            };
            slot.position = object.position;
            slot.has_jumped |= has_jumped;
            slot.seen = self.ticks;
            slot.last_tick = tick;
        }
        if !is_packet {
            return;
        }
        for (index, slot) in self.slots.iter_mut().enumerate() {
            if slot.is_alive && slot.seen != self.ticks {
                slot.is_alive = false;
                slot.ended = slot.last_tick + 1;
                self.by_id.remove(&slot.id);
                self.free.push_back(index);
            }
        }
        for (object, slot) in objects.iter().zip(&self.places) {
            let Some(slot) = slot.map(|slot| &mut self.slots[slot]) else {
                continue;
            };
            if std::mem::take(&mut slot.has_jumped) || slot.kind != object.kind {
                slot.jump(tick);
            }
            slot.kind = object.kind;
        }
        for index in newcomers {
            match self.fill(tick, &objects[index]) {
                Ok(slot) => self.places[index] = Some(slot),
                Err(reason) => left_out.push(reason),
            }
        }
    }

    /// Puts a new object into an empty slot; returns the slot's index.
    fn fill(&mut self, tick: u64, object: &Object) -> Result<usize, ObjectError> {
        let id = object.id;
        if self.by_id.get(&id).is_some() {
            return Err(ObjectError::SameId { id });
        }
        let index = (self.free.pop_front()).ok_or(ObjectError::TooMany { id })?;
        let slot = &mut self.slots[index];
        if slot.is_used {
            slot.jump(tick);
        }
        *slot = Slot {
            id,
            kind: object.kind,
            is_alive: true,
            is_used: true,
            has_jumped: false,
            seen: self.ticks,
            last_tick: tick,
            position: object.position,
            way: [0.0; 3],
            ..*slot
        };
        self.by_id.insert(id, index);
        Ok(index)
    }

    /// The slot of each object of the last tick; `None` for an object that was left out.
    pub(crate) fn places(&self) -> &[Option<usize>] {
        &self.places
    }

    pub(crate) fn life(&self, slot: usize) -> Life {
        self.slots[slot].life
    }

    /// Displacement of a slot's object since the tick before, m.
    pub(crate) fn way(&self, slot: usize) -> [f32; 3] {
        self.slots[slot].way
    }

    /// Returns the slots whose lives changed three times or more after tick `since`, each with the tick of the third last
    /// change.
    pub(crate) fn jumps(&self, since: u64) -> Vec<(u16, u64)> {
        let slots = (0..).zip(&self.slots);
        let often = slots.filter(|(_, slot)| slot.is_alive && slot.jumps[0] > since);
        often.map(|(at, slot)| (at, slot.jumps[0])).collect()
    }

    /// Returns the slots in which an object ended after tick `since`, each with the tick from which on the last one that ended was
    /// no longer there. Another object may have the slot since.
    pub(crate) fn ends(&self, since: u64) -> Vec<(u16, u64)> {
        let slots = (0..).zip(&self.slots);
        let ended = slots.filter(|(_, slot)| slot.ended > since);
        ended.map(|(at, slot)| (at, slot.ended)).collect()
    }
}
