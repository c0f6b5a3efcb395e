//! A reader of recordings, record by record.

use super::error::RecordingError;
use super::hashes::HashPair;
use super::number::{take_bytes, take_number, unfolded};
use super::writer::{CHECKPOINT, END, EndReason, KIND_BYTES_MAX, MAGIC, VERSION};
use snapshot_base::hash::Fnv;

/// A recorded call of a client's or a server's function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Call<'a> {
    /// The number of the called function.
    pub kind: u8,
    /// Time of the call, ms. A call without a time has that of the call before.
    pub time_ms: f64,
    /// The content of the call: its arguments as bytes, without the time.
    pub bytes: &'a [u8],
}

/// A record of a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Record<'a> {
    /// A recorded call.
    Call(Call<'a>),
    /// Hashes of all that the end showed and sent in the calls so far.
    Checkpoint(HashPair),
    /// The end of the recording, with the hashes of all calls.
    End(EndReason, HashPair),
}

/// A reader of a recording, record by record. It reads any bytes, or refuses them by name.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    kind: &'a str,
    arguments: &'a [u8],
    whole: &'a [u8],
    rest: &'a [u8],
    check: Fnv,
    /// Number of bytes that the check sum covers so far.
    checked: usize,
    time_ms: f64,
    has_ended: bool,
}

impl<'a> Reader<'a> {
    /// Begins to read a recording: reads its header.
    ///
    /// # Errors
    /// When the bytes are no recording of this version.
    pub fn new(bytes: &'a [u8]) -> Result<Self, RecordingError> {
        let Some((&version, mut rest)) = (bytes.strip_prefix(&MAGIC)).and_then(<[u8]>::split_first)
        else {
            return Err(RecordingError::NoRecording);
        };
        if version != VERSION {
            return Err(RecordingError::Version(version));
        }
        let kind = take_bytes(&mut rest).ok_or(RecordingError::Cut)?;
        let kind = std::str::from_utf8(kind).ok();
        let kind = kind.filter(|kind| kind.len() <= KIND_BYTES_MAX);
        Ok(Self {
            kind: kind.ok_or(RecordingError::Form)?,
            arguments: take_bytes(&mut rest).ok_or(RecordingError::Cut)?,
            whole: bytes,
            rest,
            check: Fnv::new(),
            checked: 0,
            time_ms: 0.0,
            has_ended: false,
        })
    }

    /// The kind of the recording: `client` and `server` are this package's.
    pub fn kind(&self) -> &'a str {
        self.kind
    }

    /// The arguments that the recorded end was created with, as the recorder wrote them.
    pub fn arguments(&self) -> &'a [u8] {
        self.arguments
    }

    /// Reads the next record; `None` at the end of the bytes. A recording that was copied while it grew has no end record.
    ///
    /// # Errors
    /// When the bytes are not a valid record, or differ from those that the recorder wrote.
    pub fn next_record(&mut self) -> Result<Option<Record<'a>>, RecordingError> {
        let Some((&kind, rest)) = self.rest.split_first() else {
            return Ok(None);
        };
        if self.has_ended {
            return Err(RecordingError::AfterEnd);
        }
        self.rest = rest;
        let passed = self.number()?;
        let length = usize::try_from(self.number()?).map_err(|_| RecordingError::Cut)?;
        let taken = self.rest.split_at_checked(length);
        let (bytes, rest) = taken.ok_or(RecordingError::Cut)?;
        self.rest = rest;
        if kind < CHECKPOINT {
            let before = self.time_ms.to_bits();
            self.time_ms = f64::from_bits(before.wrapping_add_signed(unfolded(passed)));
            let time_ms = self.time_ms;
            return Ok(Some(Record::Call(Call {
                kind,
                time_ms,
                bytes,
            })));
        }
        if passed != 0 {
            return Err(RecordingError::Form);
        }
        let (reason, pair) = self.hashes(kind, bytes)?;
        self.has_ended = reason.is_some();
        Ok(Some(match reason {
            Some(reason) => Record::End(reason, pair),
            None => Record::Checkpoint(pair),
        }))
    }

    fn hashes(
        &mut self,
        kind: u8,
        bytes: &[u8],
    ) -> Result<(Option<EndReason>, HashPair), RecordingError> {
        let form = RecordingError::Form;
        let (reason, hashes) = match (kind, bytes) {
            (END, [reason, hashes @ ..]) => (Some(*reason), hashes),
            _ => (None, bytes),
        };
        let reason = match reason {
            Some(number) => Some(
                EndReason::ALL
                    .get(usize::from(number))
                    .ok_or(form.clone())?,
            ),
            None => None,
        };
        let (hashes, []) = hashes.as_chunks() else {
            return Err(form);
        };
        let &[view, sent, check] = hashes else {
            return Err(form);
        };
        let end = self.whole.len() - self.rest.len() - check.len();
        self.check.add_bytes(&self.whole[self.checked..end]);
        if self.check.finish() != u64::from_be_bytes(check) {
            return Err(RecordingError::Damaged);
        }
        self.check.add_bytes(&check);
        self.checked = end + check.len();
        let [view, sent] = [view, sent].map(u64::from_be_bytes);
        Ok((reason.copied(), HashPair { view, sent }))
    }

    fn number(&mut self) -> Result<u64, RecordingError> {
        let mut rest = self.rest;
        let number = take_number(&mut rest);
        // Where the bytes end within a number, each byte so far says that it goes on.
        let is_cut = self.rest.len() < 10 && self.rest.iter().all(|byte| *byte >= 0x80);
        self.rest = rest;
        number.ok_or(if is_cut {
            RecordingError::Cut
        } else {
            RecordingError::Form
        })
    }
}
