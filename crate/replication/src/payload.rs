//! The payloads of a server and its clients, as FORMAT.md specifies them.

use crate::connection::RefusalReason;
use crate::inputs::InputList;
use crate::messages::MESSAGE_BYTES_MAX;

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

/// The kind of a part with inputs.
pub(crate) const INPUTS: u8 = 6;
/// Bytes before the parts of a client's payload: its number.
pub(crate) const NUMBER_BYTES: usize = 2;
/// Bytes of the word on a client's datagrams.
pub(crate) const HEARD_BYTES: usize = 7;
/// The margin of a client that sends no inputs.
const NO_MARGIN: i16 = i16::MIN;
/// Steps of a margin in a tick.
const MARGIN_STEPS: f64 = 64.0;

/// A part of a payload. A payload for the server has a number before its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part<'a> {
    /// A packet, or a part of one. It takes the rest of the payload.
    Packet {
        sequence: u16,
        /// Ticks since the packet's baseline; 0 names the snapshot with which the client joined.
        age: u16,
        part: u8,
        last_part: u8,
        /// Velocities and jumps stand before the packet.
        has_extras: bool,
        bytes: &'a [u8],
    },
    /// A part of the snapshot with which a client joins. It takes the rest of the payload.
    Chunk {
        tick: u64,
        index: u16,
        count: u16,
        bytes: &'a [u8],
    },
    /// The client has the snapshot of a tick, and can decode newer ones against it. Bit i: it received the packet that left
    /// i + 1 packets before, too.
    Has { tick: u32, before: u32 },
    /// The client has the chunks of the joining snapshot of a tick up to `missing`, and those after it that the bits name.
    HasChunks { tick: u32, missing: u16, after: u32 },
    /// Inputs of the client.
    Inputs(InputList<'a>),
    /// An acknowledgement of the client's newest datagram: its number, and the time in ms since it came. `lost` is the share of
    /// datagrams that were lost, of 255. `margin` is that of its newest input.
    Heard {
        number: u16,
        held_ms: u8,
        lost: u8,
        margin: i16,
    },
    /// A message that is repeated until it arrives.
    Message { number: u16, bytes: &'a [u8] },
    /// All messages before `next` came, and those after it that the bits name.
    HasMessages { next: u16, after: u32 },
    /// A message that is sent once.
    Say { number: u16, bytes: &'a [u8] },
}

/// The margin as it is sent: 64ths of a tick.
pub(crate) fn margin_of(ticks: Option<f64>) -> i16 {
    ticks.map_or(NO_MARGIN, |ticks| {
        ((ticks * MARGIN_STEPS) as i16).max(NO_MARGIN + 1)
    })
}

/// The margin in ticks; none of a client that sends no inputs.
pub(crate) fn ticks_of(margin: i16) -> Option<f64> {
    (margin != NO_MARGIN).then(|| f64::from(margin) / MARGIN_STEPS)
}

/// Splits bytes after their first `N`.
pub(crate) fn split<const N: usize>(bytes: &[u8]) -> Result<([u8; N], &[u8]), RefusalReason> {
    let split = bytes.split_first_chunk().map(|(head, rest)| (*head, rest));
    split.ok_or(RefusalReason::Payload)
}

fn sized(bytes: &[u8]) -> Result<(&[u8], &[u8]), RefusalReason> {
    let (len, rest) = split(bytes)?;
    let len = usize::from(u16::from_be_bytes(len));
    if len > MESSAGE_BYTES_MAX {
        return Err(RefusalReason::Payload);
    }
    rest.split_at_checked(len).ok_or(RefusalReason::Payload)
}

impl<'a> Part<'a> {
    /// Says whether a client sends such parts.
    pub(crate) const fn is_to_server(&self) -> bool {
        !matches!(
            self,
            Self::Packet { .. } | Self::Chunk { .. } | Self::Heard { .. }
        )
    }

    /// Says whether a server sends such parts.
    pub(crate) const fn is_to_client(&self) -> bool {
        !matches!(
            self,
            Self::Has { .. } | Self::HasChunks { .. } | Self::Inputs(_)
        )
    }

    /// Appends the part.
    pub(crate) fn write(&self, payload: &mut Vec<u8>) {
        match *self {
            Self::Packet {
                sequence,
                age,
                part,
                last_part,
                has_extras,
                bytes,
            } => {
                let kinds = if has_extras { [11, 12] } else { [1, 2] };
                payload.push(kinds[usize::from(last_part != 0)]);
                payload.extend(sequence.to_be_bytes());
                write_age(age, payload);
                if last_part != 0 {
                    payload.extend([part, last_part]);
                }
                payload.extend_from_slice(bytes);
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
                payload.extend_from_slice(bytes);
            }
            Self::Has { tick, before } => {
                payload.push(4);
                payload.extend(tick.to_be_bytes());
                payload.extend(before.to_be_bytes());
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
            Self::Inputs(list) => {
                payload.push(INPUTS);
                payload.extend_from_slice(list.bytes);
            }
            Self::Heard {
                number,
                held_ms,
                lost,
                margin,
            } => {
                payload.push(7);
                payload.extend(number.to_be_bytes());
                payload.extend([held_ms, lost]);
                payload.extend(margin.to_be_bytes());
            }
            Self::Message { number, bytes } | Self::Say { number, bytes } => {
                payload.push(if matches!(self, Self::Say { .. }) {
                    10
                } else {
                    8
                });
                payload.extend(number.to_be_bytes());
                payload.extend((bytes.len() as u16).to_be_bytes());
                payload.extend_from_slice(bytes);
            }
            Self::HasMessages { next, after } => {
                payload.push(9);
                payload.extend(next.to_be_bytes());
                payload.extend(after.to_be_bytes());
            }
        }
    }

    /// Reads any bytes: the first part, and the bytes after it.
    fn read_first(payload: &'a [u8]) -> Result<(Self, &'a [u8]), RefusalReason> {
        let ([kind], rest) = split(payload)?;
        Ok(match kind {
            1 | 2 | 11 | 12 => {
                let (sequence, rest) = split(rest)?;
                let (age, rest) = read_age(rest).ok_or(RefusalReason::Payload)?;
                let (part, last_part, bytes) = match (kind, rest) {
                    (1 | 11, bytes) => (0, 0, bytes),
                    (_, &[part, last, ref bytes @ ..]) if part <= last && last > 0 => {
                        (part, last, bytes)
                    }
                    _ => return Err(RefusalReason::Payload),
                };
                let packet = Self::Packet {
                    sequence: u16::from_be_bytes(sequence),
                    age,
                    part,
                    last_part,
                    has_extras: kind > 10,
                    bytes,
                };
                (packet, &[])
            }
            3 => {
                let (tick, rest) = split(rest)?;
                let (index, rest) = split(rest)?;
                let (count, bytes) = split(rest)?;
                let (index, count) = (u16::from_be_bytes(index), u16::from_be_bytes(count));
                let tick = u64::from_be_bytes(tick);
                if index >= count || tick >= TICKS_END {
                    return Err(RefusalReason::Payload);
                }
                let chunk = Self::Chunk {
                    tick,
                    index,
                    count,
                    bytes,
                };
                (chunk, &[])
            }
            4 => {
                let (tick, rest) = split(rest)?;
                let (before, rest) = split(rest)?;
                let (tick, before) = (u32::from_be_bytes(tick), u32::from_be_bytes(before));
                (Self::Has { tick, before }, rest)
            }
            5 => {
                let (tick, rest) = split(rest)?;
                let (missing, rest) = split(rest)?;
                let (after, rest) = split(rest)?;
                let has = Self::HasChunks {
                    tick: u32::from_be_bytes(tick),
                    missing: u16::from_be_bytes(missing),
                    after: u32::from_be_bytes(after),
                };
                (has, rest)
            }
            INPUTS => {
                let (list, rest) = InputList::read(rest)?;
                (Self::Inputs(list), rest)
            }
            7 => {
                let (number, rest) = split(rest)?;
                let ([held_ms, lost], rest) = split(rest)?;
                let (margin, rest) = split(rest)?;
                let heard = Self::Heard {
                    number: u16::from_be_bytes(number),
                    held_ms,
                    lost,
                    margin: i16::from_be_bytes(margin),
                };
                (heard, rest)
            }
            8 | 10 => {
                let (number, rest) = split(rest)?;
                let (bytes, rest) = sized(rest)?;
                let number = u16::from_be_bytes(number);
                match kind {
                    8 => (Self::Message { number, bytes }, rest),
                    _ => (Self::Say { number, bytes }, rest),
                }
            }
            9 => {
                let (next, rest) = split(rest)?;
                let (after, rest) = split(rest)?;
                let (next, after) = (u16::from_be_bytes(next), u32::from_be_bytes(after));
                (Self::HasMessages { next, after }, rest)
            }
            _ => return Err(RefusalReason::Payload),
        })
    }

    /// Reads any bytes: all parts of a payload, which has at least one.
    pub(crate) fn read_all(
        mut payload: &'a [u8],
        belongs: impl Fn(&Self) -> bool,
    ) -> Result<Vec<Self>, RefusalReason> {
        let mut parts = Vec::new();
        loop {
            let (part, rest) = Self::read_first(payload)?;
            if !belongs(&part) {
                return Err(RefusalReason::Payload);
            }
            parts.push(part);
            payload = rest;
            if payload.is_empty() {
                return Ok(parts);
            }
        }
    }
}

/// Reads a client's payload: its number, and its parts.
pub(crate) fn read_to_server(payload: &[u8]) -> Result<(u16, Vec<Part<'_>>), RefusalReason> {
    let (number, parts) = split(payload)?;
    let parts = Part::read_all(parts, Part::is_to_server)?;
    Ok((u16::from_be_bytes(number), parts))
}
