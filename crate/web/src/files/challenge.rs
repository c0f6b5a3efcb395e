//! The data-compression challenge of 2015 for the page's Worker: every codec encodes one capture (a file of frames), in
//! batches.

use crate::clock::now_ms;
use serde::Serialize;
use snapshot_app::query::files::CAPTURE_FRAMES_MAX;
use snapshot_base::hash::Fnv;
use snapshot_codec::{Class, Cube, Rung, SnapshotError};
use snapshot_record::capture::{self, CaptureError};
use snapshot_record::challenge::{self as challenge, INTERVAL, Judge, JudgePhase, ParseError};
use snapshot_record::last_minute::{self, LastMinuteError};
use snapshot_record::tape::Tape;
use snapshot_settings::schema::{Domain, SCHEMA};
use std::error::Error;

/// Number of packets between two readings of the clock. A browser's clock has a resolution of up to 1 ms.
const BATCH: usize = 30;
/// Number of packets for each point of the curves: a tenth of a second. A batch has a whole number of points.
const POINT: usize = 6;

/// A contest: all codecs that support the challenge's format encode the same capture.
pub(super) struct Contest {
    frames: Vec<Vec<Cube>>,
    entrants: Vec<Entrant>,
    next: usize,
}

/// A contest as far as it has got.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Contested {
    /// Number of packets that were judged, and of all.
    judged: usize,
    packets: usize,
    /// Results of every codec so far, in the order of the rungs.
    verdicts: Vec<ChallengeVerdict>,
}

impl Contest {
    /// Opens a capture file, packed or not.
    ///
    /// # Errors
    /// When the file is not a capture, or too long for the page, in words.
    pub(super) fn of_file(file: &[u8]) -> Result<Contest, String> {
        let frames = capture::read(file, CAPTURE_FRAMES_MAX);
        Ok(Contest::new(frames.map_err(|error| refusal(&error))?))
    }

    /// Opens the last minute of a motion.
    ///
    /// # Errors
    /// When the last minute has no recorded tick.
    pub(super) fn of_last_minute(tape: &Tape) -> Result<Contest, LastMinuteError> {
        Ok(Contest::new(last_minute::frames(tape)?))
    }

    /// Encodes and checks the next half second with every codec. Returns false once the whole capture is done.
    ///
    /// # Errors
    /// Only when the capture has an invalid frame, which parsing has excluded.
    pub(super) fn work(&mut self) -> Result<bool, SnapshotError> {
        self.advance(&mut now_ms)?;
        Ok(self.next < self.frames.len())
    }

    pub(super) fn contested(&self) -> Contested {
        Contested {
            judged: self.next - INTERVAL,
            packets: self.frames.len() - INTERVAL,
            verdicts: self.entrants.iter().map(Entrant::row).collect(),
        }
    }
}

/// Returns the last minute of a motion as a capture file, compressed by xz.
///
/// # Errors
/// When the last minute has no recorded tick, or there is no memory for the file.
pub(super) fn pack_last_minute(tape: &Tape) -> Result<Vec<u8>, Box<dyn Error>> {
    let frames = last_minute::frames(tape)?;
    Ok(capture::write_packed(frames.iter().map(Vec::as_slice))?)
}

impl Contest {
    fn new(frames: Vec<Vec<Cube>>) -> Contest {
        let entrants = challenge::codecs().map(|(rung, class)| Entrant::new(rung, class, &frames));
        Contest {
            entrants: entrants.collect(),
            frames,
            next: INTERVAL,
        }
    }

    fn advance(&mut self, clock_ms: &mut dyn FnMut() -> f64) -> Result<(), SnapshotError> {
        let batch = self.next..self.frames.len().min(self.next + BATCH);
        for entrant in &mut self.entrants {
            let mut around = |direction: JudgePhase, run: &mut dyn FnMut()| {
                let start = clock_ms();
                run();
                entrant.time_ms[direction as usize] += clock_ms() - start;
            };
            let judge = &mut entrant.judge;
            judge.judge(batch.clone(), &self.frames, &mut around)?;
            let packets = judge.packets();
            packets
                .iter()
                .for_each(|packet| entrant.hash.add_bytes(packet));
            let sizes: Vec<_> = packets.iter().map(Vec::len).collect();
            let mean = |sizes: &[usize]| sizes.iter().sum::<usize>() as f64 / POINT as f64;
            entrant.curve.extend(sizes.chunks_exact(POINT).map(mean));
        }
        self.next = batch.end;
        Ok(())
    }
}

struct Entrant {
    rung: Rung,
    class: Class,
    judge: Judge,
    /// Total times to encode and to decode all packets, ms.
    time_ms: [f64; 2],
    hash: Fnv,
    curve: Vec<f64>,
}

impl Entrant {
    fn new(rung: Rung, class: Class, frames: &[Vec<Cube>]) -> Entrant {
        let format = challenge::format(rung, class).expect("the challenge's format is one");
        let first = frames.first_chunk().expect("a capture has more frames");
        Entrant {
            rung,
            class,
            judge: Judge::new(&format, first).expect("captures are of the format"),
            time_ms: [0.0; 2],
            hash: Fnv::new(),
            curve: Vec::new(),
        }
    }

