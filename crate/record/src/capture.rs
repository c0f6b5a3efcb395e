//! Capture files: frames in the format of the data-compression challenge, perhaps packed by xz.

use crate::challenge::{self as challenge, FRAME_BYTES, ParseError};
use lzma_rust2::{XzOptions, XzReader, XzWriter};
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

/// Reads the frames of a capture, packed by xz or not.
///
/// # Errors
/// When the file is not a capture, or has more than `frames_max` frames.
pub fn read(file: impl Read, frames_max: usize) -> Result<Vec<Vec<Cube>>, CaptureError> {
    let bytes = unpack(file, frames_max as u64 * FRAME_BYTES as u64)?;
    challenge::parse(&bytes).map_err(CaptureError::Parse)
}

/// Reads the bytes of a file, and unpacks them if they begin like an .xz file.
///
/// # Errors
/// When the file cannot be read or unpacked, is empty, or has more than `bytes_max` bytes.
pub fn unpack(file: impl Read, bytes_max: u64) -> Result<Vec<u8>, CaptureError> {
    Ok(unpack_within(file, [bytes_max; 2])?.0)
}

/// Reads a file as [`unpack`] does, with limits for a file as it is and for a packed one. Returns true for a packed one.
pub(crate) fn unpack_within(
    mut file: impl Read,
    [plain_max, packed_max]: [u64; 2],
) -> Result<(Vec<u8>, bool), CaptureError> {
    let mut head = Vec::new();
    let mut packed = false;
    let read = (&mut file)
        .take(XZ_MAGIC.len() as u64)
        .read_to_end(&mut head)
        .and_then(|_| {
            packed = head == XZ_MAGIC;
            let whole = head.chain(file);
            if packed {
                let unpacked = XzReader::new_mem_limit(whole, true, XZ_MEMORY_KIB);
                read_within(unpacked, packed_max)
            } else {
                read_within(whole, plain_max)
            }
        })
        .map_err(|error| match error.kind() {
            // An exceeded limit comes with a text; a failed allocation has none.
            io::ErrorKind::OutOfMemory if packed && error.get_ref().is_some() => {
                CaptureError::Dictionary
            }
            io::ErrorKind::OutOfMemory => CaptureError::Memory,
            _ if packed => CaptureError::Packing(error),
            _ => CaptureError::Read(error),
        });
    let bytes_max = if packed { packed_max } else { plain_max };
    match read? {
        None => Err(CaptureError::TooLong { bytes_max }),
        Some(bytes) if bytes.is_empty() => Err(CaptureError::Empty),
        Some(bytes) => Ok((bytes, packed)),
    }
}

/// Reads all bytes; `None` if there are more than `bytes_max`. Its memory grows by halves: doubling would take twice the limit.
fn read_within(mut file: impl Read, bytes_max: u64) -> io::Result<Option<Vec<u8>>> {
    let (mut bytes, mut chunk) = (Vec::new(), vec![0; 1 << 16]);
    loop {
        let read = match file.read(&mut chunk) {
            Ok(0) => return Ok(Some(bytes)),
            Ok(read) => &chunk[..read],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
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
    use crate::challenge::CUBES;

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
        assert_eq!(
            refusal(&packed, 12),
            "its xz packing takes more than 80 MiB to unpack"
        );
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
            let refused = read(head.chain(Full), 12).unwrap_err().to_string();
            assert!(
                refused.starts_with("there is not enough memory"),
                "{refused}"
            );
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
