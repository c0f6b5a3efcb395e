//! The judge of the challenge, which tests a codec: every frame is encoded, decoded again, and compared.

use super::INTERVAL;
use snapshot_codec::{
    Baseline, Cube, DeadReckoning, DecodeError, Foresight, Format, Ledger, Lookahead,
    SnapshotCoder, SnapshotError,
};
use std::ops::Range;

const PACKETS_PER_S: f64 = 60.0;

/// The simulation that rung `simulated` needs, and the input that led to each frame.
pub struct ChallengeWorld<'a> {
    pub inputs: &'a [u8],
    /// The simulation that both ends run.
    pub foresight: &'a mut dyn Foresight,
}

/// One end of the challenge: the coder, and the last [`INTERVAL`] frames as baselines.
#[derive(Clone, Debug)]
struct ChallengeEnd {
    coder: SnapshotCoder,
    baselines: [Baseline; INTERVAL],
}

impl ChallengeEnd {
    fn new(format: &Format, first: &[Vec<Cube>; INTERVAL]) -> Result<Self, SnapshotError> {
        let baselines: Result<Vec<_>, _> = first
            .iter()
            .map(|frame| Baseline::new(format, frame))
            .collect();
        Ok(Self {
            coder: SnapshotCoder::new(format),
            baselines: baselines?.try_into().expect("one a frame"),
        })
    }

    fn encode(
        &mut self,
        n: usize,
        frame: &[Cube],
        world: &mut ChallengeWorld,
        packet: &mut Vec<u8>,
        ledger: &mut Ledger,
    ) -> Result<(), SnapshotError> {
        let ahead = Lookahead {
            sequence: n as u16,
            inputs: world.inputs.get(..=n).unwrap_or_default(),
            foresight: &mut *world.foresight,
        };
        let baseline = &mut self.baselines[n % INTERVAL];
        self.coder.encode_ahead(
            baseline,
            INTERVAL as u16,
            frame,
            ahead,
            packet,
            Some(ledger),
        )
    }

    fn decode(
        &mut self,
        n: usize,
        packet: &[u8],
        foresight: &mut dyn Foresight,
    ) -> Result<&[Cube], DecodeError> {
        let ahead = Lookahead {
            sequence: n as u16,
            inputs: &[],
            foresight,
        };
        let baseline = &mut self.baselines[n % INTERVAL];
        self.coder
            .decode_ahead(baseline, INTERVAL as u16, ahead, packet)?;
        Ok(baseline.cubes())
    }
}

/// The result of judging a codec: the size and correctness of its packets so far.
#[derive(Clone, Debug, Default)]
pub struct CodecVerdict {
    pub packets: usize,
    pub bytes: usize,
    /// Number of packets that did not decode to their frame.
    pub mismatches: usize,
    /// Number of bits of all packets, by kind.
    pub ledger: Ledger,
}

impl CodecVerdict {
    /// Mean bytes a packet: the challenge's score.
    pub fn bytes_per_packet_mean(&self) -> f64 {
        self.bytes as f64 / self.packets.max(1) as f64
    }

    /// Mean bandwidth, kbit/s, at 60 packets a second and without headers.
    pub fn kbps(&self) -> f64 {
        self.bytes_per_packet_mean() * PACKETS_PER_S * 8.0 / 1000.0
    }

    pub fn lossless(&self) -> bool {
        self.mismatches == 0
    }
}

/// A judge of a codec, which runs both ends frame after frame.
#[derive(Clone, Debug)]
pub struct Judge {
    encoder: ChallengeEnd,
    decoder: ChallengeEnd,
    packets: Vec<Vec<u8>>,
    verdict: CodecVerdict,
}

impl Judge {
    /// Makes a judge that begins with frame [`INTERVAL`]; `first` are the frames before it.
    ///
    /// # Errors
    /// When a frame of `first` does not fit the format.
    pub fn new(format: &Format, first: &[Vec<Cube>; INTERVAL]) -> Result<Self, SnapshotError> {
        let side = ChallengeEnd::new(format, first)?;
        Ok(Self {
            encoder: side.clone(),
            decoder: side,
            packets: Vec::new(),
            verdict: CodecVerdict::default(),
        })
    }

