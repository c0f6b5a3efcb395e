//! Capture files: frames in the format of the data-compression challenge, perhaps packed by xz.

use crate::challenge::{self as challenge, CUBES, FRAME_BYTES, ParseError};
use lzma_rust2::{XzOptions, XzReader, XzWriter};
use snapshot_base::hash::Fnv;
use snapshot_codec::Cube;
use std::io::{self, Read, Write};

const XZ_MAGIC: [u8; 6] = [0xfd, b'7', b'z', b'X', b'Z', 0];
/// Memory limit for unpacking, KiB: enough for files that xz packed with its heaviest preset. Files that need more are refused.
const XZ_MEMORY_KIB: u32 = 80 << 10;
/// xz's preset for writing, the lightest one: it shrinks captures to a fortieth. The heaviest preset would make the result a
/// quarter smaller, but takes ten times as long.
const XZ_PRESET: u32 = 0;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    #[error("the file is empty")]
    Empty,
    /// The unpacked file is longer than the caller allows.
    #[error("more than {bytes_max} bytes")]
    TooLong { bytes_max: u64 },
    /// The file's xz dictionary needs more memory than any preset.
    #[error("its xz packing takes more than {} MiB to unpack", XZ_MEMORY_KIB >> 10)]
    Dictionary,
    /// There is not enough memory for the file.
    #[error("there is not enough memory here for it: close other pages, or take a shorter one")]
    Memory,
    #[error("the xz packing is damaged or cut off ({0})")]
    Packing(io::Error),
    #[error("{0}")]
    Read(io::Error),
    #[error("{0}")]
    Parse(ParseError),
}

pub use crate::challenge::begins;

/// Reads the bytes of a file, and unpacks them if they begin like an .xz file.
///
/// # Errors
/// When the file cannot be read or unpacked, is empty, or has more than `bytes_max` bytes.
pub fn unpack(file: impl Read, bytes_max: u64) -> Result<Vec<u8>, CaptureError> {
    Content::open(file)?.bytes(bytes_max)
}

/// Reads the frames of a capture, packed by xz or not.
///
/// # Errors
/// When the file is not a capture, or has more than `frames_max` frames.
pub fn read(file: impl Read, frames_max: usize) -> Result<Vec<Vec<Cube>>, CaptureError> {
    let mut frames = Vec::new();
    let bytes_max = frames_max as u64 * FRAME_BYTES as u64;
    Content::open(file)?.each_frame(bytes_max, |frame| frames.push(frame))?;
    Ok(frames)
}

/// The bytes of a file, which are unpacked as they are read if the file begins like an .xz file.
pub(crate) struct Content<'a> {
    reader: Box<dyn Read + 'a>,
    pub(crate) packed: bool,
}

