//! A writer of recordings: a header, and then records of postcard, each after its length.

use super::hashes::Hashes;
use serde::{Deserialize, Serialize};
use snapshot_base::hash::Fnv;

/// The first bytes of each recording, its mark.
pub(super) const MAGIC: [u8; 4] = *b"SREC";
/// The version of the format of recordings.
pub const VERSION: u8 = 2;
/// Upper limit of the length of a record, bytes. A call that takes more ends the recording.
pub(super) const RECORD_BYTES_MAX: usize = 1 << 28;
/// Least time from one checkpoint to the next, ms.
const CHECKPOINT_MS: f64 = 1000.0;
/// Upper limit of the length of a record with hashes, bytes: length, variant, two hashes, end and check.
const HASHES_BYTES_MAX: usize = 1 + 1 + 2 * 10 + 2 + CHECK_BYTES;
/// Length of the check at the end of a record with hashes, bytes.
pub(super) const CHECK_BYTES: usize = 8;

/// A record of a recording, whose calls have the type `C`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Record<C> {
    /// A recorded call.
    Call(C),
    /// Time of the calls that follow, as the difference of the bits of two f64 in ms: it, and the time before, which is 0 at
    /// first. Frames of one rate have short differences.
    Time(i64),
    /// Hashes of all that the end showed and sent in the calls so far.
    Hashes {
        /// Hash of all shown pictures, and hash of all sent datagrams.
        pair: [u64; 2],
        /// The reason why the recording ends here, if it does.
        end: Option<EndReason>,
        /// Hash of all bytes of the recording before these, lowest byte first.
        check: [u8; CHECK_BYTES],
    },
}

/// Reason why a recording ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EndReason {
    /// The program took the finished recording.
    Taken,
    /// The next call would have exceeded the upper limit of the recording's bytes.
    Full,
}

/// A writer of a recording, which grows with each call up to a limit. Its bytes are a valid recording at any time.
#[derive(Clone, Debug)]
pub struct Writer {
    bytes: Vec<u8>,
    bytes_max: usize,
    /// Check sum of all bytes so far.
    check: Fnv,
    time_ms: f64,
    /// Time of the last checkpoint, ms; before the first checkpoint, that of the first call.
    checkpoint_ms: Option<f64>,
    is_open: bool,
    /// Hashes of all that the recorded end showed and sent. After each call, add to them what the call showed and sent.
    pub hashes: Hashes,
}

impl Writer {
    /// Begins a recording. The kind names the program that can replay it. `bytes_max` limits the calls; header and end are
    /// always written.
    pub fn new(kind: &str, arguments: &impl Serialize, bytes_max: usize) -> Self {
        let mut writer = Self {
            bytes: Vec::new(),
            bytes_max,
            check: Fnv::new(),
            time_ms: 0.0,
            checkpoint_ms: None,
            is_open: true,
            hashes: Hashes::default(),
        };
        writer.put(&MAGIC);
        writer.put(&[VERSION]);
        writer.put(&serialized(&(kind, serialized(arguments))));
        writer
    }

    /// Records a call, with its time if it has one. The hashes must be those before the call. Does nothing once the recording
    /// has ended.
    pub fn call(&mut self, time_ms: Option<f64>, call: &impl Serialize) {
        if self.is_open {
            self.put_call(time_ms, &serialized(&Record::Call(call)));
        }
    }

    /// Does the work of [`Self::call`]. It is compiled once, whatever calls there are.
    fn put_call(&mut self, time_ms: Option<f64>, call: &[u8]) {
        let time_ms = time_ms.unwrap_or(self.time_ms);
        let passed = time_ms.to_bits().wrapping_sub(self.time_ms.to_bits());
        let mut records = match passed.cast_signed() {
            0 => Vec::new(),
            passed => framed(&serialized(&Record::<()>::Time(passed))),
        };
        records.extend(framed(call));
        let room = (self.bytes_max).saturating_sub(self.bytes.len() + 2 * HASHES_BYTES_MAX);
        if call.len() > RECORD_BYTES_MAX || records.len() > room {
            return self.end(EndReason::Full);
        }
        if self.is_checkpoint_due(time_ms) {
            self.put_hashes(None);
        }
        self.put(&records);
        self.time_ms = time_ms;
    }

    fn is_checkpoint_due(&mut self, time_ms: f64) -> bool {
        if !time_ms.is_finite() {
            return false;
        }
        let before_ms = *self.checkpoint_ms.get_or_insert(time_ms);
        let is_due = time_ms - before_ms >= CHECKPOINT_MS || time_ms < before_ms;
        if is_due {
            self.checkpoint_ms = Some(time_ms);
        }
        is_due
    }

    /// Ends the recording, if it has not ended yet.
    pub(super) fn end(&mut self, reason: EndReason) {
        if std::mem::take(&mut self.is_open) {
            self.put_hashes(Some(reason));
        }
    }

    fn put_hashes(&mut self, end: Option<EndReason>) {
        let record = Record::<()>::Hashes {
            pair: self.hashes.pair(),
            end,
            check: [0; CHECK_BYTES],
        };
        let record = framed(&serialized(&record));
        self.put(&record[..record.len() - CHECK_BYTES]);
        self.put(&self.check.finish().to_le_bytes());
    }

    fn put(&mut self, bytes: &[u8]) {
        self.check.add_bytes(bytes);
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns true until the recording ends, by [`Self::finish`] or by its limit.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Bytes of the recording so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Ends the recording; returns its bytes.
    pub fn finish(mut self) -> Vec<u8> {
        self.end(EndReason::Taken);
        self.bytes
    }
}

/// Returns the bytes of a value. Postcard writes all but a list of unknown length, which is left out.
fn serialized(value: &impl Serialize) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap_or_default()
}

/// Returns a record with its length before it.
fn framed(record: &[u8]) -> Vec<u8> {
    [&serialized(&record.len()), record].concat()
}
