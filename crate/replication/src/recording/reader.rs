//! A reader of recordings, record by record.

use super::error::RecordingError;
use super::writer::{CHECK_BYTES, MAGIC, RECORD_BYTES_MAX, Record, VERSION};
use serde::Deserialize;
use snapshot_base::hash::Fnv;

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
    /// Number of records so far.
    records: u64,
    has_ended: bool,
}

impl<'a> Reader<'a> {
    /// Begins to read a recording: reads its header.
    ///
    /// # Errors
    /// When the bytes are no recording of this version.
    pub fn new(bytes: &'a [u8]) -> Result<Self, RecordingError> {
        let Some((&version, rest)) = (bytes.strip_prefix(&MAGIC)).and_then(<[u8]>::split_first)
        else {
            return Err(RecordingError::NoRecording);
        };
        if version != VERSION {
            return Err(RecordingError::Version(version));
        }
        let ((kind, arguments), rest) = taken(rest, RecordingError::Arguments)?;
        Ok(Self {
            kind,
            arguments,
            whole: bytes,
            rest,
            check: Fnv::new(),
            checked: 0,
            records: 0,
            has_ended: false,
        })
    }

    /// The kind of the recording: `client` is this package's.
    pub fn kind(&self) -> &'a str {
        self.kind
    }

    /// Reads the arguments that the recorded end was created with.
    ///
    /// # Errors
    /// When they are of another type.
    pub fn arguments<A: Deserialize<'a>>(&self) -> Result<A, RecordingError> {
        match postcard::take_from_bytes(self.arguments) {
            Ok((arguments, [])) => Ok(arguments),
            Ok(_) | Err(_) => Err(RecordingError::Arguments),
        }
    }

    /// Reads the next record; `None` at the end of the bytes. A recording that was copied while it grew ends after any record.
    ///
    /// # Errors
    /// When the bytes are not a valid record, or differ from those that the recorder wrote.
    pub fn next_record<C: Deserialize<'a>>(&mut self) -> Result<Option<Record<C>>, RecordingError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        if self.has_ended {
            return Err(RecordingError::AfterEnd);
        }
        self.records += 1;
        let form = RecordingError::Form(self.records);
        let (length, rest) = taken::<u64>(self.rest, form.clone())?;
        if length > RECORD_BYTES_MAX as u64 {
            return Err(form);
        }
        let frame = rest.split_at_checked(length as usize);
        let (frame, rest) = frame.ok_or(RecordingError::Cut)?;
        let Ok((record, [])) = postcard::take_from_bytes(frame) else {
            return Err(form);
        };
        self.rest = rest;
        if let Record::Hashes { end, check, .. } = record {
            let end_at = self.whole.len() - rest.len() - CHECK_BYTES;
            self.check.add_bytes(&self.whole[self.checked..end_at]);
            self.checked = end_at;
            if self.check.finish().to_le_bytes() != check {
                return Err(RecordingError::Damaged);
            }
            self.has_ended = end.is_some();
        }
        Ok(Some(record))
    }
}

/// Takes a value off the front of bytes that may be cut; `other` is the error for a value of another form.
fn taken<'a, T: Deserialize<'a>>(
    bytes: &'a [u8],
    other: RecordingError,
) -> Result<(T, &'a [u8]), RecordingError> {
    let is_cut = |error| error == postcard::Error::DeserializeUnexpectedEnd;
    let taken = postcard::take_from_bytes(bytes);
    taken.map_err(|error| {
        if is_cut(error) {
            RecordingError::Cut
        } else {
            other
        }
    })
}
