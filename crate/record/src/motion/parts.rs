//! A motion that was read elsewhere, as parts: a head, then a second of ticks each. A thread with a memory of its own reads
//! files; what it made of one arrives in pieces of at most a few hundred kB.

use super::recorder::Told;
use super::{Counts, JumpSpeed, Motion};
use crate::agreed::Agreed;
use crate::delta_history::DeltaHistory;
use snapshot_base::time::TickRate;
use snapshot_codec::{Bounds, CubeState};

/// A motion of which not all parts have arrived.
pub struct Incoming {
    head: Head,
    truth: Option<DeltaHistory<CubeState>>,
}

struct Head {
    tick_rate: TickRate,
    bounds: Bounds,
    left_out_ticks: u64,
    counts: Counts,
    told: Told,
    jumps_over: JumpSpeed,
    fingerprint: u32,
    half_m: Vec<[f32; 3]>,
}

impl Motion {
    /// Writes a part, by its number from 0, for [`Incoming`] to take in this order; none after the last.
    pub fn part(&self, number: usize) -> Option<Vec<u8>> {
        match number.checked_sub(1) {
            None => Some(self.head()),
            Some(second) => self.truth.part(second),
        }
    }

    /// The head, little-endian. First come u64: left out ticks, then each count. Then u32: fingerprint, the facts that the
    /// file states, place of the jumps' speed, ticks a second. Bounds follow as i32, half sizes as f32.
    fn head(&self) -> Vec<u8> {
        let mut bytes = self.left_out_ticks.to_le_bytes().to_vec();
        for count in self.counts.to_array() {
            bytes.extend_from_slice(&count.to_le_bytes());
        }
        let words = [
            self.fingerprint,
            self.told.bits(),
            self.jumps_over.place() as u32,
            self.tick_rate().hz(),
        ];
        let bounds = [self.bounds().lower(), self.bounds().upper()];
        let bounds = bounds.into_iter().flatten().map(|metres| metres as u32);
        let sizes = self.agreed.half_m().iter().flatten();
        let words = words.into_iter().chain(bounds);
        for word in words.chain(sizes.map(|size| size.to_bits())) {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

impl Incoming {
    /// A motion of which the head has arrived; none if the bytes are no head.
    pub fn new(head: &[u8]) -> Option<Incoming> {
        let (left_out_ticks, mut rest) = head.split_first_chunk()?;
        let mut counts = [0; Counts::COUNT];
        for count in &mut counts {
            let (bytes, after) = rest.split_first_chunk()?;
            (*count, rest) = (u64::from_le_bytes(*bytes), after);
        }
        let (words, rest) = rest.as_chunks();
        let mut words = words.iter().map(|word| u32::from_le_bytes(*word));
        let (fingerprint, told) = (words.next()?, Told::from_bits(words.next()?));
        let jumps_over = JumpSpeed::at(words.next()? as usize);
        let tick_rate = TickRate::new(words.next()?)?;
        let mut metres = || Some(words.next()? as i32);
        let lower = [metres()?, metres()?, metres()?];
        let upper = [metres()?, metres()?, metres()?];
        let sizes: Vec<f32> = words.map(f32::from_bits).collect();
        let (half_m, others) = sizes.as_chunks();
        let head = Head {
            tick_rate,
            bounds: Bounds::new(lower, upper).ok()?,
            left_out_ticks: u64::from_le_bytes(*left_out_ticks),
            counts: Counts::from_array(counts),
            told,
            jumps_over,
            fingerprint,
            half_m: half_m.to_vec(),
        };
        (rest.is_empty() && others.is_empty()).then_some(Incoming { head, truth: None })
    }

    /// Takes the next part. Returns false, and changes nothing, if the bytes are no part that follows.
    pub fn add(&mut self, part: &[u8]) -> bool {
        match &mut self.truth {
            Some(truth) => truth.add_part(part),
            None => {
                self.truth = DeltaHistory::of_first_part(part);
                self.truth.is_some()
            }
        }
    }

    /// The motion, once all parts have arrived; none before its second tick has.
    pub fn finish(self) -> Option<Motion> {
        let head = self.head;
        let objects = head.half_m.len();
        let is_whole = |truth: &DeltaHistory<CubeState>| {
            *truth.ticks().end() > 0 && truth.newest().len() == objects
        };
        let truth = self.truth.filter(is_whole)?;
        let mut initial = Vec::new();
        truth.read(0, &mut initial);
        let player = head.told.interacting.then_some(0);
        let agreed = Agreed::of_motion(head.tick_rate, &initial, head.bounds, head.half_m)
            .with_player(player)
            .with_slots(head.counts.has_lives());
        Some(Motion {
            agreed,
            truth,
            left_out_ticks: head.left_out_ticks,
            counts: head.counts,
            told: head.told,
            jumps_over: head.jumps_over,
            fingerprint: head.fingerprint,
        })
    }
}
