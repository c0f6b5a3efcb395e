//! A writer of recordings.

use super::hashes::{HashPair, Hashes};
use super::number::{folded, put_bytes, put_number};
use snapshot_base::hash::Fnv;
use snapshot_base::text::beginning;

/// The first bytes of each recording, its mark.
pub(super) const MAGIC: [u8; 4] = *b"SREC";
/// The version of the format of recordings.
pub const VERSION: u8 = 1;
/// Upper limit of the length of the name of a recording's kind, bytes.
pub(super) const KIND_BYTES_MAX: usize = 32;
/// Upper limit, exclusive, of the number of a recorded function.
pub const CALLS_END: u8 = 254;
/// Number of a record with the hashes so far, a checkpoint.
pub(super) const CHECKPOINT: u8 = 254;
/// Number of the record that ends a recording.
pub(super) const END: u8 = 255;
/// Least time from one checkpoint to the next, ms.
const CHECKPOINT_MS: f64 = 1000.0;
/// Length of a checkpoint, bytes: kind, time, length, two hashes and a check sum.
pub(super) const CHECKPOINT_BYTES: usize = 27;
/// Length of the end, bytes: that of a checkpoint, and the reason.
const END_BYTES: usize = CHECKPOINT_BYTES + 1;

/// Reason why a recording ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// The program took the finished recording.
    Taken = 0,
    /// The next call would have exceeded the upper limit of the recording's bytes.
    Full = 1,
}

impl EndReason {
    pub(super) const ALL: [Self; 2] = [Self::Taken, Self::Full];
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
    /// Begins a recording. The kind names the program that can replay it, in up to 32 bytes. `bytes_max` limits the calls;
    /// header and end are always written.
    pub fn new(kind: &str, arguments: &[u8], bytes_max: usize) -> Self {
        let kind = beginning(kind, KIND_BYTES_MAX);
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        put_bytes(kind.as_bytes(), &mut bytes);
        put_bytes(arguments, &mut bytes);
        let mut check = Fnv::new();
        check.add_bytes(&bytes);
        Self {
            bytes,
            bytes_max,
            check,
            time_ms: 0.0,
            checkpoint_ms: None,
            is_open: true,
            hashes: Hashes::default(),
        }
    }

    /// Records a call of the function with the number `kind`, with its time if it has one. The hashes must be those before the
    /// call. Does nothing once the recording has ended.
    ///
    /// # Panics
    /// When `kind` is not below [`CALLS_END`].
    pub fn call(&mut self, kind: u8, time_ms: Option<f64>, content: &[u8]) {
        assert!(kind < CALLS_END, "a kind of calls");
        if !self.is_open {
            return;
        }
        let time_ms = time_ms.unwrap_or(self.time_ms);
        let mut record = vec![kind];
        let passed = (time_ms.to_bits()).wrapping_sub(self.time_ms.to_bits());
        put_number(folded(passed.cast_signed()), &mut record);
        put_bytes(content, &mut record);
        let room = (self.bytes_max).saturating_sub(self.bytes.len() + END_BYTES + CHECKPOINT_BYTES);
        if record.len() > room {
            return self.end(EndReason::Full);
        }
        if self.is_checkpoint_due(time_ms) {
            self.hash_record(CHECKPOINT, &[]);
        }
        self.put(&record);
        self.time_ms = time_ms;
    }

    /// Ends a recording that cannot hold the next call.
    pub(super) fn end_full(&mut self) {
        self.end(EndReason::Full);
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

    fn end(&mut self, reason: EndReason) {
        if std::mem::take(&mut self.is_open) {
            self.hash_record(END, &[reason as u8]);
        }
    }

    fn hash_record(&mut self, kind: u8, content: &[u8]) {
        let HashPair { view, sent } = self.hashes.pair();
        self.put(&[kind, 0, content.len() as u8 + 24]);
        self.put(content);
        self.put(&view.to_be_bytes());
        self.put(&sent.to_be_bytes());
        let check = self.check.finish();
        self.put(&check.to_be_bytes());
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
