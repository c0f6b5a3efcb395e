//! Model of Unity Netcode for Entities. It sends quantised fields as deltas to a prediction from up to three acknowledged
//! snapshots. The code is the Huffman code of `StreamCompressionModel.Default`.

use super::{Engine, Send, SendCounts};
use snapshot_base::order;
use snapshot_codec::CubeState;
use std::collections::VecDeque;

/// Number of bits of a snapshot before its objects. They are kind of message, two times, age of the command, sequence, tick,
/// and counts of despawns and updates.
const HEADER_BITS: u64 = 8 * (1 + 4 + 4 + 4 + 1 + 4 + 4 + 4);
/// Upper limit of a snapshot, bits: `NetworkParameterConstants.MTU`. Other ghosts (Unity's objects) wait for the next one.
const SNAPSHOT_BITS_MAX: u64 = 8 * 1400;
/// Number of snapshots of a ghost that may serve as a baseline: `SnapshotHistorySize`.
const HISTORY: usize = 32;
/// Number of ghosts in a chunk. A chunk shares its header and its place in the order of sending.
const CHUNK_GHOSTS: usize = 64;
/// Lengths of the Huffman codes of the 16 buckets of numbers, bits.
const CODE_BITS: [u64; 16] = [2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 6, 6, 6];
/// Numbers of bits that follow the code of each bucket.
const EXTRA_BITS: [u64; 16] = [0, 0, 1, 2, 3, 4, 6, 8, 10, 12, 15, 18, 21, 24, 27, 32];

/// A ghost as a snapshot has it.
struct Ghost {
    number: u64,
    /// Three axes and four components, in thousandths of a metre and of 1.
    values: [i64; 7],
    /// Bit mask of the fields that differed from their prediction: position 1, scale 2, rotation 4.
    mask: i64,
    acked: bool,
}

pub(super) struct Entities {
    /// Snapshots of each ghost, oldest first.
    histories: Vec<VecDeque<Ghost>>,
    /// For each chunk: number of the send that last reached the chunk's end, and index of the ghost with which the next send
    /// continues.
    chunks: Vec<(u64, usize)>,
}

impl Entities {
    pub(super) fn new(initial: &[CubeState]) -> Entities {
        let spawned = |object: &CubeState| {
            VecDeque::from([Ghost {
                number: 0,
                values: quantised(object),
                mask: 0,
                acked: true,
            }])
        };
        Entities {
            histories: initial.iter().map(spawned).collect(),
            chunks: vec![(0, 0); initial.len().div_ceil(CHUNK_GHOSTS)],
        }
    }

    /// Returns a ghost for a snapshot, the ages of its baselines (0 for missing ones), and its bits.
    fn ghost(&self, send: &Send<'_>, index: usize) -> (Ghost, [u64; 3], u64) {
        let acked = self.histories[index].iter().rev().filter(|it| it.acked);
        let acked: Vec<&Ghost> = acked.take(3).collect();
        let (baselines, expected, mask_before) = match acked[..] {
            [] => (0, [0; 7], 0),
            [newest] | [newest, _] => (1, newest.values, newest.mask),
            [newest, ..] => {
                let predicted = |i| predicted(send.number, &acked, i);
                (3, std::array::from_fn(predicted), newest.mask)
            }
        };
        let mut ages = [0; 3];
        for (age, baseline) in ages.iter_mut().zip(&acked[..baselines]) {
            *age = send.number - baseline.number;
        }
        let values = quantised(&send.objects[index]);
        let (mut mask, mut bits) = (0, packed_bits(index as u64));
        for (flag, fields) in [(1, 0..3), (4, 3..7)] {
            if values[fields.clone()] != expected[fields.clone()] {
                mask |= flag;
                bits += fields
                    .map(|i| delta_bits(values[i], expected[i]))
                    .sum::<u64>();
            }
        }
        bits += delta_bits(mask, mask_before);
        let ghost = Ghost {
            number: send.number,
            values,
            mask,
            acked: false,
        };
        (ghost, ages, bits)
    }

