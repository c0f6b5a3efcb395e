//! The encoder of snapshots for all clients.

use crate::Settings;
use crate::partial::ComposedBaseline;
use crate::payload::AGE_END;
use crate::slot_set::{SlotSet, slots_of};
use crate::sorted::SortedMap;
use crate::world::WorldSnapshot;
use snapshot_base::time::TickRate;
use snapshot_codec::{Baseline, Class, Cube, Format, Ledger, Snapshot, SnapshotCoder};
use std::sync::Arc;

/// Upper limit of a baseline's age, ms. A client that has acknowledged no newer snapshot for so long joins again.
const AGE_MAX_MS: u64 = 4250;
/// Age of a client's picture up to which a server can rebuild it, ms.
const PAST_MS: u64 = 1500;
/// Upper limit of the ticks from baseline to snapshot that the coder reckons with; greater distances count as this one.
pub(crate) const TICKS_MAX: u64 = 256;

/// Reason why encoding a snapshot of the server cannot fail.
pub(crate) const QUANTISED: &str = "the format itself quantised the objects";

/// Returns the upper limit of a baseline's age, ticks.
pub(crate) fn age_max_ticks(tick_rate: u32) -> u64 {
    (u64::from(tick_rate) * AGE_MAX_MS / 1000).min(u64::from(AGE_END) - 1)
}

/// A snapshot that was sent to a client.
#[derive(Clone, Debug)]
pub(crate) struct SentSnapshot {
    pub(crate) world: Arc<WorldSnapshot>,
    /// Slots that the client sees; none if it sees every object.
    pub(crate) seen: Option<SlotSet>,
    /// The snapshot with the coder's state, in class `chained` only.
    pub(crate) chained: Option<Baseline>,
    pub(crate) sent_ms: f64,
    /// Size of the largest datagram of the packet, bytes.
    pub(crate) datagram_bytes: usize,
}

/// Numbers of packets that a server has sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacketCounts {
    /// Number of snapshots that were sent, counted for each client.
    pub packets: u64,
    /// Number of packets that were encoded; equal packets are encoded once.
    pub encoded: u64,
    /// Number of packets that were split, because they did not fit into a datagram.
    pub split: u64,
    /// Number of whole snapshots for clients that join.
    pub joins: u64,
}

/// Key for sharing packets between clients: tick and visible slots of the baseline (none for an empty one), and visible slots
/// of the snapshot. Clients with the same key get the same packet.
type EncodeKey = (Option<(u64, Option<SlotSet>)>, Option<SlotSet>);

pub(crate) struct Encoding {
    pub(crate) format: Format,
    pub(crate) tick_rate: TickRate,
    pub(crate) send_rate: u32,
    pub(crate) age_max: u64,
    pub(crate) past_max: u64,
    pub(crate) interval_ms: f64,
    pub(crate) coder: SnapshotCoder,
    empty: Baseline,
    /// Encoded packets of this tick, to reuse for other clients.
    cache: SortedMap<EncodeKey, Arc<[u8]>>,
    rooms: [VisibleSnapshot; 2],
    /// Buffer for the composed baseline of a partial packet: each slot's newest state among several acknowledged packets.
    pub(crate) composed: ComposedBaseline,
    pub(crate) payload: Vec<u8>,
    pub(crate) packet: Vec<u8>,
    pub(crate) counts: PacketCounts,
    /// Bits of the last encoded packet by kind, such as position or header; `None` unless the game asked for them.
    pub(crate) ledger: Option<Ledger>,
    /// Number of objects of the last encoded packet that differ from its baseline; counted only if the game asked for bits.
    pub(crate) changed: usize,
}

/// Buffers for a snapshot of only those objects that one client sees.
struct VisibleSnapshot {
    cubes: Vec<Cube>,
    rows: Vec<u32>,
    /// Indices of the slots that are not empty.
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