    /// Encodes `frames[batch]`, decodes the packets, and counts frames that differ. `batch` begins with the frame after the
    /// last judged one. `around` is called twice: to encode the whole batch, and to decode it. It runs its argument, and may
    /// time it.
    ///
    /// # Errors
    /// When a frame does not fit the format; the judge cannot be used after that.
    pub fn judge(
        &mut self,
        batch: Range<usize>,
        frames: &[Vec<Cube>],
        around: &mut dyn FnMut(JudgePhase, &mut dyn FnMut()),
    ) -> Result<(), SnapshotError> {
        let world = ChallengeWorld {
            inputs: &[],
            foresight: &mut DeadReckoning,
        };
        self.judge_with(batch, frames, world, around)
    }

    /// Judges frames as [`Self::judge`] does, on rung `simulated`, with a simulation.
    pub fn judge_with(
        &mut self,
        batch: Range<usize>,
        frames: &[Vec<Cube>],
        mut world: ChallengeWorld,
        around: &mut dyn FnMut(JudgePhase, &mut dyn FnMut()),
    ) -> Result<(), SnapshotError> {
        let Self {
            encoder,
            decoder,
            packets,
            verdict,
        } = self;
        packets.resize_with(batch.len(), Vec::new);
        let mut encoded = Ok(());
        around(JudgePhase::Encode, &mut || {
            encoded = batch
                .clone()
                .zip(packets.iter_mut())
                .try_for_each(|(n, packet)| {
                    encoder.encode(n, &frames[n], &mut world, packet, &mut verdict.ledger)
                });
        });
        encoded?;
        around(JudgePhase::Decode, &mut || {
            for (n, packet) in batch.clone().zip(packets.iter()) {
                let decoded = decoder.decode(n, packet, &mut *world.foresight);
                let same = decoded.is_ok_and(|decoded| decoded == frames[n]);
                verdict.mismatches += usize::from(!same);
            }
        });
        verdict.packets += packets.len();
        verdict.bytes += packets.iter().map(Vec::len).sum::<usize>();
        Ok(())
    }

    /// The packets that the last call of [`Self::judge`] or [`Self::judge_with`] encoded.
    pub fn packets(&self) -> &[Vec<u8>] {
        &self.packets
    }

    pub fn verdict(&self) -> &CodecVerdict {
        &self.verdict
    }
}

/// Encoding or decoding: the step that [`Judge::judge`] passes to `around`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgePhase {
    Encode,
    Decode,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::challenge::codecs;
    use crate::challenge::tests::slide;

    #[test]
    fn batches_come_to_what_single_packets_come_to() {
        let capture = slide(26);
        for (rung, class) in codecs() {
            let format = crate::challenge::format(rung, class).unwrap();
            let mut one = Judge::new(&format, capture.first_chunk().unwrap()).unwrap();
            let mut many = one.clone();
            let mut calls = Vec::new();
            let mut single: Vec<Vec<u8>> = Vec::new();
            for n in INTERVAL..capture.len() {
                one.judge(n..n + 1, &capture, &mut |_, run| run()).unwrap();
                single.extend_from_slice(one.packets());
            }
            let mut batched = Vec::new();
            for batch in [6..7, 7..20, 20..26] {
                let around = &mut |direction, run: &mut dyn FnMut()| {
                    calls.push(direction);
                    run();
                };
                many.judge(batch, &capture, around).unwrap();
                batched.extend_from_slice(many.packets());
            }
            assert_eq!(single, batched, "{rung:?} {class:?}");
            assert_eq!(calls, [JudgePhase::Encode, JudgePhase::Decode].repeat(3));
            let (one, many) = (one.verdict(), many.verdict());
            assert_eq!(many.packets, 20);
            let bytes: usize = batched.iter().map(Vec::len).sum();
            assert_eq!(many.bytes, bytes);
            assert_eq!(one.ledger.total_65536ths(), many.ledger.total_65536ths());
            assert!(one.lossless() && many.lossless(), "{rung:?} {class:?}");
        }
    }
}
