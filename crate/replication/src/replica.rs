//! The server's knowledge of one client's snapshots.

use crate::connection::RefusalReason;
use crate::payload::{CHUNK_BYTES, PART_BYTES, PARTS_MAX, ToClient, ToServer};
use snapshot_codec::{Baseline, Class, Cube, Format, Snapshot, SnapshotCoder};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Greatest age of a baseline in ticks. A client that has acknowledged nothing newer joins again.
pub(crate) const AGE_MAX: u64 = 255;
/// Chunks of a joining snapshot that leave at a time.
const CHUNKS_AT_A_TIME: usize = 8;
/// Time after which a chunk without an acknowledgement is sent again, in packets of the server.
const CHUNK_WAIT: u64 = 4;
/// Between a client's first baseline and the packets after it, where that is long ago.
const TICKS_MAX: u64 = 256;

/// The quantised objects of a tick, for all clients.
#[derive(Debug)]
pub(crate) struct WorldSnapshot {
    pub(crate) tick: u64,
    pub(crate) cubes: Vec<Cube>,
    pub(crate) rows: Vec<u32>,
}

/// A bit for each slot with an object that a client sees. There are none beyond the last slot.
pub(crate) type VisibleSlots = Box<[u64]>;

/// A snapshot that a client was sent.
#[derive(Clone, Debug)]
struct SentSnapshot {
    world: Arc<WorldSnapshot>,
    /// Slots that the client sees; none where it sees every object.
    seen: Option<VisibleSlots>,
    /// The snapshot with the coder's state, in class chained.
    chained: Option<Baseline>,
}

/// The snapshot with which a client joins.
#[derive(Debug)]
struct Join {
    told: SentSnapshot,
    bytes: Arc<[u8]>,
    /// Each chunk's last send, counted from 1 and 0 before the first; none once the client has the chunk.
    chunks: Vec<Option<u64>>,
}

/// The server's side of one client's snapshots.
#[derive(Debug, Default)]
pub(crate) struct ClientReplica {
    join: Option<Join>,
    /// The newest snapshot that the client acknowledged, and whether the client joined with that snapshot.
    baseline: Option<(SentSnapshot, bool)>,
    /// Snapshots since then, oldest first.
    told: VecDeque<SentSnapshot>,
    sends: u64,
}

/// Numbers of a server's packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacketCounts {
    /// Snapshots that were sent, one for each client.
    pub packets: u64,
    /// Packets that were encoded: equal ones are encoded once.
    pub encoded: u64,
    /// Packets that did not fit a datagram and were split.
    pub split: u64,
    /// Joining snapshots.
    pub joins: u64,
}

/// The tick and the seen slots of a baseline, none for the empty one, and the seen slots of the snapshot: clients that have
/// these in common get the same packet.
type EncodeKey = (Option<(u64, Option<VisibleSlots>)>, Option<VisibleSlots>);

/// Encodes snapshots for all clients.
pub(crate) struct Encoding {
    format: Format,
    mtu_payload: usize,
    coder: SnapshotCoder,
    empty: Baseline,
    /// Packets of this tick that another client may get too.
    cache: BTreeMap<EncodeKey, Arc<[u8]>>,
    rooms: [VisibleSnapshot; 2],
    payload: Vec<u8>,
    packet: Vec<u8>,
    pub(crate) counts: PacketCounts,
}

/// Room for a snapshot of the objects that a client sees.
struct VisibleSnapshot {
    cubes: Vec<Cube>,
    rows: Vec<u32>,
    /// Slots that are not empty.
    filled: Vec<usize>,
}

impl VisibleSnapshot {
    fn new(empty: Snapshot) -> Self {
        Self {
            cubes: empty.cubes.to_vec(),
            rows: empty.rows.to_vec(),
            filled: Vec::with_capacity(empty.cubes.len()),
        }
    }

    fn of<'a>(&'a mut self, world: &'a WorldSnapshot, seen: Option<&VisibleSlots>) -> Snapshot<'a> {
        let Some(seen) = seen else {
            return world.snapshot();
        };
        let row_len = world.rows.len() / world.cubes.len();
        let row = |slot: usize| slot * row_len..(slot + 1) * row_len;
        for slot in self.filled.drain(..) {
            self.cubes[slot] = Cube::EMPTY;
            self.rows[row(slot)].fill(0);
        }
        for (word, &bits) in seen.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let slot = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.filled.push(slot);
                self.cubes[slot] = world.cubes[slot];
                self.rows[row(slot)].copy_from_slice(&world.rows[row(slot)]);
            }
        }
        Snapshot {
            cubes: &self.cubes,
            rows: &self.rows,
        }
    }
}

