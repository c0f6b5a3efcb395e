//! The payloads of a server and its clients, as FORMAT.md specifies them.

use crate::connection::RefusalReason;

/// No tick is so large: it is 149,000 years at 60 a second.
pub(crate) const TICKS_END: u64 = 1 << 48;
/// Most parts of a packet.
pub(crate) const PARTS_MAX: usize = 256;
/// Most bytes of a whole packet's payload beside those of the packet.
pub(crate) const PACKET_BYTES: usize = 5;
/// Most bytes of a part beside those of the packet.
pub(crate) const PART_BYTES: usize = 7;
/// Bytes of a chunk beside those of the joining snapshot.
pub(crate) const CHUNK_BYTES: usize = 13;

/// Ages below this take one byte.
const AGE_SHORT: u16 = 240;
/// Most ticks of an age: 16 first bytes, each with 256 second ones.
pub(crate) const AGE_END: u16 = AGE_SHORT + 16 * 256;

/// Reads an age in ticks, and gives the bytes after it.
fn read_age(bytes: &[u8]) -> Option<(u16, &[u8])> {
    let (&first, rest) = bytes.split_first()?;
    let long = u16::from(first).checked_sub(AGE_SHORT);
    match long {
        None => Some((first.into(), rest)),
        Some(high) => {
            let (&low, rest) = rest.split_first()?;
            Some((AGE_SHORT + high * 256 + u16::from(low), rest))
        }
    }
}

fn write_age(age: u16, payload: &mut Vec<u8>) {
    match age.checked_sub(AGE_SHORT) {
        None => payload.push(age as u8),
        Some(long) => payload.extend([(AGE_SHORT + long / 256) as u8, long as u8]),
    }
}

/// A payload for a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToClient<'a> {
    /// A packet, or a part of one.
    Packet {
        sequence: u16,
        /// Ticks since the packet's baseline; 0 names the snapshot with which the client joined.
        age: u16,
        part: u8,
        last_part: u8,
        bytes: &'a [u8],
    },
    /// A part of the snapshot with which a client joins.
    Chunk {
        tick: u64,
        index: u16,
        count: u16,
        bytes: &'a [u8],
    },
}

impl<'a> ToClient<'a> {
    /// Replaces `payload`.
    pub(crate) fn write(&self, payload: &mut Vec<u8>) {
        payload.clear();
        let bytes = match *self {
            Self::Packet {
                sequence,
                age,
                part,
                last_part,
                bytes,
            } => {
                payload.push(if last_part == 0 { 1 } else { 2 });
                payload.extend(sequence.to_be_bytes());
                write_age(age, payload);
                if last_part != 0 {
                    payload.extend([part, last_part]);
                }
                bytes
            }
            Self::Chunk {
                tick,
                index,
                count,
                bytes,
            } => {
                payload.push(3);
                payload.extend(tick.to_be_bytes());
                payload.extend(index.to_be_bytes());
                payload.extend(count.to_be_bytes());
                bytes
            }
        };
        payload.extend_from_slice(bytes);
    }

    /// Reads any bytes.
    pub(crate) fn read(payload: &'a [u8]) -> Result<Self, RefusalReason> {
        Ok(match *payload {
            [kind @ (1 | 2), s0, s1, ref rest @ ..] => {
                let (age, rest) = read_age(rest).ok_or(RefusalReason::Payload)?;
                let (part, last_part, bytes) = match (kind, rest) {
                    (1, bytes) => (0, 0, bytes),
                    (_, &[part, last, ref bytes @ ..]) if part <= last && last > 0 => {
                        (part, last, bytes)
                    }
                    _ => return Err(RefusalReason::Payload),
                };
                Self::Packet {
                    sequence: u16::from_be_bytes([s0, s1]),
                    age,
                    part,
                    last_part,
                    bytes,
                }
            }
            [
                3,
                t0,
                t1,
                t2,
                t3,
                t4,
                t5,
                t6,
                t7,
                i0,
                i1,
                c0,
                c1,
                ref bytes @ ..,
            ] => {
                let (index, count) = (u16::from_be_bytes([i0, i1]), u16::from_be_bytes([c0, c1]));
                let tick = u64::from_be_bytes([t0, t1, t2, t3, t4, t5, t6, t7]);
                if index >= count || tick >= TICKS_END {
                    return Err(RefusalReason::Payload);
                }
                Self::Chunk {
                    tick,
                    index,
                    count,
                    bytes,
                }
            }
            _ => return Err(RefusalReason::Payload),
        })
    }
}

/// A payload for the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToServer {
    /// The client has the snapshot of a tick, and can decode newer ones against it.
    Has { tick: u32 },
    /// The client has the chunks of the joining snapshot of a tick up to `missing`, and those after it that the bits name.
    HasChunks { tick: u32, missing: u16, after: u32 },
}

impl ToServer {
    pub(crate) fn bytes(self) -> Vec<u8> {
        let mut payload = Vec::new();
        match self {
            Self::Has { tick } => {
                payload.push(4);
                payload.extend(tick.to_be_bytes());
            }
            Self::HasChunks {
                tick,
                missing,
                after,
            } => {
                payload.push(5);
                payload.extend(tick.to_be_bytes());
                payload.extend(missing.to_be_bytes());
                payload.extend(after.to_be_bytes());
            }
        }
        payload
    }

    /// Reads any bytes.
    pub(crate) fn read(payload: &[u8]) -> Result<Self, RefusalReason> {
        match *payload {
            [4, t0, t1, t2, t3] => Ok(Self::Has {
                tick: u32::from_be_bytes([t0, t1, t2, t3]),
            }),
            [5, t0, t1, t2, t3, m0, m1, a0, a1, a2, a3] => Ok(Self::HasChunks {
                tick: u32::from_be_bytes([t0, t1, t2, t3]),
                missing: u16::from_be_bytes([m0, m1]),
                after: u32::from_be_bytes([a0, a1, a2, a3]),
            }),
            _ => Err(RefusalReason::Payload),
        }
    }
}
