//! Model of Unity Netcode for Entities. It sends quantised fields as deltas to a prediction from up to three acknowledged
//! snapshots. The code is the Huffman code of `StreamCompressionModel.Default`.

use super::engine::{Engine, Send, SendCounts};
use super::turns::{unity_orientation, unity_position};
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
/// Quantisation steps in a metre, and in a quaternion component of 1.
const QUANTISATION: f32 = 1000.0;

/// Quantised values of a ghost: three axes and four components.
type Values = [i32; 7];

#[derive(Clone, Copy)]
struct GhostSnapshot {
    number: u64,
    values: Values,
    /// Bit mask of the fields that differed from their prediction: position 1, scale 2, rotation 4.
    mask: u32,
    acked: bool,
}

pub(super) struct NetcodeEntities {
    /// Snapshots of each ghost, oldest first.
    histories: Vec<VecDeque<GhostSnapshot>>,
    /// For each chunk: number of the send that last reached the chunk's end, and index of the ghost with which the next send
    /// continues.
    chunks: Vec<(u64, usize)>,
}

impl NetcodeEntities {
    pub(super) fn new(initial: &[CubeState]) -> NetcodeEntities {
        let spawned = |object: &CubeState| GhostSnapshot {
            number: 0,
            values: quantised(object),
            mask: 0,
            acked: true,
        };
        NetcodeEntities {
            histories: (initial.iter())
                .map(|object| VecDeque::from([spawned(object)]))
                .collect(),
            chunks: vec![(0, 0); initial.len().div_ceil(CHUNK_GHOSTS)],
        }
    }
}