    /// Sends a chunk's ghosts, beginning with the ghost at which the last snapshot ended. Returns the number of bits, and
    /// whether all ghosts fitted.
    fn chunk(
        &mut self,
        chunk: usize,
        send: &Send<'_>,
        room_bits: u64,
        updates: &mut u64,
    ) -> (u64, bool) {
        let first = chunk * CHUNK_GHOSTS;
        let start = first + self.chunks[chunk].1;
        let end = send.objects.len().min(first + CHUNK_GHOSTS);
        let ghosts: Vec<_> = (start..end).map(|index| self.ghost(send, index)).collect();
        let ages: Vec<[u64; 3]> = ghosts.iter().map(|(_, ages, _)| *ages).collect();
        // Kind of ghost, number of ghosts, and whether they were there before the game began.
        let mut bits = packed_bits(0) + packed_bits(ghosts.len() as u64) + 1;
        let mut run = None;
        for (place, (ghost, own, mut ghost_bits)) in ghosts.into_iter().enumerate() {
            let index = start + place;
            if send.objects[index].life.is_empty() {
                continue;
            }
            if run != Some(own) {
                let same = ages[place..].iter().take_while(|other| **other == own);
                ghost_bits += own.map(packed_bits).iter().sum::<u64>();
                ghost_bits += packed_bits(same.count() as u64);
                run = Some(own);
            }
            if bits + ghost_bits > room_bits {
                self.chunks[chunk].1 = index - first;
                return (if place > 0 { bits } else { 0 }, false);
            }
            bits += ghost_bits;
            *updates += 1;
            let history = &mut self.histories[index];
            if history.len() == HISTORY {
                history.pop_front();
            }
            history.push_back(ghost);
        }
        self.chunks[chunk] = (send.number, 0);
        (bits, true)
    }
}

impl Engine for Entities {
    fn send(&mut self, send: &Send<'_>, sent: &mut SendCounts) {
        for ghost in self.histories.iter_mut().flatten() {
            ghost.acked |= send.acked.contains(&ghost.number);
        }
        // No new prefabs, and the number of ghosts.
        let mut bits = HEADER_BITS + packed_bits(0) + packed_bits(send.objects.len() as u64);
        let mut order: Vec<usize> = (0..self.chunks.len()).collect();
        order::sort_by_key(&mut order, |chunk| self.chunks[*chunk].0);
        for chunk in order {
            let room_bits = SNAPSHOT_BITS_MAX - bits;
            let (chunk_bits, whole) = self.chunk(chunk, send, room_bits, &mut sent.updates);
            bits += chunk_bits;
            if !whole {
                break;
            }
        }
        sent.packets += 1;
        sent.bytes += bits.div_ceil(8);
    }
}

/// Returns the values of an object in Unity's left-handed axes, quantised.
fn quantised(object: &CubeState) -> [i64; 7] {
    let ([x, y, z], [qx, qy, qz, qw]) = (object.position, object.orientation);
    [x, y, z, -qx, -qy, -qz, qw].map(|value| libm::roundf(value * 1000.0) as i64)
}

/// Returns the number of bits that `WritePackedUInt` takes for an unsigned number.
fn packed_bits(value: u64) -> u64 {
    let mut least = 0;
    for (code_bits, extra_bits) in CODE_BITS.into_iter().zip(EXTRA_BITS) {
        least += 1 << extra_bits;
        if value < least {
            return code_bits + extra_bits;
        }
    }
    CODE_BITS[15] + EXTRA_BITS[15]
}

/// Returns the number of bits that `WritePackedIntDelta` takes for a value and its baseline.
fn delta_bits(value: i64, baseline: i64) -> u64 {
    let delta = baseline - value;
    packed_bits(((delta << 1) ^ (delta >> 63)) as u64)
}