impl Encoding {
    pub(crate) fn new(format: &Format, mtu_payload: usize, empty: Baseline) -> Self {
        Self {
            format: *format,
            mtu_payload,
            coder: SnapshotCoder::new(format),
            cache: BTreeMap::new(),
            rooms: [0, 1].map(|_| VisibleSnapshot::new(empty.snapshot())),
            empty,
            payload: Vec::new(),
            packet: Vec::new(),
            counts: PacketCounts::default(),
        }
    }

    /// Begins another tick.
    pub(crate) fn begin(&mut self) {
        self.cache.clear();
    }

    /// Encodes a snapshot against one that the client has, or against empty slots.
    fn encode(
        &mut self,
        base: Option<&SentSnapshot>,
        world: &Arc<WorldSnapshot>,
        seen: Option<VisibleSlots>,
    ) -> (SentSnapshot, Arc<[u8]>) {
        let is_chained =
            self.format.class() == Class::Chained && self.format.rung().is_arithmetic();
        let equal = (
            base.map(|base| (base.world.tick, base.seen.clone())),
            seen.clone(),
        );
        let told = SentSnapshot {
            world: Arc::clone(world),
            seen,
            chained: None,
        };
        if !is_chained && let Some(packet) = self.cache.get(&equal) {
            return (told, Arc::clone(packet));
        }
        self.counts.encoded += 1;
        let ticks = base.map_or(1, |base| {
            (world.tick - base.world.tick).clamp(1, TICKS_MAX) as u16
        });
        let [before, after] = &mut self.rooms;
        let snapshot = after.of(world, told.seen.as_ref());
        let chained = if is_chained {
            let chained = base.and_then(|base| base.chained.as_ref());
            let mut baseline = chained.unwrap_or(&self.empty).clone();
            let coder = &mut self.coder;
            coder
                .encode(&mut baseline, ticks, snapshot, &mut self.packet)
                .map(|()| Some(baseline))
        } else {
            let baseline = match base {
                Some(base) => before.of(&base.world, base.seen.as_ref()),
                None => self.empty.snapshot(),
            };
            let coder = &mut self.coder;
            coder
                .encode_between(baseline, ticks, snapshot, &mut self.packet)
                .map(|()| None)
        };
        let chained = chained.unwrap_or_else(|_| panic!("{QUANTISED}"));
        let packet: Arc<[u8]> = self.packet[..].into();
        if !is_chained {
            self.cache.insert(equal, Arc::clone(&packet));
        }
        (SentSnapshot { chained, ..told }, packet)
    }
}

/// Why snapshots of the server can be encoded.
pub(crate) const QUANTISED: &str = "the format itself quantised the objects";

impl ClientReplica {
    /// Takes a payload of the client.
    pub(crate) fn receive(&mut self, payload: &[u8]) -> Result<(), RefusalReason> {
        match ToServer::read(payload)? {
            ToServer::Has { tick } => {
                let is_it = |told: &SentSnapshot| told.world.tick as u32 == tick;
                if let Some(join) = self.join.take_if(|join| is_it(&join.told)) {
                    self.baseline = Some((join.told, true));
                    self.told.clear();
                } else if let Some(index) = self.told.iter().position(is_it) {
                    self.told.drain(..index);
                    self.baseline = self.told.pop_front().map(|told| (told, false));
                }
            }
            ToServer::HasChunks {
                tick,
                missing,
                after,
            } => {
                let join = self.join.as_mut();
                let join = join.filter(|join| join.told.world.tick as u32 == tick);
                let chunks = join.map_or(&mut [][..], |join| &mut join.chunks);
                for (index, chunk) in chunks.iter_mut().enumerate() {
                    let beyond = index.checked_sub(usize::from(missing) + 1);
                    let is_named = |beyond: usize| beyond < 32 && after >> beyond & 1 == 1;
                    if index < usize::from(missing) || beyond.is_some_and(is_named) {
                        *chunk = None;
                    }
                }
            }
        }
        Ok(())
    }