    fn row(&self) -> ChallengeVerdict {
        let verdict = self.judge.verdict();
        let [encode_us, decode_us] = self
            .time_ms
            .map(|ms| ms * 1000.0 / verdict.packets.max(1) as f64);
        let class = self.rung.is_arithmetic().then_some(self.class.name());
        let rung = label(self.rung);
        ChallengeVerdict {
            codec: self.rung.name(),
            class,
            label: class.map_or(rung.to_string(), |class| format!("{rung}, {class}")),
            bytes_per_packet_mean: verdict.bytes_per_packet_mean(),
            kbps: verdict.kbps(),
            encode_us,
            decode_us,
            lossless: verdict.lossless(),
            packets_hash: format!("{:016x}", self.hash.finish()),
            curve: self.curve.clone(),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ChallengeVerdict {
    codec: &'static str,
    class: Option<&'static str>,
    label: String,
    bytes_per_packet_mean: f64,
    kbps: f64,
    /// Mean time to encode a packet, microseconds. The command line prints the median, but a browser's clock is too coarse
    /// for single packets.
    encode_us: f64,
    decode_us: f64,
    lossless: bool,
    packets_hash: String,
    curve: Vec<f64>,
}

fn label(rung: Rung) -> &'static str {
    let choices = SCHEMA.iter().find_map(|setting| match setting.domain {
        Domain::Choice(choices) if setting.id == "codec" => Some(choices),
        _ => None,
    });
    let mut choices = choices.into_iter().flatten();
    choices
        .find(|choice| choice.id == rung.name())
        .map_or(rung.name(), |choice| choice.label)
}

/// Returns the message for a refused capture: the fault, and what to do.
fn refusal(error: &CaptureError) -> String {
    let remedy = match error {
        CaptureError::Empty => "Choose a capture: a .bin or .bin.xz file.",
        CaptureError::TooLong { .. } => {
            "That is two minutes, as much as fits into a page: cut it, or have snapshot-lab challenge judge it."
        }
        CaptureError::Dictionary => "Pack it with one of the presets of xz.",
        CaptureError::Packing(_)
        | CaptureError::Read(_)
        | CaptureError::Parse(ParseError::Truncated { .. }) => {
            "It may have been cut off on its way here: copy or download it again."
        }
        CaptureError::Parse(ParseError::TooShort { .. }) => {
            "The first packet is of frame 6, against frame 0: choose a longer one."
        }
        _ => {
            "A capture is 901 cubes of eight 32-bit numbers a frame, in a .bin file or in a .bin packed by xz: save one here to see."
        }
    };
    format!("{error}. {remedy}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use challenge::{CUBES, FRAME_BYTES};

    /// Test frames in which one cube of a grid slides ever faster.
    fn frames(count: i32) -> Vec<Vec<Cube>> {
        let cube = |index: i32| Cube {
            orientation: [3, 256, 256, 256],
            position: [512 * (index % 30), 512 * (index / 30), 102],
            ..Cube::default()
        };
        let frame = |n: i32| {
            let mut cubes: Vec<_> = (0..CUBES as i32).map(cube).collect();
            cubes[3].position[0] += n * n / 4;
            cubes
        };
        (0..count).map(frame).collect()
    }

    #[test]
    fn every_codec_is_judged_to_the_end_in_batches() {
        let mut contest = Contest::new(frames(6 + 70));
        let contested = contest.contested();
        assert_eq!((contested.packets, contested.judged), (70, 0));
        let mut time_ms = 0.0;
        // Each look at this clock takes 3 ms.
        let mut clock = || {
            time_ms += 3.0;
            time_ms
        };
        for judged in [30, 60, 70, 70] {
            contest.advance(&mut clock).unwrap();
            assert_eq!(contest.contested().judged, judged);
        }
        let rows = contest.contested().verdicts;
        assert_eq!(rows.len(), challenge::codecs().count());
        for row in &rows {
            assert!(row.lossless, "{}", row.label);
            assert_eq!(row.curve.len(), 11);
            // Four batches, the last one of nothing.
            assert!((row.encode_us - 4.0 * 3000.0 / 70.0).abs() < 1e-6);
            let bytes: f64 = row.curve.iter().sum::<f64>() * POINT as f64;
            assert!(bytes <= row.bytes_per_packet_mean * 70.0 + 1e-6);
            assert!((row.kbps - row.bytes_per_packet_mean * 0.48).abs() < 1e-9);
        }
        assert_eq!(rows[5].label, "11 · changed flags");
        assert_eq!(rows[9].label, "13 · predicted, chained");
        assert_eq!((rows[5].class, rows[9].class), (None, Some("chained")));
    }

    #[test]
    fn a_refusal_says_what_is_wrong_and_what_to_do() {
        let of = |file: &[u8]| refusal(&capture::read(file, 7).unwrap_err());
        assert_eq!(
            of(b""),
            "the file is empty. Choose a capture: a .bin or .bin.xz file."
        );
        assert!(of(&[b'x'; 64]).contains("not a capture: number 0 of cube 0"));
        assert!(of(&[b'x'; 64]).contains("save one here"));
        assert!(of(&[0; 40]).contains("copy or download it again"));
        assert!(of(&[0; FRAME_BYTES]).contains("choose a longer one"));
        assert!(
            of(&vec![0; 8 * FRAME_BYTES]).contains("more than 201824 bytes. That is two minutes")
        );
        let damaged = of(b"\xfd7zXZ\0 and nothing more");
        assert!(damaged.contains("the xz packing is damaged"));
        assert!(damaged.contains("copy or download it again"));
    }
}