/// Returns the prediction of `GhostDeltaPredictor.PredictInt` for a value from three snapshots, newest first.
fn predicted(number: u64, acked: &[&Ghost], value: usize) -> i64 {
    let ticks: [i64; 3] = std::array::from_fn(|place| acked[place].number as i64);
    let [newest, before, oldest] = std::array::from_fn(|place| acked[place].values[value]);
    let predict = 16 * (ticks[0] - ticks[1]) / (ticks[1] - ticks[2]);
    let apply = 16 * (number as i64 - ticks[0]) / (ticks[0] - ticks[1]);
    let expected = before + (before - oldest) * predict / 16;
    let delta = newest - before;
    if (newest - expected).abs() >= delta.abs() {
        newest
    } else {
        newest + delta * apply / 16
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{STILL, at, sent};
    use super::*;

    #[test]
    fn buckets_begin_where_the_model_has_them() {
        let counts = [0, 1, 2, 3, 4, 8, 16, 32, 96, 352, 1376, 5472, 38_240];
        assert_eq!(
            counts.map(packed_bits),
            [2, 3, 4, 4, 5, 7, 8, 10, 13, 15, 17, 21, 24]
        );
        assert_eq!(packed_bits(u32::MAX.into()), 6 + 32);
        // Zigzag: one step back is 1, one on is 2... as baseline less value.
        assert_eq!((delta_bits(5, 6), delta_bits(6, 5)), (4, 3));
    }

    #[test]
    fn a_ghost_at_rest_or_one_millimetre_on_takes_a_few_bits() {
        let mut engine = Entities::new(&[STILL]);
        let counts = sent(&mut engine, 1, &[STILL], &[]);
        // Header 26 x 8, no prefabs 2, one ghost 3; chunk 2 + 3 + 1; ages 1, 0, 0: 3 + 2 + 2; run 3; id 2, mask 2.
        let bits: u64 = 26 * 8 + 2 + 3 + 6 + 7 + 3 + 4;
        assert_eq!(counts, [1, 1, bits.div_ceil(8)]);
        let step = |engine: &Entities, number| {
            let objects = [at([0.001, 0.0, 0.0])];
            let send = Send {
                number,
                objects: &objects,
                acked: &[],
            };
            let (ghost, _, bits) = engine.ghost(&send, 0);
            (bits, ghost.mask)
        };
        // Id 2; mask 1 against 0 is 1 by zigzag, 3; position 3 + 2 + 2.
        assert_eq!(step(&engine, 2), (2 + 3 + 7, 1));
        engine.histories[0][0].mask = 1;
        assert_eq!(step(&engine, 2), (2 + 2 + 7, 1));
    }

    #[test]
    fn even_motion_is_predicted_from_three_acknowledged_snapshots() {
        let ghost = |number: u64, value: i64| Ghost {
            number,
            values: [value; 7],
            mask: 0,
            acked: true,
        };
        let predicted = |newest| {
            predicted(
                40,
                &[&ghost(30, newest), &ghost(20, 200), &ghost(10, 100)],
                0,
            )
        };
        assert_eq!(predicted(300), 400);
        // A turn of the motion is not foreseen by going on.
        assert_eq!(predicted(100), 100);
        let mut engine = Entities::new(&[STILL]);
        let object = |number: u64| [at([0.1 * number as f32, 0.0, 0.0])];
        let [.., first] = sent(&mut engine, 1, &object(1), &[]);
        for number in 2..6 {
            sent(&mut engine, number, &object(number), &[number - 1]);
        }
        let [.., later] = sent(&mut engine, 6, &object(6), &[5]);
        assert!(later < first, "{later} {first}");
    }

    #[test]
    fn what_finds_no_room_goes_first_next_time() {
        let mut engine = Entities::new(&[STILL; 300]);
        let far = |number: u64| {
            let object = |i: usize| at([100.0 + i as f32, 1.234 * number as f32, 0.5 * i as f32]);
            (0..300).map(object).collect::<Vec<_>>()
        };
        let [_, first, bytes] = sent(&mut engine, 1, &far(1), &[]);
        assert!(bytes <= 1400 && first < 300);
        let [_, second, _] = sent(&mut engine, 2, &far(2), &[]);
        assert!(first + second > 256);
        let histories = engine.histories.iter().take(128);
        assert!(
            histories
                .map(|history| history.len())
                .all(|count| count >= 2)
        );
    }
}