fn quantised(object: &CubeState) -> Values {
    let [x, y, z] = unity_position(object);
    let [qx, qy, qz, qw] = unity_orientation(object);
    [x, y, z, qx, qy, qz, qw].map(|value| libm::roundf(value * QUANTISATION) as i32)
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

/// Returns the prediction of `GhostDeltaPredictor.PredictInt` from values and their ticks, newest first.
fn predicted(tick: i64, ticks: [i64; 3], values: [i32; 3]) -> i64 {
    let [value, before, oldest] = values.map(i64::from);
    let predict = 16 * (ticks[0] - ticks[1]) / (ticks[1] - ticks[2]);
    let apply = 16 * (tick - ticks[0]) / (ticks[0] - ticks[1]);
    let expected = before + (before - oldest) * predict / 16;
    let delta = value - before;
    if (value - expected).abs() >= delta.abs() {
        value
    } else {
        value + delta * apply / 16
    }
}

/// Returns the numbers of the newest acknowledged snapshots, newest first (`None` for missing ones), the prediction from
/// them, and the newest one's mask.
fn baselines(number: u64, history: &VecDeque<GhostSnapshot>) -> ([Option<u64>; 3], [i64; 7], u32) {
    let mut acked = history.iter().rev().filter(|snapshot| snapshot.acked);
    let Some(newest) = acked.next() else {
        return ([None; 3], [0; 7], 0);
    };
    let one = (
        [Some(newest.number), None, None],
        newest.values.map(i64::from),
        newest.mask,
    );
    let (Some(before), Some(oldest)) = (acked.next(), acked.next()) else {
        return one;
    };
    let all = [newest, before, oldest];
    let ticks = all.map(|snapshot| snapshot.number as i64);
    let predicted = |i: usize| predicted(number as i64, ticks, all.map(|it| it.values[i]));
    (
        all.map(|snapshot| Some(snapshot.number)),
        std::array::from_fn(predicted),
        newest.mask,
    )
}

/// Returns the number of bits of a ghost's fields, and the mask of the fields that differ from their prediction.
fn ghost_bits(index: usize, values: &Values, predicted: &[i64; 7], mask_before: u32) -> (u64, u32) {
    let differs = |i: usize| i64::from(values[i]) != predicted[i];
    let moved = (0..3).any(differs);
    let turned = (3..7).any(differs);
    let mask = u32::from(moved) | u32::from(turned) << 2;
    let field = |i: usize| delta_bits(values[i].into(), predicted[i]);
    let position_bits: u64 = if moved { (0..3).map(field).sum() } else { 0 };
    let rotation_bits: u64 = if turned { (3..7).map(field).sum() } else { 0 };
    let bits = packed_bits(index as u64) + delta_bits(mask.into(), mask_before.into());
    (bits + position_bits + rotation_bits, mask)
}

impl NetcodeEntities {
    /// Sends a chunk's ghosts, beginning with the ghost at which the last packet ended. Returns the number of bits, and
    /// whether all ghosts fitted.
    fn chunk(
        &mut self,
        chunk: usize,
        send: &Send<'_>,
        room_bits: u64,
        updates: &mut u64,
    ) -> (u64, bool) {
        let first = chunk * CHUNK_GHOSTS;
        let ghosts = CHUNK_GHOSTS.min(send.objects.len() - first);
        let start = self.chunks[chunk].1.min(ghosts);
        // Kind of ghost, number of ghosts, and whether they were there before the game began.
        let mut bits = packed_bits(0) + packed_bits((ghosts - start) as u64) + 1;
        let mut run_of = None;
        for place in start..ghosts {
            let index = first + place;
            if send.objects[index].life.is_empty() {
                continue;
            }
            let (numbers, predicted, mask_before) = baselines(send.number, &self.histories[index]);
            let values = quantised(&send.objects[index]);
            let (mut ghost, mask) = ghost_bits(index, &values, &predicted, mask_before);
            if run_of != Some(numbers) {
                // Ages of the baselines, and how many more ghosts have the same.
                let same = (place + 1..ghosts).take_while(|next| {
                    baselines(send.number, &self.histories[first + next]).0 == numbers
                });
                let ages = numbers.map(|number| number.map_or(0, |number| send.number - number));
                ghost += ages.map(packed_bits).iter().sum::<u64>();
                ghost += packed_bits(1 + same.count() as u64);
                run_of = Some(numbers);
            }
            if bits + ghost > room_bits {
                self.chunks[chunk].1 = place;
                return (if place > start { bits } else { 0 }, false);
            }
            bits += ghost;
            *updates += 1;
            let history = &mut self.histories[index];
            if history.len() == HISTORY {
                history.pop_front();
            }
            history.push_back(GhostSnapshot {
                number: send.number,
                values,
                mask,
                acked: false,
            });
        }
        self.chunks[chunk] = (send.number, 0);
        (bits, true)
    }
}

impl Engine for NetcodeEntities {
    fn send(&mut self, send: &Send<'_>, sent: &mut SendCounts) {
        for history in &mut self.histories {
            for snapshot in history.iter_mut() {
                snapshot.acked |= send.acked.contains(&snapshot.number);
            }
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
        sent.packet(bits.div_ceil(8));
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::tests::{STILL, at, sent};
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
    fn a_ghost_at_rest_takes_a_few_bits() {
        let mut engine = NetcodeEntities::new(&[STILL]);
        let counts = sent(&mut engine, 1, &[STILL], &[]);
        // Header 26 x 8, no prefabs 2, one ghost 3; chunk 2 + 3 + 1; ages 1, 0, 0: 3 + 2 + 2; run 3; id 2, mask 2.
        let bits: u64 = 26 * 8 + 2 + 3 + 6 + 7 + 3 + 4;
        assert_eq!(
            (counts.packets, counts.updates, counts.bytes),
            (1, 1, bits.div_ceil(8))
        );
    }

    #[test]
    fn a_step_of_a_millimetre_is_a_delta_of_one() {
        let (bits, mask) = ghost_bits(
            0,
            &quantised(&at([0.001, 0.0, 0.0])),
            &[0, 0, 0, 0, 0, 0, 1000],
            0,
        );
        // Id 2; mask 1 against 0 is 1 by zigzag, 3; position 3 + 2 + 2.
        assert_eq!((bits, mask), (2 + 3 + 7, 1));
        let (again, _) = ghost_bits(
            0,
            &quantised(&at([0.001, 0.0, 0.0])),
            &[0, 0, 0, 0, 0, 0, 1000],
            1,
        );
        assert_eq!(again, 2 + 2 + 7);
    }

    #[test]
    fn even_motion_is_predicted_from_three_acknowledged_snapshots() {
        assert_eq!(predicted(40, [30, 20, 10], [300, 200, 100]), 400);
        // A turn of the motion is not foreseen by going on.
        assert_eq!(predicted(40, [30, 20, 10], [100, 200, 100]), 100);
        let mut engine = NetcodeEntities::new(&[STILL]);
        let object = |number: u64| [at([0.1 * number as f32, 0.0, 0.0])];
        let first = sent(&mut engine, 1, &object(1), &[]).bytes;
        for number in 2..6 {
            sent(&mut engine, number, &object(number), &[number - 1]);
        }
        let later = sent(&mut engine, 6, &object(6), &[5]).bytes;
        assert!(later < first, "{later} {first}");
    }

    #[test]
    fn what_finds_no_room_goes_first_next_time() {
        let mut engine = NetcodeEntities::new(&[STILL; 300]);
        let far = |number: u64| {
            let object = |i: usize| at([100.0 + i as f32, 1.234 * number as f32, 0.5 * i as f32]);
            (0..300).map(object).collect::<Vec<_>>()
        };
        let first = sent(&mut engine, 1, &far(1), &[]);
        assert!(first.bytes <= 1400 && first.updates < 300);
        let second = sent(&mut engine, 2, &far(2), &[]);
        assert!(first.updates + second.updates > 256);
        assert!(
            engine
                .histories
                .iter()
                .take(128)
                .all(|history| history.len() >= 2)
        );
    }
}