    fn select<'a>(&'a mut self, world: &'a WorldSnapshot, seen: Option<&SlotSet>) -> Snapshot<'a> {
        let Some(seen) = seen else {
            return world.snapshot();
        };
        let row_len = world.rows.len() / world.cubes.len();
        let row = |slot: usize| slot * row_len..(slot + 1) * row_len;
        for slot in self.filled.drain(..) {
            self.cubes[slot] = Cube::EMPTY;
            self.rows[row(slot)].fill(0);
        }
        for slot in slots_of(seen) {
            self.filled.push(slot);
            self.cubes[slot] = world.cubes[slot];
            self.rows[row(slot)].copy_from_slice(&world.rows[row(slot)]);
        }
        Snapshot {
            cubes: &self.cubes,
            rows: &self.rows,
        }
    }
}

impl Encoding {
    pub(crate) fn new(
        format: &Format,
        tick_rate: TickRate,
        settings: &Settings,
        empty: Baseline,
    ) -> Self {
        let row_len = empty.rows().len() / empty.cubes().len();
        Self {
            format: *format,
            tick_rate,
            send_rate: settings.send_rate,
            composed: ComposedBaseline::empty(settings.objects, row_len),
            age_max: age_max_ticks(settings.tick_rate),
            // A picture is drawn from the packets around its instant, two of them older.
            past_max: u64::from(settings.tick_rate) * PAST_MS / 1000
                + 2 * u64::from(settings.tick_rate.div_ceil(settings.send_rate)),
            interval_ms: 1000.0 / f64::from(settings.send_rate),
            coder: SnapshotCoder::new(format),
            cache: SortedMap::new(),
            rooms: [0, 1].map(|_| VisibleSnapshot::new(empty.snapshot())),
            empty,
            payload: Vec::new(),
            packet: Vec::new(),
            counts: PacketCounts::default(),
            ledger: None,
            changed: 0,
        }
    }

    /// Begins a new tick: drops the shared packets of the last one.
    pub(crate) fn begin(&mut self) {
        self.cache = SortedMap::new();
    }

    /// Encodes a client's snapshot against its baseline, or against an empty snapshot.
    pub(crate) fn encode(
        &mut self,
        base: Option<&SentSnapshot>,
        world: &Arc<WorldSnapshot>,
        seen: Option<SlotSet>,
    ) -> (SentSnapshot, Arc<[u8]>) {
        let is_chained =
            self.format.class() == Class::Chained && self.format.rung().is_arithmetic();
        let equal = (
            base.map(|base| (base.world.tick, base.seen.clone())),
            seen.clone(),
        );
        let sent = SentSnapshot {
            world: Arc::clone(world),
            seen,
            chained: None,
            sent_ms: 0.0,
            datagram_bytes: 0,
        };
        if !is_chained && let Some(packet) = self.cache.get(&equal) {
            return (sent, Arc::clone(packet));
        }
        self.counts.encoded += 1;
        let ticks = base.map_or(1, |base| {
            (world.tick - base.world.tick).clamp(1, TICKS_MAX) as u16
        });
        let mut ledger = self.ledger.as_mut();
        if let Some(ledger) = &mut ledger {
            ledger.clear();
        }
        let [before, after] = &mut self.rooms;
        let snapshot = after.select(world, sent.seen.as_ref());
        let baseline = match base {
            Some(base) => before.select(&base.world, base.seen.as_ref()),
            None => self.empty.snapshot(),
        };
        if ledger.is_some() {
            let cubes = baseline.cubes.iter().zip(snapshot.cubes);
            self.changed = cubes.filter(|(before, after)| before != after).count();
        }
        let (coder, packet) = (&mut self.coder, &mut self.packet);
        let mut chained = is_chained.then(|| {
            let chained = base.and_then(|base| base.chained.as_ref());
            chained.unwrap_or(&self.empty).clone()
        });
        match &mut chained {
            Some(baseline) => coder.encode_ahead(baseline, ticks, snapshot, 0, packet, ledger),
            None => coder.encode_between(baseline, ticks, snapshot, packet, ledger),
        }
        .unwrap_or_else(|_| panic!("{QUANTISED}"));
        let packet: Arc<[u8]> = self.packet[..].into();
        if !is_chained {
            self.cache.insert(equal, Arc::clone(&packet));
        }
        (SentSnapshot { chained, ..sent }, packet)
    }
}