    /// Sends the payloads of a tick to the client.
    pub(crate) fn send(
        &mut self,
        encoding: &mut Encoding,
        world: &Arc<WorldSnapshot>,
        seen: Option<VisibleSlots>,
        mut send: impl FnMut(&[u8]),
    ) {
        self.sends += 1;
        let tick = world.tick;
        let age_of = |(told, _): &(SentSnapshot, bool)| tick - told.world.tick;
        let is_old = self
            .baseline
            .as_ref()
            .is_none_or(|it| age_of(it) > AGE_MAX && !it.1);
        if self.join.is_none() && is_old {
            self.join(encoding, world, seen);
        } else if self.join.is_none()
            && let Some((base, is_join)) = &self.baseline
        {
            let age = if *is_join {
                0
            } else {
                (tick - base.world.tick) as u8
            };
            let (told, packet) = encoding.encode(Some(base), world, seen);
            encoding.counts.packets += 1;
            self.told.push_back(told);
            while (self.told.front()).is_some_and(|told| tick - told.world.tick > AGE_MAX) {
                self.told.pop_front();
            }
            let room = if packet.len() + 4 <= encoding.mtu_payload {
                packet.len().max(1)
            } else {
                encoding.counts.split += 1;
                encoding.mtu_payload - PART_BYTES
            };
            let parts = packet.len().div_ceil(room).max(1);
            if parts > PARTS_MAX {
                self.baseline = None;
                return;
            }
            for part in 0..parts {
                let bytes = &packet[part * room..packet.len().min((part + 1) * room)];
                let to_client = ToClient::Packet {
                    sequence: tick as u16,
                    age,
                    part: part as u8,
                    last_part: (parts - 1) as u8,
                    bytes,
                };
                to_client.write(&mut encoding.payload);
                send(&encoding.payload);
            }
        }
        self.send_chunks(encoding, &mut send);
    }

    /// Begins to send the snapshot with which the client joins.
    fn join(
        &mut self,
        encoding: &mut Encoding,
        world: &Arc<WorldSnapshot>,
        seen: Option<VisibleSlots>,
    ) {
        let (told, bytes) = encoding.encode(None, world, seen);
        encoding.counts.joins += 1;
        let count = bytes
            .len()
            .div_ceil(encoding.mtu_payload - CHUNK_BYTES)
            .max(1);
        let chunks = vec![Some(0); count];
        self.join = Some(Join {
            told,
            bytes,
            chunks,
        });
    }

    fn send_chunks(&mut self, encoding: &mut Encoding, mut send: impl FnMut(&[u8])) {
        let Some(join) = &mut self.join else {
            return;
        };
        let room = encoding.mtu_payload - CHUNK_BYTES;
        let (now, count) = (self.sends, join.chunks.len());
        let is_due = |left: u64| left == 0 || now >= left + CHUNK_WAIT;
        let due = join.chunks.iter_mut().enumerate();
        let due = due.filter_map(|(index, left)| left.as_mut().map(|left| (index, left)));
        for (index, left) in due
            .filter(|(_, left)| is_due(**left))
            .take(CHUNKS_AT_A_TIME)
        {
            *left = now;
            let end = join.bytes.len().min((index + 1) * room);
            let chunk = ToClient::Chunk {
                tick: join.told.world.tick,
                index: index as u16,
                count: count as u16,
                bytes: &join.bytes[index * room..end],
            };
            chunk.write(&mut encoding.payload);
            send(&encoding.payload);
        }
    }

    /// Bytes of allocated memory that belong to this client alone.
    pub(crate) fn held_bytes(&self) -> usize {
        let of = |told: &SentSnapshot| {
            let chained = told.chained.as_ref().map_or(0, Baseline::held_bytes);
            told.seen.as_ref().map_or(0, |seen| seen.len() * 8) + chained
        };
        let told = self
            .told
            .iter()
            .chain(self.baseline.as_ref().map(|(told, _)| told));
        let join = self
            .join
            .as_ref()
            .map_or(0, |join| of(&join.told) + join.bytes.len());
        self.told.capacity() * size_of::<SentSnapshot>() + told.map(of).sum::<usize>() + join
    }
}