impl<'a> Content<'a> {
    pub(crate) fn open(mut file: impl Read + 'a) -> Result<Content<'a>, CaptureError> {
        let mut head = [0; XZ_MAGIC.len()];
        let length = fill(&mut file, &mut head).map_err(CaptureError::Read)?;
        let packed = head == XZ_MAGIC;
        let whole = io::Cursor::new(head).take(length as u64).chain(file);
        let reader: Box<dyn Read> = match packed {
            true => Box::new(XzReader::new_mem_limit(whole, true, XZ_MEMORY_KIB)),
            false => Box::new(whole),
        };
        Ok(Content { reader, packed })
    }

    /// Returns true if the content begins like a capture, which can be read with one frame at a time in memory.
    pub(crate) fn is_capture(&mut self) -> Result<bool, CaptureError> {
        let mut head = [0; FRAME_BYTES / CUBES];
        let length = fill(&mut self.reader, &mut head).map_err(|error| self.fault(error))?;
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(io::Cursor::new(head).take(length as u64).chain(rest));
        Ok(begins(&head[..length]))
    }

    /// Reads all bytes, at most `bytes_max`.
    ///
    /// # Errors
    /// When the file cannot be read or unpacked, is empty, or is longer.
    pub(crate) fn bytes(mut self, bytes_max: u64) -> Result<Vec<u8>, CaptureError> {
        match read_within(&mut self.reader, bytes_max) {
            Err(error) => Err(self.fault(error)),
            Ok(None) => Err(CaptureError::TooLong { bytes_max }),
            Ok(Some(bytes)) if bytes.is_empty() => Err(CaptureError::Empty),
            Ok(Some(bytes)) => Ok(bytes),
        }
    }

    /// Passes each frame of a capture to `take`, so that no more than one is stored. Returns the file's fingerprint.
    ///
    /// # Errors
    /// When the bytes are not a capture, or exceed `bytes_max`; some frames may have been passed by then.
    pub(crate) fn each_frame(
        mut self,
        bytes_max: u64,
        mut take: impl FnMut(Vec<Cube>),
    ) -> Result<u32, CaptureError> {
        let (mut frame, mut bytes, mut hash) = (vec![0; FRAME_BYTES], 0, Fnv::new());
        for number in 0.. {
            let length = fill(&mut self.reader, &mut frame).map_err(|error| self.fault(error))?;
            bytes += length;
            match () {
                () if bytes == 0 => return Err(CaptureError::Empty),
                () if length == 0 => break,
                () if bytes as u64 > bytes_max => return Err(CaptureError::TooLong { bytes_max }),
                () => {}
            }
            let read = &frame[..length];
            hash.add_words(read);
            take(challenge::parse_frame(number, read).map_err(CaptureError::Parse)?);
        }
        challenge::check_length(bytes).map_err(CaptureError::Parse)?;
        Ok(hash.folded())
    }

    fn fault(&self, error: io::Error) -> CaptureError {
        match error.kind() {
            // An exceeded limit comes with a text; a failed allocation has none.
            io::ErrorKind::OutOfMemory if self.packed && error.get_ref().is_some() => {
                CaptureError::Dictionary
            }
            io::ErrorKind::OutOfMemory => CaptureError::Memory,
            _ if self.packed => CaptureError::Packing(error),
            _ => CaptureError::Read(error),
        }
    }
}

/// Reads until a buffer is full or the file ends; returns the number of bytes.
fn fill(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match file.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// Reads all bytes; `None` if there are more than `bytes_max`. The buffer grows by halves: doubling would take twice the limit.
fn read_within(file: &mut impl Read, bytes_max: u64) -> io::Result<Option<Vec<u8>>> {
    let (mut bytes, mut chunk) = (Vec::new(), vec![0; 1 << 16]);
    loop {
        let length = fill(file, &mut chunk)?;
        let read = &chunk[..length];
        if read.is_empty() {
            return Ok(Some(bytes));
        }
        let room = usize::try_from(bytes_max).map_or(usize::MAX, |most| most - bytes.len());
        if read.len() > room {
            return Ok(None);
        }
        if bytes.capacity() - bytes.len() < read.len() {
            let more = (bytes.len() / 2).clamp(read.len(), room);
            let reserved = bytes.try_reserve_exact(more);
            reserved.map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        }
        bytes.extend_from_slice(read);
    }
}

/// Writes frames as a capture file packed by xz.
///
/// # Errors
/// When there is no memory for it.
pub fn write_packed<'a>(frames: impl IntoIterator<Item = &'a [Cube]>) -> io::Result<Vec<u8>> {
    let mut writer = XzWriter::new(Vec::new(), XzOptions::with_preset(XZ_PRESET))?;
    let mut bytes = Vec::with_capacity(FRAME_BYTES);
    for frame in frames {
        bytes.clear();
        challenge::write_frame(frame, &mut bytes);
        writer.write_all(&bytes)?;
    }
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(count: i32) -> Vec<Vec<Cube>> {
        let cube = |x| Cube {
            orientation: [3, 256, 256, 256],
            position: [x, 0, 102],
            ..Cube::default()
        };
        (0..count).map(|frame| vec![cube(frame); CUBES]).collect()
    }

    fn plain(frames: &[Vec<Cube>]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for frame in frames {
            challenge::write_frame(frame, &mut bytes);
        }
        bytes
    }

    fn packed(frames: &[Vec<Cube>]) -> Vec<u8> {
        write_packed(frames.iter().map(Vec::as_slice)).unwrap()
    }

    fn refusal(file: &[u8], frames_max: usize) -> String {
        read(file, frames_max).unwrap_err().to_string()
    }

    #[test]
    fn packed_or_not_the_frames_are_the_same() {
        let frames = frames(12);
        let (plain, packed) = (plain(&frames), packed(&frames));
        assert!(packed.len() < plain.len() / 40);
        assert_eq!(read(&plain[..], 12).unwrap(), frames);
        assert_eq!(read(&packed[..], 12).unwrap(), frames);
    }

    #[test]
    fn every_bad_file_is_refused_by_name() {
        let frames = frames(12);
        let (plain, packed) = (plain(&frames), packed(&frames));
        assert_eq!(refusal(b"", 12), "the file is empty");
        assert_eq!(refusal(&plain, 11), "more than 317152 bytes");
        assert_eq!(refusal(&packed, 11), "more than 317152 bytes");
        assert!(refusal(&plain[..plain.len() - 1], 12).contains("whole number of frames"));
        assert!(refusal(&plain[..FRAME_BYTES], 12).contains("at least 7"));
        assert!(refusal(&[b'x'; 64], 12).starts_with("not a capture"));
        let damaged = "the xz packing is damaged or cut off";
        assert!(refusal(&packed[..packed.len() / 2], 12).starts_with(damaged));
        assert!(refusal(&XZ_MAGIC, 12).starts_with(damaged));
        let mut flipped = packed.clone();
        flipped[packed.len() / 2] ^= 0x40;
        assert!(refusal(&flipped, 12).starts_with(damaged));
    }

    #[test]
    fn a_dictionary_beyond_every_preset_is_told_as_what_it_is() {
        let mut options = XzOptions::with_preset(XZ_PRESET);
        options.lzma_options.dict_size = 128 << 20;
        let mut writer = XzWriter::new(Vec::new(), options).unwrap();
        writer.write_all(&plain(&frames(8))).unwrap();
        let packed = writer.finish().unwrap();
        let cause = "its xz packing takes more than 80 MiB to unpack";
        assert_eq!(refusal(&packed, 12), cause);
    }

    #[test]
    fn an_allocation_that_fails_is_not_told_as_a_dictionary() {
        struct Full;
        impl Read for Full {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::OutOfMemory.into())
            }
        }
        let packed = packed(&frames(8));
        for head in [&packed[..100], b"tick,object,"] {
            let error = read(head.chain(Full), 12).unwrap_err();
            assert!(matches!(error, CaptureError::Memory), "{error}");
        }
    }

    #[test]
    fn every_beginning_of_a_packed_file_is_refused_and_no_changed_bit_goes_unnoticed() {
        let frames = frames(8);
        let packed = packed(&frames);
        for end in 0..packed.len() {
            assert!(read(&packed[..end], 12).is_err(), "{end}");
        }
        for byte in 0..packed.len() {
            let mut flipped = packed.clone();
            flipped[byte] ^= 1;
            // A few bits of the packing mean nothing.
            if let Ok(read) = read(&flipped[..], 12) {
                assert_eq!(read, frames, "{byte}");
            }
        }
    }
}
